"""HTML: a table between rows under its header, then between cells; other HTML between elements, tags reopened."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from ..blocks import Block
from ._filling import Between, cut_text
from ._html_around import (
    NOTHING,
    Around,
    Layer,
    Surroundings,
    columns,
    layer,
    row_layer,
    rows_spanned,
    table_header,
    table_layer,
)
from ._html_tags import Element, elements
from .frame import SURE, far_above, own_end, own_start, sure
from .part import Joint, Part, Window

_DEEPEST = 12
"""Elements within elements that are looked into; what is deeper is cut as text."""

_GROUPS = ("thead", "tbody", "tfoot")
_BEFORE_ROWS = ("caption", "colgroup", "col")
_FENCE_LINE = re.compile(r"^[ \t]*(?:(`{3,})[^`\n]*|(~{3,})[^\n]*)$", re.MULTILINE)
_CLOSING = re.compile(r"(?:[\s>]|</[^<>]*>)*")
_LONGEST_CLOSING = 64
_BLANK = " \t>"


def cut_html(block: Block, window: Window) -> list[Part]:
    r"""Parts with the tags around them opened and closed; those of a table under its header.

    >>> from mdchunk_core.source import read
    >>> source = read("<table>\n<tr><th>a\n<tr><td>one\n<tr><td>two\n<tr><td>three\n</table>")
    >>> parts = cut_html(Block("html", 0, 6), Window(source, lambda text: text.count("<"), limit=8, room=8))
    >>> [source.text[part.start : part.end] for part in parts]
    ['<table>\n<tr><th>a\n<tr><td>one', '<tr><td>two', '<tr><td>three\n</table>']
    >>> parts[1].prefix, parts[1].suffix
    ('<table>\n<tr><th>a\n', '\n</table>')
    """
    return _Html(block, window).parts()


_Line = tuple[int, int, bool]
"""Start, end, and whether a blank line stands before."""


class _Unit(NamedTuple):
    """An element, several, or text between elements: `text[start:end]`."""

    start: int
    end: int
    element: Element | None
    members: Sequence[Element] = ()
    """The rows that a cell spans."""


class _Place(NamedTuple):
    """A stretch that lies in elements, and what is written around it when a chunk starts or ends with it."""

    start: int
    end: int
    before: Around
    after: Around
    layers: tuple[Layer, ...]
    joint: Joint
    depth: int
    """Of the boundary before it, below the window's."""
    base: int
    """Of the boundaries inside it, but for what it adds itself."""
    level: int = 0
    header: int = -1
    """Where the header of the innermost table starts."""


class _Html:
    def __init__(self, block: Block, window: Window) -> None:
        source = window.source
        self.window = window
        self.text = source.text
        self.count = window.count
        self.limit = window.limit
        self.margin = block.margin
        self.margin_tokens = window.count(block.margin)
        self.start, self.end = own_start(source, block), own_end(source, block)
        self.fences = _fences(self.text, self.start, self.end)
        self.markup = _without_code(_without_margins(block, window), self.fences)
        self.surroundings = Surroundings(window, block.margin)
        self.made: list[Part] = []

    def parts(self) -> list[Part]:
        root = elements(self.markup, self.start, self.end)
        first = Around(self.window.first, "", self.count(self.window.first) if self.window.first else 0)
        # The children of one outermost element are at the block's own depth.
        base = -2 if len(root.children) == 1 else -1
        place = _Place(self.start, self.end, first, Around("", ""), (), Joint.BLOCK, 0, base)
        if self._fits(place, self.limit if self.window.room >= self.limit else self.window.room):
            self._emit(place)
        elif root.children:
            self._cut_inside(root, place)
        else:
            self._cut_text(root, place)
        return self.made

    # Elements

    def _put(self, unit: _Unit, place: _Place) -> None:
        if self._fits(place, self._room(place)) or (self._is_row(unit) and self._fits(place, self.limit)):
            self._emit(place)
        elif unit.members:
            self._cut_units([_Unit(row.start, row.end, row) for row in unit.members], place, place.layers)
        elif unit.element is not None and unit.element.children and place.level < _DEEPEST:
            self._cut_inside(unit.element, place)
        else:
            self._cut_text(unit.element, place)

    def _cut_inside(self, element: Element, place: _Place) -> None:
        """Between the children of an element; its tags stay with the first and the last."""
        place = place._replace(level=place.level + 1)
        if element.name == "tr":
            self._cut_row(element, place)
            return
        if element.name not in _GROUPS:
            place = place._replace(base=place.base + 1)
        if element.name == "table":
            header = table_header(self.text, element)
            place = place._replace(header=header.start if header else -1)
            made = table_layer(self.text, element, header, self.limit)
        else:
            made = layer(self.text, element, self.limit)
        layers = place.layers if made == NOTHING else (*place.layers, made)
        self._cut_units(self._units(element), place, layers)

    def _cut_units(self, units: Sequence[_Unit], place: _Place, layers: tuple[Layer, ...]) -> None:
        known: dict[tuple[bool, ...], Around] = {}

        def inside(at: int) -> Around:
            shown = tuple([at >= layer.shown for layer in layers])
            if shown not in known:
                known[shown] = self.surroundings.around(layers, at)
            return known[shown]

        here = place._replace(layers=layers)
        glued = False
        for number, unit in enumerate(units):
            last = number == len(units) - 1
            if number and not glued:
                start = self._line_start(unit.start)
                here = here._replace(start=start, before=inside(start), joint=Joint.ITEM, depth=place.base)
            end = place.end if last else self._trimmed(unit.end)
            glued = not last and self._leads(unit, place) and self._leaves_room(here.start, end, units[number + 1])
            if not glued:
                self._put(unit, here._replace(end=end, after=place.after if last else inside(end)))

    def _leads(self, unit: _Unit, place: _Place) -> bool:
        """Whether it is a table's caption or header: what must not be left without the row behind it."""
        return unit.element is not None and (unit.start == place.header or unit.element.name in _BEFORE_ROWS)

    def _leaves_room(self, start: int, end: int, following: _Unit) -> bool:
        """Whether the row behind a header can share its part, in full or at least in part."""
        if self.count(self.text[start:end]) <= self.limit // 2:
            return True
        row = following.element
        if row is not None and row.name in _GROUPS and row.children:
            row = row.children[0]
        return row is not None and self.count(self.text[start : row.end]) + self.limit // 8 <= self.limit

    def _units(self, element: Element) -> list[_Unit]:
        """The children of an element and the text between them, in order; nothing visible is left out."""
        units: list[_Unit] = []
        at = element.inner
        for child in element.children:
            self._add_text(units, at, child.start)
            units.append(_Unit(child.start, child.end, child))
            at = child.end
        self._add_text(units, at, element.close)
        return self._spanned(units) if any(child.name == "tr" for child in element.children) else units

    def _add_text(self, units: list[_Unit], start: int, end: int) -> None:
        while start < end and self.markup[start].isspace():
            start += 1
        if start == end:
            return
        if units and end - start <= _LONGEST_CLOSING and _CLOSING.fullmatch(self.markup, start, end):
            units[-1] = units[-1]._replace(end=end)
        else:
            units.append(_Unit(start, end, None))

    def _spanned(self, units: list[_Unit]) -> list[_Unit]:
        """Rows that share a cell are one unit."""
        joined: list[_Unit] = []
        left = 0
        for unit in units:
            row = unit.element
            if row is None or row.name != "tr":
                left = 0
                joined.append(unit)
                continue
            if left > 0:
                first = joined[-1]
                members = first.members or ((first.element,) if first.element else ())
                joined[-1] = _Unit(first.start, unit.end, first.element, (*members, row))
            else:
                joined.append(unit)
            left = max(left, rows_spanned(self.text, row)) - 1
        return joined

    def _cut_row(self, row: Element, place: _Place) -> None:
        """Between cells, gathered up to a quarter of the limit; the first one is shown again as label."""
        own = layer(self.text, row, self.limit)
        units = self._units(row)
        cells = [unit.element for unit in units if unit.element is not None]
        sizes: list[int] = []
        number = at = shown = 0
        while number < len(units):
            stop, total = number, 0
            while stop < len(units):
                if stop == len(sizes):
                    sizes.append(self._up_to(units[stop], self.limit // 4))
                total += sizes[stop]
                if stop > number and total > self.limit // 4:
                    break
                stop += 1
            begin, last = units[number].start, stop == len(units)
            while at < len(cells) and cells[at].start < begin:
                shown += columns(self.text, cells[at])
                at += 1
            made = row_layer(self.text, own, cells, shown, self.limit) if shown else own
            layers = (*place.layers, made)
            start = self._line_start(begin) if number else place.start
            here = self.surroundings.around(layers, start)
            end = place.end if last else self._trimmed(units[stop - 1].end)
            part = place._replace(
                start=start,
                end=end,
                before=here if number else place.before,
                after=place.after if last else here,
                layers=layers,
                joint=Joint.CELL if number else place.joint,
                depth=place.base if number else place.depth,
            )
            if stop - number > 1 and not self._fits(part, self._room(part)):
                stop = number + 1
                last = stop == len(units)
                end = place.end if last else self._trimmed(units[number].end)
                part = part._replace(end=end, after=place.after if last else here)
            self._put(units[number] if stop - number == 1 else _Unit(begin, end, None), part)
            number = stop

    def _up_to(self, unit: _Unit, most: int) -> int:
        """Tokens of a unit; some number above `most` if it has far more."""
        text = self.text[unit.start : unit.end]
        return most + 1 if far_above(self.count, text, most) else self.count(text)

    # Text

    def _cut_text(self, element: Element | None, place: _Place) -> None:
        """At lines, then sentences and words; an element's tags stay with its first and last line."""
        made = layer(self.text, element, self.limit) if element else NOTHING
        layers = place.layers if made == NOTHING else (*place.layers, made)
        inner = self.surroundings.around(layers, place.start)
        keep, tail = (element.inner, element.close) if element and element.name else (place.start, place.end)
        keep, tail = min(max(keep, place.start), place.end), max(min(tail, place.end), place.start)
        if self.count(self.text[place.start : keep]) > self.limit // 2:
            keep = place.start
        while keep < tail and self.markup[keep].isspace():
            keep += 1
        while tail > keep and self.markup[tail - 1].isspace():
            tail -= 1

        lines = list(self._lines(place.start, place.end, keep, tail))

        def line(start: int, end: int, blank: bool, before: Around = inner, after: Around = inner) -> _Place:
            first = start == lines[0][0]
            return place._replace(
                start=start,
                end=end,
                before=place.before if first else before,
                after=place.after if end == lines[-1][1] else after,
                joint=place.joint if first else Joint.BLANK if blank else Joint.LINE,
                depth=place.depth if first else place.base,
            )

        for group in self._by_fence(lines):
            whole = line(group[0][0], group[-1][1], group[0][2])
            if self._fits(whole, self._room(whole)):
                self._emit(whole)
                continue
            code = self._reopened(inner, group[0][0]) if len(group) > 1 else inner
            for start, end, blank in group:
                opens, closes = start == group[0][0], end == group[-1][1]
                part = line(start, end, blank, inner if opens else code, inner if closes else code)
                if self._fits(part, self._room(part)):
                    self._emit(part)
                else:
                    self._cut_line(part, code, keep, tail)

    def _reopened(self, inner: Around, start: int) -> Around:
        """What is written around parts of the fenced code at this offset, if it takes no more than half the limit."""
        fence = self.fences[self._first_fence(start)][0]
        opening = self.text[fence : self.text.index("\n", fence) + 1]
        code = opening.lstrip()
        marks = opening[: len(opening) - len(code.lstrip(code[0]))]
        before, after = self.count(opening), self.count("\n" + marks)
        around = Around(
            inner.prefix + opening,
            f"\n{marks}{inner.suffix}",
            inner.prefix_tokens + before,
            inner.suffix_tokens + after,
        )
        return around if around.prefix_tokens + around.suffix_tokens <= self.limit // 2 else inner

    def _by_fence(self, lines: Sequence[_Line]) -> list[list[_Line]]:
        """The lines of a fenced code block together, every other line by itself."""
        groups: list[list[_Line]] = []
        for line in lines:
            number = self._first_fence(line[0])
            if groups and number < len(self.fences) and groups[-1][-1][1] > self.fences[number][0]:
                groups[-1].append(line)
            else:
                groups.append([line])
        return groups

    def _first_fence(self, at: int) -> int:
        """The number of the first one that ends behind an offset."""
        return bisect_right(self.fences, at, key=itemgetter(1))

    def _lines(self, start: int, end: int, keep: int, tail: int) -> Iterator[_Line]:
        """Start, end, and whether a blank line stands before; lines of margin alone stay with the one above."""
        held: _Line | None = None
        blank = False
        at = start
        while at < end:
            stop = self.text.find("\n", max(at, keep), end)
            stop = end if stop < 0 or stop >= tail else stop
            body = self.text[at:stop].rstrip()
            if not body:
                blank = True
            elif held and not body.strip(_BLANK):
                held = (held[0], at + len(body), held[2])
                blank = True
            else:
                if held:
                    yield held
                held = (at, at + len(body), blank)
                blank = False
            at = stop + 1
        if held:
            yield held

    def _cut_line(self, place: _Place, inner: Around, keep: int, tail: int) -> None:
        low = place.start
        while low < place.end and self.markup[low] in " \t":
            low += 1
        after = self._suffix(place)
        around = Between(
            self.window,
            first=self._prefix(place),
            inside=inner.prefix + self.margin,
            closing=inner.suffix,
            after=after,
            room=self._room(place),
        )
        depth, base = (self.window.depth + max(0, level) for level in (place.depth, place.base))
        self.made += cut_text(around, place.start, place.end, place.joint, depth, max(low, keep), tail, base)

    # Parts

    def _room(self, place: _Place) -> int:
        """What the first part may have: the room beside a heading as far as some text goes into it."""
        if place.start != self.start:
            return self.limit
        return self.window.room if self.window.room >= self.limit // 8 else self.limit

    def _is_row(self, unit: _Unit) -> bool:
        return unit.element is not None and unit.element.name == "tr"

    def _prefix(self, place: _Place) -> str:
        if place.start == self.start:
            return self.window.first
        inline = self.text[place.start - 1] != "\n"
        return place.before.prefix + (self.margin if inline else "")

    def _suffix(self, place: _Place) -> str:
        """Nothing where it would, with a prefix that was chosen for another place, be above half the limit."""
        repeated = place.before.prefix_tokens + place.after.suffix_tokens + self.margin_tokens
        return "" if place.end == self.end or repeated > self.limit // 2 else place.after.suffix

    def _fits(self, place: _Place, limit: int) -> bool:
        after = self._suffix(place)
        body = self.text[place.start : place.end]
        around = place.before.prefix_tokens + (place.after.suffix_tokens if after else 0) + len(self.margin)
        fits = sure(self.window, place.start, place.end, limit, around)
        if fits is not None:
            return fits
        tokens = self.count(body)
        if tokens + around + SURE <= limit:
            return True
        if tokens > limit + SURE:
            return False
        return self.count(self._prefix(place) + body + after) <= limit

    def _emit(self, place: _Place) -> None:
        depth = self.window.depth + max(0, place.depth)
        self.made.append(Part(place.start, place.end, place.joint, self._prefix(place), self._suffix(place), depth))

    def _line_start(self, at: int) -> int:
        """The start of the line where only its margin and white space stand before `at`."""
        begin = at
        while begin > self.start and self.markup[begin - 1] != "\n" and self.markup[begin - 1].isspace():
            begin -= 1
        return begin if begin > self.start and self.markup[begin - 1] == "\n" else at

    def _trimmed(self, end: int) -> int:
        while self.markup[end - 1].isspace():
            end -= 1
        return end


def _fences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where fenced code lies that is closed: Markdown without a blank line before it, as MDX allows."""
    found: list[tuple[int, int]] = []
    opening: re.Match[str] | None = None
    for line in _FENCE_LINE.finditer(text, start, end):
        marks = line[1] or line[2]
        if opening is None:
            opening = line
        elif line[0].strip() == marks and marks.startswith(opening[1] or opening[2]):
            found.append((opening.start(), line.end()))
            opening = None
    return found


def _without_code(markup: str, fences: Sequence[tuple[int, int]]) -> str:
    """The text with no tags in fenced code."""
    if not fences:
        return markup
    at, kept = 0, []
    for start, end in fences:
        kept += [markup[at:start], markup[start:end].replace("<", "x")]
        at = end
    return "".join([*kept, markup[at:]])


def _without_margins(block: Block, window: Window) -> str:
    """The document's text with spaces for the quote marks that its containers write before the block's lines.

    A quote mark alone on its line stays: it is all that there is to see of that line.
    """
    source = window.source
    if ">" not in block.margin:
        return source.text
    lines = list(source.lines[block.start : block.stop])
    for number, line in enumerate(lines):
        body = line.lstrip(_BLANK)
        width = min(len(block.margin) if number else block.column, len(line) - len(body))
        if body:
            lines[number] = line[:width].replace(">", " ") + line[width:]
    starts = source.line_starts
    end = starts[block.stop - 1] + len(source.lines[block.stop - 1])
    return source.text[: starts[block.start]] + "\n".join(lines) + source.text[end:]
