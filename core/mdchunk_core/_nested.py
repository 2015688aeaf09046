"""What is in a container, parsed when someone asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ._containers import content_column, items
from ._extensions import closes_container, extended
from ._leaves import FOOTNOTE, Span
from ._mistletoe import spans
from ._references import definition, normalised
from ._rules import MARKER, expand, is_blank
from ._views import character, column_of, first_column, inner_lines

__all__ = ["CONTAINERS", "Nested", "document_spans", "label_of", "nested"]

CONTAINERS = frozenset({"list", "list_item", "block_quote", "admonition", "container", "footnote_definition"})
"""The kinds that hold blocks."""

Nested = tuple[str, int, int, int, int, str]
"""A block in a container: a Block's fields, in its order."""


def document_spans(lines: Sequence[str], *, extensions: bool) -> list[Span]:
    """Return the blocks of lines that stand in no container."""
    found = spans(lines, footnotes=extensions)
    return extended(lines, found, partial(spans, footnotes=True)) if extensions else found


def nested(lines: Sequence[str], block: Nested, *, extensions: bool) -> Iterator[Nested]:
    """Return the blocks directly inside a container."""
    kind, start, stop, depth, column, margin = block
    at = first_column(lines[start], column, margin)
    if kind == "list":
        own = inner_lines(lines, start, stop, margin, at)
        for first, last, _ in items(own, 0, extensions)[1]:
            end = last
            while end > first + 1 and is_blank(own[end - 1]):
                end -= 1
            begin = start + first
            taken = column_of(lines[begin], margin) if first else column
            yield ("list_item", begin, start + end, 0, taken, margin)
        return
    inside = _content(expand(lines[start])[at:], kind)
    if inside is None:
        return
    width, step, skip = inside
    margin += step
    at += width
    if skip:
        if kind == "container" and stop - start > 1 and closes_container(lines[stop - 1]):
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
        deep = depth + 1 if kind == found == "container" else level
        taken = column_of(lines[begin], margin) if first else column
        yield (found, begin, start + last, deep, taken, margin)


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


def label_of(own: list[str], kind: str) -> str:
    """Return the normalised label of a definition, given its lines without the margin; a footnote's starts with `^`."""
    if kind == "footnote_definition":
        return normalised(own[0].partition("[")[2].partition("]:")[0])
    found = definition(own, 0, False)
    return normalised(found[1]) if found else ""
