"""Any machine as an ``Expander``: as slow and as right as it is.

Where the states can be packed, rows are packed states; otherwise each state that
is met gets a number, and its row is that number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import (
    MOST_CLAIMS,
    PLAYER_BITS,
    Expander,
    Expansion,
    Native,
    layout_form,
    same_form,
)
from zermelo.core.layout import WORD, Count, Layout, Mask, Place, Shape
from zermelo.core.machine import (
    Fault,
    Machine,
    Outcome,
    UnlistedMoves,
    outcome_of_result,
    unlisted,
)
from zermelo.core.signature import Signature
from zermelo.core.state import Move, State


class MachineExpander:
    """Answers for many states by asking a machine for each."""

    def __init__(
        self, machine: Machine, note: str | None = None, *, reason: str | None = None
    ) -> None:
        self._machine = machine
        self._note = note or machine.signature.interpreter
        self.reason = reason
        found = machine.layout
        self.packing = found
        """How states can be packed, which where numbers have no bound is not done; or why not."""
        is_bounded = isinstance(found, Layout) and not any(
            isinstance(f.shape, Count) and not f.shape.is_declared for f in found.fields
        )
        self._layout = found if isinstance(found, Layout) and is_bounded else None
        self._numbers: dict[State, int] = {}
        self._states: list[State] = []
        self._codes: dict[Move, int] = {}
        self._moves: list[Move] = []
        self._outcomes: dict[Outcome, int] = {}
        self._players = {p.name: at for at, p in enumerate(machine.signature.players)}
        self._rules = machine.signature.rules

    @property
    def signature(self) -> Signature:
        return self._machine.signature

    @property
    def words(self) -> int:
        return 1 if self._layout is None else self._layout.words

    @property
    def layout(self) -> Layout | None:
        return self._layout

    @property
    def row_form(self) -> str | None:
        return layout_form(self._layout)

    def in_form(self, form: str) -> Expander:
        return same_form(self, form)

    def are_states(self, rows: Rows) -> bool:
        return self._layout is not None and are_packed(self._layout, rows)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return tuple(self._outcomes)

    @property
    def native(self) -> Native | None:
        return None

    @property
    def note(self) -> str:
        return self._note

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        return self._rules

    def expand(self, frontier: Rows) -> Expansion:
        counts: list[int] = []
        states: list[Sequence[int]] = []
        moves: list[int] = []
        verdicts: list[int] = []
        faulty: list[int] = []
        for at, row in enumerate(frontier):
            state = self.unpack(row)
            legal = self._machine.legal(state)
            faults = self._machine.faults(state)
            if (fault := unlisted(faults)) is not None:
                raise UnlistedMoves(fault)
            counts.append(len(legal))
            for move in legal:
                states.append(self._packed(self._machine.after(state, move)))
                moves.append(self._code(move))
            verdicts.append(self._verdict(state))
            if faults:
                faulty.append(at)
        return Expansion(
            counts=np.array(counts, dtype=np.int64),
            states=np.array(states, dtype=np.int64).reshape(len(states), self.words),
            moves=np.array(moves, dtype=np.int64),
            verdicts=np.array(verdicts, dtype=np.int64),
            faulty=np.array(faulty, dtype=np.int64),
        )

    def judge(self, states: Rows) -> Numbers:
        return np.array([self._verdict(self.unpack(row)) for row in states], dtype=np.int64)

    def fired(self, frontier: Rows) -> Numbers:
        counts = dict.fromkeys(self._rules, 0)
        for row in frontier:
            state = self.unpack(row)
            for move in self._machine.legal(state):
                for name in self._machine.turn(state, move).fired:
                    counts[name] += 1
        return np.array(list(counts.values()), dtype=np.int64)

    def broken(self, states: Rows) -> Numbers:
        return broken_bits(self._machine, (self.unpack(row) for row in states))

    def faults(self, row: Rows) -> Mapping[Move, Fault]:
        return self._machine.faults(self.unpack(row))

    def pack(self, state: State) -> Rows:
        return np.array(self._packed(state), dtype=np.int64)

    def unpack(self, row: Rows) -> State:
        words = row.tolist()
        return self._states[words[0]] if self._layout is None else self._layout.unpack(words)

    def move(self, code: int) -> Move:
        return self._moves[code]

    def twin(self) -> None:
        """Python runs one thread at a time."""
        return

    def _packed(self, state: State) -> Sequence[int]:
        if self._layout is not None:
            return self._layout.pack(state)
        if state not in self._numbers:
            self._numbers[state] = len(self._states)
            self._states.append(state)
        return (self._numbers[state],)

    def _code(self, move: Move) -> int:
        if move not in self._codes:
            self._codes[move] = len(self._moves)
            self._moves.append(move)
        return self._codes[move]

    def _verdict(self, state: State) -> int:
        player = self._machine.player(state)
        at = 0 if player is None else self._players[player.name] + 1
        if not self._machine.is_over(state):
            return at
        outcome = self._machine.outcome(state)
        if outcome is None:
            outcome = outcome_of_result(self.signature, frozenset())
        number = self._outcomes.setdefault(outcome, len(self._outcomes))
        return at | (number + 1) << PLAYER_BITS


def broken_bits(machine: Machine, states: Iterable[State]) -> Numbers:
    """What ``Expander.broken`` tells, as *machine* knows it."""
    found = [
        sum(1 << claim for claim in machine.broken(state) if claim < MOST_CLAIMS)
        for state in states
    ]
    return np.array(found, dtype=np.int64)


def are_packed(layout: Layout, rows: Rows) -> bool:
    """Whether each of *rows* has only bits, and in them only numbers, that *layout* has values for.

    >>> from zermelo.core.layout import Choice, placed
    >>> layout = placed({"turn": Choice((1, 2, 3)), "at": Count(1, 6)})
    >>> [are_packed(layout, np.array([[row]])) for row in (0b10_101, 0b11_101, 0b10_110, 1 << 5)]
    [True, False, False, False]
    """
    words = np.ascontiguousarray(rows).view(np.uint64)
    free = [(1 << WORD) - 1] * layout.words
    for field in layout.fields:
        for place in (field.place, field.presence):
            for word, mask in [] if place is None else _masks(place):
                free[word] &= ~mask
        if not _has_values(field.shape, field.place, words):
            return False
        if field.presence is not None:
            (where, bit), *_ = _masks(field.presence)
            absent = words[words[:, where] & np.uint64(bit) == 0]
            if any((absent[:, word] & np.uint64(mask)).any() for word, mask in _masks(field.place)):
                return False
    return not any((words[:, at] & np.uint64(bits)).any() for at, bits in enumerate(free))


def _masks(place: Place) -> list[tuple[int, int]]:
    """The words that *place* is in, each with its bits."""
    bits = ((1 << place.width) - 1) << place.shift
    count = -(-(place.shift + place.width) // WORD)
    return [(place.word + at, bits >> WORD * at & ((1 << WORD) - 1)) for at in range(count)]


def _has_values(shape: Shape, place: Place, words: npt.NDArray[np.uint64]) -> bool:
    """Whether what is written at *place* is the number of a value, wherever it is."""
    if isinstance(shape, Mask) or not place.width:
        return True
    most = shape.high - shape.low if isinstance(shape, Count) else len(shape.values) - 1
    codes = words[:, place.word] >> np.uint64(place.shift) & np.uint64((1 << place.width) - 1)
    return bool((codes <= np.uint64(most)).all())
