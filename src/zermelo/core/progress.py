"""What a long run tells while it runs.

An engine makes records and gives them to a listener; what is shown, and how
often, is the listener's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from zermelo.core.estimate import Estimate

INTERRUPTED: Final = "interrupted"
"""Why a run was cut short when its listener asked for it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come."""

    depth: int
    """The number of moves to the states that are being looked at."""
    states: int
    """States reached so far."""
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
