"""What a report needs to know of a chunk, whoever made it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ..types import Chunk, Decision

__all__ = ["Record", "read_record"]

TEXT_NAMES = ("text", "page_content", "content")
"""Where splitters put the text of a chunk, ours first."""
TOKEN_NAMES = ("token_count", "tokens", "n_tokens")
EXTRACTION_NAMES = ("extraction_method", "converter")

_PART = re.compile(r"(\d+) of (\d+)")
_DECISION = re.compile(r"(refused )?(\w+?)(?:_merge)?: (.+?)(?: \((.+)\))?")


@dataclass(frozen=True, slots=True)
class Record:
    """One chunk."""

    number: int
    """1-based position in what was given."""
    text: str
    tokens: int
    counted: bool
    """Whether the tokens were counted here; the chunk brought them otherwise."""
    source: str | None
    document_type: str | None
    extraction_method: str | None
    lines: tuple[int, int] | None
    """1-based, inclusive."""
    path: tuple[str, ...]
    sections: tuple[tuple[str, ...], ...]
    kinds: tuple[str, ...] | None
    """Block kinds in order of appearance; None where the chunk does not tell and the text must be read."""
    decisions: tuple[Decision, ...]
    parts: tuple[tuple[int, int], ...]
    """`(2, 5)`: holds the second of five parts of a block."""
    notes: bool
    continued: bool
    """Whether something is repeated before or after its span."""


def read_record(
    chunk: Chunk | Mapping[str, Any] | str, number: int, count: Callable[[str], int], *, recount: bool = False
) -> Record:
    """The chunk as a record. Its own token count is believed unless `recount`; where it has none, `count` is asked.

    Raises ValueError for a mapping without a text.
    """
    values, metadata = _values(chunk)
    text = next((values[name] for name in TEXT_NAMES if isinstance(values.get(name), str)), None)
    if text is None:
        raise ValueError(f"chunk {number} has no text: one of {', '.join(TEXT_NAMES)} is needed, a string")

    def first(*names: str) -> Any:
        found = (place.get(name) for name in names for place in (values, metadata))
        return next((value for value in found if value is not None), None)

    own = first(*TOKEN_NAMES)
    counted = recount or not isinstance(own, int) or isinstance(own, bool)
    source = _text_or_none(first("source"))
    start, end = first("start_line"), first("end_line")
    path = _path(first("heading_path"))
    sections = first("sections")
    kinds = first("kinds")
    return Record(
        number=number,
        text=text,
        tokens=count(text) if counted else own,
        counted=counted,
        source=source,
        document_type=_text_or_none(first("document_type")) or _suffix(source),
        extraction_method=_text_or_none(first(*EXTRACTION_NAMES)),
        lines=(start, end) if isinstance(start, int) and isinstance(end, int) else None,
        path=path,
        sections=tuple(map(_path, sections)) if isinstance(sections, Sequence) and sections else (path,),
        kinds=tuple(kinds.split(", ") if isinstance(kinds, str) else map(str, kinds)) if kinds else None,
        decisions=tuple(_decisions(first("decisions"))),
        parts=tuple((int(part), int(total)) for part, total in _PART.findall(str(metadata.get("part", "")))),
        notes=bool(first("notes")),
        continued=bool(first("prefix") or first("suffix")),
    )


def _values(chunk: Chunk | Mapping[str, Any] | str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The fields of a chunk, and those of its metadata."""
    if isinstance(chunk, str):
        return {"text": chunk}, {}
    if isinstance(chunk, Mapping):
        metadata = chunk.get("metadata")
        return chunk, metadata if isinstance(metadata, Mapping) else {}
    return {name: getattr(chunk, name) for name in Chunk.__dataclass_fields__}, chunk.metadata


def _text_or_none(value: Any) -> str | None:
    return str(value) if value not in (None, "") else None


def _suffix(source: str | None) -> str | None:
    return PurePath(source).suffix[1:].lower() or None if source else None


def _path(value: Any) -> tuple[str, ...]:
    """A heading path from its parts, or from the line that vector stores keep."""
    if not value:
        return ()
    return tuple(value.split(" > ")) if isinstance(value, str) else tuple(map(str, value))


def _decisions(value: Any) -> list[Decision]:
    """Decisions as they are, as `to_dict()` gives them, or in short form; what cannot be read is left out."""
    if not value:
        return []
    found: list[Decision] = []
    for item in value.split("; ") if isinstance(value, str) else value:
        if isinstance(item, Decision):
            found.append(item)
        elif isinstance(item, Mapping):
            names = (str(item.get(name, "")) for name in ("pass", "rule", "signal", "refused"))
            pass_, rule, signal, refused = names
            found.append(Decision(pass_, rule, signal, refused=refused))
        elif short := _DECISION.fullmatch(str(item)):
            refused = short[4] or "" if short[1] else ""
            found.append(Decision(short[2], short[3], refused=refused))
    return found
