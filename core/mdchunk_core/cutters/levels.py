"""The containers around a block that is cut, and how much of them is repeated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .part import Window


class Level(NamedTuple):
    """What one container writes before what is inside it."""

    label: str = ""
    """In full: an item's first line, an admonition's title line. Ends with a line feed, or is empty."""
    marker: str = ""
    """Only what makes it a container: the item's bullet or number on a line of its own."""
    closing: str = ""
    """After what is inside it, from the line feed on."""


@dataclass(frozen=True, slots=True)
class Nested(Window):
    """A window inside containers that knows them, so that the outermost can be shortened first."""

    levels: tuple[Level, ...] = ()
    ceiling: int = 0
    """The limit without what the containers' own ends keep free: what must stay whole may have it."""


def levels_of(window: Window) -> tuple[Level, ...]:
    """The containers around a window; of one that does not name them, what it repeats."""
    if isinstance(window, Nested):
        return window.levels
    return (Level(window.rest, window.rest, window.suffix),) if window.rest or window.suffix else ()


def chains(levels: tuple[Level, ...]) -> Iterator[tuple[str, str]]:
    r"""Prefixes and suffixes, best first: every container's label, then from the outside in only their markers.

    >>> list(chains((Level("- a\n", "-\n"), Level("  - b\n", "  -\n"))))
    [('- a\n  - b\n', ''), ('-\n  - b\n', ''), ('-\n  -\n', '')]
    """
    suffix = "".join(level.closing for level in reversed(levels))
    written = [level.label for level in levels]
    yield "".join(written), suffix
    for number, level in enumerate(levels):
        if level.marker != level.label:
            written[number] = level.marker
            yield "".join(written), suffix
