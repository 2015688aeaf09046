"""Which `*` and `_` are emphasis (CommonMark 6.2 and the appendix's delimiter stack)."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

__all__ = ["Delimiter", "flanking", "pair_up"]


class Delimiter:
    """A run of `*` or `_` that may open or close emphasis."""

    __slots__ = ("char", "closes", "count", "opens", "out", "size")

    def __init__(self, char: str, out: int, count: int, opens: bool, closes: bool) -> None:
        self.char = char
        self.out = out  # where in the output the run is
        self.count = count  # what is left of it
        self.size = count
        self.opens = opens
        self.closes = closes


@lru_cache(maxsize=1024)
def flanking(char: str, before: str, after: str) -> tuple[bool, bool]:
    """Say whether a run between these characters may open, and may close emphasis."""
    space_before, space_after = _is_space(before), _is_space(after)
    mark_before, mark_after = _is_punctuation(before), _is_punctuation(after)
    left = not space_after and (not mark_after or space_before or mark_before)
    right = not space_before and (not mark_before or space_after or mark_after)
    if char == "*":
        return left, right
    return left and (not right or mark_before), right and (not left or mark_after)


def _is_space(char: str) -> bool:
    return char in " \t\n\f\r" or (char > "\x7f" and unicodedata.category(char) == "Zs")


def _is_punctuation(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"


def pair_up(delimiters: list[Delimiter], out: list[str]) -> None:
    """Take the runs that are emphasis out of the output."""
    openers: list[Delimiter] = []
    bottoms: dict[tuple[str, bool, int], int] = {}  # below this many openers none fits such a closer
    for run in delimiters:
        if run.closes:
            kind = (run.char, run.opens, run.size % 3)
            bottom = bottoms.get(kind, 0)
            index = len(openers) - 1
            while run.count and index >= bottom:
                opener = openers[index]
                if not _fit(opener, run):
                    index -= 1
                    continue
                used = 2 if opener.count > 1 and run.count > 1 else 1
                opener.count -= used
                run.count -= used
                del openers[index + 1 :]
                if not opener.count:
                    openers.pop()
                    index -= 1
            bottoms = {key: min(value, len(openers)) for key, value in bottoms.items()}
            if run.count:
                bottoms[kind] = len(openers)
        if run.opens and run.count:
            openers.append(run)
    for run in delimiters:
        out[run.out] = run.char * run.count


def _fit(opener: Delimiter, closer: Delimiter) -> bool:
    if opener.char != closer.char:
        return False
    # The rule of three: 9 and 10 in 6.2.
    return not (
        (opener.closes or closer.opens)
        and (opener.size + closer.size) % 3 == 0
        and (opener.size % 3 or closer.size % 3)
    )
