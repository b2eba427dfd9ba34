"""How far a run may go, and what it tells on the way: limits, progress, estimates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Protocol

_LEVELS: Final = 4
"""The trend is told from so many growths."""
_MOST: Final = 1e15
_DEEPEST: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How far a run may go. ``None`` means without bound.

    What is found within the limits of *states*, *depth* and *moves* is always the
    same; limits of *seconds* and *memory* are safety stops.
    """

    states: int | None = None
    depth: int | None = None
    moves: int | None = None
    """How many moves may be made in all, from one state each."""
    seconds: float | None = None
    memory: int | None = None
    """How many bytes the states may take; heeded where many are packed."""


UNLIMITED: Final = Limits()
CHECK_LIMITS: Final = Limits(states=20_000, moves=20_000, seconds=30.0)
"""How far the usual check goes."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run may come to."""

    states: int
    bytes: int
    """The memory that the states would take."""
    seconds: float


def estimate(by_depth: Sequence[int]) -> int | None:
    """About how many states there are in all; ``None`` when the levels do not tell.

    >>> estimate([1, 9, 72, 252, 756, 1260])
    4900
    >>> estimate([1, 2, 4, 8, 16]) is None
    True
    """
    growths = [math.log(after / before) for before, after in pairwise(by_depth[-_LEVELS - 1 :])]
    if len(growths) < 3:
        return None
    slope = _slope(growths)
    if slope >= 0:
        return None
    total, size, growth = float(sum(by_depth)), float(by_depth[-1]), growths[-1]
    for _ in range(_DEEPEST):
        growth += slope
        size *= math.exp(growth)
        if size < 1 or total > _MOST:
            break
        total += size
    return None if total > _MOST else _rounded(total)


def _slope(values: Sequence[float]) -> float:
    middle = (len(values) - 1) / 2
    mean = sum(values) / len(values)
    across = sum((at - middle) * (value - mean) for at, value in enumerate(values))
    return across / sum((at - middle) ** 2 for at in range(len(values)))


def _rounded(number: float) -> int:
    """*number* to two digits: it is not known better."""
    digits = max(0, len(str(int(number))) - 2)
    return int(round(number, -digits))


INTERRUPTED: Final = "interrupted"
"""Why a run was cut short when its listener asked for it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come."""

    depth: int
    """The number of moves to the states that are being looked at."""
    states: int
    frontier: int
    """States that have been reached and wait to be looked at."""
    seconds: float
    bytes: int = 0
    """The memory that the states take, where it is known."""
    estimate: Estimate | None = None
    """What it may come to, as far as the growth of the levels tells."""

    @property
    def rate(self) -> float:
        """States reached a second, on average.

        >>> Progress(depth=2, states=900, frontier=40, seconds=3.0).rate
        300.0
        """
        return self.states / self.seconds if self.seconds > 0 else 0.0


class Listener(Protocol):
    """Whoever wants to know how far a run has come."""

    def __call__(self, progress: Progress, /) -> bool | None:
        """Take note of *progress*; ``True`` asks the run to stop with what it has found."""
        ...
