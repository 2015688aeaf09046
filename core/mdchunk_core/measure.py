"""How many tokens a stretch of the document has, with as little encoding as can be."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from operator import not_
from typing import TYPE_CHECKING

from ._tails import LONGEST, tail_start
from .cutters.part import Joint
from .source import Source
from .tokens import Tokenizer

if TYPE_CHECKING:
    from .pieces import Pieces

_WORD = re.compile(r"\S+(?=[ \t])")
"""A word that ends where both encodings split, whatever stands before it."""

SLAB = 1 << 20
"""Characters that are encoded at once where lines need not be counted one by one: only their tokens are held."""

LAST_COUNTS = 32
"""Texts whose counts are remembered: where nothing is found at which to cut a stretch, it is tried again and again."""


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
        self._growth = lru_cache(maxsize=4096)(partial(_growth, tokenizer))  # not for all documents: gaps may be long
        self._count = lru_cache(maxsize=LAST_COUNTS)(tokenizer.count)
        self._overhead = tokenizer.overhead
        self._body = 1 if source.text.startswith("\ufeff") else 0  # blocks start behind a byte-order mark
        self.eol = source.eol
        self._longest_eol = "\r\n" if "\r\n" in given else source.eol
        self.mixed = not self.as_given and source.text.replace("\n", self._longest_eol) != given
        self._sums = [-1] * (len(source.lines) + 1) if self._by_words else []

    @property
    def sums(self) -> Sequence[int]:
        """Tokens of the body before each line, and before its end; -1 where they are not known. Empty: nowhere."""
        return self._sums if self.as_given else ()

    def texts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, counted with line feeds for endings."""
        counts = self._tokenizer.counts(texts)
        return [count - self._overhead for count in counts] if self._overhead else counts

    def blocks(self, starts: Sequence[int], lines: Sequence[int], by_line: int) -> tuple[list[int], list[bool]]:
        """What `stretches` gives for the starts of all blocks and the document's end; `lines` are their first lines.

        To be asked first. A block of more than `by_line` characters is counted line by line, so that parts of it need
        not be counted again; lines are counted with their endings and the blank lines behind them.
        """
        if not self._by_words:
            return self.stretches(starts)
        source, text, sums = self._source, self._source.text, self._sums
        wanted: list[int] = []
        for line, behind, start, stop in zip(lines, [*lines[1:], len(source.lines)], starts, starts[1:]):
            if stop - start > by_line:
                wanted += range(line, behind)
            else:
                wanted.append(line)
        exact = self._tokenizer.exact_starts(source.lines, wanted)
        bounds = [source.line_starts[line] for line in exact]
        bounds.append(len(text))
        bounds[0] = max(bounds[0], self._body)
        at = total = 0
        while at < len(exact):
            stop = bisect_left(bounds, bounds[at] + SLAB, at + 1, len(exact))
            before = self._tokenizer.before_lines(text[bounds[at] : bounds[stop]])
            if before is not None:
                first = exact[at]
                for line in exact[at:stop]:
                    sums[line] = total + before[line - first]
                total += before[-1]
            else:
                counts = self.texts([text[bounds[k] : bounds[k + 1]] for k in range(at, stop)])
                for line, tokens in zip(exact[at:stop], counts):
                    sums[line] = total
                    total += tokens
            at = stop
        sums[-1] = total
        return self._between(starts, [*(sums[line] for line in lines), sums[-1]])

    def stretches(self, starts: Sequence[int]) -> tuple[list[int], list[bool]]:
        """Tokens from each of these offsets to the next one, counted with line feeds; whether counts add up there.

        What lies between lines that have been counted is looked up. Inside a line, white space before an offset is
        counted with what follows it, as the tokenizer does.
        """
        if not self._by_words:
            text = self._source.text
            return self.texts([text[start:stop] for start, stop in zip(starts, starts[1:])]), [False] * len(starts)
        return self._between(starts, list(map(self._before, starts)))

    def _between(self, starts: Sequence[int], sums: Sequence[int]) -> tuple[list[int], list[bool]]:
        if min(sums) >= 0:
            return [after - before for before, after in zip(sums, sums[1:])], [self.as_given] * len(sums)
        text = self._source.text
        bounds = [start if before >= 0 else self._gap(start) for start, before in zip(starts, sums)]
        between = [after - before if before >= 0 <= after else -1 for before, after in zip(sums, sums[1:])]
        unknown = [number for number, tokens in enumerate(between) if tokens < 0]
        counted = self.texts([text[bounds[number] : bounds[number + 1]] for number in unknown])
        for number, tokens in zip(unknown, counted):
            between[number] = tokens
        exact = [self.as_given and (before >= 0 or bound < start) for start, before, bound in zip(starts, sums, bounds)]
        return between, exact

    def _before(self, start: int) -> int:
        """Tokens of the body before an offset; -1 where no line starts, or one at whose start counts do not add up."""
        source = self._source
        if start == len(source.text):
            return self._sums[-1]
        line = source.line_of(start)
        return self._sums[line] if start == source.line_starts[line] or start == self._body else -1

    def _gap(self, start: int) -> int:
        """Where the white space before an offset inside a line starts; the offset itself where that is not plain."""
        text = self._source.text
        if text[start - 1 : start] not in (" ", "\t"):
            return start
        gap = start - 1
        lowest = max(1, start - LONGEST)
        while gap > lowest and text[gap - 1] in " \t":
            gap -= 1
        return start if text[gap - 1].isspace() else gap

    def written(self, text: str) -> int:
        """Tokens of a text that is not in the document yet, or no longer: as it will stand in a chunk."""
        return self._count(text if self.as_given else text.replace("\n", self._longest_eol)) - self._overhead

    def starts_exactly(self, text: str) -> bool:
        """Whether counts add up at the start of a text that is written into a chunk."""
        return self.as_given and self._tokenizer.starts_exactly(text.partition("\n")[0])

    def span(self, start: int, end: int, prefix: str = "", suffix: str = "") -> int:
        """Tokens of `prefix + text[start:end] + suffix`, as given."""
        return self._count(self.given(start, end, prefix, suffix)) - self._overhead

    def given(self, start: int, end: int, prefix: str = "", suffix: str = "") -> str:
        """The text of a chunk: the document's own characters, and what is written around them in its line endings."""
        source = self._source
        if self.as_given:
            return prefix + source.text[start:end] + suffix
        own = self._given[source.original(start) : source.original(end)]
        return prefix.replace("\n", self.eol) + own + suffix.replace("\n", self.eol)

    def chunk_counter(self, pieces: Pieces, block_starts: Sequence[int]) -> Callable[[int, int], int]:
        """What gives the exact tokens of pieces `first` to `stop`, half-open, with their prefix and suffix.

        It adds up the pieces' own where that comes to the same.
        """
        sums = list(accumulate(pieces.tokens, initial=0))
        inexact = list(accumulate(map(not_, pieces.exact), initial=0))

        def bound(number: int) -> int:
            if number == len(pieces):
                return len(self._source.text)
            whole = pieces.joint[number] is Joint.BLOCK
            return block_starts[pieces.block[number]] if whole else self._gap(pieces.start[number])

        def count(first: int, stop: int) -> int:
            last = stop - 1
            start, prefix = pieces.start[first], pieces.prefix[first]
            end, suffix = pieces.end[last], pieces.suffix[last]
            if inexact[first] == inexact[stop]:
                before = self._begin(bound(first), start, end, prefix)
                behind = self._end(pieces.start[last], end, suffix, bound(stop))
                if before is not None and behind is not None:
                    return pieces.prefix_tokens[first] + before + sums[stop] - sums[first] + behind
            return self.span(start, end, prefix, suffix)

        return count

    def widest_counter(self, pieces: Pieces) -> Callable[[int, int], int]:
        """What gives the tokens of pieces `first` to `stop`, half-open, with line endings of two characters."""

        def count(first: int, stop: int) -> int:
            own = self._source.text[pieces.start[first] : pieces.end[stop - 1]]
            text = pieces.prefix[first] + own + pieces.suffix[stop - 1]
            return self._count(text.replace("\n", "\r\n")) - self._overhead

        return count

    def _begin(self, bound: int, start: int, end: int, prefix: str) -> int | None:
        """What the tokens from `bound` on change by if a chunk starts at `start`, behind its prefix."""
        if prefix and prefix[-1] != "\n":
            return None
        text = self._source.text
        if bound >= start:
            return 0
        word = _WORD.match(text, start, min(end, start + LONGEST))
        if word is None or not self._tokenizer.starts_exactly(word[0]):
            return None
        return self._growth("", text[bound : word.end()], word[0])

    def _end(self, start: int, end: int, suffix: str, following: int) -> int | None:
        """What a piece's tokens change by if its suffix follows it, instead of the white space up to `following`."""
        if suffix and suffix[0] != "\n":
            return None
        source = self._source
        text = source.text
        near = max(start, end - LONGEST)
        at = tail_start(text[near:end])
        if at is not None:
            return self._growth(text[near + at : end], text[end:following], suffix)
        line = source.line_of(end - 1)
        near = source.line_starts[line]
        if near < start or not self._tokenizer.starts_exactly(source.lines[line]):
            return None
        last = text[near:end]
        return self._tokenizer.count(last + suffix) - self._tokenizer.count(last + text[end:following])


def _growth(tokenizer: Tokenizer, tail: str, gap: str, suffix: str) -> int:
    """By how many tokens `tail` has more with `suffix` behind it than with `gap`."""
    return tokenizer.count(tail + suffix) - tokenizer.count(tail + gap)
