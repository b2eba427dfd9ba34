"""Who chooses the moves: a person, or a random player with a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

from zermelo.core.machine import Move


class Opponent(Protocol):
    """Somebody who chooses a move."""

    @property
    def name(self) -> str:
        """What the opponent is called."""
        ...

    def choose(self, moves: Sequence[Move]) -> Move:
        """One of the *moves*; there is at least one."""
        ...


class RandomPlayer:
    """Chooses among the legal moves with equal chances; the same seed gives the same choices.

    >>> moves = [Move("Take", (n,)) for n in range(10)]
    >>> [str(RandomPlayer(7).choose(moves)) for _ in range(2)]
    ['Take(5)', 'Take(5)']
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._source = random.Random(seed)

    @property
    def name(self) -> str:
        """What the opponent is called."""
        return f"random player, seed {self.seed}"

    def choose(self, moves: Sequence[Move]) -> Move:
        """One of the *moves*."""
        return self._source.choice(moves)
