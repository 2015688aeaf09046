"""The values that callers see: `Chunk` and the `Decision`s that explain it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, make_dataclass
from typing import Any, NamedTuple

__all__ = ["Chunk", "Decision"]

Flat = str | int | float | bool
_SCALARS = (str, int, float, bool)
_OF_LINES = frozenset({"definitions", "page_furniture"})
"""Lists of source text, which may hold commas."""


class Decision(NamedTuple):
    """Why a chunk starts, ends or holds what it does (DESIGN.md section 4)."""

    pass_: str
    """`forward`, `backward`, `balance` for merges; `cut`; `note` for a note that qualifies the chunk.

    `pass` in `to_dict()`, where no keyword is in the way."""
    rule: str
    """What was held together, cut or refused, as `this -> that`: `heading -> body`, `between rows`."""
    signal: str = ""
    """The signal that asked for it, or what was repeated for it."""
    line: int = 0
    """1-based line of the source at which it was taken."""
    tokens_before: int = 0
    tokens_after: int = 0
    refused: str = ""
    """Why what the signal asked for was not done, `would exceed 520 of 512`; empty where it was."""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready, fields without a value left out.

        >>> Decision("forward", "heading -> body", "atx_heading", 3, 8, 88).to_dict()["pass"]
        'forward'
        """
        return {name.rstrip("_"): value for name, value in self._asdict().items() if value not in ("", 0)}

    def __str__(self) -> str:
        if self.pass_ in ("cut", "note"):
            return f"{self.pass_}: {self.rule}"
        if self.refused:
            return f"refused {self.pass_}_merge: {self.rule} ({self.refused})"
        return f"{self.pass_}_merge: {self.rule}"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a Markdown document, ready to be embedded.

    `text == prefix + source[start_char:end_char] + suffix`, always.
    """

    text: str
    """What is embedded."""
    prefix: str
    """Written before the span so that a continuation stands alone: table header, fence, parent item, headings."""
    suffix: str
    """Written after the span: closing fence, notes."""
    start_char: int
    end_char: int
    """Half-open, in code points of the document as given."""
    start_line: int
    end_line: int
    """1-based, inclusive."""
    token_count: int
    """The tokenizer's count of `text`; never above `max_tokens`."""
    heading_path: tuple[str, ...]
    """Plain heading texts, outermost first, common to the sections that hold at least a fifth of the body text."""
    sections: tuple[tuple[str, ...], ...]
    """Full path of every section in the chunk."""
    kinds: tuple[str, ...]
    """Block kinds inside, in order of appearance."""
    heading_levels: tuple[int, ...] = ()
    """Levels of the headings of `heading_path`, 1 to 6."""
    notes: tuple[str, ...] = ()
    """Qualifying notes of its section: validity, version, effective date, scope."""
    pages: tuple[int, int] | None = None
    """First and last page, where the document marks pages."""
    overlap_chars: int = 0
    """How many leading characters of the span repeat the chunk before."""
    decisions: tuple[Decision, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Front matter and the caller's metadata (the caller wins)."""
    id: str = ""
    """UUIDv5 of source name, heading path, text and occurrence."""
    index: int = 0
    """0-based position in the document."""
    source: str | None = None
    document_type: str | None = None
    context: str = ""
    """The line of headings above that `prefix` begins with, and the blank line behind it; empty where there is none."""
    context_tokens: int = 0
    """Tokens of `context` alone."""

    def to_dict(self) -> dict[str, Any]:
        r"""Every field, JSON-ready.

        >>> from mdchunk_core import MarkdownChunker
        >>> MarkdownChunker().chunk("# A\n\ntext")[0].to_dict()["heading_path"]
        ['A']
        """
        plain = {f.name: getattr(self, f.name) for f in fields(self)}
        plain["heading_path"] = list(self.heading_path)
        plain["heading_levels"] = list(self.heading_levels)
        plain["sections"] = [list(path) for path in self.sections]
        plain["kinds"], plain["notes"] = list(self.kinds), list(self.notes)
        plain["pages"] = list(self.pages) if self.pages else None
        plain["decisions"] = [decision.to_dict() for decision in self.decisions]
        plain["metadata"] = dict(self.metadata)
        return plain

    def to_metadata(self, *, positions: bool = True) -> dict[str, Flat]:
        r"""Flat and JSON-safe, for vector stores.

        `positions=False` leaves out all that changes when text above the chunk changes: lines, characters, position.
        Lists of scalars become strings; other front matter and caller's values that are not scalars are left out.

        >>> from mdchunk_core import MarkdownChunker
        >>> chunk = MarkdownChunker().chunk("# A\n\n## B\n\ntext", source="a.md")[0]
        >>> chunk.to_metadata(positions=False)["section"]
        'B'
        """
        flat: dict[str, Flat] = {}
        for key, value in self.metadata.items():
            if isinstance(value, _SCALARS):
                flat[key] = value
            elif isinstance(value, list) and value and all(isinstance(item, _SCALARS) for item in value):
                flat[key] = ("\n" if key in _OF_LINES else ", ").join(map(str, value))
        path = self.heading_path
        if self.source is not None:
            flat["source"] = self.source
        if self.document_type is not None:
            flat["document_type"] = self.document_type
        flat["heading_path"] = " > ".join(filter(None, path))
        if len(path) > 1:
            flat["section"] = path[1]
        if path:
            flat["parent_section"] = path[0]
        flat["token_count"] = self.token_count
        flat["kinds"] = ", ".join(self.kinds)
        if self.notes:
            flat["notes"] = "\n".join(self.notes)
        if self.pages:
            flat["first_page"], flat["last_page"] = self.pages
        if self.decisions:
            flat["decisions"] = "; ".join(map(str, self.decisions))
        if positions:
            flat["chunk_position"] = self.index + 1
            flat["start_line"], flat["end_line"] = self.start_line, self.end_line
            flat["start_char"], flat["end_char"] = self.start_char, self.end_char
        return flat


Draft = make_dataclass("Draft", [(f.name, f.type) for f in fields(Chunk)], slots=True)
"""A Chunk that is not frozen yet: `draft.__class__ = Chunk` makes it one.

A frozen class sets each field by a call, which takes four times as long for all of them.
"""
