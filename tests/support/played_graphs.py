"""Graphs to be played on, made by hand or by lot, and their values found by brute force."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from zermelo.core.adapter import are_packed
from zermelo.core.arrays import Numbers, Rows
from zermelo.core.expander import (
    PLAYER_BITS,
    Expander,
    Expansion,
    Native,
    layout_form,
    same_form,
)
from zermelo.core.layout import Count, Field, Layout, Place
from zermelo.core.machine import Ending, Fault, Outcome
from zermelo.core.signature import Player, Signature, Stuck
from zermelo.core.state import Move, State
from zermelo.engines.solve.values import ValueKind

NAMES = ("A", "B", "C", "D")


@dataclass(frozen=True, slots=True)
class Spot:
    """A state: who is in turn, where its moves lead, or how it ends."""

    player: int
    """−1 for nobody."""
    after: tuple[int, ...] = ()
    outcome: Outcome | None = None
    """Without moves and without an outcome the player is stuck."""


@dataclass(frozen=True, slots=True)
class Played:
    """A graph that is played on from its first spot."""

    spots: tuple[Spot, ...]
    players: int = 2
    stuck: Stuck = Stuck.LOSES

    @property
    def signature(self) -> Signature:
        """The signature of a model with these players, and nothing else that matters."""
        return Signature(
            name="by hand",
            variables=("spot",),
            moves=(),
            players=tuple(map(Player, NAMES[: self.players])),
            can_end=True,
            stuck=self.stuck,
        )

    @property
    def reachable(self) -> list[int]:
        """The spots that can be reached."""
        found = [0]
        for spot in found:
            found += [each for each in dict.fromkeys(self.spots[spot].after) if each not in found]
        return found


class OnGraph:
    """An expander over a graph: a state is the number of a spot, a move the place of an arc."""

    def __init__(self, played: Played) -> None:
        self._played = played
        self._outcomes = tuple(
            dict.fromkeys(spot.outcome for spot in played.spots if spot.outcome is not None)
        )

    @property
    def signature(self) -> Signature:
        return self._played.signature

    @property
    def words(self) -> int:
        return 1

    @property
    def layout(self) -> Layout:
        width = max(1, len(self._played.spots).bit_length())
        field = Field("spot", Count(0, len(self._played.spots)), Place(0, 0, width))
        return Layout((field,), 1)

    @property
    def row_form(self) -> str | None:
        return layout_form(self.layout)

    def in_form(self, form: str) -> Expander:
        return same_form(self, form)

    def are_states(self, rows: Rows) -> bool:
        return are_packed(self.layout, rows)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return self._outcomes

    @property
    def native(self) -> Native | None:
        return None

    @property
    def note(self) -> str:
        return "a graph"

    @property
    def reason(self) -> str | None:
        return None

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        return ()

    def expand(self, frontier: Rows) -> Expansion:
        spots = [self._played.spots[int(row[0])] for row in frontier]
        after = [[each] for spot in spots for each in spot.after]
        places = [place for spot in spots for place in range(len(spot.after))]
        return Expansion(
            counts=np.array([len(spot.after) for spot in spots], dtype=np.int64),
            states=np.array(after, dtype=np.int64).reshape(-1, 1),
            moves=np.array(places, dtype=np.int64),
            verdicts=self.judge(frontier),
            faulty=np.empty(0, dtype=np.int64),
        )

    def judge(self, states: Rows) -> Numbers:
        spots = [self._played.spots[int(row[0])] for row in states]
        return np.array([self._verdict(spot) for spot in spots], dtype=np.int64)

    def _verdict(self, spot: Spot) -> int:
        number = 0 if spot.outcome is None else self._outcomes.index(spot.outcome) + 1
        return spot.player + 1 | number << PLAYER_BITS

    def broken(self, states: Rows) -> Numbers:
        return np.zeros(len(states), dtype=np.int64)

    def fired(self, frontier: Rows) -> Numbers:
        return np.zeros(len(frontier) * 0, dtype=np.int64)

    def faults(self, row: Rows) -> Mapping[Move, Fault]:
        assert len(row) == 1
        return {}

    def pack(self, state: State) -> Rows:
        return np.array([state["spot"]], dtype=np.int64)

    def unpack(self, row: Rows) -> State:
        return State((int(row[0]),), ("spot",))

    def move(self, code: int) -> Move:
        return Move("Go", (code,))

    def twin(self) -> Expander | None:
        return OnGraph(self._played)


def spot_state(number: int) -> State:
    """The state of the spot with this number."""
    return State((number,), ("spot",))


# Outcomes


def won_by(winner: int, players: int = 2) -> Outcome:
    """One of the players wins, the others lose."""
    losers = tuple(name for name in NAMES[:players] if name != NAMES[winner])
    return Outcome(Ending.WIN, (NAMES[winner],), losers)


def lost_by(loser: int) -> Outcome:
    """One of several players loses, and nobody wins."""
    return Outcome(Ending.LOSS, (), (NAMES[loser],))


DRAWN = Outcome(Ending.DRAW)
OPEN = Outcome(Ending.OVER)


# Brute force


def values(played: Played, seeker: int, stuck: Stuck) -> dict[int, tuple[ValueKind, int | None]]:
    """What each spot is worth to *seeker*, by going over all spots until nothing changes."""
    found: dict[int, tuple[ValueKind, int | None]] = {}
    ends = {at: _end(played, at, seeker, stuck) for at in played.reachable}
    for distance in range(len(played.spots) + 1):
        now: dict[int, tuple[ValueKind, int | None]] = {}
        for at in played.reachable:
            if at in found:
                continue
            kind = _decided(played, at, seeker, found) if ends[at] is None else ends[at]
            if kind in (ValueKind.WIN, ValueKind.LOSS):
                now[at] = (kind, distance)
        found |= now
    for distance in range(len(played.spots) + 1):
        drawn = [
            at
            for at in played.reachable
            if at not in found
            and (
                ends[at] is ValueKind.DRAW
                or any(
                    found.get(each) == (ValueKind.DRAW, distance - 1) for each in _after(played, at)
                )
            )
        ]
        found |= dict.fromkeys(drawn, (ValueKind.DRAW, distance))
    return {at: found.get(at, (ValueKind.ENDLESS, None)) for at in played.reachable}


def _after(played: Played, at: int) -> Sequence[int]:
    return played.spots[at].after


def _decided(
    played: Played, at: int, seeker: int, found: Mapping[int, tuple[ValueKind, int | None]]
) -> ValueKind | None:
    is_own = played.players == 1 or played.spots[at].player == seeker
    good, bad = (ValueKind.WIN, ValueKind.LOSS) if is_own else (ValueKind.LOSS, ValueKind.WIN)
    kinds = [found[each][0] if each in found else None for each in _after(played, at)]
    if good in kinds:
        return good
    return bad if all(kind is bad for kind in kinds) else None


def _end(played: Played, at: int, seeker: int, stuck: Stuck) -> ValueKind | None:
    spot = played.spots[at]
    if spot.after:
        return None
    if spot.outcome is not None:
        return _worth(spot.outcome, NAMES[seeker], played.players)
    if stuck is Stuck.DRAWS:
        return ValueKind.DRAW
    is_own = played.players == 1 or spot.player == seeker
    if stuck is Stuck.WINS:
        return ValueKind.WIN if is_own else ValueKind.LOSS
    if is_own:
        return ValueKind.LOSS
    return ValueKind.WIN if played.players == 2 else ValueKind.DRAW


def _worth(outcome: Outcome, name: str, players: int) -> ValueKind:
    if players > 1 and len(outcome.losers) == players:
        return ValueKind.DRAW
    if name in outcome.winners:
        return ValueKind.WIN
    return ValueKind.LOSS if name in outcome.losers else ValueKind.DRAW


# By lot


@st.composite
def graphs(draw: st.DrawFn, *, is_layered: bool = False) -> Played:
    """Graphs for one to three players, with cycles, loops and dead ends.

    Layered ones have moves only from each layer to the next.
    """
    players = draw(st.integers(1, 3))
    size = draw(st.integers(1, 14))
    stuck = draw(st.sampled_from(list(Stuck)))
    outcomes = [DRAWN, OPEN, *(won_by(player, players) for player in range(players))]
    outcomes += [lost_by(player) for player in range(players) if players != 2]
    # In a layered graph a spot's layer is the place of the last cut before it.
    cuts = sorted(draw(st.sets(st.integers(1, size)))) if is_layered else []

    def layer(at: int) -> int:
        return sum(cut <= at for cut in cuts)

    spots = []
    for at in range(size):
        player = draw(st.integers(0, players - 1))
        if is_layered:
            targets = [each for each in range(size) if layer(each) == layer(at) + 1]
        else:
            targets = list(range(size))
        count = draw(st.integers(0, 4)) if targets else 0
        after = tuple(draw(st.sampled_from(targets)) for _ in range(count))
        outcome = None if after else draw(st.sampled_from([None, *outcomes]))
        spots.append(Spot(player, after, outcome))
    return Played(tuple(spots), players, stuck)
