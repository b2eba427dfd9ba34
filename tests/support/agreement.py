"""Whether an expander does what the interpreter does, in many states of a system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from tests.support.system_text import document_of
from zermelo.core.adapter import MachineExpander
from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander, outcome_of, player_of
from zermelo.core.layout import Count, Layout, Shape
from zermelo.core.machine import Fault, FaultKind, Outcome
from zermelo.core.state import Move, State
from zermelo.core.values import FALSE, TRUE, Value, in_order
from zermelo.languages.sections.ir import Expr, PowerSet
from zermelo.languages.sections.run.interpreter import Interpreter

MOST_COUNTED = 8
"""In so many states it is counted how often rules fire, which takes long."""
MOST_WORK = 60_000
"""So many members of sets gone through are enough for one system."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an expander says of one state."""

    steps: tuple[tuple[Move, State], ...]
    """The legal moves in canonical order, and the states after them."""
    player: int
    outcome: Outcome | None
    stopped: Mapping[Move, FaultKind]
    """The moves that a fault stops."""

    def lines(self) -> Iterator[tuple[str, object]]:
        """What it consists of, by name."""
        yield "player in turn", self.player
        yield "outcome", self.outcome
        yield "legal moves", [str(move) for move, _ in self.steps]
        for move, state in self.steps:
            yield f"after {move}", str(state)
        yield "faults", {str(move): kind.value for move, kind in self.stopped.items()}


def answers(expander: Expander, states: Sequence[State]) -> list[Answer]:
    """What *expander* says of *states*, all asked for at once."""
    rows = _packed(expander, states)
    found = expander.expand(rows)
    counts, faulty = found.counts.tolist(), set(found.faulty.tolist())
    moves = [expander.move(code) for code in found.moves.tolist()]
    after = [expander.unpack(row) for row in np.array(found.states)]
    players, outcomes = player_of(found.verdicts).tolist(), outcome_of(found.verdicts).tolist()
    made: list[Answer] = []
    start = 0
    for at, count in enumerate(counts):
        stop = start + count
        steps = zip(moves[start:stop], after[start:stop], strict=True)
        made.append(
            Answer(
                tuple(sorted(steps, key=lambda step: step[0].sort_key())),
                players[at],
                None if outcomes[at] < 0 else expander.outcomes[outcomes[at]],
                _kinds(expander.faults(rows[at])) if at in faulty else {},
            )
        )
        start = stop
    assert start == len(moves) == len(after), "the counts do not add up"
    return made


def _packed(expander: Expander, states: Sequence[State]) -> Rows:
    rows = [expander.pack(state) for state in states]
    return np.array(rows, dtype=np.int64).reshape(len(states), expander.words)


def _kinds(faults: Mapping[Move, Fault]) -> dict[Move, FaultKind]:
    return {move: fault.kind for move, fault in faults.items()}


# States worth asking about


def some_states(machine: Interpreter, chance: Random, *, most: int = 24) -> list[State]:
    """States of *machine*: the nearest ones, some of a walk, and some that no play need reach."""
    found = dict.fromkeys(_nearest(machine, most // 2))
    found |= dict.fromkeys(_walk(machine, chance, most // 4))
    if machine.work < MOST_WORK:
        found |= dict.fromkeys(_any(machine, chance, most // 4))
    return list(found)


def _nearest(machine: Interpreter, most: int) -> Iterator[State]:
    waiting, seen = [machine.initial], {machine.initial}
    for state in waiting:
        yield state
        if len(waiting) >= most or _is_laborious(machine, state):
            continue
        for move in machine.legal(state):
            after = machine.after(state, move)
            if after not in seen and len(waiting) < most:
                seen.add(after)
                waiting.append(after)


def _is_laborious(machine: Interpreter, state: State) -> bool:
    """Whether looking at more states would take long."""
    endless = FaultKind.ENDLESS
    return machine.work > MOST_WORK or any(
        fault.kind is endless for fault in machine.faults(state).values()
    )


def _walk(machine: Interpreter, chance: Random, steps: int) -> Iterator[State]:
    state = machine.initial
    for _ in range(steps):
        moves = () if _is_laborious(machine, state) else machine.legal(state)
        if not moves:
            return
        state = machine.after(state, chance.choice(moves))
        yield state


def _any(machine: Interpreter, chance: Random, count: int) -> Iterator[State]:
    found = machine.layout
    if not isinstance(found, Layout):
        return
    ranges = [_range(machine, found, name) for name in machine.initial.names]
    if not all(members for _, members in ranges):
        # What is packed there is what is reached, and this state need not be.
        return
    for _ in range(count):
        values = tuple(_chosen(chance, of, is_set=is_set) for is_set, of in ranges)
        yield State(values, machine.initial.names)


def _range(machine: Interpreter, packed: Layout, name: str) -> tuple[bool, list[Value]]:
    """Whether the variable called *name* is a set, and the values or members it may have."""
    first = machine.initial[name]
    variable, shape = machine.system.variable(name), packed.field(name).shape
    if variable is None or variable.domain is None:
        return False, [FALSE, TRUE]
    if isinstance(shape, Count) and not shape.is_declared:
        near = [first + by for by in (0, 1, 2, 5)] if isinstance(first, int) else [1, 2]
        return False, [*near]
    if isinstance(variable.domain, PowerSet):
        return True, _members(machine, variable.domain.base)
    return False, _members(machine, variable.domain)


def _members(machine: Interpreter, domain: Expr) -> list[Value]:
    found = machine.evaluate(domain, machine.initial, {})
    return in_order(found) if isinstance(found, frozenset) else []


def _chosen(chance: Random, values: list[Value], *, is_set: bool) -> Value:
    if is_set:
        return frozenset(value for value in values if chance.random() < 0.5)
    return chance.choice(values)


# Agreement


def difference(
    expander: Expander,
    states: Sequence[State],
    expected: Expander,
    *,
    tally: Counter[str] | None = None,
    most_counted: int = MOST_COUNTED,
) -> str | None:
    """Where *expander* says of *states* what *expected* does not say; ``None`` if nowhere.

    What was compared is counted in *tally*; how often rules fire in *most_counted* of the states.
    """
    tally = Counter() if tally is None else tally
    states = [state for state in states if _has_room(state, expander, expected)]
    for state in states:
        if expander.unpack(expander.pack(state)) != state:
            return f"packed and unpacked, {state} is {expander.unpack(expander.pack(state))}"
    pairs = zip(states, answers(expected, states), answers(expander, states), strict=True)
    for state, right, given in pairs:
        if right != given:
            return _told(state, right, given)
        tally["states"] += 1
        tally["states that are over"] += right.outcome is not None
        tally["legal moves"] += len(right.steps)
        tally.update(f"moves stopped: {kind.value}" for kind in right.stopped.values())
    return _difference_of_counts(expander, states[:most_counted], expected, tally)


def _has_room(state: State, expander: Expander, expected: Expander) -> bool:
    """Whether the numbers that nothing bounds are small enough, there and one move on."""
    if expander.layout is None or expander.layout == expected.layout:
        return True
    found = expected.expand(_packed(expected, [state]))
    near = [state, *(expected.unpack(row) for row in found.states)]
    counts = [f for f in expander.layout.fields if isinstance(f.shape, Count)]
    return all(_is_within(each[f.variable], f.shape) for each in near for f in counts)


def _is_within(value: Value, shape: Shape) -> bool:
    if not isinstance(shape, Count) or not isinstance(value, int):
        return True
    return shape.low <= value <= shape.high


def _difference_of_counts(
    expander: Expander, states: Sequence[State], expected: Expander, tally: Counter[str]
) -> str | None:
    rows = _packed(expander, states)
    found = expander.expand(rows)
    verdicts, moves = np.array(found.verdicts), found.moves.tolist()
    if expander.expand(rows).moves.tolist() != moves:
        return "asked again, it gives the moves in another order"
    if not np.array_equal(expander.judge(rows), verdicts):
        return f"judge gives {expander.judge(rows)} and expand {verdicts}"
    for state in states:
        fired, known = _fired(expander, state), _fired(expected, state)
        if fired != known:
            return f"in the state {state}\n  rules fired {fired} times and not {known}"
        tally["rules fired"] += sum(known.values())
    return None


def _fired(expander: Expander, state: State) -> dict[tuple[str, str], int]:
    """In how many of the legal moves of *state* each rule fires."""
    counts = expander.fired(_packed(expander, [state])).tolist()
    return dict(zip(expander.rules, counts, strict=True))


def _told(state: State, right: Answer, given: Answer) -> str:
    expected, found = dict(right.lines()), dict(given.lines())
    lines = [f"in the state {state}"]
    for name in dict.fromkeys((*expected, *found)):
        if expected.get(name) != found.get(name):
            lines.append(f"  {name}: {expected.get(name)} is right,")
            lines.append(f"  {' ' * len(name)}  {found.get(name)} was said")
    return "\n".join(lines)


def assert_agree(machine: Interpreter, expander: Expander, *, seed: int = 0) -> None:
    """Fail, and show the document, unless *expander* does what *machine* does."""
    states = some_states(machine, Random(seed))
    found = difference(expander, states, MachineExpander(machine))
    assert found is None, f"{found}\n\n{document_of(machine.system)}"
