from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("charset_normalizer")
from mdchunk_core.cli.encodings import UndecodableError, decode

TEXT = "# Überschrift\r\n\r\n日本語 😀\n"
GERMAN = (
    "# Überblick\n\nDie Gebühr für die Rückgabe beträgt 20 €, sofern die Ware unbeschädigt und vollständig ist.\n" * 3
)
RUSSIAN = "# Установка\n\nЧтобы установить программу, выполните следующую команду в терминале.\n"
JAPANESE = "# 旅費規程\n\nこの規程は、社員が出張する場合の旅費の支給について定める。宿泊費は実費とする。\n" * 3


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_byte_order_marks(mark: bytes, encoding: str) -> None:
    assert decode(mark + TEXT.encode(encoding)) == (TEXT, encoding, "")


def test_a_mark_says_what_the_rest_must_be() -> None:
    with pytest.raises(UndecodableError, match="not utf-8: byte 0xff at offset 4"):
        decode(codecs.BOM_UTF8 + b"a\xff")
    with pytest.raises(UndecodableError, match="not utf-16-le: byte 0x00 at offset 4"):
        decode(codecs.BOM_UTF16_LE + "a".encode("utf-16-le") + b"\0")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff")))
def test_utf8_comes_first(text: str) -> None:
    assert decode(text.encode()) == (text, "utf-8", "")


@pytest.mark.parametrize(
    ("text", "encoding", "found"),
    [(GERMAN, "cp1252", "cp1252"), (RUSSIAN, "cp1251", "cp1251"), (RUSSIAN, "koi8-r", "koi8_r")],
)
def test_what_is_clear_is_detected_and_said(text: str, encoding: str, found: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded[:2] == (text, found)
    assert decoded.detected.startswith("not UTF-8 (byte 0x")


def test_what_is_not_clear_is_refused_with_the_byte() -> None:
    with pytest.raises(UndecodableError, match=r"not UTF-8 \(byte 0x97 at offset 2\), could be .*cp932.*--encoding"):
        decode(JAPANESE.encode("cp932"))  # reads as Korean just as well


def test_damaged_utf8_is_not_taken_for_something_else() -> None:
    data = GERMAN.encode()
    at = data.index("ü".encode())
    with pytest.raises(UndecodableError, match=f"byte 0xc3 at offset {at}.*damaged"):
        decode(data[: at + 1] + data[at + 2 :])


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", bytes(range(256)), b"\0\1\2\3", "text".encode("utf-16-le")]
)
def test_binary_is_refused(data: bytes) -> None:
    with pytest.raises(UndecodableError, match=f"binary.*NUL at byte {data.index(0)}"):
        decode(data)


def test_a_stray_nul_is_text() -> None:
    assert decode(b"# a\n\nsome text\0 more") == ("# a\n\nsome text\0 more", "utf-8", "")


def test_a_given_encoding_is_used_strictly() -> None:
    assert decode("é".encode("cp1252"), "cp1252").text == "é"
    assert decode("é".encode("utf-16"), "utf-16").text == "é"
    assert decode(codecs.BOM_UTF8 + b"a", "utf-8").text == "a"
    with pytest.raises(UndecodableError, match="not ascii: byte 0xc3 at offset 1"):
        decode("aé".encode(), "ascii")


@given(st.binary(max_size=200))
def test_no_byte_is_replaced(data: bytes) -> None:
    try:
        decoded = decode(data)
    except UndecodableError as error:
        said = str(error)
        assert "byte" in said
    else:
        assert data.endswith(decoded.text.encode(decoded.encoding))
