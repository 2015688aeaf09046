"""The headings above that a chunk does not show itself, as one line."""

from __future__ import annotations

from collections.abc import Sequence

from .measure import Measure
from .options import HeadingContext
from .pieces import Pieces
from .sections import Section

SEPARATOR = " > "
SHARE = 4
"""Headings above may take this part of the limit; the outermost go first."""


def heading_contexts(
    pieces: Pieces, sections: Sequence[Section], measure: Measure, limit: int, where: HeadingContext
) -> tuple[list[str], list[int]]:
    """The line, with the blank line after it, that a chunk starting at each piece would show, and its tokens."""
    if where != "prefix":
        return [""] * len(pieces), [0] * len(pieces)
    lines: dict[tuple[str, ...], tuple[str, int]] = {(): ("", 0)}

    def shown(path: tuple[str, ...]) -> tuple[str, int]:
        if path not in lines:
            lines[path] = _line(path, measure, limit // SHARE)
        return lines[path]

    found: list[tuple[str, int]] = []
    number, inside = 0, ("", 0)  # before the first heading
    for section in pieces.section:
        above = inside
        if section != number:  # its own heading
            number = section
            path = sections[number].path
            above, inside = shown(path[:-1]), shown(path)
        found.append(above)
    for number in range(len(pieces) - 2, -1, -1):
        bond = pieces.bond[number + 1]
        if bond is not None and bond.behind_mark:  # which stands above the heading that it leads to
            found[number] = found[number + 1]
    return [line for line, _ in found], [tokens for _, tokens in found]


def _line(path: tuple[str, ...], measure: Measure, room: int) -> tuple[str, int]:
    for outermost in range(len(path)):
        line = SEPARATOR.join(filter(None, path[outermost:])) + "\n\n"
        size = measure.written(line)
        if size <= room and line.strip():
            return line, size
    return "", 0
