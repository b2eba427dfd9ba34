"""That the comparison of kernels with the interpreter can fail, and on what it can fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from tests.support.agreement import assert_agree, difference, some_states
from tests.support.random_systems import documents, pruned, read, systems
from tests.support.system_text import document_of
from tests.support.systems import (
    countdown,
    flags,
    lit,
    move,
    numbers,
    plus,
    ref,
    set_,
    squares,
    stored,
    system,
)
from tests.support.wellformed import flaws
from zermelo.core.adapter import MachineExpander
from zermelo.core.arrays import Rows
from zermelo.core.expander import PLAYER_BITS, Expansion
from zermelo.core.machine import Fault
from zermelo.core.state import Move, State
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.run.interpreter import Interpreter

QUIETLY = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


class Broken(MachineExpander):
    """The interpreter with one thing wrong."""

    def __init__(self, machine: Interpreter, wrong: str) -> None:
        super().__init__(machine)
        self._wrong = wrong

    def expand(self, frontier: Rows) -> Expansion:
        found = super().expand(frontier)
        if self._wrong == "a move lost" and found.counts[0]:
            counts = found.counts - (np.arange(found.counts.size) == 0)
            return replace(found, counts=counts, states=found.states[1:], moves=found.moves[1:])
        if self._wrong == "a move twice" and found.counts[0]:
            counts = found.counts + (np.arange(found.counts.size) == 0)
            again = np.array([0, *range(found.moves.size)])
            return replace(
                found, counts=counts, states=found.states[again], moves=found.moves[again]
            )
        if self._wrong == "a successor":
            return replace(found, states=np.repeat(found.states[:1], found.moves.size, axis=0))
        if self._wrong == "the player":
            return replace(found, verdicts=found.verdicts & ~((1 << PLAYER_BITS) - 1))
        if self._wrong == "the outcome":
            return replace(found, verdicts=found.verdicts & ((1 << PLAYER_BITS) - 1))
        if self._wrong == "a fault":
            return replace(found, faulty=found.faulty[:0])
        return found

    def faults(self, row: Rows) -> Mapping[Move, Fault]:
        found = super().faults(row)
        return {} if self._wrong == "which moves" else found

    def fired(self, frontier: Rows) -> Rows:
        found = super().fired(frontier)
        return found + 1 if self._wrong == "how often rules fired" else found

    def unpack(self, row: Rows) -> State:
        found = super().unpack(row)
        if self._wrong == "unpacking":
            return State((*found.values[:-1], frozenset()), found.names)
        return found


def rising() -> System:
    """A number that a fault keeps from rising past its set."""
    return system(
        stored("n", numbers(0, 1), lit(0)), move("Rise", (), set_("n", plus(ref("n"), lit(1))))
    )


@pytest.mark.parametrize(
    ("described", "wrong"),
    [
        (countdown(), "a move lost"),
        (countdown(), "a move twice"),
        (countdown(), "a successor"),
        (countdown(), "the player"),
        (countdown(), "the outcome"),
        (rising(), "a fault"),
        (rising(), "which moves"),
        (flags(), "how often rules fired"),
        (countdown(), "unpacking"),
    ],
)
def test_an_expander_with_one_thing_wrong_is_caught(described: System, wrong: str) -> None:
    machine = Interpreter(described)
    states = some_states(machine, Random(0))

    assert difference(Broken(machine, wrong), states, MachineExpander(machine)) is not None


@pytest.mark.parametrize("described", [countdown(), squares(), flags(), rising()])
def test_an_expander_with_nothing_wrong_is_not(described: System) -> None:
    machine = Interpreter(described)

    assert_agree(machine, Broken(machine, "nothing"))


def test_what_differs_is_shown_with_the_document() -> None:
    machine = Interpreter(countdown())

    with pytest.raises(AssertionError) as told:
        assert_agree(machine, Broken(machine, "the player"))

    assert "in the state heap = 5, turn = true, result = unset" in str(told.value)
    assert "player in turn: 0 is right," in str(told.value)
    assert "Take(n ∈ {1..2})" in str(told.value)


@QUIETLY
@given(systems())
def test_random_systems_are_well_formed(drawn: System) -> None:
    assert flaws(drawn) == ()
    assert pruned(drawn) == drawn


@settings(QUIETLY, max_examples=15)
@given(documents())
def test_random_documents_can_be_read(text: str) -> None:
    assert read(text) is not None


def test_a_system_written_as_a_document_is_read_as_the_same_system() -> None:
    """The end of ``countdown`` waits for no variable, so that ``over`` is a fact when read."""
    found = read(document_of(countdown()))

    assert found is not None
    assert found.procedures == tuple(
        replace(p, parameters=q.parameters)
        for p, q in zip(countdown().procedures, found.procedures, strict=True)
    )
    assert [p.wins for p in found.players] == [p.wins for p in countdown().players]
