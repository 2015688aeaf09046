"""Stage 2: the blocks of a document, by lines."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from ._nested import document_spans, nested
from .source import Source

_DEEPEST_MARGIN = 512
"""Characters. What lies deeper, some 100 containers down, is not taken apart: its margin alone is longer than a line."""

__all__ = ["Block", "children", "heading_text", "labels", "parse"]


class Block(NamedTuple):
    """A stretch of whole lines. Trailing blank lines belong to no block."""

    kind: str
    """heading paragraph fenced_code indented_code table list list_item block_quote html thematic_break link_reference
    footnote_definition math admonition container mdx"""
    start: int
    """0-based line in `source.lines`."""
    stop: int
    """The line after the last."""
    level: int = 0
    """1 to 6 for a heading."""
    column: int = 0
    """Characters of line `start` that belong to its containers: the block's own first line is `line[column:]`."""
    margin: str = ""
    """What its containers write before a further line so that it stays inside them: `> `, four spaces, ..."""


def parse(source: Source, *, extensions: bool = True) -> tuple[Block, ...]:
    """The blocks at document level, in order, below the front matter."""
    first = source.body_line
    lines = list(source.lines[first:]) if first else list(source.lines)
    if not first and lines[0].startswith("\ufeff"):
        lines[0] = lines[0][1:]
    return tuple([Block(kind, start + first, stop + first, level) for kind, start, stop, level
                  in document_spans(lines, extensions=extensions)])  # fmt: skip


def children(source: Source, block: Block, *, extensions: bool = True) -> tuple[Block, ...]:
    """The items of a list, or the blocks in an item, quote, admonition, container or footnote definition.

    >>> from .source import read
    >>> document = read("- one\n\n  > two")
    >>> (bullets,) = parse(document)
    >>> (item,) = children(document, bullets)
    >>> children(document, item)
    (Block(kind='paragraph', start=0, stop=1, level=0, column=2, margin='  '), \
Block(kind='block_quote', start=2, stop=3, level=0, column=2, margin='  '))
    """
    if len(block.margin) > _DEEPEST_MARGIN:
        return ()
    kind, start, stop, _, column, margin = block
    return tuple([Block(*found) for found in nested(source.lines, kind, start, stop, column, margin, extensions)])


def heading_text(source: Source, block: Block, labels: Container[str]) -> str:
    """The plain text of a heading, in one line."""
    text = " ".join(source.lines[block.start : block.stop])
    return " ".join(text.strip("# ").split())


def labels(source: Source, blocks: Sequence[Block]) -> Container[str]:
    """The normalised labels of the link reference definitions anywhere in the document."""
    return frozenset()
