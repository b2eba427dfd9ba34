"""Laws of reading and printing: what is printed reads back, and nothing raises."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.strategies import DAMAGED, EXPRESSIONS, STATEMENTS, TEXTS
from zermelo.languages.sections.read.grammar import parser
from zermelo.languages.sections.read.grammar.cursor import DeclaredNames, Parsed
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.read.grammar.printer import to_text
from zermelo.languages.sections.read.grammar.traversal import expressions, named, parts
from zermelo.languages.sections.read.grammar.tree import Expr, Statement
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.source import Notation, Source, Span

UNHURRIED = settings(deadline=None)
"""How long one example takes depends on what else the machine does."""
NOTATIONS = st.sampled_from(Notation)
FUNCTIONS = frozenset(("f", "lines", "P", "Check_2"))
PROCEDURES = frozenset(("Expand", "Remove", "go"))
KINDS = (
    parser.expression,
    parser.declaration,
    parser.set_definition,
    parser.initial,
    parser.fact,
    parser.head,
    parser.function,
    parser.statement,
)
NOBODY = DeclaredNames()
SOMEBODY = DeclaredNames(
    frozenset(("Free", "P", "S", "turn", "a")), frozenset(("Expand",)), frozenset(("f",))
)


def read_expression(text: str, names: DeclaredNames) -> Parsed[Expr]:
    source = Source("<law>", text)
    tokens, said = lex(source, Span(0, len(text)))
    assert said == ()
    return parser.expression(source, tokens, names)


def read_statement(text: str, names: DeclaredNames) -> Parsed[Statement]:
    source = Source("<law>", text)
    tokens, said = lex(source, Span(0, len(text)))
    assert said == ()
    return parser.statement(source, tokens, names)


def names_of(node: Expr | Statement) -> DeclaredNames:
    return DeclaredNames(named(node) - PROCEDURES, PROCEDURES, FUNCTIONS)


@UNHURRIED
@given(EXPRESSIONS, NOTATIONS)
def test_an_expression_that_was_printed_reads_back(expr: Expr, notation: Notation) -> None:
    names = names_of(expr)

    text = to_text(expr, notation, declared=names.declared)

    assert read_expression(text, names) == Parsed(expr)


@UNHURRIED
@given(EXPRESSIONS, NOTATIONS)
def test_no_name_need_be_declared_for_an_expression_to_read_back(
    expr: Expr, notation: Notation
) -> None:
    assert read_expression(to_text(expr, notation), NOBODY) == Parsed(expr)


@UNHURRIED
@given(STATEMENTS, NOTATIONS)
def test_a_statement_that_was_printed_reads_back(node: Statement, notation: Notation) -> None:
    names = names_of(node)

    text = to_text(node, notation, declared=names.declared)

    assert read_statement(text, names) == Parsed(node)


@UNHURRIED
@given(TEXTS | DAMAGED, NOTATIONS)
def test_printing_is_a_fixed_point_of_whatever_was_typed(text: str, notation: Notation) -> None:
    source = Source("<law>", text)
    tokens, _ = lex(source, Span(0, len(text)))
    found = parser.expression(source, tokens, NOBODY).value
    if found is None:
        return

    printed = to_text(found, notation)

    again = read_expression(printed, NOBODY)
    assert again.value == found
    assert to_text(found, notation) == printed


@UNHURRIED
@given(EXPRESSIONS, NOTATIONS)
def test_every_part_lies_within_the_whole(expr: Expr, notation: Notation) -> None:
    found = read_expression(to_text(expr, notation), NOBODY).value

    assert found is not None
    assert all(whole.span.covers(part.span) for whole, part in _pairs(found))


@UNHURRIED
@given(STATEMENTS)
def test_every_part_of_a_statement_lies_within_it(node: Statement) -> None:
    found = read_statement(to_text(node), names_of(node)).value

    assert found is not None
    assert all(found.span.covers(expr.span) for expr in expressions(found))


@UNHURRIED
@given(TEXTS | DAMAGED, st.sampled_from([NOBODY, SOMEBODY]))
def test_no_text_raises_and_what_is_not_understood_is_said(text: str, names: DeclaredNames) -> None:
    source = Source("<law>", text)
    tokens, lexed = lex(source, Span(0, len(text)))

    for kind in KINDS:
        found = kind(source, tokens, names)

        assert found.value is not None or found.diagnostics
        assert bool(found.rest) == bool(found.trouble)
        assert all(_is_within(fault, text) for fault in (*lexed, *found.diagnostics))


def _pairs(expr: Expr) -> Iterator[tuple[Expr, Expr]]:
    for part in parts(expr):
        yield expr, part
        yield from _pairs(part)


def _is_within(fault: Diagnostic, text: str) -> bool:
    label = fault.primary
    return label is not None and Span(0, len(text)).covers(label.span)
