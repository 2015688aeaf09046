"""Whether a difference between two splitters is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

__all__ = ["Difference", "Resamples"]

SEED = 20_250_101
SAMPLES = 10_000
NOISE = 1e-9
"""What sums of floating-point numbers may differ by where nothing does."""


class Difference(NamedTuple):
    """How one splitter differs from another over the same questions."""

    mean: float
    low: float
    high: float
    """The 95 % interval of the mean."""
    verdict: str
    """`better`, `worse`, or `cannot tell with 72 questions`."""


class Resamples:
    """Paired bootstrap over questions, drawn by document: questions about the same document are not independent.

    The draws are the same for every comparison and every run.
    """

    def __init__(self, documents: Sequence[str], samples: int = SAMPLES) -> None:
        names = {name: k for k, name in enumerate(dict.fromkeys(documents))}
        self.owner = np.array([names[name] for name in documents], dtype=np.int64)
        self.sizes = np.bincount(self.owner, minlength=len(names)).astype(np.float64)
        chance = np.full(len(names), 1 / max(1, len(names)))
        draws = np.random.default_rng(SEED).multinomial(len(names), chance, size=samples)
        self.draws = draws.astype(np.float64)

    def compare(self, ours: Sequence[float], others: Sequence[float]) -> Difference:
        """`ours` minus `others`, one value a question.

        >>> Resamples(["a", "b", "c", "d"]).compare([1, 1, 1, 1], [0, 0, 0, 0]).verdict
        'better'
        """
        gaps = np.asarray(ours, dtype=np.float64) - np.asarray(others, dtype=np.float64)
        sums = np.bincount(self.owner, weights=gaps, minlength=len(self.sizes))
        means = (self.draws @ sums) / (self.draws @ self.sizes)
        low, high = np.quantile(means, [0.025, 0.975])
        verdict = "better" if low > NOISE else "worse" if high < -NOISE else f"cannot tell with {len(gaps)} questions"
        return Difference(float(gaps.mean()), float(low), float(high), verdict)
