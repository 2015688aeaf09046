"""The forms in which chunks are written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import BinaryIO, Protocol

from ..lines import path_lines
from ..types import Chunk
from .terminal import TerminalWriter, explained, heading, where

__all__ = ["FORMATS", "Writer", "make_writer"]

FORMATS = ("jsonl", "json", "text", "lines")


class Writer(Protocol):
    """Takes one document after the other and keeps none."""

    needs_chunks: bool
    """False where the text is enough."""

    def add(self, text: str, chunks: Sequence[Chunk]) -> None:
        """Write one document."""

    def close(self) -> None:
        """Write what stands below the last one."""


def make_writer(form: str, stream: BinaryIO, *, explain: bool, terminal: bool) -> Writer:
    """The writer of a form. `terminal`: the stream is one, and people read it."""
    if form == "json":
        return _JsonArray(stream)
    if form == "jsonl":
        return _JsonLines(stream)
    if form == "lines":
        return _PathLines(stream)
    return TerminalWriter(explain=explain) if terminal else _PlainText(stream, explain=explain)


def to_bytes(text: str) -> bytes:
    r"""UTF-8. A lone surrogate, which UTF-8 cannot say, becomes an escape, which inside JSON stands for itself.

    >>> to_bytes("\ud800")
    b'\\ud800'
    """
    return text.encode("utf-8", "backslashreplace")


def to_json(chunk: Chunk) -> bytes:
    """A chunk on one line, also for readers who take Unicode's other line separators for line endings."""
    text = json.dumps(chunk.to_dict(), ensure_ascii=False)
    return to_bytes(text.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


class _JsonLines:
    needs_chunks = True

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def add(self, text: str, chunks: Sequence[Chunk]) -> None:
        self.stream.writelines(to_json(chunk) + b"\n" for chunk in chunks)

    def close(self) -> None:
        pass


class _JsonArray:
    needs_chunks = True

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.before = b"[\n"

    def add(self, text: str, chunks: Sequence[Chunk]) -> None:
        for chunk in chunks:
            self.stream.write(self.before + to_json(chunk))
            self.before = b",\n"

    def close(self) -> None:
        self.stream.write(b"\n]\n" if self.before == b",\n" else b"[]\n")


class _PathLines:
    needs_chunks = False

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def add(self, text: str, chunks: Sequence[Chunk]) -> None:
        self.stream.writelines(to_bytes(line) + b"\n" for line in path_lines(text))

    def close(self) -> None:
        pass


class _PlainText:
    needs_chunks = True

    def __init__(self, stream: BinaryIO, *, explain: bool) -> None:
        self.stream = stream
        self.explain = explain

    def add(self, text: str, chunks: Sequence[Chunk]) -> None:
        for chunk in chunks:
            head = [f"--- {where(chunk)}  {chunk.token_count} tokens", heading(chunk)]
            if self.explain:
                head += [f"  {decision}" for decision in explained(chunk)]
            self.stream.write(to_bytes("\n".join(head) + "\n\n" + chunk.text.rstrip("\r\n") + "\n\n"))

    def close(self) -> None:
        pass
