"""Processor time, and the memory of a process of its own."""

from __future__ import annotations

import contextlib
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .subjects import Split, forget

ROOT = Path(__file__).parents[2]

Progress = Callable[[str], None]
Times = dict[str, list[float]]
"""Seconds by subject and text; infinite where the subject raised."""


def seconds(split: Split, text: str) -> float:
    """Processor time in seconds, all threads of the process together; the wait for other processes is not in it."""
    start = time.process_time()
    split(text)
    return time.process_time() - start


def fastest(make: Callable[[], Mapping[str, Split]], texts: Sequence[str], rounds: int, progress: Progress) -> Times:
    """The least time that each takes for each text.

    All run in turn, once for each round, so that a slow minute of the machine hits all alike; and all are made anew for
    each round, so that none has the texts in a cache.
    """
    found: Times = {}
    for number in range(rounds):
        for name, split in make().items():
            progress(f"round {number + 1} of {rounds}: {name}")
            own = found.setdefault(name, [float("inf")] * len(texts))
            forget()
            split("# To warm up\n\nOne line.")
            for index, text in enumerate(texts):
                with contextlib.suppress(Exception):
                    own[index] = min(own[index], seconds(split, text))
    return found


def in_child(arguments: Sequence[str], timeout: float) -> Any:
    """What `child` measures in a process of its own; None where that takes longer than `timeout` seconds."""
    command = [sys.executable, "-m", "tests.bench.child", *arguments]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr[-500:]}")
    return json.loads(done.stdout.splitlines()[-1])


def peak_memory() -> int:
    """The most memory that this process has had, in bytes; on Linux, since the last `forget_peak`."""
    status = Path("/proc/self/status")  # ru_maxrss begins with what the parent had
    for line in status.read_text(encoding="utf-8").splitlines() if status.exists() else ():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def forget_peak() -> None:
    """Let nothing that was freed before hide what comes; where the system cannot, short texts seem to need less."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
