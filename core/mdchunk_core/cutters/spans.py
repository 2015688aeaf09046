"""Inline Markdown that a cut should spare: code, links, images, tags, addresses, formulas, numbers."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

__all__ = ["Span", "masked", "spans"]

SHORTCUT = 80
"""Characters of bracketed text that is taken for a reference when no destination follows it."""

_TOKEN = re.compile(
    r"\\[!-/:-@\[-`{-~]"
    r"|`+"
    r"|<[A-Za-z/!?][^<>]*>"
    r"|!?\["
    r"|\]"
    r"|[()]"
    r"|(?<![\w/])(?:(?:https?|ftp)://|www\.|data:[\w.+-]+/[\w.+-]+[;,])[^\s<>()\[\]`\"、。，；：！？「」『』（）【】《》]+"
    r"|\$(?=[^\s$])[^$\n]*[^\s$\\]\$(?!\d)"
    r"|(?<![\w.,])\d{1,3}(?: \d{3})+(?!\w)"
)
_TICKS = re.compile("`+")
_SPACE = re.compile(r"\s+")
_EMPHASIS = re.compile(r"[*_~`]+")
_ENDS = re.compile(r"[.,:;!?'\"*_~]+$")


class Span(NamedTuple):
    """`text[start:end]`, half-open, in characters of the text that was scanned."""

    start: int
    end: int
    before: bool = False
    """It closes what stands before it, as `</b>` or a footnote mark: a sentence ends behind it, not before."""


class _Scanner:
    """One walk from left to right; every bracket, parenthesis and tick is looked at once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Span] = []
        self._brackets: list[tuple[int, int]] = []  # where it opens, where the link that it belongs to starts
        self._round: list[tuple[int, int]] = []  # where it opens, where its link starts or -1
        self._spaces = [match.span() for match in _SPACE.finditer(text)] if "](" in text else []
        self._space_starts = [start for start, _ in self._spaces]
        self._ticks: dict[int, list[int]] = {}
        for match in _TICKS.finditer(text):
            self._ticks.setdefault(len(match.group()), []).append(match.start())

    def run(self) -> list[Span]:
        at = 0
        search = _TOKEN.search
        while match := search(self.text, at):
            at = match.end()
            token = match.group()
            mark = token[0]
            if mark == "`":
                at = self._code(match.start(), len(token))
            elif mark == "<":
                opens = token[1].isalpha() and not token.startswith(("<br", "<BR"))
                self.found.append(Span(match.start(), at, not opens))
            elif mark in "![":
                self._brackets.append((match.start(), match.start()))
            elif mark == "]":
                at = self._close_bracket(match.start())
            elif mark == "(":
                self._round.append((match.start(), -1))
            elif mark == ")":
                self._close_round(match.start())
            elif mark != "\\":
                tail = _ENDS.search(token) if mark not in "$0123456789" else None
                at -= len(tail.group()) if tail and tail.start() else 0
                self.found.append(Span(match.start(), at))
        return self.found

    def _code(self, start: int, width: int) -> int:
        runs = self._ticks.get(width, [])
        later = bisect_right(runs, start)
        if later == len(runs):
            return start + width
        self.found.append(Span(start, runs[later] + width))
        return runs[later] + width

    def _close_bracket(self, at: int) -> int:
        if not self._brackets:
            return at + 1
        start, owner = self._brackets.pop()
        text = self.text
        following = text[at + 1 : at + 2]
        if owner < start or text[start + 1 : start + 2] == "^":
            self.found.append(Span(owner, at + 1, owner == start))
        elif following == "(":
            self._round.append((at + 1, start))
            return at + 2
        elif following == "[":
            self._brackets.append((at + 1, start))
            return at + 2
        elif at - start <= SHORTCUT:
            self.found.append(Span(start, at + 1))
        return at + 1

    def _close_round(self, at: int) -> None:
        if not self._round:
            return
        opening, link = self._round.pop()
        if link >= 0 and self._is_destination(opening + 1, at):
            self.found.append(Span(link, at + 1))

    def _is_destination(self, start: int, end: int) -> bool:
        """An address without white space, or in angle brackets, and perhaps a title in quotes."""
        nearest = bisect_right(self._space_starts, start - 1)
        if nearest < len(self._spaces) and self._spaces[nearest][0] == start:
            start = self._spaces[nearest][1]
            nearest += 1
        if nearest == len(self._spaces) or self._spaces[nearest][0] >= end:
            return True
        behind = self._spaces[nearest][1]
        return behind >= end or self.text[behind] in "\"'(" or self.text[start] == "<"


def spans(text: str) -> list[Span]:
    """The stretches to spare, in order and apart: of nested ones the outermost.

    >>> text = "See [a link](b.md), `code. x` and <b>https://c.d/e?f</b>."
    >>> [text[span.start:span.end] for span in spans(text)]
    ['[a link](b.md)', '`code. x`', '<b>', 'https://c.d/e?f', '</b>']
    """
    merged: list[Span] = []
    for span in sorted(_Scanner(text).run()):
        if merged and span.start < merged[-1].end:
            if span.end > merged[-1].end:
                merged[-1] = Span(merged[-1].start, span.end)
        else:
            merged.append(span)
    return merged


def masked(text: str, spared: list[Span]) -> str:
    """The text, as long as before, with inline Markdown written as letters or blanks, for a sentence segmenter."""
    pieces: list[str] = []
    at = 0
    opened = False
    for span in [*spared, Span(len(text), len(text))]:
        plain = text[at : span.start]
        last = 0
        for match in _EMPHASIS.finditer(plain):
            begin, end = match.span()
            closes = opened and begin > 0 and not plain[begin - 1].isspace()
            opens = not closes and end < len(plain) and not plain[end].isspace()
            opened = opens or (opened and not closes)
            pieces += (plain[last:begin], (" " if closes else "X") * (end - begin))
            last = end
        pieces += (plain[last:], (" " if span.before else "X") * (span.end - span.start))
        at = span.end
    return "".join(pieces)
