"""The elements of a stretch of HTML, with exact offsets. Bad HTML gives some tree, in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

INLINE = frozenset(
    """a abbr acronym b bdi bdo big br cite code data del dfn em font i img input ins kbd label mark meter output
    picture progress q ruby rb rp rt rtc s samp small source span strike strong sub sup time tt u var wbr""".split()
)
"""Tags that stand in running text: no boundary to cut at."""

VOID = frozenset("area base br col embed frame hr img input link meta param source track wbr".split())
"""HTML: elements that have no end tag."""

RAW = frozenset(("script", "style", "textarea", "title"))
"""HTML: elements whose content is text, whatever it looks like."""

COMMENT = "!--"
MARKUP = "!"
"""Declarations and processing instructions."""

_NAME = re.compile(r"</?([A-Za-z][^\s/<>]*)")
_REST = re.compile(r"""[^"'<>]*(?:(?:"[^"]*"|'[^']*')[^"'<>]*)*>""")
_LOOSE = re.compile(r"[^<>]*>")

# Which open elements an opening tag ends (HTML, "optional tags"), and which ones keep those from its reach.
_ROW_PARTS = ("td", "th")
_ROWS = ("tr", *_ROW_PARTS)
_TABLE_PARTS = ("caption", "colgroup", "thead", "tbody", "tfoot", *_ROWS)
_ENDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "td": (_ROW_PARTS, ("tr", "table")),
    "th": (_ROW_PARTS, ("tr", "table")),
    "tr": (("caption", "colgroup", *_ROWS), ("thead", "tbody", "tfoot", "table")),
    "thead": (_TABLE_PARTS, ("table",)),
    "tbody": (_TABLE_PARTS, ("table",)),
    "tfoot": (_TABLE_PARTS, ("table",)),
    "colgroup": (("caption", "colgroup"), ("table",)),
    "li": (("li",), ("ul", "ol", "menu", "td", "th", "table")),
    "dt": (("dt", "dd"), ("dl", "td", "th", "table")),
    "dd": (("dt", "dd"), ("dl", "td", "th", "table")),
    "option": (("option",), ("select",)),
    "optgroup": (("option", "optgroup"), ("select",)),
}
_ENDS_PARAGRAPH = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 "
    "h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul".split()
)
_PARAGRAPH = (("p",), ("table", "td", "th", "caption", "button", "object", "template"))
_CELLS = ("td", "th", "caption", "table")
"""What an end tag inside does not reach out of, but for a table's own."""
_TABLE_NAMES = frozenset(("table", *_TABLE_PARTS))


@dataclass(slots=True)
class Element:
    """`text[start:end]` from its opening tag to behind its closing tag, half-open, in characters."""

    name: str
    """In lower case; `!--` for a comment, empty for the whole."""
    start: int
    inner: int
    """Behind the opening tag."""
    close: int = 0
    """Where its content ends."""
    end: int = 0
    """After `close` by the length of the closing tag: equal where the source has none."""
    children: list[Element] = field(default_factory=list)
    """Elements that are not inline, in order."""


def elements(text: str, start: int, end: int) -> Element:
    """The tree of `text[start:end]`.

    >>> table = elements("<table><tr><td>1<td>2</table>", 0, 29).children[0]
    >>> [(cell.name, cell.start, cell.end) for cell in table.children[0].children]
    [('td', 11, 16), ('td', 16, 21)]
    """
    tree = _Tree(start)
    for name, at, stop, closes, alone in tags(text, start, end):
        if closes:
            tree.shut(name, at, stop)
        elif alone:
            tree.leaf(name, at, stop, *_content(text, name, at, stop))
        else:
            tree.open(name, at, stop)
    return tree.finish(end)


def tags(text: str, start: int, end: int) -> Iterator[tuple[str, int, int, bool, bool]]:
    """Tags that are not inline, comments and raw text elements whole: name, start, end, closes, stands alone."""
    at = start
    while True:
        at = text.find("<", at, end)
        if at < 0:
            return
        if text.startswith("<!--", at):
            stop = text.find("-->", at + 4, end)
            stop = end if stop < 0 else stop + 3
            yield COMMENT, at, stop, False, True
        elif text.startswith(("<!", "<?"), at):
            stop = text.find(">", at, end)
            stop = end if stop < 0 else stop + 1
            yield MARKUP, at, stop, False, True
        else:
            match = _NAME.match(text, at, end)
            rest = match and (_REST.match(text, match.end(), end) or _LOOSE.match(text, match.end(), end))
            if not match or not rest:
                at += 1
                continue
            name, stop, closes = match.group(1).lower(), rest.end(), text[at + 1] == "/"
            alone = name in VOID or text[stop - 2] == "/"
            if name in RAW and not closes and not alone:
                stop = _raw_end(text, name, stop, end)
                alone = True
            if name not in INLINE:
                yield name, at, stop, closes, alone
        at = stop


def _raw_end(text: str, name: str, at: int, end: int) -> int:
    match = re.compile(rf"</{name}[^<>]*>", re.IGNORECASE).search(text, at, end)
    return match.end() if match else end


def _content(text: str, name: str, start: int, end: int) -> tuple[int, int]:
    """Where the content of an element that is not looked into begins and ends."""
    if name == COMMENT:
        return min(start + 4, end), end - 3 if text.endswith("-->", start, end) else end
    match = _NAME.match(text, start, end) if name in RAW else None
    rest = match and (_REST.match(text, match.end(), end) or _LOOSE.match(text, match.end(), end))
    if not rest:
        return end, end
    close = text.rfind("</", rest.end(), end)
    return rest.end(), end if close < 0 else close


class _Tree:
    """The open elements, and where in their stack each name stands, so that nothing is ever searched for."""

    def __init__(self, start: int) -> None:
        self._stack = [Element("", start, start)]
        self._places: dict[str, list[int]] = {}

    def open(self, name: str, start: int, end: int) -> None:
        if name in _ENDS:
            self._imply(*_ENDS[name], start)
        elif name in _ENDS_PARAGRAPH:
            self._imply(*_PARAGRAPH, start)
        element = Element(name, start, end)
        self._stack[-1].children.append(element)
        self._places.setdefault(name, []).append(len(self._stack))
        self._stack.append(element)

    def leaf(self, name: str, start: int, end: int, inner: int, close: int) -> None:
        if name in _ENDS_PARAGRAPH:
            self._imply(*_PARAGRAPH, start)
        self._stack[-1].children.append(Element(name, start, inner, max(inner, close), end))

    def shut(self, name: str, start: int, end: int) -> None:
        place = self._last((name,))
        if not place or (name not in _TABLE_NAMES and place < self._last(_CELLS)):
            return
        if name != "table" and place < self._last(("table",)):
            return
        self._pop(place + 1, start)
        self._pop(place, start, end)

    def finish(self, end: int) -> Element:
        self._pop(1, end)
        root = self._stack[0]
        root.close = root.end = end
        return root

    def _imply(self, names: Iterable[str], barriers: Iterable[str], at: int) -> None:
        barrier = self._last(barriers)
        places = [place for name in names for place in self._places.get(name, ())[-1:] if place > barrier]
        if places:
            self._pop(min(places), at)

    def _last(self, names: Iterable[str]) -> int:
        return max((self._places[name][-1] for name in names if self._places.get(name)), default=0)

    def _pop(self, place: int, close: int, end: int | None = None) -> None:
        while len(self._stack) > place:
            element = self._stack.pop()
            self._places[element.name].pop()
            element.close = close
            element.end = close if end is None else end
