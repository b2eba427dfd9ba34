"""Going through expressions, and putting others in their place."""

from __future__ import annotations

from tests.support.systems import (
    both,
    braces,
    either,
    eq,
    loc,
    lt,
    member,
    plus,
    ref,
    rule,
    set_,
    some,
    those,
)
from zermelo.languages.sections.walk import (
    conjuncts,
    depth,
    free_locals,
    parts,
    rules_of,
    substituted,
)


def test_a_bound_name_is_not_free_where_it_is_bound() -> None:
    body = both(some("x", loc("d"), lt(loc("x"), loc("y"))), eq(loc("x"), loc("z")))

    assert free_locals(body) == {"d", "y", "x", "z"}
    assert free_locals(body.operands[0]) == {"d", "y"}
    assert free_locals(those("x", loc("x"), lt(loc("x"), loc("w")))) == {"x", "w"}


def test_nested_conjunctions_are_taken_apart_and_disjunctions_are_not() -> None:
    a, b, c = ref("a"), ref("b"), ref("c")

    assert conjuncts(both(a, both(b, either(a, c)))) == (a, b, either(a, c))


def test_names_are_replaced_everywhere() -> None:
    expr = member(loc("x"), braces(plus(loc("x"), ref("v"))))

    after = substituted(expr, {"x": loc("p")}, {"v": loc("q")})

    assert after == member(loc("p"), braces(plus(loc("p"), loc("q"))))


def test_nothing_is_replaced_where_a_binder_would_catch_a_name() -> None:
    expr = some("x", ref("S"), eq(loc("x"), loc("y")))

    assert substituted(expr, {"y": loc("x")}, {}) is None
    assert substituted(expr, {"y": loc("z")}, {}) == some("x", ref("S"), eq(loc("x"), loc("z")))


def test_parts_come_before_what_is_inside_them() -> None:
    expr = plus(loc("x"), plus(loc("y"), loc("z")))

    assert list(parts(expr)) == [expr, loc("x"), expr.right, loc("y"), loc("z")]
    assert depth(expr) == 3


def test_nested_rules_come_after_the_one_around_them() -> None:
    inner = rule("1.1", ref("b"), set_("a", ref("b")))
    outer = rule("1", ref("a"), inner)

    assert [found.label for found in rules_of((outer, rule("2", ref("c"))))] == ["1", "1.1", "2"]
