"""Chunks for the commands that measure them: made here from Markdown, or read from files of chunks."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..chunker import MarkdownChunker
from ..report.records import TEXT_NAMES
from ..types import Chunk
from .exits import say
from .inputs import STANDARD_INPUT, Found, UnreadableError, read_document
from .terminal import progress

__all__ = ["ChunkInputs", "read_chunks"]

CHUNK_SUFFIXES = (".jsonl", ".ndjson", ".json")


@dataclass(slots=True)
class ChunkInputs:
    """Gives the chunks of one input after the other; inputs that cannot be read are named and counted."""

    documents: Sequence[Found]
    chunker: MarkdownChunker
    encoding: str | None
    failed: int = 0

    @property
    def brings_chunks(self) -> bool:
        """Whether an input may hold chunks that were made elsewhere."""
        return any(
            document.name == STANDARD_INPUT or document.name.lower().endswith(CHUNK_SUFFIXES)
            for document in self.documents
        )

    def chunks(self) -> Iterator[Chunk | Mapping[str, Any]]:
        """All chunks, those of a document together and in order."""
        with progress(len(self.documents), shown=sys.stderr.isatty()) as shown:
            for document in self.documents:
                try:
                    if document.problem:
                        raise UnreadableError(document.problem)
                    text, encoding, why = read_document(document.name, self.encoding)
                    if why:
                        say(f"{document.name}: {why}, read as {encoding}")
                    if _holds_chunks(document.name, text):
                        yield from read_chunks(text, document.name)
                    else:
                        yield from self.chunker.chunk(text, source=document.name)
                except UnreadableError as error:
                    say(f"{document.name}: {error}")
                    self.failed += 1
                shown.advance(shown.task_ids[0])


def read_chunks(text: str, name: str) -> list[dict[str, Any]]:
    """The chunks of a file with one JSON object on each line, or one JSON array of them.

    A chunk that names no source has the file for one. Raises UnreadableError with the line.
    """
    if text.lstrip()[:1] == "[":
        try:
            entries = list(enumerate(json.loads(text), 1))
        except (ValueError, RecursionError) as error:
            raise UnreadableError(f"not JSON: {error}") from None
        unit = "chunk"
    else:
        entries, unit = [], "line"
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                try:
                    entries.append((number, json.loads(line)))
                except (ValueError, RecursionError) as error:
                    raise UnreadableError(f"line {number} is not JSON: {error}") from None
    for number, chunk in entries:
        if not isinstance(chunk, dict) or not any(isinstance(chunk.get(field), str) for field in TEXT_NAMES):
            raise UnreadableError(f"{unit} {number} is no chunk: an object with {' or '.join(TEXT_NAMES)} is needed")
        metadata = chunk.get("metadata")
        if not chunk.get("source") and not (isinstance(metadata, dict) and metadata.get("source")):
            chunk["source"] = name
            chunk.setdefault("document_type", None)
            chunk["document_type"] = chunk["document_type"] or "unknown"
    return [chunk for _, chunk in entries]


def _holds_chunks(name: str, text: str) -> bool:
    """Whether an input is chunks and not Markdown; standard input is where it starts with a chunk on a line."""
    if name != STANDARD_INPUT:
        return name.lower().endswith(CHUNK_SUFFIXES)
    first = text.lstrip().partition("\n")[0]
    try:
        return first.startswith("{") and bool(read_chunks(first, name))
    except UnreadableError:
        return False
