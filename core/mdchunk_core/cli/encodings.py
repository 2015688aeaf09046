"""Bytes to text, never by guessing in silence and never with a character replaced."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from charset_normalizer import CharsetMatch, from_bytes

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
"""What text files are written in where not in Unicode, the most usual first. With all that exist, those of DOS win far
too often."""
_SCRIPTS = {
    "cp932": ("[\u3040-\u30ff]", 0.15),
    "euc_jp": ("[\u3040-\u30ff]", 0.15),
    "cp949": ("[\uac00-\ud7a3]", 0.6),
    "gb18030": ("[\u4e00-\u9fff]", 0.8),
    "big5": ("[\u4e00-\u9fff]", 0.8),
}
"""Letters that a text of this encoding must have, and their least share of those outside ASCII. Japanese bytes can be
read as Korean or Chinese too, and the detector sees no harm in that."""
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
    found = from_bytes(data[:_SAMPLE], cp_isolation=_CANDIDATES, enable_fallback=False)
    matches = [match for match in found if _has_its_script(match)]
    if not matches or matches[0].chaos > 0.1:
        raise UndecodableError(f"{why}, and no other encoding fits: name it with --encoding")
    best = matches[0]
    # Scores are mess (0 is best) and likeness to a language (1 is best, 0 is unknown). What is this close is undecided.
    most = best.chaos + (0.02 if best.coherence else 0.1)
    readings: dict[str, str] = {}
    for match in matches:
        if match.chaos <= most and match.coherence >= best.coherence - 0.05:
            readings.setdefault(str(match), match.encoding)
    if len(readings) > 1:
        raise UndecodableError(f"{why}, could be {' or '.join(readings.values())}: name it with --encoding")
    alike = {best.encoding, *best.could_be_from_charset}  # read to the same text: the most usual name
    name = next((candidate for candidate in _CANDIDATES if candidate in alike), best.encoding)
    return Decoded(_strict(data, name), name, why)


def _has_its_script(match: CharsetMatch) -> bool:
    if match.encoding not in _SCRIPTS:
        return True
    script, share = _SCRIPTS[match.encoding]
    letters = [char for char in str(match) if char > "\x7f" and char.isalpha()]
    return bool(letters) and len(re.findall(script, "".join(letters))) >= share * len(letters)


def _damaged(data: bytes) -> bool:
    """Whether a file that is not UTF-8 throughout has more good UTF-8 in it than bad bytes."""
    sample = data[:_SAMPLE]
    text = sample.decode("utf-8", "surrogateescape")
    bad = sum("\udc80" <= char <= "\udcff" for char in text)
    beyond_ascii = len(text) - sum(map(text.count, map(chr, range(128)))) - bad
    return beyond_ascii > bad
