"""The value of every reachable state: who wins, how soon, a draw, or play without end.

Where every move leads from one level to the next, values are found backwards level by
level; otherwise from the ends backwards by distance, over all moves turned round.

A model is first solved on its machine. When that takes longer, a fast expander is
made beside it, and when there are many states, symmetries are looked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from zermelo.core.adapter import MachineExpander
from zermelo.core.arrays import Rows
from zermelo.core.expander import Expander
from zermelo.core.limits import UNLIMITED, Announce, Limits, Listener, out_of_room, why_stopped
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
from zermelo.engines.solve.cycles import (
    gathered,
    solved_by_distance,
    solved_by_sweeps,
    sweeps_method,
)
from zermelo.engines.solve.kept_values import KeptValues
from zermelo.engines.solve.levels import CHUNK, StatesToSolve, ValuesInMemory, solved_by_levels
from zermelo.engines.solve.solution import Solution, opened, save, verified
from zermelo.engines.solve.values import Solved, ValueKind, Verification
from zermelo.engines.space.bitmap_store import DoesNotFit
from zermelo.engines.space.checkpoint import Checkpoint
from zermelo.engines.space.layered_store import LayeredStore, layered
from zermelo.engines.space.level_counts import CountedLevels, count_levels
from zermelo.engines.space.orbits.reduction import Reduction, reduced, usable_reduction
from zermelo.engines.space.staged import CompilerSwitch, Taken, faster_of, resumed
from zermelo.engines.space.store import StateStore, store_for
from zermelo.engines.space.sweep import interpreted_piece
from zermelo.engines.space.thread_pool import Deadline, Stopped, ThreadPool
from zermelo.text import budget
from zermelo.text.budget import (
    COMPILING,
    EXPLORING,
    FINDING_SYMMETRIES,
    SOLVING,
    LimitReached,
)
from zermelo.text.errors import InternalError
from zermelo.text.prose import count

FEW: Final = 100_000
"""So many states are looked at before symmetries are worth looking for."""
MOST_MOVES: Final = 20_000_000
"""Where moves lead across levels, so many of them are kept; more are followed again and again."""
_BYTES_A_VALUE: Final = 2
"""How much memory a value takes at least."""
_MEMORY_FOR_LAYERS: Final = 2 << 30
"""The most that the bitmap of all layers may take where no limit of memory is given."""
BYTES_PER_MOVE: Final = 40
"""How much memory a move takes while moves are turned round."""


def solve_model(
    model: Model,
    *,
    limits: Limits = UNLIMITED,
    threads: int | None = None,
    symmetry: bool = True,
    listener: Listener | None = None,
    checkpoint: Path | None = None,
    announce: Announce | None = None,
) -> Solution:
    """The values of all states of *model*; what was found is kept in the folder *checkpoint*.

    A run that was stopped goes on from there, of which *announce* is told.
    """
    if limits.began is None:
        limits = replace(limits, began=budget.now())
    watch = budget.watch()
    began = budget.now() if watch is None else watch.began
    machine = model.machine()

    if checkpoint is not None and lacking(model.signature) is None:
        with Checkpoint(checkpoint, announce) as kept:
            with budget.phase(COMPILING):
                expander = budget.within_time(lambda: _fastest(model), COMPILING)
            used = None
            if symmetry:
                with budget.phase(FINDING_SYMMETRIES):
                    used = budget.within_time(lambda: usable(model, expander), FINDING_SYMMETRIES)
            expander = kept.open(expander, used)
            first = expander.pack(machine.initial)
            found = solve(
                expander,
                first,
                limits=limits,
                listener=listener,
                threads=threads,
                reduction=used,
                kept=kept,
            )
            return replace(found, seconds=budget.now() - began)
    switch = CompilerSwitch(faster_of(model), listener)
    slow = MachineExpander(machine)
    start = slow.pack(machine.initial)
    slowly = switch.first(
        lambda heard: solve(slow, start, limits=limits, listener=heard, threads=1)
    )
    if not isinstance(slowly, Taken):
        found = replace(slowly, seconds=budget.now() - began)
        if switch.reason is None:
            return found
        note = f"this took longer than it should, as nothing could be compiled: {switch.reason}"
        return replace(found, notes=(*found.notes, note))
    fast = slowly.expander
    first = fast.pack(machine.initial)
    used = None
    if symmetry and (limits.states is None or limits.states > FEW):
        few = replace(limits, states=FEW)
        found = solve(fast, first, limits=few, listener=listener, threads=threads)
        if found.is_complete or found.classes < FEW:
            return replace(found, seconds=budget.now() - began)
        try:
            with budget.phase(FINDING_SYMMETRIES):
                used = budget.within_time(lambda: usable(model, fast), FINDING_SYMMETRIES)
        except LimitReached as stop:
            why = why_stopped(stop, limits)
            return replace(found, cut=why, seconds=budget.now() - began)
    found = _solved(model, fast, first, limits, threads, listener, used)
    return replace(found, seconds=budget.now() - began)


def _solved(
    model: Model,
    expander: Expander,
    first: Rows,
    limits: Limits,
    threads: int | None,
    listener: Listener | None,
    used: Reduction | None,
) -> Solution:
    """The values of very many states: by layers where a potential gives layers."""
    threads = threads or os.cpu_count() or 1

    def solved(store: StateStore | None) -> Solution:
        return solve(
            expander,
            first,
            store=store,
            limits=limits,
            listener=listener,
            threads=threads,
            reduction=used,
        )

    layers = None
    if limits.states is None and limits.depth is None:
        memory = _MEMORY_FOR_LAYERS if limits.memory is None else limits.memory * 3 // 4
        try:
            with budget.phase(EXPLORING):
                layers = budget.within_time(
                    lambda: layered(expander, model.invariants(), threads=threads, memory=memory),
                    EXPLORING,
                )
        except LimitReached as stop:
            return Solution(expander, first, (), None, cut=why_stopped(stop, limits))
    try:
        return solved(layers)
    except DoesNotFit:
        # With symmetries, what stands for a state may be of an earlier layer.
        return solved(None)


def _fastest(model: Model) -> Expander:
    """Compiled code, or else the machine: what is kept is expected to take long."""
    faster = faster_of(model)
    made = "nothing is compiled" if faster is None else faster()
    return MachineExpander(model.machine(), reason=made) if isinstance(made, str) else made


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


def solve(
    expander: Expander,
    first: Rows,
    *,
    store: StateStore | None = None,
    limits: Limits = UNLIMITED,
    threads: int | None = None,
    reduction: Reduction | None = None,
    listener: Listener | None = None,
    kept: Checkpoint | None = None,
) -> Solution:
    if limits.began is None:
        limits = replace(limits, began=budget.now())
    watch = Deadline(limits, listener, phase=SOLVING)
    lack = lacking(expander.signature)
    if lack is not None:
        return Solution(expander, first, (), None, cut=lack)
    threads = threads or os.cpu_count() or 1
    walked = reduced(expander, reduction)
    if store is None:
        store = store_for(walked, threads=threads)
    with budget.phase(EXPLORING):
        seen = count_levels(
            walked,
            store,
            start=first if reduction is None else reduction.one(first),
            limits=limits,
            listener=listener,
            threads=threads,
            reduction=reduction,
            checkpoints=kept,
            begun=None if kept is None else resumed(kept, store, first, reduction),
        )
    stuck = sum(level.stuck.total() for level in seen.levels)
    cut = seen.cut
    if cut is None:
        pool = ThreadPool(expander, threads)
        positions = [level.positions for level in seen.levels]
        piece = CHUNK
        if expander.native is None:
            piece = interpreted_piece(store.states, seen.seconds_before + seen.seconds)
        space = StatesToSolve(pool, store, seen.is_graded, reduction, positions, piece)
        objectives = objectives_of(expander.signature, has_stuck=stuck > 0)
        terminal_values = [TerminalValues(expander.signature, each) for each in objectives]
        needed = store.numbers_end * _BYTES_A_VALUE * len(objectives)
        if limits.memory is not None and store.bytes + needed > limits.memory:
            cut = out_of_room(limits.memory)
    if cut is None:
        can_keep = _can_keep_moves(seen, store.states, limits)
        try:
            values = None if kept is None else KeptValues(kept, objectives)
            with budget.phase(SOLVING):
                columns, counts, method = _valued(
                    space, terminal_values, watch, can_keep=can_keep, kept=values
                )
            return Solution(
                expander,
                first,
                objectives,
                ValuesInMemory(space, tuple(columns), counts.coding),
                counted=counts.counted,
                classes=store.states,
                stuck=stuck,
                symmetry="" if reduction is None else ", ".join(reduction.words),
                symmetries=1 if reduction is None else reduction.order,
                notes=tuple(_notes(expander, seen)),
                method=method,
                seconds=watch.passed,
            )
        except Stopped as stop:
            cut = str(stop)
        except LimitReached as stop:
            cut = why_stopped(stop, limits)
    return Solution(
        expander,
        first,
        (),
        None,
        classes=store.states,
        reached=sum(level.positions for level in seen.levels),
        stuck=stuck,
        cut=cut,
        seconds=seen.seconds,
    )


def lacking(signature: Signature) -> str | None:
    if not signature.players:
        return (
            "it is not known who plays; add a line to `Reading` such as "
            "`players: A when turn, B when ¬turn`"
        )
    return None


def _valued(
    space: StatesToSolve,
    terminal_values: list[TerminalValues],
    watch: Deadline,
    *,
    can_keep: bool,
    kept: KeptValues | None,
) -> tuple[list[Codes], ValueCounts, str]:
    """The codes of all states, by the way that suits them, how many are which, and the way."""
    objectives = [each.objective for each in terminal_values]
    if space.is_graded:
        counts = ValueCounts(space.pool.signature, objectives, coding_for(space.depth))
        columns = solved_by_levels(space, terminal_values, tally=counts, watch=watch, kept=kept)
        if isinstance(space.store, LayeredStore):
            return columns, counts, "backwards, layer by layer of what every move makes larger"
        return columns, counts, "backwards, level by level"
    if can_keep:
        found = _by_distance(space, terminal_values, watch, kept)
        return *found, "backwards from the ends, by distance"
    for size in (2, 4):
        if size == 2 and kept is not None and kept.has(sweeps_method(Coding(4))):
            # The smaller numbers were found to be too small for a distance.
            continue
        counts = ValueCounts(space.pool.signature, objectives, Coding(size))
        swept = solved_by_sweeps(space, terminal_values, tally=counts, watch=watch, kept=kept)
        if swept is not None:
            return swept, counts, "by going over all states until nothing changed"
    raise InternalError("a distance of a thousand million plies")


def _can_keep_moves(seen: CountedLevels, states: int, limits: Limits) -> bool:
    moves = sum(level.moves for level in seen.levels)
    positions = sum(level.positions for level in seen.levels)
    if positions:
        # With symmetries moves are counted for all positions, and kept for one of each class.
        moves = moves * states // positions
    room = MOST_MOVES if limits.memory is None else limits.memory // BYTES_PER_MOVE
    return moves <= min(MOST_MOVES, room)


def _by_distance(
    space: StatesToSolve,
    terminal_values: list[TerminalValues],
    watch: Deadline,
    kept: KeptValues | None,
) -> tuple[list[Codes], ValueCounts]:
    arcs = gathered(space, terminal_values, watch=watch, kept=kept)
    found = [
        solved_by_distance(
            arcs,
            each,
            ends,
            watch=watch,
            kept=None if kept is None else kept.beside(f"distances-{at}"),
        )
        for at, (each, ends) in enumerate(zip(terminal_values, arcs.ends, strict=True))
    ]
    coding = Coding(max(each.size for _, each in found))
    by_place = [codes if each == coding else each.widened(codes, coding) for codes, each in found]
    objectives = [each.objective for each in terminal_values]
    counts = ValueCounts(space.pool.signature, objectives, coding)
    columns: list[Codes] = []
    for codes in by_place:
        column = np.full(space.store.numbers_end, coding.unknown, dtype=coding.dtype)
        column[arcs.numbers] = codes
        columns.append(column)
    for at in range(0, len(arcs.numbers), CHUNK):
        part = slice(at, at + CHUNK)
        sizes = None if space.reduction is None else arcs.sizes[part]
        counts.add(arcs.verdicts[part], [codes[part] for codes in by_place], sizes)
    return columns, counts


def _notes(expander: Expander, seen: CountedLevels) -> Iterator[str]:
    signature = expander.signature
    met = sorted({number for level in seen.levels for number in level.over if level.over[number]})
    for outcome in (expander.outcomes[number] for number in met):
        if outcome.ending is Ending.OVER:
            yield _open_end(signature, outcome)
        elif len(outcome.losers) == len(signature.players) and (
            terminal_value(outcome, signature.players[0].name, players=len(signature.players))
            is ValueKind.DRAW
        ):
            yield f"where {outcome}, everybody loses; that is counted as a draw"
    faulty = sum(level.faulty for level in seen.levels)
    if faulty:
        yield (
            f"in {count(faulty, 'state')} something goes wrong with a move; the values are those "
            "without it, and where it would lead to is not counted"
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
