"""The only module that knows mistletoe: its block driver, with a token class of our own that only reads lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mistletoe.block_tokenizer import tokenize_block

from ._containers import footnote_stop, items, quote_stop
from ._leaves import FOOTNOTE, Span, atx, fence, html, indented, paragraph, thematic_break
from ._references import definitions
from ._rules import INDENTED, Lazy, bullet_or_order, expand

__all__ = ["spans"]


def spans(lines: Sequence[str], *, footnotes: bool) -> list[Span]:
    """Return the blocks of a document or of a container's content, in order, what is in them left closed."""
    reader = _Reader(footnotes)
    tokenize_block(lines, [reader])
    return reader.found


class _Reader:
    """What mistletoe takes for a token class, for one pass over lines. A token is a heading and what is above it."""

    def __init__(self, footnotes: bool) -> None:
        self.footnotes = footnotes
        self.found: list[Span] = []

    def start(self, line: str) -> bool:
        return line != "" and line.strip(" \t") != ""

    def read(self, reader: Any) -> bool:
        """Note down the blocks up to the next heading, it included, and move mistletoe's reader behind them.

        Of each token mistletoe keeps a tuple, which the garbage collector visits again and again.
        """
        lines: list[str] = reader.lines
        found = self.found
        at, end = reader.get_pos() + 1, len(lines)
        while at < end:
            line = lines[at]
            if not line or not line.strip(" \t"):
                at += 1
                continue
            span = self._block(lines, at, line)
            if span is None:
                found += definitions(lines, at, self.footnotes)
                span = found[-1]
            else:
                found.append(span)
            at = span[2]
            if span[0] == "heading":
                break
        reader.set_pos(at - 1)
        return True

    def _block(self, lines: list[str], at: int, line: str) -> Span | None:
        """Read one block; None where link definitions may stand."""
        char = line[0]
        if char in " \t" and type(line) is not Lazy:
            if INDENTED.match(line):
                return indented(lines, at)
            char = line.lstrip(" ")[0]
        span = None
        if char not in _STARTS or type(line) is Lazy:
            pass
        elif char == "[":
            if not self.footnotes or not FOOTNOTE.match(line):
                return None
            span = _trimmed("footnote_definition", lines, at, footnote_stop(lines, at))
        elif char == "#":
            span = atx(lines, at)
        elif char == ">":
            span = _trimmed("block_quote", lines, at, quote_stop(lines, at, self.footnotes))
        elif char in "`~":
            span = fence(lines, at)
        elif char == "<":
            span = html(lines, at)
        else:
            if char in "-*_":
                span = thematic_break(lines, at)
            if span is None and bullet_or_order(expand(line)):
                span = _trimmed("list", lines, at, items(lines, at, self.footnotes)[0])
        return span or paragraph(lines, at, self.footnotes)


_STARTS = frozenset("#>`~<-_*+0123456789[")


def _trimmed(kind: str, lines: list[str], at: int, stop: int) -> Span:
    while stop > at + 1 and not lines[stop - 1].strip(" \t"):
        stop -= 1
    return (kind, at, stop, 0)
