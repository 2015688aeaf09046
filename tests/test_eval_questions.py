from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from conftest import corpus, load

from mdchunk_core.evaluation.questions import QuestionError, kinds, read_questions
from mdchunk_core.evaluation.suggest import suggest, to_json_lines

DOCUMENTS = {"docs/a.md": "# A\n\nIt is 40 % of all.\n\nIt is 40 % of all.\n", "docs/b.md": "b", "other/b.md": "b"}


def line(**entry: Any) -> str:
    return json.dumps({"question": "How much?", "doc": "docs/a.md", **entry}) + "\n"


def spans(text: str) -> tuple[tuple[int, int], ...]:
    return read_questions(text, DOCUMENTS)[0].evidence


def test_evidence_as_offsets_as_text_and_as_gold() -> None:
    assert spans(line(evidence=[{"start": 11, "end": 15}])) == ((11, 15),)
    assert spans(line(evidence=[{"start": 11, "end": 15, "text": "40 %"}])) == ((11, 15),)
    assert spans(line(gold=["40\n%", "# A"])) == ((0, 3), (11, 15))
    assert spans(line(gold="40 %")) == ((11, 15),)
    assert spans(line(evidence=[{"text": "40 %"}])) == ((11, 15),)


def test_offsets_that_have_moved_give_way_to_the_text_nearest_to_them() -> None:
    second = DOCUMENTS["docs/a.md"].rindex("40 %")
    assert spans(line(evidence=[{"start": second + 2, "end": second + 6, "text": "40 %"}])) == ((second, second + 4),)
    assert spans(line(evidence=[{"start": 9, "end": 13, "text": "40 %"}])) == ((11, 15),)


def test_kind_and_id() -> None:
    found = read_questions(
        line(gold="A", kind="table", id=7) + line(gold="A") + line(gold="A", kind="x") * 2, DOCUMENTS
    )
    assert [(question.kind, question.id) for question in found][:2] == [("table", "7"), ("", "line 2")]
    assert kinds(found) == ["x", "table"]


def test_a_document_by_the_end_of_its_path() -> None:
    assert read_questions(line(doc="a.md", gold="A"), DOCUMENTS)[0].document == "docs/a.md"


def test_the_csv_of_chunking_evaluation() -> None:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["question", "references", "corpus_id"])
    references = [{"content": "40 %", "start_index": 11, "end_index": 15}]
    writer.writerow(["How much,\nreally?", json.dumps(references), "a"])
    (found,) = read_questions(out.getvalue(), DOCUMENTS)
    assert (found.text, found.document, found.evidence) == ("How much,\nreally?", "docs/a.md", ((11, 15),))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "CSV"),
        ("{}\n", "line 1: question"),
        ("{not json}\n", "line 1 is not JSON"),
        (line() + "\n3\n", "line 1: evidence or gold"),
        (line(gold="A") + "\n3\n", "line 3 is no JSON object"),
        (line(gold="nowhere"), "'nowhere' does not stand in docs/a.md"),
        (line(gold=[3]), "does not stand"),
        (line(gold={}), "gold is no list"),
        (line(evidence=[3]), "list of objects"),
        (line(evidence=[{"start": 5, "end": 900}]), "5 to 900"),
        (line(doc="c.md", gold="A"), "no document c.md"),
        (line(doc="b.md", gold="b"), "more than one document b.md"),
        ("question,references,corpus_id\nq,nonsense,a\n", "row 1: references"),
        ("question,references,corpus_id\n", "no questions"),
    ],
)
def test_what_is_wrong_is_said(text: str, says: str) -> None:
    with pytest.raises(QuestionError, match=says):
        read_questions(text, DOCUMENTS)


def test_suggestions_are_questions_that_can_be_read() -> None:
    documents = {path.name: load(path) for path in corpus()}
    found = suggest(documents)
    assert len(found) == 10
    assert {item.kind for item in found} == {"table", "validity-note", "code", "list", "prose"}
    assert len({item.document for item in found}) >= 8
    again = read_questions(to_json_lines(found, documents), documents)
    assert [question.evidence for question in again] == [tuple(sorted(item.spans)) for item in found]
    assert all(question.text.startswith("TODO") for question in again)


def test_suggestions_with_other_line_endings_and_without_structure() -> None:
    text = "# Fees\r\n\r\n| Plan | Fee |\r\n|---|---|\r\n| Basic | 4 |\r\n"
    (found,) = suggest({"a.md": text})
    assert [text[start:end] for start, end in found.spans] == ["| Plan | Fee |", "| Basic | 4 |"]
    assert suggest({"a.md": "plain"}) == []
    assert suggest({}) == []
