"""Where the last piece of a text starts for encodings that split at words before they merge bytes."""

from __future__ import annotations

from unicodedata import category

LONGEST = 80
"""Characters of a run of signs; longer ones are not looked at."""


def tail_start(text: str) -> int | None:
    r"""An offset from which on the end of `text` is encoded by itself, whatever white space follows.

    `text` ends with a visible character. cl100k and o200k split it into words (with a space or sign before them),
    numbers, runs of other signs (with a space before and line feeds after them, and slashes after those) and white
    space; so the only piece that white space behind the text can change is a run of signs at its end. Where it is not
    plain to see where that starts, the last single space does. None where that is too far.

    >>> tail_start("It works (mostly).")
    16
    >>> tail_start("It works"), tail_start("वह आया।")
    (8, 2)
    """
    start = len(text)
    lowest = max(0, start - LONGEST)
    while start > lowest and category(text[start - 1])[0] in "PS":
        start -= 1
    if start > lowest:
        before = text[start - 1]
        if before.isalpha() or (before.isascii() and before.isdigit()):
            return start
        if start < len(text) and before == "\n" and text[start] != "/":
            return start
    space = text.rfind(" ", lowest)
    return space if space > 0 and not text[space - 1].isspace() else None
