"""Laws of reading and printing LED: what is printed reads back, and nothing raises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.led_strategies import DEFINITIONS, DOCUMENTS, EXPRESSIONS, SCRAPS
from zermelo.languages.led.read import document as led
from zermelo.languages.led.read import parser, printer, weave
from zermelo.languages.led.read.tree import (
    Bracketed,
    Definition,
    Expr,
    LiterateProgram,
    children,
    expressions,
)
from zermelo.text.source import NOWHERE, Notation, Source, Span

UNHURRIED = settings(deadline=None)
"""How long one example takes depends on what else the machine does."""
TYPED = st.sampled_from([Notation.ASCII, Notation.UNICODE])
"""The notations that are read as source form."""


def without_brackets(node: object) -> object:
    """*node* with every pair of brackets that only groups taken out."""
    if isinstance(node, Bracketed):
        return without_brackets(node.inner)
    if isinstance(node, tuple):
        return tuple(without_brackets(each) for each in node)
    if not is_dataclass(node) or isinstance(node, type):
        return node
    parts = {each.name: without_brackets(getattr(node, each.name)) for each in fields(node)}
    return type(node)(**parts)


def read(text: str) -> Expr:
    checked = parser.expression(Source("<law>", text))
    assert checked.value is not None, checked.diagnostics
    assert not any(each.is_error for each in checked.diagnostics)
    return checked.value


def read_one(text: str) -> Definition:
    checked = parser.definitions(Source("<law>", text), Span(0, len(text)))
    assert not any(each.is_error for each in checked.diagnostics), checked.diagnostics
    assert checked.value is not None
    (only,) = checked.value
    assert isinstance(only, Definition)
    return only


@UNHURRIED
@given(EXPRESSIONS, TYPED)
def test_an_expression_that_was_printed_reads_back(expr: Expr, notation: Notation) -> None:
    text = printer.expression(expr, to=notation)

    assert without_brackets(read(text)) == without_brackets(expr)


@UNHURRIED
@given(EXPRESSIONS, TYPED)
def test_brackets_that_were_typed_are_printed(expr: Expr, notation: Notation) -> None:
    typed = read(printer.expression(expr, to=notation))

    assert read(printer.expression(typed, to=notation)) == typed


@UNHURRIED
@given(DEFINITIONS, TYPED)
def test_a_definition_that_was_printed_reads_back(value: Definition, notation: Notation) -> None:
    typed = read_one(printer.definition(value, to=notation))

    assert without_brackets(typed) == without_brackets(value)
    assert read_one(printer.definition(typed, to=notation)) == typed


@UNHURRIED
@given(DOCUMENTS)
def test_formatting_twice_changes_nothing(document: LiterateProgram) -> None:
    once = printer.document(document)

    reread = led.parse(Source("<law>", once)).value

    assert reread is not None
    assert without_brackets(reread) == without_brackets(document)
    assert printer.document(reread) == once


@UNHURRIED
@given(DOCUMENTS)
def test_what_is_woven_has_each_brace_and_each_environment_closed(
    document: LiterateProgram,
) -> None:
    woven = weave.latex(document)

    assert_well_formed(woven)


def assert_well_formed(text: str) -> None:
    """Every group and environment of LaTeX in *text* is closed, in order."""
    opened: list[str] = []
    for each in _marks(text):
        if each in {"{", "$"} and not (each == "$" and opened and opened[-1] == "$"):
            opened.append(each)
        elif each == "}":
            assert opened.pop() == "{", text
        elif each == "$":
            opened.pop()
        elif each.startswith("begin "):
            opened.append(each[6:])
        else:
            assert opened.pop() == each[4:], text
    assert opened == []


def _marks(text: str) -> Iterator[str]:
    for found in re.finditer(r"\\(begin|end)\{([a-z*]+)\}|\\.|[{}$]", text):
        if found[1]:
            yield f"{found[1]} {found[2]}"
        elif len(found[0]) == 1:
            yield found[0]


@UNHURRIED
@given(SCRAPS)
def test_any_text_is_read_without_raising(text: str) -> None:
    source = Source("scrap.led", text)

    checked = led.parse(source)

    for each in checked.diagnostics:
        if each.primary is not None:
            assert 0 <= each.primary.span.start <= each.primary.span.end <= len(text)
    if checked.value is not None:
        printer.document(checked.value)
        weave.latex(checked.value)


@UNHURRIED
@given(st.text(max_size=60))
def test_any_expression_is_read_without_raising(text: str) -> None:
    checked = parser.expression(Source("<law>", text))

    assert checked.value is not None or any(each.is_error for each in checked.diagnostics)


@UNHURRIED
@given(DEFINITIONS)
def test_every_part_stands_within_the_whole(value: Definition) -> None:
    typed = read_one(printer.definition(value))

    for expr in expressions(typed):
        assert typed.span.covers(expr.span)
        assert_within(expr)


def assert_within(expr: Expr) -> None:
    assert expr.span != NOWHERE
    for child in children(expr):
        assert expr.span.covers(child.span)
        assert_within(child)
