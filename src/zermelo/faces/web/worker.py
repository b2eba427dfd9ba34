"""A thread that computes for one page, so that long work keeps nobody waiting."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")


class Worker:
    """Does what it is asked, one thing after the other.

    Its thread is a daemon: who ends the program does not wait for a frame that takes long.
    """

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        self._thread.start()

    async def ask(self, work: Callable[[], T]) -> T:
        """What *work* gives, computed in the thread."""
        answer: Future[T] = Future()
        self._jobs.put(lambda: _do(work, answer))
        return await asyncio.wrap_future(answer)

    @property
    def is_working(self) -> bool:
        """Whether its thread is still there."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Let the thread end when it has done what it was asked."""
        self._jobs.put(None)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()


def _do(work: Callable[[], T], answer: Future[T]) -> None:
    if not answer.set_running_or_notify_cancel():
        return
    try:
        answer.set_result(work())
    except BaseException as error:  # noqa: BLE001 (it is raised where it was asked for)
        answer.set_exception(error)
