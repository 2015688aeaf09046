"""Real documents: sizes hold, nothing is lost, and the wrapper costs little beside the core."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest

pytest.importorskip("langchain_text_splitters")

from langchain_core.documents import Document
from lc_samples import corpus

from langchain_mdchunk import MarkdownChunkSplitter
from mdchunk_core import Chunk, MarkdownChunker


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


@pytest.mark.skipif("MDCHUNK_TIMINGS" not in os.environ, reason="a timing: set MDCHUNK_TIMINGS to run it")
@pytest.mark.skipif(not REAL, reason="no corpus")
@pytest.mark.parametrize("tokenizer", ["cl100k_base", None])
def test_the_wrapper_adds_little_to_the_cores_time(
    tokenizer: str | None, monkeypatch: pytest.MonkeyPatch, record_property: Any
) -> None:
    inside: list[float] = []
    chunk = MarkdownChunker.chunk

    def timed(*args: Any, **options: Any) -> list[Chunk]:
        start = time.process_time()
        chunks = chunk(*args, **options)
        inside.append(time.process_time() - start)
        return chunks

    monkeypatch.setattr(MarkdownChunker, "chunk", timed)  # core and wrapper in one run: what else runs slows both
    splitter = MarkdownChunkSplitter(chunk_size=1000, chunk_overlap=100, tokenizer=tokenizer)
    shares = []
    for _ in range(4):  # the first one warms up
        inside.clear()
        start = time.process_time()
        splitter.split_documents(REAL)
        shares.append((time.process_time() - start) / sum(inside) - 1)
    record_property("wrapper over core", f"{min(shares):.1%}")
    assert min(shares) <= 0.15, shares
