"""A comparison for people: a table, and a page of HTML that stands alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ..report.sheets import Sheet, clean
from .audit import Audit, Comparison

__all__ = ["aligned", "headline", "sheets", "to_html", "to_lines", "to_page"]

COLUMNS = (
    "chunks", "avg tokens", "over max", "tables cut", "rows headless", "fences cut", "fences open",
    "headings orphaned", "small %", "lost /100k", "cost", "errors",
)  # fmt: skip
LEGEND = (
    "tables and fences cut: those that fit the limit. rows headless: chunks with rows of a cut table, without its "
    "header. small: under 100 tokens. lost: words in no chunk. cost: time, as a multiple of counting all tokens once."
)
_STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: #c0392b; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; } td.n, th.n { text-align: right; } td.bad { color: var(--bad); font-weight: 600; }
.scroll { overflow-x: auto; } small, .note { opacity: .75; } code { overflow-wrap: anywhere; }
@media print { body { margin: 0; max-width: none; font-size: 11px; } }
"""
_HARM = range(3, 9)
"""Columns that count damage, the splitter's name being column 0."""


def headline(found: Comparison) -> list[str]:
    """What the figures are of, and what they are not."""
    amount = f"{found.documents:,} documents, {found.characters:,} characters, {found.tokens:,} tokens"
    blocks = f"{found.tables:,} tables, {found.fences:,} fences"
    return [
        f"{amount} of {clean(found.tokenizer)}; {blocks}; limit {found.limit} tokens",
        "claim boundary: chunk_quality_only. Structure is read by markdown-it-py. Nothing is said of retrieval.",
    ]


def sheets(found: Comparison) -> list[Sheet]:
    """The figures, what was broken, and what could not be run; empty tables left out."""
    rows = [_row(audit) for audit in found.audits]
    broken = [
        (clean(audit.name), item.what.replace("_", " "), clean(item.document), clean(item.where))
        for audit in found.audits
        for item in audit.broken
    ]
    errors = [(clean(audit.name), clean(error)) for audit in found.audits for error in audit.errors[:5]]
    every = [
        Sheet("Splitters", ("splitter", *COLUMNS), rows, len(COLUMNS)),
        Sheet("Errors", ("splitter", "error"), errors),
        Sheet("Not run", ("splitter",), [(clean(line),) for line in found.missing]),
        Sheet("Broken, for example", ("splitter", "what", "document", "where"), broken),
    ]
    return [sheet for sheet in every if sheet.rows]


def _row(audit: Audit) -> tuple[str, ...]:
    numbers = (
        audit.over_limit,
        audit.table_cut,
        audit.rows_without_header,
        audit.fence_cut,
        audit.fence_open,
        audit.heading_orphaned,
    )
    return (
        clean(f"{audit.name} {audit.version}".rstrip()),
        f"{audit.chunks:,}",
        f"{audit.average_tokens:.0f}",
        *(f"{number:,}" for number in numbers),
        f"{100 * audit.orphaned_rate:.1f}",
        f"{1e5 * audit.lost_rate:.1f}",
        f"{audit.cost:.1f}",
        f"{len(audit.errors):,}",
    )


def to_lines(head: Iterable[str], tables: Iterable[Sheet]) -> str:
    """Headline and tables as plain text."""
    lines = list(head)
    for sheet in tables:
        lines += ["", sheet.title, *aligned(sheet)]
    return "\n".join(lines)


def aligned(sheet: Sheet) -> list[str]:
    """Rows of columns set with spaces."""
    rows = [sheet.columns, *sheet.rows]
    widths = [max(len(row[k]) for row in rows) for k in range(len(sheet.columns))]
    return [
        "  "
        + "  ".join(
            cell.rjust(width) if 0 < k <= sheet.numbers else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    ]


def to_html(found: Comparison) -> str:
    """A page that needs nothing else: no script, no network. All that comes from documents is escaped."""
    return to_page("mdchunk compare", headline(found), sheets(found), LEGEND, harm=_HARM)


def to_page(title: str, head: Sequence[str], tables: Iterable[Sheet], note: str, harm: Iterable[int] = ()) -> str:
    """Tables as one page. `harm`: columns of the first table in which all but zero is bad."""
    harmful = frozenset(harm)
    parts = [f"<h1>{escape(title)}</h1>", *(f"<p>{escape(line)}</p>" for line in head)]
    for number, sheet in enumerate(tables):
        bad = harmful if number == 0 else frozenset[int]()
        parts += [f"<h2>{escape(sheet.title)}</h2>", '<div class="scroll">', _table(sheet, bad), "</div>"]
        if number == 0:
            parts.append(f'<p class="note">{escape(note)}</p>')
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _table(sheet: Sheet, bad: frozenset[int]) -> str:
    def cell(tag: str, k: int, text: str) -> str:
        number = 0 < k <= sheet.numbers
        classes = " ".join(["n"] * number + ["bad"] * (tag == "td" and k in bad and text != "0"))
        return f'<{tag} class="{classes}">{escape(text)}</{tag}>' if classes else f"<{tag}>{escape(text)}</{tag}>"

    head = "".join(cell("th", k, text) for k, text in enumerate(sheet.columns))
    rows = ("".join(cell("td", k, text) for k, text in enumerate(row)) for row in sheet.rows)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>"
