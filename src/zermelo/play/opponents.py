"""Who chooses the moves: a person, a random player with a seed, or somebody who knows more."""

from __future__ import annotations

import random
from typing import Protocol

from zermelo.core.machine import Move
from zermelo.core.progress import Listener
from zermelo.play.advice import Adviser
from zermelo.play.session import Session


class Opponent(Protocol):
    """Somebody who chooses a move."""

    @property
    def name(self) -> str:
        """What the opponent is called."""
        ...

    def choose(self, session: Session, *, listener: Listener | None = None) -> Move:
        """One of the legal moves; there is at least one. *listener* may ask to move at once."""
        ...


class RandomPlayer:
    """Chooses among the legal moves with equal chances; the same seed gives the same choices."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._source = random.Random(seed)

    @property
    def name(self) -> str:
        """What the opponent is called."""
        return f"random player, seed {self.seed}"

    def choose(self, session: Session, *, listener: Listener | None = None) -> Move:
        """One of the legal moves."""
        del listener  # it takes no time
        return self._source.choice(session.legal)


class AdvisedPlayer:
    """Makes the move that an adviser likes best."""

    def __init__(self, adviser: Adviser) -> None:
        self._adviser = adviser

    @property
    def name(self) -> str:
        """What the opponent is called."""
        return self._adviser.name

    def choose(self, session: Session, *, listener: Listener | None = None) -> Move:
        """The best move; what is forced takes no thought."""
        legal = session.legal
        if len(legal) == 1:
            return legal[0]
        best = self._adviser.hint(session.state, listener=listener).best
        return legal[0] if best is None else best.move
