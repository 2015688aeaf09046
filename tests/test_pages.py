from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdchunk_core.blocks import parse
from mdchunk_core.pages import PageMark, Pages, furniture, page_mark, pages
from mdchunk_core.source import read

PAGE = "word " * 120


def of(text: str) -> Pages:
    document = read(text)
    blocks = parse(document)
    return pages(document, blocks, furniture(document, blocks))


def repeated(text: str) -> list[str]:
    document = read(text)
    blocks = parse(document)
    return [document.lines[blocks[index].start] for index in sorted(furniture(document, blocks))]


@pytest.mark.parametrize(
    "line",
    [
        "<!-- page 3 -->",
        "<!-- Page: 3 -->",
        "<!--page 3-->",
        "<!-- Page 3 of 9 -->",
        "<!-- PAGE=3 -->",
        "<!-- page_number: 3 -->",
        "{3}------------------------------------------------",
        "[page 3]",
        "[Page: 3]",
        "[PAGE_3]",
        "--- Page 3 ---",
        "=== Seite 3 ===",
        '<page number="3">',
        "<page_3>",
        "<!-- begin page 3 -->",
    ],
)
def test_marks_that_begin_a_page(line: str) -> None:
    assert page_mark(line) == PageMark("page", 3, True)


@pytest.mark.parametrize(
    ("line", "mark"),
    [
        ("<!-- PageBreak -->", PageMark("page_break", None, False)),
        ("<!-- page break -->", PageMark("page_break", None, False)),
        ("\\newpage", PageMark("page_break", None, False)),
        ('<div style="page-break-after: always"></div>', PageMark("page_break", None, False)),
        ('<!-- PageNumber="3" -->', PageMark("page_number", 3, False)),
        ('<!-- PageNumber="Page 3 of 9" -->', PageMark("page_number", 3, False)),
        ("--- end of page=3 ---", PageMark("page_number", 3, False)),
        ("<page_number>3</page_number>", PageMark("page_number", 3, False)),
        ("[page_break]", PageMark("page_break", None, False)),
        ('<!-- PageHeader="Policy" -->', PageMark("page_header", None, True)),
        ('<!-- PageFooter="Policy" -->', PageMark("page_footer", None, False)),
        ("<!-- Slide number: 4 -->", PageMark("slide", 4, True)),
        ("<!-- Sheet: Prices -->", PageMark("sheet", None, True)),
    ],
)
def test_other_marks(line: str, mark: PageMark) -> None:
    assert page_mark(line) == mark


@pytest.mark.parametrize(
    "line", ["<!-- pages -->", "Page 3", "{3}", "[3]", "---", "<!-- see page 3 for more -->", "", "<p>"]
)
def test_what_is_no_mark(line: str) -> None:
    assert page_mark(line) is None


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("<!-- page 1 -->\n\na\n\n<!-- page 2 -->\n\nb", {(2, 2): (1, 1), (6, 6): (2, 2), (2, 6): (1, 2)}),
        ("a\n\n<!-- page 2 -->\n\nb", {(0, 0): (1, 1), (4, 4): (2, 2)}),
        ("{0}-----\n\na\n\n{1}-----\n\nb", {(2, 2): (1, 1), (6, 6): (2, 2)}),
        ("{3}-----\n\na\n\n{4}-----\n\nb", {(2, 2): (3, 3), (6, 6): (4, 4)}),
        ("a\n\f\nb\n\fc\n\nd", {(0, 0): (1, 1), (2, 2): (2, 2), (3, 3): (3, 3), (5, 5): (3, 3)}),
        ("a\f\nb", {(0, 0): (1, 1), (1, 1): (2, 2)}),
        (
            'a\n\n<!-- PageNumber="7" -->\n\n<!-- PageBreak -->\n\nb\n\n<!-- PageNumber="8" -->',
            {(0, 0): (7, 7), (6, 6): (8, 8)},
        ),
        ('<!-- PageNumber="7" -->\n\na\n\n<!-- PageNumber="8" -->\n\nb', {(0, 0): (7, 7), (2, 2): (8, 8)}),
        (
            "a\n\n--- end of page=0 ---\n\nb\n\n--- end of page=1 ---\n\nc",
            {(0, 2): (1, 1), (4, 4): (2, 2), (8, 8): (3, 3)},
        ),
        ("## Page 1\n\na\n\n## Page 2\n\nb", {(0, 2): (1, 1), (4, 6): (2, 2)}),
        ("a\n\nPage 4 of 9\n\nb\n\nPage 5 of 9\n\nc\n\nPage 6 of 9", {(0, 2): (4, 4), (4, 6): (5, 5), (8, 10): (6, 6)}),
    ],
)
def test_pages_of_lines(text: str, spans: dict[tuple[int, int], tuple[int, int]]) -> None:
    found = of(text)
    assert {lines: found.span(*lines) for lines in spans} == spans


@pytest.mark.parametrize(
    "text", ["", "a\n\nb", "```\n<!-- page 3 -->\n```", "## Page 3\n\na", "Page 12 of 30", "```\na\fb\n```"]
)
def test_documents_without_pages(text: str) -> None:
    assert of(text).span(0, 0) is None


def test_footers_at_a_steady_distance() -> None:
    text = "\n\n".join(f"{PAGE}\n\nTravel policy | 2026 | {number}" for number in range(3, 8))
    assert repeated(text) == [f"Travel policy | 2026 | {number}" for number in range(3, 8)]
    assert of(text).span(0, 4) == (3, 4)


def test_headers_at_page_marks() -> None:
    text = "\n\n".join(
        f"<!-- page {number} -->\n\nACME Travel Policy\n\n{PAGE[: 50 * number]}" for number in range(1, 5)
    )
    assert repeated(text) == ["ACME Travel Policy"] * 4
    assert repeated(text.replace("Policy", "Policy:")) == []


def test_headers_at_form_feeds() -> None:
    text = "\n\n".join(f"\fACME Travel Policy\n\n{PAGE[: 50 * number]}" for number in range(1, 5))
    assert len(repeated(text)) == 4


@pytest.mark.parametrize(
    "text",
    [
        "\n\n".join(f"Step {number}\n\n{PAGE}" for number in range(1, 6)),
        "\n\n".join(f"**Part {number}**\n\n{PAGE}" for number in range(1, 6)),
        "\n\n".join(f"Output\n\n{PAGE}" for _ in range(5)),
        "\n\n".join(f"Rate of 2026: {number * 17}\n\n{PAGE}" for number in range(1, 6)),
        "\n\n".join(f"Travel policy, page {number}" for number in range(1, 6)),
        "\n\n".join(f"{PAGE * (number * number)}\n\nTravel policy {number}" for number in range(1, 6)),
        "\n\n".join(f"{PAGE}\n\nTravel policy {number}" for number in range(1, 3)),
    ],
    ids=["steps", "bold", "no digits", "not counting", "too near", "unsteady", "only twice"],
)
def test_what_is_no_furniture(text: str) -> None:
    assert repeated(text) == []


@given(st.text(alphabet="# \n\f123{}-<!page>|", max_size=300))
def test_any_text_has_pages_or_not(text: str) -> None:
    document = read(text)
    blocks = parse(document)
    found = furniture(document, blocks)
    assert all(0 <= index < len(blocks) for index in found)
    where = pages(document, blocks, found)
    assert len(where.starts) == len(where.numbers)
    assert list(where.starts) == sorted(set(where.starts))
    span = where.span(0, len(document.lines) - 1)
    assert span is None or span[0] <= span[1]
