"""The command `mdchunk`. What it needs beyond the library is in the extra `cli`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]

_EXTRA = ("charset_normalizer", "rich", "typer")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 1 some inputs failed, 2 usage, 3 output, 130 interrupted.

    `argv` is what follows the command's name; None takes it from the process.
    """
    try:
        from .app import run  # here, so that a missing extra is one line and not a traceback
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _EXTRA:
            raise
        sys.stderr.write(
            f'mdchunk: the command line needs {package}, which is not installed: pip install "mdchunk-core[cli]"\n'
        )
        return 2
    except KeyboardInterrupt:
        return 130
    return run(sys.argv[1:] if argv is None else argv)
