"""What the states and moves of a system are called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words for one kind of system."""

    state: str
    move: str
    stuck: str | None
    """What is said where there is no move; ``None`` if that depends on who is in turn."""


OF_GAMES: Final = Vocabulary("state", "move", None)
OF_NETS: Final = Vocabulary("marking", "firing", "nothing is enabled")
