"""Merging off and on, side by side: the same chunker, with and without what holds small segments together.

python tests/figures/merging.py [FOLDER]

Off: every section stands alone, and no signal binds a block to the next or to the one before.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from tables import read_folder

from mdchunk_core import Chunk, MarkdownChunker, chunker
from mdchunk_core.blocks import parse
from mdchunk_core.merging import Bond, bonds
from mdchunk_core.report import report
from mdchunk_core.source import read

FOLDER = Path(__file__).parent.parent / "data" / "corpus"
EXAMPLE = "legal/basecamp__policies/sla__index.md"
"""A short document, to look at the cuts themselves."""
OFF = MarkdownChunker(merge_across="never", min_tokens=1, overlap_tokens=0)
ON = MarkdownChunker(overlap_tokens=0)


def main(folder: Path) -> str:
    """Figures of both, and the cuts of one document."""
    documents = read_folder(folder)
    with merging_off():
        off = {name: OFF.chunk(text, source=name) for name, text in documents.items()}
    on = {name: ON.chunk(text, source=name) for name, text in documents.items()}
    both = [{**figures(found), **parted(documents, found)} for found in (off, on)]
    lines = [f"{f'{len(documents)} documents':54}{'merging off':>13}{'on':>13}"]
    lines += [f"{name:54}" + "".join(f"{figures[name]:>13}" for figures in both) for name in both[0]]
    if EXAMPLE in documents:
        for title, found in (("off", off), ("on", on)):
            lines += ["", f"{EXAMPLE}, merging {title}", *map(cut, found[EXAMPLE])]
    return "\n".join(lines) + "\n"


def cut(chunk: Chunk) -> str:
    """A chunk in a line."""
    place = f"{chunk.start_line}-{chunk.end_line}"
    titles = [path[-1] for path in chunk.sections if path]
    about = " | ".join(titles) or f"({' '.join(chunk.text.split())[:32]}…)"
    return f"  lines {place:>5} {chunk.token_count:4} tokens  {about}"


@contextmanager
def merging_off() -> Iterator[None]:
    """No block is bound to another."""
    with patch.object(chunker, "bonds", lambda *_: {}):
        yield


def figures(found: dict[str, list[Chunk]]) -> dict[str, str]:
    """What the report says, at the sizes of the one that merges."""
    chunks = [chunk for some in found.values() for chunk in some]
    total = report(chunks, target_tokens=ON.target_tokens, max_tokens=ON.max_tokens, min_tokens=ON.min_tokens).total
    return {
        "chunks": f"{total.total_chunks:,}",
        "tokens, on average": f"{total.avg_tokens:.0f}",
        "chunks under 100 tokens": f"{total.orphaned_chunks:,} ({total.orphaned_rate:.1%})",
        "chunks of 100 to 512 tokens": f"{total.in_range_rate:.1%}",
        "headings at the end of a chunk": f"{total.headings_orphaned:,}",
    }


def parted(documents: dict[str, str], found: dict[str, list[Chunk]]) -> dict[str, str]:
    """What belongs together and stands in two chunks."""
    lead_ins, notes, count = 0, 0, [0, 0]
    for name, text in documents.items():
        source = read(text)
        blocks = parse(source)
        starts = {chunk.start_line for chunk in found[name]}
        for index, bond in bonds(source, blocks).items():
            cut = blocks[index].start + 1 in starts
            if is_note(bond):
                notes, count[1] = notes + cut, count[1] + 1
            elif bond.lead_in:
                lead_ins, count[0] = lead_ins + cut, count[0] + 1
    return {
        "lead-ins and captions apart from what they introduce": f"{lead_ins:,} of {count[0]:,}",
        **({"notes apart from what they qualify": f"{notes:,} of {count[1]:,}"} if count[1] else {}),
    }


def is_note(bond: Bond) -> bool:
    """Whether a bond holds a note of validity, version or scope to its rule."""
    return bond.qualifies and bond.direction == "backward"


if __name__ == "__main__":
    sys.stdout.write(main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
