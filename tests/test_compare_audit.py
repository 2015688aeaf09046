from __future__ import annotations

import json

import pytest

pytest.importorskip("markdown_it")

from conftest import corpus, load

from mdchunk_core.compare import Piece, Settings, Splitter, make_splitters
from mdchunk_core.compare.audit import Audit, compare
from mdchunk_core.compare.sheets import to_html
from mdchunk_core.compare.structure import first_block, read_structure, unclosed_fences, without_front_matter
from mdchunk_core.tokens import resolve

TOKENIZER = resolve("cl100k_base")
DOCUMENT = """---
title: Fees
---
# Fees

What it costs is in this table.

| Plan of the customer | Fee |
|---|---|
| Basic with support | 4 |
| Large with support | 9 |

```sh
pay --now
pay --later
```

## Later

A last line.
"""


class Panic(BaseException):
    pass


def audit(*chunks: str, text: str = DOCUMENT, limit: int = 512) -> Audit:
    splitter = Splitter("test", "", lambda text, name: list(map(Piece, chunks)))
    return compare([("a.md", text)], [splitter], limit=limit, tokenizer=TOKENIZER).audits[0]


def split(*marks: str) -> list[str]:
    """The body, cut before each of these."""
    body = without_front_matter(DOCUMENT)
    places = [0, *(body.index(mark) for mark in marks), len(body)]
    return [body[start:end] for start, end in zip(places, places[1:])]


def harm(found: Audit) -> dict[str, int]:
    names = ("over_limit", "table_cut", "rows_without_header", "fence_cut", "fence_open", "heading_orphaned", "lost")
    return {name: getattr(found, name) for name in names if getattr(found, name)}


def test_nothing_is_broken_where_blocks_are_whole() -> None:
    found = audit(*split("| Plan", "```sh", "## Later"))
    assert harm(found) == {}
    assert (found.chunks, found.documents, found.errors) == (4, 1, [])


def test_a_table_that_is_cut_and_rows_that_lose_their_header() -> None:
    assert harm(audit(*split("| Large"))) == {"table_cut": 1, "rows_without_header": 1}
    before, after = split("| Large")
    header = "| Plan of the customer | Fee |\n|---|---|\n"
    assert harm(audit(before, header + after)) == {"table_cut": 1}
    assert harm(audit(before, header + after, limit=20))["over_limit"] == 2
    assert "table_cut" not in harm(audit(before, header + after, limit=20))


def test_a_fence_that_is_cut_and_not_closed() -> None:
    assert harm(audit(*split("pay --later"))) == {"fence_cut": 1, "fence_open": 2}
    before, after = split("pay --later")
    assert harm(audit(before + "```", "```sh\n" + after)) == {"fence_cut": 1}
    assert harm(audit("```\nx", text="```\nx")) == {}  # the document's own


def test_a_heading_that_ends_a_chunk() -> None:
    assert harm(audit(*split("A last line."))) == {"heading_orphaned": 1}
    assert harm(audit("# A", "```\ncode\n```", text="# A\n\n```\ncode\n```")) == {"heading_orphaned": 1}
    full = TOKENIZER.count("```\ncode\n```")
    assert harm(audit("# A", "```\ncode\n```", text="# A\n\n```\ncode\n```", limit=full)) == {}


def test_words_that_are_lost_and_front_matter_that_is_not() -> None:
    assert harm(audit(*split("| Plan")[:1]))["lost"] > 10
    assert audit(without_front_matter(DOCUMENT)).lost == 0


def test_small_chunks_of_documents_that_are_not_small() -> None:
    assert audit("one two", text="one two").small == 0
    text = "word " * 150
    assert audit("word " * 10, "word " * 140, text=text).orphaned_rate == 0.5


def test_a_splitter_that_raises_costs_only_its_document() -> None:
    def fail(text: str, name: str) -> list[Piece]:
        raise Panic("panic")

    good = Splitter("good", "", lambda text, name: [Piece(text)])
    found = compare([("a.md", "text")], [Splitter("bad", "", fail), good], limit=512, tokenizer=TOKENIZER)
    assert found.audits[0].errors == ["a.md: Panic: panic"]
    assert (found.audits[0].documents, found.audits[1].documents) == (0, 1)


def test_the_unit_of_cost_is_tiktokens_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A faster way to count must not make all others look slow."""
    counted: list[str] = []
    monkeypatch.setattr(type(TOKENIZER), "_build_and_encode", lambda self, text: counted.append(text) or [])
    assert compare([("a.md", "two words")], [], limit=512, tokenizer=resolve("cl100k_base")).tokens == 2
    assert not counted


def test_structure_inside_containers() -> None:
    text = "> | a | b |\n> |---|---|\n> | 1 | 2 |\n\n- ```sh\n  x\n  ```\n- # H\n"
    text += "1. | c | d |\n   |---|---|\n   | 3 | 4 |\n"
    found = read_structure(text)
    assert [table.header for table in found.tables] == ["| a | b |", "| c | d |"]
    assert [table.rows for table in found.tables] == [("| 1 | 2 |",), ("| 3 | 4 |",)]
    assert found.fences == ("```sh\n  x\n  ```",)
    assert found.headings == {"# H"}
    assert found.open_fences == 0
    assert unclosed_fences("> ```\n> x\n\ntext") == 1
    assert unclosed_fences("~~~\nx\n~~~ \n") == 0
    assert first_block("\n\npara\nmore\n\nnext") == "para\nmore"
    assert first_block("") == ""


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\na: 1\n---\n# A", "# A"),
        ("\ufeff+++\na = 1\n+++\nb", "b"),
        ("---\n---\nb", "b"),
        ("--- \r\na: 1\r\n...\r\nb", "b"),
        ("# A\n---\nx\n---\n", "# A\n---\nx\n---\n"),
        ("---\nno end", "---\nno end"),
    ],
)
def test_front_matter(text: str, body: str) -> None:
    assert without_front_matter(text) == body


def test_deep_nesting_does_not_raise() -> None:
    read_structure("> " * 3000 + "deep")
    read_structure("- " * 3000 + "deep")


def test_ours_breaks_nothing_of_real_documents() -> None:
    splitters, _ = make_splitters(["mdchunk", "tokens"], Settings())
    documents = [(path.name, load(path)) for path in corpus()[::2]]
    found = compare(documents, splitters, limit=512, tokenizer=TOKENIZER)
    ours, windows = found.audits
    assert harm(ours) == {}
    assert windows.fence_cut
    assert windows.fence_open
    as_json = json.loads(json.dumps(found.to_dict()))
    assert as_json["splitters"][1]["fence_cut"] == windows.fence_cut
    assert as_json["claim_boundary"] == "chunk_quality_only"


def test_the_page_escapes_what_documents_say() -> None:
    text = "```sh\n<script>alert(1)</script>\nmore\n```\n"
    chunks = ["```sh\n<script>alert(1)</script>", "more\n```"]
    splitter = Splitter("<b>", "", lambda text, name: list(map(Piece, chunks)))
    page = to_html(compare([("<i>.md", text)], [splitter], limit=512, tokenizer=TOKENIZER, missing=["<u>"]))
    for tag in ("<script>", "<b>", "<i>", "<u>"):
        assert tag not in page
    assert "Content-Security-Policy" in page
    assert "&lt;i&gt;.md" in page
