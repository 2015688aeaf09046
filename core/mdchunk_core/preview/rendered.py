"""Markdown as HTML that is safe to show, whoever wrote it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import nh3
from markdown_it import MarkdownIt

from .lines import showable

__all__ = ["render_markdown"]

MOST_RAW_TAGS = 2_000
"""Opening angle brackets of raw HTML in one chunk; with more, the HTML is shown as text. A parser of HTML needs time
that grows with the square of the nesting."""

_TAGS = frozenset(
    "a abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 "
    "h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp small span strike strong sub summary sup table "
    "tbody td tfoot th thead tr tt u ul var".split()
)
_ATTRIBUTES = {
    "*": frozenset({"data-image", "data-repeated", "dir", "lang", "title"}),
    "a": frozenset({"href"}),
    "img": frozenset({"alt", "height", "src", "width"}),
    "ol": frozenset({"start"}),
    "td": frozenset({"align", "colspan", "rowspan"}),
    "th": frozenset({"align", "colspan", "rowspan"}),
}
_DROPPED = frozenset("iframe math noembed noframes noscript object script style svg template textarea title".split())
_LINK = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_IMAGE = re.compile(r"data:image/(?:avif|gif|jpeg|png|webp);base64,[A-Za-z0-9+/=\s]*\Z", re.IGNORECASE)
_IMAGE_TAG = re.compile(r"""<img\b((?:[^<>"']|"[^"]*"|'[^']*')*)>""", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([a-z]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_ALIGNED = re.compile(r'<(t[dh]) style="text-align:(left|center|right)"')


def _allowed(tag: str, attribute: str, value: str) -> str | None:
    """The attribute's value, or None to drop it: links go to the web or to mail, images are in the page."""
    if attribute == "href" and not _LINK.match(value.strip()):
        return None
    if attribute == "src" and not _IMAGE.match(value.strip()):
        return None
    if attribute == "dir" and value.lower() not in ("auto", "ltr", "rtl"):
        return None
    return value


def _image(tag: re.Match[str]) -> str:
    """An image that is in the page, or the text of one that would have to be fetched. Sanitised afterwards."""
    values = {name.lower(): first or second or third for name, first, second, third in _ATTRIBUTE.findall(tag[1])}
    if _IMAGE.match(values.get("src", "").strip()):
        return tag[0]
    text = values.get("alt", "").replace("<", "&lt;").replace(">", "&gt;")
    return f"<span data-image>{text}</span>"


def _parser(*, html: bool) -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": html}).enable(["table", "strikethrough"])


def render_markdown(text: str, *, definitions: Sequence[str] = (), repeated_lines: int = 0, end_line: int = -1) -> str:
    r"""The text as sanitised HTML.

    `definitions` are link definitions that stand elsewhere in the document. The first `repeated_lines` lines, and
    those from `end_line` on (0-based; -1: none), are marked as repeated, as far as whole blocks or rows are in them.

    >>> render_markdown("**a** <script>alert(1)</script>[b](javascript:alert(1))")
    '<p><strong>a</strong> [b](javascript:alert(1))</p>\n'
    """
    text = showable(text)
    environment: dict[str, Any] = {}
    parser = _parser(html=True)
    if definitions:
        parser.parse(showable("\n\n".join(definitions)), environment)
    tokens = parser.parse(text, environment)
    raw = sum(
        token.content.count("<")
        for outer in tokens
        for token in (outer, *(outer.children or ()))
        if token.type in ("html_block", "html_inline")
    )
    if raw > MOST_RAW_TAGS:
        parser = _parser(html=False)
        tokens = parser.parse(text, environment)
    for token in tokens:
        if token.map and token.nesting >= 0 and token.tag:
            first, stop = token.map
            if stop <= repeated_lines or 0 <= end_line <= first:
                token.attrSet("data-repeated", "")
    html = parser.renderer.render(tokens, parser.options, environment)
    html = _IMAGE_TAG.sub(_image, _ALIGNED.sub(r'<\1 align="\2"', html))
    return nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags=_DROPPED,
        attributes=_ATTRIBUTES,
        attribute_filter=_allowed,
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
        url_schemes={"http", "https", "mailto", "data"},
    )
