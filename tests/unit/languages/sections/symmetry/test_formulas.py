"""Formulas: the same meaning, as far as it is seen, has the same number."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.languages.sections.ir import Op
from zermelo.languages.sections.symmetry.formulas import (
    FALSE,
    TRUE,
    Claimed,
    Conjunction,
    Disjunction,
    Formulas,
    GroundingError,
    KnownNumber,
    Negation,
    Node,
    TruthConstant,
)


def three() -> tuple[Formulas, Node, Node, Node]:
    made = Formulas()
    a, b, c = (made.made(Claimed(number)) for number in range(3))
    return made, a, b, c


def holds(made: Formulas, node: Node, values: tuple[bool, ...]) -> bool:
    match made[node]:
        case TruthConstant(value):
            return value
        case Claimed(number):
            return values[number]
        case Negation(part):
            return not holds(made, part, values)
        case Conjunction(parts):
            return all(holds(made, part, values) for part in parts)
        case Disjunction(parts):
            return any(holds(made, part, values) for part in parts)
        case other:
            raise AssertionError(other)


def test_order_and_brackets_do_not_matter() -> None:
    made, a, b, c = three()

    assert made.all_of((a, made.all_of((b, c)))) == made.all_of((c, b, a))
    assert made.any_of((a, made.any_of((b, c)))) == made.any_of((c, a, b))


def test_what_is_said_twice_is_said_once() -> None:
    made, a, b, _ = three()

    assert made.all_of((a, a)) == a
    assert made.any_of((a, made.all_of((a, b)))) == a
    assert made.all_of((a, made.any_of((a, b)))) == a


def test_a_contradiction_is_false_and_its_opposite_true() -> None:
    made, a, b, _ = three()
    no = made.negation(a)

    assert made.all_of((a, b, no)) == FALSE
    assert made.any_of((a, b, no)) == TRUE
    assert made.negation(no) == a


def test_a_choice_that_repeats_its_condition_is_simpler() -> None:
    made, a, b, _ = three()

    assert made.either(a, a, b) == made.any_of((a, b))
    assert made.either(a, made.negation(a), a) == FALSE
    assert made.either(a, b, b) == b


def test_of_two_claims_that_exclude_each_other_one_is_not_the_other() -> None:
    made, a, b, _ = three()
    made.pair(0, 1)

    assert made.negation(a) == b
    assert made.any_of((a, b)) == TRUE


def test_a_count_above_zero_asks_whether_anything_is_there() -> None:
    made, a, b, _ = three()
    count = made.total([(a, 1), (b, 1)])
    zero = made.made(KnownNumber(0))

    assert made.term(Op.GT, count, zero) == made.any_of((a, b))
    assert made.term(Op.EQ, count, zero) == made.negation(made.any_of((a, b)))
    assert made.term(Op.NE, count, zero) == made.any_of((a, b))


def test_weights_of_the_same_formula_are_added() -> None:
    made, a, b, _ = three()

    assert made.total([(a, 1), (b, 2), (a, 3)]) == made.total([(a, 4), (b, 2)])
    assert made.known(made.total([(TRUE, 4), (FALSE, 9)])) == 4


def test_what_does_not_speak_of_the_renamed_claims_stays() -> None:
    made, a, b, c = three()
    renamed = made.replaced({0: b, 1: a})

    assert renamed(made.all_of((a, c))) == made.all_of((b, c))
    assert renamed(c) == c
    assert made.support(made.all_of((a, made.negation(c)))) == 0b101


def test_too_many_formulas_are_beyond() -> None:
    made = Formulas(most=10)
    for number in range(9):
        made.made(Claimed(number))

    with pytest.raises(GroundingError, match="more than 10 formulas"):
        made.made(Claimed(9))


def _trees() -> st.SearchStrategy[object]:
    return st.recursive(
        st.integers(0, 2),
        lambda inner: st.tuples(
            st.sampled_from(("and", "or", "not", "either", "same")), inner, inner, inner
        ),
        max_leaves=12,
    )


def built(made: Formulas, tree: object) -> Node:
    if isinstance(tree, int):
        return made.made(Claimed(tree))
    assert isinstance(tree, tuple)
    kind, *parts = tree
    a, b, c = (built(made, part) for part in parts)
    table = {
        "and": lambda: made.all_of((a, b, c)),
        "or": lambda: made.any_of((a, b, c)),
        "not": lambda: made.negation(a),
        "either": lambda: made.either(a, b, c),
        "same": lambda: made.same(a, b),
    }
    return table[kind]()


def meant(tree: object, values: tuple[bool, ...]) -> bool:
    if isinstance(tree, int):
        return values[tree]
    assert isinstance(tree, tuple)
    kind, *parts = tree
    a, b, c = (meant(part, values) for part in parts)
    table = {
        "and": a and b and c,
        "or": a or b or c,
        "not": not a,
        "either": b if a else c,
        "same": a == b,
    }
    return table[kind]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(_trees())
def test_simplifying_changes_no_meaning(tree: object) -> None:
    made = Formulas()

    node = built(made, tree)

    for values in product((False, True), repeat=3):
        assert holds(made, node, values) == meant(tree, values)
