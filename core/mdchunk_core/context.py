"""The headings above that a chunk does not show itself, as one line."""

from __future__ import annotations

from collections.abc import Sequence

from .measure import Measure
from .options import HeadingContext
from .packing import opened
from .pieces import Piece
from .sections import Section

SEPARATOR = " > "
SHARE = 4
"""Headings above may take this part of the limit; the outermost go first."""


def heading_contexts(
    pieces: Sequence[Piece], sections: Sequence[Section], measure: Measure, limit: int, where: HeadingContext
) -> tuple[list[str], list[int]]:
    """The line, with the blank line after it, that a chunk starting at each piece would show, and its tokens."""
    if where != "prefix":
        return [""] * len(pieces), [0] * len(pieces)
    lines: dict[tuple[str, ...], tuple[str, int]] = {(): ("", 0)}
    contexts: list[str] = []
    tokens: list[int] = []
    for piece in pieces:
        path = sections[piece.section].path
        if opened(piece, sections):
            path = path[:-1]
        if path not in lines:
            lines[path] = _line(path, measure, limit // SHARE)
        line, size = lines[path]
        contexts.append(line)
        tokens.append(size)
    return contexts, tokens


def _line(path: tuple[str, ...], measure: Measure, room: int) -> tuple[str, int]:
    for outermost in range(len(path)):
        line = SEPARATOR.join(filter(None, path[outermost:])) + "\n\n"
        size = measure.written(line)
        if size <= room and line.strip():
            return line, size
    return "", 0
