"""Several threads over the pieces of a level, each with an expander of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from queue import SimpleQueue
from typing import TypeVar

from zermelo.core.expander import Expander
from zermelo.core.limits import (
    INTERRUPTED,
    UNLIMITED,
    Limits,
    Listener,
    Progress,
    by_clock,
    out_of_time,
)
from zermelo.core.signature import Signature
from zermelo.text import budget

P = TypeVar("P")
R = TypeVar("R")


class Stopped(Exception):
    """A run ends before it is done; the text is the reason."""


class Deadline:
    """Looks at the clock and tells a listener how far a run has come."""

    def __init__(
        self, limits: Limits = UNLIMITED, listener: Listener | None = None, *, phase: str = ""
    ) -> None:
        self._began = budget.now()
        self._limits = limits if limits.began is not None else replace(limits, began=self._began)
        self._listener = listener
        self._phase = phase

    @property
    def passed(self) -> float:
        return budget.now() - self._began

    def look(self, *, depth: int, states: int, frontier: int = 0) -> None:
        """Report; raises ``Stopped`` when the time is over or the listener asks for it."""
        passed, until = self.passed, self._limits.until
        if until is not None and self._began + passed > until:
            raise Stopped(out_of_time(self._limits))
        told = Progress(
            depth, states, frontier, passed, estimate=by_clock(self._limits), phase=self._phase
        )
        if self._listener is not None and self._listener(told):
            raise Stopped(INTERRUPTED)


def twins(expander: Expander, threads: int) -> list[Expander]:
    """*expander* and its twins, one a thread, as far as it has twins."""
    found = [expander]
    while len(found) < threads and (twin := expander.twin()) is not None:
        found.append(twin)
    return found


class ThreadPool:
    """Threads that work on pieces; results come in the order of the pieces."""

    def __init__(self, expander: Expander, threads: int | None = None) -> None:
        wanted = threads or os.cpu_count() or 1
        self._expanders = twins(expander, wanted)

    @property
    def signature(self) -> Signature:
        return self._expanders[0].signature

    @property
    def is_native(self) -> bool:
        return self._expanders[0].native is not None

    @property
    def threads(self) -> int:
        return len(self._expanders)

    def over(self, pieces: Sequence[P], work: Callable[[Expander, P], R]) -> Iterator[R]:
        if self.threads == 1 or len(pieces) == 1:
            for piece in pieces:
                yield work(self._expanders[0], piece)
            return
        free: SimpleQueue[Expander] = SimpleQueue()
        for expander in self._expanders:
            free.put(expander)

        def task(piece: P) -> R:
            expander = free.get()
            try:
                return work(expander, piece)
            finally:
                free.put(expander)

        with ThreadPoolExecutor(self.threads) as pool:
            futures: list[Future[R]] = [
                pool.submit(copy_context().run, task, piece) for piece in pieces
            ]
            try:
                for future in futures:
                    yield future.result()
            finally:
                for future in futures:
                    future.cancel()
