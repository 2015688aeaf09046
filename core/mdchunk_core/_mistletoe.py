"""The only module that knows mistletoe: its block driver, with a token class of our own that only reads lines."""

from __future__ import annotations

from typing import Any

from mistletoe.block_tokenizer import tokenize_block

from ._containers import footnote_stop, items, quote_stop
from ._leaves import FOOTNOTE, Span, atx, fence, html, indented, paragraph, thematic_break
from ._references import definitions
from ._rules import INDENTED, Lazy, bullet_or_order, expand

__all__ = ["spans"]


def spans(lines: list[str], *, footnotes: bool) -> list[Span]:
    """Return the blocks of a document or of a container's content, in order, what is in them left closed."""
    return [span for _, read, _ in tokenize_block(lines, [_Reader(footnotes)]) for span in read]


class _Reader:
    """What mistletoe takes for a token class. It has no state but its configuration."""

    def __init__(self, footnotes: bool) -> None:
        self.footnotes = footnotes

    def start(self, line: str) -> bool:
        return line != "" and line.strip(" \t") != ""

    def read(self, reader: Any) -> tuple[Span, ...]:
        """Read one block, move mistletoe's reader behind it and the empty lines after it, give kind and lines."""
        lines: list[str] = reader.lines
        found = self._read(lines, reader.get_pos() + 1)
        behind = found[-1][2]
        end = len(lines)
        while behind < end and not lines[behind]:
            behind += 1
        reader.set_pos(behind - 1)
        return found

    def _read(self, lines: list[str], at: int) -> tuple[Span, ...]:
        line = lines[at]
        char = line[0]
        if char in " \t" and type(line) is not Lazy:
            if INDENTED.match(line):
                return (indented(lines, at),)
            char = line.lstrip(" ")[0]
        if char not in _STARTS or type(line) is Lazy:
            return (paragraph(lines, at, self.footnotes),)
        if char == "[":
            if self.footnotes and FOOTNOTE.match(line):
                return (_trimmed("footnote_definition", lines, at, footnote_stop(lines, at)),)
            return definitions(lines, at, self.footnotes)
        span = None
        if char == "#":
            span = atx(lines, at)
        elif char == ">":
            return (_trimmed("block_quote", lines, at, quote_stop(lines, at, self.footnotes)),)
        elif char in "`~":
            span = fence(lines, at)
        elif char == "<":
            span = html(lines, at)
        else:
            if char in "-*_":
                span = thematic_break(lines, at)
            if span is None and bullet_or_order(expand(line)):
                return (_trimmed("list", lines, at, items(lines, at, self.footnotes)[0]),)
        return (span or paragraph(lines, at, self.footnotes),)


_STARTS = frozenset("#>`~<-_*+0123456789[")


def _trimmed(kind: str, lines: list[str], at: int, stop: int) -> Span:
    while stop > at + 1 and not lines[stop - 1].strip(" \t"):
        stop -= 1
    return (kind, at, stop, 0)
