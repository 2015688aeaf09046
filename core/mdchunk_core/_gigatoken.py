"""gigatoken, where it is installed: the tokens that tiktoken gives for a shipped encoding, many times as fast."""

from __future__ import annotations

import re
from collections.abc import Callable, Sized
from importlib import metadata, resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

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
        from numpy import uint8, zeros

        with resources.as_file(resources.files(__package__) / "data" / self._ranks) as path:
            built = Tokenizer.from_tiktoken(path, self._scheme, {}).backend
        vocabulary = built.vocab
        feeds = zeros(len(vocabulary), uint8)
        for token, written in vocabulary.items():
            if 10 in written:  # a line feed; seven times as fast as to look for b"\n"
                feeds[token] = written.count(10)
        self._feeds, self._fed = feeds, feeds > 0
        self._encode: Callable[[str], NDArray[uint32]] = built.encode
        self._left = RENEWED

    @staticmethod
    def alike(text: str) -> bool:
        """Whether gigatoken's tokens are known to be tiktoken's."""
        return text.isascii() or _SURE.fullmatch(text) is not None

    def __call__(self, text: str) -> Sized:
        return self._tokens(text) if self.alike(text) else self._exact(text)

    def _tokens(self, text: str) -> NDArray[uint32]:
        self._left -= len(text)
        if self._left < 0:
            self._build()
        return self._encode(text)

    def before_lines(self, text: str) -> list[int] | None:
        """Tokens before each line of a text and before its end, where a token ends there; any number elsewhere.

        None where gigatoken's might differ. Takes a third of the time that counting the lines one by one does.
        """
        from numpy import zeros

        if not self.alike(text):
            return None
        tokens = self._tokens(text)
        (fed,) = self._fed.take(tokens).nonzero()
        lines = self._feeds[tokens[fed]].cumsum()
        before = zeros(lines[-1] + 2 if len(lines) else 2, int)
        before[lines] = fed + 1
        before[-1] = len(tokens)
        sums: list[int] = before.tolist()
        return sums
