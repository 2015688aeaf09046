"""Runs what README shows. `python tests/readme_blocks.py --update` writes the outputs as they are now."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BLOCK = re.compile(r"^```(sh|console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def shell(command: str) -> str:
    """Standard output of a command, run from the root of the repository with this Python's `python` and `mdchunk`."""
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in (("python", ""), ("mdchunk", " -m mdchunk_core")):
            script = Path(folder, name)
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n')
            script.chmod(0o755)
        environment = {**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"]}
        done = subprocess.run(["sh", "-c", command], cwd=ROOT, env=environment, capture_output=True, check=True)
    return done.stdout.decode("utf-8")


def run_console(body: str) -> str:
    """A console block with its outputs as they are now."""
    commands = re.findall(r"^\$ (.*)\n", body, re.MULTILINE)
    return "".join(f"$ {command}\n{shell(command)}" for command in commands)


def run_python(body: str, names: dict[str, object]) -> str:
    """A Python session with its outputs as they are now. Later blocks see the names of earlier ones."""
    outputs: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.report_failure = lambda out, test, example, got: outputs.append(got)  # type: ignore[method-assign,assignment]
    runner.report_success = lambda out, test, example, got: outputs.append(got)  # type: ignore[method-assign,assignment]
    test = doctest.DocTestParser().get_doctest(body, names, "README", str(README), 0)
    here = Path.cwd()
    os.chdir(ROOT)
    try:
        runner.run(test, clear_globs=False)
    finally:
        os.chdir(here)
    names.update(test.globs)
    shown = ""
    for example, output in zip(test.examples, outputs, strict=True):
        first, *further = example.source.rstrip("\n").split("\n")
        shown += "\n".join([f">>> {first}", *(f"... {line}" for line in further)]) + "\n" + output
    return shown


def current() -> str:
    """README with every output as it is now."""
    names: dict[str, object] = {}

    def replace(match: re.Match[str]) -> str:
        kind, body = match.groups()
        if kind == "console":
            body = run_console(body)
        elif kind == "python":
            body = run_python(body, names)
        return f"```{kind}\n{body}```"

    return BLOCK.sub(replace, README.read_text(encoding="utf-8"))


if __name__ == "__main__" and sys.argv[1:] == ["--update"]:
    README.write_text(current(), encoding="utf-8")
