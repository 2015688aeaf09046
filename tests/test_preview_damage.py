from __future__ import annotations

import pytest

pytest.importorskip("markdown_it")
from mdchunk_core import MarkdownChunker
from mdchunk_core.preview.damage import Damage, Piece, find_damage, read_structure

TABLE = "| name | price |\n|------|-------|\n| one | 1 |\n| two | 2 |\n| three | 3 |\n"
FENCE = "```python\nfirst = 1\n\nsecond = 2\n```\n"


def words(text: str) -> int:
    return len(text.split())


def cut(text: str, *places: int, limit: int = 100, prefix: str = "") -> list[Damage]:
    """What a splitter that cuts at these places breaks; `prefix` is written before each piece but the first."""
    edges = [0, *places, len(text)]
    pieces = []
    for start, end in zip(edges, edges[1:]):
        before = prefix if start else ""
        pieces.append(Piece(start, end, before + text[start:end], words(text[start:end]), before))
    return find_damage(text, read_structure(text), pieces, words, limit)


def kinds(damages: list[Damage]) -> list[tuple[int, str]]:
    return [(damage.chunk, damage.kind) for damage in damages]


def test_a_cut_table_is_cut_and_its_rows_have_no_header() -> None:
    at = TABLE.index("| two")
    found = cut(TABLE, at)
    assert kinds(found) == [(1, "table_cut"), (1, "rows_without_header")]
    assert TABLE[found[1].start : found[1].end] == "| two | 2 |\n| three | 3 |"
    assert kinds(cut(TABLE, at, prefix="| name | price |\n|------|-------|\n")) == [(1, "table_cut")]


def test_a_table_above_the_limit_may_be_cut_but_not_without_its_header() -> None:
    at = TABLE.index("| two")
    assert kinds(cut(TABLE, at, limit=16)) == [(1, "rows_without_header")]
    assert cut(TABLE, at, limit=10)[-1].kind == "over_limit"  # and the header is more than half of the limit


def test_a_whole_table_is_no_damage_wherever_the_cuts_are() -> None:
    text = f"before\n\n{TABLE}\nafter\n"
    assert not cut(text, 7, len(text) - 6)
    assert not cut(text, text.index(TABLE))


def test_a_fence_that_is_cut_is_open_on_both_sides() -> None:
    at = FENCE.index("second")
    found = cut(FENCE, at)
    assert kinds(found) == [(0, "fence_open"), (1, "fence_open")]
    assert FENCE[found[1].start : found[1].end] == "second = 2\n```"
    closed = [Piece(0, at, FENCE[:at] + "```", 5), Piece(at, len(FENCE), "```python\n" + FENCE[at:], 5, "```python\n")]
    assert not find_damage(FENCE, read_structure(FENCE), closed, words, 100)


def test_a_heading_at_the_end_of_a_chunk_is_orphaned() -> None:
    text = "intro\n\n## Rates\n\nNinety euros.\n"
    at = text.index("Ninety")
    found = cut(text, at)
    assert kinds(found) == [(0, "heading_orphaned")]
    assert text[found[0].start : found[0].end] == "## Rates"
    assert not cut(text, text.index("##"))
    assert not cut("text\n\n## Last\n", 6)


def test_a_heading_that_a_whole_table_leaves_no_room_is_not_orphaned() -> None:
    text = f"# Prices of all that we sell\n\n{TABLE}"
    at = text.index("|")
    assert not cut(text, at, limit=words(TABLE))
    assert kinds(cut(text, at)) == [(0, "heading_orphaned")]


def test_a_chunk_over_the_limit_is_told() -> None:
    assert kinds(cut("one two three\n", limit=2)) == [(0, "over_limit")]


@pytest.mark.parametrize("limit", [40, 80])
def test_our_chunks_break_nothing_that_fits(limit: int) -> None:
    text = "\n".join(f"## Part {k}\n\nSome words here.\n\n{TABLE}\n{FENCE}\n" for k in range(6))
    chunker = MarkdownChunker(max_tokens=limit, overlap_tokens=0)
    pieces = [Piece(c.start_char, c.end_char, c.text, c.token_count, c.prefix) for c in chunker.chunk(text)]
    assert len(pieces) > 3
    assert not find_damage(text, read_structure(text), pieces, words, limit)


def test_structure_below_front_matter_keeps_its_places() -> None:
    text = "---\r\na: 1\r\n---\r\n\r\n" + TABLE.replace("\n", "\r\n")
    (table,) = read_structure(text, 3).tables
    assert text[table.start : table.end] == TABLE.replace("\n", "\r\n").strip()
    assert text[table.body :].startswith("| one")
