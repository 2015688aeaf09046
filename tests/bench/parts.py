"""The measurements. Each gives tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import NamedTuple

from .clock import Progress, Times, fastest, in_child
from .documents import MB, PATHOLOGICAL, Document, ordinary, several, size
from .results import Table, Value
from .subjects import CORE, COUNTING_NO_TOKENS, LANGCHAIN, LLAMA, PASS, WRAPPERS, Settings, build, shipped_tokenizer

STEPS = (MB // 10, MB // 5, MB // 2, MB, 2 * MB, 4 * MB, 8 * MB, 20 * MB, 32 * MB, 64 * MB)
"""Bytes of a growing document."""


class Run(NamedTuple):
    """What is measured with."""

    folder: Path
    documents: Sequence[Document]
    rounds: int
    only: Sequence[str]
    """Names of subjects; none for all."""
    hugging_face: str | None
    """Path of a tokenizer.json."""
    largest: int
    """Bytes of the largest text."""
    timeout: float
    """Seconds that a pathological document may take."""
    progress: Progress

    @property
    def texts(self) -> list[str]:
        return [document.text for document in self.documents]

    def times(self, settings: Settings, names: Sequence[str] = ()) -> Times:
        for line in build(settings, names or self.only)[1]:
            self.progress(f"not measured: {line}")
        return fastest(lambda: build(settings, names or self.only)[0], self.texts, self.rounds, self.progress)


def peers(run: Run) -> list[Table]:
    """All splitters on all documents, as a whole, by kind, by language."""
    times = run.times(Settings())
    total = size(run.texts)
    rows: list[list[Value]] = []
    for name, spent in _by_speed(times):
        failed = spent.count(inf)
        rows.append(
            [_label(name), _multiple(spent, times[PASS]), total / MB / sum(spent) if not failed else None, failed]
        )
    columns = ["splitter", "×", "MB/s", "documents failed"]
    return [
        Table("All documents", "400 tokens wanted, 512 at most, no overlap.", columns, rows),
        _grouped("By kind of document", times, [document.kind for document in run.documents]),
        _grouped("By language", times, [document.language for document in run.documents]),
    ]


def _grouped(title: str, times: Mapping[str, Sequence[float]], groups: Sequence[str]) -> Table:
    names = [name for name, _ in _by_speed(times) if name != PASS]
    rows: list[list[Value]] = []
    for group in sorted(set(groups)):
        members = [index for index, own in enumerate(groups) if own == group]
        passed = [times[PASS][index] for index in members]
        spent = [_multiple([times[name][index] for index in members], passed) for name in names]
        rows.append([f"{group} ({len(members)})", *spent])
    return Table(title, "× a pass.", ["", *names], rows)


def sizes(run: Run) -> list[Table]:
    """Chunk sizes."""
    return [
        _compared(run, "By chunk size", {str(limit): Settings(limit * 4 // 5, limit) for limit in (128, 512, 2000)})
    ]


def overlap(run: Run) -> list[Table]:
    """With and without an overlap."""
    settings = {"none": Settings(), "60": Settings(overlap=60)}
    return [_compared(run, "By overlap, in tokens", settings)]


def encodings(run: Run) -> list[Table]:
    """Other tokenizers; × is a pass of the same tokenizer."""
    settings = {"cl100k_base": Settings(), "o200k_base": Settings(tokenizer="o200k_base")}
    path = run.hugging_face or shipped_tokenizer()
    if path:
        settings["Hugging Face"] = Settings(tokenizer=path)
    return [_compared(run, "By tokenizer", settings)]


def _compared(run: Run, title: str, settings: Mapping[str, Settings]) -> Table:
    columns: dict[str, dict[str, Value]] = {}
    for label, own in settings.items():
        times = run.times(own)
        columns[label] = {name: _multiple(spent, times[PASS]) for name, spent in times.items() if name != PASS}
    first = next(iter(columns.values()))
    names = sorted(first, key=lambda name: first[name] or inf)
    return Table(
        title, "× a pass.", ["splitter", *columns], [[_label(n), *(c.get(n) for c in columns.values())] for n in names]
    )


def wrappers(run: Run) -> list[Table]:
    """What the wrappers take on top of the core."""
    times = run.times(Settings(overlap=60), [CORE, *WRAPPERS])
    core = sum(times[CORE])
    rows = [
        [name, _multiple(times[name], times[PASS]), 100 * (sum(times[name]) / core - 1)]
        for name in (CORE, LANGCHAIN, LLAMA)
        if name in times
    ]
    note = "With metadata, as `create_documents` and `get_nodes_from_documents` give them; overlap of 60."
    return [Table("Wrappers", note, ["", "×", "% on top of the core"], rows)]


def scaling(run: Run) -> list[Table]:
    """One document that grows, and documents that become more."""
    base = ordinary(run.documents, MB)
    tables: list[Table] = []
    ways: Mapping[str, Callable[[int], list[str]]] = {
        "One document": lambda step: [
            base[: len(base) * step // MB] if step < MB else "\n\n".join([base] * (step // MB))
        ],
        "Many documents": lambda step: several(run.documents, step),
    }
    for title, make in ways.items():
        rows: list[list[Value]] = []
        for step in [step for step in STEPS if step <= run.largest]:
            texts = make(step)
            run.progress(f"{title.lower()}, {step / MB:g} MB")
            rounds = max(1, min(2 * run.rounds, 8 * MB // step))
            times = fastest(lambda: build(Settings(), [CORE])[0], texts, rounds, run.progress)
            spent, total = sum(times[CORE]), size(texts)
            rows.append(
                [step / MB, spent, total / MB / spent, 1e9 * spent / total, _multiple(times[CORE], times[PASS])]
            )
        tables.append(Table(title, "", ["MB", "seconds", "MB/s", "ns per byte", "×"], rows))
    return tables


def memory(run: Run) -> list[Table]:
    """Peak memory above what the process has before it gets the text, in a process for each."""
    rows: list[list[Value]] = []
    wanted = [(CORE, step) for step in (MB, 4 * MB, 16 * MB, 64 * MB) if step <= run.largest]
    names = run.only or [name for name in build(Settings())[0] if name != CORE]
    for name, step in [*wanted, *((name, 4 * MB) for name in names)]:
        run.progress(f"memory: {name}, {step // MB} MB")
        found = in_child(["memory", str(run.folder), name, str(step)], run.timeout)
        rows.append(
            [name, step / MB, *([found["peak"] / MB, found["peak"] / found["bytes"]] if found else [None, None])]
        )
    note = "Megabytes, and as a multiple of the text's bytes; the text itself and all chunks are in it."
    return [Table("Peak memory", note, ["", "MB of text", "peak", "multiple"], rows)]


def pathological(run: Run) -> list[Table]:
    """Documents that are made to hurt, each in a process of its own."""
    rows: list[list[Value]] = []
    for name in PATHOLOGICAL:
        run.progress(f"pathological: {name}")
        found = in_child(["pathological", str(run.folder), name], run.timeout)
        if found is None:
            rows.append([name, None, None, None, None])
            continue
        own, passed = found["own"], found["pass"]
        rows.append([name, found["bytes"] / MB, own, own / found["ordinary"], own / passed if passed else None])
    note = f"None took more than {run.timeout:g} seconds, but for those without figures."
    return [Table("Pathological documents", note, ["", "MB", "ns per byte", "× ordinary text", "× a pass"], rows)]


PARTS: Mapping[str, Callable[[Run], list[Table]]] = {
    part.__name__: part for part in (peers, sizes, overlap, encodings, wrappers, scaling, memory, pathological)
}


def _multiple(spent: Sequence[float], passed: Sequence[float]) -> float | None:
    """Of one pass; None where a splitter failed."""
    return sum(spent) / sum(passed) if inf not in spent else None


def _by_speed(times: Mapping[str, Sequence[float]]) -> list[tuple[str, Sequence[float]]]:
    return sorted(times.items(), key=lambda item: sum(item[1]))


def _label(name: str) -> str:
    return f"{name} (counts no tokens)" if name in COUNTING_NO_TOKENS else name
