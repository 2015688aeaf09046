"""Stage 4: what is packed. Blocks that fit, and parts of blocks that do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from .blocks import Block
from .cutters import cut
from .cutters.part import Joint, Part, Window
from .merging import Bond
from .options import Sizes
from .sections import Section
from .source import Source
from .tokens import Tokenizer

STAY_WHOLE = frozenset({"table", "fenced_code", "indented_code", "math"})
"""Kinds that are not cut for the sake of a heading while they fit the limit."""

YIELD_TO_HEADING = frozenset({"block_quote", "html", "admonition", "container", "mdx", "footnote_definition"})
"""Kinds that stay whole while they fit, unless a heading would be left behind."""

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
    spared: bool = False
    """Part of a unit that would have fitted, cut only so that a heading has company."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the blocks of a document lie in its text, by index of block."""

    starts: Sequence[int]
    """First character of each block, and `len(text)` at the end."""
    ends: Sequence[int]
    """After the last visible character of each block."""
    tokens: Sequence[int]
    """Tokens from each block's start to the next one's."""

    @classmethod
    def of(cls, source: Source, blocks: Sequence[Block], tokenizer: Tokenizer) -> Layout:
        text, lines = source.text, source.line_starts
        starts = [lines[block.start] for block in blocks]
        if starts and starts[0] == 0 and text.startswith("\ufeff"):
            starts[0] = 1
        starts.append(len(text))
        ends = [lines[block.stop - 1] + len(source.lines[block.stop - 1].rstrip()) for block in blocks]
        spans = [text[start:stop] for start, stop in zip(starts, starts[1:])]
        return cls(starts, ends, tokenizer.counts(spans))


def cut_blocks(
    source: Source,
    blocks: Sequence[Block],
    sections: Sequence[Section],
    layout: Layout,
    bonds: Mapping[int, Bond],
    tokenizer: Tokenizer,
    sizes: Sizes,
) -> list[Piece]:
    """Every block as one piece, or as parts where it exceeds the limit or the room beside its heading.

    A list above the target is given as its items, so that the packer may cut between them.
    """
    pieces: list[Piece] = []
    text, limit = source.text, sizes.limit
    owners = _owners(sections, len(blocks))
    held = 0  # tokens of what this block is bound to, as far as that still fits one chunk
    for index, (block, start, end, size) in enumerate(zip(blocks, layout.starts, layout.ends, layout.tokens)):
        bond = bonds.get(index)
        if bond is None or held > limit:
            held = 0
        whole = size <= limit or (size - limit <= end_slack(layout, index) and tokenizer.count(text[start:end]) <= limit)
        beside = not held or held + size <= limit
        kind = block.kind
        if whole and (beside or kind in STAY_WHOLE) and not (kind == "list" and size > sizes.target):
            pieces.append(Piece(start, end, index, owners[index], size, Joint.BLOCK, bond))
            held = held + size if beside else size
            continue
        heading = bond is not None and bond.heading
        if whole and not heading and kind in YIELD_TO_HEADING:
            pieces.append(Piece(start, end, index, owners[index], size, Joint.BLOCK, bond))
            held = size
            continue
        room = max(limit - held, limit // 8) if heading else limit
        lead = ""
        if bond is not None and bond.lead_in and 0 < layout.tokens[index - 1] * 8 <= limit:
            lead = text[layout.starts[index - 1] : start]
        window = Window(source, tokenizer.count, limit, room, lead=lead)
        parts = cut(block, window)
        made = _coalesced(
            _measured(parts, text, layout.starts[index + 1], index, owners[index], bond, tokenizer),
            limit // GRAINS,
            text,
            tokenizer,
        )
        if heading and room < limit:
            made = _mark_spared(made, block, limit)
        pieces += made
        held = made[-1].tokens if len(made) > 1 else held + made[0].tokens
    return pieces


def end_slack(layout: Layout, index: int) -> int:
    """The most tokens that the white space behind a block can be."""
    return layout.starts[index + 1] - layout.ends[index]


def _owners(sections: Sequence[Section], blocks: int) -> list[int]:
    owners = [0] * blocks
    bounds = [section.first for section in sections[1:]] + [blocks]
    for number, (first, stop) in enumerate(zip(bounds, bounds[1:]), 1):
        owners[first:stop] = [number] * (stop - first)
    return owners


def _measured(
    parts: Sequence[Part], text: str, stop: int, block: int, section: int, bond: Bond | None, tokenizer: Tokenizer
) -> list[Piece]:
    starts = [part.start for part in parts] + [stop]
    counts = tokenizer.counts([text[start:end] for start, end in zip(starts, starts[1:])])
    affixes: dict[str, int] = {"": 0}
    for part in parts:
        for affix in (part.prefix, part.suffix):
            if affix not in affixes:
                affixes[affix] = tokenizer.count(affix) - tokenizer.overhead
    return [
        Piece(
            part.start,
            part.end,
            block,
            section,
            size,
            part.joint,
            None if number else bond,
            part.prefix,
            part.suffix,
            affixes[part.prefix],
            affixes[part.suffix],
            part.depth,
        )
        for number, (part, size) in enumerate(zip(parts, counts))
    ]


def _coalesced(pieces: list[Piece], grain: int, text: str, tokenizer: Tokenizer) -> list[Piece]:
    """Join tiny neighbours where the boundary between them is no better than the one before them."""
    joined = pieces[:1]
    for piece in pieces[1:]:
        last = joined[-1]
        if last.tokens + piece.tokens <= grain and piece.joint >= last.joint and piece.depth >= last.depth:
            joined[-1] = last._replace(
                end=piece.end,
                tokens=last.tokens + piece.tokens,
                suffix=piece.suffix,
                suffix_tokens=piece.suffix_tokens,
            )
        else:
            joined.append(piece)
    return joined


def _mark_spared(pieces: list[Piece], block: Block, limit: int) -> list[Piece]:
    """Mark the inner parts of the first unit if that unit was cut only to keep a heading company."""
    if block.kind in ("list", *YIELD_TO_HEADING):
        base = 0 if block.kind == "list" else -1
        inner = next((k for k, piece in enumerate(pieces) if k and piece.depth <= base), len(pieces))
        if inner > 1 and sum(piece.tokens for piece in pieces[:inner]) <= limit:
            return [p if not 0 < k < inner else p._replace(spared=True) for k, p in enumerate(pieces)]
    return pieces
