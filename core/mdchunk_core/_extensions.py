"""Blocks that CommonMark and GFM do not know: found in what they make of the lines, and never across a heading."""

from __future__ import annotations

from ._leaves import Span


def extended(lines: list[str], found: list[Span]) -> list[Span]:
    return found
