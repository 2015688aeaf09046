"""Lists: between items, then between the blocks of an item, nested lists too, with the parents' lines repeated."""

from __future__ import annotations

from collections.abc import Sequence

from ..blocks import Block, children, own_first_line
from .levels import Level
from .lines import cut_lines
from .nest import cut_inside
from .part import Part, Window

WORDY = 4
"""A parent's line longer than this fraction of the limit is not repeated, only its bullet or number."""
INTERRUPTS = frozenset({"block_quote", "fenced_code", "heading", "thematic_break"})
"""Kinds that need no blank line behind a line of text."""


def cut_list(block: Block, window: Window) -> list[Part]:
    r"""Between items.

    >>> from mdchunk_core.source import read
    >>> source = read("1. one two\n2. three four")
    >>> window = Window(source, lambda text: len(text.split()), limit=3, room=3)
    >>> [source.text[part.start:part.end] for part in cut_list(Block("list", 0, 2), window)]
    ['1. one two', '2. three four']
    """
    items = children(window.source, block)
    return cut_inside(block, window, items) if items else cut_lines(block, window)


def cut_item(block: Block, window: Window) -> list[Part]:
    """Between the blocks of an item. Every part but the first has the item's first line, or its bullet or number."""
    inner = children(window.source, block)
    if not inner:
        return cut_lines(block, window)
    labelled = _levels(block, window, inner)

    def level_of(child: Block, index: int) -> Level:
        return labelled[_wants_blank(child, window)] if index else labelled[2]

    return cut_inside(block, window, inner, level_of)


def _levels(block: Block, window: Window, inner: Sequence[Block]) -> tuple[Level, Level, Level]:
    """With the item's first line; with that and a blank line, so that a paragraph can follow; with the bullet only."""
    line = own_first_line(window.source, block)
    child = inner[0]
    width = child.column - block.column if child.start == block.start else len(line)
    marker = block.margin + line[:width].rstrip() + "\n"
    label = block.margin + line.rstrip() + "\n"
    bare = Level(marker, marker)
    if child.kind not in ("paragraph", "heading") or child.start > block.start:
        return bare, bare, bare
    if window.count(label) - window.count("") > window.limit // WORDY:
        return bare, bare, bare
    return Level(label, marker), Level(label + child.margin.rstrip() + "\n", marker), bare


def _wants_blank(child: Block, window: Window) -> bool:
    if child.kind == "list":
        return own_first_line(window.source, child).lstrip()[:1].isdigit()
    return child.kind not in INTERRUPTS
