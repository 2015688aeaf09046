"""The page itself: templates filled, style and script written into it, and a policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ..chunker import MarkdownChunker
from ..compare.splitters import Splitter
from ..options import fill_sizes
from ..source import read
from ..tokens import resolve
from .beside import make_beside
from .damage import read_structure
from .model import make_page

__all__ = ["content_policy", "preview"]

_FOLDER = "templates"


def preview(text: str, chunker: MarkdownChunker, *, name: str = "", beside: Splitter | None = None) -> str:
    r"""One self-contained HTML page that shows a document, its chunks, and why they are as they are.

    `name` is the document's title and the chunks' source. `beside` is another splitter to be shown next to ours. The
    document is not trusted: nothing of it can run, and the page fetches nothing.

    >>> page = preview("# A\n\n<script>alert(1)</script>\n", MarkdownChunker(), name="a.md")
    >>> "<script>alert" in page, "&lt;script&gt;alert" in page
    (False, True)
    """
    sizes = fill_sizes(chunker.target_tokens, chunker.max_tokens, chunker.min_tokens, chunker.overlap_tokens)
    count = resolve(chunker.tokenizer).count
    other = None
    if beside is not None:
        structure = read_structure(text, read(text).body_line)
        other = make_beside(beside, text, name, structure, count, sizes.limit)
    page = make_page(text, chunker.chunk(text, source=name or None), sizes, count, name, other)
    style, script = _file("preview.css"), _file("preview.js")
    html = (
        _environment()
        .get_template("page.html.j2")
        .render(page=page, policy=content_policy(style, script), style=Markup(style), script=Markup(script))
    )
    return html.encode("utf-8", "replace").decode("utf-8")


def content_policy(style: str, script: str) -> str:
    """A Content-Security-Policy under which only this style and this script have any effect.

    >>> content_policy("", "").split("; ")[0]
    "default-src 'none'"
    """
    rules = {
        "default-src": "'none'",
        "script-src": _hash(script),
        "style-src": _hash(style),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _file(name: str) -> str:
    return files(__package__).joinpath(_FOLDER).joinpath(name).read_text(encoding="utf-8")


@lru_cache(1)
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader(__package__, _FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
