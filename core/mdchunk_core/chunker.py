"""The whole pipeline in one place: source -> blocks -> sections -> pieces -> groups -> chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .blocks import parse
from .chunks import Document, make_chunks
from .context import heading_contexts
from .errors import ConfigError
from .measure import Measure
from .merging import bonds
from .notes import notes
from .options import PRESETS, SMALLEST_LIMIT, HeadingContext, MergeAcross, NoteContext, Sizes, fill_sizes, one_of
from .overlap import wishes
from .packing import pack
from .pages import furniture, pages
from .pieces import Layout, cut_blocks
from .sections import outline
from .signals import Signal
from .source import read
from .tokens import Tokenizer, TokenizerLike, resolve
from .types import Chunk

__all__ = ["MarkdownChunker"]


@dataclass(frozen=True, kw_only=True)
class MarkdownChunker:
    r"""Cuts Markdown documents into chunks that are whole, within a token limit, and know where they come from.

    Immutable, cheap to build, safe to share between threads, picklable. Raises ConfigError where an option cannot
    work, and TokenizerUnavailable where the tokenizer cannot be had.

    >>> chunker = MarkdownChunker(target_tokens=400, max_tokens=512)
    >>> [chunk.heading_path for chunk in chunker.chunk("# Travel\n\n## Hotels\n\nBook early.")]
    [('Travel', 'Hotels')]
    """

    target_tokens: int | None = None
    """Soft size, in tokens: 400. Exceeded only to keep a block or a section whole or to swallow an orphan."""
    max_tokens: int | None = None
    """Hard limit of `chunk.text`, in tokens, all that is repeated included: 512, or 1.3 of a target given alone."""
    min_tokens: int | None = None
    """Below this a chunk is an orphan and looks for a neighbour: 100, or a quarter of a target given alone."""
    overlap_tokens: int | None = None
    """Tokens of the chunk before that are repeated where a cut falls inside a section: 60; 0 turns it off."""
    tokenizer: TokenizerLike = "cl100k_base"
    """Encoding or model name, `tiktoken.Encoding`, Hugging Face tokenizer, or a callable: a count or a sequence."""
    heading_context: HeadingContext = "metadata"
    """`prefix` also writes the headings above that a chunk does not show, one line, into its prefix."""
    note_context: NoteContext = "metadata"
    """`suffix` also writes the section's qualifying notes that a chunk does not show into its suffix."""
    merge_across: MergeAcross = "siblings"
    """Which sections may share a chunk: `never`, `siblings` (and a parent's own text with its first ones), `any`."""
    document_type: str | None = None
    """Goes to the chunks and groups the report; None takes it from the suffix of `source`."""
    signals: Sequence[Signal] = ()
    """The caller's signals, asked before the built-in ones."""
    _sizes: Sizes = field(init=False, repr=False, compare=False)
    _tokenizer: Tokenizer = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        sizes = fill_sizes(self.target_tokens, self.max_tokens, self.min_tokens, self.overlap_tokens)
        tokenizer = resolve(self.tokenizer)
        if sizes.limit - tokenizer.overhead < SMALLEST_LIMIT // 2:
            allowed = f"at least {SMALLEST_LIMIT // 2} more than the tokenizer's own {tokenizer.overhead} is needed"
            raise ConfigError("max_tokens", sizes.limit, allowed)
        one_of("heading_context", self.heading_context, HeadingContext)
        one_of("note_context", self.note_context, NoteContext)
        one_of("merge_across", self.merge_across, MergeAcross)
        filled = {
            "target_tokens": sizes.target,
            "max_tokens": sizes.limit,
            "min_tokens": sizes.least,
            "overlap_tokens": sizes.overlap,
            "signals": tuple(self.signals),
            "_sizes": sizes,
            "_tokenizer": tokenizer,
        }
        for name, value in filled.items():
            object.__setattr__(self, name, value)

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> MarkdownChunker:
        """A chunker with sizes that suit a kind of document or embedding model; `overrides` are further options.

        >>> MarkdownChunker.preset("faq").max_tokens
        500
        """
        if name not in PRESETS:
            raise ConfigError("preset", name, "one of " + ", ".join(map(repr, PRESETS)) + " is needed")
        return cls(**{**PRESETS[name], **overrides})

    def chunk(self, text: str, *, source: str | None = None, metadata: Mapping[str, Any] | None = None) -> list[Chunk]:
        """The chunks of a document, in order; none for a document without a visible character.

        `source` names the document: it goes to every chunk and into its id. `metadata` goes to every chunk and wins
        over front matter. Every `str` is a document; anything else raises TypeError.
        """
        if not isinstance(text, str):
            raise TypeError(f"chunk() takes a str, not {type(text).__name__}")
        overhead = self._tokenizer.overhead
        sizes = self._sizes.without(overhead)
        document = read(text)
        measure = Measure(document, text, self._tokenizer)
        blocks = parse(document)
        sections = outline(document, blocks)
        repeated = furniture(document, blocks)
        joints = bonds(document, blocks, self.signals, repeated)
        qualifying = notes(document, blocks, sections, joints, self.signals)
        layout = Layout.of(document, blocks, sections, measure, sizes.target)
        pieces = cut_blocks(document, blocks, layout, joints, measure, sizes)
        contexts, context_tokens = heading_contexts(pieces, sections, measure, sizes.limit, self.heading_context)
        extras = wishes(pieces, blocks, context_tokens, sizes.overlap)
        count, widest = measure.chunk_counter(pieces, layout.starts), measure.widest_counter(pieces)
        groups = pack(pieces, sections, sizes, self.merge_across, extras, count, widest)
        return make_chunks(
            Document(
                document,
                blocks,
                sections,
                layout,
                pieces,
                groups,
                qualifying,
                pages(document, blocks, repeated),
                repeated,
            ),
            measure,
            sizes,
            contexts,
            context_tokens,
            notes_in_text=self.note_context == "suffix",
            overhead=overhead,
            name=source,
            document_type=self.document_type,
            metadata=metadata or {},
        )
