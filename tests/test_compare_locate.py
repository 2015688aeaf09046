from __future__ import annotations

import re

import pytest
from conftest import corpus, load
from hypothesis import given, settings
from hypothesis import strategies as st

from mdchunk_core import MarkdownChunker
from mdchunk_core.compare import Piece, locate
from mdchunk_core.compare.locate import VisibleText, join_spans, visible

WORDS = st.lists(st.text("ab1é字 \t\u00a0\u200b|-", min_size=1, max_size=6), min_size=1, max_size=60)


def covered(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    return "".join(visible(text[start:end]) for start, end in spans)


@given(WORDS, st.lists(st.integers(0, 400), max_size=8))
def test_a_partition_is_found_whole_whatever_becomes_of_white_space(words: list[str], cuts: list[int]) -> None:
    text = " ".join(words)
    ends = sorted({min(cut, len(text)) for cut in cuts} | {len(text)})
    pieces = [" \n".join(text[start:end].split()) for start, end in zip([0, *ends], ends)]
    found = locate(text, pieces)
    assert [chunk.share for chunk in found] == [1.0] * len(pieces)
    for piece, chunk in zip(pieces, found):
        # White space apart, what stands there is the chunk, joined over what holds no letter.
        assert visible(piece) in covered(text, chunk.spans) or not visible(piece)


@given(WORDS, WORDS)
@settings(max_examples=50)
def test_any_text_can_be_looked_for_in_any_other(words: list[str], others: list[str]) -> None:
    text = " ".join(words)
    for chunk in locate(text, [" ".join(others), "\ufffd"]):
        assert 0 <= chunk.share <= 1
        assert chunk.spans == join_spans(chunk.spans)
        assert all(0 <= start < end <= len(text) for start, end in chunk.spans)


@pytest.mark.parametrize("path", corpus()[::3], ids=lambda path: path.name)
def test_our_own_chunks_are_found_where_they_are(path: object) -> None:
    text = load(path)  # type: ignore[arg-type]
    chunks = MarkdownChunker(target_tokens=120, max_tokens=160, overlap_tokens=0).chunk(text)
    told = locate(text, [Piece(chunk.text, chunk.start_char, chunk.end_char) for chunk in chunks])
    source = VisibleText.of(text)
    missed = 0
    for chunk, found, searched in zip(chunks, told, locate(text, [chunk.text for chunk in chunks])):
        want = source.between(chunk.start_char, chunk.end_char)
        assert any(start <= want[0] and want[1] <= end for start, end in spans_in(source, found.spans)), chunk
        missed += not any(start <= want[0] and want[1] <= end for start, end in spans_in(source, searched.spans))
    assert missed <= len(chunks) // 20  # text that stands twice in a document may be found in its other place


def spans_in(source: VisibleText, spans: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    return [source.between(*span) for span in spans]


TABLE = "# Fees\n\nintro text\n\n| Plan | Fee |\n|---|---|\n| Basic | 4 euros |\n| Large | 9 euros |\n\nend\n"


def test_a_repeated_table_header_counts_where_it_stands_first() -> None:
    second = "| Plan | Fee |\n|---|---|\n| Large | 9 euros |"
    start = TABLE.index("| Large")
    (found,) = locate(TABLE, [Piece(second, start, start + len("| Large | 9 euros |"))])
    assert [TABLE[a:b] for a, b in found.spans] == ["| Plan | Fee |\n|---|---|", "| Large | 9 euros |"]
    (searched,) = locate(TABLE, [second])
    assert TABLE.index("| Plan") in {start for start, _ in searched.spans}
    assert "Large | 9 euros" in "".join(TABLE[a:b] for a, b in searched.spans)


def test_a_breadcrumb_written_in_front_is_in_no_place() -> None:
    text = "# Travel\n\n## Hotels\n\n" + "Book early and keep every receipt for the hotel. " * 3
    body = text[text.index("Book") :]
    (found,) = locate(text, [f"Travel > Hotels > more words that are not there\n\n{body}"])
    assert [text[a:b].strip() for a, b in found.spans][-1] == body.strip()
    assert found.share < 1


def test_equal_chunks_are_found_one_after_the_other() -> None:
    text = "\n\n".join(["same line here"] * 4)
    starts = [chunk.spans[0][0] for chunk in locate(text, ["same line here"] * 4)]
    assert starts == [match.start() for match in re.finditer("same", text)]


def test_overlap_is_found_where_it_begins() -> None:
    text = "one two three. four five six. seven eight nine."
    found = locate(text, ["one two three. four five six.", "four five six. seven eight nine."])
    assert [chunk.spans for chunk in found] == [((0, 29),), ((15, 47),)]


def test_chunks_out_of_order_are_found() -> None:
    text = "alpha beta gamma delta\n\nepsilon zeta eta theta\n\niota kappa"
    found = locate(text, ["iota kappa", "epsilon zeta eta theta", "alpha beta gamma delta"])
    assert [text[slice(*chunk.spans[0])] for chunk in found] == [chunk.text for chunk in found]


def test_offsets_that_are_wrong_are_not_believed() -> None:
    (found,) = locate("first second third", [Piece("third", 0, 5)])
    assert found.spans == ((13, 18),)
    (found,) = locate("first second third", [Piece("third", -3, 99)])
    assert found.spans == ((13, 18),)


def test_rewritten_tables_are_found_word_by_word() -> None:
    (found,) = locate(TABLE, ["Basic, Fee = 4 euros. Large, Fee = 9 euros"])
    text = "".join(TABLE[a:b] for a, b in found.spans)
    assert "Basic" in text
    assert "euros" in text


def test_a_text_of_one_character_line_and_nothing() -> None:
    assert locate("", ["a"])[0].spans == ()
    assert locate("a", [""])[0].spans == ()
    assert locate("a", ["a"])[0].spans == ((0, 1),)
