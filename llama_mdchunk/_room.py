"""What metadata leaves of the limit, and how many tokens of a node are embedded."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Literal

from llama_index.core.schema import BaseNode, MetadataMode, TextNode
from pydantic import BaseModel

from mdchunk_core.errors import ConfigError
from mdchunk_core.options import SMALLEST_LIMIT
from mdchunk_core.tokens import Tokenizer

from ._metadata import CONTEXT

logger = logging.getLogger(__name__)

OversizedMetadata = Literal["raise", "exclude"]

_LITTLE = 50
"""Tokens: SentenceSplitter warns below as well."""


class Counted:
    """Counts tokens; what many nodes share, once."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._known: dict[str, int] = {}
        self.count = tokenizer.count

    def repeated(self, text: str) -> int:
        """Tokens of a text that will be asked for again."""
        if text not in self._known:
            self._known[text] = self._tokenizer.count(text)
        return self._known[text]

    def exact(self, text: str) -> bool:
        """Whether counts add up before this text, if a line ends there."""
        return self._tokenizer.starts_exactly(text.partition("\n")[0])

    def metadata(self, layout: TextNode, metadata: Mapping[str, Any], excluded: list[str]) -> int:
        """Tokens that metadata adds to what is embedded of a node of that layout."""
        node = like(layout, metadata=metadata, excluded_embed_metadata_keys=excluded)
        shown = node.get_metadata_str(mode=MetadataMode.EMBED).strip()
        if not shown:
            return 0
        return self.repeated(node.text_template.format(content="", metadata_str=shown)) - self._tokenizer.overhead


def like(layout: TextNode, **fields: Any) -> TextNode:
    """Copy a node but for some fields, which must be valid.

    It is unpickled, as it were: pydantic would look through text and metadata again, and `model_copy` copy all fields.
    """
    state = BaseModel.__getstate__(layout)
    made = layout.__class__.__new__(layout.__class__)
    fields_set = {*state["__pydantic_fields_set__"], *fields}
    BaseModel.__setstate__(
        made, {**state, "__dict__": {**state["__dict__"], **fields}, "__pydantic_fields_set__": fields_set}
    )
    return made


def find_room(
    parent: BaseNode,
    layout: TextNode,
    metadata: Mapping[str, Any],
    chunk_size: int,
    counter: Counted,
    oversized: OversizedMetadata,
) -> tuple[int, list[str]]:
    """Give the tokens that the parent's metadata leaves for text, and the keys that are not embedded.

    With `exclude`, the longest values are not embedded where no text would fit beside them; with `raise` that is a
    ConfigError with the figures.
    """
    excluded = list(parent.excluded_embed_metadata_keys)
    size = counter.metadata(layout, metadata, excluded)
    if chunk_size - size < SMALLEST_LIMIT:
        embedded = [key for key in metadata if key not in excluded]
        if oversized == "raise":
            raise no_room(parent, size, chunk_size, embedded)
        embedded.sort(key=lambda key: -len(str(metadata[key])))
        left_out = []
        while embedded and 2 * size > chunk_size:
            left_out.append(embedded.pop(0))
            size = counter.metadata(layout, metadata, [*excluded, *left_out])
        excluded += left_out
        logger.warning("metadata too long to be embedded with %s: %s", parent.node_id, ", ".join(left_out))
        if chunk_size - size < SMALLEST_LIMIT:
            raise no_room(parent, size, chunk_size, embedded)
    elif size and chunk_size - size < _LITTLE:
        logger.warning(
            "metadata of %s takes %s of %s tokens: less than %s are left", parent.node_id, size, chunk_size, _LITTLE
        )
    headings = counter.metadata(layout, {**metadata, CONTEXT: ""}, excluded) - size
    return max(SMALLEST_LIMIT, chunk_size - size - headings), excluded


def no_room(parent: BaseNode, tokens: int, chunk_size: int, keys: list[str]) -> ConfigError:
    """Say what takes up the limit."""
    return ConfigError(
        "chunk_size",
        chunk_size,
        f"embedded metadata of {parent.node_id} takes {tokens} of {chunk_size} tokens and text needs at least "
        f"{SMALLEST_LIMIT}; a larger chunk_size is needed, or keys in excluded_embed_metadata_keys (embedded are "
        f"{', '.join(map(repr, keys))}), or oversized_metadata='exclude'",
    )
