"""The packer finds the cheapest cuts: a twin that tries every set of cuts is never cheaper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdchunk_core import MarkdownChunker, packing
from mdchunk_core.cutters.part import Joint
from mdchunk_core.merging import Bond
from mdchunk_core.options import MergeAcross, Sizes
from mdchunk_core.pieces import Piece, Pieces
from mdchunk_core.sections import Section

SIZES = Sizes(target=40, limit=52, least=10, overlap=0)
HEADING = Bond("forward", "heading -> body", "heading", heading=True)
LEAD_IN = Bond("forward", "colon -> list", "colon")
NOTE = Bond("backward", "stand -> list", "stand", qualifies=True)
MARK = Bond("forward", "page -> heading", "page", mark=True)


def columns(rows: Iterable[Piece]) -> Pieces:
    return Pieces(*zip(*rows))


def summing(pieces: Pieces) -> packing.Count:
    """A tokenizer whose counts add up."""
    return lambda first, stop: pieces.prefix_tokens[first] + sum(pieces.tokens[first:stop])


@st.composite
def layouts(draw: st.DrawFn) -> tuple[Pieces, list[Section]]:
    """Up to nine pieces in sections of random levels, some bonded, some parts of cut blocks."""
    sections = [Section(0, 0, 0, ())]
    levels: list[int] = []
    rows: list[Piece] = []
    heading_before = False
    for number in range(draw(st.integers(1, 9))):
        size = draw(st.integers(0, 52))
        part = Joint.BLOCK
        bond = HEADING if heading_before else None
        prefix_tokens = 0
        opens = draw(st.integers(0, 3)) == 0
        if opens:
            if bond is None and number and draw(st.booleans()):
                bond = MARK
            level = draw(st.integers(1, 3))
            while levels and levels[-1] >= level:
                levels.pop()
            levels.append(level)
            sections.append(Section(number, level, len(levels), tuple(map(str, levels))))
        elif number and not heading_before:
            part = draw(st.sampled_from([Joint.BLOCK, Joint.BLOCK, Joint.ITEM, Joint.SENTENCE]))
            if part is Joint.BLOCK and draw(st.booleans()):
                bond = LEAD_IN
            elif part is Joint.ITEM:
                prefix_tokens = draw(st.integers(0, 52 - size))
        heading_before = opens
        rows.append(Piece(number, number + 1, number, len(sections) - 1, size, part, bond, prefix_tokens=prefix_tokens))
    return columns(rows), sections


def cost_of(
    groups: list[tuple[int, int]], pieces: Pieces, sections: list[Section], sizes: Sizes, across: MergeAcross
) -> float:
    """The cost of one set of groups, straight from the rules."""
    total = 0.0
    opened = packing.openings(pieces, sections)
    marked = {first for first, stop in groups if stop > first + 1 and pieces.bond[first + 1] is MARK}
    begins = {0, len(pieces), *opened, *marked}
    for first, stop in groups:
        own_section = sections[pieces.section[first]]
        marks = first in marked
        if first:
            total += packing.cut_cost(pieces, first, opened.get(first + marks))
        tokens = pieces.prefix_tokens[first] + sum(pieces.tokens[first:stop])
        if tokens > sizes.limit:
            return packing.FORBIDDEN
        inner = range(first + 1 + marks, stop)
        several = any(number in opened and pieces.bond[number] not in (HEADING, CHAIN) for number in inner)
        section_alone = first in begins and stop in begins and not several
        if not (section_alone and sizes.target < tokens <= packing.largest_section(sizes)):
            total += packing.size_cost(tokens, sizes)
        for number in range(first + 1, stop):
            section, bond = opened.get(number), pieces.bond[number]
            if section is None or (bond is not None and bond.heading):
                continue
            if bond is MARK and number == first + 1:  # the mark stands above the group's own heading
                own_section = section
                continue
            total += packing.SWALLOW_HEADING[section.level]
            own = own_section.depth
            if across == "never" or (across == "siblings" and own > section.depth):
                return packing.FORBIDDEN
    return total


def every_grouping(count: int) -> list[list[tuple[int, int]]]:
    cuts = [c for size in range(count) for c in combinations(range(1, count), size)]
    return [list(zip((0, *inner), (*inner, count))) for inner in cuts]


@pytest.mark.parametrize("across", ["never", "siblings", "any"])
@given(layout=layouts(), sizes=st.sampled_from([SIZES, SIZES, Sizes(target=30, limit=52, least=8, overlap=0)]))
@settings(max_examples=150, deadline=None)
def test_no_other_set_of_cuts_is_cheaper(
    across: MergeAcross, layout: tuple[Pieces, list[Section]], sizes: Sizes
) -> None:
    pieces, sections = layout

    count = summing(pieces)
    found = packing.pack(pieces, sections, sizes, across, [0] * len(pieces), count, count)
    ours = [(group.first, group.stop) for group in found]
    assert [a for a, _ in ours] == [0, *(b for _, b in ours[:-1])]
    assert ours[-1][1] == len(pieces)
    # Bonds that fit one chunk are kept by construction: only groupings that keep them compete.
    runs = set(packing.bound(pieces, sizes.limit, count))
    rivals = [groups for groups in every_grouping(len(pieces)) if {first for first, _ in groups} <= runs]
    cheapest = min(cost_of(groups, pieces, sections, sizes, across) for groups in rivals)
    assert cost_of(ours, pieces, sections, sizes, across) == pytest.approx(cheapest)


def test_equal_costs_give_one_result() -> None:
    pieces = columns(Piece(k, k + 1, k, 0, 20, Joint.BLOCK) for k in range(7))
    sections = [Section(0, 0, 0, ())]

    results = {
        tuple(packing.pack(pieces, sections, SIZES, "siblings", [0] * 7, summing(pieces), summing(pieces)))
        for _ in range(3)
    }
    assert len(results) == 1


def test_sums_that_deceive_are_mended() -> None:
    """A tokenizer whose counts do not add up: the exact count decides, and the limit holds."""
    pieces = columns(Piece(k, k + 1, k, 0, 10, Joint.BLOCK) for k in range(20))
    sections = [Section(0, 0, 0, ())]

    def deceiving(first: int, stop: int) -> int:
        return 10 * (stop - first) + 9 * (stop - first - 1)

    groups = packing.pack(pieces, sections, SIZES, "siblings", [0] * 20, deceiving, deceiving)
    assert all(group.tokens <= SIZES.limit for group in groups)
    assert groups[0].first == 0
    assert groups[-1].stop == 20
    assert all(a.stop == b.first for a, b in zip(groups, groups[1:]))


def test_white_space_behind_does_not_make_a_chunk_large_enough() -> None:
    """A sum of `min_tokens` counts the blank line behind; the chunk is one token smaller."""
    sections = [Section(0, 0, 0, ()), *(Section(k, 2, 1, (str(k),)) for k in range(2))]
    pieces = columns(Piece(k, k + 1, k, k + 1, size, Joint.BLOCK) for k, size in enumerate((10, 20)))
    assert len(packing.pack(pieces, sections, SIZES, "siblings", [0, 0], summing(pieces), summing(pieces))) == 1


CHAIN = Bond("forward", packing.CHAIN, "heading", heading=True)
MENTIONED = Bond("backward", "continuation -> math", "continuation")


@given(
    chain=st.lists(
        st.tuples(
            st.integers(0, 52),
            st.sampled_from([None, HEADING, CHAIN, LEAD_IN, NOTE, MARK, MENTIONED]),
            st.sampled_from([0, 0, 9]),
        ),
        min_size=1,
        max_size=10,
    )
)
@settings(max_examples=300)
def test_no_other_runs_part_cheaper_bonds(chain: list[tuple[int, Bond | None, int]]) -> None:
    """The twin tries every set of runs that keep the limit."""
    pieces = columns(
        Piece(k, k + 1, k, 0, size, Joint.BLOCK, bond if k else None, prefix_tokens=min(more, 52 - size))
        for k, (size, bond, more) in enumerate(chain)
    )
    count = summing(pieces)

    def cost(starts: Sequence[int]) -> float:
        if any(count(first, stop) > SIZES.limit for first, stop in zip(starts, starts[1:])):
            return packing.FORBIDDEN
        if any(bond is None and number not in starts for number, bond in enumerate(pieces.bond)):
            return packing.FORBIDDEN
        return sum(packing.hold(pieces, start) for start in starts[1:-1])

    ours = packing.bound(pieces, SIZES.limit, count)
    every = [
        [0, *inner, len(pieces)] for size in range(len(pieces)) for inner in combinations(range(1, len(pieces)), size)
    ]
    assert cost(ours) == min(map(cost, every)) < packing.FORBIDDEN


@pytest.mark.parametrize(("bond", "starts"), [(LEAD_IN, [0, 1, 3]), (NOTE, [0, 2, 3])])
def test_of_two_that_lead_on_the_nearest_stays_and_of_two_notes_the_first(bond: Bond, starts: list[int]) -> None:
    pieces = columns(Piece(k, k + 1, k, 0, 20, Joint.BLOCK, bond if k else None) for k in range(3))
    assert packing.bound(pieces, SIZES.limit, summing(pieces)) == starts


@pytest.mark.parametrize(("words", "chunks"), [(12, 1), (13, 2)])
def test_a_section_is_not_cut_for_the_sake_of_the_target(words: int, chunks: int) -> None:
    """Up to 1.3 of it, 52 of 40: one of 50 stays whole, one of 54 is cut, although both fit the limit."""
    chunker = MarkdownChunker(
        target_tokens=40, max_tokens=60, min_tokens=10, overlap_tokens=0, tokenizer=lambda text: len(text.split())
    )
    paragraphs = [" ".join([name] * words) for name in ("One", "Two", "Three", "Four")]
    text = "\n\n".join(["# Head", *paragraphs, "# Next", " ".join(["word"] * 38)])
    assert len(chunker.chunk(text)) == chunks + 1


def test_a_section_near_the_limit_is_cut_alike_with_every_line_ending() -> None:
    """Its 509 tokens are more than 512 with CRLF, where "。" and a blank line are one token more each time."""
    chunker = MarkdownChunker(target_tokens=400, max_tokens=512, overlap_tokens=0)
    short = [f"料金 {number}。" for number in range(6)]
    long = [f"Part {number} {'word ' * 114}ends." for number in range(4)]
    text = "\n\n".join(["# A", *short, *long, "# B", "next " * 380])
    lines = [chunk.start_line for chunk in chunker.chunk(text)]
    assert lines == [chunk.start_line for chunk in chunker.chunk(text.replace("\n", "\r\n"))]
