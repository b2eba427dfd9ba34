"""Inputs that a program tells apart: each answer is the same on all points of its region."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.core.values import FALSE, TRUE, Value, truth
from zermelo.languages.led.ir import Op
from zermelo.languages.led.run import operations as ops
from zermelo.languages.led.run.regions import Regions, TooManyAnswers
from zermelo.languages.led.run.symbolic import HEIGHT, WIDTH
from zermelo.languages.led.run.values import Arranged, Text, Undefined

Ask = Callable[[Value, Value], Value]
PLACES = [(0, 1), (999, 800), (0, 800), (999, 1), (150, 650), (333, 7), (500, 400), (101, 700)]


def at(ask: Ask, x: int, y: int) -> Value:
    """What the question answers with the mouse at a known place."""
    try:
        return ask(x, y)
    except Undefined:
        return Text("undefined")


def checked(ask: Ask, places: list[tuple[int, int]] = PLACES) -> dict[Value, int]:
    """Each answer with how many points give it, after a look at some of them."""
    regions = Regions()
    found = regions.answers(ask)
    sizes: dict[Value, int] = {}
    covered = np.zeros((HEIGHT, WIDTH), dtype=np.int64)
    for answer in found:
        points = regions.points(answer.mask)
        covered += points
        value = Text("undefined") if isinstance(answer.value, Undefined) else answer.value
        sizes[value] = int(points.sum())
        for x, y in [*places, regions.middle(answer.mask)]:
            if points[y - 1, x]:
                assert at(ask, x, y) == value, (x, y)
    assert (covered == 1).all()
    return sizes


def inside(x: Value, low: int, high: int) -> bool:
    return ops.compare(Op.LT, low, x) and ops.compare(Op.LT, x, high)


def test_a_box_is_a_region_and_the_rest_another() -> None:
    sizes = checked(lambda x, y: truth(inside(x, 100, 200) and inside(y, 600, 700)))

    assert sizes == {TRUE: 99 * 99, FALSE: 800_000 - 99 * 99}


def test_the_middle_of_a_box_stands_for_it() -> None:
    regions = Regions()
    found = regions.answers(lambda x, y: truth(inside(x, 100, 200) and inside(y, 600, 700)))

    assert [regions.middle(each.mask) for each in found if each.value == TRUE] == [(150, 650)]


def test_the_middle_of_the_larger_of_two_boxes_stands_for_both() -> None:
    regions = Regions()
    found = regions.answers(lambda x, _: truth(inside(x, 10, 20) or inside(x, 500, 601)))

    # x = 501, …, 600 and y = 1, …, 800: of the four points in the middle the first.
    assert [regions.middle(each.mask) for each in found if each.value == TRUE] == [(550, 400)]


def test_a_square_of_the_board_that_the_mouse_is_in_is_computed() -> None:
    def square(x: Value, y: Value) -> Value:
        return (ops.floor(ops.divide(x, 250)), ops.floor(ops.divide(y, 400)))

    # y is 800 in the topmost row of the screen, and at least 1 everywhere
    rows = {0: 399, 1: 400, 2: 1}
    assert checked(square) == {(x, y): 250 * rows[y] for x in range(4) for y in rows}


def test_a_disc_is_a_region() -> None:
    def near(x: Value, y: Value) -> Value:
        dx, dy = ops.minus(x, 500), ops.minus(y, 400)
        square = ops.plus(ops.times(dx, dx), ops.power(dy, 2))
        return truth(ops.compare(Op.LE, square, 25))

    # The points with integer coordinates in a disc of radius 5: 81 (OEIS A000328).
    assert checked(near)[TRUE] == 81


def test_remainders_and_absolute_values() -> None:
    def stripes(x: Value, y: Value) -> Value:
        return (ops.modulo(x, 3), truth(ops.compare(Op.LT, ops.size(ops.minus(y, 400)), 100)))

    sizes = checked(stripes)

    assert sizes[0, TRUE] == 334 * 199
    assert sum(sizes.values()) == 800_000


def test_what_divides_by_the_mouse_is_undefined_where_it_is_0() -> None:
    def far(x: Value, _: Value) -> Value:
        return truth(ops.compare(Op.LT, ops.divide(1, x), Fraction(1, 500)))

    assert checked(far) == {Text("undefined"): 800, FALSE: 500 * 800, TRUE: 499 * 800}


def test_a_set_can_have_the_mouse_in_it() -> None:
    members = Arranged([1, 3, 999, Text("a")])

    assert checked(lambda x, _: truth(ops.member(x, members)))[TRUE] == 3 * 800


def test_a_number_in_the_answer_is_told_apart_by_its_values() -> None:
    sizes = checked(lambda x, _: Arranged([ops.floor(ops.divide(x, 500)), 1]))

    assert sizes == {frozenset({0, 1}): 400_000, frozenset({1}): 400_000}


def test_too_many_answers_are_not_listed() -> None:
    with pytest.raises(TooManyAnswers):
        Regions().answers(lambda x, _: (x, Text("here")))


def test_numbers_beyond_the_machine_are_exact() -> None:
    def large(x: Value, _: Value) -> Value:
        power = ops.power(ops.plus(x, 1), 9)
        return truth(ops.compare(Op.GE, power, 1000**9))

    assert checked(large)[TRUE] == 800


def test_numbers_that_are_too_large_at_too_many_points_are_not_computed() -> None:
    def large(x: Value, y: Value) -> Value:
        return truth(ops.compare(Op.GT, ops.times(ops.power(x, 9), ops.power(y, 9)), 1))

    (answer,) = Regions().answers(large)

    assert isinstance(answer.value, Undefined)
    assert answer.value.is_limit


def test_an_answer_that_depends_on_the_mouse_only_is_asked_once() -> None:
    regions = Regions()
    asked: list[int] = []

    def in_column(column: int) -> bool:
        def ask() -> Value:
            asked.append(column)
            return truth(inside(regions.x, 100 * column, 100 * column + 100))

        return regions.remembered("column", (column,), False, ask) is TRUE  # noqa: FBT003

    def which(_x: Value, _y: Value) -> Value:
        return next((column for column in range(9) if in_column(column)), -1)

    first = {answer.value for answer in regions.answers(which)}
    times = len(asked)
    second = {answer.value for answer in regions.answers(which)}

    assert first == second == {-1, *range(9)}
    assert times == len(asked) <= 3 * 9


_numbers = st.one_of(st.integers(-1200, 1200), st.fractions(-50, 50, max_denominator=7))
_ops = st.sampled_from([Op.PLUS, Op.MINUS, Op.TIMES, Op.DIVIDE, Op.MOD])


@settings(max_examples=40, deadline=None)
@given(
    steps=st.lists(st.tuples(_ops, st.one_of(_numbers, st.sampled_from("xy")), st.booleans())),
    limit=_numbers,
    places=st.lists(st.tuples(st.integers(0, 999), st.integers(1, 800)), min_size=1),
)
def test_any_arithmetic_gives_what_it_gives_at_every_point(
    steps: list[tuple[Op, Value | str, bool]], limit: Value, places: list[tuple[int, int]]
) -> None:
    def ask(x: Value, y: Value) -> Value:
        value = x
        for op, other, is_left in steps[:5]:
            operand = {"x": x, "y": y}[other] if isinstance(other, str) else other
            left, right = (value, operand) if is_left else (operand, value)
            value = ops.BINARY[op](left, right)
        return truth(ops.compare(Op.LT, ops.floor(value), limit))

    checked(ask, places)
