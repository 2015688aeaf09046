"""Retrieval quality of splitters: the same questions, the same search, only the chunks differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from ..compare.locate import VisibleText, locate
from ..compare.splitters import Splitter
from ..tokens import Tokenizer
from .bootstrap import Difference, Resamples
from .questions import Question, kinds
from .ranking import bm25_scores, dense_scores, fused, ranked
from .scores import MEASURES, IndexedChunk, Judge, Scores

if TYPE_CHECKING:
    from .embedding import Embedder

__all__ = ["JUDGED", "Evaluation", "Measured", "evaluate"]

JUDGED = ("budget_recall", "mrr")
"""The measures that a verdict is given on."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What one splitter came to."""

    name: str
    version: str
    chunks: int
    tokens: int
    located: float
    """Share of the chunks' visible characters that were found in the documents, 0 to 1."""
    cut_short: int
    """Chunks of which the embedding model reads only the beginning."""
    scores: Mapping[str, tuple[Scores, ...]]
    """Search -> the scores of each question."""
    errors: tuple[str, ...] = ()
    """Documents that the splitter failed on; their questions count, with nothing found."""

    def mean(self, search: str, measure: str, chosen: Sequence[int]) -> float:
        """Of the questions at these positions."""
        return fmean(self._values(search, measure, chosen)) if chosen else 0.0

    def _values(self, search: str, measure: str, chosen: Sequence[int]) -> list[float]:
        get = MEASURES[measure]
        return [get(self.scores[search][k]) for k in chosen]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All splitters on the same questions. The first one is what the others are compared with."""

    questions: tuple[Question, ...]
    documents: int
    searches: tuple[str, ...]
    k: int
    budget: int
    model: str
    splitters: tuple[Measured, ...]
    missing: tuple[str, ...] = ()

    def groups(self) -> dict[str, list[int]]:
        """Positions of the questions: `all`, then by kind, the most frequent first."""
        everything = list(range(len(self.questions)))
        found = {"all": everything}
        for kind in kinds(self.questions):
            found[kind] = [k for k in everything if self.questions[k].kind == kind]
        return found

    def against_first(self, splitter: Measured, search: str, measure: str, chosen: Sequence[int]) -> Difference:
        """How the first splitter differs from this one: `better` speaks for the first."""
        documents = [self.questions[k].document for k in chosen]
        first = self.splitters[0]._values(search, measure, chosen)
        return Resamples(documents).compare(first, splitter._values(search, measure, chosen))

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: means and verdicts by search and kind of question, and the scores of each question."""
        groups = self.groups()
        return {
            "questions": len(self.questions),
            "documents": self.documents,
            "k": self.k,
            "budget_tokens": self.budget,
            "model": self.model,
            "compared_with": self.splitters[0].name if self.splitters else None,
            "splitters": [self._splitter(splitter, groups) for splitter in self.splitters],
            "missing": list(self.missing),
        }

    def _splitter(self, splitter: Measured, groups: Mapping[str, list[int]]) -> dict[str, Any]:
        results: dict[str, Any] = {}
        for search in self.searches:
            results[search] = {}
            for group, chosen in groups.items():
                means = {name: round(splitter.mean(search, name, chosen), 4) for name in MEASURES}
                results[search][group] = {"questions": len(chosen), **means}
                if splitter is not self.splitters[0]:
                    results[search][group]["first_against_this"] = {
                        name: self.against_first(splitter, search, name, chosen)._asdict() for name in JUDGED
                    }
        each = {
            search: {
                question.id: {name: round(get(score), 4) for name, get in MEASURES.items()}
                for question, score in zip(self.questions, splitter.scores[search])
            }
            for search in self.searches
        }
        return {
            "name": splitter.name,
            "version": splitter.version,
            "chunks": splitter.chunks,
            "average_tokens": round(splitter.tokens / max(1, splitter.chunks), 1),
            "located": round(splitter.located, 4),
            "cut_short_by_model": splitter.cut_short,
            "errors": list(splitter.errors),
            "results": results,
            "by_question": each,
        }


def evaluate(
    documents: Mapping[str, str],
    questions: Sequence[Question],
    splitters: Sequence[Splitter],
    *,
    tokenizer: Tokenizer,
    embedder: Embedder | None = None,
    bm25: bool = True,
    model: str = "",
    k: int = 5,
    budget: int = 2000,
    missing: Sequence[str] = (),
    advance: Callable[[str, int], None] = lambda stage, count: None,
) -> Evaluation:
    """Cut the documents (name -> text) with every splitter and search the chunks for the answer to every question.

    `k` chunks, `budget` tokens. With an embedder, search is also dense, and with BM25 as well also hybrid. `advance` is
    told the stage (`Cutting` or `Searching`) and how many documents or searches more are done.
    """
    searches = [name for name, wanted in (("bm25", bm25), ("dense", embedder), ("hybrid", bm25 and embedder)) if wanted]
    sources = {name: VisibleText.of(text) for name, text in documents.items()}
    measured = []
    for splitter in splitters:
        chunks, located, errors = _index(splitter, documents, sources, tokenizer, advance)
        scores = _search(chunks, questions, sources, embedder, bm25, Judge(chunks, sources, k, budget))
        advance("Searching", 1)
        measured.append(
            Measured(
                name=splitter.name,
                version=splitter.version,
                chunks=len(chunks),
                tokens=sum(chunk.tokens for chunk in chunks),
                located=located,
                cut_short=embedder.cut_short([chunk.text for chunk in chunks]) if embedder else 0,
                scores=scores,
                errors=tuple(errors),
            )
        )
    return Evaluation(
        tuple(questions), len(documents), tuple(searches), k, budget, model, tuple(measured), tuple(missing)
    )


def _index(
    splitter: Splitter,
    documents: Mapping[str, str],
    sources: Mapping[str, VisibleText],
    tokenizer: Tokenizer,
    advance: Callable[[str, int], None],
) -> tuple[list[IndexedChunk], float, list[str]]:
    """The chunks of all documents that have a visible character, and what share of their text was found again."""
    chunks: list[IndexedChunk] = []
    errors: list[str] = []
    found = 0.0
    for name, text in documents.items():
        try:
            pieces = splitter.split(text, name)
        except BaseException as error:  # extensions written in Rust panic with what is no Exception
            if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit)):
                raise
            errors.append(f"{name}: {type(error).__name__}: {str(error)[:200]}")
            pieces = []
        located = locate(text, pieces)
        for chunk, tokens in zip(located, tokenizer.counts([chunk.text for chunk in located])):
            indexed = IndexedChunk.of(name, chunk, sources[name], tokens)
            if indexed.visible:
                chunks.append(indexed)
                found += chunk.share * indexed.visible
        advance("Cutting", 1)
    return chunks, found / max(1, sum(chunk.visible for chunk in chunks)), errors


def _search(
    chunks: Sequence[IndexedChunk],
    questions: Sequence[Question],
    sources: Mapping[str, VisibleText],
    embedder: Embedder | None,
    bm25: bool,
    judge: Judge,
) -> dict[str, tuple[Scores, ...]]:
    asked = [question.text for question in questions]
    texts = [chunk.text for chunk in chunks]
    rankings = {}
    if not chunks:
        nothing = Scores(0, 0, 0, 0, 0, 0)
        names = ["bm25"] * bm25 + ["dense"] * bool(embedder) + ["hybrid"] * (bm25 and bool(embedder))
        return {name: (nothing,) * len(questions) for name in names}
    if bm25:
        rankings["bm25"] = ranked(bm25_scores(asked, texts))
    if embedder is not None:
        rankings["dense"] = ranked(dense_scores(asked, texts, embedder))
    if len(rankings) == 2:
        rankings["hybrid"] = fused(list(rankings.values()))
    return {
        name: tuple(judge.score(question, row.tolist()) for question, row in zip(questions, ranking))
        for name, ranking in rankings.items()
    }
