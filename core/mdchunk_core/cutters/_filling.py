"""Cutting inside a line: what table cells and HTML text have in common."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import regex

from .part import Joint

_SENTENCE_END = regex.compile(r"""(?:[.!?…]["'”’»)\]*_]*\s+(?=[\p{Lu}\p{Lt}\p{Lo}\p{N}"'“„«(\[`*_<])|[。！？।]["'”’」』）*_]*\s*(?=\S))""")
_SPACE = regex.compile(r"(?<=\S)\s++")
_CLOSED = regex.compile(r"`[^`\n]+`|!?\[[^\[\]\n]*\](?:\([^()\s]*\))?|<[^<>\s][^<>]*>")
"""Code spans, links, images and tags: what a cut spares if it can."""
_GRAPHEME = regex.compile(r"\X")

_PROBE = 4
"""Characters that a token is taken for until one has been counted."""


class Stretch(NamedTuple):
    """`text[start:end]`, half-open, in characters, and the boundary before it."""

    start: int
    end: int
    joint: Joint


class Filler:
    """Cuts a stretch of text between sentences, then words, then graphemes.

    `fits` says exactly whether a stretch, with all that is written around it, is within the limit. `grain` is the
    number of tokens that words are gathered up to.
    """

    def __init__(
        self, text: str, count: Callable[[str], int], grain: int, fits: Callable[[int, int], bool]
    ) -> None:
        self.text = text
        self.count = count
        self.grain = max(1, grain)
        self.fits = fits
        self._width = float(_PROBE)

    def fill(
        self, start: int, end: int, joint: Joint, keep: int = 0, tail: int | None = None
    ) -> Iterator[Stretch]:
        """Stretches that make up `text[start:end]`; `joint` stands before the first.

        Nothing is cut up to the offset `keep`, nor from `tail` on, if that can be.
        """
        end = _trimmed(self.text, start, end)
        if self.fits(start, end):
            yield Stretch(start, end, joint)
            return
        closed = [match.span() for match in _CLOSED.finditer(self.text, start, end)]
        ends = (match.end() for match in _SENTENCE_END.finditer(self.text, start, end))
        tail = end if tail is None else tail
        sentences = _outside(closed, (at for at in ends if keep < at < tail))
        for here, there in zip([start, *sentences], [*sentences, end]):
            there = _trimmed(self.text, here, there)
            if self.fits(here, there):
                yield Stretch(here, there, joint)
            else:
                yield from self._words(here, there, joint, closed, keep, tail)
            joint = Joint.SENTENCE

    def _words(
        self, start: int, end: int, joint: Joint, closed: Sequence[tuple[int, int]], keep: int, tail: int
    ) -> Iterator[Stretch]:
        spaces = [match.end() for match in _SPACE.finditer(self.text, start, end)]
        spaces = [at for at in spaces if keep < at < min(end, tail)]
        good = _outside(closed, spaces)
        hopeless = start
        here = start
        while here < end:
            reach = self._reach(here, end)
            cut, next_joint = reach, Joint.WORD
            if reach < end:
                at = bisect_right(good, reach) - 1
                beyond = good[at + 1] if at + 1 < len(good) else end
                if at >= 0 and good[at] > here:
                    cut = good[at]
                elif beyond > hopeless and self.fits(here, _trimmed(self.text, here, beyond)):
                    cut = beyond
                else:
                    # Asked once for each word, so that one of a million characters is not counted a million times.
                    hopeless = max(hopeless, beyond)
                    at = bisect_right(spaces, reach) - 1
                    if at >= 0 and spaces[at] > here:
                        cut = spaces[at]
                    else:
                        cut, next_joint = self._grapheme(here, reach), Joint.GRAPHEME
            while not self.fits(here, _trimmed(self.text, here, cut)) and cut - here > 1:
                middle = here + (cut - here) // 2
                at = bisect_right(good, middle) - 1
                if at >= 0 and good[at] > here:
                    cut, next_joint = good[at], Joint.WORD
                else:
                    cut, next_joint = self._grapheme(here, middle), Joint.GRAPHEME
            if cut >= end or not self.text[cut:end].strip():
                yield Stretch(here, end, joint)
                return
            stop = _trimmed(self.text, here, cut)
            yield Stretch(here, stop, joint)
            here = cut + _blanks(self.text, cut, end)
            joint = next_joint

    def _reach(self, start: int, end: int) -> int:
        """The furthest offset for which the text from `start` is within the grain, nearly; at least one character on."""
        width = min(end - start, max(1, int(self.grain * self._width)))
        while True:
            tokens = self.count(self.text[start : start + width])
            if tokens <= self.grain or width == 1:
                break
            width = max(1, min(width - 1, int(width * self.grain / tokens)))
        if start + width < end:
            # At most twofold, so that a stretch of few tokens does not make the next one a costly guess.
            self._width = min(2 * self._width, max(1.0, width / max(1, tokens)))
        return start + width

    def _grapheme(self, start: int, reach: int) -> int:
        """The last boundary of a grapheme in `start < offset <= reach`; `reach` where there is none."""
        text = self.text
        near = max(start, reach - 64)
        cut = reach
        for match in _GRAPHEME.finditer(text, near, min(len(text), reach + 64)):
            if match.end() > reach:
                cut = match.start() if match.start() > start else reach
                break
            if match.end() == reach:
                break
        # A backslash and what it escapes belong together.
        return cut - 1 if cut - 1 > start and text[cut - 1] == "\\" else cut


def _outside(closed: Sequence[tuple[int, int]], offsets: Iterator[int] | Sequence[int]) -> list[int]:
    """The offsets that lie in none of these stretches, which are in order and apart."""
    starts = [span[0] for span in closed]
    found = []
    for offset in offsets:
        at = bisect_left(starts, offset) - 1
        if at < 0 or closed[at][1] <= offset:
            found.append(offset)
    return found


def _trimmed(text: str, start: int, end: int) -> int:
    """`end` without the white space before it."""
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def _blanks(text: str, start: int, end: int) -> int:
    """How many white space characters stand at `start`."""
    at = start
    while at < end and text[at].isspace():
        at += 1
    return at - start
