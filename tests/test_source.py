from __future__ import annotations

import json
import pickle
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdchunk_core.source import read

texts = st.text(st.sampled_from(["a", "\r", "\n", " ", "\u2028", "\x0c", "\x85", "é"]))


@given(texts)
def test_offsets_lead_back_to_the_text_as_given(given: str) -> None:
    source = read(given)
    for char, value in enumerate(source.text):
        there = given[source.original(char)]
        assert there == value or (value == "\n" and there == "\r")
    assert source.original(len(source.text)) == len(given)


@given(texts)
def test_lines_are_those_of_commonmark_and_nothing_is_lost(given: str) -> None:
    source = read(given)
    assert "\n".join(source.lines) == source.text == given.replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(source.lines):
        start = source.line_starts[number]
        assert source.text[start : source.line_starts[number + 1] - 1] == line
    assert source.line_starts[-1] == len(source.text) + 1


@given(texts)
def test_line_numbers(given: str) -> None:
    source = read(given)
    for char in range(len(source.text)):
        assert source.line_of(char) == source.text.count("\n", 0, char)
    for char in range(len(given)):
        assert source.line_number(char) == given.count("\n", 0, char) + 1


def test_commonest_line_ending() -> None:
    assert read("a\r\nb\r\nc\n").eol == "\r\n"
    assert read("a\rb\rc\n").eol == "\r"
    assert read("a\r\nb\n").eol == "\n"
    assert read("a").eol == "\n"


@pytest.mark.parametrize(
    ("text", "line", "data"),
    [
        ("---\ntitle: A\n---\n# B", 3, {"title": "A"}),
        ("---  \ntitle: A\n...\n# B", 3, {"title": "A"}),
        ('+++\ntitle = "A"\n+++', 3, {"title": "A"}),
        ("\ufeff---\r\ntitle: A\r\n---\r\nx", 3, {"title": "A"}),
        ("---\n---\nx", 2, {}),
        ("---\n# only a comment\n\n---\nx", 4, {}),
        ("---\nwhen: 2024-05-01\nat: 2024-05-01 10:00:00\n---", 4, {"when": "2024-05-01", "at": "2024-05-01T10:00:00"}),
        ("+++\nwhen = 2024-05-01\nat = 10:00:00\n+++", 4, {"when": "2024-05-01", "at": "10:00:00"}),
        ("---\n7: a\ntrue: b\nc: {2: [x, 2.5, null]}\n---", 5, {"7": "a", "True": "b", "c": {"2": ["x", 2.5, None]}}),
        ("---\na: .inf\n---", 3, {"a": "inf"}),
        ("---\nbase: &b {x: 1}\nuse: *b\n---", 4, {"base": {"x": 1}, "use": {"x": 1}}),
    ],
)
def test_front_matter(text: str, line: int, data: object) -> None:
    source = read(text)
    assert (source.body_line, source.front_matter, source.front_matter_error) == (line, data, None)
    json.dumps(source.front_matter, allow_nan=False)


@pytest.mark.parametrize(
    "text", ["# A\n---\na: b\n---", "\n---\na: b\n---", "----\na: b\n----", "---\na: b", "--- x\n---", ""]
)
def test_no_front_matter(text: str) -> None:
    source = read(text)
    assert (source.body_line, source.front_matter, source.front_matter_error) == (0, {}, None)


def bomb(levels: int) -> str:
    return "a0: &a0 [x,x]\n" + "".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, levels))


@pytest.mark.parametrize(
    ("inner", "reason"),
    [
        ("a: b: c", "mapping values"),
        ("- a\n- b", "not a mapping"),
        ("just text", "not a mapping"),
        ("a: 1\na: 2", "twice"),
        ("1: x\n'1': y", "twice"),
        ("a: {b: 1, b: 2}", "twice"),
        ("1: x\ntrue: y", "same"),
        ("a: 2024-02-30", "day"),
        ("a: \x01", ""),
        ("a: \ud800", ""),
        ("a: !!python/object:os.system {}", "constructor"),
        ("a: &a [*a]", ""),
        ("a: " + "[" * 300 + "]" * 300, "deep"),
        ("a: " + "[" * 50_000, ""),
        (bomb(30), "aliases"),
        ("? [a, b]\n: c\n? {d: e}\n: f", ""),
    ],
)
def test_malformed_front_matter_stays_in_the_body(inner: str, reason: str) -> None:
    source = read(f"---\n{inner}\n---\n# A")
    assert source.body_line == 0
    assert source.front_matter == {}
    assert source.front_matter_error
    assert reason in source.front_matter_error


def test_toml_that_is_malformed() -> None:
    source = read("+++\na = \n+++\n")
    assert source.body_line == 0
    assert source.front_matter_error


@pytest.mark.parametrize("dot", [".", " . "])
@pytest.mark.parametrize("key", ["a", "'a.b'", '"a.b"'])
def test_a_toml_key_with_very_many_dots(key: str, dot: str) -> None:
    assert read(f"+++\n{dot.join([key] * 50_000)} = 1\n+++\n").front_matter_error == "nested too deeply"
    assert read(f"+++\nversion = '{'1.' * 30}1'\n+++\n").front_matter_error is None


@given(st.text(st.sampled_from("ab:-[]{}&*!|>'\"#%@,? \n\t01."), max_size=40))
def test_front_matter_never_raises(inner: str) -> None:
    for fence in ("---", "+++"):
        source = read(f"{fence}\n{inner}\n{fence}\n")
        json.dumps(source.front_matter, allow_nan=False)
        assert source.body_line == 0 or source.front_matter_error is None


def test_a_source_is_a_value() -> None:
    source = read("---\na: 1\n---\r\nx")
    assert pickle.loads(pickle.dumps(source)) == source
    assert replace(source, body_line=0) != source
    assert sys.getsizeof(source) < 200
