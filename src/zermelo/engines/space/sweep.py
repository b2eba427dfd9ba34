"""The one sweep: every state that follows a first one, level by level, nearest first.

A level is cut into pieces. Followers, one a thread, take one piece after another, make the
moves of its states, put what is new onto the next level, and collect what they are for:
counts and arrivals (``level_counts``), the arcs of a graph (``graph.build``), or the states
near the start with the play to each (``check.near``).

The loop itself knows no arrays, so that it also serves whoever only reads a document.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Protocol

from zermelo.core.arrays import Piece
from zermelo.core.limits import (
    INTERRUPTED,
    MOST_BYTES,
    Estimate,
    Limits,
    Listener,
    MetAgain,
    Progress,
    by_clock,
    forecast,
    out_of_time,
    why_stopped,
)
from zermelo.text import budget
from zermelo.text.budget import LimitReached

PIECE: Final = 8192
"""States that compiled code follows in one go: enough to forget the call, few enough to stay
in the processor's cache with what follows them."""
SMALL_PIECE: Final = 32
"""States that the interpreter follows between two looks at the clock."""
_FEWEST_SHARED: Final = 2048
"""Fewer states than this are not worth a second thread."""
_SECONDS_A_PIECE: Final = 0.01
"""Which the interpreter should take no longer for, as far as one can tell,"""
_SECONDS_COMPILED: Final = 0.1
"""and compiled code no longer than this."""
SECONDS_BETWEEN_LOOKS: Final = 0.05
_MANY: Final = 100_000
"""From so many states on it is worth saying what it will come to."""


@dataclass(slots=True)
class Swept:
    """How far a sweep has come."""

    full_depth: int = 0
    """The deepest level of which every state was reached."""
    cut: str | None = None
    """The reason why the sweep stopped before everything was reached."""
    seconds: float = 0.0
    seconds_before: float = 0.0
    """How long it took in the runs that this one goes on from; they count for no limit."""
    first_estimate: Estimate | None = None
    """What the sweep was expected to come to when it began to be long."""


class Levels(ABC):
    """States by levels: those of sealed levels can be followed, the next one is being built."""

    @property
    @abstractmethod
    def states(self) -> int: ...

    @property
    def bytes(self) -> int:
        """The memory that the states take; 0 where it is not told."""
        return 0

    @property
    @abstractmethod
    def by_depth(self) -> Sequence[int]:
        """How many states each sealed level has."""

    @abstractmethod
    def pieces(self, level: int, size: int) -> list[Piece]:
        """What is to be followed of a sealed *level*, in pieces of *size* states."""

    @abstractmethod
    def seal(self) -> int:
        """End the level that is being built, unless it is empty; how many states it has."""

    def needed(self, _states: int, /) -> int | None:
        """The memory for so many states; ``None`` where nothing is to be estimated."""
        return None

    def over_memory(self, _most: int, /) -> str | None:
        """The reason to stop if there is no room for more within so many bytes."""
        return None


class NumberedLevels(Levels):
    """Levels of states with numbers in the order in which they come: a level is a range of them."""

    def __init__(self, starts: list[int]) -> None:
        self._starts = starts
        """The first number of each sealed level, and the first one after them."""

    @property
    def by_depth(self) -> tuple[int, ...]:
        return tuple(last - first for first, last in pairwise(self._starts))

    def pieces(self, level: int, size: int, *, skip: int = 0) -> list[Piece]:
        first, last = self._starts[level : level + 2]
        return [(at, min(at + size, last)) for at in range(first + skip, last, size)]

    def seal(self) -> int:
        size = self.states - self._starts[-1]
        if size:
            self._starts.append(self.states)
        return size


class Follower(Protocol):
    """Follows pieces, in one thread."""

    def follow(self, number: int, piece: Piece, /) -> None:
        """Make the moves of the states of *piece*, the one with this *number* on its level."""

    def end_pieces(self) -> None:
        """Hand over what was collected: no thread follows pieces now."""
        return


class Sweep:
    """One sweep while it runs: the pieces of the level at hand, and when to stop."""

    def __init__(
        self,
        levels: Levels,
        found: Swept,
        *,
        limits: Limits,
        listener: Listener | None = None,
        is_native: bool = False,
        keep: Callable[[], None] = lambda: None,
        is_keeping_due: Callable[[], bool] = lambda: False,
    ) -> None:
        """*is_native* says whether compiled code makes the moves.

        *keep* is called when *is_keeping_due*, and no thread makes moves meanwhile.
        """
        self.found = found
        self.limits = limits if limits.began is not None else replace(limits, began=budget.now())
        ends = [end for end in (self.limits.until, budget.end()) if end is not None]
        self._until = min(ends, default=None)
        self._levels = levels
        self._listener = listener
        self._is_native = is_native
        self._keep = keep
        self._is_due = is_keeping_due
        self._followers: Sequence[Follower] = ()
        self._spent = found.seconds
        self._began = budget.now() - found.seconds
        self._lock = threading.Lock()
        """Held by whoever takes a piece, begins a level, stops, or says how far things are."""
        self._pieces: list[Piece] = []
        self._taken = 0
        self.first_left: int | None = None
        """The number of the first piece of the level at hand that was taken and given up."""
        self._is_paused = False
        self._is_broken = False
        self._forecast: tuple[int, int | None, bool] | None = None
        """How many states there may be in all, the memory for them, and whether a limit says so."""
        self._sizes = list(levels.by_depth)
        self._seen = self._seen_before = sum(self._sizes)
        self._before = sum(self._sizes[: found.full_depth])
        """How many states were followed before the level at hand was begun."""

    @property
    def seconds(self) -> float:
        return budget.now() - self._began

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return self._until is not None and budget.now() > self._until

    @property
    def is_over(self) -> bool:
        return self._is_broken or self.found.cut is not None

    @property
    def is_deepest(self) -> bool:
        """Whether no level may be built after the one at hand."""
        depth = self.limits.depth
        # What was kept of an earlier run may go deeper than this one is to go.
        return depth is not None and self.found.full_depth >= depth

    def stop(self, reason: str) -> None:
        with self._lock:
            if self.found.cut is None:
                self.found.cut = reason

    def run(self, followers: Sequence[Follower]) -> None:
        """Follow levels to the end, or as far as a limit allows.

        Several followers have threads of their own, and the first of them leads. This thread,
        the only one that meets interruptions, looks at the clock and tells whoever listens;
        it holds nothing for long that they wait for.
        """
        self._followers = followers
        if len(followers) == 1:
            self._follow_levels(None)
            return
        with ThreadPoolExecutor(len(followers)) as pool:
            done = threading.Lock()
            done.acquire()
            try:
                self._look()
                leading = pool.submit(copy_context().run, self._follow_levels, pool)
                leading.add_done_callback(lambda _: done.release())
                while not done.acquire(timeout=SECONDS_BETWEEN_LOOKS):
                    self._look()
            except BaseException:
                self._is_broken = True
                raise
            leading.result()

    # Levels

    def _follow_levels(self, pool: ThreadPoolExecutor | None) -> None:
        """Follow one level after another until nothing is new, or a limit is hit."""
        while not self.is_over:
            self._follow_level(pool)
            if not self.is_over:
                if not self._levels.seal():
                    return
                with self._lock:
                    self._before += self._sizes[self.found.full_depth]
                    self._pieces, self._taken = [], 0
                    self._sizes.append(self._levels.states - self._seen)
                    self._seen = self._levels.states
                    self.found.full_depth += 1
                self._guess()

    def _follow_level(self, pool: ThreadPoolExecutor | None) -> None:
        level = self.found.full_depth
        size = self._piece_size(self._sizes[level])
        with self._lock:
            self._pieces = self._levels.pieces(level, size)
            self._taken = 0
        first, *others = self._followers
        while self._taken < len(self._pieces) and not self.is_over:
            self._is_paused = False
            helpers = others[: len(self._pieces) - self._taken - 1]
            if pool is None or not helpers:
                self._follow(first)
            else:
                self._follow_with(pool, first, helpers)
            for follower in self._followers:
                follower.end_pieces()
            if self._is_keeping_due():
                self.found.seconds = self.seconds
                self._keep()

    def _is_keeping_due(self) -> bool:
        # The deepest level is only probed, and nothing of it is kept.
        return not self.is_deepest and self._is_due()

    def _follow_with(
        self, pool: ThreadPoolExecutor, first: Follower, helpers: Sequence[Follower]
    ) -> None:
        futures = [pool.submit(copy_context().run, self._follow, each) for each in helpers]
        try:
            self._follow(first)
        finally:
            wait(futures)
        for future in futures:
            future.result()

    def _piece_size(self, states: int) -> int:
        """How many of the *states* of a level are followed in one go.

        Of compiled code's pieces every thread gets as many as the others; the interpreter
        is to be asked often.
        """
        # Also in the runs before: where these came to nothing, the time that they took counts.
        spent = self.found.seconds_before + self.seconds - self._spent
        if not self._is_native:
            return interpreted_piece(self._before, spent)
        most = PIECE
        if self._before:
            # Where a state has very many moves a whole piece would take long, and much room.
            most = max(1, min(PIECE, int(self._before * _SECONDS_COMPILED / max(spent, 1e-6))))
        if states <= min(most, _FEWEST_SHARED):
            return most
        threads = len(self._followers)
        each = -(-states // (threads * most))
        return -(-states // (threads * each))

    # What each thread does

    def _follow(self, follower: Follower) -> None:
        try:
            while (taken := self._take()) is not None:
                try:
                    follower.follow(*taken)
                except LimitReached as stop:
                    self._leave(taken[0], why_stopped(stop, self.limits))
                self._is_paused = self._is_paused or self._is_keeping_due()
        except BaseException:
            self._is_broken = True
            raise

    def _leave(self, number: int, reason: str) -> None:
        """Give up the piece with this *number*, of which nothing was taken in, and stop."""
        with self._lock:
            left = self.first_left
            self.first_left = number if left is None else min(number, left)
        self.stop(reason)

    def _take(self) -> tuple[int, Piece] | None:
        """The next piece of the level with its number; ``None`` when it is time to stop."""
        if self._taken < len(self._pieces):
            # Where there are several threads, another one tells.
            self._look(tells=len(self._followers) == 1)
        with self._lock:
            if self._is_paused or self.is_over or self._taken == len(self._pieces):
                return None
            self._taken += 1
            return self._taken - 1, self._pieces[self._taken - 1]

    def _look(self, *, tells: bool = True) -> None:
        """Look at the clock and at the memory, and tell whoever listens."""
        limits, beyond = self.limits, None
        if self.is_late:
            beyond = out_of_time(limits)
        elif limits.memory is not None:
            beyond = self._levels.over_memory(limits.memory)
        if beyond is not None:
            self.stop(beyond)
        elif tells and self.found.cut is None and self._listener is not None:
            told = self._progress()
            if self._listener(told):
                self.stop(INTERRUPTED)

    def _guess(self) -> None:
        """Say what the sweep may come to, where something is a basis for that."""
        self._forecast = None
        known = self._levels.states
        is_first = self.found.first_estimate is None and known >= _MANY
        if self._listener is None and not is_first:
            return
        told = forecast(self._sizes, self.limits.states)
        if told is None or told[0] <= known:
            return
        needed = self._levels.needed(told[0])
        if needed is not None:
            self._forecast = told[0], needed if needed <= MOST_BYTES else None, told[1]
        if is_first and self._forecast is not None:
            self.found.first_estimate = self._estimate(known)

    def _estimate(self, known: int) -> Estimate | None:
        """What is left after *known* states, as they have come so far."""
        bound = by_clock(self.limits)
        spent = self.seconds - self._spent
        if self._forecast is None or spent <= 0 or known <= self._seen_before:
            return bound
        states, needed, is_bound = self._forecast
        left = max(0.0, (states - known) * spent / (known - self._seen_before))
        if bound is not None and bound.seconds_left < left:
            return replace(bound, states=states, bytes=needed)
        return Estimate(round(left, 1), states, needed, is_bound)

    def _progress(self) -> Progress:
        with self._lock:
            depth, followed = self.found.full_depth, self._before
            if self._taken:
                followed += self._sizes[depth] * self._taken // len(self._pieces)
        states = self._levels.states
        return Progress(
            depth=depth,
            states=states,
            frontier=states - followed,
            seconds=self.found.seconds_before + self.seconds,
            bytes=self._levels.bytes,
            estimate=self._estimate(states),
        )


def interpreted_piece(states: int, seconds: float) -> int:
    """How many states the interpreter follows in one go, if *states* took it so many *seconds*."""
    return max(1, min(SMALL_PIECE, int(states * _SECONDS_A_PIECE / max(seconds, 1e-6))))


def stopped_at_depth(depth: int) -> str:
    """The reason to stop where states lie beyond the deepest level that is asked for."""
    moves = "move" if depth == 1 else "moves"
    return MetAgain(f"stopped after {depth:,} {moves}", limit="depth")
