"""The metadata keys of MarkdownHeaderTextSplitter, and its way to leave headings out of the text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mdchunk_core import Chunk
from mdchunk_core.blocks import heading_text, parse
from mdchunk_core.errors import ConfigError
from mdchunk_core.source import read

_ATX = re.compile(r" {0,3}#{1,6}(?![^ \t\r\n])[^\r\n]*")
"""CommonMark, section 4.2."""
_TO_BLANK_LINE = re.compile(r"(?:[ \t]*[^ \t\r\n][^\r\n]*(?:\r\n?|\n|\Z))+")


class HeaderKeys:
    """What `headers_to_split_on` asks for: a metadata key for some heading levels."""

    def __init__(self, headers_to_split_on: Iterable[tuple[str, str | None]]) -> None:
        self._keys: dict[int, str] = {}
        for marker, key in headers_to_split_on:
            if not isinstance(marker, str) or not 1 <= len(marker) <= 6 or marker.strip("#"):
                raise ConfigError("headers_to_split_on", marker, "one to six # are needed")
            if key is not None:  # which is how LangChain's callers say that they want no key
                self._keys[len(marker)] = key

    def metadata(self, chunk: Chunk) -> dict[str, str]:
        """Give the keys of the headings on the chunk's path, those above it included."""
        path = zip(chunk.heading_levels, chunk.heading_path, strict=True)
        return {self._keys[level]: text for level, text in path if level in self._keys}

    def body_start(self, text: str, chunk: Chunk) -> int:
        """Find where the chunk's span starts without the headings that its metadata tells.

        Headings that stand further down stay, since no key tells them, and so does a chunk of headings alone.
        """
        start, end = chunk.start_char, chunk.end_char
        if chunk.kinds[0] != "heading" or text[start - 1 : start] not in ("", "\r", "\n"):
            return start
        for path in chunk.sections:
            told = path == chunk.heading_path[: len(path)] and chunk.heading_levels[len(path) - 1] in self._keys
            stop = _heading_end(text, start, end, path[-1]) if told else None
            if stop is None:
                break
            body = text[stop:end].lstrip()
            if not body:
                return chunk.start_char
            start = end - len(body)
            gap = text[stop:start]
            start -= len(gap) - len(gap.rstrip(" \t"))  # the first line keeps its indentation
        return start


def _heading_end(text: str, start: int, end: int, heading: str) -> int | None:
    """Find where the heading that starts here ends, without its line ending; None where something else starts."""
    atx = _ATX.match(text, start, end)
    if atx is not None:
        return atx.end()
    lines = _TO_BLANK_LINE.match(text, start, end)
    source = read(lines[0] if lines else "")
    block, *_ = parse(source) or (None,)
    if block is None or block.kind != "heading" or heading_text(source, block, ()) != heading:
        return None
    last = block.stop - 1
    return start + source.original(source.line_starts[last] + len(source.lines[last]))
