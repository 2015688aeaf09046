"""Questions with the places in the documents that answer them."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from ..compare.locate import Span, VisibleText, join_spans, visible
from ..errors import MdchunkError

__all__ = ["Question", "QuestionError", "read_questions"]


class QuestionError(MdchunkError, ValueError):
    """A file of questions is not what it should be; the message names the line."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the text that answers it."""

    text: str
    document: str
    """The name of the document, as the documents are named."""
    evidence: tuple[Span, ...]
    """Half-open, in code points of the document; in order, apart from each other."""
    kind: str = ""
    id: str = ""


def read_questions(text: str, documents: Mapping[str, str]) -> list[Question]:
    r"""The questions of a file: JSON Lines, or CSV with `question`, `references` and `corpus_id`.

    A line of JSON has `question`, `doc`, and `evidence` (`[{"start", "end"}]`, and `text` to check them by) or `gold`
    (texts, found in the document); `kind` and `id` as you like. `documents` are name -> text; `doc` is a name or the
    end of one. Raises QuestionError.

    >>> line = '{"question": "How much?", "doc": "a.md", "gold": ["40 %"]}'
    >>> read_questions(line, {"docs/a.md": "It is 40 % of all."})[0].evidence
    ((6, 10),)
    """
    is_json = text.lstrip("\ufeff \t\r\n").startswith("{")
    reader = _Reader(documents)
    found = [reader.read(place, entry) for place, entry in (_lines(text) if is_json else _rows(text))]
    if not found:
        raise QuestionError("no questions")
    return found


def _lines(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, line in enumerate(text.lstrip("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise QuestionError(f"line {number} is not JSON: {error}") from None
        if not isinstance(entry, dict):
            raise QuestionError(f"line {number} is no JSON object")
        yield f"line {number}", entry


def _rows(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The form of the public general evaluation data of chunking_evaluation."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    rows = csv.DictReader(text.lstrip("\ufeff").splitlines(keepends=True))
    if not {"question", "references", "corpus_id"} <= set(rows.fieldnames or ()):
        raise QuestionError("neither JSON Lines nor CSV with the columns question, references and corpus_id")
    for number, row in enumerate(rows, 1):
        try:
            references = json.loads(row["references"])
            evidence = [
                {"start": item["start_index"], "end": item["end_index"], "text": item.get("content")}
                for item in references
            ]
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise QuestionError(f"row {number}: references cannot be read: {error}") from None
        yield f"row {number}", {"question": row["question"], "doc": row["corpus_id"], "evidence": evidence}


class _Reader:
    """Resolves names of documents and texts of evidence."""

    def __init__(self, documents: Mapping[str, str]) -> None:
        self.documents = documents
        self.visible: dict[str, VisibleText] = {}

    def read(self, place: str, entry: Mapping[str, Any]) -> Question:
        question, name = entry.get("question"), entry.get("doc")
        if not isinstance(question, str) or not question.strip() or not isinstance(name, str):
            raise QuestionError(f"{place}: question and doc are needed, both strings")
        document = self._document(place, name)
        gold = entry.get("gold")
        spans = [self._told(place, document, item) for item in _list(place, "evidence", entry.get("evidence"))]
        texts = [gold] if isinstance(gold, str) else _list(place, "gold", gold)
        spans += [self._search(place, document, text) for text in texts]
        if not spans:
            raise QuestionError(f"{place}: evidence or gold is needed")
        kind, own = entry.get("kind"), entry.get("id")
        return Question(question, document, join_spans(spans), str(kind or ""), str(own or place))

    def _document(self, place: str, name: str) -> str:
        name = name.replace("\\", "/")
        if name in self.documents:
            return name
        found = [
            known
            for known in self.documents
            if f"/{known}".endswith(f"/{name}") or PurePosixPath(known).with_suffix("").name == name
        ]
        if len(found) != 1:
            raise QuestionError(f"{place}: {'no' if not found else 'more than one'} document {name}")
        return found[0]

    def _told(self, place: str, document: str, item: Any) -> Span:
        """The place that is told; where its text is told too and stands elsewhere, that counts."""
        if not isinstance(item, Mapping):
            raise QuestionError(f"{place}: evidence is a list of objects with start and end, or text")
        start, end, text = item.get("start"), item.get("end"), item.get("text")
        content = self.documents[document]
        if isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(content):
            if not isinstance(text, str) or visible(content[start:end]) == visible(text):
                return start, end
            return self._search(place, document, text, near=start)
        if isinstance(text, str):
            return self._search(place, document, text)
        raise QuestionError(f"{place}: evidence {start} to {end} is not in {document}, {len(content)} characters")

    def _search(self, place: str, document: str, text: Any, near: int = 0) -> Span:
        wanted = visible(text) if isinstance(text, str) else ""
        if document not in self.visible:
            self.visible[document] = VisibleText.of(self.documents[document])
        source = self.visible[document]
        places = _occurrences(source.text, wanted) if wanted else []
        if not places:
            raise QuestionError(f"{place}: {str(text)[:80]!r} does not stand in {document}")
        aim = source.between(near, near)[0]
        start = min(places, key=lambda found: abs(found - aim))
        return source.span(start, start + len(wanted))


def _list(place: str, name: str, value: Any) -> Sequence[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise QuestionError(f"{place}: {name} is no list")
    return value


def _occurrences(text: str, wanted: str) -> list[int]:
    found: list[int] = []
    at = text.find(wanted)
    while at >= 0:
        found.append(at)
        at = text.find(wanted, at + 1)
    return found


def kinds(questions: Iterable[Question]) -> list[str]:
    """The kinds of questions, the most frequent first."""
    counts: dict[str, int] = {}
    for question in questions:
        counts[question.kind] = counts.get(question.kind, 0) + 1
    return sorted(filter(None, counts), key=lambda kind: (-counts[kind], kind))
