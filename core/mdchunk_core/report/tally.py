"""Counts chunks one by one: nothing of a chunk is kept but numbers and a few samples."""

from __future__ import annotations

import heapq
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..decisions import HEADER_TOO_LONG
from ..options import Sizes
from .figures import Bin, Figures, Sample
from .orphans import CLASSES, classify
from .records import Record
from .structure import Reading

__all__ = ["Seen", "Tally", "bins"]

MERGES = ("forward", "backward", "balance")
WORDS = 80
"""Characters of the first words of a sample."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A chunk and its neighbours in the document, ready to be counted."""

    record: Record
    reading: Reading
    before: Record | None
    """The chunk before it in the same document."""
    followed: bool
    """Whether the same document has a chunk after it."""

    @property
    def section_changes(self) -> bool:
        """Whether it begins another section than the chunk before it ends with."""
        if self.before is None:
            return False
        if self.record.path or self.before.path or any(self.record.sections):
            return self.before.sections[-1] != self.record.sections[0]
        return self.reading.kinds[:1] == ("heading",)


@dataclass(slots=True)
class _Best:
    """The few samples with the lowest keys."""

    size: int
    heap: list[tuple[tuple[int, int], Sample]] = field(default_factory=list)

    def offer(self, key: int, number: int, seen: Seen, what: str = "") -> None:
        rank = (-key, -number)
        if len(self.heap) < self.size:
            heapq.heappush(self.heap, (rank, _sample(seen.record, what)))
        elif self.size and rank > self.heap[0][0]:
            heapq.heapreplace(self.heap, (rank, _sample(seen.record, what)))

    def samples(self) -> tuple[Sample, ...]:
        return tuple(sample for _, sample in sorted(self.heap, key=lambda item: item[0], reverse=True))


class Tally:
    """The running counts of one group."""

    def __init__(self, sizes: Sizes, samples: int) -> None:
        self.sizes = sizes
        self.tokens: Counter[int] = Counter()
        self.types: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.orphans: Counter[str] = Counter()
        self.cut: Counter[str] = Counter()
        self.merges: Counter[tuple[str, str]] = Counter()
        self.refused: Counter[tuple[str, str]] = Counter()
        self.cuts: Counter[str] = Counter()
        self.smallest, self.longest, self.boundary = _Best(samples), _Best(samples), _Best(samples)

    def add(self, seen: Seen) -> None:
        """Count one chunk."""
        record, reading = seen.record, seen.reading
        self.tokens[record.tokens] += 1
        self.types[record.document_type or "unknown"] += 1
        own_end = reading.fence_begun and not seen.followed  # a fence that the document itself does not close
        not_cut = "fenced_code" if own_end and record.kinds is None else ""
        self.cut.update(kind for kind in reading.cut if kind != not_cut)
        self.counts.update(
            tables_headless=reading.headless,
            fences_open=reading.fence_open and not own_end,
            headings_orphaned=reading.ends_with_heading and seen.followed,
            section_changes=seen.section_changes,
            chunks_with_decisions=bool(record.decisions),
            chunks_with_notes=record.notes,
            headers_too_long=any(decision.signal == HEADER_TOO_LONG for decision in record.decisions),
        )
        for decision in record.decisions:
            key = (decision.pass_, decision.signal or decision.rule)
            if decision.refused:
                self.refused[key] += 1
            elif decision.pass_ in MERGES:
                self.merges[key] += 1
            elif decision.pass_ == "cut":
                self.cuts[decision.rule] += 1
        what = ""
        if record.tokens < self.sizes.least:
            alone = record.source is not None and seen.before is None and not seen.followed
            what = classify(record, reading.kinds, alone=alone)
            self.orphans[what] += 1
        self.smallest.offer(record.tokens, record.number, seen, what)
        self.longest.offer(-record.tokens, record.number, seen)
        if seen.section_changes and seen.before is not None:
            # By checksum: an even choice, and the same whatever stands elsewhere.
            key_of_text = zlib.crc32(record.text[:1000].encode("utf-8", "surrogatepass"))
            self.boundary.offer(key_of_text, record.number, seen, f"after: {_last_words(seen.before.text)}")

    def figures(self) -> Figures:
        """The figures of what was counted so far; rates of nothing are 0."""
        sizes, counts = self.sizes, self.counts
        total = self.tokens.total()
        spread = sorted(self.tokens.items())
        small = sum(n for tokens, n in spread if tokens < sizes.least)
        within = sum(n for tokens, n in spread if sizes.least <= tokens <= sizes.limit)
        over = sum(n for tokens, n in spread if tokens > sizes.limit)
        every = sum(tokens * n for tokens, n in spread)
        types = list(self.types)
        return Figures(
            document_type=(types[0] if len(types) == 1 else "mixed") if types else "unknown",
            total_chunks=total,
            total_tokens=every,
            orphaned_chunks=small,
            orphaned_rate=small / total if total else 0.0,
            orphaned_documents=self.orphans["document"],
            in_range_rate=within / total if total else 0.0,
            out_of_range_rate=(total - within) / total if total else 0.0,
            avg_tokens=every / total if total else 0.0,
            median_tokens=_median(spread, total),
            smallest_tokens=spread[0][0] if spread else 0,
            longest_tokens=spread[-1][0] if spread else 0,
            over_limit=over,
            tables_cut=self.cut["table"],
            tables_headless=counts["tables_headless"],
            headers_too_long=counts["headers_too_long"],
            fences_cut=self.cut["fenced_code"],
            fences_open=counts["fences_open"],
            headings_orphaned=counts["headings_orphaned"],
            section_changes=counts["section_changes"],
            forward_merges=_of_pass(self.merges, "forward"),
            backward_merges=_of_pass(self.merges, "backward"),
            balance_merges=_of_pass(self.merges, "balance"),
            refused_merges=self.refused.total(),
            chunks_with_decisions=counts["chunks_with_decisions"],
            chunks_with_notes=counts["chunks_with_notes"],
            notes_alone=self.orphans["note"] + self.orphans["footer"],
            orphans={name: self.orphans[name] for name in CLASSES if self.orphans[name]},
            blocks_cut=dict(self.cut.most_common()),
            merges=_by_pass(self.merges),
            refused=_by_pass(self.refused),
            cuts=dict(self.cuts.most_common()),
            histogram=bins(self.tokens, sizes.least, sizes.limit),
            smallest=self.smallest.samples(),
            longest=self.longest.samples(),
            boundary=self.boundary.samples(),
        )


def bins(tokens: Counter[int], least: int, limit: int) -> tuple[Bin, ...]:
    """A histogram of about a dozen even bins whose edges include the minimum and the limit, and one above the limit.

    >>> [(b.first, b.last, b.chunks) for b in bins(Counter([3, 30, 31, 90]), 20, 40)]
    [(0, 9, 1), (10, 19, 0), (20, 29, 0), (30, 40, 2), (41, None, 1)]
    """
    width = max(1, -(-limit // 12), least // 2 if least * 8 >= limit else 0)
    edges = sorted({*range(0, limit, width), least, limit + 1})
    last = edges[edges.index(limit + 1) - 1]
    if 0 < limit + 1 - last < width // 2 and last not in (0, least):
        edges.remove(last)  # a sliver below the limit joins the bin before
    held = Counter[int]()
    for size, n in tokens.items():
        held[next((k for k in range(len(edges) - 1, 0, -1) if size >= edges[k]), 0)] += n
    lasts = [edge - 1 for edge in edges[1:]] + [None]
    return tuple(Bin(first, last, held[k]) for k, (first, last) in enumerate(zip(edges, lasts, strict=True)))


def _sample(record: Record, what: str) -> Sample:
    words = " ".join(record.text[: 4 * WORDS].split())
    words = words if len(words) <= WORDS else words[: WORDS - 1].rstrip() + "…"
    return Sample(record.number, record.source, record.lines, record.path, record.tokens, words, what)


def _last_words(text: str) -> str:
    words = " ".join(text[-4 * WORDS :].split())
    return words if len(words) <= WORDS else "…" + words[1 - WORDS :].lstrip()


def _median(spread: Sequence[tuple[int, int]], total: int) -> int:
    """The lower median."""
    passed = 0
    for tokens, n in spread:
        passed += n
        if 2 * passed >= total:
            return tokens
    return 0


def _of_pass(merges: Counter[tuple[str, str]], name: str) -> int:
    return sum(n for (pass_, _), n in merges.items() if pass_ == name)


def _by_pass(merges: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    passes: dict[str, dict[str, int]] = {}
    for (pass_, signal), n in sorted(merges.items(), key=lambda item: (item[0][0], -item[1], item[0][1])):
        passes.setdefault(pass_, {})[signal] = n
    return passes
