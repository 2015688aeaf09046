"""Stage 3: the heading tree over the document's blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .blocks import Block, heading_text, labels
from .source import Source


class Section(NamedTuple):
    """A heading and what follows it up to the next heading of any level. Section 0 is what stands above the first."""

    first: int
    """Index of its first block: the heading itself, but for section 0."""
    level: int
    """1-6; 0 for section 0."""
    depth: int
    """Number of headings in `path`: how deep it lies in the tree, whatever levels were skipped."""
    path: tuple[str, ...]
    """Plain heading texts, outermost first, its own included."""
    levels: tuple[int, ...] = ()
    """Their levels, 1-6."""


def outline(source: Source, blocks: Sequence[Block]) -> tuple[Section, ...]:
    """Sections in document order. Only headings at document level count."""
    sections = [Section(0, 0, 0, ())]
    levels: list[int] = []
    texts: list[str] = []
    known = labels(source, blocks)
    for index, block in enumerate(blocks):
        if block.kind != "heading":
            continue
        level = block.level
        while levels and levels[-1] >= level:
            levels.pop()
            texts.pop()
        levels.append(level)
        texts.append(heading_text(source, block, known))
        sections.append(Section(index, level, len(texts), tuple(texts), tuple(levels)))
    return tuple(sections)
