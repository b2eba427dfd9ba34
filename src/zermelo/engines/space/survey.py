"""Every reachable state, level by level, on all cores: what ``zermelo explore`` stands on.

Comes in an expander, a store and limits; goes out a ``Space``. The states of a
level are cut into pieces, threads take one piece after another, make the moves of
its states, and insert what follows into the store. Whatever the number of
threads and their luck, the counts are the same, and so are the plays, which are
traced afterwards (see ``trace``).

A limit of states has to stop at one certain state. Under such a limit pieces are
inserted one after another in the order of the level, so the states are stored in
the order in which a single queue reaches them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np

from zermelo.core.estimate import Estimate, estimate
from zermelo.core.expander import Expander, Expansion, Numbers, Rows, outcome_of
from zermelo.core.progress import INTERRUPTED, Listener, Progress
from zermelo.core.walk import UNLIMITED, Limits
from zermelo.engines.space.arrivals import Arrivals
from zermelo.engines.space.level_tally import LevelTally
from zermelo.engines.space.orbits.distinct import Distinct
from zermelo.engines.space.orbits.reduced import Reduced
from zermelo.engines.space.store import NOWHERE, Piece, Store

PIECE: Final = 8192
"""States that compiled code follows in one go: enough to forget the call, few enough to stay
in the processor's cache with what follows them."""
_FEWEST_SHARED: Final = 2048
"""Fewer states than this are not worth a second thread."""
_SMALL_PIECE: Final = 32
"""States that the interpreter follows between two looks at the clock."""
_SECONDS_A_PIECE: Final = 0.01
"""Which the interpreter should take no longer for, as far as one can tell."""
_SECONDS_BETWEEN_LOOKS: Final = 0.05
_STATES_BETWEEN_LOOKS: Final = 200_000
"""More states than this are not found by one thread until somebody looks again."""
_MEGABYTE: Final = 1_000_000
_MANY: Final = 100_000
"""From so many states on it is worth saying what it will come to."""


@dataclass(slots=True)
class Survey:
    """How far an exploration has come: enough to go on, and to say what was found."""

    levels: list[LevelTally] = field(default_factory=list)
    """What was counted on each level that was begun."""
    full_depth: int = 0
    """The deepest level of which every state was reached."""
    cut: str | None = None
    """Why the exploration stopped before everything was reached, in words."""
    seconds: float = 0.0
    first_estimate: Estimate | None = None
    """What the exploration was expected to come to when it began to be long."""
    arrivals: Arrivals | None = None
    """By which moves states were reached, where that is kept."""

    @property
    def is_graded(self) -> bool:
        """Whether every move led to the next level."""
        return not any(tally.earlier for tally in self.levels)

    @property
    def here(self) -> LevelTally:
        """What was counted on the deepest full level."""
        if len(self.levels) == self.full_depth:
            self.levels.append(LevelTally())
        return self.levels[self.full_depth]


class Keeper(Protocol):
    """Whoever keeps an exploration so that it can be resumed."""

    def is_due(self) -> bool:
        """Whether it is time to keep it again."""
        ...

    def keep(self, found: Survey, store: Store) -> None:
        """Keep what was found; no thread makes moves meanwhile."""
        ...


def survey(
    expander: Expander,
    store: Store,
    *,
    start: Rows,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
    threads: int = 1,
    keeper: Keeper | None = None,
    begun: Survey | None = None,
    spent: float = 0.0,
) -> Survey:
    """Explore all that can be reached from *start*, within *limits*, and fill *store*.

    *begun* is an exploration that was kept, whose states *store* has; *spent* are the
    seconds that went by before.
    """
    found = begun or Survey(seconds=spent)
    if begun is None:
        store.insert(start.reshape(1, -1))
        store.seal()
    hands = crew(expander, threads)
    if begun is None and len(hands) == 1 and expander.native is None:
        found.arrivals = Arrivals()
    with ThreadPoolExecutor(len(hands)) as pool:
        run = _Run(found, store, pool, limits=limits, listener=listener, keeper=keeper)
        run.is_native = expander.native is not None
        run.is_reduced = isinstance(expander, Reduced) and run.is_native
        run.workers = [_Worker(each, run) for each in hands]
        run.go()
    if keeper is not None:
        found.seconds = run.seconds()
        keeper.keep(found, store)
    run.judge_rest()
    found.seconds = run.seconds()
    return found


def crew(expander: Expander, threads: int) -> list[Expander]:
    """*expander* and its twins, one a thread, as far as it has twins."""
    found = [expander]
    while len(found) < threads and (twin := expander.twin()) is not None:
        found.append(twin)
    return found


class _Run:
    """One exploration while it runs: the pieces of the level at hand, and when to stop."""

    def __init__(
        self,
        found: Survey,
        store: Store,
        pool: ThreadPoolExecutor,
        *,
        limits: Limits,
        listener: Listener | None,
        keeper: Keeper | None,
    ) -> None:
        self.found = found
        self.store = store
        self.workers: list[_Worker] = []
        self.is_reduced = False
        """Whether there are symmetries, so that many moves of a state lead to the same state."""
        self.is_native = False
        """Whether compiled code runs."""
        self._pool = pool
        """The threads in which workers run. They last, for levels may be short."""
        self._limits = limits
        self._listener = listener
        self._keeper = keeper
        self._spent = found.seconds
        self._began = time.monotonic() - found.seconds
        self._lock = threading.Lock()
        """Held by whoever takes a piece, begins a level, stops, or says how far things are."""
        self._pieces: list[Piece] = []
        self._taken = 0
        self._order = threading.Condition()
        self._inserted = 0
        """How many pieces have been inserted, where that is done in order."""
        self._is_paused = False
        self._is_broken = False
        self._estimate: Estimate | None = None
        self._sizes = list(store.by_depth)
        """How many states each level has."""
        self._seen = sum(self._sizes)
        self._before = sum(tally.followed for tally in found.levels[: found.full_depth])
        """How many states were followed before the level at hand was begun."""

    def seconds(self) -> float:
        """How long the exploration has taken."""
        return time.monotonic() - self._began

    def go(self) -> None:
        """Follow levels to the end, or as far as a limit allows.

        Several workers have threads of their own, and the first of them leads. This thread,
        the only one that meets interruptions, looks at the clock and tells whoever listens;
        it holds nothing for long that they wait for.
        """
        if len(self.workers) == 1:
            self._follow_levels()
            return
        done = threading.Lock()
        done.acquire()
        try:
            leading = self._pool.submit(self._lead, done)
            self.look()
            while not done.acquire(timeout=_SECONDS_BETWEEN_LOOKS):
                self.look()
        except BaseException:
            self.give_up()
            raise
        leading.result()

    def _lead(self, done: threading.Lock) -> None:
        try:
            self._follow_levels()
        finally:
            done.release()

    # Levels

    def _follow_levels(self) -> None:
        """Follow one level after another until nothing is new, or a limit is hit."""
        while not self._is_over():
            if self.found.full_depth == self._limits.depth:
                self._probe()
                return
            self._follow_level()
            if not self._is_over():
                if not self.store.seal():
                    return
                self._begin_level()
                self._guess()

    def _is_over(self) -> bool:
        """Whether nothing more is to be followed."""
        return self._is_broken or self.found.cut is not None

    def _begin_level(self) -> None:
        with self._lock:
            self._before += self.found.here.followed
            self._pieces, self._taken = [], 0
            self._sizes.append(self.store.states - self._seen)
            self._seen = self.store.states
            self.found.full_depth += 1

    def judge_rest(self) -> None:
        """Count the endings among states that were reached and not followed."""
        if self.found.cut is None:
            return
        self.store.seal()
        expander, found = self.workers[0].expander, self.found
        for level in range(found.full_depth, len(self.store.by_depth)):
            if level == len(found.levels):
                found.levels.append(LevelTally())
            tally = found.levels[level]
            for piece in self.store.pieces(level, PIECE, skip=tally.followed):
                rows = self.store.rows(piece)
                verdicts = expander.judge(rows)
                tally.judge(verdicts, _sizes(expander, rows))
                if found.arrivals is not None:
                    is_over = np.flatnonzero(outcome_of(verdicts) >= 0)
                    found.arrivals.end(piece[0], verdicts, is_over)

    def _follow_level(self) -> None:
        here = self.found.here
        with self._lock:
            self._pieces = self._pieces_left(here.followed)
            self._taken = self._inserted = 0
        self.glance()
        while self._taken < len(self._pieces) and not self._is_over():
            self._is_paused = False
            helpers = self.workers[1 : len(self._pieces) - self._taken]
            if helpers:
                self._run_with(helpers)
            else:
                self.workers[0].run()
            self._keep()

    def _run_with(self, helpers: Sequence[_Worker]) -> None:
        """Let the first worker and *helpers* follow pieces, each in its thread."""
        futures = [self._pool.submit(worker.run) for worker in helpers]
        try:
            self.workers[0].run()
        finally:
            wait(futures)
        for future in futures:
            future.result()

    def _pieces_left(self, followed: int) -> list[Piece]:
        level = self.found.full_depth
        size = self._piece_size(self._sizes[level] - followed)
        return self.store.pieces(level, size, skip=followed)

    def _piece_size(self, left: int) -> int:
        """How many of the states that are *left* are followed in one go.

        The interpreter is to be asked often.
        """
        if self.is_native:
            return _fair(left, len(self.workers))
        spent = self.seconds() - self._spent
        return max(1, min(_SMALL_PIECE, int(self._before * _SECONDS_A_PIECE / max(spent, 1e-6))))

    def _probe(self) -> None:
        """Look whether anything lies beyond the deepest level that is asked for."""
        expander, tally = self.workers[0].expander, LevelTally()
        # The first state that is not over mostly tells.
        size = 1 if expander.native is None else PIECE
        for piece in self.store.pieces(self.found.full_depth, size):
            rows = self.store.rows(piece)
            expansion = expander.expand(rows)
            if (self.store.numbers(expansion.states) == NOWHERE).any():
                depth = self.found.full_depth
                moves = f"{depth:,} {'move' if depth == 1 else 'moves'}"
                self._cut(f"stopped after {moves}")
                return
            tally.follow(rows, expansion, len(rows), _sizes(expander, rows))
            tally.earlier += len(expansion.states)
            self.note(piece, expansion, len(rows))
            self.glance()
            if self._is_over():
                return
        self.found.here.join(tally)

    def note(self, piece: Piece, expansion: Expansion, followed: int) -> None:
        """Note by which moves states were reached, where that is kept."""
        arrivals = self.found.arrivals
        if arrivals is not None:
            is_end = np.flatnonzero(expansion.counts[:followed] == 0)
            arrivals.end(piece[0], expansion.verdicts, is_end)
            arrivals.arrive(piece[0], expansion, self.store)

    def _keep(self) -> None:
        if self._keeper is not None and self._keeper.is_due():
            self.found.seconds = self.seconds()
            self._keeper.keep(self.found, self.store)

    # What workers ask for, each in its thread

    def take(self) -> tuple[int, Piece] | None:
        """The next piece of the level with its number; ``None`` when it is time to stop."""
        with self._lock:
            if self._is_paused or self._is_over() or self._taken == len(self._pieces):
                return None
            self._taken += 1
            return self._taken - 1, self._pieces[self._taken - 1]

    def insert(self, number: int, expansion: Expansion, distinct: Distinct) -> tuple[int, int]:
        """Insert what follows a piece.

        Gives how many of its states count as followed, and how many of the states after
        them are on an earlier level.
        """
        if self._limits.states is None:
            states = distinct.of(expansion) if self.is_reduced else expansion.states
            return len(expansion.counts), self.store.insert(states)
        with self._order:
            while self._inserted != number and not self._is_over():
                self._order.wait(_SECONDS_BETWEEN_LOOKS)
            if self._is_over():
                return 0, 0
            self._inserted += 1
            try:
                return self._insert_within(self._limits.states, expansion)
            finally:
                self._order.notify_all()

    def _insert_within(self, most: int, expansion: Expansion) -> tuple[int, int]:
        """Insert what follows a piece, up to *most* states in all."""
        states, at, earlier = expansion.states, 0, 0
        while at < len(states) and (room := most - self.store.states) > 0:
            earlier += self.store.insert(states[at : at + room])
            at += room
        beyond = np.flatnonzero(self.store.numbers(states[at:]) == NOWHERE)
        if not len(beyond):
            return len(expansion.counts), earlier + max(0, len(states) - at)
        self._cut(f"stopped at {most:,} {'state' if most == 1 else 'states'}")
        ends = np.cumsum(expansion.counts)
        return int(np.searchsorted(ends, at + beyond[0], side="right")), earlier

    def join(self, tally: LevelTally) -> None:
        """Take in what a worker has counted."""
        with self._lock:
            self.found.here.join(tally)

    def give_up(self) -> None:
        """Let nobody go on, as one of them cannot."""
        self._is_broken = True

    def glance(self) -> None:
        """Look at the clock and at the memory; tell whoever listens, unless another thread does."""
        if len(self.workers) == 1:
            self.look()
        else:
            self._heed_limits()

    def look(self) -> None:
        """Look at the clock and at the memory, and tell whoever listens."""
        self._heed_limits()
        if self.found.cut is None and self._listener is not None:
            told = self._progress()
            if self._listener(told):
                self._cut(INTERRUPTED)

    def _heed_limits(self) -> None:
        if self._keeper is not None and self._keeper.is_due():
            self._is_paused = True
        beyond = self._beyond(self.seconds())
        if beyond is not None:
            self._cut(beyond)

    def _cut(self, why: str) -> None:
        """Say why the exploration stops, unless that was said already."""
        with self._lock:
            if self.found.cut is None:
                self.found.cut = why

    def _beyond(self, seconds: float) -> str | None:
        limits = self._limits
        if limits.seconds is not None and seconds > limits.seconds:
            return f"stopped after {limits.seconds:g} seconds"
        if limits.memory is not None and self._memory_soon() > limits.memory:
            unit, name = (1e6, "MB") if limits.memory >= _MEGABYTE else (1e3, "kB")
            return f"{limits.memory / unit:,.0f} {name} of memory are not enough for more"
        return None

    def _memory_soon(self) -> int:
        """The memory that it takes at most until the next look."""
        states = self.store.states
        if not self.is_native:
            return self.store.bytes
        return self.store.needed(states + min(states, len(self.workers) * _STATES_BETWEEN_LOOKS))

    def _guess(self) -> None:
        """Say what the exploration may come to, from the growth of its levels."""
        self._estimate = None
        is_first = self.found.first_estimate is None and self.store.states >= _MANY
        if self._listener is None and not is_first:
            return
        states = estimate(self._sizes)
        if states is None or states <= self.store.states:
            return
        spent = self._spent
        seconds = spent + (self.seconds() - spent) * states / self.store.states
        self._estimate = Estimate(states, self.store.needed(states), round(seconds, 1))
        if is_first:
            self.found.first_estimate = self._estimate

    def _progress(self) -> Progress:
        with self._lock:
            depth, followed = self.found.full_depth, self._before
            if self._taken:
                followed += self._sizes[depth] * self._taken // len(self._pieces)
        states = self.store.states
        return Progress(
            depth=depth,
            states=states,
            frontier=states - followed,
            seconds=self.seconds(),
            bytes=self.store.bytes,
            estimate=self._estimate,
        )


class _Worker:
    """An expander and the thread it works in."""

    def __init__(self, expander: Expander, run: _Run) -> None:
        self.expander = expander
        self._run = run
        self._distinct = Distinct()

    def run(self) -> None:
        """Follow pieces until there are no more."""
        try:
            self._follow()
        except BaseException:
            self._run.give_up()
            raise

    def _follow(self) -> None:
        run, tally = self._run, LevelTally()
        while (taken := run.take()) is not None:
            number, piece = taken
            rows = run.store.rows(piece)
            expansion = self.expander.expand(rows)
            followed, earlier = run.insert(number, expansion, self._distinct)
            tally.follow(rows, expansion, followed, _sizes(self.expander, rows[:followed]))
            tally.earlier += earlier
            run.note(piece, expansion, followed)
            run.glance()
        run.join(tally)


def _fair(states: int, workers: int) -> int:
    """The size of pieces of which every worker gets as many as the others."""
    if states <= _FEWEST_SHARED:
        return PIECE
    each = -(-states // (workers * PIECE))
    return -(-states // (workers * each))


def _sizes(expander: Expander, rows: Rows) -> Numbers | None:
    """How many positions each of *rows* stands for, where there are symmetries."""
    return expander.sizes(rows) if isinstance(expander, Reduced) else None
