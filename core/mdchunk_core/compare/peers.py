"""Splitters of other packages, each with the settings that come nearest to ours. All are optional."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from typing import Any, NamedTuple

import tiktoken

from .._encodings import BUNDLED, bundled_encoding
from ..tokens import Tokenizer

__all__ = ["PEERS", "Peer"]

Cut = Callable[[str], Iterable[Any]]
"""A text -> chunks, in whatever form the package gives them."""

_SPECIAL = {
    "cl100k_base": {
        "<|endoftext|>": 100257,
        "<|fim_prefix|>": 100258,
        "<|fim_middle|>": 100259,
        "<|fim_suffix|>": 100260,
        "<|endofprompt|>": 100276,
    },
    "o200k_base": {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
}
_SEMANTIC_MODELS = {"cl100k_base": "gpt-4", "o200k_base": "gpt-4o"}


class Peer(NamedTuple):
    """A splitter of another package."""

    name: str
    distribution: str
    """What pip installs."""
    build: Callable[[int, int, int, Tokenizer], Cut]
    """From target, limit and overlap in tokens, and the tokenizer. Raises ImportError where it is not installed."""


def encoding(tokenizer: Tokenizer) -> tiktoken.Encoding | None:
    """The encoding as tiktoken itself gives it, special tokens included, without a network; None for any other."""
    if tokenizer.name not in _SPECIAL:
        return None
    built = bundled_encoding(tokenizer.name)
    return tiktoken.Encoding(
        tokenizer.name,
        pat_str=BUNDLED[tokenizer.name].pattern,
        mergeable_ranks=built._mergeable_ranks,
        special_tokens=_SPECIAL[tokenizer.name],
    )


def encoder(tokenizer: Tokenizer) -> Callable[[str], Sequence[int]]:
    """From a text to something as long as its tokens, as fast as the packages' own users have it."""
    known = encoding(tokenizer)
    return known.encode_ordinary if known else lambda text: range(tokenizer.count(text))


def _tokens(target: int, limit: int, overlap: int, tokenizer: Tokenizer) -> Cut:
    known = encoding(tokenizer)
    if known is None:
        raise ImportError(f"windows of tokens need one of {', '.join(_SPECIAL)} as tokenizer")
    encode, decode = known.encode_ordinary, known.decode

    def cut(text: str) -> list[str]:
        tokens = encode(text)
        return [decode(tokens[k : k + limit]) for k in range(0, len(tokens), limit - overlap)]

    return cut


def _langchain(name: str) -> Callable[[int, int, int, Tokenizer], Cut]:
    def build(target: int, limit: int, overlap: int, tokenizer: Tokenizer) -> Cut:
        package = importlib.import_module("langchain_text_splitters")
        encode = encoder(tokenizer)
        options = {"chunk_size": limit, "chunk_overlap": overlap, "length_function": lambda text: len(encode(text))}
        cut: Cut = getattr(package, name)(**options).split_text
        return cut

    return build


def _langchain_headers(target: int, limit: int, overlap: int, tokenizer: Tokenizer) -> Cut:
    package = importlib.import_module("langchain_text_splitters")
    headers = package.MarkdownHeaderTextSplitter([("#" * k, f"h{k}") for k in range(1, 7)], strip_headers=False)
    encode = encoder(tokenizer)
    inner = package.RecursiveCharacterTextSplitter(
        chunk_size=limit, chunk_overlap=overlap, length_function=lambda text: len(encode(text))
    )

    def cut(text: str) -> Iterable[Any]:
        found: Iterable[Any] = inner.split_documents(headers.split_text(text))
        return found

    return cut


def _llamaindex_sentence(target: int, limit: int, overlap: int, tokenizer: Tokenizer) -> Cut:
    package = importlib.import_module("llama_index.core.node_parser")
    cut: Cut = package.SentenceSplitter(
        chunk_size=limit, chunk_overlap=overlap, tokenizer=encoder(tokenizer)
    ).split_text
    return cut


def _llamaindex_markdown(target: int, limit: int, overlap: int, tokenizer: Tokenizer) -> Cut:
    parser = importlib.import_module("llama_index.core.node_parser").MarkdownNodeParser()
    document = importlib.import_module("llama_index.core").Document
    return lambda text: [node.get_content() for node in parser.get_nodes_from_documents([document(text=text)])]


def _semantic(target: int, limit: int, overlap: int, tokenizer: Tokenizer) -> Cut:
    splitter = importlib.import_module("semantic_text_splitter").MarkdownSplitter
    capacity = (target, limit) if target < limit else limit
    model = _SEMANTIC_MODELS.get(tokenizer.name)
    if model:
        cut: Cut = splitter.from_tiktoken_model(model, capacity, overlap=overlap).chunks
    else:
        cut = splitter.from_callback(tokenizer.count, capacity, overlap=overlap).chunks
    return cut


def _chonkie(target: int, limit: int, overlap: int, tokenizer: Tokenizer) -> Cut:
    counter: Any = encoding(tokenizer) or tokenizer.count
    cut: Cut = importlib.import_module("chonkie").RecursiveChunker(tokenizer=counter, chunk_size=limit).chunk
    return cut


def _docling(target: int, limit: int, overlap: int, tokenizer: Tokenizer) -> Cut:
    """By its Markdown backend, which is all that its converter runs for Markdown; the converter itself needs torch."""
    chunkers = importlib.import_module("docling_core.transforms.chunker.hybrid_chunker")
    tokenizers = importlib.import_module("docling_core.transforms.chunker.tokenizer.openai")
    backend = importlib.import_module("docling.backend.md_backend").MarkdownDocumentBackend
    inputs = importlib.import_module("docling.datamodel.document")
    markdown = importlib.import_module("docling.datamodel.base_models").InputFormat.MD
    known = encoding(tokenizer)
    if known is None:
        raise ImportError(f"docling is compared with one of {', '.join(_SPECIAL)} as tokenizer")
    chunker = chunkers.HybridChunker(tokenizer=tokenizers.OpenAITokenizer(tokenizer=known, max_tokens=limit))

    def cut(text: str) -> list[str]:
        stream = BytesIO(text.encode("utf-8", "replace"))
        name = "document.md"
        source = inputs.InputDocument(path_or_stream=stream, format=markdown, backend=backend, filename=name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what it mends in a document
            document = backend(in_doc=source, path_or_stream=stream).convert()
        return [chunker.contextualize(chunk) for chunk in chunker.chunk(document)]

    return cut


def _mdkeychunker(target: int, limit: int, overlap: int, tokenizer: Tokenizer) -> Cut:
    chunk = importlib.import_module("mdkeychunker").chunk
    counter: Any = encoding(tokenizer) or tokenizer.count

    def cut(text: str) -> Iterable[Any]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # one for each document without headings
            found: Iterable[Any] = chunk(text, max_tokens=limit, tokenizer=counter, prefix=False)
        return found

    return cut


PEERS = (
    Peer("tokens", "tiktoken", _tokens),
    Peer("langchain-recursive", "langchain-text-splitters", _langchain("RecursiveCharacterTextSplitter")),
    Peer("langchain-markdown", "langchain-text-splitters", _langchain("MarkdownTextSplitter")),
    Peer("langchain-headers", "langchain-text-splitters", _langchain_headers),
    Peer("llamaindex-sentence", "llama-index-core", _llamaindex_sentence),
    Peer("llamaindex-markdown", "llama-index-core", _llamaindex_markdown),
    Peer("semantic-text-splitter", "semantic-text-splitter", _semantic),
    Peer("chonkie", "chonkie", _chonkie),
    Peer("docling", "docling-slim", _docling),
    Peer("mdkeychunker", "mdkeychunker", _mdkeychunker),
)
