"""What a cut did to tables, fences and headings, read from the chunk texts alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from ..blocks import Block, children, parse
from ..source import Source, read
from .records import Record

__all__ = ["Reading", "StructureReader"]

_CONTAINERS = frozenset({"list", "list_item", "block_quote", "admonition", "container", "footnote_definition"})
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_HEADING_LIKE = re.compile(r"[ \t>]*(?:#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)")
_ROW = re.compile(r"[ \t]*\|.*(?<!\\)\|[ \t]*")


class Reading(NamedTuple):
    """What one chunk shows."""

    kinds: tuple[str, ...]
    """Block kinds at document level, in order of appearance."""
    cut: tuple[str, ...] = ()
    """The kind of each block that is cut, told once a block."""
    ends_with_heading: bool = False
    headless: bool = False
    """It holds rows of a table without the table's header and delimiter row."""
    fence_open: bool = False
    """It holds a fence that is opened and not closed, or closed and not opened."""
    fence_begun: bool = False
    """That fence is opened here: at the end of a document it is the document's own."""


@dataclass(slots=True)
class StructureReader:
    """Reads the chunks of a report in order. A block that several chunks of a document share is counted once."""

    source: str | None = None
    fence: str = ""
    """The line that opened the fence in which the chunk before ended."""
    table: bool = False
    """Whether the chunk before ended inside a table whose cut is counted."""

    def read(self, record: Record) -> Reading:
        """What this chunk shows.

        A chunk that brings its `kinds` is taken at its word for whole blocks, and its metadata say which blocks are
        cut; its text is read where it continues a block or may end with a heading. Of other chunks the text is all.
        """
        if record.source != self.source:
            self.source, self.fence, self.table = record.source, "", False
        if record.kinds is not None:
            return _read_known(record)
        return self._read_text(record.text)

    def _read_text(self, text: str) -> Reading:
        alone = _Shape.of(text)
        shape = alone
        if self.fence and not alone.fences:
            return Reading(("fenced_code",), fence_open=False)  # the middle of a fence: nothing in it is Markdown
        cut: list[str] = []
        begun = False
        if alone.open_fence:
            inside = _Shape.of(f"{self.fence}\n{text}") if self.fence else alone
            if self.fence:
                shape = inside
            begun = bool(inside.open_fence)
            if begun:
                cut.append("fenced_code")
            self.fence = inside.open_fence
        else:
            self.fence = ""
        if shape.starts_with_rows and not self.table:
            cut.append("table")
        self.table = shape.starts_with_rows and shape.only_rows
        return Reading(shape.kinds, tuple(cut), shape.ends_with_heading, shape.headless, bool(alone.open_fence), begun)


def _read_known(record: Record) -> Reading:
    kinds = record.kinds or ()
    # The last part of a cut block starts its chunk, so that the chunk's first kind is the block's.
    cut = tuple(kinds[0] for part, total in record.parts if part == total > 1)
    last = record.text.rstrip().rpartition("\n")[2]
    if not record.parts and not record.continued and not _HEADING_LIKE.match(last):
        return Reading(kinds, cut)
    shape = _Shape.of(record.text)
    heading = shape.ends_with_heading and "heading" in kinds
    return Reading(kinds, cut, heading, shape.headless, bool(shape.open_fence), bool(shape.open_fence))


class _Shape(NamedTuple):
    """The structure of one text."""

    kinds: tuple[str, ...]
    ends_with_heading: bool
    fences: int
    open_fence: str
    """The line that opens a fence which is not closed; empty where there is none."""
    headless: bool
    starts_with_rows: bool
    only_rows: bool

    @classmethod
    def of(cls, text: str) -> _Shape:
        source = read(text)
        blocks = parse(source)
        fences, open_fence, headless = 0, "", False
        stack = list(blocks)
        while stack:
            block = stack.pop()
            if block.kind in _CONTAINERS:
                stack += children(source, block)
            elif block.kind == "fenced_code":
                fences += 1
                open_fence = open_fence or _opening_if_open(source, block)
            elif block.kind == "paragraph" and not headless:
                headless = _shows_rows(source, block)
        first = bool(blocks) and blocks[0].kind == "paragraph" and _shows_rows(source, blocks[0])
        return cls(
            tuple(dict.fromkeys(block.kind for block in blocks)),
            bool(blocks) and blocks[-1].kind == "heading",
            fences,
            open_fence,
            headless,
            first,
            first and len(blocks) == 1,
        )


def _opening_if_open(source: Source, block: Block) -> str:
    """The opening line of a fence that has no closing one, else nothing. CommonMark 4.5."""
    opening = source.lines[block.start][block.column :]
    fence = _FENCE.match(opening)
    mark = fence[1] if fence else "```"
    last = source.lines[block.stop - 1].strip(" \t>") if block.stop - block.start > 1 else ""
    return "" if last.startswith(mark) and not last.strip(mark[0]) else opening.strip()


def _shows_rows(source: Source, block: Block) -> bool:
    """Whether the paragraph begins as rows of a table do that have lost their header: `| a | b |`."""
    line = source.lines[block.start][block.column :]
    return line.count("|") > 1 and _ROW.fullmatch(line) is not None
