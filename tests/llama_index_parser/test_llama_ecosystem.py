"""What stands around a parser: readers, indexes, stores, retrievers, pipelines, events."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llama_index.core")

from li_samples import HANDBOOK, LONG, WordEmbedding, document, embedded, tokens, view
from llama_index.core import Document, MockEmbedding, SimpleDirectoryReader, StorageContext, VectorStoreIndex
from llama_index.core.callbacks import CallbackManager, CBEventType, LlamaDebugHandler
from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.span_handlers import SimpleSpanHandler
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import SimpleVectorStore

from llama_mdchunk import MarkdownChunkNodeParser

PARSER = MarkdownChunkNodeParser(chunk_size=96)
QUESTION = "Limit per night in Osaka, breakfast included?"


def nodes() -> list[Any]:
    return PARSER.get_nodes_from_documents([document(metadata={"team": "people"}), document(LONG, id_="rates.md")])


def agrees(found: list[NodeWithScore]) -> None:
    """What comes back is the node that was put in."""
    known = {node.node_id: node for node in nodes()}
    assert "| Osaka | 160 |" in found[0].node.get_content()
    for item in found:
        node = known[item.node.node_id]
        assert isinstance(item.node, TextNode)
        assert item.node.text == node.text
        assert item.node.metadata == node.metadata
        assert (item.node.start_char_idx, item.node.end_char_idx) == (node.start_char_idx, node.end_char_idx)
        assert item.node.ref_doc_id == node.ref_doc_id
        assert embedded(item.node) == embedded(node)


def test_vector_store_index() -> None:
    documents = [document(metadata={"team": "people"}), document(LONG, id_="rates.md")]
    index = VectorStoreIndex.from_documents(documents, transformations=[PARSER], embed_model=WordEmbedding())
    agrees(index.as_retriever(similarity_top_k=3).retrieve(QUESTION))


def test_chroma() -> None:
    chromadb = pytest.importorskip("chromadb")
    stores = pytest.importorskip("llama_index.vector_stores.chroma")
    client = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False))
    collection = client.create_collection("nodes")
    context = StorageContext.from_defaults(vector_store=stores.ChromaVectorStore(chroma_collection=collection))
    index = VectorStoreIndex(nodes(), storage_context=context, embed_model=WordEmbedding())
    assert collection.count() == len(nodes())
    agrees(index.as_retriever(similarity_top_k=3).retrieve(QUESTION))


@pytest.mark.filterwarnings("ignore")  # of the client's own
def test_qdrant() -> None:
    qdrant_client = pytest.importorskip("qdrant_client")
    stores = pytest.importorskip("llama_index.vector_stores.qdrant")
    client = qdrant_client.QdrantClient(location=":memory:")
    context = StorageContext.from_defaults(vector_store=stores.QdrantVectorStore("nodes", client=client))
    index = VectorStoreIndex(nodes(), storage_context=context, embed_model=WordEmbedding())
    assert client.count("nodes").count == len(nodes())
    agrees(index.as_retriever(similarity_top_k=3).retrieve(QUESTION))
    client.close()


@pytest.mark.filterwarnings("ignore")  # of the stemmer's own
def test_bm25_with_fusion() -> None:
    bm25 = pytest.importorskip("llama_index.retrievers.bm25")
    index = VectorStoreIndex(nodes(), embed_model=WordEmbedding())
    dense = index.as_retriever(similarity_top_k=3)
    sparse = bm25.BM25Retriever.from_defaults(nodes=nodes(), similarity_top_k=3, verbose=False)
    assert "| Osaka | 160 |" in sparse.retrieve(QUESTION)[0].node.get_content()
    fused = QueryFusionRetriever(
        [dense, sparse], num_queries=1, use_async=False, similarity_top_k=3, mode="reciprocal_rerank", llm=_NoLLM()
    )
    assert "| Osaka | 160 |" in fused.retrieve(QUESTION)[0].node.get_content()


def _NoLLM() -> Any:  # noqa: N802  # stands for a class
    from llama_index.core.llms import MockLLM

    return MockLLM()


def test_simple_directory_reader(tmp_path: Path) -> None:
    pytest.importorskip("llama_index.readers.file")  # which older versions ask for
    for name, text in {"a.md": HANDBOOK, "b.md": LONG}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    reader = SimpleDirectoryReader(str(tmp_path), file_extractor={".md": _Plain()})
    made = PARSER.get_nodes_from_documents(reader.load_data())
    again = PARSER.get_nodes_from_documents(reader.load_data())
    assert [node.node_id for node in made] == [node.node_id for node in again]  # though the documents' own are random
    for node in made:
        text = Path(node.metadata["file_path"]).read_text(encoding="utf-8")
        assert text[node.start_char_idx : node.end_char_idx] in node.get_content()  # type: ignore[attr-defined]
        assert node.metadata["source"] == node.metadata["file_path"]
        assert "file_size" not in embedded(node)
        assert tokens(embedded(node)) <= 96


def _Plain() -> Any:  # noqa: N802  # stands for a class
    from llama_index.core.readers.base import BaseReader

    class Plain(BaseReader):
        """Reads a file as it is."""

        def load_data(self, file: Path, extra_info: dict[str, Any] | None = None, **_: Any) -> list[Document]:
            return [Document(text=Path(file).read_text(encoding="utf-8"), metadata=extra_info or {})]

    return Plain()


@pytest.mark.filterwarnings("ignore")  # of the readers' own dependencies
def test_markdown_reader(tmp_path: Path) -> None:
    readers = pytest.importorskip("llama_index.readers.file")
    path = tmp_path / "handbook.md"
    path.write_text(HANDBOOK, encoding="utf-8")
    documents = readers.MarkdownReader().load_data(path, extra_info={"file_path": str(path)})
    made = PARSER.get_nodes_from_documents(documents)
    assert len({node.node_id for node in made}) == len(made) >= len(documents)
    texts = {item.node_id: item.text for item in documents}
    for node in made:
        span = texts[node.ref_doc_id or ""][node.start_char_idx : node.end_char_idx]  # type: ignore[attr-defined]
        assert span in node.get_content()


def test_pipeline_with_docstore() -> None:
    model = WordEmbedding()
    pipeline = IngestionPipeline(
        transformations=[PARSER, model],
        docstore=SimpleDocumentStore(),
        docstore_strategy=DocstoreStrategy.UPSERTS,
        vector_store=SimpleVectorStore(),
        disable_cache=True,
    )
    assert len(pipeline.run(documents=[document()])) == len(model.seen)
    assert pipeline.run(documents=[document()]) == []
    seen = len(model.seen)
    pipeline.run(documents=[document(HANDBOOK.replace("single rooms", "double rooms"))])
    assert len(model.seen) == 2 * seen  # the whole document, which is what diff_nodes is for


def test_async_gives_the_same_nodes() -> None:
    documents = [document(), document(LONG, id_="rates.md")]

    async def run() -> tuple[list[Any], Any, Any]:
        pipeline = IngestionPipeline(transformations=[PARSER, MockEmbedding(embed_dim=2)])
        return (
            await PARSER.aget_nodes_from_documents(documents),
            await PARSER.acall(documents),
            await pipeline.arun(documents=documents),
        )

    expected = view(PARSER(documents))
    assert all(view(result) == expected for result in asyncio.run(run()))


def test_show_progress(capsys: pytest.CaptureFixture[str]) -> None:
    PARSER.get_nodes_from_documents([document()], show_progress=True)
    assert "Parsing nodes" in capsys.readouterr().err


def test_callback_events() -> None:
    handler = LlamaDebugHandler(print_trace_on_end=False)
    parser = MarkdownChunkNodeParser(chunk_size=96, callback_manager=CallbackManager([handler]))
    made = parser.get_nodes_from_documents([document()])
    ((start, end),) = handler.get_event_pairs(CBEventType.NODE_PARSING)
    assert start.payload
    assert end.payload
    assert [item.node_id for item in start.payload["documents"]] == ["handbook.md"]
    assert end.payload["nodes"] == made
    assert len(handler.get_event_pairs(CBEventType.CHUNKING)) == 1


def test_instrumentation_spans() -> None:
    handler = SimpleSpanHandler()
    root = get_dispatcher()
    root.add_span_handler(handler)
    try:
        PARSER([document()])
    finally:
        root.span_handlers.remove(handler)
    names = {span.id_.rsplit("-", 5)[0] for span in handler.completed_spans}
    assert "MarkdownChunkNodeParser._parse_nodes" in names
