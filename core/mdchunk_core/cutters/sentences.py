"""Where sentences end, in every script."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate

import regex
from sentencex import segment

from .._encodings import is_panic

AGREED = ("en", "de", "fr", "es", "pt", "nl", "pl")
"""A full stop in Latin script ends a sentence where none of these languages takes it for an abbreviation or ordinal.

Where the commonest words tell the language, only that one and English are asked: `it.` is an abbreviation in Dutch.
"""
COMMON: Mapping[str, frozenset[str]] = {
    "en": frozenset("the and of to is that it for with this are be not from by or".split()),
    "de": frozenset("der die und das ist nicht ein eine den mit für auf sich dem im zu von werden".split()),
    "fr": frozenset("le la les et des est une dans pour que qui pas sur du au avec ce".split()),
    "es": frozenset("el la los y las que una por con para es del se no al como su".split()),
    "pt": frozenset("o os e que do da em um uma para não com dos como mais ao se".split()),
    "nl": frozenset("de het een en van is dat op te niet zijn voor met die aan er".split()),
    "pl": frozenset("i w na z do nie że się jest to jak przez dla po ale są".split()),
}
CLEAR = 0.6
"""Share of the common words found that one language must have to be the text's."""
STRIDE = 4_096
"""Characters that are segmented in one go: the segmenter's work grows faster than the text."""

MOST_QUOTES = 96
"""Quotation marks in one go: looking for a partner of each takes the segmenter time squared."""

_QUOTE = re.compile("[`'\"«»‹›“”„‘’‚「」『』《》〈〉]")
_QUOTES = {ord(mark): "X" for mark in "`'\"«»‹›“”„‘’‚「」『』《》〈〉"}
_OTHER = (
    ("ru", regex.compile(r"\p{Cyrillic}")),
    ("el", regex.compile(r"\p{Greek}")),
    ("ar", regex.compile(r"\p{Arabic}")),
    ("hy", regex.compile(r"\p{Armenian}")),
    ("hi", regex.compile(r"\p{Devanagari}")),
    ("my", regex.compile(r"\p{Myanmar}")),
    ("am", regex.compile(r"\p{Ethiopic}")),
    ("ja", regex.compile(r"[\p{Hiragana}\p{Katakana}\p{Han}]")),
)
_WORDS = re.compile(r"[^\W\d_]+")
_LATIN = regex.compile(r"\p{Latin}")
_END = regex.compile(
    r"(?<=[^\W\d_]{5})[.!?]+[\"'”’»)\]*_]*\s++(?=[\"'“‘«(\[]?[\p{Lu}\p{Lo}])"
    r"|[。．！？｡।॥؟۔።။។]+[”’」』）》〉】\"')\]]*+\s*+(?!$)"
)
_ABBREVIATION = regex.compile(r"(?<!\w)\p{L}\p{Ll}{0,4}\.\s*+\Z")
"""Before a number: `Abs. 3`, `fig. 3`, `рис. 3`."""
_UNKNOWN_STOP = re.compile(r"[\u05c3\u0f0d\u0f0e\u17d4\u17d5]\s*(?=\S)")
"""Behind which sentences end in Hebrew, Tibetan and Khmer, and sentencex does not see it."""
_STOP = re.compile(
    r"[.!?…\u05c3\u0f0d\u0f0e\u17d5\u0589\u061f\u06d4\u0964\u0965\u104b\u1362\u17d4\u3002\uff01\uff0e\uff1f\uff61;:]"
)


_SURROGATE = re.compile("[\ud800-\udfff]")
_WIDE_SPACE = re.compile(r"[^\S\x00-\x7f]")


def sentence_starts(text: str) -> list[int]:
    """Offsets in `text`, ascending, at which a sentence starts behind another.

    >>> text = "Use size 3.5, e.g. here. Es gilt z. B. Nr. 4. 終わり。次。"
    >>> starts = [0, *sentence_starts(text), len(text)]
    >>> [text[a:b] for a, b in zip(starts, starts[1:])]
    ['Use size 3.5, e.g. here. ', 'Es gilt z. B. Nr. 4. ', '終わり。', '次。']
    """
    found: list[int] = []
    at = 0
    while at < len(text):
        chunk = text[at : at + STRIDE]
        if not _STOP.search(chunk):
            at += STRIDE
            continue
        starts = _agreed(chunk)
        if at + STRIDE < len(text):
            # What the window's end may have cut through is segmented again from the last sure sentence.
            starts = [start for start in starts if start < STRIDE - STRIDE // 8]
            step = starts[-1] if starts and starts[-1] > STRIDE // 2 else STRIDE - STRIDE // 8
        else:
            step = STRIDE
        found += [at + start for start in starts if not found or at + start > found[-1]]
        at += step
    return found


def rough_sentence_starts(text: str) -> list[int]:
    """The same by a plain pattern: for what the segmenter holds for one sentence, such as a long quotation."""
    return [match.end() for match in _END.finditer(text) if match.end() < len(text)]


def _agreed(text: str) -> list[int]:
    languages = [name for name, script in _OTHER if script.search(text)]
    if _LATIN.search(text) or not languages:
        languages += _latin(text)
    agreed: set[int] | None = None
    sure = {stop.end() for stop in _UNKNOWN_STOP.finditer(text)}
    calm = text.translate(_QUOTES) if len(_QUOTE.findall(text)) > MOST_QUOTES else text
    if not calm.isascii():
        calm = _SURROGATE.sub("\ufffd", calm)  # which sentencex does not take
    if "ar" in languages:
        calm = _WIDE_SPACE.sub(" ", calm)  # at which sentencex 1.0.32 panics behind an initial
    for language in languages:
        starts = _starts(language, calm)
        agreed = set(starts) if agreed is None else agreed.intersection(starts)
        if not agreed:
            break
    agreed = {at for at in agreed or () if not (text[at].isdecimal() and _ABBREVIATION.search(text, at - 8, at))}
    return sorted(agreed | sure)


def _latin(text: str) -> Sequence[str]:
    words = _WORDS.findall(text.lower())
    hits = {language: sum(map(common.__contains__, words)) for language, common in COMMON.items()}
    best = max(hits, key=lambda language: hits[language])
    if hits[best] >= 3 and hits[best] >= CLEAR * sum(hits.values()):
        return ("en",) if best == "en" else (best, "en")
    return AGREED


def _starts(language: str, text: str) -> list[int]:
    try:
        sentences: Sequence[str] = segment(language, text)
    except BaseException as error:
        if not is_panic(error):
            raise
        return rough_sentence_starts(text)
    starts = list(accumulate(map(len, sentences)))
    if not starts or starts[-1] != len(text) or "".join(sentences) != text:
        return rough_sentence_starts(text)
    return [start for start in starts[:-1] if start]
