"""`mdchunk chunk`: documents in, chunks out."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import ConfigError
from .exits import INTERRUPTED, OK, OUTPUT_FAILED, SOME_FAILED, USAGE, say, usage_errors
from .formats import FORMATS, Writer, make_writer
from .inputs import STANDARD_INPUT, Found, UnreadableError, find, read_document
from .outputs import FileOutput, OutputError, StandardOutput, open_output
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
from .terminal import progress

if TYPE_CHECKING:
    from ..chunker import MarkdownChunker

__all__ = ["chunk"]


def chunk(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Files, folders (all .md, .mdx and .markdown files below, hidden ones left out), or - for standard "
            "input. The path as given is the chunks' source.",
            show_default=False,
        ),
    ],
    target: Target = None,
    limit: Limit = None,
    least: Least = None,
    overlap: Overlap = None,
    tokenizer: TokenizerName = None,
    preset: Preset = None,
    heading_context: Headings = None,
    note_context: Notes = None,
    merge_across: Across = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show with each chunk why it starts and ends there (JSON always has it).")
    ] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Written whole or not at all. Default: standard output."),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORM",
            help="jsonl (a chunk a line), json (one array), text (to read), lines (\\[H1:H2:L04]text for each line of "
            "body; sizes do not matter). Default: text on a terminal, else jsonl.",
        ),
    ] = None,
    encoding: EncodingName = None,
) -> None:
    """Cut Markdown documents into chunks."""
    given = {
        "target_tokens": target,
        "max_tokens": limit,
        "min_tokens": least,
        "overlap_tokens": overlap,
        "tokenizer": tokenizer,
        "heading_context": heading_context,
        "note_context": note_context,
        "merge_across": merge_across,
    }
    with usage_errors():
        if form is not None and form not in FORMATS:
            raise ConfigError("--format", form, "one of " + ", ".join(FORMATS) + " is needed")
        if encoding is not None:
            encoding = _known(encoding)
    chunker = make_chunker(preset, given)
    documents = find(paths)
    out = _open(output, documents)
    terminal = isinstance(out, StandardOutput) and output in (None, "-") and sys.stdout.isatty()
    form = form or ("text" if terminal else "jsonl")
    code = OUTPUT_FAILED
    try:
        writer = make_writer(form, out.stream, explain=explain, terminal=terminal)
        done = _work(documents, chunker, writer, out, encoding, bar=sys.stderr.isatty() and not terminal)
        code = OK if done == len(documents) else SOME_FAILED
        if done:
            writer.close()
            out.commit()
        else:
            out.discard()
    except BrokenPipeError:  # `| head`: the reader has what it wanted
        out.discard()
        code = OK
    except OSError as error:
        out.discard()
        say(f"{output or 'standard output'}: cannot be written: {error.strerror or error}")
        code = OUTPUT_FAILED
    except KeyboardInterrupt:
        out.discard()
        say("interrupted")
        code = INTERRUPTED
    except BaseException:
        out.discard()
        raise
    raise typer.Exit(code)


def _known(encoding: str) -> str:
    try:
        "a".encode(encoding)
        return codecs.lookup(encoding).name
    except (LookupError, ValueError):  # ValueError: a NUL in the name
        raise ConfigError("--encoding", encoding, "a text encoding that Python knows is needed") from None


def _open(output: str | None, documents: Sequence[Found]) -> StandardOutput | FileOutput:
    """The output, or one line about why it cannot be, before any document is read."""
    try:
        for document in documents:
            if output not in (None, "-") and document.name != STANDARD_INPUT and _same(document.name, output):
                raise OutputError("is also an input")
        return open_output(output)
    except OutputError as error:
        say(f"--output {output}: {error}")
        raise typer.Exit(USAGE) from None


def _same(name: str, output: str | None) -> bool:
    try:
        return output is not None and os.path.samefile(name, output)  # noqa: PTH121 -- plain names, either may be missing
    except (OSError, ValueError):
        return False


def _work(
    documents: Sequence[Found],
    chunker: MarkdownChunker,
    writer: Writer,
    out: StandardOutput | FileOutput,
    encoding: str | None,
    *,
    bar: bool,
) -> int:
    """Write the documents that can be read, name the others, and return how many were written."""
    done = 0
    with progress(len(documents), shown=bar) as shown:
        for document in documents:
            try:
                if document.problem:
                    raise UnreadableError(document.problem)
                text, found, why = read_document(document.name, encoding)
                if why:
                    say(f"{document.name}: {why}, read as {found}")
            except UnreadableError as error:
                say(f"{document.name}: {error}")
            else:
                try:
                    chunks = chunker.chunk(text, source=document.name) if writer.needs_chunks else []
                except Exception as error:  # a mistake of ours must not cost the other documents
                    say(f"{document.name}: internal error, please report it: {type(error).__name__}: {error}")
                else:
                    writer.add(text, chunks)
                    done += 1
                    if isinstance(out, StandardOutput):
                        out.stream.flush()
            shown.advance(shown.task_ids[0])
    return done
