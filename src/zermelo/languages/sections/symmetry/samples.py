"""Symmetries tried on samples: what follows the image of a state is the image of what follows it.

The proof does not need this; it would show an error in what the proof stands on.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final

from zermelo.core.layout import Layout, Mask
from zermelo.core.machine import State
from zermelo.core.values import UNSET, Value
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.ground import Bit

_PLAYS: Final = 3
_LENGTH: Final = 12
_TURNS: Final = 400
"""So many successors are compared at most."""
_TRIED: Final = 12
"""So many permutations are tried."""
_SEED: Final = 1908


def agrees(
    machine: Interpreter,
    layout: Layout,
    bits: Sequence[Bit],
    generators: Sequence[Mapping[int, int]],
) -> bool:
    """Whether *machine* shows the symmetries on states met in a few random plays."""
    tried = generators[:: max(1, len(generators) // _TRIED)]
    left = _TURNS
    for state in _states(machine):
        following = {machine.after(state, move) for move in machine.legal(state)}
        for generator in tried:
            image = moved(state, layout, bits, generator)
            wanted = {moved(each, layout, bits, generator) for each in following}
            if {machine.after(image, move) for move in machine.legal(image)} != wanted:
                return False
            if machine.outcome(image) != machine.outcome(state):
                return False
            left -= len(following)
        if left <= 0:
            break
    return all(moved(machine.initial, layout, bits, each) == machine.initial for each in generators)


def _states(machine: Interpreter) -> list[State]:
    source = random.Random(_SEED)
    found = {machine.initial: None}
    for _ in range(_PLAYS):
        state = machine.initial
        for _ in range(_LENGTH):
            moves = machine.legal(state)
            if not moves:
                break
            state = machine.after(state, source.choice(moves))
            found[state] = None
    states = list(found)
    source.shuffle(states)
    return states


def moved(state: State, layout: Layout, bits: Sequence[Bit], generator: Mapping[int, int]) -> State:
    """The image of *state*."""
    values: dict[str, Value] = dict(state.items())
    sets: dict[str, set[Value]] = {}
    for bit in bits:
        field = layout.field(bit.variable)
        value = values[bit.variable]
        if isinstance(field.shape, Mask) and isinstance(value, frozenset):
            sets.setdefault(bit.variable, set(value))
    image = dict(values)
    held = [_holds(values, bit) for bit in bits]
    for place, target in generator.items():
        there = bits[target]
        if not there.is_member:
            if held[place]:
                image[there.variable] = there.value
        elif there.value is not UNSET:
            members = sets.setdefault(there.variable, set())
            (members.add if held[place] else members.discard)(there.value)
    for name, members in sets.items():
        if image[name] is not UNSET:
            image[name] = frozenset(members)
    return State(tuple(image[name] for name in state.names), state.names)


def _holds(values: Mapping[str, Value], bit: Bit) -> bool:
    value = values[bit.variable]
    if bit.is_member and bit.value is not UNSET:
        return isinstance(value, frozenset) and bit.value in value
    if bit.is_member:
        return value is not UNSET
    return value == bit.value and type(value) is type(bit.value)
