"""Stage 5: the cheapest cuts. A shortest path over the pieces, in which no group exceeds the limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .cutters.part import Joint
from .options import MergeAcross, Sizes
from .pieces import Piece
from .sections import Section

# The table of costs. All are compared with one another, none has a unit.

CUT_BEFORE_HEADING = (0, 0, 1, 2, 3, 4, 5)
"""By heading level."""
CUT = {
    Joint.BLOCK: 20,
    Joint.ITEM: 40,
    Joint.BLANK: 50,
    Joint.LINE: 60,
    Joint.SENTENCE: 70,
    Joint.CELL: 90,
    Joint.WORD: 140,
    Joint.GRAPHEME: 240,
}
CUT_DEEPER = 5
"""More for each container that the cut goes down into."""
CUT_LEAD_IN = 1_000
CUT_SPARED = 3_000
"""A list item, quote, HTML block or admonition that would have fitted."""
CUT_HEADING = 100_000
SWALLOW_HEADING = (48, 48, 40, 34, 28, 24, 20)
"""By level of a heading that stands inside a chunk of more than one section."""
SMALL = (80, 120)
"""Below `min_tokens`: at once, and more in proportion to what is missing."""
LARGE = (30, 60)
"""Above `target_tokens`: at once, and more in proportion to how near the limit."""
UNEVEN = 6
"""For what is missing to the target, squared: of equal cuts, the even ones."""

FORBIDDEN = float("inf")


class Group(NamedTuple):
    """Pieces `first` to `stop`, half-open, that make one chunk."""

    first: int
    stop: int


def cut_cost(piece: Piece, heading_level: int) -> float:
    """What it costs to begin a chunk with this piece."""
    if piece.joint is not Joint.BLOCK:
        return CUT[piece.joint] + CUT_DEEPER * piece.depth + (CUT_SPARED if piece.spared else 0)
    cost = CUT_BEFORE_HEADING[heading_level] if heading_level else CUT[Joint.BLOCK]
    if piece.bond is not None:
        cost += CUT_HEADING if piece.bond.heading else CUT_LEAD_IN
    return cost


def size_cost(tokens: int, sizes: Sizes) -> float:
    """What it costs to have a chunk of this many tokens."""
    missing = max(0, sizes.target - tokens) / sizes.target
    cost = UNEVEN * missing * missing
    if tokens < sizes.least:
        cost += SMALL[0] + SMALL[1] * (sizes.least - tokens) / sizes.least
    elif tokens > sizes.target:
        cost += LARGE[0] + LARGE[1] * (tokens - sizes.target) / max(1, sizes.limit - sizes.target)
    return cost


def pack(
    pieces: Sequence[Piece],
    sections: Sequence[Section],
    sizes: Sizes,
    merge_across: MergeAcross,
    fits: Callable[[int, int], bool],
) -> list[Group]:
    """The groups of least cost.

    `fits(first, stop)` says exactly whether these pieces make a chunk within the limit; it is asked only where the
    sum of their tokens is near it.
    """
    runs = bind(pieces, sizes, fits)
    groups: list[Group] = []
    return groups


def bind(pieces: Sequence[Piece], sizes: Sizes, fits: Callable[[int, int], bool]) -> list[Group]:
    """Runs of pieces whose bonds hold: each fits one chunk and is packed as one."""
    return []
