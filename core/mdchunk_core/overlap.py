"""Text of the chunk before that a chunk repeats, where a cut falls inside a section (DESIGN.md sections 1 and 3)."""

from __future__ import annotations

from collections.abc import Sequence

from .blocks import Block
from .cutters.part import Joint
from .cutters.sentences import sentence_starts
from .measure import Measure
from .packing import Group
from .pieces import Layout, Piece

_INSIDE_SENTENCES = (Joint.BLOCK, Joint.SENTENCE)


def wishes(pieces: Sequence[Piece], blocks: Sequence[Block], extras: Sequence[int], overlap: int) -> Sequence[int]:
    """`extras`, with the tokens of overlap added that a chunk which starts at each piece would like to have."""
    if not overlap:
        return extras
    wished = list(extras)
    for number in range(1, len(pieces)):
        piece, before = pieces[number], pieces[number - 1]
        if before.section == piece.section and not piece.prefix and piece.joint in _INSIDE_SENTENCES:
            kind = blocks[before.block].kind
            if kind == "paragraph":
                wished[number] += min(overlap, before.tokens)
            elif kind != "heading" and before.joint is Joint.BLOCK and before.tokens <= overlap:
                wished[number] += before.tokens
    return wished


def overlap_start(
    before: Group,
    group: Group,
    pieces: Sequence[Piece],
    blocks: Sequence[Block],
    layout: Layout,
    measure: Measure,
    text: str,
    room: int,
) -> int:
    """Where the span of `group` starts if it repeats at most `room` tokens of `before`; its own start for none.

    Whole blocks and whole sentences of paragraphs of the same section, never part of a table, fence or list item.
    """
    first = pieces[group.first]
    own, end = first.start, pieces[before.stop - 1].end
    if first.prefix or first.joint not in _INSIDE_SENTENCES:
        return own
    start, total = own, 0
    for number in range(before.stop - 1, before.first - 1, -1):
        piece = pieces[number]
        kind = blocks[piece.block].kind
        if piece.section != first.section or kind == "heading":
            break
        total += piece.tokens
        whole = kind == "paragraph" or (piece.start, piece.end) == (
            layout.starts[piece.block],
            layout.ends[piece.block],
        )
        if whole and number > before.first and total <= room + 2 and measure.span(piece.start, end) <= room:
            if piece.joint in _INSIDE_SENTENCES:
                start = piece.start
            continue
        if kind == "paragraph":
            start = _trailing_sentences(text, piece, end, measure, room) or start
        break
    return start


def _trailing_sentences(text: str, piece: Piece, end: int, measure: Measure, room: int) -> int | None:
    """The earliest sentence start inside the piece, not its first, from which on at most `room` tokens follow."""
    chosen = None
    for offset in reversed(sentence_starts(text[piece.start : piece.end])):
        start = piece.start + offset
        start += len(text[start : piece.end]) - len(text[start : piece.end].lstrip())
        if measure.span(start, end) > room:
            break
        chosen = start
    return chosen
