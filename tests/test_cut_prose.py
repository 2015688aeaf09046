"""Paragraphs: sentences, lines, words, graphemes, and what a cut spares."""

from __future__ import annotations

import re
import unicodedata

import pytest
from cutting import Count, check_parts, cut_checked, letters, words, written
from hypothesis import given, settings
from hypothesis import strategies as st

from mdchunk_core.blocks import Block, parse
from mdchunk_core.cutters import cut
from mdchunk_core.cutters.part import Joint, Window
from mdchunk_core.source import read


def bodies(text: str, limit: int, count: Count = words, *, room: int | None = None) -> list[str]:
    source = read(text)
    block = parse(source)[0]
    return [source.text[part.start : part.end] for part in cut_checked(source, block, limit, count, room=room)]


def test_sentences_are_parts():
    assert bodies("One two. Three four. Five.", 3) == ["One two.", "Three four.", "Five."]


@pytest.mark.parametrize(
    "sentence",
    [
        "Use the small key, e.g. size 3.5 or 1.25, to turn it.",
        "Das gilt z. B. für Nr. 4 und Abs. 3 der Ordnung.",
        "Er kam am 4. Mai mit Dr. Meier nach Hause.",
        "Voir p. ex. la page 3 de M. Dupont.",
        "Read [a page. Or two](page.md) and `code. More code` now.",
        "Look at https://a.example/b.c?d=e.f and <https://g.example/h. i> first.",
        "It costs $a + b. c$ in all.",
        "Смотри рис. 3 на странице пять.",
    ],
)
def test_no_cut_inside_a_sentence(sentence: str):
    text = " ".join([sentence] * 5)
    assert bodies(text, len(sentence), letters) == [sentence] * 5


@pytest.mark.parametrize(
    "sentence",
    ["これは日本語です。", "第一號閥門！", "你记住了吗？", "यह एक वाक्य है।", "ይህ ነው።", "ဒါပါ။", "هل هذا سؤال؟"],
)
def test_sentences_of_other_scripts(sentence: str):
    gap = "" if sentence[-1] in "。！？" else " "
    assert bodies(gap.join([sentence] * 4), len(sentence), letters) == [sentence] * 4


@pytest.mark.parametrize("phrase", ["เราไปเดินเล่นที่สวนสาธารณะ", "ພວກເຮົາໄປທ່ຽວສວນ", "យើងទៅដើរលេងនៅសួន"])
def test_spaces_part_phrases_where_words_have_none_between_them(phrase: str):
    assert bodies(" ".join([phrase] * 12), len(phrase) * 3 // 2, letters) == [phrase] * 12


def test_marks_stay_with_their_sentence():
    assert bodies("**One two.** *Three four.* <b>Five six.</b> Seven.[^1] Eight.", 3) == [
        "**One two.**",
        "*Three four.*",
        "<b>Five six.</b>",
        "Seven.[^1]",
        "Eight.",
    ]


def test_hard_wrapped_text_is_cut_at_sentences_then_lines():
    text = "One two three\nfour five. Six\nseven eight nine ten\neleven twelve thirteen."
    source = read(text)
    parts = cut_checked(source, parse(source)[0], 6)
    assert [source.text[p.start : p.end] for p in parts] == [
        "One two three\nfour five.",
        "Six\nseven eight nine ten",
        "eleven twelve thirteen.",
    ]
    assert [p.joint for p in parts] == [Joint.BLOCK, Joint.SENTENCE, Joint.WORD]


def test_the_first_part_keeps_to_the_room():
    source = read("One two three four five. Six seven.")
    window = Window(source, words, 6, 2)
    parts = cut(parse(source)[0], window)
    check_parts(parse(source)[0], window, parts, room=True)
    assert source.text[parts[-1].start :] == "Six seven."


@pytest.mark.parametrize(
    "inside", ["[a link of words](to.md)", "`code of some words`", "![an image here](i.png 'a b')"]
)
def test_links_and_code_are_cut_last(inside: str):
    assert any(inside in body for body in bodies("word " * 9 + inside + " word" * 9, 8))


def test_what_is_too_long_is_cut_all_the_same():
    assert len(bodies("[" + "word " * 40 + "](to.md)", 8)) > 4
    assert "".join(bodies("x" * 1000, 16, letters)) == "x" * 1000
    assert "".join(bodies("e" + "\u0301" * 1000, 16, letters)) == "e" + "\u0301" * 1000


def test_a_code_span_that_is_cut_is_closed_and_opened_again():
    source = read("```" + "word " * 40 + "``` end")
    parts = cut_checked(source, parse(source)[0], 100, letters)
    assert len(parts) > 2
    assert all(written(source, part).count("```") == 2 for part in parts[:-1])


def test_a_code_span_of_several_lines_and_three_ticks_is_not_opened_again():
    source = read("> Run\n    ```sh\n" + "      mv one two and more\n" * 8 + "    ```")
    parts = cut_checked(source, parse(source)[0], 60, letters)
    assert len(parts) > 2
    assert not any("`" in part.prefix + part.suffix for part in parts)


def test_an_embedded_image_keeps_to_itself():
    image = "![dial](data:image/png;base64," + "Aa0Hl1Ow2Vh3" * 30 + ")"
    found = bodies(f"Before the photo. {image} After the photo.", 50, letters)
    assert found[0] == "Before the photo."
    assert found[-1] == "After the photo."
    assert "".join(found[1:-1]) == image
    assert len(found) - 2 == -(-len(image) // 50)


def test_graphemes_stay_whole():
    family = "👨\u200d👩\u200d👧"
    for body in bodies(family * 20, 12, letters):
        assert body == family * (len(body) // len(family))


def test_text_without_spaces_is_not_cut_before_a_closing_mark():
    for body in bodies("「漢字」、" * 30, 12, letters)[1:]:
        assert body[0] not in "」、"


def test_quoted_paragraphs_keep_their_marker():
    source = read("> One two. Three four\n> five. Six\nseven.")
    block = Block("paragraph", 0, 3, 0, 2, "> ")
    window = Window(source, words, 4, 4)
    parts = cut(block, window)
    check_parts(block, window, parts)
    assert [written(source, part).splitlines()[0][:2] for part in parts] == ["> "] * len(parts)


PIECES = st.sampled_from(
    ["word ", "word. ", "Next one! ", "e.g. ", "3.5 ", "日本語。", "テキスト", "สวัสดี", "Да это. ", "यह है। ", "نعم؟ "]
    + [
        "[a. b](c d) ",
        "`x. y` ",
        "`",
        "[",
        "](",
        ")",
        "<b>",
        "**",
        "$",
        "👨\u200d👩\u200d👧",
        "e\u0301",
        "\u00a0",
        "\n",
    ]
    + ["https://a.b/c.d ", "data:image/png;base64,AAAAAAAAAAAAAAAAAAAA ", "\\", "x" * 30, " " * 9]
)


@settings(deadline=None, max_examples=100)
@given(st.lists(PIECES, min_size=1, max_size=60), st.integers(8, 40), st.sampled_from([words, letters]), st.booleans())
def test_random_prose(pieces: list[str], limit: int, count: Count, small_room: bool):
    text = "P " + re.sub(r"\n\s*", "\n", "".join(pieces)).strip()
    source = read(text)
    block = Block("paragraph", 0, len(source.lines))
    parts = cut_checked(source, block, limit, count, room=limit // 2 if small_room else limit)
    joined = "".join(source.text[part.start : part.end] for part in parts)
    assert "".join(joined.split()) == "".join(text.split())
    for part in parts[1:]:
        if part.joint is not Joint.GRAPHEME:
            assert not unicodedata.category(source.text[part.start]).startswith("M")


@pytest.mark.parametrize("unit", ["[a](", "`", "` ", "a", "a ", "«a. ", "$a", "<a", "字", "A. b. ", "e\u0301"])
def test_long_lines_take_few_counts(unit: str):
    size = 0

    def count(text: str) -> int:
        nonlocal size
        size += len(text)
        return len(text)

    text = "x " + unit * (20_000 // len(unit))
    source = read(text)
    block = Block("paragraph", 0, 1)
    window = Window(source, count, 256, 256)
    parts = cut(block, window)
    assert size < 6 * len(text)
    check_parts(block, window, parts)
