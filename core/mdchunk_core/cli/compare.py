"""`mdchunk compare`: what each splitter breaks of the user's own documents."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Protocol

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ..compare.audit import compare as audit
from ..compare.sheets import LEGEND, headline, sheets, to_html, to_lines
from ..compare.splitters import OURS, PEERS, Settings, Splitter, make_splitters
from ..errors import ConfigError
from ..options import fill_sizes
from ..report.sheets import Sheet
from .exits import OK, OUTPUT_FAILED, SOME_FAILED, USAGE, say, usage_errors
from .formats import to_bytes
from .inputs import Found, UnreadableError, find, read_document
from .outputs import OutputError, StandardOutput, open_output
from .settings import EncodingName, Limit, Target, TokenizerName

__all__ = ["compare"]

With = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="SPLITTER",
        help=f"{OURS}, {', '.join(PEERS)}, module:function, or a .jsonl file of chunks that name their source; options "
        f"after a comma: {OURS},heading_context=prefix or recursive,max=256. Repeatable. Default: all installed.",
    ),
]
NoOverlap = Annotated[int, typer.Option("--overlap", min=0, metavar="TOKENS", help="For those that know one.")]
HtmlFile = Annotated[
    str | None, typer.Option("--html", metavar="FILE", help="Also as a page that stands alone, whole or not at all.")
]


def compare(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...", help="Markdown files and folders of them; - for standard input.", show_default=False
        ),
    ],
    with_: With = None,
    target: Target = None,
    limit: Limit = None,
    overlap: NoOverlap = 0,
    tokenizer: TokenizerName = None,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
    html: HtmlFile = None,
    examples: Annotated[bool, typer.Option("--examples", help="Also show some of what was broken.")] = False,
    encoding: EncodingName = None,
) -> None:
    """Compare splitters on your documents: what they cut, tear, lose and exceed, and how long they take.

    Tables, fences and headings are found by markdown-it-py, not by our own parser. Nothing is said of retrieval.
    """
    settings = make_settings(target, limit, overlap, tokenizer)
    splitters, missing = wanted_splitters(with_ or (), settings)
    documents = find(paths)
    reader = Reader(documents, encoding)
    with bar("Comparing", len(documents), shown=sys.stderr.isatty()) as advance:
        found = audit(
            reader.texts(advance),
            splitters,
            limit=settings.limit,
            tokenizer=settings.counter,
            missing=missing,
        )
    if not found.documents:
        raise typer.Exit(SOME_FAILED)
    written = html is None or write_file(html, to_html(found))
    tables = [sheet for sheet in sheets(found) if examples or not sheet.title.startswith("Broken")]
    written &= show(headline(found), tables, LEGEND, found.to_dict() if as_json else None)
    if not written:
        raise typer.Exit(OUTPUT_FAILED)
    raise typer.Exit(SOME_FAILED if reader.failed else OK)


def make_settings(target: int | None, limit: int | None, overlap: int, tokenizer: str | None) -> Settings:
    """The sizes for all splitters. Ends the command where they cannot work."""
    with usage_errors():
        sizes = fill_sizes(target, limit, None, overlap)
        settings = Settings(sizes.target, sizes.limit, overlap, tokenizer or "cl100k_base")
        settings.counter.count("")
        return settings


def wanted_splitters(names: Sequence[str], settings: Settings) -> tuple[list[Splitter], list[str]]:
    """The splitters, and a line about each that cannot be had; with none left the command ends."""
    with usage_errors():
        splitters, missing = make_splitters(names, settings)
    for line in missing:
        say(f"skipped: {line}")
    if not splitters:
        raise typer.Exit(USAGE)
    return splitters, missing


class Reader:
    """Reads documents one after the other; those that cannot be read are named and counted."""

    def __init__(self, documents: Sequence[Found], encoding: str | None) -> None:
        self.documents = documents
        self.encoding = encoding
        self.failed = 0

    def texts(self, advance: Advance) -> Iterator[tuple[str, str]]:
        """Name and text of each; `advance` is called when the next one is asked for."""
        for document in self.documents:
            try:
                if document.problem:
                    raise UnreadableError(document.problem)
                text, encoding, why = read_document(document.name, self.encoding)
                if why:
                    say(f"{document.name}: {why}, read as {encoding}")
                yield document.name, text
            except UnreadableError as error:
                say(f"{document.name}: {error}")
                self.failed += 1
            advance(1)


class Advance(Protocol):
    """Says that some more are done."""

    def __call__(self, count: int, /) -> None:
        """`count` more."""


@contextmanager
def bar(what: str, total: int, *, shown: bool) -> Iterator[Advance]:
    """A progress bar on standard error that is gone when the work is done."""
    if not shown:
        yield lambda count: None
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as progress:
        task = progress.add_task(what, total=total)
        yield lambda count: progress.advance(task, count)


def write_file(name: str, text: str) -> bool:
    """Write a file whole or not at all; False, and one line about it, where that fails."""
    try:
        out = open_output(name)
    except OutputError as error:
        say(f"{name}: {error}")
        return False
    try:
        out.stream.write(to_bytes(text))
        out.commit()
    except OSError as error:
        out.discard()
        say(f"{name}: cannot be written: {error.strerror or os.strerror(error.errno or 0)}")
        return False
    except BaseException:
        out.discard()
        raise
    return True


def show(head: Sequence[str], tables: Sequence[Sheet], note: str, as_json: object | None) -> bool:
    """Write to standard output: JSON, tables for a terminal, or plain text for a pipe. False where that fails."""
    try:
        if as_json is None and sys.stdout.isatty():
            _show_tables(head, tables, note)
            return True
        text = to_lines(head, tables) + f"\n\n{note}"
        if as_json is not None:
            text = json.dumps(as_json, ensure_ascii=False, indent=2)
        out = StandardOutput()
        try:
            out.stream.write(to_bytes(text + "\n"))
            out.commit()
        except BrokenPipeError:  # `| head`: the reader has what it wanted
            out.discard()
    except OSError as error:
        say(f"standard output: cannot be written: {error.strerror or os.strerror(error.errno or 0)}")
        return False
    return True


def _show_tables(head: Sequence[str], tables: Sequence[Sheet], note: str) -> None:
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    for line in head:
        console.print(Text(line, style="bold"))
    for sheet in tables:
        table = Table(title=sheet.title, title_justify="left", title_style="bold cyan", header_style="dim")
        table.box, table.pad_edge, table.padding = SIMPLE, False, (0, 1, 0, 0)
        for k, column in enumerate(sheet.columns):
            number = 0 < k <= sheet.numbers
            widest = max((len(row[k]) for row in sheet.rows), default=0) if number else None
            table.add_column(column, justify="right" if number else "left", overflow="fold", min_width=widest)
        for row in sheet.rows:
            table.add_row(*map(Text, row))
        console.print()
        console.print(table)
    console.print(Text(note, style="dim"))


def checked(option: str, value: str | None, allowed: Sequence[str]) -> None:
    """Raise ConfigError unless the value is one of those allowed, or not given."""
    if value is not None and value not in allowed:
        raise ConfigError(option, value, "one of " + ", ".join(allowed) + " is needed")
