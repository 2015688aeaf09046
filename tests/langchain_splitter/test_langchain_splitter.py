"""MarkdownChunkSplitter itself: its sizes, options and tokenizers."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

pytest.importorskip("langchain_text_splitters")

import tiktoken
from langchain_core.documents import Document
from langchain_text_splitters import Language, TextSplitter
from lc_samples import HANDBOOK, ODD

from langchain_mdchunk import MarkdownChunkSplitter
from mdchunk_core import ConfigError, MarkdownChunker, Signal, TokenizerUnavailable

BYTES = tiktoken.Encoding(
    "bytes", pat_str=r"[\s\S]", mergeable_ranks={bytes([i]): i for i in range(256)}, special_tokens={}
)
LONG = HANDBOOK + "".join(f"\n## Rule {n}\n\n" + "Travel is booked by the team office. " * 25 + "\n" for n in range(20))


def test_the_chunks_are_those_of_the_core() -> None:
    core = MarkdownChunker(target_tokens=320, max_tokens=400, min_tokens=80, overlap_tokens=50, tokenizer=len)
    splitter = MarkdownChunkSplitter(chunk_size=400, chunk_overlap=50)
    chunks = core.chunk(LONG, source="handbook.md")
    documents = splitter.split_documents([Document(page_content=LONG, metadata={"source": "handbook.md"})])
    assert [document.page_content for document in documents] == [chunk.text for chunk in chunks]
    assert [document.id for document in documents] == [chunk.id for chunk in chunks]


def test_target_and_least_follow_from_the_size_and_can_be_given() -> None:
    core = MarkdownChunker(target_tokens=200, max_tokens=400, min_tokens=20, overlap_tokens=0, tokenizer=len)
    splitter = MarkdownChunkSplitter(chunk_size=400, chunk_overlap=0, target_tokens=200, min_tokens=20)
    assert splitter.split_text(LONG) == [chunk.text for chunk in core.chunk(LONG)]
    assert len(splitter.split_text(LONG)) > len(MarkdownChunkSplitter(chunk_size=400, chunk_overlap=0).split_text(LONG))


@pytest.mark.parametrize(
    "options",
    [
        {"heading_context": "prefix"},
        {"note_context": "suffix"},
        {"merge_across": "never"},
        {"merge_across": "any"},
        {"signals": [Signal("rule", "forward", "en", r"^Travel is booked")]},
    ],
    ids=str,
)
def test_options_of_the_core_reach_it(options: dict[str, Any]) -> None:
    core = MarkdownChunker(max_tokens=300, min_tokens=60, overlap_tokens=30, tokenizer=len, **options)
    splitter = MarkdownChunkSplitter(chunk_size=300, chunk_overlap=30, **options)
    assert splitter.split_text(LONG) == [chunk.text for chunk in core.chunk(LONG)]


def test_a_document_type_goes_to_the_metadata() -> None:
    assert MarkdownChunkSplitter(document_type="faq").create_documents(["Hm."])[0].metadata["document_type"] == "faq"
    known = MarkdownChunkSplitter().create_documents(["Hm."], [{"source": "a/b.pdf"}])[0]
    assert known.metadata["document_type"] == "pdf"


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"chunk_size": 0, "chunk_overlap": 0}, "chunk_size"),
        ({"chunk_size": -5, "chunk_overlap": 0}, "chunk"),
        ({"chunk_overlap": -1}, "chunk_overlap"),
        ({"target_tokens": 5000}, "target_tokens"),
        ({"min_tokens": 3900}, "min_tokens"),
        ({"heading_context": "suffix"}, "heading_context"),
        ({"note_context": "prefix"}, "note_context"),
        ({"merge_across": "all"}, "merge_across"),
        ({"tokenizer": "no such"}, "tokenizer"),
        ({"length_function": "len"}, "tokenizer"),
        ({"tokenizer": "cl100k_base", "length_function": lambda text: 1}, "length_function"),
        ({"headers_to_split_on": [("**", "Bold")]}, "headers_to_split_on"),
        ({"headers_to_split_on": [("#######", "Header 7")]}, "headers_to_split_on"),
    ],
    ids=str,
)
def test_what_cannot_work_is_a_value_error_that_names_it(options: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        MarkdownChunkSplitter(**options)


def test_separators_are_taken_and_said_to_be_unused() -> None:
    with pytest.warns(UserWarning, match="separators"):
        splitter = MarkdownChunkSplitter(separators=["\n\n", "\n"], keep_separator=True, chunk_size=300)
    assert splitter.split_text(HANDBOOK) == MarkdownChunkSplitter(chunk_size=300).split_text(HANDBOOK)


def test_other_languages_than_markdown_are_not_taken() -> None:
    with pytest.raises(ValueError, match="MARKDOWN"):
        MarkdownChunkSplitter.from_language(Language.PYTHON)


def test_what_is_no_text_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        MarkdownChunkSplitter().split_text(b"# A")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_sizes_in_tokens(encoding: str, name: str) -> None:
    splitter = MarkdownChunkSplitter.from_tiktoken_encoder(encoding, chunk_size=64, chunk_overlap=10)
    real = tiktoken_of(encoding)
    for document in splitter.create_documents([ODD[name]]):
        tokens = len(real.encode_ordinary(document.page_content))
        assert tokens <= 64
        assert tokens == document.metadata["token_count"] == splitter._length_function(document.page_content)


def tiktoken_of(name: str) -> tiktoken.Encoding:
    """The encoding that ships with the package, without a network."""
    from mdchunk_core._encodings import bundled_encoding

    return bundled_encoding(name)


def test_model_names_win_over_encodings_as_in_the_base() -> None:
    splitter = MarkdownChunkSplitter.from_tiktoken_encoder(model_name="gpt-4o", chunk_size=40, chunk_overlap=0)
    assert splitter._chunker.tokenizer.name == "o200k_base"  # type: ignore[union-attr]
    assert splitter._chunk_size == 40


def test_special_tokens_are_text_whatever_is_said_about_them() -> None:
    text = "A <|endoftext|> b"
    for special in ({}, {"allowed_special": "all"}, {"disallowed_special": ()}, {"allowed_special": {"<|endoftext|>"}}):
        splitter = MarkdownChunkSplitter.from_tiktoken_encoder("cl100k_base", **special)
        assert splitter.split_text(text) == [text]
        assert splitter.create_documents([text])[0].metadata["token_count"] > 5


def test_the_default_encoding_is_the_bases_own_and_says_how_to_do_without_a_network() -> None:
    try:
        assert MarkdownChunkSplitter.from_tiktoken_encoder()._chunker.tokenizer.name == "gpt2"  # type: ignore[union-attr]
    except TokenizerUnavailable as error:
        assert "cl100k_base" in str(error)  # noqa: PT017  # only without a network


def test_a_tokenizer_is_kept_and_not_wrapped() -> None:
    splitter = MarkdownChunkSplitter(tokenizer=BYTES, chunk_size=50, chunk_overlap=0)
    assert all(len(text.encode()) <= 50 for text in splitter.split_text(ODD["japanese"] + ODD["emoji"]))
    assert splitter._length_function("é") == 2


def test_token_counts_below_the_cores_smallest_limit() -> None:
    splitter = MarkdownChunkSplitter(tokenizer=BYTES, chunk_size=5, chunk_overlap=2)
    documents = splitter.create_documents([HANDBOOK])
    assert all(document.metadata["token_count"] == len(document.page_content) <= 5 for document in documents)


def test_lengths_that_are_no_tokens_are_not_called_so() -> None:
    assert "token_count" not in MarkdownChunkSplitter().create_documents([HANDBOOK])[0].metadata


def word_tokenizer() -> Any:
    """A Hugging Face tokenizer that needs no download: a token for a word, and two around every text."""
    tokenizers = pytest.importorskip("tokenizers")
    words = {word: n for n, word in enumerate(dict.fromkeys(["[UNK]", "[CLS]", "[SEP]", *LONG.split()]))}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return tokenizer


def test_sizes_in_tokens_of_a_hugging_face_tokenizer() -> None:
    tokenizer = word_tokenizer()
    tokenizer.enable_truncation(max_length=12)  # as embedding models come: a count must not see it
    splitter = MarkdownChunkSplitter.from_huggingface_tokenizer(tokenizer, chunk_size=32, chunk_overlap=4)
    assert tokenizer.truncation["max_length"] == 12
    tokenizer.no_truncation()
    documents = splitter.create_documents([LONG])
    assert len(documents) > 10
    for document in documents:
        assert len(tokenizer.encode(document.page_content)) == document.metadata["token_count"] <= 32


def test_a_tokenizer_of_transformers_counts_what_its_model_reads() -> None:
    transformers = pytest.importorskip("transformers")
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=word_tokenizer(), unk_token="[UNK]")
    splitter = MarkdownChunkSplitter.from_huggingface_tokenizer(tokenizer, chunk_size=32, chunk_overlap=4)
    for document in splitter.create_documents([LONG]):
        assert len(tokenizer.tokenize(document.page_content)) <= 30
        assert len(tokenizer(document.page_content)["input_ids"]) == document.metadata["token_count"] <= 32


@pytest.mark.parametrize(
    "splitter",
    [
        MarkdownChunkSplitter(chunk_size=120, chunk_overlap=10),
        MarkdownChunkSplitter(chunk_size=5, chunk_overlap=0),
        MarkdownChunkSplitter.from_tiktoken_encoder("cl100k_base", chunk_size=40, chunk_overlap=5),
        MarkdownChunkSplitter(headers_to_split_on=[("#", "Header 1")], chunk_size=300, add_start_index=True),
    ],
    ids=["characters", "small", "tokens", "headers"],
)
def test_pickled_and_shared_between_threads(splitter: MarkdownChunkSplitter) -> None:
    expected = splitter.create_documents([HANDBOOK], [{"source": "a.md"}])
    assert pickle.loads(pickle.dumps(splitter)).create_documents([HANDBOOK], [{"source": "a.md"}]) == expected
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: splitter.create_documents([HANDBOOK], [{"source": "a.md"}]), range(8)))
    assert results == [expected] * 8


def test_a_subclass_with_its_own_init_works_with_the_classmethods() -> None:
    class Mine(MarkdownChunkSplitter):
        def __init__(self, **options: Any) -> None:
            super().__init__(**{"chunk_size": 77, "chunk_overlap": 7, **options})

    assert Mine.from_tiktoken_encoder("o200k_base")._chunk_size == 77
    assert isinstance(Mine.from_tiktoken_encoder("o200k_base"), TextSplitter)


def test_bundled_encodings_need_no_network() -> None:
    program = (
        "import socket\n"
        "def refuse(*args, **options): raise OSError('no network')\n"
        "socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse\n"
        "from langchain_mdchunk import MarkdownChunkSplitter as M\n"
        "for name in ('cl100k_base', 'o200k_base'):\n"
        "    M.from_tiktoken_encoder(name, chunk_size=20, chunk_overlap=0).split_text('# A\\n\\n' + 'word ' * 90)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_the_core_does_not_load_langchain() -> None:
    program = "import sys, mdchunk_core\nassert not [name for name in sys.modules if name.startswith('langchain')]"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_errors_are_those_of_the_core() -> None:
    with pytest.raises(ConfigError):
        MarkdownChunkSplitter(chunk_size=100, chunk_overlap=0, target_tokens=101)
