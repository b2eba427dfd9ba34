"""How far a run may go, and what it tells on the way: limits, progress, estimates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, Protocol, TypeAlias

from zermelo.core.machine import UnlistedMoves
from zermelo.text import budget
from zermelo.text.budget import LimitReached, OutOfRoom, OutOfTime, OverBudget, TooDeep

_LEVELS: Final = 4
"""The trend is told from so many growths."""
_MOST: Final = 1e15
_DEEPEST: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How far a run may go. ``None`` means without bound.

    What is found within the limits of *states*, *depth* and *moves* is always the same, and what
    is checked within *steps*; limits of *seconds* and *memory* are safety stops. Whatever a
    question needs is counted: compiling, exploring, and finding the plays that are told.
    """

    states: int | None = None
    depth: int | None = None
    moves: int | None = None
    """How many moves may be made in all, from one state each."""
    steps: int | None = None
    """How many steps, as ``budget`` counts them, may be spent where no native code runs."""
    seconds: float | None = None
    memory: int | None = None
    """How many bytes the states may take, and what is computed of them."""
    began: float | None = field(default=None, repr=False, compare=False)
    """When the seconds began to count, on the clock of ``budget.now``; when a question is asked,
    if it is not said."""

    @property
    def until(self) -> float | None:
        """When to stop looking at more, once the time has begun to count."""
        if self.seconds is None or self.began is None:
            return None
        return self.began + self.seconds

    @property
    def last(self) -> float | None:
        """When to stop telling what was found: half of what a limit may be exceeded by is left."""
        if self.seconds is None or self.began is None:
            return None
        return self.began + self.seconds + TELLING * excess(self.seconds)

    def time_left(self) -> float | None:
        """How many seconds there are to look at more; negative where the time is over."""
        return None if self.until is None else self.until - budget.now()


TELLING: Final = 0.5
"""The share of what a limit of time may be exceeded by in which what was found is told."""


def excess(seconds: float) -> float:
    """By how much a limit of so many *seconds* may be exceeded: a tenth, or one second.

    >>> excess(5), excess(60)
    (1.0, 6.0)
    """
    return max(1.0, seconds / 10)


UNLIMITED: Final = Limits()
SECONDS_HELP: Final = "How many seconds it may take, from reading the document to the answer."
STEPS_OF_A_CHECK: Final = 26_000_000
"""What a check may take, with reading and deciding what the document leaves open."""
CHECK_LIMITS: Final = Limits(states=20_000, moves=20_000, steps=STEPS_OF_A_CHECK)
"""How far the usual check goes: it finds the same on every machine."""
WIDE_LIMITS: Final = Limits(seconds=20.0)
"""How far it goes on compiled code, where that is not all: so long a person waits for it."""


@contextmanager
def asked(limits: Limits) -> Iterator[Limits]:
    """A question that is asked within *limits*; its time counts from now on, if it does not yet."""
    with ExitStack() as stack:
        if limits.began is None:
            limits = replace(limits, began=budget.now())
        if budget.watch() is None:
            stack.enter_context(budget.timed(limits.began))
        room = None if limits.memory is None else budget.room_for(limits.memory)
        stack.enter_context(budget.budget(steps=limits.steps, until=limits.until, room=room))
        yield limits


def why_stopped(stop: LimitReached, limits: Limits) -> str:
    """Why a run within *limits* was cut short that *stop* ended."""
    match stop:
        case OutOfTime():
            return out_of_time(limits)
        case TooDeep():
            return str(stop)
        case OverBudget():
            return f"stopped after {stop.allowed:,} steps"
        case OutOfRoom():
            return out_of_room(stop.allowed)
        case UnlistedMoves():
            return NoWayOn(stop)
        case _:
            return str(stop)


def out_of_time(limits: Limits) -> str:
    """Why a run was cut short whose time is over."""
    if limits.seconds is None:
        return "stopped as the time was over"
    return f"stopped after {limits.seconds:g} seconds"


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run may come to, where something tells it."""

    seconds_left: float
    states: int | None = None
    """How many states there may be in all."""
    bytes: int | None = None
    """The memory that they would take, if any computer has so much."""
    is_bound: bool = False
    """Whether a limit says so: it is no more, and may be less."""


MOST_BYTES: Final = 1 << 44
"""More memory than this is not told: nobody has it."""


def forecast(by_depth: Sequence[int], most: int | None = None) -> tuple[int, bool] | None:
    """How many states there may be in all, and whether a limit says so; ``None`` without a basis.

    Levels tell it once they become smaller, and so does a limit of *most* states.

    >>> forecast([1, 9, 72, 252, 756, 1260]) is None
    True
    >>> forecast([1, 9, 72, 252, 756, 1260, 1520, 1140]), forecast([1, 9, 72], 5000)
    ((5800, False), (5000, True))
    """
    is_falling = len(by_depth) > 1 and by_depth[-1] < by_depth[-2]
    guess = estimate(by_depth) if is_falling else None
    if guess is not None and (most is None or guess <= most):
        return guess, False
    return None if most is None else (most, True)


def by_clock(limits: Limits) -> Estimate | None:
    """What a limit of time says of a run, whatever else is known of it."""
    left = limits.time_left()
    return None if left is None else Estimate(max(left, 0.0), is_bound=True)


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


class NoWayOn(str):
    """Why a run was cut short that no other limit would let go on."""

    __slots__ = ()


class MetAgain(str):
    """Why a run was cut short, if it would meet the same limit again at once; *limit* names it.

    >>> MetAgain("stopped at 5 states", limit="states").limit
    'states'
    """

    __slots__ = ("limit",)
    limit: str

    def __new__(cls, reason: str, *, limit: str) -> MetAgain:
        made = super().__new__(cls, reason)
        made.limit = limit
        return made


def out_of_room(allowed: int) -> MetAgain:
    """Why a run was cut short that has taken the memory it was *allowed*."""
    return MetAgain(str(OutOfRoom(allowed)), limit="memory")


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
    phase: str = budget.EXPLORING
    """What is being done."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """From where a run went on that an earlier one had kept."""

    folder: str
    states: int
    levels: int
    """How many levels were complete, every move from them made."""
    seconds: float
    """How long it had taken until then."""
    values: int = 0
    """Of a game that is being solved: how many of the states had their values."""


Announce: TypeAlias = Callable[[Resumed], None]
"""Whoever is told, before it goes on, from where a run goes on."""
