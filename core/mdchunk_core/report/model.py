"""The report: reads the chunks once, in order, and keeps figures and samples only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Literal

from ..errors import ConfigError
from ..options import Sizes, fill_sizes, one_of
from ..tokens import TokenizerLike, resolve
from ..types import Chunk
from .checklist import Shares, checklist
from .figures import NUMBERS, Figures
from .records import Record, read_record
from .sheets import plain_text
from .structure import Reading, StructureReader
from .tally import Seen, Tally

__all__ = ["CLAIM_BOUNDARY", "By", "Report", "report"]

CLAIM_BOUNDARY = "chunk_quality_only"
"""What the figures are a claim about: not about retrieval, answers or returns."""

By = Literal["document_type", "source", "folder", "extraction_method"]


@dataclass(frozen=True, slots=True)
class Report:
    """What `report` found. `str()` of it is for people, `to_dict()` for machines."""

    sizes: Sizes
    """The sizes that the chunks were measured against, in tokens."""
    tokenizer: str
    tokens_counted: int
    """Chunks whose tokens this tokenizer counted for the report; the others brought their count."""
    total: Figures
    by: str | None
    groups: Mapping[str, Figures]
    """By what `by` names, in order of the names; empty without it."""
    checklist: Mapping[str, str]
    """Seven questions to ask before indexing, each with its answer."""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: the figures of all chunks, then the groups and the checklist.

        >>> report(["# A"], min_tokens=10).to_dict()["claim_boundary"]
        'chunk_quality_only'
        """
        groups = {name: self._dated(figures) for name, figures in self.groups.items()}
        return {**self._dated(self.total), "by": self.by, "groups": groups, "checklist": dict(self.checklist)}

    def _dated(self, figures: Figures) -> dict[str, Any]:
        """The figures with what they were measured against."""
        plain = figures.to_dict()
        sizes = self.sizes
        return {
            "document_type": plain.pop("document_type"),
            "target_tokens": sizes.target,
            "max_tokens": sizes.limit,
            "min_tokens": sizes.least,
            "overlap_tokens": sizes.overlap,
            "tokenizer": self.tokenizer,
            "tokens_counted": self.tokens_counted,
            **plain,
            "claim_boundary": CLAIM_BOUNDARY,
        }

    def exceeded(self, limits: Mapping[str, float]) -> list[str]:
        """A line for each figure that is over its limit, in total or in a group.

        Raises ConfigError, which lists the names, for a name that is no figure.

        >>> report(["# A"], min_tokens=10).exceeded({"orphaned_rate": 0.05})
        ['orphaned_rate 1 is over 0.05']
        """
        for name in limits:
            if name not in NUMBERS:
                raise ConfigError("fail_over", name, "one of " + ", ".join(NUMBERS) + " is needed")
        lines: list[str] = []
        for group, figures in [("", self.total), *self.groups.items()]:
            numbers = figures.numbers()
            lines += [
                f"{name} {numbers[name]:.4g} is over {limit:g}" + (f" in {group}" if group else "")
                for name, limit in limits.items()
                if numbers[name] > limit
            ]
        return lines

    def __str__(self) -> str:
        return plain_text(self)


def report(
    chunks: Iterable[Chunk | Mapping[str, Any] | str],
    *,
    target_tokens: int | None = None,
    max_tokens: int | None = None,
    min_tokens: int | None = None,
    overlap_tokens: int | None = None,
    tokenizer: TokenizerLike = "cl100k_base",
    recount: bool = False,
    by: By | None = None,
    samples: int = 5,
) -> Report:
    """The quality of chunks: how many are too small or too large, what was cut or torn, what was merged and why.

    `chunks` are those of mdchunk or of any other splitter: mappings with a `text` (`page_content`, `content`), or the
    texts. The chunks of a document stand together and in order; `source` tells documents apart. Fields that they lack
    are left out. Sizes, in tokens, default as those of MarkdownChunker and are what the chunks are measured against.
    A chunk's own `token_count` is believed unless `recount`; where it has none, `tokenizer` counts.

    How the counts are got: chunks that tell their block `kinds` (ours) are taken at their word; blocks cut are read
    from `metadata["part"]`, merges from `decisions`, and only what continues a block or looks like ending in a heading
    is parsed. Of other chunks the texts alone are parsed: a fence opened and not closed, or closed and not opened; rows
    that begin with `|` without a delimiter row; a heading at the end. A table or fence that goes on over several chunks
    of a document counts once; the last chunk of a document may end with a heading or open fence, which is its own.

    `by` adds the figures of each group. `samples` chunks of each sort are kept to be audited by eye. Raises ConfigError
    for sizes that cannot work, ValueError for a chunk without text.

    >>> found = report([{"text": "# Hotels"}, {"text": "Book early, and keep the receipts."}], min_tokens=5)
    >>> found.total.orphaned_rate, found.total.headings_orphaned
    (0.5, 1)
    """
    if by is not None:
        one_of("by", by, By)
    sizes = _measured_against(target_tokens, max_tokens, min_tokens, overlap_tokens)
    counter = resolve(tokenizer)
    total = Tally(sizes, samples)
    tallies: dict[str, Tally] = {}
    shares = Shares()
    counted = 0
    records = (read_record(chunk, number, counter.count, recount=recount) for number, chunk in enumerate(chunks, 1))
    for seen in _with_neighbours(records):
        record = seen.record
        counted += record.counted
        total.add(seen)
        shares.add(record, small=record.tokens < sizes.least)
        if by is not None:
            name = _group(record, by)
            if name not in tallies:
                tallies[name] = Tally(sizes, samples)
            tallies[name].add(seen)
    figures = total.figures()
    return Report(
        sizes=sizes,
        tokenizer=counter.name,
        tokens_counted=counted,
        total=figures,
        by=by,
        groups={name: tallies[name].figures() for name in sorted(tallies)},
        checklist=checklist(figures, sizes, shares),
    )


def _measured_against(target: int | None, limit: int | None, least: int | None, overlap: int | None) -> Sizes:
    """The sizes as a chunker fills them in, but for the minimum: any number can be asked about."""
    if least is not None and (not isinstance(least, int) or isinstance(least, bool) or least < 0):
        raise ConfigError("min_tokens", least, "an int, 0 or more, is needed")
    filled = fill_sizes(target, limit, None, overlap)
    return filled if least is None else Sizes(filled.target, filled.limit, least, filled.overlap)


def _with_neighbours(records: Iterable[Record]) -> Iterator[Seen]:
    """Each chunk when it is known whether its document goes on after it."""
    reader = StructureReader()
    held: tuple[Record, Reading, Record | None] | None = None
    for record in records:
        reading = reader.read(record)
        before = None
        if held is not None:
            follows = held[0].source == record.source
            yield Seen(*held, followed=follows)
            before = held[0] if follows else None
        held = (record, reading, before)
    if held is not None:
        yield Seen(*held, followed=False)


def _group(record: Record, by: By) -> str:
    if by == "folder":
        return PurePath(record.source).parent.as_posix() if record.source else "unknown"
    value = {
        "document_type": record.document_type,
        "source": record.source,
        "extraction_method": record.extraction_method,
    }[by]
    return value or "unknown"
