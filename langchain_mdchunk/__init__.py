"""mdchunk as a LangChain text splitter."""

from .splitter import MarkdownChunkSplitter

__all__ = ["MarkdownChunkSplitter"]
