"""Which chunks a search gives first: by words (BM25), by meaning (an embedding model), by both."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .embedding import Embedder

__all__ = ["bm25_scores", "dense_scores", "fused", "ranked", "words"]

FUSION = 60
"""The constant of reciprocal rank fusion: how little it matters to be first rather than second."""

_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]+")


def words(text: str) -> list[str]:
    """What BM25 looks for: words in lower case; pairs of characters where a script has no spaces.

    >>> words("The API 東京都")
    ['the', 'api', '東京', '京都']
    """
    found: list[str] = []
    for match in _WORD.finditer(text.lower()):
        position = 0
        for run in _UNSPACED.finditer(match[0]):
            found += filter(None, [match[0][position : run.start()]])
            found += [run[0][k : k + 2] for k in range(max(1, len(run[0]) - 1))]
            position = run.end()
        found += filter(None, [match[0][position:]])
    return found


def bm25_scores(questions: Sequence[str], chunks: Sequence[str]) -> NDArray[np.float32]:
    """The score of every chunk (column) for every question (row), by the package bm25s (k1 1.5, b 0.75)."""
    package: Any = importlib.import_module("bm25s")
    tokens = [words(chunk) or [""] for chunk in chunks]
    index = package.BM25(k1=1.5, b=0.75)
    index.index(tokens, show_progress=False)
    known = set(index.vocab_dict)
    scores = np.zeros((len(questions), len(chunks)), dtype=np.float32)
    for row, question in enumerate(questions):
        query = [word for word in words(question) if word in known]
        if query:
            scores[row] = index.get_scores(query)
    return scores


def dense_scores(questions: Sequence[str], chunks: Sequence[str], embedder: Embedder) -> NDArray[np.float32]:
    """The cosine of every chunk (column) and every question (row)."""
    scores: NDArray[np.float32] = embedder.queries(questions) @ embedder.documents(chunks).T
    return scores


def ranked(scores: NDArray[np.float32]) -> NDArray[np.int64]:
    """The chunks of each question, the best first; equal ones in the order of the documents."""
    return np.argsort(-scores, axis=1, kind="stable")


def fused(rankings: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Several rankings made one by reciprocal rank fusion.

    >>> fused([np.array([[0, 1, 2]]), np.array([[1, 0, 2]])]).tolist()
    [[0, 1, 2]]
    """
    total = np.zeros(rankings[0].shape)
    for ranking in rankings:
        places = np.empty_like(ranking)
        np.put_along_axis(places, ranking, np.arange(ranking.shape[1])[None, :], axis=1)
        total += 1.0 / (FUSION + 1 + places)
    return np.argsort(-total, axis=1, kind="stable")
