from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("jinja2")
pytest.importorskip("markdown_it")
pytest.importorskip("nh3")
from hypothesis import given, settings
from hypothesis import strategies as st

from mdchunk_core import Chunk, Decision, MarkdownChunker
from mdchunk_core.compare.locate import Piece
from mdchunk_core.compare.splitters import Splitter
from mdchunk_core.options import Sizes
from mdchunk_core.preview import preview
from mdchunk_core.preview.beside import make_beside
from mdchunk_core.preview.damage import read_structure
from mdchunk_core.preview.lines import Line
from mdchunk_core.preview.model import Page, make_page
from mdchunk_core.preview.rendered import MOST_RAW_TAGS, render_markdown
from mdchunk_core.preview.words import reasons, sentence

DOCUMENT = (Path(__file__).parent / "data" / "webhooks.md").read_bytes().decode()
SMALL = MarkdownChunker(target_tokens=60, max_tokens=90, overlap_tokens=15)
SIZES = Sizes(60, 90, 15, 15)


def words(text: str) -> int:
    return len(text.split())


def windows(size: int) -> Splitter:
    """Cuts after every so many characters, wherever that is."""
    return Splitter("windows", "", lambda text, name: [Piece(text[k : k + size]) for k in range(0, len(text), size)])


def made(text: str, chunker: MarkdownChunker = SMALL, beside: Splitter | None = None) -> tuple[list[Chunk], Page]:
    chunks = chunker.chunk(text)
    other = make_beside(beside, text, "", read_structure(text), words, 90) if beside else None
    return chunks, make_page(text, chunks, SIZES, words, "a.md", other)


def shown(lines: tuple[Line, ...]) -> str:
    return "\n".join("".join(run.text for run in line.runs) for line in lines)


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


# --- the source -------------------------------------------------------------------------------------------------------


def visible(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("beside", [None, windows(70), windows(7)])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_each_character_of_the_source_is_shown_once_and_repeated_ones_apart(
    beside: Splitter | None, ending: str
) -> None:
    text = DOCUMENT.replace("\n", ending)
    chunks, page = made(text, beside=beside)
    assert len(chunks) > 5
    own = [line for view in page.chunks for part in (view.gap, *(s.ours for s in view.segments)) for line in part]
    assert visible(shown(tuple(own))) == visible(text)
    for chunk, view in zip(chunks, page.chunks):
        ours = "".join(shown(segment.ours) for segment in view.segments)
        whole = shown(view.prefix) + shown(view.overlap) + ours + shown(view.suffix)
        assert visible(whole) == visible(chunk.text)
        for segment in view.segments if beside else ():
            assert shown(segment.ours) == shown(segment.theirs)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ab#|-`*> \n\r\t.0é漢", max_size=300), st.integers(1, 40))
def test_no_document_breaks_the_page_or_loses_text(text: str, size: int) -> None:
    chunker = MarkdownChunker(max_tokens=20, overlap_tokens=3)
    _, page = made(text, chunker, windows(size))
    lines = [line for view in page.chunks for part in (view.gap, *(s.ours for s in view.segments)) for line in part]
    front = page.chunks or not text.strip()
    assert not front or visible(shown((*lines, *page.tail))).replace("␍", "") == visible(text)


def test_line_numbers_are_those_of_the_document() -> None:
    lines = DOCUMENT.split("\n")
    _, page = made(DOCUMENT, beside=windows(50))
    numbered = [line for view in page.chunks for s in view.segments for line in s.ours if line.number and line.runs]
    assert len(numbered) > 30
    for line in numbered:
        assert line.number is not None
        assert lines[line.number - 1].startswith(shown((line,)))


def test_each_chunk_of_the_other_splitter_begins_once_at_its_place() -> None:
    _, page = made(DOCUMENT, beside=windows(55))
    begun = [begin.index for view in page.chunks for segment in view.segments for begin in segment.begins]
    assert begun == sorted(set(begun))
    assert len(begun) >= len(page.other_bars) - 2  # those inside the front matter begin beside no chunk of ours


def test_front_matter_is_shown_apart_from_the_chunks() -> None:
    _, page = made(DOCUMENT)
    assert page.front_matter
    assert shown(page.chunks[0].gap).startswith("---\n")
    assert "Front matter: in the metadata of every chunk" in preview(DOCUMENT, SMALL)


# --- what is said of a chunk ------------------------------------------------------------------------------------------


def test_decisions_are_plain_sentences() -> None:
    refused = Decision("forward", "heading -> body", "heading", 3, 8, 8, "would exceed 520 of 512")
    assert (
        sentence(refused) == "The heading could not stay with the text below it: together they need 520 of 512 tokens."
    )
    note = Decision("backward", "validity -> table", "validity", 9, 8, 90)
    assert sentence(note) == "The validity note stays with the table above it."
    assert sentence(Decision("cut", "html between cells", "tags reopened")) == (
        "Continues an HTML block that was cut between cells; tags reopened."
    )
    assert reasons([note])[0].detail == "Line 9, 8 to 90 tokens"
    assert [reason.detail for reason in reasons([note, note._replace(line=12)])] == ["Lines 9, 12"]


def test_every_decision_over_a_document_has_a_sentence_of_its_own() -> None:
    for chunk in SMALL.chunk(DOCUMENT):
        for decision in chunk.decisions:
            assert re.fullmatch(r"[A-Z][^<>_]*\.", sentence(decision))


def test_sizes_are_told_against_minimum_target_and_limit() -> None:
    chunks, page = made(DOCUMENT)
    for chunk, view in zip(chunks, page.chunks):
        assert view.tokens == chunk.token_count
        assert (view.state == "small") == (chunk.token_count < SIZES.least)
        assert ("over the target" in view.size) == (chunk.token_count > SIZES.target)
    assert page.highest >= 90
    assert "No chunks" in preview("", SMALL)


# --- rendered Markdown ------------------------------------------------------------------------------------------------


def test_rendered_markdown_shows_tables_and_marks_what_is_repeated() -> None:
    html = render_markdown("| a | b |\n|--:|---|\n| 1 | 2 |\n", repeated_lines=2)
    tags = Tags(html).found
    assert [attrs.get("align") for tag, attrs in tags if tag == "th"] == ["right", None]
    assert "data-repeated" in next(attrs for tag, attrs in tags if tag == "thead")
    assert "data-repeated" not in next(attrs for tag, attrs in tags if tag == "tbody")
    assert "<pre" in render_markdown("```\nx\n```")


def test_definitions_from_elsewhere_make_links() -> None:
    assert 'href="https://a.example/"' in render_markdown("[a][b]", definitions=["[b]: https://a.example/"])


HOSTILE: list[str] = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(2)</script></svg>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href=' java\tscript:alert(1)'>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "[x](javascript:alert(1)) [y](data:text/html;base64,PHNjcmlwdD4=) ![z](javascript:alert(1))",
    "![z](https://track.example/pixel.png) <img src='https://track.example/a.png'>",
    "<img src='data:image/svg+xml;base64,PHN2Zz4='>",
    "<style>*{display:none}</style><p style='position:fixed' id=search class=chunk>x</p>",
    "<form action='https://a.example'><button formaction='javascript:alert(1)'>x</button></form>",
    "<base href='https://a.example/'><meta http-equiv=refresh content='0;url=https://a.example'>",
    "</div></article></main><script>alert(1)</script>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "```html\n</code></pre><script>alert(1)</script>\n```",
    "# <img src=x onerror=alert(1)>\n\n`<script>`",
    "<details open ontoggle=alert(1)>x</details>",
    "<a href='//track.example'>x</a> <a href='#search'>y</a> <a href='https://good.example'>z</a>",
    "<template><script>alert(1)</script></template><object data='javascript:alert(1)'></object>",
]
SAFE = ("http://", "https://", "mailto:")


def check(html: str) -> None:
    for tag, attrs in Tags(html).found:
        assert tag not in (
            "script",
            "style",
            "iframe",
            "svg",
            "math",
            "form",
            "input",
            "button",
            "object",
            "base",
            "meta",
        )
        assert not [name for name in attrs if name.startswith("on") or name in ("style", "id", "class", "srcset")]
        href, source = attrs.get("href"), attrs.get("src")
        assert href is None or href.strip().lower().startswith(SAFE)
        assert source is None or re.match(r"data:image/(png|gif|jpeg|webp|avif);base64,", source)
        assert tag != "a" or {"noopener", "noreferrer"} <= set((attrs.get("rel") or "").split())


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_markdown_is_harmless(text: str) -> None:
    check(render_markdown(text))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([part for text in HOSTILE for part in re.split(r"([<>'\" =])", text)]), max_size=25))
def test_hostile_pieces_in_any_order_are_harmless(parts: list[str]) -> None:
    check(render_markdown("".join(parts)))


def test_an_image_in_the_document_stays() -> None:
    assert 'src="data:image/png;base64,iVBORw0=' in render_markdown("![a](data:image/png;base64,iVBORw0=)")


def test_an_image_from_elsewhere_is_its_text() -> None:
    html = render_markdown('![badge](https://a.example/b.svg "t") <img alt=\'x" y\' src=b.png><img>')
    assert "<img" not in html
    assert re.findall(r"<span[^>]*>(.*?)</span>", html) == ["badge", 'x" y', ""]


def test_html_that_would_take_long_is_shown_as_text() -> None:
    assert "&lt;b&gt;" in render_markdown("<b><i>" * MOST_RAW_TAGS + "x")


def test_what_no_page_can_hold_is_shown_as_a_sign() -> None:
    html = preview("a \x00 \x1b \ud800 \u202e b \x0b c", SMALL, name="\ud800\u202e.md")
    assert html.encode()
    assert not re.search("[\x00\x0b\x1b\u202e\ud800]", html)
    assert "␛" in html


# --- the page ---------------------------------------------------------------------------------------------------------


def page_parts(html: str) -> tuple[str, str, str]:
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    style, script = re.search(r"<style>(.*?)</style>", html, re.S), re.search(r"<script>(.*?)</script>", html, re.S)
    assert policy is not None
    assert style is not None
    assert script is not None
    return policy[1].replace("&#39;", "'"), style[1], script[1]


@pytest.mark.parametrize("beside", [None, windows(60)])
def test_the_policy_lets_the_pages_own_script_and_style_run_and_nothing_else(beside: Splitter | None) -> None:
    html = preview("\n\n".join(HOSTILE), SMALL, name="</title><script>alert(1)</script>", beside=beside)
    policy, style, script = page_parts(html)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    hashes = [base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in (script, style)]
    assert rules["default-src"] == "'none'"
    assert [rules["script-src"], rules["style-src"]] == [f"'sha256-{found}'" for found in hashes]
    assert html.count("<script") == html.count("<style") == 1
    assert html.index("Content-Security-Policy") < html.index("<style")
    assert not re.search(r"<[a-z][^<>]*\s(?:style|on[a-z]+)=", html)


def test_the_page_has_one_bar_and_one_article_for_each_chunk() -> None:
    chunks = SMALL.chunk(DOCUMENT)
    html = preview(DOCUMENT, SMALL, name="a.md")
    assert html.count("<article") == len(chunks) == html.count('<rect class="bar"')
    for number in range(1, len(chunks) + 1):
        assert f'href="#c{number}"' in html
        assert f'id="c{number}"' in html
    assert preview(DOCUMENT, SMALL, name="a.md") == html
    assert not re.search(r"(?:src|href|url)\s*[=(]\s*[\"']?https?://(?!api\.example|shop\.example)", html)


def test_ids_are_unique_whatever_the_document_says() -> None:
    html = preview("<p id=c1>x</p>\n\n# A {#c1}\n\n" + DOCUMENT, SMALL, beside=windows(80))
    ids = [attrs["id"] for _, attrs in Tags(html).found if "id" in attrs]
    assert len(ids) == len(set(ids))


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, bytes, str]]:
    typer = pytest.importorskip("typer")
    testing = pytest.importorskip("typer.testing")
    from mdchunk_core.cli.preview import preview as command

    app = typer.Typer()
    app.command()(command)
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_bytes(DOCUMENT.encode())

    def run(*args: str, data: bytes | None = None) -> tuple[int, bytes, str]:
        done = testing.CliRunner().invoke(app, list(args), input=data)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.stdout_bytes, done.stderr

    return run


def test_the_command_writes_the_page(command: Callable[..., tuple[int, bytes, str]]) -> None:
    assert command("a.md", "-o", "page.html", "--target", "60", "--max", "90", "--overlap", "15") == (0, b"", "")
    assert Path("page.html").read_bytes().decode() == preview(DOCUMENT, SMALL, name="a.md")
    code, out, _ = command("-", data=b"# A\n\ntext\n")
    assert code == 0
    assert b"<title>Document - chunks</title>" in out


def test_the_command_shows_a_function_beside(command: Callable[..., tuple[int, bytes, str]]) -> None:
    assert command("a.md", "-o", "page.html", "--with", "textwrap:wrap")[0] == 0
    assert "textwrap:wrap" in Path("page.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["none.md", "-o", "p.html"], 1, "none.md: No such file"),
        (["a.md", "-o", "a.md"], 2, "is also the input"),
        (["a.md", "-o", "no/p.html"], 2, "no such folder"),
        (["a.md", "-o", "p.html", "--max", "3"], 2, "--max 3: at least 8"),
        (["a.md", "-o", "p.html", "--with", "magic"], 2, "--with magic: one of mdchunk"),
        (["a.md", "-o", "p.html", "--with", "textwrap:magic"], 2, "--with textwrap:magic"),
        (["a.md", "-o", "p.html", "--with", "json:loads"], 1, "json:loads failed: JSONDecodeError"),
    ],
)
def test_the_command_says_in_one_line_what_is_wrong(
    command: Callable[..., tuple[int, bytes, str]], args: list[str], code: int, said: str
) -> None:
    found = command(*args)
    assert found[:2] == (code, b"")
    assert said in found[2]
    assert found[2].count("\n") == 1
    assert [path.name for path in Path().iterdir()] == ["a.md"]
    assert Path("a.md").read_bytes() == DOCUMENT.encode()
