"""Speed that can be tested without a clock: what is encoded, and fast ways beside slow ones that are plainly right."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache
from typing import Any

import pytest
import tiktoken
from conftest import corpus, load
from hypothesis import given, settings
from hypothesis import strategies as st

from mdchunk_core import MarkdownChunker, _leaves, _rules, chunks, inline, pages, references, signals
from mdchunk_core import _extensions as extensions
from mdchunk_core._encodings import bundled_encoding
from mdchunk_core.blocks import Block, parse
from mdchunk_core.cutters.frame import Frame
from mdchunk_core.measure import Measure
from mdchunk_core.pieces import Pieces
from mdchunk_core.source import Source, read

# What is encoded

MOST_BYTES = {"cl100k_base": 2.3, "o200k_base": 4.5}
"""Encoded, for each byte of a document, at 400/512. o200k_base: sums help less there in other scripts."""
MOST_BYTES_ALTOGETHER = {"cl100k_base": 1.25, "o200k_base": 1.6}
"""The same over all documents together."""
MOST_CALLS = 6
"""Of the tokenizer, for each block."""
ALWAYS_BYTES, ALWAYS_CALLS = 500, 10
"""What a document may take on top of that, so that very short ones can be measured too."""


class CountingBPE:
    """tiktoken's inner object, and what is asked of it."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.calls = 0
        self.bytes = 0

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self.inner, name)
        if "encode" not in name:
            return attribute
        method: Callable[..., Any] = attribute

        def counted(text: str | bytes, *arguments: Any) -> Any:
            self.calls += 1
            self.bytes += len(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
            return method(text, *arguments)

        return counted


def counting_encoding(name: str) -> tuple[tiktoken.Encoding, CountingBPE]:
    """A shipped encoding that tells what is encoded."""
    counter = CountingBPE(bundled_encoding(name)._core_bpe)
    encoding = object.__new__(tiktoken.Encoding)
    vars(encoding).update(vars(bundled_encoding(name)), _core_bpe=counter)
    return encoding, counter


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
@pytest.mark.parametrize("overlap", [0, 60])
def test_what_is_encoded_of_a_document(name: str, overlap: int) -> None:
    encoding, counter = counting_encoding(name)
    chunker = MarkdownChunker(target_tokens=400, max_tokens=512, overlap_tokens=overlap, tokenizer=encoding)
    encoded = size = 0
    for path in corpus():
        text = load(path)
        counter.calls = counter.bytes = 0
        assert chunker.chunk(text)
        assert counter.calls > 0
        encoded += counter.bytes
        size += len(text.encode())
        assert counter.bytes <= MOST_BYTES[name] * len(text.encode()) + ALWAYS_BYTES, path.name
        assert counter.calls <= MOST_CALLS * len(parse(read(text))) + ALWAYS_CALLS, path.name
    assert encoded <= MOST_BYTES_ALTOGETHER[name] * size


def test_encodings_are_not_compared_while_a_document_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of one name are told apart by all their ranks."""
    text = load(corpus()[0])
    MarkdownChunker().chunk(text)
    own = MarkdownChunker(tokenizer=counting_encoding("cl100k_base")[0])
    compared: list[object] = []

    def compare(one: object, other: object) -> bool:
        compared.append(other)
        return False

    monkeypatch.setattr("mdchunk_core.tokens._Tiktoken.__eq__", compare)
    assert own.chunk(text)
    assert not compared


HOSTILE = {
    "spaces before a letter": (" " * 200_000 + "x", 2.5),
    "spaces between letters": ("x" + " " * 200_000 + "y", 5),
    "quote marks": (">" * 100_000 + " deep", 5),
    "dashes in a line": ("a " + "-" * 200_000, 8),
    "one letter": ("a" * 200_000, 3),
    "open links": ("[a](" * 50_000, 3),
    "words without an end": ("word " * 700, 4),
}  # fmt: skip
"""Documents in which one sign or blank goes on and on, and how many times their bytes are encoded at the most."""
MOST_TRIMS = 4_000
"""Tries at where a part might end, of which a document of 200,000 characters takes a few for each part."""


@pytest.mark.parametrize("name", HOSTILE)
def test_long_runs_are_counted_a_few_times(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, most = HOSTILE[name]
    trims = 0
    trim = Frame.trim

    def counted(frame: Frame, start: int, end: int) -> tuple[int, int]:
        nonlocal trims
        trims += 1
        return trim(frame, start, end)

    monkeypatch.setattr(Frame, "trim", counted)
    encoding, counter = counting_encoding("cl100k_base")
    assert MarkdownChunker(target_tokens=400, max_tokens=512, overlap_tokens=0, tokenizer=encoding).chunk(text)
    assert 0 < counter.bytes <= most * len(text)
    assert trims <= MOST_TRIMS


# The whole way: a tokenizer of which nothing is known is asked for every count

DOCUMENTS = st.lists(
    st.sampled_from(
        [
            "# Rates", "## Hotels", "Stay\n====", "A line of text that goes on for a while, as prose does.", "Rooms:",
            "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "```py\nx = 1\n\ny = 2\n```", "- one\n- two\n\n  more",
            "> A quote.\n> Second line.", "Valid until 30.06.2026", "*Stand: 01.04.2026*", "Page 3", "<!-- page 4 -->",
            "/slashes", "[x]: /url", "東京都の宿泊費は一泊九千円とする。", "🙂 🙂 🙂.", "$$\nx^2\n$$", "\f", "***",
        ]
    ),
    min_size=1,
    max_size=40,
).map("\n\n".join)  # fmt: skip
"""With no sentence that is longer than a chunk: what is cut inside one may depend on what is known of the tokenizer."""


@cache
def chunkers(name: str, target: int, limit: int, overlap: int) -> tuple[MarkdownChunker, MarkdownChunker]:
    """One that knows its encoding, and its twin that can only ask how many tokens a text has."""
    encode = bundled_encoding(name).encode_ordinary
    options: Any = {"target_tokens": target, "max_tokens": limit, "overlap_tokens": overlap}
    return (
        MarkdownChunker(tokenizer=name, **options),
        MarkdownChunker(tokenizer=lambda text: len(encode(text)), **options),
    )


class CountingEverything(Measure):
    """Looks no sum up, and adds none up for a chunk."""

    sums = ()

    def blocks(self, starts: Sequence[int], lines: Sequence[int], by_line: int) -> tuple[list[int], list[bool]]:
        return self.stretches(starts)

    def chunk_counter(self, pieces: Pieces, block_starts: Sequence[int]) -> Callable[[int, int], int]:
        def count(first: int, stop: int) -> int:
            return self.span(pieces.start[first], pieces.end[stop - 1], pieces.prefix[first], pieces.suffix[stop - 1])

        return count


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
@pytest.mark.parametrize("sizes", [(400, 512, 60), (1600, 2000, 0), (50, 64, 10)])
def test_sums_and_bounds_cut_real_documents_as_counting_everything_does(name: str, sizes: tuple[int, int, int]) -> None:
    target, limit, overlap = sizes
    chunker = MarkdownChunker(tokenizer=name, target_tokens=target, max_tokens=limit, overlap_tokens=overlap)
    for path in corpus():
        text = load(path)
        fast = chunker.chunk(text)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("mdchunk_core.chunker.Measure", CountingEverything)
            assert chunker.chunk(text) == fast, path.name


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
@given(text=DOCUMENTS, windows=st.booleans())
@settings(max_examples=60)
def test_sums_and_bounds_cut_any_document_as_counting_everything_does(name: str, text: str, windows: bool) -> None:
    fast, slow = chunkers(name, 64, 80, 10)
    text = text.replace("\n", "\r\n") if windows else text
    assert fast.chunk(text) == slow.chunk(text)


# Lines

LINES = st.lists(
    st.sampled_from(
        [
            *" \t#>`~<_*+=|:-$/!?[]^.)(0123456789abPZ\"'\\{}ſ字\f",
            "page",
            "Seite ",
            "<!--",
            "-->",
            "slide",
            "[^1]:",
            ":::",
        ]
        + [
            "import ",
            "export ",
            "Valid until",
            "Stand: ",
            "This ",
            "</pre>",
            "{3}----",
            "break",
            "of",
            "1.",
            "$$",
            "---",
        ]
    ),
    max_size=12,
).map("".join)


def lines() -> Iterator[str]:
    """Every line of the documents once."""
    return iter(dict.fromkeys(line for path in corpus() for line in read(load(path)).lines))


def check_line(line: str) -> None:
    """What is passed over at once is what all the rules together would pass over."""
    if line and not _leaves._SUSPECT.match(line):
        assert not _rules.interrupts(line)
        assert not _rules.is_blank(line)
        assert not _rules.setext_level(line)
        assert not _rules.is_delimiter_row(line)
        assert not _leaves.FOOTNOTE.match(line)
    if not _leaves._ROW_SUSPECT.match(line):
        assert not _leaves.ends_table(line, True)
    if line[:1] not in extensions._FIRST:
        assert not extensions._CANDIDATE.match(line)
    assert _rules.html_end(line, 1) == bool(_rules._RAW_END.search(line))
    assert inline.plain_text(line, ()) == inline._Inline(line, ()).run()
    if "\\" not in line:
        assert references._UNESCAPED_LABEL.findall(line) == references._LABEL.findall(line)
    text = line.strip()
    matching = signals.matching(text)
    assert signals.may_qualify(text) == any(signal.qualifies for signal in matching)
    assert signals.numbers_page(text) == any(signal.name == "page_number" for signal in matching)
    assert pages.page_mark(text) == slow_page_mark(text)


def slow_page_mark(line: str) -> pages.PageMark | None:
    """With no word looked for first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "_MARK_WORDS", ("",))
        return pages.page_mark(line)


def test_an_indented_delimiter_row_is_passed_over() -> None:
    check_line("\t---")
    check_line("\t|---|")
    check_line("   \t:-:")


def test_real_lines_that_are_passed_over() -> None:
    for line in lines():
        check_line(line)


@given(LINES)
@settings(max_examples=500)
def test_any_line_that_is_passed_over(line: str) -> None:
    check_line(line)


# Pages and body text

FOOTED = st.lists(
    st.sampled_from(["Page 1", "Page 2", "Page 3", "Page 4", "- 5 -", "Text of 12 words.", "# Head", "Seite 7 von 9"]),
    max_size=9,
).map("\n\n".join)


def slow_footers(source: Source, blocks: Sequence[Block], repeated: Container[int]) -> list[tuple[int, int]]:
    """All footers first, then whether they count up."""
    found: list[tuple[int, int]] = []
    for index, block in enumerate(blocks):
        text = source.lines[block.start].strip()
        if block.kind == "paragraph" and block.stop == block.start + 1 and 0 < len(text) <= pages.LONGEST_FURNITURE:
            numbered = any(signal.name == "page_number" for signal in signals.matching(text))
            digits = pages._page_digits(text) if numbered or index in repeated else None
            if digits is not None:
                found.append((block.start, digits))
    rises = all(later[1] == sooner[1] + 1 for sooner, later in zip(found, found[1:]))
    return found if rises and len(found) >= pages.LEAST_REPEATS else []


def check_document(text: str) -> None:
    source = read(text)
    blocks = parse(source)
    repeated = pages.furniture(source, blocks)
    assert pages._numbered_footers(source, blocks, repeated) == slow_footers(source, blocks, repeated)
    for block in blocks:
        body = "\n".join(source.lines[block.start : block.stop])
        visible = chunks._BODYLESS.sub("", body).split()
        assert chunks.body_size(body) == sum(len(word) - sum(map(word.count, "\ufeff\u200b\x00")) for word in visible)


def test_footers_and_body_text_of_real_documents() -> None:
    for path in corpus():
        check_document(load(path))


@given(st.one_of(FOOTED, DOCUMENTS))
def test_footers_and_body_text_of_any_document(text: str) -> None:
    check_document(text)
