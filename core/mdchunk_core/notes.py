"""The lines that limit what a section says, so that no chunk of it is retrieved without them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ._signal import LONGEST
from .blocks import Block
from .merging import Bond, bound_blocks
from .roles import notes_throughout
from .sections import Section
from .signals import Signal, matching, may_qualify
from .source import Source

MOST_LINES = 12
"""Of a paragraph, quote or admonition that is searched for notes."""


class Note(NamedTuple):
    """A qualifying note, and the sections that it qualifies."""

    text: str
    """Without the marks of quotes and emphasis around it, in one line."""
    line: int
    """1-based."""
    section: int
    """Index of the section it belongs to; 0 qualifies the whole document."""
    block: int
    stop: int
    """The section after the last that it qualifies: `section` to `stop`, half-open, are it and its subsections."""


def notes(
    source: Source,
    blocks: Sequence[Block],
    sections: Sequence[Section],
    bonds: Mapping[int, Bond],
    signals: Sequence[Signal] = (),
) -> list[Note]:
    r"""The qualifying notes of a document, in order.

    A note belongs to the section that it stands in, and so to all its subsections. One that stands above the first
    heading, or behind a rule at the very end, qualifies the whole document. `signals` are the caller's.

    >>> from .blocks import parse
    >>> from .merging import bonds
    >>> from .sections import outline
    >>> from .source import read
    >>> document = read("# Rates\n\nHotels: 90 EUR.\n\n*Gültig bis 30.06.2026*")
    >>> blocks = parse(document)
    >>> notes(document, blocks, outline(document, blocks), bonds(document, blocks))
    [Note(text='Gültig bis 30.06.2026', line=5, section=1, block=2, stop=2)]
    """
    found: dict[int, str] = {}
    owners: dict[int, int] = {}
    whole: set[int] = set()
    for index, bond in bound_blocks(bonds):
        if bond.qualifies:
            whole.add(index)
    for index, block in enumerate(blocks):
        if index in whole:
            owners[block.start] = index
            found[block.start] = _joined(source.lines[block.start : block.stop])
        elif block.kind in _SEARCHED:
            count = block.stop - block.start
            if count > MOST_LINES or (count == 1 and block.kind == "paragraph" and not _alone(blocks, index)):
                continue
            for line, text in _inside(source.lines, blocks, index, signals):
                owners[line], found[line] = index, text
        elif block.kind == "table":
            line = block.stop - 1
            text = source.lines[line].strip()
            if "|" not in text and not text.endswith((":", "：")) and _qualifies(text, signals, table=True):
                owners[line], found[line] = index, _plain(text)
    if not found:
        return []
    ends = _ends(sections)
    section, result = 0, []
    for line in sorted(found):
        index = owners[line]
        while section + 1 < len(sections) and sections[section + 1].first <= index:
            section += 1
        own = 0 if _closes_document(blocks, index) else section
        result.append(Note(found[line], line + 1, own, index, ends[own]))
    return result


_SEARCHED = frozenset({"paragraph", "block_quote", "admonition", "container"})
_MARKS = re.compile(r"^(?:[ \t>]*)(?:\[![A-Za-z]+\][ \t]*|!!!.*|:::.*|///.*)?")
_ENDED = (".", "!", "?", "。", "！", "？", ":", "：", "  ", "\\", ")")


def _inside(
    lines: Sequence[str], blocks: Sequence[Block], index: int, signals: Sequence[Signal]
) -> Iterator[tuple[int, str]]:
    """Lines of a paragraph, quote or admonition that are notes of their own: the line before them has ended."""
    block = blocks[index]
    prose = block.kind == "paragraph"
    for line in sorted({block.start, block.stop - 1}) if prose else range(block.start, block.stop):
        text = lines[line].strip()
        bare = text if prose else _MARKS.sub("", text).strip()
        if not bare or len(bare) > LONGEST:
            continue
        if line == block.start:
            stands_alone = text.endswith(_ENDED) or lines[line].endswith(_ENDED) or block.stop - block.start == 1
        else:
            above = lines[line - 1]
            stands_alone = above.endswith(_ENDED) or (not prose and not _MARKS.sub("", above.strip()).strip())
        if _qualifies(bare, signals) and (stands_alone or notes_throughout(lines, block)):
            yield line, _plain(bare)


def _alone(blocks: Sequence[Block], index: int) -> bool:
    """Whether the block has no neighbour in its section, so that nothing could be bound to it."""
    before = index == 0 or blocks[index - 1].kind in ("heading", "thematic_break")
    return before and (index + 1 == len(blocks) or blocks[index + 1].kind in ("heading", "thematic_break"))


def _qualifies(text: str, signals: Sequence[Signal], *, table: bool = False) -> bool:
    if signals and any(signal.qualifies and signal.matches(text) for signal in signals):
        return True
    if not may_qualify(text):
        return False
    for signal in matching(text):
        if signal.qualifies and (not signal.beside or (table and signal.beside == "table")):
            return True
        if not signal.qualifies and signal.direction == "backward":
            return False
    return False


def _closes_document(blocks: Sequence[Block], index: int) -> bool:
    """Whether the block stands behind a rule with nothing but what is as short behind it: the document's own footer."""
    if index < len(blocks) - 3 or blocks[index].stop - blocks[index].start > 6:
        return False
    behind = blocks[index + 1 :]
    if any(block.kind not in ("paragraph", "block_quote", "html") or block.stop - block.start > 2 for block in behind):
        return False
    return any(block.kind == "thematic_break" for block in blocks[max(0, index - 2) : index])


def _ends(sections: Sequence[Section]) -> list[int]:
    """For each section, the index of the section after its last subsection."""
    ends = [len(sections)] * len(sections)
    open_sections: list[int] = []
    for number, section in enumerate(sections):
        while open_sections and number and sections[open_sections[-1]].depth >= section.depth:
            ends[open_sections.pop()] = number
        if number:
            open_sections.append(number)
    return ends


def _joined(lines: Sequence[str]) -> str:
    return _plain(" ".join(_MARKS.sub("", line.strip()).strip().rstrip("\\").rstrip() for line in lines).strip())


_WRAPPED = re.compile(r"^(\*{1,3}|_{1,3})(?=\S)((?:(?!\1).)+)(?<=\S)\1$")


def _plain(text: str) -> str:
    """The line without emphasis around all of it."""
    wrapped = _WRAPPED.match(text)
    return wrapped[2] if wrapped else text
