"""Expressions of LED, as the dialect D3 reads them."""

from __future__ import annotations

import pytest

from zermelo.languages.led.read import parser, tree
from zermelo.languages.led.read.tree import Expr, children, depth
from zermelo.text import codes
from zermelo.text.codes import Code
from zermelo.text.source import Source


def read(text: str) -> Expr:
    checked = parser.expression(Source("x", text))
    assert checked.value is not None, checked.diagnostics
    return checked.value


def shape(expr: Expr) -> str:
    """*expr* with a pair of brackets around each operator and its operands."""
    parts = [shape(each) for each in children(expr)]
    match expr:
        case tree.BinaryExpr():
            return f"({parts[0]} {expr.sign.value} {parts[1]})"
        case tree.UnaryExpr() | tree.BigExpr():
            return f"({expr.sign.value} {' '.join(parts)})"
        case tree.QuantifiedExpr():
            return f"({expr.sign.value} {','.join(expr.names)} {parts[0]}. {parts[1]})"
        case tree.CallExpr():
            return f"{expr.name}({','.join(parts)})"
        case tree.Identifier() | tree.AtomName():
            return expr.name
        case tree.Numeral() | tree.StringLiteral() | tree.TruthName():
            return str(expr.value)
        case _:
            return f"{type(expr).__name__}[{' '.join(parts)}]"


def codes_of(text: str) -> list[Code]:
    return [each.code for each in parser.expression(Source("x", text)).diagnostics]


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("-2^2", "(- (2 ^ 2))"),
        ("2^3^2", "(2 ^ (3 ^ 2))"),
        ("2^-3", "(2 ^ (- 3))"),
        ("2*5 mod 3", "((2 * 5) mod 3)"),
        ("100*(c-1) mod 3", "((100 * Bracketed[(c - 1)]) mod 3)"),
        ("a - b - c", "((a - b) - c)"),
        ("a + b*c", "(a + (b * c))"),
        ("-a*b", "((- a) * b)"),
        ("Sum[x in S] x*10", "((Sum (x in S) x) * 10)"),
        ("Sum[x in S] x^2", "(Sum (x in S) (x ^ 2))"),
        ("- Prod[x in S] -x", "(- (Prod (x in S) (- x)))"),
        ("U[x in S] f(x) U g", "((U (x in S) f(x)) U g)"),
        ("A U B sec C", "(A U (B sec C))"),
        ("A * B sec C", "((A * B) sec C)"),
        ("A U B \\ C", "((A U B) \\ C)"),
        ("~ x in S", "(~ (x in S))"),
        ("~p & q", "((~ p) & q)"),
        ("p V q & r", "(p V (q & r))"),
        ("p => q => r", "(p => (q => r))"),
        ("p <=> q <=> r", "(p <=> (q <=> r))"),
        ("p & q => r V s", "((p & q) => (r V s))"),
        ("some x in S. p(x) & q(x)", "((some x S. p(x)) & q(x))"),
        ("some x in S. x = 1 V q", "((some x S. (x = 1)) V q)"),
        ("some R in rows. all c in R. p(c)", "(some R rows. (all c R. p(c)))"),
        ("all x,y in A U B. x = y", "(all x,y (A U B). (x = y))"),
        ("n mod 2 = 0", "((n mod 2) = 0)"),
    ],
)
def test_operators_bind_as_in_d3(text: str, read_as: str) -> None:
    assert shape(read(text)) == read_as
    assert codes_of(text) == []


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("{}", "SetExpr[]"),
        ("∅", "SetExpr[]"),
        ("{1, `a}", "SetExpr[1 a]"),
        ("{1..9}", "RangeExpr[1 9]"),
        ("{x+1 | x in S}", "SetBuilder[(x + 1) (x in S)]"),
        ("{(x,y) | (x,y) in S}", "SetBuilder[TupleExpr[x y] (TupleExpr[x y] in S)]"),
        ("{|x| | x in S}", "SetBuilder[BarsExpr[x] (x in S)]"),
        ("||x| - 1|", "BarsExpr[(BarsExpr[x] - 1)]"),
        ("|{x | x in S}|", "BarsExpr[SetBuilder[x (x in S)]]"),
        ("u[1]", "IndexExpr[u 1]"),
        ("u[1..|u|][2]", "IndexExpr[SliceExpr[u 1 BarsExpr[u]] 2]"),
        ("(1,2) + (3,4)", "(TupleExpr[1 2] + TupleExpr[3 4])"),
        ("(1)", "Bracketed[1]"),
        ("floor((c-1)/3)", "(floor (Bracketed[(c - 1)] / 3))"),
        ("⌊(c-1)/3⌋", "(floor (Bracketed[(c - 1)] / 3))"),
        ("⌈x⌉ + ceil(y)", "((ceil x) + (ceil y))"),
        ("Pow(A) sub ℘(B)", "((Pow A) sub (Pow B))"),
        ("true & false", "(True & False)"),
        ('text("x", p)', "text(x,p)"),
    ],
)
def test_values_are_written_in_many_ways(text: str, read_as: str) -> None:
    assert shape(read(text)) == read_as


def test_a_stop_before_a_numeral_is_the_stop_of_a_quantifier() -> None:
    assert shape(read("some x in S.5 < x")) == "(some x S. (5 < x))"


def test_not_in_a_quantifier_needs_no_brackets_but_d3_wants_them() -> None:
    assert shape(read("some x in S. ~p(x)")) == "(some x S. (~ p(x)))"
    assert codes_of("some x in S. ~p(x)") == [codes.WIDER_THAN_LED]
    assert codes_of("some x in S. (~p(x))") == []


def test_a_quantifier_can_bind_the_components_of_a_tuple_but_not_in_d3() -> None:
    value = read("all (x, y) in S. x < y")

    assert isinstance(value, tree.QuantifiedExpr)
    assert (value.names, value.is_tuple) == (("x", "y"), True)
    assert codes_of("all (x, y) in S. x < y") == [codes.WIDER_THAN_LED]


@pytest.mark.parametrize(
    ("older", "today"),
    [
        ("p or q", "p V q"),
        ("A union B nrsec C", "A U B sec C"),
        ("A subeq B", "A sub B"),
        ("a != b", "a /= b"),
        ("Union[x in S] f(x)", "U[x in S] f(x)"),
        ("True & f()", "true & f"),
    ],
)
def test_older_spellings_are_read_with_a_note(older: str, today: str) -> None:
    assert shape(read(older)) == shape(read(today))
    assert set(codes_of(older)) == {codes.OTHER_SPELLING}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1 < 2 <= 3", codes.CHAINED_RELATIONS),
        ("x in S in T", codes.CHAINED_RELATIONS),
        ("(1, 2,)", codes.OPERAND_MISSING),
        ("(,)", codes.OPERAND_MISSING),
        ("", codes.OPERAND_MISSING),
        ("a +", codes.OPERAND_MISSING),
        ("& b", codes.OPERAND_MISSING),
        ("f(x,)", codes.OPERAND_MISSING),
        ("some in S. p", codes.OPERAND_MISSING),
        ("some (1, y) in S. p", codes.OPERAND_MISSING),
        ("V", codes.OPERAND_MISSING),
        ("(1", codes.BRACKET_NOT_CLOSED),
        ("(1]", codes.BRACKET_NOT_CLOSED),
        ("1)", codes.BRACKET_NOT_OPENED),
        ("|a", codes.BAR_NOT_CLOSED),
        ("a | b", codes.BAR_NOT_CLOSED),
        ("a b", codes.FORMULA_NOT_UNDERSTOOD),
        ("2x", codes.FORMULA_NOT_UNDERSTOOD),
        ("some x in S p", codes.FORMULA_NOT_UNDERSTOOD),
        ("all x. p", codes.FORMULA_NOT_UNDERSTOOD),
        ("Sum x", codes.FORMULA_NOT_UNDERSTOOD),
        ("floor x", codes.FORMULA_NOT_UNDERSTOOD),
        ("1 $ 2", codes.UNKNOWN_CHARACTER),
    ],
)
def test_what_is_wrong_is_said_once(text: str, code: Code) -> None:
    checked = parser.expression(Source("x", text))

    assert checked.value is None
    assert [each.code for each in checked.diagnostics] == [code]


def test_a_chain_of_relations_is_answered_with_a_conjunction() -> None:
    (said,) = parser.expression(Source("x", "1 < 2 <= 3")).diagnostics

    assert said.help == "join two relations with `&`: `1 < 2 & 2 <= …`"
    assert said.primary is not None
    assert (said.primary.span.start, said.primary.span.end) == (6, 8)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000 + "1" + ")" * 5000,
        "-" * 5000 + "1",
        "{" * 5000,
        "2^" * 5000 + "1",
        "p => " * 5000 + "p",
        "some x in S. " * 5000 + "p",
        "+".join(["1"] * 5000),
        "|" * 5000,
        "f(" * 5000,
        "(a<=>b=>c V d & e = f + g * h^(" * 1000,
    ],
    ids=["brackets", "minus", "braces", "powers", "arrows", "some", "sum", "bars", "calls", "all"],
)
def test_an_expression_that_is_too_deep_is_said_to_be(text: str) -> None:
    (said,) = parser.expression(Source("x", text)).diagnostics

    assert said.code is codes.TOO_DEEP


def test_a_deep_expression_is_read() -> None:
    assert depth(read("(" * 70 + "1" + ")" * 70)) == 71
    assert depth(read("+".join(["1"] * 190))) == 190


def test_tuples_are_read_as_they_are_printed() -> None:
    for text, count in (("()", 0), ("(a,)", 1), ("(a, b)", 2)):
        checked = parser.expression(Source("x", text))

        assert checked.diagnostics == ()
        assert isinstance(checked.value, tree.TupleExpr)
        assert len(checked.value.items) == count


def test_a_definition_is_no_expression() -> None:
    for text in ("x := 1", "p iff true", "f(x) := x"):
        (said,) = parser.expression(Source("x", text)).diagnostics

        assert said.message == "a definition stands in the program, and this is about an expression"
