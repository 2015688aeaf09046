"""Where sentences start."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdchunk_core.cutters.sentences import STRIDE, rough_sentence_starts, sentence_starts


@given(st.text(alphabet="aB. !?\n。।\"'«»`3é", max_size=200))
def test_offsets_are_inside_and_ascend(text: str):
    starts = sentence_starts(text)
    assert starts == sorted(set(starts))
    assert all(0 < start < len(text) for start in starts)
    assert all(0 < start < len(text) for start in rough_sentence_starts(text))


def test_long_text_is_segmented_as_short_text():
    sentence = "Use a small key, e.g. size 3.5 or 1.25, to turn bolt 7. "
    text = sentence * (5 * STRIDE // len(sentence))
    assert sentence_starts(text) == list(range(len(sentence), len(text), len(sentence)))


def test_a_sentence_longer_than_a_stride():
    text = "a " * STRIDE + "end. Next one."
    assert sentence_starts(text) == [text.index("Next")]


@pytest.mark.parametrize(
    ("word", "stop"),
    [
        ("\u1781\u17d2\u1789", "\u17d4"),
        ("\u0f56\u0f7c\u0f51", "\u0f0d"),
        ("\u05d0\u05d5\u05e8", "\u05c3"),
        ("\u0906\u092a", "\u0964"),
        ("\u09ac\u09be", "\u0964"),
        ("\u7b2c\u4e00", "\u3002"),
        ("\u0645\u0631\u062d", "\u061f"),
        ("\u1019\u102d", "\u104b"),
        ("\u12a5\u1295", "\u1362"),
        ("\u0532\u0561", "\u0589"),
    ],
)
def test_stops_of_many_scripts(word: str, stop: str) -> None:
    """Khmer, Tibetan, Hebrew, Devanagari, Bengali, Chinese, Arabic, Burmese, Amharic, Armenian."""
    sentence = f"{word}{stop} "
    assert sentence_starts(3 * sentence) == [len(sentence), 2 * len(sentence)]


@pytest.mark.parametrize("space", ["\u00a0", "\u2028", "\u3000"])
def test_wide_space_behind_an_initial_in_arabic_text(space: str, capfd: pytest.CaptureFixture[str]) -> None:
    """sentencex 1.0.32 slices inside it."""
    text = f"\u0645\u0631\u062d\u0628\u0627. \u0627\u0644\u0633\u0637\u0631 Z{space}. \u0646\u0635. " * 3
    assert sentence_starts(text)
    assert capfd.readouterr().err == "", "a panic was provoked, and Rust wrote about it"


def test_a_segmenter_that_panics_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):  # as pyo3 names it
        pass

    def panic(language: str, text: str) -> list[str]:
        raise PanicException("end byte index is not a char boundary")

    monkeypatch.setattr("mdchunk_core.cutters.sentences.segment", panic)
    assert sentence_starts("It finishes. Begin again.") == [13]


def test_a_lone_surrogate_is_text() -> None:
    assert sentence_starts("One \ud83d ends. Two begins.") == [12]
