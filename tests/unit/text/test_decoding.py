"""What a file is."""

from __future__ import annotations

import pytest

from zermelo.text import codes
from zermelo.text.decoding import accept, decode
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.source import Source


def only(data: bytes) -> Diagnostic:
    found = decode(data, "document.md")
    assert found.value is None
    assert len(found.diagnostics) == 1
    return found.diagnostics[0]


def test_utf_8_is_read() -> None:
    found = decode("over ∈ B\n".encode(), "document.md")

    assert found.value == Source("document.md", "over ∈ B\n")
    assert found.diagnostics == ()


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    found = decode(b"\xef\xbb\xbfx", "document.md")

    assert found.value is not None
    assert found.value.text == "x"


def test_every_line_break_is_one_character() -> None:
    found = decode(b"a\r\nb\rc\n", "document.md")

    assert found.value is not None
    assert found.value.text == "a\nb\nc\n"


@pytest.mark.parametrize("data", [b"", b"  \n\t\r\n", b"\xef\xbb\xbf\n"])
def test_an_empty_file_is_said_to_be_empty(data: bytes) -> None:
    assert only(data).code is codes.EMPTY_DOCUMENT


@pytest.mark.parametrize(
    ("data", "word", "todo"),
    [
        (b"%PDF-1.7\n...", "PDF", "pdftotext"),
        (b"PK\x03\x04word/document.xml", "Word", "pandoc"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Word", "Save As"),
        (b"{\\rtf1\\ansi", "RTF", "pandoc"),
        (b"\x89PNG\r\n\x1a\n", "picture", "type"),
    ],
)
def test_a_document_in_a_package_is_answered_with_what_to_do(
    data: bytes, word: str, todo: str
) -> None:
    said = only(data)

    assert said.code is codes.NOT_A_TEXT
    assert word in said.message
    assert todo in (said.help or "")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_wide_encodings_are_recognised(encoding: str) -> None:
    said = only("System Facts\n  over ∈ B\n".encode(encoding))

    assert said.code is codes.OTHER_ENCODING
    assert encoding[:6].upper() in said.message
    assert "iconv" in (said.help or "")


def test_latin_1_is_recognised_with_the_byte_that_shows_it() -> None:
    said = only("System Facts\ncafé\n".encode("latin-1"))

    assert said.code is codes.OTHER_ENCODING
    assert "0xe9 on line 2" in said.notes[0]


def test_utf_8_that_was_read_as_windows_1252_is_recognised() -> None:
    said = only("over ∈ B".encode().decode("cp1252").encode())

    assert said.code is codes.OTHER_ENCODING
    assert "was `∈`" in said.notes[0]


def test_bytes_that_are_no_text_are_said_to_be_none() -> None:
    assert only(bytes(range(256))).code is codes.NOT_A_TEXT
    assert only(b"System\x00Facts").code is codes.NOT_A_TEXT


def test_a_document_that_is_too_large_is_refused_with_its_size() -> None:
    said = only(b"x" * 1_000_001)

    assert said.code is codes.TOO_LARGE
    assert "1,000,001 bytes" in said.message


def test_a_document_with_too_many_lines_is_refused_with_their_number() -> None:
    said = only(b"x\n" * 20_000)

    assert said.code is codes.TOO_LARGE
    assert "20,001 lines" in said.message


def test_a_text_given_as_such_is_held_to_the_same_limits() -> None:
    assert accept("", "t").diagnostics[0].code is codes.EMPTY_DOCUMENT
    assert accept("x\n" * 30_000, "t").diagnostics[0].code is codes.TOO_LARGE


def test_a_net_in_pnml_may_be_larger_than_what_people_write() -> None:
    head = b'<?xml version="1.0"?>\n<pnml>\n'
    padding = b"<!-- a place -->\n" * 100_000

    assert decode(head + padding + b"</pnml>", "net.pnml").value is not None
    assert decode(padding, "net.md").value is None
