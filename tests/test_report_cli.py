from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")

import typer

from mdchunk_core import MarkdownChunker
from mdchunk_core.cli.chunk_files import read_chunks
from mdchunk_core.cli.inputs import UnreadableError
from mdchunk_core.cli.report import report
from mdchunk_core.report import NUMBERS

DOCUMENT = "# Travel\n\n## Hotels\n\n" + "Book early and keep every receipt. " * 60 + "\n\n## Trains\n\nSecond class.\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Any:
    """Run the command in an empty folder; gives exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    app = typer.Typer()
    app.command()(report)

    def call(*arguments: str, given: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
        code = app(list(arguments), standalone_mode=False)
        out, err = capsysbinary.readouterr()
        return code or 0, out.decode(), err.decode()

    return call


def write(name: str, text: str) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")
    return name


def lines(*chunks: dict[str, Any]) -> str:
    return "".join(json.dumps(chunk) + "\n" for chunk in chunks)


def test_markdown_files_and_folders_are_chunked(run: Any) -> None:
    write("docs/a.md", DOCUMENT)
    write("docs/sub/b.md", "# B\n\ntext\n")
    code, out, err = run("docs", "--json", "--by", "folder")
    found = json.loads(out)
    assert (code, err) == (0, "")
    chunks = [*MarkdownChunker().chunk(DOCUMENT, source="docs/a.md"), *MarkdownChunker().chunk("# B\n\ntext\n")]
    assert found["total_chunks"] == len(chunks)
    assert found["total_tokens"] == sum(chunk.token_count for chunk in chunks)
    assert list(found["groups"]) == ["docs", "docs/sub"]
    assert found["claim_boundary"] == "chunk_quality_only"


def test_plain_text_in_a_pipe(run: Any) -> None:
    code, out, _ = run(write("a.md", DOCUMENT))
    assert code == 0
    for part in ("Groups", "orphaned_rate", "Smallest chunks", "a.md:", "Checklist", "cl100k", "chunk_quality_only"):
        assert part in out
    assert "\x1b" not in out


def test_tables_on_a_terminal(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    code, out, _ = run(write("a.md", DOCUMENT))
    assert code == 0
    for part in ("Groups", "orphaned_rate", "Smallest chunks", "a.md:", "Checklist"):
        assert part in out


def test_chunks_of_a_file_and_of_standard_input(run: Any) -> None:
    chunks = MarkdownChunker().chunk(DOCUMENT, source="a.md")
    text = lines(*[chunk.to_dict() for chunk in chunks])
    from_file = json.loads(run(write("chunks.jsonl", text), "--json")[1])
    from_input = json.loads(run("-", "--json", given=text)[1])
    from_array = json.loads(run(write("a.json", json.dumps([chunk.to_dict() for chunk in chunks])), "--json")[1])
    from_markdown = json.loads(run(write("a.md", DOCUMENT), "--json")[1])
    assert from_file == from_input == from_array == from_markdown
    assert json.loads(run("-", "--json", given="{not} *a* chunk")[1])["total_chunks"] == 1


def test_a_tokenizer_that_is_named_counts_all(run: Any) -> None:
    name = write("chunks.jsonl", lines({"text": "one two three", "token_count": 99}))
    assert json.loads(run(name, "--json")[1])["total_tokens"] == 99
    counted = json.loads(run(name, "--json", "--tokenizer", "o200k_base")[1])
    assert (counted["total_tokens"], counted["tokens_counted"], counted["tokenizer"]) == (3, 1, "o200k_base")


def test_files_of_chunks_without_source_are_told_apart(run: Any) -> None:
    names = [write(f"{name}.jsonl", lines({"text": "text"}, {"text": "# End"})) for name in "ab"]
    found = json.loads(run(*names, "--json", "--by", "source")[1])
    assert (found["headings_orphaned"], found["document_type"]) == (0, "unknown")
    assert list(found["groups"]) == names


def test_limits_fail_a_build(run: Any) -> None:
    name = write("chunks.jsonl", lines({"text": "a", "token_count": 50}, {"text": "b", "token_count": 150}))
    assert run(name, "--fail-over", "orphaned_rate=0.5")[0] == 0
    code, out, err = run(name, "--fail-over", "orphaned_rate=0.05", "--fail-over", "over_limit=0")
    assert code == 1
    assert "orphaned_rate 0.5 is over 0.05" in err
    assert "over_limit" not in err
    assert "Checklist" in out
    assert run(name, "--fail-over", "orphaned_rate=0.05", "--min-tokens", "20")[0] == 0


@pytest.mark.parametrize("limit", ["orphans=1", "orphaned_rate", "orphaned_rate=", "orphaned_rate=nan", "=1"])
def test_wrong_limits_are_usage_errors(run: Any, limit: str) -> None:
    code, out, err = run(write("a.md", "text"), "--fail-over", limit)
    assert (code, out) == (2, "")
    assert "--fail-over" in err
    assert "orphaned_rate" in err


def test_an_unknown_name_lists_the_known_ones(run: Any) -> None:
    err = run(write("a.md", "text"), "--fail-over", "x=1")[2]
    assert all(name in err for name in NUMBERS)


@pytest.mark.parametrize("wrong", [["--by", "author"], ["--min-tokens", "-1"], ["--max", "3"], ["--preset", "x"]])
def test_wrong_options_are_usage_errors(run: Any, wrong: list[str]) -> None:
    code, out, err = run(write("a.md", "text"), *wrong)
    assert (code, out) == (2, "")
    assert wrong[0] in err or wrong[0].strip("-") in err


def test_inputs_that_fail_are_named_and_the_others_measured(run: Any) -> None:
    bad = write("bad.jsonl", '{"text": "a"}\n{"text": \n')
    code, out, err = run(bad, "gone.md", write("a.md", "text"))
    assert code == 1
    assert "bad.jsonl: line 2 is not JSON" in err
    assert "gone.md" in err
    assert out.startswith("1 chunks")
    code, out, _ = run("gone.md")
    assert (code, out) == (1, "")


@pytest.mark.parametrize("text", ['"a"', "[1]", '{"body": "a"}', '{"text": null}', "[" * 100_000])
def test_what_is_no_chunk_is_named(text: str) -> None:
    with pytest.raises(UnreadableError, match=r"chunk|JSON"):
        read_chunks(text, "x.jsonl")
