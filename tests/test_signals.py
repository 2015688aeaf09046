from __future__ import annotations

import csv
import pickle
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdchunk_core import ConfigError, Signal
from mdchunk_core.blocks import parse
from mdchunk_core.merging import bonds
from mdchunk_core.signals import _ROWS, SIGNALS, matching
from mdchunk_core.source import read

LINES = Path(__file__).parent / "data" / "signal_lines.tsv"

# A block of each kind to stand before or behind a labelled line, as its neighbours did in the document it is from.
STAND_INS = {
    "start": "",
    "end": "",
    "heading": "## Section",
    "paragraph": "This is a paragraph of running text that says something and ends with a full stop, as paragraphs do.",
    "table": "| a | b |\n|---|---|\n| 1 | 2 |",
    "list": "- one\n- two",
    "fenced_code": "```\ncode\n```",
    "indented_code": "    code",
    "html": "<!-- image -->",
    "block_quote": "> A quotation of several words.",
    "thematic_break": "---",
    "link_reference": "[ref]: https://example.org",
}


def labelled() -> list[dict[str, str]]:
    with LINES.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def unescape(text: str) -> str:
    return text.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\0", "\\")


def direction(row: dict[str, str]) -> str:
    """What is decided for the line between its neighbours: `forward`, `backward` or `none`."""
    before = [STAND_INS[row["before"]]] if row["before"] != "start" else []
    if row["before"] == "thematic_break":
        before.insert(0, STAND_INS["paragraph"])
    text = unescape(row["text"])
    top = "\n\n".join(before)
    lead = f"{top}\n\n" if top else ""
    document = read(f"{lead}{text}\n\n{STAND_INS[row['after']]}")
    blocks = parse(document)
    line = lead.count("\n")
    at = next(index for index, block in enumerate(blocks) if block.start <= line < block.stop)
    found = bonds(document, blocks)
    if at in found and found[at].direction == "backward":
        return "backward"
    if at + 1 in found and found[at + 1].direction == "forward" and blocks[at].kind != "heading":
        return "forward"
    return "none"


def test_precision_and_recall_on_labelled_lines_of_real_documents(capsys: pytest.CaptureFixture[str]) -> None:
    rows = labelled()
    assert len(rows) >= 200
    assert len({row["language"] for row in rows}) >= 4
    assert sum(row["direction"] == "none" for row in rows) >= len(rows) / 2
    decided = [(row, direction(row)) for row in rows]
    right = sum(row["direction"] == found != "none" for row, found in decided)
    named = sum(found != "none" for _, found in decided)
    wanted = sum(row["direction"] != "none" for row, _ in decided)
    with capsys.disabled():
        print(f"\nsignals on {len(rows)} labelled lines: precision {right / named:.3f}, recall {right / wanted:.3f}")  # noqa: T201
        for language, number in sorted(Counter(row["language"] for row in rows).items()):
            wrong = sum(row["direction"] != found for row, found in decided if row["language"] == language)
            print(f"  {language}: {number} lines, {wrong} wrong")  # noqa: T201
        for row, found in decided:
            if row["direction"] != found:
                print(f"  {row['direction']} taken for {found}: {row['before']} | {row['text'][:70]} | {row['after']}")  # noqa: T201
    assert right / named >= 0.95
    assert right / wanted >= 0.90


BACKWARD = {
    "page_number": [
        "Seite 12",
        "Page 12 of 30",
        "12 / 30",
        "– 12 –",
        "**Page 3**",
        "第 3 页",
        "第3页，共10页",
        "12ページ",
        "Página 4 de 9",
        "Page 12 | Travel Policy",
        "Seite 2 von 30 / Reisekosten / Version: 1.22 / 3. Mai 2026",
        "3 of 30",
        "페이지 3",
    ],
    "confidential": [
        "Confidential",
        "Strictly confidential",
        "Vertraulich",
        "Confidential - Version 3.1 - Seite 12",
        "社外秘",
        "For internal use only",
        "Streng vertraulich – nur für den Dienstgebrauch",
        "Confidentiel",
        "机密",
    ],
    "copyright": [
        "© 2026 ACME GmbH",
        "Copyright 2020-2026 The Authors",
        "(c) 2026 ACME",
        "All rights reserved.",
        "版权所有 2026 某公司",
    ],
    "stand": [
        "Stand: 01.04.2026",
        "Stand 01.04.2026",
        "**Stand:** Januar 2026",
        "(Stand: 1. Januar 2026)",
        "Stand vom 3.4.2026",
        "Stand: 03.04.2026 · Ansprechpartner: Einkauf, Raum 12.4",
        "Stand: 03.04.2026, 18:30, Bern",
    ],
    "as_of": ["As of 1 January 2026", "Prices as of June 2026", "As of: 2026-01-01"],
    "version": [
        "Version 3.1",
        "Version: 2.0",
        "Version 2.0 vom 01.04.2026",
        "v1.2.3",
        "Rev. 4",
        "第3版",
        "版本：2.1",
        "文档版本：2.1",
        "Version 1.1 • Entwurf • siehe [Umfang](umfang.md)",
        "バージョン 1.2",
        "버전: 1.2",
        "**Version :** 1.0.0",
        "Document version: 4.2",
        "Fassung 2026",
        "Versión 3.0",
    ],
    "updated": [
        "Last updated: July 18, 2022",
        "Last updated May 2, 2026 | Copy this page | [Print it](https://example.org/print/travel/policy)",
        "Zuletzt aktualisiert am 3. Mai 2026",
        "最終更新日：2023年10月27日",
        "最后更新：2026-08-13",
        "最後更新於 2026年3月1日",
        "Dernière mise à jour : 7 février 2026",
        "Última actualización: 2 de julio, 2025",
        "최종 수정일: 2024년 5월 1일",
        "Last reviewed on 2026-02-01",
        "آخر تحديث: 2024",
        "Letzte Änderung: 12.3.2026",
        "令和8年3月31日現在",
        "Updated: 3 May 2026",
        "*Release Date*: 2021/01/21",
        "更新日期：2026年1月1日",
        "改訂日 2026年1月1日",
        "_**ページの最終更新日:** 2026-05-03_",
        "Created: 2026-05-03",
        "Erstellt am: 3. Mai 2026",
        "**Créé le** : 3 mai 2026",
        "Creado el: 3 de mayo de 2026",
    ],
    "validity": [
        "Gültig ab 01.01.2026",
        "Gültig nur für Kundenprojekte mit Vertragsstatus signed.",
        "Gültig bis: 30.06.2026",
        "Valid until 30 June 2026.",
        "Valid only for framework contracts.",
        "Prices valid until 31 December 2026",
        "All prices are valid through June 2026.",
        "Die Preise sind gültig bis 31.12.2026.",
        "有効期限：2026年12月31日",
        "Valable jusqu'au 31 décembre 2026",
        "Válido hasta el 31 de diciembre de 2026",
        "有效期至：2026年12月31日",
        "Offer expires 30 June 2026",
        "本规定自2026年1月1日起施行",
        "Vigencia: 2026",
        "In force from 1 May 2026",
        "유효 기간: 2026년 12월 31일",
        "Gültigkeit: alle Standorte",
        "施行日：2026年4月1日",
        "生效日期：2026年1月1日",
        "Tarifs en vigueur à partir du 1er mars 2026",
    ],
    "effective": [
        "Effective date: November 16, 2020",
        "Effective 1 January 2026",
        "Effective from 2026-01-01",
        "This policy is effective as of 1 March 2026.",
        "Diese Richtlinie tritt am 1. Januar 2026 in Kraft.",
        "In Kraft seit 01.05.2026",
    ],
    "scope": [
        "Applies only to full-time employees.",
        "This policy applies to all employees in EMEA.",
        "Gilt nur für Neuverträge.",
        "Diese Richtlinie gilt nur für interne Projekte.",
        "Nur für freigegebene Kundenprojekte ab Vertragsstatus signed.",
        "Nicht für Altverträge.",
        "Applies to: Windows 11, WSL 2",
        "Applies to every contract that was signed in Bern.",
        "仅适用于企业客户。",
        "適用範囲：全社員",
        "Only for region EMEA",
        "S'applique uniquement aux contrats signés.",
        "Se aplica solo a contratos nuevos.",
        "Diese Preise gelten ab 1. Mai 2026.",
        "この価格は法人契約のみに適用されます。",
        "Geltungsbereich: alle Standorte in Deutschland",
        "This exception does not apply to contractors.",
    ],
    "supersedes": [
        "Supersedes version 2.3 of this policy.",
        "Ersetzt Version 2.3",
        "This document replaces the edition of 2021.",
        "Diese Richtlinie ersetzt die Fassung vom 1.1.2020.",
        "Remplace la version 2.3",
        "Sustituye a la versión anterior",
        "本规定取代2020版规定",
    ],
    "footnote": [
        "\\* incl. VAT",
        "*incl. VAT",
        "(*) only in Germany",
        "¹ without tax",
        "† preliminary",
        "<sup>1</sup> estimated",
        "[1]: estimate",
    ],
    "source": [
        "Source: Eurostat, 2025",
        "Quelle: eigene Erhebung",
        "出典：総務省",
        "来源：国家统计局",
        "Fuente: INE",
        "*Source: annual report*",
    ],
}

FORWARD = {
    "numbered_title": [
        "4.2 Internationale Projekte: Reisekosten-Ausnahmen",
        "IV. Scope of the agreement",
        "A. Definitions",
        "§ 3 Kündigung",
        "第2条（適用範囲）",
        "第三章 总则",
        "2.1 Reiterate to Solve Context Loss",
        "3 Experimentation",
        "Artikel 5 – Haftung",
        "Chapter 2: Basics",
        "제3조 (적용 범위)",
        "Anhang B",
    ],
    "bold_title": [
        "**Response format**",
        "__Fixes__",
        "**Q: いくらですか？**",
        "**Note 3 – Cash:**",
        "c. **Use of Collected Data.**",
    ],
    "caption": [
        "Table 3: Prices",
        "Tabelle 3",
        "Abb. 2 Aufbau",
        "図1　構成",
        "表 2：料金",
        "Figure 4.",
        "**Table 2.** Rates",
        "Fig 1 Number of districts",
        "Tableau 2 : Tarifs",
        "Tabla 4. Precios",
        "图 3 架构",
        "Table B-3: Syntax",
        ": A caption under Pandoc",
    ],
    "slide": ["Slide 3: Roadmap", "Folie 4", "スライド 3"],
    "sheet": ["Sheet1", "Sheet: Prices", "Tabellenblatt: Preise"],
    "tab": ['=== "Python"'],
}

NEITHER = [
    "Version 3 adds support for tables and fixes two bugs.",
    "Page 12 of the manual explains how to do this.",
    "Seite 12 des Handbuchs beschreibt den Ablauf.",
    "Stand up straight and read the notes aloud.",
    "Der Stand der Technik verlangt mehr.",
    "Valid output formats are listed below",
    "Valid input is a string of 12 characters.",
    "This also applies to the second parameter that works similarly.",
    "Effective communication needs 3 things.",
    "Confidential information means any information that is marked so.",
    "(c) Each participating developer acknowledges that use is governed by the terms.",
    "Copyright law protects authors.",
    "Table 3 shows the prices of 2026.",
    "Tabelle 3 zeigt die Preise.",
    "図1に示すように、構成は単純である。",
    "表2显示了价格。",
    "Figure 4 is a graph of the results.",
    "As of June 2026, we support three formats and plan a fourth.",
    "Since version 2.0 was released, all is better.",
    "Seite 2 von 30 zeigt die Preise. Seite 3 / 4 nicht!",
    "applies to the second parameter as well",
    "Created on demand when 3 workers are busy.",
    "Stand: wir haben am 3.4.2026 mit allem angefangen, was noch offen war, und sind nicht fertig geworden.",
    "Last updated documents are shown first in the list.",
    "Updated Behavior",
    "Nur in diesem Fall wird der Preis 2026 erhöht.",
    "Only in this case is the price of 2026 raised.",
    "Replaces the handler of the given protocol.",
    "Wenn der Token ungültig ist, geben Sie sofort einen Fehler zurück.",
    "更新数据可以使用 PUT 操作。",
    "有効にすると、静的ヘッダーを保存します。",
    "バージョン 0.121.0 で、依存関係がサポートされました。",
    "第2条の規定により、甲は乙に通知する。",
    "80040 San Gennaro Vesuviano (NA)",
    "J. Smith and others",
    "A. Miller, B. Jones",
    "20 Stück pro Karton.",
    "1403/09/19",
    "**[back to top](#top)**",
    "**This is a whole sentence that is bold.**",
    "Sheet metal is bent here.",
    "(512) 516-8177",
    "Applicable law is German law.",
    "In force majeure cases the price of 2026 holds.",
]


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, lines in BACKWARD.items() for line in lines])
def test_notes_and_footers(name: str, line: str) -> None:
    assert name in [signal.name for signal in matching(line) if signal.direction == "backward"]


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, lines in FORWARD.items() for line in lines])
def test_titles_and_captions(name: str, line: str) -> None:
    assert name in [signal.name for signal in matching(line) if signal.direction == "forward"]


@pytest.mark.parametrize("line", NEITHER)
def test_a_sentence_is_no_signal(line: str) -> None:
    assert matching(line) == []


def test_beginnings_leave_nothing_out() -> None:
    every = [line for group in (*BACKWARD.values(), *FORWARD.values(), NEITHER) for line in group]
    every += [unescape(row["text"]).split("\n")[0].strip() for row in labelled()]
    for line in every:
        asked_for_all = [signal for _, signal in _ROWS if signal.matches(line)]
        assert matching(line) == asked_for_all, line


def test_limits_are_told_from_footers() -> None:
    assert not any(signal.qualifies for line in BACKWARD["page_number"] for signal in matching(line))
    assert all(matching(line)[0].qualifies for line in BACKWARD["validity"])


def test_languages() -> None:
    notes = {signal.language for signal in SIGNALS if signal.qualifies}
    assert {"de", "en", "ja", "zh", "fr", "es"} <= notes


@given(st.text(max_size=250))
def test_any_line_can_be_asked(line: str) -> None:
    matching(line.strip())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"pattern": "("}, "pattern of 'x'"),
        ({"direction": "sideways"}, "'forward' or 'backward'"),
        ({"beside": "moon"}, "'table'"),
        ({"pattern": 7}, "pattern of 'x'"),
    ],
)
def test_a_wrong_signal_is_refused(options: dict[str, object], said: str) -> None:
    values = {"name": "x", "direction": "forward", "language": "en", "pattern": "x", **options}
    with pytest.raises(ConfigError, match=said):
        Signal(**values)  # type: ignore[arg-type]


def test_a_signal_is_a_value() -> None:
    signal = Signal("region", "backward", "en", r"^Region: \w+$", qualifies=True)
    assert pickle.loads(pickle.dumps(signal)) == signal
    assert len({signal, Signal("region", "backward", "en", r"^Region: \w+$", True)}) == 1
    assert signal.matches("region: EMEA")
    assert not signal.matches("Region: " + "x" * 200)
