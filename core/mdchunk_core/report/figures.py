"""The figures of a report, for one group of chunks or all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

__all__ = ["NUMBERS", "Bin", "Figures", "Sample"]


@dataclass(frozen=True, slots=True)
class Sample:
    """A chunk to audit by eye."""

    number: int
    """1-based position in what was given."""
    source: str | None
    lines: tuple[int, int] | None
    """1-based, inclusive; None where the chunk does not tell."""
    path: tuple[str, ...]
    tokens: int
    words: str
    """Its first words."""
    what: str = ""
    """Class of a small chunk, `heading`, `footer`; the last words of the chunk before where the section changes."""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready, fields without a value left out."""
        plain = {
            "chunk": self.number,
            "source": self.source,
            "lines": list(self.lines) if self.lines else None,
            "path": list(self.path) or None,
            "tokens": self.tokens,
            "words": self.words,
            "what": self.what or None,
        }
        return {name: value for name, value in plain.items() if value is not None}

    @property
    def place(self) -> str:
        """Where it stands, `policy.md:12-20`; its number where the chunk does not tell.

        >>> Sample(3, "policy.md", (12, 20), (), 37, "Valid for").place
        'policy.md:12-20'
        """
        if self.lines is None:
            return f"{self.source or ''} chunk {self.number}".strip()
        first, last = self.lines
        return f"{self.source or 'line '}{':' if self.source else ''}{first}" + (f"-{last}" if last > first else "")


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar of the histogram."""

    first: int
    last: int | None
    """Tokens, inclusive; None: no upper end."""
    chunks: int

    def to_dict(self) -> dict[str, int | None]:
        """JSON-ready."""
        return {"from": self.first, "to": self.last, "chunks": self.chunks}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Counts are of chunks unless another thing is named; rates are shares of all chunks, 0 to 1."""

    document_type: str
    """The one that all chunks have, `unknown`, or `mixed`."""
    total_chunks: int
    total_tokens: int
    orphaned_chunks: int
    """Below `min_tokens`."""
    orphaned_rate: float
    orphaned_documents: int
    """Those of them that are all there is of their document."""
    in_range_rate: float
    """From `min_tokens` to `max_tokens`, both included."""
    out_of_range_rate: float
    avg_tokens: float
    median_tokens: int
    smallest_tokens: int
    longest_tokens: int
    over_limit: int
    """Above `max_tokens`."""
    tables_cut: int
    """Tables that several chunks share."""
    tables_headless: int
    """Chunks that show rows of a table without its header and delimiter row."""
    headers_too_long: int
    """Chunks that record that they continue a table whose header would fill too much of each."""
    fences_cut: int
    """Fences that several chunks share."""
    fences_open: int
    """Chunks that show a fence opened and not closed, or closed and not opened."""
    headings_orphaned: int
    """Chunks that end with a heading whose text is in the next chunk."""
    section_changes: int
    """Chunks that begin another section than the chunk before them ends with."""
    forward_merges: int
    backward_merges: int
    balance_merges: int
    refused_merges: int
    chunks_with_decisions: int
    chunks_with_notes: int
    notes_alone: int
    """Small chunks that are a validity, version or scope note, or a footer, without what they qualify."""
    orphans: Mapping[str, int]
    """Small chunks by what they are: keys of `orphans.CLASSES`."""
    blocks_cut: Mapping[str, int]
    """Blocks that several chunks share, by kind."""
    merges: Mapping[str, Mapping[str, int]]
    """By pass, then by signal: `{"forward": {"heading": 12}}`."""
    refused: Mapping[str, Mapping[str, int]]
    cuts: Mapping[str, int]
    """Recorded cuts by rule."""
    histogram: tuple[Bin, ...]
    smallest: tuple[Sample, ...]
    longest: tuple[Sample, ...]
    boundary: tuple[Sample, ...]
    """Chunks directly after a section change: an even choice, the same in every run."""

    def numbers(self) -> dict[str, float]:
        """The fields that are one number, by name: what a limit can be set for."""
        return {name: getattr(self, name) for name in NUMBERS}

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; rates with four digits, the average with one."""
        plain: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, value in plain.items():
            if isinstance(value, float):
                plain[name] = round(value, 1 if name == "avg_tokens" else 4)
            elif isinstance(value, tuple):
                plain[name] = [item.to_dict() for item in value]
            elif isinstance(value, Mapping):
                plain[name] = {key: dict(item) if isinstance(item, Mapping) else item for key, item in value.items()}
        return plain


NUMBERS = tuple(f.name for f in fields(Figures) if f.type in ("int", "float"))
"""The names of the figures that are one number."""
