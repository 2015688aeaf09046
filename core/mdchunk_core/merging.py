"""Which neighbours belong together, in which direction, and why (DESIGN.md section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .blocks import Block
from .signals import SIGNALS, Signal
from .source import Source

INTRODUCED = frozenset({"table", "fenced_code", "indented_code", "list", "block_quote", "html", "math", "admonition"})


class Bond(NamedTuple):
    """Holds a block to the block before it."""

    direction: str
    """`forward`: the block before belongs to this one. `backward`: this one belongs to the block before."""
    rule: str
    signal: str
    heading: bool = False

    @property
    def lead_in(self) -> bool:
        return self.direction == "forward" and not self.heading


def bonds(source: Source, blocks: Sequence[Block], signals: Sequence[Signal] = ()) -> dict[int, Bond]:
    """The bonds of a document, by the index of the second of the two blocks."""
    found: dict[int, Bond] = {}
    for index in range(1, len(blocks)):
        before, after = blocks[index - 1], blocks[index]
        if before.kind == "heading":
            what = "heading" if after.kind == "heading" else "body"
            found[index] = Bond("forward", f"heading -> {what}", "heading", heading=True)
        elif before.kind == "paragraph" and after.kind != "heading":
            last = source.lines[before.stop - 1].strip()
            if len(last) > 200:
                continue
            for signal in (*signals, *SIGNALS):
                if signal.matches(last) and (not signal.alone or before.stop - before.start == 1):
                    if signal.before_structure and after.kind not in INTRODUCED:
                        continue
                    found[index] = Bond("forward", f"{signal.name} -> {after.kind}", signal.name)
                    break
    return found
