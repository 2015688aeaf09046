"""A file of questions to start from: one for headings, tables and qualifying notes that the documents really have."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..blocks import Block, heading_text, labels, parse
from ..chunker import MarkdownChunker
from ..source import Source, read

__all__ = ["Suggestion", "suggest", "to_json_lines"]

COUNT = 10
"""Questions that are enough to start with."""
_ORDER = ("table", "validity-note", "code", "list", "prose")


class Suggestion(NamedTuple):
    """A question to be reworded, and the text that answers it."""

    document: str
    kind: str
    question: str
    spans: tuple[tuple[int, int], ...]
    """Half-open, in code points of the document as given."""


def suggest(documents: Mapping[str, str], count: int = COUNT) -> list[Suggestion]:
    r"""Up to `count` suggestions from documents (name -> text), of each kind and from as many documents as there are.

    >>> suggest({"a.md": "# Fees\n\n| Plan | Fee |\n|---|---|\n| Basic | 4 |\n"})[0].question
    'TODO Fees: what is Fee for Basic?'
    """
    queues: dict[str, list[list[Suggestion]]] = {kind: [] for kind in _ORDER}
    for name, text in documents.items():
        found: dict[str, list[Suggestion]] = {}
        for suggestion in _of_document(name, text):
            found.setdefault(suggestion.kind, []).append(suggestion)
        for kind, some in found.items():
            queues[kind].append(some)
    chosen: list[Suggestion] = []
    used: dict[str, int] = {}
    while len(chosen) < count and any(queues.values()):
        for kind in filter(queues.get, _ORDER):
            queue = min(queues[kind], key=lambda some: used.get(some[0].document, 0))
            suggestion = queue.pop(len(queue) // 2)
            used[suggestion.document] = used.get(suggestion.document, 0) + 1
            chosen.append(suggestion)
            queues[kind] = [some for some in queues[kind] if some]
            if len(chosen) == count:
                break
    return chosen


def to_json_lines(suggestions: list[Suggestion], documents: Mapping[str, str]) -> str:
    """The file, one question a line, as `mdchunk eval` reads it."""
    lines = []
    for number, item in enumerate(suggestions, 1):
        text = documents[item.document]
        evidence = [{"start": start, "end": end, "text": text[start:end]} for start, end in item.spans]
        entry = {"id": f"Q{number:03}", "doc": item.document, "question": item.question, "kind": item.kind}
        lines.append(json.dumps({**entry, "evidence": evidence}, ensure_ascii=False) + "\n")
    return "".join(lines)


def _of_document(name: str, text: str) -> Iterator[Suggestion]:
    source = read(text)
    blocks = parse(source)
    known = labels(source, blocks)
    title = ""
    for block, after in zip(blocks, [*blocks[1:], None]):
        if block.kind == "heading":
            title = heading_text(source, block, known)
            if title and after is not None and after.kind == "paragraph":
                question = f"TODO What do the documents say about {title}?"
                yield Suggestion(name, "prose", question, (_span(source, after),))
        elif block.kind == "table":
            yield from _of_table(source, block, name, title)
        elif block.kind == "fenced_code" and title:
            yield Suggestion(name, "code", f"TODO {title}: what must I write?", (_span(source, block),))
        elif block.kind == "list" and title:
            yield Suggestion(name, "list", f"TODO {title}: which are they?", (_span(source, block),))
    yield from _of_notes(text, name)


def _of_table(source: Source, block: Block, name: str, title: str) -> Iterator[Suggestion]:
    """About the row in the middle: what a search must find together with the header row."""
    rows = range(block.start + 2, block.stop)
    if not rows:
        return
    row = rows[len(rows) // 2]
    header, cells = _cells(source.lines[block.start]), _cells(source.lines[row])
    if len(header) > 1 and len(cells) > 1 and cells[0] and header[-1]:
        about = f"{title}: " if title else ""
        question = f"TODO {about}what is {header[-1]} for {cells[0]}?"
        yield Suggestion(name, "table", question, (_lines(source, block.start), _lines(source, row)))


def _of_notes(text: str, name: str) -> Iterator[Suggestion]:
    seen: set[str] = set()
    for chunk in MarkdownChunker(overlap_tokens=0).chunk(text, source=name):
        for note in chunk.notes:
            at = text.find(note)
            if note not in seen and at >= 0:
                seen.add(note)
                about = " > ".join(chunk.heading_path) or name
                question = f"TODO {about}: since when, for whom or under which condition does this hold?"
                yield Suggestion(name, "validity-note", question, ((at, at + len(note)),))


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _span(source: Source, block: Block) -> tuple[int, int]:
    start = source.line_starts[block.start] + block.column
    last = block.stop - 1
    return source.original(start), source.original(source.line_starts[last] + len(source.lines[last].rstrip()))


def _lines(source: Source, line: int) -> tuple[int, int]:
    text = source.lines[line]
    start = source.line_starts[line]
    lead = len(text) - len(text.lstrip())
    return source.original(start + lead), source.original(start + len(text.rstrip()))
