"""Any machine as an ``Expander``: as slow and as right as it is.

Where the states can be packed, rows are packed states; otherwise each state that
is met gets a number, and its row is that number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from zermelo.core.expander import PLAYER_BITS, Expansion, Native, Numbers, Rows
from zermelo.core.layout import Count, Layout, Unpackable, layout
from zermelo.core.machine import Fault, Machine, Move, Outcome, RuleEvent, State
from zermelo.core.outcomes import outcome_of_result
from zermelo.languages.sections.ir import ProcedureRole, System
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import rules_of


class Listed:
    """Answers for many states by asking a machine for each."""

    def __init__(self, machine: Machine, note: str = "the interpreter") -> None:
        self._machine = machine
        self._note = note
        found = _packing(machine)
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
        self._players = {p.name: at for at, p in enumerate(machine.system.players)}
        self._rules = tuple(
            (p.name, rule.label)
            for p in machine.system.procedures
            if p.role in ProcedureRole
            for rule in rules_of(p.body)
        )

    @property
    def system(self) -> System:
        """The system it runs."""
        return self._machine.system

    @property
    def words(self) -> int:
        """How many 64-bit words a packed state has."""
        return 1 if self._layout is None else self._layout.words

    @property
    def layout(self) -> Layout | None:
        """Where the variables lie in a packed state; ``None`` when rows are only numbers."""
        return self._layout

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes that verdicts speak of, found so far."""
        return tuple(self._outcomes)

    @property
    def native(self) -> Native | None:
        """There is no compiled code."""
        return None

    @property
    def note(self) -> str:
        """What runs, and why, in words."""
        return self._note

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        """The rules whose firing can be counted: procedure and label of each."""
        return self._rules

    def expand(self, frontier: Rows) -> Expansion:
        """What follows the states of *frontier*."""
        counts: list[int] = []
        states: list[Sequence[int]] = []
        moves: list[int] = []
        verdicts: list[int] = []
        faulty: list[int] = []
        for at, row in enumerate(frontier):
            state = self.unpack(row)
            legal = self._machine.legal(state)
            counts.append(len(legal))
            for move in legal:
                states.append(self._packed(self._machine.after(state, move)))
                moves.append(self._code(move))
            verdicts.append(self._verdict(state))
            if self._machine.faults(state):
                faulty.append(at)
        return Expansion(
            counts=np.array(counts, dtype=np.int64),
            states=np.array(states, dtype=np.int64).reshape(len(states), self.words),
            moves=np.array(moves, dtype=np.int64),
            verdicts=np.array(verdicts, dtype=np.int64),
            faulty=np.array(faulty, dtype=np.int64),
        )

    def judge(self, states: Rows) -> Numbers:
        """The verdicts on *states*."""
        return np.array([self._verdict(self.unpack(row)) for row in states], dtype=np.int64)

    def fired(self, frontier: Rows) -> Numbers:
        """In how many of the legal moves of *frontier* each of ``rules`` fired."""
        counts = dict.fromkeys(self._rules, 0)
        for row in frontier:
            state = self.unpack(row)
            for move in self._machine.legal(state):
                events = self._machine.turn(state, move).events
                for name in {
                    (e.procedure, e.rule.label)
                    for e in events
                    if isinstance(e, RuleEvent) and e.fired
                }:
                    counts[name] += 1
        return np.array(list(counts.values()), dtype=np.int64)

    def faults(self, row: Rows) -> Mapping[Move, Fault]:
        """The moves of one state that a fault stops."""
        return self._machine.faults(self.unpack(row))

    def pack(self, state: State) -> Rows:
        """*state* as one row."""
        return np.array(self._packed(state), dtype=np.int64)

    def unpack(self, row: Rows) -> State:
        """The state that one row stands for."""
        words = row.tolist()
        return self._states[words[0]] if self._layout is None else self._layout.unpack(words)

    def move(self, code: int) -> Move:
        """The move with this code."""
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
            outcome = outcome_of_result(self.system, frozenset())
        number = self._outcomes.setdefault(outcome, len(self._outcomes))
        return at | (number + 1) << PLAYER_BITS


def _packing(machine: Machine) -> Layout | Unpackable:
    if isinstance(machine, Interpreter):
        return layout(machine)
    return Unpackable("only the states of documents with sections can be packed")
