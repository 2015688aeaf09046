from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("typer")
from cli_runs import COMMAND, PLAIN, chunks_of, run
from typer.testing import CliRunner

import mdchunk_core
from mdchunk_core import MarkdownChunker
from mdchunk_core.cli.app import app
from mdchunk_core.cli.exits import OPTIONS

DOCUMENT = Path(__file__).parent / "data" / "webhooks.md"
posix = pytest.mark.skipif(os.name != "posix", reason="named pipes and signals")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, data: bytes | str = "# A\n\ntext\n") -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(data.encode() if isinstance(data, str) else data)


# --- what comes out ---------------------------------------------------------------------------------------------------


def test_json_lines_in_a_pipe_are_the_librarys_chunks() -> None:
    done = run("chunk", DOCUMENT)
    text = DOCUMENT.read_bytes().decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert chunks_of(done.stdout) == [chunk.to_dict() for chunk in MarkdownChunker().chunk(text, source=str(DOCUMENT))]


def test_every_option_reaches_the_chunker(here: Path) -> None:
    write("a.md", DOCUMENT.read_bytes())
    done = run("chunk", "a.md", "--target", 60, "--max", 90, "--min", 20, "--overlap", 10, "--tokenizer", "o200k_base",
               "--heading-context", "prefix", "--note-context", "suffix", "--merge-across", "never")  # fmt: skip
    chunker = MarkdownChunker(target_tokens=60, max_tokens=90, min_tokens=20, overlap_tokens=10, tokenizer="o200k_base",
                              heading_context="prefix", note_context="suffix", merge_across="never")  # fmt: skip
    text = DOCUMENT.read_bytes().decode()
    assert chunks_of(done.stdout) == [chunk.to_dict() for chunk in chunker.chunk(text, source="a.md")]
    done = run("chunk", "a.md", "--preset", "faq", "--overlap", 0)
    chunker = MarkdownChunker.preset("faq", overlap_tokens=0)
    assert chunks_of(done.stdout) == [chunk.to_dict() for chunk in chunker.chunk(text, source="a.md")]


def test_a_json_array(here: Path) -> None:
    write("a.md")
    write("b.md")
    array = json.loads(run("chunk", ".", "--format", "json").stdout)
    assert array == chunks_of(run("chunk", ".").stdout)
    write("empty.md", "")
    assert json.loads(run("chunk", "empty.md", "--format", "json").stdout) == []


def test_lines(here: Path) -> None:
    write("a.md", "# H1\n## H2\n\ntext\n```\n# no heading\n```\n")
    done = run("chunk", "a.md", "--format", "lines")
    assert done.stdout.decode().split("\n") == [
        "[H1:H2:L04]text", "[H1:H2:L05]```", "[H1:H2:L06]# no heading", "[H1:H2:L07]```", "",
    ]  # fmt: skip


def test_text_and_explain(here: Path) -> None:
    write("a.md", "# A\n\ntext\n")
    shown = run("chunk", "a.md", "--format", "text").stdout.decode()
    tokens = MarkdownChunker().chunk("# A\n\ntext\n")[0].token_count
    assert shown == f"--- a.md:1-3  {tokens} tokens\nA\n\n# A\n\ntext\n\n"
    explained = run("chunk", "a.md", "--format", "text", "--explain").stdout.decode()
    head, _, body = explained.partition("\n\n")
    assert len(head.split("\n")) > 2
    assert body == "# A\n\ntext\n\n"


def test_windows_line_endings_are_kept(here: Path) -> None:
    write("a.md", "# A\r\n\r\none\r\ntwo\r\n")
    (chunk,) = chunks_of(run("chunk", "a.md").stdout)
    assert chunk["text"] == "# A\r\n\r\none\r\ntwo"
    assert (chunk["start_line"], chunk["end_line"]) == (1, 4)


def test_output_is_utf8_whatever_the_locale(here: Path) -> None:
    write("a.md", "# 見出し\n\nGrüße 😀\n")
    done = subprocess.run([*COMMAND, "chunk", "a.md"], capture_output=True, check=True,
                          env={**PLAIN, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"})  # fmt: skip
    assert "見出し" in done.stdout.decode()
    assert "Grüße 😀" in done.stdout.decode()


def test_lone_surrogates_do_not_stop_it(here: Path) -> None:
    name = "\udcff.md"  # what Python makes of a file name that is not UTF-8
    write("b.md")
    Path("b.md").rename(name)
    done = run("chunk", ".")
    (chunk,) = chunks_of(done.stdout)
    assert (done.returncode, chunk["source"]) == (0, "./" + name)
    for form in ("json", "text", "lines"):
        assert run("chunk", ".", "--format", form).returncode == 0


def test_line_separators_of_unicode_do_not_break_a_line(here: Path) -> None:
    write("a.md", "a\u2028b\u2029c\x85d\x0ce")
    done = run("chunk", "a.md")
    assert len(done.stdout.decode().splitlines()) == 1
    assert chunks_of(done.stdout)[0]["text"] == "a\u2028b\u2029c\x85d\x0ce"


def test_json_has_no_numbers_that_json_has_not(here: Path) -> None:
    write("a.md", "---\nscore: .nan\nmost: .inf\n---\ntext\n")

    def refuse(name: str) -> None:
        raise AssertionError(name)

    json.loads(run("chunk", "a.md").stdout, parse_constant=refuse)


# --- what goes in -----------------------------------------------------------------------------------------------------


def test_folders_files_and_their_names(here: Path) -> None:
    for path in ("docs/b.md", "docs/a/z.MDX", "docs/a.markdown", "docs/no.txt", "docs/.hidden/x.md", "docs/.x.md",
                 "docs/c/d/e.md", "other.txt"):  # fmt: skip
        write(path)
    done = run("chunk", "docs/", "./docs/no.txt", "docs/b.md", here / "other.txt")
    assert [chunk["source"] for chunk in chunks_of(done.stdout)] == [
        "docs/a/z.MDX", "docs/a.markdown", "docs/b.md", "docs/c/d/e.md", "./docs/no.txt", str(here / "other.txt"),
    ]  # fmt: skip
    os.chdir("docs/c")
    assert [chunk["source"] for chunk in chunks_of(run("chunk", ".").stdout)] == ["./d/e.md"]


def test_standard_input() -> None:
    done = run("chunk", "-", data="# A\r\n\r\nGrüße".encode())
    (chunk,) = chunks_of(done.stdout)
    assert (chunk["source"], chunk["text"]) == ("-", "# A\r\n\r\nGrüße")
    assert run("chunk", "-").stdout == b""


def test_bad_inputs_are_named_and_do_not_stop_the_rest(here: Path) -> None:
    write("docs/a.md")
    write("docs/b.md", b"\x89PNG\r\n\x1a\n\0\0")
    write("docs/c.md", "ü".encode()[:1] + "日本語日本語".encode())
    Path("docs/d.md").symlink_to("nowhere")
    write("docs/e.md")
    Path("empty").mkdir()
    done = run("chunk", "docs", "missing.md", "empty", "bad\nname", "-o", "out.jsonl")
    assert done.returncode == 1
    assert [chunk["source"] for chunk in chunks_of(Path("out.jsonl").read_bytes())] == ["docs/a.md", "docs/e.md"]
    said = done.stderr.decode().splitlines()
    assert [line.split(": ")[:2] for line in said] == [
        ["mdchunk", name] for name in ("docs/b.md", "docs/c.md", "docs/d.md", "missing.md", "empty", "bad\\x0aname")
    ]
    assert "binary" in said[0]
    assert "byte 0xc3 at offset 0" in said[1]
    assert said[3] == "mdchunk: missing.md: No such file or directory"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_files_that_may_not_be_read(here: Path) -> None:
    write("a.md")
    Path("a.md").chmod(0)
    done = run("chunk", "a.md")
    assert (done.returncode, done.stderr) == (1, b"mdchunk: a.md: Permission denied\n")


def test_a_detected_encoding_is_said_and_one_given_is_not(here: Path) -> None:
    text = "# Установка\n\nЧтобы установить программу, выполните следующую команду в терминале.\n"
    write("a.md", text.encode("cp1251"))
    done = run("chunk", "a.md")
    assert chunks_of(done.stdout)[0]["heading_path"] == ["Установка"]
    assert done.stderr == b"mdchunk: a.md: not UTF-8 (byte 0xd3 at offset 2), read as cp1251\n"
    assert run("chunk", "a.md", "--encoding", "cp1251").stderr == b""


def test_a_byte_order_mark_is_not_text(here: Path) -> None:
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        write("a.md", "---\ntitle: ä\n---\n# A\n".encode(encoding))
        (chunk,) = chunks_of(run("chunk", "a.md").stdout)
        assert (chunk["text"], chunk["metadata"]) == ("# A", {"title": "ä"})


def test_a_mistake_of_ours_does_not_stop_the_rest(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.md")
    write("b.md")
    real = MarkdownChunker.chunk

    def fails_on_a(self: MarkdownChunker, text: str, *, source: str) -> object:
        if source == "a.md":
            raise RecursionError("too deep")
        return real(self, text, source=source)

    monkeypatch.setattr(MarkdownChunker, "chunk", fails_on_a)
    done = run("chunk", "a.md", "b.md")
    assert done.returncode == 1
    assert chunks_of(done.stdout)[0]["source"] == "b.md"
    assert done.stderr == b"mdchunk: a.md: internal error, please report it: RecursionError: too deep\n"


# --- where it goes ----------------------------------------------------------------------------------------------------


def test_an_output_file_is_whole_and_has_usual_permissions(here: Path) -> None:
    write("a.md")
    write("plain.txt")
    assert run("chunk", "a.md", "-o", "out.jsonl").stdout == b""
    assert Path("out.jsonl").read_bytes() == run("chunk", "a.md").stdout
    assert Path("out.jsonl").stat().st_mode == Path("plain.txt").stat().st_mode
    Path("out.jsonl").chmod(0o640)
    run("chunk", "a.md", "-o", "out.jsonl")
    assert Path("out.jsonl").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in here.iterdir()) == ["a.md", "out.jsonl", "plain.txt"]


def test_a_link_stays_a_link(here: Path) -> None:
    write("a.md")
    write("real/out.jsonl", "old")
    Path("link.jsonl").symlink_to("real/out.jsonl")
    assert run("chunk", "a.md", "-o", "link.jsonl").returncode == 0
    assert Path("link.jsonl").is_symlink()
    assert Path("real/out.jsonl").read_bytes() == run("chunk", "a.md").stdout


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="a name for standard output")
def test_a_pipe_by_its_name(here: Path) -> None:
    write("a.md")
    command = [*COMMAND, "chunk", "a.md", "-o", "/dev/stdout"]
    done = subprocess.run(command, capture_output=True, check=True, env=PLAIN)
    assert done.stdout == run("chunk", "a.md", "-o", "-").stdout
    assert [path.name for path in here.iterdir()] == ["a.md"]


@pytest.mark.parametrize(
    ("output", "reason"),
    [("no/such/out.jsonl", "no such folder: no/such"), ("folder", "is a folder"), ("a.md", "is also an input")],
)
def test_bad_outputs_are_refused_before_any_work(here: Path, output: str, reason: str) -> None:
    write("a.md")
    Path("folder").mkdir()
    done = run("chunk", "a.md", "missing.md", "-o", output)  # missing.md is not even looked at
    assert (done.returncode, done.stderr.decode()) == (2, f"mdchunk: --output {output}: {reason}\n")
    assert sorted(path.name for path in here.iterdir()) == ["a.md", "folder"]


def test_nothing_is_left_where_writing_fails(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.md")
    write("out.jsonl", "before")

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("mdchunk_core.cli.outputs.os.fsync", full)
    done = run("chunk", "a.md", "-o", "out.jsonl")
    assert done.returncode == 3
    assert done.stderr == b"mdchunk: out.jsonl: cannot be written: No space left on device\n"
    assert Path("out.jsonl").read_text() == "before"
    assert sorted(path.name for path in here.iterdir()) == ["a.md", "out.jsonl"]


def test_nothing_is_written_where_no_input_could_be_read(here: Path) -> None:
    write("out.jsonl", "before")
    assert run("chunk", "missing.md", "-o", "out.jsonl").returncode == 1
    assert Path("out.jsonl").read_text() == "before"
    assert [path.name for path in here.iterdir()] == ["out.jsonl"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is full")
def test_a_full_device_is_one_line_and_exit_code_3() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "chunk", DOCUMENT], stdout=full, stderr=subprocess.PIPE, check=False, env=PLAIN
        )
    assert done.returncode == 3
    assert done.stderr == b"mdchunk: standard output: cannot be written: No space left on device\n"


@posix
def test_a_closed_pipe_is_quiet(here: Path) -> None:
    for number in range(60):
        write(f"{number:02}.md", DOCUMENT.read_bytes())
    with subprocess.Popen(
        [*COMMAND, "chunk", "."], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=PLAIN
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, b"")


@posix
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_leaves_nothing(here: Path, number: int, code: int) -> None:
    os.mkfifo("endless.md")
    command = [*COMMAND, "chunk", "endless.md", "-o", "out.jsonl"]
    # A job in the background of a script is started with SIGINT ignored, and so would be what it starts.
    before = signal.signal(number, signal.SIG_DFL)
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=PLAIN) as process:
        signal.signal(number, before)
        try:
            deadline = time.monotonic() + 30
            while not list(here.glob(".mdchunk-*")) and time.monotonic() < deadline:
                time.sleep(0.02)
            started = list(here.glob(".mdchunk-*"))
            time.sleep(0.1)
            process.send_signal(number)
            _, said = process.communicate(timeout=30)
        finally:
            process.kill()
    assert started
    assert process.returncode == code
    assert said in (b"mdchunk: interrupted\n", b"")
    assert [path.name for path in here.iterdir()] == ["endless.md"]


@posix
def test_documents_are_written_as_they_are_done(here: Path) -> None:
    write("a.md")
    os.mkfifo("b.md")
    with subprocess.Popen([*COMMAND, "chunk", "a.md", "b.md"], stdout=subprocess.PIPE, env=PLAIN) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        Path("b.md").write_text("# B\n")
        second = process.stdout.readline()
    assert [json.loads(line)["source"] for line in (first, second)] == ["a.md", "b.md"]
    assert process.returncode == 0


# --- how it is called -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--max", 5], "--max 5: at least 8 is needed"),
        (["--target", 600, "--max", 512], "--target 600: at most --max, 512, is allowed"),
        (["--overlap", 400, "--target", 400], "--overlap 400: 0 to below --target, 400, is allowed"),
        (["--min", -1], "--min -1: 0 to --target, 400, is allowed"),
        (["--preset", "novel"], "--preset novel: one of 'faq', "),
        (["--merge-across", "all"], "--merge-across all: one of 'never', 'siblings', 'any' is needed"),
        (["--heading-context", "x"], "--heading-context x: one of 'metadata', 'prefix' is needed"),
        (["--note-context", "x"], "--note-context x: one of 'metadata', 'suffix' is needed"),
        (["--format", "xml"], "--format xml: one of jsonl, json, text, lines is needed"),
        (["--encoding", "klingon"], "--encoding klingon: a text encoding that Python knows is needed"),
        (["--encoding", "hex"], "--encoding hex: a text encoding that Python knows is needed"),
        (["--target", "many"], "Invalid value for '--target'"),
        (["--nonsense"], "No such option: --nonsense"),
    ],
)
def test_wrong_options_are_one_line(arguments: list[object], said: str) -> None:
    done = run("chunk", DOCUMENT, *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"mdchunk: {said}")


def test_an_unknown_tokenizer_is_named() -> None:
    done = run("chunk", DOCUMENT, "--tokenizer", "no-such-tokenizer")
    assert done.returncode == 2
    assert b"no-such-tokenizer" in done.stderr
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.decode().splitlines()) == 1


def test_no_paths_and_no_command() -> None:
    done = run("chunk")
    assert done.returncode == 2
    assert done.stderr.startswith(b"mdchunk: Missing argument")
    assert run("nonsense").returncode == 2
    assert b"chunk" in run().stdout


def test_version_and_help() -> None:
    assert run("--version").stdout.decode().strip() == f"mdchunk {mdchunk_core.__version__}"
    shown = run("chunk", "--help")
    assert shown.returncode == 0
    flat = re.sub(r"[\s│]+", " ", shown.stdout.decode())
    for option in OPTIONS.values():
        assert option in flat
    for words in ("Exit codes: 0 ", "1 some inputs failed", "2 wrong usage", "3 the output", "130 interrupted"):
        assert words in flat


def test_the_module_and_the_commands_name_are_the_same() -> None:
    done = subprocess.run([*COMMAND, "chunk", DOCUMENT], capture_output=True, check=True, env=PLAIN)
    assert done.stdout == run("chunk", DOCUMENT).stdout
    assert done.stdout


def test_typers_runner_sees_the_same_command(here: Path) -> None:
    write("a.md")
    result = CliRunner().invoke(app, ["chunk", "a.md", "missing.md"])
    assert result.exit_code == 1
    assert run("chunk", "a.md").stdout in result.stdout_bytes  # which holds standard error too, in some versions
    assert "missing.md" in result.output


@pytest.mark.parametrize("package", ["typer", "rich", "charset_normalizer"])
def test_a_missing_extra_is_one_line(package: str) -> None:
    hide = f"import sys; sys.modules[{package!r}] = None; from mdchunk_core.cli import main"
    program = f"{hide}; sys.exit(main(['chunk', 'x']))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, env=PLAIN)
    assert done.returncode == 2
    assert done.stderr.decode() == (
        f'mdchunk: the command line needs {package}, which is not installed: pip install "mdchunk-core[cli]"\n'
    )


def test_the_library_does_not_load_the_command_line() -> None:
    program = "import sys, mdchunk_core; print({'typer', 'rich', 'charset_normalizer'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, env=PLAIN)
    assert done.stdout.strip() == b"set()"
