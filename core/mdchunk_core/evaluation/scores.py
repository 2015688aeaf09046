"""How well a ranking of chunks answers a question, in visible characters of the evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..compare.locate import Located, Span, VisibleText, is_visible, join_spans
from .questions import Question

__all__ = ["MEASURES", "IndexedChunk", "Judge", "Scores"]

WHOLE = 0.999
"""Share of the evidence that counts as all of it: splitters that rewrite tables lose a pipe."""


class IndexedChunk(NamedTuple):
    """A chunk in the index."""

    document: str
    text: str
    tokens: int
    spans: tuple[Span, ...]
    """Half-open, in visible characters of the document."""
    visible: int
    """Characters of its text that are visible."""

    @classmethod
    def of(cls, document: str, chunk: Located, source: VisibleText, tokens: int) -> IndexedChunk:
        """A located chunk."""
        spans = join_spans(source.between(*span) for span in chunk.spans)
        return cls(document, chunk.text, tokens, spans, sum(map(is_visible, chunk.text)))


@dataclass(frozen=True, slots=True)
class Scores:
    """Of one question. All are 0 to 1."""

    recall: float
    """Share of the evidence in the first k chunks."""
    precision: float
    """Share of the first k chunks' text that is evidence; what stands in two of them counts once."""
    iou: float
    """Evidence in the first k chunks, over that evidence, all other text of these chunks, and the evidence missed."""
    budget_recall: float
    """Share of the evidence in the chunks that fit the token budget, taken in order until one does not."""
    budget_whole: float
    """1 where all the evidence is in them."""
    mrr: float
    """1 / rank of the first chunk that holds all the evidence; 0 where none does."""


MEASURES: Mapping[str, Callable[[Scores], float]] = {
    "recall": lambda scores: scores.recall,
    "precision": lambda scores: scores.precision,
    "iou": lambda scores: scores.iou,
    "budget_recall": lambda scores: scores.budget_recall,
    "budget_whole": lambda scores: scores.budget_whole,
    "mrr": lambda scores: scores.mrr,
}


class Judge:
    """Scores rankings over one set of chunks."""

    def __init__(self, chunks: Sequence[IndexedChunk], sources: Mapping[str, VisibleText], k: int, budget: int) -> None:
        self.chunks = chunks
        self.sources = sources
        self.k = k
        self.budget = budget
        """Tokens."""

    def score(self, question: Question, ranking: Sequence[int]) -> Scores:
        """The scores of one question. `ranking` are positions of chunks, the best first."""
        source = self.sources[question.document]
        gold = join_spans(source.between(*span) for span in question.evidence)
        size = max(1, _length(gold))
        first = [self.chunks[k] for k in ranking[: self.k]]
        held = self._held(gold, question.document, first)
        retrieved = sum(chunk.visible for chunk in first)
        within = self._held(gold, question.document, self._affordable(ranking)) / size
        return Scores(
            recall=held / size,
            precision=held / retrieved if retrieved else 0.0,
            iou=held / (retrieved + size - held) if retrieved else 0.0,
            budget_recall=within,
            budget_whole=float(within >= WHOLE),
            mrr=self._reciprocal_rank(gold, size, question.document, ranking),
        )

    def _affordable(self, ranking: Iterable[int]) -> list[IndexedChunk]:
        taken: list[IndexedChunk] = []
        left = self.budget
        for k in ranking:
            left -= self.chunks[k].tokens
            if left < 0:
                break
            taken.append(self.chunks[k])
        return taken

    def _held(self, gold: Sequence[Span], document: str, chunks: Iterable[IndexedChunk]) -> int:
        """Characters of the evidence that these chunks hold."""
        spans = join_spans(span for chunk in chunks if chunk.document == document for span in chunk.spans)
        return _common(gold, spans)

    def _reciprocal_rank(self, gold: Sequence[Span], size: int, document: str, ranking: Sequence[int]) -> float:
        for rank, k in enumerate(ranking, 1):
            chunk = self.chunks[k]
            if chunk.document == document and _common(gold, chunk.spans) >= WHOLE * size:
                return 1 / rank
        return 0.0


def _length(spans: Iterable[Span]) -> int:
    return sum(end - start for start, end in spans)


def _common(some: Sequence[Span], others: Sequence[Span]) -> int:
    """Characters that lie in both; each is in order and apart in itself."""
    return sum(max(0, min(end, stop) - max(start, begin)) for start, end in some for begin, stop in others)
