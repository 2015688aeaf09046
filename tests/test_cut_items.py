"""Lists above the limit: items, blocks of items, nested items under their parents."""

from __future__ import annotations

import re

import pytest
from cutting import check_parts, cut_checked, letters, words, written
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mdchunk_core import MarkdownChunker
from mdchunk_core.blocks import parse
from mdchunk_core.cutters import cut
from mdchunk_core.cutters.part import Joint, Window
from mdchunk_core.source import read

PARSER = MarkdownIt("commonmark")


def found(text: str, limit: int) -> list[str]:
    source = read(text)
    return [written(source, part) for part in cut_checked(source, parse(source)[0], limit)]


def test_items_are_parts():
    assert found("1. one two\n2. three four\n\n7. five", 3) == ["1. one two", "2. three four", "7. five"]


def test_nested_items_have_their_parents():
    assert found("- Saw things\n  - spare blade here\n  - oil can there now", 16)[-1] == (
        "- Saw things\n  - spare blade here\n  - oil can there now"
    )
    long = "- Saw\n" + "".join(f"  - nested item number {n}\n" for n in range(6))
    parts = found(long, 12)
    assert parts[0] == "- Saw"
    assert parts[1:] == [f"- Saw\n  - nested item number {n}" for n in range(6)]


def test_an_ordered_nested_item_is_set_off_from_its_parent():
    text = "- Saw\n\n" + "".join(f"  {n}. nested item number\n" for n in range(4, 9))
    for part in found(text, 12)[1:]:
        assert [token.type for token in PARSER.parse(part)].count("ordered_list_open") == 1


def test_the_blocks_of_an_item_follow_its_first_line():
    text = "- [ ] Matter one\n\n  Second part of it here as well, and more and more of it.\n\n  ```py\n  a = 1\n  ```"
    assert found(text, 20) == [
        "- [ ] Matter one",
        "- [ ] Matter one\n\n  Second part of it here as well, and more and more of it.",
        "- [ ] Matter one\n  ```py\n  a = 1\n  ```",
    ]


def test_a_long_paragraph_keeps_bullet_or_number():
    parts = found("12. " + "word " * 30, 10)
    assert all(part.startswith("12.") for part in parts)
    assert all(PARSER.parse(part)[0].attrGet("start") == 12 for part in parts)


def test_a_long_first_line_is_not_repeated():
    text = "- " + "word " * 8 + "\n\n  second part of it here\n\n  third part of it here"
    assert found(text, 12)[-1] == "-\n  third part of it here"


def test_depth_and_joints():
    source = read("- a b c d e\n  - f g h\n  - i j k\n- l")
    parts = cut_checked(source, parse(source)[0], 8)
    assert [(part.joint, part.depth) for part in parts] == [
        (Joint.BLOCK, 0),
        (Joint.ITEM, 1),
        (Joint.ITEM, 2),
        (Joint.ITEM, 0),
    ]


def test_a_very_deep_list():
    text = "\n".join("  " * level + f"- level {level}" for level in range(200))
    assert "level 199" in found(text, 60)[-1]


@st.composite
def nested_lists(draw: st.DrawFn, depth: int = 0) -> list[str]:
    lines: list[str] = []
    ordered = draw(st.booleans())
    loose = draw(st.booleans())
    for number in range(1, draw(st.integers(1, 4)) + 1):
        marker = f"{number}." if ordered else "-"
        pad = " " * (len(marker) + 1)
        size = draw(st.integers(1, 12))
        lines.append(f"{marker} " + " ".join(f"w{draw(st.integers(0, 9))}" for _ in range(size)))
        if draw(st.booleans()):
            lines += ["", pad + "more text of it. And a second sentence."]
        if depth < 3 and draw(st.booleans()):
            lines += ["", *(pad + line if line else "" for line in draw(nested_lists(depth + 1)))]
        elif draw(st.integers(0, 3)) == 0:
            lines += ["", pad + "```py", pad + "code = 1", "", pad + "code = 2", pad + "```"]
        if loose:
            lines.append("")
    while lines and not lines[-1]:
        lines.pop()
    return lines


@settings(deadline=None, max_examples=60)
@given(nested_lists(), st.sampled_from(["", "> "]), st.integers(30, 60))
def test_random_lists(lines: list[str], container: str, limit: int):
    text = "\n".join((container + line).rstrip() for line in lines)
    source = read(text)
    block = parse(source)[0]
    window = Window(source, words, limit, limit)
    parts = cut(block, window)
    check_parts(block, window, parts)
    joined = "".join(source.text[part.start : part.end] for part in parts)
    assert re.sub(r"\s", "", joined) == re.sub(r"\s", "", text)
    outermost = PARSER.parse(text)[0].type
    for part in parts:
        opened = PARSER.parse(written(source, part))
        assert opened[0].type == outermost, written(source, part)
        assert not any(token.type == "code_block" for token in opened), written(source, part)


@settings(deadline=None, max_examples=50)
@given(nested_lists(), st.integers(8, 60))
def test_random_lists_in_little_room(lines: list[str], limit: int):
    source = read("\n".join(lines))
    cut_checked(source, parse(source)[0], limit, letters, room=max(1, limit // 3))


@pytest.mark.parametrize("margin", ["   ", "\t"])
def test_a_heading_in_an_item_stays_with_text_that_just_fits_without_it(margin: str) -> None:
    """The blank line between them needs room too."""
    chunker = MarkdownChunker(target_tokens=50, max_tokens=64, overlap_tokens=0)
    for length in range(40, 64):
        inner = "Some text before.\n\n## Heading\n\n" + "word " * length
        document = "1. Item\n\n" + "\n".join(margin + line if line else "" for line in inner.split("\n"))
        assert not any(chunk.text.endswith("## Heading") for chunk in chunker.chunk(document))
