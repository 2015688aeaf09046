"""Names for tokenizers and id functions, so that settings can be written down, compared and sent to other processes.

No name is ever imported: settings that come from elsewhere can only choose among what this process knows.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import pickle
import sys
import uuid
from collections import deque
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import llama_index.core
import tiktoken

from mdchunk_core.errors import ConfigError, TokenizerUnavailable
from mdchunk_core.tokens import Tokenizer, TokenizerLike, resolve

DEFAULT_TOKENIZER = "cl100k_base"

_tokenizers: dict[str, Any] = {}
_id_funcs: WeakValueDictionary[str, Any] = WeakValueDictionary()
_lately: deque[Any] = deque(maxlen=256)
"""Keeps functions alive between `to_dict` and `from_dict` when no parser has them."""


def register_tokenizer(name: str, tokenizer: TokenizerLike) -> str:
    """Make a tokenizer known by a name, for `MarkdownChunkNodeParser(tokenizer=name)`; give the name back.

    Takes what the core takes: a callable that gives a count or a sequence, a Hugging Face tokenizer, an encoding.
    Parsers take it along to worker processes if it can be pickled; otherwise each process has to register it.
    Raises ValueError for what does not count, and for a name that means something else already.

    >>> register_tokenizer("words-in-docs", str.split)
    'words-in-docs'
    """
    if not isinstance(name, str) or not name:
        raise ConfigError("name", name, "a string is needed")
    if name in tiktoken.list_encoding_names() or (name in _tokenizers and not _same(_tokenizers[name], tokenizer)):
        raise ConfigError("name", name, "it names another tokenizer already; another name is needed")
    resolve(tokenizer)
    _tokenizers[name] = tokenizer
    return name


def tokenizer_name(tokenizer: Any) -> str:
    """Give the name of a tokenizer, registering it where it has none yet.

    None is what LlamaIndex's `Settings.tokenizer` says. Raises ConfigError for a callable that other processes could
    not have, and TokenizerUnavailable for an encoding that cannot be had.
    """
    if tokenizer is None:
        tokenizer = llama_index.core.global_tokenizer or DEFAULT_TOKENIZER
    if isinstance(tokenizer, functools.partial):  # of LlamaIndex's own: partial(encoding.encode, allowed_special="all")
        owner = getattr(tokenizer.func, "__self__", None)
        tokenizer = owner if isinstance(owner, tiktoken.Encoding) else tokenizer
    if isinstance(tokenizer, str):
        if tokenizer not in _tokenizers:
            try:
                resolve(tokenizer)
            except ConfigError as error:
                allowed = f"{error.allowed}, or a name given to register_tokenizer()"
                raise ConfigError("tokenizer", tokenizer, allowed) from None
        return tokenizer
    resolved = resolve(tokenizer)
    if resolved == _resolved_or_none(resolved.name):
        return resolved.name
    name = _import_name(tokenizer) or f"{resolved.name}-{_digest(tokenizer)}"
    if name in _tokenizers and not _same(_tokenizers[name], tokenizer):
        name = f"{name}-{_digest(tokenizer)}"
    _tokenizers.setdefault(name, tokenizer)
    return name


def named_tokenizer(name: str) -> Tokenizer:
    """Give the tokenizer that has this name here; it was checked when the parser was made."""
    tokenizer = _tokenizers.get(name)
    return _encoding(name) if tokenizer is None else resolve(tokenizer)


@functools.lru_cache
def _encoding(name: str) -> Tokenizer:
    """Give one object for all parsers, so that what is remembered with it is found without a comparison."""
    return resolve(name)


def portable_tokenizer(name: str) -> Any:
    """Give what has to go to other processes beside the name: None for an encoding's name or what cannot be pickled."""
    tokenizer = _tokenizers.get(name)
    return tokenizer if pickled(tokenizer) is not None else None


def receive_tokenizer(name: str, tokenizer: Any) -> None:
    """Make known what `portable_tokenizer` gave in another process."""
    if tokenizer is not None:
        _tokenizers.setdefault(name, tokenizer)


def id_func_name(id_func: Any) -> str:
    """Give the name under which `named_id_func` finds the function again: its own, told apart if it is not importable.

    What cannot be imported is called something else in every process, so that no cache takes one for the other.
    """
    for known_name, known in _id_funcs.items():
        if known is id_func:
            return known_name
    name = _import_name(id_func)
    if name is None:
        own = getattr(id_func, "__qualname__", type(id_func).__qualname__)
        name = f"{getattr(id_func, '__module__', '')}.{own}-{uuid.uuid4()}"
    _id_funcs[name] = id_func
    _lately.append(id_func)
    return name


def named_id_func(name: str) -> Callable[..., str]:
    """Give the function of that name. Raises ConfigError where this process has had none."""
    try:
        found: Callable[..., str] = _id_funcs[name]
    except KeyError:
        raise ConfigError(
            "id_func", name, "not known in this process; pass the function itself: from_dict(settings, id_func=...)"
        ) from None
    return found


def call_style(id_func: Callable[..., str]) -> Callable[[int, Any], str]:
    """Give the function as one of two positional arguments, which is how LlamaIndex calls it; some name the second."""
    try:
        inspect.signature(id_func).bind(0, None)
    except ValueError:  # has no signature
        return id_func
    except TypeError:
        for keyword in ("node", "doc"):
            try:
                inspect.signature(id_func).bind(0, **{keyword: None})
            except TypeError:
                continue
            return lambda i, doc: id_func(i, **{keyword: doc})
        raise ConfigError("id_func", id_func, "a function of (i, doc) is needed") from None
    return id_func


def _same(one: Any, other: Any) -> bool:
    """Whether two tokenizers are the same, or one function defined twice, as in a notebook's cell."""
    code = getattr(one, "__code__", None)
    return one is other or one == other or (code is not None and code == getattr(other, "__code__", None))


def _resolved_or_none(name: str) -> Tokenizer | None:
    try:
        return resolve(name) if name in tiktoken.list_encoding_names() else None
    except TokenizerUnavailable:
        return None


def _import_name(value: Any) -> str | None:
    module, path = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(path, str):
        return None
    found: Any = sys.modules.get(module)
    for part in path.split("."):
        found = getattr(found, part, None)
    return f"{module}.{path}" if found is value else None


def _digest(tokenizer: Any) -> str:
    content = pickled(tokenizer)
    if content is None:
        raise ConfigError(
            "tokenizer",
            tokenizer,
            "cannot be pickled, so that worker processes would not have it; a function of a module is needed, "
            "or a name given to register_tokenizer()",
        )
    return hashlib.sha256(content).hexdigest()[:12]


def pickled(value: Any) -> bytes | None:
    """Give a value as bytes, or None where pickle cannot."""
    try:
        return pickle.dumps(value)
    except Exception:  # pickle raises whatever the value's own methods raise
        return None
