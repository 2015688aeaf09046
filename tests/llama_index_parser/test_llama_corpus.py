"""Real documents: the limit holds with metadata of any size, offsets are exact."""

from __future__ import annotations

import pytest

pytest.importorskip("llama_index.core")

from li_samples import corpus, embedded, tokens
from llama_index.core import Document

from llama_mdchunk import MarkdownChunkNodeParser

PATHS = corpus() if len(corpus()) < 150 else corpus()[::10]
TEXTS = {str(number): path.read_bytes().decode("utf-8", "replace") for number, path in enumerate(PATHS)}
NOTES = {0: {}, 40: {"note": ("word " * 37).strip()}, 120: {"note": ("word " * 117).strip()}}
"""Metadata by its tokens."""


def documents(note: dict[str, str]) -> list[Document]:
    return [Document(text=text, id_=key, metadata=dict(note)) for key, text in TEXTS.items()]


@pytest.mark.skipif(not TEXTS, reason="no corpus")
@pytest.mark.parametrize("size", [256, 512])
@pytest.mark.parametrize("note", NOTES)
def test_limit_and_offsets(size: int, note: int) -> None:
    nodes = MarkdownChunkNodeParser(chunk_size=size).get_nodes_from_documents(documents(NOTES[note]))
    assert len({node.node_id for node in nodes}) == len(nodes)
    for node in nodes:
        assert tokens(embedded(node)) <= size
        start, end = node.start_char_idx, node.end_char_idx  # type: ignore[attr-defined]
        span = TEXTS[node.ref_doc_id or ""][start:end]
        assert span.strip()
        assert span in node.get_content()
