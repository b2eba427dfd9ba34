"""Text becomes tokens."""

import pytest

from zermelo.languages.nets.read.prod.lexer import TokenKind, lex
from zermelo.languages.nets.read.prod.sources import NetTexts
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.source import Source


def words(text: str, said: list[Diagnostic] | None = None) -> list[str]:
    """The texts of the tokens of *text*, line ends apart."""
    tokens = lex(NetTexts().add(Source("t", text)), [] if said is None else said)
    return [each.text for each in tokens if each.kind is not TokenKind.LINE_END]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<.1..n.>", ["<.", "1", "..", "n", ".>"]),
        ("<..>", ["<.", ".>"]),
        ("<. .>", ["<.", ".>"]),
        ("2<.a,b.>", ["2", "<.", "a", ",", "b", ".>"]),
        ("let <.x.> <=<.1.>;", ["let", "<.", "x", ".>", "<=", "<.", "1", ".>", ";"]),
        ("a<=b<<2>>1", ["a", "<=", "b", "<<", "2", ">>", "1"]),
        ("x /* y\n z */ + // end\n'\\n'", ["x", "+", "'\\n'"]),
        ("#define n \\\n 3", ["#", "define", "n", "3"]),
        ("0x1Ful", ["0x1Ful"]),
        ("a@b", ["a", "@", "b"]),
    ],
)
def test_a_text_has_these_tokens(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_backslash_at_the_end_of_a_line_joins_it_with_the_next() -> None:
    tokens = lex(NetTexts().add(Source("t", "a \\\nb\nc")), [])

    assert [each.kind for each in tokens] == [
        TokenKind.NAME,
        TokenKind.NAME,
        TokenKind.LINE_END,
        TokenKind.NAME,
        TokenKind.LINE_END,
    ]


def test_a_comment_that_is_not_closed_is_said() -> None:
    said: list[Diagnostic] = []

    assert words("a /* b", said) == ["a"]
    assert [each.code.id for each in said] == ["Z160"]
