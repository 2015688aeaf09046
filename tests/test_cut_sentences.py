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
