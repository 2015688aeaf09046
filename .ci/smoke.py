"""Chunk a document with the installed wheel, from Python and from the command line; run outside the checkout."""

import json
import subprocess
import sys
from pathlib import Path

import mdchunk_core
from mdchunk_core import MarkdownChunker

TEXT = "# Prices\n\n" + "| item | price |\n| --- | --- |\n" + "| tea | 4 EUR |\n" * 120 + "\nValid from May.\n" * 3

assert Path(mdchunk_core.__file__).is_relative_to(sys.prefix), mdchunk_core.__file__
for name in ("cl100k_base", "o200k_base"):
    chunks = MarkdownChunker(max_tokens=128, overlap_tokens=0, tokenizer=name).chunk(TEXT, source="prices.md")
    assert len(chunks) > 3, len(chunks)
    for chunk in chunks:
        assert chunk.prefix + TEXT[chunk.start_char : chunk.end_char] + chunk.suffix == chunk.text
        assert 0 < chunk.token_count <= 128

Path("prices.md").write_text(TEXT, encoding="utf-8")
done = subprocess.run([sys.argv[1], "chunk", "prices.md", "--max", "128"], capture_output=True, text=True, check=True)
rows = [json.loads(line) for line in done.stdout.splitlines()]
assert len(rows) > 3, done.stdout
print(f"{len(chunks)} chunks from Python, {len(rows)} from the command line")
