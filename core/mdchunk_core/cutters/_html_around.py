"""What is written around a part of an HTML block: its open elements, opened before it and closed behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ._html_tags import COMMENT, Element
from .frame import far_above
from .part import Window

_WORTH_COUNTING = 16
"""Characters to a token of the limit; nothing longer can be half of it."""

_ROWS = re.compile(r"\browspan\s*=\s*[\"']?(\d{1,5})", re.IGNORECASE)
_COLUMNS = re.compile(r"\bcolspan\s*=\s*[\"']?(\d{1,3})", re.IGNORECASE)


class Around(NamedTuple):
    """Prefix and suffix of a part, and their tokens."""

    prefix: str
    suffix: str
    prefix_tokens: int = 0
    suffix_tokens: int = 0


class Layer(NamedTuple):
    """An element that a part lies in, and what of its content is shown again."""

    opening: str
    closing: str
    header: str = ""
    """A table's `<thead>` or first row."""
    caption: str = ""
    label: str = ""
    """A row's first cell, and an empty one as wide as the cells between."""
    empty: str = ""
    """An empty cell as wide as all cells before."""
    shown: int = 0
    """Offset of the first part that the header is shown above."""
    table: bool = False


NOTHING = Layer("", "")


def layer(text: str, element: Element, limit: int) -> Layer:
    """The element's own tags as they stand in the source; nothing where they are too long or it has none."""
    opening = text[element.start : element.inner]
    if not element.name or element.close <= element.inner or len(opening) > _WORTH_COUNTING * limit:
        return NOTHING
    if element.name == COMMENT:
        return Layer("<!--", "-->")
    name = opening[1 : 1 + len(element.name)]
    return Layer(opening, f"</{name}>")


def table_layer(text: str, table: Element, header: Element | None, limit: int) -> Layer:
    """A table with its header and caption."""
    made = layer(text, table, limit)
    if header is None or header.end - header.start > _WORTH_COUNTING * limit:
        return made._replace(table=True)
    captions = [child for child in table.children if child.name == "caption" and child.start < header.start]
    caption = text[captions[0].start : captions[0].end].rstrip() if captions else ""
    if len(caption) > _WORTH_COUNTING * limit:
        caption = ""
    shown = text[header.start : header.end].rstrip()
    return made._replace(header=shown, caption=caption, shown=header.end, table=True)


def table_header(text: str, table: Element) -> Element | None:
    """`<thead>`, or else the first row, with those that its cells reach down to, if there are more."""
    for child in table.children:
        if child.name == "thead":
            return child
        if child.name in ("tr", "tbody", "tfoot"):
            break
    groups = [child.children if child.name in ("tbody", "tfoot") else [child] for child in table.children]
    rows = [row for group in groups for row in group if row.name == "tr"]
    if len(rows) < 2:
        return None
    last = rows[min(rows_spanned(text, rows[0]), len(rows)) - 1]
    if last is rows[-1]:
        return None
    return replace(rows[0], end=last.end)


def rows_spanned(text: str, row: Element) -> int:
    """How many rows the highest cell of a row reaches over, itself included."""
    found = [_ROWS.search(text, cell.start, cell.inner) for cell in row.children]
    return max((int(span.group(1)) for span in found if span), default=1) or 1


def row_layer(text: str, row: Layer, cells: Sequence[Element], before: int, limit: int) -> Layer:
    """A row that goes on behind `before` columns, so that the next cell comes to stand in its own."""
    empty = _empty(before)
    label = text[cells[0].start : cells[0].end].rstrip()
    if len(label) > _WORTH_COUNTING * limit:
        return row._replace(label=empty, empty=empty)
    return row._replace(label=label + _empty(before - columns(text, cells[0])), empty=empty)


def columns(text: str, cell: Element) -> int:
    """How many columns a cell is wide."""
    found = _COLUMNS.search(text, cell.start, cell.inner)
    return max(1, int(found.group(1))) if found else 1


def _empty(width: int) -> str:
    return "" if width < 1 else "<td></td>" if width == 1 else f'<td colspan="{width}"></td>'


class Surroundings:
    """Chooses what to repeat, within half the limit."""

    def __init__(self, window: Window, margin: str) -> None:
        self.window = window
        self.margin = margin
        self._lines: dict[str, int] = {}
        self._sizes: dict[str, int] = {}

    def _size(self, written: str) -> int:
        """Tokens, line by line: what is repeated has few different lines. Of what is far too long, some number."""
        if written in self._sizes:
            return self._sizes[written]
        total, most = 0, self.window.limit // 2
        for line in written.splitlines(keepends=True):
            if line not in self._lines:
                count = self.window.count
                self._lines[line] = most + 1 if far_above(count, line, most) else count(line)
            total += self._lines[line]
        self._sizes[written] = total
        return total

    def around(self, layers: Sequence[Layer], at: int) -> Around:
        """What is written around parts that lie in these elements, outermost first, from the offset `at` on."""
        half = self.window.limit // 2 - self._size(self.margin)
        for prefix, suffix in self._wishes(layers, at):
            before, after = self._size(prefix), self._size(suffix)
            if before + after <= half:
                return Around(prefix, suffix, before, after)
        return Around("", "")

    def _wishes(self, layers: Sequence[Layer], at: int) -> Iterator[tuple[str, str]]:
        """Prefix and suffix, the most first."""
        rest, lead = self.window.rest, self.window.lead
        yield self._written(layers, at, rest + lead, caption=True, label=True)
        yield self._written(layers, at, rest, caption=True, label=True)
        yield self._written(layers, at, rest, label=True)
        tables = [number for number, layer in enumerate(layers) if layer.table]
        inner = tables[-1] if tables else max(0, len(layers) - 1)
        for outermost in range(inner + 1):
            yield self._written(layers[outermost:], at, rest)
        if rest:
            yield self._written(layers[inner:], at, "")
        yield self._written(layers[inner:], at, rest, header=False)
        yield rest, self.window.suffix

    def _written(
        self,
        layers: Sequence[Layer],
        at: int,
        before: str,
        *,
        caption: bool = False,
        label: bool = False,
        header: bool = True,
    ) -> tuple[str, str]:
        lines = []
        closing = ""
        for layer in layers:
            shown = header and at >= layer.shown
            lines += [
                layer.opening,
                layer.caption if caption and shown else "",
                layer.header if shown else "",
                layer.label if label else layer.empty,
            ]
            closing = layer.closing + closing
        written = "".join(f"{self.margin}{line}\n" for line in lines if line)
        after = f"\n{self.margin}{closing}" if closing else ""
        return before + written, after + self.window.suffix
