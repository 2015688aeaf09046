"""Documents and small doubles that the LangChain tests share."""

from __future__ import annotations

import os
import re
import zlib
from pathlib import Path

from langchain_core.embeddings import Embeddings

HANDBOOK = """\
---
title: Travel handbook
owner: people-team
tags: [travel, hotels]
---
# Travel

Everybody who travels for the company finds the rules here.

## Hotels

Valid from 2024-01-01.

| City | Limit per night | Breakfast |
|------|-----------------|-----------|
| Berlin | 140 | included |
| Lisbon | 120 | included |
| Osaka | 160 | extra |

The limits hold for single rooms.

## Trains

Second class up to four hours, first class above.

### Night trains

A sleeper replaces a hotel night:

- one berth in a shared cabin
- a single cabin above ten hours

## Code

```python
def limit(city):
    # not a heading
    return LIMITS[city]
```
"""

PLAIN = "\n".join(f"Line {n} of a plain text, which knows nothing of Markdown and goes on." for n in range(60))

HTML = (
    "<html><body><h1>Rates</h1><table><tr><th>Room</th><th>Rate</th></tr>"
    + "".join(f"<tr><td>Room {n}</td><td>{n * 3}</td></tr>" for n in range(80))
    + "</table><p>Rates are per night.</p></body></html>"
)

ODD = {
    "empty": "",
    "blank": " \n\n\t\n",
    "handbook": HANDBOOK,
    "crlf": HANDBOOK.replace("\n", "\r\n"),
    "plain": PLAIN,
    "html": HTML,
    "japanese": "# 旅費\n\n" + "宿泊費の上限は都市ごとに定めます。領収書が必要です。" * 30,
    "emoji": "👩‍👩‍👧‍👦" * 80,
    "one_line": "word " * 900,
    "no_space": "x" * 3000,
    "special_tokens": "Write <|endoftext|> and <|im_start|> as they are. " * 20,
}
"""Texts that splitters trip over."""


def visible(text: str) -> str:
    """The text without white space, for asking what is lost."""
    return re.sub(r"\s+", "", text)


def corpus() -> list[Path]:
    """Real documents: those beside the tests, or all below the folder that MDCHUNK_CORPUS names."""
    folder = Path(os.environ.get("MDCHUNK_CORPUS", Path(__file__).parents[1] / "data" / "corpus"))
    return sorted(path for path in folder.rglob("*") if path.suffix in (".md", ".mdx", ".markdown"))


class WordEmbeddings(Embeddings):
    """Hashed word counts: enough for a query to find the text that shares its words, and the same everywhere."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        vector = [0.0] * 512
        for word in re.findall(r"\w+", text.lower()):
            vector[zlib.crc32(word.encode()) % 512] += 1.0
        size = sum(value * value for value in vector) ** 0.5 or 1.0
        return [value / size for value in vector]
