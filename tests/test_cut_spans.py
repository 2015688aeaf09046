"""Inline Markdown that a cut spares."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdchunk_core.cutters.spans import masked, spans


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in spans(text)]


@pytest.mark.parametrize(
    "inline",
    [
        "[a](b)",
        '[a b](c.md "d e")',
        "![a](<b c>)",
        "[![a](b)](c)",
        "[a][b]",
        "[^1]",
        "`a b`",
        "`` a ` b ``",
        "<https://a.example>",
        "<b class='c d'>",
        "https://a.example/b",
        "$a + b$",
        "1 000 000",
        "data:image/png;base64,AAAA==",
    ],
)
def test_spared(inline: str):
    assert found(f"x {inline} y") == [inline]


@pytest.mark.parametrize("plain", ["a [b", "a ](b)", "a ` b", "a < b > c", "\\[a\\](b)", "costs $5. And $6", "(a b)"])
def test_not_spared(plain: str):
    assert found(plain) == []


def test_a_full_stop_is_not_part_of_an_address():
    assert found("See https://a.example. Then") == ["https://a.example"]


@given(st.text(alphabet="[]()`<>a $\\!*_ .\n^:/", max_size=80))
def test_in_order_apart_and_as_long(text: str):
    inline = spans(text)
    assert all(span.start < span.end for span in inline)
    assert all(one.end <= other.start for one, other in zip(inline, inline[1:]))
    assert len(masked(text, inline)) == len(text)
