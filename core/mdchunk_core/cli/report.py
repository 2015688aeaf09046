"""`mdchunk report`: documents or chunks in, figures of their quality out."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Sequence
from typing import Annotated, cast, get_args

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..errors import ConfigError
from ..report import NUMBERS, By, Report
from ..report import report as measure
from ..report.sheets import headline, sheets
from .chunk_files import ChunkInputs
from .exits import OK, OUTPUT_FAILED, SOME_FAILED, say, usage_errors
from .formats import to_bytes
from .inputs import find
from .outputs import StandardOutput
from .settings import (
    Across,
    EncodingName,
    Headings,
    Least,
    Limit,
    Notes,
    Overlap,
    Preset,
    Target,
    TokenizerName,
    make_chunker,
)

__all__ = ["report"]


def report(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Markdown files and folders of them, which are chunked; .jsonl files of chunks, ours or any that have "
            "a text, and source and document_type if they can; - for either on standard input.",
            show_default=False,
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Everything, as JSON.")] = False,
    by: Annotated[
        str | None, typer.Option(metavar="WHAT", help=f"Figures by {', '.join(get_args(By))}, and in total.")
    ] = None,
    least_counted: Annotated[
        int | None,
        typer.Option("--min-tokens", metavar="TOKENS", help="Chunks below it are orphaned. Default: as --min."),
    ] = None,
    fail_over: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Exit with 1 where a figure is over this, in total or in a group: orphaned_rate=0.05. Repeatable.",
        ),
    ] = None,
    samples: Annotated[
        int, typer.Option(min=0, metavar="CHUNKS", help="How many of each sort to list for a look.")
    ] = 5,
    target: Target = None,
    limit: Limit = None,
    least: Least = None,
    overlap: Overlap = None,
    tokenizer: TokenizerName = None,
    preset: Preset = None,
    heading_context: Headings = None,
    note_context: Notes = None,
    merge_across: Across = None,
    encoding: EncodingName = None,
) -> None:
    """Measure the quality of chunks: sizes, orphans, what was cut or torn, what was merged and why.

    A token count that a chunk in a file brings is believed, unless --tokenizer is given: then all are counted. The
    exit code is 1 also where a figure is over its limit.
    """
    with usage_errors():
        limits = _limits(fail_over or ())
        if by is not None and by not in get_args(By):
            raise ConfigError("--by", by, "one of " + ", ".join(get_args(By)) + " is needed")
        if least_counted is not None and least_counted < 0:
            raise ConfigError("--min-tokens", least_counted, "0 or more is needed")
    chunker = make_chunker(
        preset,
        {
            "target_tokens": target,
            "max_tokens": limit,
            "min_tokens": least,
            "overlap_tokens": overlap,
            "tokenizer": tokenizer,
            "heading_context": heading_context,
            "note_context": note_context,
            "merge_across": merge_across,
        },
    )
    inputs = ChunkInputs(find(paths), chunker, encoding)
    found = measure(
        inputs.chunks(),
        target_tokens=chunker.target_tokens,
        max_tokens=chunker.max_tokens,
        min_tokens=chunker.min_tokens if least_counted is None else least_counted,
        overlap_tokens=chunker.overlap_tokens,
        tokenizer=chunker.tokenizer,
        recount=tokenizer is not None and inputs.brings_chunks,
        by=cast("By | None", by),
        samples=samples,
    )
    if inputs.failed == len(inputs.documents):
        raise typer.Exit(SOME_FAILED)
    if not _written(found, as_json=as_json):
        raise typer.Exit(OUTPUT_FAILED)
    over = found.exceeded(limits)
    for line in over:
        say(line)
    raise typer.Exit(SOME_FAILED if over or inputs.failed else OK)


def _limits(given: Sequence[str]) -> dict[str, float]:
    """The limits of `NAME=VALUE`."""
    limits: dict[str, float] = {}
    for item in given:
        name, _, value = item.partition("=")
        if name not in NUMBERS:
            names = ", ".join(NUMBERS)
            raise ConfigError("--fail-over", item, f"NAME=VALUE with one of these names is needed: {names}")
        try:
            limits[name] = float(value)
        except ValueError:
            limits[name] = math.nan
        if math.isnan(limits[name]):
            raise ConfigError("--fail-over", item, "a number is needed after the =")
    return limits


def _written(found: Report, *, as_json: bool) -> bool:
    """Write the report to standard output; False where it could not be written."""
    try:
        if as_json or not sys.stdout.isatty():
            out = StandardOutput()
            text = json.dumps(found.to_dict(), ensure_ascii=False, indent=2) if as_json else str(found)
            try:
                out.stream.write(to_bytes(text + "\n"))
                out.commit()
            except BrokenPipeError:  # `| head`: the reader has what it wanted
                out.discard()
        else:
            _show(found)
    except OSError as error:
        say(f"standard output: cannot be written: {error.strerror or os.strerror(error.errno or 0)}")
        return False
    return True


def _show(found: Report) -> None:
    """The report as tables on the terminal."""
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    for line in headline(found):
        console.print(Text(line, style="bold"))
    for sheet in sheets(found):
        table = Table(title=sheet.title, title_justify="left", title_style="bold cyan", header_style="dim")
        table.box, table.pad_edge, table.padding = SIMPLE, False, (0, 1, 0, 0)
        for k, column in enumerate(sheet.columns):
            number = 0 < k <= sheet.numbers
            whole = [*column.split(), *(row[k] for row in sheet.rows if number)]
            width = max(map(len, whole), default=0)
            table.add_column(column, justify="right" if number else "left", overflow="fold", min_width=width)
        for row in sheet.rows:
            table.add_row(*map(Text, row))
        console.print()
        console.print(table)
    console.print()
    console.print(Text("Checklist", style="bold cyan"))
    for question, answer in found.checklist.items():
        console.print(Text(question, style="bold"))
        console.print(Text("  " + answer))
