"""The commands, put together."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Sequence
from types import FrameType
from typing import Annotated

import typer

from .. import __version__
from .chunk import chunk
from .compare import compare
from .eval import evaluate
from .exits import EPILOG, INTERRUPTED, OK, OUTPUT_FAILED, TERMINATED, USAGE, say
from .preview import preview
from .report import report

__all__ = ["app", "run"]

app = typer.Typer(name="mdchunk", add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich")
app.command(epilog=EPILOG)(chunk)
app.command(epilog=EPILOG)(report)
app.command(epilog=EPILOG)(compare)
app.command(epilog=EPILOG)(preview)
app.command("eval", epilog=EPILOG)(evaluate)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mdchunk {__version__}")
        raise typer.Exit(OK)


@app.callback(epilog=EPILOG)
def _commands(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Cut Markdown into chunks for retrieval: whole blocks, inside a token limit, with headings and line numbers."""


def run(argv: Sequence[str]) -> int:
    """Run one command and return its exit code. What is wrong with the arguments is said in one line."""
    in_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, _terminate) if in_main else None
    try:
        result = app(list(argv) or ["--help"], prog_name="mdchunk", standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except typer.Exit as stop:
        return stop.exit_code
    except BrokenPipeError:
        return OUTPUT_FAILED
    except Exception as error:
        # Usage errors have no public base class that every version of typer shares; this method they all have.
        if not hasattr(error, "format_message"):
            raise
        say(f"{error.format_message()} (try mdchunk --help, mdchunk chunk --help)")
        return USAGE
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)
    return result if isinstance(result, int) else OK


def _terminate(number: int, frame: FrameType | None) -> None:
    """Leave as by an exception, so that an unfinished output file is removed."""
    sys.exit(TERMINATED)
