"""The legal moves of random systems are those that trying every argument finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from hypothesis import HealthCheck, given, settings

from tests.support.agreement import some_states
from tests.support.random_systems import systems
from tests.support.system_text import document_of
from zermelo.core.state import NO_EFFECT_MOVE, PASS_MOVE, Move, State
from zermelo.core.values import Value, in_order
from zermelo.languages.sections.ir import NumberSet, Parameter, Procedure, System
from zermelo.languages.sections.run.interpreter import Interpreter

MOST_TRIED = 300
"""States with more inputs than this are left out."""


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(systems())
def test_no_argument_with_an_effect_is_lost(drawn: System) -> None:
    machine = Interpreter(drawn)
    for state in some_states(machine, Random(0), most=8):
        inputs = [] if machine.is_over(state) else list(_inputs(machine, state))
        if len(inputs) > MOST_TRIED:
            continue
        turns = [machine.turn(state, move) for move in inputs]
        expected = {turn.move for turn in turns if turn.has_effect and turn.after is not None}
        untried = {NO_EFFECT_MOVE, PASS_MOVE, *(p.name for p in drawn.moves if _is_endless(p))}
        legal = {move for move in machine.legal(state) if move.name not in untried}

        assert legal == expected, f"{state}\n{document_of(drawn)}"


def _is_endless(procedure: Procedure) -> bool:
    """Whether a parameter ranges over all numbers, which nobody can try one by one."""
    return any(isinstance(p.domain, NumberSet) for p in procedure.parameters)


def _inputs(machine: Interpreter, state: State) -> Iterator[Move]:
    for procedure in machine.system.moves:
        if _is_endless(procedure):
            continue
        for arguments in _arguments(machine, state, procedure.parameters, {}):
            yield Move(procedure.name, arguments)


def _arguments(
    machine: Interpreter,
    state: State,
    parameters: tuple[Parameter, ...],
    given: Mapping[str, Value],
) -> Iterator[tuple[Value, ...]]:
    """The members of the sets of *parameters*, which may depend on those before them."""
    if not parameters:
        yield tuple(given.values())
        return
    first, *rest = parameters
    domain = machine.evaluate(first.domain, state, given)
    for value in in_order(domain) if isinstance(domain, frozenset) else ():
        yield from _arguments(machine, state, tuple(rest), {**given, first.name: value})
