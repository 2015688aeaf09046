"""What a chunk below the minimum is."""

from __future__ import annotations

from collections.abc import Sequence

from ..signals import SIGNALS, Signal
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

_OF_KIND = {"table": "table", "fenced_code": "code", "indented_code": "code", "list": "list"}
_MOST_LINES = 3
"""Visible lines of a chunk that may be a title, note or footer as a whole."""


def classify(record: Record, kinds: Sequence[str], *, alone: bool) -> str:
    """The class of a small chunk that holds blocks of these kinds; `alone` where its document has no other chunk.

    Titles, notes and footers are told by the signals that merging knows.
    """
    if alone:
        return "document"
    if kinds and all(kind in ("heading", "thematic_break") for kind in kinds):
        return "heading"
    lines = [line.strip() for line in record.text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    found = [_signal(line) for line in lines] if len(lines) <= _MOST_LINES else []
    notes = [signal for signal in found if signal and signal.direction == "backward"]
    if notes:
        return "note" if any(signal.qualifies for signal in notes) else "footer"
    if len(found) == 1 and found[0]:
        return "heading"
    blocks = [kind for kind in kinds if kind != "heading"]
    return _OF_KIND.get(blocks[0], "remnant") if len(blocks) == 1 else "remnant"


def _signal(line: str) -> Signal | None:
    """The signal that the line is, wherever it stands."""
    return next((signal for signal in SIGNALS if not signal.beside and signal.matches(line)), None)
