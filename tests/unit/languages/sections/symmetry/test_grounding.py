"""A system written out does what the interpreter does."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.grounds import expected, successors, written_out
from tests.support.project import TESTS
from tests.support.random_systems import systems
from tests.support.understood import system_of
from zermelo.api import loading
from zermelo.core.layout import Layout
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.formulas import GroundingError
from zermelo.languages.sections.symmetry.grounding import GroundSystem, ground

DOCUMENTS = TESTS / "documents"


def compare(machine: Interpreter, system: GroundSystem, chance: Random, moves: int) -> None:
    state = machine.initial
    for _ in range(moves):
        if machine.is_over(state):
            return
        stopped = machine.faults(state)
        found = {m: s for m, s in successors(system, state).items() if m not in stopped}
        assert found == expected(machine, state), state
        legal = machine.legal(state)
        if not legal:
            return
        state = machine.after(state, chance.choice(legal))


def machine(name: str) -> Interpreter:
    system = system_of(loading.load(name))
    return Interpreter(system)


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    print_blob=False,
    suppress_health_check=list(HealthCheck),
)
@given(systems(), st.randoms(use_true_random=False))
def test_what_can_be_written_out_of_a_random_system_is_right(drawn: System, chance: Random) -> None:
    made = Interpreter(drawn)
    places = made.layout
    if not isinstance(places, Layout):
        return
    try:
        system = ground(made, places)
    except GroundingError:
        return
    compare(made, system, chance, 5)


@pytest.mark.parametrize(
    "name",
    [
        "tic-tac-toe",
        *(
            str(DOCUMENTS / f"{each}.md")
            for each in ("capture", "family", "flood", "invariant", "lamps", "pawns-5x3", "words")
        ),
    ],
)
def test_every_document_that_can_be_written_out_is_right_along_a_play(name: str) -> None:
    made = machine(name)

    compare(made, written_out(made), Random(7), 12)


def test_what_never_changes_is_no_claim() -> None:
    """A pawn of the side that moves up never comes to the last row but where it starts."""
    system = written_out(machine(str(DOCUMENTS / "pawns-5x3.md")))
    live = {(system.bits[at].variable, system.bits[at].value) for at in system.live}

    assert ("Alpha", (5, 1)) in live
    assert ("Alpha", (5, 2)) not in live


def test_what_cannot_be_listed_is_beyond() -> None:
    with pytest.raises(GroundingError) as caught:
        written_out(machine(str(DOCUMENTS / "naturals.md")))

    assert caught.value.reason == "a set cannot be written out"


def test_inputs_that_can_do_nothing_are_left_out() -> None:
    """Of 15 × 15 pairs of cells 28 are steps forward of one side, and 28 of the other."""
    system = written_out(machine(str(DOCUMENTS / "pawns-5x3.md")))

    assert len(system.inputs) == 56
