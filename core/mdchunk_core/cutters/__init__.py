"""Blocks above the limit, cut so that every part stands on its own: one cutter for each kind of block."""

from __future__ import annotations

from collections.abc import Mapping

from ..blocks import Block
from .fence import cut_fence, cut_indented
from .html import cut_html
from .items import cut_item, cut_list
from .lines import cut_lines, cut_mdx
from .math import cut_math
from .part import Cutter, Joint, Part, Window
from .prose import cut_definitions, cut_prose
from .quote import cut_footnote, cut_quote, cut_titled
from .table import cut_table

__all__ = ["CUTTERS", "Joint", "Part", "Window", "cut"]

CUTTERS: Mapping[str, Cutter] = {
    "admonition": cut_titled,
    "block_quote": cut_quote,
    "container": cut_titled,
    "fenced_code": cut_fence,
    "footnote_definition": cut_footnote,
    "heading": cut_prose,
    "html": cut_html,
    "indented_code": cut_indented,
    "link_reference": cut_definitions,
    "list": cut_list,
    "list_item": cut_item,
    "math": cut_math,
    "mdx": cut_mdx,
    "paragraph": cut_prose,
    "table": cut_table,
    "thematic_break": cut_lines,
}

DEEPEST = 24
"""Containers down to which blocks are taken apart. What is deeper is cut at its lines."""


def cut(block: Block, window: Window) -> list[Part]:
    """The parts of a block, in order, each within the window's limit with what is written around it.

    >>> from mdchunk_core.source import read
    >>> source = read("One two. Three four.")
    >>> window = Window(source, lambda text: len(text.split()), limit=3, room=3)
    >>> [source.text[part.start:part.end] for part in cut(Block("paragraph", 0, 1), window)]
    ['One two.', 'Three four.']
    """
    cutter = CUTTERS.get(block.kind, cut_lines) if window.depth < DEEPEST else cut_lines
    return cutter(block, window)
