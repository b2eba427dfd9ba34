"""Something happens at a point of a run, and at each of its points in turn.

A point is a look at the clock, a call of a listener, or whatever else is counted. A test runs once
without anything happening, then with it happening at the first point, at the second, and so on
until the run is over before that.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest.mock import patch

from zermelo.core.limits import Progress
from zermelo.text import budget

MOST_POINTS = 20_000
A_LONG_TIME = 1e6


@dataclass
class Points:
    """Counts points of a run, by all of its threads; *at* is the one at which it happens."""

    at: int | None = None
    count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def pass_one(self) -> bool:
        """Count a point; whether this is the one."""
        with self._lock:
            self.count += 1
            return self.count == self.at

    @property
    def has_happened(self) -> bool:
        return self.at is not None and self.count >= self.at


@contextmanager
def clock_that_jumps(points: Points) -> Iterator[None]:
    """The clock stands still, and at the point jumps by more than any limit."""
    start = budget.now()

    def now() -> float:
        points.pass_one()
        return start + A_LONG_TIME if points.has_happened else start

    with patch.object(budget, "now", now):
        yield


@contextmanager
def memory_that_fills(points: Points) -> Iterator[None]:
    """The process has no memory, and from the point on more than any computer."""

    def resident() -> int:
        points.pass_one()
        return 1 << 60 if points.has_happened else 0

    with patch.object(budget, "resident", resident):
        yield


@dataclass
class PointListener:
    """A listener whose calls are points: it does *what* at the one, and asks for nothing else."""

    points: Points
    what: Callable[[], bool]

    def __call__(self, progress: Progress, /) -> bool:
        del progress
        return self.what() if self.points.pass_one() else False


def asks_to_stop() -> bool:
    return True


def is_interrupted() -> bool:
    raise KeyboardInterrupt


def every_point(run: Callable[[Points], None], *, step: int = 1) -> int:
    """Call *run* with one point after the other, every *step*-th; how many there were."""
    at = 1
    while True:
        points = Points(at)
        run(points)
        if not points.has_happened:
            return points.count
        at += step
        assert at < MOST_POINTS, "a run whose points do not come to an end"
