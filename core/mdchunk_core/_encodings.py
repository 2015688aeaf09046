"""The encodings that ship with the package, and counting that no text can make tiktoken give up on."""

from __future__ import annotations

import hashlib
import threading
from binascii import a2b_base64
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import regex
import tiktoken

from ._gigatoken import Encode, GigatokenEncode, is_tested
from .errors import TokenizerUnavailable


class Bundled(NamedTuple):
    """What is needed to build an encoding without a network."""

    ranks: str
    """Name of the rank file in `data/`."""
    sha256: str
    pattern: str
    """How a text is split before its bytes are merged; tokens never reach over such a split."""
    scheme: str
    """gigatoken's name for that pattern."""


# fmt: off
CL100K_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)"
    r"|[^\r\n\p{L}\p{N}]?+\p{L}++"
    r"|\p{N}{1,3}+"
    r"| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$"
    r"|\s*[\r\n]"
    r"|\s+(?!\S)"
    r"|\s"
)
O200K_PATTERN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*"
    r"|\s*[\r\n]+"
    r"|\s+(?!\S)"
    r"|\s+"
)
# fmt: on

_CL100K = Bundled(
    "cl100k_base.tiktoken", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7", CL100K_PATTERN, "gpt4"
)
_O200K = Bundled(
    "o200k_base.tiktoken", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", O200K_PATTERN, "o200k"
)
BUNDLED = {
    "cl100k_base": _CL100K,
    "o200k_base": _O200K,
    "o200k_harmony": _O200K,  # differs in its special tokens alone, and those are never counted
}

_lock = threading.RLock()
_built: dict[Bundled, tiktoken.Encoding] = {}
_encodes: dict[Bundled, Encode] = {}


def bundled_encoding(name: str) -> tiktoken.Encoding:
    """Build a shipped encoding on first use, once for all threads.

    It is kept here and not in tiktoken's registry, so that what a program asks tiktoken for stays its own affair.
    """
    wanted = BUNDLED[name]
    with _lock:
        if wanted not in _built:
            _built[wanted] = tiktoken.Encoding(
                name, pat_str=wanted.pattern, mergeable_ranks=_read_ranks(wanted), special_tokens={}
            )
        return _built[wanted]


def bundled_encode(name: str) -> Encode:
    """What gives the tokens of a text in a shipped encoding; built on first use, once for all threads."""
    wanted = BUNDLED[name]
    with _lock:
        if wanted not in _encodes:
            _encodes[wanted] = _build_encode(name, wanted)
        return _encodes[wanted]


def _build_encode(name: str, wanted: Bundled) -> Encode:
    def exact(text: str) -> list[int]:
        return fast_encode(bundled_encoding(name))(text)

    if is_tested():
        _rank_data(wanted)
        with suppress(ImportError):
            return GigatokenEncode(wanted.ranks, wanted.scheme, exact)
    return fast_encode(bundled_encoding(name))


def fast_encode(encoding: tiktoken.Encoding) -> Callable[[str], list[int]]:
    """`encoding.encode_ordinary` without its Python wrapper, where the inner object is as we know it."""
    inner: Callable[[str], list[int]] | None = getattr(getattr(encoding, "_core_bpe", None), "encode_ordinary", None)
    return inner if inner is not None else encoding.encode_ordinary


def _read_ranks(wanted: Bundled) -> dict[bytes, int]:
    fields = _rank_data(wanted).split()
    return dict(zip(map(a2b_base64, fields[::2]), map(int, fields[1::2]), strict=True))


def _rank_data(wanted: Bundled) -> bytes:
    try:
        data = (resources.files(__package__) / "data" / wanted.ranks).read_bytes()
    except OSError as error:
        raise TokenizerUnavailable(f"{wanted.ranks} is missing from this installation of mdchunk: {error}") from error
    if hashlib.sha256(data).hexdigest() != wanted.sha256:
        raise TokenizerUnavailable(f"{wanted.ranks} in this installation of mdchunk is damaged: reinstall mdchunk-core")
    return data


# The regular expression engine inside tiktoken keeps one stack entry for each white-space character that it may have to
# give back and panics at 1,000,000. Half of that is a wide margin, and far above what ordinary documents hold.
LONG = 500_000
_STRIDE = LONG // 2


def has_long_blank(text: str) -> bool:
    """Whether `text` may hold a run of white space of `LONG` characters; true for all that do.

    Such a run covers at least one of the strides looked at, and most strides end the look at their first character.
    """
    return any(
        text[at].isspace() and text[at : at + _STRIDE].isspace() for at in range(0, len(text) - _STRIDE + 1, _STRIDE)
    )


def count_by_pattern(encoding: tiktoken.Encoding, text: str) -> int:
    """Count tokens exactly, with the splits found by an engine without a limit. Slower than tiktoken, and linear."""
    single: Callable[[str], list[int]] = encoding._encode_single_piece
    return sum(len(single(match[0])) for match in _compiled(encoding._pat_str).finditer(text))


@lru_cache(maxsize=8)
def _compiled(pattern: str) -> regex.Pattern[str]:
    # "&&" between character sets means the same to both engines in V1 alone; all else they share is V0.
    return regex.compile(pattern, regex.V1 if "&&" in pattern else regex.V0)


def count_in_halves(encode: Encode, text: str) -> int:
    """Count a text that `encode` panics on as the sum of parts that it does not panic on.

    For encodings of others, with patterns we know nothing about; each cut may add a token.
    """
    total, waiting = 0, [text]
    while waiting:
        part = waiting.pop()
        try:
            total += len(encode(part))
        except BaseException as error:
            if not is_panic(error) or len(part) < 2:
                raise
            middle = len(part) // 2
            waiting += [part[:middle], part[middle:]]
    return total


def is_panic(error: BaseException) -> bool:
    """Whether this is Rust's panic in Python's clothes: pyo3 gives its class no importable name."""
    return type(error).__name__ == "PanicException"
