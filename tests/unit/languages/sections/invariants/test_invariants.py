"""Invariants and potentials: what is claimed holds in every state that the interpreter reaches."""

from __future__ import annotations

import pytest

from tests.support.project import ROOT
from tests.support.understood import system_of
from zermelo.api import loading
from zermelo.core.state import State
from zermelo.core.symmetry import Bit, Invariants, LinearInvariant
from zermelo.languages.sections.invariants import local_transitions
from zermelo.languages.sections.invariants.find import invariants
from zermelo.languages.sections.invariants.linear import Bounded, constant_sums, preserved
from zermelo.languages.sections.invariants.local_transitions import LocalTransition
from zermelo.languages.sections.invariants.potential import is_potential, potential
from zermelo.languages.sections.run.interpreter import Interpreter

DOCUMENTS = ROOT / "benchmarks" / "documents"
GROWING = """\
Applicable Sets
  P : {1..4}
  B : {true, false}
System Variables
  A, D ⊆ P
  turn ∈ B
System Initialization
  A = {1}
  D = {4}
  turn = true
System States and Behavior
Put(x ∈ P)
  turn ∧ x ∉ A → A = A ∪ {x} ∧ turn = ¬turn
  ¬turn ∧ x ∈ A → A = A − {x} ∧ turn = ¬turn
Reading
  order: at once
"""


def machine(name: str) -> Interpreter:
    path = DOCUMENTS / f"{name}.md"
    return Interpreter(system_of(loading.load(path if path.exists() else name)))


def holds(state: State, bit: Bit) -> bool:
    value = state[bit.variable]
    if bit.is_member:
        return isinstance(value, frozenset) and bit.value in value
    return value == bit.value


def total(state: State, each: LinearInvariant) -> int:
    return sum(weight for bit, weight in each.weights if holds(state, bit))


def reached(runner: Interpreter, most: int) -> list[tuple[State, State]]:
    """Moves from the first states that are met, each as the states before and after it."""
    found: list[tuple[State, State]] = []
    seen, waiting = {runner.initial}, [runner.initial]
    while waiting and len(found) < most:
        state = waiting.pop(0)
        for move in runner.legal(state):
            after = runner.after(state, move)
            found.append((state, after))
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return found


@pytest.mark.parametrize("name", ["pawns-4x3", "connect-four-4x5", "tic-tac-toe", "pegs"])
def test_what_is_proved_holds(name: str) -> None:
    runner = machine(name)
    found = invariants(runner)
    assert found.why_not is None
    assert found.potential is not None
    weights = LinearInvariant(tuple(found.potential.items()), 0, 0)
    for before, after in reached(runner, 3000):
        assert not any(holds(after, bit) for bit in found.impossible)
        for each in (*found.local, *found.totals):
            assert each.low <= total(after, each) <= each.high
        assert total(before, weights) < total(after, weights)


def totals(found: Invariants) -> set[tuple[tuple[tuple[str, int], ...], int, int]]:
    return {
        (tuple(sorted({(bit.variable, w) for bit, w in each.weights})), each.low, each.high)
        for each in found.totals
    }


def test_sets_that_never_grow_are_bounded() -> None:
    # On 4 rows and 3 columns each side begins with three pieces: (1, 1), (1, 3) and (2, 2).
    found = invariants(machine("pawns-4x3"))
    assert totals(found) == {((("Alpha", 1),), 0, 3), ((("Beta", 1),), 0, 3)}
    # Nobody's piece ever comes to the middle of the row that it began to leave.
    assert found.impossible == {
        Bit("Alpha", (4, 1), is_member=True),
        Bit("Alpha", (4, 3), is_member=True),
        Bit("Beta", (1, 2), is_member=True),
    }


def test_the_turn_follows_from_the_pieces() -> None:
    found = invariants(machine("connect-four-4x5"))
    assert totals(found) == {((("Red", 1), ("Yellow", -1), ("turn", 1)), 1, 1)}
    # 20 cells hold one disc each, and 15 of them stand on another.
    assert len(found.local) == 20 + 15
    assert found.ending is not None
    assert found.ending.variables == {"result"}


def test_nothing_is_claimed_that_does_not_hold() -> None:
    found = invariants(Interpreter(system_of(loading.load_text(GROWING))))
    # A grows and shrinks by turns, D never changes; with the turn A keeps its sum.
    assert totals(found) == {((("A", 1), ("turn", 1)), 2, 2)}
    assert found.potential is None
    assert "D" in found.fixed


def test_a_candidate_that_a_move_breaks_is_dropped_with_what_stood_on_it() -> None:
    # A move makes 0 true beside 1, unless 2; that not both 1 and 2 hold says nothing of 0.
    moves = [LocalTransition({0: False, 1: False, 2: True}, {0: True})]
    apart = Bounded(((1, 1), (2, 1)), 1)
    first = (False, False, True)
    both = Bounded(((0, 1), (1, 1)), 1)
    assert preserved([apart, both], moves, first, ()) == [apart, both]
    moves.append(LocalTransition({1: False}, {1: True}))
    assert preserved([apart, both], moves, first, ()) == []


def test_sums_that_nothing_changes() -> None:
    assert constant_sums({(2, 0, -1), (0, 1, 0)}, 3) == [(1, 0, 2)]
    assert constant_sums({(1, 0), (0, 1)}, 2) == []


def test_a_potential_is_found_only_where_no_piece_goes_round() -> None:
    bits = [Bit("A", at, is_member=True) for at in range(3)]
    steps = [
        LocalTransition({at: True, at + 1: False}, {at: False, at + 1: True}) for at in range(2)
    ]
    assert potential(steps, (), bits) == {0: -2, 1: -1, 2: 0}
    back = LocalTransition({2: True, 0: False}, {2: False, 0: True})
    assert potential([*steps, back], (), bits) is None
    assert not is_potential({0: -2, 1: -1, 2: 0}, [*steps, back], ())


def test_a_turn_with_too_many_cases_is_not_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_transitions, "MOST_CASES", 100)
    assert invariants(machine("pawns-4x3")).why_not == "a turn has more than 100 cases"
