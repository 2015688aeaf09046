from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")
pytest.importorskip("markdown_it")

import typer

from mdchunk_core.cli.compare import compare

DOCUMENT = "# Travel\n\n## Hotels\n\n" + "Book early and keep every receipt. " * 200 + "\n\n```sh\none\n\ntwo\n```\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Any:
    """Run the command in an empty folder; gives exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/a.md").write_text(DOCUMENT, encoding="utf-8")
    app = typer.Typer()
    app.command()(compare)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = app(list(arguments), standalone_mode=False)
        out, err = capsysbinary.readouterr()
        return code or 0, out.decode(), err.decode()

    return call


def test_json_and_a_page(run: Any) -> None:
    code, out, err = run("docs", "--with", "mdchunk", "--with", "tokens,max=100", "--json", "--html", "out.html")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert [splitter["name"] for splitter in found["splitters"]] == ["mdchunk", "tokens,max=100"]
    assert (found["documents"], found["fences"], found["limit"]) == (1, 1, 512)
    assert "tokens,max=100" in Path("out.html").read_text(encoding="utf-8")


def test_plain_text_and_a_splitter_that_is_not_there(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chonkie", None)
    code, out, err = run("docs", "--with", "mdchunk", "--with", "chonkie", "--examples")
    assert code == 0
    assert "mdchunk: skipped: chonkie: not installed (pip install chonkie)" in err
    for part in ("markdown-it-py", "chunk_quality_only", "fences cut", "Not run"):
        assert part in out
    assert "\x1b" not in out


@pytest.mark.filterwarnings("ignore")
def test_all_that_are_installed_by_default(run: Any) -> None:
    code, out, _ = run("docs", "--json")
    assert code == 0
    assert {"mdchunk", "tokens"} <= {splitter["name"] for splitter in json.loads(out)["splitters"]}


def test_tables_on_a_terminal(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    code, out, _ = run("docs", "--with", "mdchunk")
    assert code == 0
    assert "Splitters" in out


def test_what_goes_wrong(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chonkie", None)
    assert run("docs", "--with", "nonsense")[0] == 2
    assert run("docs", "--with", "chonkie")[0] == 2
    assert run("docs", "--max", "1")[0] == 2
    assert run("none.md", "--with", "mdchunk")[0] == 1
    code, out, err = run("docs", "none.md", "--with", "mdchunk", "--json")
    assert (code, json.loads(out)["documents"]) == (1, 1)
    assert "none.md" in err
    assert run("docs", "--with", "mdchunk", "--html", "no/such/folder.html")[0] == 3
