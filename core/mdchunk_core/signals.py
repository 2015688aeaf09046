"""The table of signals: lines that say which neighbour they belong to."""

from __future__ import annotations

import re
from typing import NamedTuple


class Signal(NamedTuple):
    """A pattern that decides in which direction a short block is merged."""

    name: str
    direction: str
    language: str
    pattern: str
    alone: bool = True
    before_structure: bool = False

    def matches(self, line: str) -> bool:
        return re.search(self.pattern, line) is not None


SIGNALS: tuple[Signal, ...] = (
    Signal("colon", "forward", "*", r"[:：][*_`\"”」)]*$", alone=False),
    Signal("bold_title", "forward", "*", r"^(\*\*|__)[^*_].{0,120}\1[:：.]?$"),
    Signal(
        "caption",
        "forward",
        "*",
        r"^[*_]*(?:Table|Figure|Fig\.|Listing|Tabelle|Abbildung|Abb\.|Tableau|Tabla|Figura|表|図|图|圖)\s?\d+",
        before_structure=True,
    ),
)
