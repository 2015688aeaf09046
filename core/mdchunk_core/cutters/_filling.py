"""Cutting inside a line that has something written around it: what table cells and the text of HTML have in common."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from .frame import Frame
from .part import Joint, Part, Window
from .sentences import sentence_starts
from .spans import masked, spans
from .words import Filler, outside


class Between(Frame):
    """What stands around the parts of a stretch inside a block.

    `first` is the prefix of a part that starts the stretch, `inside` that of the others; `closing` is the suffix of a
    part that does not end it, `after` that of the one that does.
    """

    def __init__(self, window: Window, *, first: str, inside: str, closing: str, after: str, room: int) -> None:
        super().__init__(replace(window, first=first, rest=inside, suffix=closing, room=room), "")
        self.after = after
        # The cutter has seen to it that these are no more than may be repeated.
        self.rest, self.suffix = inside, closing
        self.affix = self._size(inside) + self._size(closing)
        self.first_affix = self._size(first) + self._size(closing)
        half = window.limit // 2
        self._heavy = {
            # Prefix and suffix that were chosen for different places may together be too much to repeat.
            (is_first, is_last): self._size(before) + self._size(behind) > half
            for is_first, before in ((True, first), (False, self.rest))
            for is_last, behind in ((True, after), (False, self.suffix))
        }

    def fits(self, start: int, end: int, *, first: bool = False, last: bool = False, tokens: int | None = None) -> bool:
        if last and self.after:
            before = self.first if first else self.prefix(start)
            budget = self.room if first else self.limit
            return self.count(before + self.text[start:end] + self.after) <= budget
        return super().fits(start, end, first=first, last=last, tokens=tokens)

    def part(self, start: int, end: int, joint: Joint, depth: int, *, first: bool = False, last: bool = False) -> Part:
        part = super().part(start, end, joint, depth, first=first, last=last)
        if last and self.after and self.fits(start, end, first=first, last=True):
            part = part._replace(suffix=self.after)
        return part._replace(suffix="") if self._heavy[first, last] else part


def cut_text(
    around: Between, start: int, end: int, joint: Joint, depth: int, low: int, high: int, base: int | None = None
) -> list[Part]:
    """The parts of `text[start:end]`: sentences, then words, then graphemes.

    A cut lies behind `low` and before `high`, if that can be. `depth` is that of the boundary `joint` before the first
    part, `base` that of the others.
    """
    text = around.text[start:end]
    inline = spans(text)
    spared = [(span.start + start, span.end + start) for span in inline]
    sentences = [start + at for at in sentence_starts(masked(text, inline))]
    cuts = [start, *(at for at in outside(spared, sentences) if low < at < high), end]
    filler = Filler(around, depth if base is None else base)
    parts: list[Part] = []
    first_spared = 0
    for at, upto in pairwise(cuts):
        while first_spared < len(spared) and spared[first_spared][1] <= at:
            first_spared += 1
        stop = first_spared
        while stop < len(spared) and spared[stop][0] < upto:
            stop += 1
        parts += filler.fill(
            at, upto, joint, first=not parts, last=upto == end, spared=spared[first_spared:stop], low=low, high=high
        )
        joint = Joint.SENTENCE
    if parts:
        parts[0] = parts[0]._replace(depth=depth)
    return parts
