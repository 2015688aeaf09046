"""The retry table of `data/webhooks.md`, cut at a fixed number of tokens and cut by mdchunk. README shows the output.

python tests/before_after.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import tiktoken

from mdchunk_core import MarkdownChunker
from mdchunk_core._encodings import bundled_encoding

DOCUMENT = Path(__file__).parent / "data" / "webhooks.md"
LIMIT = 512
ROW = "| 429 |"
"""What a search for "webhook retry 429" should find."""


def fixed_chunks(text: str, encoding: tiktoken.Encoding, size: int = LIMIT) -> list[str]:
    """The recipe of many tutorials: so many tokens, whatever stands there."""
    tokens = encoding.encode(text)
    return [encoding.decode(tokens[i : i + size]) for i in range(0, len(tokens), size)]


def table_in(chunk: str) -> str:
    """The lines of a chunk from the first to the last that belongs to the table."""
    lines = chunk.split("\n")
    rows = [number for number, line in enumerate(lines) if line.count("|") >= 2]
    return "\n".join(lines[rows[0] : rows[-1] + 1])


def compare() -> str:
    """Both cuts of the document, as far as they show the table."""
    text = DOCUMENT.read_text(encoding="utf-8")
    encoding = bundled_encoding("o200k_base")  # gpt-4o's
    before = fixed_chunks(text, encoding)
    after = MarkdownChunker(max_tokens=LIMIT, tokenizer=encoding).chunk(text)
    (torn,) = [chunk for chunk in before if has_row(chunk)]
    (whole,) = [chunk for chunk in after if has_row(chunk.text)]
    return f"""\
BEFORE: every {LIMIT} tokens, {len(before)} chunks. The one with the row for 429 begins:

{torn[: torn.index(table_in(torn)) + len(table_in(torn))]}

AFTER: mdchunk, at most {LIMIT} tokens, {len(after)} chunks. The one with the row for 429 has lines {whole.start_line} \
to {whole.end_line}, {whole.token_count} tokens,
stands under {" > ".join(whole.heading_path)}, and has the whole table:

{table_in(whole.text)}
"""


def has_row(chunk: str) -> bool:
    """Whether the chunk shows the row that answers the question."""
    return ROW in chunk


if __name__ == "__main__":
    sys.stdout.write(compare())
