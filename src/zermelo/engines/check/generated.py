"""What follows a state, told by generated code that runs as Python, once there is enough to do.

A machine answers at once, and takes long for each state; code has to be generated first, and then
takes a tenth of that. So the machine tells of the first moves. What the code leaves open, as where
a fault stops a move, the machine tells too: whoever asks hears the same from both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander, TooNarrow, outcome_of
from zermelo.core.machine import Outcome
from zermelo.core.state import Move, State
from zermelo.engines.check.observe import NearStates
from zermelo.text import budget
from zermelo.text.budget import LimitReached
from zermelo.text.errors import TooLargeToPack

MOVES_OF_THE_MACHINE: Final = 500
"""So many moves are made before code is generated, which takes about as long."""
_STEPS_TO_GENERATE: Final = 500_000
_TIMES_AS_QUICK: Final = 4
"""The code takes a tenth of the time at best; where sets are long, more."""
_MOST_AT_ONCE: Final = 128
_STEPS_AT_ONCE: Final = 20_000
_FOLLOWING: Final = "trying the document out"

Generate: TypeAlias = Callable[[], Expander | None]
"""Makes code that runs at once; ``None`` where it cannot be made."""


@dataclass(frozen=True, slots=True)
class Followed:
    """What follows one state: its moves in canonical order, and how it ends if it is over."""

    steps: tuple[tuple[Move, State], ...]
    outcome: Outcome | None


class GeneratedSteps:
    """What the code that *generate* makes tells of the states of *near*, which asks in order.

    Each of its moves counts a quarter of the steps that those of the machine took on average, and
    its loops count their rounds: what is seen within a budget is the same everywhere.
    """

    def __init__(self, generate: Generate | None, near: NearStates[State]) -> None:
        self._generate = generate
        self._near = near
        self._code: _Code | None = None
        self._steps_of_a_move = 0
        self._at_once = 1
        self._followed: dict[State, Followed | None] = {}

    def followed(self, state: State) -> Followed | None:
        """What follows *state*, the next one; ``None`` where the machine is to tell."""
        if self._generate is not None and self._near.moves >= MOVES_OF_THE_MACHINE:
            self._code, self._generate = self._made(self._generate), None
        if self._code is None:
            return None
        if state not in self._followed:
            self._expand(self._code)
        found = self._followed.pop(state, None)
        if found is not None:
            budget.spend(self._steps_of_a_move * max(1, len(found.steps)), _FOLLOWING)
        return found

    def _made(self, generate: Generate) -> _Code | None:
        self._steps_of_a_move = _spent() // (_TIMES_AS_QUICK * self._near.moves)
        try:
            with budget.budget(steps=_STEPS_TO_GENERATE):
                expander = generate()
        except LimitReached:
            return None
        return None if expander is None else _Code(expander)

    def _expand(self, code: _Code) -> None:
        states = self._near.ahead(self._at_once)
        before = _spent()
        try:
            self._followed = dict(zip(states, code.followed(states), strict=True))
        except (TooNarrow, TooLargeToPack):
            # A counter has outgrown its room, and those of the states behind it will, too.
            self._code, self._followed = None, {}
        # What is seen when the steps are spent must not depend on the clock, nor hang on many.
        is_quick = _spent() - before < _STEPS_AT_ONCE
        self._at_once = min(2 * self._at_once, _MOST_AT_ONCE) if is_quick else 1


def _spent() -> int:
    around = budget.current()
    return 0 if around is None else around.spent


class _Code:
    """An expander with names for what it tells, each made once."""

    def __init__(self, expander: Expander) -> None:
        self._expander = expander
        self._moves: dict[int, Move] = {}
        self._states: dict[tuple[int, ...], State] = {}
        self._rows: dict[State, tuple[int, ...]] = {}

    def followed(self, states: Sequence[State]) -> list[Followed | None]:
        # Of few states nobody needs arrays.
        import numpy as np  # noqa: PLC0415

        expansion = self._expander.expand(np.array([*map(self._row, states)], dtype=np.int64))
        counts, codes = expansion.counts.tolist(), expansion.moves.tolist()
        numbers, faulty = outcome_of(expansion.verdicts).tolist(), set(expansion.faulty.tolist())
        words, rows = map(tuple, expansion.states.tolist()), expansion.states
        following = [self._state(key, rows, at) for at, key in enumerate(words)]
        found: list[Followed | None] = []
        first = 0
        for at, outcome in enumerate(numbers):
            last = first + counts[at]
            made = codes[first:last]
            steps = zip(made, map(self._move, made), following[first:last], strict=True)
            first = last
            if at in faulty:
                found.append(None)
                continue
            ended = None if outcome < 0 else self._expander.outcomes[outcome]
            told = tuple((move, after) for _, move, after in sorted(steps, key=_in_order))
            found.append(Followed(told, ended))
        return found

    def _move(self, code: int) -> Move:
        found = self._moves.get(code)
        if found is None:
            found = self._moves[code] = self._expander.move(code)
        return found

    def _state(self, key: tuple[int, ...], rows: Rows, at: int) -> State:
        found = self._states.get(key)
        if found is None:
            found = self._states[key] = self._expander.unpack(rows[at])
            self._rows[found] = key
        return found

    def _row(self, state: State) -> tuple[int, ...]:
        return self._rows.get(state) or tuple(self._expander.pack(state).tolist())


def _in_order(step: tuple[int, Move, State]) -> tuple[str, int]:
    # Codes of moves with the same name are in the order of their arguments.
    return step[1].name, step[0]
