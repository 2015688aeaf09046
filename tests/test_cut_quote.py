"""Quotes, admonitions, containers, footnotes, formulas above the limit."""

from __future__ import annotations

import pytest
from cutting import Count, cut_checked, letters, words, written
from hypothesis import given, settings
from hypothesis import strategies as st

from mdchunk_core.blocks import Block, parse
from mdchunk_core.cutters.part import Window
from mdchunk_core.source import read

BODY = ["One two three four.", "", "Five six seven eight.", "", "- nine ten", "- eleven twelve", "", "Thirteen."]


def found(text: str, limit: int) -> list[str]:
    source = read(text)
    block = parse(source)[0]
    return [written(source, part) for part in cut_checked(source, block, limit)]


def test_a_quote_is_cut_between_its_blocks():
    parts = found("\n".join(f"> {line}".rstrip() for line in BODY), 8)
    assert parts[:2] == ["> One two three four.\n>", "> Five six seven eight.\n>"]
    assert all(line.startswith(">") for part in parts for line in part.splitlines())


@pytest.mark.parametrize(
    ("opening", "margin", "closing"),
    [
        ("> [!NOTE]", "> ", ""),
        ('!!! warning "Title"', "    ", ""),
        ("::: tip Title", "", ":::"),
        ("/// note | Title", "", "///"),
    ],
)
def test_the_title_is_repeated_and_the_end_set(opening: str, margin: str, closing: str):
    lines = [opening, *((margin + line).rstrip() for line in BODY), *([closing] if closing else [])]
    parts = found("\n".join(lines), 20)
    assert len(parts) > 1
    for part in parts:
        assert part.startswith(opening + "\n")
        assert part.endswith(closing)


def test_a_footnote_keeps_its_label():
    parts = found("[^1]: One two three.\n\n    Four five six.\n\n    Seven eight nine.", 6)
    assert parts == ["[^1]: One two three.", "[^1]:\n    Four five six.", "[^1]:\n    Seven eight nine."]


@pytest.mark.parametrize(("opening", "closing"), [("$$", "$$"), ("\\[", "\\]"), ("$$", "$$ {#eq-mean}")])
def test_a_formula_is_closed_and_opened_again(opening: str, closing: str):
    source = read(f"{opening}\na = b \\\\\nc = d \\\\\ne = f\n{closing}")
    parts = cut_checked(source, Block("math", 0, 5), 7)
    closed = closing.split()[0]
    assert [written(source, part) for part in parts] == [
        f"{opening}\na = b \\\\\n{closed}",
        f"{opening}\nc = d \\\\\n{closed}",
        f"{opening}\ne = f\n{closing}",
    ]


PIECES = st.sampled_from(
    [
        "- ",
        "1. ",
        "> ",
        "```py\n",
        "```\n",
        "    ",
        "\n",
        "\n\n",
        "word ",
        "word. ",
        "a" * 30,
        "日本語。",
        "$$\n",
        "\\[\n",
        "\\]\n",
    ]
    + [
        "!!! note\n    ",
        "::: tip\n",
        ":::\n",
        "> [!NOTE]\n",
        "[^1]: ",
        "# h\n",
        "e\u0301",
        "[x]: http://u\n",
        "- [ ] t\n",
    ]
    + ["\u00a0", "\x0c", "\\", "`", "~~~\n", "///\n", "/// n\n"]
)


@settings(deadline=None, max_examples=150)
@given(st.lists(PIECES, max_size=40), st.integers(8, 40), st.sampled_from([words, letters]), st.booleans())
def test_random_documents(pieces: list[str], limit: int, count: Count, small_room: bool):
    source = read("".join(pieces))
    for block in parse(source):
        if block.kind not in ("table", "html", "mdx"):
            cut_checked(source, block, limit, count, room=max(1, limit // 3) if small_room else limit)


def test_windows_are_not_changed():
    source = read("> a b\n>\n> c d")
    window = Window(source, words, 3, 3)
    assert window == Window(source, words, 3, 3)
