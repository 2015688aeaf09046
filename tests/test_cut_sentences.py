"""Where sentences start."""

from __future__ import annotations

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


def test_a_segmenter_that_panics_is_done_without() -> None:
    """sentencex 1.0.32 slices inside U+00A0 where an initial stands before it."""
    text = "\u0645\u0631\u062d\u0628\u0627. \u0627\u0644\u0633\u0637\u0631 Z\u00a0. \u0646\u0635. " * 3
    assert sentence_starts(text)


def test_a_lone_surrogate_is_text() -> None:
    assert sentence_starts("One \ud83d ends. Two begins.") == [12]
