"""What the page's templates show: plain values, nothing escaped yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..options import Sizes
from ..source import read
from ..types import Chunk
from .beside import Beside
from .damage import DAMAGES, Damage, Piece, find_damage, read_structure
from .lines import Line, marked_lines, showable, text_lines
from .rendered import render_markdown
from .segments import Segment, Timeline
from .words import Reason, kind_name, reasons

__all__ = ["Bar", "ChunkView", "Page", "chunk_views", "make_page"]


@dataclass(frozen=True, slots=True)
class Bar:
    """One chunk in the bar chart."""

    number: int
    """1-based."""
    tokens: int
    label: str
    state: str
    """`small`, `over` (the limit), `broken`, or empty."""


@dataclass(frozen=True, slots=True)
class ChunkView:
    """One of our chunks."""

    number: int
    """1-based."""
    path: tuple[str, ...]
    tokens: int
    state: str
    size: str
    """How the size stands to the minimum, the target and the limit, in words."""
    where: str
    kinds: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    """Name and value: pages, part, further sections."""
    notes: tuple[str, ...]
    reasons: tuple[Reason, ...]
    broken: tuple[str, ...]
    prefix: tuple[Line, ...]
    overlap: tuple[Line, ...]
    segments: tuple[Segment, ...]
    suffix: tuple[Line, ...]
    html: str
    gap: tuple[Line, ...]
    """Lines with something in them between the chunk before and this one: front matter."""


@dataclass(frozen=True, slots=True)
class Page:
    """All that the page shows."""

    name: str
    summary: str
    sizes: Sizes
    chunks: tuple[ChunkView, ...]
    bars: tuple[Bar, ...]
    highest: int
    """Tokens of the longest bar that must fit, at least the limit."""
    tail: tuple[Line, ...]
    """What stands below the last chunk."""
    front_matter: bool = False
    other: str = ""
    other_bars: tuple[Bar, ...] = ()
    tallies: tuple[tuple[str, int, int], ...] = ()
    """What was broken, ours, theirs."""
    unfound: tuple[str, ...] = ()


def make_page(
    text: str, chunks: Sequence[Chunk], sizes: Sizes, count: Callable[[str], int], name: str, beside: Beside | None
) -> Page:
    """What the page of a document shows. `count` gives tokens."""
    pieces = [Piece(chunk.start_char, chunk.end_char, chunk.text, chunk.token_count, chunk.prefix) for chunk in chunks]
    body_line = read(text).body_line
    structure = read_structure(text, body_line)
    damages = find_damage(text, structure, pieces, count, sizes.limit) if beside else []
    views = chunk_views(text, chunks, sizes, damages, Timeline(text, beside) if beside else None)
    end = chunks[-1].end_char if chunks else 0
    last_line = text.count("\n", 0, end) + 1
    tail = _visible_lines(text, end, len(text), last_line)
    bars = tuple(Bar(view.number, view.tokens, " › ".join(view.path), view.state) for view in views)
    page = Page(
        showable(name or "Document"),
        _summary(chunks),
        sizes,
        views,
        bars,
        max([sizes.limit, *(bar.tokens for bar in bars)]),
        tail,
        body_line > 0,
    )
    return _with_other(page, beside, damages) if beside else page


def _with_other(page: Page, beside: Beside, damages: Sequence[Damage]) -> Page:
    broken: dict[int, list[str]] = {}
    for damage in beside.damages:
        broken.setdefault(damage.chunk, []).append(DAMAGES[damage.kind])
    bars = tuple(
        Bar(k + 1, piece.tokens, ", ".join(dict.fromkeys(broken.get(k, ()))), "broken" if k in broken else "")
        for k, piece in enumerate(beside.pieces)
    )
    tallies = tuple(
        (label, sum(damage.kind == kind for damage in damages), sum(damage.kind == kind for damage in beside.damages))
        for kind, label in DAMAGES.items()
    )
    return replace(
        page,
        highest=max([page.highest, *(bar.tokens for bar in bars)]),
        other=beside.name,
        other_bars=bars,
        tallies=tallies,
        unfound=tuple(map(showable, beside.unfound)),
    )


def chunk_views(
    text: str, chunks: Sequence[Chunk], sizes: Sizes, damages: Sequence[Damage], timeline: Timeline | None
) -> tuple[ChunkView, ...]:
    """The chunks as they are shown."""
    broken: dict[int, dict[str, None]] = {}
    for damage in damages:
        broken.setdefault(damage.chunk, {})[DAMAGES[damage.kind]] = None
    views: list[ChunkView] = []
    before, before_line = 0, 1
    for chunk in chunks:
        body = overlap_end = chunk.start_char + chunk.overlap_chars
        if chunk.overlap_chars:  # the lines between the overlap and what is new are blank
            body = text.rfind("\n", body, _visible_from(text, body, chunk.end_char)) + 1 or body
        body_line = chunk.start_line + text.count("\n", chunk.start_char, body)
        whole = not text[text.rfind("\n", 0, body) + 1 : body].strip()
        if timeline:
            segments = timeline.segments(text, body, chunk.end_char, body_line, before, line_is_whole=whole)
        else:
            lines = marked_lines(text, body, chunk.end_char, body_line, first_is_whole=whole)
            segments = (Segment(lines, ()),)
        state, size = _size(chunk.token_count, sizes)
        views.append(
            ChunkView(
                chunk.index + 1,
                tuple(map(showable, chunk.heading_path)),
                chunk.token_count,
                state,
                size,
                _where(chunk.start_line, chunk.end_line),
                tuple(dict.fromkeys(map(kind_name, chunk.kinds))),
                tuple(_facts(chunk)),
                tuple(map(showable, chunk.notes)),
                reasons(chunk.decisions),
                tuple(broken.get(chunk.index, ())),
                text_lines(chunk.prefix),
                marked_lines(text, chunk.start_char, overlap_end, chunk.start_line),
                segments,
                text_lines(chunk.suffix),
                _html(chunk),
                _visible_lines(text, before, chunk.start_char, before_line),
            )
        )
        before, before_line = chunk.end_char, chunk.end_line
    return tuple(views)


def _visible_from(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


def _visible_lines(text: str, start: int, end: int, line: int) -> tuple[Line, ...]:
    """The lines of what lies between chunks; none where that is white space."""
    blank = "\ufeff\u200b\x00 \t\r\n\f"
    between = text[start:end].rstrip(blank)
    skipped = len(between) - len(between.lstrip("\r\n"))
    return marked_lines(text, start + skipped, start + len(between), line + between.count("\n", 0, skipped))


def _html(chunk: Chunk) -> str:
    definitions = chunk.metadata.get("definitions", ())
    overlap = chunk.text[len(chunk.prefix) :][: chunk.overlap_chars]
    return render_markdown(
        chunk.text,
        definitions=[str(item) for item in definitions] if isinstance(definitions, (list, tuple)) else (),
        repeated_lines=(chunk.prefix + overlap).count("\n"),
        end_line=chunk.text[: len(chunk.text) - len(chunk.suffix)].count("\n") + 1 if chunk.suffix else -1,
    )


def _facts(chunk: Chunk) -> list[tuple[str, str]]:
    facts: list[tuple[str, str]] = []
    if chunk.pages:
        first, last = chunk.pages
        facts.append(("Page" if first == last else "Pages", str(first) if first == last else f"{first}-{last}"))
    if part := chunk.metadata.get("part"):
        facts.append(("Part", ", ".join(map(str, part)) if isinstance(part, (list, tuple)) else str(part)))
    if len(chunk.sections) > 1:
        facts.append(("Sections", ", ".join(showable(path[-1]) for path in chunk.sections if path)))
    return [(name, showable(value)) for name, value in facts]


def _size(tokens: int, sizes: Sizes) -> tuple[str, str]:
    if tokens > sizes.limit:
        return "over", "over the limit"
    if tokens < sizes.least:
        return "small", f"below the minimum of {sizes.least}"
    if tokens > sizes.target:
        return "", "over the target, within the limit"
    return "", "within the target"


def _where(first: int, last: int) -> str:
    return f"line {first}" if first == last else f"lines {first}-{last}"


def _summary(chunks: Sequence[Chunk]) -> str:
    if not chunks:
        return "No chunks: the document has no visible character."
    counts = sorted(chunk.token_count for chunk in chunks)
    noun = "chunk" if len(counts) == 1 else "chunks"
    return f"{len(counts):,} {noun}, {counts[0]:,} to {counts[-1]:,} tokens, median {counts[len(counts) // 2]:,}"
