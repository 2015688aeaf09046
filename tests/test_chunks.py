"""Ids, metadata, parts and paths of chunks."""

from __future__ import annotations

import json
import pickle
import uuid

import pytest
from conftest import corpus, load

from mdchunk_core import Chunk, ConfigError, MarkdownChunker, reassemble
from mdchunk_core.chunks import NAMESPACE, body_size
from mdchunk_core.tokens import resolve

DOCUMENT = """---
title: Handbook
tags: [a, b]
date: 2026-05-01
---
# Travel

See [the table][t] and a note[^n].

## Hotels

Book *early*.

[t]: https://example.org/table "T"
[^n]: Not in May.
"""


def test_an_id_is_a_uuid_of_what_the_chunk_says() -> None:
    (chunk,) = MarkdownChunker().chunk("# A\n\ntext", source="a.md")
    assert chunk.id == str(uuid.uuid5(NAMESPACE, "a.md\0A\x001\0# A\n\ntext"))
    again, other = (MarkdownChunker().chunk("# A\n\ntext", source=name)[0].id for name in ("a.md", "b.md"))
    assert again == chunk.id != other


def test_equal_chunks_of_one_document_have_ids_of_their_own() -> None:
    chunks = MarkdownChunker(max_tokens=8, overlap_tokens=0).chunk("Check the gauge.\n\n" * 9)
    assert len({chunk.id for chunk in chunks}) == len(chunks) > 3


def test_a_chunk_below_an_empty_heading_has_an_id_of_its_own() -> None:
    """An empty heading adds nothing to the path that an id is made of."""
    text = "Check the gauge with care.\n\n" * 2
    chunks = MarkdownChunker(max_tokens=8, overlap_tokens=0).chunk(f"{text}#\n\n{text}")
    assert [chunk.heading_path for chunk in chunks] == [(), (), ("",), ("",)]
    assert chunks[0].text == chunks[3].text
    assert len({chunk.id for chunk in chunks}) == len(chunks)


def test_an_id_holds_no_position() -> None:
    text = "# B\n\n" + "word " * 300
    below = MarkdownChunker().chunk("# A\n\n" + "other " * 300 + "\n\n" + text)[-1]
    assert below.id == MarkdownChunker().chunk(text)[-1].id


def test_front_matter_and_the_callers_metadata_reach_every_chunk() -> None:
    given = {"team": "sales", "title": "Ours"}
    chunks = MarkdownChunker(max_tokens=30).chunk(DOCUMENT, source="handbook.pdf", metadata=given)
    for chunk in chunks:
        assert chunk.metadata["title"] == "Ours"
        assert chunk.metadata["date"] == "2026-05-01"
        assert chunk.metadata["tags"] == ["a", "b"]
        assert chunk.document_type == "pdf"
    chunks[0].metadata["tags"].append("c")  # type: ignore[index]
    assert MarkdownChunker(max_tokens=30).chunk(DOCUMENT)[0].metadata["tags"] == ["a", "b"]
    assert given == {"team": "sales", "title": "Ours"}


def test_definitions_that_stand_elsewhere_are_listed() -> None:
    first = MarkdownChunker(target_tokens=20, max_tokens=30, min_tokens=5, overlap_tokens=0).chunk(DOCUMENT)[0]
    assert first.metadata["definitions"] == ['[t]: https://example.org/table "T"', "[^n]: Not in May."]


def test_chunks_are_json_ready_and_flat_where_asked() -> None:
    for chunk in MarkdownChunker(max_tokens=64).chunk(load(corpus()[0]), source="a.md"):
        assert json.loads(json.dumps(chunk.to_dict()))["id"] == chunk.id
        flat = chunk.to_metadata()
        assert all(isinstance(value, (str, int, float, bool)) for value in flat.values())
        assert flat["chunk_position"] == chunk.index + 1
        stable = chunk.to_metadata(positions=False)
        assert not {"chunk_position", "start_line", "end_line", "start_char", "end_char"} & stable.keys()


def test_lists_of_front_matter_are_flat_text() -> None:
    (chunk,) = MarkdownChunker().chunk("---\ntags: [a, 2]\nnested: {x: 1}\n---\n# A\n\ntext")
    flat = chunk.to_metadata()
    assert flat["tags"] == "a, 2"
    assert "nested" not in flat


def test_parts_of_a_cut_block_are_numbered_and_go_together_again() -> None:
    table = "| a | b |\n|---|---|\n" + "".join(f"| {k} | word word |\n" for k in range(200))
    text = f"# T\n\n{table}\nAfter it.\n"
    chunks = MarkdownChunker(max_tokens=100, overlap_tokens=0).chunk(text)
    total = len(chunks)
    assert [chunk.metadata["part"] for chunk in chunks] == [f"{k} of {total}" for k in range(1, total + 1)]
    assert reassemble(chunks, text) == text
    assert reassemble(chunks).split() == text.split()


@pytest.mark.parametrize("options", [{"max_tokens": 512}, {"max_tokens": 64, "overlap_tokens": 20}, {"max_tokens": 64}])
def test_documents_go_together_again(options: dict[str, int]) -> None:
    for path in corpus():
        text = load(path)
        chunks = MarkdownChunker(**options).chunk(text)
        assert reassemble(chunks, text) == text
        body = reassemble(chunks)
        assert body.split() == text[chunks[0].start_char :].split()


def test_body_text_leaves_out_what_nobody_reads() -> None:
    assert body_size("text\n\n---\n\n<!-- note -->\n[a]: /url\nimport x from 'y'\n") == 4


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"max_tokens": 0}, "max_tokens=0"),
        ({"max_tokens": -5}, "max_tokens=-5"),
        ({"max_tokens": 7}, "max_tokens=7"),
        ({"target_tokens": 600, "max_tokens": 512}, "target_tokens=600"),
        ({"min_tokens": 500}, "min_tokens=500"),
        ({"overlap_tokens": 400}, "overlap_tokens=400"),
        ({"max_tokens": True}, "max_tokens=True"),
        ({"max_tokens": "512"}, "max_tokens='512'"),
        ({"merge_across": "all"}, "merge_across='all'"),
        ({"heading_context": "text"}, "heading_context='text'"),
        ({"note_context": "text"}, "note_context='text'"),
    ],
)
def test_bad_options_are_refused_by_name_and_value(options: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigError, match=named.replace("'", ".")) as refused:
        MarkdownChunker(**options)  # type: ignore[arg-type]
    assert isinstance(refused.value, ValueError)


def test_sizes_that_are_not_given_follow() -> None:
    def sizes(chunker: MarkdownChunker) -> tuple[object, ...]:
        return chunker.target_tokens, chunker.max_tokens, chunker.min_tokens, chunker.overlap_tokens

    assert sizes(MarkdownChunker()) == (400, 512, 100, 60)
    assert sizes(MarkdownChunker(target_tokens=1000)) == (1000, 1300, 250, 60)
    assert sizes(MarkdownChunker(max_tokens=1000)) == (800, 1000, 100, 60)
    assert sizes(MarkdownChunker.preset("embedding-512"))[:2] == (480, 512)
    assert MarkdownChunker.preset("general").overlap_tokens == 100
    assert MarkdownChunker.preset("faq", max_tokens=400).max_tokens == 400
    with pytest.raises(ConfigError, match="preset='novel'"):
        MarkdownChunker.preset("novel")


def test_a_chunker_is_immutable_and_picklable() -> None:
    chunker = MarkdownChunker(target_tokens=50, max_tokens=64)
    with pytest.raises(AttributeError):
        chunker.max_tokens = 3  # type: ignore[misc]
    copy = pickle.loads(pickle.dumps(chunker))
    assert copy == chunker
    text = load(corpus()[1])
    chunks = chunker.chunk(text)
    assert copy.chunk(text) == chunks
    assert pickle.loads(pickle.dumps(chunks)) == chunks
    assert isinstance(hash(chunks[0]), int)


def test_only_text_is_a_document() -> None:
    with pytest.raises(TypeError, match="bytes"):
        MarkdownChunker().chunk(b"text")  # type: ignore[arg-type]


def test_a_document_without_anything_to_see_has_no_chunks() -> None:
    for text in ("", " \n\n\t\n", "\ufeff", "\u200b\n\n\u200b", "\u00a0" * 5000):
        assert MarkdownChunker().chunk(text) == []


def same_sections(chunk: Chunk) -> bool:
    """Whether all lie in the section that the first one lies in."""
    first, *others = chunk.sections
    parent = first[:-1]
    return all(path[: len(parent)] == parent for path in others)


def test_which_sections_may_share_a_chunk() -> None:
    for path in corpus():
        text = load(path)
        alone = MarkdownChunker(merge_across="never").chunk(text)
        # Headings without text of their own stay with the first text below them.
        assert all(path == chunk.sections[-1][: len(path)] for chunk in alone for path in chunk.sections)
        assert all(map(same_sections, MarkdownChunker().chunk(text)))


@pytest.mark.parametrize("mark", ["[PAGE 2]", "<!-- Slide number: 2 -->", "<DeepDive>"])
def test_what_marks_the_beginning_of_a_section_begins_its_chunk(mark: str) -> None:
    document = f"# A\n\n## B\n\nSome words.\n\n{mark}\n\n## C\n\n" + "Other words. " * 9
    first, second = MarkdownChunker(merge_across="never", heading_context="prefix").chunk(document)
    assert first.text.endswith("Some words.")
    assert (second.prefix, second.heading_path[-1]) == ("A\n\n", "C")
    assert [decision.pass_ for decision in second.decisions] == ["forward", "forward"]


def test_a_part_of_a_list_without_a_visible_character_is_no_chunk() -> None:
    chunks = MarkdownChunker(target_tokens=8, max_tokens=8, min_tokens=2, overlap_tokens=0).chunk(
        "- item one\n0:0\n\ufeff"
    )
    assert [chunk.text for chunk in chunks] == ["- item one\n0:0"]


def test_a_heading_without_text_leaves_no_gap_in_the_joined_path() -> None:
    (chunk,) = MarkdownChunker().chunk("# Plugin\n\n## <!-- option -->\n\nText.")
    assert chunk.heading_path == ("Plugin", "")
    assert chunk.to_metadata()["heading_path"] == "Plugin"


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_the_line_of_headings_in_the_prefix_is_known_with_its_tokens(eol: str) -> None:
    document = (
        "# Rates\n\n## Hotels\n\n" + "One sentence. " * 30 + "\n\n" + "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 30
    )
    count = resolve("cl100k_base").count
    plain = MarkdownChunker(max_tokens=64, overlap_tokens=0).chunk(document.replace("\n", eol))
    chunks = MarkdownChunker(max_tokens=64, heading_context="prefix").chunk(document.replace("\n", eol))
    assert {chunk.context for chunk in plain} == {""}
    assert {chunk.context for chunk in chunks} >= {"", f"Rates > Hotels{eol}{eol}"}
    for chunk in chunks:
        assert chunk.prefix.startswith(chunk.context)
        assert chunk.context_tokens == count(chunk.context)
