"""Settings: checked, written down, sent to other processes, part of the cache key."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any

import pytest

pytest.importorskip("llama_index.core")

import llama_index.core
import tiktoken
from li_samples import HANDBOOK, LONG, characters, document, numbered, numbered_node, view, words
from llama_index.core import Document
from llama_index.core.callbacks import CallbackManager, LlamaDebugHandler
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.ingestion.pipeline import get_transformation_hash
from llama_index.core.node_parser import MarkdownNodeParser, NodeParser, SentenceSplitter
from llama_index.core.schema import BaseNode
from llama_index.core.utils import get_tokenizer
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from llama_mdchunk import MarkdownChunkNodeParser, register_tokenizer
from mdchunk_core import Signal

DOCUMENTS = [document(), document(LONG, id_="rates.md"), document(HANDBOOK.replace("Travel", "Trips"), id_="trips.md")]


def word_level() -> Tokenizer:
    """A Hugging Face tokenizer, made anew."""
    tokenizer = Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    return tokenizer


SETTINGS: dict[str, dict[str, Any]] = {
    "sizes": {"chunk_size": 80, "chunk_overlap": 0, "target_tokens": 40, "min_tokens": 20},
    "encoding": {"chunk_size": 64, "tokenizer": "o200k_base"},
    "model": {"chunk_size": 64, "tokenizer": "gpt-4o"},
    "function": {"chunk_size": 64, "tokenizer": words},
    "huggingface": {"chunk_size": 64, "tokenizer": word_level()},
    "id_func": {"chunk_size": 64, "id_func": numbered},
    "id_func by keyword": {"chunk_size": 64, "id_func": numbered_node},
    "hierarchy": {"chunk_size": 64, "include_hierarchy": True},
    "text around": {"chunk_size": 64, "heading_context": "prefix", "note_context": "suffix"},
    "merging": {"chunk_size": 128, "merge_across": "any"},
    "signals": {"chunk_size": 128, "signals": [Signal("room", "backward", "en", r"^The limits", qualifies=True)]},
    "metadata": {"chunk_size": 64, "positions": True, "header_path_separator": "::", "document_type": "guide"},
    "bare": {"chunk_size": 64, "include_metadata": False, "include_prev_next_rel": False},
}


def parse(parser: NodeParser) -> list[tuple[Any, ...]]:
    return view(parser.get_nodes_from_documents(DOCUMENTS))


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_round_trips_give_the_same_nodes(settings: dict[str, Any]) -> None:
    parser = MarkdownChunkNodeParser(**settings)
    expected = parse(parser)
    written = parser.to_dict()
    assert written["class_name"] == MarkdownChunkNodeParser.class_name() == "MarkdownChunkNodeParser"
    for copy in (
        MarkdownChunkNodeParser.from_dict(written),
        MarkdownChunkNodeParser.from_json(parser.to_json()),
        MarkdownChunkNodeParser(**parser.model_dump(exclude={"class_name"})),
        pickle.loads(pickle.dumps(parser)),
        parser.model_copy(deep=True),
    ):
        assert parse(copy) == expected
        assert copy.to_dict() == written
    MarkdownChunkNodeParser.model_json_schema()


def test_a_lambda_is_kept_or_refused_and_never_replaced() -> None:
    parser = MarkdownChunkNodeParser(chunk_size=64, id_func=lambda i, doc: f"{doc.node_id}/{i}")
    other = MarkdownChunkNodeParser(chunk_size=64, id_func=lambda i, doc: f"{doc.node_id}#{i}")
    assert parse(MarkdownChunkNodeParser.from_dict(parser.to_dict())) == parse(parser)
    assert parser.to_dict() != other.to_dict()
    with pytest.raises(pickle.PicklingError, match="id_func"):
        pickle.dumps(parser)
    with pytest.raises(ValueError, match="pass the function itself"):
        MarkdownChunkNodeParser.from_dict({"id_func": {"id_func_name": "elsewhere.f", "title": "id_func"}})
    with pytest.raises(ValueError, match=r"cannot be pickled.*register_tokenizer"):
        MarkdownChunkNodeParser(tokenizer=lambda text: [text, text])
    with pytest.raises(ValueError, match="register_tokenizer"):
        MarkdownChunkNodeParser.from_dict({"tokenizer": "no-such-name"})


def test_a_registered_callable_goes_by_its_name() -> None:
    count = partial(lambda text, factor: len(text) // factor, factor=4)
    name = register_tokenizer("quarters", count)
    parser = MarkdownChunkNodeParser(chunk_size=64, tokenizer=name)
    assert parser.tokenizer == "quarters"
    assert all(len(text) // 4 <= 64 for text in parser.split_text(HANDBOOK))
    assert parse(pickle.loads(pickle.dumps(parser))) == parse(parser)  # the name is known in this process
    assert register_tokenizer("quarters", count) == name
    with pytest.raises(ValueError, match="another name"):
        register_tokenizer("quarters", words)
    with pytest.raises(ValueError, match="another name"):
        register_tokenizer("cl100k_base", words)
    with pytest.raises(ValueError, match="tokenizer"):
        register_tokenizer("nothing", 3)  # type: ignore[arg-type]


def test_every_callable_has_a_name_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama_index.core, "global_tokenizer", None)
    encoding = get_tokenizer().func.__self__  # type: ignore[attr-defined]
    assert isinstance(encoding, tiktoken.Encoding)
    for same in (None, get_tokenizer(), encoding, encoding.encode, "cl100k_base"):
        assert MarkdownChunkNodeParser(tokenizer=same).tokenizer == "cl100k_base"
    names = {
        MarkdownChunkNodeParser(tokenizer=given).tokenizer for given in (words, characters, str.split, word_level())
    }
    assert len(names) == 4
    monkeypatch.setattr(llama_index.core, "global_tokenizer", words)  # Settings.tokenizer = words
    assert MarkdownChunkNodeParser().tokenizer == "li_samples.words"


def test_worker_processes_give_the_same_nodes() -> None:
    settings = {"chunk_size": 64, "tokenizer": word_level(), "id_func": numbered, "include_hierarchy": True}
    for parser in (MarkdownChunkNodeParser(**settings), MarkdownChunkNodeParser(chunk_size=64, tokenizer=words)):
        alone = IngestionPipeline(transformations=[parser], disable_cache=True).run(documents=DOCUMENTS)
        shared = IngestionPipeline(transformations=[parser], disable_cache=True).run(documents=DOCUMENTS, num_workers=2)
        assert view(shared) == view(alone)
        assert [node.relationships for node in shared] == [node.relationships for node in alone]


def test_the_cache_key_changes_with_every_setting() -> None:
    parsers = [MarkdownChunkNodeParser(**settings) for settings in SETTINGS.values()]
    parsers += [
        MarkdownChunkNodeParser(chunk_size=64),
        MarkdownChunkNodeParser(chunk_size=64, oversized_metadata="exclude"),
    ]
    keys = [get_transformation_hash(DOCUMENTS, parser) for parser in parsers]
    assert len(set(keys)) == len(parsers)
    again = [MarkdownChunkNodeParser(**settings) for settings in SETTINGS.values()]
    assert [get_transformation_hash(DOCUMENTS, parser) for parser in again] == keys[: len(again)]


def test_the_pipelines_cache_gives_the_same_nodes() -> None:
    pipeline = IngestionPipeline(transformations=[MarkdownChunkNodeParser(chunk_size=64)])
    assert view(pipeline.run(documents=DOCUMENTS)) == view(pipeline.run(documents=DOCUMENTS))


@pytest.mark.parametrize(
    "settings",
    [
        {"chunk_size": 0},
        {"chunk_size": 7},
        {"chunk_size": "many"},
        {"chunk_overlap": -1},
        {"chunk_size": 64, "chunk_overlap": 65},
        {"min_tokens": -1},
        {"target_tokens": 0},
        {"merge_across": "all"},
        {"oversized_metadata": "drop"},
        {"signals": [1]},
        {"id_func": 3},
        {"id_func": lambda: "x"},
        {"chunk_sise": 512},
    ],
    ids=str,
)
def test_what_cannot_work_raises_value_error(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(reversed(settings))):
        MarkdownChunkNodeParser(**settings)
    with pytest.raises(ValueError, match=next(reversed(settings))):
        MarkdownChunkNodeParser.from_defaults(**settings)


def test_the_keywords_of_the_built_in_parsers() -> None:
    manager = CallbackManager([])
    parser = MarkdownChunkNodeParser.from_defaults(
        chunk_size=64, chunk_overlap=64, include_metadata=True, include_prev_next_rel=True, callback_manager=None
    )
    assert parser.split_text(HANDBOOK)  # an overlap as large as the limit is allowed, and leaves room for new text
    with pytest.warns(UserWarning, match="separator, paragraph_separator not used"):
        MarkdownChunkNodeParser(separator=" ", paragraph_separator="\n\n\n", secondary_chunking_regex=None)
    for built_in in (MarkdownNodeParser, SentenceSplitter):
        fields = set(built_in.model_fields) - {"separator", "paragraph_separator", "secondary_chunking_regex"}
        assert fields <= set(MarkdownChunkNodeParser.model_fields)
    assert MarkdownChunkNodeParser(callback_manager=manager).callback_manager is manager
    assert MarkdownChunkNodeParser().chunk_size == SentenceSplitter().chunk_size


def test_the_methods_of_the_built_in_splitters() -> None:
    parser = MarkdownChunkNodeParser(chunk_size=64)
    texts = parser.split_text(HANDBOOK)
    assert parser.split_texts([HANDBOOK, HANDBOOK]) == texts * 2
    smaller = parser.split_text_metadata_aware(HANDBOOK, "note: " + "word " * 20)
    assert len(smaller) > len(texts)
    assert parser.split_texts_metadata_aware([HANDBOOK], [""]) == texts
    with pytest.raises(ValueError, match="leaves no room"):
        parser.split_text_metadata_aware(HANDBOOK, "word " * 70)


def test_a_setting_can_be_changed() -> None:
    parser = MarkdownChunkNodeParser(chunk_size=64)
    parser.chunk_size = 128
    parser.tokenizer = words  # type: ignore[assignment]
    assert parse(parser) == parse(MarkdownChunkNodeParser(chunk_size=128, tokenizer=words))
    with pytest.raises(ValueError, match="max_tokens"):
        parser.chunk_size = 3


def test_a_callback_manager_that_cannot_be_pickled_is_left_behind(caplog: pytest.LogCaptureFixture) -> None:
    handler = LlamaDebugHandler(print_trace_on_end=False)
    handler.unpicklable = lambda: None  # type: ignore[attr-defined]
    parser = MarkdownChunkNodeParser(chunk_size=64, callback_manager=CallbackManager([handler]))
    assert parse(pickle.loads(pickle.dumps(parser))) == parse(parser)
    assert "callback_manager" in caplog.text


def test_id_func_gets_each_documents_own_numbers() -> None:
    calls: list[tuple[int, str]] = []

    def counting(i: int, doc: BaseNode) -> str:
        calls.append((i, doc.node_id))
        return f"{doc.node_id}-{i}"

    nodes = MarkdownChunkNodeParser(chunk_size=64, id_func=counting).get_nodes_from_documents(DOCUMENTS)
    assert [node.node_id for node in nodes] == [f"{name}-{i}" for i, name in calls]
    assert len(set(calls)) == len(nodes)
    assert calls[0] == (0, "handbook.md")
    assert isinstance(DOCUMENTS[0], Document)
