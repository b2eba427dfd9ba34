"""What is counted of a level while it is followed: moves, endings, who is stuck, faults."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.core.expander import Expansion, Numbers, Rows, outcome_of, player_of

MOST_FAULTY: Final = 1_000
"""So many states of a level are looked into for the faults that stop moves in them."""
_HALF: Final = 32
Bools: TypeAlias = npt.NDArray[np.bool_]


@dataclass(slots=True)
class LevelTally:
    """The counts of a level, or of a part of it."""

    followed: int = 0
    """In how many states the moves were made."""
    moves: int = 0
    earlier: int = 0
    """How many moves led to a state that is not on the next level."""
    over: Counter[int] = field(default_factory=Counter)
    """The states that are over, by the number of their outcome."""
    stuck: Counter[int] = field(default_factory=Counter)
    """The stuck states, by the number of the player in turn; −1 is nobody."""
    faulty: int = 0
    faulty_rows: list[tuple[int, ...]] = field(default_factory=list)
    """The states in which a fault stops a move; the least ones when there are many."""
    positions: int = 0
    """With symmetries, how many positions the states stand for; moves and ends count so too."""

    def follow(
        self, rows: Rows, expansion: Expansion, count: int, sizes: Numbers | None = None
    ) -> None:
        """Take in the first *count* states of *rows*, of which *expansion* tells what follows.

        With symmetries *sizes* tells how many positions each of these stands for.
        """
        counts, verdicts = expansion.counts[:count], expansion.verdicts[:count]
        self.followed += count
        if sizes is None:
            is_all = count == len(expansion.counts)
            self.moves += len(expansion.states) if is_all else int(counts.sum())
            self._end(verdicts, counts == 0)
        else:
            self.moves += _total(sizes, counts)
            self.positions += _total(sizes)
            self._end_of_classes(verdicts[counts == 0], sizes[counts == 0])
        if len(expansion.faulty):
            self._note_faulty(rows[expansion.faulty[expansion.faulty < count]])

    def judge(self, verdicts: Numbers, sizes: Numbers | None = None) -> None:
        """Take in the *verdicts* on some states, of which no more is known."""
        is_over = outcome_of(verdicts) >= 0
        if sizes is None:
            self._end(verdicts, is_over)
        else:
            self.positions += _total(sizes)
            self._end_of_classes(verdicts[is_over], sizes[is_over])

    def _end(self, verdicts: Numbers, is_end: Bools) -> None:
        """Take in the states in which plays end, or are stuck."""
        if not is_end.any():
            return
        # All are counted, the others as 0: choosing among so many is slower than counting them.
        counts = np.bincount((verdicts + 1) * is_end)[1:]
        found = np.flatnonzero(counts)
        for outcome, player, count in zip(
            outcome_of(found).tolist(),
            player_of(found).tolist(),
            counts[found].tolist(),
            strict=True,
        ):
            if outcome < 0:
                self.stuck[player] += count
            else:
                self.over[outcome] += count

    def _end_of_classes(self, verdicts: Numbers, sizes: Numbers) -> None:
        """The same for states that stand for several positions each."""
        for verdict in np.unique(verdicts):
            count = _total(sizes[verdicts == verdict])
            outcome = int(outcome_of(verdict))
            if outcome < 0:
                self.stuck[int(player_of(verdict))] += count
            else:
                self.over[outcome] += count

    def join(self, other: LevelTally) -> None:
        """Take in the counts of another part."""
        self.followed += other.followed
        self.moves += other.moves
        self.earlier += other.earlier
        self.over += other.over
        self.stuck += other.stuck
        self.faulty += other.faulty
        self.faulty_rows = _least(self.faulty_rows + other.faulty_rows)
        self.positions += other.positions

    def _note_faulty(self, rows: Rows) -> None:
        self.faulty += len(rows)
        self.faulty_rows = _least(self.faulty_rows + [tuple(row) for row in rows.tolist()])


def _least(rows: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The least of *rows*: which threads found them, and when, must not matter."""
    return sorted(rows)[:MOST_FAULTY]


def _total(sizes: Numbers, times: Numbers | int = 1) -> int:
    """The sum of *sizes*, each so many *times*; it may be larger than a machine word."""
    if sizes.dtype == np.object_:
        return int((sizes * times).sum()) if len(sizes) else 0
    upper, lower = sizes >> _HALF, sizes & ((1 << _HALF) - 1)
    return (int((upper * times).sum()) << _HALF) + int((lower * times).sum())
