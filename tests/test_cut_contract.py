"""What every cutter promises, over random blocks of every kind in every container."""

from __future__ import annotations

import pytest
from cutting import Count, check_parts, letters, words, written
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mdchunk_core.blocks import parse
from mdchunk_core.cutters import cut
from mdchunk_core.cutters.part import Window
from mdchunk_core.source import read

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
MARKUP = st.sampled_from(
    ["- ", "- [ ] ", "1. ", "> ", "> [!NOTE]\n", "!!! note\n", "::: tip\n", ":::\n", "///\n", "<Steps>\n", "</Steps>\n"]
    + ["<div>\n", "</div>\n", "[^1]: ", "# H\n", "* * *\n", "```py\n", "```\n", "~~~\n", "$$\n", TABLE]
    + ["    ", "  ", "\t", "\n", "\n\n", "\u00a0", "\f", "a b", "text"]
)
NARROW = "- ///\n::: tip\n!!! note\n    > ```py\n- 1. > [!NOTE]"

LEAVES = st.sampled_from(
    ["```py\na = 1\n```", "~~~\nb\n\nc\n~~~", TABLE.rstrip(), "one two three. four five.", "- a\n- b\n\n  c", "# H"]
    + ["<div>\n<p>a b</p>\n</div>", "$$\nx = y\n$$", "> q\n> r", "    code\n    more", "1. x\n2. y", "***"]
)
WRAPPERS = [
    ("- ", "  ", ""),
    ("1. ", "   ", ""),
    ("*\t", "\t", ""),
    ("- item\n\n  ", "  ", ""),
    ("> ", "> ", ""),
    ("> [!NOTE]\n> ", "> ", ""),
    ("!!! note\n    ", "    ", ""),
    ("::: tip\n", "", "\n:::"),
    ("/// note\n\n", "", "\n\n///"),
    ("<Tab>\n", "", "\n</Tab>"),
    ("<details>\n\n", "", "\n\n</details>"),
    ("[^1]: ", "    ", ""),
]
"""What a container writes before its first line, before each further line, and behind the last."""


def wrapped(wrapper: tuple[str, str, str], text: str) -> str:
    opening, margin, closing = wrapper
    return opening + text.replace("\n", "\n" + margin) + closing


NESTED = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(wrapped, st.sampled_from(WRAPPERS), inner), st.lists(inner, min_size=2, max_size=3).map("\n\n".join)
    ),
    max_leaves=6,
)
FENCE_IN_FOUR = "*\t1. /// note\n\t   \n\t   > ```py\n\t   > a = 1\n\t   > ```\n\t   \n\t   ///"
"""The fence fits without what stands before it, and with the last part of that alone."""


@settings(deadline=None, max_examples=400)
@given(NESTED, st.sampled_from([12, 16, 24, 40, 60]), st.sampled_from([1, 2, 4]), st.sampled_from([letters, words]))
@example(FENCE_IN_FOUR, 48, 1, letters)
def test_random_nesting_in_little_room(text: str, limit: int, share: int, count: Count):
    source = read(text)
    for block in parse(source):
        window = Window(source, count, limit, limit // share)
        check_parts(block, window, cut(block, window), repeated=False)


@settings(deadline=None, max_examples=400)
@given(
    st.lists(MARKUP, min_size=2, max_size=18).map("".join),
    st.sampled_from([8, 12, 16, 24]),
    st.sampled_from([1, 2, 4]),
    st.sampled_from([letters, words]),
)
@example(NARROW, 12, 3, letters)
def test_random_markup_in_little_room(text: str, limit: int, share: int, count: Count):
    source = read(text)
    for block in parse(source):
        window = Window(source, count, limit, limit // share)
        check_parts(block, window, cut(block, window), repeated=False)


@pytest.mark.parametrize("white", ["\u00a0", "\f", "  \u00a0", "\u00a0\n\u00a0"])
@pytest.mark.parametrize(
    "block", [TABLE, "<div>\n<p>a b</p>\n", "```py\na = 1\n\n", "```py\n\n", "<Steps>\n", "$$\na\n"]
)
def test_a_last_line_of_what_only_looks_blank(block: str, white: str):
    source = read(block + white)
    (found,) = parse(source)
    for limit in (8, 12, 24):
        window = Window(source, letters, limit, limit)
        check_parts(found, window, cut(found, window), repeated=False)


def test_an_empty_fence_without_an_end_is_not_closed():
    source = read("```py\n\n\n")
    (block,) = parse(source)
    assert [written(source, part) for part in cut(block, Window(source, letters, 16, 4))] == ["```py"]


@pytest.mark.parametrize(("opening", "closing"), [("<Steps>\n", "\n</Steps>"), (":::note\n", "\n:::")])
def test_the_room_beside_a_heading_counts_what_closes_the_first_part(opening: str, closing: str):
    source = read(f"{opening}1. one two three four five six seven\n\n2. two{closing}")
    (block,) = parse(source)
    parts = cut(block, Window(source, words, 64, 9))
    assert words(written(source, parts[0])) <= 9
    assert written(source, parts[0]).endswith(closing)
