"""Cutting what holds blocks: between them first, then each by its own cutter, with the chain of parents repeated."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from ..blocks import Block, children
from ..merging import Bond, bonds
from ..source import Source
from .frame import SURE, Frame, far_above, own_end, own_start, tokens_up_to, within, within_known
from .levels import Level, Nested, chains, levels_of
from .lines import cut_lines
from .part import Joint, Part, Window
from .words import Filler

WITH_HEADER = frozenset({"table", "html", "mdx"})
"""Kinds whose cutters repeat much themselves and do not shorten the chain for it."""

STAY_WHOLE = frozenset({"table", "fenced_code", "math"})
"""Kinds that go before what their containers would like to repeat."""

MOST_CHARS = 64
"""Characters that a token of something that fits may have; more is not counted."""

LEAST = 4
"""Tokens that one code point can be."""

_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]+\S")
_ANY_HEADING = re.compile(r"\n[ \t>]*#{1,6}[ \t]")

LevelOf = Callable[[Block, int], Level]


class _Chain:
    """What is repeated inside a container, worked out once for each way of it."""

    def __init__(self, window: Window, level_of: LevelOf | None) -> None:
        self.window = window
        self.outer = levels_of(window)
        self.level_of = level_of
        self.bare = window.count("")
        self._known: dict[tuple[Level | None, str, int], tuple[str, str, int, int]] = {}

    def levels(self, child: Block, index: int) -> tuple[Level, ...]:
        return (*self.outer, self.level_of(child, index)) if self.level_of else self.outer

    def around(self, child: Block, levels: tuple[Level, ...]) -> tuple[str, str, int, int]:
        """Prefix and suffix of the parts inside this child, and their tokens."""
        share = 3 if child.kind in WITH_HEADER else 2
        key = (levels[-1] if levels else None, child.margin, share)
        if key not in self._known:
            rest, suffix = self._written(levels, child.margin, self.window.limit // share)
            self._known[key] = (rest, suffix, self.size(rest), self.size(suffix))
        return self._known[key]

    def size(self, text: str) -> int:
        return self.window.count(text) - self.bare if text else 0

    def _written(self, levels: tuple[Level, ...], margin: str, most: int) -> tuple[str, str]:
        for rest, suffix in chains(levels):
            if self.size(rest + margin) + self.size(suffix) <= most:
                return rest, suffix
        return "", ""


def cut_inside(block: Block, window: Window, inner: Sequence[Block], level_of: LevelOf | None = None) -> list[Part]:
    """The parts of a container: each block in it that fits is one, each other is cut by its own cutter.

    `level_of(child, index)` says what the container repeats before what is inside this child; without it nothing.
    """
    source, text, count = window.source, window.source.text, window.count
    chain = _Chain(window, level_of)
    starts = [own_start(source, child) for child in inner]
    starts[0] = own_start(source, block)
    first_tokens = chain.size(window.first)
    end = own_end(source, block)
    opening = text[starts[0] : _visible(text, own_start(source, inner[0]), end)]
    opened = chain.size(window.first + opening)
    if opened * 4 > window.limit * 3 or opened + LEAST > window.limit:
        return cut_lines(block, window)
    plain = () if chain.outer or level_of else ("", "", 0, 0)
    sure = window.whole and not chain.outer
    starts.append(end)
    final = len(inner) - 1
    ties = {} if block.kind == "list" else bonds(source, inner, repeated=())
    held = 0  # tokens of the headings straight above
    parts: list[Part] = []
    ends: list[tuple[int, Block]] = []
    for index, child in enumerate(inner):
        if index:
            ends.append((len(parts) - 1, inner[index - 1]))
        start, last = starts[index], index == final
        whole = text[start : starts[index + 1]].rstrip()
        if not whole:
            continue
        stop = start + len(whole)
        levels = chain.levels(child, index)
        rest, suffix, rest_tokens, suffix_tokens = plain or chain.around(child, levels)
        prefix, tokens = (rest, rest_tokens) if index else (window.first, first_tokens)
        budget = window.limit if index else min(window.room, window.limit)
        after = "" if last else suffix
        tie = ties.get(index)
        beside = max(budget - held, budget // 8) if tie is not None and tie.heading else budget
        budget = budget if child.kind in STAY_WHOLE else beside
        held = held + chain.size(text[start : starts[index + 1]]) if child.kind == "heading" else 0
        if (sure and not rest) or (
            window.bytewise and len(whole) < budget and window.at_most(whole) + tokens + suffix_tokens + SURE <= budget
        ):
            parts.append(Part(start, stop, Joint.ITEM, prefix, after, window.depth, tie))
            continue
        known = window.known(start, stop)
        fits = within_known(budget, known, tokens + suffix_tokens) if known else None
        if fits is None:
            exact = partial(count, prefix + whole + after)
            fits = not far_above(count, whole, budget) and within(
                budget, tokens_up_to(count, whole, budget), tokens + suffix_tokens, exact
            )
        if fits:
            parts.append(Part(start, stop, Joint.ITEM, prefix, after, window.depth, tie))
            continue
        kept = _kept_whole(child, window, start, stop, index, levels, last)
        if kept:
            parts += [kept[0]._replace(bond=tie), *kept[1:]]
            continue
        # What stands behind the child's last part, such as the container's own end, needs room too.
        behind = text[own_end(source, child) : stop] + after
        spare = chain.size(behind) + 1 if behind else 0
        limit = window.limit - spare if spare * 4 <= window.limit else window.limit
        own = own_start(source, child)
        before = prefix if index else prefix + text[start : _visible(text, own, stop)]
        room = beside - spare if spare * 4 <= beside else beside
        around = Nested(
            source,
            count,
            limit,
            room,
            before,
            rest,
            suffix,
            "",
            window.depth + 1,
            levels=levels,
            ceiling=ceiling(window),
            bytewise=window.bytewise,
            sums=window.sums,
        )
        made = _cut(child, around)
        if not made:  # only its container's mark is visible
            frame = Frame(around, child.margin)
            made = Filler(frame, window.depth).fill(start, stop, Joint.ITEM, first=True, last=last, lines=Joint.LINE)
        begin, written = made[0].start, made[0].prefix
        if written == before:
            begin, written = begin if index else start, prefix
        elif not index:  # what stays whole needed the room
            opening = text[start:own].rstrip()
            if not opening or count(prefix + text[start : made[0].end] + made[0].suffix) <= window.limit:
                begin, written = start, prefix if opening else written
            else:
                parts.append(Part(start, start + len(opening), Joint.ITEM, prefix, "", window.depth))
        made[0] = made[0]._replace(start=begin, prefix=written, joint=Joint.ITEM, depth=window.depth, bond=tie)
        parts += made
        if behind:
            _reach_out(parts, stop, after, Frame(_with_limit(around, window.limit), child.margin), last)
    _move_headings(parts, ends, window)
    return [parts[0]._replace(joint=Joint.BLOCK), *parts[1:]] if parts else []


def _move_headings(parts: list[Part], ends: Sequence[tuple[int, Block]], window: Window) -> None:
    """A heading at the end of an item belongs to what follows, though CommonMark puts it into the item.

    `ends` are the items but the last, each behind the number of its last part.
    """
    text = window.source.text
    if not parts or not _ANY_HEADING.search(text, parts[0].start, parts[-1].end):
        return
    for number, child in ends:
        if child.kind == "heading" or not 0 <= number < len(parts) - 1:
            continue
        part, following = parts[number], parts[number + 1]
        line = text.rfind("\n", 0, part.end) + 1
        if not _HEADING.match(text, line, part.end) or not _ends_in_heading(window.source, child):
            continue
        end = part.start + len(text[part.start : max(line, part.start)].rstrip())
        if not text[part.start : end].strip(" \t>"):
            bond = Bond("forward", "heading -> body", "heading", True, window.source.line_of(line) + 1)
            parts[number + 1] = following._replace(bond=bond)
        elif window.count(following.prefix + text[line : following.end] + following.suffix) <= window.limit:
            parts[number] = part._replace(end=end)
            parts[number + 1] = following._replace(start=line)


def _ends_in_heading(source: Source, block: Block) -> bool:
    inner = children(source, block)
    while inner:
        block = inner[-1]
        inner = children(source, block)
    return block.kind == "heading"


def _kept_whole(
    child: Block, window: Window, start: int, stop: int, index: int, levels: tuple[Level, ...], last: bool
) -> list[Part]:
    """A table, fence or formula that fits the limit, with as much of its containers around it as it leaves room for."""
    source, text = window.source, window.source.text
    end, own = own_end(source, child), own_start(source, child)
    limit = ceiling(window)
    if child.kind not in STAY_WHOLE or end - own > limit * MOST_CHARS:
        return []
    if window.count(text[own:end].strip()) > limit:
        return []
    opening = (
        [] if index or not text[start:own].strip() else [Part(start, start + len(text[start:own].rstrip()), Joint.ITEM)]
    )
    closing = [] if end == stop else [Part(_visible(text, end, stop), stop, Joint.LINE, depth=window.depth)]
    begins = [start, own, _visible(text, own, end)] if index else [own, _visible(text, own, end)]
    arounds = [*chains(levels), ("", "")]
    if opening and text[own - 1] == "\n":
        if window.count(window.first + text[start : opening[0].end]) > limit:
            return []
        opening = [opening[0]._replace(prefix=window.first, depth=window.depth)]
    elif opening:  # on the same line
        alone = text[start - 1 : start] in ("", "\n")  # else the containers further out add what they have there
        opening, begins, arounds = [], [start], [(window.first, ""), *([("", "")] if alone else [])]
    elif not index:
        begins, arounds = [start, *begins], [(window.first, ""), ("", "")]
    for begin in dict.fromkeys(begins):
        for before, after in arounds:
            suffix = "" if last and not closing else after
            if window.count(before + text[begin:end] + suffix) <= limit:
                return [*opening, Part(begin, end, Joint.ITEM, before, suffix, window.depth), *closing]
    return []


def ceiling(window: Window) -> int:
    """What a part may have that must stay whole."""
    return window.ceiling if isinstance(window, Nested) else window.limit


def _visible(text: str, start: int, stop: int) -> int:
    """The first visible character."""
    return stop - len(text[start:stop].lstrip())


def _cut(block: Block, window: Window) -> list[Part]:
    from . import cut  # which knows all cutters, the callers of this function among them

    return cut(block, window)


def _with_limit(window: Nested, limit: int) -> Window:
    return Window(window.source, window.count, limit, limit, "", window.rest, window.suffix, "", window.depth)


def _reach_out(parts: list[Part], stop: int, after: str, frame: Frame, last: bool) -> None:
    """Let the last part reach to `stop` and close it, if that fits; else what is left becomes parts of its own."""
    text = frame.text
    part = parts[-1]
    prefix, end = part.prefix, part.end
    if frame.count(prefix + text[part.start : stop] + after) <= frame.limit:
        parts[-1] = part._replace(end=stop, suffix=after)
        return
    if frame.count(prefix + text[part.start : end] + frame.suffix) <= frame.limit:
        parts[-1] = part._replace(suffix=frame.suffix)
    if text[end:stop].strip():
        parts += Filler(frame, part.depth).fill(end, stop, Joint.LINE, last=last, lines=Joint.LINE)
