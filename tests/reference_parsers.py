"""What other parsers make of a document, in the form of our blocks. Used by several tests."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

import pyromark
from markdown_it import MarkdownIt
from pyromark import Options

from mdchunk_core.blocks import children, parse
from mdchunk_core.source import Source

Lines = tuple[str, int, int, int]
"""Kind, first line, line after the last, level of a heading."""

MARKDOWN_IT = MarkdownIt("commonmark", {"inline_definitions": True, "maxNesting": 1000}).enable("table")
MARKDOWN_IT.disable("inline")

_KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "fenced_code",
    "code_block": "indented_code",
    "table_open": "table",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "list_item",
    "blockquote_open": "block_quote",
    "html_block": "html",
    "hr": "thematic_break",
    "definition": "link_reference",
}
_EVENTS = {
    "Heading": "heading",
    "Paragraph": "paragraph",
    "Table": "table",
    "List": "list",
    "Item": "list_item",
    "BlockQuote": "block_quote",
    "HtmlBlock": "html",
}


def trimmed(lines: list[str], start: int, stop: int) -> int:
    """The stop without lines that are blank once quote marks are taken away: parsers differ about whose they are."""
    stop = min(stop, len(lines))
    while stop > start + 1 and not lines[stop - 1].strip(" \t>"):
        stop -= 1
    return stop


def markdown_it(text: str) -> list[tuple[Lines, int]]:
    """Every block by markdown-it-py, in document order, with its depth."""
    lines = text.split("\n")
    found = []
    for token in MARKDOWN_IT.parse(text):
        kind = _KINDS.get(token.type)
        if kind is not None and token.map is not None:
            start, stop = token.map
            level = int(token.tag[1]) if kind == "heading" else 0
            found.append(((kind, start, trimmed(lines, start, stop), level), token.level))
    return found


def ours(source: Source) -> list[Lines]:
    """Every block of ours, in document order."""
    lines = list(source.lines)
    found = []
    stack = list(reversed(parse(source, extensions=False)))
    while stack:
        block = stack.pop()
        found.append((block.kind, block.start, trimmed(lines, block.start, block.stop), block.level))
        stack.extend(reversed(children(source, block, extensions=False)))
    return found


def pulldown_starts(text: str) -> list[tuple[str, int]]:
    """Kind and first line of every block by pulldown-cmark; the text of a tight item counts as a paragraph."""
    starts = [0, *(at + 1 for at, byte in enumerate(text.encode("utf-8", "surrogatepass")) if byte == 10)]
    found: list[tuple[str, int]] = []
    stack: list[str] = []
    in_text = False
    for event, span in pyromark.events_with_range(text, options=Options.ENABLE_TABLES):
        line = bisect_right(starts, span["start"]) - 1
        name, data = _tag(event, "Start")
        if name:
            kind = _EVENTS.get(name)
            if name == "CodeBlock":
                kind = "indented_code" if data == "Indented" else "fenced_code"
            if kind:
                found.append((kind, line))
                in_text = False
            elif stack and stack[-1] == "Item" and not in_text:
                found.append(("paragraph", line))
                in_text = True
            stack.append(name)
        elif _tag(event, "End")[0]:
            if stack.pop() in {*_EVENTS, "CodeBlock"}:
                in_text = False
        elif event == "Rule":
            found.append(("thematic_break", line))
            in_text = False
        elif stack and stack[-1] == "Item" and not in_text:
            found.append(("paragraph", line))
            in_text = True
    return found


def _tag(event: Any, side: str) -> tuple[str, Any]:
    tag = event.get(side) if isinstance(event, dict) else None
    if isinstance(tag, dict):
        return next(iter(tag.items()))
    return (tag or ""), None


def pulldown_headings(text: str) -> list[tuple[int, int, str]]:
    """First line, level and plain text of every heading at document level, by pulldown-cmark."""
    options = Options.ENABLE_TABLES | Options.ENABLE_FOOTNOTES | Options.ENABLE_HEADING_ATTRIBUTES
    raw = text.encode("utf-8", "surrogatepass")
    starts = [0, *(at + 1 for at, byte in enumerate(raw) if byte == 10)]
    found: list[tuple[int, int, str]] = []
    depth = 0
    title: list[str] | None = None
    line = 0
    events: Iterable[tuple[Any, Any]] = pyromark.events_with_range(text, options=options)
    for event, span in events:
        opened, _ = _tag(event, "Start")
        closed, level = _tag(event, "End")
        if opened in ("BlockQuote", "List", "Item", "FootnoteDefinition"):
            depth += 1
        elif closed in ("BlockQuote", "List", "Item", "FootnoteDefinition"):
            depth -= 1
        elif opened == "Heading" and depth == 0:
            title = []
            line = bisect_right(starts, span["start"]) - 1
        elif closed == "Heading" and title is not None:
            found.append((line, int(str(level)[-1]), " ".join("".join(title).split())))
            title = None
        elif title is not None:
            if event in ("SoftBreak", "HardBreak"):
                title.append(" ")
            elif isinstance(event, dict):
                title.extend(event[key] for key in ("Text", "Code") if key in event)
    return found
