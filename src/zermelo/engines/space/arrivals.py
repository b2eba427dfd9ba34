"""By which move each state was first reached, and where each kind of ending was first met.

Kept where states are few and slow to follow, and are numbered in the order in which one queue
reaches them; elsewhere plays are traced (see ``trace``), which takes no memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

import numpy as np

from zermelo.core.expander import Expansion, Numbers, outcome_of, player_of
from zermelo.engines.space.store import Store


class End(Enum):
    """How a play stops."""

    OVER = "over"
    STUCK = "stuck"


Kind: TypeAlias = tuple[End, int]
"""Over with the outcome of this number, or stuck with the player of this number in turn."""


@dataclass(slots=True)
class Arrivals:
    """What is known of each state, by its number."""

    parents: list[int] = field(default_factory=lambda: [-1])
    """The number of the state from which it was first reached; −1 for the first state."""
    codes: list[int] = field(default_factory=lambda: [-1])
    """The move by which it was."""
    firsts: dict[Kind, int] = field(default_factory=dict)
    """The first state of each kind of ending."""

    def arrive(self, first: int, expansion: Expansion, store: Store) -> None:
        """Note the new states after those that have the numbers from *first* on."""
        known = len(self.parents)
        if store.states == known:
            return
        numbers = store.numbers(expansion.states)
        new = np.flatnonzero(numbers >= known)
        _, firsts = np.unique(numbers[new], return_index=True)
        at = new[firsts]
        origins = np.searchsorted(np.cumsum(expansion.counts), at, side="right")
        self.parents += (first + origins).tolist()
        self.codes += expansion.moves[at].tolist()

    def end(self, first: int, verdicts: Numbers, is_end: Numbers) -> None:
        """Note the endings among states with the numbers from *first* on: those that *is_end*."""
        ends, firsts = np.unique(verdicts[is_end], return_index=True)
        for at, outcome, player in zip(
            is_end[firsts].tolist(),
            outcome_of(ends).tolist(),
            player_of(ends).tolist(),
            strict=True,
        ):
            kind = (End.STUCK, player) if outcome < 0 else (End.OVER, outcome)
            self.firsts[kind] = min(self.firsts.get(kind, first + at), first + at)

    def first_stuck(self) -> int | None:
        """The first stuck state, whoever is in turn."""
        found = [number for (end, _), number in self.firsts.items() if end is End.STUCK]
        return min(found, default=None)

    def play(self, number: int) -> list[int]:
        """The moves that lead to a state first."""
        codes: list[int] = []
        while self.parents[number] >= 0:
            codes.append(self.codes[number])
            number = self.parents[number]
        return codes[::-1]
