from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdchunk_core import ConfigError, Decision, MarkdownChunker
from mdchunk_core.report import NUMBERS, Report, report
from mdchunk_core.report.orphans import CLASSES
from mdchunk_core.report.tally import bins

SEED_FIELDS = {
    "document_type",
    "target_tokens",
    "min_tokens",
    "overlap_tokens",
    "total_chunks",
    "orphaned_rate",
    "in_range_rate",
    "avg_tokens",
    "claim_boundary",
}


def words(text: str) -> int:
    return len(text.split())


def measured(*texts: str | dict[str, Any], **options: Any) -> Report:
    chunks = [{"text": text} if isinstance(text, str) else text for text in texts]
    return report(chunks, **{"tokenizer": words, "max_tokens": 20, "min_tokens": 4, **options})


def test_the_fields_of_a_quality_report() -> None:
    found = measured("one", "a b c d", "a b c d e f", " ".join("x" * 21)).to_dict()
    assert found.keys() >= SEED_FIELDS
    assert (found["total_chunks"], found["orphaned_rate"], found["in_range_rate"]) == (4, 0.25, 0.5)
    assert (found["avg_tokens"], found["over_limit"], found["median_tokens"]) == (8.0, 1, 4)
    assert (found["target_tokens"], found["max_tokens"], found["min_tokens"]) == (16, 20, 4)
    assert found["claim_boundary"] == "chunk_quality_only"
    assert found["document_type"] == "unknown"
    assert json.loads(json.dumps(found)) == found


def test_nothing_to_report() -> None:
    found = measured()
    assert found.total.total_chunks == 0
    assert found.total.orphaned_rate == found.total.avg_tokens == 0
    assert "0 chunks" in str(found)


def test_groups_have_the_same_fields_as_the_total() -> None:
    chunks: list[dict[str, Any]] = [
        {"text": "one", "source": "a/x.pdf"},
        {"text": "a b c d", "source": "a/x.pdf"},
        {"text": "a b c d", "source": "b/y.md", "metadata": {"converter": "markitdown"}},
        {"text": "a b c d", "document_type": "faq"},
    ]
    names = {
        "document_type": ["faq", "md", "pdf"],
        "source": ["a/x.pdf", "b/y.md", "unknown"],
        "folder": ["a", "b", "unknown"],
        "extraction_method": ["markitdown", "unknown"],
    }
    for by, expected in names.items():
        found = measured(*chunks, by=by).to_dict()
        assert list(found["groups"]) == expected
        assert sum(group["total_chunks"] for group in found["groups"].values()) == found["total_chunks"] == 4
        for group in found["groups"].values():
            assert group.keys() == found.keys() - {"by", "groups", "checklist"}
    pdf = measured(*chunks, by="document_type").groups["pdf"]
    assert (pdf.document_type, pdf.orphaned_rate) == ("pdf", 0.5)
    assert measured(*chunks).total.document_type == "mixed"


def test_own_token_counts_are_believed_unless_asked() -> None:
    chunks = [{"text": "a b c", "token_count": 7}, {"text": "a b", "metadata": {"tokens": 9}}, {"text": "a"}]
    found = measured(*chunks)
    assert (found.total.total_tokens, found.tokens_counted) == (17, 1)
    again = measured(*chunks, recount=True)
    assert (again.total.total_tokens, again.tokens_counted) == (6, 3)
    assert again.to_dict()["tokenizer"] == again.tokenizer


@pytest.mark.parametrize("name", ["text", "page_content", "content"])
def test_chunks_of_other_splitters(name: str) -> None:
    assert report([{name: "a b c"}], tokenizer=words).total.total_tokens == 3
    assert report(["a b c"], tokenizer=words).total.total_tokens == 3


def test_a_chunk_without_text_is_refused() -> None:
    with pytest.raises(ValueError, match="chunk 2 has no text"):
        report([{"text": "a"}, {"body": "b"}], tokenizer=words)


def test_wrong_options_are_refused() -> None:
    for options in ({"min_tokens": -1}, {"by": "author"}, {"target_tokens": 600, "max_tokens": 512}):
        with pytest.raises(ConfigError):
            report([], **options)


def test_any_minimum_can_be_asked_about() -> None:
    assert measured("a b c", min_tokens=1000).total.orphaned_rate == 1


# What is read from texts alone.


def test_a_fence_cut_over_three_chunks_counts_once() -> None:
    found = measured("Text\n\n```python\na = 1", "b = 2\n# no heading", "c = 3\n```\n\nmore", "end").total
    assert (found.fences_cut, found.fences_open, found.headings_orphaned) == (1, 2, 0)


def test_whole_fences_are_not_cut() -> None:
    found = measured("```\na\n```", "~~~~ py\n```\n~~~~", "> ```\n> a\n> ```", "- x\n\n  ```\n  b\n  ```").total
    assert (found.fences_cut, found.fences_open) == (0, 0)


def test_two_fences_cut() -> None:
    assert measured("```\na", "b\n```\n\ntext\n\n~~~\nc", "d\n~~~").total.fences_cut == 2


def test_a_fence_cut_with_overlap_or_reopened() -> None:
    assert measured("```py\na\nb", "```py\nb\nc\n```").total.fences_cut == 1


def test_a_fence_that_the_document_never_closes_is_its_own() -> None:
    found = measured("text", "```\na").total
    assert (found.fences_cut, found.fences_open) == (0, 0)
    found = measured({"text": "```\na", "source": "x"}, {"text": "b", "source": "y"}).total
    assert (found.fences_cut, found.fences_open) == (0, 0)


TABLE = "| a | b |\n|---|---|\n| 1 | 2 |"


def test_a_table_body_without_header_is_a_cut() -> None:
    found = measured(TABLE, "| 3 | 4 |\n| 5 | 6 |", "| 7 | 8 |\n\ntext").total
    assert (found.tables_cut, found.tables_headless) == (1, 2)


def test_tables_with_header_are_not_headless() -> None:
    found = measured(TABLE, TABLE + "\n\ntext", "> " + TABLE.replace("\n", "\n> "), "a | b | c is no row").total
    assert (found.tables_cut, found.tables_headless) == (0, 0)


def test_rows_inside_a_list_are_seen() -> None:
    assert measured("- item\n\n  | 3 | 4 |\n  | 5 | 6 |").total.tables_headless == 1


@pytest.mark.parametrize("heading", ["# A", "text\n\n## B ##", "A\n==="])
def test_a_heading_at_the_end_is_orphaned_unless_the_document_ends(heading: str) -> None:
    assert measured(heading, "text").total.headings_orphaned == 1
    assert measured("text", heading).total.headings_orphaned == 0
    assert measured({"text": heading, "source": "x"}, {"text": "b", "source": "y"}).total.headings_orphaned == 0


# What is read from our fields.


def test_blocks_cut_are_read_from_the_part_numbers() -> None:
    parts = [
        {"text": TABLE, "kinds": ["paragraph", "table"], "metadata": {"part": "1 of 2"}},
        {"text": TABLE, "kinds": ["table", "list"], "metadata": {"part": "2 of 2, 1 of 3"}},
        {"text": "- b", "kinds": ["list"], "metadata": {"part": "2 of 3"}},
        {"text": "- c\n\n```\nx\n```", "kinds": ["list", "fenced_code"], "metadata": {"part": "1 of 2, 3 of 3"}},
        {"text": "```\ny\n```", "kinds": ["fenced_code"], "metadata": {"part": "2 of 2"}},
    ]
    found = measured(*parts).total
    assert found.blocks_cut == {"table": 1, "list": 1, "fenced_code": 1}
    assert (found.tables_cut, found.fences_cut, found.tables_headless, found.fences_open) == (1, 1, 0, 0)


def test_a_part_of_ours_that_lost_its_header_would_be_seen() -> None:
    torn = {"text": "| 3 | 4 |\n| 5 | 6 |", "kinds": ["table"], "metadata": {"part": "2 of 2"}}
    assert measured(torn).total.tables_headless == 1


def test_headers_too_long_to_be_repeated_are_told_from_lost_ones() -> None:
    header = "| " + "name of the part " * 12 + "| bin |"
    text = f"{header}\n|---|---|\n" + "| bolt | 12 |\n" * 40
    chunks = MarkdownChunker(target_tokens=60, max_tokens=80, min_tokens=15, overlap_tokens=0).chunk(text)
    found = report(chunks)
    assert found.total.tables_headless == found.total.headers_too_long > 2
    assert f"{found.total.headers_too_long} chunks record that a header was too long" in str(found)


def test_merges_by_pass_and_signal() -> None:
    decisions = [
        Decision("forward", "heading -> body", "heading", 1),
        Decision("backward", "stand -> table", "stand", 9),
        Decision("backward", "stand -> table", "stand", 9, refused="would exceed 520 of 512"),
        Decision("cut", "between rows", "header"),
        Decision("note", "note -> section", "Valid for 2026.", 9),
    ]
    plain = {"text": "a", "decisions": [decision.to_dict() for decision in decisions]}
    short = {"text": "a", "metadata": {"decisions": "; ".join(map(str, decisions))}}
    found = measured(plain, {"text": "b", "decisions": decisions}).total
    assert found.merges == {"backward": {"stand": 2}, "forward": {"heading": 2}}
    assert found.refused == {"backward": {"stand": 2}}
    assert found.cuts == {"between rows": 2}
    assert (found.forward_merges, found.backward_merges, found.balance_merges, found.refused_merges) == (2, 2, 0, 2)
    found = measured(short).total
    assert found.merges == {"backward": {"stand -> table": 1}, "forward": {"heading -> body": 1}}
    assert (found.refused_merges, found.cuts) == (1, {"between rows": 1})


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("## Hotels", "heading"),
        ("**Exceptions:**", "heading"),
        ("Seite 12", "footer"),
        ("Page 12 of 30", "footer"),
        ("Stand: 01.04.2026", "note"),
        ("Gültig nur für Kundenprojekte.\nStand: 01.04.2026", "note"),
        ("Valid until 30 June 2026", "note"),
        ("| a |\n|---|\n| 1 |", "table"),
        ("```\nx\n```", "code"),
        ("- a\n- b", "list"),
        ("and so on.", "remnant"),
    ],
)
def test_what_small_chunks_are(text: str, what: str) -> None:
    found = measured("a b c d e", text, "a b c d e", min_tokens=9, max_tokens=40, recount=True).total
    assert found.orphans[what] >= 1
    assert sum(found.orphans.values()) == found.orphaned_chunks
    assert found.orphans.keys() <= CLASSES.keys()


def test_a_whole_document_is_no_remnant() -> None:
    found = measured({"text": "a", "source": "x.md"}, {"text": "b", "source": "y.md"}).total
    assert (found.orphaned_documents, found.orphans) == (2, {"document": 2})


def test_samples_to_audit_by_eye() -> None:
    chunks = [
        {
            "text": f"## Part {n}\n\n" + "word " * n,
            "source": "a.md",
            "heading_path": ["A", f"Part {n}"],
            "start_line": 4 * n + 1,
            "end_line": 4 * n + 3,
        }
        for n in range(12)
    ]
    found = measured(*chunks, samples=3).total
    assert [sample.tokens for sample in found.smallest] == [3, 4, 5]
    assert [sample.tokens for sample in found.longest] == [14, 13, 12]
    assert found.section_changes == 11
    assert len(found.boundary) == 3
    smallest = found.smallest[0].to_dict()
    assert smallest["source"], smallest["lines"] == ("a.md", [1, 3])
    assert smallest["path"] == ["A", "Part 0"]
    assert smallest["words"] == "## Part 0"
    assert found.smallest[0].place == "a.md:1-3"
    assert found.boundary[0].what.startswith("after: ")
    assert measured(*chunks, samples=0).total.smallest == ()


def test_section_changes_of_texts_alone() -> None:
    assert measured("# A\n\ntext", "more text", "# B\n\ntext").total.section_changes == 1


def test_the_checklist_has_seven_answers_with_figures() -> None:
    for found in (measured(), measured("a", "# b"), report(MarkdownChunker().chunk("# A\n\ntext", source="a.md"))):
        assert len(found.checklist) == 7
        for question, answer in found.checklist.items():
            assert question.endswith("?")
            assert any(char.isdigit() for char in answer) or "not recorded" in answer
            assert answer in str(found)


def test_limits() -> None:
    chunks = [{"text": "a", "document_type": "pdf"}, *[{"text": "a b c d", "document_type": "md"}] * 9]
    found = measured(*chunks, by="document_type")
    assert found.exceeded({"orphaned_rate": 0.1}) == ["orphaned_rate 1 is over 0.1 in pdf"]
    assert found.exceeded({"orphaned_rate": 0.05, "over_limit": 0})[0] == "orphaned_rate 0.1 is over 0.05"
    assert found.exceeded(dict.fromkeys(NUMBERS, 1e9)) == []
    with pytest.raises(ConfigError, match="orphaned_rate"):
        found.exceeded({"orphan_rate": 0.1})


def test_text_cannot_steer_the_terminal() -> None:
    found = str(measured({"text": "\x1b[31mred\x07", "source": "a\nb\x1b"}, by="source"))
    assert "\x1b" not in found
    assert "\x07" not in found


@given(st.lists(st.integers(0, 60), max_size=40), st.integers(0, 25), st.integers(8, 50))
def test_figures_agree_with_each_other(sizes: list[int], least: int, limit: int) -> None:
    chunks = [{"text": "x", "token_count": size} for size in sizes]
    found = report(chunks, tokenizer=words, min_tokens=least, max_tokens=limit).total
    small, over = sum(n < least for n in sizes), sum(n > limit for n in sizes)
    assert (found.orphaned_chunks, found.over_limit) == (small, over)
    if sizes:
        assert found.orphaned_rate == small / len(sizes)
        assert found.in_range_rate + found.out_of_range_rate == pytest.approx(1)
        assert found.in_range_rate == sum(least <= n <= limit for n in sizes) / len(sizes)
    assert sum(part.chunks for part in found.histogram) == len(sizes)


@given(st.lists(st.integers(0, 3000), max_size=30), st.integers(0, 600), st.integers(8, 2500))
def test_histograms_have_no_gaps(sizes: list[int], least: int, limit: int) -> None:
    parts = bins(Counter(sizes), least, limit)
    assert parts[0].first == 0
    assert parts[-1].last is None
    assert [part.last for part in parts[:-1]] == [part.first - 1 for part in parts[1:]]
    assert {0, least, limit + 1} <= {part.first for part in parts}
    assert len(parts) <= 20
    for part in parts:
        assert part.chunks == sum(part.first <= n and (part.last is None or n <= part.last) for n in sizes)


ROWS = "".join(f"| article {n} | {n}.50 |\n" for n in range(80))
CODE = "".join(f"x{n} = {n}\n\n" for n in range(80))
DOCUMENT = (
    f"# Prices\n\nIntroduction to prices.\n\n| Article | Price |\n|---|---|\n{ROWS}\n"
    f"## Code\n\n```python\n{CODE}```\n\n## End\n\nLast words.\n"
)


def test_our_chunks_and_their_dictionaries_and_texts_agree() -> None:
    chunker = MarkdownChunker(max_tokens=128, overlap_tokens=0)
    chunks = chunker.chunk(DOCUMENT, source="prices.md")
    options: dict[str, Any] = {"max_tokens": 128, "overlap_tokens": 0}
    ours = report(chunks, **options)
    assert (ours.total.tables_cut, ours.total.fences_cut) == (1, 1)
    assert ours.total.over_limit == ours.total.tables_headless == ours.total.fences_open == 0
    assert ours.total.headings_orphaned == 0
    assert ours.tokens_counted == 0
    again = report([json.loads(json.dumps(chunk.to_dict())) for chunk in chunks], **options)
    assert again.to_dict() == ours.to_dict()
    texts = report([{"text": chunk.text, "source": chunk.source} for chunk in chunks], **options)
    for name in ("total_chunks", "total_tokens", "orphaned_rate", "over_limit", "tables_headless", "fences_open"):
        assert getattr(texts.total, name) == getattr(ours.total, name)


def test_a_splitter_at_fixed_sizes_is_found_out() -> None:
    lines = DOCUMENT.splitlines(keepends=True)
    found = report(["".join(lines[k : k + 12]) for k in range(0, len(lines), 12)]).total
    assert found.tables_cut == 1
    assert found.tables_headless > 3
    assert found.fences_cut == 1
