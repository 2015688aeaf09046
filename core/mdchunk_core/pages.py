"""Where pages begin and end, and the lines that repeat on them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from .blocks import Block
from .signals import numbers_page
from .source import Source


class PageMark(NamedTuple):
    """A line that a converter wrote to say where a page or slide begins or ends."""

    name: str
    """`page`, `page_break`, `page_number`, `page_header`, `page_footer`, `slide` or `sheet`."""
    number: int | None
    starts: bool
    """Whether what follows is what it marks; otherwise it closes what stands before it."""


_NUMBERED = re.compile(
    r"<!--\s*(?:begin[ _-]?|start (?:of )?)?(?:page|seite)(?:[ _-]?(?:no|nr|number|start))?\s*[:=#]?\s*\"?(\d{1,6})\"?"
    r"(?:\s*(?:of|von|/)\s*\d+)?\s*-->"
    r"|\{(\d{1,6})\}[ \t]*-{4,}"
    r"|\[(?:page|seite|p\.)[ :#_-]*(\d{1,6})\]"
    r"|(?:-{2,}|={2,})[ \t]*\[?(?:page|seite)[ :#]*(\d{1,6})(?:[ ]*(?:of|von|/)[ ]*\d+)?\]?[ \t]*(?:-{2,}|={2,})"
    r"|<page(?:[_ -]?number)?[ _](?:number=|no=|id=)?[\"']?(\d{1,6})[\"']?[ ]*/?>",
    re.IGNORECASE,
)
"""Marks that begin the page that they number."""
_SLIDE = re.compile(r"<!--\s*(slide|sheet|worksheet)(?: number| name)?\s*[:=#]?\s*(.{0,120}?)\s*-->", re.IGNORECASE)
_BREAK = re.compile(
    r"<!--\s*(?:page[ _-]?break|new[ _-]?page|pb)\s*/?-->|\\(?:newpage|pagebreak|clearpage)|\[page[ _-]?break\]"
    r"|<div[^>]*(?:page-)?break-(?:after|before):\s*(?:always|page)[^>]*>\s*(?:</div>)?|\f",
    re.IGNORECASE,
)
_PAGE_END = re.compile(
    r"<!--\s*PageNumber\s*=\s*\"?(.{0,60}?)\"?\s*-->|(?:-{2,}|={2,})[ \t]*end of page[ :=#.]*(\d{1,6})[ \t]*(?:-{2,}|"
    r"={2,})"
    r"|<!--\s*end (?:of )?page\s*[:=#]?\s*(\d{1,6})\s*-->|<page_number>\s*(\d{1,6})\s*</page_number>",
    re.IGNORECASE,
)
_HEADER = re.compile(r"<!--\s*Page(Header|Footer)\s*=\s*.{0,300}-->", re.IGNORECASE | re.DOTALL)
MARK_BEGINNINGS = ("<", "{", "[", "-", "=", "\\", "\f")
_MARK_WORDS = ("page", "seite", "[p.", "slide", "sheet", "break", "pb", "}", "\f")
"""One of which every mark has."""
_MARK_STARTS = frozenset((*MARK_BEGINNINGS, " ", "\t"))
_MARKED = frozenset({"paragraph", "html", "math", "container"})
_CODE = frozenset({"fenced_code", "indented_code"})


def page_mark(line: str) -> PageMark | None:
    """What the line, without white space around it, marks.

    >>> page_mark("<!-- Page: 3 -->")
    PageMark(name='page', number=3, starts=True)
    """
    if len(line) > 320 or not line.startswith(MARK_BEGINNINGS):
        return None
    low = line.lower()
    if not any([word in low for word in _MARK_WORDS]):  # noqa: C419 (twice as fast as a generator)
        return None
    numbered = _NUMBERED.fullmatch(line)
    if numbered and "pagenumber" not in low:
        return PageMark("page", int(next(group for group in numbered.groups() if group)), True)
    if _BREAK.fullmatch(line):
        return PageMark("page_break", None, False)
    ended = _PAGE_END.fullmatch(line)
    if ended:
        digits = re.findall(r"\d{1,6}", next((group for group in ended.groups() if group), ""))
        return PageMark("page_number", int(digits[0]) if digits else None, False)
    slide = _SLIDE.fullmatch(line)
    if slide:
        name = "slide" if slide[1].lower() == "slide" else "sheet"
        return PageMark(name, int(slide[2]) if slide[2].isdecimal() and slide[2].isascii() else None, True)
    header = _HEADER.fullmatch(line)
    if header:
        return PageMark(f"page_{header[1].lower()}", None, header[1].lower() == "header")
    return None


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of a document, by line."""

    starts: Sequence[int]
    """0-based lines, ascending, at which a page begins; the first is 0."""
    numbers: Sequence[int]
    """Their numbers."""

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """First and last page of the lines `first` to `last`, 0-based, inclusive; None where the source marks no pages.

        >>> Pages([0, 10], [1, 2]).span(5, 12)
        (1, 2)
        """
        if not self.starts:
            return None
        numbers = self.numbers[bisect_right(self.starts, first) - 1], self.numbers[bisect_right(self.starts, last) - 1]
        return min(numbers), max(numbers)


def pages(source: Source, blocks: Sequence[Block], repeated: frozenset[int] = frozenset()) -> Pages:
    """Where the pages of a document begin, as its marks, its form feeds or the numbers in its footers tell.

    Marks that number the page that they begin go before page breaks, and these before footers. `repeated` are the
    blocks that are page furniture.
    """
    begins, breaks, ends = _find_marks(source, blocks)
    if begins:
        return _from_begins(_from_one(begins))
    footers = _from_one(ends) or _numbered_footers(source, blocks, repeated)
    if breaks:
        return _from_breaks(breaks, footers)
    return _from_ends(footers)


def _from_one(marks: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Lines and page numbers; converters that count from 0 are put right."""
    first = 1 if any(number == 0 for _, number in marks) else 0
    return [(line, number + first) for line, number in marks]


def _from_begins(begins: Sequence[tuple[int, int]]) -> Pages:
    line, number = begins[0]
    lead = [] if line == 0 else [(0, max(number - 1, 1))]
    rows = [*lead, *begins]
    return Pages([line for line, _ in rows], [number for _, number in rows])


def _from_breaks(breaks: Sequence[int], footers: Sequence[tuple[int, int]]) -> Pages:
    starts = sorted({0, *breaks})
    printed: dict[int, int] = {}
    for line, number in footers:
        printed.setdefault(bisect_right(starts, line) - 1, number)
    known = min(printed, default=None)
    number = max(printed[known] - known, 1) - 1 if known is not None else 0
    numbers = []
    for page in range(len(starts)):
        number = printed.get(page, number + 1)
        numbers.append(number)
    return Pages(starts, numbers)


def _from_ends(ends: Sequence[tuple[int, int]]) -> Pages:
    if len(ends) < 2:
        return Pages([], [])
    return Pages([0, *(line + 1 for line, _ in ends)], [*(number for _, number in ends), ends[-1][1] + 1])


_HEADING_PAGE = re.compile(r"#{1,6}\s+(?:page|seite|página)\s+(\d{1,6})\s*#*\s*", re.IGNORECASE)


def _find_marks(
    source: Source, blocks: Sequence[Block]
) -> tuple[list[tuple[int, int]], list[int], list[tuple[int, int]]]:
    """Lines and numbers of marks that begin a page, lines of page breaks, lines and numbers of marks that end one."""
    begins: list[tuple[int, int]] = []
    headings: list[tuple[int, int]] = []
    breaks: list[int] = []
    ends: list[tuple[int, int]] = []
    lines = source.lines
    feeds = "\f" in source.text
    for block in blocks:
        kind, start, stop, _, _, _ = block
        if feeds and kind not in _CODE:
            breaks += _fed(lines, block)
        if kind == "heading":
            text = lines[start]
            if len(text) < 30 and not text[-1:].isalpha() and (numbered := _HEADING_PAGE.fullmatch(text.strip())):
                headings.append((start, int(numbered[1])))
        elif kind in _MARKED and stop - start <= 2:
            for line in range(start, stop):
                text = lines[line]
                if text[:1] not in _MARK_STARTS:
                    continue
                mark = page_mark(text.strip(" \t"))
                if mark is None:
                    continue
                if mark.name in ("page", "slide") and mark.number is not None:
                    begins.append((line, mark.number))
                elif mark.name == "page_break":
                    breaks.append(line)
                elif mark.name == "page_number" and mark.number is not None:
                    ends.append((line, mark.number))
    if not begins and len(headings) > 1 and all(b == a + 1 for (_, a), (_, b) in zip(headings, headings[1:])):
        begins = headings
    if feeds:
        breaks += _fed_between(source, blocks)
    return begins, sorted(set(breaks)), ends


def _fed(lines: Sequence[str], block: Block) -> list[int]:
    """Lines at which form feeds inside a block begin a page."""
    found: list[int] = []
    for line in range(block.start, block.stop):
        before, feed, _ = lines[line].partition("\f")
        if feed:
            found.append(line + 1 if before.strip() else line)
    return found


def _fed_between(source: Source, blocks: Sequence[Block]) -> list[int]:
    """Lines of form feeds that stand on blank lines between blocks."""
    found: list[int] = []
    stop = source.body_line
    for start, after in [*((block.start, block.stop) for block in blocks), (len(source.lines), 0)]:
        found += [line for line in range(stop, start) if "\f" in source.lines[line]]
        stop = max(stop, after)
    return found


def _numbered_footers(source: Source, blocks: Sequence[Block], repeated: frozenset[int]) -> list[tuple[int, int]]:
    """Lines and numbers of footers that count pages up, at least three."""
    lines = source.lines
    found: list[tuple[int, int]] = []
    for index, (kind, start, stop, _, _, _) in enumerate(blocks):
        if kind != "paragraph" or stop - start != 1:
            continue
        text = lines[start].strip()
        if len(text) > LONGEST_FURNITURE or not _DIGITS.search(text):
            continue
        if index in repeated or numbers_page(text):
            digits = _page_digits(text)
            if digits is None:
                continue
            if found and digits != found[-1][1] + 1:
                return []
            found.append((start, digits))
    return found if len(found) >= LEAST_REPEATS else []


_PAGE_DIGITS = re.compile(r"(?:page|seite|página|pagina|第)\W{0,3}(\d{1,6})", re.IGNORECASE)


def _page_digits(text: str) -> int | None:
    """The page that a footer names: behind its word, or the first of `12 / 30`, or the last number."""
    named = _PAGE_DIGITS.search(text)
    if named:
        return int(named[1])
    numbers = re.findall(r"\d{1,6}", text)
    of = re.search(r"(\d{1,6}) ?(?:/|of|von|sur) ?\d{1,6}", text)
    return int(of[1]) if of else int(numbers[-1]) if numbers else None


# Furniture

LEAST_REPEATS = 3
LONGEST_FURNITURE = 120
"""Characters."""
NEAR_PAGE_END = 2
"""Blocks between a line and a page mark."""
SHORTEST_PAGE = 300
"""Characters between lines that repeat at a steady distance without page marks."""
UNSTEADY = 2.0
"""By how much a distance may exceed the middle one; it may be short of it by the same factor."""

_NO_FURNITURE = (":::", "///", "!!!", "===", "![", "|", "{")
_LEADS_IN = (":", "：")
_DIGITS = re.compile(r"\d+")
_COUNTED = re.compile(
    r"^[\W_]*(?:step|schritt|question|frage|example|beispiel|exercise|aufgabe|übung|part|teil|chapter|kapitel|"
    r"section|phase|"
    r"abschnitt|task|level|option|case|fall|table|figure|fig|tabelle|abb|lesson|unit|day|tag|week|woche|note|item|"
    r"no)\b",
    re.IGNORECASE,
)
"""What is counted in the text itself."""


def furniture(source: Source, blocks: Sequence[Block]) -> frozenset[int]:
    r"""Indices of the blocks that are page furniture.

    That is one line that comes at least three times with only digits changing, at the ends of pages, or at a steady
    distance and counting up.

    >>> from .blocks import parse
    >>> from .source import read
    >>> document = read("\n\n".join(f"{'word ' * 90}\n\nTravel policy, page {n}" for n in range(1, 5)))
    >>> sorted(furniture(document, parse(document)))
    [1, 3, 5, 7]
    """
    lines = source.lines
    alike: dict[str, list[int]] = {}
    for index, (kind, start, stop, _, _, _) in enumerate(blocks):
        if kind != "paragraph" or stop - start != 1:
            continue
        text = lines[start].strip(" \t\f")
        if not text or len(text) > LONGEST_FURNITURE:
            continue
        if not text.startswith(_NO_FURNITURE) and not text.endswith(_LEADS_IN):
            alike.setdefault(_DIGITS.sub("0", text), []).append(index)
    groups = [(key, group) for key, group in alike.items() if len(group) >= LEAST_REPEATS]
    if not groups:
        return frozenset()
    ends = _page_ends(source, blocks)
    found: set[int] = set()
    for key, group in groups:
        if _at_page_ends(group, ends) or _steady(key, group, source, blocks):
            found.update(group)
    return frozenset(found)


def _page_ends(source: Source, blocks: Sequence[Block]) -> list[int]:
    """Indices of the blocks that mark pages, and of those that a form feed stands before."""
    found: list[int] = []
    feeds = "\f" in source.text
    for index, block in enumerate(blocks):
        if block.kind in ("paragraph", "html") and block.stop - block.start <= 2:
            mark = page_mark(source.lines[block.start].strip(" \t"))
            if mark is not None and mark.name in ("page", "page_break", "page_number"):
                found.append(index)
                continue
        if feeds and block.kind not in ("fenced_code", "indented_code"):
            above = blocks[index - 1].stop if index else source.body_line
            if any("\f" in source.lines[line] for line in range(above, block.stop)):
                found.append(index)
    return found


def _at_page_ends(group: Sequence[int], ends: Sequence[int]) -> bool:
    """Whether nearly all of the group stand next to a page mark (the first and last page may lack theirs)."""
    if len(ends) < LEAST_REPEATS - 1:
        return False
    near = 0
    for index in group:
        at = bisect_right(ends, index)
        gaps = [abs(ends[k] - index) for k in (at - 1, at) if 0 <= k < len(ends)]
        near += min(gaps) <= NEAR_PAGE_END
    return near >= max(LEAST_REPEATS - 1, len(group) - 1)


def _steady(key: str, group: Sequence[int], source: Source, blocks: Sequence[Block]) -> bool:
    """Whether the group counts up by one, a page's length apart, and is no title of the text."""
    if "0" not in key or key.endswith((":", "：")) or key.startswith(("**", "__", "<")) or _COUNTED.match(key):
        return False
    lines = [source.lines[blocks[index].start] for index in group]
    numbers = [[int(digits[:9]) for digits in _DIGITS.findall(line)] for line in lines]
    counting = any(
        all(later[column] == sooner[column] + 1 for sooner, later in zip(numbers, numbers[1:]))
        for column in range(len(numbers[0]))
    )
    if not counting:
        return False
    places = [source.line_starts[blocks[index].start] for index in group]
    gaps = [later - sooner for sooner, later in zip(places, places[1:])]
    middle = median(gaps)
    return middle >= SHORTEST_PAGE and all(middle / UNSTEADY <= gap <= middle * UNSTEADY for gap in gaps)
