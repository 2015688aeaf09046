"""What a block is to its neighbours, by its own few lines: title, note, footer, caption, mark. Or only text."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import NamedTuple

from ._note_signals import FOOTERS
from ._signal import LONGEST, Signal
from .blocks import Block
from .pages import MARK_BEGINNINGS, page_mark
from .signals import CAPTIONS, LABEL, LEAD_INS, TITLES, matching

MOST_LINES = 6
"""Of a block that is made of notes, such as a version box."""

LONGEST_FIGURE = 2_000
"""Characters of a line of images, or of lines of tags."""

BESIDE = {
    "": frozenset[str](),
    "table": frozenset({"table"}),
    "figure": frozenset({"table", "figure", "html", "math", "fenced_code", "indented_code"}),
    "code": frozenset({"table", "fenced_code", "indented_code"}),
    "list": frozenset({"list"}),
}
"""The kinds that `Signal.beside` stands for; `figure` as a kind is a paragraph of images."""

_INTERRUPTING = frozenset({"math", "fenced_code", "indented_code"})
_TERMS = frozenset({"paragraph", "html"})
_UNENDED = re.compile(r".{40}.*[\w,;–—-]\s*$")
_WORDS = re.compile(r"[^\W\d_]+,? \S+ ")
_EQUATION_LABEL = re.compile(r"^:[\w-]+:`[^`]+`\s*$")
_CLOSERS = frozenset({"", "heading", "thematic_break"})
"""Kinds of the block behind the last one of a section or page; empty for none."""
_LABELLED = BESIDE[LABEL.beside]
_FOOTERS = frozenset(signal for _, signal in FOOTERS)
_TITLES = frozenset(signal for _, signal in TITLES)
_CAPTIONS = frozenset(signal for _, signal in CAPTIONS)
_MARKS = frozenset({"slide", "sheet"})
_LEAD_IN_ENDS = (":", "：", "*", "_", "`", '"', "”", "」", ")", "）", "...", "…")
_COLONS = (":", "：")
_NO_LEAD_IN = (":::", "///")
_ENDED = (".", "!", "?", "。", "！", "？", ":", "：", "  ", "\\")
_IMAGES = re.compile(r"^\s*(?:\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?\s*)+$|^\s*<img\b[^>]*>\s*$")
_HTML_TITLE = re.compile(r"^\s{0,3}<h([1-6])\b[^>]*>.{0,300}</h\1>\s*$", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]*)(?:\s[^<>]*?)?(/?)>")
_SUMMARY = re.compile(r"<summary\b[^>]*>[^\n]*</summary>", re.IGNORECASE)
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
"""Elements without an end tag (HTML, section 13.1.2)."""
_QUOTE_MARK = re.compile(r"^[ >]*(?:\[![A-Za-z]+\])?")
_KEY_AND_VALUE = re.compile(r"^\S[^:：.]{0,40}[:：]")
_HEADING_LINE = re.compile(r"[ \t]*#{1,6}[ \t]+\S(?!.*-->)")
_SILENT = frozenset({"link_reference", "thematic_break"})
_SILENT_HTML = re.compile(
    r"(?:\s*(?:<!--(?:(?!-->).)*-->|<[bh]r\s*/?>|<a\s[^<>]*(?:/>|>\s*</a>)))+\s*", re.DOTALL | re.IGNORECASE
)
_SILENT_MDX = re.compile(r"(?:import|export) ")
_SILENT_LINE = re.compile(
    r"\s*(?:(?:<(a|span)\s[^<>]*>\s*</\1>)+|\{:?\s*[#.][^{}]*\}|\[\[?_?toc_?\]\]?)\s*", re.IGNORECASE
)
_LONGEST_SILENT = 2_000
"""Characters."""
_PAGE_LIST = re.compile(r"^ {0,3}- \d{1,4} -\s*$")


class Role(NamedTuple):
    """The direction that a block asks for, and why."""

    direction: str
    name: str
    qualifies: bool = False
    mark: bool = False
    """A page or slide mark, furniture, footer, or only tags."""
    opens: bool = False
    """What follows it stands at a beginning."""
    beside: str = ""
    either_side: bool = False


_LEADS_IN = Role("forward", LEAD_INS[0].name, opens=True)
UPPER_HEADER = "upper_header"
"""Rows straight above a table: to GFM a paragraph, to their author its header."""


def role(
    lines: Sequence[str],
    blocks: Sequence[Block],
    index: int,
    signals: Sequence[Signal],
    repeated: Container[int],
    opening: bool,
) -> Role | None:
    """What the block is; None for text and for what has no direction.

    `signals` are the caller's, `repeated` the blocks that are page furniture; `opening` says that nothing but headings,
    titles and notes stands above it in its section.
    """
    block = blocks[index]
    kind = block.kind
    if kind == "paragraph":
        first = lines[block.start].strip()
        count = block.stop - block.start
        last = first if count == 1 else lines[block.stop - 1].strip()
        if signals and count <= 2:
            called = _called(lines, blocks, index, signals, first, last)
            if called is not None:
                return called
        if index in repeated:
            return Role("backward", "page_furniture", mark=True)
        if last.startswith("|") and index + 1 < len(blocks) and blocks[index + 1][:2] == ("table", block.stop):
            return Role("forward", UPPER_HEADER)
        if _leads_in(last, blocks, index):
            return _LEADS_IN
        if count > MOST_LINES or len(first) > LONGEST:
            return None
        return _built_in(lines, blocks, index, first, count, opening)
    if kind in ("html", "mdx"):
        return _html(lines, block, opening)
    if kind == "list":
        return _list(lines, blocks, index)
    if kind == "block_quote" and block.stop - block.start <= 2:
        text = _QUOTE_MARK.sub("", lines[block.stop - 1]).strip()
        called = _called(lines, blocks, index, signals, text, text) if signals else None
        return called or _note(matching(text), lines, blocks, index)
    return None


def goes_on(lines: Sequence[str], blocks: Sequence[Block], index: int) -> bool:
    """Whether a paragraph ends what stands above it.

    A sentence that a formula, code or the end of a page interrupts; the definition of a term; the label of a formula.
    """
    first = lines[blocks[index].start].lstrip()
    if first[:1] == ":":
        return (blocks[index - 1].kind in _TERMS and first[1:2] in (" ", "\t")) or (
            blocks[index - 1].kind == "math" and _EQUATION_LABEL.match(first) is not None
        )
    if not first[:1].islower() or not _WORDS.match(first):
        return False
    above = blocks[index - 1]
    last = lines[above.stop - 1]
    if above.kind == "paragraph" and index > 1 and _EQUATION_LABEL.match(last):
        above = blocks[index - 2]
    return above.kind in _INTERRUPTING or (above.kind == "paragraph" and _UNENDED.match(last) is not None)


def shows_nothing(lines: Sequence[str], block: Block) -> bool:
    """Whether a reader sees no text of the block: link definitions, comments, anchors, rules, MDX imports."""
    kind, start, stop = block[:3]
    if kind in _SILENT:
        return True
    if kind == "paragraph":
        return stop - start == 1 and len(lines[start]) <= LONGEST and _SILENT_LINE.fullmatch(lines[start]) is not None
    if kind == "mdx":
        return _SILENT_MDX.match(lines[start]) is not None
    if kind != "html" or sum(map(len, lines[start:stop])) > _LONGEST_SILENT:
        return False
    return _SILENT_HTML.fullmatch("\n".join(lines[start:stop])) is not None


def block_kind(lines: Sequence[str], block: Block) -> str:
    """The block's kind; `figure` for a paragraph of images."""
    if block.kind == "paragraph" and block.stop - block.start == 1:
        line = lines[block.start]
        if len(line) <= LONGEST_FIGURE and _IMAGES.match(line):
            return "figure"
    return block.kind


def notes_throughout(lines: Sequence[str], block: Block) -> bool:
    """Whether the block is made of notes: none of its lines runs on into the next, and at least half are notes.

    Where each line is a key and its value, a third is enough: author and owner stand between version and date.
    """
    notes, was_note, keyed = 0, False, True
    for number in range(block.start, block.stop):
        text = lines[number].strip()
        if len(text) > LONGEST:
            return False
        is_note = any(signal.direction == "backward" for signal in matching(text))
        has_key = _KEY_AND_VALUE.match(text) is not None
        keyed = keyed and has_key
        begins = number == block.start or (is_note and was_note) or has_key
        if not begins and not lines[number - 1].endswith(_ENDED):
            return False
        notes, was_note = notes + is_note, is_note
    return (3 if keyed else 2) * notes >= block.stop - block.start


def _beside(signal: Signal, lines: Sequence[str], blocks: Sequence[Block], index: int) -> bool:
    """Whether the neighbour is there that the signal asks for; captions look for it when all are known."""
    if not signal.beside or signal.either_side:
        return True
    neighbour = index - 1 if signal.direction == "backward" else index + 1
    return 0 <= neighbour < len(blocks) and block_kind(lines, blocks[neighbour]) in BESIDE[signal.beside]


def _called(
    lines: Sequence[str], blocks: Sequence[Block], index: int, signals: Sequence[Signal], first: str, last: str
) -> Role | None:
    """What the caller's signals say."""
    for signal in signals:
        line = last if signal.direction == "forward" else first
        if signal.matches(line) and _beside(signal, lines, blocks, index):
            return Role(
                signal.direction, signal.name, signal.qualifies, beside=signal.beside, either_side=signal.either_side
            )
    return None


def _leads_in(last: str, blocks: Sequence[Block], index: int) -> bool:
    """Whether the last line of a paragraph or list, of whatever length, announces what follows."""
    if not last.endswith(_LEAD_IN_ENDS) or last.startswith(_NO_LEAD_IN) or index + 1 == len(blocks):
        return False
    end = last[-LONGEST:]
    if last.endswith(_COLONS) or _ends_in_colon(end):
        return LEAD_INS[0].matches(end)
    return blocks[index + 1].kind in BESIDE[LEAD_INS[1].beside] and LEAD_INS[1].matches(end)


def _ends_in_colon(line: str) -> bool:
    return line.rstrip('*_`"”」)）').endswith(_COLONS)


def _built_in(
    lines: Sequence[str], blocks: Sequence[Block], index: int, first: str, count: int, opening: bool
) -> Role | None:
    """What the built-in signals say of a short paragraph."""
    following = blocks[index + 1].kind if index + 1 < len(blocks) else ""
    if count == 1 and first.startswith(MARK_BEGINNINGS):
        mark = page_mark(first)
        if mark is not None:
            return Role("forward" if mark.starts else "backward", mark.name, mark=True, opens=mark.starts)
    matches = matching(first)
    if matches:
        for signal in matches:
            if signal in _TITLES:
                if count == 1 and following not in _CLOSERS:
                    return Role("forward", signal.name, mark=signal.name in _MARKS, opens=True)
            elif signal in _CAPTIONS:
                if count == 1:
                    return Role("forward", signal.name, beside=signal.beside, either_side=True)
            elif signal.name == "version" and following == "list" and not opening:
                return Role("forward", signal.name, opens=True)
            else:
                found = _note([signal], lines, blocks, index)
                if found is not None:
                    return found
    if count == 1:
        if following in _LABELLED and len(first) <= 60 and LABEL.matches(first):
            return Role("forward", LABEL.name)
        if len(first) <= 4 and first.isdecimal() and _at_page_end(blocks, index):
            return Role("backward", "page_number", mark=True)
    if index and count <= 2 and following in _CLOSERS and blocks[index - 1].kind == "table":
        # A short last word after a table: the exception, the total.
        block = blocks[index]
        if sum(len(lines[number]) for number in range(block.start, block.stop)) <= LONGEST:
            return Role("backward", "remark")
    return None


def _note(matches: Sequence[Signal], lines: Sequence[str], blocks: Sequence[Block], index: int) -> Role | None:
    """The first of the signals that is a note or footer and has the neighbour that it asks for."""
    block = blocks[index]
    for signal in matches:
        if signal.direction == "forward":
            continue
        if not _beside(signal, lines, blocks, index):
            closes = index + 1 == len(blocks) or blocks[index + 1].kind in _CLOSERS
            if signal.name != "remark" or not closes:
                continue
        several = signal.qualifies and block.stop - block.start > 1 and block.kind == "paragraph"
        if several and not notes_throughout(lines, block):
            continue
        return Role("backward", signal.name, signal.qualifies, mark=signal in _FOOTERS)
    return None


def _at_page_end(blocks: Sequence[Block], index: int) -> bool:
    """Whether a lone number stands where page numbers do: between what could be the ends of pages."""
    before = index > 0 and blocks[index - 1].kind != "heading"
    return before and (index + 1 == len(blocks) or blocks[index + 1].kind == "thematic_break")


def _html(lines: Sequence[str], block: Block, opening: bool) -> Role | None:
    """An HTML heading, one in Markdown straight below a tag, a comment that marks a page or slide, or only tags."""
    count = block.stop - block.start
    if count > 1 and _HEADING_LINE.match(lines[block.stop - 1]):
        return Role("forward", "heading", opens=True)
    if count > 3:
        return None
    first = lines[block.start].strip()
    if count == 1:
        mark = page_mark(first)
        if mark is not None:
            return Role("forward" if mark.starts else "backward", mark.name, mark=True, opens=mark.starts)
    text = "\n".join(lines[block.start : block.stop])
    if first[:2] in ("<h", "<H") and _HTML_TITLE.match(text):
        return Role("forward", "html_heading", opens=True)
    return _tags(text, opening) if len(text) <= LONGEST_FIGURE else None


def _tags(text: str, opening: bool) -> Role | None:
    """Tags that open what follows or close what stands above, with nothing else but a title."""
    unclosed = 0
    for closes, name, closed in _TAG.findall(text):
        if not closed and name.lower() not in _VOID:
            unclosed += -1 if closes else 1
    if not unclosed or _TAG.sub("", _SUMMARY.sub("", text)).strip():
        return None
    if unclosed > 0:
        return Role("forward", "opening_tag", mark=True, opens=opening)
    return Role("backward", "closing_tag", mark=True)


def _list(lines: Sequence[str], blocks: Sequence[Block], index: int) -> Role | None:
    """Lists that were never meant as such: `- 12 -`, and the one line `* incl. VAT` under a table.

    A heading or lead-in at the end of a list belongs to what follows.
    """
    block = blocks[index]
    line = lines[block.stop - 1]
    if _leads_in(line.strip(), blocks, index):
        return _LEADS_IN
    if block.stop - block.start > 1:
        return Role("forward", "heading", opens=True) if _HEADING_LINE.match(line) else None
    if _PAGE_LIST.match(line):
        return Role("backward", "page_number", mark=True)
    if index and blocks[index - 1].kind == "table" and line.startswith("* ") and len(line) <= LONGEST:
        return Role("backward", "footnote", qualifies=True)
    return None
