r"""Display formulas: `$$`, or `\[` and `\]`, closed and opened again around every cut."""

from __future__ import annotations

from ..blocks import Block
from .frame import Frame, margin_match, own_end, own_start
from .part import Joint, Part, Window
from .words import Filler

DOLLARS = ("$$", "$$")
BRACKETS = ("\\[", "\\]")


def cut_math(block: Block, window: Window) -> list[Part]:
    r"""Between rows that end in `\\`, then lines, then words.

    >>> from mdchunk_core.source import read
    >>> source = read("$$\na = 1 \\\\\nb = 2\n$$")
    >>> window = Window(source, lambda text: len(text.split()), limit=7, room=7)
    >>> [part.prefix + source.text[part.start:part.end] + part.suffix for part in cut_math(Block("math", 0, 4), window)]
    ['$$\na = 1 \\\\\n$$', '$$\nb = 2\n$$']
    """
    source = window.source
    start, end = own_start(source, block), own_end(source, block)
    first = source.lines[block.start].rstrip()
    opening, closing = BRACKETS if first.endswith(BRACKETS[0]) else DOLLARS
    frame = Frame(window, block.margin, [block.margin + opening + "\n"], "\n" + block.margin + closing)
    inner = [source.lines[n][margin_match(source.lines[n], block.margin)[0] :] for n in range(block.start, block.stop)]
    low, high = block.start, block.stop
    if block.stop - block.start > 2:
        low += first.endswith(opening)
        high -= inner[-1].strip().startswith(closing)
    rows = [low + 1 + k for k, line in enumerate(inner[low - block.start : high - block.start - 1]) if _ends_row(line)]
    cuts = [start, *(source.line_starts[number] for number in rows), end]
    filler = Filler(frame, window.depth)
    parts: list[Part] = []
    joint = Joint.BLOCK
    behind = source.line_starts[low] if low > block.start else start
    before = source.line_starts[high] if high < block.stop else end
    for at, upto in zip(cuts, cuts[1:]):
        parts += filler.fill(
            at, upto, joint, first=not parts, last=upto == end, lines=Joint.LINE, low=behind, high=before
        )
        joint = Joint.ITEM
    return [parts[0]._replace(joint=Joint.BLOCK), *parts[1:]] if parts else []


def _ends_row(line: str) -> bool:
    """Whether a formula's row ends with the line: a double backslash, perhaps with a distance in brackets."""
    line = line.rstrip()
    return line.endswith("\\\\") or (line.endswith("]") and "\\\\[" in line[-24:])
