"""The options that every command which chunks has, and the chunker they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from ..chunker import MarkdownChunker
from ..options import PRESETS
from .exits import usage_errors

Target = Annotated[int | None, typer.Option("--target", metavar="TOKENS", help="Soft size of a chunk: 400.")]
Limit = Annotated[int | None, typer.Option("--max", metavar="TOKENS", help="Hard limit, never exceeded: 512.")]
Least = Annotated[int | None, typer.Option("--min", metavar="TOKENS", help="Smaller ones look for a neighbour: 100.")]
Overlap = Annotated[
    int | None,
    typer.Option("--overlap", metavar="TOKENS", help="Repeated where a cut falls inside a section: 60; 0 is off."),
]
TokenizerName = Annotated[
    str | None, typer.Option("--tokenizer", metavar="NAME", help="Encoding or model whose tokens count: cl100k_base.")
]
Preset = Annotated[str | None, typer.Option("--preset", metavar="NAME", help=f"Sizes: {', '.join(PRESETS)}.")]
Headings = Annotated[
    str | None,
    typer.Option(
        "--heading-context", metavar="WHERE", help="metadata, or prefix: the headings above also stand in the text."
    ),
]
Notes = Annotated[
    str | None,
    typer.Option(
        "--note-context", metavar="WHERE", help="metadata, or suffix: qualifying notes also stand in the text."
    ),
]
Across = Annotated[
    str | None,
    typer.Option("--merge-across", metavar="WHICH", help="Sections that may share a chunk: never, siblings, any."),
]
EncodingName = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="Encoding of all inputs. Default: byte-order mark, UTF-8, or what is clearly detected.",
    ),
]


def make_chunker(preset: str | None, given: Mapping[str, Any]) -> MarkdownChunker:
    """A chunker with the options that were given, by the library's names. Ends the command where they are wrong."""
    options = {name: value for name, value in given.items() if value is not None}
    with usage_errors():
        return MarkdownChunker(**options) if preset is None else MarkdownChunker.preset(preset, **options)
