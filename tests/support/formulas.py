"""Reading single formulas, for tests that look at one rule of the grammar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from zermelo.languages.sections.read.grammar import parser
from zermelo.languages.sections.read.grammar.cursor import DeclaredNames, Parsed
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.grammar.tokens import Token
from zermelo.languages.sections.read.grammar.tree import Expr, Name, Statement
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.source import Source, Span

T = TypeVar("T")

a, b, c, d = Name("a"), Name("b"), Name("c"), Name("d")
x, y, n = Name("x"), Name("y"), Name("n")
A, B, P, S, W = Name("A"), Name("B"), Name("P"), Name("S"), Name("W")


def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of *text*, about which there is nothing to say."""
    found, said = lex(Source("test", text), Span(0, len(text)))
    assert said == ()
    return found


def texts(text: str) -> list[str]:
    """The texts of the tokens of *text*."""
    return [token.text for token in tokens(text)]


def lexed(text: str) -> tuple[Diagnostic, ...]:
    """What there is to say about the signs of *text*."""
    return lex(Source("test", text), Span(0, len(text)))[1]


def declared(*names: str) -> DeclaredNames:
    """The names of a document that declares *names*."""
    return DeclaredNames(frozenset(names))


def read(
    kind: Callable[[Source, Sequence[Token], DeclaredNames], Parsed[T]],
    text: str,
    names: DeclaredNames,
) -> Parsed[T]:
    """*text* as a line of some kind, with everything said about it."""
    source = Source("test", text)
    found, said = lex(source, Span(0, len(text)))
    parsed = kind(source, found, names)
    return Parsed(parsed.value, parsed.rest, (*said, *parsed.diagnostics), parsed.trouble)


def understood(parsed: Parsed[T]) -> T:
    """The value of what was understood wholly, and about which there is nothing to say."""
    assert parsed.diagnostics == ()
    assert parsed.rest == ()
    assert parsed.value is not None
    return parsed.value


def expression(text: str, *names: str) -> Expr:
    """The tree of *text* in a document that declares *names*."""
    return understood(read(parser.expression, text, declared(*names)))


def statement(text: str, *names: str) -> Statement:
    """The statement *text* in a document that declares *names*."""
    return understood(read(parser.statement, text, declared(*names)))


def complaint(text: str, *names: str) -> Diagnostic:
    """The one thing there is to say about the expression *text*, which has no tree."""
    parsed = read(parser.expression, text, declared(*names))
    assert parsed.value is None
    (said,) = parsed.diagnostics
    return said


def marked(text: str, said: Diagnostic) -> str:
    """The characters of *text* that *said* points at."""
    assert said.primary is not None
    return Source("test", text).slice(said.primary.span)
