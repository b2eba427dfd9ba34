"""Laws of values and their types, whatever kinds meet in one set."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.layout import Choice, Mask, decoded, encoded
from zermelo.core.values import (
    FALSE,
    TRUE,
    Atom,
    SetType,
    Value,
    in_order,
    joined,
    sort_key,
    to_text,
    type_of,
    unify,
)

SIMPLE: st.SearchStrategy[Value] = st.sampled_from(
    (TRUE, FALSE, 0, 1, 2, Fraction(1, 2), Atom("a"), Atom("b"))
)
VALUES: st.SearchStrategy[Value] = st.recursive(
    SIMPLE,
    lambda inner: (
        st.frozensets(inner, max_size=3) | st.lists(inner, min_size=2, max_size=3).map(tuple)
    ),
    max_leaves=6,
)
SETS = st.frozensets(VALUES, max_size=4)


@given(VALUES, VALUES)
def test_values_are_equal_where_they_stand_at_one_place_and_look_alike(a: Value, b: Value) -> None:
    assert (a == b) == (sort_key(a) == sort_key(b)) == (to_text(a) == to_text(b))


@given(SETS, SETS)
def test_the_members_of_sets_of_any_kinds_are_counted_as_of_others(
    a: frozenset[Value], b: frozenset[Value]
) -> None:
    texts = set(map(to_text, a)), set(map(to_text, b))

    assert len(a | b) == len(texts[0] | texts[1])
    assert len(a & b) == len(texts[0] & texts[1])
    assert len(a - b) == len(texts[0] - texts[1])
    assert (a <= b) == (texts[0] <= texts[1])


@given(SETS, SETS)
def test_the_type_of_a_union_is_that_of_both_joined(
    a: frozenset[Value], b: frozenset[Value]
) -> None:
    assert type_of(a | b) == joined(type_of(a), type_of(b))


@given(VALUES, VALUES, VALUES)
def test_types_are_joined_in_any_order(a: Value, b: Value, c: Value) -> None:
    one, two, three = type_of(a), type_of(b), type_of(c)

    assert joined(one, two) == joined(two, one)
    assert joined(joined(one, two), three) == joined(one, joined(two, three))
    assert joined(one, one) == one


@given(VALUES, SETS)
def test_a_value_fits_the_mixture_that_it_is_in(a: Value, others: frozenset[Value]) -> None:
    whole = type_of(others | {a})

    assert isinstance(whole, SetType)
    assert unify(type_of(a), whole.item) is not None


@given(SETS, st.data())
def test_members_of_any_kinds_are_packed_and_read_back(
    members: frozenset[Value], data: st.DataObject
) -> None:
    listed = tuple(in_order(members))
    part = data.draw(st.frozensets(st.sampled_from(listed))) if listed else frozenset[Value]()

    assert decoded(Mask(listed), encoded(Mask(listed), part)) == part
    for each in listed:
        found = decoded(Choice(listed), encoded(Choice(listed), each))
        assert (found, type(found)) == (each, type(each))
