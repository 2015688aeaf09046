"""What is recorded of the place where a chunk begins."""

from __future__ import annotations

from mdchunk_core import MarkdownChunker

SMALL = MarkdownChunker(target_tokens=60, max_tokens=80, min_tokens=15, overlap_tokens=0)


def cuts(text: str, chunker: MarkdownChunker = SMALL) -> set[tuple[str, str]]:
    """Rule and what was repeated, of every cut."""
    return {
        (made.rule, made.signal) for chunk in chunker.chunk(text) for made in chunk.decisions if made.pass_ == "cut"
    }


def rows(margin: str = "", number: int = 40) -> str:
    return "".join(f"{margin}| bolt {k} | {k} |\n" for k in range(number))


def test_a_table_that_repeats_its_header() -> None:
    assert cuts(f"| part | bin |\n|---|---|\n{rows()}") == {("table between rows", "header repeated")}
    assert cuts(f"part | bin\n:-: | -\n{rows()}") == {("table between rows", "header repeated")}


def test_a_table_whose_header_is_too_long_to_repeat() -> None:
    header = "| " + "name of the part " * 12 + "| bin |"
    assert cuts(f"{header}\n|---|---|\n{rows()}") == {("table between rows", "header too long to repeat")}


def test_what_is_cut_inside_an_item_is_not_cut_between_items() -> None:
    inside = ("list inside an item", "parent items repeated")
    between = ("list between items", "nothing repeated")
    table = f"- parts:\n\n  | part | bin |\n  |---|---|\n{rows('  ')}"
    assert cuts(table) == {inside}
    assert cuts(table + "- next\n- " + "one more " * 30) == {inside, between}
    assert cuts("".join(f"- item {k}, which is rather long\n" for k in range(40))) == {between}


def test_code_and_formulas_have_no_inner_blocks() -> None:
    code = "".join(f"    def f{k}():\n        return {k}\n\n" for k in range(20))
    assert cuts(code) == {("indented_code between statements", "nothing repeated")}
    rows = "".join(f"a_{k} = b_{k} + c_{k} \\\\\n" for k in range(20))
    assert cuts(f"$$\n{rows}$$") == {("math between rows", "formula reopened")}


def test_an_embedded_image_is_no_word() -> None:
    image = "![dial](data:image/png;base64," + "Aa0Hl1Ow2Vh3" * 60 + ")"
    assert ("paragraph inside embedded data", "nothing repeated") in cuts(image)
    assert {rule for rule, _ in cuts("é" * 2000)} == {"paragraph inside a word"}
    path = "".join(f"part{number}/" for number in range(200))
    assert {rule for rule, _ in cuts(path)} == {"paragraph inside a word"}


def test_what_the_last_of_two_headings_takes_along_is_counted() -> None:
    code = "```\n" + "x = 1\n" * 14 + "```"
    (alone, rest) = SMALL.chunk(f"# The licence of a library\n\n## Terms\n\n{code}")
    assert alone.text == "# The licence of a library"
    (refused,) = (decision for decision in rest.decisions if decision.refused)
    assert refused.refused == f"would exceed {alone.token_count + rest.token_count} of 80"
