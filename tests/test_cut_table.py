"""Pipe tables above the limit: each part is the same table with some of its rows."""

from __future__ import annotations

import time
from typing import Any

import pytest
from cutting import check_parts
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from windows import pieces, shown, window

from mdchunk_core.blocks import Block
from mdchunk_core.cutters.part import Joint, Part, Window
from mdchunk_core.cutters.table import cut_table

GFM = MarkdownIt("commonmark").enable("table")

HEADER = "| part | place | stock |\n|:-----|:-----:|------:|\n"


def table_of(text: str, **more: Any) -> Block:
    return Block("table", 0, text.rstrip("\n").count("\n") + 1, **more)


def cut(text: str, limit: int, block: Block | None = None, **more: Any) -> tuple[list[Part], Window]:
    block = block or table_of(text)
    view = window(text, limit, **more)
    parts = cut_table(block, view)
    check_parts(block, view, parts)
    return parts, view


def tables(text: str) -> list[list[list[str]]]:
    """The cells of each table, header first, as markdown-it-py sees them."""
    found: list[list[list[str]]] = []
    for token in GFM.parse(text):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type in ("th_open", "td_open"):
            found[-1][-1].append("")
        elif token.type == "inline" and found and found[-1] and found[-1][-1]:
            found[-1][-1][-1] = found[-1][-1][-1] or token.content
    return found


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_rows_below_a_repeated_header() -> None:
    rows = [f"| bolt {n} | bin {n * 3} | {n * 11} pcs |" for n in range(1, 40)]
    parts, view = cut(HEADER + "\n".join(rows), 90)
    assert len(parts) == 39
    assert {part.prefix for part in parts[1:]} == {HEADER}
    assert all(part.joint is Joint.ITEM for part in parts[1:])
    assert shown(parts, view.source)[0] == HEADER + rows[0], "the header is never alone"


def test_the_lead_line_is_repeated_where_it_fits() -> None:
    rows = "\n".join(f"| bolt {n} | bin | pcs |" for n in range(9))
    parts, _ = cut(HEADER + rows, 90, lead="Table 4: Stock\n\n")
    assert {part.prefix for part in parts[1:]} == {"Table 4: Stock\n\n" + HEADER}
    parts, _ = cut(HEADER + rows, 76, lead="Table 4: Stock of the store and of all its yards in May\n\n")
    assert {part.prefix for part in parts[1:]} == {HEADER}


def test_a_long_row_is_cut_between_cells_and_keeps_its_label() -> None:
    row = "| bolt | " + "long words stand here " * 12 + "| " + "other text there " * 12 + "|"
    parts, view = cut(HEADER + row, 100)
    for chunk in shown(parts, view.source):
        ((header, (label, *_)),) = tables(chunk)
        assert header == ["part", "place", "stock"]
        assert label == "bolt"
    assert Joint.CELL in {part.joint for part in parts}
    last = parts[-1]
    assert last.prefix == HEADER + "| bolt | | "


def test_an_escaped_pipe_parts_no_cells() -> None:
    row = "| a\\|b | `c \\| d` e | " + "word " * 60 + "|"
    parts, view = cut(HEADER + row, 90)
    assert tables(shown(parts, view.source)[0])[0][1][:2] == ["a|b", "`c | d` e"]


def test_rows_without_outer_pipes_or_any() -> None:
    text = "a | b\n--- | ---\n" + "x " * 50 + "| y\n" + "z " * 60 + "\n| 1 | 2 | 3 | 4 | " + "5 " * 50
    parts, view = cut(text, 50)
    for chunk in shown(parts, view.source):
        assert [table[0] for table in tables(chunk)] == [["a", "b"]]


def test_a_header_above_half_the_limit_is_not_repeated() -> None:
    names = "| " + " | ".join(f"column number {n}" for n in range(18)) + " |"
    marks = "|" + "---|" * 18
    rows = [f"| {' | '.join(f'v{r}x{n}' for n in range(18))} |" for r in range(4)]
    parts, view = cut("\n".join([names, marks, *rows]), 120)
    assert {part.prefix for part in parts} == {""}
    rows[0] = f"{marks}\n{rows[0]}"
    assert [view.source.text[part.start : part.end] for part in parts[-4:]] == rows, "rows stay whole"


def test_a_delimiter_row_does_not_stand_alone() -> None:
    names = "| " + " | ".join(f"column number {n}" for n in range(12)) + " |"
    rows = [f"| {' | '.join(f'v{n}' for n in range(12))} |" for _ in range(3)]
    text = "\n".join([names, "|" + "---|" * 12, *rows])
    alone = [
        view.source.text[part.start : part.end]
        for limit in (100, 80)
        for parts, view in [cut(text, limit)]
        for part in parts
    ]
    assert not any(set(body) <= set("|-\n") for body in alone), alone
    assert rows[1] in alone, "rows stay whole"


def test_hundreds_of_columns() -> None:
    names = "|" + "|".join(f"name {n}" for n in range(400)) + "|"
    row = "|" + "|".join(f"v{n}" for n in range(400)) + "|"
    text = "\n".join([names, "|" + "-|" * 400, row, row])
    for limit in (8, 64, 128, 1000):
        parts, _ = cut(text, limit)
        assert len(parts) < 16 * pieces(text) // limit + 4


@pytest.mark.parametrize(
    ("lead_in", "margin", "rest"),
    [("> ", "> ", ""), ("- item\n\n  ", "  ", "- item\n\n"), ("1. > one\n   >\n   > ", "   > ", "1. > one\n   >\n")],
)
def test_inside_containers(lead_in: str, margin: str, rest: str) -> None:
    lines = [*HEADER.splitlines(), "| a | b | c |", "| d | e | f |", "| g | " + "long words " * 40 + "| h |"]
    text = lead_in + f"\n{margin}".join(lines)
    first = lead_in.count("\n")
    block = Block("table", first, first + 5, 0, len(margin), margin)
    parts, view = cut(text, 110, block, rest=rest)
    for part, chunk in zip(parts[1:], shown(parts, view.source)[1:], strict=True):
        assert part.prefix.startswith(rest + margin + lines[0])
        assert [table[0] for table in tables(chunk)] == [["part", "place", "stock"]]


def test_on_the_marker_line_of_an_item() -> None:
    text = "1. | a | b |\n   |---|---|\n" + "".join(f"   | {n} | x |\n" for n in range(9))
    block = Block("table", 0, 11, 0, 3, "   ")
    parts, view = cut(text, 44, block)
    assert view.source.text[parts[0].start] == "|"
    for chunk in shown(parts, view.source)[1:]:
        assert chunk.startswith("1. | a | b |\n   |---|---|\n   | ")
        assert len(tables(chunk)) == 1


def test_the_room_beside_a_heading() -> None:
    row = "| bolt | " + "long words " * 60 + "| x |"
    parts, view = cut(HEADER + row, 100, room=60)
    assert pieces(shown(parts, view.source)[0]) <= 60
    short = "| bolt | " + "long words " * 10 + "| x |"
    parts, view = cut(HEADER + short + "\n| a | b | c |", 100, room=40)
    assert shown(parts, view.source)[0] == HEADER.rstrip("\n"), "a heading takes the header along"
    assert shown(parts, view.source)[1] == HEADER + short


def test_time_is_linear() -> None:
    def seconds(text: str) -> float:
        start = time.perf_counter()
        cut(text, 200)
        return time.perf_counter() - start

    many = HEADER + "| a | b | c |\n" * 5_000
    cells = HEADER + "| x " * 20_000
    pipes = HEADER + "|" * 40_000
    word = HEADER + "| a | " + "y" * 100_000 + " | b |"
    blank = HEADER + "| a | " + " " * 100_000 + " | b |"
    assert max(seconds(text) for text in (many, cells, pipes, word, blank)) < 5


CELLS = st.lists(
    st.sampled_from(
        ["word", "other", "`a \\| b`", "x\\|y", "<b>bold</b>", "3.5", "End.", "[l](u)", "長い文。", "`c d e`"]
    ),
    max_size=30,
).map(" ".join)
ROWS = st.tuples(st.lists(CELLS, min_size=1, max_size=5), st.booleans(), st.booleans())
INSIDE_AN_ITEM = ("- item\n\n  ", "  ", "- item\n\n", 2)
CONTAINERS = st.sampled_from([("", "", "", 0), ("> ", "> ", "", 0), INSIDE_AN_ITEM])


def written(row: tuple[list[str], bool, bool]) -> str:
    cells, opened, closed = row
    # A table's row is no other block and has something in it.
    line = ("| " if opened or not cells[0][:1].isalpha() else "") + " | ".join(cells) + (" |" if closed else "")
    return line if line.strip("| ") else "| x |"


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "b c", "`k`", "", "d\\|e"]), min_size=1, max_size=4),
    st.lists(ROWS, min_size=1, max_size=8),
    CONTAINERS,
    st.integers(40, 160),
    st.booleans(),
)
@example(
    ["a", "a"], [(["word word word word word `a \\| b` <b>bold</b> [l](u)"], False, False)], INSIDE_AN_ITEM, 40, False
)
def test_parts_are_the_same_table(
    names: list[str],
    rows: list[tuple[list[str], bool, bool]],
    container: tuple[str, str, str, int],
    limit: int,
    lead: bool,
) -> None:
    opening, margin, rest, first = container
    lines = ["| " + " | ".join(names) + " |", "|" + " --- |" * len(names), *map(written, rows)]
    text = opening + f"\n{margin}".join(lines)
    whole = tables(text)
    assert [len(table) for table in whole] == [len(rows) + 1], "the test's own table"
    block = Block("table", first, first + len(lines), 0, len(margin), margin)
    parts, view = cut(text, limit, block, rest=rest, lead=f"{margin}Caption:\n{margin}\n" if lead else "")
    if 2 * (pieces(f"{margin}{lines[0]}\n{margin}{lines[1]}\n{margin}") + len(names) + 2) > limit:
        return  # too little room to repeat the header above a cell in its own column
    got: list[list[str]] = []
    for number, (part, chunk) in enumerate(zip(parts, shown(parts, view.source), strict=True)):
        seen = tables(chunk if number else rest + chunk)
        assert len(seen) == 1, chunk
        assert seen[0][0] == whole[0][0], chunk
        assert len(seen[0]) == 2, chunk
        cells = seen[0][1]
        if part.joint in (Joint.BLOCK, Joint.ITEM):
            got.append(cells)
        elif view.source.text[part.start - 1] != "\n":
            row = part.prefix.rsplit("\n", 1)[1]
            if row.strip("> |") and cells:
                cells[0] = ""
            got[-1] = [squeezed(a + b) for a, b in zip(got[-1], cells, strict=True)]
    assert [[squeezed(c) for c in row] for row in got] == [[squeezed(c) for c in row] for row in whole[0][1:]]
