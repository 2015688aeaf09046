from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from merging_twin import bidirectional_merge, is_footer_or_trailing_note, is_header, orphans

from mdchunk_core import Signal
from mdchunk_core.blocks import Block, parse
from mdchunk_core.merging import HEADING_ABOVE, Bond, bonds, bound_blocks
from mdchunk_core.pages import furniture
from mdchunk_core.roles import shows_nothing
from mdchunk_core.source import Source, read

TABLE = "| City | Rate |\n|---|---|\n| Bern | 210 |"
TEXT = "Hotels are booked through the travel desk, which knows the rates of every city."


def rules(text: str, *signals: Signal) -> list[tuple[int, str, str]]:
    document = read(text)
    found = bonds(document, parse(document), signals)
    return [(index, bond.direction, bond.rule) for index, bond in sorted(found.items()) if not bond.heading]


def joined(*blocks: str) -> str:
    return "\n\n".join(blocks)


def test_the_travel_policy() -> None:
    text = joined(
        "4.2 Internationale Projekte: Reisekosten-Ausnahmen",
        "Wenn der Auftraggeber die Hotelkosten direkt übernimmt, darf keine\nHotelpauschale abgerechnet werden. "
        "Zulässig bleibt die Tagespauschale\nnach Zielland.",
        "Gültig nur für Kundenprojekte mit Vertragsstatus signed.\nStand: 01.04.2026",
    )
    document = read(text)
    assert bonds(document, parse(document)) == {
        1: Bond("forward", "numbered_title -> paragraph", "numbered_title", line=1),
        2: Bond("backward", "validity -> paragraph", "validity", line=7, qualifies=True),
    }


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        # Titles and lead-ins go onto what follows, but not over the border of the section.
        (["**Rates**", TEXT], [(1, "forward", "bold_title -> paragraph")]),
        (["The rates are:", TABLE], [(1, "forward", "lead_in -> table")]),
        (["The rates are:", "## Rates", TEXT], []),
        (["**Rates**", "---", TEXT], []),
        (["And so on ...", "- one\n- two"], [(1, "forward", "lead_in -> list")]),
        (["Done :tada:", TEXT], []),
        (["<h2>Rates</h2>", TEXT], [(1, "forward", "html_heading -> paragraph")]),
        (["src/main.rs", "```\nfn\n```"], [(1, "forward", "label -> fenced_code")]),
        (["- one\n- like this:", "```\nfn\n```"], [(1, "forward", "lead_in -> fenced_code")]),
        (["- one\n- like this:", "## Rates", TEXT], []),
        # A heading straight below a tag is HTML to CommonMark, a heading to MDX and to its reader.
        (['<Anchor id="a" />\n###### Rates', TABLE], [(1, "forward", "heading -> table")]),
        (["<b>\n## Rates", TABLE], [(1, "forward", "heading -> table")]),
        (["<!--\n## Rates -->", TABLE], []),
        # A sentence that code, a formula or the end of a page interrupts; the definition of a term.
        (["```\nfn\n```", "which prints its name twice."], [(1, "backward", "continuation -> fenced_code")]),
        (["```\nfn\n```", "fn"], []),
        (["```\nfn\n```", "valid only for the EMEA region."], [(1, "backward", "validity -> fenced_code")]),
        (["```\nfn\n```", "Which prints its name twice."], []),
        (["$$\nx\n$$", "where x is the rate."], [(1, "backward", "continuation -> math")]),
        (
            ["$$\nx\n$$", ":label:`rate`", "where x is the rate."],
            [(1, "backward", "continuation -> math"), (2, "backward", "continuation -> paragraph")],
        ),
        (
            ["This sentence is longer than a label and goes on", "behind the end of the page."],
            [(1, "backward", "continuation -> paragraph")],
        ),
        (["This sentence is longer than a label and has ended.", "behind the end of the page."], []),
        (["Term", ":   What it means."], [(1, "backward", "continuation -> paragraph")]),
        # Tags by themselves stay with what they open or close.
        (
            ['<div class="a">', TEXT, "</div>", TEXT],
            [(1, "forward", "opening_tag -> paragraph"), (2, "backward", "closing_tag -> paragraph")],
        ),
        (["<details>\n<summary>More</summary>", TEXT], [(1, "forward", "opening_tag -> paragraph")]),
        (['<Tabs>\n  <Tab title="a">', TEXT], [(1, "forward", "opening_tag -> paragraph")]),
        (["<Box>", "## Rates", TEXT], [(1, "forward", "opening_tag -> heading")]),
        (["<br>\n<img>", TEXT], []),
        (["</div>\n<div>", TEXT], []),
        (["<div>\nTotal", TEXT], []),
        (["Slide 3: Roadmap", TEXT], [(1, "forward", "slide -> paragraph")]),
        # Notes go onto what precedes, several in a row all of them.
        ([TEXT, "Stand: 01.04.2026"], [(1, "backward", "stand -> paragraph")]),
        ([TABLE, "Prices valid until 31 December 2026."], [(1, "backward", "validity -> table")]),
        (
            [TEXT, "Valid only for EMEA.", "Version 3.1", "Page 4 of 9", TEXT],
            [
                (1, "backward", "validity -> paragraph"),
                (2, "backward", "version -> paragraph"),
                (3, "backward", "page_number -> paragraph"),
            ],
        ),
        ([TEXT, "> Gültig nur für Altverträge."], [(1, "backward", "validity -> paragraph")]),
        ([TEXT, "**Stand:** 1.4.2026\n**Autor:** Meier\n**Stelle:** Einkauf"], [(1, "backward", "stand -> paragraph")]),
        ([TEXT, "**Stand:** 1.4.2026\nMeier hat es geschrieben."], []),
        # At the start of a section they qualify what follows.
        (["## Rates", "Valid until June 2026.", TABLE], [(2, "forward", "validity -> table")]),
        (
            ["## Rates", "Valid until June 2026.", "Version 2", TABLE],
            [(2, "forward", "validity -> paragraph"), (3, "forward", "version -> table")],
        ),
        (["Stand: 01.04.2026", TEXT], [(1, "forward", "stand -> paragraph")]),
        (["## Rates", "Valid until June 2026.", "## Hotels", TEXT], []),
        (
            [TEXT, "**Exceptions**", "Valid until June 2026.", TEXT],
            [(2, "forward", "bold_title -> paragraph"), (3, "forward", "validity -> paragraph")],
        ),
        # Behind a rule at the end, over the rule.
        (
            [TEXT, "---", "*Version 1.0 - Stand: Januar 2026*"],
            [(1, "backward", "version -> paragraph"), (2, "backward", "version -> paragraph")],
        ),
        # A version that a list follows is its title.
        ([TEXT, "**Version 2.0**", "- faster"], [(2, "forward", "version -> list")]),
        # Captions to what they stand beside.
        (["Table 3: Rates", TABLE, TEXT, TEXT], [(1, "forward", "caption -> table")]),
        ([TEXT, TABLE, "Table 3: Rates"], [(2, "backward", "caption -> table")]),
        ([TEXT, "FIG. 6: treated cells", TEXT], []),
        (["Figure 2. Map", "![map](map.png)"], [(1, "forward", "caption -> figure")]),
        (
            ["```\na\n```", "Listing 1: A", TEXT, "```\nb\n```", "Listing 2: B", "```\nc\n```"],
            [(1, "backward", "caption -> fenced_code"), (4, "backward", "caption -> fenced_code")],
        ),
        (
            [TABLE, "Table 1: A", TABLE, "Table 2: B"],
            [(1, "backward", "caption -> table"), (3, "backward", "caption -> table")],
        ),
        # Under a table.
        ([TABLE, "\\* incl. VAT", TEXT], [(1, "backward", "footnote -> table")]),
        ([TABLE, "* incl. VAT", TEXT], [(1, "backward", "footnote -> table")]),
        ([TABLE, "Source: Eurostat", TEXT], [(1, "backward", "source -> table")]),
        ([TABLE, "Not in December, when the fair is on."], [(1, "backward", "remark -> table")]),
        ([TABLE, "Not in December, when the fair is on.", TEXT], []),
        ([TEXT, "- 12 -", TEXT], [(1, "backward", "page_number -> paragraph")]),
        ([TEXT, "12"], [(1, "backward", "page_number -> paragraph")]),
        ([TEXT, "12", TEXT], []),
        # Marks of converters.
        ([TEXT, "<!-- page 3 -->", TEXT], [(2, "forward", "page -> paragraph")]),
        ([TEXT, "{3}------------------------------------------------", TEXT], [(2, "forward", "page -> paragraph")]),
        ([TEXT, "<!-- PageBreak -->", TEXT], [(1, "backward", "page_break -> paragraph")]),
        ([TEXT, "<!-- Slide number: 3 -->", "# Roadmap", TEXT], [(2, "forward", "slide -> heading")]),
        # Sentences.
        ([TEXT, "Version 3 adds support for tables.", TEXT], []),
        ([TEXT, "Page 12 of the manual explains how.", TEXT], []),
    ],
)
def test_position_decides(blocks: list[str], expected: list[tuple[int, str, str]]) -> None:
    assert rules(joined(*blocks)) == expected


def test_an_html_table_with_blank_lines_is_one() -> None:
    table = joined("<table>", "<tr><td>a</td></tr>", "<tr><td>b</td></tr>\n</table>")
    assert rules(joined(TEXT, table, TEXT)) == [(2, "forward", "table -> html"), (3, "forward", "table -> html")]
    assert rules(joined(TEXT, "<table>", TEXT)) == []
    assert rules(joined("<table>", "# A", "</table>")) == []


def test_headings_go_forward() -> None:
    document = read("# A\n\n## B\n\ntext\n\n## C")
    found = bonds(document, parse(document))
    assert found == {
        1: Bond("forward", "heading -> heading", "heading", True, 1),
        2: Bond("forward", "heading -> body", "heading", True, 3),
    }


def test_callers_are_asked_first() -> None:
    forward = Signal("region", "forward", "en", "^Region: ")
    backward = Signal("region", "backward", "en", "^Region: ", qualifies=True)
    text = joined(TEXT, "Region: EMEA:", TEXT)
    assert rules(text) == [(2, "forward", "lead_in -> paragraph")]
    assert rules(text, forward) == [(2, "forward", "region -> paragraph")]
    assert rules(text, backward) == [(1, "backward", "region -> paragraph")]
    document = read(text)
    assert bonds(document, parse(document), (backward,))[1].qualifies


def test_what_is_repeated_with_the_parts_of_a_table() -> None:
    document = read(joined("The rates:", TABLE, "<!-- page 2 -->", TABLE))
    found = bonds(document, parse(document))
    assert found[1].lead_in
    assert not found[3].lead_in


def test_furniture_is_no_title() -> None:
    page = "word " * 100
    text = joined(*(f"{page}\n\nTravel Policy {number}" for number in range(1, 5)))
    assert rules(text) == [(index, "backward", "page_furniture -> paragraph") for index in (1, 3, 5, 7)]


POOL = [
    "# Policy",
    "## Rates",
    "### Exceptions",
    TEXT,
    TEXT + " " + TEXT,
    TABLE,
    "- one\n- two",
    "```\ncode\n```",
    "---",
    "> A quote.",
    "<!-- image -->",
    "<!-- page 3 -->",
    "<!-- PageBreak -->",
    "Stand: 01.04.2026",
    "Page 3 of 9",
    "Version: 3.1",
    "Valid until June 2026.",
    "**Title**",
    "As follows:",
    "4.2 Exceptions",
    "IV. Scope",
    "Table 3: Rates",
    "Listing 2: Code",
    "\\* incl. VAT",
    "Source: Eurostat",
    "© 2026 ACME",
    "12",
    "<h2>Rates</h2>",
    "Slide 4",
    "![map](map.png)",
    "label",
    "Gültig nur für Kundenprojekte.\nStand: 01.04.2026",
    "* one line",
]

documents = st.lists(st.sampled_from(POOL), max_size=24).map("\n\n".join)


def check(document: Source, blocks: tuple[Block, ...], found: dict[int, Bond]) -> None:
    for index, bond in found.items():
        assert 1 <= index < len(blocks)
        before, after = blocks[index - 1], blocks[index]
        if bond.heading:
            assert bond.direction == "forward"
            assert before.kind == "heading" or shows_nothing(document.lines, before)
        else:
            assert before.kind != "heading"
            assert after.kind != "heading" or bond.mark
        if bond.direction == "backward" and not bond.mark:
            assert after.kind != "heading"
    for index, block in enumerate(blocks[:-1]):
        if block.kind == "heading":
            assert found[index + 1].heading
    for index, bond in bound_blocks(found):
        over_a_rule = blocks[index].kind == "thematic_break" or bond.signal in ("open_table", HEADING_ABOVE)
        assert over_a_rule or blocks[index].start < bond.line <= blocks[index].stop
    sources = [index for index, bond in bound_blocks(found) if blocks[index].kind != "thematic_break"]
    assert len(sources) == len(set(sources)), "a block is bound in one direction"


@given(documents)
def test_bonds_lie_in_the_document(text: str) -> None:
    document = read(text)
    blocks = parse(document)
    found = bonds(document, blocks)
    check(document, blocks, found)
    assert bonds(document, blocks) == found


@given(st.text(alphabet="#*_ \n12|-:.>`ABc\f<!", max_size=200))
def test_bonds_of_any_text(text: str) -> None:
    document = read(text)
    blocks = parse(document)
    check(document, blocks, bonds(document, blocks))


@given(documents)
def test_what_the_greedy_passes_keep_together_is_bound(text: str) -> None:
    document = read(text)
    blocks = parse(document)
    texts = ["\n".join(document.lines[block.start : block.stop]) for block in blocks]
    found = bonds(document, blocks)
    repeated = furniture(document, blocks)  # is no title, whatever it looks like
    for segment in bidirectional_merge(texts, [len(text.split()) for text in texts], 1000, 12):
        for index in range(segment.first + 1, segment.stop):
            if blocks[index].kind != "heading" and blocks[index - 1].kind not in ("heading", "thematic_break"):
                reads_so = is_header(texts[index - 1]) and index - 1 not in repeated
                header = reads_so and blocks[index - 1].kind in ("paragraph", "html")
                title = header and blocks[index].kind != "thematic_break"
                note = is_footer_or_trailing_note(texts[index])
                at_a_beginning = note and index + 1 in found and found[index + 1].direction == "forward"
                assert index in found or not (title or note) or at_a_beginning


SILENT = ["[motivation]: #motivation", "<!-- md:version 9.5.0 -->\n<!-- md:flag -->", '<a name="x"></a>', '<a id="x"/>',
          "<br>", "---", "[TOC]", "{: #id .class}", '<span id="x"></span>', 'import X from "y"',
          "<!--\nadded:\n  - 1.2\n-->"]  # fmt: skip


@pytest.mark.parametrize("silent", SILENT)
def test_a_heading_is_bound_to_its_text_over_what_shows_nothing(silent: str) -> None:
    document = read(joined("# Policy", TEXT, "## Rates", silent, "[x]: #x", "Valid from 1 May 2026.", TEXT))
    blocks = parse(document)
    found = bonds(document, blocks)
    *over, last = [found[index].rule for index in range(3, len(blocks))]
    assert over == ["heading -> body"] * len(over)
    assert last == "validity -> paragraph"


@pytest.mark.parametrize("shown", ["text", "![map](map.png)", "<p>text</p>", "<Tabs />", "<!-- a --> text"])
def test_nor_over_what_shows_something(shown: str) -> None:
    document = read(joined("# Policy", TEXT, "## Rates", shown, TEXT))
    assert 4 not in bonds(document, parse(document))


def test_a_section_without_text_is_bound_to_its_subsection_alone() -> None:
    below, beside = (
        read(joined("# Policy", "## Rates", "[rates]: #rates", f"{marks} More", TEXT)) for marks in ("###", "##")
    )
    assert bonds(below, parse(below))[3].rule == "heading -> heading"
    assert 3 not in bonds(beside, parse(beside))


def test_a_mark_below_a_title_alone_goes_with_the_next_slide() -> None:
    slides = read(joined("# Deck", "<!-- Slide number: 2 -->", "# Rates", TEXT))
    assert bonds(slides, parse(slides))[2].behind_mark


def test_many_comments_that_show_nothing_take_no_time() -> None:
    blocks = parse(document := read("# Policy\n\n" + "<!-- a --> " * 150 + "x"))
    assert not shows_nothing(document.lines, blocks[1])


def test_the_twin_on_the_travel_policy() -> None:
    texts = ["4.2 Reisekosten-Ausnahmen", "word " * 150, "Stand: 01.04.2026", "## Next", "word " * 400, "end"]
    segments = bidirectional_merge(texts, [len(text.split()) for text in texts], 400, 100)
    assert [(segment.first, segment.stop) for segment in segments] == [(0, 3), (3, 6)]
    assert orphans(segments, 100) == 0


def test_work_grows_with_the_document() -> None:
    def calls(times: int) -> int:
        document = read("\n\n".join(POOL * times))
        blocks = parse(document)
        events: list[str] = []
        sys.setprofile(lambda _frame, event, _argument: events.append(event))
        try:
            bonds(document, blocks)
        finally:
            sys.setprofile(None)
        return sum(event in ("call", "c_call") for event in events)

    assert calls(200) < 12 * calls(20)
