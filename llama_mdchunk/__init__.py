"""mdchunk as a LlamaIndex node parser."""

from ._callables import register_tokenizer
from .diff import NodeDiff, diff_nodes
from .parser import MarkdownChunkNodeParser

__all__ = ["MarkdownChunkNodeParser", "NodeDiff", "diff_nodes", "register_tokenizer"]
