"""Counts what chunks broke of the documents they were cut from."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from ..tokens import Tokenizer, resolve
from .peers import encoding
from .splitters import Splitter
from .structure import Structure, first_block, flat, read_structure, unclosed_fences

__all__ = ["Audit", "Broken", "Comparison", "audit_document", "compare"]

SMALL = 100
"""Tokens. A chunk below this is an orphan, in a document that is not below it as a whole."""
SAMPLES = 10
"""Of each sort of break and splitter, how many are told."""
_WORDS = re.compile(r"\w+")


class Broken(NamedTuple):
    """One thing that a splitter broke."""

    what: str
    """`over_limit`, `table_cut`, `rows_without_header`, `fence_cut`, `fence_open`, `heading_orphaned`."""
    document: str
    where: str
    """The beginning of what is broken."""


@dataclass(slots=True)
class Audit:
    """The figures of one splitter over all documents."""

    name: str
    version: str
    documents: int = 0
    chunks: int = 0
    tokens: int = 0
    over_limit: int = 0
    """Chunks with more tokens than the limit."""
    table_cut: int = 0
    """Tables that fit the limit and stand whole in no chunk."""
    rows_without_header: int = 0
    """Chunks that hold rows of a cut table and not its header row; headers of over half the limit left out."""
    fence_cut: int = 0
    """Fences that fit the limit and stand whole in no chunk."""
    fence_open: int = 0
    """Chunks with a fence that is opened and not closed, or closed and not opened, those of the document left out."""
    heading_orphaned: int = 0
    """Chunks that end in a heading, unless a whole table or fence follows that leaves it no room."""
    small: int = 0
    """Chunks under 100 tokens."""
    words: int = 0
    lost: int = 0
    """Words of the documents that stand in no chunk."""
    seconds: float = 0.0
    cost: float = 0.0
    """Seconds, as a multiple of counting the documents' tokens once."""
    errors: list[str] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)
    """Some of each sort."""

    @property
    def orphaned_rate(self) -> float:
        """Small chunks among all, 0 to 1."""
        return self.small / self.chunks if self.chunks else 0.0

    @property
    def lost_rate(self) -> float:
        """Lost words among all, 0 to 1."""
        return self.lost / self.words if self.words else 0.0

    @property
    def average_tokens(self) -> float:
        """Of a chunk."""
        return self.tokens / self.chunks if self.chunks else 0.0

    def tell(self, broken: Iterable[Broken]) -> None:
        """Count what is broken, and keep some of each sort."""
        for item in broken:
            setattr(self, item.what, getattr(self, item.what) + 1)
            if sum(kept.what == item.what for kept in self.broken) < SAMPLES:
                self.broken.append(item)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        rates = {name: round(getattr(self, name), 6) for name in ("orphaned_rate", "lost_rate", "average_tokens")}
        broken = [item._asdict() for item in self.broken]
        return asdict(self) | rates | {"broken": broken, "seconds": round(self.seconds, 3), "cost": round(self.cost, 2)}


@dataclass(frozen=True, slots=True)
class Comparison:
    """All splitters on the same documents."""

    documents: int
    characters: int
    tokens: int
    tables: int
    fences: int
    limit: int
    tokenizer: str
    audits: tuple[Audit, ...]
    missing: tuple[str, ...] = ()
    """One line about each splitter that could not be had."""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        names = ("documents", "characters", "tokens", "tables", "fences", "limit", "tokenizer")
        return {name: getattr(self, name) for name in names} | {
            "claim_boundary": "chunk_quality_only",
            "splitters": [audit.to_dict() for audit in self.audits],
            "missing": list(self.missing),
        }


def compare(
    documents: Iterable[tuple[str, str]],
    splitters: Sequence[Splitter],
    *,
    limit: int,
    tokenizer: Tokenizer,
    missing: Sequence[str] = (),
    advance: Callable[[], None] = lambda: None,
) -> Comparison:
    """Cut every document (name, text) with every splitter and count what is broken; `advance` is called after each.

    A splitter that raises on a document is counted with its error, and that document is left out for it.
    """
    audits = [Audit(splitter.name, splitter.version) for splitter in splitters]
    totals: Counter[str] = Counter()
    baseline = 0.0
    known = encoding(tokenizer)
    unit = resolve(known) if known else tokenizer  # tiktoken's time, however fast ours counts
    unit.count("warm")
    for splitter in splitters:
        _warm(splitter)
    for name, text in documents:
        start = time.perf_counter()
        totals["tokens"] += unit.count(text)
        baseline += time.perf_counter() - start
        structure = read_structure(text)
        totals.update(documents=1, characters=len(text), tables=len(structure.tables), fences=len(structure.fences))
        for splitter, audit in zip(splitters, audits):
            _cut(splitter, audit, name, text, structure, limit, tokenizer)
        advance()
    for audit in audits:
        audit.cost = audit.seconds / baseline if baseline else 0.0
    return Comparison(
        documents=totals["documents"],
        characters=totals["characters"],
        tokens=totals["tokens"],
        tables=totals["tables"],
        fences=totals["fences"],
        limit=limit,
        tokenizer=tokenizer.name,
        audits=tuple(audits),
        missing=tuple(missing),
    )


def _warm(splitter: Splitter) -> None:
    """The first call that has to cut may load what all others use."""
    try:
        splitter.split("# Title\n\n" + "A sentence of some words. " * 400, "warm.md")
    except BaseException as error:  # as below; it will say so of the documents
        if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit)):
            raise


def _cut(
    splitter: Splitter, audit: Audit, name: str, text: str, structure: Structure, limit: int, tokenizer: Tokenizer
) -> None:
    start = time.perf_counter()
    try:
        chunks = [piece.text for piece in splitter.split(text, name)]
    except BaseException as error:  # extensions written in Rust panic with what is no Exception
        if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit)):
            raise
        audit.errors.append(f"{name}: {type(error).__name__}: {str(error)[:200]}")
        return
    finally:
        audit.seconds += time.perf_counter() - start
    sizes = tokenizer.counts(chunks)
    audit.documents += 1
    audit.chunks += len(chunks)
    audit.tokens += sum(sizes)
    if tokenizer.count(structure.body.strip()) >= SMALL:
        audit.small += sum(size < SMALL for size in sizes)
    words, kept = Counter(_WORDS.findall(structure.body)), Counter[str]()
    for chunk in chunks:
        kept.update(_WORDS.findall(chunk))
    audit.words += words.total()
    audit.lost += (words - kept).total()
    audit.tell(
        Broken(what, name, where[:100]) for what, where in audit_document(structure, chunks, sizes, limit, tokenizer)
    )


def audit_document(
    structure: Structure, chunks: Sequence[str], sizes: Sequence[int], limit: int, tokenizer: Tokenizer
) -> Iterator[tuple[str, str]]:
    """What the chunks of one document broke, each as its sort and its beginning. `sizes` are the chunks' tokens."""
    for chunk, size in zip(chunks, sizes):
        if size > limit:
            yield "over_limit", flat(chunk)
    flattened = [flat(chunk) for chunk in chunks]
    yield from _tables(structure, flattened, limit, tokenizer)
    for fence in structure.fences:
        wanted = flat(fence)
        if tokenizer.count(fence.strip()) <= limit and not any(wanted in chunk for chunk in flattened):
            yield "fence_cut", wanted
    torn = [chunk for chunk in chunks if unclosed_fences(chunk)]
    for chunk in torn[structure.open_fences :]:
        yield "fence_open", flat(chunk[-100:])
    whole = {flat(block) for block in (*structure.fences, *(table.source for table in structure.tables))}
    for chunk, following in zip(chunks, chunks[1:]):
        last = chunk.rstrip().rpartition("\n")[2]
        if last.lstrip().startswith("#") and flat(last) in structure.headings:
            block = first_block(following)
            room = flat(block) not in whole or tokenizer.count(f"{last}\n\n{block.rstrip()}") <= limit
            if room:
                yield "heading_orphaned", flat(last)


def _tables(
    structure: Structure, flattened: Sequence[str], limit: int, tokenizer: Tokenizer
) -> Iterator[tuple[str, str]]:
    owners: dict[str, set[str]] = defaultdict(set)
    """The headers that a row stands under: two tables may share a row."""
    for table in structure.tables:
        for row in table.rows:
            owners[row].add(table.header)
    for table in structure.tables:
        wanted = flat(table.source)
        if any(wanted in chunk for chunk in flattened):
            continue
        if tokenizer.count(table.source.strip()) <= limit:
            yield "table_cut", wanted
        if 2 * tokenizer.count("\n".join(table.source.split("\n")[:2])) > limit:
            continue
        rows = [row for row in table.rows if len(row) > 12]  # shorter ones stand elsewhere by chance
        for chunk in flattened:
            held = [row for row in rows if row in chunk]
            if held and not any(header in chunk for row in held for header in owners[row]):
                yield "rows_without_header", held[0]
