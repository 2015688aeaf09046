from __future__ import annotations

import os
import re
from dataclasses import fields

import pytest

pytest.importorskip("typer")
from before_after import compare
from readme_blocks import BLOCK, README, ROOT, current, shell

from mdchunk_core import MarkdownChunker
from mdchunk_core.cli.exits import OPTIONS
from mdchunk_core.options import PRESETS

if not README.exists():
    pytest.skip("tests away from their repository", allow_module_level=True)
TEXT = README.read_text(encoding="utf-8")
SET_UP = re.compile(
    r"python -m venv \.venv|\. \.venv/bin/activate|pip install -e (?:\"\.\[(\w+)\]\"|\.)|python -m pytest"
)


@pytest.mark.skipif(os.name != "posix", reason="a POSIX shell")
def test_every_output_is_what_the_commands_give() -> None:
    assert current() == TEXT, "python tests/readme_blocks.py --update"


@pytest.mark.skipif(os.name != "posix", reason="a POSIX shell")
def test_the_set_up_commands() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    ran = 0
    for kind, body in BLOCK.findall(TEXT):
        if kind == "sh":
            for command in re.split(r" && |\n", body.strip()):
                if match := SET_UP.fullmatch(command):  # run by whoever sets up; here only that it can work
                    assert match[1] is None or re.search(rf"^{match[1]} = \[", project, re.MULTILINE)
                else:
                    assert shell(command)
                    ran += 1
    assert ran


def test_the_table_is_torn_before_and_whole_after() -> None:
    before, after = compare().split("AFTER")
    header = "| Status | Meaning | Retried |"
    assert header not in before
    assert header in after
    assert "| 429 |" in before
    assert "| 429 |" in after


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", TEXT)
    assert links
    for link in links:
        assert (ROOT / link).exists(), link


def test_the_option_table_is_complete_and_its_defaults_are_true() -> None:
    section = TEXT.partition("\n## Options\n")[2].partition("\n## ")[0]
    rows = {
        row[0]: row[1:]
        for row in re.findall(r"^\| `(\w+)[^`]*` \| (?:`(--[\w-]+)` )?\| ([^|]*?) ?\|", section, re.MULTILINE)
    }
    options = [field.name for field in fields(MarkdownChunker) if field.init]
    assert list(rows) == [*options, "preset"]
    chunker = MarkdownChunker()
    for name, (option, default) in rows.items():
        assert OPTIONS.get(name, "") == option
        if name not in ("document_type", "signals", "preset"):
            assert str(getattr(chunker, name)) == default.strip("`")
    for preset in PRESETS:
        assert f"`{preset}`" in TEXT


def test_the_rules_between_sizes() -> None:
    assert "1.3 times the target" in TEXT
    assert MarkdownChunker(target_tokens=1000).max_tokens == 1300
    assert MarkdownChunker(target_tokens=1000).min_tokens == 250
    assert "0.8 of the limit" in TEXT
    assert MarkdownChunker(max_tokens=1000).target_tokens == 800
