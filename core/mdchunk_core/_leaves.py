"""How far a leaf block reaches: CommonMark 4, and the tables of GFM. Each function reads each line once."""

from __future__ import annotations

import re

from ._rules import (
    ATX,
    FENCE,
    INDENTED,
    Lazy,
    html_end,
    html_start,
    interrupts,
    is_blank,
    is_delimiter_row,
    is_thematic_break,
    setext_level,
    table_cells,
)  # fmt: skip

__all__ = ["Span", "atx", "fence", "html", "indented", "paragraph", "thematic_break"]

Span = tuple[str, int, int, int]
"""Kind, first line, line after the last, level of a heading."""

# A line that may end a paragraph or make it a heading or a table: nearly all lines of prose fail here at once.
_SUSPECT = re.compile(r" {0,3}(?:([#>`~<_*+=|:-])|0{0,8}1[.)]|(\[\^))|[ \t]*\Z")
_ROW_SUSPECT = re.compile(r" {0,3}(?:[#>`~<_*+-]|[0-9]{1,9}[.)]|\t| |\[\^)|[ \t]*\Z")
FOOTNOTE = re.compile(r" {0,3}\[\^[^\]\[\r\n]+\]:")


def atx(lines: list[str], at: int) -> Span | None:
    match = ATX.match(lines[at])
    return ("heading", at, at + 1, len(match[1])) if match else None


def thematic_break(lines: list[str], at: int) -> Span | None:
    return ("thematic_break", at, at + 1, 0) if is_thematic_break(lines[at]) else None


def fence(lines: list[str], at: int) -> Span | None:
    match = FENCE.match(lines[at])
    if match is None:
        return None
    marker = match[1]
    for number in range(at + 1, len(lines)):
        line = lines[number]
        if marker in line and closes_fence(line, marker):
            return ("fenced_code", at, number + 1, 0)
    return ("fenced_code", at, len(lines), 0)


def closes_fence(line: str, marker: str) -> bool:
    text = line.lstrip(" ")
    return text.startswith(marker) and len(line) - len(text) < 4 and not text.rstrip(" \t").strip(marker[0])


def html(lines: list[str], at: int) -> Span | None:
    condition = html_start(lines[at])
    if not condition:
        return None
    number, end = at, len(lines)
    if condition > 5:
        while number < end and lines[number].strip(" \t"):
            number += 1
        return ("html", at, number, 0)
    while number < end and not html_end(lines[number], condition):
        number += 1
    return ("html", at, min(number + 1, end), 0)


def indented(lines: list[str], at: int) -> Span:
    stop = at + 1
    for number in range(stop, len(lines)):
        line = lines[number]
        if INDENTED.match(line) and not is_blank(line):
            stop = number + 1
        elif not is_blank(line):
            break
    return ("indented_code", at, stop, 0)


def is_table(header: str, delimiter: str) -> bool:
    return (
        type(header) is not Lazy
        and is_delimiter_row(delimiter)
        and ("|" in header)
        and not INDENTED.match(header)
        and table_cells(header) == table_cells(delimiter)
    )


def paragraph(lines: list[str], at: int, footnotes: bool) -> Span:
    """Read a paragraph, or the setext heading or table that its last or second line makes of it.

    Its last line may be the header of a table, as GFM's own parser has it; a setext underline comes too late then.
    """
    end = len(lines)
    suspect = _SUSPECT.match
    number = at
    while (number := number + 1) < end:
        line = lines[number]
        if not line:
            break
        match = suspect(line)
        if match is None or type(line) is Lazy:
            continue
        char = match[1]
        if char is None:
            if match[2] is not None:
                if footnotes and FOOTNOTE.match(line):
                    break
                continue
            if interrupts(line) or is_blank(line):
                break
            continue
        if char in "=-":
            level = setext_level(line)
            if level:
                return ("heading", at, number + 1, level)
        if char in "-|:" and is_table(lines[number - 1], line):
            if number == at + 1:
                return _table(lines, at, footnotes)
            return ("paragraph", at, number - 1, 0)
        if char not in "=|:" and interrupts(line):
            break
    return ("paragraph", at, number, 0)


def _table(lines: list[str], at: int, footnotes: bool) -> Span:
    number = at + 2
    end = len(lines)
    while number < end:
        line = lines[number]
        if type(line) is Lazy:
            break
        if _ROW_SUSPECT.match(line) and ends_table(line, footnotes):
            break
        number += 1
    return ("table", at, number, 0)


def ends_table(line: str, footnotes: bool) -> bool:
    return (
        is_blank(line)
        or INDENTED.match(line) is not None
        or interrupts(line, paragraph=False)
        or (footnotes and FOOTNOTE.match(line) is not None)
    )
