"""What a chunk below the minimum is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..signals import SIGNALS
from .records import Record

__all__ = ["CLASSES", "classify"]

CLASSES = {
    "document": "whole documents smaller than that",
    "heading": "headings and titles",
    "footer": "footers and page furniture",
    "note": "validity, version and scope notes",
    "table": "tables",
    "code": "code",
    "list": "lists",
    "remnant": "remnants of text",
}
"""Every class and what a reader calls it, in the order of a report."""

_OF_KIND = {
    "table": "table",
    "fenced_code": "code",
    "indented_code": "code",
    "list": "list",
}
_FOOTER = re.compile(
    r"(?i)\b(?:page|seite|página|pág\.|p\.|folie|slide)\s*\d+|第\s*\d+\s*(?:页|頁|ページ)|^\W*\d+\s*(?:/|of|von|de|sur)\s*\d+\W*$"
    r"|^\W*\d+\W*$|©|\(c\)\s*\d{4}|copyright|all rights reserved|confidential|vertraulich|confidentiel|confidencial"
)

_NOTE = re.compile(
    r"(?i)^(?:stand|version|gültig|geltungsbereich|geändert|ersetzt|valid|effective|last updated|supersedes|applies)\b"
)
"""For the lines that no signal names."""


def classify(record: Record, kinds: Sequence[str], *, alone: bool) -> str:
    """The class of a small chunk that holds blocks of these kinds; `alone` where its document has no other chunk."""
    if alone:
        return "document"
    if kinds and all(kind in ("heading", "thematic_break") for kind in kinds):
        return "heading"
    lines = [line.strip(" \t*_>#") for line in record.text.splitlines() if line.strip()]
    if 0 < len(lines) <= 3:
        if any(_FOOTER.search(line) for line in lines) and max(map(len, lines)) <= 120:
            return "footer"
        backward = [signal for signal in SIGNALS if signal.direction == "backward"]
        if any(_NOTE.search(line) or any(signal.matches(line) for signal in backward) for line in lines):
            return "note"
        if len(lines) == 1 and lines[0].endswith((":", "：")):
            return "heading"
    blocks = [kind for kind in kinds if kind != "heading"]
    return _OF_KIND.get(blocks[0], "remnant") if len(blocks) == 1 else "remnant"
