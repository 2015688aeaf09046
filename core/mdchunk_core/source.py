"""Stage 1: the document as given, its lines, and what stands on top of it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from .front_matter import read_front_matter

__all__ = ["Source", "read"]

_LINE_ENDING = re.compile(r"\r\n?|\n")  # CommonMark 2.1; str.splitlines() knows eight more


@dataclass(frozen=True, slots=True)
class Source:
    """One document. All later stages see `text`; only the last one asks `original`."""

    text: str
    """The document with every line ending written `\\n`."""
    lines: Sequence[str]
    """The lines of `text`, without their endings."""
    line_starts: Sequence[int]
    """Offset in `text` of the first character of each line, and `len(text) + 1` at the end."""
    body_line: int
    """0-based number of the first line below the front matter; 0 without one."""
    front_matter: Mapping[str, Any]
    """JSON-ready; empty where there is none."""
    front_matter_error: str | None
    """Why what looks like front matter stayed in the body."""
    eol: str
    """The document's commonest line ending, for text that is written into a chunk."""
    _pairs: Sequence[int] = field(default=(), repr=False)
    """Offsets in `text` of the line endings that are two characters in the text as given."""
    _feeds: Sequence[int] | None = field(default=None, repr=False)
    """Offsets of the line feeds in the text as given; None where they are those of `text`."""

    def original(self, char: int) -> int:
        r"""Return the offset in the text as given of an offset in `text`; of a line ending, its first character's.

        >>> read("a\r\nb").original(2)
        3
        """
        return char + bisect_left(self._pairs, char) if self._pairs else char

    def line_of(self, char: int) -> int:
        """Return the 0-based number of the line that holds the character at this offset in `text`, or its ending."""
        return bisect_right(self.line_starts, char) - 1

    def line_number(self, original_char: int) -> int:
        """Return the 1-based line of an offset in the text as given, counted by line feeds as `grep -n` does."""
        if self._feeds is None:
            return bisect_right(self.line_starts, original_char)
        return bisect_left(self._feeds, original_char) + 1


def read(text: str) -> Source:
    r"""Return the document's lines and front matter.

    >>> source = read("---\ntitle: Setup\n---\n# Install\n")
    >>> source.front_matter, source.body_line, source.lines[3]
    ({'title': 'Setup'}, 3, '# Install')
    """
    pairs: list[int] = []
    feeds: list[int] | None = None
    eol = "\n"
    if "\r" in text:
        feeds = []
        singles = 0
        for ending in _LINE_ENDING.finditer(text):
            at = ending.start()
            if ending.end() - at == 2:
                pairs.append(at - len(pairs))
                feeds.append(at + 1)
            elif text[at] == "\n":
                feeds.append(at)
            else:
                singles += 1
        plain = len(feeds) - len(pairs)
        # Equal counts: the line feed, which every reader knows.
        eol = max((plain, "\n"), (len(pairs), "\r\n"), (singles, "\r"), key=lambda pair: pair[0])[1]
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = tuple(text.split("\n"))  # which, unlike a list, the garbage collector does not visit again and again
    starts = tuple(accumulate([len(line) + 1 for line in lines], initial=0))
    top = read_front_matter(lines)
    return Source(text, lines, starts, top.stop, top.data, top.error, eol, pairs, feeds)
