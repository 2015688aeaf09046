"""Why a chunk starts, ends and holds what it does, in words that can be read back (DESIGN.md section 4)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .blocks import Block
from .cutters.part import Joint
from .options import Sizes
from .packing import Group, begun
from .pieces import Pieces
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
    pieces: Pieces,
    blocks: Sequence[Block],
    opened: Mapping[int, Section],
    sizes: Sizes,
    source: Source,
    noted: Sequence[Decision],
) -> tuple[Decision, ...]:
    """The decisions of one chunk, in the order in which what they are about stands in it, and those of its notes.

    `opened` is the sections whose headings stand in pieces, by the number of the piece.
    """
    made: list[Decision] = []
    if before is not None:
        made += _begun(before, group, pieces, blocks, opened, sizes, source)
    own_tokens, bonds = pieces.tokens, pieces.bond
    new = tuple.__new__  # what Decision() calls in the end: there are several for each chunk
    tokens = own_tokens[group.first]
    for number in range(group.first + 1, group.stop):
        grown = tokens + own_tokens[number]
        bond = bonds[number]
        if bond is not None:
            direction, rule, signal, _, line, _, _ = bond
            small = own_tokens[number - 1 if direction == "forward" else number]
            made.append(new(Decision, (direction, rule, signal, line, small, grown, "")))
        elif number in opened:
            line = _line(source, pieces.start[number])
            made.append(Decision("balance", "section -> section before", "below_min_tokens", line, tokens, grown))
        tokens = grown
    return (*made, *noted)


def _begun(
    before: Group,
    group: Group,
    pieces: Pieces,
    blocks: Sequence[Block],
    opened: Mapping[int, Section],
    sizes: Sizes,
    source: Source,
) -> list[Decision]:
    """Why the chunk starts here, and what it could not stay with."""
    first = group.first
    made: list[Decision] = []
    if pieces.joint[first] is not Joint.BLOCK:
        kind = blocks[pieces.block[first]].kind
        rule = f"{kind} {_where(pieces, first, kind, source.text)}"
        line = _line(source, pieces.start[first])
        made.append(Decision("cut", rule, _repeated(pieces.prefix[first], kind), line, before.tokens, group.tokens))
    elif begun(pieces, opened, first, group.stop) is None:
        line = _line(source, pieces.start[first])
        made.append(Decision("cut", "between blocks", "", line, before.tokens, group.tokens))
    bond = pieces.bond[first]
    if bond is not None:
        needed, number = before.tokens, first
        while number < group.stop and pieces.bond[number] is not None:
            needed += pieces.tokens[number]
            number += 1
        refused = f"would exceed {needed} of {sizes.limit}" if needed > sizes.limit else "another cut was cheaper"
        made.append(Decision(bond.direction, bond.rule, bond.signal, bond.line, before.tokens, before.tokens, refused))
    return made


def _where(pieces: Pieces, number: int, kind: str, text: str) -> str:
    """The boundary at which the block is cut."""
    joint = pieces.joint[number]
    if kind == "list" and joint is Joint.ITEM and pieces.depth[number]:
        return "inside an item"
    if joint is Joint.GRAPHEME and _EMBEDDED.match(text, pieces.start[number]):
        return "inside embedded data"
    return _UNITS.get(kind, {}).get(joint, _JOINTS[joint])


def _line(source: Source, char: int) -> int:
    return source.line_number(source.original(char))


def _repeated(prefix: str, kind: str) -> str:
    """What stands in the prefix of a part, by the kind of block."""
    if kind == "table" and not _DELIMITER_ROW.search(prefix):
        return HEADER_TOO_LONG
    if not prefix:
        return "nothing repeated"
    return {
        "table": "header repeated",
        "html": "tags reopened",
        "fenced_code": "fence reopened",
        "math": "formula reopened",
        "list": "parent items repeated",
    }.get(kind, "marker repeated")
