"""What is in a container, parsed when someone asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ._containers import content_column, items
from ._extensions import extended
from ._leaves import FOOTNOTE, Span
from ._mistletoe import spans
from ._rules import MARKER, is_blank
from ._views import character, column_of, first_column, inner_lines

__all__ = ["Nested", "document_spans", "nested"]


class Nested(NamedTuple):
    """A block in a container: a Block's fields, in its order."""

    kind: str
    start: int
    stop: int
    level: int
    column: int
    margin: str


def document_spans(lines: list[str], *, extensions: bool) -> list[Span]:
    """The blocks of lines that stand in no container."""
    found = spans(lines, footnotes=extensions)
    return extended(lines, found) if extensions else found


def nested(
    lines: Sequence[str], kind: str, start: int, stop: int, column: int, margin: str, extensions: bool
) -> Iterator[Nested]:
    """The blocks directly inside the container of this kind at these lines."""
    at = first_column(lines[start], column, margin)
    if kind == "list":
        own = inner_lines(lines, start, stop, margin, at)
        for first, last, _ in items(own, 0, extensions)[1]:
            while last > first + 1 and is_blank(own[last - 1]):
                last -= 1
            begin = start + first
            yield Nested(
                "list_item", begin, start + last, 0, column if first == 0 else column_of(lines[begin], margin), margin
            )
        return
    inside = _content(inner_lines(lines, start, start + 1, margin, at)[0], kind)
    if inside is None:
        return
    width, step, skip = inside
    margin += step
    at += width
    if skip:
        if kind == "container" and _closed(lines, start, stop):
            stop -= 1
        start += 1
        if start >= stop:
            return
        column = column_of(lines[start], margin)
        at = first_column(lines[start], column, margin)
    else:
        column = character(lines[start], at)
    own = inner_lines(lines, start, stop, margin, at)
    for found, first, last, level in document_spans(own, extensions=extensions):
        begin = start + first
        yield Nested(
            found, begin, start + last, level, column if first == 0 else column_of(lines[begin], margin), margin
        )


def _content(first: str, kind: str) -> tuple[int, str, bool] | None:
    """Columns of a container's first line that are its marker, its margin, and whether that line is a title."""
    if kind == "list_item":
        match = MARKER.match(first)
        if match is None:
            return None
        width = content_column(first, match.end())
        return width, " " * width, False
    if kind in ("block_quote", "admonition") and first.lstrip(" ").startswith(">"):
        after = first.index(">") + 1
        return after + (first[after : after + 1] == " "), "> ", kind == "admonition"
    if kind == "footnote_definition":
        match = FOOTNOTE.match(first)
        return (match.end(), "    ", False) if match else None
    if kind == "admonition":
        return 0, "    ", True
    return (0, "", True) if kind == "container" else None


def _closed(lines: Sequence[str], start: int, stop: int) -> bool:
    return stop - start > 1 and lines[stop - 1].strip(" \t>")[:3] in (":::", "///")
