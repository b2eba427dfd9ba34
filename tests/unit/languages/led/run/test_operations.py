"""Operators on values: their results, their order, and their words where there is none."""

from fractions import Fraction

import pytest

from zermelo.core.values import FALSE, TRUE, Atom, Value
from zermelo.languages.led import ir
from zermelo.languages.led.ir import Op, UnaryOp
from zermelo.languages.led.run import operations
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.pretty import pp
from zermelo.languages.led.run.values import EMPTY, Arranged, Erroneous, Text, Undefined


def binary(op: Op, left: Value, right: Value) -> Value:
    expr = ir.BinaryOperation(op, ir.Literal(left), ir.Literal(right))
    return ProgramEvaluator(ir.Program("none", ())).expression(expr)


def unary(function: UnaryOp, operand: Value) -> Value:
    expr = ir.UnaryOperation(function, ir.Literal(operand))
    return ProgramEvaluator(ir.Program("none", ())).expression(expr)


A = Arranged([3, 1, 2])
B = Arranged([2, 5, 3])


@pytest.mark.parametrize(
    ("op", "left", "right", "result"),
    [
        (Op.PLUS, 1, Fraction(1, 2), "1.5"),
        (Op.PLUS, (1, 2), (3,), "(1, 2, 3)"),
        (Op.JOIN, (1, 2), 3, "(1, 2, 3)"),
        (Op.JOIN, 1, (2, 3), "(1, 2, 3)"),
        (Op.JOIN, 1, 2, "3"),
        (Op.JOIN, (1, 2), (3, 4), "(1, 2, 3, 4)"),
        (Op.APPEND, (1, 2), (3, 4), "(1, 2, (3, 4))"),
        (Op.APPEND, 1, 2, "3"),
        (Op.APPEND, 1, (2, 3), "(1, 2, 3)"),
        (Op.PREPEND, (1, 2), (3, 4), "((1, 2), 3, 4)"),
        (Op.PREPEND, 1, 2, "3"),
        (Op.MINUS, Fraction(1, 2), Fraction(1, 2), "0"),
        (Op.TIMES, Fraction(2, 3), 3, "2"),
        (Op.TIMES, Arranged([1, 2]), Arranged([Atom("a")]), "{(2, `a), (1, `a)}"),
        (Op.TIMES, Arranged([1, 2]), Arranged([3, 4]), "{(2, 3), (2, 4), (1, 3), (1, 4)}"),
        (Op.DIVIDE, 1, 3, "0.(3..)"),
        (Op.DIVIDE, 6, 3, "2"),
        (Op.MOD, 7, 3, "1"),
        (Op.MOD, -7, 3, "2"),
        (Op.POWER, 2, -3, "0.125"),
        (Op.POWER, Fraction(2, 3), 2, "0.(4..)"),
        (Op.POWER, 0, 3, "0"),
        (Op.POWER, 5, 0, "1"),
        (Op.UNION, A, B, "{3, 1, 2, 5}"),
        (Op.INTERSECTION, A, B, "{3, 2}"),
        (Op.DIFFERENCE, A, B, "{1}"),
        (Op.EQ, Arranged([1, 2]), Arranged([2, 1]), "true"),
        (Op.EQ, 1, TRUE, "false"),
        (Op.EQ, Text("a"), Text("a"), "true"),
        (Op.EQ, Text("a"), Atom("a"), "false"),
        (Op.NE, (1, 2), (1, 2), "false"),
        (Op.LE, Fraction(1, 3), Fraction(1, 3), "true"),
        (Op.IN, Fraction(1, 2), Arranged([Fraction(1, 2)]), "true"),
        (Op.SUBSET, EMPTY, EMPTY, "true"),
        (Op.OR, FALSE, TRUE, "true"),
        (Op.IFF, FALSE, FALSE, "true"),
    ],
)
def test_an_operator_gives_its_result(op: Op, left: Value, right: Value, result: str) -> None:
    assert pp(binary(op, left, right)) == result


@pytest.mark.parametrize(
    ("op", "left", "right", "reason"),
    [
        (Op.PLUS, Arranged([1]), 2, "`+` needs two numbers or two tuples, and got {1} and 2"),
        (Op.MINUS, A, B, "`-` needs two numbers (the difference of sets is written `\\`), and got"),
        (Op.TIMES, Text("a"), 2, '`*` needs two numbers or two sets, and got "a" and 2'),
        (Op.DIVIDE, 7, 0, "7 is divided by 0"),
        (Op.MOD, 7, 0, "`mod` needs a positive number on its right, and got 0"),
        (Op.MOD, Fraction(1, 2), 2, "`mod` needs two whole numbers, and got 0.5 and 2"),
        (Op.POWER, 0, 0, "0^0 has no value"),
        (Op.POWER, 0, -1, "0^-1 has no value"),
        (Op.POWER, 2, Fraction(1, 2), "`^` needs a number and a whole number"),
        (Op.POWER, 10, 10**12, "10^1000000000000 is too large to be written out"),
        (Op.LT, A, B, "`<` needs two numbers (a subset is written `sub`)"),
        (Op.IN, 1, 2, "`in` needs a set on its right, and got 2"),
        (Op.SUBSET, 1, A, "`sub` needs two sets, and got 1 and {3, 1, 2}"),
        (Op.UNION, 1, A, "`U` needs two sets, and got 1 and {3, 1, 2}"),
        (Op.OR, TRUE, 1, "`V` needs a truth value, and got 1"),
        (
            Op.TIMES,
            Arranged(range(1001)),
            Arranged(range(1000)),
            "a product of 1,001 and 1,000 members is too large to be listed",
        ),
    ],
)
def test_an_operator_without_a_result_names_what_it_met(
    op: Op, left: Value, right: Value, reason: str
) -> None:
    found = binary(op, left, right)

    assert isinstance(found, Erroneous)
    assert found.reason.startswith(reason)


@pytest.mark.parametrize(
    ("function", "operand", "result"),
    [
        (UnaryOp.NEGATE, Fraction(1, 2), "-0.5"),
        (UnaryOp.KEEP, 3, "3"),
        (UnaryOp.NOT, TRUE, "false"),
        (UnaryOp.FLOOR, Fraction(-5, 2), "-3"),
        (UnaryOp.CEILING, Fraction(-5, 2), "-2"),
        (UnaryOp.SIZE, Fraction(-5, 2), "2.5"),
        (UnaryOp.SIZE, A, "3"),
        (UnaryOp.SIZE, (), "0"),
        (UnaryOp.POWER_SET, Arranged([1, 2]), "{{}, {2}, {1}, {1, 2}}"),
        (
            UnaryOp.POWER_SET,
            Arranged([1, 2, 3]),
            "{{}, {3}, {2}, {2, 3}, {1}, {1, 3}, {1, 2}, {1, 2, 3}}",
        ),
    ],
)
def test_an_operator_on_one_value_gives_its_result(
    function: UnaryOp, operand: Value, result: str
) -> None:
    assert pp(unary(function, operand)) == result


@pytest.mark.parametrize("function", list(UnaryOp))
def test_no_operator_on_one_value_takes_a_string(function: UnaryOp) -> None:
    found = unary(function, Text("abc"))

    assert isinstance(found, Erroneous)
    assert 'and got "abc"' in found.reason


def test_a_power_set_that_is_too_large_is_not_made() -> None:
    with pytest.raises(Undefined) as caught:
        operations.power_set(Arranged(range(30)))

    assert caught.value.reason == "the power set of 30 members is too large to be listed"


def test_components_count_from_one() -> None:
    assert operations.component((7, 8), 2) == 8
    assert operations.part((7, 8, 9), 2, 3) == (8, 9)
    assert operations.part((7, 8, 9), 2, 1) == ()


@pytest.mark.parametrize(("low", "high"), [(0, 1), (2, 4), (1, Fraction(1, 2))])
def test_a_slice_stays_within_its_tuple(low: Value, high: Value) -> None:
    with pytest.raises(Undefined):
        operations.part((7, 8, 9), low, high)


def test_an_interval_with_its_ends_the_other_way_round_is_empty() -> None:
    assert pp(operations.listed(operations.interval(3, 1))) == "{}"
    assert pp(operations.listed(operations.interval(-1, 1))) == "{-1, 0, 1}"
