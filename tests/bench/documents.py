"""What is cut: real documents, texts of any size made of them, and documents that are made to hurt."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from mdchunk_core.blocks import parse
from mdchunk_core.source import read

SUFFIXES = (".md", ".mdx", ".markdown")
MB = 1_000_000
"""Bytes."""


class Document(NamedTuple):
    text: str
    kind: str
    """The first folder below the one that was given, or what its MANIFEST.tsv says."""
    language: str
    """ISO 639; `?` where no manifest says."""


def load(folder: Path) -> list[Document]:
    """All Markdown documents below a folder, front matter included, line endings as they are."""
    manifest: dict[str, Mapping[str, str]] = {}
    if (folder / "MANIFEST.tsv").exists():
        with (folder / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
            manifest = {row["path"]: row for row in csv.DictReader(file, delimiter="\t")}
    found: list[Document] = []
    for path in sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file()):
        name = path.relative_to(folder).as_posix()
        row = manifest.get(name, {"kind": name.partition("/")[0] if "/" in name else "", "lang": "?"})
        found.append(Document(path.read_bytes().decode("utf-8", "replace"), row["kind"], row["lang"]))
    return found


def size(texts: Iterable[str]) -> int:
    """Bytes in UTF-8."""
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)


def ordinary(documents: Sequence[Document], wanted: int) -> str:
    """One text of about so many bytes: whole documents, in an order that mixes kinds, again and again if need be."""
    return "\n\n".join(several(documents, wanted))


def several(documents: Sequence[Document], wanted: int) -> list[str]:
    """Documents of about so many bytes together; none that leaves a block open, which would take in all that follows.

    Line endings are line feeds, since no document mixes them; the last one is cut off where the size is reached.
    """
    texts = [document.text.replace("\r\n", "\n") for document in documents if _closed(document.text)]
    random.Random(0).shuffle(texts)
    found: list[str] = []
    left = wanted
    for text in cycle(texts):
        found.append(text if size([text]) <= left else text.encode()[:left].decode("utf-8", "ignore"))
        left -= size([text]) + 2
        if left <= 0:
            return found
    raise ValueError("no document to make a text of")


def _closed(text: str) -> bool:
    """Whether a further paragraph would be one."""
    source = read(text + "\n\nEnd.")
    last = parse(source)[-1]
    return last.kind == "paragraph" and last.stop - last.start == 1


def _headings(count: int) -> str:
    return "".join(f"{'#' * (1 + number % 6)} Heading number {number}\n\n" for number in range(count))


PATHOLOGICAL: Mapping[str, Callable[[], str]] = {
    "50,000 list items": lambda: "".join(f"- item number {number} of a long list\n" for number in range(50_000)),
    "20,000 table rows": lambda: (
        "| a | b | c |\n|---|---|---|\n"
        + "".join(f"| row {number} | value {7 * number} | some words here |\n" for number in range(20_000))
    ),
    "one line of 5 MB": lambda: "The quick brown fox jumps over the lazy dog and goes on. " * (5 * MB // 57),
    "one line of 5 MB, no sentence": lambda: "brown fox jumps " * (5 * MB // 16),
    "10,000 headings": lambda: _headings(10_000),
    "100,000 nested quote marks": lambda: ">" * 100_000 + " deep\n",
    "100,000 nested quote marks, with blanks": lambda: "> " * 100_000 + "deep\n",
    "1 MB of [a](": lambda: "[a](" * (MB // 4),
    "5 MB of backticks": lambda: "`" * (5 * MB),
    "100,000 link definitions": lambda: "".join(
        f'[label {number}]: https://example.com/{number} "title"\n' for number in range(100_000)
    ),
    "50,000 definitions, 5,000 headings that use them": lambda: (
        "".join(f"[label {number}]: https://example.com/{number}\n" for number in range(50_000))
        + "".join(f"\n# See [label {number}][]\n\nText [label {3 * number}] goes on.\n" for number in range(5_000))
    ),
    "1 MB of spaces": lambda: " " * MB,
    "1 MB of spaces before a letter": lambda: " " * MB + "x",
    "1 MB of blank lines": lambda: "a" + "\n" * MB + "b",
    "100,000 open fences": lambda: "```\n~~~\n" * 50_000,
    "1 MB of open emphasis in a heading": lambda: "# " + "*a _b " * (MB // 6),
    "20,000 nested list items": lambda: "".join(f"{'  ' * (number % 40)}- item {number}\n" for number in range(20_000)),
    "a table row of 20,000 cells": lambda: "| a " * 20_000 + "|\n" + "|---" * 20_000 + "|\n" + "| cell " * 20_000 + "|",
    "100,000 open containers": lambda: ":::note\n\n" * 100_000,
    "20,000 footers": lambda: "".join(f"Some text of page {number}.\n\nPage {number}\n\n" for number in range(20_000)),
    "20,000 notes": lambda: "".join(
        f"## Rates {number}\n\nHotels.\n\nValid until {number % 28 + 1}.06.2026\n\n" for number in range(20_000)
    ),
    "5 MB of one Japanese line": lambda: "東京都の宿泊費は一泊九千円とする。" * (5 * MB // 51),
}  # fmt: skip
