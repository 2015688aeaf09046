"""Bytes to text, never by guessing in silence and never with a character replaced."""

from __future__ import annotations

import codecs
from typing import NamedTuple

from charset_normalizer import from_bytes

__all__ = ["Decoded", "UndecodableError", "decode"]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CANDIDATES = ["cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1256",
               "cp932", "euc_jp", "gb18030", "big5", "cp949"]  # fmt: skip
"""What text files are written in where not in Unicode. With all that exist, those of DOS win far too often."""
_SAMPLE = 1_000_000
"""Bytes that the detector sees of a large file. The whole file is decoded, strictly, whatever it says."""


class UndecodableError(ValueError):
    """What is wrong, with the byte offset."""


class Decoded(NamedTuple):
    """A document's text."""

    text: str
    """Without the byte-order mark, line endings as they are."""
    encoding: str
    detected: str = ""
    """Where the encoding was detected: why it is not UTF-8. Empty where it was given, marked, or UTF-8."""


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """The text of a file: in the encoding given, or by its byte-order mark, or UTF-8, or what is clearly detected.

    Raises UndecodableError, naming the byte offset, where none of these reads all of it.

    >>> decode("Grüße".encode())
    Decoded(text='Grüße', encoding='utf-8', detected='')
    """
    for mark, marked in _MARKS:
        if data.startswith(mark) and encoding in (None, marked):
            return Decoded(_strict(data, marked, len(mark)), marked)
    if encoding is not None:
        return Decoded(_strict(data, encoding), encoding)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _detect(data, error)
    if 10 * data.count(0) > len(data):
        raise UndecodableError(f"binary, or UTF-16 without a byte-order mark: NUL at byte {data.index(0)}")
    return Decoded(text, "utf-8")


def _strict(data: bytes, encoding: str, skip: int = 0) -> str:
    try:
        return data[skip:].decode(encoding)
    except UnicodeDecodeError as error:
        at = error.start + skip
        raise UndecodableError(f"not {encoding}: byte 0x{data[at]:02x} at offset {at}, {error.reason}") from None


def _detect(data: bytes, error: UnicodeDecodeError) -> Decoded:
    why = f"not UTF-8 (byte 0x{data[error.start]:02x} at offset {error.start})"
    if 0 in data:
        raise UndecodableError(f"{why} and binary: NUL at byte {data.index(0)}")
    if _damaged(data):
        raise UndecodableError(f"{why}, though most of it is: damaged, or two encodings in one file")
    matches = list(from_bytes(data[:_SAMPLE], cp_isolation=_CANDIDATES, enable_fallback=False))
    readings: dict[str, str] = {}
    for match in matches:
        # Scores are mess (0 is best) and likeness to a language (1 is best). What is this close is no decision.
        if match.chaos <= matches[0].chaos + 0.02 and match.coherence >= matches[0].coherence - 0.05:
            readings.setdefault(str(match), match.encoding)
    if not readings or matches[0].chaos > 0.1:
        raise UndecodableError(f"{why}, and no other encoding fits: name it with --encoding")
    if len(readings) > 1:
        raise UndecodableError(f"{why}, could be {' or '.join(readings.values())}: name it with --encoding")
    found = matches[0].encoding
    return Decoded(_strict(data, found), found, why)


def _damaged(data: bytes) -> bool:
    """Whether a file that is not UTF-8 throughout has more good UTF-8 in it than bad bytes."""
    sample = data[:_SAMPLE]
    text = sample.decode("utf-8", "surrogateescape")
    bad = sum("\udc80" <= char <= "\udcff" for char in text)
    beyond_ascii = len(text) - sum(map(text.count, map(chr, range(128)))) - bad
    return beyond_ascii > bad
