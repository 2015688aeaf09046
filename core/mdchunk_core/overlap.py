"""Text of the chunk before that a chunk repeats, where a cut falls inside a section (DESIGN.md sections 1 and 3)."""

from __future__ import annotations

from collections.abc import Sequence

from .blocks import Block
from .cutters.part import Joint
from .cutters.sentences import sentence_starts
from .measure import Measure
from .packing import Group
from .pieces import Layout, Pieces

_INSIDE_SENTENCES = (Joint.BLOCK, Joint.SENTENCE)


def wishes(pieces: Pieces, blocks: Sequence[Block], extras: Sequence[int], overlap: int) -> Sequence[int]:
    """`extras`, with the tokens of overlap added that a chunk which starts at each piece would like to have."""
    if not overlap:
        return extras
    wished = list(extras)
    section, joint, prefix, tokens = pieces.section, pieces.joint, pieces.prefix, pieces.tokens
    for number in range(1, len(pieces)):
        before = number - 1
        if section[before] == section[number] and not prefix[number] and joint[number] in _INSIDE_SENTENCES:
            kind = blocks[pieces.block[before]].kind
            if kind == "paragraph":
                wished[number] += min(overlap, tokens[before])
            elif kind != "heading" and joint[before] is Joint.BLOCK and tokens[before] <= overlap:
                wished[number] += tokens[before]
    return wished


def overlap_start(
    before: Group,
    group: Group,
    pieces: Pieces,
    blocks: Sequence[Block],
    layout: Layout,
    measure: Measure,
    text: str,
    room: int,
) -> int:
    """Where the span of `group` starts if it repeats at most `room` tokens of `before`; its own start for none.

    Whole blocks and whole sentences of paragraphs of the same section, never part of a table, fence or list item.
    """
    own, end = pieces.start[group.first], pieces.end[before.stop - 1]
    if pieces.prefix[group.first] or pieces.joint[group.first] not in _INSIDE_SENTENCES:
        return own
    start, total = own, 0
    for number in range(before.stop - 1, before.first - 1, -1):
        block, first, last = pieces.block[number], pieces.start[number], pieces.end[number]
        kind = blocks[block].kind
        if pieces.section[number] != pieces.section[group.first] or kind == "heading":
            break
        total += pieces.tokens[number]
        whole = kind == "paragraph" or (first, last) == (layout.starts[block], layout.ends[block])
        if whole and number > before.first and total <= room + 2 and measure.span(first, end) <= room:
            if pieces.joint[number] in _INSIDE_SENTENCES:
                start = first
            continue
        if kind == "paragraph":
            start = _trailing_sentences(text[first:last], first, end, measure, room) or start
        break
    return start


def _trailing_sentences(text: str, first: int, end: int, measure: Measure, room: int) -> int | None:
    """The earliest sentence start inside a text, not its first, from which on at most `room` tokens follow up to `end`.

    `first` is where the text starts in the document.
    """
    chosen = None
    for offset in reversed(sentence_starts(text)):
        start = first + len(text) - len(text[offset:].lstrip())
        if measure.span(start, end) > room:
            break
        chosen = start
    return chosen
