"""Sections as parents, merging retrieval, and what an edit changes."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("llama_index.core")

from li_samples import HANDBOOK, LONG, WordEmbedding, document, embedded, tokens, view
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.node_parser import get_child_nodes, get_deeper_nodes, get_leaf_nodes, get_root_nodes
from llama_index.core.retrievers import AutoMergingRetriever
from llama_index.core.schema import BaseNode, TextNode
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import SimpleVectorStore

from llama_mdchunk import MarkdownChunkNodeParser, diff_nodes

REAL = (Path(__file__).parents[1] / "data" / "electron" / "environment-variables.md").read_text(encoding="utf-8")
PARSER = MarkdownChunkNodeParser(chunk_size=128, chunk_overlap=0, include_hierarchy=True)


def hierarchy(text: str) -> list[BaseNode]:
    return PARSER.get_nodes_from_documents([document(text, metadata={"team": "docs"})])


@pytest.mark.parametrize("text", [HANDBOOK, LONG, REAL], ids=["handbook", "long", "real"])
def test_the_tree_holds_together(text: str) -> None:
    nodes = hierarchy(text)
    by_id = {node.node_id: node for node in nodes}
    assert len(by_id) == len(nodes)
    leaves, roots = get_leaf_nodes(nodes), get_root_nodes(nodes)
    flat = MarkdownChunkNodeParser(chunk_size=128, chunk_overlap=0)
    assert view(leaves) == view(flat.get_nodes_from_documents([document(text, metadata={"team": "docs"})]))
    assert len(roots) == 1
    assert {node.node_id for node in get_deeper_nodes(nodes)} == {child.node_id for child in roots[0].child_nodes or []}
    for node in nodes:
        assert isinstance(node, TextNode)
        assert node.ref_doc_id == "handbook.md"
        assert node.metadata["team"] == "docs"
        if node.child_nodes is None:
            assert tokens(embedded(node)) <= 128
            continue
        assert node.text == text[node.start_char_idx : node.end_char_idx]
        children = [by_id[child.node_id] for child in node.child_nodes]
        assert len(children) > 1
        assert get_child_nodes([node], nodes)
        for child in children:
            assert isinstance(child, TextNode)
            assert child.parent_node is not None
            assert child.parent_node.node_id == node.node_id
            assert child.start_char_idx is not None
            assert node.start_char_idx is not None
            assert node.start_char_idx <= child.start_char_idx < (child.end_char_idx or 0) <= (node.end_char_idx or 0)
            assert child.metadata["heading_path"].startswith(node.metadata["heading_path"])
    linked = [node for node in leaves if node.next_node]
    assert len(linked) == len(leaves) - 1


def test_a_document_of_one_chunk_has_no_parent() -> None:
    (node,) = hierarchy("# A\n\nText.")
    assert node.parent_node is None


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_auto_merging_gives_the_section() -> None:
    nodes = hierarchy(REAL)
    leaves = get_leaf_nodes(nodes)
    context = StorageContext.from_defaults()
    context.docstore.add_documents(nodes)
    index = VectorStoreIndex(leaves, storage_context=context, embed_model=WordEmbedding())
    section = next(node for node in nodes if node.child_nodes and node.metadata["heading_path"])
    count = len(section.child_nodes or [])
    retriever = AutoMergingRetriever(index.as_retriever(similarity_top_k=count), context, simple_ratio_thresh=0.2)
    found = retriever.retrieve(section.get_content())
    assert any(item.node.child_nodes for item in found)
    for item in found:
        assert isinstance(item.node, TextNode)
        assert REAL[item.node.start_char_idx : item.node.end_char_idx] in item.node.text


def test_a_one_word_edit_embeds_one_node() -> None:
    text = LONG + HANDBOOK.split("---\n", 2)[2]
    parser = MarkdownChunkNodeParser(chunk_size=256)
    old = parser.get_nodes_from_documents([document(text)])
    new = parser.get_nodes_from_documents([document(text.replace("single rooms", "double rooms"))])
    model, store, docstore = WordEmbedding(), SimpleVectorStore(), SimpleDocumentStore()
    docstore.add_documents(old)
    store.add(model(old))  # type: ignore[arg-type]
    model.seen.clear()

    diff = diff_nodes(list(docstore.docs.values()), new)
    for node_id in diff.removed:
        docstore.delete_document(node_id)
    store.delete_nodes(diff.removed)
    store.add(model(diff.added))  # type: ignore[arg-type]
    docstore.add_documents(new)

    assert len(diff.added) == len(diff.removed) == len(model.seen) == 1
    assert "double rooms" in model.seen[0]
    assert len(diff.unchanged) == len(new) - 1
    assert set(store.data.embedding_dict) == set(docstore.docs) == {node.node_id for node in new}


def test_diff_goes_by_id_and_by_what_is_embedded() -> None:
    parser = MarkdownChunkNodeParser(chunk_size=256)
    old = parser.get_nodes_from_documents([document(LONG)])
    moved = parser.get_nodes_from_documents([document("\n\n" + LONG)])
    assert diff_nodes(old, moved) == ([], [], moved)
    assert diff_nodes([node.node_id for node in old], moved) == ([], [], moved)
    renamed = parser.get_nodes_from_documents([document(LONG, metadata={"team": "docs"})])
    diff = diff_nodes(old, renamed)
    assert diff.removed == [node.node_id for node in old]
    assert diff.added == renamed
    assert diff_nodes([], old + old).added == old
    assert diff_nodes(old, []).removed == [node.node_id for node in old]
