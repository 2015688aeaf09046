"""What is to be read: files, folders, standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from .encodings import Decoded, UndecodableError, decode

__all__ = ["Found", "UnreadableError", "find", "read_document"]

SUFFIXES = (".md", ".mdx", ".markdown")
STANDARD_INPUT = "-"


class UnreadableError(Exception):
    """An input that cannot be read; the message says why, without its name."""


class Found(NamedTuple):
    """An input, or what is wrong with it."""

    name: str
    """The path as given, or joined to the folder as given, with forward slashes; `-` for standard input."""
    problem: str = ""


def find(paths: Sequence[str]) -> list[Found]:
    """The documents that the paths stand for, in the order given, a folder's sorted by name; each only once.

    Files are taken whatever their suffix. Of a folder, all that is below it and ends in one of SUFFIXES, in upper or
    lower case; hidden files and folders are left out, and links to folders are not followed.
    """
    found: dict[str, Found] = {}
    for path in paths:
        is_folder = path != STANDARD_INPUT and Path(path).is_dir()
        for document in _in_folder(path) if is_folder else [Found(path.replace(os.sep, "/"))]:
            found.setdefault(os.path.abspath(document.name) + document.problem, document)  # noqa: PTH100 -- keeps links
    return list(found.values())


def _in_folder(folder: str) -> list[Found]:
    failed: list[Found] = []

    def note(error: OSError) -> None:
        failed.append(Found(str(error.filename or folder).replace(os.sep, "/"), _reason(error)))

    documents: list[Found] = []
    for at, folders, files in os.walk(folder, onerror=note):
        folders[:] = [name for name in folders if not name.startswith(".")]
        documents += [
            Found(os.path.join(at, name).replace(os.sep, "/"))  # noqa: PTH118 -- Path would drop a leading "./"
            for name in files
            if name.lower().endswith(SUFFIXES) and not name.startswith(".")
        ]
    if not documents and not failed:
        failed.append(Found(folder, f"no {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} files in this folder"))
    return sorted(documents, key=lambda document: document.name.split("/")) + failed


def read_document(name: str, encoding: str | None) -> Decoded:
    """The text of an input. Raises UnreadableError."""
    try:
        data = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
        return decode(data, encoding)
    except OSError as error:
        raise UnreadableError(_reason(error)) from None
    except UndecodableError as error:
        raise UnreadableError(str(error)) from None
    except ValueError as error:  # a NUL in the name
        raise UnreadableError(str(error)) from None


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
