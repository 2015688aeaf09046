"""Lines: code, formulas, and whatever has no structure that we know."""

from __future__ import annotations

from collections.abc import Callable

from ..blocks import Block, own_first_line
from .frame import Frame, margin_match, own_end, own_start
from .html import cut_html
from .part import Joint, Part, Window
from .words import Filler

JointBefore = Callable[[int], Joint]
"""The joint before a line that follows a blank line, by the line's number."""


def cut_lines(block: Block, window: Window) -> list[Part]:
    r"""Between blank lines, then lines, then inside a line at spaces.

    >>> from mdchunk_core.source import read
    >>> source = read("a b\nc d\n\ne f g h")
    >>> window = Window(source, lambda text: len(text.split()), limit=3, room=3)
    >>> [source.text[part.start:part.end] for part in cut_lines(Block("html", 0, 4), window)]
    ['a b', 'c d', 'e f', 'g h']
    """
    return line_parts(block, window, Frame(window, block.margin))


def cut_mdx(block: Block, window: Window) -> list[Part]:
    """Components as HTML elements; imports and exports as lines."""
    line = own_first_line(window.source, block)
    return cut_html(block, window) if line.lstrip().startswith("<") else cut_lines(block, window)


def line_parts(
    block: Block,
    window: Window,
    frame: Frame,
    *,
    head: int = 0,
    tail: int = 0,
    after_blank: JointBefore = lambda number: Joint.BLANK,
) -> list[Part]:
    """The parts of a block by lines. The first `head` and last `tail` lines do not stand alone."""
    source = frame.source
    begin, end = own_start(source, block), own_end(source, block)
    low = source.line_starts[block.start + head] if head else begin
    high = source.line_starts[block.stop - tail] if tail else end
    filler = Filler(frame, window.depth)
    parts: list[Part] = []
    for first_line, stop_line in _runs(block, frame, head, tail):
        joint = after_blank(first_line)
        start = begin if first_line == block.start else source.line_starts[first_line]
        stop = end if stop_line == block.stop else source.line_starts[stop_line] - 1
        span = frame.trim(start, stop)
        if span[0] >= span[1]:
            continue
        if frame.fits(*span, first=not parts, last=stop == end):
            parts.append(frame.part(*span, joint, window.depth, first=not parts, last=stop == end))
            continue
        inner = [at for at in source.line_starts[first_line + 1 : stop_line] if at < stop]
        cuts = [start, *(at for at in inner if (at > low or not head) and (at < high or not tail)), stop]
        for at, upto in zip(cuts, cuts[1:]):
            parts += filler.fill(at, upto, joint, first=not parts, last=upto == end, low=low, high=high)
            joint = Joint.LINE
    return [parts[0]._replace(joint=Joint.BLOCK), *parts[1:]] if parts else []


def _runs(block: Block, frame: Frame, head: int, tail: int) -> list[tuple[int, int]]:
    """Lines from one that follows a blank line to the next such, half-open. Blank lines are with what they follow."""
    starts = [block.start]
    blank = False
    lines = frame.source.lines
    for number in range(block.start + head + 1, block.stop - tail):
        line = lines[number]
        if not line.strip().strip(" \t>") and not line[margin_match(line, block.margin)[0] :].strip():
            blank = True
        elif blank:
            starts.append(number)
            blank = False
    return list(zip(starts, [*starts[1:], block.stop]))
