from __future__ import annotations

import json

import pytest

pytest.importorskip("numpy")
pytest.importorskip("bm25s")

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mdchunk_core.compare import Piece, Settings, Splitter, make_splitters
from mdchunk_core.compare.locate import VisibleText
from mdchunk_core.evaluation.bootstrap import Resamples
from mdchunk_core.evaluation.evaluate import evaluate
from mdchunk_core.evaluation.questions import Question, read_questions
from mdchunk_core.evaluation.ranking import bm25_scores, fused, ranked, words
from mdchunk_core.evaluation.scores import IndexedChunk, Judge
from mdchunk_core.evaluation.sheets import headline, sheets
from mdchunk_core.tokens import resolve

TOKENIZER = resolve("cl100k_base")


class HashedWords:
    """Counts of words, hashed into few places: an embedding model without a model."""

    def documents(self, texts: Sequence[str]) -> Any:
        vectors = np.zeros((len(texts), 256), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in words(text):
                vectors[row, sum(map(ord, word)) % 256] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)

    queries = documents

    def cut_short(self, texts: Sequence[str]) -> int:
        return sum(len(text) > 250 for text in texts)


PLANS = "| Plan | Fee |\n|---|---|\n" + "".join(f"| Plan{k} of the list | {k} euros a month |\n" for k in range(60))
DOCUMENTS = {
    "fees.md": f"# Fees\n\nWhat a plan costs.\n\n{PLANS}\nEnd of the fees.\n",
    "travel.md": "# Travel\n\n" + "Trains are booked early. " * 80 + "\n\n## Zebras\n\nA zebra travels for free.\n",
}


def questions() -> list[Question]:
    row = "| Plan40 of the list | 40 euros a month |"
    lines = [
        {"question": "What is the fee of Plan40?", "doc": "fees.md", "gold": ["| Plan | Fee |", row], "kind": "table"},
        {"question": "Does a zebra pay?", "doc": "travel.md", "gold": "A zebra travels for free.", "kind": "prose"},
    ]
    return read_questions("".join(json.dumps(line) + "\n" for line in lines), DOCUMENTS)


def test_ours_against_windows_by_words_meaning_and_both() -> None:
    splitters, _ = make_splitters(["mdchunk", "tokens"], Settings(target=100, limit=128))
    stages: Counter[str] = Counter()
    found = evaluate(
        DOCUMENTS,
        questions(),
        splitters,
        tokenizer=TOKENIZER,
        embedder=HashedWords(),
        model="hashed words",
        k=3,
        budget=400,
        advance=lambda stage, count: stages.update({stage: count}),
    )
    assert stages == {"Cutting": 4, "Searching": 2}
    assert found.searches == ("bm25", "dense", "hybrid")
    ours, windows = found.splitters
    assert ours.located == windows.located == 1.0
    # Only the chunk that repeats the header row holds all the evidence.
    assert ours.scores["bm25"][0].mrr == 1.0
    assert windows.scores["bm25"][0].mrr == 0.0
    assert ours.scores["bm25"][0].budget_whole == 1.0
    assert ours.scores["bm25"][1].recall == 1.0
    assert ours.cut_short > 0
    as_json = json.loads(json.dumps(found.to_dict()))
    table = as_json["splitters"][1]["results"]["bm25"]["table"]
    assert table["first_against_this"]["mrr"]["mean"] == 1.0
    assert as_json["splitters"][0]["by_question"]["bm25"]["line 2"]["recall"] == 1.0
    titles = [sheet.title for sheet in sheets(found)]
    assert titles[0] == "Splitters"
    assert sum("by kind of question" in title for title in titles) == 3
    assert "2 questions" in headline(found)[0]


def test_the_same_again_and_again() -> None:
    splitters, _ = make_splitters(["mdchunk", "tokens"], Settings(target=100, limit=128))
    runs = [
        evaluate(DOCUMENTS, questions(), splitters, tokenizer=TOKENIZER, embedder=HashedWords()).to_dict()
        for _ in range(2)
    ]
    assert runs[0] == runs[1]


def test_a_splitter_that_fails_finds_nothing() -> None:
    def fail(text: str, name: str) -> list[Piece]:
        raise ValueError("no")

    nothing = Splitter("nothing", "", lambda text, name: [])
    found = evaluate(DOCUMENTS, questions(), [Splitter("bad", "", fail), nothing], tokenizer=TOKENIZER)
    assert [len(splitter.errors) for splitter in found.splitters] == [2, 0]
    assert found.splitters[0].mean("bm25", "recall", [0, 1]) == 0.0
    assert any(sheet.title == "Errors" for sheet in sheets(found))


def judge(chunks: list[tuple[str, tuple[tuple[int, int], ...], int]], k: int = 2, budget: int = 10) -> Judge:
    source = VisibleText.of("abcdefghij")
    indexed = [IndexedChunk("d", text, tokens, spans, len(text)) for text, spans, tokens in chunks]
    return Judge(indexed, {"d": source}, k, budget)


def test_measures_by_hand() -> None:
    question = Question("?", "d", ((2, 4), (6, 8)))
    found = judge([("abcde", ((0, 5),), 6), ("fghij", ((5, 10),), 4), ("abcdefghij", ((0, 10),), 10)])
    scores = found.score(question, [0, 1, 2])
    assert (scores.recall, scores.precision, scores.iou) == (1.0, 0.4, 0.4)
    assert (scores.budget_recall, scores.budget_whole, scores.mrr) == (1.0, 1.0, 1 / 3)
    scores = found.score(question, [0, 2, 1])
    assert (scores.recall, scores.precision, scores.mrr) == (1.0, 4 / 15, 1 / 2)
    assert (scores.budget_recall, scores.budget_whole) == (
        0.5,
        0.0,
    )  # the second does not fit the budget: it ends there
    half = judge([("abcde", ((0, 5),), 6)]).score(question, [0])
    assert (half.recall, half.precision, half.iou, half.mrr) == (0.5, 0.4, 2 / 7, 0.0)


def test_other_documents_hold_no_evidence() -> None:
    chunk = IndexedChunk("other", "abcdefghij", 5, ((0, 10),), 10)
    scores = Judge([chunk], {"d": VisibleText.of("abcdefghij")}, 1, 10).score(Question("?", "d", ((0, 3),)), [0])
    assert (scores.recall, scores.precision, scores.iou, scores.mrr) == (0, 0, 0, 0)


def bm25_by_hand(question: str, chunks: list[str]) -> list[float]:
    """The formula of Lucene, term by term."""
    counts = [Counter(words(chunk) or [""]) for chunk in chunks]
    average = sum(count.total() for count in counts) / len(counts)
    scores = [0.0] * len(chunks)
    for word in words(question):
        holding = sum(word in count for count in counts)
        idf = math.log(1 + (len(chunks) - holding + 0.5) / (holding + 0.5))
        for k, count in enumerate(counts):
            length = 1 - 0.75 + 0.75 * count.total() / average
            scores[k] += idf * count[word] / (count[word] + 1.5 * length) if count[word] else 0.0
    return scores


@given(st.lists(st.text("ab c", max_size=12), min_size=1, max_size=8), st.text("ab cd", max_size=8))
def test_bm25_is_what_it_says(chunks: list[str], question: str) -> None:
    found = bm25_scores([question], chunks)[0]
    assert found == pytest.approx(bm25_by_hand(question, chunks), abs=1e-4)


def test_words_of_scripts_without_spaces() -> None:
    assert words("The API東京都 v2_x") == ["the", "api", "東京", "京都", "v2_x"]
    assert words("水") == ["水"]
    assert words("") == []


def test_equal_scores_keep_the_order() -> None:
    assert ranked(np.array([[1.0, 2.0, 1.0, 2.0]])).tolist() == [[1, 3, 0, 2]]
    assert fused([np.array([[2, 0, 1]]), np.array([[2, 1, 0]])]).tolist() == [[2, 0, 1]]


def test_verdicts() -> None:
    documents = [f"d{k // 2}" for k in range(40)]
    resamples = Resamples(documents)
    better = resamples.compare([1.0] * 40, [0.0, 0.5] * 20)
    assert (better.verdict, better.mean) == ("better", 0.75)
    assert resamples.compare([0.0] * 40, [1.0, 0.5] * 20).verdict == "worse"
    same = resamples.compare([0.0, 1.0] * 20, [1.0, 0.0] * 20)
    assert same.verdict == "cannot tell with 40 questions"
    assert Resamples(documents).compare([1.0] * 40, [0.0, 0.5] * 20) == better


def test_questions_about_one_document_are_one_draw() -> None:
    ours, others = [1.0] * 20 + [0.0] * 4, [0.0] * 20 + [1.0] * 4
    apart = Resamples([f"d{k}" for k in range(24)]).compare(ours, others)
    together = Resamples(["d"] * 20 + [f"d{k}" for k in range(4)]).compare(ours, others)
    assert apart.verdict == "better"
    assert together.verdict.startswith("cannot tell")
