"""What people see: chunks and progress on a terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from ..types import Chunk
from .exits import one_line

__all__ = ["TerminalWriter", "explained", "heading", "progress", "where"]

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def where(chunk: Chunk) -> str:
    """Source and lines, as editors and `grep` write them: `a.md:3-9`."""
    lines = f"{chunk.start_line}-{chunk.end_line}" if chunk.end_line > chunk.start_line else f"{chunk.start_line}"
    return f"{one_line(chunk.source or '-')}:{lines}"


def heading(chunk: Chunk) -> str:
    """The heading path on one line."""
    return one_line(" > ".join(chunk.heading_path)) or "(no heading)"


def explained(chunk: Chunk) -> list[str]:
    """Why the chunk is as it is, one line a decision."""
    return [
        one_line(f"line {decision.line}: {decision}" if decision.line else str(decision))
        for decision in chunk.decisions
    ] or ["no decisions: nothing was merged, cut or refused"]


def visible(text: str) -> str:
    r"""The text with what would steer the terminal written as escapes; tabs and line feeds stay.

    >>> visible("a\x1b[31m")
    'a\\x1b[31m'
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub(lambda match: ascii(match[0])[1:-1], text)


class TerminalWriter:
    """Shows each chunk with its place, headings and size; what is repeated from elsewhere is dimmed."""

    needs_chunks = True

    def __init__(self, *, explain: bool) -> None:
        self.console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
        self.explain = explain

    def add(self, text: str, chunks: Sequence[Chunk]) -> None:
        """Show the chunks of one document."""
        for chunk in chunks:
            self.console.print(
                Text.assemble(("── ", "cyan"), (where(chunk), "bold cyan"), (f"  {chunk.token_count} tokens", "green"))
            )
            self.console.print(Text(visible(heading(chunk)), style="bold" if chunk.heading_path else "dim"))
            if self.explain:
                for line in explained(chunk):
                    self.console.print(Text("  " + visible(line), style="yellow"))
            self.console.print()
            self.console.print(_shown(chunk))
            self.console.print()

    def close(self) -> None:
        """Nothing stands below."""


def _shown(chunk: Chunk) -> Text:
    repeated = len(chunk.prefix) + chunk.overlap_chars
    stop = len(chunk.text) - len(chunk.suffix)
    parts = (chunk.text[:repeated], "dim"), (chunk.text[repeated:stop], ""), (chunk.text[stop:], "dim")
    text = Text.assemble(*[(visible(part), style) for part, style in parts])
    text.rstrip()
    return text


@contextmanager
def progress(total: int, *, shown: bool) -> Iterator[Progress]:
    """A bar on standard error that is gone when the work is done. Lines written meanwhile stand above it."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=not shown, redirect_stdout=False)
    bar.add_task("Chunking", total=total)
    if not shown:  # not even started: some versions of rich leave an empty line behind at its end
        yield bar
        return
    with bar:
        yield bar
