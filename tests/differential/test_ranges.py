"""What is proved of values and arguments before anything is played holds in play."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, given, settings

from tests.support.agreement import some_states
from tests.support.random_systems import systems
from tests.support.system_text import document_of
from zermelo.core.state import NO_EFFECT_MOVE, PASS_MOVE
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.ranges import has, only


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(systems())
def test_every_value_that_is_reached_was_found_possible(drawn: System) -> None:
    machine = Interpreter(drawn)
    state = machine.initial
    chance = Random(0)
    for _ in range(12):
        for name, value in state.items():
            found = machine.reached.get(name)

            assert found is None or has(found, value), f"{name} in {state}\n{document_of(drawn)}"
        moves = machine.legal(state)
        if not moves:
            return
        state = machine.after(state, chance.choice(moves))


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(systems())
def test_every_argument_with_an_effect_was_found_possible(drawn: System) -> None:
    machine = Interpreter(drawn)
    for state in some_states(machine, Random(0), most=6):
        values = {name: only(value) for name, value in state.items()}
        for move in machine.legal(state):
            if move.name in {NO_EFFECT_MOVE, PASS_MOVE}:
                continue
            asked = machine.arguments_asked(move.name, values)

            for found, value in zip(asked.values(), move.arguments, strict=True):
                assert has(found, value), f"{move} in {state}\n{document_of(drawn)}"
