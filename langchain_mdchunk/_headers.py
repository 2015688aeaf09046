"""The metadata keys of MarkdownHeaderTextSplitter, and its way to leave headings out of the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from mdchunk_core import Chunk
from mdchunk_core.blocks import parse
from mdchunk_core.errors import ConfigError
from mdchunk_core.sections import outline
from mdchunk_core.source import read


class Heading(NamedTuple):
    """A heading of the document."""

    start: int
    end: int
    """Half-open, in code points of the document as given, without the line ending."""
    path: tuple[str, ...]
    levels: tuple[int, ...]
    """Plain texts and levels of the headings above it and its own, outermost first."""


def headings(text: str) -> list[Heading]:
    r"""Find the document-level headings, in order.

    >>> [(heading.path, heading.levels) for heading in headings("# A\n\n### B\n")]
    [(('A',), (1,)), (('A', 'B'), (1, 3))]
    """
    source = read(text)
    blocks = parse(source)
    found: list[Heading] = []
    levels: list[int] = []
    for section in outline(source, blocks)[1:]:
        while levels and levels[-1] >= section.level:
            levels.pop()
        levels.append(section.level)
        block = blocks[section.first]
        end = source.line_starts[block.stop - 1] + len(source.lines[block.stop - 1])
        start = source.line_starts[block.start]
        found.append(Heading(source.original(start), source.original(end), section.path, tuple(levels)))
    return found


class HeaderKeys:
    """What `headers_to_split_on` asks for: a metadata key for some heading levels."""

    def __init__(self, headers_to_split_on: Iterable[tuple[str, str | None]]) -> None:
        self._keys: dict[int, str] = {}
        for marker, key in headers_to_split_on:
            if not isinstance(marker, str) or not 1 <= len(marker) <= 6 or marker.strip("#"):
                raise ConfigError("headers_to_split_on", marker, "one to six # are needed")
            if key is not None:  # which is how LangChain's callers say that they want no key
                self._keys[len(marker)] = key

    def metadata(self, chunk: Chunk, document: list[Heading]) -> dict[str, str]:
        """Give the keys of the headings on the chunk's path, those above it included."""
        depth = len(chunk.heading_path)
        first = max(0, bisect_right(document, chunk.start_char, key=attrgetter("start")) - 1)
        for heading in document[first:]:
            if heading.start >= chunk.end_char:
                break
            if heading.path[:depth] == chunk.heading_path:
                levels = zip(heading.levels[:depth], chunk.heading_path, strict=True)
                return {self._keys[level]: text for level, text in levels if level in self._keys}
        return {}

    def body_start(self, text: str, chunk: Chunk, document: list[Heading]) -> int:
        """Find where the chunk's span starts without the headings that its metadata tells.

        Headings that stand further down stay, since no key tells them, and so does a chunk of headings alone.
        """
        start = chunk.start_char
        first = max(0, bisect_right(document, start, key=attrgetter("start")) - 1)
        for heading in document[first:]:
            told = heading.path == chunk.heading_path[: len(heading.path)] and heading.levels[-1] in self._keys
            if heading.start != start or not told:
                break
            rest = text[heading.end : chunk.end_char]
            body = rest.lstrip()
            if not body:
                return chunk.start_char
            start = chunk.end_char - len(body)
            start -= len(text[:start]) - len(text[:start].rstrip(" \t"))  # the first line keeps its indentation
        return start
