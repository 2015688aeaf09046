"""Source text as lines for the page, with what is marked in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

__all__ = ["Line", "Mark", "Run", "marked_lines", "showable", "text_lines"]

_HIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\ud800-\udfff]")


class Run(NamedTuple):
    """A stretch of a line that looks alike."""

    text: str
    mark: str = ""
    """`overlap`, `bad`, `lost` or several of them; empty for plain text."""


class Line(NamedTuple):
    """One line, or the part of one that is in a segment."""

    number: int | None
    """1-based line of the source; None where the line began in an earlier segment, or stands in no source."""
    runs: tuple[Run, ...]


class Mark(NamedTuple):
    """A range of the source that is marked; half-open, in characters of the document as given."""

    start: int
    end: int
    name: str


def showable(text: str) -> str:
    r"""The text with what no page can show, or what would turn the text around, replaced by visible signs.

    >>> showable("a\x00b\u202ec")
    'a␀b‹U+202E›c'
    """
    return _HIDDEN.sub(lambda match: _sign(match[0]), text)


def _sign(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if 0xD800 <= code < 0xE000:
        return "\ufffd"
    return "␡" if code == 0x7F else f"‹U+{code:04X}›"


def text_lines(text: str) -> tuple[Line, ...]:
    """The lines of text that is written into a chunk and stands nowhere in the source at this place."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return tuple(Line(None, (Run(showable(line)),)) for line in lines)


def marked_lines(
    text: str, start: int, end: int, number: int, marks: Sequence[Mark] = (), *, first_is_whole: bool = True
) -> tuple[Line, ...]:
    r"""The lines of `text[start:end]`, the first of which is line `number` of the source.

    `marks` are sorted by start. A range ends where the segment ends.

    >>> marked_lines("ab\ncd", 0, 5, 1, [Mark(1, 4, "bad")])[1].runs
    (Run(text='c', mark='bad'), Run(text='d', mark=''))
    """
    lines: list[Line] = []
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        runs = tuple(_runs(text, at, stop, marks))
        lines.append(Line(number if first_is_whole or at > start else None, runs))
        number += 1
        at = stop + 1
    return tuple(lines)


def _runs(text: str, start: int, end: int, marks: Iterable[Mark]) -> Iterator[Run]:
    """The runs of one line."""
    inside = [mark for mark in marks if mark.start < max(end, start + 1) and start < mark.end]
    edges = sorted({start, end, *(edge for mark in inside for edge in mark[:2] if start < edge < end)})
    for first, stop in zip(edges, edges[1:]):
        names = dict.fromkeys(mark.name for mark in inside if mark.start <= first and stop <= mark.end)
        shown = text[first:stop].rstrip("\r") if stop == end else text[first:stop]
        if shown:
            yield Run(showable(shown.replace("\r", "␍")), " ".join(names))
