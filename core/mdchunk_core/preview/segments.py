"""The source of each of our chunks as segments that begin where a chunk of the other splitter does."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .beside import Beside
from .damage import DAMAGES
from .lines import Line, Mark, marked_lines

__all__ = ["Marks", "Segment", "Theirs", "Timeline"]


@dataclass(frozen=True, slots=True)
class Theirs:
    """A chunk of the other splitter, as the page tells it where it begins."""

    index: int
    """0-based."""
    tokens: int
    damages: tuple[str, ...]
    """What it broke, in words."""
    repeated: int
    """How many of its first characters the chunk before has too."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of one of our chunks within which no chunk of the other splitter begins."""

    ours: tuple[Line, ...]
    theirs: tuple[Line, ...]
    begins: tuple[Theirs, ...] = ()
    within: int | None = None
    """Index of the other splitter's chunk that goes on at the start of our chunk."""


class Marks:
    """Marked ranges of the source, to be asked for those in a stretch."""

    def __init__(self, marks: Iterable[Mark]) -> None:
        self._marks = sorted(marks)
        self._starts = [mark.start for mark in self._marks]
        self._longest = max((mark.end - mark.start for mark in self._marks), default=0)

    def within(self, start: int, end: int) -> list[Mark]:
        """Those that share characters with `start` to `end`, by their start."""
        near = self._marks[bisect_left(self._starts, start - self._longest) : bisect_left(self._starts, end)]
        return [mark for mark in near if mark.end > start]


class Timeline:
    """Where the other splitter's chunks begin, and what is marked in its column."""

    def __init__(self, text: str, beside: Beside) -> None:
        self.beside = beside
        self.starts = [piece.start for piece in beside.pieces]
        names: dict[int, dict[str, None]] = {}
        for damage in beside.damages:
            names.setdefault(damage.chunk, {})[DAMAGES[damage.kind]] = None
        self.theirs: list[Theirs] = []
        furthest = 0
        marks = [Mark(damage.start, damage.end, "bad") for damage in beside.damages if damage.end > damage.start]
        for index, piece in enumerate(beside.pieces):
            repeated = min(max(0, furthest - piece.start), piece.end - piece.start)
            if repeated:
                marks.append(Mark(piece.start, piece.start + repeated, "overlap"))
            self.theirs.append(Theirs(index, piece.tokens, tuple(names.get(index, ())), repeated))
            furthest = max(furthest, piece.end)
        marks += _lost(text, beside.covered)
        self.marks = Marks(marks)

    def segments(
        self, text: str, start: int, end: int, line: int, before: int, *, line_is_whole: bool
    ) -> tuple[Segment, ...]:
        """The segments of our span `start` to `end`, whose first character stands in line `line` (1-based).

        `before` is where our chunk before ended: what begins in the white space between is told at the start.
        """
        first, stop = bisect_left(self.starts, before), bisect_left(self.starts, end)
        places = sorted({start, *(max(start, self.starts[k]) for k in range(first, stop))})
        segments: list[Segment] = []
        for at, until in zip(places, [*places[1:], end]):
            begins = tuple(self.theirs[k] for k in range(first, stop) if max(start, self.starts[k]) == at)
            whole = line_is_whole if at == start else not text[text.rfind("\n", 0, at) + 1 : at].strip()
            lines = marked_lines(text, at, until, line, first_is_whole=whole)
            theirs = marked_lines(text, at, until, line, self.marks.within(at, until), first_is_whole=whole)
            segments.append(Segment(lines, theirs, begins, None if begins else self._goes_on(at)))
            line += text.count("\n", at, until)
        return tuple(segments)

    def _goes_on(self, at: int) -> int | None:
        number = bisect_right(self.starts, at) - 1
        return number if number >= 0 and self.beside.pieces[number].end > at else None


def _lost(text: str, covered: Sequence[tuple[int, int]]) -> list[Mark]:
    """What has words and stands in none of the other splitter's chunks."""
    edges = [0, *(edge for span in covered for edge in span), len(text)]
    gaps = zip(edges[::2], edges[1::2])
    return [Mark(start, end, "lost") for start, end in gaps if any(map(str.isalnum, text[start:end]))]
