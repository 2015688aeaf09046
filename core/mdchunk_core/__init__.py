"""Cut Markdown into retrieval chunks at the boundaries of its structure."""

from .chunker import MarkdownChunker
from .errors import ConfigError, MdchunkError, TokenizerUnavailable
from .reassemble import reassemble
from .signals import Signal
from .types import Chunk, Decision

__all__ = [
    "Chunk",
    "ConfigError",
    "Decision",
    "MarkdownChunker",
    "MdchunkError",
    "Signal",
    "TokenizerUnavailable",
    "__version__",
    "reassemble",
]

__version__ = "0.1.0"
