"""A graph written down by hand, as an ``Expander`` with twins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from zermelo.core.adapter import are_packed
from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import (
    PLAYER_BITS,
    Expander,
    Expansion,
    Native,
    layout_form,
    same_form,
)
from zermelo.core.layout import Count, Field, Layout, Place
from zermelo.core.machine import Ending, Fault, FaultKind, Outcome
from zermelo.core.signature import Player, Signature, Stuck
from zermelo.core.state import Move, State

DRAW = Outcome(Ending.DRAW)
FAULT = Fault(FaultKind.OUTSIDE, "`at` is 99, which is not in S", "Go", "1")
WIDTH = 40


class Drawn:
    """Nodes are numbers; the n-th move of a node leads to the n-th that follows it."""

    def __init__(
        self,
        graph: Mapping[int, Sequence[int]],
        *,
        over: frozenset[int] = frozenset(),
        faulty: frozenset[int] = frozenset(),
        stuck: Stuck = Stuck.REPORTED,
    ) -> None:
        self.graph = graph
        self.over = over
        self.faulty = faulty
        self.expanded = 0
        """How many states were expanded."""
        self._stuck = stuck

    @property
    def signature(self) -> Signature:
        return Signature(
            name="drawn",
            variables=("at",),
            moves=(),
            players=(Player("Even"), Player("Odd")),
            stuck=self._stuck,
            rules=self.rules,
            fingerprint="drawn",
        )

    @property
    def words(self) -> int:
        return 1

    @property
    def layout(self) -> Layout | None:
        return Layout((Field("at", Count(0, (1 << WIDTH) - 1), Place(0, 0, WIDTH)),), 1)

    @property
    def row_form(self) -> str | None:
        return layout_form(self.layout)

    def in_form(self, form: str) -> Expander:
        return same_form(self, form)

    def are_states(self, rows: Rows) -> bool:
        return self.layout is not None and are_packed(self.layout, rows)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return (DRAW,)

    @property
    def native(self) -> Native | None:
        return None

    @property
    def note(self) -> str:
        return "a drawing"

    @property
    def reason(self) -> str | None:
        return None

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        return (("Go", "1"), ("Go", "2"))

    def expand(self, frontier: Rows) -> Expansion:
        nodes = frontier[:, 0].tolist()
        self.expanded += len(nodes)
        after = [() if node in self.over else self.graph.get(node, ()) for node in nodes]
        states = [state for each in after for state in each]
        moves = [code for each in after for code in range(len(each))]
        return Expansion(
            counts=np.array([len(each) for each in after], dtype=np.int64),
            states=np.array(states, dtype=np.int64).reshape(-1, 1),
            moves=np.array(moves, dtype=np.int64),
            verdicts=self.judge(frontier),
            faulty=np.array(
                [at for at, node in enumerate(nodes) if node in self.faulty], dtype=np.int64
            ),
        )

    def judge(self, states: Rows) -> Numbers:
        nodes = states[:, 0]
        is_over = np.isin(nodes, sorted(self.over)).astype(np.int64)
        verdicts: Numbers = (nodes % 2 + 1) | is_over << PLAYER_BITS
        return verdicts

    def broken(self, states: Rows) -> Numbers:
        return np.zeros(len(states), dtype=np.int64)

    def fired(self, frontier: Rows) -> Numbers:
        moves = len(self.expand(frontier).moves)
        return np.array([moves, 0], dtype=np.int64)

    def faults(self, row: Rows) -> Mapping[Move, Fault]:
        return {Move("Go", (99,)): FAULT} if int(row[0]) in self.faulty else {}

    def pack(self, state: State) -> Rows:
        return np.array(state.values, dtype=np.int64)

    def unpack(self, row: Rows) -> State:
        return State((int(row[0]),), ("at",))

    def move(self, code: int) -> Move:
        return Move("Go", (code,))

    def twin(self) -> Expander | None:
        return self


def grid(size: int) -> dict[int, list[int]]:
    """Steps to the right and down on a square board, from corner to corner."""

    def after(at: int) -> list[int]:
        row, column = divmod(at, size)
        right = [at + 1] if column + 1 < size else []
        return right + ([at + size] if row + 1 < size else [])

    return {at: after(at) for at in range(size * size)}
