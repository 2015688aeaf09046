"""README's table of what splitters break: every one that is installed, on the documents of a folder.

python tests/figures/comparison.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from tables import read_folder, table

from mdchunk_core.compare import Settings, make_splitters
from mdchunk_core.compare.audit import compare
from mdchunk_core.compare.sheets import headline, sheets

SETTINGS = Settings(target=400, limit=512, overlap=0)


def main(folder: str) -> str:
    """The table, what it is of, and what could not be run."""
    splitters, missing = make_splitters([], SETTINGS)
    documents = read_folder(Path(folder))
    found = compare(documents.items(), splitters, limit=SETTINGS.limit, tokenizer=SETTINGS.counter, missing=missing)
    figures, *others = sheets(found)
    notes = [f"{sheet.title}: {' '.join(row)}" for sheet in others[:-1] for row in sheet.rows]
    return "\n".join([headline(found)[0], "", table(figures.columns, figures.rows), *notes]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1]))
