"""What a new version of a document changes, node by node."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from llama_index.core.schema import BaseNode, MetadataMode


class NodeDiff(NamedTuple):
    """What has to be done so that a store that holds the old nodes holds the new ones. `removed` comes first."""

    added: list[BaseNode]
    """To be embedded and added."""
    removed: list[str]
    """Ids to be deleted."""
    unchanged: list[BaseNode]
    """New nodes whose text to embed is in the store already, under the same id."""


def diff_nodes(old: Iterable[BaseNode | str], new: Iterable[BaseNode]) -> NodeDiff:
    r"""Compare two versions of nodes by id, each node once.

    The ids of MarkdownChunkNodeParser hold the document's name, the headings and the text, and nothing that changes
    when something above changes. `old` may be ids, as a store gives them. Where it is nodes, one whose text to embed is
    another because of its metadata is both removed and added.

    >>> from llama_index.core import Document
    >>> from llama_mdchunk import MarkdownChunkNodeParser
    >>> parser = MarkdownChunkNodeParser(chunk_size=32, merge_across="never")
    >>> old = parser.get_nodes_from_documents([Document(text="# A\n\nOne.\n\n# B\n\nTwo.", id_="a.md")])
    >>> new = parser.get_nodes_from_documents([Document(text="# A\n\nOne!\n\n# B\n\nTwo.", id_="a.md")])
    >>> diff = diff_nodes(old, new)
    >>> [node.get_content() for node in diff.added], len(diff.removed), len(diff.unchanged)
    (['# A\n\nOne!'], 1, 1)
    """
    before = {item if isinstance(item, str) else item.node_id: item for item in old}
    after = {node.node_id: node for node in new}
    unchanged = {key for key, node in after.items() if key in before and _embeds_alike(before[key], node)}
    return NodeDiff(
        added=[node for key, node in after.items() if key not in unchanged],
        removed=[key for key in before if key not in unchanged],
        unchanged=[node for key, node in after.items() if key in unchanged],
    )


def _embeds_alike(old: BaseNode | str, new: BaseNode) -> bool:
    if isinstance(old, str):
        return True
    return old.get_content(metadata_mode=MetadataMode.EMBED) == new.get_content(metadata_mode=MetadataMode.EMBED)
