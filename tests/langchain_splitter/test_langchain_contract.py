"""What RecursiveCharacterTextSplitter and MarkdownChunkSplitter both promise: the same tests over both."""

from __future__ import annotations

import asyncio
import copy
import inspect
from typing import Any

import pytest

pytest.importorskip("langchain_text_splitters")

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.documents import BaseDocumentTransformer, Document
from langchain_text_splitters import Language, RecursiveCharacterTextSplitter, TextSplitter
from lc_samples import HANDBOOK, ODD, visible

from langchain_mdchunk import MarkdownChunkSplitter

both = pytest.mark.parametrize(
    "cls", [RecursiveCharacterTextSplitter, MarkdownChunkSplitter], ids=["recursive", "mdchunk"]
)
KEYWORDS = {
    "chunk_size": 300,
    "chunk_overlap": 20,
    "length_function": len,
    "keep_separator": "end",
    "add_start_index": True,
    "strip_whitespace": False,
}


@both
def test_is_a_text_splitter_and_a_document_transformer(cls: Any) -> None:
    splitter = cls()
    assert isinstance(splitter, TextSplitter)
    assert isinstance(splitter, BaseDocumentTransformer)


@both
def test_keywords_of_the_base_are_told_truthfully(cls: Any) -> None:
    splitter = cls(**KEYWORDS)
    assert {name: getattr(splitter, f"_{name}") for name in KEYWORDS} == KEYWORDS


@both
def test_defaults_are_those_of_the_base(cls: Any) -> None:
    splitter = cls()
    for name in ("chunk_size", "chunk_overlap", "length_function", "add_start_index", "strip_whitespace"):
        assert getattr(splitter, f"_{name}") == inspect.signature(TextSplitter).parameters[name].default


def test_arguments_by_position_mean_what_they_mean_in_the_base() -> None:
    names = list(inspect.signature(TextSplitter).parameters)
    assert list(inspect.signature(MarkdownChunkSplitter).parameters)[: len(names)] == names


@both
@pytest.mark.parametrize(
    "sizes",
    [{"chunk_size": 100, "chunk_overlap": 101}, {"chunk_size": 199}],
    ids=str,
)
def test_sizes_that_cannot_work_are_value_errors(cls: Any, sizes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="overlap"):
        cls(**sizes)


@both
@pytest.mark.parametrize(
    "sizes", [{"chunk_size": 0, "chunk_overlap": 0}, {"chunk_size": 9, "chunk_overlap": -1}], ids=str
)
def test_sizes_below_what_there_is_are_value_errors(cls: Any, sizes: dict[str, int]) -> None:
    said = "ValueError: If `chunk_size`" in (TextSplitter.__init__.__doc__ or "")
    if cls is RecursiveCharacterTextSplitter and not said:
        pytest.skip("this version of LangChain takes them")
    with pytest.raises(ValueError, match="chunk_"):
        cls(**sizes)


@both
@pytest.mark.parametrize("overlap", [0, 30, 60])
@pytest.mark.parametrize("size", [60, 400, 4000])
@pytest.mark.parametrize("name", ODD)
def test_no_text_is_longer_than_chunk_size(cls: Any, name: str, size: int, overlap: int) -> None:
    texts = cls(chunk_size=size, chunk_overlap=overlap).split_text(ODD[name])
    assert all(isinstance(text, str) and 0 < len(text) <= size for text in texts)
    assert all(text.strip() for text in texts)


@both
@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 8, 9])
def test_very_small_sizes_hold(cls: Any, size: int) -> None:
    texts = cls(chunk_size=size, chunk_overlap=0).split_text(HANDBOOK)
    assert all(0 < len(text) <= size for text in texts)


@both
@pytest.mark.parametrize("overlap", [79, 80])
def test_overlap_may_be_as_large_as_chunk_size(cls: Any, overlap: int) -> None:
    splitter = cls(chunk_size=80, chunk_overlap=overlap)
    texts = splitter.split_text(HANDBOOK)
    assert splitter._chunk_overlap == overlap
    assert all(len(text) <= 80 for text in texts)
    assert len(texts) < 500


@both
@pytest.mark.parametrize(
    "length",
    [
        lambda text: len(text.split()),
        lambda text: len(text.encode()),
        lambda text: len(text) / 4,
        lambda text: 3 * len(text),
    ],
    ids=["words", "bytes", "estimate", "weighted"],
)
def test_sizes_are_in_the_unit_of_the_length_function(cls: Any, length: Any) -> None:
    texts = cls(chunk_size=40, chunk_overlap=5, length_function=length).split_text(HANDBOOK)
    assert len(texts) > 1
    assert all(length(text) <= 40 for text in texts)


@both
@pytest.mark.parametrize("name", ODD)
def test_without_overlap_nothing_visible_is_lost(cls: Any, name: str) -> None:
    joined = visible("".join(cls(chunk_size=4000, chunk_overlap=0).split_text(ODD[name])))
    text = ODD[name]
    if name in ("handbook", "crlf") and cls is MarkdownChunkSplitter:
        text = text[text.index("# Travel") :]  # front matter is metadata
    if name in ("html", "plain") and cls is MarkdownChunkSplitter and len(text) > 4000:
        assert set(visible(text)) <= set(joined)  # what is repeated stands there twice
    else:
        assert joined == visible(text)


@both
def test_empty_texts_and_none_at_all_give_no_documents(cls: Any) -> None:
    splitter = cls()
    assert splitter.split_text("") == []
    assert splitter.create_documents([]) == []
    assert splitter.create_documents(["", "  \n"]) == []
    assert splitter.split_documents([]) == []


@both
def test_documents_hold_the_texts(cls: Any) -> None:
    splitter = cls(chunk_size=200, chunk_overlap=0)
    documents = splitter.create_documents([HANDBOOK, HANDBOOK])
    assert [document.page_content for document in documents] == splitter.split_text(HANDBOOK) * 2
    assert all(type(document) is Document for document in documents)


@both
def test_metadata_is_a_deep_copy_for_every_chunk(cls: Any) -> None:
    given = {"source": "a.md", "nested": {"list": [1]}}
    untouched = copy.deepcopy(given)
    first, second, *_ = cls(chunk_size=150, chunk_overlap=0).create_documents([HANDBOOK], [given])
    first.metadata["nested"]["list"].append(2)
    first.metadata["own"] = True
    assert given == untouched
    assert second.metadata["nested"] == {"list": [1]}
    assert "own" not in second.metadata


@both
def test_every_text_gets_its_own_metadata(cls: Any) -> None:
    documents = cls().create_documents(["One.", "Two."], [{"n": 1}, {"n": 2}])
    assert [(document.page_content, document.metadata["n"]) for document in documents] == [("One.", 1), ("Two.", 2)]
    assert cls().create_documents(["One."], [])[0].page_content == "One."
    with pytest.raises(IndexError):
        cls().create_documents(["One.", "Two."], [{"n": 1}])


@both
def test_documents_may_come_from_a_generator_and_stay_as_they_are(cls: Any) -> None:
    parents = [Document(page_content=HANDBOOK, metadata={"source": "a.md"}, id="p1")]
    before = copy.deepcopy(parents)
    documents = cls(chunk_size=200, chunk_overlap=0).split_documents(parent for parent in parents)
    assert parents == before
    assert all(document.metadata["source"] == "a.md" for document in documents)


@both
def test_transforming_is_splitting(cls: Any) -> None:
    splitter = cls(chunk_size=200, chunk_overlap=0)
    parents = [Document(page_content=HANDBOOK, metadata={"source": "a.md"}), Document(page_content="More.")]
    expected = splitter.split_documents(parents)
    assert splitter.transform_documents(parents) == expected
    assert asyncio.run(splitter.atransform_documents(parents)) == expected
    assert asyncio.run(splitter.atransform_documents(tuple(parents))) == expected


@both
@pytest.mark.parametrize("name", ["handbook", "crlf", "japanese"])
def test_start_index_is_where_the_text_stands(cls: Any, name: str) -> None:
    text = ODD[name]
    splitter = cls(chunk_size=600, chunk_overlap=0, add_start_index=True)
    for document in splitter.create_documents([text]):
        start = document.metadata["start_index"]
        assert text[start : start + len(document.page_content)] == document.page_content


@both
def test_no_start_index_where_none_is_asked_for(cls: Any) -> None:
    assert all("start_index" not in document.metadata for document in cls().create_documents([HANDBOOK]))


@both
def test_the_same_input_gives_the_same_documents(cls: Any) -> None:
    first, second = (cls(chunk_size=200, chunk_overlap=40).create_documents([HANDBOOK]) for _ in range(2))
    assert first == second


@both
@pytest.mark.parametrize("language", [Language.MARKDOWN])
def test_from_language(cls: Any, language: Language) -> None:
    splitter = cls.from_language(language, chunk_size=120, chunk_overlap=0)
    assert isinstance(splitter, cls)
    assert splitter._chunk_size == 120


@both
def test_classmethods_build_subclasses(cls: Any) -> None:
    mine = type("Mine", (cls,), {})
    assert type(mine.from_language(Language.MARKDOWN)) is mine


@both
def test_a_hugging_face_tokenizer_must_be_one(cls: Any) -> None:
    for wrong in ("bert-base-uncased", None, len):
        with pytest.raises(ValueError):  # noqa: PT011  # LangChain's message depends on whether transformers is there
            cls.from_huggingface_tokenizer(wrong)


@both
@given(st.text(alphabet=st.sampled_from("ab #|-*`>\n\t.1é漢👍"), max_size=200), st.integers(1, 60))
@settings(max_examples=60)
def test_any_text_keeps_within_any_size(cls: Any, text: str, size: int) -> None:
    assert all(0 < len(chunk) <= size for chunk in cls(chunk_size=size, chunk_overlap=size // 3).split_text(text))
