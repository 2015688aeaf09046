"""gigatoken, where it is installed: the tokens that tiktoken gives for a shipped encoding, many times as fast."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Sized
from importlib import metadata, resources

Encode = Callable[[str], Sized]

TESTED = "0.10."
"""The versions whose tokens the tests show to be tiktoken's. No others are used."""
RENEWED = 1 << 26
"""Characters after which it is built again, since it remembers every word that it has seen."""

_SURE = re.compile(
    "[\x00-\u0294\u0296-\u0557\u0559-\u058a\u058d-\u05c7\u05ca-\u088e\u0890-\u0b52\u0b55-\u0c5b\u0c5d-\u0cdb\u0cdd-\u1ace"
    "\u1af1-\u208e\u2090-\u209c\u20a0-\ua7cd\ua7f2-\uab6b\uab6e-\ud7ff\ue000-\U000107ba\U0001d400-\U0001d6a5"
    "\U0001d6a7-\U0001d7ff\U0001f000-\U0002b739\U000f0000-\U0010ffff]*"
)
"""All but surrogates, rare scripts as a whole, and what tiktoken's older tables of Unicode class otherwise.

A text is matched whole: five times as fast as a search for what is not here."""


def is_tested() -> bool:
    """Whether gigatoken is installed, in a version that is used."""
    try:
        return metadata.version("gigatoken").startswith(TESTED)
    except metadata.PackageNotFoundError:
        return False


class GigatokenEncode:
    """Gives the tokens of a text; asks `exact` for them where gigatoken's might differ. Safe to share between threads.

    `ranks` is the name of a rank file in `data/`, `scheme` gigatoken's name for the pattern that splits a text.
    """

    def __init__(self, ranks: str, scheme: str, exact: Encode) -> None:
        self._ranks, self._scheme, self._exact = ranks, scheme, exact
        self._build()

    def _build(self) -> None:
        from gigatoken import Tokenizer

        with resources.as_file(resources.files(__package__) / "data" / self._ranks) as path:
            self._encode: Encode = Tokenizer.from_tiktoken(path, self._scheme, {}).backend.encode
        self._left = RENEWED

    @staticmethod
    def alike(text: str) -> bool:
        """Whether gigatoken's tokens are known to be tiktoken's."""
        return text.isascii() or _SURE.fullmatch(text) is not None

    def __call__(self, text: str) -> Sized:
        if not text.isascii() and _SURE.fullmatch(text) is None:  # `alike`, without the call
            return self._exact(text)
        self._left -= len(text)
        if self._left < 0:
            self._build()
        return self._encode(text)

    def counts(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has."""
        together = "".join(texts)
        if not self.alike(together):
            return [len(self(text)) for text in texts]
        self._left -= len(together)
        if self._left < 0:
            self._build()
        return list(map(len, map(self._encode, texts)))
