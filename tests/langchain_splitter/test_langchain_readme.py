"""What README says of the LangChain splitter."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

pytest.importorskip("langchain_text_splitters")

import langchain_mdchunk.splitter
from langchain_mdchunk import MarkdownChunkSplitter

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


def section() -> str:
    text = README.read_text(encoding="utf-8") if README.exists() else ""
    found = re.search(r"^## LangChain\n.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        pytest.skip("no README with such a section")
    return found[0]


def test_its_sessions_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for session in re.findall(r"^```py\n(.*?)^```$", section(), re.MULTILINE | re.DOTALL):
        test = doctest.DocTestParser().get_doctest(session, {}, "README", str(README), 0)
        assert doctest.DocTestRunner().run(test).failed == 0


def test_every_keyword_is_in_its_table() -> None:
    told = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`[^|]*)\|", section(), re.MULTILINE))))
    assert told == set(inspect.signature(MarkdownChunkSplitter).parameters)


def test_examples_in_the_code() -> None:
    assert doctest.testmod(langchain_mdchunk.splitter).failed == 0
