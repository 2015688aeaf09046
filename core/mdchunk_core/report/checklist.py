"""Seven questions to ask of chunks before they are indexed, answered in figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..options import Sizes
from .figures import Figures
from .orphans import CLASSES
from .records import Record

__all__ = ["Shares", "checklist"]


@dataclass(slots=True)
class Shares:
    """Chunks and small chunks by document type, source and extraction method, whatever the report is grouped by."""

    chunks: Counter[tuple[str, str]] = field(default_factory=Counter)
    small: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, record: Record, *, small: bool) -> None:
        """Count one chunk."""
        for what, name in (
            ("document type", record.document_type),
            ("source", record.source),
            ("extraction method", record.extraction_method),
        ):
            if name is not None:
                self.chunks[what, name] += 1
                self.small[what, name] += small

    def worst(self, what: str, most: int) -> str:
        """The highest rates of orphans: `pdf 4.7 %, md 0.3 %`, and how many more there are."""
        rates = sorted(
            ((self.small[key] / n, key[1]) for key, n in self.chunks.items() if key[0] == what),
            key=lambda pair: (-pair[0], pair[1]),
        )
        if not rates:
            return "not recorded"
        shown = ", ".join(f"{name} {percent(rate)}" for rate, name in rates[:most])
        return shown + (f" and {len(rates) - most:,} more, none higher" if len(rates) > most else "")


def checklist(figures: Figures, sizes: Sizes, shares: Shares) -> dict[str, str]:
    """The questions and their answers."""
    return {
        f"Which chunks have fewer than {sizes.least} tokens, and what are they?": _which(figures),
        "How many of these are headings, footers, validity notes or remnants?": _how_many(figures),
        "Are validity lines indexed with the rule that they qualify?": _notes(figures),
        "Do table headers stay with their cells?": _tables(figures),
        "Can merge decisions be traced in the metadata?": _traced(figures),
        "Is the orphaned rate measured by document type, source and extraction method?": "; ".join(
            f"by {what}: {shares.worst(what, 5)}" for what in ("document type", "source", "extraction method")
        ),
        "Is there an evaluation of retrieval that is not mistaken for chunk quality?": (
            f"not in this report: none of its {figures.total_chunks:,} chunks was searched for, its figures are of "
            "chunk quality only; run an evaluation of retrieval (mdchunk eval) beside it"
        ),
    }


def percent(rate: float) -> str:
    """A rate for people.

    >>> percent(0.0467)
    '4.7 %'
    """
    return f"{100 * rate:.1f} %"


def _which(figures: Figures) -> str:
    head = f"{figures.orphaned_chunks:,} of {figures.total_chunks:,} ({percent(figures.orphaned_rate)})"
    classes = ", ".join(f"{CLASSES[name]} {n:,}" for name, n in figures.orphans.items())
    return f"{head}: {classes}; the smallest are listed" if classes else head


def _how_many(figures: Figures) -> str:
    named = ("heading", "footer", "note", "remnant")
    parts = ", ".join(f"{CLASSES[name]} {figures.orphans.get(name, 0):,}" for name in named)
    other = sum(n for name, n in figures.orphans.items() if name not in named)
    return f"{parts}; all others {other:,}"


def _notes(figures: Figures) -> str:
    signals = _by_signal(figures.merges.get("backward", {}))
    refused = sum(figures.refused.get("backward", {}).values())
    return (
        f"{figures.notes_alone:,} small chunks are notes or footers without their rule; {figures.backward_merges:,} "
        f"merged backward{signals}, {refused:,} such merges refused; {figures.chunks_with_notes:,} chunks carry the "
        "notes of their section"
    )


def _tables(figures: Figures) -> str:
    return (
        f"{figures.tables_headless:,} chunks show rows without their header; {figures.headers_too_long:,} chunks "
        f"record that a header was too long to be repeated; {figures.tables_cut:,} tables are cut, each counted once"
    )


def _traced(figures: Figures) -> str:
    if not figures.chunks_with_decisions:
        return f"none of {figures.total_chunks:,} chunks records a decision"
    return (
        f"{figures.chunks_with_decisions:,} of {figures.total_chunks:,} chunks record decisions: merges "
        f"{figures.forward_merges:,} forward, {figures.backward_merges:,} backward, {figures.balance_merges:,} balance"
        f", {figures.refused_merges:,} refused"
    )


def _by_signal(signals: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{name} {n:,}' for name, n in signals.items())})" if signals else ""
