"""Real documents: sizes hold, nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("langchain_text_splitters")

from langchain_core.documents import Document
from lc_samples import corpus

from langchain_mdchunk import MarkdownChunkSplitter


def documents() -> list[Document]:
    """Those of a seventh of the corpus, if it is large."""
    paths = corpus()
    chosen = paths if len(paths) < 150 else paths[::7]
    return [
        Document(page_content=path.read_bytes().decode("utf-8", "replace"), metadata={"source": path.name, "page": n})
        for n, path in enumerate(chosen)
    ]


REAL = documents()


@pytest.mark.skipif(not REAL, reason="no corpus")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"chunk_size": 1000, "chunk_overlap": 200},
        {"chunk_size": 200, "chunk_overlap": 200},
        {"chunk_size": 512, "chunk_overlap": 50, "tokenizer": "cl100k_base"},
        {"chunk_size": 100, "chunk_overlap": 20, "tokenizer": "o200k_base"},
        {"chunk_size": 150, "chunk_overlap": 20, "length_function": lambda text: len(text.split())},
    ],
    ids=str,
)
def test_every_text_is_within_chunk_size_and_where_it_says(options: dict[str, Any]) -> None:
    splitter = MarkdownChunkSplitter(**options, add_start_index=True, positions=True)
    length = splitter._length_function
    texts = {document.metadata["page"]: document.page_content for document in REAL}
    ids = set()
    chunks = splitter.split_documents(REAL)
    for chunk in chunks:
        assert length(chunk.page_content) <= splitter._chunk_size
        metadata = chunk.metadata
        span = texts[metadata["page"]][metadata["start_index"] : metadata["end_char"]]
        assert span in chunk.page_content
        ids.add(chunk.id)
    assert len(ids) == len(chunks)
