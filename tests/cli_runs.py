"""The command as people run it, for the tests of the command line."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from mdchunk_core.cli import main

COMMAND = [sys.executable, "-m", "mdchunk_core"]
PLAIN = {**{k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "COLUMNS")}, "TERM": "xterm-256color"}


class Done(NamedTuple):
    """What a run left behind."""

    returncode: int
    stdout: bytes
    stderr: bytes


def run(*args: object, data: bytes = b"") -> Done:
    """Run the command in this process, with streams of its own."""
    with streams(data) as (out, err):
        code = main([str(arg) for arg in args])
        sys.stdout.flush()
        sys.stderr.flush()
        return Done(code, out.getvalue(), err.getvalue())


@contextmanager
def streams(data: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Standard input, output and error, none of them a terminal, for the time of the block."""
    before = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), "utf-8")
    sys.stdout = io.TextIOWrapper(out, "utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(err, "utf-8", "backslashreplace", write_through=True)
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def chunks_of(output: bytes) -> list[dict[str, Any]]:
    """The chunks of a JSON Lines output."""
    return [json.loads(line) for line in output.decode("utf-8").split("\n") if line]
