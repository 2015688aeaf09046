"""Paragraphs: sentences, then lines, then words."""

from __future__ import annotations

from ..blocks import Block
from .frame import Frame, margin_match, own_end, own_start
from .part import Joint, Part, Window
from .sentences import sentence_starts
from .words import Filler


def cut_prose(block: Block, window: Window) -> list[Part]:
    """Between sentences, then lines, words, graphemes.

    >>> from mdchunk_core.source import read
    >>> source = read("One two. Three four.")
    >>> window = Window(source, lambda text: len(text.split()), limit=3, room=3)
    >>> [source.text[part.start:part.end] for part in cut_prose(Block("paragraph", 0, 1), window)]
    ['One two.', 'Three four.']
    """
    frame = Frame(window, block.margin)
    source = window.source
    start, end = own_start(source, block), own_end(source, block)
    text = source.text[start:end]
    filler = Filler(frame, window.depth)
    parts: list[Part] = []
    cuts = [start, *(start + at for at in sentence_starts(text)), end]
    joint = Joint.BLOCK
    for at, upto in zip(cuts, cuts[1:]):
        parts += filler.fill(at, upto, joint, first=not parts, last=upto == end, lines=Joint.WORD)
        joint = Joint.SENTENCE
    return parts
