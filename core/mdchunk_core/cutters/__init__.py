"""Blocks above the limit, cut so that every part stands on its own: one cutter for each kind of block."""

from __future__ import annotations

from collections.abc import Mapping

from ..blocks import Block
from .lines import cut_lines
from .part import Cutter, Joint, Part, Window
from .prose import cut_prose

__all__ = ["CUTTERS", "Joint", "Part", "Window", "cut"]

CUTTERS: Mapping[str, Cutter] = {
    "heading": cut_prose,
    "paragraph": cut_prose,
    "fenced_code": cut_lines,
    "indented_code": cut_lines,
    "table": cut_lines,
    "list": cut_lines,
    "list_item": cut_lines,
    "block_quote": cut_lines,
    "html": cut_lines,
    "thematic_break": cut_lines,
    "link_reference": cut_lines,
    "footnote_definition": cut_lines,
    "math": cut_lines,
    "admonition": cut_lines,
    "container": cut_lines,
    "mdx": cut_lines,
}


def cut(block: Block, window: Window) -> list[Part]:
    """The parts of a block, in order, each within the window's limit with what is written around it."""
    return CUTTERS.get(block.kind, cut_lines)(block, window)
