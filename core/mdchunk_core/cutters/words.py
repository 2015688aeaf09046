"""Cutting a stretch of text too long for its sentence or line: at lines, clauses, words, graphemes, code points."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

import regex

from .frame import Frame, margin_match, tokens_up_to
from .part import Joint, Part

SHARE = 4
"""Words are gathered into parts of about this fraction of the room, so that the packer still has a choice."""
GRAIN = 12
"""Tokens that a part may have in any case."""
SLAB = 32_768
"""Characters that are split into graphemes in one go."""
DENSEST, SPARSEST = 0.2, 16.0
"""Characters to a token that a guess is held to."""

_GAP = regex.compile(r"[^\S\u00a0\u2007\u202f]++(?!\p{M})")
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\u3000-\u303f\uff01-\uff65"
_WORD = regex.compile(
    rf"(?:(?<=[{_UNSPACED}])|(?=[{_UNSPACED}]))\b"
    r"(?<=[^\s\p{Ps}\p{Pi}\\])(?=[^\s\p{Pe}\p{Pf}\p{Po}\p{M}\p{Lm}ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ])",
    regex.WORD,
)
"""Between words of scripts that set no spaces; never after an opening bracket or before what cannot start a line."""
_PHRASED = r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_CLAUSE = regex.compile(
    r"[,;:][\"'”’)\]]*\s++(?!\p{M})|[，、；：،؛]++[”’」』）】]*+(?!\p{M})"
    rf"|(?<={_PHRASED})[^\S\n]++(?={_PHRASED})"
)
"""A pause inside a sentence. White space behind it belongs to it; in scripts that set no spaces it is one."""
_SIGNS = regex.compile(r"(?<=[!-/:-@\[\]^-`{-~])(?=\w)(?!\p{M})")
"""Behind signs inside what has no white space, such as an address or encoded data."""
_GRAPHEME = regex.compile(r"\X")

_LINES, _CLAUSES, _WORDS, _ALL_WORDS, _INNER, _GRAPHEMES, _CODE_POINTS = range(7)


class Filler:
    """Fills parts from stretches of one block by the coarsest boundaries that do. Work is linear in the stretch."""

    def __init__(self, frame: Frame, depth: int, *, share: int = SHARE) -> None:
        self.frame = frame
        self.depth = depth
        self.share = share
        self.full = 0.65 if share > 1 else 0.95
        self.parts: list[Part] = []
        self._ratio = 4.0
        self._first = self._last = False
        self._end = self._low = self._high = 0
        self._spared: Sequence[tuple[int, int]] = ()
        self._line_joint = Joint.LINE

    def fill(
        self,
        start: int,
        end: int,
        joint: Joint,
        *,
        first: bool = False,
        last: bool = False,
        spared: Sequence[tuple[int, int]] = (),
        lines: Joint | None = None,
        words: bool = True,
        low: int = 0,
        high: int | None = None,
    ) -> list[Part]:
        """The parts of `text[start:end]`: one if it fits, none if it is all white space.

        `joint` stands before the first; `first` and `last` say what the stretch is in its block. `spared` stretches, in
        order and apart, are cut only where nothing else helps. `lines` is the joint of a line break where lines come
        before words; without `words` only graphemes are cut apart. A cut lies behind `low` and before `high`, if that
        can be.
        """
        self.parts = []
        self._first, self._last, self._end = first, last, end
        self._low, self._high = max(low, start), end if high is None else high
        self._spared = spared
        self._line_joint = lines or Joint.LINE
        begin, stop = self.frame.trim(start, end)
        if begin >= stop or self.frame.fits(begin, stop, first=first, last=last):
            self._emit(start, end, joint)
            return self.parts
        self._make_room(start, end)
        self._run(start, end, _GRAPHEMES if not words else _CLAUSES if lines is None else _LINES, joint, coarser=False)
        return self.parts

    def _make_room(self, start: int, end: int) -> None:
        """Give up what can be had by no cut: first the room beside a heading, then what should not be cut off."""
        frame = self.frame
        for _ in range(2):
            grapheme = _GRAPHEME.match(frame.text, self._low, min(end, self._low + 64))
            least = grapheme.end() if grapheme else end
            if frame.fits(start, least, first=self._first, last=self._last and least == end):
                return
            if self._first and frame.room < frame.limit:
                frame.room = frame.limit
            else:
                break
        self._low = start

    def _run(self, start: int, end: int, level: int, joint: Joint, *, coarser: bool = True) -> None:
        inner = self._line_joint if level == _LINES else Joint.WORD if level <= _ALL_WORDS else Joint.GRAPHEME
        for cuts in self._cuts(start, end, level):
            if cuts == [start, end] and coarser and level != _CODE_POINTS:
                self._run(start, end, level + 1, joint)  # what did not fit before is not counted again
                return
            at = 0
            while at < len(cuts) - 1:
                made = len(self.parts)
                stop = self._reach(cuts, at)
                if stop > at:
                    self._emit(cuts[at], cuts[stop], joint)
                elif level == _CODE_POINTS:
                    stop = at + 1
                    self._emit(cuts[at], cuts[stop], joint)
                    self.parts[made:] = [self.frame.forced(part) for part in self.parts[made:]]
                else:
                    stop = at + 1
                    self._run(cuts[at], cuts[stop], level + 1, joint)
                if len(self.parts) > made:
                    joint = inner
                at = stop

    def _emit(self, start: int, end: int, joint: Joint) -> None:
        last = self._last and end == self._end
        start, end = self.frame.trim(start, end)
        if start < end:
            first = self._first and not self.parts
            self.parts.append(self.frame.part(start, end, joint, self.depth, first=first, last=last))

    def _reach(self, cuts: Sequence[int], at: int) -> int:
        """The furthest cut up to which a part is well filled and fits; `at` where not even the next one does."""
        frame, start, top = self.frame, cuts[at], len(cuts) - 1
        first = self._first and not self.parts
        free = frame.room - frame.first_affix if first else frame.limit - frame.affix
        goal = max(1, free // self.share, min(free, GRAIN))
        good, bad = at, top + 1
        guess = self._guess(cuts, at, goal)
        while True:
            begin, end = frame.trim(start, cuts[guess])
            tokens = tokens_up_to(frame.count, frame.text[begin:end], free) if begin < end else 0
            last = self._last and cuts[guess] == self._end
            if (tokens <= goal or guess == at + 1) and (
                begin >= end or frame.fits(begin, end, first=first, last=last, tokens=tokens)
            ):
                good = guess
            else:
                bad = guess
            if tokens:
                self._ratio = max(DENSEST, (end - begin) / tokens)
                if tokens > free:
                    self._ratio = min(SPARSEST, self._ratio)  # perhaps only a beginning was counted
            if good + 1 >= bad or (good == guess and (good == top or tokens >= self.full * goal)):
                return good
            guess = min(bad - 1, max(good + 1, self._guess(cuts, at, goal)))
            if good > at:
                # At most twice as far, so that a sparse stretch does not make the next try a costly one.
                twice = bisect_right(cuts, start + max(2 * (cuts[good] - start), 8 * goal)) - 1
                if twice <= good:
                    return good
                guess = min(guess, twice) if tokens else min(bad - 1, twice)
            else:
                guess = min(guess, at + max(1, (bad - at) // 2))

    def _guess(self, cuts: Sequence[int], at: int, goal: int) -> int:
        return max(at + 1, bisect_right(cuts, cuts[at] + int(self._ratio * goal), at + 1) - 1)

    def _cuts(self, start: int, end: int, level: int) -> Iterator[list[int]]:
        text = self.frame.text
        if level == _LINES:
            source = self.frame.source
            numbers = range(source.line_of(start) + 1, source.line_of(end - 1) + 1)
            yield self._between(start, end, [source.line_starts[number] for number in numbers], self._spared)
        elif level in (_CLAUSES, _INNER):
            pattern, spared = (_CLAUSE, self._spared) if level == _CLAUSES else (_SIGNS, ())
            yield self._between(start, end, [match.end() for match in pattern.finditer(text, start, end)], spared)
        elif level == _ALL_WORDS and not self._near(start, end):
            yield [start, end]
        elif level in (_WORDS, _ALL_WORDS):
            found = [match.end() for match in _GAP.finditer(text, start, end)]
            words = [] if text[start:end].isascii() else [match.start() for match in _WORD.finditer(text, start, end)]
            if words:
                found = sorted({*found, *words})
            yield self._between(start, end, found, self._spared if level == _WORDS else ())
        elif level == _GRAPHEMES:
            yield from self._graphemes(start, end)
        else:
            for slab in range(start, end, SLAB):
                yield list(range(slab, min(slab + SLAB, end) + 1))

    def _graphemes(self, start: int, end: int) -> Iterator[list[int]]:
        text = self.frame.text
        while start < end:
            stop = min(start + SLAB, end)
            slab = text[start:stop]
            if slab.isascii():
                found = list(range(start + 1, stop + 1))
            else:
                found = [match.end() for match in _GRAPHEME.finditer(text, start, stop)]
            if stop < end and len(found) > 1:
                found.pop()
                stop = found[-1]
            if "\\" in slab:
                found = [cut for cut in found if text[cut - 1] != "\\"]
            yield self._between(start, stop, found, ())
            start = stop

    def _between(self, start: int, end: int, found: Sequence[int], spared: Sequence[tuple[int, int]]) -> list[int]:
        low, high = max(self._content(start), self._low), min(end, self._high)
        inside = found[bisect_right(found, low) : bisect_left(found, high)]
        return [start, *outside(self._near(start, end) if spared else (), inside), end]

    def _near(self, start: int, end: int) -> Sequence[tuple[int, int]]:
        """The stretches to spare that start between the two."""
        spared = self._spared
        return spared[bisect_left(spared, (start,)) : bisect_left(spared, (end,))]

    def _content(self, start: int) -> int:
        """Behind the margin and indentation of the line, if one starts here: they stay with what they stand before."""
        frame = self.frame
        if not frame.starts_line(start):
            return start
        line = frame.source.lines[frame.source.line_of(start)]
        width = margin_match(line, frame.margin)[0]
        return start + len(line) - len(line[width:].lstrip())


def outside(spared: Sequence[tuple[int, int]], offsets: Sequence[int]) -> list[int]:
    """The offsets, in order, that lie inside none of the stretches, which are in order and apart.

    >>> outside([(2, 5), (7, 9)], [1, 2, 3, 5, 8])
    [1, 2, 5]
    """
    if not spared:
        return list(offsets)
    found = []
    at = 0
    for offset in offsets:
        while at < len(spared) and spared[at][1] <= offset:
            at += 1
        if at == len(spared) or offset <= spared[at][0]:
            found.append(offset)
    return found
