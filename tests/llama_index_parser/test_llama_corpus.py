"""Real documents: the limit holds with metadata of any size, offsets are exact, and the wrapper costs little."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest

pytest.importorskip("llama_index.core")

from li_samples import corpus, embedded, tokens
from llama_index.core import Document

from llama_mdchunk import MarkdownChunkNodeParser
from mdchunk_core import Chunk, MarkdownChunker

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


@pytest.mark.skipif("MDCHUNK_TIMINGS" not in os.environ, reason="a timing: set MDCHUNK_TIMINGS to run it")
@pytest.mark.skipif(not TEXTS, reason="no corpus")
def test_the_wrapper_adds_little_to_the_cores_time(monkeypatch: pytest.MonkeyPatch, record_property: Any) -> None:
    inside: list[float] = []
    chunk = MarkdownChunker.chunk

    def timed(*args: Any, **options: Any) -> list[Chunk]:
        start = time.process_time()
        chunks = chunk(*args, **options)
        inside.append(time.process_time() - start)
        return chunks

    monkeypatch.setattr(MarkdownChunker, "chunk", timed)  # core and wrapper in one run: what else runs slows both
    parser = MarkdownChunkNodeParser(chunk_size=512)
    given = documents(NOTES[40])
    shares = []
    for _ in range(4):  # the first one warms up
        inside.clear()
        start = time.process_time()
        parser.get_nodes_from_documents(given)
        shares.append((time.process_time() - start) / sum(inside) - 1)
    record_property("wrapper over core", f"{min(shares):.1%}")
    assert min(shares) <= 0.25, shares
