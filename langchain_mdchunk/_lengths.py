"""LangChain's sizes, which may be small or fractions, as the core's whole tokens."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mdchunk_core import MarkdownChunker
from mdchunk_core.errors import ConfigError
from mdchunk_core.options import SMALLEST_LIMIT
from mdchunk_core.tokens import Tokenizer, TokenizerLike, resolve

_PROBE = "The quick brown fox jumps over the lazy dog."


@dataclass(frozen=True, slots=True)
class Rounded:
    """A length function that gives fractions, `lambda text: len(text) / 4`, rounded up so that the limit holds."""

    function: Callable[[str], float]

    def __call__(self, text: str) -> int:
        """Length of `text`, in whole units."""
        return math.ceil(self.function(text))


@dataclass(frozen=True, slots=True)
class Scaled:
    """A length times a whole number: how a limit below the core's smallest one is told to it."""

    tokenizer: Tokenizer
    factor: int

    def __call__(self, text: str) -> int:
        """Length of `text`, in parts of a unit."""
        return self.tokenizer.count(text) * self.factor


def counter(length_function: Callable[[str], Any]) -> Tokenizer:
    """Give the tokenizer that counts as `length_function` does.

    >>> counter(lambda text: len(text) / 4).count("seventeen letters")
    5
    """
    if callable(length_function) and isinstance(length_function(_PROBE), float):
        length_function = Rounded(length_function)
    return resolve(length_function)


def build_chunker(
    tokenizer: Tokenizer,
    chunk_size: float,
    chunk_overlap: float,
    target: int | None,
    least: int | None,
    **options: Any,
) -> tuple[MarkdownChunker, int]:
    """Build the core's chunker for LangChain's sizes in units of `tokenizer`; also give its tokens per unit.

    The target is 0.8 of the limit and the least a quarter of the target where they are not given. LangChain allows an
    overlap as large as the limit; what would leave no room for new text is not asked for.
    """
    limit = math.floor(chunk_size)
    if limit < 1:
        raise ConfigError("chunk_size", chunk_size, "at least 1 is needed")
    factor = 1 if limit >= SMALLEST_LIMIT else -(-SMALLEST_LIMIT // limit)
    sized: TokenizerLike = tokenizer if factor == 1 else Scaled(tokenizer, factor)
    limit *= factor
    target = limit * 8 // 10 if target is None else target * factor
    least = target // 4 if least is None else least * factor
    chunker = MarkdownChunker(
        max_tokens=limit,
        target_tokens=target,
        min_tokens=least,
        overlap_tokens=max(0, min(math.floor(chunk_overlap) * factor, target - 1)),
        tokenizer=sized,
        **options,
    )
    return chunker, factor
