"""A solved system: the value of every reachable state, and the moves that keep it.

Where the values are kept, in memory or in a file, is the business of a *book*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander, player_of
from zermelo.core.signature import Signature, Stuck
from zermelo.core.state import Move, State
from zermelo.engines.solve.codes import Codes, Coding, Objective
from zermelo.engines.solve.values import (
    UNKNOWN,
    CountedValues,
    ForcedValue,
    MoveValue,
    PrincipalLine,
    Value,
    ValueKind,
    agreed,
)

LONGEST: Final = 10_000
"""A line of play is followed for at most so many moves."""


class StoredValues(Protocol):
    """Where the codes of all states are."""

    @property
    def coding(self) -> Coding:
        """How values are written as numbers."""
        ...

    def look_up(self, rows: Rows) -> list[Codes]:
        """For each objective the codes of *rows*; *not known* for states that are not there."""
        ...


@dataclass(frozen=True)
class Solution:
    """The values of all reachable states of a system, or why they are not known."""

    expander: Expander
    first: Rows
    """The first state."""
    objectives: tuple[Objective, ...]
    stored: StoredValues | None
    """``None`` when there are no values."""
    counted: tuple[CountedValues, ...] = ()
    """How many positions have which value: for each scoring, and what they agree on if two."""
    classes: int = 0
    """How many states were looked at; with symmetries each stands for all that are like it."""
    positions: int = 0
    """For how many positions they stand, where there are symmetries and no values."""
    stuck: int = 0
    """In how many positions somebody is stuck."""
    cut: str | None = None
    """The reason why there are no values."""
    notes: tuple[str, ...] = ()
    """What else there is to say."""
    symmetry: str = ""
    """The symmetries that were used; empty if none were."""
    symmetries: int = 1
    """How many symmetries were used, the one that changes nothing among them."""
    method: str = ""
    seconds: float = 0.0

    @property
    def signature(self) -> Signature:
        return self.expander.signature

    @property
    def is_complete(self) -> bool:
        return self.cut is None

    @property
    def states(self) -> int:
        return self.counted[0].total if self.counted else self.positions or self.classes

    @property
    def scorings(self) -> tuple[Stuck, ...]:
        """How stuck players are scored."""
        return tuple(dict.fromkeys(objective.stuck for objective in self.objectives))

    @property
    def player(self) -> str | None:
        return self._player_name(self.first)

    @property
    def root(self) -> Value:
        return self._values(self.first.reshape(1, -1))[0]

    def value(self, state: State) -> Value:
        return self._values(self.expander.pack(state).reshape(1, -1))[0]

    def moves(self, state: State | None = None) -> tuple[MoveValue, ...]:
        row = self.first if state is None else self.expander.pack(state)
        return tuple(each for each, _, _ in self._moves(row))

    def best(self, state: State) -> Move | None:
        found = self._best(self.expander.pack(state))
        return None if found is None else found[0].move

    def line(self, state: State | None = None) -> PrincipalLine:
        row = self.first if state is None else self.expander.pack(state)
        moves: list[Move] = []
        players: list[str | None] = []
        met = {row.tobytes(): 0}
        while len(moves) < LONGEST:
            found = self._best(row)
            if found is None:
                return PrincipalLine(tuple(moves), tuple(players))
            players.append(self._player_name(row))
            moves.append(found[0].move)
            row = found[1]
            if row.tobytes() in met:
                return PrincipalLine(tuple(moves), tuple(players), met[row.tobytes()])
            met[row.tobytes()] = len(moves)
        return PrincipalLine(tuple(moves), tuple(players))

    def _player_name(self, row: Rows) -> str | None:
        at = int(player_of(self.expander.judge(row.reshape(1, -1)))[0])
        players = self.signature.players
        if len(players) == 1:
            return players[0].name
        return players[at].name if at >= 0 else None

    def _best(self, row: Rows) -> tuple[MoveValue, Rows] | None:
        found = self._moves(row)
        if not found or self.stored is None or self.stored.coding.unknown in found[0][2]:
            return None
        best = max(liked for _, _, liked in found)
        return next((each, after) for each, after, liked in found if liked == best)

    def _moves(self, row: Rows) -> list[tuple[MoveValue, Rows, tuple[int, ...]]]:
        """Each move with its value, the state after it, and how much the mover likes it."""
        expansion = self.expander.expand(row.reshape(1, -1))
        after = expansion.states.copy()
        codes = expansion.moves.tolist()
        player = max(int(player_of(expansion.verdicts)[0]), 0)
        if not len(after):
            return []
        columns = self._look_up(after)
        found: list[tuple[MoveValue, Rows, tuple[int, ...]]] = []
        for at, code in enumerate(codes):
            words = [int(column[at]) for column in columns]
            value = self._told(words, player, later=1)
            move = MoveValue(self.expander.move(code), value)
            found.append((move, after[at], self._liked(words, player)))
        return found

    def _values(self, rows: Rows) -> list[Value]:
        players = np.maximum(player_of(self.expander.judge(rows)), 0).tolist()
        columns = self._look_up(rows)
        return [
            self._told([int(column[at]) for column in columns], player)
            for at, player in enumerate(players)
        ]

    def _look_up(self, rows: Rows) -> Sequence[Codes]:
        return [] if self.stored is None else self.stored.look_up(rows)

    def _liked(self, codes: Sequence[int], player: int) -> tuple[int, ...]:
        """How much *player* likes what these codes tell: more is better."""
        if self.stored is None:
            return ()
        coding = self.stored.coding
        is_two_sided = len(self.signature.players) == 2
        if is_two_sided and player == 1:
            turned = coding.turned(np.array(codes, dtype=coding.dtype))
            return tuple(int(code) for code in turned)
        if is_two_sided or len(self.signature.players) == 1:
            return tuple(codes)
        mine = [at for at, objective in enumerate(self.objectives) if objective.player == player]
        return tuple(codes[at] for at in mine)

    def _told(self, codes: Sequence[int], player: int, *, later: int = 0) -> Value:
        """The value that the codes of a state tell to *player*, *later* plies before it."""
        if self.stored is None or self.stored.coding.unknown in codes:
            return UNKNOWN
        scored = tuple(
            (scoring.value, self._scored(codes, scoring, player, later=later))
            for scoring in self.scorings
        )
        return agreed(scored)

    def _scored(self, codes: Sequence[int], scoring: Stuck, player: int, *, later: int) -> Value:
        if self.stored is None:
            return UNKNOWN
        forced: list[ForcedValue] = []
        names = [each.name for each in self.signature.players]
        for objective, code in zip(self.objectives, codes, strict=True):
            if objective.stuck is not scoring:
                continue
            kind, plies = self.stored.coding.decoded(code)
            plies = None if plies is None else plies + later
            forced.append(ForcedValue(names[objective.player], kind, plies))
            if len(names) == 2:
                forced.append(ForcedValue(names[1], kind.opposite, plies))
        mine = forced[min(player, len(forced) - 1)]
        winners = [each.player for each in (mine, *forced) if each.kind is ValueKind.WIN]
        return Value(mine.kind, winners[0] if winners else None, mine.plies, tuple(forced))
