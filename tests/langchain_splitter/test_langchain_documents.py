"""Documents: ids, metadata, positions."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("langchain_text_splitters")

from langchain_core.documents import Document
from langchain_text_splitters import RecursiveCharacterTextSplitter
from lc_samples import HANDBOOK, HTML, ODD, PLAIN

from langchain_mdchunk import MarkdownChunkSplitter

SMALL = MarkdownChunkSplitter(chunk_size=200, chunk_overlap=0)
TWICE = "# A\n\n" + "Repeated words of a paragraph. " * 4 + "\n\n" + "Repeated words of a paragraph. " * 4 + "\n"


def ids(documents: list[Document]) -> list[str | None]:
    return [document.id for document in documents]


def all_differ(documents: list[Document]) -> bool:
    return None not in ids(documents) and len(set(ids(documents))) == len(documents)


def test_ids_differ_within_a_document_and_are_the_same_next_time() -> None:
    documents = MarkdownChunkSplitter(chunk_size=130, chunk_overlap=0).create_documents([TWICE])
    assert all_differ(documents)
    assert ids(documents) == ids(MarkdownChunkSplitter(chunk_size=130, chunk_overlap=0).create_documents([TWICE]))


@pytest.mark.parametrize(
    "parents",
    [
        [Document(page_content=HANDBOOK, metadata={"source": name}) for name in ("a.md", "b.md")],
        [Document(page_content=HANDBOOK) for _ in range(3)],
        [Document(page_content=HANDBOOK, metadata={"source": "a.md"}) for _ in range(3)],
        [Document(page_content=HANDBOOK, metadata={"source": "a.pdf", "page": page}) for page in (0, 1)],
        [Document(page_content=HANDBOOK, id=name) for name in ("x", "y")],
        [Document(page_content="See below."), Document(page_content="See below.\n\n# A\n\nSee below.")],
    ],
    ids=["sources", "nothing known", "same source", "pages", "ids", "same chunk"],
)
def test_parents_with_the_same_text_get_different_ids(parents: list[Document]) -> None:
    assert all_differ(SMALL.split_documents(parents))


@pytest.mark.parametrize("key", ["source", "page"])
def test_ids_of_one_parent_do_not_depend_on_the_others(key: str) -> None:
    parents = [Document(page_content=HANDBOOK, metadata={"source": "x.md", key: value}) for value in ("1", "2")]
    together = ids(SMALL.split_documents(parents))
    assert together == ids(SMALL.split_documents(parents[:1])) + ids(SMALL.split_documents(parents[1:]))
    assert set(together) == set(ids(SMALL.split_documents(reversed(parents))))


def test_ids_of_parents_with_ids_differ_from_call_to_call() -> None:
    first, second = (SMALL.split_documents([Document(page_content=HANDBOOK, id=name)]) for name in ("x", "y"))
    assert not set(ids(first)) & set(ids(second))


def test_an_edit_leaves_the_other_ids() -> None:
    before = ids(SMALL.create_documents([HANDBOOK], [{"source": "h.md"}]))
    after = ids(SMALL.create_documents([HANDBOOK.replace("single rooms", "double rooms")], [{"source": "h.md"}]))
    assert len(before) == len(after)
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 1


def test_the_parents_metadata_is_kept_and_wins() -> None:
    given = {"source": "h.md", "page": 3, "page_label": "iv", "title": "Mine", "section": 7, "score": [0.5], 5: "five"}
    for document in SMALL.create_documents([HANDBOOK], [given]):
        assert {key: document.metadata[key] for key in given} == given
        assert document.metadata["owner"] == "people-team"


def test_a_sources_type_stays() -> None:
    from pathlib import PurePosixPath

    path = PurePosixPath("a/b.md")
    document = SMALL.create_documents(["Text."], [{"source": path}])[0]
    assert document.metadata["source"] == path
    assert document.id == SMALL.create_documents(["Text."], [{"source": "a/b.md"}])[0].id


def test_front_matter_reaches_every_chunk_and_no_text() -> None:
    documents = SMALL.create_documents([HANDBOOK])
    assert len(documents) > 2
    for document in documents:
        assert document.metadata["title"] == "Travel handbook"
        assert document.metadata["tags"] == "travel, hotels"
        assert "people-team" not in document.page_content


def test_own_metadata_is_flat_json() -> None:
    metadata = MarkdownChunkSplitter(chunk_size=90, chunk_overlap=20, positions=True, add_start_index=True)
    for text in ODD.values():
        for document in metadata.create_documents([text], [{"source": "x.md"}]):
            assert all(isinstance(value, (str, int, float, bool)) for value in document.metadata.values())
            assert json.loads(json.dumps(document.metadata)) == document.metadata


def test_where_a_chunk_comes_from() -> None:
    documents = SMALL.create_documents([HANDBOOK], [{"source": "h.md"}])
    sleeper = next(document for document in documents if "sleeper" in document.page_content)
    assert sleeper.metadata["heading_path"].startswith("Travel")
    assert sleeper.metadata["parent_section"] == "Travel"
    assert "list" in sleeper.metadata["kinds"]


def test_positions_only_when_asked_for() -> None:
    volatile = {"start_line", "end_line", "start_char", "end_char", "chunk_position", "start_index"}
    for document in SMALL.create_documents([HANDBOOK]):
        assert not volatile & set(document.metadata)
    for document in MarkdownChunkSplitter(chunk_size=200, chunk_overlap=0, positions=True).create_documents([HANDBOOK]):
        lines = HANDBOOK.split("\n")[document.metadata["start_line"] - 1 : document.metadata["end_line"]]
        assert document.page_content.split("\n")[-1] in lines
        span = HANDBOOK[document.metadata["start_char"] : document.metadata["end_char"]]
        assert document.page_content.endswith(span)


@pytest.mark.parametrize("tokens", [False, True])
@pytest.mark.parametrize("overlap", [0, 30])
@pytest.mark.parametrize("name", ODD)
def test_start_index_is_exact_with_overlap_prefixes_and_tokens(name: str, overlap: int, tokens: bool) -> None:
    text = ODD[name]
    options: dict[str, Any] = {"chunk_size": 70, "chunk_overlap": overlap, "add_start_index": True, "positions": True}
    if tokens:
        options["tokenizer"] = "cl100k_base"
    for document in MarkdownChunkSplitter(**options).create_documents([text]):
        start, end = document.metadata["start_index"], document.metadata["end_char"]
        assert 0 <= start < end
        assert text[start:end] in document.page_content
        assert start == document.metadata["start_char"]


def test_a_repeated_text_has_its_own_start_index() -> None:
    documents = MarkdownChunkSplitter(chunk_size=130, chunk_overlap=0, add_start_index=True).create_documents([TWICE])
    starts = [document.metadata["start_index"] for document in documents]
    assert starts == sorted(set(starts))


def test_a_tables_header_is_in_every_part() -> None:
    table = "| Room | Rate |\n|---|---|\n" + "".join(f"| {n} | {n * 3} EUR |\n" for n in range(90))
    parts = SMALL.split_text(table)
    assert len(parts) > 5
    assert all(part.startswith("| Room | Rate |\n|---|---|\n|") for part in parts)
    torn = RecursiveCharacterTextSplitter(chunk_size=200, chunk_overlap=0).split_text(table)
    assert not all(part.startswith("| Room") for part in torn)


def test_plain_text_comes_out_as_it_is() -> None:
    for text in SMALL.split_text(PLAIN):
        assert text in PLAIN
        assert text.endswith((".", "on"))


def test_html_keeps_its_table_header() -> None:
    texts = MarkdownChunkSplitter(chunk_size=500, chunk_overlap=0).split_text(HTML)
    parts = [text for text in texts if "<td>" in text]
    assert len(parts) > 3
    for part in parts:
        assert "<th>Room</th><th>Rate</th>" in part
        assert part.count("<table>") == part.count("</table>")


def test_chunks_of_chunks_tell_of_themselves() -> None:
    large = MarkdownChunkSplitter(chunk_size=500, chunk_overlap=0, positions=True, add_start_index=True)
    parents = large.create_documents([HANDBOOK], [{"source": "h.md"}])
    children = SMALL.split_documents(parents)
    assert all_differ(children)
    for child in children:
        assert child.metadata["source"] == "h.md"
        assert "start_line" not in child.metadata  # which would be the parent's
        assert "start_index" not in child.metadata
    assert any(child.metadata["kinds"] not in {parent.metadata["kinds"] for parent in parents} for child in children)
