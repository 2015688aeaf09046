"""Blocks that CommonMark and GFM do not know: math, admonitions, containers, MDX.

They are found in what CommonMark makes of the lines, by joining whole blocks and dividing paragraphs. A heading is
never joined, so that a document has the same headings with and without them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ._leaves import Span

__all__ = ["closes_container", "extended"]

_CANDIDATE = re.compile(
    r" {0,3}(?:(\$\$|\\\[[ \t]*$)|(:{3,}|/{3,})|(!!!|\?\?\?\+?)[ \t]*[\w\"-]|(?:import|export)[ \t]|(</?)[A-Z])"
)
_FIRST = frozenset("$\\:/!?ie< ")
_OPEN = frozenset({"paragraph", "html", "table", "list", "block_quote", "admonition"})
"""Kinds in which such a line may stand."""
_ALERT = re.compile(r" {0,3}>[ \t]?\[!\w+\]")
_ENDS_MATH = re.compile(r"\$\$(?:[ \t]*\{[^{}]*\})?[ \t]*$")
"""The last of a formula, perhaps with the label that others refer to: `$$ {#eq-mean}`."""
_FENCED_NAME = re.compile(r" {0,3}(:{3,}|/{3,})[ \t]*(.*?)[ \t]*\Z")
_ADMONITION = re.compile(r' {0,3}[!?]{3}\+?[ \t]*(?:[\w-]+(?:[ \t]+[\w-]+)*)?(?:[ \t]*"[^"]*")?[ \t]*\Z')
_TAG = re.compile(r" {0,3}<(/?)([A-Z][\w.]*)")
_TAG_ALONE = re.compile(r" {0,3}</?[A-Z][\w.]*(?:[ \t][^<>]*)?>[ \t]*\Z")
_IMPORT = re.compile(r"import[ \t]+(?:['\"]|(?:type[ \t]+)?(?:[\w$*{][^'\"`]*?[ \t}])?from[ \t\n]+['\"])")
_EXPORT = re.compile(
    r"export[ \t]+(?:\{|\*[ \t]|(?:const|let|var)[ \t]+[\w$\[{]+[^\n]*=|(?:async[ \t]+)?function\b[^\n]*\(|"
    r"class[ \t]+\w+[^\n]*\{|default[ \t]+(?:[({\[]|(?:async[ \t]+)?function\b|class\b|[\w$.]+[ \t]*(?:\(|;|\Z)))"
)
_LONGEST_TAIL = 200
"""Lines. What a closing line leaves of a list or table is read again; a longer rest keeps its lines together."""


class _Region(NamedTuple):
    start: int
    stop: int
    kind: str


def closes_container(line: str) -> bool:
    """Say whether this last line of a container is its closing mark."""
    text = line.strip(" \t>")
    return text.startswith("</") or (len(text) >= 3 and not text.strip(text[0]) and text[0] in ":/")


def extended(lines: Sequence[str], found: list[Span], reread: Callable[[Sequence[str]], list[Span]]) -> list[Span]:
    """Return the blocks with those that CommonMark does not know. `reread` gives the blocks of a few lines."""
    quotes = [at for at, span in enumerate(found) if span[0] == "block_quote"]
    alerts = [at for at in quotes if _ALERT.match(lines[found[at][1]])]
    if alerts:
        found = list(found)
        for at in alerts:
            found[at] = ("admonition", *found[at][1:])
    candidates = [
        number
        for kind, start, stop, _ in found
        if kind in _OPEN
        for number, line in enumerate(lines[start:stop], start)
        if line[:1] in _FIRST and _CANDIDATE.match(line) is not None
    ]
    if not candidates:
        return found
    regions = _Finder(lines, found, candidates).regions()
    return _join(lines, found, regions, reread) if regions else found


class _Finder:
    """Pairs opening and closing lines."""

    def __init__(self, lines: Sequence[str], found: list[Span], candidates: list[int]) -> None:
        self.lines = lines
        self.found = found
        self.candidates = candidates
        self.starts = [span[1] for span in found]
        self.out: list[_Region] = []
        self.open: list[tuple[str, int]] = []  # name and line of the open containers
        self.names: dict[str, int] = {}  # how many of that name are open
        self.ends: list[int] | None = None  # lines that end in "$$"
        self.brackets: list[int] = []  # lines that are "\\]"
        self.blanks: list[int] = []

    def regions(self) -> list[_Region]:
        behind = 0
        for number in self.candidates:
            index = bisect_right(self.starts, number) - 1
            if index < 0 or number < behind:
                continue
            span = self.found[index]
            if number >= span[2]:
                continue
            region = self._at(number, span)
            if region:
                self.out.append(region)
                behind = region.stop
        return sorted(self.out, key=lambda region: (region.start, -region.stop))

    def _at(self, number: int, span: Span) -> _Region | None:
        """Return the region that starts here and is no container; containers are noted down."""
        kind, start, stop, _ = span
        line = self.lines[number]
        match = _CANDIDATE.match(line)
        if match is None or not self._text(number, span):
            return None
        in_paragraph = kind == "paragraph"
        if match[1]:
            return self._math(number) if in_paragraph else None
        if match[3]:
            return self._admonition(number) if in_paragraph else None
        if match[2]:
            self._fence(number, in_paragraph)
        elif match[4]:
            return self._tag(number, span)
        elif in_paragraph and number == start:
            text = "\n".join(self.lines[start : min(stop, start + 40)]).lstrip(" ")
            if _IMPORT.match(text) or _EXPORT.match(text):
                return _Region(start, stop, "mdx")
        return None

    def _text(self, number: int, span: Span) -> bool:
        """Say whether the line may open or close something: text, a table row, or a lazy continuation line."""
        kind = span[0]
        if kind in ("paragraph", "html", "table"):
            return True
        line = self.lines[number]
        if kind == "list":
            return number > span[1] and not line.startswith(("  ", "\t"))
        return kind in ("block_quote", "admonition") and number > span[1]

    def _math(self, number: int) -> _Region | None:
        line = self.lines[number].strip(" \t")
        if len(line) > 4 and _ENDS_MATH.search(line, 2):
            return _Region(number, number + 1, "math")
        if self.ends is None:
            self.ends = [at for at, text in enumerate(self.lines) if "$$" in text and _ENDS_MATH.search(text)]
            self.brackets = [at for at, text in enumerate(self.lines) if text.strip(" \t") == "\\]"]
            self.blanks = [at for at, text in enumerate(self.lines) if not text.strip(" \t")]
        ends = self.brackets if line == "\\[" else self.ends
        at = bisect_left(ends, number + 1)
        if at == len(ends):
            return None
        end = ends[at]
        if line not in ("$$", "\\["):
            blank = bisect_left(self.blanks, number)
            if blank < len(self.blanks) and self.blanks[blank] < end:
                return None
        return _Region(number, end + 1, "math")

    def _admonition(self, number: int) -> _Region | None:
        stop = number + 1
        if _ADMONITION.match(self.lines[number]) is None:
            return None
        for at in range(stop, len(self.lines)):
            line = self.lines[at]
            if line.startswith(("    ", "\t")):
                if line.strip(" \t"):
                    stop = at + 1
            elif line.strip(" \t"):
                break
        return _Region(number, stop, "admonition") if stop > number + 1 else None  # without a body: an exclamation

    def _fence(self, number: int, opens: bool) -> None:
        match = _FENCED_NAME.match(self.lines[number])
        if match is None:
            return
        mark, title = match[1], match[2]
        if title.strip(":/ \t"):
            if opens and (mark[0] == ":" or title[0] != "/"):
                self._push(mark, number)
            return
        # A closing line may be longer than the opening one: the innermost that it can close.
        for size in range(len(mark), 2, -1) if len(mark) < 12 else ():
            if self.names.get(mark[0] * size):
                self._pop(mark[0] * size, number)
                return

    def _tag(self, number: int, span: Span) -> _Region | None:
        kind, start, stop, _ = span
        line = self.lines[number]
        match = _TAG.match(line)
        if match is None:
            return None
        name = "<" + match[2]
        if match[1]:
            if self.names.get(name):
                self._pop(name, number)
        elif number == start and kind in ("paragraph", "html"):
            self.out.append(_Region(start, stop, "mdx"))
            if _TAG_ALONE.match(line) and not line.rstrip(" \t").endswith("/>"):
                self._push(name, number)
        return None

    def _push(self, name: str, number: int) -> None:
        self.open.append((name, number))
        self.names[name] = self.names.get(name, 0) + 1

    def _pop(self, name: str, number: int) -> None:
        """Close the innermost container of this name, and with it what was left open inside."""
        while self.open:
            opened, start = self.open.pop()
            self.names[opened] -= 1
            if opened == name:
                if number > start + 1 or name[0] != "<":
                    self.out.append(_Region(start, number + 1, "container"))
                return


def _join(
    lines: Sequence[str], found: list[Span], regions: list[_Region], reread: Callable[[Sequence[str]], list[Span]]
) -> list[Span]:
    headings = [span[1] for span in found if span[0] == "heading"]
    waiting = found[::-1]  # the next one last
    out: list[Span] = []
    behind = 0
    for region in regions:
        start, stop, kind = region
        if start < behind:
            continue
        at = bisect_left(headings, start)
        if at < len(headings) and headings[at] < stop:
            continue
        while waiting and waiting[-1][2] <= start:
            out.append(waiting.pop())
        if not waiting or (waiting[-1][1] != start and waiting[-1][0] != "paragraph"):
            continue
        first = waiting[-1]
        tail = _tail(lines, waiting, stop, reread)
        if tail is None:
            continue
        if first[1] < start:
            out.append(("paragraph", first[1], start, 0))
        elif first[1:3] == (start, stop) and first[0] == "html" and kind == "container":
            kind = "mdx"  # in one block: nothing in it is Markdown
        out.append((kind, start, stop, 0))
        while waiting and waiting[-1][1] < stop:
            waiting.pop()
        waiting.extend(reversed(tail))
        behind = stop
    out.extend(reversed(waiting))
    return out


def _tail(
    lines: Sequence[str], waiting: list[Span], stop: int, reread: Callable[[Sequence[str]], list[Span]]
) -> list[Span] | None:
    """Return the blocks in what a region leaves of its last block; None if it must not end at `stop`."""
    index = len(waiting) - 1
    while index >= 0 and waiting[index][2] < stop:
        index -= 1
    if index < 0:
        return []
    kind, start, end, _ = waiting[index]
    if start >= stop or end == stop:
        return []
    if kind not in ("paragraph", "list", "block_quote", "admonition", "table", "html") or (
        kind != "paragraph" and end - stop > _LONGEST_TAIL
    ):
        return None
    if kind == "paragraph":
        return [(kind, stop, end, 0)]
    tail = reread(lines[stop:end])
    if any(span[0] == "heading" for span in tail):
        return None
    return [(kind, first + stop, last + stop, 0) for kind, first, last, _ in tail]
