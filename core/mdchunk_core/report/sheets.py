"""The report as tables, and the tables as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .checklist import percent
from .figures import Bin, Figures, Sample

if TYPE_CHECKING:
    from .model import Report

__all__ = ["Sheet", "headline", "plain_text", "sheets"]

BAR = 40
"""Characters of the longest bar of the histogram."""
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Sheet(NamedTuple):
    """A table. All cells are one line, without control characters."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    numbers: int = 0
    """How many columns after the first are numbers, to be set flush right."""


def headline(report: Report) -> list[str]:
    """What the figures are of, and what they are not."""
    sizes, total = report.sizes, report.total
    counted = f"{report.tokens_counted:,} of {total.total_chunks:,} counted here, the others brought their count"
    return [
        f"{total.total_chunks:,} chunks, {total.total_tokens:,} tokens of {clean(report.tokenizer)} ({counted})",
        f"target {sizes.target}, max {sizes.limit}, min {sizes.least}, overlap {sizes.overlap} tokens",
        "claim boundary: chunk_quality_only. Nothing here is said of retrieval or answers.",
    ]


def sheets(report: Report) -> list[Sheet]:
    """The tables of a report, empty ones left out."""
    total = report.total
    found = [
        _groups(report),
        Sheet("All chunks", ("figure", "value"), [(name, _number(v)) for name, v in total.numbers().items()], 1),
        _merges(total),
        Sheet("Cut blocks", ("kind", "blocks"), [(kind, f"{n:,}") for kind, n in total.blocks_cut.items()], 1),
        _histogram(total.histogram),
        _samples("Smallest chunks", total.smallest),
        _samples("Longest chunks", total.longest),
        _samples("Chunks at section changes", total.boundary),
    ]
    return [sheet for sheet in found if sheet.rows]


def plain_text(report: Report) -> str:
    """The whole report, for a pipe or a log."""
    lines = headline(report)
    for sheet in sheets(report):
        lines += ["", sheet.title, *_aligned(sheet)]
    lines += ["", "Checklist"]
    for question, answer in report.checklist.items():
        lines += [f"  {question}", f"    {clean(answer)}"]
    return "\n".join(lines)


def clean(text: str) -> str:
    r"""The text with control characters as escapes, so that it cannot steer a terminal.

    >>> clean("a\x1bb")
    'a\\x1bb'
    """
    return _CONTROLS.sub(lambda match: ascii(match[0])[1:-1], text)


def _groups(report: Report) -> Sheet:
    columns = ("chunks", "orphaned", "in range", "avg", "over max", "tables cut", "fences cut", "headings orphaned")
    rows = [_group(clean(name), figures) for name, figures in report.groups.items()]
    return Sheet("Groups", (report.by or "", *columns), [*rows, _group("total", report.total)], len(columns))


def _group(name: str, figures: Figures) -> tuple[str, ...]:
    return (
        name,
        f"{figures.total_chunks:,}",
        percent(figures.orphaned_rate),
        percent(figures.in_range_rate),
        f"{figures.avg_tokens:.0f}",
        f"{figures.over_limit:,}",
        f"{figures.tables_cut:,}",
        f"{figures.fences_cut:,}",
        f"{figures.headings_orphaned:,}",
    )


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def _merges(figures: Figures) -> Sheet:
    rows: list[tuple[str, ...]] = []
    for pass_ in dict.fromkeys([*figures.merges, *figures.refused]):
        done, refused = figures.merges.get(pass_, {}), figures.refused.get(pass_, {})
        rows += [
            (clean(f"{pass_}: {signal}"), f"{done.get(signal, 0):,}", f"{refused.get(signal, 0):,}")
            for signal in dict.fromkeys([*done, *refused])
        ]
    return Sheet("Merges", ("pass: signal", "merged", "refused"), rows, 2)


def _histogram(histogram: Sequence[Bin]) -> Sheet:
    most = max((part.chunks for part in histogram), default=0)
    rows = [
        (
            f"{part.first}-{part.last}" if part.last is not None else f"{part.first} and more",
            f"{part.chunks:,}",
            "#" * -(-part.chunks * BAR // most),
        )
        for part in histogram
        if most
    ]
    return Sheet("Tokens", ("tokens", "chunks", ""), rows, 1)


def _samples(title: str, samples: Iterable[Sample]) -> Sheet:
    rows = [
        (clean(s.place), f"{s.tokens:,}", clean(s.what), clean(" > ".join(s.path)), clean(s.words)) for s in samples
    ]
    return Sheet(title, ("where", "tokens", "what", "headings", "first words"), rows, 1)


def _aligned(sheet: Sheet) -> list[str]:
    """Rows of columns set with spaces; empty columns left out."""
    used = [k for k in range(len(sheet.columns)) if any(row[k] for row in sheet.rows)]
    rows = [sheet.columns, *sheet.rows]
    widths = [max(len(row[k]) for row in rows) for k in used]
    return [
        "  "
        + "  ".join(
            row[k].rjust(width) if 0 < k <= sheet.numbers else row[k].ljust(width)
            for k, width in zip(used, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
