"""Documents and small doubles that the LlamaIndex tests share."""

from __future__ import annotations

import os
import re
import zlib
from pathlib import Path
from typing import Any

from llama_index.core import Document
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.schema import BaseNode, MetadataMode
from llama_index.core.utils import get_tokenizer
from pydantic import Field

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

LONG = "# Rates\n\nAll rates of the house.\n\n" + "".join(
    f"## Season {season}\n\n| Room | Rate |\n|---|---|\n"
    + "".join(f"| room {season}-{n} | {n * season} EUR |\n" for n in range(1, 41))
    + f"\nSeason {season} starts in month {season}. It has its own rules, and they are read at the desk.\n\n"
    for season in range(1, 5)
)
"""Tables that are cut, with their header repeated."""

ODD = {
    "blank": " \n\n\t\n",
    "handbook": HANDBOOK,
    "long": LONG,
    "crlf": LONG.replace("\n", "\r\n"),
    "repeated": "# A\n\nSame text.\n\n" * 40,
    "indented": "    code at the start\n\ntext\n\n" * 30,
    "plain": "\n".join(f"Line {n} of a plain text, which knows nothing of Markdown and goes on." for n in range(60)),
    "japanese": "# 旅費\n\n" + "宿泊費の上限は都市ごとに定めます。領収書が必要です。" * 30,
    "emoji": "👩‍👩‍👧‍👦" * 80,
    "one_line": "word " * 900,
    "no_space": "x" * 3000,
    "special_tokens": "Write <|endoftext|> and <|im_start|> as they are. " * 20,
    "slashes": "# /\n\n" + "/// comment\n\n" * 60,
    "braces": "# {content}\n\n" + "{metadata_str} and {0} " * 60,
}
"""Texts that splitters trip over."""

_ENCODING = get_tokenizer().func.__self__  # type: ignore[attr-defined]  # cl100k_base, which LlamaIndex ships


def tokens(text: str) -> int:
    """Tokens of cl100k_base, counted without our package."""
    return len(_ENCODING.encode(text, disallowed_special=()))


def embedded(node: BaseNode) -> str:
    """What the embedding model gets."""
    return node.get_content(metadata_mode=MetadataMode.EMBED)


def shown(node: BaseNode) -> str:
    """What the LLM gets."""
    return node.get_content(metadata_mode=MetadataMode.LLM)


def words(text: str) -> list[str]:
    """A tokenizer that other processes can import."""
    return text.split()


def characters(text: str) -> int:
    """Another."""
    return len(text)


def numbered(i: int, doc: BaseNode) -> str:
    """An id function that other processes can import."""
    return f"{doc.node_id}-{i}"


def numbered_node(i: int, *, node: BaseNode) -> str:
    """One that calls the document what llama-index-node-parser-docling calls it."""
    return f"{node.node_id}:{i}"


def view(nodes: Any) -> list[tuple[Any, ...]]:
    """All that tells nodes apart."""
    return [(n.node_id, n.text, n.start_char_idx, n.end_char_idx, n.metadata, embedded(n), shown(n)) for n in nodes]


def document(text: str = HANDBOOK, **fields: Any) -> Document:
    """A document with an id."""
    return Document(text=text, **{"id_": "handbook.md", **fields})


def corpus() -> list[Path]:
    """Real documents: those beside the tests, or all below the folder that MDCHUNK_CORPUS names."""
    folder = Path(os.environ.get("MDCHUNK_CORPUS", Path(__file__).parents[1] / "data" / "corpus"))
    return sorted(path for path in folder.rglob("*") if path.suffix in (".md", ".mdx", ".markdown"))


class WordEmbedding(BaseEmbedding):
    """Hashed word counts: enough for a query to find the text that shares its words. Keeps what it was given."""

    seen: list[str] = Field(default_factory=list)

    def _get_text_embedding(self, text: str) -> list[float]:
        self.seen.append(text)
        return self._get_query_embedding(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        vector = [0.0] * 512
        for word in re.findall(r"\w+", query.lower()):
            vector[zlib.crc32(word.encode()) % 512] += 1.0
        size = sum(value * value for value in vector) ** 0.5 or 1.0
        return [value / size for value in vector]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)
