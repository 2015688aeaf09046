"""Cutters count little: what is known, short or far too long decides the same way as counting all of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from windows import pieces

from mdchunk_core.blocks import parse
from mdchunk_core.cutters import cut
from mdchunk_core.cutters.part import Part, Window
from mdchunk_core.source import read

ROW = "| {} | {} words in a cell, some more of them |\n"
DOCUMENTS = {
    "list": "".join(f"- item {n} " + "with words " * (n % 40) + "\n" + "\n" * (n % 3) for n in range(60)),
    "nested list": "".join(
        f"- item {n}\n\n  text of it\n\n  - inner {n} " + "word " * (n % 30) + "\n" for n in range(30)
    ),
    "quote": "".join(f"> paragraph {n} " + "word " * (n % 50) + "\n>\n" for n in range(40)),
    "table": "| a | b |\n|---|---|\n" + "".join(ROW.format(n, "more " * (n % 60)) for n in range(60)),
    "html": "<table>\n"
    + "".join(f"<tr><td>{n}</td><td>{'cell ' * (n % 70)}</td></tr>\n" for n in range(50))
    + "</table>",
    "fence": "```py\n" + "".join(f"a_{n} = {'x + ' * (n % 50)}1\n" + "\n" * (n % 3) for n in range(80)) + "```",
    "long line": "```\n" + "some words " * 3_000 + "\n```",
    "long paragraph": "Some words. " * 3_000,
}


def _parts(text: str, limit: int, *, knowing: bool) -> tuple[list[Part], int]:
    """The parts, and how many characters were counted for them."""
    source = read(text)
    counted = 0

    def count(written: str) -> int:
        nonlocal counted
        counted += len(written)
        return pieces(written)

    window = Window(source, count, limit, limit)
    if knowing:
        sums = [
            -1 if line.isspace() or not line else pieces(text[:at])
            for line, at in zip(source.lines, source.line_starts)
        ]
        window = replace(window, bytewise=True, sums=[*sums, pieces(text)])
    (block,) = parse(source)
    return cut(block, window), counted


@pytest.mark.parametrize("limit", [48, 100, 400])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_known_counts_change_nothing(name: str, limit: int):
    assert _parts(DOCUMENTS[name], limit, knowing=True)[0] == _parts(DOCUMENTS[name], limit, knowing=False)[0]


@pytest.mark.parametrize("name", ["list", "quote", "table", "html", "fence"])
def test_whole_lines_are_hardly_counted(name: str):
    text = DOCUMENTS[name]
    assert _parts(text, 400, knowing=True)[1] < len(text) // 4


def test_elements_around_what_is_far_too_long_are_not_counted_whole():
    inside = "".join(f"<p>{'some words ' * 9}</p>\n" for _ in range(200))
    text = "<div>\n" * 10 + inside + "</div>\n" * 10
    assert _parts(text, 48, knowing=False)[1] < 5 * len(text)
