"""What the scripts of this folder share: documents of a folder, and tables as README has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

SUFFIXES = (".md", ".mdx", ".markdown")


def read_folder(folder: Path) -> dict[str, str]:
    """Path below the folder -> text of each Markdown document, line endings as they are."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8-sig")
        for path in sorted(folder.rglob("*"))
        if path.suffix in SUFFIXES
    }


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, its first column of names and all others of figures."""
    rule = ("---", *("---:" for _ in columns[1:]))
    return "\n".join("| " + " | ".join(row) + " |" for row in (columns, rule, *rows))
