"""What people use around a splitter: indexing, retrievers, vector stores, pipelines."""

from __future__ import annotations

import inspect
import re
import warnings
from typing import Any

import pytest

pytest.importorskip("langchain_text_splitters")

from langchain_core.documents import Document
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_text_splitters import RecursiveCharacterTextSplitter
from lc_samples import HANDBOOK, WordEmbeddings

from langchain_mdchunk import MarkdownChunkSplitter

SECTIONS = 30
GUIDE = "# Guide\n\n" + "".join(
    f"## Topic {n}\n\nAbout topic {n} there is this to say, and word{n} is in it. {'It goes on for a while. ' * 8}\n\n"
    for n in range(SECTIONS)
)
EDITED = GUIDE.replace("word17", "nothing in particular")  # longer: all below it moves
SMALL = {"chunk_size": 300, "chunk_overlap": 0}
ORDINARY_KEYS: dict[str, Any] = (
    {"key_encoder": "sha256"} if "key_encoder" in inspect.signature(index).parameters else {}
)  # without it newer versions warn of the weak hash that older ones always take


def in_memory() -> Any:
    pytest.importorskip("numpy")
    from langchain_core.vectorstores import InMemoryVectorStore

    return InMemoryVectorStore(WordEmbeddings())


def chroma() -> Any:
    pytest.importorskip("chromadb")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # chromadb's own, at import
        package = pytest.importorskip("langchain_chroma")
        import chromadb

        client = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False))
    for collection in client.list_collections():
        client.delete_collection(collection.name)
    return package.Chroma("mdchunk", embedding_function=WordEmbeddings(), client=client)


stores = pytest.mark.parametrize("store", [in_memory, chroma])


def parents(text: str) -> list[Document]:
    return [Document(page_content=text, metadata={"source": "guide.md"})]


def reindexed(store: Any, splitter: Any, **options: Any) -> dict[str, int]:
    """What the second run does, after an edit of one word."""
    records = InMemoryRecordManager("guide")
    records.create_schema()
    keywords = {"cleanup": "full", "source_id_key": "source", **ORDINARY_KEYS, **options}
    first = index(splitter.split_documents(parents(GUIDE)), records, store, **keywords)
    assert first["num_added"] >= SECTIONS
    again = index(splitter.split_documents(parents(GUIDE)), records, store, **keywords)
    assert again["num_skipped"] == first["num_added"]
    return dict(index(splitter.split_documents(parents(EDITED)), records, store, **keywords))


@stores
def test_an_edit_indexes_the_chunk_that_holds_it_alone(store: Any) -> None:
    result = reindexed(store(), MarkdownChunkSplitter(**SMALL))
    assert (result["num_added"], result["num_deleted"], result["num_updated"]) == (1, 1, 0)
    assert result["num_skipped"] >= SECTIONS - 1


@stores
def test_the_store_holds_the_edited_document_afterwards(store: Any) -> None:
    filled = store()
    reindexed(filled, MarkdownChunkSplitter(**SMALL))
    (found,) = filled.similarity_search("nothing in particular", k=1)
    assert found.metadata["section"] == "Topic 17"
    assert not any("word17" in document.page_content for document in filled.similarity_search("word17", k=40))


@pytest.mark.parametrize("options", [{"add_start_index": True}, {"positions": True}], ids=str)
def test_positions_index_all_below_the_edit_again(options: dict[str, bool]) -> None:
    result = reindexed(in_memory(), MarkdownChunkSplitter(**SMALL, **options))
    assert result["num_added"] > 5


@pytest.mark.skipif(not ORDINARY_KEYS, reason="this version of LangChain has no key_encoder")
@pytest.mark.parametrize("options", [{"add_start_index": True}, {"positions": True}], ids=str)
def test_the_chunks_ids_as_keys_index_the_edited_chunk_alone_even_then(options: dict[str, bool]) -> None:
    splitter = MarkdownChunkSplitter(**SMALL, **options)
    result = reindexed(in_memory(), splitter, key_encoder=lambda document: document.id)
    assert (result["num_added"], result["num_deleted"]) == (1, 1)


@stores
def test_two_sources_with_the_same_text_are_both_stored(store: Any) -> None:
    filled = store()
    documents = MarkdownChunkSplitter(**SMALL).split_documents(
        [Document(page_content="# A\n\nThe same text.", metadata={"source": name}) for name in ("a.md", "b.md")]
    )
    assert filled.add_documents(documents) == [document.id for document in documents]
    found = filled.similarity_search("same text", k=5)
    assert {document.metadata["source"] for document in found} == {"a.md", "b.md"}


@stores
def test_adding_again_replaces_instead_of_doubling(store: Any) -> None:
    filled = store()
    for _ in range(2):
        filled.add_documents(MarkdownChunkSplitter(**SMALL).create_documents([HANDBOOK], [{"source": "h.md"}]))
    found = [document.page_content for document in filled.similarity_search("hotel limit", k=50)]
    assert len(found) == len(set(found))


@stores
def test_metadata_comes_back_from_the_store(store: Any) -> None:
    filled = store()
    splitter = MarkdownChunkSplitter(**SMALL, positions=True, add_start_index=True)
    documents = splitter.create_documents([HANDBOOK], [{"source": "h.md", "page": 4}])
    filled.add_documents(documents)
    (found,) = filled.similarity_search("A sleeper replaces a hotel night", k=1)
    assert found.metadata == next(d.metadata for d in documents if d.page_content == found.page_content)


@pytest.mark.parametrize("with_parents", [True, False])
@stores
def test_parent_document_retriever(store: Any, with_parents: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        retrievers = pytest.importorskip("langchain_classic.retrievers")
        from langchain_core.stores import InMemoryStore
    retriever = retrievers.ParentDocumentRetriever(
        vectorstore=store(),
        docstore=InMemoryStore(),
        child_splitter=MarkdownChunkSplitter(chunk_size=120, chunk_overlap=0),
        parent_splitter=MarkdownChunkSplitter(chunk_size=700, chunk_overlap=0) if with_parents else None,
    )
    same = "# Note\n\nThe very same note in two files."
    retriever.add_documents(
        [
            Document(page_content=GUIDE, metadata={"source": "guide.md"}),
            Document(page_content=same, metadata={"source": "a.md"}),
            Document(page_content=same, metadata={"source": "b.md"}),
        ]
    )
    found = retriever.invoke("word17")[0]
    assert "word17" in found.page_content
    assert found.metadata["source"] == "guide.md"
    assert len(found.page_content) <= 700 if with_parents else found.page_content == GUIDE
    notes = retriever.invoke("The very same note in two files.")
    assert {"a.md", "b.md"} <= {document.metadata["source"] for document in notes}


class KeywordRetriever(BaseRetriever):
    """BM25 over chunks, as langchain_community's BM25Retriever has it."""

    documents: list[Document]
    ranking: Any

    @classmethod
    def from_documents(cls, documents: list[Document]) -> KeywordRetriever:
        ranking = pytest.importorskip("rank_bm25").BM25Okapi([words(document.page_content) for document in documents])
        return cls(documents=documents, ranking=ranking)

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return list(self.ranking.get_top_n(words(query), self.documents, n=5))


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def test_keyword_search() -> None:
    documents = MarkdownChunkSplitter(**SMALL).split_documents(parents(GUIDE))
    found = KeywordRetriever.from_documents(documents).invoke("word23")
    assert found[0].metadata["section"] == "Topic 23"


@stores
def test_hybrid_search_with_reciprocal_rank_fusion(store: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        retrievers = pytest.importorskip("langchain_classic.retrievers")
    documents = MarkdownChunkSplitter(**SMALL).split_documents([*parents(GUIDE), Document(page_content=HANDBOOK)])
    filled = store()
    filled.add_documents(documents)
    hybrid = retrievers.EnsembleRetriever(
        retrievers=[KeywordRetriever.from_documents(documents), filled.as_retriever(search_kwargs={"k": 5})],
        weights=[0.5, 0.5],
    )
    found = hybrid.invoke("limit per night in Osaka")
    assert "| Osaka | 160 | extra |" in found[0].page_content
    assert "| City | Limit per night | Breakfast |" in found[0].page_content
    contents = [document.page_content for document in found]
    assert len(contents) == len(set(contents))  # the two searches' results are told to be the same chunks


def test_pipelines() -> None:
    filled = in_memory()
    splitter = MarkdownChunkSplitter(**SMALL)
    ingest = RunnableLambda(splitter.split_documents) | filled.add_documents
    assert len(ingest.invoke(parents(GUIDE))) >= SECTIONS
    answer = {
        "context": filled.as_retriever(search_kwargs={"k": 1}),
        "question": RunnablePassthrough(),
    } | RunnableLambda(lambda given: f"{given['question']}: {given['context'][0].metadata['heading_path']}")
    assert answer.invoke("word17") == "word17: Guide > Topic 17"
    texts = RunnableLambda(splitter.split_text).batch([GUIDE, HANDBOOK])
    assert texts == [splitter.split_text(GUIDE), splitter.split_text(HANDBOOK)]


def test_before_or_behind_another_splitter() -> None:
    other = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=0)
    ours = MarkdownChunkSplitter(**SMALL)
    behind = ours.split_documents(other.split_documents(parents(GUIDE)))
    before = other.split_documents(ours.split_documents(parents(GUIDE)))
    for documents in (behind, before):
        assert all(document.metadata["source"] == "guide.md" for document in documents)
    assert len({document.id for document in behind}) == len(behind)
