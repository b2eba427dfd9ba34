"""The interpreter asked about many states at once."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.systems import (
    NATURAL,
    countdown,
    eq,
    flags,
    lit,
    lt,
    minus,
    move,
    numbers,
    parameters,
    plus,
    ref,
    rule,
    set_,
    squares,
    stored,
    system,
)
from zermelo.core.adapter import MachineExpander
from zermelo.core.arrays import Rows
from zermelo.core.expander import outcome_of, player_of
from zermelo.core.machine import Ending, FaultKind, Outcome, UnlistedMoves
from zermelo.core.state import Move, State
from zermelo.core.values import UNSET, Atom, truth
from zermelo.languages.sections.ir import And, Binary, Op, System
from zermelo.languages.sections.run.interpreter import Interpreter


def listed(described: System) -> tuple[Interpreter, MachineExpander]:
    """A system, running, and the same as an expander."""
    machine = Interpreter(described)
    return machine, MachineExpander(machine)


def frontier(expander: MachineExpander, *states: State) -> Rows:
    """*states*, packed."""
    return np.array([expander.pack(state) for state in states]).reshape(-1, expander.words)


def heap(number: int, *, turn: bool = True) -> State:
    """A state of the countdown."""
    return State((number, truth(turn), UNSET), ("heap", "turn", "result"))


def test_the_successors_stand_state_by_state_and_in_the_order_of_the_moves() -> None:
    machine, expander = listed(countdown())

    found = expander.expand(frontier(expander, heap(5), heap(1)))

    assert found.counts.tolist() == [2, 1]
    assert [expander.move(code) for code in found.moves.tolist()] == [
        Move("Take", (1,)),
        Move("Take", (2,)),
        Move("Take", (1,)),
    ]
    assert [expander.unpack(row) for row in found.states] == [
        machine.after(heap(5), Move("Take", (1,))),
        machine.after(heap(5), Move("Take", (2,))),
        machine.after(heap(1), Move("Take", (1,))),
    ]
    assert found.faulty.tolist() == []


def test_a_verdict_says_who_is_in_turn_and_how_it_ended() -> None:
    machine, expander = listed(countdown())
    lost = machine.after(heap(1), Move("Take", (1,)))

    found = expander.expand(frontier(expander, heap(5), heap(5, turn=False), lost))

    assert player_of(found.verdicts).tolist() == [0, 1, 1]
    assert outcome_of(found.verdicts).tolist() == [-1, -1, 0]
    assert expander.outcomes == (Outcome(Ending.WIN, ("A",), ("B",), Atom("A wins")),)
    assert found.counts.tolist()[2] == 0


def test_judging_gives_the_same_verdicts_without_the_moves() -> None:
    machine, expander = listed(countdown())
    rows = frontier(expander, heap(3), machine.after(heap(1), Move("Take", (1,))))

    assert expander.judge(rows).tolist() == expander.expand(rows).verdicts.tolist()


def test_a_state_without_moves_that_is_not_over_has_no_outcome() -> None:
    stuck = system(
        stored("n", numbers(0, 2), lit(0)),
        move("Drop", (), rule("1", eq(ref("n"), lit(2)), set_("n", minus(ref("n"), lit(1))))),
    )
    machine, expander = listed(stuck)

    found = expander.expand(frontier(expander, machine.initial))

    assert found.counts.tolist() == [0]
    assert outcome_of(found.verdicts).tolist() == [-1]


def test_states_in_which_a_fault_stops_a_move_are_named() -> None:
    """Nothing keeps the number from rising past its set."""
    rising = system(
        stored("n", numbers(0, 1), lit(0)),
        move("Rise", (), rule("1", And(()), set_("n", plus(ref("n"), lit(1))))),
    )
    machine, expander = listed(rising)
    top = machine.after(machine.initial, Move("Rise"))
    rows = frontier(expander, machine.initial, top)

    found = expander.expand(rows)

    assert found.counts.tolist() == [1, 0]
    assert found.faulty.tolist() == [1]
    assert {str(m): f.kind for m, f in expander.faults(rows[1]).items()} == {
        "Rise()": FaultKind.OUTSIDE
    }


def test_an_empty_frontier_has_nothing_after_it() -> None:
    _, expander = listed(squares())

    found = expander.expand(frontier(expander))

    assert found.states.shape == (0, expander.words)
    assert found.counts.size == found.moves.size == found.verdicts.size == found.faulty.size == 0


def test_rules_are_counted_once_for_each_move_in_which_they_fired() -> None:
    """In `flags` the only move of each state fires both rules."""
    machine, expander = listed(flags())
    second = machine.after(machine.initial, machine.legal(machine.initial)[0])

    assert expander.rules == (("Step", "1"), ("Step", "2"))
    assert expander.fired(frontier(expander, machine.initial, second)).tolist() == [2, 2]


def test_states_that_can_be_packed_are() -> None:
    _, expander = listed(countdown())

    assert expander.layout is not None
    assert expander.pack(heap(4)).tolist() == list(expander.layout.pack(heap(4)))


def test_states_with_numbers_that_nothing_bounds_are_numbered_as_they_are_met() -> None:
    counting = system(
        stored("n", NATURAL, lit(0)),
        move("Add", parameters(k=numbers(1, 2)), set_("n", Binary(Op.POWER, lit(10), lit(30)))),
    )
    machine, expander = listed(counting)
    rows = frontier(expander, machine.initial)

    found = expander.expand(rows)

    assert expander.layout is None
    assert expander.words == 1
    assert rows.tolist() == [[0]]
    assert found.states.tolist() == [[1], [1]]
    assert expander.unpack(found.states[0])["n"] == 10**30


def test_there_is_one_of_it() -> None:
    machine, expander = listed(countdown())

    assert expander.native is None
    assert expander.note == "the interpreter"
    assert expander.signature is machine.signature


def test_a_state_whose_moves_cannot_be_listed_is_not_expanded() -> None:
    many = numbers(1, 101)
    machine, expander = listed(
        system(
            stored("n", numbers(0, 5), lit(0)),
            move(
                "Go",
                parameters(a=many, b=many, c=many),
                rule("1", lt(ref("n"), lit(2)), set_("n", plus(ref("n"), lit(1)))),
            ),
        )
    )
    first = machine.initial

    assert machine.outcome(first) is None
    assert not machine.is_over(first)
    assert [each.kind for each in machine.faults(first).values()] == [FaultKind.UNLISTED]
    with pytest.raises(UnlistedMoves, match="more than 1,000,000 arguments would have to be tried"):
        expander.expand(expander.pack(first).reshape(1, -1))
    # A move that somebody names is made all the same, and where none has an effect that is known.
    after = machine.after(machine.after(first, Move("Go", (1, 2, 101))), Move("Go", (1, 1, 1)))
    assert after["n"] == 2
    assert machine.outcome(after) == Outcome(Ending.STUCK)
