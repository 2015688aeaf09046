"""Fenced and indented code above the limit."""

from __future__ import annotations

import pytest
from cutting import check_parts, cut_checked, letters, words, written
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mdchunk_core import MarkdownChunker
from mdchunk_core.blocks import Block, children, parse
from mdchunk_core.cutters import cut
from mdchunk_core.cutters.part import Joint, Window
from mdchunk_core.source import Source, read

PARSER = MarkdownIt("commonmark")


def parts_of(text: str, limit: int) -> tuple[Source, list[str], list[Joint]]:
    source = read(text)
    parts = cut_checked(source, parse(source)[0], limit)
    return source, [written(source, part) for part in parts], [part.joint for part in parts]


def test_cut_before_a_statement_rather_than_inside_it():
    text = "```py\ndef a():\n    x = 1\n\n    y = 2\n\ndef b():\n    z = 3\n```"
    _, found, joints = parts_of(text, 9)
    assert found == [
        "```py\ndef a():\n    x = 1\n```",
        "```py\n    y = 2\n```",
        "```py\ndef b():\n    z = 3\n```",
    ]
    assert joints == [Joint.BLOCK, Joint.BLANK, Joint.ITEM]


def test_the_info_string_is_repeated_as_it_is():
    text = '~~~~ js title="a`b.js" {1,3}\na b c d e f g h\n\nd e f\n~~~~'
    _, found, _ = parts_of(text, 14)
    assert found == ['~~~~ js title="a`b.js" {1,3}\na b c d e f g h\n~~~~', '~~~~ js title="a`b.js" {1,3}\nd e f\n~~~~']


def test_a_long_info_string_gives_way():
    text = "```py " + "title " * 20 + "\na b c\n\nd e f\n```"
    source = read(text)
    parts = cut_checked(source, parse(source)[0], 12)
    assert written(source, parts[-1]) == "```py\nd e f\n```"


def test_no_part_has_a_fence_alone_or_starts_blank():
    text = "```\n\n\na b c\n\n\n\nd e f\n\n\n```"
    _, found, _ = parts_of(text, 5)
    assert found == ["```\n\n\na b c\n```", "```\nd e f\n\n\n```"]


def test_an_unclosed_fence_is_not_closed_for_the_author():
    _, found, _ = parts_of("```\na b c\n\nd e f", 5)
    assert found == ["```\na b c\n```", "```\nd e f"]


def test_a_diagram_has_no_statements():
    _, _, joints = parts_of("```mermaid\ngraph TD\n\nA --> B\n\nC --> D\n```", 6)
    assert set(joints) == {Joint.BLOCK, Joint.LINE}


def test_a_long_line_is_cut_at_spaces_and_keeps_its_indentation():
    text = "```\nif x:\n    " + "word " * 30 + "\n```"
    _, found, joints = parts_of(text, 12)
    assert all(part.startswith("```\n") and part.rstrip().endswith("\n```") for part in found)
    assert "\n    word" in "".join(found)
    assert joints[2:] == [Joint.WORD] * (len(joints) - 2)


@pytest.mark.parametrize("opening", ["```\nif x:\n", "a\n\n    if x:\n", "> ```\n> if x:\n", "- ```\n  if x:\n"])
@pytest.mark.parametrize("indent", ["        ", "\t\t"])
def test_a_long_line_without_spaces_keeps_its_indentation(opening: str, indent: str):
    margin = {">": "> ", "-": "  "}.get(opening[0], "")
    source = read(opening + margin + indent + "x" * 200)
    block = parse(source)[-1]
    parts = cut(block, Window(source, letters, 48, 48))
    assert len(parts) > 3
    assert any(f"\n{margin}{indent}x" in "\n" + written(source, part) for part in parts)


def test_indented_code_stays_code():
    source = read("    a b\n\n        c d\n\n    e f")
    parts = cut_checked(source, parse(source)[0], 2)
    assert [written(source, part) for part in parts] == ["    a b", "        c d", "    e f"]
    assert [part.joint for part in parts] == [Joint.BLOCK, Joint.BLANK, Joint.ITEM]


LINES = st.lists(
    st.sampled_from(
        ["", "a", "  b c", "x = 1", "    deep", "}", "\ttab", "word " * 30, "~~", "``", "é" * 40, "# h", "- i"]
    ),
    min_size=1,
    max_size=30,
)


@settings(deadline=None, max_examples=100)
@given(
    LINES,
    st.sampled_from(["```", "~~~", "`````"]),
    st.sampled_from(["", "py", 'js title="x"']),
    st.sampled_from(["", "> ", "- ", "10. ", "> - "]),
    st.integers(80, 120),
)
def test_random_fences_in_containers(lines: list[str], marks: str, info: str, container: str, limit: int):
    margin = container.replace("-", " ").replace("10.", "   ")
    inner = [marks + info, *lines, marks]
    text = "\n".join((container if not k else margin) + line for k, line in enumerate(inner))
    source = read(text)
    block = parse(source)[0]
    window = Window(source, letters, limit, limit)
    parts = cut(block, window)
    check_parts(block, window, parts)
    code = ""
    for part in parts:
        tokens = PARSER.parse(written(source, part))
        fences = [token for token in tokens if token.type == "fence"]
        assert len(fences) == 1, written(source, part)
        assert (fences[0].info, fences[0].markup) == (info, marks)
        code += fences[0].content
    assert "".join(code.split()) == "".join("".join(lines).split())


def test_children_know_where_they_stand():
    source = read("- ```\n  a b c\n\n  d e f\n  ```")
    (bullets,) = parse(source)
    (item,) = children(source, bullets)
    (fence,) = children(source, item)
    assert isinstance(fence, Block)
    window = Window(source, words, 6, 6, first="- ", rest="-\n")
    parts = cut(fence, window)
    check_parts(fence, window, parts)
    assert written(source, parts[1]) == "-\n  ```\n  d e f\n  ```"


@pytest.mark.parametrize("marker", ["- ", "1. ", "10. ", "> - "])
def test_code_that_a_tab_puts_into_an_item_is_opened_again(marker: str) -> None:
    margin = ">\t" if marker.startswith(">") else "\t"
    code = "".join(f"{margin}line {number} of the code;\n" for number in range(30))
    document = f"{marker}Like this:\n{margin}```js\n{code}{margin}```\n"
    chunks = MarkdownChunker(target_tokens=80, max_tokens=100, overlap_tokens=0).chunk(document)
    assert len(chunks) > 2
    for chunk in chunks:
        assert [token.type for token in PARSER.parse(chunk.text)].count("fence") == 1
        assert chunk.text.count("```") == 2
