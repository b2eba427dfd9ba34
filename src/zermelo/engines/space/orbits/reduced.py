"""An expander that gives, of states that are alike, only the one that stands for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from zermelo.core.expander import Expander, Expansion, Native, Numbers, Rows
from zermelo.core.layout import Layout
from zermelo.core.machine import Fault, Move, Outcome, State
from zermelo.languages.sections.ir import System


class Reducing(Protocol):
    """Symmetries in use."""

    @property
    def order(self) -> int:
        """How many symmetries are in use."""
        ...

    @property
    def words(self) -> tuple[str, ...]:
        """What they are, in words."""
        ...

    def sizes(self, rows: Rows) -> Numbers:
        """How many states each of *rows* stands for."""
        ...

    def canonical(self, rows: Rows) -> None:
        """Put in the place of each of *rows* the one that stands for it."""
        ...


@dataclass(frozen=True, slots=True)
class Reduced:
    """*expander*, with every state after a move replaced by the one that stands for it.

    A play that is made of its moves is a play of states that stand for others;
    ``real_play`` makes a play of the system itself of it.
    """

    expander: Expander
    reduction: Reducing

    @property
    def system(self) -> System:
        """The system it runs."""
        return self.expander.system

    @property
    def words(self) -> int:
        """How many 64-bit words a packed state has."""
        return self.expander.words

    @property
    def layout(self) -> Layout | None:
        """Where the variables lie in a packed state."""
        return self.expander.layout

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes that verdicts speak of, found so far."""
        return self.expander.outcomes

    @property
    def native(self) -> Native | None:
        """The compiled code, which knows nothing of symmetries."""
        return self.expander.native

    @property
    def note(self) -> str:
        """What runs, and why, in words."""
        return self.expander.note

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        """The rules whose firing can be counted."""
        return self.expander.rules

    def expand(self, frontier: Rows) -> Expansion:
        """What follows the states of *frontier*."""
        found = self.expander.expand(frontier)
        if len(found.states):
            self.reduction.canonical(found.states)
        return found

    def sizes(self, rows: Rows) -> Numbers:
        """How many states each of *rows* stands for."""
        return self.reduction.sizes(rows)

    def judge(self, states: Rows) -> Numbers:
        """The verdicts on *states*."""
        return self.expander.judge(states)

    def fired(self, frontier: Rows) -> Numbers:
        """In how many of the legal moves of *frontier* each rule fired."""
        return self.expander.fired(frontier)

    def faults(self, row: Rows) -> Mapping[Move, Fault]:
        """The moves of one state that a fault stops."""
        return self.expander.faults(row)

    def pack(self, state: State) -> Rows:
        """*state* as one row."""
        return self.expander.pack(state)

    def unpack(self, row: Rows) -> State:
        """The state that one row stands for."""
        return self.expander.unpack(row)

    def move(self, code: int) -> Move:
        """The move with this code."""
        return self.expander.move(code)

    def twin(self) -> Reduced | None:
        """Another expander for another thread."""
        twin = self.expander.twin()
        return None if twin is None else Reduced(twin, self.reduction)


def real_play(
    reduced: Reduced, start: Rows, play: tuple[Move, ...]
) -> tuple[tuple[Move, ...], Rows]:
    """A play of the system from *start* that is like *play*, and the state it leads to.

    *play* goes through states that stand for others. After every move the state
    of the play that is made is one for which that of *play* stands.
    """
    made: list[Move] = []
    row = np.array(start, dtype=np.int64).reshape(1, -1)
    kept = row.copy()
    reduced.reduction.canonical(kept)
    for move in play:
        codes, states = _steps(reduced, kept)
        kept = states[[reduced.move(code) for code in codes].index(move)].reshape(1, -1)
        plain = reduced.expander.expand(row)
        codes, real = plain.moves.tolist(), plain.states.copy()
        alike = real.copy()
        reduced.reduction.canonical(alike)
        at = int(np.flatnonzero(np.all(alike == kept, axis=1))[0])
        made.append(reduced.move(codes[at]))
        row = real[at].reshape(1, -1)
    return tuple(made), row.reshape(-1)


def _steps(reduced: Reduced, row: Rows) -> tuple[list[int], Rows]:
    found = reduced.expand(row)
    return found.moves.tolist(), found.states.copy()
