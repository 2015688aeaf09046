"""One measurement in a process of its own: `memory FOLDER NAME BYTES` or `pathological FOLDER NAME`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .clock import forget_peak, peak_memory, seconds
from .documents import MB, PATHOLOGICAL, load, ordinary, size
from .subjects import CORE, PASS, Settings, Split, build


def memory(folder: str, name: str, wanted: str) -> dict[str, int]:
    """Bytes of the text, and the peak above what the process had before it got the text."""
    documents = load(Path(folder))
    split = build(Settings(), [name])[0][name]
    split(ordinary(documents, 20_000))
    forget_peak()
    before = peak_memory()
    text = ordinary(documents, int(wanted))
    chunks = split(text)
    peak = peak_memory() - before
    return {"bytes": size([text]), "peak": peak, "chunks": len(chunks)}  # type: ignore[arg-type]


def pathological(folder: str, name: str) -> dict[str, float | None]:
    """Nanoseconds for each byte: of the document, of the tokenizer's pass over it, of ordinary text."""
    splits = build(Settings(), [CORE])[0]
    text = PATHOLOGICAL[name]()
    plain = ordinary(load(Path(folder)), MB)
    splits[CORE](plain[:10_000])
    rounds = 3 if size([text]) <= MB else 1
    return {
        "bytes": size([text]),
        "ordinary": _nanoseconds(splits[CORE], plain, 3),
        "pass": _nanoseconds(splits[PASS], text, rounds),
        "own": _nanoseconds(splits[CORE], text, rounds),
    }


def _nanoseconds(split: Split, text: str, rounds: int) -> float | None:
    """For each byte; None where it fails, as tiktoken does with a million spaces."""
    try:
        return min(seconds(split, text) for _ in range(rounds)) * 1e9 / size([text])
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        return None


if __name__ == "__main__":
    measurements: dict[str, Any] = {"memory": memory, "pathological": pathological}
    sys.stdout.write(json.dumps(measurements[sys.argv[1]](*sys.argv[2:])))
