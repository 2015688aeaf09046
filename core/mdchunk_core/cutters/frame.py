"""What stands around every part of one block, and whether a part fits with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..blocks import Block
from ..source import Source
from .levels import chains, levels_of
from .part import Joint, Part, Window

NEARLY = 8
"""A sum of counts is trusted while an eighth of it and half as many tokens are still free."""

SURE = 8
"""Tokens by which a sum of counts may fall short of the count of all together, or exceed it."""

_MARGIN = re.compile(r" *> ?| +|.", re.DOTALL)
_QUOTE = re.compile(r"[ \t]*> ?")
_BLANK = re.compile(r"[ \t]*")


def margin_match(line: str, margin: str) -> tuple[int, int]:
    """How many characters of the line write how many of `margin`: fewer than all in a lazy continuation line.

    >>> margin_match("> text", "> "), margin_match(">text", "> "), margin_match("  text", "    ")
    ((2, 2), (1, 2), (2, 2))
    >>> margin_match("text", "> ")
    (0, 0)
    """
    if not margin:
        return 0, 0
    at = 0
    for piece in _MARGIN.finditer(margin):
        if ">" in piece.group():
            quote = _QUOTE.match(line, at)
            if quote is None:
                return at, piece.start()
            at = quote.end()
        else:
            width = len(piece.group())
            blank = _BLANK.match(line, at, at + width)
            found = blank.group() if blank else ""
            at += len(found)
            if len(found) < width and "\t" not in found:
                return at, piece.start() + len(found)
    return at, len(margin)


def within_known(budget: int, tokens: tuple[int, int], affix: int) -> bool | None:
    """Whether a text of at least and at most so many tokens is within the budget; None if it must be counted."""
    least, most = tokens
    if most + affix + SURE <= budget:
        return True
    return False if least > budget + SURE else None


def within(budget: int, tokens: int, affix: int, exact: Callable[[], int]) -> bool:
    """Whether a text is within the budget, by the sum of its counts where that decides, else by counting all of it."""
    near = tokens + affix
    if near + near // NEARLY + NEARLY // 2 <= budget:
        return True
    if tokens - tokens // NEARLY - NEARLY > budget:
        return False
    return exact() <= budget


def tokens_up_to(count: Callable[[str], int], text: str, most: int) -> int:
    """The tokens of a text; of one that is far too long, those of a beginning that has more than twice `most`.

    >>> tokens_up_to(len, "abc", 2), tokens_up_to(len, "a" * 1_000_000, 100)
    (3, 800)
    """
    reach = 8 * max(most, 8)
    while reach * 4 < len(text):
        tokens = count(text[:reach])
        if tokens > 2 * (most + NEARLY):
            return tokens
        reach *= 8
    return count(text)


def far_above(count: Callable[[str], int], text: str, most: int) -> bool:
    """Whether a long text has far more than `most` tokens, by its beginning alone.

    >>> far_above(len, "a" * 1_000_000, 100), far_above(len, "a" * 101, 100)
    (True, False)
    """
    reach = 6 * most + 8 * NEARLY
    return 2 * len(text) > 3 * reach and count(text[:reach]) > most + most // NEARLY + 2 * NEARLY


def sure(window: Window, start: int, end: int, budget: int, affix: int) -> bool | None:
    """Whether `text[start:end]` with `affix` tokens around it is within the budget; None if it must be counted."""
    span = window.source.text[start:end]
    if window.bytewise and len(span) < budget and window.at_most(span) + affix + SURE <= budget:
        return True
    known = window.known(start, end)
    fits = within_known(budget, known, affix) if known else None
    return False if fits is None and far_above(window.count, span, budget) else fits


class Frame:
    """Counts parts of a block together with what is written around them.

    `headers` are what the cutter wants to repeat before every part but the first, best first. The first one is taken
    that, with `closing` and what the containers write, eats no more than half of the limit.
    """

    def __init__(self, window: Window, margin: str, headers: Sequence[str] = ("",), closing: str = "") -> None:
        self.source: Source = window.source
        self.text: str = window.source.text
        self.count = window.count
        self.window = window
        self.limit = window.limit
        self.room = min(window.room, window.limit)
        self.margin = margin
        self.first = window.first
        self._bare = window.count("")
        self.rest = self.suffix = ""
        around = list(chains(levels_of(window))) if headers != ("",) else [(window.rest, window.suffix)]
        wishes = [(rest + header, closing + suffix) for header in headers for rest, suffix in around]
        wishes += [(header, closing) for header in headers if not margin]
        wishes += [(window.rest, window.suffix), ("", "")]
        for rest, suffix in wishes:
            if self._size(rest + margin) + self._size(suffix) <= window.limit // 2:
                self.rest, self.suffix = rest, suffix
                break
        else:
            self.margin = ""
        self.affix = self._size(self.rest + self.margin) + self._size(self.suffix)
        self.first_affix = self._size(self.first) + self._size(self.suffix)

    def _size(self, text: str) -> int:
        """Tokens of a text; of one that is far too long to be repeated, those of its beginning."""
        return tokens_up_to(self.count, text, self.limit) - self._bare if text else 0

    def starts_line(self, start: int) -> bool:
        """Whether this is the first character of a line."""
        return start == 0 or self.text[start - 1] == "\n"

    def prefix(self, start: int) -> str:
        """What is written before a part that starts here and is not the block's first."""
        if not self.margin:
            return self.rest
        if not self.starts_line(start):
            return self.rest + self.margin
        line = self.source.lines[self.source.line_of(start)]
        return self.rest + self.margin[margin_match(line, self.margin)[1] :]

    def trim(self, start: int, end: int) -> tuple[int, int]:
        """The span without white space around it; a line's own indentation stays. Empty where all is white."""
        end = start + len(self.text[start:end].rstrip())
        if end > start and not self.starts_line(start):
            start = end - len(self.text[start:end].lstrip())
        return start, end

    def fits(self, start: int, end: int, *, first: bool = False, last: bool = False, tokens: int | None = None) -> bool:
        """Whether the span, with what is written around it, is within the limit (the room, for the first).

        `tokens` is the count of the span alone, where it is known.
        """
        budget, affix = (self.room, self.first_affix) if first else (self.limit, self.affix)
        span = self.text[start:end]
        if tokens is None:
            fits = sure(self.window, start, end, budget, affix)
            if fits is not None:
                return fits
            tokens = tokens_up_to(self.count, span, budget)

        def exact() -> int:
            before, after = self.first if first else self.prefix(start), "" if last else self.suffix
            return self.count(before + span + after) if before or after else tokens

        return within(budget, tokens, affix, exact)

    def part(self, start: int, end: int, joint: Joint, depth: int, *, first: bool = False, last: bool = False) -> Part:
        """The span as a part."""
        before = self.first if first else self.prefix(start)
        return Part(start, end, joint, before, "" if last else self.suffix, depth)

    def forced(self, part: Part) -> Part:
        """The part; where it exceeds the limit with what is written around it, nothing is written but what must be."""
        if self.count(part.prefix + self.text[part.start : part.end] + part.suffix) <= self.limit:
            return part
        return part._replace(prefix=part.prefix if part.prefix == self.first else "", suffix="")


def own_start(source: Source, block: Block) -> int:
    r"""Where a block's first part starts: at its line, or behind what its container writes before it on that line.

    >>> from mdchunk_core.blocks import Block
    >>> from mdchunk_core.source import read
    >>> source = read("- one\n\n  two")
    >>> [own_start(source, Block("paragraph", line, line + 1, 0, 2, "  ")) for line in (0, 2)]
    [2, 7]
    """
    start = source.line_starts[block.start]
    if block.column and source.lines[block.start][: block.column].strip(" \t>"):
        return start + block.column
    return start


def own_end(source: Source, block: Block) -> int:
    """Behind the block's last visible character."""
    start, last = source.line_starts[block.start], block.stop - 1
    stop = source.line_starts[last] + len(source.lines[last])
    return start + len(source.text[start:stop].rstrip())
