"""Tables, fences and headings of a document as markdown-it-py reads it, so that no splitter judges itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

__all__ = ["Structure", "Table", "first_block", "flat", "read_structure", "unclosed_fences", "without_front_matter"]

NESTING = 100
"""Containers in containers that are read. Beyond, markdown-it-py's own recursion would end with an error."""

_FRONT_MATTER = re.compile(
    r"\ufeff?(?:---[ \t]*\r?\n(?:.*\n)*?(?:---|\.\.\.)|\+\+\+[ \t]*\r?\n(?:.*\n)*?\+\+\+)[ \t]*(?:\r?\n|$)"
)
_MARGIN = re.compile(r"^[ \t>]+", re.MULTILINE)
_MARKER = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_SPACE = re.compile(r"\s+")
_NEW_LINE = re.compile(r"\r\n?|\n")


class Table(NamedTuple):
    """A table, as it stands in the source."""

    source: str
    header: str
    """`flat`, as the rows are."""
    rows: tuple[str, ...]
    """Below the delimiter row."""


class Structure(NamedTuple):
    """What can be broken in a document, front matter left out."""

    body: str
    tables: tuple[Table, ...]
    fences: tuple[str, ...]
    """As in the source, with their fence lines."""
    headings: frozenset[str]
    """Flat source lines of headings, `## A`."""
    open_fences: int
    """Fences that are not closed in the document itself."""


def flat(text: str) -> str:
    r"""The text with quote marks and indentation off and each run of white space as one space.

    >>> flat("> a\n>   b")
    'a b'
    """
    return _SPACE.sub(" ", _MARGIN.sub("", text)).strip()


def without_front_matter(text: str) -> str:
    """The document below its front matter."""
    found = _FRONT_MATTER.match(text)
    return text[found.end() :] if found else text


def read_structure(text: str) -> Structure:
    r"""The structure of a document.

    >>> read_structure("# A\n\n| a |\n|---|\n| 1 |\n").tables[0].rows
    ('| 1 |',)
    """
    body = without_front_matter(text)
    lines = _NEW_LINE.split(body)
    tables: list[Table] = []
    fences: list[str] = []
    headings: set[str] = set()
    rows: list[str] = []
    items: list[int] = []
    unclosed = 0
    for token in _tokens(body):
        if token.type == "list_item_open" and token.map:
            items.append(token.map[0])
        elif token.type == "list_item_close" and items:
            items.pop()
        elif token.type == "tr_open" and token.map:
            rows.append(flat(_source(lines, token, items)))
        elif token.type == "table_open" and token.map:
            tables.append(Table(_source(lines, token, items), "", ()))
            rows = []
        elif token.type == "table_close":
            tables[-1] = Table(tables[-1].source, rows[0] if rows else "", tuple(rows[1:]))
        elif token.type == "fence" and token.map:
            fences.append(_source(lines, token, items))
            unclosed += not _is_closed(lines, token)
        elif token.type == "heading_open" and token.map:
            headings.add(flat(_source(lines, token, items)))
    return Structure(body, tuple(tables), tuple(fences), frozenset(headings), unclosed)


def unclosed_fences(text: str) -> int:
    """How many fences of a text run to its end, or to the end of their container, without being closed."""
    if "```" not in text and "~~~" not in text:
        return 0
    lines = _NEW_LINE.split(text)
    return sum(token.type == "fence" and not _is_closed(lines, token) for token in _tokens(text))


def first_block(text: str) -> str:
    """The source of the first block of a text."""
    lines = _NEW_LINE.split(text)
    return next((_source(lines, token, ()) for token in _tokens(text) if token.map), "")


@lru_cache(1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": NESTING}).enable("table").disable("inline")


def _tokens(text: str) -> list[Token]:
    return _parser().parse(text)


def _source(lines: Sequence[str], token: Token, items: Sequence[int]) -> str:
    """The lines of a block, without the list markers that its first line begins with."""
    assert token.map is not None
    start, stop = token.map
    first = lines[start]
    for item in items:
        if item == start and (marker := _MARKER.match(first)):
            first = first[marker.end() :]
    return "\n".join([first, *lines[start + 1 : stop]])


def _is_closed(lines: Sequence[str], token: Token) -> bool:
    assert token.map is not None
    start, stop = token.map
    while stop > start + 1 and not lines[stop - 1].strip(" \t>"):
        stop -= 1
    last = lines[stop - 1].strip(" \t>") if stop > start + 1 else ""
    return last.startswith(token.markup) and not last.strip(token.markup[0])
