"""From a document, or a node of one, to nodes: text, metadata within the limit, place, relations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from llama_index.core.callbacks import CBEventType, EventPayload
from llama_index.core.node_parser.node_utils import build_nodes_from_splits
from llama_index.core.schema import (
    DEFAULT_TEXT_NODE_TMPL,
    BaseNode,
    MetadataMode,
    NodeRelationship,
    RelatedNodeInfo,
    TextNode,
)

from mdchunk_core import Chunk, MarkdownChunker
from mdchunk_core.chunks import derived_id
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
)
from ._room import Counted, find_room, like, no_room

if TYPE_CHECKING:
    from .parser import MarkdownChunkNodeParser

_SECTIONS = "2b1b6c0e-4f0e-5c56-9d5a-0c7a6d646368"
"""Of all section ids. Never changed."""
_ANY_CONTEXT = f"\0{CONTEXT}\0"
_NOBODY = TextNode(id_="")
_chunker = lru_cache(maxsize=16)(MarkdownChunker)


class _Parent(NamedTuple):
    node: BaseNode
    layout: TextNode
    """What its nodes are copies of: laid out as it, and referring to the root document."""
    text: str
    metadata: dict[str, Any]
    excluded: list[str]
    """Keys that are not embedded."""
    stands: Above
    place: _Place | None
    name: str | None
    owner: str
    """Of the parent's own id, what goes into those of its nodes."""
    embedded: str
    """What is embedded of the metadata that all its nodes share."""
    with_context: str
    """The same with headings above, for which `_ANY_CONTEXT` stands."""
    hidden: dict[tuple[str, ...], tuple[list[str], list[str]]]
    """Keys that are not embedded and that the LLM does not see, for nodes with such keys of their own."""


class _Place(NamedTuple):
    """Where a parent's text stands in the root document."""

    start: int
    end: int
    prefix: int
    """Characters of the text that are not the document's own, before those that are."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Give offsets in the root document of what stands at these offsets of the text."""
        low, high, prefix = self
        start += low - prefix
        end += low - prefix
        if low <= start <= end <= high:
            return start, end
        return min(max(start, low), high), min(max(end, low), high)


class _Leaf(NamedTuple):
    chunk: Chunk
    text: str
    own: dict[str, Any]
    """Metadata."""
    bare: bool
    """Whether headings above are left out of what is embedded, since they take it above the limit."""
    excess: int
    """Tokens above the limit."""


def build_chunker(settings: MarkdownChunkNodeParser, limit: int, heading_context: HeadingContext) -> MarkdownChunker:
    """Build the core's chunker for texts of at most `limit` tokens. Raises ConfigError where a setting cannot work."""
    target = None if settings.target_tokens is None else min(settings.target_tokens, limit)
    aim = limit * 8 // 10 if target is None else target
    return _chunker(
        max_tokens=limit,
        target_tokens=target,
        min_tokens=None if settings.min_tokens is None else min(settings.min_tokens, aim),
        overlap_tokens=None if settings.chunk_overlap is None else min(settings.chunk_overlap, max(0, aim - 1)),
        tokenizer=named_tokenizer(settings.tokenizer),
        heading_context=heading_context,
        note_context=settings.note_context,
        merge_across=settings.merge_across,
        document_type=settings.document_type,
        signals=tuple(settings.signals),
    )


class NodeMaker:
    """Makes the nodes of one call of a parser; it tells apart the ids of equal texts of one source."""

    def __init__(self, settings: MarkdownChunkNodeParser) -> None:
        self._settings = settings
        self._id_func: Callable[[int, Any], str] | None = settings.id_func and call_style(settings.id_func)
        self._counter = Counted(named_tokenizer(settings.tokenizer))
        self._lift = settings.include_metadata and settings.heading_context == "metadata"
        self._chunkers: dict[int, MarkdownChunker] = {}
        self._seen: dict[str, int] = {}

    def nodes(self, node: BaseNode) -> list[TextNode]:
        """Give the sections, if asked for, and then the chunks of a document or node, in order."""
        parent, limit = self._parent(node)
        chunk_size = self._settings.chunk_size
        while True:
            leaves = self._leaves(parent, limit)
            excess = max((leaf.excess for leaf in leaves), default=0)
            if excess <= 0:
                break
            if limit - excess < SMALLEST_LIMIT:
                embedded = [key for key in parent.metadata if key not in parent.excluded]
                raise no_room(node, chunk_size - limit + excess, chunk_size, embedded)
            limit -= excess
        nodes = []
        for number, (chunk, text, own, bare, _) in enumerate(leaves):
            node_id = self._identify(number, parent, chunk.id)
            made = _build(parent, node_id, text, (chunk.start_char, chunk.end_char), own, chunk.metadata)
            if bare:
                made.excluded_embed_metadata_keys.append(CONTEXT)
            nodes.append(made)
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
        (layout,) = build_nodes_from_splits([""], node, ref_doc=_NOBODY, id_func=lambda i, doc: "")
        layout.relationships = {NodeRelationship.SOURCE: node.source_node or node.as_related_node_info()}
        if settings.include_metadata:
            metadata = inherited(node)
            limit, excluded = find_room(node, layout, metadata, limit, self._counter, settings.oversized_metadata)
        text = node.get_content(metadata_mode=MetadataMode.NONE)
        name = source_name(node)
        layout = like(layout, metadata=metadata, excluded_embed_metadata_keys=excluded)
        lifted = like(layout, metadata={**metadata, CONTEXT: _ANY_CONTEXT})
        parent = _Parent(
            node=node,
            layout=layout,
            text=text,
            metadata=metadata,
            excluded=excluded,
            stands=above(node),
            place=_place(node, text),
            name=name,
            owner=owner(node, name),
            embedded=layout.get_metadata_str(mode=MetadataMode.EMBED),
            with_context=lifted.get_metadata_str(mode=MetadataMode.EMBED),
            hidden={},
        )
        return parent, limit

    def _leaves(self, parent: _Parent, limit: int) -> list[_Leaf]:
        if limit not in self._chunkers:
            where = "prefix" if self._lift else self._settings.heading_context
            self._chunkers[limit] = build_chunker(self._settings, limit, where)
        manager = self._settings.callback_manager
        with manager.event(CBEventType.CHUNKING, payload={EventPayload.CHUNKS: [parent.text]}) as event:
            chunks = self._chunkers[limit].chunk(parent.text, source=parent.name)
            leaves = [self._leaf(parent, chunk) for chunk in chunks]
            event.on_end(payload={EventPayload.CHUNKS: [leaf.text for leaf in leaves]})
        return leaves

    def _leaf(self, parent: _Parent, chunk: Chunk) -> _Leaf:
        settings = self._settings
        written = chunk.context if self._lift else ""
        text = chunk.text[len(written) :]
        counter = self._counter
        exact = counter.exact(text)
        tokens = chunk.token_count
        if written:
            tokens = tokens - chunk.context_tokens if exact else counter.count(text)
        own: dict[str, Any] = {}
        if settings.include_metadata:
            prefix = len(chunk.prefix) - len(written)
            separator = settings.header_path_separator
            context = written.rstrip("\r\n")
            own = own_metadata(chunk, context, prefix, parent.stands, separator, positions=settings.positions)
            own["token_count"] = tokens
        shown = "" if CONTEXT in parent.metadata else own.get(CONTEXT, "")
        excess = self._excess(parent, text, shown, tokens, exact)
        bare = bool(shown) and excess > 0
        if bare:
            excess = self._excess(parent, text, "", tokens, exact)
        return _Leaf(chunk, text, own, bare, excess)

    def _excess(self, parent: _Parent, text: str, context: str, tokens: int, exact: bool) -> int:
        """Tokens that are embedded above the limit, or any number below 1."""
        limit, layout = self._settings.chunk_size, parent.layout
        shown = parent.with_context.replace(_ANY_CONTEXT, context) if context else parent.embedded
        shown = shown.strip()
        if not shown:
            return tokens - limit
        if exact and not text[-1:].isspace() and layout.text_template == DEFAULT_TEXT_NODE_TMPL:  # counts add up
            shown += "\n\n"
            if tokens + len(shown.encode("utf-8", "surrogatepass")) <= limit:  # no token is less than a byte
                return 0
            return tokens + self._counter.repeated(shown) - limit
        metadata = {**parent.metadata, CONTEXT: context} if context else parent.metadata
        node = like(layout, text=text, metadata=metadata)
        return self._counter.count(node.get_content(metadata_mode=MetadataMode.EMBED)) - limit

    def _identify(self, number: int, parent: _Parent, stable: str) -> str:
        """Give a node's id: the caller's, or one from `stable`, a UUID, and the document's own id."""
        if self._id_func is not None:
            return self._id_func(number, parent.node)
        if parent.owner:
            stable = derived_id(stable, parent.owner)
        self._seen[stable] = occurrence = self._seen.get(stable, 0) + 1
        return stable if occurrence == 1 else derived_id(stable, str(occurrence))

    def _sections(
        self, branch: Branch, parent: _Parent, leaves: list[_Leaf], nodes: list[TextNode], made: list[TextNode]
    ) -> TextNode:
        """Make the node of a section, and before it in the document's order, those of the sections below it."""
        chunks = [leaves[number].chunk for number in branch.leaves()]
        start, end = chunks[0].start_char + chunks[0].overlap_chars, chunks[-1].end_char
        own = {}
        if self._settings.include_metadata:
            separator, stands = self._settings.header_path_separator, parent.stands
            own = {
                "heading_path": joined(stands.context, SEPARATOR.join(branch.path)) or stands.heading_path,
                "header_path": header_path(branch.path[:-1], stands, separator),
            }
        section = _build(parent, "", parent.text[start:end], (start, end), own, {})
        number = len(nodes) + len(made)
        made.append(section)
        children = [
            nodes[child] if isinstance(child, int) else self._sections(child, parent, leaves, nodes, made)
            for child in branch.children
        ]
        content = "\0".join([*branch.path, *(child.node_id for child in children)])
        section.id_ = self._identify(number, parent, derived_id(_SECTIONS, content))
        section.relationships[NodeRelationship.CHILD] = [related(child) for child in children]
        relation = related(section)
        for child in children:
            child.relationships[NodeRelationship.PARENT] = relation
        return section


def related(node: BaseNode) -> RelatedNodeInfo:
    """Give a reference to a node, without a copy of its metadata."""
    return RelatedNodeInfo(node_id=node.node_id, node_type=node.get_type(), hash=node.hash)


def _build(
    parent: _Parent,
    node_id: str,
    text: str,
    span: tuple[int, int],
    own: dict[str, Any],
    front_matter: Mapping[str, Any],
) -> TextNode:
    """Make a node with the parent's metadata, which wins, and its own, of which most is hidden from models."""
    keys = tuple(own)
    if keys not in parent.hidden:
        from_embedding, from_llm = hidden_keys([key for key in own if key not in parent.metadata], front_matter)
        parent.hidden[keys] = (
            list(dict.fromkeys([*parent.excluded, *from_embedding])),
            list(dict.fromkeys([*parent.node.excluded_llm_metadata_keys, *from_llm])),
        )
    not_embedded, not_shown = parent.hidden[keys]
    start, end = (None, None) if parent.place is None else parent.place.span(*span)
    return like(
        parent.layout,
        id_=node_id,
        text=text,
        start_char_idx=start,
        end_char_idx=end,
        metadata={**parent.metadata, **own, **parent.metadata},
        excluded_embed_metadata_keys=[*not_embedded],
        excluded_llm_metadata_keys=[*not_shown],
        relationships={**parent.layout.relationships},
    )


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
