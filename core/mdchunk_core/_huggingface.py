"""Counting with the tokenizers of Hugging Face, on a copy, so that the caller's object stays as it is."""

from __future__ import annotations

import copy
from typing import Any

from .errors import ConfigError


def counter_for(tokenizer: Any) -> tuple[str, FastCounter | SlowCounter] | None:
    """Name and counter for a `tokenizers.Tokenizer` or a tokenizer of transformers; None for all else.

    Told by what they have and not by their class: neither library is imported where the caller has not done so.
    """
    name = getattr(tokenizer, "name_or_path", "") or type(tokenizer).__qualname__
    backend = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if type(backend).__module__.partition(".")[0] == "tokenizers" and hasattr(backend, "no_truncation"):
        if backend is tokenizer:
            name = f"tokenizers.{type(backend.model).__name__}"
        return str(name), FastCounter(_untied(backend))
    if hasattr(tokenizer, "convert_tokens_to_ids") and hasattr(tokenizer, "build_inputs_with_special_tokens"):
        return str(name), SlowCounter(copy.deepcopy(tokenizer))
    return None


def _untied(tokenizer: Any) -> Any:
    """Copy a `tokenizers.Tokenizer`, and take off the copy what would cap, fill up or vary a count."""
    try:
        own = copy.deepcopy(tokenizer)
    except Exception as error:  # parts written in Python cannot be copied; nor can what they do be known
        if tokenizer.truncation is None and tokenizer.padding is None:
            return tokenizer
        raise ConfigError(
            "tokenizer",
            type(tokenizer).__qualname__,  # its repr may raise as its copy does
            f"it truncates or pads and cannot be copied ({error}): call no_truncation() and no_padding() on it first",
        ) from error
    own.no_truncation()
    own.no_padding()
    own.encode_special_tokens = True  # "[SEP]" in a document is text
    if getattr(own.model, "dropout", None) is not None:
        own.model.dropout = None
    return own


class FastCounter:
    """Counts with a `tokenizers.Tokenizer` of its own."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def __call__(self, text: str) -> int:
        """Tokens of `text`, with those that the tokenizer adds around it."""
        return len(self._tokenizer.encode(text))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FastCounter):
            return NotImplemented
        if self._tokenizer is other._tokenizer:
            return True
        try:
            return bool(self._tokenizer.to_str() == other._tokenizer.to_str())
        except Exception:  # see _untied
            return False

    __hash__ = None  # type: ignore[assignment]  # the Tokenizer around it is hashed by name

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickled, (self._tokenizer,))


def _unpickled(tokenizer: Any) -> FastCounter:
    return FastCounter(_untied(tokenizer))  # the library's own pickle forgets encode_special_tokens


class SlowCounter:
    """Counts with a tokenizer of transformers that is written in Python."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def __call__(self, text: str) -> int:
        """Tokens of `text`, with those that the tokenizer adds around it."""
        encoded = self._tokenizer(text, truncation=False, padding=False, verbose=False, split_special_tokens=True)
        return len(encoded["input_ids"])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SlowCounter):
            return NotImplemented
        mine, its = self._tokenizer, other._tokenizer
        return mine is its or (type(mine) is type(its) and mine.get_vocab() == its.get_vocab())

    __hash__ = None  # type: ignore[assignment]  # the Tokenizer around it is hashed by name
