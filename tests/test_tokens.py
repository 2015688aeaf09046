from __future__ import annotations

import functools
import os
import pickle
import socket
import subprocess
import sys
import threading
import unicodedata
from importlib import resources
from typing import NoReturn

import pytest
import regex
import tiktoken
import tiktoken.registry
import tokenizers
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiktoken_ext import openai_public
from tokenizers import models, pre_tokenizers, processors

from mdchunk_core import _encodings, tokens
from mdchunk_core.errors import ConfigError, TokenizerUnavailable
from mdchunk_core.tokens import Tokenizer, TokenizerLike, resolve

NAMES = ["cl100k_base", "o200k_base"]
both = pytest.mark.parametrize("name", NAMES)

NASTY = st.text(
    st.sampled_from(" \t\n\n\n\r\x0b\x0c\x1c\x1f\x85\xa0\u2003\u2028\u2029\u3000\u200b\ufeff/\\'sStT.!#|`*-_>\"")
    | st.sampled_from("abzABZſKéßÄ012٣Ⅷ字日かカ한ʰǅ\u0301\u0308\u20e3\u0e33ไท🙂👍\U0001f3fd\u200d🇩\ue000\ud800\udc00"),
    max_size=30,
)


@functools.cache
def plain(name: str) -> tiktoken.Encoding:
    """The encoding as tiktoken itself puts it together, from the same rank file."""
    ranks = _encodings._read_ranks(_encodings.BUNDLED[name])
    own = {"load_tiktoken_bpe": lambda *_, **__: ranks}
    constructor = type(openai_public.cl100k_base)(
        getattr(openai_public, name).__code__, {**vars(openai_public), **own}, name
    )
    return tiktoken.Encoding(**constructor())


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError("no network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


# What is counted


@both
@settings(max_examples=400)
@given(text=NASTY)
@example(text="<|endoftext|> <|fim_prefix|><|endofprompt|>")
@example(text="a\ud83d\ude42b \ud83d lone, \ude42\ud83d swapped")
def test_counts_as_tiktoken_counts_ordinary_text(name: str, text: str) -> None:
    assert resolve(name).count(text) == len(plain(name).encode_ordinary(text))


@both
def test_special_tokens_are_text(name: str) -> None:
    assert resolve(name).count("<|endoftext|>") > 1
    assert resolve(name).overhead == 0


@both
def test_patterns_are_tiktokens(name: str) -> None:
    assert _encodings.BUNDLED[name].pattern == plain(name)._pat_str


def test_harmony_counts_like_o200k() -> None:
    text = "Straße 12/3 <|start|> 'S 字\n\n  x"
    assert resolve("o200k_harmony").count(text) == resolve("o200k_base").count(text)
    assert resolve("gpt-oss-120b").name == "o200k_harmony"


# Counts add up at the start of lines


@both
@settings(max_examples=500)
@given(text=st.lists(NASTY, max_size=4).map("\n".join))
def test_counts_add_up_where_they_are_said_to(name: str, text: str) -> None:
    tokenizer = resolve(name)
    for at in (at + 1 for at, character in enumerate(text) if character == "\n"):
        if tokenizer.starts_exactly(text[at:].partition("\n")[0]):
            assert tokenizer.count(text) == tokenizer.count(text[:at]) + tokenizer.count(text[at:]), (text, at)


@both
@settings(max_examples=500)
@given(before=NASTY, line=NASTY)
def test_counts_add_up_for_all_text_before_and_a_line_of_any_kind(name: str, before: str, line: str) -> None:
    tokenizer = resolve(name)
    if tokenizer.starts_exactly(line):
        assert tokenizer.count(before + "\n" + line) == tokenizer.count(before + "\n") + tokenizer.count(line)


@both
def test_counts_add_up_before_every_kind_of_character(name: str) -> None:
    tokenizer = resolve(name)
    special = [
        c for c in map(chr, range(0x30000)) if unicodedata.category(c)[0] in "CZ" and not "\ue000" < c < "\uf8ff"
    ]
    for character in [c for c in special if unicodedata.category(c) not in ("Cn", "Cs")]:
        for before in ("x \n\n", "!\n"):
            if tokenizer.starts_exactly(character):
                assert tokenizer.count(before + character) == tokenizer.count(before) + tokenizer.count(character)


@both
def test_where_counts_are_said_to_add_up(name: str) -> None:
    exact = resolve(name).starts_exactly
    assert all(map(exact, ["x", "    code", "# title", "| a |", "\t\u3000x", "字", "\ufeff# title", " /x", "a\rb"]))
    assert not any(map(exact, ["", "  ", "\u2028", "\x1c", "\r", " \r x"]))
    assert exact("/// note") is (name == "cl100k_base")
    assert resolve("o200k_harmony").starts_exactly("x")


def test_other_encodings_do_not_say_that_counts_add_up() -> None:
    encoding = bytewise("mine", openai_public.r50k_pat_str, b"\n\n")
    tokenizer = resolve(encoding)
    assert not tokenizer.starts_exactly("x")
    assert tokenizer.count("\n\n" + "x") != tokenizer.count("\n\n") + tokenizer.count("x")
    assert not resolve(len).starts_exactly("x")


# Texts that tiktoken panics on


@both
@settings(max_examples=400)
@given(text=NASTY)
def test_the_slow_way_counts_the_same(name: str, text: str) -> None:
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert _encodings.count_by_pattern(plain(name), text) == len(plain(name).encode_ordinary(text))


@both
def test_white_space_that_tiktoken_panics_on(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    run = " " * 1_100_000
    inside = len(plain(name)._encode_single_piece(run[:-1]))
    assert resolve(name).count("x" + run + "y") == 1 + inside + 1
    assert capfd.readouterr().err == "", "a panic was provoked, and Rust wrote about it"


@both
@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("blank", [" ", "\t", "\u3000", " \t", "\n", " \n"])
def test_long_white_space_is_counted_exactly(
    name: str, blank: str, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_encodings, "_encodes", {})
    if not fast:
        monkeypatch.setattr(_encodings, "is_tested", lambda: False)
    monkeypatch.setattr(tokens, "LONG", 1000)
    monkeypatch.setattr(_encodings, "_STRIDE", 500)
    slow: list[str] = []
    count = tokens.count_by_pattern
    monkeypatch.setattr(tokens, "count_by_pattern", lambda encoding, text: slow.append(text) or count(encoding, text))
    for length in (998, 999, 1000, 1001, 7777):
        run = (blank * length)[:length]
        for text in (run, "x" + run, "!\n" + run + "\n/ y", run + "y", "x" + run + "\u2028y\ud800"):
            assert resolve(name).count(text) == len(plain(name).encode_ordinary(text))
    assert fast or len(slow) > 15


@settings(max_examples=50)
@given(before=st.integers(0, 2 * _encodings.LONG), extra=st.integers(0, 3))
def test_every_long_blank_is_seen(before: int, extra: int) -> None:
    assert _encodings.has_long_blank("x" * before + " " * (_encodings.LONG + extra) + "y")
    assert not _encodings.has_long_blank(("x" * 99 + " ") * (before // 100))


@both
@pytest.mark.parametrize("text", ["a", "A", "`", "字", "/", "\n", "7", "\u0301", "=-"])
def test_long_runs_take_time_in_proportion(name: str, text: str) -> None:
    assert resolve(name).count(text * 100_000) > 1000  # a quadratic merge would take minutes


def test_lone_surrogates_in_long_texts() -> None:
    text = "\ud800 x" * 200_000
    assert resolve("cl100k_base").count(text) == len(plain("cl100k_base").encode_ordinary(text))


def bytewise(name: str, pattern: str, *more: bytes) -> tiktoken.Encoding:
    ranks = {bytes([byte]): byte for byte in range(256)} | {token: 256 + at for at, token in enumerate(more)}
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


def test_the_slow_way_knows_intersections_of_sets() -> None:
    encoding = bytewise("mine", r"[a-z&&[^x]]+|\s+|.", b"xa", b"ab")
    text = "axab  &&[^x]] xa"
    assert _encodings.count_by_pattern(encoding, text) == len(encoding.encode_ordinary(text))
    assert len(encoding.encode_ordinary("xa")) == 2


def test_a_pattern_that_only_tiktoken_understands() -> None:
    encoding = bytewise("mine", r"\x{78}|\s+(?!\S)|.")
    with pytest.raises(regex.error):
        regex.compile(encoding._pat_str)
    assert resolve(encoding).count("x" + " " * 1_000_100 + "y") == 1_000_102


def test_what_cannot_be_split_by_pattern_is_counted_in_halves() -> None:
    calls: list[int] = []

    class PanicException(BaseException):
        pass

    def encode(text: str) -> list[int]:
        calls.append(len(text))
        if len(text) > 100:
            raise PanicException
        return [0] * len(text)

    assert _encodings.count_in_halves(encode, "x" * 10_000) == 10_000
    assert len(calls) < 400


def test_an_interrupt_is_not_taken_for_a_panic() -> None:
    def encode(_: str) -> list[int]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _encodings.count_in_halves(encode, "x")


# Names


@pytest.mark.parametrize(
    ("model", "encoding"),
    [("gpt-4o", "o200k_base"), ("gpt-4", "cl100k_base"), ("text-embedding-3-small", "cl100k_base")],
)
def test_model_names(model: str, encoding: str, no_network: None) -> None:
    assert resolve(model) == resolve(encoding)
    assert resolve(model).name == encoding
    assert resolve(model).count("hello world") == 2


@pytest.mark.parametrize("wrong", ["cl100k", "", "bert-base-uncased", "CL100K_BASE"])
def test_unknown_names(wrong: str) -> None:
    with pytest.raises(ConfigError, match="cl100k_base") as caught:
        resolve(wrong)
    assert caught.value.option == "tokenizer"
    assert caught.value.value == wrong


@pytest.mark.parametrize("name", ["p50k_base", "text-davinci-003"])
def test_an_encoding_that_cannot_be_loaded(
    name: str, no_network: None, monkeypatch: pytest.MonkeyPatch, tmp_path: os.PathLike[str]
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", os.fspath(tmp_path))
    monkeypatch.delitem(tiktoken.registry.ENCODINGS, "p50k_base", raising=False)
    with pytest.raises(TokenizerUnavailable, match=r"'p50k_base'.*TIKTOKEN_CACHE_DIR.*cl100k_base"):
        resolve(name)


def test_an_encoding_that_tiktoken_can_load(monkeypatch: pytest.MonkeyPatch) -> None:
    encoding = bytewise("p50k_base", "(?s:.)")
    monkeypatch.setitem(tiktoken.registry.ENCODINGS, "p50k_base", encoding)
    assert resolve("p50k_base").count("abc") == 3
    assert pickle.loads(pickle.dumps(resolve("p50k_base"))) == resolve("p50k_base")


# No network, no traces


@pytest.mark.parametrize("cache", [None, "/nowhere/at/all", ""])
def test_works_without_a_network_and_leaves_no_trace(cache: str | None) -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")}
    if cache is not None:
        environment["TIKTOKEN_CACHE_DIR"] = cache
    program = """
import os, socket, sys
before = dict(os.environ)
def refuse(*_, **__): raise OSError("no network")
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
import tiktoken.registry
from mdchunk_core.tokens import resolve
from mdchunk_core import _encodings, tokens
resolve("cl100k_base"), resolve("o200k_base")
assert not _encodings._encodes, "built before it is needed"
assert [resolve(n).count("hello world") for n in ("cl100k_base", "o200k_base", "gpt-4o", "o200k_harmony")] == [2] * 4
assert len(_encodings._encodes) == 2
assert not tiktoken.registry.ENCODINGS and dict(os.environ) == before
assert "requests" not in sys.modules and "transformers" not in sys.modules and "tokenizers" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)


def test_a_damaged_rank_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: os.PathLike[str]) -> None:
    good = _encodings.BUNDLED["cl100k_base"]
    with pytest.raises(TokenizerUnavailable, match="damaged"):
        _encodings._read_ranks(good._replace(sha256="0" * 64))
    with pytest.raises(TokenizerUnavailable, match="missing"):
        _encodings._read_ranks(good._replace(ranks="nothing.tiktoken"))
    assert (resources.files("mdchunk_core") / "data" / good.ranks).is_file()


@pytest.mark.parametrize("fast", [True, False])
def test_built_once_for_all_threads(monkeypatch: pytest.MonkeyPatch, fast: bool) -> None:
    monkeypatch.setattr(_encodings, "_built", {})
    monkeypatch.setattr(_encodings, "_encodes", {})
    if not fast:
        monkeypatch.setattr(_encodings, "is_tested", lambda: False)
    reads: list[str] = []
    read = _encodings._rank_data

    def slow_read(wanted: _encodings.Bundled) -> bytes:
        reads.append(wanted.ranks)
        return read(wanted)

    monkeypatch.setattr(_encodings, "_rank_data", slow_read)
    counts: list[int] = []
    threads = [threading.Thread(target=lambda: counts.append(resolve("cl100k_base").count("a b c"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [3] * 8
    assert reads == ["cl100k_base.tiktoken"]


# Objects and callables


@both
def test_a_tiktoken_encoding(name: str) -> None:
    tokenizer = resolve(plain(name))
    assert tokenizer.name == name
    assert tokenizer == resolve(name)
    assert hash(tokenizer) == hash(resolve(name))
    assert tokenizer.starts_exactly("x")


@pytest.mark.parametrize("method", ["encode", "encode_ordinary"])
def test_a_method_of_an_encoding_reads_special_tokens_as_text(method: str) -> None:
    assert resolve(getattr(plain("cl100k_base"), method)).count("<|endoftext|>") == 7


@pytest.mark.parametrize(
    ("function", "count"),
    [
        (len, 11),
        (str.split, 2),
        (tuple, 11),
        (lambda text: max(1, len(text) // 4), 2),
        (lambda text: tokenizer_of_words().encode(text), 4),
    ],
)
def test_callables(function: TokenizerLike, count: int) -> None:
    tokenizer = resolve(function)
    assert tokenizer.count("hello world") == count
    assert resolve(tokenizer) is tokenizer


def fails(text: str) -> int:
    raise RuntimeError("no model")


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        3,
        3.5,
        ["cl100k_base"],
        b"cl100k_base",
        fails,
        lambda: 1,
        lambda text: None,
        lambda text: True,
        lambda text: -1,
        lambda text: 1.5,
        lambda text: 0,
        lambda text: text,
        lambda text: text.encode(),
        lambda text: {"input_ids": []},
        lambda text: (part for part in text.split()),
    ],
)
def test_what_is_no_tokenizer(wrong: TokenizerLike) -> None:
    with pytest.raises(ConfigError, match="tokenizer="):
        resolve(wrong)


def test_nonsense_after_a_good_start_is_refused_too() -> None:
    tokenizer = resolve(lambda text: -1 if "bad" in text else len(text))
    with pytest.raises(ConfigError):
        tokenizer.count("bad")


def test_lone_surrogates_do_not_reach_a_callable_that_cannot_bear_them() -> None:
    assert resolve(lambda text: len(text.encode())).count("a\ud800") == 4


def test_immutable_and_printable() -> None:
    tokenizer = resolve("cl100k_base")
    with pytest.raises(AttributeError, match="immutable"):
        tokenizer.name = "other"
    with pytest.raises(AttributeError, match="immutable"):
        del tokenizer.name
    assert repr(tokenizer) == "<Tokenizer cl100k_base>"


def test_equality_and_pickling() -> None:
    mine = tiktoken.Encoding("mine", pat_str="(?s:.)", mergeable_ranks={b"a": 0}, special_tokens={})
    other = tiktoken.Encoding("mine", pat_str="(?s:.)", mergeable_ranks={b"b": 0}, special_tokens={})
    given: list[TokenizerLike] = ["cl100k_base", "o200k_base", mine, other, len, str.split, tokenizer_of_words()]
    resolved = [resolve(tokenizer) for tokenizer in given]
    for at, tokenizer in enumerate(resolved):
        again: Tokenizer = pickle.loads(pickle.dumps(tokenizer))
        assert [other == again for other in resolved] == [at == place for place in range(len(resolved))]
        assert hash(again) == hash(tokenizer)
        assert tokenizer != tokenizer.name
    assert len(pickle.dumps(resolve("o200k_base"))) < 200


# Hugging Face


def tokenizer_of_words() -> tokenizers.Tokenizer:
    words = ["[UNK]", "[CLS]", "[SEP]", "hello", "world", "[", "]", "cls", "sep", "##s"]
    tokenizer = tokenizers.Tokenizer(models.WordPiece({word: at for at, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    tokenizer.add_special_tokens(["[UNK]", "[CLS]", "[SEP]"])
    return tokenizer


def test_what_a_hugging_face_tokenizer_adds_is_counted() -> None:
    tokenizer = resolve(tokenizer_of_words())
    assert tokenizer.name == "tokenizers.WordPiece"
    assert tokenizer.overhead == 2
    assert tokenizer.count("hello worlds") == 5
    assert not tokenizer.starts_exactly("hello")


def test_truncation_and_padding_neither_cap_the_count_nor_go_away() -> None:
    given = tokenizer_of_words()
    given.enable_truncation(max_length=8)
    given.enable_padding(length=8, pad_token="[UNK]")
    settings_before = given.to_str()
    tokenizer = resolve(given)
    assert tokenizer.overhead == 2
    assert tokenizer.count("hello " * 5000) == 5002
    assert given.to_str() == settings_before
    assert not given.encode_special_tokens


def test_special_token_text_is_text_also_after_pickling() -> None:
    tokenizer = resolve(tokenizer_of_words())
    assert tokenizer.count("[SEP]") == 5
    assert pickle.loads(pickle.dumps(tokenizer)).count("[SEP]") == 5


def test_surrogates_in_hugging_face_tokenizers() -> None:
    tokenizer = resolve(tokenizer_of_words())
    assert tokenizer.count("hello \ud800 world") == 5


def test_dropout_does_not_vary_a_count() -> None:
    given = tokenizers.Tokenizer(models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")], dropout=0.5))
    given.pre_tokenizer = pre_tokenizers.Whitespace()
    assert {resolve(given).count("ab ab ab ab ab ab") for _ in range(20)} == {6}
    assert given.model.dropout == 0.5


class ByCharacter:
    def pre_tokenize(self, text: tokenizers.PreTokenizedString) -> None:
        text.split(lambda _, part: [part[at : at + 1] for at in range(len(str(part)))])


def test_a_tokenizer_with_parts_in_python() -> None:
    given = tokenizer_of_words()
    given.pre_tokenizer = pre_tokenizers.PreTokenizer.custom(ByCharacter())
    assert resolve(given).count("abc") == 5
    given.enable_truncation(max_length=4)
    with pytest.raises(ConfigError, match="no_truncation"):
        resolve(given)


class Wrapped:
    """What a fast tokenizer of transformers looks like from here."""

    name_or_path = "some/model"

    def __init__(self) -> None:
        self.backend_tokenizer = tokenizer_of_words()
        self.backend_tokenizer.enable_truncation(4)

    def encode(self, *_: object, **__: object) -> NoReturn:
        raise AssertionError("warns about long texts")

    __call__ = encode


class Slow:
    """What a tokenizer of transformers that is written in Python looks like from here."""

    name_or_path = "some/slow-model"

    def convert_tokens_to_ids(self) -> None: ...

    def build_inputs_with_special_tokens(self) -> None: ...

    def get_vocab(self) -> dict[str, int]:
        return {"hello": 0}

    def encode(self, *_: object, **__: object) -> NoReturn:
        raise AssertionError("warns about long texts")

    def __call__(self, text: str, **options: bool) -> dict[str, list[int]]:
        assert options == {"truncation": False, "padding": False, "verbose": False, "split_special_tokens": True}
        return {"input_ids": [1, *[0 for _ in text.split()], 2]}


def test_tokenizers_of_transformers() -> None:
    fast, slow = resolve(Wrapped()), resolve(Slow())
    assert (fast.name, fast.overhead, fast.count("hello " * 100)) == ("some/model", 2, 102)
    assert (slow.name, slow.overhead, slow.count("hello " * 100)) == ("some/slow-model", 2, 102)
    assert pickle.loads(pickle.dumps(slow)) == slow
    assert slow != fast
