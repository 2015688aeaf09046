"""The splitters that can be compared: ours, those that are installed, any function, any file of chunks."""

from __future__ import annotations

import importlib
import json
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from .. import __version__
from ..chunker import MarkdownChunker
from ..errors import ConfigError, MdchunkError
from ..report.records import TEXT_NAMES
from ..tokens import Tokenizer, TokenizerLike, resolve
from . import peers
from .locate import Piece

__all__ = ["OURS", "PEERS", "Settings", "Splitter", "SplitterUnavailable", "make_splitter", "make_splitters"]

OURS = "mdchunk"

Split = Callable[[str, str], list[Piece]]
"""The chunks of a document, from its text and its name."""


class SplitterUnavailable(MdchunkError, RuntimeError):
    """A splitter cannot be had; the message says which and what would help."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The sizes that all splitters of a comparison get."""

    target: int = 400
    """Tokens. For those that know a soft size."""
    limit: int = 512
    """Tokens."""
    overlap: int = 0
    """Tokens. For those that know an overlap."""
    tokenizer: TokenizerLike = "cl100k_base"

    @property
    def counter(self) -> Tokenizer:
        """What counts the tokens."""
        return resolve(self.tokenizer)


@dataclass(frozen=True, slots=True)
class Splitter:
    """Something that cuts a document into chunks."""

    name: str
    version: str
    """Of the package it comes from; empty where that is unknown."""
    split: Split


PEERS: Mapping[str, peers.Peer] = {peer.name: peer for peer in peers.PEERS}
"""Name -> what is known of the splitter, in the order of a comparison."""
SHORT = {
    "recursive": "langchain-recursive",
    "markdown": "langchain-markdown",
    "headers": "langchain-headers",
    "sentence": "llamaindex-sentence",
}
"""Names that are shorter to write."""
OPTIONS = {"target": "target", "max": "limit", "overlap": "overlap", "tokenizer": "tokenizer"}


def make_splitters(wanted: Sequence[str], settings: Settings) -> tuple[list[Splitter], list[str]]:
    """The splitters of these names, and one line about each that cannot be had.

    No name means ours and all others that are installed. See `make_splitter` for the forms of a name.

    >>> [splitter.name for splitter in make_splitters(["mdchunk", "tokens"], Settings())[0]]
    ['mdchunk', 'tokens']
    """
    found: dict[str, Splitter] = {}
    missing: list[str] = []
    for name in wanted or [OURS, *PEERS]:
        try:
            splitter = make_splitter(name, settings)
            found.setdefault(splitter.name, splitter)
        except SplitterUnavailable as error:  # noqa: PERF203 -- a dozen names
            missing.append(str(error))
    return list(found.values()), missing


def make_splitter(name: str, settings: Settings) -> Splitter:
    """The splitter of a name. Raises SplitterUnavailable, or ConfigError where an option is wrong.

    A name is `mdchunk`, one of PEERS or its short form; `module:function`, where the function takes a text and gives
    chunks (strings, objects or mappings with a text); or a `.jsonl` file of chunks that name their `source`. Options
    may follow a comma: `mdchunk,heading_context=prefix,overlap=60`, `recursive,max=256`.
    """
    kind, *options = name.split(",")
    given = dict(_option(name, option) for option in options)
    settings = replace(settings, **{OPTIONS[key]: given.pop(key) for key in list(given) if key in OPTIONS})
    if kind == OURS:
        return Splitter(name, __version__, _ours(settings, given))
    if given:
        raise ConfigError("splitter", name, f"only {OURS} takes {', '.join(given)}; {', '.join(OPTIONS)} are for all")
    if peer := PEERS.get(SHORT.get(kind, kind)):
        return Splitter(peer.name if not options else name, _version(peer.distribution), _peer(peer, settings))
    if kind.lower().endswith((".jsonl", ".ndjson")):
        return Splitter(Path(kind).name, "", _from_file(Path(kind)))
    module, colon, function = kind.partition(":")
    if colon and module and function:
        return Splitter(kind, _version(module.partition(".")[0]), _from_function(module, function))
    raise ConfigError(
        "splitter", name, f"one of {', '.join([OURS, *PEERS])}, module:function, or a .jsonl file of chunks is needed"
    )


def _option(name: str, option: str) -> tuple[str, Any]:
    key, equals, value = option.partition("=")
    if not equals:
        raise ConfigError("splitter", name, f"name=value is needed after a comma, not {option!r}")
    return key.strip(), int(value) if value.lstrip("-").isdecimal() else value


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _ours(settings: Settings, given: Mapping[str, Any]) -> Split:
    options = {
        "target_tokens": settings.target,
        "max_tokens": settings.limit,
        "overlap_tokens": settings.overlap,
        "tokenizer": settings.tokenizer,
    }
    try:
        chunker = MarkdownChunker(**{**options, **given})
    except TypeError:
        known = [name for name in MarkdownChunker.__dataclass_fields__ if not name.startswith("_")]
        raise ConfigError("splitter", ", ".join(given), f"options of {OURS} are {', '.join(known)}") from None
    return lambda text, name: [
        Piece(chunk.text, chunk.start_char, chunk.end_char) for chunk in chunker.chunk(text, source=name)
    ]


def _peer(peer: peers.Peer, settings: Settings) -> Split:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of other packages, about themselves
            split = peer.build(settings.target, settings.limit, settings.overlap, settings.counter)
    except ImportError as error:
        raise SplitterUnavailable(f"{peer.name}: not installed (pip install {peer.distribution}): {error}") from None
    return lambda text, name: pieces(split(text))


def _from_function(module: str, function: str) -> Split:
    try:
        split = importlib.import_module(module)
        for attribute in function.split("."):
            split = getattr(split, attribute)
    except (ImportError, AttributeError) as error:
        raise SplitterUnavailable(f"{module}:{function}: {error}") from None
    call: Any = split
    return lambda text, name: pieces(call(text))


def pieces(chunks: Iterable[Any]) -> list[Piece]:
    """Chunks as splitters give them: strings, mappings with a text, or objects with one."""
    return [_piece(chunk) for chunk in chunks]


def _piece(chunk: Any) -> Piece:
    if isinstance(chunk, str):
        return Piece(chunk)
    get: Callable[[str], Any] = chunk.get if isinstance(chunk, Mapping) else lambda name: getattr(chunk, name, None)
    text = next((value for name in TEXT_NAMES if isinstance(value := get(name), str)), None)
    if text is None:
        raise TypeError(f"a splitter gave {type(chunk).__name__}: a str or something with a text is needed")
    inner = get("metadata")
    places: Any = inner if isinstance(inner, Mapping) and get("start_char") is None else None
    start, end = (places.get(name) if places else get(name) for name in ("start_char", "end_char"))
    if isinstance(start, int) and isinstance(end, int):
        return Piece(text, start, end)
    return Piece(text)


def _from_file(path: Path) -> Split:
    """Chunks by the document they name; a document is found by its name or the end of its path."""
    chunks: dict[str, list[Piece]] = {}
    try:
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if line.strip():
                record = json.loads(line)
                inner = record.get("metadata")
                source = record.get("source") or (inner.get("source") if isinstance(inner, dict) else None)
                if not isinstance(source, str):
                    raise ConfigError("splitter", f"{path}, line {number}", "a chunk with a source is needed")
                chunks.setdefault(source.replace("\\", "/"), []).append(_piece(record))
    except OSError as error:
        raise SplitterUnavailable(f"{path}: {error.strerror or error}") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise ConfigError("splitter", str(path), f"a JSON object with a text on each line is needed: {error}") from None
    return lambda text, name: chunks.get(name) or _by_ending(chunks, name)


def _by_ending(chunks: Mapping[str, list[Piece]], name: str) -> list[Piece]:
    matches = [source for source in chunks if f"/{name}".endswith(f"/{source}") or f"/{source}".endswith(f"/{name}")]
    if len(matches) != 1:
        raise LookupError(f"the file of chunks has {'no' if not matches else 'more than one'} source {name}")
    return chunks[matches[0]]
