"""Chunks put back together: the document without what the chunks repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .types import Chunk

__all__ = ["reassemble"]

_NEEDED = ("text", "prefix", "suffix", "start_char", "end_char", "start_line", "end_line")


class _Span(NamedTuple):
    """What a chunk shows of its document."""

    start: int
    end: int
    """Half-open, in characters of the document as given."""
    first_line: int
    last_line: int
    """1-based, inclusive, counted by line feeds."""
    body: str


def reassemble(chunks: Iterable[Chunk | Mapping[str, Any]], source: str | None = None) -> str:
    r"""The text that the chunks cover, in the order of the document, without prefixes, suffixes and overlap.

    `chunks` are chunks of one document, or what their `to_dict()` gives, in any order. White space between chunks is
    in none of them: with the chunks alone it is written anew, as many line feeds and characters as there were, the
    line feeds last, so that all offsets agree, counted from the first chunk's start. What stands before the first
    chunk, front matter above all, cannot be known, nor can the text of a chunk that is missing: blanks stand for it.

    With `source`, the document as it was given to the chunker, the result is the whole document, to the character.

    Raises ValueError for chunks of several documents, and for chunks that do not fit together or are not of `source`.

    >>> from mdchunk_core import MarkdownChunker
    >>> document = "# A\n\n" + "One sentence. " * 40 + "\n\n# B\n\nEnd."
    >>> chunks = MarkdownChunker(max_tokens=64, overlap_tokens=12).chunk(document)
    >>> len(chunks) > 1, reassemble(reversed(chunks), document) == document
    (True, True)
    """
    spans = _spans(chunks)
    pieces: list[str] = []
    at, line = (0, 1) if source is not None or not spans else (spans[0].start, spans[0].first_line)
    eol = _line_ending(spans)
    for span in spans:
        if source is not None and source[span.start : span.end] != span.body:
            raise ValueError(f"{_place(span)} is not what the source has there")
        if span.start > at:
            feeds = span.first_line - line
            pieces.append(_blank(span.start - at, feeds, eol) if source is None else source[at : span.start])
        elif pieces and not _agree(pieces[-1], at, span):
            raise ValueError(f"{_place(span)} does not agree with the chunk before: chunks of different versions?")
        if span.end > at:
            pieces.append(span.body[max(0, at - span.start) :])
            at, line = span.end, span.last_line + span.body.endswith("\n")
    if source is not None:
        pieces.append(source[at:])
    return "".join(pieces)


def _spans(chunks: Iterable[Chunk | Mapping[str, Any]]) -> list[_Span]:
    """The spans of the chunks, sorted; refuses what is not of one document."""
    spans: list[_Span] = []
    names: dict[str, None] = {}
    for number, chunk in enumerate(chunks, 1):
        values: Mapping[str, Any] = chunk if isinstance(chunk, Mapping) else _fields(chunk)
        lacking = [name for name in _NEEDED if values.get(name) is None]
        if lacking:
            raise ValueError(f"chunk {number} lacks {', '.join(lacking)}")
        name = values.get("source")
        names["without a name" if name is None else repr(name)] = None
        text, prefix, suffix = str(values["text"]), str(values["prefix"]), str(values["suffix"])
        body = text[len(prefix) : len(text) - len(suffix)]
        start, end = int(values["start_char"]), int(values["end_char"])
        span = _Span(start, end, int(values["start_line"]), int(values["end_line"]), body)
        if prefix + body + suffix != text or len(body) != end - start:
            raise ValueError(f"{_place(span)}: its text is not prefix, span and suffix: was it changed?")
        spans.append(span)
    if len(names) > 1:
        raise ValueError(f"chunks of several documents: {', '.join(names)}")
    return sorted(spans)


def _fields(chunk: Chunk) -> dict[str, Any]:
    return {name: getattr(chunk, name) for name in (*_NEEDED, "source")}


def _place(span: _Span) -> str:
    return f"the chunk of characters {span.start} to {span.end}, lines {span.first_line} to {span.last_line}"


def _line_ending(spans: Iterable[_Span]) -> str:
    """The commonest line ending inside the chunks."""
    found: Counter[str] = Counter()
    for span in spans:
        pairs = span.body.count("\r\n")
        found.update({"\n": span.body.count("\n") - pairs, "\r\n": pairs, "\r": span.body.count("\r") - pairs})
    return max(("\n", "\r\n", "\r"), key=lambda ending: found[ending])


def _blank(characters: int, feeds: int, eol: str) -> str:
    """White space of so many characters and line feeds.

    The line feeds come last: a chunk that starts a line starts at its first character, so that spaces before it stood
    at the end of the line before, and written behind the line feeds would indent it.
    """
    if eol == "\r":  # lone carriage returns are counted as no line
        return "\r" * characters
    if feeds < 1:
        return " " * characters
    breaks = ("\r\n" if eol == "\r\n" and 2 * feeds <= characters else "\n") * feeds
    return (" " * (characters - len(breaks)) + breaks)[:characters]


def _agree(before: str, end: int, span: _Span) -> bool:
    """Whether the text that a chunk shares with what stands before it, up to `end`, is the same in both."""
    start = end - len(before)
    first, stop = max(start, span.start), min(end, span.end)
    return before[first - start : stop - start] == span.body[first - span.start : stop - span.start]
