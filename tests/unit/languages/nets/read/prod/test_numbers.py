"""Numbers and characters as C writes them."""

import pytest

from zermelo.languages.nets.read.prod.lexer import character, number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("42", 42),
        ("0x2A", 42),
        ("052", 42),
        ("7ul", 7),
        ("7LL", 7),
        ("7U", 7),
        ("9223372036854775807", 2**63 - 1),
    ],
)
def test_numbers_are_read_as_c_reads_them(text: str, value: int) -> None:
    assert number(text) == value


@pytest.mark.parametrize("text", ["08", "1e5", "12abc", "0x", "9223372036854775808", "9" * 100])
def test_what_is_no_64_bit_number_says_so(text: str) -> None:
    assert isinstance(number(text), str)


@pytest.mark.parametrize(
    ("text", "value"),
    [("'a'", 97), (r"'\n'", 10), (r"'\0'", 0), (r"'\x41'", 65), (r"'\\'", 92), (r"'\''", 39)],
)
def test_characters_are_their_codes(text: str, value: int) -> None:
    assert character(text) == value


@pytest.mark.parametrize("text", ["'ab'", "'é'", r"'\q'"])
def test_what_is_not_one_character_says_so(text: str) -> None:
    assert isinstance(character(text), str)
