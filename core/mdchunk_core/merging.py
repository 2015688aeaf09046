"""Which neighbours belong together, in which direction, and why (DESIGN.md section 4).

A signal names a direction; position decides. A note straight under a heading goes forward onto what it qualifies, a
caption to the table beside it, and nothing is bound across the border of a section, but for the mark of a slide, page
or element that stands before its heading.

Two things are seen in the blocks themselves: a heading, and a paragraph that goes on with what stands above it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from .blocks import Block
from .pages import furniture
from .roles import BESIDE, Role, block_kind, goes_on, role, shows_nothing
from .signals import Signal
from .source import Source

HEADING_ABOVE = "heading_above"
"""The signal of a heading that is bound over what shows nothing."""
MOST_SILENT = 4
"""Blocks below a heading that show nothing, over which it is bound to its text."""
MOST_TABLE_BLOCKS = 200
"""Blocks that are searched for the end of an HTML table."""
_TABLE_TAG = re.compile(r"<table\b")


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
    """Whether that block is a page or slide mark, furniture, a footer or only tags: nothing that explains."""

    @property
    def behind_mark(self) -> bool:
        """Whether the block before only marks the page, slide or element that begins here."""
        return self.mark and self.direction == "forward"

    @property
    def lead_in(self) -> bool:
        """Whether the block before introduces this one, so that it may be repeated with its parts."""
        return self.direction == "forward" and not self.heading and not self.mark


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
    captions: list[tuple[int, Role]] = []
    tables: dict[int, int] = {}  # how many HTML tables a block opens, less those it closes
    last = len(blocks) - 1
    lines = source.lines
    heading = 0
    for index, block in enumerate(blocks):
        kind = block.kind
        if kind == "heading":
            if index < last:
                rule = "heading -> heading" if blocks[index + 1].kind == "heading" else "heading -> body"
                found[index + 1] = Bond("forward", rule, "heading", True, block.start + 1)
            opening = True
            heading = index
            continue
        # Over what shows nothing, a heading is bound to its text, or to a heading below it: but a mark to the next one.
        bond = found.get(index)
        silent = bond is not None and bond.heading and index - heading <= MOST_SILENT and shows_nothing(lines, block)
        if bond and silent and index < last and blocks[index + 1].kind != "heading":
            found[index + 1] = bond._replace(rule="heading -> body", signal=HEADING_ABOVE)
            continue
        if kind == "html" and (balance := _open_tables(lines, block)):
            tables[index] = balance
        is_what = None if index in tables else role(lines, blocks, index, signals, repeated, opening)
        if is_what is None:
            if bond and silent and index < last and blocks[index + 1].level > blocks[heading].level:
                found[index + 1] = bond._replace(rule="heading -> heading", signal=HEADING_ABOVE)
            opening = opening and kind == "thematic_break"
        elif is_what.either_side:
            captions.append((index, is_what))
            opening = False
        else:
            opening = _bind(found, lines, blocks, index, is_what, opening)
        if kind == "paragraph" and index and index not in found and goes_on(lines, blocks, index):
            rule = f"continuation -> {blocks[index - 1].kind}"
            found[index] = Bond("backward", rule, "continuation", line=block.start + 1)
    if captions:
        _bind_captions(found, lines, blocks, captions)
    for index, balance in tables.items():
        if balance > 0:
            _bind_table(found, tables, blocks, index)
    return found


def bound_blocks(found: Mapping[int, Bond]) -> Iterator[tuple[int, Bond]]:
    """Each bond with the index of the block that has the signal."""
    for index, bond in found.items():
        yield (index - 1 if bond.direction == "forward" else index), bond


def _bind(
    found: dict[int, Bond], lines: Sequence[str], blocks: Sequence[Block], index: int, is_what: Role, opening: bool
) -> bool:
    """Bind the block as its place in the section asks. Return whether what follows stands at a beginning."""
    following = blocks[index + 1].kind if index + 1 < len(blocks) else "heading"
    first = not index or blocks[index - 1].kind == "heading"
    if is_what.direction == "forward":
        if following != "heading" or (is_what.mark and index + 1 < len(blocks)):
            _onward(found, blocks, index, is_what)
        return is_what.opens
    if following != "heading" and (opening or first):
        _onward(found, blocks, index, is_what)
        return True
    if not first and index not in found:
        _back(found, lines, blocks, index, is_what)
    return False


def _onward(found: dict[int, Bond], blocks: Sequence[Block], index: int, is_what: Role) -> None:
    onto = blocks[index + 1].kind
    if onto != "thematic_break" or is_what.mark:
        found[index + 1] = _bond(is_what, "forward", onto, blocks[index])


def _back(found: dict[int, Bond], lines: Sequence[str], blocks: Sequence[Block], index: int, is_what: Role) -> None:
    """Bind the block to the one before it, and over a rule to what stands before that."""
    onto = index - 1
    if blocks[onto].kind == "thematic_break" and onto and blocks[onto - 1].kind != "heading":
        onto -= 1
    bond = _bond(is_what, "backward", block_kind(lines, blocks[onto]), blocks[index])
    found[index] = bond
    if onto < index - 1 and index - 1 not in found:
        found[index - 1] = bond._replace(qualifies=False)


def _bond(is_what: Role, direction: str, onto: str, block: Block) -> Bond:
    rule = f"{is_what.name} -> {onto}"
    return Bond(direction, rule, is_what.name, False, block.start + 1, is_what.qualifies, is_what.mark)


def _bind_captions(
    found: dict[int, Bond], lines: Sequence[str], blocks: Sequence[Block], captions: Sequence[tuple[int, Role]]
) -> None:
    """Bind captions to what stands beside them; those with a table on both sides follow the others' habit."""
    habit: dict[str, int] = {}
    unclear: list[tuple[int, Role, str, str]] = []
    for index, is_what in captions:
        around = [block_kind(lines, blocks[k]) if 0 <= k < len(blocks) else "" for k in (index - 1, index + 1)]
        before, after = (kind if kind in BESIDE[is_what.beside] else "" for kind in around)
        if before and after:
            unclear.append((index, is_what, before, after))
        elif before or after:
            habit[before or after] = habit.get(before or after, 0) + (1 if after else -1)
            _bind_caption(found, blocks, index, is_what, before or after, ahead=bool(after))
    for index, is_what, before, after in unclear:
        ahead = habit.get(after, 0) >= 0
        _bind_caption(found, blocks, index, is_what, after if ahead else before, ahead=ahead)


def _bind_caption(
    found: dict[int, Bond], blocks: Sequence[Block], index: int, is_what: Role, onto: str, *, ahead: bool
) -> None:
    joint = index + 1 if ahead else index
    if joint not in found:
        found[joint] = _bond(is_what, "forward" if ahead else "backward", onto, blocks[index])


def _open_tables(lines: Sequence[str], block: Block) -> int:
    """How many HTML tables the block opens and does not close; negative where it closes others'."""
    text = "\n".join(lines[block.start : block.stop]).lower()
    return len(_TABLE_TAG.findall(text)) - text.count("</table") if "table" in text else 0


def _bind_table(found: dict[int, Bond], tables: Mapping[int, int], blocks: Sequence[Block], first: int) -> None:
    """Bind the blocks of an HTML table: to Markdown, one with a blank line inside is several blocks."""
    depth = 0
    for index in range(first, min(first + MOST_TABLE_BLOCKS, len(blocks))):
        if blocks[index].kind == "heading":
            return
        depth += tables.get(index, 0)
        if depth <= 0:
            for joint in range(first + 1, index + 1):
                rule = f"table -> {blocks[joint].kind}"
                bond = Bond("forward", rule, "open_table", line=blocks[first].start + 1, mark=True)
                found.setdefault(joint, bond)
            return
