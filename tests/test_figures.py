from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("markdown_it")
pytest.importorskip("bm25s")
pytest.importorskip("numpy")

sys.path.insert(0, str(Path(__file__).parent / "figures"))  # scripts, run as files
import comparison
import merging
import retrieval
from conftest import corpus
from tables import read_folder, table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three of the shipped documents."""
    for path in corpus():
        if path.parent.name in ("basecamp__policies", "blacksmithgu__obsidian-dataview", "discord__discord-api-docs"):
            target = tmp_path / path.relative_to(merging.FOLDER)
            target.parent.mkdir(parents=True)
            target.write_bytes(path.read_bytes())
    return tmp_path


def test_merging_leaves_nothing_apart_that_belongs_together(folder: Path) -> None:
    documents = read_folder(folder)
    assert len(documents) == 3
    on = {name: merging.ON.chunk(text, source=name) for name, text in documents.items()}
    with merging.merging_off():
        off = {name: merging.OFF.chunk(text, source=name) for name, text in documents.items()}
    assert (
        merging.figures(on)["chunks under 100 tokens"] == "0 (0.0%)" != merging.figures(off)["chunks under 100 tokens"]
    )
    (apart,) = (value for name, value in merging.parted(documents, on).items() if name.startswith("lead-ins"))
    assert apart.startswith("0 of ")
    assert "merging off\n  lines" in merging.main(folder)


def test_the_comparison_is_a_table_of_all_splitters(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = comparison.make_splitters
    monkeypatch.setattr(comparison, "make_splitters", lambda _, settings: make(["mdchunk", "tokens"], settings))
    first, _, *rows = comparison.main(str(folder)).splitlines()
    assert first.startswith("3 documents")
    assert [row.split()[1] for row in rows] == ["splitter", "---", "mdchunk", "tokens"]


def test_retrieval_by_words(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "OURS", ("mdchunk",))
    monkeypatch.setattr(retrieval, "PEERS", ("tokens",))
    monkeypatch.setattr(retrieval, "WINDOWS", ("tokens,max=1024",))
    lines = (retrieval.DATA / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    own = tmp_path / "own.jsonl"
    own.write_text("\n".join(line for line in lines if any(name in line for name in read_folder(folder))), "utf-8")
    text = retrieval.main(folder, own, dense=False)
    assert text.startswith("4 questions, 3 documents, words only")
    assert "| mdchunk 0." in text
    assert "cannot tell with 4 questions" in text
    ours, windows = [row for row in text.splitlines() if row.startswith(("| mdchunk 0.", "| tokens,max=1024 |"))][:2]
    assert " | 0% | " in ours
    assert " | 0% | " not in windows


def test_tables_are_markdown() -> None:
    assert table(("a", "b"), [("x", "1")]) == "| a | b |\n| --- | ---: |\n| x | 1 |"
