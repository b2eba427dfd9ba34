"""Values where every move leads from one level to the next: backwards, level by level.

No moves are kept: the states of a level are followed again, and the values of
what they lead to are looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np

from zermelo.core.arrays import Numbers, Piece, Rows
from zermelo.core.expander import Expander, Expansion, player_of
from zermelo.engines.solve.codes import Codes, Coding, CountTable, TerminalValues, ValueCounts
from zermelo.engines.solve.kept_values import FoundValues, KeptValues
from zermelo.engines.space.orbits.reduction import Reduction
from zermelo.engines.space.store import StateStore, followed
from zermelo.engines.space.thread_pool import Deadline, Stopped, ThreadPool
from zermelo.fast import jit
from zermelo.fast.bits import load, load8, load16, load32, prefetch, store8, store16, store32
from zermelo.fast.jit import Compiled
from zermelo.text.budget import LimitReached
from zermelo.text.errors import InternalError

T = TypeVar("T")

CHUNK: Final = 1 << 12


@dataclass(frozen=True, slots=True)
class StatesToSolve:
    """All reachable states, and the symmetries that were used to reach them."""

    pool: ThreadPool
    store: StateStore
    is_graded: bool
    reduction: Reduction | None = None
    positions: Sequence[int] = ()
    """With symmetries, how many positions the states of each level stand for."""
    piece: int = CHUNK
    """How many states are looked at in one go."""

    @property
    def depth(self) -> int:
        return len(self.store.by_depth)

    def pieces(self, level: int, *, skip: int = 0) -> list[Piece]:
        """A level without its first *skip* states."""
        return self.store.pieces(level, self.piece, skip=skip)

    def own_numbers(self, piece: Piece, rows: Rows) -> Numbers:
        """The numbers of the states of a *piece*, which are *rows*."""
        return self.store.own_numbers(piece, rows)

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
        players = self.pool.signature.players
        if (
            len(players) > 1
            and ((expansion.counts > 0) & (player_of(expansion.verdicts) < 0)).any()
        ):
            names = " nor ".join(player.name for player in players)
            raise Stopped(
                f"there are states with moves in which neither {names} is in turn; say in "
                "`Reading` when it is whose turn, as in `players: A when turn, B when ¬turn`"
            )
        found = self.numbers(expansion.states)
        if len(found) and found.min() < 0:
            raise InternalError("a state after a move was not reached when it was explored")
        return found


@dataclass(frozen=True, slots=True)
class ValuesInMemory:
    """The codes of all states by the number that a store gives them."""

    space: StatesToSolve
    columns: tuple[Codes, ...]
    coding: Coding

    def look_up(self, rows: Rows) -> list[Codes]:
        numbers = self.space.numbers(rows.copy())
        is_there = numbers >= 0
        return [
            np.where(is_there, column[np.where(is_there, numbers, 0)], self.coding.unknown)
            for column in self.columns
        ]


MANY: Final = 20_000
"""For so many states compiled code is worth loading."""


Combining: TypeAlias = Callable[[Codes, Numbers, Expansion, TerminalValues, Codes], Codes]
"""What finds the codes of states from all codes, the numbers of the states that follow, the moves,
what ends are worth, and the codes of ends."""


def combining(space: StatesToSolve, coding: Coding) -> Combining:
    is_native = space.pool.is_native and space.store.states >= MANY
    return Compiling(coding) if is_native else combined


def solved_by_levels(
    space: StatesToSolve,
    terminal_values: Sequence[TerminalValues],
    *,
    tally: ValueCounts,
    watch: Deadline,
    kept: KeptValues | None = None,
) -> list[Codes]:
    """The codes of all states, by number, for each objective; counts them in *tally*.

    They are *kept* after a level, and those that were kept are not looked for again.
    """
    coding = tally.coding
    combine = combining(space, coding)
    store = space.store
    columns: list[Codes] = [
        np.full(store.numbers_end, coding.unknown, dtype=coding.dtype) for _ in terminal_values
    ]
    way = BackwardPass(space)
    if kept is not None:
        way = _kept_levels(space, columns, tally, kept)

    def keep() -> None:
        if kept is not None:
            kept.keep(BY_LEVELS, {**way.facts, "counts": tally.to_json()}, named(columns))

    def work(expander: Expander, piece: Piece) -> tuple[int, CodedStates]:
        rows = store.rows(piece)
        expansion = expander.expand(rows)
        following = space.following(expansion)
        numbers = space.own_numbers(piece, rows)
        found: list[Codes] = []
        for each, column in zip(terminal_values, columns, strict=True):
            ends = each.ends(expander.outcomes, coding)
            codes = combine(column, following, expansion, each, ends)
            column[numbers] = codes
            found.append(codes)
        return len(rows), (expansion.verdicts, found, space.sizes(rows))

    if way.level == 0:
        return columns
    try:
        for found in way.over(work, watch, lambda: keep() if is_due(kept) else None):
            tally.add(*found)
    except LIMITS:
        keep()
        raise
    keep()
    return columns


def is_due(kept: KeptValues | None) -> bool:
    return kept is not None and kept.is_due()


BY_LEVELS: Final = "levels"
LIMITS: Final = (Stopped, LimitReached)
"""What ends a run before it is done; what it has found until then is kept."""
CodedStates: TypeAlias = tuple[Numbers, list[Codes], CountTable | None]
"""Of some states the verdicts, for each objective the codes, and the numbers of positions."""


@dataclass(slots=True)
class BackwardPass:
    """How far all states have been gone through, the last level first, each in its order.

    A run that is stopped anywhere goes on with the next piece, so that however little time each
    run has, some run comes to the end.
    """

    space: StatesToSolve
    level: int = -1
    """This level and those behind it are done; as many as there are if it is not said."""
    followed: int = 0
    """How many states of the level before it are done as well."""

    def __post_init__(self) -> None:
        if self.level < 0:
            self.level = self.space.depth

    @property
    def facts(self) -> dict[str, Any]:
        return {"level": self.level, "followed": self.followed}

    def going_on(self, facts: Mapping[str, Any], kept: KeptValues) -> None:
        """Go on from where *facts* say that it was."""
        sizes = (0, *self.space.store.by_depth)
        level, followed = facts.get("level"), facts.get("followed")
        if type(level) is not int or not 0 <= level < len(sizes):
            raise kept.damaged("it has values for levels that there are not")
        if type(followed) is not int or not 0 <= followed <= sizes[level]:
            raise kept.damaged("it has values for states that there are not")
        self.level, self.followed = level, followed

    @property
    def states(self) -> int:
        """How many states are done."""
        return sum(self.space.store.by_depth[self.level :]) + self.followed

    @property
    def positions(self) -> int:
        """How many positions these stand for."""
        reduction = self.space.reduction
        if reduction is None:
            return self.states
        part = (
            int(reduction.sizes(rows).astype(object).sum())
            for rows in followed(self.space.store, self.level - 1, self.followed)
        )
        return sum(self.space.positions[self.level :]) + sum(part if self.followed else ())

    def over(
        self,
        work: Callable[[Expander, Piece], tuple[int, T]],
        watch: Deadline,
        keep: Callable[[], None],
    ) -> Iterator[T]:
        """What *work* gives for each of the pieces that are left, beside how many states it has.

        A piece is done when the next one is asked for; then one may *keep* how far it has come.
        """
        space = self.space
        states = space.store.states
        while self.level:
            at = self.level - 1
            for count, found in space.pool.over(space.pieces(at, skip=self.followed), work):
                yield found
                self.followed += count
                keep()
                watch.look(depth=at, states=states, frontier=states - self.states)
            self.level, self.followed = at, 0


def named(columns: Sequence[Codes]) -> dict[str, Codes]:
    return {f"objective-{at}": column for at, column in enumerate(columns)}


def restore(columns: Sequence[Codes], found: FoundValues, kept: KeptValues) -> None:
    """Put the codes that were *found* into *columns*."""
    now = named(columns)
    if found.arrays.keys() != now.keys() or any(
        (array.dtype, array.shape) != (now[name].dtype, now[name].shape)
        for name, array in found.arrays.items()
    ):
        raise kept.damaged("there are not as many values as states")
    for name, array in found.arrays.items():
        now[name][:] = array


def _kept_levels(
    space: StatesToSolve, columns: Sequence[Codes], tally: ValueCounts, kept: KeptValues
) -> BackwardPass:
    """How far values are known, which are put into *columns*."""
    way = BackwardPass(space)
    found = kept.read(BY_LEVELS)
    if found is None:
        return way
    way.going_on(found.facts, kept)
    restore(columns, found, kept)
    restore_counts(tally, found, way, kept)
    by_depth = space.store.by_depth
    first = sum(by_depth[: way.level])
    begun = sum(by_depth[: max(way.level - 1, 0)])
    for column in columns:
        known = np.concatenate((column[begun : begun + way.followed], column[first:]))
        if (known == tally.coding.unknown).any():
            raise kept.damaged("some value is missing in it")
    kept.announce(way.states)
    return way


def restore_counts(
    tally: ValueCounts, found: FoundValues, way: BackwardPass, kept: KeptValues
) -> None:
    try:
        tally.restore(found.facts.get("counts"), total=way.positions)
    except ValueError as error:
        raise kept.damaged(f"what it counted cannot be: {error}") from error


class Compiling:
    """Combines codes by compiled code."""

    def __init__(self, coding: Coding, *, native: bool = True) -> None:
        self._coding = coding
        self._loop = loop(coding, native=native)

    def __call__(
        self,
        column: Codes,
        following: Numbers,
        expansion: Expansion,
        terminal_values: TerminalValues,
        ends: Codes,
    ) -> Codes:
        counts = np.ascontiguousarray(expansion.counts)
        verdicts = np.ascontiguousarray(expansion.verdicts)
        table = ends.astype(np.int64)
        codes = np.empty(len(counts), dtype=self._coding.dtype)
        players, objective = terminal_values.players, terminal_values.objective.player
        moves, states = (following, len(following)), (counts, verdicts, len(counts))
        self._loop.on(column, *moves, *states, table, players, objective, codes)
        return codes


def combined(
    column: Codes,
    following: Numbers,
    expansion: Expansion,
    terminal_values: TerminalValues,
    ends: Codes,
) -> Codes:
    """The same by numpy, which needs no compiler."""
    coding = Coding(column.dtype.itemsize)
    codes = terminal_values.ended(expansion, ends)
    has_moves = expansion.counts > 0
    counts = expansion.counts[has_moves]
    if not len(counts):
        return codes
    is_own = terminal_values.is_own(expansion.verdicts[has_moves])
    starts = np.cumsum(counts) - counts
    after = column[following]
    liked = np.where(np.repeat(is_own, counts), after, coding.turned(after))
    best = coding.before(np.maximum.reduceat(liked, starts))
    codes[has_moves] = np.where(is_own, best, coding.turned(best))
    return codes


# Bound anew for each unit: how many bytes a code has, how many bits of it tell the distance.
SIZE = 1
BITS = 6
AHEAD = 16
"""How many codes are on their way through memory at the same time."""


def code_at(values: int, number: int) -> int:
    if SIZE == 1:
        return load8(values, number)
    if SIZE == 2:
        return load16(values, number)
    return load32(values, number)


def turned(code: int) -> int:
    kind = code >> BITS
    if kind == 0 or kind == 3:
        return (4 << BITS) - 1 - code
    return code


def before(code: int) -> int:
    kind = code >> BITS
    if kind == 0:
        return code + 1
    if kind == 1:
        return code
    return code - 1


def best(values: int, following: int, first: int, count: int, moves: int, own: int) -> int:
    """The code of a state from those of the *count* states that follow it.

    The numbers of these begin at the place *first* of *following*, which has *moves* in all.
    """
    found = -1
    for at in range(first, first + count):
        if at + AHEAD < moves:
            prefetch(values + load(following, at + AHEAD) * SIZE, 0)
        code = code_at(values, load(following, at))
        if not own:
            code = turned(code)
        found = max(found, code)
    found = before(found)
    if not own:
        found = turned(found)
    return found


def combine(
    values: int,
    following: int,
    moves: int,
    counts: int,
    verdicts: int,
    states: int,
    ends: int,
    players: int,
    objective: int,
    out: int,
) -> int:
    """Write to *out* the codes of *states* states from those of the states that follow.

    *ends* has the codes of states without moves: for those that are stuck by the player in
    turn, 0 for nobody, and then by outcome.
    """
    at = 0
    for i in range(states):
        count = load(counts, i)
        verdict = load(verdicts, i)
        player = verdict & 255
        if count == 0:
            place = player
            if verdict >> 8 > 0:
                place = players + (verdict >> 8)
            code = load(ends, place)
        else:
            own = players == 1 or player == objective + 1
            code = best(values, following, at, count, moves, own)
            at += count
        if SIZE == 1:
            store8(out, i, code)
        elif SIZE == 2:
            store16(out, i, code)
        else:
            store32(out, i, code)
    return at


@lru_cache(maxsize=3)
def unit(coding: Coding) -> jit.Unit:
    return jit.unit_of(
        "solve-loops",
        (code_at, turned, before, best, combine),
        exports=("combine",),
        constants={"SIZE": coding.size, "BITS": coding.bits, "AHEAD": AHEAD},
        inline=("code_at", "turned", "before"),
    )


def loop(coding: Coding, *, native: bool = True) -> Compiled:
    return jit.load(unit(coding), native=native)["combine"]
