"""Values where play can come back: from the ends backwards, by distance.

The moves are kept turned round. A state is decided when some move of whoever is
in turn leads to its win, or when all moves lead to its loss; what is never
decided is drawn. From the draws by rule backwards through what is not decided,
states get their distance to a draw; play in the rest does not end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.core.expander import Expander, Expansion, Numbers
from zermelo.core.machine import Outcome
from zermelo.engines.solve.codes import Codes, Coding, coding_for
from zermelo.engines.solve.reached import Reached
from zermelo.engines.solve.stakes import Flags, Stakes
from zermelo.engines.solve.values import Kind
from zermelo.engines.space.crew import Watch
from zermelo.engines.space.store import Piece

Ids: TypeAlias = npt.NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, slots=True)
class Arcs:
    """All moves turned round, and what is known of each state without looking at others.

    States are named by their places: in the order of the levels, and in a level in the store's.
    """

    counts: Numbers
    """How many moves each state has."""
    starts: Numbers
    """Where the states before each one begin in ``before``."""
    before: Ids
    verdicts: Numbers
    numbers: Numbers
    """The store's number of each state."""
    sizes: Numbers
    """How many positions each state stands for, if there are symmetries; else empty."""
    ends: Sequence[Codes]
    """For each of the stakes the codes of the states without moves, in ``coding``."""
    coding: Coding


def gathered(reached: Reached, stakes: Sequence[Stakes], *, watch: Watch) -> Arcs:
    """The moves between the states of *reached*."""
    store = reached.store
    coding = Coding(1)

    def work(expander: Expander, piece: Piece) -> tuple[Sequence[Numbers], Sequence[Codes]]:
        rows = store.rows(piece)
        expansion = expander.expand(rows)
        following = reached.following(expansion)
        ends = [_ended(each, expansion, expander.outcomes, coding) for each in stakes]
        own = reached.own_numbers(piece, rows)
        sizes = reached.sizes(rows)
        counts, verdicts = expansion.counts.copy(), expansion.verdicts.copy()
        return (own, counts, following, verdicts, own[:0] if sizes is None else sizes), ends

    parts: list[tuple[Sequence[Numbers], Sequence[Codes]]] = []
    for level in range(reached.depth):
        for part in reached.crew.over(reached.pieces(level), work):
            parts.append(part)
            watch.look(depth=level, states=store.states)
    numbers, counts, following, verdicts, sizes = (
        np.concatenate([part[at] for part, _ in parts]) for at in range(5)
    )
    ends = [np.concatenate([part[at] for _, part in parts]) for at in range(len(stakes))]
    del parts
    places = np.empty(store.numbers_end, dtype=np.uint32)
    places[numbers] = np.arange(len(numbers), dtype=np.uint32)
    targets = places[following]
    del following, places
    starts, before = _turned_round(counts, targets)
    return Arcs(counts, starts, before, verdicts, numbers, sizes, ends, coding)


def _ended(
    stakes: Stakes, expansion: Expansion, outcomes: tuple[Outcome, ...], coding: Coding
) -> Codes:
    codes = stakes.ended(expansion, stakes.ends(outcomes, coding))
    codes[expansion.counts > 0] = coding.unknown
    return codes


def _turned_round(counts: Numbers, targets: Ids) -> tuple[Numbers, Ids]:
    sources = np.repeat(np.arange(len(counts), dtype=np.uint32), counts)
    order = np.argsort(targets, kind="stable")
    starts = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(np.bincount(targets, minlength=len(counts)), out=starts[1:])
    return starts, sources[order]


def solved_by_distance(
    arcs: Arcs, stakes: Stakes, ends: Codes, *, watch: Watch
) -> tuple[Codes, Coding]:
    """The codes of all states by place, and the coding that was needed."""
    decided = _Decided(arcs, stakes.is_own(arcs.verdicts), ends)
    states = len(arcs.counts)
    distance = 0
    frontier = decided.first
    while len(frontier):
        watch.look(depth=distance, states=states, frontier=len(frontier))
        distance += 1
        frontier = decided.step(frontier, distance)
    frontier = decided.draws
    distance = 0
    while len(frontier):
        watch.look(depth=distance, states=states, frontier=len(frontier))
        distance += 1
        frontier = decided.step_drawn(frontier, distance)
    return decided.finished()


class _Decided:
    """The codes while they are found out, those that are near an end first."""

    def __init__(self, arcs: Arcs, is_own: Flags, ends: Codes) -> None:
        self._arcs = arcs
        self._is_own = is_own
        self._coding = arcs.coding
        self._codes = ends.copy()
        self._left = arcs.counts.copy()
        """How many moves of a state are not known to lose for whoever makes them."""
        win, loss = (arcs.coding.code(kind) for kind in (Kind.WIN, Kind.LOSS))
        self.first = np.flatnonzero((ends == win) | (ends == loss))
        self.draws = np.flatnonzero(ends == arcs.coding.code(Kind.DRAW))

    def step(self, frontier: Numbers, distance: int) -> Numbers:
        """The states that are decided at this *distance*, from those one nearer."""
        self._make_room(distance)
        is_won = self._codes[frontier] >> self._coding.bits == 3
        before, lengths = self._before(frontier)
        is_won_after = np.repeat(is_won, lengths)
        is_open = self._codes[before] == self._coding.unknown
        before, is_won_after = before[is_open], is_won_after[is_open]
        is_choice = self._is_own[before] == is_won_after
        chosen = np.unique(before[is_choice])
        self._decide(chosen, distance, is_for_mover=True)
        refused = before[~is_choice]
        np.subtract.at(self._left, refused, 1)
        lost = np.unique(refused)
        lost = lost[(self._left[lost] == 0) & (self._codes[lost] == self._coding.unknown)]
        self._decide(lost, distance, is_for_mover=False)
        return np.concatenate((chosen, lost))

    def step_drawn(self, frontier: Numbers, distance: int) -> Numbers:
        """The drawn states at this *distance* from a draw by rule, from those one nearer."""
        self._make_room(distance)
        before, _ = self._before(frontier)
        found = np.unique(before[self._codes[before] == self._coding.unknown])
        self._codes[found] = self._coding.code(Kind.DRAW, distance)
        return found

    def finished(self) -> tuple[Codes, Coding]:
        """The codes, play without end in what is left."""
        self._codes[self._codes == self._coding.unknown] = self._coding.endless
        return self._codes, self._coding

    def _decide(self, places: Numbers, distance: int, *, is_for_mover: bool) -> None:
        is_won = self._is_own[places] == is_for_mover
        win = self._coding.code(Kind.WIN, distance)
        loss = self._coding.code(Kind.LOSS, distance)
        self._codes[places] = np.where(is_won, win, loss).astype(self._coding.dtype)

    def _before(self, frontier: Numbers) -> tuple[Numbers, Numbers]:
        """The states before each of *frontier*, and how many each has."""
        starts = self._arcs.starts[frontier]
        lengths = self._arcs.starts[frontier + 1] - starts
        ends = np.cumsum(lengths)
        shift = np.repeat(starts - ends + lengths, lengths)
        at = shift + np.arange(len(shift), dtype=np.int64)
        return self._arcs.before[at].astype(np.int64), lengths

    def _make_room(self, distance: int) -> None:
        if distance >= self._coding.most:
            wider = coding_for(distance + 1)
            self._codes = self._coding.widened(self._codes, wider)
            self._coding = wider
