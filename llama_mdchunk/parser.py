"""`MarkdownChunkNodeParser`: the core behind the interface that LlamaIndex's node parsers have."""

from __future__ import annotations

import asyncio
import logging
import pickle
import warnings
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from llama_index.core.constants import DEFAULT_CHUNK_SIZE
from llama_index.core.node_parser.interface import MetadataAwareTextSplitter
from llama_index.core.schema import BaseNode, NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.utils import get_tqdm_iterable
from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    SkipValidation,
    WithJsonSchema,
    model_validator,
)

from mdchunk_core import Signal
from mdchunk_core.errors import ConfigError
from mdchunk_core.options import SMALLEST_LIMIT, HeadingContext, MergeAcross, NoteContext

from ._callables import (
    call_style,
    id_func_name,
    named_id_func,
    named_tokenizer,
    pickled,
    portable_tokenizer,
    receive_tokenizer,
    tokenizer_name,
)
from ._nodes import NodeMaker, build_chunker, related
from ._room import OversizedMetadata

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["MarkdownChunkNodeParser"]

_SOURCE, _PREVIOUS = NodeRelationship.SOURCE, NodeRelationship.PREVIOUS
_NEXT, _CHILD = NodeRelationship.NEXT, NodeRelationship.CHILD
"""Looked up once: for each node it would take longer than linking it."""

_SomeNode = TypeVar("_SomeNode", bound=BaseNode)

logger = logging.getLogger(__name__)

_UNUSED = ("separator", "paragraph_separator", "chunking_tokenizer_fn", "secondary_chunking_regex")
"""Of SentenceSplitter: where its sentences and words end."""


def _read_id_func(value: Any) -> Any:
    if isinstance(value, dict) and set(value) <= {"id_func_name", "title"}:  # as `to_dict` writes it
        value = named_id_func(str(value.get("id_func_name")))
    if value is not None:
        if not callable(value):
            raise ConfigError("id_func", value, "a function of (i, doc) is needed")
        call_style(value)
    return value


def _write_id_func(value: Any) -> Any:
    return None if value is None else {"id_func_name": id_func_name(value), "title": "id_func"}


def _read_signals(value: Any) -> tuple[Signal, ...]:
    signals = tuple(Signal(**item) if isinstance(item, dict) else item for item in value)
    for signal in signals:
        if not isinstance(signal, Signal):
            raise ConfigError("signals", signal, "mdchunk_core.Signal is needed")
    return signals


def _write_signals(value: tuple[Signal, ...]) -> list[dict[str, Any]]:
    return [{f.name: getattr(signal, f.name) for f in fields(signal) if f.init} for signal in value]


class MarkdownChunkNodeParser(MetadataAwareTextSplitter):
    r"""Parses Markdown into nodes that are whole, within a token limit, and know where they come from.

    `chunk_size` is the hard limit on what is embedded: `node.get_content(MetadataMode.EMBED)`, metadata included.
    Metadata that leaves no room raises ValueError with the figures; `oversized_metadata="exclude"` leaves its longest
    values out of the embedded text instead.

    It takes the place of SentenceSplitter and of MarkdownNodeParser as it stands. `separator`, `paragraph_separator`,
    `chunking_tokenizer_fn` and `secondary_chunking_regex` are taken and not used: the structure of the document says
    where it is cut. Any other unknown keyword raises ValueError, and so does an option that cannot work.

    >>> from llama_index.core import Document
    >>> parser = MarkdownChunkNodeParser(chunk_size=512)
    >>> nodes = parser.get_nodes_from_documents([Document(text="# Prices\n\n| room | price |\n|---|---|\n| 12 | 90 |")])
    >>> nodes[0].metadata["heading_path"], nodes[0].start_char_idx
    ('Prices', 0)
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid", validate_assignment=True)

    chunk_size: int = Field(default=DEFAULT_CHUNK_SIZE, description="Most tokens that are embedded of a node.")
    chunk_overlap: int | None = Field(
        default=None,
        description="Most tokens repeated of the chunk before, where a cut falls inside a section; None: up to 60.",
    )
    target_tokens: int | None = Field(
        default=None, description="Soft size of a node's text, in tokens; None: 0.8 of what metadata leaves."
    )
    min_tokens: int | None = Field(
        default=None, description="A text with fewer tokens looks for a neighbour; None: up to 100."
    )
    tokenizer: Annotated[str, BeforeValidator(tokenizer_name)] = Field(
        default=None,  # the validator gives it a name
        validate_default=True,
        description="Name of an encoding, of a model, or given to `register_tokenizer`; None: LlamaIndex's setting.",
    )
    heading_context: HeadingContext = Field(
        default="metadata", description="Where the headings above stand that a text does not show: metadata, prefix."
    )
    note_context: NoteContext = Field(
        default="metadata", description="Where the section's notes stand that a text does not show: metadata, suffix."
    )
    merge_across: MergeAcross = Field(
        default="siblings", description="Which sections may share a node: never, siblings, any."
    )
    document_type: str | None = Field(default=None, description="Goes to metadata; None: the suffix of the source.")
    signals: Annotated[
        SkipValidation[tuple[Signal, ...]],
        BeforeValidator(_read_signals),
        PlainSerializer(_write_signals),
        WithJsonSchema({"type": "array", "items": {"type": "object"}}),
    ] = Field(default=(), description="Patterns for what belongs together, asked before the built-in ones.")
    oversized_metadata: OversizedMetadata = Field(
        default="raise", description="What is done about metadata that leaves no room for text: raise, exclude."
    )
    positions: bool = Field(
        default=False,
        description="Whether metadata has lines and positions, which change whenever text above does.",
    )
    header_path_separator: str = Field(default="/", description="Stands between the headings of `header_path`.")
    include_hierarchy: bool = Field(default=False, description="Whether sections become nodes too, as parents.")
    id_func: Annotated[
        Any,
        BeforeValidator(_read_id_func),
        PlainSerializer(_write_id_func),
        WithJsonSchema({"type": "string"}),
    ] = Field(default=None, description="Makes a node's id of (i, doc); None: ids that stay when text above changes.")

    @model_validator(mode="before")
    @classmethod
    def _drop_unused(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        unused = [key for key in _UNUSED if data.get(key) is not None]
        if unused:
            warnings.warn(
                f"MarkdownChunkNodeParser cuts at the structure of the document: {', '.join(unused)} not used",
                stacklevel=3,
            )
        return {key: value for key, value in data.items() if key not in (*_UNUSED, "class_name")}

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.chunk_overlap is not None and not 0 <= self.chunk_overlap <= self.chunk_size:
            raise ConfigError("chunk_overlap", self.chunk_overlap, f"0 to chunk_size, {self.chunk_size}, is allowed")
        build_chunker(self, self.chunk_size, self.heading_context)
        return self

    @classmethod
    def from_defaults(cls, **settings: Any) -> Self:
        """Make a parser; settings that are None have their default, as with LlamaIndex's own parsers."""
        return cls(**{key: value for key, value in settings.items() if value is not None})

    @classmethod
    def class_name(cls) -> str:
        """Name of the class in what `to_dict` gives."""
        return "MarkdownChunkNodeParser"

    def split_text(self, text: str) -> list[str]:
        r"""Split a text without metadata, in order.

        >>> MarkdownChunkNodeParser(chunk_size=8).split_text("# A\n\nOne.\n\n# B\n\nTwo.")
        ['# A\n\nOne.', '# B\n\nTwo.']
        """
        return [chunk.text for chunk in build_chunker(self, self.chunk_size, self.heading_context).chunk(text)]

    def split_text_metadata_aware(self, text: str, metadata_str: str) -> list[str]:
        """Split a text that is embedded below `metadata_str`. Raises ValueError where that leaves no room."""
        tokens = named_tokenizer(self.tokenizer).count(f"{metadata_str}\n\n") if metadata_str else 0
        limit = self.chunk_size - tokens
        if limit < SMALLEST_LIMIT:
            raise ConfigError("chunk_size", self.chunk_size, f"metadata takes {tokens} tokens and leaves no room")
        return [chunk.text for chunk in build_chunker(self, limit, self.heading_context).chunk(text)]

    def get_nodes_from_node(self, node: BaseNode) -> list[TextNode]:
        """Parse one document or node, as MarkdownNodeParser's method of that name."""
        return self._linked(self._make([node]))

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        return [*self._make(get_tqdm_iterable(nodes, show_progress, "Parsing nodes"))]

    async def _aparse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        return await asyncio.to_thread(self._parse_nodes, nodes, show_progress=show_progress, **kwargs)

    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], parent_doc_map: Any) -> list[BaseNode]:
        """Link neighbours. All else is done where the chunk is known: the base class would look for its text again."""
        self._linked(nodes)
        return nodes

    def _make(self, parents: Any) -> list[TextNode]:
        maker = NodeMaker(self)
        return [node for parent in parents for node in maker.nodes(parent)]

    def _linked(self, nodes: list[_SomeNode]) -> list[_SomeNode]:
        if not self.include_prev_next_rel:
            return nodes
        before: tuple[BaseNode, RelatedNodeInfo] | None = None
        for node in nodes:
            if _CHILD in node.relationships:
                continue
            info = related(node)
            if before is not None and _of_one_document(before[0], node):
                before[0].relationships[_NEXT] = info
                node.relationships[_PREVIOUS] = before[1]
            before = node, info
        return nodes

    def __reduce__(self) -> tuple[Any, ...]:
        """Take along every setting and the tokenizer. The base class would drop what cannot be pickled."""
        state = {name: getattr(self, name) for name in type(self).model_fields}
        if not _can_be_pickled(state["callback_manager"]):
            logger.warning("callback_manager cannot be pickled and is left behind")  # it changes no node
            del state["callback_manager"]
        for name, value in state.items():
            if not _can_be_pickled(value):
                raise pickle.PicklingError(
                    f"MarkdownChunkNodeParser cannot be sent to another process: {name}={value!r} cannot be pickled; "
                    f"a function of a module can"
                )
        return _restore, (type(self), state, portable_tokenizer(self.tokenizer))


def _of_one_document(one: BaseNode, other: BaseNode) -> bool:
    """Whether nodes come from the same root; those of one parent even share the reference to it."""
    return one.relationships[_SOURCE] is other.relationships[_SOURCE] or one.ref_doc_id == other.ref_doc_id


def _can_be_pickled(value: Any) -> bool:
    return pickled(value) is not None


def _restore(cls: type[MarkdownChunkNodeParser], state: dict[str, Any], tokenizer: Any) -> MarkdownChunkNodeParser:
    receive_tokenizer(state["tokenizer"], tokenizer)
    return cls(**state)
