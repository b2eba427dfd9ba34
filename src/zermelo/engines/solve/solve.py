"""The value of every reachable state: who wins, how soon, a draw, or play without end.

Comes in a model, or an expander and the first state; goes out a ``Solution``. Where
every move leads from one level to the next, values are found backwards level by level;
otherwise from the ends backwards by distance, over all moves turned round.

A model is first solved on its machine. When that takes longer, a fast expander is
made beside it, and when there are many states, symmetries are looked for.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from zermelo.core.adapter import MachineExpander
from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander
from zermelo.core.limits import UNLIMITED, Limits, Listener
from zermelo.core.machine import Ending, Outcome
from zermelo.core.model import Model
from zermelo.core.signature import Signature
from zermelo.core.values import to_text
from zermelo.engines.solve.codes import (
    Codes,
    Coding,
    TerminalValues,
    ValueCounts,
    coding_for,
    objectives_of,
    terminal_value,
)
from zermelo.engines.solve.cycles import gathered, solved_by_distance, solved_by_sweeps
from zermelo.engines.solve.levels import (
    CHUNK,
    StatesToSolve,
    ValuesInMemory,
    combining,
    solved_by_levels,
)
from zermelo.engines.solve.saved_solution import opened, save, verified
from zermelo.engines.solve.solution import Solution
from zermelo.engines.solve.values import Solved, ValueKind, Verification
from zermelo.engines.space.level_counts import CountedLevels, count_levels
from zermelo.engines.space.orbits.reduction import Reduction, reduced, usable_reduction
from zermelo.engines.space.staged import CompilerSwitch, faster_of
from zermelo.engines.space.store import StateStore, store_for
from zermelo.engines.space.thread_pool import Deadline, Stopped, ThreadPool
from zermelo.text.errors import InternalError

FEW: Final = 100_000
"""So many states are looked at before symmetries are worth looking for."""

MOST_MOVES: Final = 20_000_000
"""Where moves lead across levels, so many of them are kept; more are followed again and again."""

BYTES_PER_MOVE: Final = 40
"""How much memory a move takes while moves are turned round."""


def solve_model(
    model: Model,
    *,
    limits: Limits = UNLIMITED,
    threads: int | None = None,
    symmetry: bool = True,
    listener: Listener | None = None,
) -> Solution:
    """The values of all reachable states of *model*, within *limits*."""
    began = time.monotonic()
    machine = model.machine()

    def left() -> Limits:
        """The limits without the time that has passed."""
        passed = time.monotonic() - began
        return (
            limits if limits.seconds is None else replace(limits, seconds=limits.seconds - passed)
        )

    switch = CompilerSwitch(faster_of(model), listener)
    slow = MachineExpander(machine)
    found = solve(slow, slow.pack(machine.initial), limits=limits, listener=switch, threads=1)
    fast = switch.taken
    if fast is None:
        return found if switch.reason is None else _with_reason(found, switch.reason)
    first = fast.pack(machine.initial)
    used = None
    if symmetry and (limits.states is None or limits.states > FEW):
        few = replace(left(), states=FEW)
        found = solve(fast, first, limits=few, listener=listener, threads=threads)
        if found.is_complete or found.classes < FEW:
            return replace(found, seconds=time.monotonic() - began)
        used = usable(model, fast)
    found = solve(fast, first, limits=left(), listener=listener, threads=threads, reduction=used)
    return replace(found, seconds=time.monotonic() - began)


def usable(model: Model, expander: Expander, *, is_urgent: bool = False) -> Reduction | None:
    """The symmetries of *model* that can be used on the states of *expander*, if any.

    Where it *is_urgent*, code for them is compiled before it is worth it.
    """
    if expander.layout is None:
        return None
    found = model.symmetries()
    if found.used <= 1:
        return None
    if not is_urgent:
        return usable_reduction(found, expander)
    return Reduction(found.structure, found.bits, expander.layout, words=found.words, many=0)


def opened_solution(model: Model, path: Path) -> Solution:
    """The solution of *model* in a file; raises ``NotASolution`` if it has another one."""
    machine = model.machine()
    expander = MachineExpander(machine)
    return opened(path, expander, machine.initial, lambda: usable(model, expander, is_urgent=True))


def verified_solution(
    model: Model,
    solution: Solved | None,
    *,
    file: Path | None = None,
    listener: Listener | None = None,
) -> Verification:
    """What the independent check of a *solution* finds, or of the *file* that has it."""
    machine = model.machine()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "solution" if file is None else file
        if file is None:
            save(solution, path)
        return verified(
            path,
            MachineExpander(machine),
            faster_of(model),
            lambda expander: usable(model, expander),
            initial=machine.initial,
            listener=listener,
        )


def _with_reason(found: Solution, reason: str) -> Solution:
    note = f"this took longer than it should, as nothing could be compiled: {reason}"
    return replace(found, notes=(*found.notes, note))


def solve(
    expander: Expander,
    first: Rows,
    *,
    store: StateStore | None = None,
    limits: Limits = UNLIMITED,
    threads: int | None = None,
    reduction: Reduction | None = None,
    listener: Listener | None = None,
) -> Solution:
    """The values of all states that can be reached from the state *first*."""
    watch = Deadline(limits.seconds, listener)
    lack = lacking(expander.signature)
    if lack is not None:
        return Solution(expander, first, (), None, cut=lack)
    threads = threads or os.cpu_count() or 1
    walked = reduced(expander, reduction)
    if store is None:
        store = store_for(walked, threads=threads)
    seen = count_levels(
        walked,
        store,
        start=first if reduction is None else reduction.one(first),
        limits=limits,
        listener=listener,
        threads=threads,
        reduction=reduction,
    )
    if seen.cut is not None:
        return _without_values(expander, first, store, seen, seen.cut)
    pool = ThreadPool(expander, threads)
    space = StatesToSolve(pool, store, seen.is_graded, reduction)
    stuck = sum(level.stuck.total() for level in seen.levels)
    objectives = objectives_of(expander.signature, has_stuck=stuck > 0)
    terminal_values = [TerminalValues(expander.signature, objective) for objective in objectives]
    try:
        can_keep = _can_keep_moves(seen, store.states, limits)
        found = _valued(space, terminal_values, watch, can_keep=can_keep)
    except Stopped as stop:
        return _without_values(expander, first, store, seen, str(stop))
    return Solution(
        expander,
        first,
        objectives,
        found.stored,
        counted=found.tally.counted,
        classes=store.states,
        stuck=stuck,
        symmetry="" if reduction is None else ", ".join(reduction.words),
        symmetries=1 if reduction is None else reduction.order,
        notes=tuple(_notes(expander, seen)),
        method=found.method,
        seconds=watch.passed,
    )


def lacking(signature: Signature) -> str | None:
    """What has to be said before there can be values."""
    if not signature.players:
        return (
            "it is not known who plays; add a line to `Reading` such as "
            "`players: A when turn, B when ¬turn`"
        )
    return None


def _without_values(
    expander: Expander, first: Rows, store: StateStore, seen: CountedLevels, cut: str
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
class _Valuation:
    stored: ValuesInMemory
    tally: ValueCounts
    method: str


def _valued(
    space: StatesToSolve, terminal_values: list[TerminalValues], watch: Deadline, *, can_keep: bool
) -> _Valuation:
    """The values of all states, by the way that suits them."""
    if space.is_graded:
        coding = coding_for(space.depth)
        tally = ValueCounts(
            space.pool.signature, [each.objective for each in terminal_values], coding
        )
        columns = solved_by_levels(
            space, terminal_values, tally=tally, watch=watch, combine=combining(space, coding)
        )
        stored = ValuesInMemory(space, tuple(columns), coding)
        return _Valuation(stored, tally, "backwards, level by level")
    if can_keep:
        return _by_distance(space, terminal_values, watch)
    return _by_sweeps(space, terminal_values, watch)


def _can_keep_moves(seen: CountedLevels, states: int, limits: Limits) -> bool:
    """Whether there is room for all moves."""
    moves = sum(level.moves for level in seen.levels)
    positions = sum(level.positions for level in seen.levels)
    if positions:
        # With symmetries moves are counted for all positions, and kept for one of each class.
        moves = moves * states // positions
    room = MOST_MOVES if limits.memory is None else limits.memory // BYTES_PER_MOVE
    return moves <= min(MOST_MOVES, room)


def _by_distance(
    space: StatesToSolve, terminal_values: list[TerminalValues], watch: Deadline
) -> _Valuation:
    arcs = gathered(space, terminal_values, watch=watch)
    found = [
        solved_by_distance(arcs, each, ends, watch=watch)
        for each, ends in zip(terminal_values, arcs.ends, strict=True)
    ]
    coding = Coding(max(each.size for _, each in found))
    by_place = [codes if each == coding else each.widened(codes, coding) for codes, each in found]
    tally = ValueCounts(space.pool.signature, [each.objective for each in terminal_values], coding)
    columns: list[Codes] = []
    for codes in by_place:
        column = np.full(space.store.numbers_end, coding.unknown, dtype=coding.dtype)
        column[arcs.numbers] = codes
        columns.append(column)
    for at in range(0, len(arcs.numbers), CHUNK):
        part = slice(at, at + CHUNK)
        sizes = None if space.reduction is None else arcs.sizes[part]
        tally.add(arcs.verdicts[part], [codes[part] for codes in by_place], sizes)
    stored = ValuesInMemory(space, tuple(columns), coding)
    return _Valuation(stored, tally, "backwards from the ends, by distance")


def _by_sweeps(
    space: StatesToSolve, terminal_values: list[TerminalValues], watch: Deadline
) -> _Valuation:
    for size in (2, 4):
        coding = Coding(size)
        tally = ValueCounts(
            space.pool.signature, [each.objective for each in terminal_values], coding
        )
        columns = solved_by_sweeps(
            space, terminal_values, tally=tally, watch=watch, combine=combining(space, coding)
        )
        if columns is not None:
            stored = ValuesInMemory(space, tuple(columns), coding)
            return _Valuation(stored, tally, "by going over all states until nothing changed")
    raise InternalError("a distance of a thousand million plies")


def _notes(expander: Expander, seen: CountedLevels) -> Iterator[str]:
    signature = expander.signature
    met = sorted({number for level in seen.levels for number in level.over if level.over[number]})
    for outcome in (expander.outcomes[number] for number in met):
        if outcome.ending is Ending.OVER:
            yield _open_end(signature, outcome)
        elif _is_lost_by_all(signature, outcome):
            yield f"where {outcome}, everybody loses; that is counted as a draw"
    faulty = sum(level.faulty for level in seen.levels)
    if faulty:
        yield (
            f"in {faulty:,} states something goes wrong with a move; "
            "the values are those without it"
        )


def _is_lost_by_all(signature: Signature, outcome: Outcome) -> bool:
    first = signature.players[0].name
    count = len(signature.players)
    return (
        bool(outcome.losers)
        and terminal_value(outcome, first, players=count) is ValueKind.DRAW
        and (len(outcome.losers) == count)
    )


def _open_end(signature: Signature, outcome: Outcome) -> str:
    if outcome.result is None:
        return "plays that end without a result are counted as draws"
    word = to_text(outcome.result)
    name = signature.players[0].name
    return (
        f"for whom the result {word} is good is not known; it is counted as a draw. "
        f"A line in `Reading` such as `result {word}: {name} wins` or `result {word}: draw` says it"
    )
