"""What every cutter promises, checked on the parts that it made (docstring of `mdchunk_core.cutters.part`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mdchunk_core.blocks import Block
from mdchunk_core.cutters import cut
from mdchunk_core.cutters.part import Joint, Part, Window
from mdchunk_core.source import Source

Count = Callable[[str], int]


def words(text: str) -> int:
    """A tokenizer that counts words."""
    return len(text.split())


def letters(text: str) -> int:
    """A tokenizer that counts characters, so that no part can hide behind rounding."""
    return len(text)


def written(source: Source, part: Part) -> str:
    """The part as a chunk of its own."""
    return part.prefix + source.text[part.start : part.end] + part.suffix


def check_parts(
    block: Block, window: Window, parts: Sequence[Part], *, repeated: bool = True, room: bool = False
) -> None:
    """Assert the contract.

    `repeated`: what is repeated stays within half of the limit. `room`: the first part keeps to the room.
    """
    source, text, count = window.source, window.source.text, window.count
    starts = {source.line_starts[block.start], source.line_starts[block.start] + block.column}
    last = block.stop - 1
    stop = source.line_starts[last] + len(source.lines[last])
    end = min(starts) + len(text[min(starts) : stop].rstrip())
    if not text[min(starts) : end]:
        assert not parts, "parts of white space"
        return
    assert parts, "no parts"
    assert parts[0].start in starts or not text[min(starts) : parts[0].start].strip()
    assert parts[-1].end <= end
    assert not text[parts[-1].end : end].strip(), f"lost {text[parts[-1].end : end]!r}"
    assert parts[0].joint is Joint.BLOCK
    assert parts[0].prefix == window.first
    assert parts[-1].suffix == ""
    for part in parts:
        body = text[part.start : part.end]
        assert body.strip(), f"blank part {part}"
        assert body == body.rstrip(), f"white space at the end of {body!r}"
        size = count(written(source, part))
        assert size <= window.limit, f"{size} > {window.limit}: {written(source, part)!r}"
        at_line = part.start == 0 or text[part.start - 1] == "\n"
        assert at_line or not body[0].isspace(), f"white space at the start of {body!r}"
        if repeated and part is not parts[0]:
            around = count(part.prefix + part.suffix) - count("")
            assert 2 * around <= window.limit + 2, f"{around} tokens repeated: {part.prefix!r} {part.suffix!r}"
    if room:
        assert count(written(source, parts[0])) <= window.room
    for before, after in zip(parts, parts[1:]):
        assert before.end <= after.start
        assert not text[before.end : after.start].strip(), f"lost {text[before.end : after.start]!r}"
        assert after.depth >= window.depth
        assert after.joint is not Joint.BLOCK


def cut_checked(
    source: Source, block: Block, limit: int, count: Count = words, *, room: int | None = None
) -> list[Part]:
    """The parts of a document-level block, checked."""
    window = Window(source, count, limit, room or limit)
    parts = cut(block, window)
    check_parts(block, window, parts)
    return parts
