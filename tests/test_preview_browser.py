from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("jinja2")
pytest.importorskip("markdown_it")
pytest.importorskip("nh3")
pytest.importorskip("fcntl")
from preview_browser import BROWSER, Browser
from test_preview import DOCUMENT, HOSTILE, SMALL, windows

from mdchunk_core import MarkdownChunker
from mdchunk_core.preview import preview

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
FOCUSED = "document.activeElement.id"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert BROWSER is not None
    found = Browser(BROWSER)
    yield found
    found.close()


def write(folder: Path, html: str) -> Path:
    path = folder / "page.html"
    path.write_text(html, "utf-8", newline="\n")
    return path


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return write(tmp_path, preview(DOCUMENT, SMALL, name="a.md"))


def test_nothing_of_a_hostile_document_runs_or_is_fetched(browser: Browser, tmp_path: Path) -> None:
    name = '"><img src=x onerror=alert(1)>'
    front = "---\ntitle: <script>alert(1)</script>\n---\n"
    html = preview(front + "\n\n".join(HOSTILE), SMALL, name=name, beside=windows(40))
    path = write(tmp_path, html)
    browser.open(path)
    click = "new MouseEvent('click', { bubbles: true, cancelable: true })"
    for selector in ("main details", "main *:not(a[href^=http], a[href^=http] *)"):
        browser.run(
            f"document.querySelectorAll('{selector}').forEach(e => {{ e.open = true; e.dispatchEvent({click}) }})"
        )
    browser.settle()
    assert browser.dialogs == []
    assert browser.messages == []
    assert browser.requests == [path.as_uri()]


def test_the_policy_holds_even_where_something_gets_through(browser: Browser, tmp_path: Path) -> None:
    through = (
        "<script>window.ran = 1</script><img src='x' onerror='window.ran = 2'><style>body{opacity:0}</style>"
        "<p style='opacity:0' id=styled>x</p><a id=go href='javascript:window.ran=3'>x</a>"
        "<img src='https://track.example/a.png'><base href='https://track.example/'>"
    )
    path = write(tmp_path, preview(DOCUMENT, SMALL).replace("</main>", through + "</main>"))
    browser.open(path)
    browser.run("document.getElementById('go').click()")
    browser.settle()
    assert browser.run("typeof window.ran") == "undefined"
    assert browser.run("getComputedStyle(document.body).opacity") == "1"
    assert browser.run("getComputedStyle(document.getElementById('styled')).opacity") == "1"
    assert browser.run("document.baseURI") == path.as_uri()
    assert any("Content Security Policy" in message for message in browser.messages)
    assert browser.run("getComputedStyle(document.querySelector('.chunk')).display") == "grid"  # ours has effect


def test_keys_go_from_chunk_to_chunk(browser: Browser, page: Path) -> None:
    browser.open(page)
    last = f"c{len(SMALL.chunk(DOCUMENT))}"
    seen = []
    for key in "jjjkGg":
        browser.press(key)
        seen.append(browser.run(FOCUSED))
    assert seen == ["c1", "c2", "c3", "c2", last, "c1"]
    browser.press("j", "j")
    top = browser.run("document.activeElement.getBoundingClientRect().top")
    assert 0 <= top - browser.run("document.querySelector('header').getBoundingClientRect().bottom") < 40
    assert browser.run("document.querySelector('.c-chart .here').getAttribute('href')") == "#c3"
    assert browser.messages == []


def test_search_shows_the_chunks_that_match(browser: Browser, page: Path) -> None:
    browser.open(page)
    count = len(SMALL.chunk(DOCUMENT))
    browser.press("/")
    assert browser.run(FOCUSED) == "search"
    browser.press(*"hmac")
    shown = browser.run("[...document.querySelectorAll('.chunk:not([hidden])')].map(c => c.id)")
    wanted = [f"c{chunk.index + 1}" for chunk in SMALL.chunk(DOCUMENT) if "hmac" in chunk.text.lower()]
    assert shown == wanted
    assert browser.run("document.getElementById('status').textContent").startswith(f"{len(shown)} of {count} chunk")
    assert browser.run("CSS.highlights.get('found').size") >= 1
    browser.press("Enter")
    assert browser.run(FOCUSED) == wanted[0]
    browser.press("/", "Escape")
    assert browser.run("document.querySelectorAll('.chunk:not([hidden])').length") == count
    browser.press("Escape", "j")
    assert browser.run(FOCUSED).startswith("c")
    assert browser.messages == []


def test_bars_jump_to_their_chunks_also_to_one_that_the_search_hid(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.click(".c-chart a:nth-of-type(4)")
    assert browser.run(FOCUSED) == "c4"
    browser.press("/", *"nothing like it")
    assert browser.run("document.querySelectorAll('.chunk:not([hidden])').length") == 0
    browser.click(".c-chart a:nth-of-type(2)")
    assert browser.run(FOCUSED) == "c2"


def test_views_and_theme(browser: Browser, page: Path) -> None:
    browser.open(page, dark=True)
    shade = "getComputedStyle(document.body).backgroundColor"
    dark = browser.run(shade)
    assert browser.run("document.getElementById('theme').ariaPressed") == "true"
    browser.press("t")
    assert browser.run(shade) != dark
    assert browser.run("document.getElementById('theme').ariaPressed") == "false"
    browser.press("t")
    visible = "['.text', '.rendered'].map(s => document.querySelector(s).checkVisibility())"
    seen = [browser.run(visible)]
    for _ in range(3):
        browser.press("v")
        seen.append(browser.run(visible))
    assert seen == [[True, True], [True, False], [False, True], [True, True]]
    browser.run("localStorage.clear()")


def test_single_keys_can_be_turned_off(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.click(".keys summary")
    browser.click("#single-keys")
    browser.press("j")
    assert not browser.run(FOCUSED).startswith("c")
    browser.run("localStorage.clear()")


def test_another_splitter_is_aligned_line_by_line(browser: Browser, tmp_path: Path) -> None:
    browser.open(write(tmp_path, preview(DOCUMENT, SMALL, name="a.md", beside=windows(90))))
    apart = """[...document.querySelectorAll('.row')].map(row => {
        const [a, b] = ['.mine .l', '.theirs .l'].map(s => row.querySelector(s));
        return a && b ? Math.abs(a.getBoundingClientRect().top - b.getBoundingClientRect().top) : 0;
    })"""
    assert max(browser.run(apart)) < 1
    assert browser.run("document.querySelectorAll('.begins.broken').length") >= 1
    browser.click(".o-chart a:nth-of-type(6)")
    assert browser.run(FOCUSED) == "o6"
    assert browser.messages == []


@pytest.mark.parametrize("width", [360, 800, 1400])
def test_no_width_needs_scrolling_sideways(browser: Browser, tmp_path: Path, width: int) -> None:
    text = DOCUMENT + "\n\n" + "long" * 100 + "\n\n| " + " | ".join(["wide"] * 40) + " |\n" + "|---" * 40 + "|\n"
    browser.open(write(tmp_path, preview(text, SMALL, name="n" * 90, beside=windows(70))), width=width)
    for view in ("beside", "both", "source", "rendered"):
        browser.run(f"document.documentElement.dataset.view = {view!r}")
        assert browser.run("document.documentElement.scrollWidth") <= width


def test_text_can_be_told_from_its_ground(browser: Browser, tmp_path: Path) -> None:
    path = write(tmp_path, preview(DOCUMENT, SMALL, name="a.md", beside=windows(90)))
    script = """(() => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const rgb = colors => {
            canvas.fillStyle = getComputedStyle(document.documentElement).colorScheme === 'dark' ? '#000' : '#fff';
            for (const color of ['#fff', ...colors]) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
            return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
        };
        const light = c => c.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
            .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
        const poor = {};
        for (const e of document.querySelectorAll('body *')) {
            const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
            if (!own || e.closest('svg, script, style, .sr, .skip') || !e.checkVisibility()) continue;
            const grounds = [];
            for (let n = e; n; n = n.parentElement) grounds.unshift(getComputedStyle(n).backgroundColor);
            const [a, b] = [light(rgb([...grounds, getComputedStyle(e).color])), light(rgb(grounds))];
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < 4.5) poor[e.tagName + '.' + e.className] = ratio;
        }
        return poor;
    })()"""
    for dark in (False, True):
        browser.open(path, dark=dark)
        assert browser.run(script) == {}


def test_a_thousand_chunks_stay_quick(browser: Browser, tmp_path: Path) -> None:
    text = "\n\n".join(f"## Section {k}\n\nThis one is about matter {k}, and says little." for k in range(1000))
    html = preview(text, MarkdownChunker(target_tokens=12, max_tokens=30, min_tokens=0, merge_across="never"))
    assert html.count("<article") == 1000
    browser.open(write(tmp_path, html))
    browser.press("G")
    assert browser.run(FOCUSED) == "c1000"
    bottom = "document.getElementById('c1000').getBoundingClientRect().bottom <= innerHeight + 1"
    assert browser.run(bottom)
    browser.press("/", *"matter 77")
    assert browser.run("document.querySelectorAll('.chunk:not([hidden])').length") == 11
    assert browser.messages == []


def test_it_prints_all_chunks(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.print_pdf().startswith(b"%PDF")
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert not browser.run("document.querySelector('.controls').checkVisibility()")
    assert browser.run(
        "[...document.querySelectorAll('.chunk')].every(c => c.checkVisibility({contentVisibilityAuto: true}))"
    )
    browser.call("Emulation.setEmulatedMedia", media="")


def test_without_its_script_the_page_can_still_be_read(browser: Browser, tmp_path: Path) -> None:
    html = preview(DOCUMENT, SMALL)
    browser.open(write(tmp_path, html[: html.index("<script>")]), fragment="#c3")
    assert browser.run("document.querySelector('.controls').checkVisibility()") is False
    assert browser.run("document.querySelectorAll('.chunk, .rendered, .text').length") == 3 * html.count("<article")
