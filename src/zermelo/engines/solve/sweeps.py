"""Values where moves lead across levels, without keeping any moves: by going over all states.

Every state is followed again and again, the deepest level first, until no value
changes. First only wins and losses are told: what is not known to be decided is
taken for endless. A distance that is found can only be too long at first, for a
win or a loss is told only where it is one, so distances shrink until they are
right. Then draws spread from the draws by rule in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from zermelo.core.expander import Expander, Numbers
from zermelo.engines.solve.codes import Codes, Coding
from zermelo.engines.solve.levels import Combining
from zermelo.engines.solve.reached import Reached
from zermelo.engines.solve.stakes import Stakes
from zermelo.engines.solve.tally import Table, Tally
from zermelo.engines.solve.values import Kind
from zermelo.engines.space.crew import Watch
from zermelo.engines.space.store import Piece

R = TypeVar("R")


def solved_by_sweeps(
    reached: Reached, stakes: Sequence[Stakes], *, tally: Tally, watch: Watch, combine: Combining
) -> list[Codes] | None:
    """The codes of all states by number; ``None`` when the coding is too small for a distance."""
    sweeps = _Sweeps(reached, stakes, tally.coding, watch, combine)
    if not sweeps.settle(has_draws=False) or not sweeps.settle(has_draws=True):
        return None
    sweeps.count(tally)
    return sweeps.columns


class _Sweeps:
    """The codes while they change."""

    def __init__(
        self,
        reached: Reached,
        stakes: Sequence[Stakes],
        coding: Coding,
        watch: Watch,
        combine: Combining,
    ) -> None:
        self._reached = reached
        self._stakes = stakes
        self._coding = coding
        self._watch = watch
        self._combine = combine
        end = reached.store.numbers_end
        self.columns: list[Codes] = [
            np.full(end, coding.endless, dtype=coding.dtype) for _ in stakes
        ]

    def settle(self, *, has_draws: bool) -> bool:
        """Go over all states until nothing changes; whether every distance could be told."""
        longest = 0
        while True:
            changed = 0
            for found, plies in self._over_all(lambda e, p: self._sweep(e, p, has_draws=has_draws)):
                changed += found
                longest = max(longest, plies)
            if longest >= self._coding.most - 1:
                return False
            if not changed:
                return True

    def count(self, tally: Tally) -> None:
        """Count the values."""
        for verdicts, codes, sizes in self._over_all(self._look):
            tally.add(verdicts, codes, sizes)

    def _over_all(self, work: Callable[[Expander, Piece], R]) -> Iterator[R]:
        reached = self._reached
        states = reached.store.states
        for level in reversed(range(reached.depth)):
            for found in reached.crew.over(reached.pieces(level), work):
                yield found
                self._watch.look(depth=level, states=states)

    def _sweep(self, expander: Expander, piece: Piece, *, has_draws: bool) -> tuple[int, int]:
        """Find the codes of a piece anew; how many changed, and the longest distance."""
        reached, coding = self._reached, self._coding
        rows = reached.store.rows(piece)
        expansion = expander.expand(rows)
        following = reached.following(expansion)
        numbers = reached.own_numbers(piece, rows)
        changed = longest = 0
        for stakes, column in zip(self._stakes, self.columns, strict=True):
            ends = stakes.ends(expander.outcomes, coding)
            if not has_draws:
                ends = np.where(ends == coding.code(Kind.DRAW), coding.endless, ends)
            codes = self._combine(column, following, expansion, stakes, ends.astype(coding.dtype))
            changed += int(np.count_nonzero(column[numbers] != codes))
            column[numbers] = codes
            longest = max(longest, self._longest(codes))
        return changed, longest

    def _longest(self, codes: Codes) -> int:
        classes = codes >> self._coding.bits
        rest = (codes & self._coding.most).astype(np.int64)
        plies = np.where(classes == 0, rest, np.where(classes == 1, 0, self._coding.most - rest))
        return int(plies.max(initial=0))

    def _look(self, expander: Expander, piece: Piece) -> tuple[Numbers, list[Codes], Table | None]:
        reached = self._reached
        rows = reached.store.rows(piece)
        numbers = reached.own_numbers(piece, rows)
        return expander.judge(rows), [each[numbers] for each in self.columns], reached.sizes(rows)
