"""HTML blocks above the limit: tags closed and reopened, a table's rows under its header."""

from __future__ import annotations

import time
from html.parser import HTMLParser
from typing import Any

import pytest
from cutting import check_parts
from hypothesis import given, settings
from hypothesis import strategies as st
from windows import pieces, shown, window

from mdchunk_core import MarkdownChunker
from mdchunk_core.blocks import Block
from mdchunk_core.cutters._html_tags import Element, elements
from mdchunk_core.cutters.html import cut_html
from mdchunk_core.cutters.part import Joint, Part, Window

OPENING = '<table class="x">\n<thead>\n<tr><th>k</th><th>v</th></tr>\n</thead>\n<tbody>\n'
CLOSING = "</tbody>\n</table>"


def cut(text: str, limit: int, block: Block | None = None, **more: Any) -> tuple[list[Part], Window]:
    block = block or Block("html", 0, text.rstrip("\n").count("\n") + 1)
    view = window(text, limit, **more)
    parts = cut_html(block, view)
    check_parts(block, view, parts)
    return parts, view


def chunks(text: str, limit: int, **more: Any) -> list[str]:
    parts, view = cut(text, limit, **more)
    return shown(parts, view.source)


class Balance(HTMLParser):
    """Tags that are open at the end, and end tags that nothing opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.stray: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1] += [""] * int(dict(attrs).get("colspan") or 1)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.stray.append(tag)

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th", "b"):
            self.rows[-1][-1] += data


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_rows_below_thead() -> None:
    rows = [f"<tr><td>alpha {n}</td><td>beta {n}</td></tr>" for n in range(9)]
    parts, view = cut(OPENING + "\n".join(rows) + "\n" + CLOSING, 130)
    texts = shown(parts, view.source)
    assert texts[0] == OPENING + rows[0] + "\n</tbody></table>"
    assert texts[4] == OPENING + rows[4] + "\n</tbody></table>"
    assert texts[-1] == OPENING + rows[-1] + "\n" + CLOSING
    assert {part.joint for part in parts[1:]} == {Joint.ITEM}


def test_the_first_row_where_there_is_no_thead() -> None:
    rows = [f"<tr><td>alpha {n}</td><td>beta {n}</td></tr>" for n in range(9)]
    texts = chunks("<table>\n<tr><th>k</th><th>v</th></tr>\n" + "\n".join(rows) + "\n</table>", 80)
    assert len(texts) == 9
    assert all(text.startswith("<table>\n<tr><th>k</th><th>v</th></tr>\n<tr><td>alpha") for text in texts)


def test_a_header_of_two_rows() -> None:
    head = "<tr><th rowspan=2>k</th><th>v</th></tr>\n<tr><th>w</th></tr>\n"
    texts = chunks("<table>\n" + head + "<tr><td>1</td><td>2</td></tr>\n" * 9 + "</table>", 120)
    assert len(texts) == 9
    assert all(text.startswith("<table>\n" + head + "<tr><td>1") for text in texts)


def test_optional_end_tags() -> None:
    texts = chunks("<table>\n<tr><th>k<th>v\n" + "<tr><td>one<td>two\n" * 9 + "</table>", 60)
    assert texts[3] == "<table>\n<tr><th>k<th>v\n<tr><td>one<td>two\n</table>"


def test_rows_that_share_a_cell_stay_together() -> None:
    pair = "<tr><td rowspan=2>both</td><td>one</td></tr>\n<tr><td>two</td></tr>\n"
    texts = chunks(OPENING + pair * 5 + CLOSING, 150)
    assert len(texts) == 5
    assert all("both" in text and "one" in text and "two" in text for text in texts)


def test_a_long_row_keeps_its_label_and_its_columns() -> None:
    row = "<tr><td>label</td><td>" + "long words here. " * 30 + "</td><td>last</td></tr>\n"
    texts = chunks(OPENING + row + CLOSING, 160)
    assert len(texts) > 2
    for text in texts:
        balance = Balance(text)
        assert not balance.open
        assert not balance.stray
        assert balance.rows[0] == ["k", "v"]
        assert balance.rows[1][0] == "label"
    assert Balance(texts[-1]).rows[1] == ["label", "", "last"]


def test_a_nested_table_stays_whole_while_it_fits() -> None:
    inner = "<table><tr><td>in</td><td>ner</td></tr></table>"
    rows = f"<tr><td>{inner}</td></tr>\n" * 6
    texts = chunks("<table>\n<tr><th>k</th></tr>\n" + rows + "</table>", 110)
    assert [text.count(inner) for text in texts] == [1] * 6


def test_the_outermost_elements_give_way_before_the_header() -> None:
    wrap = "".join(f'<div class="wrapper number {n} of many">\n' for n in range(5))
    rows = "<tr><td>1</td><td>2</td></tr>\n" * 9
    texts = chunks(wrap + OPENING + rows + CLOSING + "</div>" * 5, 130)
    assert all("<thead>" in text and "<th>v" in text for text in texts[1:])


def test_a_block_that_begins_and_ends_in_a_table() -> None:
    rows = [f"<tr><td>alpha {n}</td><td>beta {n}</td></tr>" for n in range(9)]
    assert chunks("\n".join(rows), 40) == rows
    texts = chunks("\n".join(rows) + "\n</table>", 40)
    assert texts == [*rows[:-1], rows[-1] + "\n</table>"]
    texts = chunks("<table>\n" + "\n".join(rows), 80)
    assert [text.count("</table>") for text in texts] == [1] * 7 + [0], "the document's own end stays open"


def test_other_html_is_cut_between_elements() -> None:
    inside = [f"<p>Paragraph {n} has <b>some</b> text.</p>" for n in range(6)]
    texts = chunks('<div align="center">\n' + "\n".join(inside) + "\n</div>", 50)
    assert texts == [f'<div align="center">\n{one}\n</div>' for one in inside]


def test_text_in_an_element_is_cut_at_lines_and_sentences() -> None:
    texts = chunks("<p>\n" + "One line here. And more of it.\n" * 9 + "</p>", 24)
    assert all(text.startswith("<p>\n") and text.endswith("</p>") for text in texts)
    assert len(texts) == 9
    texts = chunks("<p>" + "One line here. And more of it. " * 9 + "</p>", 24)
    assert all(squeezed(text).endswith(".</p>") for text in texts)


def test_preformatted_text_comments_and_scripts_are_cut_at_lines() -> None:
    for opening, closing in (("<pre>", "</pre>"), ("<!--", "-->"), ("<script>", "</script>")):
        texts = chunks(f"{opening}\n" + "    if a < b:\n\n" * 9 + closing, 30)
        assert all(text.startswith(f"{opening}\n    if a < b:") for text in texts)
        assert all(text.endswith(closing) for text in texts)


@pytest.mark.parametrize("gap", ["", "  ", "\xa0", " \xa0 "])
def test_no_quote_mark_is_lost_before_white_space_of_any_kind(gap: str) -> None:
    lines = ["> <div>", *(f"> {gap}<p>alpha {n} beta gamma</p>" for n in range(9)), "> </div>"]
    parts, _ = cut("\n".join(lines), 60, Block("html", 0, len(lines), 0, 2, "> "))
    assert len(parts) > 3


@pytest.mark.parametrize("margin", ["> ", "  ", "> > "])
def test_inside_containers(margin: str) -> None:
    rows = [f"<tr><td\n{margin}>alpha {n}</td><td>beta {n}</td></tr>" for n in range(9)]
    lines = (OPENING + "\n".join(rows).replace(f"\n{margin}", "\n") + "\n" + CLOSING).split("\n")
    text = "\n".join(margin + line for line in lines)
    block = Block("html", 0, len(lines), 0, len(margin), margin)
    parts, view = cut(text, 190, block)
    assert len(parts) == 9
    for chunk in shown(parts, view.source):
        assert all(line.startswith(margin) for line in chunk.split("\n"))
        balance = Balance("\n".join(line[len(margin) :] for line in chunk.split("\n")))
        assert not balance.open
        assert not balance.stray


def test_the_room_beside_a_heading() -> None:
    text = "<div>\n" + "<p>Some text here.</p>\n" * 9 + "</div>"
    parts, view = cut(text, 40, room=24)
    assert pieces(shown(parts, view.source)[0]) <= 24


def names(element: Element) -> list[Any]:
    return [(child.name, names(child)) if child.children else child.name for child in element.children]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("<p>a<p>b", ["p", "p"]),
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", [("ul", ["li", ("li", [("ul", ["li"])]), "li"])]),
        ("<table><tr><td>a<td>b<tr><td>c</table>", [("table", [("tr", ["td", "td"]), ("tr", ["td"])])]),
        ("<td>a<table><tr><td>b</table>c<td>d", [("td", [("table", [("tr", ["td"])])]), "td"]),
        ("<div><td></div></td></div>", [("div", ["td"])]),
        ("<div a='>' b=\"</div>\"><hr></div>", [("div", ["hr"])]),
        ("<div><!-- <p> --><script>'<p>'</script></div>", [("div", ["!--", "script"])]),
        ("<div it's><p>a</div></p>", [("div", ["p"])]),
        ("a < b <> </> <1>", []),
    ],
)
def test_the_tree(text: str, tree: list[Any]) -> None:
    assert names(elements(text, 0, len(text))) == tree


HOSTILE = {
    "angles": "<div>" + "<" * 30_000,
    "open quotes": "<div>" + '<a x="' * 10_000,
    "nested": "<div>" * 6_000,
    "nested tables": "<table><tr><td>" * 4_000,
    "unclosed": "<ul>" + "<li>a" * 6_000,
    "end tags": "<div>" + "</p>" * 8_000,
    "cells": "<table><tr>" + "<td>x" * 6_000,
    "open comments": "<!-- " * 6_000,
    "a word": "<p>" + "x" * 100_000,
    "attribute": "<div a='" + "y" * 100_000 + "'>\n<p>a</p><p>b</p>",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_html_takes_linear_time(text: str) -> None:
    start = time.perf_counter()
    cut(text, 200)
    assert time.perf_counter() - start < 6


TAGS = st.sampled_from(
    "<table>|</table>|<tr>|</tr>|<td>|</td>|<th rowspan=2>|<thead>|</thead>|<tbody>|<div>|</div>|<p>|</p>|<b>|</b>|"
    "<li>|<ul>|</ul>|<!--|-->|<pre>|"
    "</pre>|<script>|</script>|<br>|<x a='|'>|text|two words|One. Two.|長い文。|\n|\n\n|<|> |  "
    "".split("|")
)


@settings(max_examples=120, deadline=None)
@given(
    st.lists(TAGS, min_size=1, max_size=60), st.integers(8, 60), st.sampled_from(["", "> ", "    "]), st.integers(4, 60)
)
def test_any_text_keeps_the_contract(tags: list[str], limit: int, margin: str, room: int) -> None:
    lines = ("<div>" + "".join(tags)).rstrip().split("\n")
    text = "\n".join(margin + line for line in lines)
    block = Block("html", 0, len(lines), 0, len(margin), margin)
    cut(text, limit, block, room=min(room, limit))


CELLS = st.lists(st.sampled_from(["word", "<b>bold</b>", "End.", "3.5", "a < b", "長い文。"]), max_size=25).map(
    " ".join
)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.lists(CELLS, min_size=2, max_size=3), min_size=2, max_size=7),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["\n", ""]),
    st.integers(200, 280),
)
def test_parts_are_the_same_table(rows: list[list[str]], thead: bool, tbody: bool, gap: str, limit: int) -> None:
    header = "<tr><th>k</th><th>v</th><th>w</th></tr>"
    body = gap.join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    text = gap.join(
        [
            "<table>",
            f"<thead>{header}</thead>" if thead else header,
            f"<tbody>{gap}{body}{gap}</tbody>" if tbody else body,
        ]
    )
    parts, view = cut(text + gap + "</table>", limit)
    got: list[list[str]] = []
    for part, chunk in zip(parts, shown(parts, view.source), strict=True):
        balance = Balance(chunk)
        assert not balance.stray or part.joint > Joint.LINE, chunk
        assert balance.rows[0] == ["k", "v", "w"], chunk
        cells = balance.rows[1:]
        if part.joint in (Joint.BLOCK, Joint.ITEM):
            got += cells
            continue
        (row,) = cells
        row += [""] * (3 - len(row))
        started = part.prefix.rsplit("<tr>", 1)[1]
        if "</td>" in started:
            row[0] = ""
        got[-1] += [""] * (3 - len(got[-1]))
        got[-1] = [a + b for a, b in zip(got[-1], row, strict=True)]
    plain = [
        [squeezed(cell.replace("<b>", "").replace("</b>", "")) for cell in row] + [""] * (3 - len(row)) for row in rows
    ]
    assert [[squeezed(cell) for cell in row] + [""] * (3 - len(row)) for row in got] == plain


@pytest.mark.parametrize("marks", ["```", "~~~~"])
def test_fenced_code_straight_below_a_tag_stays_code(marks: str) -> None:
    """MDX asks for no blank line between them; the tags in the code are none."""
    short = f"{marks}sh\n<b>\nnpm i\n{marks}\n"
    long = f"{marks}js\n" + "".join(f'const line{number} = "<div>";\n' for number in range(40)) + f"{marks}\n"
    chunks = MarkdownChunker(target_tokens=100, max_tokens=128, overlap_tokens=0).chunk(
        f"<CodeGroup>\n{short}Some words.\n{long}{short}</CodeGroup>\n"
    )
    assert len(chunks) > 3
    assert sum(short in chunk.text for chunk in chunks) == 2
    for chunk in chunks:
        assert chunk.text.startswith("<CodeGroup>\n")
        assert chunk.text.endswith("\n</CodeGroup>")
        assert chunk.text.count(marks) % 2 == 0
        assert all(f"{marks}js\n" in chunk.text for line in chunk.text.split("\n") if line.startswith("const"))
