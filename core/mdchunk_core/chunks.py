"""Stage 6: the only one that makes text."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import Any

from .blocks import Block
from .cutters.part import Joint
from .decisions import explain
from .measure import Measure
from .notes import Note
from .options import Sizes
from .overlap import overlap_start
from .packing import Group, openings
from .pages import Pages
from .pieces import Layout, Pieces
from .references import definitions, used
from .sections import Section
from .source import Source
from .types import Chunk, Decision, Draft

NAMESPACE = uuid.UUID("7f3c1a52-5a0e-5d0b-9c4e-6d64636875e6")
"""Of all chunk ids. Never changed: ids in people's stores depend on it."""
_sha1 = partial(hashlib.sha1, usedforsecurity=False)
_NAMESPACED = _sha1(NAMESPACE.bytes)

_BODYLESS = re.compile(
    r"<!--.*?(?:-->|$)"
    r"|^ {0,3}\[[^\]\n]+\]:[^\n]*$"
    r"|^ {0,3}(?:[-*_][ \t]*){3,}$"
    r"|^(?:import|export) [^\n]*$",
    re.DOTALL | re.MULTILINE,
)
"""What stands in a section without being its text: comments (of several lines, the first), link definitions, rules,
MDX imports."""
_VISIBLE = re.compile(r"[^\s\ufeff\u200b\x00]")
_INVISIBLE_ASCII = bytes(code for code in range(128) if not _VISIBLE.match(chr(code)))
_BODYLESS_LINE = re.compile(r"\n {0,3}(?:\[|(?:[-*_][ \t]*){3}|import |export )")
"""Every line of these but a comment's begins so."""


@dataclass(frozen=True, slots=True)
class Document:
    """What the earlier stages found, for the chunks to be made of."""

    source: Source
    blocks: Sequence[Block]
    sections: Sequence[Section]
    layout: Layout
    pieces: Pieces
    groups: Sequence[Group]
    notes: Sequence[Note]
    pages: Pages
    furniture: Collection[int]
    """Indices of the blocks that repeat on the pages."""


def make_chunks(
    document: Document,
    measure: Measure,
    sizes: Sizes,
    contexts: Sequence[str],
    context_tokens: Sequence[int],
    *,
    notes_in_text: bool,
    overhead: int,
    name: str | None,
    document_type: str | None,
    metadata: Mapping[str, Any],
) -> list[Chunk]:
    """The chunks of a document, in order.

    `contexts` is the line of headings above that a chunk starting at each piece shows if there is room, and
    `context_tokens` its tokens. `overhead` is the tokens that the tokenizer adds to every text; `sizes` and all other
    counts are without them.
    """
    source, blocks, pieces = document.source, document.blocks, document.pieces
    opened = openings(pieces, document.sections)
    known = definitions(source, blocks)
    common = _shared_metadata(source, metadata)
    seen: dict[str, int] = {}
    document_type = document_type or _suffix(name)
    shares = _part_numbers(document)
    notes = _notes_by_section(document)
    qualifying: Sequence[Note] = ()
    note_texts: tuple[str, ...] = ()
    noted: Sequence[Decision] = ()
    within: tuple[int, int] | None = None  # the sections of the chunk before: its neighbours share their notes
    chunks: list[Chunk] = []
    path_before: tuple[str, ...] | None = None
    before: Group | None = None
    for number, group in enumerate(document.groups):
        first, last = group.first, group.stop - 1
        start, end, tokens = pieces.start[first], pieces.end[last], group.tokens
        prefix, suffix = pieces.prefix[first], pieces.suffix[last]
        context, context_size = contexts[first], context_tokens[first]
        if context:
            if measure.starts_exactly(prefix or source.text[start:end]):  # counts add up
                wider = tokens + context_size
            else:
                wider = measure.span(start, end, context + prefix, suffix)
            if wider <= sizes.limit:
                prefix, tokens = context + prefix, wider
            else:
                context, context_size = "", 0
        if sizes.overlap and before is not None and not pieces.prefix[first]:
            room = min(sizes.overlap, sizes.limit - tokens)
            earlier = overlap_start(before, group, pieces, blocks, document.layout, measure, source.text, room)
            if earlier < start:
                alone = source.text[start - 1] == "\n" and measure.starts_exactly(source.text[start:end])
                if alone and (not prefix or measure.starts_exactly(source.text[earlier:start])):  # counts add up
                    wider = tokens + measure.span(earlier, start)
                else:
                    wider = measure.span(earlier, end, prefix, suffix)
                if wider <= sizes.limit:
                    start, tokens = earlier, wider
        inside = range(pieces.block[first], pieces.block[last] + 1)
        if within != (pieces.section[first], pieces.section[last]):
            within = (pieces.section[first], pieces.section[last])
            if notes:
                qualifying = _qualifying(notes, *within)
                note_texts = tuple(dict.fromkeys([note.text for note in qualifying]))
                noted = [Decision("note", "note -> section", note.text, note.line) for note in qualifying]
        if notes_in_text:
            for note in qualifying:
                longer = f"{suffix}\n\n{note.text}"
                wider = measure.span(start, end, prefix, longer)
                if note.block not in inside and wider <= sizes.limit:
                    suffix, tokens = longer, wider
        if not _VISIBLE.search(source.text, start, end):
            continue
        text = measure.given(start, end, prefix, suffix)
        eol = measure.eol
        path, levels, paths = _paths(document, *within, pieces.start[first], end)
        span = (source.original(start), source.original(end))
        repeated = 0
        if before is not None and start < pieces.start[first]:
            repeated = source.original(pieces.end[before.stop - 1]) - span[0]
        reasons = explain(group, before, pieces, blocks, opened, sizes, source, noted)
        before = group
        own = dict(common)
        if document.furniture:
            furniture = [_block_text(document, index) for index in inside if index in document.furniture]
            if furniture:
                own["page_furniture"] = furniture
        if number in shares:
            own["part"] = shares[number]
        if known:
            elsewhere = [index for index in used(text, known) if index not in inside]
            if elsewhere:
                own["definitions"] = [_block_text(document, index) for index in elsewhere]
        if path is not path_before:
            path_before = path
            digest = _NAMESPACED.copy()
            digest.update(_encoded(f"{name or ''}\0" + "\x1f".join(path)))
        plain = text.replace("\r\n", "\n") if "\r" in text else text
        identity = _identify(digest, plain, 1)
        seen[identity] = occurrence = seen.get(identity, 0) + 1
        if occurrence > 1:
            identity = _identify(digest, plain, occurrence)
        chunk = Draft(
            text=text,
            prefix=prefix.replace("\n", eol) if eol != "\n" else prefix,
            suffix=suffix.replace("\n", eol) if eol != "\n" else suffix,
            start_char=span[0],
            end_char=span[1],
            start_line=source.line_number(span[0]),
            end_line=source.line_number(span[1] - 1),
            token_count=tokens + overhead,
            heading_path=path,
            heading_levels=levels,
            sections=paths,
            kinds=tuple(dict.fromkeys([block.kind for block in blocks[inside.start : inside.stop]])),
            notes=note_texts,
            pages=_pages(document, pieces.start[first], end),
            overlap_chars=repeated,
            decisions=reasons,
            metadata=own,
            id=identity,
            index=len(chunks),
            source=name,
            document_type=document_type,
            context=context.replace("\n", eol) if eol != "\n" else context,
            context_tokens=context_size,
        )
        chunk.__class__ = Chunk
        chunks.append(chunk)
    return chunks


def body_size(text: str) -> int:
    r"""Visible characters of body text.

    >>> body_size("ab c\n\n---\n\n<!-- note -->")
    3
    """
    return _visible_size(_BODYLESS.sub("", text) if _may_lack_body(text) else text)


def _may_lack_body(text: str) -> bool:
    return "<!--" in text or _BODYLESS_LINE.search("\n" + text) is not None


def _visible_size(text: str) -> int:
    if text.isascii():
        return len(text.encode().translate(None, _INVISIBLE_ASCII))
    return len("".join(text.split())) - sum(map(text.count, "\ufeff\u200b\x00"))


def _paths(
    document: Document, first: int, last: int, start: int, end: int
) -> tuple[tuple[str, ...], tuple[int, ...], tuple[tuple[str, ...], ...]]:
    """The chunk's heading path, the levels of its headings, and the path of every section in it: `first` to `last`."""
    if first == last:
        section = document.sections[first]
        return section.path, section.levels, (section.path,)
    sections = document.sections[first : last + 1]
    paths = tuple([section.path for section in sections])
    layout, text = document.layout, document.source.text
    size_of = body_size if _may_lack_body(text[start:end]) else _visible_size
    held: list[tuple[int, Section]] = []
    total = 0
    for section, following in zip(sections, [*sections[1:], None]):
        body = layout.ends[section.first] if section.level else start
        stop = layout.starts[following.first] if following else end
        size = size_of(text[max(body, start) : min(stop, end)])
        if size:
            held.append((size, section))
            total += size
    main = [section for size, section in held if 5 * size >= total] or [section for _, section in held] or sections[-1:]
    shared = main[0].path
    for section in main[1:]:
        path = section.path
        length = next((k for k, (a, b) in enumerate(zip(shared, path)) if a != b), min(len(shared), len(path)))
        shared = shared[:length]
    return shared, main[0].levels[: len(shared)], paths


def _notes_by_section(document: Document) -> dict[int, list[Note]]:
    """The notes that qualify each section: its own and those of the sections that it lies in."""
    found: dict[int, list[Note]] = {}
    if document.notes:
        waiting = sorted(document.notes, key=lambda note: note.section)
        open_notes: list[Note] = []
        at = 0
        for section in range(len(document.sections)):
            while at < len(waiting) and waiting[at].section == section:
                open_notes.append(waiting[at])
                at += 1
            open_notes = [note for note in open_notes if section < note.stop]
            if open_notes:
                found[section] = open_notes
    return found


def _qualifying(notes: Mapping[int, Sequence[Note]], first: int, last: int) -> list[Note]:
    return list(dict.fromkeys(note for section in range(first, last + 1) for note in notes.get(section, ())))


def _shared_metadata(source: Source, metadata: Mapping[str, Any]) -> dict[str, Any]:
    shared = {**source.front_matter, **metadata}
    if source.front_matter_error:
        shared.setdefault("front_matter_error", source.front_matter_error)
    return shared


def _part_numbers(document: Document) -> dict[int, str]:
    """`2 of 5` for a chunk that holds the second of five parts of a block; two where it ends one and begins one."""
    pieces = document.pieces
    holders: dict[int, list[int]] = {}
    for number, group in enumerate(document.groups):
        if pieces.joint[group.first] is not Joint.BLOCK:
            holders.setdefault(pieces.block[group.first], [number - 1]).append(number)
    shares: dict[int, list[str]] = {}
    for numbers in holders.values():
        for part, number in enumerate(numbers, 1):
            shares.setdefault(number, []).append(f"{part} of {len(numbers)}")
    return {number: ", ".join(parts) for number, parts in shares.items()}


def _block_text(document: Document, index: int) -> str:
    return document.source.text[document.layout.starts[index] : document.layout.ends[index]]


def _pages(document: Document, start: int, end: int) -> tuple[int, int] | None:
    if not document.pages.starts:
        return None
    return document.pages.span(document.source.line_of(start), document.source.line_of(end - 1))


def _identify(digest: Any, text: str, occurrence: int) -> str:
    """Name a chunk; `digest` is that of namespace, source and heading path, which may be longer than the text."""
    digest = digest.copy()
    digest.update(_encoded(f"\0{occurrence}\0{text}"))
    return _uuid5(digest)


def derived_id(stable: str, name: str) -> str:
    """The UUIDv5 of a name in the namespace of another UUID.

    >>> derived_id("7f3c1a52-5a0e-5d0b-9c4e-6d64636875e6", "2") == str(uuid.uuid5(NAMESPACE, "2"))
    True
    """
    return _uuid5(_sha1(bytes.fromhex(stable.replace("-", "")) + _encoded(name)))


def _encoded(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")  # a text may hold lone surrogates, which `uuid.uuid5` refuses


def _uuid5(digest: Any) -> str:
    """RFC 9562, section 5.5."""
    name = digest.hexdigest()
    variant = "89ab"[int(name[16], 16) & 3]
    return f"{name[:8]}-{name[8:12]}-5{name[13:16]}-{variant}{name[17:20]}-{name[20:32]}"


def _suffix(name: str | None) -> str | None:
    """The kind of document that a source name tells: `pdf` of `report.pdf`."""
    return PurePath(name).suffix[1:].lower() or None if name else None
