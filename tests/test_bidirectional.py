"""Merging from end to end: signals glue, notes reach every chunk of their section, and the reasons are recorded."""

from __future__ import annotations

import pytest
from conftest import corpus, load
from hypothesis import given, settings
from hypothesis import strategies as st
from merging_twin import bidirectional_merge

from mdchunk_core import Chunk, MarkdownChunker, Signal
from mdchunk_core.blocks import parse
from mdchunk_core.cutters.part import Joint
from mdchunk_core.merging import bonds
from mdchunk_core.packing import hold
from mdchunk_core.pieces import Piece, Pieces
from mdchunk_core.source import read
from mdchunk_core.tokens import resolve

TITLE = "4.2 Internationale Projekte: Reisekosten-Ausnahmen"
RULE = """Wenn der Auftraggeber die Hotelkosten direkt übernimmt, darf keine
Hotelpauschale abgerechnet werden. Zulässig bleibt die Tagespauschale
nach Zielland, sofern der Aufenthalt durch das Projektbudget freigegeben ist."""
NOTE = "Gültig nur für Kundenprojekte mit Vertragsstatus signed.\nStand: 01.04.2026"
PRICES = "# Prices\n\n| item | price |\n|---|---|\n" + "".join(f"| part {k} | {3 * k} EUR |\n" for k in range(300))
UNTIL = "Prices valid until 31 December 2026."


def passes(chunk: Chunk) -> list[tuple[str, str]]:
    return [(decision.pass_, decision.rule) for decision in chunk.decisions]


@pytest.mark.parametrize("title", [TITLE, f"## {TITLE}"])
def test_title_rule_and_validity_are_one_chunk(title: str) -> None:
    (chunk,) = MarkdownChunker().chunk(f"{title}\n\n{RULE}\n\n{NOTE}\n")
    assert chunk.text.startswith(title)
    assert chunk.text.endswith("Stand: 01.04.2026")
    assert [name for name, _ in passes(chunk)] == ["forward", "backward", "note"]
    assert chunk.notes == (NOTE.replace("\n", " "),)
    forward, backward, _ = chunk.decisions
    assert (forward.line, backward.line) == (1, 7)
    assert forward.tokens_before < 40 < forward.tokens_after < backward.tokens_after
    short = str(chunk.to_metadata()["decisions"])
    assert "forward_merge: " in short
    assert "backward_merge: validity -> paragraph" in short


def test_every_chunk_of_a_long_policy_carries_its_note() -> None:
    rules = "\n\n".join(f"Regel {k}. " + RULE.replace("\n", " ") * 5 for k in range(5))
    text = f"# Reisen\n\n## {TITLE}\n\n{rules}\n\n{NOTE}\n\n## Inland\n\n" + "Bahnfahrten sind frei. " * 30
    chunks = MarkdownChunker().chunk(text)
    policy = [chunk for chunk in chunks if chunk.heading_path[-1] == TITLE]
    assert len(policy) >= 5
    assert all("Vertragsstatus signed" in chunk.notes[0] for chunk in policy)
    assert all(chunk.decisions[-1].line == text[: text.index("Gültig")].count("\n") + 1 for chunk in policy)
    assert chunks[-1].notes == ()


def test_chunks_of_one_section_share_their_notes() -> None:
    """Made again for each chunk, a long section with a note on every page would take the square of its length."""
    text = "# Rates\n\n" + "".join(f"{RULE}\n\nStand: {k:02}.04.2026\n\n" for k in range(1, 31))
    first, *others = MarkdownChunker(max_tokens=200).chunk(text)
    assert len(first.notes) == 30
    assert len(others) > 5
    for chunk in others:
        assert chunk.notes is first.notes
        assert all(ours is its for ours, its in zip(first.decisions[-30:], chunk.decisions[-30:]))


@pytest.mark.parametrize("limit", [128, 512])
def test_every_part_of_a_price_table_carries_its_validity(limit: int) -> None:
    text = f"{PRICES}\n{UNTIL}\n"
    for chunk in MarkdownChunker(max_tokens=limit).chunk(text):
        assert chunk.notes == (UNTIL,)
        assert "| item | price |\n|---|---|" in chunk.text
    written = MarkdownChunker(max_tokens=limit, note_context="suffix").chunk(text)
    assert len(written) > 5
    for chunk in written:
        assert chunk.text.endswith(UNTIL)
        assert chunk.token_count <= limit
        assert chunk.prefix + text[chunk.start_char : chunk.end_char] + chunk.suffix == chunk.text


def test_a_note_at_the_start_of_a_section_goes_forward() -> None:
    (chunk,) = MarkdownChunker().chunk(f"# Rates\n\n{UNTIL}\n\nHotels cost 90 EUR a night.\n")
    assert ("forward", "validity -> paragraph") in passes(chunk)


def test_what_does_not_fit_is_refused_and_said() -> None:
    table = "| a | b |\n|---|---|\n" + "".join(f"| {k} | word word |\n" for k in range(21))
    chunks = MarkdownChunker(target_tokens=100, max_tokens=160, overlap_tokens=0).chunk(
        f"# Heading of a table that is long\n\n{table}"
    )
    assert [chunk.kinds for chunk in chunks] == [("heading",), ("table",)]
    (refused,) = (decision for decision in chunks[1].decisions if decision.refused)
    assert refused.refused.startswith("would exceed ")
    assert refused.refused.endswith(" of 160")


def test_callers_signals_come_first() -> None:
    text = f"{RULE}\n\n" * 4 + "@@ end of rule\n\n" + f"{RULE}\n\n" * 4
    mark = Signal("mark", "backward", "*", r"^@@ ")
    plain = MarkdownChunker(max_tokens=200, signals=(mark,)).chunk(text)
    assert any(("backward", "mark -> paragraph") in passes(chunk) for chunk in plain)


def test_page_furniture_is_kept_listed_and_no_title() -> None:
    pages = "\n\n".join(f"{RULE}\n\n{RULE}\n\nACME Travel Policy - Page {k} of 9" for k in range(1, 10))
    chunks = MarkdownChunker(max_tokens=200, overlap_tokens=0).chunk(pages)
    listed = [line for chunk in chunks for line in chunk.metadata.get("page_furniture", [])]
    assert listed == [f"ACME Travel Policy - Page {k} of 9" for k in range(1, 10)]
    assert all(not chunk.text.startswith("ACME") for chunk in chunks)
    assert chunks[0].pages == (1, chunks[0].pages[1] if chunks[0].pages else 0)


COUNT = resolve("cl100k_base").count


def segments(text: str) -> tuple[list[str], list[int]]:
    """The blocks and their tokens, the blank line behind each included: segments are joined by it."""
    source = read(text)
    texts = ["\n".join(source.lines[block.start : block.stop]) for block in parse(source)]
    return texts, [COUNT(part + "\n\n") for part in texts]


def never_more_orphans(text: str, least: int, target: int, chunker: MarkdownChunker) -> None:
    """Where the greedy passes leave fewer, they part something that signals bind and ours keeps together."""
    source = read(text)
    blocks = parse(source)
    texts, sizes = segments(text)
    greedy = bidirectional_merge(texts, sizes, target, least)
    small = sum(COUNT("\n\n".join(texts[segment.first : segment.stop])) < least for segment in greedy)
    ours = chunker.chunk(text)
    if sum(chunk.token_count < least for chunk in ours) > small:
        begun = {chunk.start_char for chunk in ours}
        bound = bonds(source, blocks)
        parted = {segment.first for segment in greedy[1:] if segment.first in bound}
        assert any(source.line_starts[blocks[index].start] not in begun for index in parted), text


def test_the_greedy_passes_never_leave_fewer_orphans_on_real_documents() -> None:
    for path in corpus():
        never_more_orphans(load(path), 100, 400, MarkdownChunker(overlap_tokens=0))


PARAGRAPHS = st.lists(
    st.one_of(
        st.integers(1, 60).map(lambda n: "word " * n + "end."),
        st.sampled_from([UNTIL, "Seite 12", "**Bold title**", "What follows:", TITLE]),
    ),
    min_size=1,
    max_size=14,
)


@given(paragraphs=PARAGRAPHS)
@settings(max_examples=150)
def test_nor_on_random_ones(paragraphs: list[str]) -> None:
    chunker = MarkdownChunker(target_tokens=60, max_tokens=80, min_tokens=15, overlap_tokens=0)
    never_more_orphans("# Title\n\n" + "\n\n".join(paragraphs), 15, 60, chunker)


@given(paragraphs=PARAGRAPHS)
@settings(max_examples=150)
def test_the_greedy_passes_never_part_cheaper_bonds(paragraphs: list[str]) -> None:
    text = "# Title\n\n" + "\n\n".join(paragraphs)
    source = read(text)
    blocks = parse(source)
    found = bonds(source, blocks)
    rows = [Piece(0, 0, index, 0, 0, Joint.BLOCK, found.get(index)) for index in range(len(blocks))]
    pieces = Pieces(*zip(*rows))
    chunks = MarkdownChunker(target_tokens=60, max_tokens=80, min_tokens=15, overlap_tokens=0).chunk(text)
    begun = {chunk.start_char for chunk in chunks}
    ours = [index for index in found if source.line_starts[blocks[index].start] in begun]
    greedy = {segment.first for segment in bidirectional_merge(*segments(text), 60, 15)} & found.keys()
    assert sum(hold(pieces, index) for index in ours) <= sum(hold(pieces, index) for index in greedy)


SENTENCE = "The machine is cleaned by hand with a dry cloth. "
SMALL = MarkdownChunker(target_tokens=60, max_tokens=80, min_tokens=10, overlap_tokens=0)


def indented(margin: str, text: str) -> str:
    return "\n".join((margin + line).rstrip() for line in text.split("\n"))


@pytest.mark.parametrize(
    ("opening", "margin"),
    [("!!! note\n", "    "), ("> [!NOTE]\n", "> "), ("> Quoted.\n>\n", "> "), ("- Item.\n\n", "  "), (":::tip\n", "")],
)
def test_a_heading_inside_a_container_is_not_left_behind(opening: str, margin: str) -> None:
    inner = "\n\n".join(f"### Step {k}\n\n{SENTENCE * (2 + k % 4)}" for k in range(9))
    chunks = SMALL.chunk(opening + indented(margin, inner))
    assert len(chunks) > 4
    for chunk in chunks:
        assert "# Step" not in chunk.text.rstrip("\n >").rsplit("\n", 1)[-1]


def test_a_lead_in_inside_an_item_stays_with_its_code() -> None:
    steps = "\n\n".join(f"{SENTENCE}\n\nRun command {k}:\n\n```sh\nmake clean{k}\n```" for k in range(9))
    chunks = SMALL.chunk("1. First\n\n" + indented("   ", steps))
    assert len(chunks) > 4
    for chunk in chunks:
        for k in range(9):
            assert (f"command {k}:" in chunk.text) == (f"make clean{k}\n" in chunk.text)
    assert ("forward", "lead_in -> fenced_code") in {pair for chunk in chunks for pair in passes(chunk)}


def test_a_heading_at_the_end_of_an_item_goes_to_the_next_item() -> None:
    items = "".join(f"- {SENTENCE}\n\n  {SENTENCE * 6}\n\n  ## Part {k}\n\n" for k in range(5))
    chunks = SMALL.chunk(items + f"- {SENTENCE}")
    assert len(chunks) > 5
    for chunk in chunks:
        assert "## Part" not in chunk.text.rstrip().rsplit("\n", 1)[-1]


def test_a_comment_at_the_end_of_an_open_fence_is_no_heading() -> None:
    text = f"- {SENTENCE}\n\n  ```py\n  a = 1\n  # the end\n\n" + f"- {SENTENCE * 6}\n" * 3
    (chunk,) = (chunk for chunk in SMALL.chunk(text) if "# the end" in chunk.text)
    assert "a = 1\n  # the end" in chunk.text


def test_a_fence_on_the_line_of_its_bullet_is_whole_though_the_heading_stands_alone() -> None:
    code = "- ```\n" + "  x = 1\n" * 11 + "  ```"
    found = [
        chunk.text for chunk in SMALL.chunk(f"# The licence of a library and all of its parts\n\n{code}\n\n{SENTENCE}")
    ]
    assert code in found


def test_rows_above_a_tables_header_stay_with_it_and_are_repeated() -> None:
    upper = "| Category | Q1 | Q2 |"
    header = "| | Jan-Mar | Apr-Jun |\n|----------|---------|---------|"
    rows = "".join(f"| Item {k} | {k}00 | {k}10 |\n" for k in range(14))
    chunks = MarkdownChunker(target_tokens=100, max_tokens=120, overlap_tokens=0).chunk(
        f"# Report\n\n{SENTENCE}\n\n{upper}\n{header}\n{rows}"
    )
    assert len(chunks) > 2
    assert all(f"{upper}\n{header}\n| Item" in chunk.text for chunk in chunks)
    assert ("forward", "upper_header -> table") in passes(chunks[0])


def test_a_heading_at_the_end_of_a_list_stays_with_what_follows() -> None:
    steps = f"1. {SENTENCE * 3}\n\n   ### Next"
    chunks = SMALL.chunk(f"# Steps\n\n{SENTENCE * 3}\n\n{steps}\n\n{SENTENCE * 3}\n\n{SENTENCE * 3}\n")
    (chunk,) = (chunk for chunk in chunks if "### Next" in chunk.text)
    assert not chunk.text.endswith("### Next")
    assert ("forward", "heading -> paragraph") in passes(chunk)


def test_a_heading_inside_an_item_takes_the_first_rows_of_a_long_table_along() -> None:
    rows = "\n".join(f"| bolt {k} | a rather long name of a bolt |" for k in range(30))
    table = indented("  ", f"## Parts\n\n| part | name |\n|---|---|\n{rows}")
    (chunk,) = (chunk for chunk in SMALL.chunk(f"- {SENTENCE * 4}\n\n{table}") if "## Parts" in chunk.text)
    assert "| bolt 0 |" in chunk.text
