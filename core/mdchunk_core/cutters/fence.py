"""Code: fenced, closed and opened again around every cut, and indented."""

from __future__ import annotations

import re

from ..blocks import Block, own_first_line
from .frame import Frame, margin_match
from .lines import JointBefore, line_parts
from .part import Joint, Part, Window

DIAGRAMS = frozenset("mermaid plantuml puml dot graphviz d2 ditaa svgbob vega vega-lite wavedrom pikchr".split())
"""Languages whose blank lines mean nothing: a part of a diagram is no diagram."""

_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})[ \t]*\{?\.?([^\s{}`,:]*)")
_CLOSERS = ("}", ")", "]", "end", "else", "elif", "except", "finally", "catch")
"""What goes on with the statement before, though it stands at the margin behind a blank line."""


def cut_fence(block: Block, window: Window) -> list[Part]:
    r"""Between statements, then at blank lines, lines, spaces. Every part has the opening line and a closing one.

    >>> from mdchunk_core.source import read
    >>> source = read("```py\na = 1\n\nb = 2\n```")
    >>> window = Window(source, lambda text: len(text.split()), limit=6, room=6)
    >>> parts = cut_fence(Block("fenced_code", 0, 5), window)
    >>> [part.prefix + source.text[part.start:part.end] + part.suffix for part in parts]
    ['```py\na = 1\n```', '```py\nb = 2\n```']
    """
    lines = window.source.lines
    first = own_first_line(window.source, block)
    fence = _FENCE.match(first)
    if fence is None:
        return line_parts(block, window, Frame(window, block.margin))
    indent, marks, language = fence.groups()
    edge = block.margin + indent + marks
    headers = [block.margin + first.rstrip() + "\n", edge + language + "\n", edge + "\n"]
    frame = Frame(window, block.margin, headers, "\n" + edge)
    stop = block.stop - 1 if _closes(lines[block.stop - 1], block, marks) else block.stop
    code = [number for number in range(block.start + 1, stop) if _inner(lines[number], block).strip()]
    head = code[0] - block.start if code else 0
    tail = block.stop - 1 - code[-1] if code else 0
    joints = _joints(block, window, code, language.lower() in DIAGRAMS)
    return line_parts(block, window, frame, head=head, tail=tail, after_blank=joints)


def cut_indented(block: Block, window: Window) -> list[Part]:
    r"""As fenced code, with nothing repeated: the indentation makes it code.

    >>> from mdchunk_core.source import read
    >>> source = read("    a = 1\n\n    b = 2")
    >>> window = Window(source, lambda text: len(text.split()), limit=3, room=3)
    >>> [source.text[part.start:part.end] for part in cut_indented(Block("indented_code", 0, 3), window)]
    ['    a = 1', '    b = 2']
    """
    lines = window.source.lines
    code = [number for number in range(block.start, block.stop) if _inner(lines[number], block).strip()]
    frame = Frame(window, block.margin + "    ")
    return line_parts(block, window, frame, after_blank=_joints(block, window, code, False))


def _inner(line: str, block: Block) -> str:
    return line[margin_match(line, block.margin)[0] :]


def _closes(line: str, block: Block, marks: str) -> bool:
    if block.stop - block.start < 2:
        return False
    inner = _inner(line, block)
    closing = inner.strip()
    return len(closing) >= len(marks) and not closing.strip(marks[0]) and len(inner) - len(inner.lstrip(" ")) < 4


def _joints(block: Block, window: Window, code: list[int], diagram: bool) -> JointBefore:
    """ITEM where a statement starts at the smallest indentation, BLANK elsewhere; no better than LINE in a diagram."""
    inner = {number: _inner(window.source.lines[number], block).expandtabs(4) for number in code}
    least = min((len(line) - len(line.lstrip()) for line in inner.values()), default=0)

    def joint(number: int) -> Joint:
        line = inner.get(number, "")
        if diagram:
            return Joint.LINE
        statement = line.lstrip()
        if len(line) - len(statement) > least or statement.startswith(_CLOSERS):
            return Joint.BLANK
        return Joint.ITEM

    return joint
