"""How much work may be done before anything is explored: counted in steps, and in seconds.

Whoever does work that a document can make long says so with ``spend``, a step for a thing looked
at. A limit of steps gives the same answer on every machine; a limit of seconds is what a person
asked for. Where no budget is set, work is free.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from zermelo.text.errors import ZermeloError

STEPS: Final = 20_000_000
"""What reading a document, and all that is said of it before it is explored, may take."""
_STEPS_BETWEEN_LOOKS: Final = 2_000
"""After so many steps the clock is looked at again."""


class OverBudget(ZermeloError):
    """More steps would be needed than there are."""

    def __init__(self, what: str, needed: int, allowed: int) -> None:
        super().__init__(f"{what} needs {needed:,} steps or more, and {allowed:,} are allowed")
        self.what = what
        self.needed = needed
        self.allowed = allowed


class OutOfTime(ZermeloError):
    """The seconds that were asked for have gone by."""


@dataclass(slots=True)
class Budget:
    """What is left to one piece of work."""

    steps: int | None = None
    until: float | None = None
    """When to stop, in the seconds of ``time.monotonic``."""
    spent: int = 0
    _next_look: int = 0

    def spend(self, steps: int, what: str) -> None:
        self.spent += steps
        if self.steps is not None and self.spent > self.steps:
            raise OverBudget(what, self.spent, self.steps)
        if self.until is not None and self.spent >= self._next_look:
            self._next_look = self.spent + _STEPS_BETWEEN_LOOKS
            if time.monotonic() > self.until:
                raise OutOfTime(f"the time was over while {what}")


_CURRENT: Final[ContextVar[Budget | None]] = ContextVar("budget", default=None)


def spend(steps: int, what: str) -> None:
    """Take *steps* from the budget of this work, if it has one; *what* is being done, as a noun.

    >>> with budget(steps=10) as left:
    ...     spend(7, "listing the sets")
    >>> left.spent
    7
    """
    current = _CURRENT.get()
    if current is not None:
        current.spend(steps, what)


@contextmanager
def budget(*, steps: int | None = None, until: float | None = None) -> Iterator[Budget]:
    """A budget for the work in this block, instead of the one around it."""
    made = Budget(steps, until)
    token = _CURRENT.set(made)
    try:
        yield made
    finally:
        _CURRENT.reset(token)
