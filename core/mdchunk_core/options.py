"""What a chunker can be told, checked when it is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from .errors import ConfigError

HeadingContext = Literal["metadata", "prefix"]
NoteContext = Literal["metadata", "suffix"]
MergeAcross = Literal["never", "siblings", "any"]

SMALLEST_LIMIT = 8
"""Tokens. One code point can be four tokens, and a part may repeat as much as it holds."""

PRESETS: dict[str, dict[str, int]] = {
    "faq": {"target_tokens": 200, "max_tokens": 500},
    "docs": {"target_tokens": 500, "max_tokens": 1000},
    "paper": {"target_tokens": 800, "max_tokens": 1500},
    "legal": {"target_tokens": 1000, "max_tokens": 2000},
    "narrative": {"target_tokens": 1500, "max_tokens": 2500},
    "embedding-512": {"target_tokens": 480, "max_tokens": 512},
    "long-context": {"target_tokens": 800, "max_tokens": 1024},
    "general": {"target_tokens": 800, "overlap_tokens": 100},
}


@dataclass(frozen=True, slots=True)
class Sizes:
    """The four sizes, in tokens."""

    target: int
    limit: int
    least: int
    overlap: int

    def without(self, overhead: int) -> Sizes:
        """The sizes for what a text has besides `overhead` tokens, which the tokenizer adds to every text."""
        if not overhead:
            return self
        target = max(1, self.target - overhead)
        least, overlap = max(0, self.least - overhead), min(self.overlap, target - 1)
        return Sizes(target, self.limit - overhead, min(least, target), overlap)


def fill_sizes(target: int | None, limit: int | None, least: int | None, overlap: int | None) -> Sizes:
    """Fill in what was not given and refuse what cannot work.

    Raises ConfigError, which names the option, the value and what is allowed.

    >>> fill_sizes(None, None, None, None)
    Sizes(target=400, limit=512, least=100, overlap=60)
    >>> fill_sizes(1000, None, None, 0)
    Sizes(target=1000, limit=1300, least=250, overlap=0)
    """
    given = {"target_tokens": target, "max_tokens": limit, "min_tokens": least, "overlap_tokens": overlap}
    for option, value in given.items():
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise ConfigError(option, value, "an int is needed")
    if limit is not None and limit < SMALLEST_LIMIT:
        raise ConfigError("max_tokens", limit, f"at least {SMALLEST_LIMIT} is needed")
    if target is not None and target < 1:
        raise ConfigError("target_tokens", target, "at least 1 is needed")
    alone = limit is None and target is not None
    if target is None:
        target = 400 if limit is None else limit * 8 // 10
    if limit is None:
        limit = max(SMALLEST_LIMIT, target * 13 // 10) if alone else 512
    if target > limit:
        raise ConfigError("target_tokens", target, f"at most max_tokens, {limit}, is allowed")
    if least is None:
        least = target // 4 if alone else min(100, target // 4)
    if overlap is None:
        overlap = min(60, target * 15 // 100)
    if not 0 <= least <= target:
        raise ConfigError("min_tokens", least, f"0 to target_tokens, {target}, is allowed")
    if not 0 <= overlap < target:
        raise ConfigError("overlap_tokens", overlap, f"0 to below target_tokens, {target}, is allowed")
    return Sizes(target, limit, least, overlap)


def one_of(option: str, value: Any, choices: Any) -> None:
    """Raise ConfigError unless `value` is one of the strings of the Literal `choices`."""
    if value not in get_args(choices):
        raise ConfigError(option, value, "one of " + ", ".join(map(repr, get_args(choices))) + " is needed")
