"""What is said about a space: how many states, how they end, how they are reached.

Engines that explore give a ``Space``. Nothing in it claims more than was looked
at: a space that was cut short says so, and what was not asked for is ``None``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.estimate import Estimate
from zermelo.core.machine import Fault, Move, Outcome, State

RuleName: TypeAlias = tuple[str, str]
"""A procedure and the label of one of its rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What is worth extra time."""

    rules: bool = False
    """Count how often each rule fired."""
    complete_plays: bool = False
    """Count the plays from the first state to an end."""


NOTHING_MORE: Final = Wishes()


@dataclass(frozen=True, slots=True)
class EndingFound:
    """A way in which plays end."""

    outcome: Outcome
    count: int
    """How many states end so."""
    play: tuple[Move, ...]
    """The shortest play that ends so."""


@dataclass(frozen=True, slots=True)
class StuckFound:
    """States that are not over and in which no move has an effect."""

    count: int
    state: State
    """The first one that was reached."""
    play: tuple[Move, ...]
    """The shortest play to it."""


@dataclass(frozen=True, slots=True)
class FaultFound:
    """Something that goes wrong while playing."""

    fault: Fault
    count: int
    """In how many turns it happened, among those that were looked into."""
    state: State
    """The first state in which it happens."""
    play: tuple[Move, ...]
    """The shortest play that shows it; its last move is the one that goes wrong."""


@dataclass(frozen=True, slots=True)
class Longest:
    """How long plays can become."""

    play: tuple[Move, ...] | None
    """A longest play, the first in canonical order; ``None`` when there are cycles."""

    @property
    def has_cycles(self) -> bool:
        """Whether a play can come back to a state, and go on without end."""
        return self.play is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How an exploration was done."""

    seconds: float
    threads: int
    machine: str
    """What made the moves, in words."""
    store: str
    """What kept the states, and why, in words."""
    bytes: int
    """The memory that the states took at most."""
    estimate: Estimate | None = None
    """What it was expected to come to when it began to be long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Classes:
    """What was looked at where symmetries were used: one state of each class."""

    count: int
    by_depth: tuple[int, ...]
    symmetries: int
    """How many symmetries were used."""
    words: str
    """What they do, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """The states that were reached, counted."""

    states: int
    by_depth: tuple[int, ...]
    """How many states are first reached after 0, 1, 2, … moves."""
    over_by_depth: tuple[int, ...]
    """How many of them are over."""
    moves: int
    """The moves that were made, one for each state and move legal in it."""
    endings: tuple[EndingFound, ...]
    """The ways in which plays end, the soonest first."""
    stuck: StuckFound | None
    faults: tuple[FaultFound, ...]
    followed: int
    """In how many of the states the moves were made."""
    full_depth: int
    """The deepest level of which every state was reached."""
    cut: str | None
    """Why the exploration was cut short, in words."""
    faulty: int = 0
    """In how many states a fault stops some move."""
    fired: Mapping[RuleName, int] | None = None
    """In how many moves each rule fired, if that was asked for."""
    longest: Longest | None = None
    """How long plays can become, if that was found out."""
    complete_plays: int | None = None
    """How many plays there are from the first state to an end, if that was counted."""
    run: Run | None = None
    classes: Classes | None = None
    """The classes of states that were looked at, where symmetries were used."""

    @property
    def is_complete(self) -> bool:
        """Whether these are all reachable states."""
        return self.cut is None


@dataclass(frozen=True, slots=True)
class PlayCounts:
    """How many plays there are of each length."""

    counts: tuple[int, ...]
    """The number of plays of 1, 2, 3, … moves."""
    cut: str | None
    """Why counting stopped before the length that was asked for."""

    @property
    def is_complete(self) -> bool:
        """Whether every length that was asked for was counted."""
        return self.cut is None
