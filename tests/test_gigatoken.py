"""Counts are tiktoken's with gigatoken and without it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import metadata

import pytest
import regex
import tiktoken
from conftest import corpus, load
from hypothesis import given, settings
from hypothesis import strategies as st
from test_tokens import NASTY, both

from mdchunk_core import _encodings, _gigatoken
from mdchunk_core._encodings import bundled_encode, bundled_encoding
from mdchunk_core._gigatoken import GigatokenEncode
from mdchunk_core.tokens import resolve

pytest.importorskip("gigatoken")


@pytest.fixture(autouse=True)
def built_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_encodings, "_encodes", {})


def fast(name: str) -> GigatokenEncode:
    encode = bundled_encode(name)
    assert isinstance(encode, GigatokenEncode)
    return encode


FAST = {name: fast(name) for name in _encodings.BUNDLED}


def check(name: str, text: str) -> None:
    text = text.encode("utf-8", "ignore").decode()  # tiktoken itself refuses surrogates
    assert list(FAST[name](text)) == bundled_encoding(name).encode_ordinary(text)  # type: ignore[call-overload]


@both
def test_real_documents_have_the_same_tokens(name: str) -> None:
    for path in corpus():
        text = load(path)
        for variant in (text, text.replace("\n", "\r\n"), text.upper(), text[::-1]):
            check(name, variant)


@both
@settings(max_examples=400)
@given(text=st.one_of(NASTY, st.text(max_size=30), st.text(st.characters(min_codepoint=128))))
def test_random_texts_have_the_same_tokens(name: str, text: str) -> None:
    check(name, text)


LINES = st.lists(
    st.one_of(NASTY, st.sampled_from(["", " ", "\t", "\n\n\n\n", "// x", "/", "};", "word)", "\u2028", "- a", " \n"]))
).map("\n".join)


def check_lines(name: str, text: str) -> None:
    """Each sum that is asked for is what the tokens of the lines above come to, counted by tiktoken one by one."""
    text = text.encode("utf-8", "ignore").decode().replace("\r", "\n")
    tokenizer = resolve(name)
    before = tokenizer.before_lines(text)
    lines = text.split("\n")
    if before is None:
        assert not GigatokenEncode.alike(text)
        return
    count = bundled_encoding(name).encode_ordinary
    at = start = total = 0
    for number, line in enumerate(lines):
        if number and tokenizer.starts_exactly(line):
            total += len(count(text[start:at]))
            start = at
            assert before[number] == total
        at += len(line) + 1
    assert before[-1] == total + len(count(text[start:]))
    assert len(before) == len(lines) + 1


@both
def test_sums_before_the_lines_of_real_documents(name: str) -> None:
    for path in corpus():
        check_lines(name, load(path).replace("\r\n", "\n"))


@both
@settings(max_examples=400)
@given(text=LINES)
def test_sums_before_the_lines_of_random_texts(name: str, text: str) -> None:
    check_lines(name, text)


def characters() -> Iterator[str]:
    for first in range(0, 0x110000, 64):
        if not 0xD800 <= first < 0xE000:
            yield "".join(map(chr, range(first, first + 64)))


@both
def test_every_character_has_the_same_tokens_before_and_behind_others(name: str) -> None:
    for some in characters():
        check(name, "".join(f"!{one}a {one}1 A{one}b's{one}\n" for one in some))


def classed(pattern: str, text: str) -> set[str]:
    """The characters that tiktoken takes for some class."""
    encoding = tiktoken.Encoding(
        "bytes", pat_str=pattern, mergeable_ranks={bytes([k]): k for k in range(256)}, special_tokens={}
    )
    return set(encoding.decode(encoding.encode_ordinary(text)))


def test_characters_that_unicode_has_come_to_class_otherwise_are_left_to_tiktoken() -> None:
    """The tables of `regex` are newer than those of gigatoken and of tiktoken."""
    everything = "".join(characters())
    for kind in ("L", "N", "M", "Lu", "Lt", "Lm", "Lo", "Ll"):
        pattern = rf"\p{{{kind}}}"
        moved = classed(pattern, everything) ^ set(regex.findall(pattern, everything))
        assert not [hex(ord(one)) for one in moved if _gigatoken.GigatokenEncode.alike(one)]
    assert classed(r"\s", everything) == set(regex.findall(r"\s", everything))


def test_what_differs_is_left_to_tiktoken() -> None:
    khitan = "\U000103eb\U00018de0흡"  # the first one is a letter to all, the second since Unicode 17
    inner = FAST["cl100k_base"]._encode(khitan)
    assert (
        len(inner) != len(FAST["cl100k_base"](khitan)) == len(bundled_encoding("cl100k_base").encode_ordinary(khitan))
    )


def test_what_it_remembers_is_forgotten_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_gigatoken, "RENEWED", 100)
    encode = fast("cl100k_base")
    inner = encode._encode
    assert len(encode("word " * 15)) == 16
    assert encode._encode is inner
    assert len(encode("word " * 15)) == 16
    assert encode._encode is not inner


@pytest.mark.parametrize("installed", ["0.9.3", "0.11.0", "1.0", None])
def test_no_version_is_used_that_is_not_tested(monkeypatch: pytest.MonkeyPatch, installed: str | None) -> None:
    def version(_: str) -> str:
        if installed is None:
            raise metadata.PackageNotFoundError
        return installed

    monkeypatch.setattr(metadata, "version", version)
    assert bundled_encode("cl100k_base") == bundled_encoding("cl100k_base")._core_bpe.encode_ordinary


def test_one_that_cannot_be_imported_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gigatoken", None)
    assert bundled_encode("cl100k_base") == bundled_encoding("cl100k_base")._core_bpe.encode_ordinary
