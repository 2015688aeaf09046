"""The promises, over real documents, random documents and several sizes. Nothing here asks the code under test
what a document means: structure comes from markdown-it-py, token counts from tiktoken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import corpus, load
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mdchunk_core import Chunk, MarkdownChunker
from mdchunk_core.tokens import resolve

INVISIBLE = re.compile(r"[\s\ufeff\u200b\x00]")
CONFIGS = {
    "512": dict(target_tokens=400, max_tokens=512, min_tokens=100, overlap_tokens=0),
    "128": dict(target_tokens=100, max_tokens=128, min_tokens=25, overlap_tokens=0),
    "64": dict(target_tokens=50, max_tokens=64, min_tokens=12, overlap_tokens=0),
    "8": dict(target_tokens=8, max_tokens=8, min_tokens=2, overlap_tokens=0),
    "512+60": dict(target_tokens=400, max_tokens=512, min_tokens=100, overlap_tokens=60),
    "60+40": dict(target_tokens=50, max_tokens=60, min_tokens=10, overlap_tokens=40),
    "2000": dict(target_tokens=1500, max_tokens=2000, min_tokens=200, overlap_tokens=0),
    "256 prefix": dict(target_tokens=200, max_tokens=256, min_tokens=50, overlap_tokens=0, heading_context="prefix"),
    "256 suffix": dict(target_tokens=200, max_tokens=256, min_tokens=50, overlap_tokens=20, note_context="suffix"),
    "o200k": dict(target_tokens=100, max_tokens=128, overlap_tokens=0, tokenizer="o200k_base"),
    "never": dict(target_tokens=100, max_tokens=128, overlap_tokens=0, merge_across="never"),
    "any": dict(target_tokens=100, max_tokens=128, overlap_tokens=10, merge_across="any"),
    "characters": dict(target_tokens=300, max_tokens=400, min_tokens=50, overlap_tokens=40, tokenizer=len),
}
PARSER = MarkdownIt("commonmark").enable("table")


def chunker(name: str) -> MarkdownChunker:
    return MarkdownChunker(**CONFIGS[name])  # type: ignore[arg-type]  # each entry is a set of valid options


def visible(text: str) -> str:
    return INVISIBLE.sub("", text)


def check(text: str, chunks: Sequence[Chunk], options: MarkdownChunker) -> None:
    """Promises 1, 2, 3 and 7, and the fields that say where a chunk stands."""
    count = resolve(options.tokenizer).count
    before: Chunk | None = None
    covered_to = 0
    for chunk in chunks:
        span = text[chunk.start_char : chunk.end_char]
        assert chunk.text == chunk.prefix + span + chunk.suffix
        assert chunk.token_count == count(chunk.text)
        assert chunk.token_count <= options.max_tokens  # type: ignore[operator]  # filled in at construction
        assert visible(span)
        assert chunk.start_line <= text.count("\n", 0, chunk.start_char + len(span) - len(span.lstrip())) + 1
        assert chunk.end_line == text.count("\n", 0, chunk.end_char - 1) + 1
        if before is not None:
            assert before.start_char < chunk.start_char
            assert before.end_char < chunk.end_char
            shared = max(0, before.end_char - chunk.start_char)
            assert shared == chunk.overlap_chars
            assert shared == 0 or count(text[chunk.start_char : before.end_char]) <= options.overlap_tokens  # type: ignore[operator]
            assert not visible(text[before.end_char : chunk.start_char])
        elif not text[: chunk.start_char].lstrip("\ufeff").startswith(("---", "+++")):
            assert not visible(text[: chunk.start_char])
        covered_to = chunk.end_char
        before = chunk
    if chunks:
        assert not visible(text[covered_to:])
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))


@pytest.mark.parametrize("name", CONFIGS)
def test_real_documents(name: str) -> None:
    options = chunker(name)
    for path in corpus():
        text = load(path)
        check(text, options.chunk(text, source=path.name), options)


LINES = st.sampled_from(
    [
        "# Title",
        "## Part *one*",
        "### a `b` c ###",
        "Setext",
        "===",
        "---",
        "- item one",
        "  - nested",
        "1. first",
        "   2. second",
        "> quoted text",
        "> - in quote",
        "> > deep",
        "```python",
        "```",
        "~~~~",
        "x = 1",
        "    indented code",
        "| a | b |",
        "|---|:-:|",
        "| 1 | 2 |",
        "1 | 2",
        "Plain text. With two sentences.",
        "more text that goes on and on, really",
        "Note that follows:",
        "**Bold title**",
        "<table>",
        "<tr><td>cell</td></tr>",
        "</table>",
        "<div>",
        "</div>",
        "<!-- note -->",
        "[ref]: /url",
        "[^1]: footnote",
        "$$",
        "\\sum_i x_i",
        "!!! note",
        "    body",
        "::: tip",
        ":::",
        "> [!NOTE]",
        "import x from 'y'",
        "<Tab>",
        "</Tab>",
        "Gültig nur bis 2027.",
        "Seite 12",
        "日本語の文。次の文です。",
        "한국어 문장입니다.",
        "हिन्दी वाक्य। दूसरा",
        "👩‍👩‍👧 emoji 🇩🇪",
        "word " * 30,
        "x" * 200,
        "\t- tab item",
        "\ttabbed",
        "a\x0cb",
        "line\u2028sep",
        "\ufeff",
        "\u200b",
        "\x00",
        "<|endoftext|>",
        "![i](data:image/png;base64," + "iVBORw0KGgo" * 20 + ")",
        "|",
        "- ",
        "#",
        ">",
        "+++",
        "/// note",
        "///",
        "\ud800 lone",
    ]
)
DOCUMENTS = st.lists(st.one_of(LINES, st.just(""), st.text(max_size=20)), max_size=40).map("\n".join)


@pytest.mark.parametrize("name", ["512+60", "128", "64", "8", "60+40", "256 prefix", "256 suffix", "any", "characters"])
@given(text=DOCUMENTS)
@settings(max_examples=60)
def test_random_documents(name: str, text: str) -> None:
    options = chunker(name)
    chunks = options.chunk(text)
    check(text, chunks, options)
    assert bool(chunks) or not visible(text) or text.lstrip("\ufeff").startswith(("---", "+++"))


@given(text=DOCUMENTS.filter(lambda text: "\r" not in text))
@settings(max_examples=100)
def test_line_endings_do_not_move_cuts(text: str) -> None:
    options = chunker("512")
    lf = options.chunk(text)
    crlf = options.chunk(text.replace("\n", "\r\n"))
    if all(chunk.token_count * 10 < 8 * 512 for chunk in crlf):
        assert [chunk.text.replace("\r\n", "\n") for chunk in crlf] == [chunk.text for chunk in lf]
        assert [chunk.id for chunk in crlf] == [chunk.id for chunk in lf]


DENSE = ["&", "};", "> &", "- };", "<div>", "</div>", "0:0:0", "| a |", "```", "{% if %}"]
"""Lines that have a token more where they do not end in a line feed."""


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\r\n&\n", "\r&\n", "\r&\r\n"])
@pytest.mark.parametrize("line", DENSE)
def test_the_limit_holds_where_line_endings_have_most_of_the_tokens(line: str, ending: str) -> None:
    for name, lines in (("512", 290), ("512", 600), ("64", 45), ("8", 6)):
        text = "Title\n=====\n\n" + (line + ending) * lines
        check(text, chunker(name).chunk(text), chunker(name))


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("line", ["&", "A line of text,", "- item"])
def test_a_heading_is_not_left_behind_for_its_line_endings(line: str, ending: str) -> None:
    for lines in range(1, 80):
        text = f"Before.\n\n## Heading\n\n{(line + ending) * lines}".replace("\n\n", 2 * ending)
        assert not any(chunk.text.endswith("## Heading") for chunk in chunker("64").chunk(text)), lines


@pytest.mark.parametrize("name", ["512", "64", "8", "o200k"])
@pytest.mark.parametrize("end", ["{% if %}", '="";', "});", "**)"])
def test_the_limit_holds_where_a_line_feed_makes_the_tokens_before_it_fewer(name: str, end: str) -> None:
    options = chunker(name)
    for words in range(options.max_tokens + 2):  # type: ignore[operator]  # filled in at construction
        text = "<table>\n" + "a " * words + end + "\n\nText.\n"
        check(text, options.chunk(text), options)


@given(
    lines=st.lists(st.tuples(st.sampled_from([*DENSE, "", "# T"]), st.sampled_from(["\n", "\r", "\r\n"])), max_size=90),
    name=st.sampled_from(["64", "8", "60+40", "512"]),
)
@settings(max_examples=100)
def test_the_limit_holds_where_line_endings_are_mixed(lines: list[tuple[str, str]], name: str) -> None:
    text = "".join(map("".join, lines))
    check(text, chunker(name).chunk(text), chunker(name))


def test_threads_and_runs_agree() -> None:
    options = chunker("128")
    texts = [load(path) for path in corpus()[:8]]
    wanted = [options.chunk(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(options.chunk, texts * 4)) == wanted * 4


def test_a_word_more_leaves_other_ids_alone() -> None:
    """Promise 6: mean share of the other chunks' ids that survive an edit in one paragraph."""
    options = chunker("512")
    shares = []
    for path in corpus():
        text = load(path)
        paragraphs = [match.start() for match in re.finditer(r"\n\n[A-Za-z][^\n]{60,}", text)]
        chunks = options.chunk(text)
        if len(chunks) < 8 or not paragraphs:
            continue
        at = text.index(" ", paragraphs[len(paragraphs) // 2] + 3)
        edited = {chunk.id for chunk in options.chunk(text[:at] + " additionally" + text[at:])}
        shares.append(min(1.0, len(edited & {chunk.id for chunk in chunks}) / (len(chunks) - 1)))
    assert shares
    assert sum(shares) / len(shares) >= 0.985


def test_structure_is_whole() -> None:
    """Promise 7, as markdown-it-py reads it: no fence left open, no chunk that ends in a heading but the document's."""
    options = chunker("512")
    for path in corpus():
        text = load(path)
        chunks = options.chunk(text)
        if text.count("```") % 2 or "~~~" in text:
            continue
        for chunk in chunks[:-1]:
            tokens = [token for token in PARSER.parse(chunk.text) if token.type != "inline"]
            for token in tokens:
                if token.type == "fence" and token.map and token.level == 0:
                    last = chunk.text.split("\n")[token.map[1] - 1].strip()
                    assert last.startswith(token.markup), (path, chunk.index)
            if tokens and tokens[-1].type == "heading_close" and len(tokens) > 2:
                following = chunks[chunk.index + 1]
                assert following.kinds[0] in ("table", "fenced_code", "math"), (path, chunk.index)
