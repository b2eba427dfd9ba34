"""Values where every move leads from one level to the next: backwards, level by level.

No moves are kept: the states of a level are followed again, and the values of
what they lead to are looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np

from zermelo.core.arrays import Numbers, Piece, Rows
from zermelo.core.expander import Expander, Expansion, player_of
from zermelo.engines.solve.codes import Codes, Coding, CountTable, TerminalValues, ValueCounts
from zermelo.engines.solve.kept_values import FoundValues, KeptValues
from zermelo.engines.space.orbits.reduction import Reduction
from zermelo.engines.space.store import StateStore, TableStore
from zermelo.engines.space.thread_pool import Deadline, Stopped, ThreadPool
from zermelo.fast import jit
from zermelo.fast.bits import load, load8, load16, load32, prefetch, store8, store16, store32
from zermelo.fast.jit import Compiled
from zermelo.text.errors import InternalError

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

    @property
    def depth(self) -> int:
        return len(self.store.by_depth)

    def pieces(self, level: int) -> list[Piece]:
        return self.store.pieces(level, CHUNK)

    def own_numbers(self, piece: Piece, rows: Rows) -> Numbers:
        """The numbers of the states of a *piece*, which are *rows*."""
        if isinstance(self.store, TableStore):
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
    known = space.depth
    if kept is not None:
        known = _kept_levels(space, columns, tally, kept)

    def work(expander: Expander, piece: Piece) -> tuple[Numbers, list[Codes], CountTable | None]:
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
        return expansion.verdicts, found, space.sizes(rows)

    done = sum(store.by_depth[known:])
    facts: dict[str, Any] = {"level": known, "counts": tally.to_json()}
    try:
        for level in reversed(range(known)):
            for verdicts, codes, sizes in space.pool.over(space.pieces(level), work):
                tally.add(verdicts, codes, sizes)
                done += len(verdicts)
                watch.look(depth=level, states=store.states, frontier=store.states - done)
            facts = {"level": level, "counts": tally.to_json()}
            if kept is not None and (level == 0 or kept.is_due()):
                kept.keep(BY_LEVELS, facts, named(columns))
    except Stopped:
        # What was found of the level at hand is found again.
        if kept is not None:
            kept.keep(BY_LEVELS, facts, named(columns))
        raise
    return columns


BY_LEVELS: Final = "levels"


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
) -> int:
    """The first level from which on all values are known, which are put into *columns*."""
    found = kept.read(BY_LEVELS)
    if found is None:
        return space.depth
    known, by_depth = found.facts.get("level"), space.store.by_depth
    if type(known) is not int or not 0 <= known <= space.depth:
        raise kept.damaged("it has values for levels that there are not")
    restore(columns, found, kept)
    total = sum(by_depth[known:]) if space.reduction is None else sum(space.positions[known:])
    try:
        tally.restore(found.facts.get("counts"), total=total)
    except ValueError as error:
        raise kept.damaged(f"what it counted cannot be: {error}") from error
    for column in columns:
        if (column[sum(by_depth[:known]) :] == tally.coding.unknown).any():
            raise kept.damaged("some value is missing in it")
    kept.announce(sum(by_depth[known:]))
    return known


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
