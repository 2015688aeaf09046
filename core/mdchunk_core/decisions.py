"""Why a chunk starts, ends and holds what it does, in words that can be read back (DESIGN.md section 4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from .blocks import Block
from .cutters.part import Joint
from .options import Sizes
from .packing import Group, begun, opened
from .pieces import Piece
from .sections import Section
from .source import Source
from .types import Decision

_UNITS = {
    "table": {Joint.ITEM: "between rows", Joint.CELL: "between cells"},
    "list": {Joint.ITEM: "between items"},
    "fenced_code": {Joint.ITEM: "between statements", Joint.BLANK: "at a blank line"},
    "indented_code": {Joint.ITEM: "between statements"},
    "math": {Joint.ITEM: "between rows"},
    "html": {Joint.ITEM: "between elements", Joint.CELL: "between cells"},
}
_JOINTS = {
    Joint.BLOCK: "between blocks",
    Joint.ITEM: "between inner blocks",
    Joint.BLANK: "at a blank line",
    Joint.LINE: "between lines",
    Joint.SENTENCE: "between sentences",
    Joint.CELL: "between cells",
    Joint.WORD: "between words",
    Joint.GRAPHEME: "inside a word",
}
_EMBEDDED = re.compile(r"(?=[^A-Z]{0,47}[A-Z])(?=[^a-z]{0,47}[a-z])(?=[^0-9]{0,47}[0-9])[A-Za-z0-9+/=]{48}")
"""Longer than any word, and mixed as no path is: base64, an image mostly."""
HEADER_TOO_LONG = "header too long to repeat"
_DELIMITER_ROW = re.compile(r"^[ \t|:]*-[ \t|:-]*$", re.MULTILINE)


def explain(
    group: Group,
    before: Group | None,
    pieces: Sequence[Piece],
    blocks: Sequence[Block],
    sections: Sequence[Section],
    sizes: Sizes,
    source: Source,
    noted: Sequence[Decision],
) -> tuple[Decision, ...]:
    """The decisions of one chunk, in the order in which what they are about stands in it, and those of its notes."""
    first = pieces[group.first]
    made: list[Decision] = []
    if before is not None:
        made += _begun(first, before, group, pieces, blocks, sections, sizes, source)
    tokens = first.tokens
    for number in range(group.first + 1, group.stop):
        piece = pieces[number]
        grown = tokens + piece.tokens
        bond = piece.bond
        if bond is not None:
            small = pieces[number - 1].tokens if bond.direction == "forward" else piece.tokens
            made.append(Decision(bond.direction, bond.rule, bond.signal, bond.line, small, grown))
        elif opened(piece, sections):
            line = _line(source, piece.start)
            made.append(Decision("balance", "section -> section before", "below_min_tokens", line, tokens, grown))
        tokens = grown
    return (*made, *noted)


def _begun(
    first: Piece,
    before: Group,
    group: Group,
    pieces: Sequence[Piece],
    blocks: Sequence[Block],
    sections: Sequence[Section],
    sizes: Sizes,
    source: Source,
) -> Iterator[Decision]:
    """Why the chunk starts here, and what it could not stay with."""
    line = _line(source, first.start)
    if first.joint is not Joint.BLOCK:
        kind = blocks[first.block].kind
        yield Decision(
            "cut",
            f"{kind} {_where(first, kind, source.text)}",
            _repeated(first, kind),
            line,
            before.tokens,
            group.tokens,
        )
    elif begun(pieces, sections, group.first, group.stop) is None:
        yield Decision("cut", "between blocks", "", line, before.tokens, group.tokens)
    if first.bond is not None:
        bond = first.bond
        bound = takewhile(lambda piece: piece.bond is not None, pieces[group.first + 1 : group.stop])
        needed = before.tokens + first.tokens + sum(piece.tokens for piece in bound)
        refused = f"would exceed {needed} of {sizes.limit}" if needed > sizes.limit else "another cut was cheaper"
        yield Decision(bond.direction, bond.rule, bond.signal, bond.line, before.tokens, before.tokens, refused)


def _where(piece: Piece, kind: str, text: str) -> str:
    """The boundary at which the block is cut."""
    if kind == "list" and piece.joint is Joint.ITEM and piece.depth:
        return "inside an item"
    if piece.joint is Joint.GRAPHEME and _EMBEDDED.match(text, piece.start):
        return "inside embedded data"
    return _UNITS.get(kind, {}).get(piece.joint, _JOINTS[piece.joint])


def _line(source: Source, char: int) -> int:
    return source.line_number(source.original(char))


def _repeated(piece: Piece, kind: str) -> str:
    """What stands in the prefix of a part, by the kind of block."""
    if kind == "table" and not _DELIMITER_ROW.search(piece.prefix):
        return HEADER_TOO_LONG
    if not piece.prefix:
        return "nothing repeated"
    return {
        "table": "header repeated",
        "html": "tags reopened",
        "fenced_code": "fence reopened",
        "math": "formula reopened",
        "list": "parent items repeated",
    }.get(kind, "marker repeated")
