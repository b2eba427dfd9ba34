"""What perfect play leads to: the words for it.

A value is told for the player in turn. Winners want to win soon and losers to
lose late; a draw by rule is told apart from play that never ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Kind(Enum):
    """What a player can be sure of."""

    WIN = "win"
    DRAW = "draw"
    """Neither wins, and the play can end in a draw without anybody's mistake."""
    LOSS = "loss"
    ENDLESS = "endless"
    """Neither wins, and the play does not end unless somebody makes a mistake."""
    UNKNOWN = "unknown"

    @property
    def opposite(self) -> Kind:
        """The same for the other side."""
        match self:
            case Kind.WIN:
                return Kind.LOSS
            case Kind.LOSS:
                return Kind.WIN
            case _:
                return self


@dataclass(frozen=True, slots=True)
class Forced:
    """What one player can be sure of, whatever the others do."""

    player: str
    kind: Kind
    plies: int | None = None
    """How many moves perfect play still takes; ``None`` when it does not end, or is not known."""


@dataclass(frozen=True, slots=True)
class Value:
    """What perfect play leads to from a state, with the distance in plies."""

    kind: Kind
    """For the player in turn; where nobody is, for the first player."""
    winner: str | None = None
    """Who can force a win, if somebody can."""
    plies: int | None = None
    """How many moves perfect play still takes; ``None`` when it does not end, or is not known."""
    forced: tuple[Forced, ...] = ()
    """For each player what it can be sure of against all others together."""
    scored: tuple[tuple[str, Value], ...] = field(default=())
    """Where the document does not say what becomes of a stuck player: both ways to score it,
    by name, with the value each gives. The value itself is what they agree on."""

    def __str__(self) -> str:
        word = str(self.kind.value)
        return word if self.plies is None else f"{word} in {self.plies}"


UNKNOWN = Value(Kind.UNKNOWN)


def agreed(scored: tuple[tuple[str, Value], ...]) -> Value:
    """What several ways to score a stuck player agree on, with each of them.

    >>> one, two = Value(Kind.WIN, "A", 3), Value(Kind.WIN, "A", 5)
    >>> both = agreed((("loses", one), ("draws", two)))
    >>> both.kind, both.winner, both.plies
    (<Kind.WIN: 'win'>, 'A', None)
    """
    if len(scored) == 1:
        return scored[0][1]
    first, second = scored[0][1], scored[1][1]
    forced = tuple(
        _agreed_forced(one, two) for one, two in zip(first.forced, second.forced, strict=True)
    )
    if first.kind is not second.kind:
        return Value(Kind.UNKNOWN, None, None, forced, scored)
    winner = first.winner if first.winner == second.winner else None
    plies = first.plies if first.plies == second.plies else None
    return Value(first.kind, winner, plies, forced, scored)


def _agreed_forced(one: Forced, two: Forced) -> Forced:
    if one.kind is not two.kind:
        return Forced(one.player, Kind.UNKNOWN)
    return Forced(one.player, one.kind, one.plies if one.plies == two.plies else None)
