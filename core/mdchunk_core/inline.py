"""The plain text of a line of Markdown: CommonMark's inline rules (chapter 6), of which only the text is kept."""

from __future__ import annotations

import re
from collections.abc import Container
from html.entities import html5

from ._emphasis import Delimiter, flanking, pair_up
from ._references import normalised

__all__ = ["plain_text"]

_SPECIAL = re.compile(r"\*+|_+|[\\`\[\]!<&]")
_CODE_SPAN = re.compile(r"([^*_\\`\[\]!<&]*)`([^` \n][^`\n]*)`([^*_\\`\[\]!<&]*)")
"""A text with one code span and no other mark, as many headings of reference pages are."""
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_BACKTICKS = re.compile(r"`+")
_ENTITY = re.compile(r"&(?:#[xX]([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([A-Za-z][A-Za-z0-9]{1,31}));")
_AUTOLINK = re.compile(
    r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^ <>\x00-\x1f\x7f]*|"
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    r"(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*)>"
)
_ATTRIBUTE = r"""[ \t\n]+[A-Za-z_:][A-Za-z0-9:._-]*(?:[ \t\n]*=[ \t\n]*(?:[^ \t\n"'=<>`]+|'[^']*'|"[^"]*"))?"""
_TAG = re.compile(rf"<(?:[A-Za-z][A-Za-z0-9-]*(?:{_ATTRIBUTE})*[ \t\n]*/?|/[A-Za-z][A-Za-z0-9-]*[ \t\n]*)>")
_SPANS = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">"))
_SPACE = re.compile(r"[ \t\n]*")
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.?){0,999})\]", re.S)
_ANGLED = re.compile(r"<(?:[^<>\\\n]|\\.)*>")
_BARE = re.compile(r"(?:[^ ()\\\x00-\x1f\x7f]|\\[!-/:-@\[-`{-~]|\\)*")
_TITLE = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)""", re.S)
_DEEPEST_PARENTHESES = 32  # in a link destination; the specification asks for at least three


def plain_text(text: str, labels: Container[str]) -> str:
    """Return what a reader sees, white space as it comes. `labels` says which references have a definition.

    >>> plain_text("*Very* `a*b` [fast](x.md) &amp; <b>small</b>", ())
    'Very a*b fast & small'
    """
    if not _SPECIAL.search(text):
        return text
    code = _CODE_SPAN.fullmatch(text)
    return "".join(code.groups()) if code else _Inline(text, labels).run()


class _Bracket:
    __slots__ = ("after", "delimiters", "image", "out")

    def __init__(self, out: int, after: int, delimiters: int, image: bool) -> None:
        self.out = out  # where in the output the bracket is
        self.after = after  # offset of the link's text in the source
        self.delimiters = delimiters  # how many delimiter runs stand before it
        self.image = image


class _Inline:
    """One pass over a heading's text."""

    def __init__(self, text: str, labels: Container[str]) -> None:
        self.text = text
        self.labels = labels
        self.out: list[str] = []
        self.delimiters: list[Delimiter] = []
        self.brackets: list[_Bracket] = []
        self.links_below = 0  # brackets below this index are no openers of links any more
        self.absent: set[str] = set()  # closing sequences that do not come again
        self.last_closing = text.rfind(")")
        self.runs: dict[int, list[int]] | None = None  # backtick runs by length, last first

    def run(self) -> str:
        text, out = self.text, self.out
        position = 0
        while match := _SPECIAL.search(text, position):
            start = match.start()
            if start > position:
                out.append(text[position:start])
            found = match.group()
            position = self._delimiter(found, start) if found[0] in "*_" else self._take(found, start)
        out.append(text[position:])
        pair_up(self.delimiters, out)
        return "".join(out)

    def _take(self, char: str, at: int) -> int:
        """Read what starts with this special character; returns the offset behind it."""
        text, out = self.text, self.out
        if char == "[":
            self.brackets.append(_Bracket(len(out), at + 1, len(self.delimiters), False))
        elif char == "!":
            if text.startswith("[", at + 1):
                self.brackets.append(_Bracket(len(out), at + 2, len(self.delimiters), True))
                out.append("![")
                return at + 2
        elif char == "]":
            end = self._link(at)
            if end:
                return end
        elif char == "`":
            return self._code(at)
        elif char == "\\":
            match = _ESCAPED.match(text, at)
            if match:
                out.append(match[1])
                return match.end()
            if text.startswith("\n", at + 1):
                return at + 1
        elif char == "&":
            match = _ENTITY.match(text, at)
            if match and (value := _entity(match)) is not None:
                out.append(value)
                return match.end()
        else:
            match = _AUTOLINK.match(text, at)
            if match:
                out.append(match[1])
                return match.end()
            end = self._html(at)
            if end:
                return end
        out.append(char)
        return at + 1

    def _delimiter(self, run: str, at: int) -> int:
        text, end = self.text, at + len(run)
        opens, closes = flanking(run[0], text[at - 1] if at else " ", text[end] if end < len(text) else " ")
        if opens or closes:
            self.delimiters.append(Delimiter(run[0], len(self.out), len(run), opens, closes))
        self.out.append(run)
        return end

    def _code(self, at: int) -> int:
        match = _BACKTICKS.match(self.text, at)
        end = match.end() if match else at + 1
        size = end - at
        if self.runs is None:
            self.runs = {}
            for run in _BACKTICKS.finditer(self.text):
                self.runs.setdefault(len(run.group()), []).append(run.start())
            for starts in self.runs.values():
                starts.reverse()
        starts = self.runs.get(size, [])
        while starts and starts[-1] < end:
            starts.pop()
        if not starts:
            self.out.append(self.text[at:end])
            return end
        code = self.text[end : starts[-1]].replace("\n", " ")
        if code[:1] == code[-1:] == " " and code.strip(" "):
            code = code[1:-1]
        self.out.append(code)
        return starts.pop() + size

    def _html(self, at: int) -> int:
        text = self.text
        match = _TAG.match(text, at)
        if match:
            return match.end()
        for opener, closer in _SPANS:
            if text.startswith(opener, at) and closer not in self.absent:
                if opener == "<!--" and text.startswith((">", "->"), at + 4):
                    return text.index(">", at) + 1
                if opener == "<!" and not (text[at + 2 : at + 3].isascii() and text[at + 2 : at + 3].isalpha()):
                    return 0
                end = text.find(closer, at + len(opener))
                if end >= 0:
                    return end + len(closer)
                self.absent.add(closer)
                return 0
        return 0

    def _link(self, at: int) -> int:
        """Close the innermost bracket at `at`; the offset behind the link, 0 if it is none."""
        if not self.brackets:
            return 0
        opener = self.brackets.pop()
        below, self.links_below = self.links_below, min(self.links_below, len(self.brackets))
        if not opener.image and len(self.brackets) < below:
            return 0
        out = self.out
        end = self._target(at + 1) or self._reference(opener.after, at)
        if not end:
            return 0
        if end < 0:  # a footnote's number is not text
            for number in range(opener.out, len(out)):
                out[number] = ""
            if opener.image:
                out[opener.out] = "!"
            del self.delimiters[opener.delimiters :]
            self.brackets.clear()  # no footnote in a link
            self.links_below = 0
            return -end
        out[opener.out] = ""
        inner = self.delimiters[opener.delimiters :]
        del self.delimiters[opener.delimiters :]
        pair_up(inner, out)
        if not opener.image:
            self.links_below = len(self.brackets)  # no link in a link
        return end

    def _target(self, at: int) -> int:
        """Return the offset behind `(destination "title")`, 0 if there is none."""
        text = self.text
        if not text.startswith("(", at) or at > self.last_closing:
            return 0
        position = _skip(text, at + 1)
        if text.startswith("<", position):
            match = _ANGLED.match(text, position)
            if match is None:
                return 0
            after = match.end()
        else:
            after = _bare(text, position)
            if after < 0:
                return 0
        position = _skip(text, after)
        if position > after and (match := _TITLE.match(text, position)):
            position = _skip(text, match.end())
        return position + 1 if text.startswith(")", position) else 0

    def _reference(self, start: int, at: int) -> int:
        """Return the offset behind a reference that has a definition, negative for a footnote's, 0 if there is none."""
        match = _LABEL.match(self.text, at + 1)
        if match and match[1].startswith("^") and match[1] != "^":
            match = None  # a footnote of its own
        if match and match[1].strip():
            return match.end() if normalised(match[1]) in self.labels else 0
        label = self._label(start, at)
        if not label or label not in self.labels:
            return 0
        if label.startswith("^"):
            return -at - 1
        return match.end() if match else at + 1

    def _label(self, start: int, at: int) -> str:
        """Return the text between brackets as a label, empty if it is none."""
        if at - start > 999 or not _LABEL.fullmatch(self.text, start - 1, at + 1):
            return ""
        return normalised(self.text[start:at])


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _bare(text: str, position: int) -> int:
    depth = 0
    while True:
        match = _BARE.match(text, position)
        position = match.end() if match else position
        char = text[position : position + 1]
        if char == "(":
            depth += 1
            if depth > _DEEPEST_PARENTHESES:
                return -1
        elif char == ")" and depth:
            depth -= 1
        else:
            return position if depth == 0 else -1
        position += 1


def _entity(match: re.Match[str]) -> str | None:
    name = match[3]
    if name:
        return html5.get(name + ";")
    code = int(match[1], 16) if match[1] else int(match[2])
    if code == 0 or code > 0x10FFFF or 0xD800 <= code < 0xE000:
        return "\ufffd"
    return chr(code)
