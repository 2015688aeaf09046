"""Which neighbours belong together, in which direction, and why (DESIGN.md section 4).

A signal names a direction; position decides. A note straight under a heading goes forward onto what it qualifies, a
caption to the table beside it, and nothing is bound across the border of a section, but for the mark of a slide or page
that stands before its heading.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from ._signal import LONGEST
from .blocks import Block
from .pages import MARK_BEGINNINGS, furniture, page_mark
from .signals import CAPTIONS, LABEL, LEAD_INS, TITLES, Signal, matching
from .source import Source

MOST_LINES = 6
"""Of a block that is made of notes, such as a version box."""

BESIDE = {
    "": frozenset[str](),
    "table": frozenset({"table"}),
    "figure": frozenset({"table", "figure", "html", "math", "fenced_code", "indented_code"}),
    "code": frozenset({"table", "fenced_code", "indented_code"}),
    "list": frozenset({"list"}),
}
"""The kinds that `Signal.beside` stands for; `figure` as a kind is a paragraph of images."""

_LABELLED = BESIDE[LABEL.beside]
_TITLES = frozenset(signal for _, signal in TITLES)
_CAPTIONS = frozenset(signal for _, signal in CAPTIONS)
_LEAD_IN_ENDS = (":", "：", "*", "_", "`", '"', "”", "」", ")", "）", "...", "…")
_CLOSERS = ("", "heading", "thematic_break")
"""Kinds of the block behind the last one of a section or page; empty for none."""
_IMAGES = re.compile(r"^\s*(?:\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?\s*)+$|^\s*<img\b[^>]*>\s*$")
_HTML_TITLE = re.compile(r"^\s{0,3}<h([1-6])\b[^>]*>.{0,300}</h\1>\s*$", re.IGNORECASE | re.DOTALL)
_QUOTE_MARK = re.compile(r"^[ >]*(?:\[![A-Za-z]+\])?")


class Bond(NamedTuple):
    """Holds a block to the block before it."""

    direction: str
    """`forward`: the block before belongs to this one. `backward`: this one belongs to the block before."""
    rule: str
    """`heading -> body`, `validity -> table`: what belongs to what."""
    signal: str
    heading: bool = False
    line: int = 0
    """1-based line of the heading or signal."""
    qualifies: bool = False
    """Whether the block that has the signal limits what its section says."""
    mark: bool = False
    """Whether that block is a page or slide mark, furniture or footer: nothing that introduces or explains."""

    @property
    def lead_in(self) -> bool:
        """Whether the block before introduces this one, so that it may be repeated with its parts."""
        return self.direction == "forward" and not self.heading and not self.mark


class _Found(NamedTuple):
    """What a block is: the direction that it asks for and why."""

    direction: str
    name: str
    qualifies: bool = False
    mark: bool = False
    beside: str = ""
    either_side: bool = False
    opens: bool = False
    """A title: what follows it stands at a beginning."""


def bonds(
    source: Source, blocks: Sequence[Block], signals: Sequence[Signal] = (), repeated: Container[int] | None = None
) -> dict[int, Bond]:
    r"""The bonds of a document, by the index of the second of the two blocks.

    `signals` are the caller's, asked before the built-in ones. `repeated` are the blocks that are page furniture; None
    looks for them.

    >>> from .blocks import parse
    >>> from .source import read
    >>> document = read("# Rates\n\nValid from 1 May 2026.\n\nHotels: 90 EUR.\n\nStand: 01.04.2026")
    >>> [(index, bond.rule) for index, bond in bonds(document, parse(document)).items()]
    [(1, 'heading -> body'), (2, 'validity -> paragraph'), (3, 'stand -> paragraph')]
    """
    if repeated is None:
        repeated = furniture(source, blocks)
    found: dict[int, Bond] = {}
    opening = True  # nothing but headings, titles and notes since the section, page or slide began
    captions = _Captions()
    last = len(blocks) - 1
    lines = source.lines
    for index, block in enumerate(blocks):
        kind = block.kind
        if kind == "heading":
            if index < last:
                what = "heading" if blocks[index + 1].kind == "heading" else "body"
                found[index + 1] = Bond("forward", f"heading -> {what}", "heading", True, block.start + 1)
            opening = True
            continue
        what_it_is: _Found | None = None
        if kind == "paragraph" or kind == "block_quote":
            what_it_is = _read_text(lines, blocks, index, signals, repeated, opening)
        elif kind == "html":
            what_it_is = _read_html(lines, block)
        elif kind == "list":
            what_it_is = _read_list(lines, blocks, index)
        if what_it_is is None:
            opening = opening and kind == "thematic_break"
            continue
        before = blocks[index - 1] if index and blocks[index - 1].kind != "heading" else None
        after = blocks[index + 1] if index < last else None
        inside = after if after is not None and after.kind != "heading" else None
        if what_it_is.either_side:
            captions.add(index, what_it_is, block.start + 1)
            opening = False
        elif what_it_is.direction == "forward":
            _onward(found, index, what_it_is, block, after if what_it_is.mark else inside)
            opening = what_it_is.opens
        elif inside is not None and (opening or before is None):
            _onward(found, index, what_it_is, block, inside)
            opening = True
        elif before is not None and index not in found:
            _back(found, lines, blocks, index, what_it_is)
            opening = False
    captions.settle(found, lines, blocks)
    return found


def _onward(found: dict[int, Bond], index: int, what: _Found, block: Block, onto: Block | None) -> None:
    if onto is not None and (onto.kind != "thematic_break" or what.mark):
        rule = f"{what.name} -> {onto.kind}"
        found[index + 1] = Bond("forward", rule, what.name, False, block.start + 1, what.qualifies, what.mark)


def _back(found: dict[int, Bond], lines: Sequence[str], blocks: Sequence[Block], index: int, what: _Found) -> None:
    """Bind the block to the one before it, and over a rule to what stands before that."""
    at = index
    if blocks[index - 1].kind == "thematic_break" and index > 1 and blocks[index - 2].kind != "heading":
        at = index - 1
    onto = _kind(lines, blocks[at - 1])
    for joint in range(at, index + 1):
        if joint not in found:
            found[joint] = Bond(
                "backward", f"{what.name} -> {onto}", what.name, False, blocks[index].start + 1,
                what.qualifies and joint == index, what.mark,
            )  # fmt: skip


def _kind(lines: Sequence[str], block: Block) -> str:
    """The block's kind; `figure` for a paragraph of images."""
    if block.kind == "paragraph" and block.stop - block.start == 1 and _IMAGES.match(lines[block.start]):
        return "figure"
    return block.kind


def _beside(signal: Signal, lines: Sequence[str], blocks: Sequence[Block], index: int) -> bool:
    """Whether the neighbour is there that the signal asks for."""
    if not signal.beside:
        return True
    wanted = BESIDE[signal.beside]
    if signal.either_side:
        return True
    neighbour = index - 1 if signal.direction == "backward" else index + 1
    return 0 <= neighbour < len(blocks) and _kind(lines, blocks[neighbour]) in wanted


def _read_text(
    lines: Sequence[str],
    blocks: Sequence[Block],
    index: int,
    signals: Sequence[Signal],
    repeated: Container[int],
    opening: bool,
) -> _Found | None:
    """What a paragraph or quote is, if its lines are short enough to be more than text."""
    block = blocks[index]
    count = block.stop - block.start
    first = lines[block.start].strip()
    quoted = block.kind == "block_quote"
    if quoted:
        if count > 2:
            return None
        first = _QUOTE_MARK.sub("", lines[block.stop - 1]).strip()
    last = first if count == 1 else lines[block.stop - 1].strip()
    following = blocks[index + 1].kind if index + 1 < len(blocks) else ""
    short = count <= 2 and len(first) + len(last) <= 2 * LONGEST
    if signals and short:
        for signal in signals:
            line = last if signal.direction == "forward" else first
            if signal.matches(line) and _beside(signal, lines, blocks, index):
                return _Found(signal.direction, signal.name, signal.qualifies, False, signal.beside, signal.either_side)
    if not quoted:
        if last.endswith(_LEAD_IN_ENDS) and not last.startswith((":::", "///")):
            for signal in LEAD_INS:
                if following and _beside(signal, lines, blocks, index) and _ends_open(signal, last):
                    return _Found("forward", signal.name, opens=True)
        if index in repeated:
            return _Found("backward", "page_furniture", mark=True)
    if count > MOST_LINES or len(first) > LONGEST:
        return None
    if count == 1 and not quoted and first.startswith(MARK_BEGINNINGS) and page_mark(first):
        return _Found("forward", "page", mark=True, opens=True)
    matches = matching(first)
    if matches:
        closing = following in _CLOSERS
        for signal in matches:
            if signal in _CAPTIONS or signal in _TITLES:
                if count > 1 or quoted or (signal in _TITLES and following in _CLOSERS):
                    continue
                if signal in _TITLES:
                    mark = signal.name in ("slide", "sheet")
                    return _Found("forward", signal.name, mark=mark, opens=True)
                return _Found("forward", signal.name, beside=signal.beside, either_side=True)
            if signal.name == "version" and following == "list" and not opening:
                return _Found("forward", signal.name, opens=True)
            if not _beside(signal, lines, blocks, index) and not (signal.name == "remark" and closing):
                continue
            if count > 1 and signal.qualifies and not notes_throughout(lines, block):
                continue
            return _Found("backward", signal.name, signal.qualifies, mark=not signal.qualifies)
    if count == 1 and not quoted:
        if following in _LABELLED and len(first) <= 60 and LABEL.matches(first):
            return _Found("forward", "label")
        if len(first) <= 4 and first.isdecimal() and _at_page_end(blocks, index):
            return _Found("backward", "page_number", mark=True)
    if index and blocks[index - 1].kind == "table" and _closes_table(lines, block, following):
        return _Found("backward", "remark")
    return None


def _ends_open(signal: Signal, line: str) -> bool:
    """Lead-ins count at the end of a line of any length: only the end is looked at."""
    return signal.matches(line[-LONGEST:])


def notes_throughout(lines: Sequence[str], block: Block) -> bool:
    """Whether at least half of the block's lines, the first included, are notes."""
    texts = [lines[number].strip() for number in range(block.start, block.stop)]
    notes = sum(any(signal.direction == "backward" for signal in matching(text)) for text in texts)
    return 2 * notes >= len(texts) and max(map(len, texts)) <= LONGEST


def _closes_table(lines: Sequence[str], block: Block, following: str) -> bool:
    """Whether this paragraph behind a table is a short last word: the exception, the total."""
    if block.kind != "paragraph" or following not in _CLOSERS or block.stop - block.start > 2:
        return False
    return sum(len(lines[number]) for number in range(block.start, block.stop)) <= LONGEST


def _at_page_end(blocks: Sequence[Block], index: int) -> bool:
    """Whether a lone number stands where page numbers do: between what could be the ends of pages."""
    before = index > 0 and blocks[index - 1].kind != "heading"
    return before and (index + 1 == len(blocks) or blocks[index + 1].kind == "thematic_break")


def _read_html(lines: Sequence[str], block: Block) -> _Found | None:
    """An HTML heading, or a comment that marks a page or slide."""
    if block.stop - block.start > 3:
        return None
    first = lines[block.start].strip()
    if first.startswith("<!--"):
        mark = page_mark(first) if block.stop - block.start == 1 else None
        if mark is None:
            return None
        return _Found("forward" if mark.starts else "backward", mark.name, mark=True, opens=mark.starts)
    if first[:2].lower() == "<h" and _HTML_TITLE.match("\n".join(lines[block.start : block.stop])):
        return _Found("forward", "html_heading", opens=True)
    return None


_PAGE_LIST = re.compile(r"^ {0,3}- \d{1,4} -\s*$")


def _read_list(lines: Sequence[str], blocks: Sequence[Block], index: int) -> _Found | None:
    """Lists that were never meant as such: `- 12 -`, and the one line `* incl. VAT` under a table."""
    block = blocks[index]
    if block.stop - block.start > 1:
        return None
    line = lines[block.start]
    if _PAGE_LIST.match(line):
        return _Found("backward", "page_number", mark=True)
    if index and blocks[index - 1].kind == "table" and line.startswith("* ") and len(line) <= LONGEST:
        return _Found("backward", "footnote", qualifies=True)
    return None


class _Captions:
    """Captions wait until the document's habit is known: those with a table on both sides follow the others."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, _Found, int]] = []

    def add(self, index: int, what: _Found, line: int) -> None:
        self._waiting.append((index, what, line))

    def settle(self, found: dict[int, Bond], lines: Sequence[str], blocks: Sequence[Block]) -> None:
        habit: dict[str, int] = {}
        unclear: list[tuple[int, _Found, int, str, str]] = []
        for index, what, line in self._waiting:
            before, after = self._sides(what, lines, blocks, index)
            if before and after:
                unclear.append((index, what, line, before, after))
                continue
            side = before or after
            if side:
                habit[side] = habit.get(side, 0) + (1 if after else -1)
                _caption_bond(found, index, what, line, side, bool(after))
        for index, what, line, before, after in unclear:
            ahead = habit.get(after, 0) >= 0
            _caption_bond(found, index, what, line, after if ahead else before, ahead)

    @staticmethod
    def _sides(what: _Found, lines: Sequence[str], blocks: Sequence[Block], index: int) -> tuple[str, str]:
        """Kinds of what a caption could belong to, before and after it; empty where there is none."""
        wanted = BESIDE[what.beside]
        around = [_kind(lines, blocks[k]) if 0 <= k < len(blocks) else "" for k in (index - 1, index + 1)]
        before, after = (kind if kind in wanted else "" for kind in around)
        return before, after


def _caption_bond(found: dict[int, Bond], index: int, what: _Found, line: int, onto: str, ahead: bool) -> None:
    joint = index + 1 if ahead else index
    if joint not in found:
        direction = "forward" if ahead else "backward"
        found[joint] = Bond(direction, f"{what.name} -> {onto}", what.name, False, line, what.qualifies)


def bound_blocks(found: Mapping[int, Bond]) -> Iterator[tuple[int, Bond]]:
    """Each bond with the index of the block that has the signal."""
    for index, bond in found.items():
        yield (index - 1 if bond.direction == "forward" else index), bond
