"""Compiled code on many states: the loop that calls it, and room for what follows them.

Every kernel exports ``legal``, ``successors`` and ``verdict``. What the code leaves open
for some state, by −1, is asked of whoever can tell, and goes among the other answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

import numpy as np

from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import FAULTY, PLAYER_BITS, Expansion, Native
from zermelo.fast import jit
from zermelo.fast.bits import address, call2, call5, load, store
from zermelo.fast.jit import Unit, unit_of
from zermelo.text import budget

# The functions below are compiled from their source, where the primitives are plain names.
# ruff: noqa: ANN001, ANN201


DONE: Final = 0
FULL: Final = 1
UNSURE: Final = 2
OVER = 1 << PLAYER_BITS
"""Verdicts from here on say that the play is over."""


def expand_all(  # type: ignore[no-untyped-def]  # compiled: every value is a 64-bit number
    legal,
    verdict,
    tab,
    frontier,
    count,
    words,
    states,
    moves,
    counts,
    verdicts,
    faulty,
    fires,
    capacity,
    most,
    progress,
):
    at = load(progress, 0)
    n = load(progress, 1)
    faults = load(progress, 2)
    why = 0
    while at < count:
        if n + most > capacity:
            why = 1
            break
        row = frontier + at * words * 8
        target = 0
        if fires != 0:
            target = fires + n * 8
        judged = call2(verdict, tab, row)
        found = 0
        if judged < 0:
            found = -1
        elif judged < OVER:
            found = call5(legal, tab, row, states + n * words * 8, moves + n * 8, target)
        if found < 0:
            why = 2
            break
        if found >= FAULTY:
            found = found - FAULTY
            store(faulty, faults, at)
            faults = faults + 1
        store(counts, at, found)
        store(verdicts, at, judged)
        n = n + found
        at = at + 1
    store(progress, 0, at)
    store(progress, 1, n)
    store(progress, 2, faults)
    return why


def judge_all(verdict, tab, rows, count, words, verdicts):  # type: ignore[no-untyped-def]  # as above
    at = 0
    while at < count:
        store(verdicts, at, call2(verdict, tab, rows + at * words * 8))
        at = at + 1
    return 0


@cache
def loops() -> Unit:
    return unit_of(
        "kernel-loops",
        (expand_all, judge_all),
        exports=("expand_all", "judge_all"),
        constants={"FAULTY": FAULTY, "OVER": OVER},
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """What follows one state that the code leaves open."""

    states: Sequence[Rows]
    moves: Sequence[int]
    verdict: int
    is_faulty: bool


Ask: TypeAlias = Callable[[int], Answer]
"""What tells what follows the state with this number in the frontier."""


class Runner:
    """The code of one kernel with its tables, for one thread."""

    def __init__(
        self,
        functions: Mapping[str, jit.Compiled],
        tables: Sequence[int],
        *,
        source: str,
        words: int,
        most_moves: int,
        capacity: int,
    ) -> None:
        self.functions = functions
        self._source = source
        self._loops = jit.load(loops(), native=functions["legal"].is_native)
        self.tables = np.array(tables or (0,), dtype=np.int64)
        self._words = words
        self._most_moves = most_moves
        self._progress = np.zeros(4, dtype=np.int64)
        # To ask numpy for an address takes as long as to follow twenty states.
        self._code = (
            functions["legal"].address,
            functions["verdict"].address,
            address(self.tables),
        )
        self._progress_at = address(self._progress)
        self._resize(capacity)

    def _resize(self, capacity: int) -> None:
        self._capacity = capacity
        self._states = np.empty((capacity, self._words), dtype=np.int64)
        self._moves = np.empty(capacity, dtype=np.int64)
        self._room_at = address(self._states), address(self._moves)
        self.fires = np.empty(0, dtype=np.int64)
        """The rules that fired, move by move, where that was asked for last."""

    @property
    def native(self) -> Native:
        return Native(
            self.functions["successors"].address,
            self.functions["verdict"].address,
            address(self.tables),
            self._most_moves,
            self._source,
            self.tables,
        )

    def expand(self, frontier: Rows, ask: Ask, *, fires: bool = False) -> Expansion:
        """What follows the states of *frontier*, and with *fires* also which rules fired."""
        frontier = np.ascontiguousarray(frontier, dtype=np.int64)
        count = len(frontier)
        found = np.zeros((3, count), dtype=np.int64)
        counts, verdicts, faulty = found
        first, found_at = address(frontier), address(found)
        progress = self._progress
        progress[:] = 0
        if fires and len(self.fires) < self._capacity:
            self.fires = np.zeros(self._capacity, dtype=np.int64)
        while True:
            why = self._loops["expand_all"](
                *self._code,
                first,
                count,
                self._words,
                *self._room_at,
                found_at,
                found_at + 8 * count,
                found_at + 16 * count,
                address(self.fires) if fires else 0,
                self._capacity,
                self._most_moves,
                self._progress_at,
            )
            if why == DONE:
                break
            if why == FULL:
                self._grow(fires=fires)
            else:
                self._take(ask(int(progress[0])), counts, verdicts, faulty)
        total = int(progress[1])
        return Expansion(
            counts=counts,
            states=self._states[:total],
            moves=self._moves[:total],
            verdicts=verdicts,
            faulty=faulty[: int(progress[2])],
        )

    def _grow(self, *, fires: bool) -> None:
        states, moves, marks = self._states, self._moves, self.fires
        capacity = self._capacity * 2 + self._most_moves
        budget.reserve(states.itemsize * capacity * (self._words + 1))
        self._resize(capacity)
        self._states[: len(states)] = states
        self._moves[: len(moves)] = moves
        if fires:
            self.fires = np.zeros(self._capacity, dtype=np.int64)
            self.fires[: len(marks)] = marks

    def _take(self, answer: Answer, counts: Numbers, verdicts: Numbers, faulty: Numbers) -> None:
        at, n, faults = (int(number) for number in self._progress[:3])
        while n + len(answer.moves) > self._capacity:
            self._grow(fires=bool(len(self.fires)))
        for state, move in zip(answer.states, answer.moves, strict=True):
            self._states[n] = state
            self._moves[n] = move
            if len(self.fires):
                self.fires[n] = 0
            n += 1
        counts[at] = len(answer.moves)
        verdicts[at] = answer.verdict
        if answer.is_faulty:
            faulty[faults] = at
            faults += 1
        self._progress[:3] = at + 1, n, faults

    def judge(self, states: Rows) -> Numbers:
        states = np.ascontiguousarray(states, dtype=np.int64)
        verdicts = np.zeros(len(states), dtype=np.int64)
        self._loops["judge_all"](
            self.functions["verdict"].address,
            address(self.tables),
            address(states),
            len(states),
            self._words,
            address(verdicts),
        )
        return verdicts


def functions_of(
    name: str, source: str, version: str, *, is_compiled: bool
) -> Mapping[str, jit.Compiled]:
    unit = kernel_unit(name, source, version)
    return jit.compile_unit(unit) if is_compiled else jit.plain(unit, is_metered=True)


def kernel_unit(name: str, source: str, version: str) -> jit.Unit:
    """The functions of *source* that a ``Runner`` calls."""
    return jit.Unit(
        name=name, source=source, exports=("legal", "successors", "verdict"), version=version
    )
