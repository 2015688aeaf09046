"""How many tokens a stretch of the document has, with as little encoding as can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._tails import LONGEST, tail_start
from .source import Source
from .tokens import Tokenizer

if TYPE_CHECKING:
    from .pieces import Piece


class Measure:
    r"""Counts tokens of one document, without what the tokenizer adds to every text.

    Sums are taken over its text with `\n` endings, so that CRLF is cut like LF; what decides whether a chunk keeps the
    limit is counted on the text as it was given.
    """

    def __init__(self, source: Source, given: str, tokenizer: Tokenizer) -> None:
        self._source = source
        self._given = given
        self._tokenizer = tokenizer
        self.as_given = "\r" not in given
        self._by_words = tokenizer.starts_exactly("x")
        self.bytewise = self._by_words and self.as_given
        self._ends: dict[tuple[str, str, str], int] = {}
        self._overhead = tokenizer.overhead
        self.eol = source.eol
        self._longest_eol = "\r\n" if "\r\n" in given else source.eol

    def spans(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, counted with line feeds for endings."""
        counts = self._tokenizer.counts(texts)
        return [count - self._overhead for count in counts] if self._overhead else counts

    def written(self, text: str) -> int:
        """Tokens of a text that is not in the document yet, or no longer: as it will stand in a chunk."""
        return self._count(text if self.as_given else text.replace("\n", self._longest_eol))

    def span(self, start: int, end: int, prefix: str = "", suffix: str = "") -> int:
        """Tokens of `prefix + text[start:end] + suffix`, as given."""
        return self._count(self.given(start, end, prefix, suffix))

    def _count(self, text: str) -> int:
        return self._tokenizer.count(text) - self._overhead

    def given(self, start: int, end: int, prefix: str = "", suffix: str = "") -> str:
        """The text of a chunk: the document's own characters, and what is written around them in its line endings."""
        source = self._source
        if self.as_given:
            return prefix + source.text[start:end] + suffix
        own = self._given[source.original(start) : source.original(end)]
        return prefix.replace("\n", self.eol) + own + suffix.replace("\n", self.eol)

    def exact_line(self, line: int) -> bool:
        """Whether counts add up at the start of this line, 0-based: it is of the kind that the tokenizer breaks at."""
        return self.bytewise and self._tokenizer.starts_exactly(self._source.lines[line])

    def exact_start(self, start: int) -> bool:
        """Whether counts add up at this offset of the text."""
        line = self._source.line_of(start)
        return self._source.line_starts[line] == start and self.exact_line(line)

    def pieces(self, pieces: Sequence[Piece], first: int, stop: int) -> int:
        """Exact tokens of a chunk made of pieces `first` to `stop`, half-open, with its prefix and suffix."""
        head, tail = pieces[first], pieces[stop - 1]
        sums = self._by_words and self.as_given and head.prefix[-1:] in ("", "\n") and tail.suffix[:1] in ("", "\n")
        if sums and all(piece.exact for piece in pieces[first:stop]):
            following = pieces[stop].start if stop < len(pieces) else len(self._source.text)
            end = self._end(tail, following)
            if end is not None:
                return head.prefix_tokens + sum(piece.tokens for piece in pieces[first:stop]) + end
        return self.span(head.start, tail.end, head.prefix, tail.suffix)

    def _end(self, piece: Piece, following: int) -> int | None:
        """What the piece's tokens grow by if its suffix follows it, instead of the white space up to `following`."""
        text, end = self._source.text, piece.end
        start = max(piece.start, end - LONGEST)
        at = tail_start(text[start:end])
        if at is None:
            return None
        key = text[start + at : end], text[end:following], piece.suffix
        if key not in self._ends:
            tail, gap, suffix = key
            self._ends[key] = self._count(tail + suffix) - self._count(tail + gap)
        return self._ends[key]
