from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from mdchunk_core import ConfigError, MarkdownChunker
from mdchunk_core.compare import OURS, PEERS, Piece, Settings, SplitterUnavailable, make_splitter, make_splitters
from mdchunk_core.compare import peers as known

TEXT = "# Title\n\n" + "A sentence of some words here. " * 60 + "\n\n## Next\n\n" + "Other words follow here. " * 60


def test_ours_with_options() -> None:
    small = make_splitter("mdchunk,max=64,target=48,heading_context=prefix", Settings())
    chunks = MarkdownChunker(target_tokens=48, max_tokens=64, overlap_tokens=0, heading_context="prefix").chunk(
        TEXT, source="a.md"
    )
    assert [piece.text for piece in small.split(TEXT, "a.md")] == [chunk.text for chunk in chunks]
    assert small.split(TEXT, "a.md")[0][1:] == (chunks[0].start_char, chunks[0].end_char)


@pytest.mark.parametrize(
    "name", ["nothing", "mdchunk,colour=red", "tokens,heading_context=prefix", "mdchunk,prefix", "mdchunk,max=1", ":f"]
)
def test_wrong_names_and_options(name: str) -> None:
    with pytest.raises(ConfigError):
        make_splitter(name, Settings())


def test_splitters_that_are_not_installed_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("chonkie", "semantic_text_splitter", "mdkeychunker", "docling_core", "llama_index.core.node_parser"):
        monkeypatch.setitem(sys.modules, module, None)
    found, missing = make_splitters(
        ["mdchunk", "chonkie", "semantic-text-splitter", "mdkeychunker", "docling", "sentence"], Settings()
    )
    assert [splitter.name for splitter in found] == [OURS]
    assert len(missing) == 5
    assert all("pip install" in line for line in missing)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PEERS)
def test_every_peer_that_is_installed_keeps_the_words(name: str) -> None:
    settings = Settings(target=100, limit=128)
    try:
        splitter = make_splitter(name, settings)
    except SplitterUnavailable as error:
        pytest.skip(str(error))
    pieces = splitter.split(TEXT, "a.md")
    assert pieces
    assert sum(piece.text.count("sentence") for piece in pieces) >= 59  # windows of tokens may cut one
    if name != "llamaindex-markdown":
        assert all(settings.counter.count(piece.text) <= 130 for piece in pieces)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in PEERS if name not in ("tokens", "docling")])
def test_every_peer_takes_any_tokenizer(name: str) -> None:
    try:
        splitter = make_splitter(name, Settings(target=40, limit=50, tokenizer=lambda text: len(text.split())))
    except SplitterUnavailable as error:
        pytest.skip(str(error))
    assert len(splitter.split(TEXT, "a.md")) > 1


def test_an_encoding_for_peers_has_its_special_tokens() -> None:
    encoding = known.encoding(Settings().counter)
    assert encoding is not None
    with pytest.raises(
        ValueError, match="endoftext"
    ):  # as tiktoken's own does, so that peers are as their users know them
        encoding.encode("<|endoftext|>")


def test_functions_and_what_they_give(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("own_splitter")
    module.lines = lambda text: text.splitlines()
    module.documents = lambda text: [SimpleNamespace(page_content="a", metadata={"start_char": 0, "end_char": 1})]
    module.mappings = lambda text: [{"text": "a", "start_char": 2, "end_char": 3}]
    module.wrong = lambda text: [3]
    monkeypatch.setitem(sys.modules, "own_splitter", module)
    assert make_splitter("own_splitter:lines", Settings()).split("a\nb", "") == [Piece("a"), Piece("b")]
    assert make_splitter("own_splitter:documents", Settings()).split("a", "") == [Piece("a", 0, 1)]
    assert make_splitter("own_splitter:mappings", Settings()).split("b a", "") == [Piece("a", 2, 3)]
    with pytest.raises(TypeError, match="int"):
        make_splitter("own_splitter:wrong", Settings()).split("a", "")
    for name in ("own_splitter:missing", "no_such_module:f"):
        with pytest.raises(SplitterUnavailable):
            make_splitter(name, Settings())


def test_a_file_of_chunks(tmp_path: Path) -> None:
    path = tmp_path / "chunks.jsonl"
    lines: list[dict[str, Any]] = [
        {"text": "a", "source": "docs/a.md"},
        {"page_content": "b", "metadata": {"source": "docs\\b.md"}},
        {"text": "c", "source": "docs/a.md", "start_char": 1, "end_char": 2},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    splitter = make_splitter(str(path), Settings())
    assert splitter.name == "chunks.jsonl"
    assert splitter.split("", "docs/a.md") == [Piece("a"), Piece("c", 1, 2)]
    assert splitter.split("", "a.md") == splitter.split("", "some/docs/a.md") == [Piece("a"), Piece("c", 1, 2)]
    assert splitter.split("", "b.md") == [Piece("b")]
    with pytest.raises(LookupError):
        splitter.split("", "c.md")
    with pytest.raises(SplitterUnavailable):
        make_splitter(str(tmp_path / "none.jsonl"), Settings())
    for bad in ('{"text": "a"}', "[]", "not json", '{"source": "a.md"}'):
        path.write_text(bad, encoding="utf-8")
        with pytest.raises(ConfigError):
            make_splitter(str(path), Settings())
