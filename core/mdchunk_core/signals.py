"""The table of signals: short lines that say which neighbour they belong to.

Patterns are searched in one line, without regard to case. What position adds is decided in `merging`: a note at the
start of a section goes forward, a caption to the table beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ._note_signals import DIGITS, FOOTERS, KEY, LETTERS, NOTES, note
from ._signal import LONGEST, Row, Signal, Where

__all__ = ["SIGNALS", "Signal"]


def _title(name: str, language: str, begins: str, pattern: str, *, beside: Where = "") -> Row:
    return begins, Signal(name, "forward", language, pattern, beside=beside)


def _caption(name: str, language: str, begins: str, pattern: str, *, beside: Where = "figure") -> Row:
    return begins, Signal(name, "forward", language, pattern, beside=beside, either_side=True)


BESIDE: tuple[Row, ...] = (
    ("\\ ( † ‡ ¹ ² ³ ⁴ ⁵ ⁶ < [", Signal("footnote", "backward", "*", r"^(?:\\\*|\(\\?\*+\)|[†‡]|[¹²³⁴-⁹]+ ?[:.)]? ?|"
     r"<sup>.{1,3}</sup>|\\?\[\d{1,2}\\?\] ?[-–:])(?=.{3})", True)),
    ("* 0 1 2 3 4 5 6 7 8 9", Signal("footnote", "backward", "*", r"^(?:\*(?!\*)|\*\*(?!.*\*\*)|\*{3,} ?|\d{1,2}\) )"
     r"(?=[^\s*].{3})", True, "table")),
    ("[ 0 1 2 3 4 5 6 7 8 9", Signal("footnote", "backward", "*",
     r"^\[?\d{1,2}\s+(?:e\.g\.[^/]{1,40}|see )?https?://\S+(?: ?/)?$")),
    note("remark", "*", "note remark hinweis anmerk nota 注 備考 备注 說明 说明 참고 비고",
         r"(?:notes?|remarks?|hinweise?|anmerkung(?:en)?|remarque|nota|注記?|備考|备注|說明|说明|참고|비고)" + KEY
         + r"\S",
         qualifies=False, beside="figure"),
    note("source", "*", "source quelle bildq data image photo credit foto fuente 出典 出所 来源 來源 资料 資料 출처 "
         "자료",
         r"(?:sources?|quellen?(?:angabe)?|bildquelle|data source|image credit|photo credit|credits?|photo|foto|"
         r"fuentes?|出典|出所|来源|來源|资料来源|資料來源|출처|자료)" + KEY + r"\S", qualifies=False, beside="figure"),
    note("source", "en", "retriev adapted reprod", r"(?:retrieved|adapted|reproduced) from\b", qualifies=False,
         beside="figure"),
)  # fmt: skip
"""Lines that belong to the table or figure above them."""

_NUMERAL = r"(?:[a-z]?[-.]?\d+(?:[-.–－]\d+)*[a-z]?)"
_UNENDED = r"[^\n]{0,90}(?<![.。!?！？…;；,，、:：])$"
_UPPER = r"(?-i:[A-ZÀ-ÖØ-Þ])"

LEAD_INS: tuple[Signal, ...] = (
    Signal("lead_in", "forward", "*", r"^(?!.*\s:[\w+-]+:$)(?!:[\w+-]*:+$).*[:：][*_`\"”」)）]*$"),
    Signal("lead_in", "forward", "*", r"^.*(?:\.\.\.|…)$", beside="list"),
)
"""Last lines of a paragraph, however long it is."""

TITLES: tuple[Row, ...] = (
    _title("bold_title", "*", "* _", r"^(\*\*|__)(?![^*_]*\]\()(?:[^*_]|\b_\b){1,119}(?:(?<![.。!！])\1[:：]?|"
           r"[:：]\1)$"),
    _title("bold_title", "*", LETTERS + " " + DIGITS, r"^(?:\w{1,4}[.)]|\d+(?:\.\d+)*) +(\*\*|"
           r"__)[^*_]{1,100}\1[:：]?$"),
    _title("numbered_title", "*", DIGITS, r"^(?:\d{1,2}(?:\.\d{1,3}){1,4}\.?|\d{1,2}) +(?:" + _UPPER
           + r"\w*[^\W\d_]{3}|[^\W\d_]*[^\x00-\u024f])" + _UNENDED),
    _title("numbered_title", "*", LETTERS, r"^(?-i:[IVXLC]{1,6}\.|[A-H]\.) " + _UPPER + r"(?!.*,)" + _UNENDED),
    _title("numbered_title", "*", "§", r"^§§? ?\d{1,4} ?[a-z]?(?: [^.,;]{1,80})?(?<![.;,])$"),
    _title("numbered_title", "zh", "第", r"^第 ?[\d一二三四五六七八九十百〇零]{1,5} ?[条條章节節款編编部項项回]"
           r"(?:[\s　(（:：・][^。；;]{0,60})?$"),
    _title("numbered_title", "ko", "제", r"^제 ?\d{1,4} ?[조장절관](?:[\s(（].{0,60})?(?<!다\.)$"),
    _title("numbered_title", "*", "artikel article art section kapitel chapter anhang append annex teil part abschn "
           "artículo "
           "capít chapit anexo anlage", r"^(?:artikel|article|art\.|section|kapitel|chapter|anhang|appendix|annexe?|"
           r"teil|part|"
           r"abschnitt|artículo|capítulo|chapitre|anexo|anlage) (?-i:\d{1,3}|[IVXLC]{1,6}|[A-Z])"
           r"(?:$|[.:]? ?[-–—:] ?\S| " + _UPPER + ")" + _UNENDED),
    _title("slide", "*", "slide folie diapo スライド 幻灯片 投影片",
           r"^(?:slide|folie|diapositive|diapositiva|スライド|幻灯片|投影片) ?\d{1,4}(?: ?[:：–—-] ?.{1,90})?$"),
    _title("sheet", "*", "sheet worksheet tabellenblatt feuille hoja シート 工作表",
           r"^(?:sheet|worksheet|tabellenblatt|feuille|hoja|シート|工作表)(?: ?\d{1,3}| ?[:：] ?[^.]{1,60})$"),
    _title("tab", "*", "=", r"^===[!+]? ?[\"'].{1,80}[\"']$"),
)  # fmt: skip
"""Lines that belong to what follows."""

_AFTER_NUMERAL = r"(?: ?[:.)|–—-](?: |$)|(?<=[.:]) |(?<=[.:]\*\*) | {2,}|$| ?\(| (?-i:[A-ZÀ-ÖØ-Þ“\"'„`]))"

CAPTIONS: tuple[Row, ...] = (
    _caption("caption", "*", "table figure fig listing example exhibit chart tabelle tab abb beispiel tableau tabla "
             "illus cuadro",
             r"^[*_]*(?:table|figure|fig\.?|listing|example|exhibit|chart|tabelle|tab\.|abbildung|abb\.|beispiel|"
             r"tableau|tabla|"
             r"figura|illustration|cuadro)\s?" + _NUMERAL + r"[.:]?[*_]*" + _AFTER_NUMERAL),
    _caption("caption", "zh", "表 図 图 圖 例 リスト 표 그림 جدول شكل तालिका चित्र",
             r"^[*_]*(?:表|図|图|圖|例|表格|图表|圖表|リスト|표|그림|جدول|شكل|तालिका|"
             r"चित्र)\s?[\d一二三四五六七八九十]+(?:[-.－]\d+)*"
             r"[*_]*(?:[\s　:：.．、。]|$)"),
    _caption("caption", "*", ": table tabelle", r"^(?:table|tabelle)? ?: ?[^\s:].*[^:]$", beside="table"),
)  # fmt: skip
"""Lines that belong to the table, figure or listing beside them."""

LABEL = Signal("label", "forward", "*", r"^(?![<{:!/\[|$#=-]).{0,59}[^.。!?！？…:：;,、}>/|\s]$", beside="code")
"""A few words that end in no punctuation, before a table or code."""

_ROWS: tuple[Row, ...] = (*FOOTERS, *NOTES, *BESIDE, *TITLES, *CAPTIONS)

SIGNALS: tuple[Signal, ...] = (*LEAD_INS, *(signal for _, signal in _ROWS), LABEL)
"""All built-in signals, in the order in which they are asked."""

# A line is asked only for the rows that it could begin, and one that begins as any sentence might, only where it
# holds a word that such notes have.

_MARK_CHARACTERS = " \t*_~`>\"'()[]{\\„“”«»‚‘’【（「"
_OTHER_MARKS = re.compile(r"[\W_]*")
_KEY_LENGTH = 3
_DETERMINERS = frozenset((
    "all", "the", "these", "this", "our", "which", "alle", "die", "der", "das", "diese", "dieser", "dieses",
    "dies", "unsere", "les", "ces", "nos", "le", "la", "cette", "ce", "los", "estos", "las", "estas", "este",
    "esta", "el", "se", "in", "it",
))  # fmt: skip
_CLAIMS = (
    "valid", "force", "effect", "bind", "guarant", "appl", "supersed", "replac", "obsolet", "expire", "gültig", "gilt",
    "gelt", "kraft", "ersetz", "abgel", "válid", "vigent", "vigueur", "aplica", "remplac", "sustitu", "reempl",
    "rights", "rechte", "droits", "derechos",
)  # fmt: skip


class _Table:
    """Some of the rows, by how a line begins."""

    def __init__(self, wanted: Callable[[Signal], bool]) -> None:
        # By their first characters, and with them the rows that have only the first of these.
        table: dict[str, list[_Entry]] = {}
        for order, (begins, signal) in enumerate(_ROWS):
            if wanted(signal):
                words = tuple(word.replace("_", " ") if len(word) > 1 else word for word in begins.split())
                for key in sorted({word[:_KEY_LENGTH] for word in words}):
                    table.setdefault(key, []).append((order, tuple(w for w in words if w[:_KEY_LENGTH] == key), signal))
        self._get = {
            key: tuple(row for length in range(1, len(key) + 1) for row in table.get(key[:length], ())) for key in table
        }.get

    def matching(self, line: str) -> list[Signal]:
        if len(line) > LONGEST:
            return []
        get = self._get
        core = line
        marks: tuple[_Entry, ...] = ()
        if not line[:1].isalnum():
            core = line.lstrip(_MARK_CHARACTERS)
            if len(core) != len(line):
                marks = get(line[0], ())
            if core and not core[0].isalnum():
                marks += get(core[0], ())
                core = _OTHER_MARKS.sub("", core, count=1)
        low = core[:16].lower()
        rows: Sequence[_Entry] = get(low[:3]) or get(low[:2]) or get(low[:1], ())
        if rows:
            rows = [row for row in rows if low.startswith(row[1])]
            if rows and low.partition(" ")[0] in _DETERMINERS and not _claims(line.lower()):
                rows = ()
        if not rows and not marks:
            return []
        found = {order: signal for order, _, signal in (*marks, *rows) if signal.matches(line)}
        return [found[order] for order in sorted(found)] if len(found) > 1 else list(found.values())


def _claims(line: str) -> bool:
    return any([word in line for word in _CLAIMS])  # noqa: C419 (twice as fast as a generator)


_Entry = tuple[int, tuple[str, ...], Signal]
"""Place in the table, beginnings with the same first characters, and the signal."""

_ALL = _Table(lambda signal: True)
_QUALIFYING = _Table(lambda signal: signal.qualifies)
_PAGE_NUMBERS = _Table(lambda signal: signal.name == "page_number")


def matching(line: str) -> list[Signal]:
    """The built-in signals that the line, without white space around it, is; lead-ins and labels aside.

    >>> [signal.name for signal in matching("**Stand: 01.04.2026**")]
    ['stand', 'bold_title']
    """
    return _ALL.matching(line)


def may_qualify(line: str) -> bool:
    """Whether one of the signals that the line is qualifies: asks fewer of them than `matching`.

    >>> may_qualify("Stand: 01.04.2026"), may_qualify("Page 12")
    (True, False)
    """
    return bool(_QUALIFYING.matching(line))


def numbers_page(line: str) -> bool:
    """Whether one of the signals that the line is is a page number.

    >>> numbers_page("Seite 12 von 30")
    True
    """
    return bool(_PAGE_NUMBERS.matching(line))
