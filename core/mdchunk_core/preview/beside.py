"""Another splitter's chunks, found in the source, to be shown beside ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..compare.locate import Located, Span, join_spans, locate
from ..compare.splitters import Splitter
from .damage import Damage, Piece, Structure, find_damage

__all__ = ["Beside", "make_beside"]


@dataclass(frozen=True, slots=True)
class Beside:
    """What another splitter made of the document."""

    name: str
    version: str
    pieces: tuple[Piece, ...]
    """Those that were found in the source, in its order."""
    covered: tuple[Span, ...]
    """What of the source stands in any chunk: apart from each other; places that only repeat are in it too."""
    unfound: tuple[str, ...]
    """Texts that stand nowhere in the source."""
    damages: tuple[Damage, ...]


def make_beside(
    splitter: Splitter, text: str, name: str, structure: Structure, count: Callable[[str], int], limit: int
) -> Beside:
    """What `splitter` makes of the document `text` of this name. What the splitter raises is let through.

    `count` gives tokens; `limit` is the most that a chunk should have.
    """
    found = locate(text, splitter.split(text, name))
    pieces = sorted((_piece(text, chunk, count) for chunk in found if chunk.spans), key=lambda piece: piece[:2])
    return Beside(
        splitter.name,
        splitter.version,
        tuple(pieces),
        join_spans(span for chunk in found for span in chunk.spans),
        tuple(chunk.text for chunk in found if not chunk.spans and chunk.text.strip()),
        tuple(find_damage(text, structure, pieces, count, limit)),
    )


def _piece(text: str, chunk: Located, count: Callable[[str], int]) -> Piece:
    """The chunk at its main place: the longest, since a repeated header or heading is found elsewhere too."""
    start, end = max(chunk.spans, key=lambda span: span[1] - span[0])
    return Piece(start, end, chunk.text, count(chunk.text), _before(text[start:end], chunk.text))


def _before(body: str, text: str) -> str:
    """What the chunk has before its main place; empty where white space was changed too much to tell."""
    at = text.find(body)
    return text[:at] if at > 0 else ""
