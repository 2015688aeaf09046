"""Paragraphs: sentences, then lines, then words. An embedded image is cut last and never together with text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from ..blocks import Block
from .frame import Frame, margin_match, own_end, own_start
from .part import Joint, Part, Window
from .sentences import rough_sentence_starts, sentence_starts
from .spans import masked, spans
from .words import Filler, outside

DATA = "data:"
"""Marks an image that stands in the text itself, base64 as a rule: one unit, however long."""


class _Unit(NamedTuple):
    start: int
    end: int
    joint: Joint
    data: bool = False


def cut_prose(block: Block, window: Window) -> list[Part]:
    """Between sentences, then lines, words, graphemes; inside links, code, addresses and numbers only at the last.

    >>> from mdchunk_core.source import read
    >>> source = read("One two. Three [four. Five](six).")
    >>> window = Window(source, lambda text: len(text.split()), limit=3, room=3)
    >>> [source.text[part.start:part.end] for part in cut_prose(Block("paragraph", 0, 1), window)]
    ['One two.', 'Three [four. Five](six).']
    """
    return _cut(block, window, lines=False)


def cut_definitions(block: Block, window: Window) -> list[Part]:
    r"""Between lines, then as prose.

    >>> from mdchunk_core.source import read
    >>> source = read("[a]: /b\n[c]: /d")
    >>> window = Window(source, lambda text: len(text.split()), limit=3, room=3)
    >>> [source.text[part.start:part.end] for part in cut_definitions(Block("link_reference", 0, 2), window)]
    ['[a]: /b', '[c]: /d']
    """
    return _cut(block, window, lines=True)


def _cut(block: Block, window: Window, *, lines: bool) -> list[Part]:
    frame = Frame(window, block.margin)
    start, end = own_start(frame.source, block), own_end(frame.source, block)
    text = frame.text[start:end]
    flat = _flat(block, frame, start, text)
    inline = spans(text)
    spared = [(span.start + start, span.end + start) for span in inline]
    if lines:
        sentences = list(frame.source.line_starts[block.start + 1 : block.stop])
    else:
        sentences = outside(spared, _at_lines(frame, start, sentence_starts(masked(flat, inline))))
    whole, data = Filler(frame, window.depth), Filler(frame, window.depth, share=1)
    parts: list[Part] = []
    for unit in _units(frame, start, end, sentences, spared):
        first, last = not parts, unit.end == end
        if unit.data:
            parts += data.fill(unit.start, unit.end, unit.joint, first=first, last=last, words=False)
            continue
        begin, stop = frame.trim(unit.start, unit.end)
        if begin >= stop:
            continue
        if frame.fits(begin, stop, first=first, last=last):
            parts.append(frame.part(begin, stop, unit.joint, window.depth, first=first, last=last))
            continue
        inside = _within(spared, unit)
        rough = [unit.start + at for at in rough_sentence_starts(flat[unit.start - start : unit.end - start])]
        cuts = [unit.start, *outside(inside, rough), unit.end]
        joint = unit.joint
        for at, upto in zip(cuts, cuts[1:]):
            parts += whole.fill(at, upto, joint, first=not parts, last=upto == end, spared=inside, lines=Joint.WORD)
            joint = Joint.SENTENCE
    _close_code(parts, frame, spared)
    return [parts[0]._replace(joint=Joint.BLOCK), *parts[1:]] if parts else []


def _close_code(parts: list[Part], frame: Frame, spared: list[tuple[int, int]]) -> None:
    """Close and open again the code spans that had to be cut.

    Three ticks at the start of a part would be a fence, unless as many follow on the same line.
    """
    text = frame.text
    for index in range(len(parts) - 1):
        before, after = parts[index], parts[index + 1]
        at = bisect_left(spared, (before.end,)) - 1
        if at < 0 or spared[at][1] <= after.start or text[spared[at][0]] != "`":
            continue
        start, end = spared[at]
        ticks = len(text[start:end]) - len(text[start:end].lstrip("`"))
        if before.end <= start + ticks or after.start >= end - ticks or (ticks > 2 and "\n" in text[start:end]):
            continue
        mark = "`" * ticks
        closed = before._replace(suffix=(" " if text[before.end - 1] == "`" else "") + mark + before.suffix)
        opened = after._replace(prefix=after.prefix + mark + (" " if text[after.start] == "`" else ""))
        if not frame.starts_line(after.start) and _fits(frame, closed) and _fits(frame, opened):
            parts[index : index + 2] = [closed, opened]


def _fits(frame: Frame, part: Part) -> bool:
    around = part.prefix + part.suffix
    return (
        frame.count(part.prefix + frame.text[part.start : part.end] + part.suffix) <= frame.limit
        and frame.count(around) * 2 <= frame.limit
    )


def _flat(block: Block, frame: Frame, start: int, text: str) -> str:
    """The paragraph as one line, as long as before: what its containers write before its lines is blank."""
    if not block.margin:
        return text.replace("\n", " ")
    pieces = []
    lines = frame.source.lines
    for number in range(block.start, block.stop):
        line = lines[number]
        if number == block.start:
            pieces.append(line[start - frame.source.line_starts[number] :])
        else:
            width = margin_match(line, block.margin)[0]
            pieces.append(" " * width + line[width:])
    return " ".join(pieces)[: len(text)]


def _at_lines(frame: Frame, start: int, sentences: list[int]) -> list[int]:
    """Offsets in the document; a sentence that starts a line starts with what stands before it on that line."""
    found = []
    text, source = frame.text, frame.source
    for sentence in sentences:
        at = sentence + start
        line = source.line_starts[source.line_of(at)]
        if line > start and not text[line:at].strip(" \t>"):
            at = line
        found.append(at)
    return found


def _units(frame: Frame, start: int, end: int, sentences: list[int], spared: list[tuple[int, int]]) -> Iterator[_Unit]:
    """Sentences, and embedded images that exceed the limit, in order."""
    text = frame.text
    images = [
        (begin, stop)
        for begin, stop in spared
        if stop - begin > frame.limit and DATA in text[begin : min(stop, begin + 400)] and not frame.fits(begin, stop)
    ]
    cuts = {at: Joint.LINE if frame.starts_line(at) else Joint.SENTENCE for at in sentences}
    for begin, stop in images:
        cuts.setdefault(begin, Joint.LINE if frame.starts_line(begin) else Joint.WORD)
        cuts.setdefault(stop, Joint.WORD)
    cuts.pop(end, None)
    cuts[start] = Joint.BLOCK
    ordered = sorted(cuts)
    starts = {begin for begin, _ in images}
    for at, upto in zip(ordered, [*ordered[1:], end]):
        yield _Unit(at, upto, cuts[at], at in starts)


def _within(spared: list[tuple[int, int]], unit: _Unit) -> list[tuple[int, int]]:
    first = bisect_left(spared, (unit.start,))
    stop = bisect_left(spared, (unit.end,))
    return spared[first:stop]
