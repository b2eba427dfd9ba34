"""Truth values are values of a kind of their own."""

from __future__ import annotations

import pickle
from copy import deepcopy

import pytest

from zermelo.core.machine import value_json
from zermelo.core.values import FALSE, TRUE, TruthValue, Value, in_order, to_text, truth, type_of

TRUTHS = [(TRUE, True, 1), (FALSE, False, 0)]


@pytest.mark.parametrize(("value", "of_python", "number"), TRUTHS)
def test_a_truth_value_equals_pythons_and_no_number(
    value: TruthValue, of_python: object, number: int
) -> None:
    assert value == of_python
    assert hash(value) == hash(of_python)
    assert value != number
    assert number != value


def test_a_truth_value_and_a_number_are_two_members_of_a_set() -> None:
    both = frozenset[Value]({TRUE, 1}) | frozenset[Value]({FALSE, 0})

    assert len(both) == 4
    assert to_text(both) == "{false, true, 0, 1}"
    assert frozenset({TRUE}) & frozenset[Value]({1}) == frozenset()


def test_tuples_and_sets_of_them_are_kept_apart_too() -> None:
    pairs: frozenset[Value] = frozenset({(TRUE, 2), (1, 2), frozenset({TRUE}), frozenset({1})})

    assert len(pairs) == 4
    assert len(set(map(to_text, in_order(pairs)))) == 4


def test_there_are_two_truth_values_also_after_copying_and_reading_back() -> None:
    copies = [deepcopy((TRUE, FALSE)), pickle.loads(pickle.dumps((TRUE, FALSE)))]

    assert all(one is TRUE and other is FALSE for one, other in copies)
    assert (truth(2 > 1), truth(1 > 2)) == (TRUE, FALSE)


def test_a_truth_value_goes_out_as_that_of_json() -> None:
    assert value_json((TRUE, 1)) == [True, 1]
    assert [type(part) for part in (value_json(TRUE), value_json(1))] == [bool, int]
    assert type_of(TRUE) != type_of(1)
