"""A container's content as lines of its own: what its margin takes away, and which lines are lazy."""

from __future__ import annotations

from collections.abc import Sequence

from ._rules import Lazy, expand

__all__ = ["character", "column_of", "first_column", "inner_lines"]

_QUOTE = -1


def _steps(margin: str) -> list[int]:
    """Return the margin as containers: a block quote (-1) or columns of indentation."""
    steps: list[int] = []
    position = 0
    while position < len(margin):
        if margin[position] == ">":
            steps.append(_QUOTE)
            position += 2  # a quote's margin is "> "
            continue
        start = position
        while position < len(margin) and margin[position] == " ":
            position += 1
        steps.append(position - start)
    return steps


def _walk(line: str, steps: list[int]) -> int:
    """Return the column after the margin in an expanded line, -1 where a line that is not blank lacks a part of it."""
    position = 0
    for step in steps:
        rest = line[position:].lstrip(" ")
        start = len(line) - len(rest)
        if step == _QUOTE:
            if start - position > 3 or rest[:1] != ">":
                return -1
            position = start + 1
            if line[position : position + 1] == " ":
                position += 1
        elif start - position >= step:
            position += step
        elif not rest.strip(" \t"):
            position = start
        else:
            return -1
    return position


def inner_lines(lines: Sequence[str], start: int, stop: int, margin: str, column: int) -> list[str]:
    """Lines `start` to `stop` (exclusive) without the margin; of the first, what stands from `column` (in columns)."""
    if not margin and not column:
        return list(lines[start:stop])
    size = len(margin)
    steps = _steps(margin)
    out = [expand(lines[start])[column:]]
    for number in range(start + 1, stop):
        line = lines[number]
        if line.startswith(margin) and "\t" not in line:
            out.append(line[size:])
            continue
        line = expand(line)
        position = _walk(line, steps)
        out.append(line[position:] if position >= 0 else Lazy(line.lstrip(" \t")))
    return out


def first_column(line: str, column: int, margin: str) -> int:
    """Return the column at which a block starts whose containers take `column` characters of its first line."""
    if "\t" not in line:
        return column
    at = len(line[:column].expandtabs(4))
    if line[column : column + 1] != "\t":
        return at
    # A container may take a part of a tab: where it does, only the margin tells how much.
    expanded = expand(line)
    position = 0
    for step in _steps(margin):
        if step == _QUOTE:
            quote = expanded.find(">", position)
            position = quote + 1 if quote >= 0 else position
            position += expanded[position : position + 1] == " "
        else:
            position += step
    return position if at < position < at + 4 else at


def character(line: str, column: int) -> int:
    """Return the character that stands at a column, or the tab that reaches over it."""
    if "\t" not in line:
        return column
    at = 0
    for number, char in enumerate(line):
        width = 4 - at % 4 if char == "\t" else 1
        if at + width > column:
            return number
        at += width
    return len(line)


def column_of(line: str, margin: str) -> int:
    """How many characters of the line the margin takes; 0 for a lazy line."""
    if not margin:
        return 0
    if line.startswith(margin) and "\t" not in line:
        return len(margin)
    expanded = expand(line)
    position = _walk(expanded, _steps(margin))
    return character(line, position) if position > 0 else 0
