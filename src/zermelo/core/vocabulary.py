"""What the states and the moves of a system are called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the states and the moves of a system are called."""

    state: str = "state"
    move: str = "move"
    ply: str | None = "ply"
    """What is numbered on the way; ``None`` if moves are only counted."""
    stuck: str | None = None
    """What is said where there is no move; ``None`` if that depends on who is in turn."""

    def counted_states(self, count: int) -> str:
        """*count* with the word for states.

        >>> Vocabulary("marking").counted_states(2)
        '2 markings'
        """
        return f"{count:,} {self.state}{'' if count == 1 else 's'}"

    def counted_moves(self, count: int) -> str:
        """*count* with the word for moves."""
        return f"{count:,} {self.move}{'' if count == 1 else 's'}"

    def after(self, depth: int) -> str:
        """How far *depth* is from the start.

        >>> Vocabulary().after(3), Vocabulary("marking", "firing", None).after(3)
        ('ply 3', '3 firings')
        """
        return self.counted_moves(depth) if self.ply is None else f"{self.ply} {depth}"

    def renamed(self, text: str) -> str:
        """*text* about states and moves in these words.

        >>> Vocabulary("marking", "firing").renamed("stopped after 2 moves")
        'stopped after 2 firings'
        """
        return _WORDS.sub(lambda found: getattr(self, found[1]) + found[2], text)


_WORDS: Final = re.compile(r"\b(state|move)(s?)\b")
OF_GAMES: Final = Vocabulary()
OF_NETS: Final = Vocabulary("marking", "firing", None, "nothing is enabled")
