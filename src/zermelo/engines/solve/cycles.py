"""Values where play can come back: from the ends backwards, by distance.

The moves are kept turned round. A state is decided when some move of whoever is
in turn leads to its win, or when all moves lead to its loss; what is never
decided is drawn. From the draws by rule backwards through what is not decided,
states get their distance to a draw; play in the rest does not end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Numbers, Piece, Truths
from zermelo.core.expander import Expander
from zermelo.engines.solve.codes import (
    Codes,
    Coding,
    CountTable,
    TerminalValues,
    ValueCounts,
    coding_for,
)
from zermelo.engines.solve.kept_values import KeptValues
from zermelo.engines.solve.levels import StatesToSolve, combining, named, restore
from zermelo.engines.solve.values import ValueKind
from zermelo.engines.space.thread_pool import Deadline, Stopped

Ids: TypeAlias = npt.NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, slots=True)
class MoveArcs:
    """All moves turned round, and what is known of each state without looking at others.

    States are named by their places: in the order of the levels, and in a level in the store's.
    """

    counts: Numbers
    starts: Numbers
    """Where the states before each one begin in ``before``."""
    before: Ids
    verdicts: Numbers
    numbers: Numbers
    sizes: Numbers
    """How many positions each state stands for, if there are symmetries; else empty."""
    ends: Sequence[Codes]
    """For each objective the codes of the states without moves, in ``coding``."""
    coding: Coding


Gathered: TypeAlias = tuple[Sequence[Numbers], Sequence[Codes]]
"""Of some states the arrays that ``_FOLLOWED`` names, and for each objective the codes of ends."""
_FOLLOWED: Final = ("numbers", "counts", "following", "verdicts", "sizes")
BY_DISTANCE: Final = "distance"


def gathered(
    space: StatesToSolve,
    terminal_values: Sequence[TerminalValues],
    *,
    watch: Deadline,
    kept: KeptValues | None = None,
) -> MoveArcs:
    """All moves turned round; what was found of them is *kept* after a level."""
    store = space.store
    coding = Coding(1)

    def work(expander: Expander, piece: Piece) -> Gathered:
        rows = store.rows(piece)
        expansion = expander.expand(rows)
        following = space.following(expansion)
        ends: list[Codes] = []
        for each in terminal_values:
            codes = each.ended(expansion, each.ends(expander.outcomes, coding))
            codes[expansion.counts > 0] = coding.unknown
            ends.append(codes)
        own = space.own_numbers(piece, rows)
        sizes = space.sizes(rows)
        counts, verdicts = expansion.counts.copy(), expansion.verdicts.copy()
        return (own, counts, following, verdicts, own[:0] if sizes is None else sizes), ends

    levels: list[Gathered] = []
    known = 0
    if kept is not None:
        known = _kept_moves(space, len(terminal_values), coding, levels, kept)
    try:
        for level in range(known, space.depth):
            parts: list[Gathered] = []
            for part in space.pool.over(space.pieces(level), work):
                parts.append(part)
                watch.look(depth=level, states=store.states)
            levels.append(_joined(parts))
            known = level + 1
            if kept is not None and (known == space.depth or kept.is_due()):
                _keep_moves(known, levels, kept)
    except Stopped:
        if kept is not None and known:
            _keep_moves(known, levels, kept)
        raise
    (numbers, counts, following, verdicts, sizes), ends = _joined(levels)
    del levels
    places = np.empty(store.numbers_end, dtype=np.uint32)
    places[numbers] = np.arange(len(numbers), dtype=np.uint32)
    targets = places[following]
    del following, places
    sources = np.repeat(np.arange(len(counts), dtype=np.uint32), counts)
    starts = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(np.bincount(targets, minlength=len(counts)), out=starts[1:])
    before = sources[np.argsort(targets, kind="stable")]
    return MoveArcs(counts, starts, before, verdicts, numbers, sizes, ends, coding)


def _joined(parts: Sequence[Gathered]) -> Gathered:
    arrays = [np.concatenate([part[at] for part, _ in parts]) for at in range(len(_FOLLOWED))]
    return arrays, [
        np.concatenate(codes) for codes in zip(*(ends for _, ends in parts), strict=True)
    ]


def _keep_moves(known: int, levels: Sequence[Gathered], kept: KeptValues) -> None:
    """Keep what was gathered of the levels before *known*; the sizes of classes are found again."""
    arrays, ends = _joined(levels)
    followed = dict(zip(_FOLLOWED[:-1], arrays, strict=False))
    kept.keep(BY_DISTANCE, {"level": known}, {**followed, **named(ends)})


def _kept_moves(
    space: StatesToSolve, objectives: int, coding: Coding, levels: list[Gathered], kept: KeptValues
) -> int:
    """The first level of which nothing was kept; what was is put into *levels*."""
    found = kept.read(BY_DISTANCE)
    if found is None:
        return 0
    known = found.facts.get("level")
    if type(known) is not int or not 1 <= known <= space.depth:
        raise kept.damaged("it has moves of levels that there are not")
    states = sum(space.store.by_depth[:known])
    names = [*_FOLLOWED[:-1], *(f"objective-{at}" for at in range(objectives))]
    if sorted(found.arrays) != sorted(names):
        raise kept.damaged("it has not the moves for all who play")
    numbers, counts, following, verdicts = (found.arrays[name] for name in _FOLLOWED[:-1])
    ends = [found.arrays[name] for name in names[len(_FOLLOWED) - 1 :]]
    end = space.store.numbers_end
    is_right = (
        all(array.dtype == np.int64 for array in (numbers, counts, following, verdicts))
        and all(array.dtype == coding.dtype and len(array) == states for array in ends)
        and len(numbers) == len(counts) == len(verdicts) == states
        and len(np.unique(numbers)) == states
        and all(
            0 <= array.min(initial=0) <= array.max(initial=0) < end
            for array in (numbers, following)
        )
        and counts.min(initial=0) >= 0
        and int(counts.sum()) == len(following)
    )
    if not is_right:
        raise kept.damaged("it has not the moves of as many states")
    sizes = numbers[:0]
    if space.reduction is not None:
        rows = (space.store.rows(p) for level in range(known) for p in space.pieces(level))
        sizes = np.concatenate([space.reduction.sizes(each) for each in rows])
    levels.append(((numbers, counts, following, verdicts, sizes), ends))
    return known


def solved_by_distance(
    arcs: MoveArcs, terminal_values: TerminalValues, ends: Codes, *, watch: Deadline
) -> tuple[Codes, Coding]:
    """The codes of all states by place, and the coding that was needed."""
    decided = _Decided(arcs, terminal_values.is_own(arcs.verdicts), ends)
    for first, step in ((decided.first, decided.step), (decided.draws, decided.step_drawn)):
        frontier, distance = first, 0
        while len(frontier):
            watch.look(depth=distance, states=len(arcs.counts), frontier=len(frontier))
            distance += 1
            frontier = step(frontier, distance)
    return decided.finished()


class _Decided:
    def __init__(self, arcs: MoveArcs, is_own: Truths, ends: Codes) -> None:
        self._arcs = arcs
        self._is_own = is_own
        self._coding = arcs.coding
        self._codes = ends.copy()
        self._left = arcs.counts.copy()
        """How many moves of a state are not known to lose for whoever makes them."""
        win, loss = (arcs.coding.code(kind) for kind in (ValueKind.WIN, ValueKind.LOSS))
        self.first = np.flatnonzero((ends == win) | (ends == loss))
        self.draws = np.flatnonzero(ends == arcs.coding.code(ValueKind.DRAW))

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
        self._codes[found] = self._coding.code(ValueKind.DRAW, distance)
        return found

    def finished(self) -> tuple[Codes, Coding]:
        self._codes[self._codes == self._coding.unknown] = self._coding.endless
        return self._codes, self._coding

    def _decide(self, places: Numbers, distance: int, *, is_for_mover: bool) -> None:
        is_won = self._is_own[places] == is_for_mover
        win = self._coding.code(ValueKind.WIN, distance)
        loss = self._coding.code(ValueKind.LOSS, distance)
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


R = TypeVar("R")
BY_SWEEPS: Final = "sweeps"


def solved_by_sweeps(
    space: StatesToSolve,
    terminal_values: Sequence[TerminalValues],
    *,
    tally: ValueCounts,
    watch: Deadline,
    kept: KeptValues | None = None,
) -> list[Codes] | None:
    """The codes of all states by number; ``None`` when the coding is too small for a distance.

    They are *kept* on the way: whatever is known of some states when a sweep begins, the last
    one ends with the same.
    """
    sweeps = _Sweeps(space, terminal_values, tally.coding, watch, kept)
    try:
        if not sweeps.has_draws and not sweeps.settle(has_draws=False):
            return None
        if not sweeps.settle(has_draws=True):
            return None
    except Stopped:
        sweeps.keep()
        raise
    for verdicts, codes, sizes in sweeps.over_all(sweeps.told):
        tally.add(verdicts, codes, sizes)
    return sweeps.columns


class _Sweeps:
    def __init__(
        self,
        space: StatesToSolve,
        terminal_values: Sequence[TerminalValues],
        coding: Coding,
        watch: Deadline,
        kept: KeptValues | None,
    ) -> None:
        self._kept = kept
        self._space = space
        self._terminal_values = terminal_values
        self._coding = coding
        self._watch = watch
        self._combine = combining(space, coding)
        end = space.store.numbers_end
        self.columns: list[Codes] = [
            np.full(end, coding.endless, dtype=coding.dtype) for _ in terminal_values
        ]
        self.has_draws = False
        """Whether wins and losses are settled, and draws are looked for."""
        self._method = f"{BY_SWEEPS} of {coding.size}"
        found = None if kept is None else kept.read(self._method)
        if kept is not None and found is not None:
            restore(self.columns, found, kept)
            self.has_draws = found.facts.get("has_draws") is True

    def keep(self) -> None:
        if self._kept is not None:
            facts = {"has_draws": self.has_draws}
            self._kept.keep(self._method, facts, named(self.columns))

    def settle(self, *, has_draws: bool) -> bool:
        """Go over all states until nothing changes; whether every distance could be told."""
        longest = 0
        self.has_draws = has_draws
        while True:
            changed = 0
            for found, plies in self.over_all(lambda e, p: self._sweep(e, p, has_draws=has_draws)):
                changed += found
                longest = max(longest, plies)
            if longest >= self._coding.most - 1:
                return False
            if not changed:
                return True

    def over_all(self, work: Callable[[Expander, Piece], R]) -> Iterator[R]:
        space = self._space
        states = space.store.states
        for level in reversed(range(space.depth)):
            for found in space.pool.over(space.pieces(level), work):
                yield found
                self._watch.look(depth=level, states=states)
            if self._kept is not None and self._kept.is_due():
                self.keep()

    def _sweep(self, expander: Expander, piece: Piece, *, has_draws: bool) -> tuple[int, int]:
        """Find the codes of a piece anew; how many changed, and the longest distance."""
        space, coding = self._space, self._coding
        rows = space.store.rows(piece)
        expansion = expander.expand(rows)
        following = space.following(expansion)
        numbers = space.own_numbers(piece, rows)
        changed = longest = 0
        for terminal_values, column in zip(self._terminal_values, self.columns, strict=True):
            ends = terminal_values.ends(expander.outcomes, coding)
            if not has_draws:
                ends = np.where(ends == coding.code(ValueKind.DRAW), coding.endless, ends)
            codes = self._combine(
                column, following, expansion, terminal_values, ends.astype(coding.dtype)
            )
            changed += int(np.count_nonzero(column[numbers] != codes))
            column[numbers] = codes
            classes = codes >> coding.bits
            rest = (codes & coding.most).astype(np.int64)
            plies = np.where(classes == 0, rest, np.where(classes == 1, 0, coding.most - rest))
            longest = max(longest, int(plies.max(initial=0)))
        return changed, longest

    def told(
        self, expander: Expander, piece: Piece
    ) -> tuple[Numbers, list[Codes], CountTable | None]:
        space = self._space
        rows = space.store.rows(piece)
        numbers = space.own_numbers(piece, rows)
        return expander.judge(rows), [each[numbers] for each in self.columns], space.sizes(rows)
