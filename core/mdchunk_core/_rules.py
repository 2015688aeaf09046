"""What a single line can start: CommonMark 4 and 5 as patterns and tests.

A line is given without its ending. Where it stands in a container, the container's part has been taken off and the
tabs among its markers have been written as spaces (2.2), so that a column is a character.
"""

from __future__ import annotations

import re

__all__ = [
    "ATX",
    "FENCE",
    "INDENTED",
    "MARKER",
    "Lazy",
    "bullet_or_order",
    "expand",
    "html_end",
    "html_start",
    "interrupts",
    "is_blank",
    "is_delimiter_row",
    "is_thematic_break",
    "list_marker",
    "setext_level",
    "table_cells",
]  # fmt: skip


class Lazy(str):
    """A line in a container that leaves out the container's markers: paragraph continuation text (5.1)."""

    __slots__ = ()


ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
MARKER = re.compile(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]|\Z)")
INDENTED = re.compile(r" {0,3}\t| {4}")
_PREFIX = re.compile(r"(?:[ \t>]|[-+*](?=[ \t])|[0-9]{1,9}[.)](?=[ \t]))*")

_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    "menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|"
    "track|ul"
)
_RAW = re.compile(r"<(?:script|pre|style|textarea)(?=[ \t>]|\Z)", re.I | re.A)
_RAW_END = re.compile(r"</(?:script|pre|style|textarea)>", re.I | re.A)
_NAMED = re.compile(rf"</?(?:{_TAGS})(?=[ \t]|/?>|\Z)", re.I | re.A)
_ATTRIBUTE = r"""[ \t]+[A-Za-z_:][A-Za-z0-9:._-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>`]+|'[^']*'|"[^"]*"))?"""
_COMPLETE = re.compile(
    rf"<(?:[A-Za-z][A-Za-z0-9-]*(?:{_ATTRIBUTE})*[ \t]*/?|/[A-Za-z][A-Za-z0-9-]*[ \t]*)>[ \t]*\Z", re.A
)
_DECLARATION = re.compile(r"<![A-Za-z]")

_DELIMITER_ROW = re.compile(r" {0,3}(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
_PIPE = re.compile(r"\\.|\|", re.S)


def is_blank(line: str) -> bool:
    """Only spaces and tabs (2.1): a form feed or a no-break space is text."""
    return not line.strip(" \t")


def expand(line: str) -> str:
    """Return the line with the tabs of its indentation and markers written as spaces, by tab stops of four columns."""
    if "\t" not in line:
        return line
    match = _PREFIX.match(line)
    end = match.end() if match else 0
    return line[:end].expandtabs(4) + line[end:]


def is_thematic_break(line: str) -> bool:
    """4.1."""
    text = line.lstrip(" ")
    char = text[:1]
    return (
        char in "-_*"
        and char != ""
        and len(line) - len(text) < 4
        and not text.strip(char + " \t")
        and text.count(char) >= 3
    )


def setext_level(line: str) -> int:
    """1 for an underline of `=`, 2 for one of `-`, else 0 (4.3)."""
    text = line.lstrip(" ")
    if len(line) - len(text) > 3:
        return 0
    char = text[:1]
    if char not in ("=", "-") or text.rstrip(" \t").strip(char):
        return 0
    return 1 if char == "=" else 2


def html_start(line: str, *, paragraph: bool = False) -> int:
    """Return the number of the start condition (4.6) that the line meets, 1 to 7, else 0. After a paragraph not 7."""
    text = line.lstrip(" ")
    if text[:1] != "<" or len(line) - len(text) > 3:
        return 0
    second = text[1:2]
    if second == "!":
        if text.startswith("<!--"):
            return 2
        if text.startswith("<![CDATA["):
            return 5
        return 4 if _DECLARATION.match(text) else 0
    if second == "?":
        return 3
    if _RAW.match(text):
        return 1
    if _NAMED.match(text):
        return 6
    return 7 if not paragraph and _COMPLETE.match(text) else 0


def html_end(line: str, condition: int) -> bool:
    """Say whether the line meets the end condition that belongs to a start condition from 1 to 5."""
    if condition == 1:
        return "</" in line and _RAW_END.search(line) is not None
    return ("-->", "?>", ">", "]]>")[condition - 2] in line


def list_marker(line: str, position: int, paragraph: bool) -> int:
    """Find where the list marker at this position ends, else 0, thematic breaks aside.

    After a paragraph an item must not be empty, and must be number 1 (5.2).
    """
    match = MARKER.match(line, position)
    if match is None:
        return 0
    end = match.end()
    if paragraph:
        if is_blank(line[end:]):
            return 0
        if line[end - 1] in ".)" and int(match.group()[:-1]) != 1:
            return 0
    return end


def bullet_or_order(line: str, *, paragraph: bool = False) -> int:
    """Where the list marker that the line starts with ends, else 0."""
    end = list_marker(line, 0, paragraph)
    return 0 if end and is_thematic_break(line) else end


def interrupts(line: str, *, paragraph: bool = True) -> bool:
    """Say whether a line that is not blank ends the paragraph before it, setext underlines and tables aside.

    `paragraph` is false where the line is outside the paragraph's container or stands after a table: a list item of
    any number ends those.
    """
    text = line.lstrip(" ")
    if len(line) - len(text) > 3:
        return False
    char = text[:1]
    if char == "#":
        return ATX.match(line) is not None
    if char == ">":
        return True
    if char in ("`", "~"):
        return FENCE.match(line) is not None
    if char == "<":
        return html_start(line, paragraph=True) != 0
    if char in ("-", "*", "_") and is_thematic_break(line):
        return True
    return char in "-+*0123456789" and bullet_or_order(line, paragraph=paragraph) != 0


def is_delimiter_row(line: str) -> bool:
    """Return the second line of a GFM table."""
    return "-" in line and _DELIMITER_ROW.match(line) is not None


def table_cells(row: str) -> int:
    """How many cells a row of a GFM table has."""
    row = row.strip(" \t")
    if "\\" in row:
        row = _PIPE.sub(lambda match: "|" if match.group() == "|" else "xx", row)
    return row.count("|") + 1 - row.startswith("|") - (len(row) > 1 and row.endswith("|"))
