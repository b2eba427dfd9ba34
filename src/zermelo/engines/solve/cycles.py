"""Values where play can come back: from the ends backwards, by distance.

The moves are kept turned round. A state is decided when some move of whoever is
in turn leads to its win, or when all moves lead to its loss; what is never
decided is drawn. From the draws by rule backwards through what is not decided,
states get their distance to a draw; play in the rest does not end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Numbers, Piece, Rows, Truths
from zermelo.core.expander import Expander
from zermelo.engines.solve.codes import (
    Codes,
    Coding,
    TerminalValues,
    ValueCounts,
    coding_for,
)
from zermelo.engines.solve.kept_values import FoundValues, KeptValues
from zermelo.engines.solve.levels import (
    LIMITS,
    BackwardPass,
    CodedStates,
    StatesToSolve,
    combining,
    is_due,
    named,
    restore,
    restore_counts,
)
from zermelo.engines.solve.values import ValueKind
from zermelo.engines.space.store import followed
from zermelo.engines.space.thread_pool import Deadline

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

    parts = [] if kept is None else _kept_moves(space, len(terminal_values), coding, kept)
    known = _states(parts)

    def keep() -> None:
        if kept is not None and _states(parts) > known:
            parts[:] = [_joined(parts)]
            _keep_moves(parts[0], kept)

    try:
        for level, part in _behind(space, work, skip=known):
            parts.append(part)
            if is_due(kept):
                keep()
            watch.look(depth=level, states=store.states)
    except LIMITS:
        keep()
        raise
    keep()
    (numbers, counts, following, verdicts, sizes), ends = _joined(parts)
    del parts[:]
    places = np.empty(store.numbers_end, dtype=np.uint32)
    places[numbers] = np.arange(len(numbers), dtype=np.uint32)
    targets = places[following]
    del following, places
    sources = np.repeat(np.arange(len(counts), dtype=np.uint32), counts)
    starts = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(np.bincount(targets, minlength=len(counts)), out=starts[1:])
    before = sources[np.argsort(targets, kind="stable")]
    return MoveArcs(counts, starts, before, verdicts, numbers, sizes, ends, coding)


def _behind(
    space: StatesToSolve, work: Callable[[Expander, Piece], Gathered], *, skip: int
) -> Iterator[tuple[int, Gathered]]:
    """What is gathered of all but the first *skip* states, each part with its level."""
    for level, size in enumerate(space.store.by_depth):
        skipped = min(skip, size)
        skip -= skipped
        for part in space.pool.over(space.pieces(level, skip=skipped), work):
            yield level, part


def _states(parts: Sequence[Gathered]) -> int:
    return sum(len(arrays[0]) for arrays, _ in parts)


def _joined(parts: Sequence[Gathered]) -> Gathered:
    arrays = [np.concatenate([part[at] for part, _ in parts]) for at in range(len(_FOLLOWED))]
    return arrays, [
        np.concatenate(codes) for codes in zip(*(ends for _, ends in parts), strict=True)
    ]


def _keep_moves(found: Gathered, kept: KeptValues) -> None:
    """Keep what was gathered of the first states; the sizes of classes are found again."""
    arrays, ends = found
    gathered = dict(zip(_FOLLOWED[:-1], arrays, strict=False))
    kept.keep(BY_DISTANCE, {"states": len(arrays[0])}, {**gathered, **named(ends)})


def _kept_moves(
    space: StatesToSolve, objectives: int, coding: Coding, kept: KeptValues
) -> list[Gathered]:
    """What was kept of the first states, if anything was."""
    found = kept.read(BY_DISTANCE)
    if found is None:
        return []
    states = found.facts.get("states")
    if type(states) is not int or not 1 <= states <= space.store.states:
        raise kept.damaged("it has moves of states that there are not")
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
        sizes = np.concatenate([space.reduction.sizes(rows) for rows in _first(space, states)])
    return [((numbers, counts, following, verdicts, sizes), ends)]


def _first(space: StatesToSolve, count: int) -> Iterator[Rows]:
    """The first *count* states, a few at a time."""
    for level, size in enumerate(space.store.by_depth):
        yield from followed(space.store, level, min(count, size))
        count = max(0, count - size)


def solved_by_distance(
    arcs: MoveArcs,
    terminal_values: TerminalValues,
    ends: Codes,
    *,
    watch: Deadline,
    kept: KeptValues | None = None,
) -> tuple[Codes, Coding]:
    """The codes of all states by place, and the coding that was needed."""
    decided = _Decided(arcs, terminal_values.is_own(arcs.verdicts), ends)
    before = 0 if kept is None else decided.restore(kept)

    def keep() -> None:
        if kept is not None:
            kept.keep(BY_DISTANCE, decided.facts, decided.arrays)

    try:
        while not decided.is_done:
            watch.look(depth=decided.distance, states=len(arcs.counts), frontier=decided.waiting)
            decided.go_on()
            if is_due(kept):
                keep()
    except LIMITS:
        keep()
        raise
    if decided.steps > before:
        keep()
    return decided.finished()


class _Decided:
    """States that are decided one after the other, by distance: won and lost ones, then draws."""

    def __init__(self, arcs: MoveArcs, is_own: Truths, ends: Codes) -> None:
        self._arcs = arcs
        self._is_own = is_own
        self._coding = arcs.coding
        self._codes = ends.copy()
        self._left = arcs.counts.copy()
        """How many moves of a state are not known to lose for whoever makes them."""
        win, loss = (arcs.coding.code(kind) for kind in (ValueKind.WIN, ValueKind.LOSS))
        self._frontier = np.flatnonzero((ends == win) | (ends == loss))
        self._draws = np.flatnonzero(ends == arcs.coding.code(ValueKind.DRAW))
        self.steps = 0
        """How many steps were made."""
        self.distance = 0
        self._is_drawing = False

    @property
    def waiting(self) -> int:
        return len(self._frontier)

    @property
    def is_done(self) -> bool:
        return self._is_drawing and not len(self._frontier)

    def go_on(self) -> None:
        """Decide the states at the next distance."""
        self.steps += 1
        if not self._is_drawing and not len(self._frontier):
            self._is_drawing, self._frontier, self.distance = True, self._draws, 0
            return
        self.distance += 1
        step = self._step_drawn if self._is_drawing else self._step
        self._frontier = step(self._frontier, self.distance)

    # What is kept on the way

    @property
    def facts(self) -> dict[str, Any]:
        return {"steps": self.steps, "distance": self.distance, "draws": self._is_drawing}

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {"codes": self._codes, "left": self._left, "frontier": self._frontier}

    def restore(self, kept: KeptValues) -> int:
        """Go on from what was *kept*, if anything was; how many steps were made until then."""
        found = kept.read(BY_DISTANCE)
        if found is None:
            return 0
        steps, distance, is_drawing = (found.facts.get(name) for name in self.facts)
        arrays = [found.arrays.get(name, np.empty(0)) for name in self.arrays]
        codes, left, frontier = arrays
        counts = self._arcs.counts
        sizes = [each for each in (1, 2, 4) if Coding(each).dtype == codes.dtype]
        is_right = (
            type(steps) is int
            and type(distance) is int
            and type(is_drawing) is bool
            and 0 <= distance <= steps
            and sizes
            and distance <= Coding(sizes[0]).most
            and left.dtype == frontier.dtype == np.int64
            and len(codes) == len(left) == len(counts)
            and bool((left >= 0).all() and (left <= counts).all())
            and 0 <= frontier.min(initial=0) <= frontier.max(initial=0) < max(1, len(counts))
        )
        if not is_right:
            raise kept.damaged("it has not the distances of as many states")
        assert isinstance(steps, int), "it was looked at"
        assert isinstance(distance, int), "it was looked at"
        self.steps, self.distance, self._is_drawing = steps, distance, is_drawing is True
        self._codes, self._left, self._frontier = (each.copy() for each in arrays)
        self._coding = Coding(sizes[0])
        return self.steps

    # One step

    def _step(self, frontier: Numbers, distance: int) -> Numbers:
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

    def _step_drawn(self, frontier: Numbers, distance: int) -> Numbers:
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


def sweeps_method(coding: Coding) -> str:
    """What values that are found by sweeps in this *coding* are kept as."""
    return f"sweeps of {coding.size}"


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
    sweeps = _Sweeps(space, terminal_values, tally, watch, kept)
    if sweeps.is_done:
        return sweeps.columns
    try:
        is_settled = sweeps.run()
    except LIMITS:
        sweeps.keep()
        raise
    if not is_settled:
        return None
    sweeps.keep()
    return sweeps.columns


class _Stage(IntEnum):
    """What the states are gone over for."""

    WINS = 0
    DRAWS = 1
    COUNTS = 2


class _Sweeps:
    def __init__(
        self,
        space: StatesToSolve,
        terminal_values: Sequence[TerminalValues],
        tally: ValueCounts,
        watch: Deadline,
        kept: KeptValues | None,
    ) -> None:
        self._kept = kept
        self._space = space
        self._terminal_values = terminal_values
        self._tally = tally
        self._coding = coding = tally.coding
        self._watch = watch
        self._combine = combining(space, coding)
        end = space.store.numbers_end
        self.columns: list[Codes] = [
            np.full(end, coding.endless, dtype=coding.dtype) for _ in terminal_values
        ]
        self._stage = _Stage.WINS
        self._way = BackwardPass(space)
        self._changed = 0
        """How many values of this sweep are others than before."""
        self._longest = 0
        self._method = sweeps_method(coding)
        found = None if kept is None else kept.read(self._method)
        if kept is not None and found is not None:
            self._restore(found, kept)

    def _restore(self, found: FoundValues, kept: KeptValues) -> None:
        restore(self.columns, found, kept)
        self._way.going_on(found.facts, kept)
        stage, changed, longest = (found.facts.get(n) for n in ("stage", "changed", "longest"))
        if type(stage) is not int or stage not in {0, 1, 2}:
            raise kept.damaged("it was looking for something else")
        if type(changed) is not int or type(longest) is not int or changed < 0 or longest < 0:
            raise kept.damaged("it changed as many values as there cannot be")
        self._stage, self._changed, self._longest = _Stage(stage), changed, longest
        if self._stage is _Stage.COUNTS:
            restore_counts(self._tally, found, self._way, kept)

    def keep(self) -> None:
        if self._kept is not None:
            facts = {
                **self._way.facts,
                "stage": int(self._stage),
                "changed": self._changed,
                "longest": self._longest,
                "counts": self._tally.to_json(),
            }
            self._kept.keep(self._method, facts, named(self.columns))

    @property
    def is_done(self) -> bool:
        return self._stage is _Stage.COUNTS and self._way.level == 0

    def run(self) -> bool:
        """Go over all states until nothing changes; whether every distance could be told.

        A sweep that was stopped goes on where it was: one over all states has to change nothing.
        """
        while self._stage is not _Stage.COUNTS:
            for numbers, found, plies in self._over_all(self._sweep):
                self._take_in(numbers, found)
                self._longest = max(self._longest, plies)
            if self._longest >= self._coding.most - 1:
                return False
            if not self._changed:
                self._stage, self._longest = _Stage(self._stage + 1), 0
            self._way, self._changed = BackwardPass(self._space), 0
        for told in self._over_all(self._told):
            self._tally.add(*told)
        return True

    def _over_all(self, work: Callable[[Expander, Piece], tuple[int, R]]) -> Iterator[R]:
        return self._way.over(
            work, self._watch, lambda: self.keep() if is_due(self._kept) else None
        )

    def _take_in(self, numbers: Numbers, found: Sequence[Codes]) -> None:
        # Here, and not where they are found, by threads whose pieces may never be asked for:
        # what has changed is counted, so that no change is lost when a sweep is stopped.
        for column, codes in zip(self.columns, found, strict=True):
            self._changed += int(np.count_nonzero(column[numbers] != codes))
            column[numbers] = codes

    def _sweep(
        self, expander: Expander, piece: Piece
    ) -> tuple[int, tuple[Numbers, list[Codes], int]]:
        """The codes of a piece, found anew, by the numbers of its states; the longest distance."""
        space, coding = self._space, self._coding
        rows = space.store.rows(piece)
        expansion = expander.expand(rows)
        following = space.following(expansion)
        longest = 0
        found: list[Codes] = []
        for terminal_values, column in zip(self._terminal_values, self.columns, strict=True):
            ends = terminal_values.ends(expander.outcomes, coding)
            if self._stage is _Stage.WINS:
                ends = np.where(ends == coding.code(ValueKind.DRAW), coding.endless, ends)
            codes = self._combine(
                column, following, expansion, terminal_values, ends.astype(coding.dtype)
            )
            found.append(codes)
            classes = codes >> coding.bits
            rest = (codes & coding.most).astype(np.int64)
            plies = np.where(classes == 0, rest, np.where(classes == 1, 0, coding.most - rest))
            longest = max(longest, int(plies.max(initial=0)))
        return len(rows), (space.own_numbers(piece, rows), found, longest)

    def _told(self, expander: Expander, piece: Piece) -> tuple[int, CodedStates]:
        space = self._space
        rows = space.store.rows(piece)
        numbers = space.own_numbers(piece, rows)
        told = expander.judge(rows), [each[numbers] for each in self.columns], space.sizes(rows)
        return len(rows), told
