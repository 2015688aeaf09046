"""What README shows of the LlamaIndex parser runs."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

pytest.importorskip("llama_index.core")

README = Path(__file__).parents[2] / "README.md"


def test_the_sessions_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(README.parent)
    section = README.read_text(encoding="utf-8").partition("\n## LlamaIndex\n")[2].partition("\n## ")[0]
    sessions = "\n".join(re.findall(r"^```py\n(.*?)^```", section, re.DOTALL | re.MULTILINE))
    test = doctest.DocTestParser().get_doctest(sessions, {}, "README", None, 0)
    assert len(test.examples) > 8
    assert doctest.DocTestRunner().run(test).failed == 0
