"""The plain text of a heading."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from ._rules import ATX
from .inline import plain_text

__all__ = ["text_of_heading"]

_ATTRIBUTES = re.compile(r"\{[^{}<>\\]*\}[ \t]*\Z")


def text_of_heading(lines: Sequence[str], labels: Container[str]) -> str:
    """Return the text of a heading's own lines, white space collapsed.

    >>> text_of_heading(["Setup", "and *use*", "==="], ())
    'Setup and use'
    """
    match = ATX.match(lines[0])
    text = lines[0][match.end() :] if match else "\n".join([line.strip(" \t") for line in lines[:-1]])
    text = text.strip(" \t")
    if text.endswith("}"):
        text = _without_attributes(text).rstrip(" \t")
    if match and text.endswith("#"):
        text = _without_closing(text).rstrip(" \t")
    return " ".join(plain_text(text, labels).split())


def _without_attributes(text: str) -> str:
    """Take off the `{#id .class key=value}` at the end of a text that ends in a brace, whatever is between the two."""
    start = text.rfind("{")
    return text[:start] if start >= 0 and "\n" not in text[start:] and _ATTRIBUTES.match(text, start) else text


def _without_closing(text: str) -> str:
    """Take off the closing hashes of an ATX heading (4.2) whose text ends in one."""
    bare = text.rstrip("#")
    return bare if not bare or bare[-1] in " \t" else text
