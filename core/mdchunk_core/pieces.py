"""Stage 4: what is packed. Blocks that fit, and parts of blocks that do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .blocks import Block
from .cutters import cut
from .cutters.part import Joint, Part, Window
from .measure import Measure
from .merging import Bond
from .options import Sizes
from .roles import UPPER_HEADER
from .sections import Section
from .source import Source

STAY_WHOLE = frozenset({"table", "fenced_code", "indented_code", "math"})
"""Kinds that are not cut for the sake of a heading while they fit the limit."""

YIELD_TO_HEADING = frozenset({"block_quote", "html", "admonition", "container", "mdx", "footnote_definition"})
"""Kinds that stay whole while they fit, unless a heading would be left behind."""

NEAR = 8
"""Tokens by which a sum of tokens may miss the exact count: signs may be fewer with a line feed behind them."""

MOST_FOR_ENDING = 2
"""Tokens that a line ending of two characters, or a carriage return, may have more than a line feed."""

GRAINS = 32
"""Parts of a cut block smaller than this share of the limit join their neighbour: a window holds a bounded number."""


class Piece(NamedTuple):
    """A stretch of the document that the packer does not cut: `text[start:end]`, half-open, in characters."""

    start: int
    end: int
    """Without the white space behind it."""
    block: int
    """Index of its block."""
    section: int
    """Index of its section."""
    tokens: int
    """Tokens from its start to the next piece's start: nearly additive, exact only where the tokenizer says so."""
    joint: Joint
    """The boundary before it; BLOCK unless it continues a block that is cut."""
    bond: Bond | None = None
    """Why it should stay with the piece before."""
    prefix: str = ""
    suffix: str = ""
    prefix_tokens: int = 0
    suffix_tokens: int = 0
    depth: int = 0
    exact: bool = False
    """Whether tokens add up exactly at its start."""
    spared: bool = False
    """Part of a unit that would have fitted, cut only so that a heading has company."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of a document, in order: for each field of Piece a column of all.

    A document has tens of thousands. Most are whole blocks, whose fields are columns already, and a list of numbers
    gives the garbage collector nothing to visit.
    """

    start: Sequence[int]
    end: Sequence[int]
    block: Sequence[int]
    section: Sequence[int]
    tokens: Sequence[int]
    joint: Sequence[Joint]
    bond: Sequence[Bond | None]
    prefix: Sequence[str]
    suffix: Sequence[str]
    prefix_tokens: Sequence[int]
    suffix_tokens: Sequence[int]
    depth: Sequence[int]
    exact: Sequence[bool]
    spared: Sequence[bool]

    def __len__(self) -> int:
        return len(self.start)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the blocks of a document lie in its text, by index of block."""

    starts: Sequence[int]
    """First character of each block, and `len(text)` at the end."""
    ends: Sequence[int]
    """After the last visible character of each block."""
    tokens: Sequence[int]
    """Tokens from each block's start to the next one's."""
    sections: Sequence[int]
    """Index of each block's section."""
    exact: Sequence[bool]
    """Whether tokens add up exactly at its start."""

    @classmethod
    def of(
        cls, source: Source, blocks: Sequence[Block], sections: Sequence[Section], measure: Measure, target: int
    ) -> Layout:
        """Find and count the blocks. The first one starts behind a byte-order mark.

        Those that may have more than `target` tokens are counted by lines.
        """
        text, lines = source.text, source.line_starts
        starts = [lines[block.start] for block in blocks]
        if starts and starts[0] == 0 and text.startswith("\ufeff"):
            starts[0] = 1
        starts.append(len(text))
        ends = [lines[block.stop - 1] + len(source.lines[block.stop - 1].rstrip()) for block in blocks]
        tokens, exact = measure.blocks(starts, [block.start for block in blocks], 2 * target)
        owners = [0] * len(blocks)
        bounds = [section.first for section in sections[1:]] + [len(blocks)]
        for number, (first, stop) in enumerate(zip(bounds, bounds[1:]), 1):
            owners[first:stop] = [number] * (stop - first)
        return cls(starts, ends, tokens, owners, exact)


def cut_blocks(
    source: Source,
    blocks: Sequence[Block],
    layout: Layout,
    bonds: Mapping[int, Bond],
    measure: Measure,
    sizes: Sizes,
) -> Pieces:
    """Every block as one piece, or as parts where it exceeds the limit or the room beside its heading.

    A list above the target is given as its items, so that the packer may cut between them.
    """
    bound = [bonds.get(index) for index in range(len(blocks))]
    taken_apart: list[tuple[int, list[Piece]]] = []
    limit = sizes.limit
    surely = limit * 3 // 5
    easily = min(surely, sizes.target) if measure.as_given else -1  # nothing has to be asked of most blocks
    held = 0  # tokens of what this block is bound to, as far as they fit one chunk
    for index, (block, size, bond) in enumerate(zip(blocks, layout.tokens, bound)):
        if bond is None:
            held = 0
        if held + size <= easily:
            held += size
            continue
        most = size  # tokens as given, at the most
        if not measure.as_given:
            most += MOST_FOR_ENDING * (block.stop - block.start)
            if held + most > limit:
                most = max(size, measure.span(layout.starts[index], layout.starts[index + 1]))
        whole = most <= surely or _fits(layout, index, measure, limit)
        beside = held + most <= limit
        heading = bond is not None and bond.heading
        kept = beside or block.kind in STAY_WHOLE or (block.kind in YIELD_TO_HEADING and not heading)
        if whole and kept and not (size > sizes.target and block.kind == "list"):
            held = held + most if beside else most
            continue
        room = max(limit - held, limit // 8) if heading else limit
        if whole and block.kind == "heading" and most <= room:
            held += most
            continue
        window = Window(
            source,
            measure.written,
            limit,
            room,
            lead=_lead(source.text, layout, index, bond, limit),
            whole=whole and room == limit,
            bytewise=measure.bytewise,
            sums=measure.sums,
        )
        made = cut(block, window)
        while measure.mixed and 4 * window.limit > limit and not _keep(made, measure, limit):
            fewer = window.limit * 7 // 8
            window = replace(window, limit=fewer, room=min(window.room, fewer), whole=False)
            made = cut(block, window)
        if not made:  # white space that CommonMark does not take for blank, such as no-break spaces
            bound[index] = None
            held = most
            continue
        parts = _coalesced(_measured(made, index, bond, layout, measure), limit // GRAINS)
        if whole and heading and block.kind != "paragraph":
            parts = _mark_spared(parts, block.kind, limit)
        taken_apart.append((index, parts))
        held = parts[-1].tokens if len(parts) > 1 else held + most
    return _joined(layout, bound, taken_apart)


def _joined(layout: Layout, bonds: Sequence[Bond | None], taken_apart: Sequence[tuple[int, list[Piece]]]) -> Pieces:
    """The parts of the blocks that are taken apart, by index of block, and between them all others whole."""
    if not taken_apart:
        return _whole(layout, bonds, 0, len(bonds))
    columns: list[list[Any]] = [[] for _ in Piece._fields]
    first = 0
    for stop, parts in [*taken_apart, (len(bonds), [])]:
        whole = _whole(layout, bonds, first, stop)
        for column, name in zip(columns, Piece._fields):
            column.extend(getattr(whole, name))
        for column, values in zip(columns, zip(*parts)):
            column.extend(values)
        first = stop + 1
    return Pieces(*columns)


def _whole(layout: Layout, bonds: Sequence[Bond | None], first: int, stop: int) -> Pieces:
    """The blocks `first` to `stop`, half-open, as one piece each."""
    among, count = slice(first, stop), stop - first
    return Pieces(
        layout.starts[among],
        layout.ends[among],
        range(first, stop),
        layout.sections[among],
        layout.tokens[among],
        joint=[Joint.BLOCK] * count,
        bond=bonds[among],
        prefix=[""] * count,
        suffix=[""] * count,
        prefix_tokens=[0] * count,
        suffix_tokens=[0] * count,
        depth=[0] * count,
        exact=layout.exact[among],
        spared=[False] * count,
    )


def _fits(layout: Layout, index: int, measure: Measure, limit: int) -> bool:
    """Whether the block alone keeps the limit, without the white space behind it and with the endings as given."""
    size = layout.tokens[index]
    if size > limit * 2:
        return False
    if measure.as_given:
        if size <= limit - NEAR:
            return True
        if measure.bytewise and size - (layout.starts[index + 1] - layout.ends[index]) > limit:
            return False
    return measure.span(layout.starts[index], layout.ends[index]) <= limit


def _keep(parts: Sequence[Part], measure: Measure, limit: int) -> bool:
    """Whether the parts keep the limit as given. Where endings are mixed, cutters count with one that they may have."""
    return all(measure.span(part.start, part.end, part.prefix, part.suffix) <= limit for part in parts)


def _lead(text: str, layout: Layout, index: int, bond: Bond | None, limit: int) -> str:
    """The line that introduces the block, if it is short enough to be repeated."""
    if bond is None or not bond.lead_in:
        return ""
    share = 2 if bond.signal == UPPER_HEADER else 8  # the table keeps its whole header within half of the limit
    if layout.tokens[index - 1] * share > limit:
        return ""
    return text[layout.starts[index - 1] : layout.starts[index]]


def _measured(parts: Sequence[Part], block: int, bond: Bond | None, layout: Layout, measure: Measure) -> list[Piece]:
    starts = [part.start for part in parts] + [layout.starts[block + 1]]
    tokens, exact = measure.stretches(starts)
    exact[0] = exact[0] and starts[0] == layout.starts[block]  # else white space is left out that is not blank
    affixes = sorted({affix for part in parts for affix in (part.prefix, part.suffix)})
    costs = dict(zip(affixes, measure.texts(affixes)))
    return [
        Piece(
            part.start,
            part.end,
            block,
            layout.sections[block],
            size,
            part.joint if number else Joint.BLOCK,
            part.bond if number else bond,
            part.prefix,
            part.suffix,
            costs[part.prefix],
            costs[part.suffix],
            part.depth,
            exact[number],
        )
        for number, (part, size) in enumerate(zip(parts, tokens))
    ]


def _coalesced(pieces: list[Piece], grain: int) -> list[Piece]:
    """Join tiny neighbours where the boundary between them is no better than the one before them."""
    joined = pieces[:1]
    for piece, following in zip(pieces[1:], [*pieces[2:], None]):
        last = joined[-1]
        alike = piece.joint >= last.joint and piece.depth >= last.depth and not (following and following.bond)
        if alike and last.tokens + piece.tokens <= grain:
            joined[-1] = last._replace(
                end=piece.end,
                tokens=last.tokens + piece.tokens,
                suffix=piece.suffix,
                suffix_tokens=piece.suffix_tokens,
                exact=last.exact and piece.exact,
            )
        else:
            joined.append(piece)
    return joined


def _mark_spared(pieces: list[Piece], kind: str, limit: int) -> list[Piece]:
    """Mark the inner parts of the first unit: it would have fitted, and was cut only so that a heading has company."""
    unit_depth = 0 if kind == "list" else -1
    stop = next((k for k, piece in enumerate(pieces) if k and piece.depth <= unit_depth), len(pieces))
    if sum(piece.tokens for piece in pieces[:stop]) > limit:
        return pieces
    return [piece._replace(spared=0 < k < stop) for k, piece in enumerate(pieces)]
