"""gigatoken, where it is installed: the tokens that tiktoken gives for a shipped encoding, many times as fast."""

from __future__ import annotations

import re
from collections.abc import Callable, Sized
from importlib import metadata, resources

Encode = Callable[[str], Sized]

TESTED = "0.10."
"""The versions whose tokens the tests show to be tiktoken's. No others are used."""
RENEWED = 1 << 26
"""Characters after which it is built again, since it remembers every word that it has seen."""

_UNSURE = re.compile(
    "[\u0295\u0558\u058b\u058c\u05c8\u05c9\u088f\u0b53\u0b54\u0c5c\u0cdc\u1acf-\u1af0\u208f\u209d-\u209f\ua7ce-\ua7f1"
    "\uab6c\uab6d\ud800-\udfff\U000107bb-\U0001d3ff\U0001d6a6\U0001d800-\U0001efff\U0002b73a-\U000effff]"
)
"""What Unicode classes otherwise than when tiktoken's tables were made, rare scripts as a whole; surrogates."""


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
        return text.isascii() or not _UNSURE.search(text)

    def __call__(self, text: str) -> Sized:
        if not text.isascii() and _UNSURE.search(text):  # `alike`, without the call
            return self._exact(text)
        self._left -= len(text)
        if self._left < 0:
            self._build()
        return self._encode(text)
