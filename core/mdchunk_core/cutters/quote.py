"""Quotes, admonitions, containers, footnotes: between their blocks, with marker and title line repeated."""

from __future__ import annotations

import re

from ..blocks import Block, children, own_first_line
from .levels import Level
from .lines import cut_lines
from .nest import cut_inside
from .part import Part, Window

TITLE = 5
"""A title line longer than this fraction of the limit is repeated only as far as its first word."""

_OPENING = re.compile(r" {0,3}(?P<fence>:{3,}|/{3,}|!!!|\?\?\?\+?)[ \t]*\{?[^\s{}|]*\}?")
_ELEMENT = re.compile(r" {0,3}<([A-Za-z][\w.]*)")


def cut_quote(block: Block, window: Window) -> list[Part]:
    r"""Between the blocks of a quote. Its lines bring their marker along.

    >>> from mdchunk_core.source import read
    >>> source = read("> one two\n>\n> three four")
    >>> window = Window(source, lambda text: len(text.split()), limit=4, room=4)
    >>> [source.text[part.start:part.end] for part in cut_quote(Block("block_quote", 0, 3), window)]
    ['> one two\n>', '> three four']
    """
    inner = children(window.source, block)
    if not inner:
        return cut_lines(block, window)
    level = Level()
    return cut_inside(block, window, inner, lambda child, index: level)


def cut_titled(block: Block, window: Window) -> list[Part]:
    """Between the blocks of an admonition or container. Every part has its title line, and its end if it has one."""
    source = window.source
    inner = children(source, block)
    if not inner:
        return cut_lines(block, window)
    line = own_first_line(source, block)
    title = block.margin + line.rstrip() + "\n"
    opening = _OPENING.match(line)
    short = closing = ""
    element = _ELEMENT.match(line)
    if element:
        # Without a blank line CommonMark reads what is inside an element as HTML.
        blank = block.margin.rstrip() + "\n"
        title += blank
        short = f"{block.margin}<{element[1]}>\n{blank}"
        closing = f"\n{blank}{block.margin}</{element[1]}>"
    elif opening:
        short = block.margin + opening.group().rstrip() + "\n"
        if opening["fence"][0] in ":/":
            closing = "\n" + block.margin + opening["fence"]
    if window.count(title) - window.count("") > window.limit // TITLE:
        title = short
    level = Level(title, short, closing)
    return cut_inside(block, window, inner, lambda child, index: level)


def cut_footnote(block: Block, window: Window) -> list[Part]:
    """Between the blocks of a footnote definition, with its label repeated."""
    source = window.source
    inner = children(source, block)
    if not inner:
        return cut_lines(block, window)
    line = own_first_line(source, block)
    label = block.margin + line.partition("]:")[0] + "]:\n"
    level = Level(label, label)
    return cut_inside(block, window, inner, lambda child, index: level)
