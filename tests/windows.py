"""A document, a counter and a limit, for the tests of the cutters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mdchunk_core.cutters.part import Part, Window
from mdchunk_core.source import Source, read

_TOKEN = re.compile(r"\w{1,6}|[^\w\s]|\n")


def pieces(text: str) -> int:
    """A token counter much like a byte pair encoding: six letters, a mark, or a line feed."""
    return sum(1 for _ in _TOKEN.finditer(text))


def window(
    text: str,
    limit: int,
    *,
    room: int | None = None,
    first: str = "",
    rest: str = "",
    suffix: str = "",
    lead: str = "",
) -> Window:
    """A window on a document; the room is the limit unless given."""
    return Window(read(text), pieces, limit, limit if room is None else room, first, rest, suffix, lead)


def shown(parts: Sequence[Part], source: Source) -> list[str]:
    """Each part as a chunk of its own."""
    return [part.prefix + source.text[part.start : part.end] + part.suffix for part in parts]
