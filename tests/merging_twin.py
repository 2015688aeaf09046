"""The greedy three passes of bidirectional merging, written out: what ours is measured against.

Forward, backward and balance, each with its limit: 1.2 and 1.3 of the target. Slow and simple on purpose, and with its
own few patterns, so that it shares nothing with the library.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

FORWARD_LIMIT = 1.2
BALANCE_LIMIT = 1.3

_HEADER = re.compile(r"#{1,6} |<h[1-6]|\d+(\.\d+)+\.? |[IVX]+\. |[A-H]\. |.*:$")
_FOOTER = re.compile(r"[*_(]*(Seite \d|Page \d|Stand:|Version:|Gültig (ab|nur|bis)|Valid (from|only|until))")


class Segment(NamedTuple):
    """Blocks `first` to `stop`, half-open, and their size."""

    first: int
    stop: int
    size: int

    def with_next(self, other: Segment) -> Segment:
        assert self.stop == other.first
        return Segment(self.first, other.stop, self.size + other.size)


def is_header(text: str) -> bool:
    return "\n" not in text and _HEADER.match(text) is not None


def is_footer_or_trailing_note(text: str) -> bool:
    return all(_FOOTER.match(line) for line in text.split("\n"))


def bidirectional_merge(texts: Sequence[str], sizes: Sequence[int], target: int, least: int) -> list[Segment]:
    """Segments of the blocks with these texts and sizes (tokens, or any other count)."""
    chunks = [Segment(index, index + 1, size) for index, size in enumerate(sizes)]
    merged: list[Segment] = []
    for index, chunk in enumerate(chunks):
        text = texts[chunk.stop - 1]
        following = chunks[index + 1] if index + 1 < len(chunks) else None
        if chunk.size < least:
            if is_header(text):
                if following and chunk.size + following.size <= FORWARD_LIMIT * target:
                    chunks[index + 1] = chunk.with_next(following)
                    continue
            elif is_footer_or_trailing_note(text):
                if merged and merged[-1].size + chunk.size <= FORWARD_LIMIT * target:
                    merged[-1] = merged[-1].with_next(chunk)
                    continue
            else:
                direction = choose_direction_by_structure(
                    chunk, merged[-1] if merged else None, following, texts, target
                )
                if direction == "forward" and following:
                    chunks[index + 1] = chunk.with_next(following)
                    continue
                if direction == "backward":
                    merged[-1] = merged[-1].with_next(chunk)
                    continue
        merged.append(chunk)
    return balance_final_fragments(merged, target, least)


def choose_direction_by_structure(
    chunk: Segment, previous: Segment | None, following: Segment | None, texts: Sequence[str], target: int
) -> str:
    """To the smaller neighbour of the same section that has room, or to none."""
    room = FORWARD_LIMIT * target - chunk.size
    back = previous is not None and previous.size <= room and not texts[chunk.first].startswith("#")
    ahead = following is not None and following.size <= room and not texts[following.first].startswith("#")
    if back and ahead and previous and following:
        return "backward" if previous.size <= following.size else "forward"
    return "backward" if back else "forward" if ahead else "neither"


def balance_final_fragments(merged: list[Segment], target: int, least: int) -> list[Segment]:
    """What is still too small at the end goes to what precedes it."""
    while len(merged) > 1 and merged[-1].size < least and merged[-2].size + merged[-1].size <= BALANCE_LIMIT * target:
        merged[-2:] = [merged[-2].with_next(merged[-1])]
    return merged


def orphans(segments: Sequence[Segment], least: int) -> int:
    """How many segments are below the least size."""
    return sum(segment.size < least for segment in segments)
