"""Stage 5: the cheapest cuts. A shortest path over the pieces, in which no group exceeds the limit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from .cutters.part import Joint
from .merging import HEADING_ABOVE, Bond
from .options import MergeAcross, Sizes
from .pieces import NEAR, Pieces
from .sections import Section

# The table of costs. All are compared with one another, none has a unit.

CUT_BEFORE_HEADING = (0, 0, 1, 2, 3, 4, 5)
"""By heading level."""
CUT = {
    Joint.BLOCK: 20,
    Joint.ITEM: 40,
    Joint.BLANK: 50,
    Joint.LINE: 60,
    Joint.SENTENCE: 70,
    Joint.CELL: 90,
    Joint.WORD: 140,
    Joint.GRAPHEME: 240,
}
CUT_DEEPER = 5
"""More for each container that the cut goes down into."""
CUT_MARK = 300
"""Page marks, furniture and tags from the text of their page or element."""
CUT_LEAD_IN = 1_000
CUT_NOTE = 2_000
"""A qualifying note from what it qualifies."""
CUT_SPARED = 3_000
"""A list item, quote, HTML block or admonition that would have fitted."""
CUT_HEADINGS = 50_000
"""Between headings without text between them, and behind what shows nothing below a heading."""
CUT_HEADING = 100_000
SWALLOW_HEADING = (48, 48, 40, 34, 28, 24, 20)
"""By level of a heading that stands inside a chunk of more than one section."""
SMALL = (140, 120)
"""Up to `min_tokens`, since sums count the white space behind: at once, and more in proportion to what is missing."""
LARGE = (10, 40)
"""Above `target_tokens`: at once, and more in proportion to how near the limit."""
WHOLE = 1.3
"""Of `target_tokens`: a chunk that is one section and nothing else may be so large for nothing."""
UNEVEN = 6
"""For what is missing to the target, squared: of equal cuts, the even ones."""

CROWDED_OUT = 60
"""For overlap or headings above that a chunk has no room for."""
CHAIN = "heading -> heading"
FORBIDDEN = float("inf")

WINDOW = 64
"""Runs that one chunk could hold before tiny ones are joined beforehand, so that packing stays linear."""


Count = Callable[[int, int], int]
"""Gives the tokens of a chunk made of pieces `first` to `stop`, half-open."""


class Group(NamedTuple):
    """Pieces `first` to `stop`, half-open, that make one chunk."""

    first: int
    stop: int
    tokens: int
    """Exact, of the pieces with the prefix of the first and the suffix of the last."""


def pack(
    pieces: Pieces,
    sections: Sequence[Section],
    sizes: Sizes,
    merge_across: MergeAcross,
    extras: Sequence[int],
    count: Count,
    widest: Count,
) -> list[Group]:
    """The groups of least cost, each within the limit.

    `extras` are the tokens that a chunk which starts at a piece would like to have besides (overlap, headings above);
    they give way where they do not fit. `count` is asked once for each group, and where a sum is too near the limit to
    decide. `widest` is asked of a section that is to stay whole, so that it does with every line ending or with none.
    """
    sums = list(accumulate(pieces.tokens, initial=0))
    opened = openings(pieces, sections)
    runs = _thinned(bound(pieces, sizes.limit, count), sums, pieces, sections, opened, sizes.limit, merge_across)
    groups: list[Group] = []
    for first, stop in _cheapest(runs, sums, pieces, sections, opened, sizes, merge_across, extras, count, widest):
        groups += _within(first, stop, pieces, opened, sizes.limit, count)
    return groups


def cut_cost(pieces: Pieces, number: int, section: Section | None) -> float:
    """What it costs to begin a chunk with this piece; `section` is the one whose heading the piece is."""
    bond, joint = pieces.bond[number], pieces.joint[number]
    cost = 0 if bond is None else _bond_cost(bond)
    if joint is not Joint.BLOCK:
        return cost + CUT[joint] + CUT_DEEPER * pieces.depth[number] + (CUT_SPARED if pieces.spared[number] else 0)
    return cost + (CUT_BEFORE_HEADING[section.level] if section else CUT[Joint.BLOCK])


def _bond_cost(bond: Bond) -> float:
    """What it costs more to cut before a piece that is bound so to the one before it."""
    if bond.heading:
        return CUT_HEADINGS if bond.rule == CHAIN or bond.signal == HEADING_ABOVE else CUT_HEADING
    return CUT_NOTE if bond.qualifies else CUT_MARK if bond.mark else CUT_LEAD_IN


def size_cost(tokens: int, sizes: Sizes) -> float:
    """What it costs to have a chunk of this many tokens."""
    missing = max(0, sizes.target - tokens) / sizes.target
    cost = UNEVEN * missing * missing
    if tokens <= sizes.least:
        cost += SMALL[0] + SMALL[1] * (sizes.least - tokens) / max(1, sizes.least)
    elif tokens > sizes.target:
        cost += LARGE[0] + LARGE[1] * (tokens - sizes.target) / max(1, sizes.limit - sizes.target)
    return cost


def largest_section(sizes: Sizes) -> float:
    """Tokens up to which a section is not cut for the target's sake."""
    return min(sizes.limit, WHOLE * sizes.target)


@lru_cache(maxsize=64)
def _size_costs(sizes: Sizes) -> list[float]:
    return [size_cost(tokens, sizes) for tokens in range(sizes.limit + 1)]


def openings(pieces: Pieces, sections: Sequence[Section]) -> dict[int, Section]:
    """The sections whose headings stand in pieces, by the number of the piece that begins with the heading."""
    owners = pieces.block
    return {bisect_left(owners, section.first): section for section in sections if section.level}


def begun(pieces: Pieces, opened: Mapping[int, Section], first: int, stop: int) -> Section | None:
    """The section that a chunk of these pieces begins with: behind what marks its page or element, its heading."""
    section = opened.get(first)
    while section is None and first + 1 < stop:
        first += 1
        bond = pieces.bond[first]
        if bond is None or not bond.behind_mark:
            break
        section = opened.get(first)
    return section


def bound(pieces: Pieces, limit: int, count: Count) -> list[int]:
    """Where runs start, and the number of pieces: a run is pieces whose bonds hold and that fit one chunk together."""
    starts: list[int] = []
    first, last = 0, len(pieces)
    bonds, tokens = pieces.bond, pieces.tokens
    while first < last:
        stop = first + 1
        held = tokens[first]
        while stop < last and bonds[stop] is not None:
            held += tokens[stop]
            stop += 1
        if stop - first < 2 or _fits(pieces, first, stop, held, limit, count):
            starts.append(first)
        else:
            starts += _parted(pieces, first, stop, limit, count)
        first = stop
    starts.append(last)
    return starts


def _parted(pieces: Pieces, first: int, stop: int, limit: int, count: Count) -> list[int]:
    """Where runs start in a chain of bonds that is too long for one: the bonds parted cost the least in all."""
    best = [0.0]  # what the bonds parted up to a piece cost, that before it included
    back: list[int] = []
    for end in range(first + 1, stop + 1):
        least, chosen = FORBIDDEN, end - 1
        tokens = 0
        for start in range(end - 1, first - 1, -1):
            tokens += pieces.tokens[start]
            if start < end - 1 and tokens > limit + NEAR:
                break
            if best[start - first] < least and (start == end - 1 or _fits(pieces, start, end, tokens, limit, count)):
                least, chosen = best[start - first], start
        best.append(least + (hold(pieces, end) if end < stop else 0))
        back.append(chosen)
    starts: list[int] = []
    while stop > first:
        stop = back[stop - first - 1]
        starts.append(stop)
    return starts[::-1]


def hold(pieces: Pieces, joint: int) -> float:
    """What it costs to part a bond. Of two lead-ins before a table the nearest stays, of two notes behind it the first.

    So a bond is worth a little less where it holds on to what is only bound onwards itself.
    """
    bond = pieces.bond[joint]
    if bond is None:
        return 0
    beyond = joint + 1 if bond.direction == "forward" else joint - 1
    further = pieces.bond[beyond] if beyond < len(pieces) else None
    return _bond_cost(bond) - (further is not None and further.direction == bond.direction)


def _fits(pieces: Pieces, first: int, stop: int, tokens: int, limit: int, count: Count) -> bool:
    total = tokens + pieces.prefix_tokens[first] + pieces.suffix_tokens[stop - 1]
    return total <= limit - NEAR or (total <= limit + NEAR and count(first, stop) <= limit)


def _thinned(
    starts: list[int],
    sums: Sequence[int],
    pieces: Pieces,
    sections: Sequence[Section],
    opened: Mapping[int, Section],
    limit: int,
    merge_across: MergeAcross,
) -> list[int]:
    """Where a window would hold more than WINDOW runs, tiny neighbours of one depth are joined beforehand."""
    dense = [sums[later] - sums[start] < limit for start, later in zip(starts, starts[WINDOW:])]
    if not any(dense):
        return starts
    grain = 2 * limit // WINDOW
    dense += dense[-1:] * (len(starts) - 1 - len(dense))
    kept = starts[:1]
    owners = [
        begun(pieces, opened, first, stop) or sections[pieces.section[first]] for first, stop in zip(starts, starts[1:])
    ]
    before = owners[0]
    for number, (start, here) in enumerate(zip(starts[1:-1], owners[1:]), 1):
        alike = before is here or (before.depth == here.depth and merge_across != "never")
        if not (dense[number] and alike and sums[starts[number + 1]] - sums[kept[-1]] <= grain):
            kept.append(start)
            before = here
    return [*kept, starts[-1]]


def _cheapest(
    starts: Sequence[int],
    sums: Sequence[int],
    pieces: Pieces,
    sections: Sequence[Section],
    opened: Mapping[int, Section],
    sizes: Sizes,
    merge_across: MergeAcross,
    extras: Sequence[int],
    count: Count,
    widest: Count,
) -> list[tuple[int, int]]:
    """Shortest path over the runs; the twin in the tests tries every set of cuts. `sums` are the tokens before each."""
    limit = sizes.limit
    by_size = _size_costs(sizes)
    largest = largest_section(sizes)
    wished = extras if any(extras) else None
    best = [0.0]  # cost up to each run
    back: list[int] = []  # the run that the chunk which ends with each begins with
    swallowed = 0  # what it costs to have all headings up to here inside of chunks
    # Of each run that a chunk may still begin with its number, the cost of all before it and the cut, less what is
    # swallowed up to it, the tokens before it, and its depth.
    states: list[tuple[int, float, int, int]] = []
    section = (0, 0.0, 0, 0)  # that of the run which the section here begins with
    heads = [
        begun(pieces, opened, start, stop) if stop - start > 1 else opened.get(start)
        for start, stop in zip(starts, starts[1:])
    ]
    for last, (start, stop, opening) in enumerate(zip(starts, starts[1:], heads)):
        depth = 0 if merge_across == "any" else (opening or sections[pieces.section[start]]).depth
        cut = cut_cost(pieces, start, opening) if last else 0
        if opening is not None:
            swallowed += SWALLOW_HEADING[opening.level]
            # No chunk reaches over a heading from what lies deeper.
            states = [] if merge_across == "never" else [state for state in states if state[3] <= depth]
        states.append((last, best[last] + cut - swallowed, sums[start] - pieces.prefix_tokens[start], depth))
        if opening is not None or not last:
            section = states[-1]
        high = sums[stop]
        behind = 0
        while high - states[behind][2] > limit + NEAR and behind < len(states) - 1:
            behind += 1
        if behind:
            del states[:behind]
        high += pieces.suffix_tokens[stop - 1]
        least, chosen = FORBIDDEN, last
        for first, reached, low, _ in reversed(states):
            if reached >= least:  # no size costs less than nothing
                continue
            needed = high - low
            tokens = needed if needed <= limit else limit
            cost = reached + by_size[tokens]
            if wished is not None and (more := wished[starts[first]]):
                roomy = tokens + more <= limit
                cost = reached + (by_size[tokens + more] if roomy else by_size[tokens] + CROWDED_OUT)
            if cost < least and (
                needed <= limit or first == last or (needed <= limit + NEAR and count(starts[first], stop) <= limit)
            ):
                least, chosen = cost, first
        first, reached, low, _ = section
        tokens = high - low
        if sizes.target < tokens <= largest and (last + 1 == len(heads) or heads[last + 1] is not None):
            if wished is not None and tokens + wished[starts[first]] > limit:
                reached += CROWDED_OUT
            if reached < least and widest(starts[first], stop) <= limit:
                least, chosen = reached, first
        best.append(least + swallowed)
        back.append(chosen)
    path: list[tuple[int, int]] = []
    end = len(back)
    while end:
        path.append((starts[back[end - 1]], starts[end]))
        end = back[end - 1]
    return path[::-1]


def _within(
    first: int,
    stop: int,
    pieces: Pieces,
    opened: Mapping[int, Section],
    limit: int,
    count: Count,
) -> list[Group]:
    """The group, or, where sums of tokens deceived, its halves at the cheapest joint until each keeps the limit."""
    done: list[Group] = []
    todo = [(first, stop)]
    while todo:
        first, stop = todo.pop()
        tokens = count(first, stop)
        if tokens <= limit or stop - first == 1:
            done.append(Group(first, stop, tokens))
            continue
        middle = (first + stop) / 2
        at = min(
            range(first + 1, stop),
            key=lambda k: (cut_cost(pieces, k, opened.get(k)), abs(k - middle)),
        )
        todo += [(at, stop), (first, at)]
    return done
