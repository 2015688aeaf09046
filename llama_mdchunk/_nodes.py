"""From a document, or a node of one, to nodes: text, metadata within the limit, place, relations."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from llama_index.core.callbacks import CBEventType, EventPayload
from llama_index.core.node_parser.node_utils import build_nodes_from_splits
from llama_index.core.schema import BaseNode, MetadataMode, NodeRelationship, RelatedNodeInfo, TextNode

from mdchunk_core import Chunk, MarkdownChunker
from mdchunk_core.context import SEPARATOR
from mdchunk_core.options import SMALLEST_LIMIT, HeadingContext

from ._callables import call_style, named_tokenizer
from ._hierarchy import Branch, branches
from ._metadata import (
    CONTEXT,
    PREFIX,
    Above,
    above,
    header_path,
    hidden_keys,
    inherited,
    is_chunk,
    joined,
    own_metadata,
    owner,
    source_name,
    split_context,
)
from ._room import EmbeddedCounter, find_room, no_room

if TYPE_CHECKING:
    from .parser import MarkdownChunkNodeParser

_SECTIONS = uuid.UUID("2b1b6c0e-4f0e-5c56-9d5a-0c7a6d646368")
"""Of all section ids. Never changed."""


class _Parent(NamedTuple):
    node: BaseNode
    text: str
    metadata: dict[str, Any]
    excluded: list[str]
    """Keys that are not embedded."""
    stands: Above
    place: _Place | None
    relation: RelatedNodeInfo
    name: str | None
    owner: str
    """Of the parent's own id, what goes into those of its nodes."""
    hidden: dict[tuple[str, ...], tuple[list[str], list[str]]]
    """Keys that are not embedded and that the LLM does not see, for nodes with such keys of their own."""
    embedded: dict[str | None, int]
    """Tokens that metadata adds, by headings above, where counts add up."""


class _Place(NamedTuple):
    """Where a parent's text stands in the root document."""

    start: int
    end: int
    prefix: int
    """Characters of the text that are not the document's own, before those that are."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Give offsets in the root document of what stands at these offsets of the text."""
        shift = self.start - self.prefix
        first, last = (min(max(at + shift, self.start), self.end) for at in (start, end))
        return first, last


class _Leaf(NamedTuple):
    chunk: Chunk
    text: str
    tokens: int
    """Of the text."""
    context: str


def build_chunker(settings: MarkdownChunkNodeParser, limit: int, heading_context: HeadingContext) -> MarkdownChunker:
    """Build the core's chunker for texts of at most `limit` tokens. Raises ConfigError where a setting cannot work."""
    target = None if settings.target_tokens is None else min(settings.target_tokens, limit)
    aim = limit * 8 // 10 if target is None else target
    return MarkdownChunker(
        max_tokens=limit,
        target_tokens=target,
        min_tokens=None if settings.min_tokens is None else min(settings.min_tokens, aim),
        overlap_tokens=None if settings.chunk_overlap is None else min(settings.chunk_overlap, max(0, aim - 1)),
        tokenizer=named_tokenizer(settings.tokenizer),
        heading_context=heading_context,
        note_context=settings.note_context,
        merge_across=settings.merge_across,
        document_type=settings.document_type,
        signals=settings.signals,
    )


class NodeMaker:
    """Makes the nodes of one call of a parser; it tells apart the ids of equal texts of one source."""

    def __init__(self, settings: MarkdownChunkNodeParser) -> None:
        self._settings = settings
        self._id_func: Callable[[int, Any], str] | None = settings.id_func and call_style(settings.id_func)
        self._counter = EmbeddedCounter(named_tokenizer(settings.tokenizer))
        self._lift = settings.include_metadata and settings.heading_context == "metadata"
        self._chunkers: dict[int, MarkdownChunker] = {}
        self._seen: Counter[str] = Counter()

    def nodes(self, node: BaseNode) -> list[TextNode]:
        """Give the sections, if asked for, and then the chunks of a document or node, in order."""
        parent, limit = self._parent(node)
        chunk_size = self._settings.chunk_size
        while True:
            leaves = self._leaves(parent, limit)
            nodes = self._leaf_nodes(parent, leaves)
            excess = max((self._excess(parent, leaf, made) for leaf, made in zip(leaves, nodes)), default=0)
            if excess <= 0:
                break
            if limit - excess < SMALLEST_LIMIT:
                embedded = [key for key in parent.metadata if key not in parent.excluded]
                raise no_room(node, chunk_size - limit + excess, chunk_size, embedded)
            limit -= excess
        for number, (leaf, made) in enumerate(zip(leaves, nodes)):
            made.id_ = self._identify(number, parent, leaf.chunk.id)
        tree = branches([leaf.chunk.heading_path for leaf in leaves]) if self._settings.include_hierarchy else None
        if tree is None:
            return nodes
        sections: list[TextNode] = []
        self._sections(tree, parent, leaves, nodes, sections)
        return sections + nodes

    def _parent(self, node: BaseNode) -> tuple[_Parent, int]:
        settings = self._settings
        metadata: dict[str, Any] = {}
        excluded = list(node.excluded_embed_metadata_keys)
        limit = settings.chunk_size
        if settings.include_metadata:
            metadata = inherited(node)
            limit, excluded = find_room(node, metadata, excluded, limit, self._counter, settings.oversized_metadata)
        text = node.get_content(metadata_mode=MetadataMode.NONE)
        relation = node.source_node or node.as_related_node_info()
        name = source_name(node)
        parent = _Parent(
            node, text, metadata, excluded, above(node), _place(node, text), relation, name, owner(node, name), {}, {}
        )
        return parent, limit

    def _leaves(self, parent: _Parent, limit: int) -> list[_Leaf]:
        if limit not in self._chunkers:
            where = "prefix" if self._lift else self._settings.heading_context
            self._chunkers[limit] = build_chunker(self._settings, limit, where)
        manager = self._settings.callback_manager
        with manager.event(CBEventType.CHUNKING, payload={EventPayload.CHUNKS: [parent.text]}) as event:
            leaves = []
            for chunk in self._chunkers[limit].chunk(parent.text, source=parent.name):
                line, written = split_context(chunk) if self._lift else ("", "")
                text = chunk.text[len(written) :]
                leaves.append(_Leaf(chunk, text, self._counter.text(chunk.text, text, chunk.token_count), line))
            event.on_end(payload={EventPayload.CHUNKS: [leaf.text for leaf in leaves]})
        return leaves

    def _leaf_nodes(self, parent: _Parent, leaves: list[_Leaf]) -> list[TextNode]:
        settings = self._settings
        nodes = _build([leaf.text for leaf in leaves], parent)
        for leaf, node in zip(leaves, nodes):
            chunk = leaf.chunk
            if parent.place is not None:
                node.start_char_idx, node.end_char_idx = parent.place.span(chunk.start_char, chunk.end_char)
            if not settings.include_metadata:
                continue
            prefix = len(leaf.text) - len(chunk.suffix) - (chunk.end_char - chunk.start_char)
            own = own_metadata(
                chunk, leaf.context, prefix, parent.stands, settings.header_path_separator, positions=settings.positions
            )
            own["token_count"] = leaf.tokens
            _add(node, parent, own, chunk)
        return nodes

    def _excess(self, parent: _Parent, leaf: _Leaf, node: TextNode) -> int:
        """Tokens above the limit, headings left out of the embedded text if that helps."""
        limit = self._settings.chunk_size
        context = node.metadata.get(CONTEXT)  # all else that is embedded is the parent's, and the same for each node
        if isinstance(context, (str, type(None))) and self._counter.adds_up(node):
            if context not in parent.embedded:
                parent.embedded[context] = self._counter.node(node, leaf.tokens) - leaf.tokens
            excess = parent.embedded[context] + leaf.tokens - limit
        else:
            excess = self._counter.node(node, leaf.tokens) - limit
        ours = CONTEXT in node.metadata and CONTEXT not in parent.metadata
        if excess > 0 and ours and CONTEXT not in node.excluded_embed_metadata_keys:
            node.excluded_embed_metadata_keys = [*node.excluded_embed_metadata_keys, CONTEXT]
            excess = self._counter.node(node, leaf.tokens) - limit
        return excess

    def _identify(self, number: int, parent: _Parent, stable: str) -> str:
        """Give a node's id: the caller's, or one from `stable`, a UUID, and the document's own id."""
        if self._id_func is not None:
            return self._id_func(number, parent.node)
        if parent.owner:
            stable = str(uuid.uuid5(uuid.UUID(stable), parent.owner))
        self._seen[stable] += 1
        if self._seen[stable] > 1:
            stable = str(uuid.uuid5(uuid.UUID(stable), str(self._seen[stable])))
        return stable

    def _sections(
        self, branch: Branch, parent: _Parent, leaves: list[_Leaf], nodes: list[TextNode], made: list[TextNode]
    ) -> TextNode:
        """Make the node of a section, and before it in the document's order, those of the sections below it."""
        chunks = [leaves[number].chunk for number in branch.leaves()]
        start, end = chunks[0].start_char + chunks[0].overlap_chars, chunks[-1].end_char
        (section,) = _build([parent.text[start:end]], parent)
        number = len(nodes) + len(made)
        made.append(section)
        children = [
            nodes[child] if isinstance(child, int) else self._sections(child, parent, leaves, nodes, made)
            for child in branch.children
        ]
        content = "\0".join([*branch.path, *(child.node_id for child in children)])
        section.id_ = self._identify(number, parent, str(uuid.uuid5(_SECTIONS, content)))
        if parent.place is not None:
            section.start_char_idx, section.end_char_idx = parent.place.span(start, end)
        if self._settings.include_metadata:
            separator, stands = self._settings.header_path_separator, parent.stands
            own = {
                "heading_path": joined(stands.context, SEPARATOR.join(branch.path)) or stands.heading_path,
                "header_path": header_path(branch.path[:-1], stands, separator),
            }
            _add(section, parent, own, None)
        section.relationships[NodeRelationship.CHILD] = [related(child) for child in children]
        relation = related(section)
        for child in children:
            child.relationships[NodeRelationship.PARENT] = relation
        return section


def related(node: BaseNode) -> RelatedNodeInfo:
    """Give a reference to a node, without a copy of its metadata."""
    return RelatedNodeInfo(node_id=node.node_id, node_type=node.get_type(), hash=node.hash)


def _build(texts: list[str], parent: _Parent) -> list[TextNode]:
    """Make nodes that are laid out as the parent, and refer to the root document."""
    nodes = build_nodes_from_splits(texts, parent.node, ref_doc=TextNode(), id_func=lambda i, doc: str(i))
    for node in nodes:
        node.relationships[NodeRelationship.SOURCE] = parent.relation
    return nodes


def _add(node: TextNode, parent: _Parent, own: dict[str, Any], chunk: Chunk | None) -> None:
    """Add metadata to a node: the parent's, which wins, and its own, of which most is hidden from models."""
    own = {key: value for key, value in own.items() if key not in parent.metadata}
    node.metadata.update(parent.metadata)  # in place: pydantic would look through it all again
    node.metadata.update(own)
    keys = tuple(own)
    if keys not in parent.hidden:
        from_embedding, from_llm = hidden_keys(own, chunk.metadata if chunk else {})
        parent.hidden[keys] = (
            list(dict.fromkeys([*parent.excluded, *from_embedding])),
            list(dict.fromkeys([*parent.node.excluded_llm_metadata_keys, *from_llm])),
        )
    node.excluded_embed_metadata_keys[:], node.excluded_llm_metadata_keys[:] = parent.hidden[keys]


def _place(node: BaseNode, text: str) -> _Place | None:
    """Give where the text of a document or node stands in the root document; None where that is not known."""
    if node.source_node is None:
        return _Place(0, len(text), 0)
    start, end = getattr(node, "start_char_idx", None), getattr(node, "end_char_idx", None)
    if start is None or end is None:
        return None
    if is_chunk(node):
        prefix = node.metadata.get(PREFIX, 0)
        return _Place(start, end, prefix) if isinstance(prefix, int) else None  # the caller's key of that name
    return _Place(start, end, 0) if end - start == len(text) else None
