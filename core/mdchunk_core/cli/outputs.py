"""Where the result goes: standard output, or a file that is written whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["FileOutput", "OutputError", "StandardOutput", "open_output"]


class OutputError(Exception):
    """The output cannot be opened; the message says why."""


class StandardOutput:
    """Standard output, as bytes: UTF-8 and line feeds, whatever the locale says."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self.stream: BinaryIO = sys.stdout.buffer

    def commit(self) -> None:
        """Hand over what is still in the buffer."""
        self.stream.flush()

    def discard(self) -> None:
        """Forget what is still in the buffer, so that closing it at exit cannot fail once more."""
        with suppress(OSError, ValueError):  # no descriptor where a caller has put something else there
            descriptor = sys.stdout.fileno()
            hole = os.open(os.devnull, os.O_WRONLY)
            os.dup2(hole, descriptor)
            os.close(hole)


class FileOutput:
    """A file beside its final place, which it takes by `commit`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.draft = path.with_name(f".mdchunk-{secrets.token_hex(8)}.tmp")
        self.stream: BinaryIO = self.draft.open("xb")  # an own name, not tempfile's: that one's files are private

    def commit(self) -> None:
        """Put the whole file in its place, in one step, with the permissions of what was there."""
        self.stream.flush()
        os.fsync(self.stream.fileno())
        self.stream.close()
        with suppress(FileNotFoundError):
            shutil.copymode(self.path, self.draft)
        self.draft.replace(self.path)

    def discard(self) -> None:
        """Leave nothing behind, and what was there before as it was."""
        with suppress(OSError):
            self.stream.close()
        self.draft.unlink(missing_ok=True)


class _DeviceOutput(StandardOutput):
    """A pipe or device by its name: nothing can take its place."""

    def __init__(self, path: Path) -> None:
        self.stream = path.open("wb")

    def commit(self) -> None:
        self.stream.close()

    def discard(self) -> None:
        with suppress(OSError):
            self.stream.close()


def open_output(name: str | None) -> StandardOutput | FileOutput:
    """The output of this name; None and `-` are standard output. Raises OutputError before any work is done."""
    if name is None or name == "-":
        return StandardOutput()
    path = Path(name)
    try:
        if path.is_dir():
            raise OutputError("is a folder")
        if path.exists() and not path.is_file():
            return _DeviceOutput(path)
        path = path.resolve()  # a link stays a link: what it points to is replaced
        if not path.parent.is_dir():
            raise OutputError(f"no such folder: {Path(name).parent}")
        return FileOutput(path)
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a circle
        raise OutputError(getattr(error, "strerror", None) or str(error)) from None
