"""What chunks, anybody's, broke. The structure comes from markdown-it-py: the judge is not the judged."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from markdown_it import MarkdownIt

from ..compare.structure import unclosed_fences

__all__ = ["DAMAGES", "Damage", "Piece", "Structure", "find_damage", "read_structure"]

DAMAGES = {
    "table_cut": "table cut",
    "rows_without_header": "rows without header",
    "fence_open": "code fence open",
    "heading_orphaned": "heading orphaned",
    "over_limit": "over the limit",
}
"""What is looked for -> what it is called on the page."""

_LINE_END = re.compile(r"\r\n?|\n")
_CONTAINERS = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_SPACE = re.compile(r"\s+")


class Piece(NamedTuple):
    """A chunk of any splitter, found in its source."""

    start: int
    end: int
    """Half-open, in characters of the source, without what is repeated before and behind."""
    text: str
    """All that is embedded."""
    tokens: int
    prefix: str = ""


class Damage(NamedTuple):
    """One thing that a chunk broke."""

    kind: str
    """A key of DAMAGES."""
    chunk: int
    """0-based."""
    start: int
    end: int
    """What to show of it: half-open, in characters of the source."""


class _Block(NamedTuple):
    start: int
    body: int
    """Of a table, where its rows begin; of a fence, the line below the opening one."""
    end: int


class Structure(NamedTuple):
    """Tables, fences and headings of a document, in its order, each in characters of the text as given."""

    tables: tuple[_Block, ...]
    fences: tuple[_Block, ...]
    headings: tuple[_Block, ...]


def read_structure(text: str, body_line: int = 0) -> Structure:
    r"""The tables, fences and headings below line `body_line` (0-based).

    >>> [table[:] for table in read_structure("a\n\n|x|\n|-|\n|1|\n").tables]
    [(3, 11, 14)]
    """
    ends = [match.end() for match in _LINE_END.finditer(text)]
    starts = [0, *ends, len(text)]
    body = text[starts[min(body_line, len(starts) - 1)] :]
    found: dict[str, list[_Block]] = {"table_open": [], "fence": [], "heading_open": []}
    for token in MarkdownIt("commonmark").enable("table").parse(body):
        if token.type in found and token.map:
            first, stop = (min(line + body_line, len(starts) - 1) for line in token.map)
            start, end = starts[first], starts[stop]
            inner = min(first + (2 if token.type == "table_open" else 1), stop)
            while end > start and text[end - 1].isspace():
                end -= 1
            found[token.type].append(_Block(start, min(starts[inner], end), end))
    return Structure(*(tuple(blocks) for blocks in found.values()))


def find_damage(
    text: str, structure: Structure, pieces: Sequence[Piece], count: Callable[[str], int], limit: int
) -> list[Damage]:
    """What the pieces, in the order of the document, broke. `count` gives tokens; `limit` is the most of a piece."""
    return sorted(
        [
            *_over(pieces, limit),
            *_tables(text, structure, pieces, count, limit),
            *_fences(text, structure, pieces),
            *_headings(text, structure, pieces, limit),
        ],
        key=lambda damage: (damage.chunk, damage.start),
    )


def _over(pieces: Sequence[Piece], limit: int) -> Iterator[Damage]:
    for number, piece in enumerate(pieces):
        if piece.tokens > limit:
            yield Damage("over_limit", number, piece.start, piece.start)


def _touching(pieces: Sequence[Piece], blocks: Sequence[_Block]) -> Iterator[tuple[_Block, range]]:
    """Each block with the pieces that may share characters with it; the pieces' ends need not be sorted."""
    starts = [piece.start for piece in pieces]
    furthest = list(accumulate((piece.end for piece in pieces), max))
    for block in blocks:
        yield block, range(bisect_right(furthest, block.start), bisect_left(starts, block.end))


def _tables(
    text: str, structure: Structure, pieces: Sequence[Piece], count: Callable[[str], int], limit: int
) -> Iterator[Damage]:
    for table, near in _touching(pieces, structure.tables):
        whole = any(_holds(text, pieces[number], table) for number in near)
        if whole and len(near) == 1:
            continue
        header = text[table.start : table.body]
        names = _folded(_CONTAINERS.sub("", header.split("\n", 1)[0]))
        fits = not whole and count(text[table.start : table.end].strip()) <= limit
        repeats = 2 * count(header) <= limit
        for number in near:
            piece = pieces[number]
            if fits and table.start < piece.start < table.end and text[table.start : piece.start].strip():
                yield Damage("table_cut", number, piece.start, piece.start)
            first, stop = max(piece.start, table.body), min(piece.end, table.end)
            headless = piece.start > table.start and text[first:stop].strip() and names not in _folded(piece.text)
            if headless and repeats:
                yield Damage("rows_without_header", number, first, stop)


def _fences(text: str, structure: Structure, pieces: Sequence[Piece]) -> Iterator[Damage]:
    for fence, near in _touching(pieces, structure.fences):
        for number in near:
            piece = pieces[number]
            if _holds(text, piece, fence):
                continue
            first, stop = max(piece.start, fence.start), min(piece.end, fence.end)
            if not text[first:stop].strip():
                continue
            inside = bool(text[fence.start : piece.start].strip()) and piece.start > fence.start
            unopened = inside and not any(map(_fence, piece.prefix.splitlines()))
            if unopened or unclosed_fences(piece.text):
                yield Damage("fence_open", number, first, stop)


def _headings(text: str, structure: Structure, pieces: Sequence[Piece], limit: int) -> Iterator[Damage]:
    starts = [heading.start for heading in structure.headings]
    blocks = sorted(block.start for block in (*structure.tables, *structure.fences))
    for number, (piece, following) in enumerate(zip(pieces, pieces[1:])):
        last = len(text[: piece.end].rstrip()) if piece.end < len(text) and text[piece.end - 1].isspace() else piece.end
        at = bisect_left(starts, last) - 1
        if at < 0 or structure.headings[at].end > last or not text[last : following.end].strip():
            continue
        heading = structure.headings[at]
        if text[heading.end : last].strip() or piece.end <= heading.start:
            continue
        opens = bisect_left(blocks, following.start - 3)
        beside = opens < len(blocks) and not text[min(following.start, blocks[opens]) : blocks[opens]].strip()
        if beside and following.tokens + (piece.end - heading.start) // 4 > limit:
            continue  # a whole table or fence that leaves the heading no room
        yield Damage("heading_orphaned", number, max(piece.start, heading.start), heading.end)


def _holds(text: str, piece: Piece, block: _Block) -> bool:
    """Whether the piece has all of the block that can be seen."""
    return not text[block.start : max(block.start, min(piece.start, block.end))].strip() and block.end <= piece.end


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def _fence(line: str) -> re.Match[str] | None:
    return _FENCE.match(_CONTAINERS.sub("", line))
