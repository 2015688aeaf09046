"""Sums of tokens agree with counting the whole text."""

from __future__ import annotations

import pytest
from conftest import corpus, load
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mdchunk_core import MarkdownChunker, measure
from mdchunk_core._tails import tail_start
from mdchunk_core.tokens import resolve

ENCODINGS = ("cl100k_base", "o200k_base")
NASTY = st.text(
    st.sampled_from(
        [*" \t\n\u00a0\u2028\x0c/.,:;!?'\"`*_|#>()[]{}<>-~\\aZéñ9٣½中か한हि\u0301\u200d🙂👍🏽", *"sLtvree"]
    ),
    max_size=30,
)


GAP = st.one_of(
    st.text(st.sampled_from(" \t\n\u00a0"), max_size=6), st.sampled_from(["\n```", "\n\n/", "\n |", "\n<a>"])
)


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=NASTY, gap=GAP)
@example(text="वह आया।", gap="\n\n")
@settings(max_examples=1000)
def test_a_tail_is_encoded_by_itself(name: str, text: str, gap: str) -> None:
    count = resolve(name).count
    text = text.rstrip()
    at = tail_start(text)
    if at is not None and text:
        assert count(text) == count(text[:at]) + count(text[at:])
        assert count(text + gap) == count(text[:at]) + count(text[at:] + gap)


def test_most_real_blocks_end_plainly() -> None:
    plain = total = 0
    for path in corpus():
        for block in load(path).split("\n\n"):
            if block.strip():
                total += 1
                plain += tail_start(block.rstrip()) is not None
    assert plain >= 0.8 * total


@pytest.mark.parametrize("slab", [1, 400])
def test_it_does_not_matter_how_much_is_encoded_at_once(slab: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in corpus():
        text = load(path)
        chunks = MarkdownChunker(overlap_tokens=0).chunk(text)
        with monkeypatch.context() as patch:
            patch.setattr(measure, "SLAB", slab)
            assert MarkdownChunker(overlap_tokens=0).chunk(text) == chunks


WORDY = st.lists(
    st.one_of(NASTY, st.sampled_from(["word ", "It ends. ", "\n", "\n\n", "// f32 ", "| a | b |\n", "- ", "> ", "  "])),
    max_size=40,
).map("".join)


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=WORDY)
@example(text='a\n\n \u2028 \n"two, three", four five six seven eight nine ten eleven twelve thirteen.')
@example(text="(see /etc // /etc /etc /etc // end.")
@example(text="```\n// with an explicit type /// annotation that is long enough / to be cut // in two\n```")
@settings(max_examples=300, deadline=None)
def test_chunks_counted_by_sums_have_the_tokens_of_their_text(name: str, text: str) -> None:
    count = resolve(name).count
    for heading_context in ("metadata", "prefix"):
        chunker = MarkdownChunker(
            max_tokens=16,
            overlap_tokens=0,
            tokenizer=name,
            heading_context=heading_context,  # type: ignore[arg-type]
        )
        for chunk in chunker.chunk(f"# A)\n\n{text}"):
            assert chunk.token_count == count(chunk.text) <= 16
