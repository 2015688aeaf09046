"""Measures, and writes the results beside this file.

    python -m tests.bench                                       everything, on the documents beside the tests
    python -m tests.bench DOCS --part peers --part sizes        some parts, on the documents below a folder
    python -m tests.bench --only mdchunk,chonkie --part peers   some splitters

Needs the package and its extra `bench`; a splitter that is not installed is left out.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

from .clock import ROOT
from .documents import MB, load, size
from .parts import PARTS, Run
from .results import save

HERE = Path(__file__).parent


def progress(line: str) -> None:
    """Say what is being measured: on one line of a terminal, or on a line each."""
    sys.stderr.write(f"\r\x1b[K{line}" if sys.stderr.isatty() else f"{line}\n")
    sys.stderr.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "tests" / "data" / "corpus")
    parser.add_argument("--part", action="append", choices=PARTS, help="may be given several times; default: all")
    parser.add_argument("--only", default="", help="names of splitters, with commas between")
    parser.add_argument("--rounds", type=int, default=5, help="of which the fastest counts")
    parser.add_argument("--tokenizer-json", help="a Hugging Face tokenizer; default: MiniLM's where it is installed")
    parser.add_argument("--largest", type=float, default=64, metavar="MB", help="of scaling and memory")
    parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS", help="of one pathological document")
    parser.add_argument("--out", type=Path, default=HERE, help="folder of RESULTS.md and RESULTS.json")
    given = parser.parse_args()
    warnings.simplefilter("ignore")  # of other packages, about themselves
    documents = load(given.folder)
    if not documents:
        parser.error(f"no Markdown documents below {given.folder}")
    run = Run(
        given.folder.resolve(),
        documents,
        given.rounds,
        [name for name in given.only.split(",") if name],
        given.tokenizer_json,
        int(given.largest * MB),
        given.timeout,
        progress,
    )
    source = f"{len(documents)} documents, {size(run.texts) / MB:.2f} MB"
    for name in given.part or PARTS:
        save(given.out, name, source, PARTS[name](run))
    progress(f"{given.out / 'RESULTS.md'}\n")


if __name__ == "__main__":
    main()
