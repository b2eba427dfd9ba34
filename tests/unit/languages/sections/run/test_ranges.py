"""Which values and arguments are possible, found out from the rules.

The expected bounds and moves are worked out by hand from the documents.
"""

from __future__ import annotations

import pytest

from zermelo.api import loading
from zermelo.api.loading import load_text
from zermelo.core.layout import Count, Layout, Mask
from zermelo.core.values import Value
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.run import ranges
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.ranges import (
    ANYTHING,
    NOTHING,
    Between,
    OneOf,
    SetWithin,
    TupleWithin,
    only,
)

NUMBERS = """
Applicable Sets
  N : {kind}
  F : {{1, 2, 3}}
  B : {{true, false}}
System Variables
  used, okay ⊆ N
  turn, over, ok ∈ B
System Facts
  okay = {okay}
  over ↔ |used| = 3
System Initialization
  used = ∅
  turn = true
  ok = false
System States and Behavior
twice(x ∈ N) = 2 · x
Say(m ∈ N)
  {rules}
Put(x ∈ F)
  x ∈ okay → used = used ∪ {{x}} ∧ turn = ¬turn
GameOver(over)
  result ∈ {{first wins, second wins}}
  over ∧ ¬turn → result = first wins
  over ∧ turn → result = second wins
Reading
  role of Put: helper
"""
TAKE = "used = used ∪ {m} ∧ turn = ¬turn"


def interpreter(text: str) -> Interpreter:
    game = load_text(text)
    assert [d.message for d in game.diagnostics if d.is_error] == []
    assert isinstance(game.machine, Interpreter)
    return game.machine


def said(machine: Interpreter) -> list[Value]:
    return sorted(
        (move.arguments[0] for move in machine.legal(machine.initial) if move.name == "Say"),
        key=str,
    )


@pytest.mark.parametrize("kind", ["set of natural numbers", "set of positive integers", "ℕ", "ℤ"])
@pytest.mark.parametrize(
    "okay", ["N − used", "N − (used ∪ {0})", "{x ∈ N | x ∉ used}", "N ∖ (used ∩ F)"]
)
def test_a_fact_without_end_is_asked_for_members_only(kind: str, okay: str) -> None:
    rules = f"m ∈ okay ∩ F → {TAKE}"
    machine = interpreter(NUMBERS.format(kind=kind, okay=okay, rules=rules))

    assert said(machine) == [1, 2, 3]
    layout = machine.layout
    assert isinstance(layout, Layout)
    assert layout.field("used").shape == Mask((1, 2, 3))
    assert isinstance(kernel(machine, compiled=False), Kernel)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (f"m ∈ okay ∧ (turn ∧ m ∈ F ∨ ¬turn ∧ m ∈ {{2, 9}}) → {TAKE}", [1, 2, 3]),
        (f"m ∈ okay ∧ (turn ∧ m < 4 ∨ ¬turn ∧ m ≤ 2) → {TAKE}", [0, 1, 2, 3]),
        (f"(m = 1 ∨ m = 2 ∨ m = 5) ∧ m ∈ okay → {TAKE}", [1, 2, 5]),
        (f"m ∈ okay ∧ ¬(m ∉ F) → {TAKE}", [1, 2, 3]),
        (f"m ∈ okay ∧ ¬(m > 3) → {TAKE}", [0, 1, 2, 3]),
        (f"m ∈ okay ∧ {{m}} ⊆ F → {TAKE}", [1, 2, 3]),
        (f"m ∈ okay ∧ m + 1 ∈ F → {TAKE}", [0, 1, 2]),
        (f"m ∈ okay ∧ twice(m) < 7 → {TAKE}", [0, 1, 2, 3]),
        (f"m ∈ okay ∧ m · m ≤ 9 → {TAKE}", [0, 1, 2, 3]),
        (f"k = m − 1\n  m ∈ okay ∧ k ∈ F → {TAKE}", [2, 3, 4]),
        (f"k = m − 1\n  k ∈ F\n  m ∈ okay ∧ k > 0 → {TAKE}", [2, 3, 4]),
        (f"(a, b) = (m, m + 1)\n  m ∈ okay ∧ b ∈ F → {TAKE}", [0, 1, 2]),
        (f"m ∈ F → ok = true\n  ok ∧ m ∈ okay → {TAKE}\n  ok = false", [1, 2, 3]),
        (f"ok = (m ∈ F)\n  ok ∧ m ∈ okay → {TAKE}", [1, 2, 3]),
        (f"ok = false\n  m ∈ F → ok = true\n  ok ∧ m ∈ okay → {TAKE}", [1, 2, 3]),
        (f"m ∈ okay ∧ m ≤ |F| → {TAKE}", [0, 1, 2, 3]),
        ("Put(m)", [1, 2, 3]),
    ],
)
def test_a_parameter_of_which_few_values_matter_is_finite(rules: str, expected: list[int]) -> None:
    text = NUMBERS.format(kind="set of natural numbers", okay="N − used", rules=rules)
    machine = interpreter(text)

    assert said(machine) == expected
    assert isinstance(kernel(machine, compiled=False), Kernel)


def test_a_parameter_that_nothing_bounds_is_an_error() -> None:
    rules = f"m ∈ okay ∧ m mod 2 = 0 → {TAKE}"
    game = load_text(NUMBERS.format(kind="ℕ", okay="N − used", rules=rules))

    assert [d.code.id for d in game.diagnostics if d.is_error] == ["Z405"]


COUNTER = """
Applicable Sets
  N : {kind}
  B : {{true, false}}
System Variables
  moves, other ∈ N
  turn, over ∈ B
System Facts
  over ↔ {over}
System Initialization
  moves = {first}
  other = 1
  turn = true
System States and Behavior
Step(d ∈ {{1, 2}})
  {rules}
GameOver(over)
  result ∈ {{first wins, second wins}}
  over ∧ ¬turn → result = first wins
  over ∧ turn → result = second wins
"""


@pytest.mark.parametrize(
    ("over", "first", "rules", "low", "high"),
    [
        ("moves = 36", 1, "d = 1 → moves = moves + 1 ∧ turn = ¬turn", 1, 36),
        ("moves ≥ 36", 1, "d = 1 → moves = moves + 1 ∧ turn = ¬turn", 1, 36),
        ("moves > 35", 1, "d > 0 → moves = moves + d ∧ turn = ¬turn", 1, 37),
        ("36 ≤ moves + 1", 1, "d = 1 → moves = moves + 1 ∧ turn = ¬turn", 1, 35),
        ("moves = 1", 36, "d = 1 → moves = moves − 1 ∧ turn = ¬turn", 1, 36),
        ("turn ∧ moves = 9 ∨ moves = 9", 1, "d = 1 → moves = moves + 1 ∧ turn = ¬turn", 1, 9),
        (
            "moves = 9",
            1,
            "d = 1 → moves = moves + 1 ∧ turn = ¬turn\n  d = 2 ∧ moves > 1 → moves = 1",
            1,
            9,
        ),
        ("other = 3", 1, "moves < 5 → moves = moves + d ∧ turn = ¬turn", 1, 6),
    ],
)
@pytest.mark.parametrize("kind", ["ℕ", "ℤ", "set of positive integers"])
def test_a_counter_has_the_bounds_that_the_rules_and_the_end_give_it(
    over: str, first: int, rules: str, low: int, high: int, kind: str
) -> None:
    machine = interpreter(COUNTER.format(kind=kind, over=over, first=first, rules=rules))

    layout = machine.layout
    assert isinstance(layout, Layout)
    assert layout.field("moves").shape == Count(low, high)


def test_a_counter_that_nothing_bounds_has_room_only() -> None:
    rules = "d = 1 → moves = moves + 1 ∧ turn = ¬turn"
    machine = interpreter(COUNTER.format(kind="ℕ", over="other = 3", first=1, rules=rules))

    layout = machine.layout
    assert isinstance(layout, Layout)
    shape = layout.field("moves").shape
    assert isinstance(shape, Count)
    assert (shape.low, shape.is_declared) == (1, False)


def test_a_counter_that_the_end_stops_with_a_variable_of_its_own_is_bounded() -> None:
    text = COUNTER.format(
        kind="ℕ", over="", first=1, rules="d = 1 → moves = moves + 1 ∧ turn = ¬turn"
    )
    text = text.replace("System Facts\n  over ↔ \n", "").replace("  other = 1", "  over = false")
    text = text.replace("moves, other ∈ N", "moves ∈ N")
    text = text.replace("  over ∧ ¬turn →", "  moves = 12 → over = true\n  over ∧ ¬turn →")
    machine = interpreter(text)

    layout = machine.layout
    assert isinstance(layout, Layout)
    assert layout.field("moves").shape == Count(1, 12)


def test_the_game_that_ends_after_36_moves_counts_no_further() -> None:
    machine = loading.load("four-quadrants").machine
    assert isinstance(machine, Interpreter)
    layout = machine.layout

    assert isinstance(layout, Layout)
    assert layout.field("moves").shape == Count(0, 36)


def test_ranges_are_joined_and_met() -> None:
    small = OneOf(frozenset({1, 2}))

    assert ranges.join(small, only(5)) == OneOf(frozenset({1, 2, 5}))
    assert ranges.join(small, Between(7, None)) == Between(1, None)
    assert ranges.join(ranges.EITHER, Between(0, 1)) == ANYTHING
    assert ranges.meet(small, Between(2, 9)) == only(2)
    assert ranges.meet(Between(0, 4), Between(5, None)) == NOTHING
    pairs = TupleWithin((small, Between(0, None)))
    assert ranges.meet(pairs, TupleWithin((ANYTHING, Between(None, 3)))) == TupleWithin(
        (small, Between(0, 3))
    )
    assert ranges.meet(SetWithin(small), SetWithin(only(9))) == SetWithin(NOTHING)


def test_numbers_are_taken_from_the_ends_of_a_range() -> None:
    assert ranges.without(Between(0, 36), frozenset({36, 0, 7})) == Between(1, 35)
    assert ranges.without(Between(4, 5), frozenset({4, 5})) == NOTHING
