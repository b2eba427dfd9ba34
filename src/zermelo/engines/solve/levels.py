"""Values where every move leads from one level to the next: backwards, level by level.

No moves are kept: the states of a level are followed again, and the values of
what they lead to are looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np

from zermelo.core.expander import Expander, Expansion, Numbers
from zermelo.engines.solve.codes import Codes, Coding
from zermelo.engines.solve.loops import loop
from zermelo.engines.solve.reached import Reached
from zermelo.engines.solve.stakes import Stakes
from zermelo.engines.solve.tally import Table, Tally
from zermelo.engines.space.crew import Watch
from zermelo.engines.space.store import Piece

MANY: Final = 20_000
"""For so many states compiled code is worth loading."""


class Combining(Protocol):
    """What finds the codes of states from those of the states that follow them."""

    def __call__(
        self, column: Codes, following: Numbers, expansion: Expansion, stakes: Stakes, ends: Codes
    ) -> Codes:
        """The codes of the states of *expansion* from those of the states *following* them."""
        ...


def combining(reached: Reached, coding: Coding) -> Combining:
    """What suits *reached*: compiled code where there are many states."""
    is_native = reached.crew.is_native and reached.store.states >= MANY
    return Compiling(coding) if is_native else combined


def solved_by_levels(
    reached: Reached, stakes: Sequence[Stakes], *, tally: Tally, watch: Watch, combine: Combining
) -> list[Codes]:
    """The codes of all states, by number, for each of *stakes*; counts them in *tally*."""
    coding = tally.coding
    store = reached.store
    columns: list[Codes] = [
        np.full(store.numbers_end, coding.unknown, dtype=coding.dtype) for _ in stakes
    ]

    def work(expander: Expander, piece: Piece) -> tuple[Numbers, list[Codes], Table | None]:
        rows = store.rows(piece)
        expansion = expander.expand(rows)
        following = reached.following(expansion)
        numbers = reached.own_numbers(piece, rows)
        found: list[Codes] = []
        for each, column in zip(stakes, columns, strict=True):
            ends = each.ends(expander.outcomes, coding)
            codes = combine(column, following, expansion, each, ends)
            column[numbers] = codes
            found.append(codes)
        return expansion.verdicts, found, reached.sizes(rows)

    done = 0
    for level in reversed(range(reached.depth)):
        for verdicts, codes, sizes in reached.crew.over(reached.pieces(level), work):
            tally.add(verdicts, codes, sizes)
            done += len(verdicts)
            watch.look(depth=level, states=store.states, frontier=store.states - done)
    return columns


class Compiling:
    """Combines codes by compiled code."""

    def __init__(self, coding: Coding, *, native: bool = True) -> None:
        self._coding = coding
        self._loop = loop(coding, native=native)

    def __call__(
        self, column: Codes, following: Numbers, expansion: Expansion, stakes: Stakes, ends: Codes
    ) -> Codes:
        """The codes of the states of *expansion* from those of the states *following* them."""
        counts = np.ascontiguousarray(expansion.counts)
        verdicts = np.ascontiguousarray(expansion.verdicts)
        table = ends.astype(np.int64)
        codes = np.empty(len(counts), dtype=self._coding.dtype)
        self._loop(
            column.ctypes.data,
            following.ctypes.data,
            len(following),
            counts.ctypes.data,
            verdicts.ctypes.data,
            len(counts),
            table.ctypes.data,
            stakes.players,
            stakes.seeker.player,
            codes.ctypes.data,
        )
        return codes


def combined(
    column: Codes, following: Numbers, expansion: Expansion, stakes: Stakes, ends: Codes
) -> Codes:
    """The same by numpy, which needs no compiler."""
    coding = Coding(column.dtype.itemsize)
    codes = stakes.ended(expansion, ends)
    has_moves = expansion.counts > 0
    counts = expansion.counts[has_moves]
    if not len(counts):
        return codes
    is_own = stakes.is_own(expansion.verdicts[has_moves])
    starts = np.cumsum(counts) - counts
    after = column[following]
    liked = np.where(np.repeat(is_own, counts), after, coding.turned(after))
    best = coding.before(np.maximum.reduceat(liked, starts))
    codes[has_moves] = np.where(is_own, best, coding.turned(best))
    return codes
