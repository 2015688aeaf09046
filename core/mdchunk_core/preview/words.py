"""Decisions in plain words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..types import Decision

__all__ = ["Reason", "kind_name", "reasons", "sentence"]

_KINDS = {
    "fenced_code": "code block",
    "indented_code": "code block",
    "block_quote": "quote",
    "html": "HTML block",
    "math": "formula",
    "mdx": "MDX block",
    "footnote_definition": "footnote",
    "link_reference": "link definition",
    "thematic_break": "rule",
    "body": "text",
}
_SIGNALS = {
    "as_of": "date note",
    "bold_title": "bold title",
    "confidential": "confidentiality note",
    "copyright": "copyright line",
    "deprecated": "deprecation note",
    "effective": "note on when it takes effect",
    "lead_in": "introducing line",
    "scope": "note on the scope",
    "sheet": "sheet name",
    "slide": "slide title",
    "source": "source note",
    "stand": "date note",
    "supersedes": "note on what it replaces",
    "tab": "tab title",
    "updated": "date note",
    "validity": "validity note",
    "version": "version note",
}


class Reason(NamedTuple):
    """Something that was decided, as often as it was."""

    sentence: str
    detail: str
    """Lines of the source (1-based), and for a single decision the change of size in tokens."""


def reasons(decisions: Iterable[Decision]) -> tuple[Reason, ...]:
    """The decisions of a chunk, those that read alike told once.

    >>> reasons([Decision("forward", "heading -> body", "heading", line, 4, 60) for line in (6, 12)])[0].detail
    'Lines 6, 12'
    """
    alike: dict[str, list[Decision]] = {}
    for decision in decisions:
        alike.setdefault(sentence(decision), []).append(decision)
    return tuple(Reason(text, _detail(found)) for text, found in alike.items())


def _detail(alike: list[Decision]) -> str:
    lines = [str(decision.line) for decision in alike if decision.line]
    if len(alike) > 1:
        return f"Lines {', '.join(lines)}" if lines else f"{len(alike)} times"
    parts = [f"Line {lines[0]}"] if lines else []
    only = alike[0]
    if not only.refused and only.tokens_after and only.pass_ not in ("cut", "limit"):
        parts.append(f"{only.tokens_before} to {only.tokens_after} tokens")
    return ", ".join(parts)


def kind_name(kind: str) -> str:
    """What people call a kind of block.

    >>> kind_name("fenced_code"), kind_name("list_item")
    ('code block', 'list item')
    """
    return _KINDS.get(kind, kind.replace("_", " "))


def sentence(decision: Decision) -> str:
    """One sentence about what was held together, cut or refused, for readers who do not know our rules' names.

    >>> sentence(Decision("cut", "table between rows", "header repeated", 12, 480, 200))
    'Continues a table that was cut between rows; header repeated.'
    >>> sentence(Decision("forward", "lead_in -> list", "lead_in", 3, 8, 88))
    'The introducing line stays with the list below it.'
    """
    if decision.pass_ in ("cut", "limit"):
        return _cut(decision)
    if decision.pass_ == "note":
        return "A note of its section applies to it."
    mover, _, onto = decision.rule.partition(" -> ")
    if decision.pass_ == "balance":
        if decision.refused:
            return f"The section was not joined to the one before: {_refused(decision.refused)}."
        return "A small section is joined to the one before it."
    name = _SIGNALS.get(mover, kind_name(mover))
    side = "below" if decision.pass_ == "forward" else "above"
    if decision.refused:
        return f"The {name} could not stay with the {kind_name(onto)} {side} it: {_refused(decision.refused)}."
    return f"The {name} stays with the {kind_name(onto)} {side} it."


def _cut(decision: Decision) -> str:
    if decision.rule == "between blocks":
        return "Its section is too large for one chunk and is cut here, between two blocks."
    for preposition in (" between ", " at ", " inside "):
        kind, found, where = decision.rule.partition(preposition)
        if found:
            name = kind_name(kind)
            article = "an" if name[:1].lower() in "aeiou" or name.startswith(("HTML", "MDX")) else "a"
            repeated = f"; {decision.signal}" if decision.signal else ""
            return f"Continues {article} {name} that was cut{preposition}{where}{repeated}."
    return f"Cut: {decision.rule}."


def _refused(why: str) -> str:
    """`would exceed 520 of 512` as part of a sentence."""
    words = why.split()
    if words[:2] == ["would", "exceed"] and len(words) == 5:
        return f"together they need {words[2]} of {words[4]} tokens"
    return why
