"""About how many states there are, told from how the first levels grow.

The number of states on a level grows by a factor that shrinks, in most games,
about evenly from level to level: moves run out, and more of them lead to states
that are known already. Following that trend gives the order of magnitude, and no
more; where there is no such trend nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

_LEVELS: Final = 4
"""The trend is told from so many growths."""
_MOST: Final = 1e15
_DEEPEST: Final = 100_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run may come to."""

    states: int
    bytes: int
    """The memory that the states would take."""
    seconds: float
    """How long it would take in all."""


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
    """The slope of the straight line nearest to *values*."""
    middle = (len(values) - 1) / 2
    mean = sum(values) / len(values)
    across = sum((at - middle) * (value - mean) for at, value in enumerate(values))
    return across / sum((at - middle) ** 2 for at in range(len(values)))


def _rounded(number: float) -> int:
    """*number* to two digits: it is not known better."""
    digits = max(0, len(str(int(number))) - 2)
    return int(round(number, -digits))
