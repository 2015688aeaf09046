"""How far a block quote, a list item or a footnote definition reaches (CommonMark 5), and where a list's items lie."""

from __future__ import annotations

import re

from ._leaves import FOOTNOTE, closes_fence, ends_table, is_table
from ._rules import (
    ATX,
    FENCE,
    MARKER,
    Lazy,
    expand,
    html_end,
    html_start,
    interrupts,
    is_blank,
    is_thematic_break,
    list_marker,
    setext_level,
)  # fmt: skip

__all__ = ["Item", "footnote_stop", "items", "quote_stop"]

Item = tuple[int, int, int]
"""First line, line after the last, columns of the first line that are the marker and the space around it."""

_QUOTE = re.compile(r" {0,3}>")
_USUAL_ITEM = re.compile(r" {0,3}(?:(?=[-+*])|[0-9]{1,9}(?=[.)]))(.) {1,4}(?=[^ \t])")
_BULLETS = frozenset({"- ", "* ", "+ "})
_PLAIN = re.compile(r"[A-Za-z\u00c0-\U0010ffff]")  # starts a paragraph, whatever follows
_SPACES = re.compile(r" *")

_QUOTED = -1  # in the stack of open containers: a block quote; an item is the columns it is indented by
_NOTHING, _PARAGRAPH, _FENCE, _HTML, _CODE, _TABLE = range(6)


def quote_stop(lines: list[str], at: int, footnotes: bool) -> int:
    """Return the line after a block quote, blank lines not trimmed."""
    number, end = at + 1, len(lines)
    quote = _QUOTE.match
    while number < end:
        line = lines[number]
        if quote(line):
            number += 1
            continue
        if not line.strip(" \t"):
            return number
        if type(line) is not Lazy and interrupts(line, paragraph=False):
            return number
        return _Machine(lines, at, _QUOTED, footnotes).stop()
    return end


def footnote_stop(lines: list[str], at: int) -> int:
    """Return the line after a footnote definition: text indented by four columns, and lazy continuation lines."""
    match = FOOTNOTE.match(lines[at])
    return _Machine(lines, at, 4, True, match.end() if match else 0).stop()


def items(lines: list[str], at: int, footnotes: bool) -> tuple[int, list[Item]]:
    """Return the line after the list that starts here, and its items. Blank lines after an item are not trimmed."""
    found: list[Item] = []
    end = len(lines)
    number = at
    kind = ""
    while number < end:
        line = lines[number]
        match = _USUAL_ITEM.match(line)
        if match is not None:
            mark = match[1]
            width = match.end()
            if line[width] == mark and is_thematic_break(line):
                break
        else:
            line = expand(line)
            match = MARKER.match(line)
            if match is None or is_thematic_break(line):
                break
            mark = line[match.end() - 1]
            width = content_column(line, match.end())
        if mark != kind:
            if kind or type(lines[number]) is Lazy:
                break
            kind = mark
        first, number = number, _item_stop(lines, number, width, footnotes)
        found.append((first, number, width))
    return number, found


def content_column(line: str, after: int) -> int:
    """Return the column of an item's content, for the column after its marker (5.2, rules 1 to 3)."""
    match = _SPACES.match(line, after)
    end = match.end() if match else after
    if end == len(line) or end - after > 4:
        return after + 1
    return end


def _rule_columns(line: str) -> tuple[int, int]:
    """Between which columns, both included, a mark must stand for the line to be a thematic break from there on."""
    bare = line.rstrip(" \t")
    char = bare[-1:]
    if char == "" or char not in "-*":
        return 1, 0
    third = len(bare)
    for _ in range(3):
        third = bare.rfind(char, 0, third)
        if third < 0:
            return 1, 0
    return len(bare.rstrip(char + " \t")), third


def _item_stop(lines: list[str], at: int, width: int, footnotes: bool) -> int:
    end = len(lines)
    number = at + 1
    first = lines[at]
    bare = (len(first) <= width or first[-1] in " \t") and is_blank(first[width - 1 :])
    if bare and number < end and is_blank(lines[number]):
        return number + 1  # an item may start with one blank line (5.2, rule 3)
    blank = False
    # Is a paragraph open? Sure only for text on the marker's own line; else the machine finds out.
    lazy = _PLAIN.match(first, width) is not None and "\t" not in first
    while number < end:
        line = lines[number]
        if line[:2] in _BULLETS and type(line) is not Lazy:
            return number
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        if text[:1] == "\t":
            line = expand(line)
            text = line.lstrip(" ")
            indent = len(line) - len(text)
        if not text or (text.isspace() and is_blank(text)):
            blank = True
            lazy = False
        elif type(line) is Lazy:
            blank = False
        elif indent >= width:
            blank = lazy = False
        elif (
            blank
            or (indent < 4 and (text[0] in _STARTS) and interrupts(line, paragraph=False))
            or (footnotes and text[0] == "[" and indent < 4 and FOOTNOTE.match(line))
        ):
            return number
        elif not lazy:
            return _Machine(lines, at, width, footnotes, width).stop()
        number += 1
    return end


_STARTS = frozenset("#>`~<-_*+0123456789")


class _Machine:
    """CommonMark's block algorithm (appendix A) over one container, as far as it takes to know where that ends.

    It keeps the open containers and what kind of leaf is open in the innermost; nothing recurses, and a line costs
    what it has of indentation and markers, however deep the containers are.
    """

    def __init__(self, lines: list[str], at: int, root: int, footnotes: bool, after: int = 0) -> None:
        self.lines = lines
        self.at = at
        self.footnotes = footnotes
        self.stack = [root]
        self.quotes = [0] if root == _QUOTED else []  # where in the stack the block quotes are
        self.leaf = _NOTHING
        self.marker = ""  # of the open fence
        self.condition = 0  # of the open HTML block
        self.above = ""  # the paragraph's last line: the header, if the next line is a delimiter row
        self.empty = False  # the innermost container is an item that holds nothing yet
        self.after = after

    def stop(self) -> int:
        lines = self.lines
        first = expand(lines[self.at])
        if self.stack[0] == _QUOTED:
            after = first.index(">") + 1
            after += first[after : after + 1] == " "
        else:
            after = min(self.after, len(first))
        spaces = _SPACES.match(first, after)
        start = spaces.end() if spaces else after
        if start == len(first):
            self.empty = self.stack[0] != _QUOTED
        else:
            self._open(first, after, start, 1, True)
        for number in range(self.at + 1, len(lines)):
            line = lines[number]
            if type(line) is not Lazy and not self._feed(expand(line)):
                return number
        return len(lines)

    def _feed(self, line: str) -> bool:
        """Take the next line; False when it is outside."""
        stack = self.stack
        position = 0
        start = len(line) - len(line.lstrip(" "))
        visible = len(line.rstrip(" \t"))
        depth = 0
        deepest = len(stack)
        while depth < deepest:
            if start >= visible:
                # A blank line goes on with every item, but with no quote.
                depth = next((quote for quote in self.quotes if quote >= depth), deepest)
                break
            width = stack[depth]
            if width == _QUOTED:
                if start - position > 3 or line[start] != ">":
                    break
                position = start + 1
                if line[position : position + 1] == " ":
                    position += 1
                match = _SPACES.match(line, position)
                start = match.end() if match else position
            elif start - position >= width:
                position += width
            else:
                break
            depth += 1
        matched = depth == deepest
        if start >= visible:
            return self._blank(depth, matched)
        self.empty = False
        if matched and self._goes_on(line[position:]):
            return True
        return self._open(line, position, start, depth, matched)

    def _blank(self, depth: int, matched: bool) -> bool:
        if not matched:
            return self._close(depth)
        if self.leaf in (_PARAGRAPH, _TABLE) or (self.leaf == _HTML and self.condition > 5):
            self.leaf = _NOTHING
        if self.empty:
            self.empty = False
            return self._close(len(self.stack) - 1)
        return True

    def _goes_on(self, text: str) -> bool:
        """Say whether the open leaf takes the line, whatever it holds."""
        leaf = self.leaf
        if leaf == _FENCE:
            if closes_fence(text, self.marker):
                self.leaf = _NOTHING
            return True
        if leaf == _HTML:
            if self.condition < 6 and html_end(text, self.condition):
                self.leaf = _NOTHING
            return True
        if leaf == _CODE:
            if text.startswith("    "):
                return True
            self.leaf = _NOTHING
        elif leaf == _TABLE:
            if not ends_table(text, self.footnotes):
                return True
            self.leaf = _NOTHING
        return False

    def _close(self, depth: int) -> bool:
        """Close the containers from this depth on; False when none is left."""
        if depth == 0:
            return False
        if depth < len(self.stack):
            del self.stack[depth:]
            while self.quotes and self.quotes[-1] >= depth:
                self.quotes.pop()
            self.leaf = _NOTHING
        return True

    def _open(self, line: str, position: int, start: int, depth: int, matched: bool) -> bool:
        """Take what of the line is behind the containers that it goes on with: new containers, then a leaf."""
        rule_from, rule_to = _rule_columns(line)
        while True:
            inside = matched and self.leaf == _PARAGRAPH
            char = line[start]
            if start - position > 3:
                if self.leaf == _PARAGRAPH:
                    break
                if not self._close(depth):
                    return False
                self.leaf = _CODE
                return True
            if char == ">":
                if not self._push(depth, _QUOTED):
                    return False
                position = start + 1
                if line[position : position + 1] == " ":
                    position += 1
            elif (
                char in "-+*0123456789"
                and not rule_from <= start <= rule_to
                and (after := list_marker(line, position, inside))
            ):
                width = content_column(line, after) - position
                if not self._push(depth, width):
                    return False
                position = min(position + width, len(line))
            elif self.footnotes and char == "[" and (match := FOOTNOTE.match(line, position)):
                if not self._push(depth, 4):
                    return False
                position = match.end()
            else:
                break
            matched = True
            depth = len(self.stack)
            spaces = _SPACES.match(line, position)
            start = spaces.end() if spaces else position
            if start == len(line) or (line[start] == "\t" and is_blank(line[start:])):
                self.empty = self.stack[-1] != _QUOTED
                return True
        return self._open_leaf(line[position:], depth, matched)

    def _push(self, depth: int, container: int) -> bool:
        if not self._close(depth):
            return False
        self.leaf = _NOTHING
        if container == _QUOTED:
            self.quotes.append(depth)
        self.stack.append(container)
        return True

    def _open_leaf(self, text: str, depth: int, matched: bool) -> bool:
        paragraph = self.leaf == _PARAGRAPH
        if paragraph and matched and setext_level(text):
            self.leaf = _NOTHING
            return True
        leaf = _NOTHING
        if fence := FENCE.match(text):
            leaf = _FENCE
            self_marker = fence[1]
        elif condition := html_start(text, paragraph=paragraph):
            leaf = _HTML if condition > 5 or not html_end(text, condition) else _NOTHING
        elif not (ATX.match(text) or is_thematic_break(text)):
            if paragraph:
                if matched and is_table(self.above, text):
                    self.leaf = _TABLE
                self.above = text if matched else ""
                return True  # continuation text, lazy where its containers are not all matched
            leaf = _PARAGRAPH
            self.above = text
        if not self._close(depth):
            return False
        self.leaf = leaf
        if leaf == _FENCE:
            self.marker = self_marker
        elif leaf == _HTML:
            self.condition = condition
        return True
