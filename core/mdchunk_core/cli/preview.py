"""`mdchunk preview`: one document in, one page to look at out."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import ConfigError, MdchunkError
from .exits import OK, OUTPUT_FAILED, SOME_FAILED, USAGE, say, usage_errors
from .formats import to_bytes
from .inputs import STANDARD_INPUT, UnreadableError, read_document
from .outputs import OutputError, open_output
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

if TYPE_CHECKING:
    from ..chunker import MarkdownChunker
    from ..compare.locate import Piece
    from ..compare.splitters import Splitter

__all__ = ["preview"]

_EXTRA = ("jinja2", "markdown_it", "markupsafe", "nh3")


class _SplitterFailed(MdchunkError, RuntimeError):
    """The other splitter cannot cut this document."""


def preview(
    path: Annotated[
        str, typer.Argument(metavar="FILE", help="A Markdown file, or - for standard input.", show_default=False)
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PAGE",
            help="The HTML page, written whole or not at all. Default: standard output.",
        ),
    ] = None,
    beside: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="SPLITTER",
            help="Show another splitter beside it: recursive, markdown, headers, sentence, module:function, or what "
            "else compare knows. It gets the same sizes.",
        ),
    ] = None,
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
    """Show a document's chunks, and why they are as they are, on one HTML page that needs no network."""
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
    try:
        from ..preview import preview as make  # here, so that a missing extra is one line and not a traceback
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _EXTRA:
            raise
        say(f'the preview needs {package}, which is not installed: pip install "mdchunk-core[cli]"')
        raise typer.Exit(USAGE) from None
    other = _splitter(beside, chunker) if beside else None
    try:
        if output not in (None, "-") and path != STANDARD_INPUT and _same(path, output):
            raise OutputError("is also the input")
        out = open_output(output)
    except OutputError as error:
        say(f"--output {output}: {error}")
        raise typer.Exit(USAGE) from None
    code = OUTPUT_FAILED
    try:
        text, found, why = read_document(path, encoding)
        if why:
            say(f"{path}: {why}, read as {found}")
        out.stream.write(to_bytes(make(text, chunker, name="" if path == STANDARD_INPUT else path, beside=other)))
        out.commit()
        code = OK
    except (UnreadableError, _SplitterFailed) as error:
        out.discard()
        say(f"{path}: {error}")
        code = SOME_FAILED
    except BrokenPipeError:  # `| head`: the reader has what it wanted
        out.discard()
        code = OK
    except OSError as error:
        out.discard()
        say(f"{output or 'standard output'}: cannot be written: {error.strerror or error}")
    except BaseException:
        out.discard()
        raise
    raise typer.Exit(code)


def _splitter(name: str, chunker: MarkdownChunker) -> Splitter:
    """The other splitter, with our sizes. Ends the command where it cannot be had."""
    from ..compare.splitters import Settings, make_splitter

    with usage_errors():
        settings = Settings(
            target=chunker.target_tokens or 0,
            limit=chunker.max_tokens or 0,
            overlap=chunker.overlap_tokens or 0,
            tokenizer=chunker.tokenizer,
        )
        try:
            return _guarded(make_splitter(name, settings))
        except ConfigError as error:
            raise ConfigError("--with", error.value, error.allowed) from None
        except MdchunkError as error:
            say(f"--with {error}")
            raise typer.Exit(USAGE) from None


def _guarded(splitter: Splitter) -> Splitter:
    """The splitter, for which whatever it raises is one kind of failure."""

    def split(text: str, name: str) -> list[Piece]:
        try:
            return splitter.split(text, name)
        except BaseException as error:  # extensions written in Rust panic with what is no Exception
            if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit)):
                raise
            raise _SplitterFailed(f"{splitter.name} failed: {type(error).__name__}: {error}") from error

    return replace(splitter, split=split)


def _same(name: str, output: str | None) -> bool:
    try:
        return output is not None and os.path.samefile(name, output)  # noqa: PTH121 -- plain names, either may be missing
    except (OSError, ValueError):
        return False
