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
    if match:
        text = _without_attributes(lines[0][match.end() :])
        text = _without_closing(text)
    else:
        text = "\n".join([line.strip(" \t") for line in lines[:-1]])
        text = _without_attributes(text)
    return " ".join(plain_text(text.strip(" \t"), labels).split())


def _without_attributes(text: str) -> str:
    """Take off a `{#id .class key=value}` at the end is no text, whatever is between the braces."""
    if not text.rstrip(" \t").endswith("}"):
        return text
    start = text.rfind("{")
    return text[:start] if start >= 0 and "\n" not in text[start:] and _ATTRIBUTES.match(text, start) else text


def _without_closing(text: str) -> str:
    """Return the closing hashes of an ATX heading (4.2)."""
    text = text.rstrip(" \t")
    bare = text.rstrip("#")
    return bare if not bare or bare[-1] in " \t" else text
