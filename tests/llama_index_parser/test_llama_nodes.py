"""Nodes: their limit, their place in the document, their metadata, and what models see of it."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llama_index.core")

from hypothesis import given
from hypothesis import strategies as st
from li_samples import HANDBOOK, LONG, ODD, document, embedded, shown, tokens, view, words
from llama_index.core import Document
from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter
from llama_index.core.schema import ImageDocument, NodeRelationship, TextNode
from llama_index.core.vector_stores.utils import node_to_metadata_dict
from pydantic import BaseModel

from llama_mdchunk import MarkdownChunkNodeParser

TEMPLATES: dict[str, dict[str, Any]] = {
    "default": {},
    "other": {
        "metadata_template": "<{key}={value}>",
        "metadata_seperator": " ",
        "text_template": "[{metadata_str}]{content}[end]",
    },
    "text only": {"text_template": "{content}"},
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
@pytest.mark.parametrize("size", [24, 64, 256])
@pytest.mark.parametrize("note", ["", "word " * 12], ids=["bare", "metadata"])
def test_what_is_embedded_is_within_chunk_size_and_where_it_says(text: str, size: int, note: str) -> None:
    given_document = document(text, metadata={"note": note} if note else {})
    for node in MarkdownChunkNodeParser(chunk_size=size).get_nodes_from_documents([given_document]):
        assert tokens(embedded(node)) <= size
        assert isinstance(node, TextNode)
        assert node.metadata["token_count"] == tokens(node.text)
        assert node.start_char_idx is not None
        span = text[node.start_char_idx : node.end_char_idx]
        assert span.strip()
        assert span in node.text


@pytest.mark.parametrize("kind", [Document, ImageDocument])
def test_a_node_is_what_its_class_makes_of_its_fields_and_shares_none_that_can_change(kind: type[Document]) -> None:
    given_document = kind(text=LONG, id_="a.md", metadata={"team": "sales"}, excluded_llm_metadata_keys=["team"])
    nodes = MarkdownChunkNodeParser(chunk_size=64).get_nodes_from_documents([given_document])
    seen: dict[int, Any] = {id(given_document.metadata): given_document.metadata}
    assert len(nodes) > 2
    for node in nodes:
        again = type(node)(**dict(node))
        assert (again, again.hash, again.to_dict()) == (node, node.hash, node.to_dict())
        assert {"id_", "text", "metadata", "relationships", "start_char_idx"} <= node.model_fields_set
        state = BaseModel.__getstate__(node)
        for value in [*state.values(), *state["__dict__"].values()]:
            if isinstance(value, (dict, list, set)):
                assert id(value) not in seen
                seen[id(value)] = value  # kept, so that no other takes its place in memory


BITS = ["# A\n", "## B\n", "text ", "\n\n", "- item\n", "| a | b |\n|---|---|\n", "/", "é " * 9]


@given(
    text=st.lists(st.sampled_from(BITS)).map("".join),
    size=st.integers(20, 80),
    metadata=st.dictionaries(st.sampled_from(["k", "heading_path", "section"]), st.text(max_size=12), max_size=2),
    template=st.sampled_from(sorted(TEMPLATES)),
)
def test_the_limit_and_the_offsets_hold_for_any_document(
    text: str, size: int, metadata: dict[str, str], template: str
) -> None:
    parent = document(text, metadata=metadata, **TEMPLATES[template])
    try:
        nodes = MarkdownChunkNodeParser(chunk_size=size).get_nodes_from_documents([parent])
    except ValueError as error:
        assert "tokens" in str(error)  # noqa: PT017  # metadata may leave no room
        return
    for node in nodes:
        assert tokens(embedded(node)) <= size
        assert text[node.start_char_idx : node.end_char_idx] in node.get_content()  # type: ignore[attr-defined]
        assert metadata.items() <= node.metadata.items()
    assert len({node.node_id for node in nodes}) == len(nodes)


def test_a_heading_is_embedded_once() -> None:
    text = "# Zebra\n\n" + "One sentence of some length here. " * 30 + "\n\n## Yak\n\n" + "Another sentence. " * 60
    nodes = MarkdownChunkNodeParser(chunk_size=80).get_nodes_from_documents([document(text)])
    assert len(nodes) > 4
    for node in nodes:
        own = node.metadata["heading_path"].split(" > ")
        assert [embedded(node).count(heading) for heading in own] == [1] * len(own)
    in_text = MarkdownChunkNodeParser(chunk_size=80, heading_context="prefix")
    for node in in_text.get_nodes_from_documents([document(text)]):
        assert embedded(node) == node.get_content()
        assert embedded(node).count("Zebra") == 1


def test_metadata_that_leaves_no_room_raises_with_the_figures() -> None:
    parser = MarkdownChunkNodeParser(chunk_size=64)
    with pytest.raises(ValueError, match=r"handbook\.md takes \d+ of 64 tokens.*'note'") as raised:
        parser.get_nodes_from_documents([document(metadata={"note": "word " * 105})])
    assert f"takes {tokens('note: ' + ('word ' * 105).strip()) + 1} of" in str(raised.value)


@pytest.mark.parametrize("where", ["excluded", "all excluded", "setting", "no metadata"])
def test_long_metadata_that_is_not_embedded_takes_no_room(where: str, caplog: pytest.LogCaptureFixture) -> None:
    long = {"note": "word " * 105, "team": "sales"}
    keys = ["note"] if where == "excluded" else ["note", "team"] if where == "all excluded" else []
    parser = MarkdownChunkNodeParser(
        chunk_size=64,
        oversized_metadata="exclude" if where == "setting" else "raise",
        include_metadata=where != "no metadata",
    )
    with caplog.at_level(logging.WARNING):
        nodes = parser.get_nodes_from_documents([document(metadata=long, excluded_embed_metadata_keys=keys)])
    assert bool(caplog.records) == (where == "setting")
    assert len(nodes) > 2
    for node in nodes:
        assert tokens(embedded(node)) <= 64
        assert "word word" not in embedded(node)
        assert ("note" in node.metadata) == (where != "no metadata")


def test_front_matter_never_leaves_no_room() -> None:
    text = "---\ndescription: " + "word " * 300 + "\n---\n" + HANDBOOK.split("---\n", 2)[2]
    nodes = MarkdownChunkNodeParser(chunk_size=64).get_nodes_from_documents([document(text)])
    assert all(tokens(embedded(node)) <= 64 for node in nodes)
    assert all(node.metadata["description"].startswith("word word") for node in nodes)


def test_little_room_is_said(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        MarkdownChunkNodeParser(chunk_size=64).get_nodes_from_documents([document(metadata={"note": "word " * 30})])
    assert "less than 50 are left" in caplog.text


def test_repeated_text_has_its_own_offsets() -> None:
    # the base class finds each text again, from the start of the one before
    text = "# A\n\nSame.\n\n# B\n\nSame.\n"
    parser = MarkdownChunkNodeParser(chunk_size=8, merge_across="never")
    nodes = parser.get_nodes_from_documents([document(text)])
    assert [node.start_char_idx for node in nodes] == [0, 12]  # type: ignore[attr-defined]
    cut = MarkdownChunkNodeParser(chunk_size=128).get_nodes_from_documents([document(LONG)])
    repeated = [node for node in cut if "prefix_chars" in node.metadata]
    assert repeated
    for node in repeated:
        assert LONG.find(node.get_content()) == -1
        assert node.start_char_idx is not None  # type: ignore[attr-defined]


def test_metadata_is_flat_and_the_parents_wins() -> None:
    parser = MarkdownChunkNodeParser(chunk_size=64, positions=True)
    nodes = parser.get_nodes_from_documents([document(metadata={"section": "mine", "file_path": "a/handbook.md"})])
    for node in nodes:
        node_to_metadata_dict(node, flat_metadata=True)
        assert node.metadata["section"] == "mine"
        assert node.metadata["source"] == "a/handbook.md"
        assert node.metadata["document_type"] == "md"
        assert node.metadata["tags"] == "travel, hotels"
        assert "section: mine" in embedded(node)


def test_models_see_what_helps_them() -> None:
    parser = MarkdownChunkNodeParser(chunk_size=64, positions=True)
    nodes = parser.get_nodes_from_documents([document(metadata={"team": "sales", "secret": "x1"})])
    table = next(node for node in nodes if "Osaka" in node.get_content())
    assert "team: sales" in embedded(table)
    assert "team: sales" in shown(table)
    assert "Valid from 2024-01-01." in shown(table)
    for hidden in ("start_line", "end_char", "chunk_position", "token_count", "kinds", "decisions", "header_path"):
        assert hidden in table.metadata
        assert hidden not in embedded(table)
        assert hidden not in shown(table)


def test_the_parents_layout_is_kept() -> None:
    parent = document(
        metadata={"team": "sales", "secret": "x1"},
        excluded_embed_metadata_keys=["secret"],
        excluded_llm_metadata_keys=["team"],
        **TEMPLATES["other"],
    )
    before = parent.to_dict()
    nodes = MarkdownChunkNodeParser(chunk_size=64).get_nodes_from_documents([parent])
    assert parent.to_dict() == before
    for node in nodes:
        assert embedded(node).startswith("[<team=sales>")
        assert embedded(node).endswith("[end]")
        assert "x1" not in embedded(node)
        assert "sales" not in shown(node)


def test_header_path_is_as_in_markdown_node_parser() -> None:
    text = "# Tariff Guide\n\nIntro.\n\n## Prices\n\nText.\n\n### Deep\n\nText.\n\n## Terms\n\nText.\n"
    ours = MarkdownChunkNodeParser(chunk_size=14, merge_across="never").get_nodes_from_documents([document(text)])
    theirs = MarkdownNodeParser().get_nodes_from_documents([document(text)])
    assert [node.metadata["header_path"] for node in ours] == [node.metadata["header_path"] for node in theirs]
    dotted = MarkdownChunkNodeParser(chunk_size=14, merge_across="never", header_path_separator=".")
    paths = [node.metadata["header_path"] for node in dotted.get_nodes_from_documents([document(text)])]
    assert paths == [".", ".Tariff Guide.", ".Tariff Guide.Prices.", ".Tariff Guide."]


def test_relations() -> None:
    parser = MarkdownChunkNodeParser(chunk_size=64)
    nodes = parser.get_nodes_from_documents([document(), document(LONG, id_="rates.md")])
    for before, node in zip(nodes, nodes[1:]):
        same = before.ref_doc_id == node.ref_doc_id
        assert (node.prev_node is not None and node.prev_node.node_id == before.node_id) == same
        assert (before.next_node is not None and before.next_node.node_id == node.node_id) == same
        if same:
            assert node.prev_node is not None
            assert node.prev_node.metadata == {}  # a copy of it in each neighbour helps nobody
            assert node.prev_node.hash == before.hash
    assert {node.ref_doc_id for node in nodes} == {"handbook.md", "rates.md"}
    alone = MarkdownChunkNodeParser(chunk_size=64, include_prev_next_rel=False).get_nodes_from_documents([document()])
    assert all(set(node.relationships) == {NodeRelationship.SOURCE} for node in alone)


def test_without_metadata() -> None:
    parser = MarkdownChunkNodeParser(chunk_size=64, include_metadata=False)
    nodes = parser.get_nodes_from_documents([document(metadata={"team": "sales"})])
    assert all(node.metadata == {} for node in nodes)
    assert [embedded(node) for node in nodes] == parser.split_text(HANDBOOK)


def test_nothing_volatile_is_in_id_or_hash() -> None:
    text = LONG + HANDBOOK.split("---\n", 2)[2]
    parser = MarkdownChunkNodeParser(chunk_size=256)
    old = {node.node_id: node.hash for node in parser.get_nodes_from_documents([document(text)])}
    new = {
        node.node_id: node.hash for node in parser.get_nodes_from_documents([document("New first line.\n\n" + text)])
    }
    kept = old.keys() & new.keys()
    assert len(kept) >= len(old) - 2
    assert all(old[key] == new[key] for key in kept)
    again = parser.get_nodes_from_documents([document(text)])
    assert [node.node_id for node in again] == list(old)


def test_ids_are_told_apart() -> None:
    parser = MarkdownChunkNodeParser(chunk_size=64)
    twice = [Document(text=HANDBOOK, metadata={"file_path": "a.md"}) for _ in range(2)]
    others = [document(id_="a"), document(id_="b"), Document(text=HANDBOOK), Document(text=HANDBOOK)]
    nodes = parser.get_nodes_from_documents([*twice, *others])
    assert len({node.node_id for node in nodes}) == len(nodes)
    made_up = parser.get_nodes_from_documents([Document(text=HANDBOOK, metadata={"file_path": "a.md"})])
    assert [node.node_id for node in made_up] == [node.node_id for node in nodes[: len(made_up)]]


@pytest.mark.parametrize(
    "first",
    [
        MarkdownNodeParser(),
        SentenceSplitter(chunk_size=120, chunk_overlap=20),
        MarkdownChunkNodeParser(chunk_size=256),
        MarkdownChunkNodeParser(chunk_size=128, note_context="suffix", heading_context="prefix"),
    ],
    ids=["MarkdownNodeParser", "SentenceSplitter", "ours", "ours with text around"],
)
@pytest.mark.parametrize("text", [HANDBOOK, LONG], ids=["handbook", "long"])
def test_chained_offsets_are_true_to_the_root_document(first: Any, text: str) -> None:
    root = document(text, metadata={"team": "sales"})
    between = first.get_nodes_from_documents([root])
    nodes = MarkdownChunkNodeParser(chunk_size=60, chunk_overlap=0).get_nodes_from_documents(between)
    assert len(nodes) > len(between)
    assert len({node.node_id for node in nodes}) == len(nodes)
    found = 0
    for node in nodes:
        assert node.ref_doc_id == "handbook.md"
        assert tokens(embedded(node)) <= 60
        assert node.metadata["team"] == "sales"
        if node.start_char_idx is not None:  # type: ignore[attr-defined]  # where the parser before knew the place
            span = text[node.start_char_idx : node.end_char_idx]  # type: ignore[attr-defined]
            assert span in node.get_content()
            found += bool(span)
    assert found > 0.8 * len(nodes)
    assert [node.prev_node is None for node in nodes] == [True] + [False] * (len(nodes) - 1)


def test_a_chunk_of_a_chunk_stands_under_its_headings() -> None:
    first = MarkdownChunkNodeParser(chunk_size=256).get_nodes_from_documents([document(LONG)])
    nodes = MarkdownChunkNodeParser(chunk_size=60, chunk_overlap=0).get_nodes_from_documents(first)
    assert nodes[-1].metadata["heading_path"] == "Rates > Season 4"
    assert nodes[-1].metadata["header_path"] == "/Rates/"
    assert all(embedded(node).count("Rates") == 1 for node in nodes)


def test_on_a_node_without_a_source() -> None:
    node = TextNode(text=HANDBOOK, id_="n1")
    made = MarkdownChunkNodeParser(chunk_size=64).get_nodes_from_node(node)
    assert {child.ref_doc_id for child in made} == {"n1"}
    assert all(HANDBOOK[child.start_char_idx : child.end_char_idx] in child.text for child in made)


def test_an_empty_document_gives_no_node() -> None:
    assert MarkdownChunkNodeParser().get_nodes_from_documents([document(""), document("\n \n")]) == []
    assert MarkdownChunkNodeParser().get_nodes_from_documents([]) == []


def test_another_tokenizer_counts_what_is_embedded() -> None:
    parser = MarkdownChunkNodeParser(chunk_size=40, tokenizer=words)
    nodes = parser.get_nodes_from_documents([document(LONG, metadata={"note": "one two three"})])
    assert len(nodes) > 10
    assert all(len(words(embedded(node))) <= 40 for node in nodes)
    assert view(nodes) == view(parser.get_nodes_from_documents([document(LONG, metadata={"note": "one two three"})]))


def test_a_key_of_the_callers_that_is_called_like_ours() -> None:
    metadata = {"heading_context": ["one", "two"], "prefix_chars": "mine"}
    for node in MarkdownChunkNodeParser(chunk_size=64).get_nodes_from_documents([document(metadata=metadata)]):
        assert metadata.items() <= node.metadata.items()
        assert "heading_context: ['one', 'two']" in embedded(node)
        assert tokens(embedded(node)) <= 64


def test_what_comes_with_a_row_of_a_cut_table() -> None:
    path = Path(__file__).parents[1] / "data" / "webhooks.md"
    parent = document(path.read_text(encoding="utf-8"), id_="webhooks.md")
    seen = []
    for parser in (SentenceSplitter(chunk_size=160, chunk_overlap=20), MarkdownChunkNodeParser(chunk_size=160)):
        node = next(node for node in parser.get_nodes_from_documents([parent]) if "| 429" in node.get_content())
        words_of = shown(node)
        seen.append([part in words_of for part in ("| Status | Meaning |", "context: Webhooks\n", "API version 2.")])
    assert seen == [[False] * 3, [True] * 3]
