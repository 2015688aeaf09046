from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)
pytest.importorskip("rich")
import fcntl
import pty
import termios

from cli_runs import COMMAND, PLAIN
from rich.cells import cell_len

from mdchunk_core.cli.terminal import explained, visible, where
from mdchunk_core.types import Chunk, Decision

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
WIDTH = 40


def on_terminal(*args: str, stdout: bool, stderr: bool, data: bytes = b"") -> tuple[bytes, str]:
    """What the command writes to a pipe, and to a terminal of WIDTH columns, where these streams are one."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, WIDTH, 0, 0))
    process = subprocess.Popen(
        [*COMMAND, *args],
        stdin=subprocess.PIPE,
        stdout=theirs if stdout else subprocess.PIPE,
        stderr=theirs if stderr else subprocess.PIPE,
        env={k: v for k, v in PLAIN.items() if k != "NO_COLOR"},
    )
    os.close(theirs)
    assert process.stdin is not None
    process.stdin.write(data)
    process.stdin.close()
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    piped = b"".join(stream.read() for stream in (process.stdout, process.stderr) if stream)
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()
    assert process.wait(30) == 0, shown
    return piped, shown.decode()


def plain(shown: str) -> str:
    return ESCAPES.sub("", shown).replace("\r\n", "\n")


def test_chunks_are_readable_on_a_terminal() -> None:
    _, shown = on_terminal("chunk", "-", stdout=True, stderr=True, data=b"# A\n\n## B\n\n- one\n- [two]\n")
    assert "\x1b[" in shown
    head, path, empty, *text = plain(shown).rstrip("\n").split("\n")
    assert re.fullmatch(r"── -:1-6  \d+ tokens", head)
    assert (path, empty) == ("A > B", "")
    assert text == ["# A", "", "## B", "", "- one", "- [two]"]
    assert "Chunking" not in shown  # a bar would run through the text


def test_wide_characters_are_folded_and_none_is_lost() -> None:
    body = "社員が出張する場合の旅費は、この規程に定めるところにより支給する。" * 4 + "😀"
    _, shown = on_terminal("chunk", "-", stdout=True, stderr=True, data=f"# 旅費規程\n\n{body}\n".encode())
    lines = plain(shown).split("\n")
    assert max(map(cell_len, lines)) <= WIDTH
    assert "旅費規程" in lines
    assert body in "".join(lines)


def test_decisions_stand_beside_the_text_also_where_there_are_none() -> None:
    _, shown = on_terminal("chunk", "-", "--explain", stdout=True, stderr=True, data=b"text\n")
    _head, path, why, _empty, *text = plain(shown).rstrip("\n").split("\n")
    assert path == "(no heading)"
    assert why.startswith("  ")
    assert text[-1] == "text"


def test_escape_sequences_of_a_document_are_shown_not_obeyed() -> None:
    _, shown = on_terminal("chunk", "-", stdout=True, stderr=True, data=b"# \x1b[2JA\n\n\x1b]0;title\x07x\x08y\n")
    assert "\x1b[2J" not in shown
    assert "\x1b]" not in shown
    assert r"\x1b]0;title\x07x\x08y" in plain(shown)


def test_a_bar_on_standard_error_only_where_that_is_a_terminal() -> None:
    piped, shown = on_terminal("chunk", "-", stdout=False, stderr=True, data=b"text\n")
    assert "Chunking" in shown
    assert piped.startswith(b"{")
    piped, shown = on_terminal("chunk", "-", stdout=True, stderr=False, data=b"text\n")
    assert piped == b""


def test_a_message_stands_above_the_bar(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes("Чтобы установить программу, выполните команду.".encode("cp1251"))
    _, shown = on_terminal("chunk", str(tmp_path), stdout=False, stderr=True)
    assert "read as cp1251" in re.sub(r"\s+", " ", plain(shown))


def a_chunk(*decisions: Decision, source: str | None = "a.md") -> Chunk:
    return Chunk("x", "", "", 0, 1, 3, 9, 1, ("A",), (("A",),), ("paragraph",), decisions=decisions, source=source)


def test_where_and_why() -> None:
    assert where(a_chunk()) == "a.md:3-9"
    assert where(a_chunk(source=None)) == "-:3-9"
    decision = Decision("forward", "heading -> body", line=3)
    assert explained(a_chunk(decision)) == ["line 3: forward_merge: heading -> body"]
    assert explained(a_chunk()) == ["no decisions: nothing was merged, cut or refused"]


def test_visible_keeps_line_ends_and_tabs() -> None:
    assert visible("a\r\nb\rc\td\ud800\x9b") == "a\nb\nc\td\\ud800\\x9b"
