"""Pipe tables: between rows, then between cells, then inside a cell; header and delimiter row above every part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..blocks import Block
from ._filling import Between, cut_text
from .frame import SURE, far_above, own_start, sure, within_known
from .part import Joint, Part, Window

_PIPE = re.compile(r"(?<!\\)\|")
"""GFM: a pipe behind a backslash belongs to the cell, in code spans too."""
_PIPE_AND_SPACE = re.compile(r"(?<!\\)\|\s*")


def cut_table(block: Block, window: Window) -> list[Part]:
    r"""Parts that each parse as this table: rows below its header and delimiter row.

    >>> from mdchunk_core.source import read
    >>> source = read("| a |\n|---|\n| one |\n| two |\n")
    >>> words = lambda text: len(text.replace("|", " | ").split())
    >>> parts = cut_table(Block("table", 0, 4), Window(source, words, limit=12, room=12))
    >>> [(part.prefix, source.text[part.start : part.end]) for part in parts]
    [('', '| a |\n|---|\n| one |'), ('| a |\n|---|\n', '| two |')]
    """
    return list(_Table(block, window).parts())


class _Frame(NamedTuple):
    """What can be repeated above a row."""

    text: str
    tokens: int
    headed: bool


class _Cell(NamedTuple):
    """`text[start:end]`, the pipe behind it included."""

    start: int
    end: int
    column: int


class _Head(NamedTuple):
    """What stands before a part that begins inside a row, and behind one that ends inside a cell."""

    prefix: str
    closing: str


class _Table:
    def __init__(self, block: Block, window: Window) -> None:
        source = window.source
        self.block = block
        self.window = window
        self.text = source.text
        self.count = window.count
        self.half = window.limit // 2
        starts = [own_start(source, block), *source.line_starts[block.start + 1 : block.stop]]
        rows = [line.rstrip() for line in source.lines[block.start : block.stop]]
        ends = [source.line_starts[block.start + number] + len(row) for number, row in enumerate(rows)]
        # A row of nothing but a no-break space or form feed is white space between parts.
        self.lines = [(start, end) for start, end, row in zip(starts, ends, rows) if row]
        self.end = self.lines[-1][1]
        self.columns = len(self._cells(*self.lines[0]))
        self.frames = self._frames()

    def parts(self) -> Iterator[Part]:
        limit, room, first = self.window.limit, self.window.room, self.window.first
        if self.frames[0].headed and len(self.lines) > 2:
            (start, _), (_, head), (row, end), *rows = self.lines
            fits = self._fits(first, start, end, self._suffix(end), limit)
            crowded = room < limit and not self._fits(first, start, end, self._suffix(end), room)
            if crowded and self._fits(first, start, head, self._suffix(head), room) and self._frame_for(row, end):
                # A heading takes header and delimiter row along where there is no room for a row of the body.
                end, rows, fits = head, self.lines[2:], True
            if fits:
                yield self._part(start, end, Joint.BLOCK, first)
            else:
                yield from self._cut_row(start, row, end, Joint.BLOCK, first)
        else:
            rows = self.lines
            wishes = [(room, stop) for stop in (3, 2, 1)] if room < limit else [(limit, stop) for stop in (3, 2, 1)]
            for budget, stop in wishes:
                start, end = rows[0][0], rows[min(stop, len(rows)) - 1][1]
                if self._fits(first, start, end, self._suffix(end), budget):
                    yield self._part(start, end, Joint.BLOCK, first)
                    rows = rows[stop:]
                    break
            rows = self._with_delimiters(rows)
        for start, end in rows:
            frame = self._frame_for(start, end)
            if frame is not None:
                yield self._part(start, end, Joint.ITEM, frame.text)
            elif start == self.lines[0][0]:
                yield from self._cut_row(start, start, end, Joint.BLOCK, self.window.first)
            else:
                yield from self._cut_row(start, start, end, Joint.ITEM, self.frames[0].text)

    def _with_delimiters(self, rows: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The rows, the delimiter row one with the row below it where both fit: alone it says nothing."""
        at = 1 - (len(self.lines) - len(rows))
        if at not in (0, 1) or at + 1 >= len(rows):
            return rows
        both = (rows[at][0], rows[at + 1][1])
        return [*rows[:at], both, *rows[at + 2 :]] if self._frame_for(*both) else rows

    def _frames(self) -> list[_Frame]:
        """What may stand above a row, the most first: within half the limit; never none."""
        rest, lead, suffix = self.window.rest, self.window.lead, self.window.suffix
        lines = self.window.source.lines[self.block.start : self.block.start + 2]
        header = "".join(f"{line}\n" for line in lines)
        frames = []
        short = re.sub("-{4,}", "---", header.rstrip("\n").rpartition("\n")[2])
        headers = (header, f"{lines[0]}\n{short}\n")  # dashes cost a token each in WordPiece
        written = [around + text for around in (rest, "") for text in headers]
        for text in dict.fromkeys([rest + lead + header, *written]):
            tokens = self.count(text + suffix)
            if tokens <= self.half:
                frames.append(_Frame(text, tokens, headed=True))
        if not frames:
            for text in dict.fromkeys([rest, ""]):
                tokens = self.count(text + suffix)
                if tokens <= self.half or not text:
                    frames.append(_Frame(text, tokens, headed=False))
                    break
        return frames

    def _frame_for(self, start: int, end: int) -> _Frame | None:
        """The most that a whole row leaves room for; none if the row must be cut."""
        if start == self.lines[0][0]:
            return None
        limit, row = self.window.limit, self.text[start:end]
        if self.window.bytewise and self.frames[0].tokens + self.window.at_most(row) + SURE <= limit:
            return self.frames[0]
        known = self.window.known(start, end)
        if known is None:
            if far_above(self.count, row, limit):
                return None
            known = (self.count(row),) * 2
        for frame in self.frames:
            fits = within_known(limit, known, frame.tokens)
            if fits or (fits is None and self._fits(frame.text, start, end, self._suffix(end), limit)):
                return frame
        return None

    def _cut_row(self, start: int, row: int, end: int, joint: Joint, prefix: str) -> Iterator[Part]:
        """A row above the limit. `start` is before `row` where the header belongs to the same part."""
        limit, room = self.window.limit, self.window.room
        cells = self._cells(row, end)
        label = _label(self.text, cells[0])
        heads = _Heads(self, label)
        texts = [self.text[cell.start : cell.end] for cell in cells]
        known = {text: self.count(text) for text in dict.fromkeys(texts)}
        sizes = [known[text] for text in texts]
        least = self.count(prefix + self.text[start:row]) + limit // 8
        if len(cells) > 1 and sizes[0] <= limit // 4:
            # The label alone says nothing.
            least += sizes[0]
            cells[:2] = [_Cell(cells[0].start, cells[1].end, 1)]
            sizes[:2] = [sizes[0] + sizes[1]]
        # The room beside a heading holds where it leaves more than header and label.
        first_limit = room if joint is Joint.BLOCK and least <= room else limit
        at = 0
        while at < len(cells):
            here = cells[at].start if at else start
            above = heads.above(cells[at].column).prefix if at else prefix
            capacity = limit if at else first_limit
            stop = at + 1
            total = sizes[at]
            while stop < len(cells) and total + sizes[stop] <= limit // 4:
                total += sizes[stop]
                stop += 1
            while stop > at:
                upto = cells[stop - 1].end
                if self._fits(above, here, upto, self._suffix(upto), capacity):
                    break
                stop = at + (stop - at) // 2
            if stop > at:
                yield self._part(here, cells[stop - 1].end, joint, above)
                at = stop
            else:
                yield from self._cut_cell(cells[at], here, above, joint, heads.above(cells[at].column), capacity, row)
                at += 1
            joint = Joint.CELL

    def _cut_cell(
        self, cell: _Cell, start: int, above: str, joint: Joint, head: _Head, capacity: int, row: int
    ) -> Iterator[Part]:
        keep = max(start, row)
        if cell.start <= row:
            # Not before the cell's own text: in front of it stand the header, the margin, the label and their pipes.
            pipes = [match.end() for match in _PIPE.finditer(self.text, row, cell.end - 1)]
            keep = max([row + len(self.block.margin), *pipes[: cell.column + 1]])
        tail = cell.end - 1 if self.text[cell.end - 1] == "|" else cell.end
        around = Between(
            self.window,
            first=above,
            inside=head.prefix,
            closing=self._suffix(start, head.closing),
            after=self._suffix(cell.end),
            room=capacity,
        )
        yield from cut_text(around, start, cell.end, joint, self.window.depth, keep, tail)

    def _cells(self, start: int, end: int) -> list[_Cell]:
        """The cells of a row: from their first character to behind their pipe."""
        cells: list[_Cell] = []
        begin = start
        for number, match in enumerate(_PIPE_AND_SPACE.finditer(self.text, start, end)):
            pipe = match.start()
            if not number and not self.text[start:pipe].strip(" \t>"):
                continue
            cells.append(_Cell(begin, pipe + 1, len(cells)))
            begin = match.end()
        if begin < end:
            cells.append(_Cell(begin, end, len(cells)))
        return cells

    def _fits(self, prefix: str, start: int, end: int, suffix: str, limit: int) -> bool:
        window = self.window
        affix = window.at_most(prefix) + window.at_most(suffix) if window.bytewise or window.sums else 0
        fits = sure(window, start, end, limit, affix)
        return self.count(prefix + self.text[start:end] + suffix) <= limit if fits is None else fits

    def _suffix(self, end: int, closing: str = "") -> str:
        return closing + self.window.suffix if end < self.end else ""

    def _part(self, start: int, end: int, joint: Joint, prefix: str, closing: str = "") -> Part:
        return Part(start, end, joint, prefix, self._suffix(end, closing), self.window.depth)


class _Heads:
    """What stands before the continuation of a row, so that its cells come to stand in their own columns."""

    def __init__(self, table: _Table, label: str) -> None:
        self.table = table
        self.label = label
        self._known: dict[int, _Head] = {}

    def above(self, column: int) -> _Head:
        """For a part that begins in this column, 0-based."""
        if column not in self._known:
            self._known[column] = self._above(column)
        return self._known[column]

    def _above(self, column: int) -> _Head:
        table = self.table
        margin = table.block.margin
        headed = [frame.text for frame in table.frames if frame.headed]
        # Cells that the header does not name are shown in no column.
        column = min(column, table.columns)
        lead = table.window.rest + table.window.lead if table.window.lead else None
        bare = [frame for frame in headed if lead is None or not frame.startswith(lead)]
        wishes = []
        for frame in headed:
            if self.label and column:
                wishes.append(f"{frame}{margin}| {self.label}{' |' * column} ")
            if frame in bare:
                wishes.append(f"{frame}{margin}|{' |' * column} ")
        # In the wrong column, but a row of the table: those behind it in the same chunk have their header.
        wishes += [f"{frame}{margin}| " for frame in bare]
        for prefix in wishes:
            if table.count(f"{prefix} |{table.window.suffix}") <= table.half:
                return _Head(prefix, " |")
        if bare and table.count(wishes[-1] + table.window.suffix) <= table.half + 1:
            # Without the pipe at the end, so that nothing but one mark is added to a header of half the limit.
            return _Head(wishes[-1], "")
        for frame in [frame.text for frame in table.frames] or [table.window.rest]:
            if table.count(frame + margin + table.window.suffix) <= table.half:
                return _Head(frame + margin, "")
        return _Head(margin if table.count(margin) <= table.half else "", "")


def _label(text: str, cell: _Cell) -> str:
    """The text of a row's first cell, without its pipes."""
    label = text[cell.start : cell.end].strip(" \t>")
    label = label[1:] if label.startswith("|") else label
    return _PIPE.sub("", label).strip()
