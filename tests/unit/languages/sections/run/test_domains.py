"""How large sets are, without listing them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.systems import (
    EMPTY,
    INTEGER,
    NATURAL,
    POSITIVE,
    TRUE,
    TRUTHS,
    both,
    braces,
    eq,
    le,
    lit,
    loc,
    lt,
    meet,
    move,
    named_set,
    numbers,
    pair,
    ref,
    stored,
    system,
    those,
    union,
    without,
    word,
)
from zermelo.core import layout as layouts
from zermelo.core.layout import Choice, Count, Layout, Mask, Shape, Unpackable
from zermelo.core.state import State
from zermelo.core.values import TRUTH, UNKNOWN, UNSET, Atom, Value, sort_key
from zermelo.languages.sections.ir import (
    Apply,
    Assign,
    Binary,
    Binder,
    Card,
    Comprehension,
    Expr,
    NumberSet,
    Op,
    Parameter,
    PowerSet,
    Procedure,
    Product,
    Range,
    Variable,
    VariableRole,
)
from zermelo.languages.sections.run.domains import estimated_size
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.shapes import ROOM
from zermelo.languages.sections.walk import parts

NAMES: dict[str, Expr] = {
    "P": Product((numbers(1, 7), numbers(1, 5))),
    "Thousand": numbers(1, 1000),
    "Loop": PowerSet(ref("Loop")),
}


def resolve(name: str) -> Expr | None:
    return NAMES.get(name)


def text(expr: Expr) -> str | None:
    size = estimated_size(expr, resolve)
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


BOARD = Product((numbers(1, 9), numbers(1, 9)))


def laid_out(*variables: Variable) -> Layout:
    """The layout of a system with these variables."""
    found = Interpreter(system(*variables, *growing(*variables))).layout
    assert isinstance(found, Layout)
    return found


def growing(*variables: Variable) -> list[Procedure]:
    """For each of *variables* with an infinite set a move that gives it any value of that."""
    return [
        move(f"Give {v.name}", (Parameter("x", v.domain),), Assign(v.name, loc("x")))
        for v in variables
        if v.domain is not None and any(isinstance(part, NumberSet) for part in parts(v.domain))
    ]


def reason(*variables: Variable) -> str:
    """Why a system with these variables has no layout."""
    found = Interpreter(system(*variables, *growing(*variables))).layout
    assert isinstance(found, Unpackable)
    return found.reason


def shape(domain_of: Variable) -> Shape:
    """The shape of one variable."""
    return laid_out(domain_of).fields[0].shape


# Shapes


def test_a_subset_of_a_finite_set_is_a_mask_over_its_members_in_canonical_order() -> None:
    kept = stored("s", PowerSet(braces(lit(3), lit(1), lit(2))), EMPTY)

    assert shape(kept) == Mask((1, 2, 3))


def test_a_first_value_outside_the_set_has_a_bit_of_its_own() -> None:
    kept = stored("s", PowerSet(numbers(1, 2)), braces(lit(7)))

    assert shape(kept) == Mask((1, 2, 7))


def test_whole_numbers_between_bounds_are_counted_from_the_least() -> None:
    assert shape(stored("n", numbers(-2, 5), lit(0))) == Count(-2, 5)
    assert shape(stored("n", braces(lit(1), lit(4)), lit(1))) == Count(1, 4)


def test_a_first_value_beside_the_bounds_widens_them() -> None:
    assert shape(stored("n", numbers(1, 5), lit(0))) == Count(0, 5)


def test_numbers_without_bounds_get_room_and_are_marked() -> None:
    assert shape(stored("n", NATURAL, lit(3))) == Count(0, ROOM, is_declared=False)
    assert shape(stored("n", POSITIVE, lit(0))) == Count(0, ROOM, is_declared=False)
    assert shape(stored("n", INTEGER, lit(0))) == Count(-ROOM, ROOM, is_declared=False)


def test_words_truth_values_and_tuples_are_choices() -> None:
    assert shape(stored("w", braces(word("b"), word("a")), word("b"))) == Choice(
        (Atom("a"), Atom("b"))
    )
    assert shape(stored("t", TRUTHS, TRUE)) == Choice((False, True))
    assert shape(stored("p", Product((numbers(1, 2), TRUTHS)), lit((1, True)))) == Choice(
        tuple(product((1, 2), (False, True)))
    )


def test_a_truth_value_needs_no_declared_set() -> None:
    kept = Variable("t", VariableRole.STORED, None, TRUTH, initial=TRUE)

    assert shape(kept) == Choice((False, True))


def test_a_choice_that_starts_unset_lists_that_too() -> None:
    assert shape(stored("w", braces(word("a")), None)) == Choice((UNSET, Atom("a")))


def test_a_set_and_a_number_that_start_unset_have_a_bit_for_it() -> None:
    found = laid_out(
        stored("s", PowerSet(numbers(1, 2)), None),
        stored("n", numbers(1, 2), None),
        stored("m", numbers(1, 2), lit(1)),
    )

    assert [field.presence is not None for field in found.fields] == [True, True, False]


def test_what_cannot_be_packed_is_said_in_words() -> None:
    unknown = Variable("v", VariableRole.STORED, None, UNKNOWN, initial=lit(1))

    assert reason(unknown) == "the set of the values of `v` is not known"
    assert reason(stored("v", PowerSet(NATURAL), EMPTY)) == "the values of `v` cannot be listed"
    assert reason(stored("v", PowerSet(numbers(1, 5000)), EMPTY)) == (
        "`v` is a subset of 5,000 members"
    )
    many = Product((numbers(1, 300), numbers(1, 300)))
    assert reason(stored("v", many, lit((1, 1)))) == "`v` has 90,000 values"


# Places


def test_variables_share_words_and_none_is_cut_in_two() -> None:
    """60 bits, 3 and 1 fill one word; the 8 that no longer fit begin another."""
    found = laid_out(
        stored("a", PowerSet(numbers(1, 60)), EMPTY),
        stored("b", PowerSet(numbers(1, 8)), EMPTY),
        stored("c", PowerSet(numbers(1, 3)), EMPTY),
        stored("t", TRUTHS, TRUE),
    )

    places = {field.variable: field.place for field in found.fields}
    assert found.words == 2
    assert (places["a"].word, places["a"].shift, places["a"].width) == (0, 0, 60)
    assert (places["b"].word, places["b"].shift, places["b"].width) == (1, 0, 8)
    assert (places["c"].word, places["c"].shift) == (0, 60)
    assert (places["t"].word, places["t"].shift) == (0, 63)


def test_a_set_of_more_than_64_members_goes_on_in_the_next_word() -> None:
    found = laid_out(stored("held", PowerSet(BOARD), EMPTY))
    full = State((frozenset(product(range(1, 10), repeat=2)),), ("held",))

    assert found.words == 2
    assert found.pack(full) == (-1, (1 << 17) - 1)


def test_a_system_without_variables_has_one_empty_word() -> None:
    found = laid_out()

    assert found.words == 1
    assert found.pack(State((), ())) == (0,)


def test_the_sign_bit_is_a_bit_like_the_others() -> None:
    found = laid_out(stored("s", PowerSet(numbers(1, 64)), EMPTY))
    last = State((frozenset({64}),), ("s",))

    assert found.pack(last) == (-(1 << 63),)
    assert found.unpack(found.pack(last)) == last


# There and back

MEMBERS: st.SearchStrategy[Value] = st.one_of(
    st.integers(-5, 80),
    st.sampled_from([Atom("red"), Atom("green")]),
    st.tuples(st.integers(0, 9), st.integers(0, 9)),
)


@st.composite
def shapes_with_values(draw: st.DrawFn) -> tuple[Variable, Value]:
    """A variable with the name ``v``, and a value it may have."""
    is_unset = draw(st.booleans())
    way = draw(st.integers(0, 3))
    if way == 0:
        low, width = draw(st.integers(-100, 100)), draw(st.integers(0, 2000))
        value: Value = draw(st.integers(low, low + width))
        first = None if is_unset else lit(low)
        return stored("v", numbers(low, low + width), first), value
    if way == 1:
        value = draw(st.integers(-ROOM, ROOM))
        return stored("v", INTEGER, None if is_unset else lit(0)), value
    members = draw(st.frozensets(MEMBERS, min_size=1, max_size=90))
    if way == 2:
        value = draw(st.sampled_from(sorted(members, key=sort_key)))
        first = None if is_unset else lit(value)
        return stored("v", braces(*map(lit, members)), first), value
    value = frozenset(m for m in sorted(members, key=sort_key) if draw(st.booleans()))
    return stored("v", PowerSet(braces(*map(lit, members))), None if is_unset else EMPTY), value


@settings(deadline=None)
@given(st.lists(shapes_with_values(), max_size=6), st.data())
def test_what_is_packed_is_unpacked_as_it_was(
    drawn: list[tuple[Variable, Value]], data: st.DataObject
) -> None:
    named = [
        Variable(f"v{at}", v.role, v.domain, v.type, initial=v.initial)
        for at, (v, _) in enumerate(drawn)
    ]
    found = laid_out(*named)
    unset = [v.initial is None and data.draw(st.booleans()) for v in named]
    values = tuple(UNSET if gone else value for gone, (_, value) in zip(unset, drawn, strict=True))
    state = State(values, tuple(v.name for v in named))

    packed = found.pack(state)

    assert found.unpack(packed) == state
    assert all(-(1 << 63) <= part < 1 << 63 for part in packed)


@given(st.lists(shapes_with_values(), min_size=1, max_size=8))
def test_no_bit_belongs_to_two_variables(drawn: list[tuple[Variable, Value]]) -> None:
    named = (
        Variable(f"v{at}", v.role, v.domain, v.type, initial=v.initial)
        for at, (v, _) in enumerate(drawn)
    )
    found = laid_out(*named)
    places = [place for f in found.fields for place in (f.place, f.presence) if place is not None]

    taken = [p.word * layouts.WORD + p.shift + at for p in places for at in range(p.width)]

    assert len(taken) == len(set(taken))
    assert max(taken, default=0) < found.words * layouts.WORD


@pytest.mark.parametrize(
    ("kept", "value"),
    [
        (Mask((1, 2)), frozenset({3})),
        (Mask((1, 2)), 1),
        (Count(1, 4), 5),
        (Count(1, 4), Atom("red")),
        (Choice((1, 2)), 3),
    ],
)
def test_a_value_outside_its_shape_is_not_packed(kept: Shape, value: Value) -> None:
    with pytest.raises((TypeError, ValueError)):
        layouts.encoded(kept, value)


def test_a_set_with_a_name_is_looked_up() -> None:
    kept = stored("s", PowerSet(ref("N")), ref("N"))
    found = Interpreter(system(named_set("N", numbers(1, 3)), kept)).layout

    assert isinstance(found, Layout)
    assert found.field("s").shape == Mask((1, 2, 3))


def test_a_set_that_changes_with_the_state_is_not_packed() -> None:
    left = stored("left", PowerSet(numbers(1, 3)), EMPTY)

    assert reason(left, stored("spare", PowerSet(ref("left")), EMPTY)) == (
        "the set of the values of `spare` changes with the state"
    )


def test_a_first_value_of_another_kind_is_not_packed() -> None:
    half = lit(Fraction(1, 2))
    words = "the first value of `v` is not of the kind of the others"

    assert reason(stored("v", NATURAL, half)) == words
    assert reason(stored("v", NATURAL, lit(ROOM + 1))) == words
    assert reason(stored("v", PowerSet(numbers(1, 3)), lit(1))) == words
