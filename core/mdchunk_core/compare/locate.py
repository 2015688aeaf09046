"""Finds the chunks of any splitter in the document they were cut from, however the splitter changed white space.

Text is compared by its visible characters alone. A chunk is looked for whole, near where the one before it ended; one
that is not there whole (headings written in front, a repeated table header, rewritten tables) stretch by stretch, and
what is then left word by word. So a chunk may lie in several places, and a repeated header row counts for the row it
repeats.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

__all__ = ["Located", "Piece", "Span", "VisibleText", "join_spans", "locate"]

Span = tuple[int, int]
"""Half-open, in code points of the document."""

SEED = 24
"""Visible characters that must agree before a stretch is taken for a place in the document."""
SHORT_LINE = 4
"""Visible characters of the shortest whole line that is looked for by itself."""
NEAR = 4000
"""Visible characters around the chunk before in which single words are looked for."""
_LINE = re.compile(r"[^\r\n]+")
_RUN = re.compile(r"\S+")
_WORD = re.compile(r"\w{2,}")
_WORD_CHARACTER = re.compile(r"\w")


class Piece(NamedTuple):
    """A chunk as a splitter gave it."""

    text: str
    start: int | None = None
    end: int | None = None
    """Half-open, in code points of the document, where the splitter tells; checked before it is believed."""


class Located(NamedTuple):
    """A chunk and where its text stands in the document."""

    text: str
    spans: tuple[Span, ...]
    """In order, apart from each other."""
    share: float
    """Of the chunk's visible characters, those that were found in the document: 1.0 is all."""


class VisibleText(NamedTuple):
    r"""A text without white space and unprintable characters, and where each character stands in the text itself.

    >>> VisibleText.of("a b\tc").text
    'abc'
    """

    text: str
    places: Sequence[int]

    @classmethod
    def of(cls, text: str) -> VisibleText:
        """The visible characters of a text."""
        places = [k for k, character in enumerate(text) if is_visible(character)]
        return cls("".join([text[k] for k in places]), places)

    def span(self, start: int, end: int) -> Span:
        """The stretch of the text itself that visible characters `start` to `end` (half-open, not empty) lie in."""
        return self.places[start], self.places[end - 1] + 1

    def between(self, start: int, end: int) -> Span:
        """The visible characters of a stretch of the text itself."""
        return bisect_left(self.places, start), bisect_left(self.places, end)


def is_visible(character: str) -> bool:
    """Whether splitters can be trusted to keep this character: some drop what Python does not call printable."""
    return character.isprintable() and not character.isspace()


def visible(text: str) -> str:
    """The visible characters of a text."""
    return "".join(filter(is_visible, text))


def locate(document: str, pieces: Iterable[Piece | str]) -> list[Located]:
    r"""Where each chunk stands in the document, in the order given.

    >>> [chunk.spans for chunk in locate("# A\n\nfirst   line\n\nsecond", ["# A\nfirst line", "second"])]
    [((0, 17),), ((19, 25),)]
    """
    finder = _Finder(document)
    return [finder.find(Piece(piece) if isinstance(piece, str) else piece) for piece in pieces]


def join_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans in order, those that overlap or touch made one.

    >>> join_spans([(5, 9), (0, 3), (3, 4), (8, 12)])
    ((0, 4), (5, 12))
    """
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return tuple(joined)


class _Finder:
    """Keeps where the chunk before was found."""

    def __init__(self, document: str) -> None:
        self.document = document
        self.source = VisibleText.of(document)
        self.start = self.end = 0
        """Of the chunk before, in visible characters."""

    def find(self, piece: Piece) -> Located:
        text = visible(piece.text.strip("\ufffd \t\r\n"))  # a cut inside a character leaves replacement characters
        if not text:
            return Located(piece.text, (), 1.0)
        whole = self._told(piece, text) or self._whole(text)
        if whole is None:
            found = list(self._stretches(piece.text))
        else:
            found = [whole]
            self._move(*whole)
            before, _, after = text.partition(self.source.text[slice(*whole)])
            if before or after:
                found += self._around(piece.text, whole)
        seen = sum(end - start for start, end in found)
        spans = self._without_gaps([self.source.span(*stretch) for stretch in found])
        return Located(piece.text, spans, min(1.0, seen / len(text)))

    def _move(self, start: int, end: int) -> None:
        """Chunks come in order; a short one that is found far off was perhaps found by chance."""
        if end - start >= SEED or abs(start - self.end) < NEAR:
            self.start, self.end = start, end

    def _told(self, piece: Piece, text: str) -> Span | None:
        """Where the splitter says, if what stands there is in the chunk."""
        if piece.start is None or piece.end is None or not 0 <= piece.start < piece.end <= len(self.document):
            return None
        start, end = self.source.between(piece.start, piece.end)
        return (start, end) if start < end and self.source.text[start:end] in text else None

    def _whole(self, text: str) -> Span | None:
        """The whole chunk: after the one before or overlapping it, else anywhere."""
        find = self.source.text.find
        first = find(text, self.start)
        if 0 <= first < self.end and first + len(text) <= self.end:  # inside the one before: it was rather repeated
            later = find(text, self.end)
            first = later if later >= 0 else first
        if first < 0:
            first = find(text)
        return (first, first + len(text)) if first >= 0 else None

    def _around(self, text: str, whole: Span) -> Iterator[Span]:
        """Lines of the chunk outside its main place: what it repeats from above, or brings from below."""
        inside = self.source.text[slice(*whole)]
        position = 0
        middle = visible(text).find(inside)
        for line in map(visible, text.splitlines()):
            outside = position + len(line) <= middle or position >= middle + len(inside)
            position += len(line)
            if outside and len(line) >= SHORT_LINE and (place := self._line(line, whole[0])):
                yield place

    def _line(self, line: str, before: int) -> Span | None:
        """A whole line of the document: the last before a place, else the first after it."""
        start = self.source.text.rfind(line, 0, before)
        if start < 0:
            start = self.source.text.find(line, before)
        if start < 0 or not self._fills_lines(start, start + len(line)):
            return None
        return start, start + len(line)

    def _fills_lines(self, start: int, end: int) -> bool:
        """Whether a stretch begins and ends where lines do, so that no short line is found inside a long one."""
        first, stop = self.source.span(start, end)
        line_start = self.document.rfind("\n", 0, first) + 1
        line_end = self.document.find("\n", stop)
        outside = self.document[line_start:first] + self.document[stop : line_end if line_end >= 0 else None]
        return not _WORD_CHARACTER.search(outside)

    def _stretches(self, text: str) -> Iterator[Span]:
        """Stretches of the chunk that stand in the document, longest first from left to right; then single words."""
        chunk = VisibleText.of(text)
        lines = {chunk.between(*match.span())[0]: visible(match[0]) for match in _LINE.finditer(text)}
        starts = [chunk.between(*match.span())[0] for match in _RUN.finditer(text)]
        line_starts = list(lines)
        after, lost = self.end, list[Span]()
        last = 0
        main = (0, 0)
        for start in starts:
            if start < last:
                continue
            places = self._seeds(chunk.text[start : start + SEED], lines.get(start, ""), after)
            if not places:
                continue
            agreed = [_agreement(chunk.text, start, self.source.text, place) for place in places]
            place, stop = places[agreed.index(max(agreed))], start + max(agreed)
            if stop < len(chunk.text):  # what agrees further on, as all rows do that begin with a pipe, is chance
                stop = _last_within(line_starts, start, stop) or _last_within(starts, start, stop) or stop
            length = stop - start
            if start > last:
                lost.append((last, start))
            yield place, place + length
            main = max(main, (place, place + length), key=lambda span: span[1] - span[0])
            after, last = place + length, start + length
        if last < len(chunk.text):
            lost.append((last, len(chunk.text)))
        if main != (0, 0):
            self._move(*main)
        yield from self._words([chunk.span(*stretch) for stretch in lost], text)

    def _seeds(self, seed: str, line: str, after: int) -> list[int]:
        """Where a stretch may begin that starts like this, or as this whole line; the likeliest first.

        What follows what was found last is taken as it is. Else it must be long, or a whole line of the document.
        """
        text = self.source.text
        if seed and text.startswith(seed, after):
            return [after]
        if len(seed) == SEED:
            starts = dict.fromkeys((max(after, self.end), after, self.end, self.start))
            places = [text.find(seed, start) for start in starts] + [text.rfind(seed, 0, self.start + SEED)]
            if found := [place for place in dict.fromkeys(places) if place >= 0]:
                return found
        whole = self._line(line, after) if len(line) >= SHORT_LINE else None
        return [whole[0]] if whole else []

    def _words(self, lost: Iterable[Span], text: str) -> Iterator[Span]:
        """Single words, in order, between where the chunk before began and a little beyond this one."""
        position, stop = self.start, self.end + NEAR
        for start, end in lost:
            for match in _WORD.finditer(text, start, end):
                word = visible(match[0])
                place = self.source.text.find(word, position, stop) if word else -1
                if place >= 0 and place - position <= NEAR:
                    position = place + len(word)
                    yield place, position

    def _without_gaps(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Joined, also over what holds no letter or digit: pipes, white space, markup that a splitter took away."""
        joined: list[Span] = []
        for start, end in join_spans(spans):
            if (
                joined
                and start - joined[-1][1] <= NEAR
                and not _WORD_CHARACTER.search(self.document, joined[-1][1], start)
            ):
                joined[-1] = joined[-1][0], end
            else:
                joined.append((start, end))
        return tuple(joined)


def _last_within(places: Sequence[int], start: int, stop: int) -> int | None:
    """The last of the places (in order) above `start` and not above `stop`."""
    k = bisect_right(places, stop) - 1
    return places[k] if k >= 0 and places[k] > start else None


def _agreement(one: str, at_one: int, other: str, at_other: int) -> int:
    """How many characters agree from two places on."""
    most = min(len(one) - at_one, len(other) - at_other)
    low, high = 0, most
    while low < high:  # slices compare much faster than characters
        middle = (low + high + 1) // 2
        if one[at_one + low : at_one + middle] == other[at_other + low : at_other + middle]:
            low = middle
        else:
            high = middle - 1
    return low
