"""The contract of the cutters, for their tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from mdchunk_core.blocks import Block
from mdchunk_core.cutters.part import Joint, Part, Window
from mdchunk_core.source import Source, read

_TOKEN = re.compile(r"\w{1,6}|[^\w\s]|\n")


def pieces(text: str) -> int:
    """A token counter much like a byte pair encoding: six letters, a mark, or a line feed."""
    return sum(1 for _ in _TOKEN.finditer(text))


def window(text: str, limit: int, room: int | None = None, count: Callable[[str], int] = pieces, **more: str) -> Window:
    """A window on a document."""
    return Window(read(text), count, limit, limit if room is None else room, **more)


def shown(parts: Sequence[Part], source: Source) -> list[str]:
    """Each part as a chunk of its own."""
    return [part.prefix + source.text[part.start : part.end] + part.suffix for part in parts]


def check_contract(parts: Sequence[Part], block: Block, window: Window) -> None:
    """What every cutter promises, whatever the block."""
    source, text = window.source, window.source.text
    lines = source.line_starts
    first = lines[block.start]
    assert parts
    assert parts[0].start in (first, first + block.column), "starts elsewhere"
    last = source.lines[block.stop - 1].rstrip()
    assert parts[-1].end == lines[block.stop - 1] + len(last), "ends elsewhere"
    assert parts[0].joint is Joint.BLOCK
    assert parts[0].prefix == window.first
    assert parts[-1].suffix == "", "the last part closes nothing"
    for part in parts:
        body = text[part.start : part.end]
        assert body.strip(), "a blank part"
        assert body == body.rstrip(), "white space at the end"
        assert window.count(part.prefix + body + part.suffix) <= window.limit, f"above the limit: {part}"
    for before, after in zip(parts, parts[1:]):
        assert before.end <= after.start
        assert not text[before.end : after.start].strip(), f"lost: {text[before.end : after.start]!r}"
        assert after.joint is not Joint.BLOCK or after.depth > window.depth
        repeated = window.count(after.prefix + after.suffix)
        assert 2 * repeated <= window.limit, f"repeats too much: {after}"
        if after.start not in lines[block.start : block.stop]:
            assert not text[after.start].isspace(), "a part in a line starts at a visible character"
            line = source.line_of(after.start)
            assert text[lines[line] : after.start].strip(" \t>"), "a part at a line starts at its first character"
