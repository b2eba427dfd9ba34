"""The states that solving looks at: all that can be reached, kept level by level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from zermelo.core.expander import Expansion, Numbers, Rows, player_of
from zermelo.engines.space.crew import Crew, Stopped
from zermelo.engines.space.orbits.reduction import Reduction
from zermelo.engines.space.store import Listing, Piece, Store
from zermelo.text.errors import InternalError

CHUNK: Final = 1 << 12
"""How many states are looked at in one go."""


@dataclass(frozen=True, slots=True)
class Reached:
    """All reachable states, and the symmetries that were used to reach them."""

    crew: Crew
    store: Store
    is_graded: bool
    """Whether every move leads to the next level."""
    reduction: Reduction | None = None

    @property
    def depth(self) -> int:
        """How many levels there are."""
        return len(self.store.by_depth)

    def pieces(self, level: int) -> list[Piece]:
        """The states of a *level* in pieces."""
        return self.store.pieces(level, CHUNK)

    def own_numbers(self, piece: Piece, rows: Rows) -> Numbers:
        """The numbers of the states of a *piece*, which are *rows*."""
        if isinstance(self.store, Listing):
            return np.arange(*piece, dtype=np.int64)
        return self.store.numbers(rows)

    def numbers(self, rows: Rows) -> Numbers:
        """The numbers of the states that stand for *rows*, which may be written over."""
        if self.reduction is not None and len(rows):
            self.reduction.canonical(rows)
        return self.store.numbers(rows)

    def sizes(self, rows: Rows) -> Numbers | None:
        """How many positions each of *rows* stands for, if there are symmetries."""
        return None if self.reduction is None else self.reduction.sizes(rows)

    def following(self, expansion: Expansion) -> Numbers:
        """The numbers of the states that follow, which may be written over.

        Raises ``Stopped`` if somewhere there are moves and nobody is in turn.
        """
        self._check_owned(expansion)
        found = self.numbers(expansion.states)
        if len(found) and found.min() < 0:
            raise InternalError("a state after a move was not reached when it was explored")
        return found

    def _check_owned(self, expansion: Expansion) -> None:
        """Raise ``Stopped`` if somewhere there are moves and nobody is in turn."""
        players = self.crew.system.players
        if len(players) < 2:
            return
        if ((expansion.counts > 0) & (player_of(expansion.verdicts) < 0)).any():
            names = " nor ".join(player.name for player in players)
            raise Stopped(
                f"there are states with moves in which neither {names} is in turn; say in "
                "`Reading` when it is whose turn, as in `players: A when turn, B when ¬turn`"
            )
