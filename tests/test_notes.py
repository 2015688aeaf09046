from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_merging import TABLE, TEXT, documents, joined

from mdchunk_core import Signal
from mdchunk_core.blocks import parse
from mdchunk_core.merging import bonds
from mdchunk_core.notes import Note, notes
from mdchunk_core.sections import outline
from mdchunk_core.source import read


def found(text: str, *signals: Signal) -> list[Note]:
    document = read(text)
    blocks = parse(document)
    return notes(document, blocks, outline(document, blocks), bonds(document, blocks, signals), signals)


def texts(*blocks: str) -> list[str]:
    return [note.text for note in found(joined(*blocks))]


def test_a_note_of_the_last_section_is_its_own() -> None:
    (note,) = found(joined("# Policy", "## Hotels", TEXT, "## Rates", TABLE, "Prices valid until 31 December 2026."))
    assert (note.text, note.line, note.section, note.stop) == ("Prices valid until 31 December 2026.", 13, 3, 4)


def test_a_note_under_the_title_qualifies_all_below() -> None:
    (note,) = found(joined("# Policy", "Valid from 1 May 2026.", "## Hotels", TEXT, "### Stars", TEXT, "# Other", TEXT))
    assert (note.section, note.stop) == (1, 4)


def test_a_note_in_the_text_above_the_first_subsection() -> None:
    (note,) = found(joined("# Policy", TEXT, "*Gültig nur für Altverträge.*", "## Hotels", TEXT))
    assert (note.text, note.section, note.stop) == ("Gültig nur für Altverträge.", 1, 3)


def test_a_note_above_all_headings_qualifies_the_document() -> None:
    (note,) = found(joined("Stand: 01.04.2026", "# Policy", TEXT, "# Rates", TEXT))
    assert (note.section, note.stop) == (0, 3)


def test_a_footer_behind_a_rule_qualifies_the_document() -> None:
    (note,) = found(joined("# Policy", TEXT, "## Rates", TABLE, "---", "*Version 1.0 - Stand: Januar 2026*"))
    assert (note.text, note.section, note.stop) == ("Version 1.0 - Stand: Januar 2026", 0, 3)


def test_the_two_lines_of_the_travel_policy() -> None:
    note = "Gültig nur für Kundenprojekte mit Vertragsstatus signed.\nStand: 01.04.2026"
    assert texts("# Reisen", TEXT, note) == [
        "Gültig nur für Kundenprojekte mit Vertragsstatus signed. Stand: 01.04.2026"
    ]


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        (["# A", "**Last updated:** 3 May 2026", "## B"], ["**Last updated:** 3 May 2026"]),
        (["# A", "> Gültig nur für Altverträge."], ["Gültig nur für Altverträge."]),
        (["# A", "> [!NOTE]\n> Valid until 30 June 2026."], ["Valid until 30 June 2026."]),
        (["# A", "> Some words before it.\n> Valid until 30 June 2026."], ["Valid until 30 June 2026."]),
        (["# A", "!!! note\n\n    Valid only for EMEA."], ["Valid only for EMEA."]),
        (["# A", "The rates of the year.\nValid until 30 June 2026."], ["Valid until 30 June 2026."]),
        (["# A", TABLE + "\nPrices valid until 31 December 2026"], ["Prices valid until 31 December 2026"]),
        (["# A", TABLE, "\\* incl. VAT"], ["\\* incl. VAT"]),
        (["# A", TABLE, "* incl. VAT"], ["* incl. VAT"]),
        (["# A", TEXT, "Version: 1.0  \nStand: 01.04.2026  \nAutor: X"], ["Version: 1.0 Stand: 01.04.2026 Autor: X"]),
        # Neither footers nor captions nor sentences.
        (["# A", TEXT, "Page 3 of 9", "Confidential - Version 3.1 - Seite 12", "© 2026 ACME"], []),
        (["# A", "Table 3: Rates of 2026", TABLE, "Source: Eurostat, 2025"], []),
        (["# A", "The price is not\nvalid until 30 June 2026."], []),
        (["# A", "Version 3 adds support for tables."], []),
        (["# A", "```\nValid until 30 June 2026.\n```"], []),
    ],
)
def test_notes_are(blocks: list[str], expected: list[str]) -> None:
    assert texts(*blocks) == expected


def test_callers_notes() -> None:
    region = Signal("region", "backward", "en", "^Region: ", qualifies=True)
    assert [note.text for note in found(joined("# A", TEXT, "Region: EMEA"), region)] == ["Region: EMEA"]
    assert [note.text for note in found(joined("# A", "Region: EMEA", "## B", TEXT), region)] == ["Region: EMEA"]
    assert texts("# A", TEXT, "Region: EMEA") == []


@given(documents)
def test_notes_lie_in_the_document(text: str) -> None:
    document = read(text)
    blocks = parse(document)
    sections = outline(document, blocks)
    result = notes(document, blocks, sections, bonds(document, blocks))
    assert [note.line for note in result] == sorted({note.line for note in result})
    for note in result:
        block = blocks[note.block]
        assert block.start < note.line <= block.stop
        assert 0 <= note.section < note.stop <= len(sections)
        assert sections[note.section].first <= note.block
        assert all(section.depth > sections[note.section].depth for section in sections[note.section + 1 : note.stop])
        assert note.text
        assert "\n" not in note.text


@given(st.text(alphabet="# \n>*|-:Valid until 2026.!", max_size=200))
def test_notes_of_any_text(text: str) -> None:
    for note in found(text):
        assert note.text.strip()
