from __future__ import annotations

import re

import pytest
from conftest import corpus, load
from hypothesis import given
from hypothesis import strategies as st

from mdchunk_core.lines import path_lines

FORM = re.compile(r"\[(?:.*:)?L\d{2,}\]\S", re.DOTALL)


def test_the_form_of_a_line() -> None:
    text = "# 見出し1\n## 見出し2\n### 見出し3\n本文\n本文続き\n"
    assert path_lines(text) == ["[見出し1:見出し2:見出し3:L04]本文", "[見出し1:見出し2:見出し3:L05]本文続き"]


def test_a_line_above_the_first_heading_has_its_number_only() -> None:
    assert path_lines("hello") == ["[L01]hello"]


def test_a_lower_heading_ends_when_a_higher_one_comes() -> None:
    assert path_lines("# A\n\n### B\n\nx\n\n## C\n\ny") == ["[A:B:L05]x", "[A:C:L09]y"]


@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_what_looks_like_a_heading_in_a_fence_is_body(fence: str) -> None:
    text = f"# A\n\n{fence}sh\n# comment\nrun\n{fence}\n"
    assert path_lines(text) == [f"[A:L03]{fence}sh", "[A:L04]# comment", "[A:L05]run", f"[A:L06]{fence}"]


def test_headings_in_quotes_and_lists_are_body() -> None:
    assert path_lines("> # q\n\n- # i\n") == ["[L01]> # q", "[L03]- # i"]


def test_setext_headings_and_closing_hashes() -> None:
    assert path_lines("Two\nlines\n=====\n\nx\n\n## B ##\n\ny") == ["[Two lines:L05]x", "[Two lines:B:L09]y"]


def test_inline_marks_are_off_the_path() -> None:
    assert path_lines("# The `run` *command*\nx") == ["[The run command:L02]x"]


def test_front_matter_is_no_body_but_counts_lines() -> None:
    assert path_lines("---\ntitle: a\n---\n# A\nx") == ["[A:L05]x"]


def test_padding_grows_with_the_document() -> None:
    lines = path_lines("# A\n" + "x\n" * 998)
    assert (lines[0], lines[-1]) == ("[A:L002]x", "[A:L999]x")
    assert path_lines("x", pad=4) == ["[L0001]x"]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_endings(ending: str) -> None:
    assert path_lines(ending.join(["# A", "", "x", "y"])) == ["[A:L03]x", "[A:L04]y"]


def test_a_byte_order_mark_is_no_body() -> None:
    assert path_lines("\ufeffx") == ["[L01]x"]
    assert path_lines("\ufeff# A\nx") == ["[A:L02]x"]


@given(st.text(st.sampled_from("#`-> \n\tab|=\r")))
def test_every_visible_line_is_there_once_or_is_a_heading(text: str) -> None:
    lines = path_lines(text)
    assert all(map(FORM.match, lines))
    given_lines = [line.strip() for line in re.split(r"\r\n?|\n", text)]
    remaining = iter(given_lines)
    for line in lines:  # in order, nothing invented
        body = line.partition("]")[2]
        assert any(body == other for other in remaining)


@pytest.mark.parametrize("path", corpus(), ids=lambda path: path.name)
def test_real_documents(path) -> None:  # type: ignore[no-untyped-def]
    text = load(path)
    given_lines = text.split("\n")
    for line in path_lines(text):
        assert FORM.match(line)
        number = int(re.findall(r"L(\d+)\]", line)[0])
        assert line.endswith(given_lines[number - 1].lstrip("\ufeff").strip())
