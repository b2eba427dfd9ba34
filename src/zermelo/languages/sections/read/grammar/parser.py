"""Tokens become trees: one function for each kind of line.

Each gives what it understood, the tokens that were left over, and what it has to
say. Nothing here raises on any text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from zermelo.languages.sections.read.grammar import complaints, items, statements, tree
from zermelo.languages.sections.read.grammar.cursor import Cursor, Names, Parsed
from zermelo.languages.sections.read.grammar.formulas import Formulas
from zermelo.languages.sections.read.grammar.items import Head
from zermelo.languages.sections.read.grammar.tokens import Token
from zermelo.languages.sections.read.grammar.tree import Expr
from zermelo.languages.sections.read.grammar.walk import depth, expressions
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Source

__all__ = [
    "Head",
    "Names",
    "Parsed",
    "declaration",
    "expression",
    "fact",
    "function",
    "head",
    "initial",
    "rejoined",
    "set_definition",
    "statement",
]

T = TypeVar("T")

DEPTH: Final = 200
"""How deep a tree may be: other stages walk down it."""


def rejoined(
    source: Source, tokens: Sequence[Token], names: Names
) -> tuple[tuple[Token, ...], tuple[Diagnostic, ...]]:
    """*tokens* with declared names put together that copying has split, and what was split."""
    cursor = Cursor(source, tokens, names)
    return cursor.tokens, tuple(cursor.said)


def expression(source: Source, tokens: Sequence[Token], names: Names) -> Parsed[Expr]:
    """A term or formula, ``→`` and ``↔`` included."""
    parser = Formulas(source, tokens, names)
    return _finished(parser, parser.formula(), expressions)


def declaration(source: Source, tokens: Sequence[Token], names: Names) -> Parsed[tree.Declaration]:
    """``a, b ∈ S`` or ``a, b ⊆ S``."""
    parser = Formulas(source, tokens, names)
    return _finished(parser, statements.declaration(parser), expressions)


def set_definition(
    source: Source, tokens: Sequence[Token], names: Names
) -> Parsed[tree.SetDefinition]:
    """``P : R × C``, also with ``=``, also described in words."""
    parser = Formulas(source, tokens, names)
    return _finished(parser, items.set_definition(parser), lambda found: (found.value,))


def initial(source: Source, tokens: Sequence[Token], names: Names) -> Parsed[tree.Initial]:
    """``a, b = ∅``."""
    parser = Formulas(source, tokens, names)
    return _finished(parser, items.initial(parser), lambda found: (found.value,))


def fact(source: Source, tokens: Sequence[Token], names: Names) -> Parsed[tree.Fact]:
    """A formula that holds always."""
    parser = Formulas(source, tokens, names)
    formula = parser.formula()
    found = None if formula is None else tree.Fact(formula, span=parser.span_from(0))
    return _finished(parser, found, lambda found: (found.formula,))


def head(source: Source, tokens: Sequence[Token], names: Names) -> Parsed[Head]:
    """``Move(prev, next ∈ P):``."""
    parser = Formulas(source, tokens, names)
    return _finished(parser, items.head(parser), lambda found: _domains(found.parameters))


def function(source: Source, tokens: Sequence[Token], names: Names) -> Parsed[tree.Function]:
    """``lines(a ⊆ P) = |a|``."""
    parser = Formulas(source, tokens, names)
    return _finished(
        parser, items.function(parser), lambda found: (found.body, *_domains(found.parameters))
    )


def statement(source: Source, tokens: Sequence[Token], names: Names) -> Parsed[tree.Statement]:
    """A rule, an assignment, a step, a call or a local declaration."""
    parser = Formulas(source, tokens, names)
    return _finished(parser, statements.statement(parser), expressions)


def _domains(parameters: Sequence[tree.Parameter]) -> tuple[Expr, ...]:
    return tuple(item.domain for item in parameters if item.domain is not None)


def _finished(
    parser: Formulas, value: T | None, parts_of: Callable[[T], tuple[Expr, ...]]
) -> Parsed[T]:
    """What the parser made, if it is not too deep, with what is left over."""
    if value is not None:
        deepest = next((expr for expr in parts_of(value) if depth(expr) > DEPTH), None)
        if deepest is not None:
            parser.said.append(_too_deep(deepest))
            value = None
    said = tuple(parser.said)
    if value is None or parser.peek() is None:
        return Parsed(value, (), said)
    rest = parser.tokens[parser.at :]
    complaints.rest(parser)
    return Parsed(value, rest, said, tuple(parser.said[len(said) :]))


def _too_deep(expr: Expr) -> Diagnostic:
    return Diagnostic(
        codes.TOO_DEEP,
        f"this formula has more than {DEPTH} levels",
        primary=Label(expr.span, "too deep to be worked with"),
        help="give a part of it a name of its own, or list what it joins in one set",
    )
