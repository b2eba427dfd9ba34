"""What came of plays in which every move was drawn by lot: the record, and nothing that counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from zermelo.core.machine import Outcome


@dataclass(frozen=True, slots=True)
class Playouts:
    """What came of random plays."""

    count: int
    """How many plays were made."""
    endings: Mapping[Outcome, int]
    """How often each outcome came up, the most frequent first."""
    unfinished: int
    """Plays that were cut short because they became too long."""
    plies: int
    """The length of all plays together."""
    longest: int
    seconds: float
    cut: str | None = None
    """Why fewer plays were made than asked for, in words."""

    @property
    def is_complete(self) -> bool:
        """Whether all plays that were asked for were made."""
        return self.cut is None
