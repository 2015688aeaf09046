"""Link reference definitions (CommonMark 4.7)."""

from __future__ import annotations

import re

from ._leaves import FOOTNOTE, Span, paragraph
from ._rules import Lazy, interrupts, is_blank, setext_level

__all__ = ["definition", "definitions", "normalised"]

_LABEL = re.compile(r"[ \t]*\[((?:[^\[\]\\]|\\.?)*)(\]:)?", re.S)
_DESTINATION = re.compile(r"[ \t\n]*(?:<((?:[^<>\\\n]|\\.)*)>|((?!<)[^ \x00-\x1f\x7f]+))", re.S)
_CLOSER = {'"': re.compile(r'(?:[^"\\]|\\.)*', re.S), "'": re.compile(r"(?:[^'\\]|\\.)*", re.S),
           "(": re.compile(r"(?:[^()\\]|\\.)*", re.S)}  # fmt: skip
_LONGEST_LABEL = 999  # characters, 4.7


def normalised(label: str) -> str:
    """Return the form in which labels are compared: case folded, white space collapsed (6.3)."""
    return " ".join(label.split()).casefold()


class _Lines:
    """The paragraph from a line on, taken line by line as a definition asks for more."""

    def __init__(self, lines: list[str], at: int, footnotes: bool) -> None:
        self.lines = lines
        self.next = at + 1
        self.footnotes = footnotes
        self.text = lines[at]

    def more(self) -> bool:
        if self.next >= len(self.lines):
            return False
        line = self.lines[self.next]
        if is_blank(line):
            return False
        if type(line) is not Lazy and (
            interrupts(line) or setext_level(line) or (self.footnotes and FOOTNOTE.match(line))
        ):
            return False
        self.next += 1
        self.text += "\n" + line
        return True


def definition(lines: list[str], at: int, footnotes: bool) -> tuple[int, str] | None:
    """Return the line after the definition that starts here, and its label."""
    source = _Lines(lines, at, footnotes)
    match = _LABEL.match(source.text)
    while match and match[2] is None and match.end() == len(source.text):
        if len(source.text) > _LONGEST_LABEL + 10 or not source.more():
            return None
        match = _LABEL.match(source.text)
    if match is None or match[2] is None or len(match[1]) > _LONGEST_LABEL or not match[1].strip():
        return None
    position = match.end()
    if is_blank(source.text[position:]) and not source.more():
        return None
    target = _DESTINATION.match(source.text, position)
    if target is None or (target[2] is not None and not _balanced(target[2])):
        return None
    position = target.end()
    rest = source.text[position:]
    stop = source.next
    line_ends = is_blank(rest)
    if line_ends and not source.more():
        return stop, match[1]
    after = source.text[position:]
    text = after.lstrip(" \t\n")
    if text != after and text[:1] in _CLOSER and text:
        end = _title_end(source, len(source.text) - len(text))
        if end is not None and is_blank(source.text[end:].partition("\n")[0]):
            return source.next, match[1]
    return (stop, match[1]) if line_ends else None


def _title_end(source: _Lines, start: int) -> int | None:
    opener = source.text[start]
    closer = ")" if opener == "(" else opener
    position = start + 1
    while True:
        match = _CLOSER[opener].match(source.text, position)
        position = match.end() if match else position
        if position < len(source.text):
            return position + 1 if source.text[position] == closer else None
        if not source.more():
            return None


def _balanced(destination: str) -> bool:
    depth = 0
    escaped = False
    for char in destination:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


def definitions(lines: list[str], at: int, footnotes: bool) -> tuple[Span, ...]:
    """Return the definitions that a paragraph starts with, and the paragraph itself if something is left of it."""
    found: list[Span] = []
    while True:
        parsed = definition(lines, at, footnotes) if lines[at].lstrip(" \t").startswith("[") else None
        if parsed is None:
            break
        found.append(("link_reference", at, parsed[0], 0))
        at = parsed[0]
        if at == len(lines) or is_blank(lines[at]):
            return tuple(found)
        line = lines[at]
        if type(line) is not Lazy and (interrupts(line) or (footnotes and FOOTNOTE.match(line))):
            return tuple(found)
    found.append(paragraph(lines, at, footnotes))
    return tuple(found)
