"""`headers_to_split_on` and `strip_headers`, beside MarkdownHeaderTextSplitter's."""

from __future__ import annotations

import pytest

pytest.importorskip("langchain_text_splitters")

from langchain_core.documents import Document
from langchain_text_splitters import MarkdownHeaderTextSplitter
from lc_samples import HANDBOOK

from langchain_mdchunk import MarkdownChunkSplitter

HEADERS = [("#", "Header 1"), ("##", "Header 2"), ("###", "Header 3")]
SPACED = """\
# Guide

Start here with a paragraph.

## Prices

Prices of a kind.

#### Deep

Deeper down.

### Europe

Another paragraph.

# Appendix

### Jump

The end of it.
"""


def split(text: str, **options: object) -> list[Document]:
    given = {"headers_to_split_on": HEADERS, "chunk_overlap": 0, "chunk_size": 60, "merge_across": "never", **options}
    return MarkdownChunkSplitter(**given).create_documents([text])  # type: ignore[arg-type]


def headers(document: Document) -> dict[str, str]:
    return {key: value for key, value in document.metadata.items() if key.startswith("Header")}


@pytest.mark.parametrize("strip", [True, False])
@pytest.mark.parametrize("wanted", [HEADERS, HEADERS[:2], HEADERS[:1], []], ids=str)
def test_keys_are_those_of_the_header_splitter(wanted: list[tuple[str, str]], strip: bool) -> None:
    theirs = {
        line.strip(): document.metadata
        for document in MarkdownHeaderTextSplitter(wanted, strip_headers=strip).split_text(SPACED)
        for line in document.page_content.splitlines()
    }
    ours = {
        line: headers(document)
        for document in split(SPACED, headers_to_split_on=wanted, strip_headers=strip)
        for line in document.page_content.splitlines()
    }
    for line in SPACED.splitlines():
        if line and not line.startswith("#"):
            assert ours[line] == theirs[line], line


def test_keys_end_at_headings_that_have_none() -> None:
    # There, "Prices" would still be the "Header 2" of what stands below "# Appendix".
    for document in split(SPACED, headers_to_split_on=HEADERS[1:]):
        if "The end of it." in document.page_content:
            assert headers(document) == {"Header 3": "Jump"}


def test_headers_are_left_out_by_default_as_there() -> None:
    ours = [document.page_content for document in split(SPACED)]
    theirs = [document.page_content for document in MarkdownHeaderTextSplitter(HEADERS).split_text(SPACED)]
    assert {line for text in ours for line in text.split("\n") if line} == {
        line.strip() for text in theirs for line in text.split("\n") if line.strip()
    }
    assert not any(line.startswith(("# ", "## ", "### ")) for text in ours for line in text.splitlines())
    assert any(text.startswith("#### Deep") for text in ours)


def test_headers_stay_when_asked_to_and_without_keys() -> None:
    for options in ({"strip_headers": False}, {"headers_to_split_on": None}, {"headers_to_split_on": []}):
        joined = "\n".join(document.page_content for document in split(SPACED, **options))
        assert all(line in joined for line in SPACED.splitlines())


def test_no_heading_is_lost_from_both_text_and_keys() -> None:
    for size in (30, 60, 150, 400):
        documents = split(SPACED, chunk_size=size, merge_across="siblings")
        for name in ("Guide", "Prices", "Deep", "Europe", "Appendix", "Jump"):
            assert any(name in headers(d).values() or name in d.page_content for d in documents), (size, name)


def test_a_heading_alone_stays_rather_than_an_empty_document() -> None:
    assert [document.page_content for document in split("# Only\n\n## This")] == ["# Only\n\n## This"]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_what_is_left_out_moves_the_start(ending: str) -> None:
    text = SPACED.replace("\n", ending)
    for document in split(text, add_start_index=True, positions=True):
        start, end = document.metadata["start_index"], document.metadata["end_char"]
        assert text[start:end] == document.page_content
        if ending != "\r":
            line = SPACED.splitlines()[document.metadata["start_line"] - 1]
            assert document.page_content.startswith(line)


def test_setext_headings_closing_hashes_and_fences() -> None:
    text = "Guide\n=====\n\n~~~\n# no heading\n~~~\n\n## Prices ##\n\n    indented\n"
    first, second = split(text)
    assert headers(first) == {"Header 1": "Guide"}
    assert first.page_content == "~~~\n# no heading\n~~~"
    assert headers(second) == {"Header 1": "Guide", "Header 2": "Prices"}
    assert second.page_content == "    indented"


def test_token_counts_are_those_of_the_text_that_is_left() -> None:
    for document in split(HANDBOOK, tokenizer="cl100k_base", chunk_size=50):
        splitter = MarkdownChunkSplitter(tokenizer="cl100k_base")
        assert document.metadata["token_count"] == splitter._length_function(document.page_content)


def test_a_level_without_a_key_is_neither_told_nor_left_out() -> None:
    documents = split(SPACED, headers_to_split_on=[("#", "Header 1"), ("##", None)])
    assert any(document.page_content.startswith("## Prices") for document in documents)
    assert all(set(headers(document)) <= {"Header 1"} for document in documents)


def test_texts_that_the_header_splitter_made_keep_their_keys() -> None:
    sections = MarkdownHeaderTextSplitter(HEADERS).split_text(SPACED)
    documents = MarkdownChunkSplitter(chunk_size=200, chunk_overlap=0).split_documents(sections)
    assert [headers(document) for document in documents] == [section.metadata for section in sections]
