"""Front matter: YAML between `---` lines or TOML between `+++` lines, on the document's first line."""

from __future__ import annotations

import datetime
import math
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import regex
import yaml

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["FrontMatter", "read_front_matter"]

_DEEPEST = 40
"""Levels of nesting. Metadata has two or three; what is deeper would exhaust the stack of whoever serialises it."""

_BOM = "\ufeff"
_OPENERS = ("---", "+++", _BOM + "---", _BOM + "+++")
_NOT_EMPTY = re.compile(r"[ \t]*[^#\s]")
_DOTTED = regex.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){%d}""" % _DEEPEST  # noqa: UP031 (braces)
)
"""A TOML key that is nested too deeply by its dots, for which the reader's time grows with their square."""


class FrontMatter(NamedTuple):
    """What stands on top of a document."""

    stop: int = 0
    """0-based number of the first line below it; 0 where there is none or it is malformed."""
    data: Mapping[str, Any] = {}
    error: str | None = None


class _MalformedError(ValueError):
    pass


_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, where PyYAML has it


class _Loader(_Base):  # type: ignore[misc]
    """A safe loader that refuses a key that stands twice: one of the two values would be lost."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            if isinstance(key_node, yaml.ScalarNode):
                if key_node.value in seen:
                    raise _MalformedError(f"the key {key_node.value!r} stands twice")
                seen.add(key_node.value)
        keys = len(node.value)  # merging, which comes with the next line, adds to them
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        if len(mapping) < keys and "<<" not in seen:
            raise _MalformedError("two keys are the same value, as 1 and true are")
        return mapping


def read_front_matter(lines: Sequence[str]) -> FrontMatter:
    """Return the front matter of a document given as lines without endings.

    >>> read_front_matter(["---", "date: 2024-05-01", "---", "text"])
    FrontMatter(stop=3, data={'date': '2024-05-01'}, error=None)
    """
    first = lines[0]
    if not first.startswith(_OPENERS):
        return FrontMatter()
    fence = first.removeprefix(_BOM).rstrip(" \t")
    closers = {"---": ("---", "..."), "+++": ("+++",)}.get(fence)
    if closers is None:
        return FrontMatter()
    for number in range(1, len(lines)):
        line = lines[number]
        if line[:3] in closers and line.rstrip(" \t") in closers:
            break
    else:
        return FrontMatter()
    inner = lines[1:number]
    if not any(_NOT_EMPTY.match(line) for line in inner):
        return FrontMatter(number + 1)
    text = "\n".join(inner) + "\n"
    try:
        if fence == "+++" and _DOTTED.search(text):
            raise _MalformedError("nested too deeply")
        value = tomllib.loads(text) if fence == "+++" else yaml.load(text, _Loader)
        if not isinstance(value, Mapping):
            raise _MalformedError(f"is {type(value).__name__}, not a mapping")
        # Aliases may repeat a value, but not blow a short text up: every value written out takes a character.
        return FrontMatter(number + 1, _Converter(10 * len(text) + 1000).mapping(value, 0))
    except _MalformedError as error:
        return FrontMatter(error=str(error))
    except RecursionError:
        return FrontMatter(error="nested too deeply")
    except Exception as error:  # the readers raise ValueError, OverflowError, TypeError, ... on odd values
        return FrontMatter(error=f"{type(error).__name__}: {error}")


class _Converter:
    """Makes values JSON-ready, within a budget of characters."""

    def __init__(self, budget: int) -> None:
        self.budget = budget

    def mapping(self, value: Mapping[Any, Any], depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, item in value.items():
            name = str(self.value(key, depth + 1))
            if name in out:
                raise _MalformedError(f"the key {name!r} stands twice")
            out[name] = self.value(item, depth + 1)
        return out

    def value(self, value: Any, depth: int) -> Any:
        self.budget -= len(value) + 1 if isinstance(value, str) else 1
        if self.budget < 0:
            raise _MalformedError("aliases repeat too much")
        if depth > _DEEPEST:
            raise _MalformedError("nested too deeply")
        if value is None or isinstance(value, (str, bool, int)):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else str(value)
        if isinstance(value, (datetime.date, datetime.time)):  # a datetime is a date
            return value.isoformat()
        if isinstance(value, Mapping):
            return self.mapping(value, depth)
        if isinstance(value, (list, tuple, set, frozenset)):
            return [self.value(item, depth + 1) for item in value]
        return str(value)
