"""The value of every reachable state: who wins, how soon, a draw, or play without end.

Comes in an expander and the first state; goes out a ``Solution``. Where every
move leads from one level to the next, values are found backwards level by level;
otherwise from the ends backwards by distance, over all moves turned round.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from zermelo.core.expander import Expander, Rows
from zermelo.core.machine import Ending, Outcome
from zermelo.core.progress import Listener
from zermelo.core.values import to_text
from zermelo.core.walk import UNLIMITED, Limits
from zermelo.engines.solve.codes import Codes, Coding, coding_for
from zermelo.engines.solve.cycles import gathered, solved_by_distance
from zermelo.engines.solve.levels import combining, solved_by_levels
from zermelo.engines.solve.reached import CHUNK, Reached
from zermelo.engines.solve.solution import Solution
from zermelo.engines.solve.stakes import Stakes, seekers, worth
from zermelo.engines.solve.sweeps import solved_by_sweeps
from zermelo.engines.solve.tally import Tally
from zermelo.engines.solve.values import Kind
from zermelo.engines.space.crew import Crew, Stopped, Watch
from zermelo.engines.space.orbits.reduced import Reduced
from zermelo.engines.space.orbits.reduction import Reduction
from zermelo.engines.space.store import Store, store_for
from zermelo.engines.space.survey import Survey, survey
from zermelo.languages.sections.ir import System
from zermelo.text.errors import InternalError

MOST_MOVES: Final = 20_000_000
"""Where moves lead across levels, so many of them are kept; more are followed again and again."""
BYTES_PER_MOVE: Final = 40
"""How much memory a move takes while moves are turned round."""


def solve(
    expander: Expander,
    first: Rows,
    *,
    store: Store | None = None,
    limits: Limits = UNLIMITED,
    threads: int | None = None,
    reduction: Reduction | None = None,
    listener: Listener | None = None,
) -> Solution:
    """The values of all states that can be reached from the state *first*."""
    watch = Watch(limits.seconds, listener)
    lack = lacking(expander.system)
    if lack is not None:
        return Solution(expander, first, (), None, cut=lack)
    threads = threads or os.cpu_count() or 1
    walked = expander if reduction is None else Reduced(expander, reduction)
    if store is None:
        store = store_for(walked, threads=threads)
    seen = survey(
        walked,
        store,
        start=first if reduction is None else reduction.one(first),
        limits=limits,
        listener=listener,
        threads=threads,
    )
    if seen.cut is not None:
        return _without_values(expander, first, store, seen, seen.cut)
    crew = Crew(expander, threads)
    reached = Reached(crew, store, seen.is_graded, reduction)
    stuck = sum(level.stuck.total() for level in seen.levels)
    sought = seekers(expander.system, has_stuck=stuck > 0)
    stakes = [Stakes(expander.system, seeker) for seeker in sought]
    try:
        can_keep = _can_keep_moves(seen, store.states, limits)
        found = _valued(reached, stakes, watch, can_keep=can_keep)
    except Stopped as stop:
        return _without_values(expander, first, store, seen, str(stop))
    return Solution(
        expander,
        first,
        sought,
        found.book,
        counted=found.tally.counted,
        classes=store.states,
        stuck=stuck,
        symmetry="" if reduction is None else ", ".join(reduction.words),
        symmetries=1 if reduction is None else reduction.order,
        notes=tuple(_notes(expander, seen)),
        method=found.method,
        seconds=watch.passed,
    )


def lacking(system: System) -> str | None:
    """What has to be said before there can be values, in words."""
    if not system.players:
        return (
            "it is not known who plays; add a line to `Reading` such as "
            "`players: A when turn, B when ¬turn`"
        )
    return None


def _without_values(
    expander: Expander, first: Rows, store: Store, seen: Survey, cut: str
) -> Solution:
    return Solution(
        expander,
        first,
        (),
        None,
        classes=store.states,
        positions=sum(level.positions for level in seen.levels),
        stuck=sum(level.stuck.total() for level in seen.levels),
        cut=cut,
        seconds=seen.seconds,
    )


@dataclass(frozen=True, slots=True)
class InMemory:
    """The codes of all states by the number that a store gives them."""

    reached: Reached
    columns: tuple[Codes, ...]
    coding: Coding

    def look_up(self, rows: Rows) -> list[Codes]:
        """For each seeker the codes of *rows*; *not known* for states that are not there."""
        numbers = self.reached.numbers(rows.copy())
        is_there = numbers >= 0
        return [
            np.where(is_there, column[np.where(is_there, numbers, 0)], self.coding.unknown)
            for column in self.columns
        ]


@dataclass(frozen=True, slots=True)
class _Valued:
    book: InMemory
    tally: Tally
    method: str


def _valued(reached: Reached, stakes: list[Stakes], watch: Watch, *, can_keep: bool) -> _Valued:
    """The values of all states, by the way that suits them."""
    if reached.is_graded:
        coding = coding_for(reached.depth)
        tally = Tally(reached.crew.system, [each.seeker for each in stakes], coding)
        columns = solved_by_levels(
            reached, stakes, tally=tally, watch=watch, combine=combining(reached, coding)
        )
        book = InMemory(reached, tuple(columns), coding)
        return _Valued(book, tally, "backwards, level by level")
    if can_keep:
        return _by_distance(reached, stakes, watch)
    return _by_sweeps(reached, stakes, watch)


def _can_keep_moves(seen: Survey, states: int, limits: Limits) -> bool:
    """Whether there is room for all moves."""
    moves = sum(level.moves for level in seen.levels)
    positions = sum(level.positions for level in seen.levels)
    if positions:
        # With symmetries moves are counted for all positions, and kept for one of each class.
        moves = moves * states // positions
    room = MOST_MOVES if limits.memory is None else limits.memory // BYTES_PER_MOVE
    return moves <= min(MOST_MOVES, room)


def _by_distance(reached: Reached, stakes: list[Stakes], watch: Watch) -> _Valued:
    arcs = gathered(reached, stakes, watch=watch)
    found = [
        solved_by_distance(arcs, each, ends, watch=watch)
        for each, ends in zip(stakes, arcs.ends, strict=True)
    ]
    coding = Coding(max(each.size for _, each in found))
    by_place = [codes if each == coding else each.widened(codes, coding) for codes, each in found]
    tally = Tally(reached.crew.system, [each.seeker for each in stakes], coding)
    columns: list[Codes] = []
    for codes in by_place:
        column = np.full(reached.store.numbers_end, coding.unknown, dtype=coding.dtype)
        column[arcs.numbers] = codes
        columns.append(column)
    for at in range(0, len(arcs.numbers), CHUNK):
        part = slice(at, at + CHUNK)
        sizes = None if reached.reduction is None else arcs.sizes[part]
        tally.add(arcs.verdicts[part], [codes[part] for codes in by_place], sizes)
    book = InMemory(reached, tuple(columns), coding)
    return _Valued(book, tally, "backwards from the ends, by distance")


def _by_sweeps(reached: Reached, stakes: list[Stakes], watch: Watch) -> _Valued:
    for size in (2, 4):
        coding = Coding(size)
        tally = Tally(reached.crew.system, [each.seeker for each in stakes], coding)
        columns = solved_by_sweeps(
            reached, stakes, tally=tally, watch=watch, combine=combining(reached, coding)
        )
        if columns is not None:
            book = InMemory(reached, tuple(columns), coding)
            return _Valued(book, tally, "by going over all states until nothing changed")
    raise InternalError("a distance of a thousand million plies")


def _notes(expander: Expander, seen: Survey) -> Iterator[str]:
    system = expander.system
    met = sorted({number for level in seen.levels for number in level.over if level.over[number]})
    for outcome in (expander.outcomes[number] for number in met):
        if outcome.ending is Ending.OVER:
            yield _open_end(system, outcome)
        elif _is_lost_by_all(system, outcome):
            yield f"where {outcome}, everybody loses; that is counted as a draw"
    faulty = sum(level.faulty for level in seen.levels)
    if faulty:
        yield (
            f"in {faulty:,} states something goes wrong with a move; "
            "the values are those without it"
        )


def _is_lost_by_all(system: System, outcome: Outcome) -> bool:
    first = system.players[0].name
    count = len(system.players)
    return (
        bool(outcome.losers)
        and worth(outcome, first, players=count) is Kind.DRAW
        and (len(outcome.losers) == count)
    )


def _open_end(system: System, outcome: Outcome) -> str:
    if outcome.result is None:
        return "plays that end without a result are counted as draws"
    word = to_text(outcome.result)
    name = system.players[0].name
    return (
        f"for whom the result {word} is good is not known; it is counted as a draw. "
        f"A line in `Reading` such as `result {word}: {name} wins` or `result {word}: draw` says it"
    )
