from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdchunk_core import MarkdownChunker
from mdchunk_core.reassemble import reassemble
from mdchunk_core.types import Chunk


def cut(document: str, *spans: tuple[int, int], prefix: str = "", suffix: str = "", **more: Any) -> list[Chunk]:
    """Chunks of hand-made spans of the document, half-open, in characters."""

    def line(char: int) -> int:
        return document.count("\n", 0, char) + 1

    return [
        Chunk(
            text=prefix + document[start:end] + suffix,
            prefix=prefix,
            suffix=suffix,
            start_char=start,
            end_char=end,
            start_line=line(start),
            end_line=line(end - 1),
            token_count=1,
            heading_path=(),
            sections=((),),
            kinds=("paragraph",),
            index=index,
            **more,
        )
        for index, (start, end) in enumerate(spans)
    ]


def test_repeated_text_is_taken_out() -> None:
    document = "one two\n\nthree"
    chunks = cut(document, (0, 7), (9, 14), prefix="> repeated\n", suffix="\n```")
    assert reassemble(chunks) == document


def test_overlap_is_taken_out() -> None:
    document = "One. Two. Three. Four."
    assert reassemble(cut(document, (0, 9), (5, 16), (5, 22))) == document


def test_any_order_and_dictionaries() -> None:
    document = "a\n\nb\n\nc"
    chunks = cut(document, (0, 1), (3, 4), (6, 7))
    assert reassemble(chunk.to_dict() for chunk in reversed(chunks)) == document


def test_a_chunk_inside_another_adds_nothing() -> None:
    document = "One. Two. Three."
    assert reassemble(cut(document, (0, 16), (5, 9))) == document


@pytest.mark.parametrize("gap", ["\n", "\n\n", "   \n\n", "\r\n\r\n", " ", "   ", " \t\n"])
def test_between_chunks_lines_and_characters_are_as_before(gap: str) -> None:
    document = f"a\r\na{gap}bb" if "\r" in gap else f"a\na{gap}bb"
    first = document.index(gap, 2)
    again = reassemble(cut(document, (0, first), (first + len(gap), len(document))))
    assert again == document.replace("\t", " ")


def test_spaces_at_the_end_of_a_line_do_not_indent_the_next() -> None:
    document = "one      \n\ntwo"
    assert reassemble(cut(document, (0, 3), (11, 14))) == document


def test_lone_carriage_returns() -> None:
    document = "# a\r\rb\rb\r\r# c"
    assert reassemble(cut(document, (0, 8), (10, 13))) == document


def test_what_stands_before_the_first_chunk_is_known_from_the_source_only() -> None:
    document = "\ufeff---\ntitle: x\n---\n\n# A\n\ntext\n\n"
    start = document.index("#")
    chunks = cut(document, (start, start + 9))
    assert reassemble(chunks) == "# A\n\ntext"
    assert reassemble(chunks, document) == document


def test_a_missing_chunk_leaves_blanks() -> None:
    document = "a\n\nb\n\nc"
    chunks = cut(document, (0, 1), (3, 4), (6, 7))
    assert reassemble([chunks[0], chunks[2]]) == "a \n\n\n\nc"
    assert reassemble([chunks[0], chunks[2]], document) == document


def test_nothing() -> None:
    assert reassemble([]) == ""
    assert reassemble([], "\n\n") == "\n\n"


def test_several_documents_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"'a.md', 'b.md', without a name"):
        reassemble([*cut("a", (0, 1), source="a.md"), *cut("b", (0, 1), source="b.md"), *cut("c", (0, 1))])


def test_another_source_is_refused() -> None:
    with pytest.raises(ValueError, match="characters 0 to 3, lines 1 to 1 is not what the source has there"):
        reassemble(cut("one", (0, 3)), "two")


def test_versions_that_do_not_agree_are_refused() -> None:
    with pytest.raises(ValueError, match="different versions"):
        reassemble(cut("One. Two.", (0, 9)) + cut("One. Six. Ten.", (5, 14)))


def test_changed_text_is_refused() -> None:
    changed = {**cut("one", (0, 3))[0].to_dict(), "text": "one, enriched"}
    with pytest.raises(ValueError, match="was it changed"):
        reassemble([changed])


def test_a_record_without_positions_is_refused() -> None:
    with pytest.raises(ValueError, match="chunk 1 lacks prefix, suffix, start_char"):
        reassemble([{"text": "one"}])


WORDS = st.text("ab .\u00e9\u4e2d#>-|`", min_size=1, max_size=12).filter(lambda word: word.strip() == word)
GAPS = st.sampled_from(["\n", "\n\n", " ", "\n\n\n", "  \n\n"])


@given(st.lists(st.tuples(WORDS, GAPS), min_size=1, max_size=8), st.randoms(use_true_random=False), st.data())
def test_hand_made_chunks_give_the_document_back(parts: list[tuple[str, str]], random: Any, data: Any) -> None:
    document = "".join(word + gap for word, gap in parts)
    spans, at = [], 0
    for word, gap in parts:
        overlap = data.draw(st.integers(0, at - (spans[-1][0] if spans else 0))) if at else 0
        spans.append((at - overlap, at + len(word)))
        at += len(word) + len(gap)
    chunks = cut(document, *spans, prefix="x\n", suffix="\ny")
    random.shuffle(chunks)
    assert reassemble(chunks, document) == document
    assert reassemble(chunks) == document[: spans[-1][1]]


PAPER = (
    """---
title: Prices
---
# Prices

Prices for all of our goods, sorted by name, as they were when this list was made.

| Article | Price | Remark |
|:--------|------:|--------|
"""
    + "".join(f"| article {n} | {n}.50 | sold in packs of {n % 7 + 1} |\n" for n in range(60))
    + """
## How to order

"""
    + "Write to us and say what you need. We answer within a day. " * 20
    + """

```python
"""
    + "".join(f"def order_{n}(article):\n    return send(article, {n})\n\n\n" for n in range(20))
    + """```

1. First step, and what belongs to it.

   - detail one of the first step
   - detail two of the first step

2. Second step.

> Quoted advice. """
    + "It is long, too, and goes on and on. " * 30
    + "\n"
)


@pytest.mark.parametrize("sizes", [(64, 50, 0), (64, 50, 20), (128, 100, 15), (512, 400, 60)])
@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
def test_the_chunker_s_chunks(sizes: tuple[int, int, int], eol: str) -> None:
    limit, target, overlap = sizes
    document = PAPER.replace("\n", eol)
    chunker = MarkdownChunker(max_tokens=limit, target_tokens=target, overlap_tokens=overlap)
    chunks = chunker.chunk(document)
    assert len(chunks) > 1
    assert reassemble(chunks, document) == document
    again = reassemble([chunk.to_dict() for chunk in reversed(chunks)])
    start, end = chunks[0].start_char, chunks[-1].end_char
    assert len(again) == end - start
    assert re.sub(r"\s+", "\n", again) == re.sub(r"\s+", "\n", document[start:end])
    for chunk in chunks:
        assert again[chunk.start_char - start : chunk.end_char - start] == document[chunk.start_char : chunk.end_char]
    if eol != "\r":
        assert again.split() == document[start:end].split()
        assert [line.rstrip() for line in again.splitlines()] == [
            line.rstrip() for line in document[start:end].splitlines()
        ]
