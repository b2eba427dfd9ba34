"""What the end of a play is worth to each player, and who may want it: the ground of solving.

With one player the question is whether its goal can be reached, with two who
wins, with more what each can force against all others together. So there is one
*seeker* for one or two players, and one for each of several.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zermelo.core.expander import Expansion, Numbers, outcome_of, player_of
from zermelo.core.machine import Ending, Outcome
from zermelo.engines.solve.codes import Codes, Coding
from zermelo.engines.solve.values import Kind
from zermelo.languages.sections.ir import Stuck, System

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Seeker:
    """A player whose value is looked for, and how it is scored when somebody is stuck."""

    player: int
    """Its number among the players."""
    stuck: Stuck
    """``LOSES`` or ``DRAWS``."""


def seekers(system: System, *, has_stuck: bool) -> tuple[Seeker, ...]:
    """Whose values to look for; both scorings where what becomes of the stuck is not said."""
    count = len(system.players)
    sought = range(count) if count > 2 else range(min(count, 1))
    return tuple(
        Seeker(player, stuck)
        for stuck in scorings(system, has_stuck=has_stuck)
        for player in sought
    )


def scorings(system: System, *, has_stuck: bool) -> tuple[Stuck, ...]:
    """How stuck players are scored: as the reading says, or both ways."""
    match system.stuck:
        case Stuck.LOSES | Stuck.DRAWS as said:
            return (said,)
        case Stuck.REPORTED | Stuck.PASSES:
            return (Stuck.LOSES, Stuck.DRAWS) if has_stuck else (Stuck.LOSES,)


def worth(outcome: Outcome, player: str, *, players: int) -> Kind:
    """What *outcome* is worth to *player*; an end that names nobody is a draw.

    >>> worth(Outcome(Ending.WIN, ("A",), ("B",)), "B", players=2)
    <Kind.LOSS: 'loss'>
    """
    is_shared = len(outcome.losers) == players > 1
    if outcome.ending not in {Ending.WIN, Ending.LOSS} or is_shared:
        return Kind.DRAW
    if player in outcome.winners:
        return Kind.WIN
    return Kind.LOSS if player in outcome.losers else Kind.DRAW


def worth_of_stuck(seeker: Seeker, player: int, *, players: int) -> Kind:
    """What it is worth to *seeker* that *player* (−1 for nobody) is stuck."""
    if seeker.stuck is Stuck.DRAWS or (player < 0 and players > 1):
        return Kind.DRAW
    if player == seeker.player or players == 1:
        return Kind.LOSS
    return Kind.WIN if players == 2 else Kind.DRAW


class Stakes:
    """What ends are worth to one seeker, and where it chooses."""

    def __init__(self, system: System, seeker: Seeker) -> None:
        self._names = tuple(player.name for player in system.players)
        self.seeker = seeker
        self._ends: dict[tuple[int, int], Codes] = {}

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self._names)

    def ends(self, outcomes: tuple[Outcome, ...], coding: Coding) -> Codes:
        """The codes of ends: of the stuck by who is in turn, nobody first, then of *outcomes*."""
        known = self._ends.get((len(outcomes), coding.size))
        if known is None:
            known = self._ends[len(outcomes), coding.size] = self._found_ends(outcomes, coding)
        return known

    def _found_ends(self, outcomes: tuple[Outcome, ...], coding: Coding) -> Codes:
        name = self._names[self.seeker.player]
        stuck = [
            worth_of_stuck(self.seeker, player, players=self.players)
            for player in range(-1, self.players)
        ]
        over = [worth(each, name, players=self.players) for each in outcomes]
        return np.array([coding.code(kind) for kind in (*stuck, *over)], dtype=coding.dtype)

    def ended(self, expansion: Expansion, ends: Codes) -> Codes:
        """The codes of the states without moves, by *ends*; something else for all others."""
        ended = outcome_of(expansion.verdicts)
        stuck = player_of(expansion.verdicts) + 1
        found: Codes = ends[np.where(ended < 0, stuck, ended + self.players + 1)]
        return found

    def is_own(self, verdicts: Numbers) -> Flags:
        """Where it is the seeker who chooses the move."""
        if self.players == 1:
            return np.ones(len(verdicts), dtype=np.bool_)
        owned: Flags = player_of(verdicts) == self.seeker.player
        return owned
