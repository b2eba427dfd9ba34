"""What each expression evaluates to, and which have no value."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from tests.support.systems import (
    EMPTY,
    FALSE,
    INTEGER,
    NATURAL,
    POSITIVE,
    TRUE,
    both,
    braces,
    defined,
    either,
    eq,
    every,
    ge,
    gt,
    implies,
    le,
    lit,
    loc,
    lt,
    meet,
    member,
    minus,
    named_set,
    ne,
    no,
    numbers,
    outside,
    pair,
    parameters,
    plus,
    ref,
    some,
    stored,
    subset,
    system,
    those,
    union,
    without,
    word,
)
from zermelo.core.machine import Fault, FaultKind
from zermelo.core.values import UNSET, Atom, Value, truth
from zermelo.languages.sections.ir import (
    Abs,
    And,
    Apply,
    Binary,
    Binder,
    Card,
    Ceiling,
    Comprehension,
    Expr,
    Floor,
    Fold,
    FoldKind,
    Function,
    Literal,
    Negate,
    Op,
    Or,
    PowerSet,
    Product,
    Range,
    SetOf,
)
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.text.budget import budget

BIG = Binary(Op.POWER, lit(10), lit(9))
SYSTEM = system(
    named_set("P", Product((numbers(1, 6), numbers(1, 6)))),
    named_set("A", numbers(1, 3)),
    stored("s", PowerSet(ref("A")), braces(lit(1), lit(2))),
    stored("n", NATURAL, lit(4)),
    stored("unset", None, None),
    stored("other", None, None),
    defined("rest", without(ref("A"), ref("s"))),
    Function("double", parameters(x=NATURAL), plus(loc("x"), loc("x"))),
    Function("column", parameters(x=NATURAL), Product((braces(loc("x")), ref("A")))),
    Function("endless", parameters(x=NATURAL), Apply("endless", (plus(loc("x"), lit(1)),))),
)
MACHINE = Interpreter(SYSTEM)


def value(expr: Expr, **names: Value) -> Value | Fault:
    return MACHINE.evaluate(expr, MACHINE.initial, names)


def fault(expr: Expr, **names: Value) -> tuple[FaultKind, str]:
    found = value(expr, **names)
    assert isinstance(found, Fault), found
    return found.kind, found.message


def operation(op: Op, left: Value, right: Value) -> Binary:
    return Binary(op, lit(left), lit(right))


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (operation(Op.PLUS, 2, 3), 5),
        (operation(Op.MINUS, 2, 3), -1),
        (operation(Op.TIMES, 2, 3), 6),
        (operation(Op.DIVIDE, 6, 3), 2),
        (operation(Op.DIVIDE, 1, 3), Fraction(1, 3)),
        (operation(Op.POWER, 2, 10), 1024),
        (operation(Op.POWER, 2, -1), Fraction(1, 2)),
        (operation(Op.MOD, 7, 3), 1),
        (operation(Op.MOD, -1, 3), 2),
        (Negate(lit(3)), -3),
        (Abs(lit(-3)), 3),
        (Floor(operation(Op.DIVIDE, 7, 2)), 3),
        (Floor(operation(Op.DIVIDE, -7, 2)), -4),
        (Ceiling(operation(Op.DIVIDE, 7, 2)), 4),
        (Card(ref("s")), 2),
        (Fold(FoldKind.SUM, Binder(("a",), is_tuple=False, domain=ref("A")), loc("a")), 6),
        (Fold(FoldKind.PRODUCT, Binder(("a",), is_tuple=False, domain=ref("A")), loc("a")), 6),
        (Fold(FoldKind.SUM, Binder(("a",), is_tuple=False, domain=EMPTY), loc("a")), 0),
        (Apply("double", (lit(4),)), 8),
    ],
)
def test_numbers_are_exact(expr: Expr, expected: Value) -> None:
    assert value(expr) == expected


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (And(()), True),
        (Or(()), False),
        (no(TRUE), False),
        (implies(FALSE, FALSE), True),
        (implies(TRUE, FALSE), False),
        (Binary(Op.IFF, FALSE, FALSE), True),
        (eq(ref("s"), numbers(1, 2)), True),
        (ne(ref("s"), numbers(1, 2)), False),
        (lt(lit(1), lit(1)), False),
        (le(lit(1), lit(1)), True),
        (gt(lit(Fraction(1, 2)), lit(0)), True),
        (ge(lit(0), lit(1)), False),
        (member(lit(3), ref("rest")), True),
        (outside(lit(3), ref("rest")), False),
        (subset(ref("s"), ref("A")), True),
        (Binary(Op.NOT_SUBSET, ref("A"), ref("s")), True),
        (Binary(Op.PROPER_SUBSET, ref("A"), ref("A")), False),
        (Binary(Op.PROPER_SUBSET, ref("s"), ref("A")), True),
        (some("x", ref("A"), gt(loc("x"), lit(2))), True),
        (every("x", ref("A"), gt(loc("x"), lit(2))), False),
        (every("x", EMPTY, FALSE), True),
    ],
)
def test_formulas_have_their_usual_meaning(expr: Expr, *, expected: bool) -> None:
    assert value(expr) is truth(expected)


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (union(ref("s"), braces(lit(9))), {1, 2, 9}),
        (meet(ref("s"), braces(lit(2), lit(9))), {2}),
        (without(ref("A"), braces(lit(2))), {1, 3}),
        (SetOf((lit(0), Range(lit(3), lit(5)))), {0, 3, 4, 5}),
        (Range(lit(3), lit(2)), set()),
        (Product((numbers(1, 2), braces(word("a")))), {(1, Atom("a")), (2, Atom("a"))}),
        (PowerSet(numbers(1, 2)), {frozenset(), frozenset({1}), frozenset({2}), frozenset({1, 2})}),
        (Apply("column", (lit(7),)), {(7, 1), (7, 2), (7, 3)}),
        (
            Comprehension(
                plus(loc("x"), loc("y")),
                (
                    Binder(("x",), is_tuple=False, domain=ref("A")),
                    Binder(("y",), is_tuple=False, domain=numbers(1, 2)),
                ),
                lt(loc("x"), loc("y")),
            ),
            {3},
        ),
        (
            Comprehension(
                loc("x"),
                (Binder(("x", "x"), is_tuple=True, domain=Product((ref("A"), numbers(2, 9)))),),
                TRUE,
            ),
            {2, 3},
        ),
    ],
)
def test_sets_are_listed_when_they_are_asked_for(expr: Expr, expected: set[Value]) -> None:
    assert value(expr) == frozenset(expected)


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (those("x", POSITIVE, le(loc("x"), lit(7))), {1, 2, 3, 4, 5, 6, 7}),
        (those("x", NATURAL, lt(loc("x"), lit(3))), {0, 1, 2}),
        (those("x", INTEGER, both(lt(lit(-2), loc("x")), lt(loc("x"), lit(2)))), {-1, 0, 1}),
        (those("x", union(POSITIVE, braces(lit(0))), le(loc("x"), lit(2))), {0, 1, 2}),
        (those("x", INTEGER, eq(loc("x"), lit(5))), {5}),
        (those("x", POSITIVE, member(loc("x"), braces(lit(-1), lit(1)))), {1}),
        (those("x", POSITIVE, le(plus(loc("x"), lit(5)), lit(7))), {1, 2}),
        (those("x", POSITIVE, le(loc("x"), Binary(Op.DIVIDE, lit(5), lit(2)))), {1, 2}),
    ],
)
def test_a_builder_over_an_infinite_set_is_listed_by_its_bounds(
    expr: Expr, expected: set[Value]
) -> None:
    assert value(expr) == frozenset(expected)


def test_each_component_of_a_pair_may_have_its_own_bounds() -> None:
    pairs = Comprehension(
        pair(loc("x"), loc("y")),
        (Binder(("x", "y"), is_tuple=True, domain=Product((POSITIVE, POSITIVE))),),
        both(le(loc("x"), lit(2)), le(loc("y"), lit(2))),
    )

    assert value(pairs) == frozenset({(1, 1), (1, 2), (2, 1), (2, 2)})


def test_a_builder_without_bounds_cannot_be_listed_but_can_be_asked() -> None:
    large = those("x", POSITIVE, ge(loc("x"), lit(7)))

    assert value(member(lit(9), large)) is truth(holds=True)
    assert value(member(lit(6), large)) is truth(holds=False)
    assert fault(large) == (
        FaultKind.ENDLESS,
        "the set would have to be listed, and it has infinitely many members",
    )


def test_a_quantifier_over_an_infinite_set_looks_only_within_its_bounds() -> None:
    above, below = gt(loc("x"), lit(8)), lt(loc("x"), lit(9))

    assert value(some("x", NATURAL, both(le(loc("x"), lit(9)), above))) is truth(holds=True)
    assert value(every("x", NATURAL, implies(le(loc("x"), lit(9)), below))) is truth(holds=False)


def test_subsets_of_one_size_are_listed_without_the_others() -> None:
    triples = those("x", PowerSet(ref("P")), eq(Card(loc("x")), lit(3)))

    assert value(Card(triples)) == 7140


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (Card(PowerSet(ref("P"))), 2**36),
        (Card(without(PowerSet(ref("P")), braces(EMPTY))), 2**36 - 1),
        (Card(union(PowerSet(ref("P")), braces(braces(lit(0))))), 2**36 + 1),
        (Card(Range(lit(1), BIG)), 10**9),
        (Card(meet(PowerSet(ref("s")), braces(braces(lit(1)), braces(lit(3))))), 1),
        (Card(Product((Range(lit(1), BIG), Range(lit(1), BIG)))), 10**18),
    ],
)
def test_large_sets_are_counted_without_being_listed(expr: Expr, expected: Value) -> None:
    assert value(expr) == expected


@pytest.mark.parametrize(
    "expr",
    [
        member(ref("s"), PowerSet(ref("A"))),
        no(member(braces(ref("s")), PowerSet(PowerSet(ref("P"))))),
        member(pair(lit(1), lit(10**8)), Product((NATURAL, Range(lit(1), BIG)))),
        subset(PowerSet(ref("s")), PowerSet(ref("A"))),
        subset(PowerSet(PowerSet(ref("P"))), PowerSet(PowerSet(ref("P")))),
        subset(POSITIVE, NATURAL),
        no(subset(NATURAL, POSITIVE)),
        no(subset(NATURAL, Range(lit(0), BIG))),
        subset(Range(lit(1), BIG), NATURAL),
        eq(PowerSet(ref("P")), PowerSet(Product((numbers(1, 6), numbers(1, 6))))),
        ne(PowerSet(ref("P")), NATURAL),
        member(lit(0), union(POSITIVE, braces(lit(0)))),
        no(member(lit(3), without(NATURAL, ref("A")))),
        no(member(TRUE, NATURAL)),
    ],
)
def test_membership_and_inclusion_are_decided_without_listing(expr: Expr) -> None:
    assert value(expr) is truth(holds=True)


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        (operation(Op.DIVIDE, 1, 0), "`1 / 0` has no value: it divides by 0"),
        (operation(Op.POWER, 0, -1), "`0^(−1)` has no value: it divides by 0"),
        (
            operation(Op.POWER, 2, Fraction(1, 2)),
            "`2^(1/2)` has no value: the exponent is no whole number",
        ),
        (operation(Op.MOD, 1, 0), "`1 mod 0` has no value: 0 is 0"),
        (
            Binary(Op.MOD, lit(Fraction(1, 2)), lit(2)),
            "`1/2 mod 2` has no value: mod needs whole numbers",
        ),
        (Binary(Op.POWER, lit(10), BIG), "`10^10^9` is a number beyond 2^4096"),
        (plus(ref("unset"), lit(1)), "`unset` is not set yet"),
        (member(ref("unset"), ref("A")), "`unset` is not set yet"),
        (plus(TRUE, lit(1)), "`true` should be a number and is true"),
        (And((lit(1), TRUE)), "`1` should be true or false and is 1"),
        (union(lit(1), ref("A")), "`1` should be a set and is 1"),
        (ref("nowhere"), "`nowhere` is nothing of this system"),
        (loc("x"), "`x` has no value here"),
    ],
)
def test_an_expression_without_a_value_is_a_fault(expr: Expr, message: str) -> None:
    assert fault(expr) == (FaultKind.UNDEFINED, message)


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        (
            NATURAL,
            "the set would have to be listed, and it has infinitely many members",
        ),
        (
            PowerSet(PowerSet(ref("P"))),
            "the set would have to be listed, and it has 2^(2^36) members, more than 1,000,000",
        ),
        (
            Range(lit(1), BIG),
            "the set would have to be listed, and it has 1,000,000,000 members,"
            " more than 1,000,000",
        ),
        (
            some("x", PowerSet(ref("P")), TRUE),
            "the set would have to be listed, and it has 2^36 members, more than 1,000,000",
        ),
        (Apply("endless", (lit(0),)), "calls are nested more than 1,000 deep"),
    ],
)
def test_what_goes_beyond_every_bound_is_a_fault_and_says_how_far(expr: Expr, message: str) -> None:
    assert fault(expr) == (FaultKind.ENDLESS, message)


def test_a_guard_protects_what_follows_it() -> None:
    quotient = eq(Binary(Op.DIVIDE, lit(1), lit(0)), lit(1))

    assert value(both(FALSE, quotient)) is truth(holds=False)
    assert value(either(TRUE, quotient)) is truth(holds=True)
    assert value(implies(FALSE, quotient)) is truth(holds=True)
    assert fault(both(quotient, FALSE))[0] is FaultKind.UNDEFINED


def test_an_unset_variable_equals_nothing() -> None:
    assert value(eq(ref("unset"), lit(1))) is truth(holds=False)
    assert value(ne(ref("unset"), lit(1))) is truth(holds=True)
    assert value(eq(ref("unset"), ref("other"))) is truth(holds=False)


def test_a_comparison_with_the_unset_value_asks_whether_a_variable_is_set() -> None:
    assert value(eq(ref("unset"), Literal(UNSET))) is truth(holds=True)
    assert value(ne(ref("n"), Literal(UNSET))) is truth(holds=True)


def test_something_holds_for_some_member_even_if_another_has_no_value() -> None:
    body = eq(Binary(Op.DIVIDE, lit(2), loc("x")), lit(1))

    assert value(some("x", numbers(0, 2), body)) is truth(holds=True)
    assert fault(some("x", numbers(0, 1), body))[1] == "`2 / x` has no value: it divides by 0"


def test_the_fault_is_that_of_the_first_member_in_order_that_has_one() -> None:
    members = braces(lit(8), lit(1), lit(16))
    said = "`x` should be true or false and is 1"

    assert fault(some("x", members, loc("x")))[1] == said
    assert fault(every("x", members, loc("x")))[1] == said
    assert fault(those("x", members, loc("x")))[1] == said


@pytest.mark.parametrize("form", [some, every, lambda *of: ne(those(*of), EMPTY)])
def test_what_has_no_value_is_worked_out_once_however_deep_it_is_nested(
    form: Callable[[str, Expr, Expr], Expr],
) -> None:
    nested: Expr = eq(Binary(Op.DIVIDE, lit(1), loc("y")), lit(1))
    for at in range(30):
        nested = form(f"x{at}", numbers(1, 1), nested)

    # Twice as much for each level would be more than 10^9.
    with budget(steps=200_000):
        assert fault(nested, y=0)[1] == "`1 / y` has no value: it divides by 0"


def test_names_around_an_expression_are_given_by_the_caller() -> None:
    assert value(plus(loc("x"), ref("n")), x=3) == 7


def test_a_bound_name_hides_one_around_it_only_inside() -> None:
    expr = both(some("x", ref("A"), eq(loc("x"), lit(3))), eq(loc("x"), lit(9)))

    assert value(expr, x=9) is truth(holds=True)


def test_minus_between_sets_is_their_difference() -> None:
    assert value(minus(ref("A"), ref("s"))) == frozenset({3})
