"""The file of results: tables for readers, and the same as JSON for programs."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

PACKAGES = (
    "mdchunk-core",
    "tiktoken",
    "gigatoken",
    "tokenizers",
    "langchain-text-splitters",
    "llama-index-core",
    "semantic-text-splitter",
    "chonkie",
    "mdkeychunker",
)

INTRODUCTION = """\
Written by `python -m tests.bench`. Processor time, minima over several rounds; **×** is a multiple of one pass of the
tokenizer over the same texts in the same run. Every splitter gets the same sizes, and is made anew for each round so
that none has the texts in a cache. Those of LangChain and LlamaIndex count with tiktoken's `encode_ordinary`, a little
faster than their own ways to it; ours with gigatoken, where the line does not say otherwise."""

Value = str | int | float | None


class Table(NamedTuple):
    """One table of results; None is what was not measured."""

    title: str
    note: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]


def environment() -> dict[str, Any]:
    """The machine and the versions that a result holds for."""
    versions: dict[str, str] = {}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:  # noqa: PERF203 -- eight
            continue
    return {
        "machine": f"{_processor()}, {os.cpu_count()} cores, {platform.system()}",
        "python": platform.python_version(),
        "packages": versions,
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def save(folder: Path, part: str, source: str, tables: Sequence[Table]) -> None:
    """Put a part's tables into `RESULTS.json` in place of its older ones, and write `RESULTS.md` anew."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "RESULTS.json"
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    known[part] = {**environment(), "documents": source, "tables": [table._asdict() for table in tables]}
    file.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "RESULTS.md").write_text(_page(known), encoding="utf-8")


def _page(known: dict[str, Any]) -> str:
    out = ["# Benchmark results", INTRODUCTION]
    for part, result in known.items():
        versions = ", ".join(f"{name} {version}" for name, version in result["packages"].items())
        out.append(f"## {part}")
        out += [line for table in result["tables"] for line in _lines(Table(**table))]
        out.append(f"*{result['documents']}. {result['machine']}, Python {result['python']}; {versions}.*")
    return "\n\n".join(out) + "\n"


def _lines(table: Table) -> list[str]:
    rows = [table.columns, ["---", *["---:"] * (len(table.columns) - 1)], *table.rows]
    grid = "\n".join("| " + " | ".join(map(written, row)) + " |" for row in rows)
    return [f"**{table.title}**" + (f" {table.note}" if table.note else ""), grid]


def written(value: Value) -> str:
    """A figure as short as it makes sense."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else value.replace("|", "\\|")
