"""Stage 2: the blocks of a document, by lines."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from ._headings import text_of_heading
from ._nested import CONTAINERS, document_spans, label_of, nested
from ._rules import expand
from ._views import first_column, inner_lines
from .source import Source

_BOM = "\ufeff"

_DEEPEST_MARGIN = 64
"""Characters. What lies deeper, some 30 containers down, is not taken apart: its margin alone is longer than a line."""

_DEEPEST_CONTAINER = 8

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
    """1 to 6 for a heading. For a container: in how many containers it stands directly."""
    column: int = 0
    """Characters of line `start` that belong to its containers: the block's own first line is `line[column:]`."""
    margin: str = ""
    """What its containers write before a further line so that it stays inside them: `> `, four spaces, ..."""


def parse(source: Source, *, extensions: bool = True) -> tuple[Block, ...]:
    r"""Return the blocks at document level, in order, below the front matter.

    Without `extensions` they are CommonMark's and GFM's tables: no footnotes, math, admonitions, containers, MDX.

    >>> from mdchunk_core.source import read
    >>> [(block.kind, block.start, block.stop) for block in parse(read("# A\n\ntext\ngoes on\n"))]
    [('heading', 0, 1), ('paragraph', 2, 4)]
    """
    first = source.body_line
    lines = source.lines[first:] if first else source.lines
    if not first and lines[0].startswith(_BOM):
        lines = [lines[0][1:], *lines[1:]]
    new = tuple.__new__  # what Block() calls in the end: there are tens of thousands
    found = document_spans(lines, extensions=extensions)
    return tuple([new(Block, (kind, start + first, stop + first, level, 0, "")) for kind, start, stop, level in found])


def children(source: Source, block: Block, *, extensions: bool = True) -> tuple[Block, ...]:
    r"""Return the items of a list, or the blocks in an item, quote, admonition, container or footnote definition.

    >>> from mdchunk_core.source import read
    >>> document = read("- one\n\n  > two")
    >>> (bullets,) = parse(document)
    >>> (item,) = children(document, bullets)
    >>> [(block.kind, block.start, block.column) for block in children(document, item)]
    [('paragraph', 0, 2), ('block_quote', 2, 2)]
    """
    if len(block.margin) > _DEEPEST_MARGIN or (block.kind == "container" and block.level > _DEEPEST_CONTAINER):
        return ()
    new = tuple.__new__
    return tuple([new(Block, found) for found in nested(source.lines, block, extensions=extensions)])


def own_first_line(source: Source, block: Block) -> str:
    r"""Return the block's own first line; of a tab that its containers take a part of, the rest as spaces.

    >>> from mdchunk_core.source import read
    >>> document = read("- \n\t# One")
    >>> (item,) = children(document, parse(document)[0])
    >>> own_first_line(document, children(document, item)[0])
    '  # One'
    """
    line = source.lines[block.start]
    if not block.margin or line[block.column : block.column + 1] != "\t":
        return line[block.column :]
    return expand(line)[first_column(line, block.column, block.margin) :]


def heading_text(source: Source, block: Block, labels: Container[str]) -> str:
    r"""Return the plain text of a heading, in one line: no inline marks, closing hashes or `{#id .class}`.

    >>> from mdchunk_core.source import read
    >>> document = read("## The `chunk` *method* {#chunk} ##\n## Next")
    >>> [heading_text(document, block, ()) for block in parse(document)]
    ['The chunk method {#chunk}', 'Next']
    """
    lines = source.lines[block.start : block.stop]
    if block.start == 0 and lines[0].startswith(_BOM):
        lines = [lines[0][1:], *lines[1:]]
    if block.margin or block.column:
        at = first_column(lines[0], block.column, block.margin)
        lines = inner_lines(lines, 0, len(lines), block.margin, at)
    return text_of_heading(lines, labels)


def labels(source: Source, blocks: Sequence[Block]) -> Container[str]:
    r"""Return the normalised labels of the link reference and footnote definitions anywhere in the document.

    Nothing is looked up before the first question is asked.

    >>> from mdchunk_core.source import read
    >>> document = read("> [Guide]: /guide\n\nText")
    >>> "guide" in labels(document, parse(document))
    True
    """
    return _Labels(source, blocks)


class _Labels:
    """Only containers that have a line with `]:` in it are taken apart."""

    def __init__(self, source: Source, blocks: Sequence[Block]) -> None:
        self._source = source
        self._blocks = blocks
        self._found: frozenset[str] | None = None

    def __contains__(self, label: object) -> bool:
        if self._found is None:
            self._found = frozenset(self._walk())
        return label in self._found

    def _walk(self) -> Iterator[str]:
        source = self._source
        lines = source.lines
        candidates = [number for number, line in enumerate(lines) if "]:" in line]
        stack = list(self._blocks)
        while stack:
            block = stack.pop()
            kind, start, stop, _, column, margin = block
            at = bisect_left(candidates, start)
            if at == len(candidates) or candidates[at] >= stop:
                continue
            if kind in ("link_reference", "footnote_definition"):
                own = inner_lines(lines, start, stop, margin, first_column(lines[start], column, margin))
                label = label_of(own, kind)
                if label:
                    yield label
            if kind in CONTAINERS:
                stack.extend(children(source, block))
