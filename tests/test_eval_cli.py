from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")
pytest.importorskip("numpy")
pytest.importorskip("bm25s")

import typer

from mdchunk_core.cli.eval import evaluate

DOCUMENT = (
    "# Travel\n\n## Hotels\n\n"
    + "Book early and keep every receipt. " * 200
    + "\n\n| Who | Fee |\n|---|---|\n| Zebra | 4 |\n"
)
QUESTION = {"question": "What does a zebra pay?", "doc": "sub/a.md", "gold": ["| Zebra | 4 |"], "kind": "table"}


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


def test_without_a_model_there_is_bm25(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    code, out, err = run("docs", "q.jsonl", "--with", "mdchunk", "--json", "--cache", "cache")
    assert code == 0
    assert list(json.loads(out)["splitters"][0]["results"]) == ["bm25"]
    assert "no dense or hybrid search" in err
    assert run("docs", "q.jsonl", "--with", "mdchunk", "--search", "dense")[0] == 2


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
