"""What is known of the moves in a state, how it is said, and who chooses moves by it.

An adviser knows moves by solving, by searching or by random plays; whoever asks
gets the moves, the best first, and a sentence on what that rests on. Nothing is
called proved that is not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol, assert_never

from zermelo.core.limits import Listener
from zermelo.core.state import Move, State
from zermelo.engines.solve.values import ValueKind
from zermelo.play.session import Session
from zermelo.text.prose import Tone, count

_HOPELESS: Final = -1.0
_SURE: Final = 2.0
_EVEN: Final = 0.5


@dataclass(frozen=True, slots=True)
class Advice:
    """A move, and what is known of it for the player who makes it."""

    move: Move
    kind: ValueKind
    plies: int | None = None
    """How many plies it takes to win, or until the loss, this one included."""
    depth: int = 0
    """If the value is not known: within so many plies nothing is forced."""
    chance: float | None = None
    """Wins and half the draws as a share of random plays, where it was played so."""
    plays: int = 0
    """How many random plays there were."""
    remark: str = ""
    """What else there is to say."""

    @property
    def is_proved(self) -> bool:
        return self.kind is not ValueKind.UNKNOWN


@dataclass(frozen=True, slots=True)
class Advised:
    """The moves that were asked about, the best first, and what the answer rests on."""

    moves: tuple[Advice, ...]
    basis: str
    """A sentence without its full stop."""
    left_out: int = 0
    """How many moves were asked about and are not there, since others did better."""
    line: Callable[[], tuple[Move, ...]] = field(default=tuple, compare=False, repr=False)
    """Gives a play in which nobody makes a mistake, where all values are known; else nothing."""

    @property
    def best(self) -> Advice | None:
        return self.moves[0] if self.moves else None


class Skill(Enum):
    """Where an adviser's knowledge comes from."""

    BEST = "best"
    """From a solution if the game is small, otherwise from searching."""
    PERFECT = "perfect"
    """From a solution."""
    SEARCH = "search"
    MCTS = "mcts"
    """From random plays."""


class Adviser(Protocol):
    """Somebody who knows something of moves."""

    @property
    def name(self) -> str:
        """What the adviser is called when it plays."""
        ...

    @property
    def preparation(self) -> str:
        """What takes long and is done first when it is asked next; nothing if it is ready."""
        ...

    def hint(self, state: State, *, listener: Listener | None = None) -> Advised: ...

    def values(self, state: State, *, listener: Listener | None = None) -> Advised: ...


def ranked(moves: Iterable[Advice]) -> tuple[Advice, ...]:
    """The *moves*, the best first: soon won, well tried, late lost; else in their order."""
    return tuple(sorted(moves, key=_merit, reverse=True))


def _merit(advice: Advice) -> tuple[float, int]:
    plies = advice.plies or 0
    match advice.kind:
        case ValueKind.WIN:
            return _SURE, -plies
        case ValueKind.LOSS:
            return _HOPELESS, plies
        case ValueKind.DRAW | ValueKind.ENDLESS:
            return _EVEN, 0
        case ValueKind.UNKNOWN:
            return _EVEN if advice.chance is None else advice.chance, 0
        case _:
            assert_never(advice.kind)


def in_words(advice: Advice, *, players: int) -> str:
    """What is known of a move, as in "wins in 5 plies", in a game of so many *players*.

    >>> in_words(Advice(Move("Take", (1,)), ValueKind.WIN, 5), players=2)
    'wins in 5 plies'
    """
    said = _value(advice, players=players)
    return f"{said}; {advice.remark}" if advice.remark else said


def _value(advice: Advice, *, players: int) -> str:
    soon = "" if advice.plies is None else f" in {count(advice.plies, 'ply', 'plies')}"
    match advice.kind:
        case ValueKind.WIN if players < 2:
            return f"reaches the goal{soon}"
        case ValueKind.WIN if players > 2:
            return f"wins{soon} against all others together"
        case ValueKind.WIN:
            return f"wins{soon}"
        case ValueKind.LOSS | ValueKind.DRAW | ValueKind.ENDLESS if players < 2:
            return "does not lead to the goal"
        case ValueKind.LOSS if players > 2:
            return f"loses{soon} if all others play together"
        case ValueKind.LOSS:
            return f"loses{soon}"
        case ValueKind.DRAW:
            return "draws"
        case ValueKind.ENDLESS:
            return "goes on for ever"
        case ValueKind.UNKNOWN:
            return _open(advice)
        case _:
            assert_never(advice.kind)


def _open(advice: Advice) -> str:
    """What is said of a move whose value is not known."""
    said: list[str] = []
    if advice.depth:
        said.append(f"nothing forced within {count(advice.depth, 'ply', 'plies')}")
    if advice.chance is not None:
        plays = count(advice.plays, "random play")
        said.append(f"scores {advice.chance:.0%} in {plays}")
    return f"not known ({', '.join(said)})" if said else "not known"


def tone(advice: Advice) -> Tone:
    match advice.kind:
        case ValueKind.WIN:
            return Tone.GOOD
        case ValueKind.LOSS:
            return Tone.BAD
        case ValueKind.DRAW | ValueKind.ENDLESS | ValueKind.UNKNOWN:
            return Tone.PLAIN
        case _:
            assert_never(advice.kind)


# Who chooses the moves


class Opponent(Protocol):
    """Somebody who chooses a move."""

    @property
    def name(self) -> str: ...

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
        return f"random player, seed {self.seed}"

    def choose(self, session: Session, *, listener: Listener | None = None) -> Move:
        del listener  # it takes no time
        return self._source.choice(session.legal)


class AdvisedPlayer:
    """Makes the move that an adviser likes best."""

    def __init__(self, adviser: Adviser) -> None:
        self._adviser = adviser

    @property
    def name(self) -> str:
        return self._adviser.name

    def choose(self, session: Session, *, listener: Listener | None = None) -> Move:
        """The best move; what is forced takes no thought."""
        legal = session.legal
        if len(legal) == 1:
            return legal[0]
        best = self._adviser.hint(session.state, listener=listener).best
        return legal[0] if best is None else best.move
