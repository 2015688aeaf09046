"""`MarkdownChunkSplitter`: the core behind the interface that LangChain's splitters have."""

from __future__ import annotations

import copy
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import tiktoken
from langchain_core.documents import Document
from langchain_text_splitters import Language, TextSplitter

from mdchunk_core import Chunk, Signal
from mdchunk_core.chunks import derived_id
from mdchunk_core.errors import ConfigError
from mdchunk_core.options import HeadingContext, MergeAcross, NoteContext
from mdchunk_core.tokens import TokenizerLike, resolve

from ._headers import HeaderKeys
from ._lengths import build_chunker, counter

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["MarkdownChunkSplitter"]

_OF_ONE_CHUNK = frozenset(
    {"token_count", "kinds", "decisions", "part", "definitions", "chunk_position"}
    | {"start_line", "end_line", "start_char", "end_char", "start_index"}
)
"""Metadata of a chunk that is not true of what it is split into."""


_UNCHANGEABLE = (str, int, float, type(None))


class _Parent(NamedTuple):
    text: str
    metadata: dict[Any, Any]
    id: str | None = None


class _Piece(NamedTuple):
    chunk: Chunk
    keys: dict[str, str]


class MarkdownChunkSplitter(TextSplitter):
    r"""Splits Markdown where its structure allows it, with the interface of RecursiveCharacterTextSplitter.

    `chunk_size` is the hard limit and `chunk_overlap` the largest overlap, both in the unit of `length_function`:
    characters, where nothing else is said. `target_tokens` and `min_tokens` are in the same unit; they default to 0.8
    of `chunk_size` and a quarter of the target. `heading_context`, `note_context`, `merge_across`, `document_type` and
    `signals` are those of `mdchunk_core.MarkdownChunker`; so is `tokenizer`, which takes the place of
    `length_function`.

    `positions=True` adds line numbers, character offsets and the chunk's number to the metadata; it is off since these
    change whenever text above the chunk does. `headers_to_split_on` adds the keys of MarkdownHeaderTextSplitter, and
    `strip_headers` leaves the headings that these keys tell out of the text, as there.

    `keep_separator` and `strip_whitespace` change nothing: no character is ever dropped between chunks but blank space.
    `separators` and `is_separator_regex` are taken so that a RecursiveCharacterTextSplitter can be replaced as it
    stands, and are not used.

    Raises ValueError where an option cannot work.

    >>> splitter = MarkdownChunkSplitter(chunk_size=1000, chunk_overlap=0)
    >>> document = splitter.create_documents(["# Prices\n\n| room | price |\n|---|---|\n| 12 | 90 |"])[0]
    >>> document.metadata["heading_path"]
    'Prices'
    """

    def __init__(
        self,
        chunk_size: int = 4000,
        chunk_overlap: int = 200,
        length_function: Callable[[str], int] = len,
        keep_separator: bool | Literal["start", "end"] = False,
        add_start_index: bool = False,
        strip_whitespace: bool = True,
        *,
        tokenizer: TokenizerLike | None = None,
        target_tokens: int | None = None,
        min_tokens: int | None = None,
        heading_context: HeadingContext = "metadata",
        note_context: NoteContext = "metadata",
        merge_across: MergeAcross = "siblings",
        document_type: str | None = None,
        signals: Sequence[Signal] = (),
        positions: bool = False,
        headers_to_split_on: Sequence[tuple[str, str]] | None = None,
        strip_headers: bool = True,
        separators: Sequence[str] | None = None,
        is_separator_regex: bool = False,
    ) -> None:
        if tokenizer is not None:
            if length_function is not len:
                raise ConfigError("length_function", length_function, "not together with tokenizer")
            counting = resolve(tokenizer)
            length_function = counting.count
        else:
            counting = counter(length_function)
        super().__init__(
            chunk_size=chunk_size,
            chunk_overlap=chunk_overlap,
            length_function=length_function,
            keep_separator=keep_separator,
            add_start_index=add_start_index,
            strip_whitespace=strip_whitespace,
        )
        if chunk_overlap < 0:  # old versions of LangChain let it pass
            raise ConfigError("chunk_overlap", chunk_overlap, "at least 0 is needed")
        if separators is not None or is_separator_regex:
            warnings.warn(
                "MarkdownChunkSplitter splits at the structure of the document: separators and is_separator_regex "
                "are not used",
                stacklevel=2,
            )
        self._chunker, self._factor = build_chunker(
            counting,
            chunk_size,
            chunk_overlap,
            target_tokens,
            min_tokens,
            heading_context=heading_context,
            note_context=note_context,
            merge_across=merge_across,
            document_type=document_type,
            signals=tuple(signals),
        )
        self._counting = counting
        self._counts_tokens = tokenizer is not None
        self._positions = positions
        self._header_keys = HeaderKeys(headers_to_split_on) if headers_to_split_on is not None else None
        self._strip_headers = strip_headers

    @classmethod
    def from_tiktoken_encoder(
        cls,
        encoding_name: str = "gpt2",
        model_name: str | None = None,
        allowed_special: Literal["all"] | AbstractSet[str] | None = None,
        disallowed_special: Literal["all"] | Collection[str] = "all",
        **kwargs: Any,
    ) -> Self:
        r"""Make a splitter whose sizes are tokens of a tiktoken encoding; cl100k_base and o200k_base need no network.

        `<|endoftext|>` in a document is text, whatever the two arguments about special tokens say: they are taken for
        the sake of callers that give them.

        >>> splitter = MarkdownChunkSplitter.from_tiktoken_encoder(model_name="gpt-4o", chunk_size=512, chunk_overlap=0)
        >>> splitter.create_documents(["# A\n\nFive tokens"])[0].metadata["token_count"]
        5
        """
        return cls(tokenizer=encoding_name if model_name is None else model_name, **kwargs)

    @classmethod
    def from_huggingface_tokenizer(cls, tokenizer: Any, **kwargs: Any) -> Self:
        """Make a splitter whose sizes are tokens of a Hugging Face tokenizer, of transformers or of tokenizers.

        What the tokenizer adds around a text, such as [CLS] and [SEP], counts, so that a chunk of `chunk_size` fits a
        model whose window that is. Raises ValueError for what is no such tokenizer.
        """
        if isinstance(tokenizer, (str, tiktoken.Encoding)) or not hasattr(tokenizer, "encode"):
            raise ConfigError("tokenizer", tokenizer, "a Hugging Face tokenizer is needed")
        return cls(tokenizer=tokenizer, **kwargs)

    @classmethod
    def from_language(cls, language: Language, **kwargs: Any) -> Self:
        """Make a splitter for `Language.MARKDOWN`, the only one that it knows."""
        if language != Language.MARKDOWN:
            raise ConfigError("language", language, "Language.MARKDOWN is needed")
        return cls(**kwargs)

    def split_text(self, text: str) -> list[str]:
        r"""Split a text, in order.

        >>> MarkdownChunkSplitter(chunk_size=40, chunk_overlap=0).split_text("# A\n\nOne.\n\n# B\n\nTwo.")
        ['# A\n\nOne.', '# B\n\nTwo.']
        """
        return [piece.chunk.text for piece in self._pieces(text, None)]

    def create_documents(self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None) -> list[Document]:
        """Make a `Document` of each chunk of each text, with a deep copy of its metadata beside the chunk's own."""
        given = metadatas or [{}] * len(texts)
        return list(self._documents(_Parent(text, given[number]) for number, text in enumerate(texts)))

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Make a `Document` of each chunk of each document; its id holds the document's, its source and its page."""
        return list(
            self._documents(_Parent(document.page_content, document.metadata, document.id) for document in documents)
        )

    def _documents(self, parents: Iterable[_Parent]) -> Iterator[Document]:
        seen: Counter[str] = Counter()
        for parent in parents:
            source = parent.metadata.get("source")
            given = _inherited(parent.metadata)
            shared = all(isinstance(value, _UNCHANGEABLE) for value in given.values())  # and need no copies
            for piece in self._pieces(parent.text, None if source is None else str(source)):
                metadata = self._own_metadata(piece)
                metadata.update(given if shared else copy.deepcopy(given))  # what the application knows wins
                if self._add_start_index:
                    metadata["start_index"] = piece.chunk.start_char
                yield Document(
                    id=_identify(piece.chunk.id, parent, seen), page_content=piece.chunk.text, metadata=metadata
                )

    def _pieces(self, text: str, source: str | None) -> Iterator[_Piece]:
        chunks = self._chunker.chunk(text, source=source)
        keys = self._header_keys
        if keys is None:
            yield from (_Piece(chunk, {}) for chunk in chunks)
            return
        for chunk in chunks:
            start = keys.body_start(text, chunk) if self._strip_headers else chunk.start_char
            yield _Piece(self._from(start, text, chunk), keys.metadata(chunk))

    def _from(self, start: int, text: str, chunk: Chunk) -> Chunk:
        """Leave out of a chunk what stands in its span before `start`, an offset in the document."""
        if start == chunk.start_char:
            return chunk
        content = chunk.prefix + text[start : chunk.end_char] + chunk.suffix
        return replace(
            chunk,
            text=content,
            start_char=start,
            start_line=chunk.start_line + text.count("\n", chunk.start_char, start),
            token_count=self._counting.count(content) * self._factor,
        )

    def _own_metadata(self, piece: _Piece) -> dict[Any, Any]:
        """Give the chunk's metadata, flat: strings and numbers only."""
        chunk = piece.chunk
        own: dict[Any, Any] = chunk.to_metadata(positions=self._positions)
        if self._counts_tokens:
            own["token_count"] = chunk.token_count // self._factor
        else:
            del own["token_count"]  # which would be whatever the length function counts
        own.update(piece.keys)
        return own


def _inherited(metadata: dict[Any, Any]) -> dict[Any, Any]:
    """Leave out of a parent's metadata what tells of that parent alone, where it is a chunk itself."""
    if "heading_path" in metadata and "kinds" in metadata:
        return {key: value for key, value in metadata.items() if key not in _OF_ONE_CHUNK}
    return metadata


def _identify(chunk_id: str, parent: _Parent, seen: Counter[str]) -> str:
    """Tell the chunk's id apart from those of other parents with the same source and text.

    The core's id holds the source. Loaders give one document for each page of a file, and some no source.
    """
    page = parent.metadata.get("page")
    if parent.id is not None or page is not None:
        chunk_id = derived_id(chunk_id, f"{parent.id or ''}\0{'' if page is None else page}")
    seen[chunk_id] += 1
    if seen[chunk_id] > 1:
        chunk_id = derived_id(chunk_id, str(seen[chunk_id]))
    return chunk_id
