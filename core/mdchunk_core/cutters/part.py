"""What a cutter is given and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from ..blocks import Block
from ..merging import Bond
from ..source import Source


class Joint(IntEnum):
    """The boundary that stands before a part, best first (DESIGN.md section 3)."""

    BLOCK = 1
    ITEM = 2
    """A list item, a table row, an HTML element, a top-level statement of code after a blank line."""
    BLANK = 3
    """A blank line inside a statement of code."""
    LINE = 4
    SENTENCE = 5
    CELL = 6
    WORD = 7
    GRAPHEME = 8


class Part(NamedTuple):
    """A stretch of a block that is not cut again: `source.text[start:end]`, half-open, in characters."""

    start: int
    end: int
    joint: Joint
    """The boundary before it. The first part of a block has BLOCK."""
    prefix: str = ""
    """Written before it when a chunk starts with this part."""
    suffix: str = ""
    """Written after it when a chunk ends with this part."""
    depth: int = 0
    """How many containers below the block that is cut the boundary before it lies."""
    bond: Bond | None = None
    """Why it should stay with the part before."""


@dataclass(frozen=True, slots=True)
class Window:
    """The room that a block is cut for, and what its containers want written around a part of it."""

    source: Source
    count: Callable[[str], int]
    """Tokens of a text."""
    limit: int
    """Tokens that prefix, part and suffix together may have."""
    room: int
    """Tokens for the first part: less than `limit` where a heading stands before it."""
    first: str = ""
    """Prefix of a part that starts the block."""
    rest: str = ""
    """Prefix of every other part, before what the cutter itself repeats."""
    suffix: str = ""
    """Suffix of every part but the block's last, after what the cutter itself closes."""
    lead: str = ""
    """The caption or lead-in line that introduces the block, with its line ending: repeated if it fits."""
    depth: int = 0
    whole: bool = False
    """Whether the block is known to fit the limit as it is: it is cut at its best boundaries all the same."""
    bytewise: bool = False
    """Whether a text has at most as many tokens as UTF-8 bytes, so that short ones need not be counted."""
    sums: Sequence[int] = ()
    """Tokens of the document before each line and before its end, -1 where that is not known; empty: nowhere."""

    def at_most(self, text: str) -> int:
        """Tokens that a text has at the most: its count, or what is sooner known."""
        return len(text.encode("utf-8", "surrogatepass")) if self.bytewise else self.count(text)

    def known(self, start: int, end: int) -> tuple[int, int] | None:
        """At least and at most how many tokens `text[start:end]` has: looked up for whole lines, else None.

        `end` is behind a visible character. White space that follows may be counted as well.
        """
        source, sums = self.source, self.sums
        if not sums:
            return None
        first = source.line_of(start)
        if source.line_starts[first] != start or sums[first] < 0:
            return None
        stop = source.line_of(end) + 1
        if source.line_starts[stop] > end + 1:
            return None
        while stop < len(source.lines) and sums[stop] < 0 and not source.lines[stop].strip():
            stop += 1
        most = sums[stop] - sums[first]
        white = min(source.line_starts[stop], len(source.text)) - end
        return (most - white, most) if sums[stop] >= 0 else None


Cutter = Callable[[Block, Window], list[Part]]
