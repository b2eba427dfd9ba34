"""How large sets are, without listing them."""

from __future__ import annotations

import pytest

from tests.support.systems import (
    EMPTY,
    INTEGER,
    NATURAL,
    POSITIVE,
    TRUE,
    both,
    braces,
    eq,
    le,
    lit,
    loc,
    lt,
    meet,
    numbers,
    pair,
    ref,
    those,
    union,
    without,
)
from zermelo.languages.sections.ir import (
    Apply,
    Binary,
    Binder,
    Card,
    Comprehension,
    Expr,
    Op,
    PowerSet,
    Product,
    Range,
)
from zermelo.languages.sections.run.sizes import estimate

NAMES: dict[str, Expr] = {
    "P": Product((numbers(1, 7), numbers(1, 5))),
    "Thousand": numbers(1, 1000),
    "Loop": PowerSet(ref("Loop")),
}


def resolve(name: str) -> Expr | None:
    return NAMES.get(name)


def text(expr: Expr) -> str | None:
    size = estimate(expr, resolve)
    if size is None:
        return None
    return size.text if size.is_exact else f"at most {size.text}"


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (ref("P"), "35"),
        (EMPTY, "0"),
        (braces(lit(1), Range(lit(2), lit(9))), "9"),
        (PowerSet(ref("P")), "2^35"),
        (PowerSet(PowerSet(ref("P"))), "2^(2^35)"),
        (PowerSet(PowerSet(PowerSet(ref("P")))), "2^(2^(2^35))"),
        (PowerSet(numbers(1, 4)), "16"),
        (Range(lit(1), Binary(Op.POWER, lit(10), lit(9))), "1,000,000,000"),
        (
            Range(lit(1), Binary(Op.POWER, lit(10), Binary(Op.POWER, lit(10), lit(9)))),
            "more than 2^4096",
        ),
        (Product((ref("Thousand"),) * 5), "1,000,000,000,000,000"),
        (Product((PowerSet(PowerSet(ref("P"))), ref("P"))), "(2^(2^35)) · 35"),
        (Product((NATURAL, EMPTY)), "0"),
        (NATURAL, "infinitely many"),
        (PowerSet(NATURAL), "infinitely many"),
        (union(NATURAL, ref("P")), "at most infinitely many"),
        (union(ref("P"), braces(lit(0))), "at most 36"),
        (without(ref("P"), ref("Thousand")), "at most 35"),
        (meet(NATURAL, ref("P")), "at most 35"),
        (Range(lit(0), Card(ref("P"))), "36"),
    ],
)
def test_sizes_are_exact_as_long_as_they_can_be_written_down(expr: Expr, expected: str) -> None:
    assert text(expr) == expected


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (those("x", POSITIVE, le(loc("x"), lit(7))), "at most 7"),
        (those("x", INTEGER, both(lt(lit(-4), loc("x")), lt(loc("x"), lit(4)))), "at most 7"),
        (those("x", union(POSITIVE, braces(lit(0))), le(loc("x"), lit(16))), "at most 17"),
        (those("x", POSITIVE, TRUE), "at most infinitely many"),
        (those("x", PowerSet(ref("P")), TRUE), "at most 34,359,738,368"),
        (those("x", PowerSet(ref("P")), eq(Card(loc("x")), lit(3))), "at most 6,545"),
    ],
)
def test_a_builder_has_at_most_the_members_of_its_set_between_its_bounds(
    expr: Expr, expected: str
) -> None:
    assert text(expr) == expected


def test_several_binders_multiply() -> None:
    expr = Comprehension(
        pair(loc("x"), loc("y")),
        (
            Binder(("x",), is_tuple=False, domain=ref("Thousand")),
            Binder(("y",), is_tuple=False, domain=ref("Thousand")),
        ),
        TRUE,
    )

    assert text(expr) == "at most 1,000,000"


@pytest.mark.parametrize("expr", [ref("nowhere"), ref("Loop"), loc("x"), Apply("f", ())])
def test_what_is_not_known_is_not_guessed(expr: Expr) -> None:
    assert text(expr) is None
