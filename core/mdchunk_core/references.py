"""Link reference and footnote definitions, so that `[text][ref]` in a chunk stays resolvable."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .blocks import Block
from .source import Source

_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){1,999})\]")
_UNESCAPED_LABEL = re.compile(r"\[([^\[\]]{1,999})\]")
"""The same for a text without backslashes, several times as fast."""


def definitions(source: Source, blocks: Sequence[Block]) -> dict[str, int]:
    """The blocks at document level that define a label, by normalised label; the first definition wins."""
    found: dict[str, int] = {}
    for index, block in enumerate(blocks):
        if block.kind in ("link_reference", "footnote_definition"):
            match = _LABEL.search(source.text, source.line_starts[block.start])
            if match:
                found.setdefault(normalised(match[1]), index)
    return found


def used(text: str, known: Mapping[str, int]) -> list[int]:
    """The defining blocks that a text refers to, in document order."""
    labels = (_LABEL if "\\" in text else _UNESCAPED_LABEL).findall(text)
    return sorted({known[label] for label in map(normalised, labels) if label in known})


def normalised(label: str) -> str:
    r"""CommonMark's label matching: case folded, white space collapsed.

    >>> normalised(" Foo\n bar")
    'foo bar'
    """
    return " ".join(label.split()).casefold()
