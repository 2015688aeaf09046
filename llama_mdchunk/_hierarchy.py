"""Sections above the chunks, as parents of their nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

Path = tuple[str, ...]


class Branch(NamedTuple):
    """A section, or the document, with at least two children."""

    path: Path
    children: tuple[Branch | int, ...]
    """Sections below, and indices of chunks."""

    def leaves(self) -> Iterator[int]:
        """Give the chunks below, in order."""
        for child in self.children:
            if isinstance(child, int):
                yield child
            else:
                yield from child.leaves()


def branches(paths: Sequence[Path]) -> Branch | None:
    """Give the tree over chunks with these heading paths; none over a single one.

    A section with one child is left out: a parent that says no more than its child is of no use to a retriever.

    >>> branches([("A",), ("A", "B"), ("A", "B"), ("C",)])
    Branch(path=(), children=(Branch(path=('A',), children=(0, Branch(path=('A', 'B'), children=(1, 2)))), 3))
    """
    whole = _branch((), range(len(paths)), paths) if paths else 0
    return None if isinstance(whole, int) else whole


def _branch(path: Path, chunks: Sequence[int], paths: Sequence[Path]) -> Branch | int:
    """Go one heading level deeper with each call: six at most."""
    depth = len(path)
    children: list[Branch | int] = []
    for below, run in groupby(chunks, key=lambda chunk: paths[chunk][depth : depth + 1]):
        if below:
            children.append(_branch((*path, *below), list(run), paths))
        else:
            children.extend(run)
    return children[0] if len(children) == 1 else Branch(path, tuple(children))
