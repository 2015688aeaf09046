"""How the command ends, and what it says on the way."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from ..errors import ConfigError, MdchunkError

OK = 0
SOME_FAILED = 1
USAGE = 2
OUTPUT_FAILED = 3
INTERRUPTED = 130
TERMINATED = 143

EPILOG = (
    "Exit codes: 0 all inputs were done; 1 some inputs failed, each is named on standard error, the rest was written; "
    "2 wrong usage or configuration, nothing was done; 3 the output could not be written; 130 interrupted."
)

OPTIONS = {
    "target_tokens": "--target",
    "max_tokens": "--max",
    "min_tokens": "--min",
    "overlap_tokens": "--overlap",
    "tokenizer": "--tokenizer",
    "preset": "--preset",
    "heading_context": "--heading-context",
    "note_context": "--note-context",
    "merge_across": "--merge-across",
}
"""The library's name of an option -> the command line's."""

_NAMES = re.compile(r"\b(?:" + "|".join(OPTIONS) + r")\b")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def say(message: str) -> None:
    """One line on standard error, whatever stands in the message."""
    sys.stderr.write("mdchunk: " + one_line(message) + "\n")
    sys.stderr.flush()


def one_line(text: str) -> str:
    r"""The text with control characters and line endings written as escapes, so that it cannot steer a terminal.

    >>> one_line("a\nb")
    'a\\x0ab'
    """
    return _CONTROLS.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn what the library says about its options into one line about the command's, and exit code 2."""
    try:
        yield
    except ConfigError as error:
        name = OPTIONS.get(error.option, error.option)
        allowed = _NAMES.sub(lambda match: OPTIONS[match[0]], error.allowed)
        say(f"{name} {error.value}: {allowed}")
        raise typer.Exit(USAGE) from None
    except MdchunkError as error:
        say(str(error))
        raise typer.Exit(USAGE) from None
