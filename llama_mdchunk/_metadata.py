"""The metadata of nodes: flat, and which of it the embedding model and the LLM get to see."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from llama_index.core.schema import BaseNode

from mdchunk_core import Chunk
from mdchunk_core.context import SEPARATOR

CONTEXT = "heading_context"
"""Headings above that the text does not show: the only key of ours that is embedded, so that none is embedded twice."""
PREFIX = "prefix_chars"
"""How many leading characters of the text are written before the document's own."""

_FOR_LLM = frozenset({CONTEXT, "notes", "definitions", "first_page", "last_page"})
_OF_ONE_CHUNK = frozenset(
    {CONTEXT, PREFIX, "heading_path", "header_path", "section", "parent_section", "token_count", "kinds", "notes"}
    | {"decisions", "part", "definitions", "page_furniture", "first_page", "last_page"}
    | {"chunk_position", "start_line", "end_line", "start_char", "end_char"}
)
"""Not true of what the chunk is split into."""
_NAMES = ("source", "file_path", "url", "file_name")


class Above(NamedTuple):
    """What a parent that is part of a document itself says about where it stands."""

    context: str = ""
    heading_path: str = ""
    header_path: str = ""


def is_chunk(node: BaseNode) -> bool:
    """Whether a node was made by our parser, with metadata."""
    return "heading_path" in node.metadata and "kinds" in node.metadata


def above(parent: BaseNode) -> Above:
    """Read what our parser has written, if it has."""
    if not is_chunk(parent):
        return Above()
    values = (parent.metadata.get(key) for key in (CONTEXT, "heading_path", "header_path"))
    return Above(*(value if isinstance(value, str) else "" for value in values))


def inherited(parent: BaseNode) -> dict[str, Any]:
    """Give the parent's metadata, without what is true of that parent alone where it is a chunk itself."""
    dropped = _OF_ONE_CHUNK if is_chunk(parent) else ()
    return {key: value for key, value in parent.metadata.items() if key not in dropped}


def source_name(parent: BaseNode) -> str | None:
    """Give what the document is called in its metadata."""
    for key in _NAMES:
        value = parent.metadata.get(key)
        if value is not None and str(value):
            return str(value)
    return None


def owner(parent: BaseNode, name: str | None) -> str:
    """Give what node ids hold of the document's own id: nothing where that was made up and the metadata has a name."""
    if not _made_up(parent.node_id):
        return parent.node_id
    return "" if name else parent.ref_doc_id or parent.node_id


def own_metadata(
    chunk: Chunk, context: str, prefix: int, stands: Above, separator: str, *, positions: bool
) -> dict[str, Any]:
    """Give what a node says about its chunk. `prefix` is in characters."""
    own: dict[str, Any] = chunk.to_metadata(positions=positions)
    own["heading_path"] = joined(stands.context, own["heading_path"]) if own["heading_path"] else stands.heading_path
    own["header_path"] = header_path(_ancestors(chunk), stands, separator)
    for key in (CONTEXT, PREFIX):  # which front matter could hold
        own.pop(key, None)
    if prefix:
        own[PREFIX] = prefix
    context = joined(stands.context, context)
    if context:
        own[CONTEXT] = context
    return own


def header_path(ancestors: tuple[str, ...], stands: Above, separator: str) -> str:
    """Write a path as MarkdownNodeParser does: ancestors only, a separator at both ends.

    >>> header_path(("Tariff Guide", "Prices"), Above(), "/")
    '/Tariff Guide/Prices/'
    """
    return (stands.header_path or separator) + separator.join((*ancestors, ""))


def hidden_keys(own: Iterable[str], front_matter: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Give those of our keys that are not for the embedding model, and those that are not for the LLM."""
    from_embedding = [key for key in own if key != CONTEXT]
    return from_embedding, [key for key in from_embedding if key not in _FOR_LLM and not _told(key, front_matter)]


def _told(key: str, front_matter: Mapping[str, Any]) -> bool:
    """Whether a key is the author's own."""
    return key in front_matter and key not in _OF_ONE_CHUNK


def _ancestors(chunk: Chunk) -> tuple[str, ...]:
    """Headings above the chunk's own; all of its path where it holds several sections beside each other."""
    path = chunk.heading_path
    return path[:-1] if path in chunk.sections else path


def joined(first: str, second: str) -> str:
    """Join two heading paths, either of which may be empty."""
    return first + SEPARATOR + second if first and second else first or second


def _made_up(node_id: str) -> bool:
    """Whether an id is a random UUID, as LlamaIndex gives one to what has none."""
    try:
        return uuid.UUID(node_id).version == 4
    except ValueError:
        return False
