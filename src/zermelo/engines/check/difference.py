"""Where two machines of one document part: the first play that tells them apart.

Both are played in lock step, nearest states first and then deep at random, and
compared in what both store, in what is legal, and in how plays end.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.machine import Ending, Machine, Move, Outcome, State
from zermelo.core.values import Value, to_text
from zermelo.core.walk import Limits, Walk

Pair: TypeAlias = tuple[State, State]

_SEED: Final = 1908
_LIMITS: Final = Limits(states=200, moves=400)
_PLAYS: Final = 2
_LENGTH: Final = 60
_TRIES: Final = 600


@dataclass(frozen=True, slots=True)
class Difference:
    """The first play at which another reading differs from the one taken."""

    play: tuple[Move, ...]
    taken: str
    """What holds after it under the reading that was taken."""
    other: str
    """What holds after it under the other one."""
    is_shortest: bool
    """Whether no shorter play tells them apart."""


def first_difference(taken: Machine, other: Machine) -> Difference | None:
    """The first play after which *other* differs from *taken*; ``None`` if none was seen."""
    step = _LockStep(taken, other)
    start = (taken.initial, other.initial)
    if parted := step.parted(start):
        return Difference((), parted.taken, parted.other, is_shortest=True)
    walk = Walk(start, step.follow, limits=_LIMITS)
    for _ in walk:
        if step.found is not None:
            break
    if step.found is not None:
        pair, parted = step.found
        play = (*walk.play(pair), *parted.moves)
        return Difference(play, parted.taken, parted.other, is_shortest=True)
    return None if walk.is_complete else _deep_difference(step, start)


def _deep_difference(step: _LockStep, start: Pair) -> Difference | None:
    source = random.Random(_SEED)
    tries = 0
    for _ in range(_PLAYS):
        pair = start
        play: tuple[Move, ...] = ()
        while len(play) < _LENGTH and tries < _TRIES:
            moves = step.shared(pair)
            tries += len(moves)
            parted = step.parted_here(pair)
            if parted is None and moves:
                move = moves[source.randrange(len(moves))]
                pair, play = step.after(pair, move), (*play, move)
                parted = step.parted(pair)
            elif parted is None:
                break
            if parted is not None:
                return Difference(
                    (*play, *parted.moves), parted.taken, parted.other, is_shortest=False
                )
    return None


@dataclass(frozen=True, slots=True)
class _Parted:
    """How two states differ, after some more moves."""

    taken: str
    other: str
    moves: tuple[Move, ...] = ()


class _LockStep:
    """Two machines that make the same moves."""

    def __init__(self, taken: Machine, other: Machine) -> None:
        self.found: tuple[Pair, _Parted] | None = None
        """Where they first part, as soon as ``follow`` has come there."""
        self._taken = taken
        self._other = other

    def follow(self, pair: Pair) -> Iterator[tuple[Move, Pair]]:
        """Each move that both have, with the states after it, until they part."""
        if self.found is not None:
            return
        for move in self.shared(pair):
            after = self.after(pair, move)
            if parted := self.parted(after):
                self.found = pair, _Parted(parted.taken, parted.other, (move,))
                return
            yield move, after
        if parted := self.parted_here(pair):
            self.found = pair, parted

    def shared(self, pair: Pair) -> tuple[Move, ...]:
        """The moves that both have."""
        others = set(self._other.legal(pair[1]))
        return tuple(move for move in self._taken.legal(pair[0]) if move in others)

    def after(self, pair: Pair, move: Move) -> Pair:
        """The states after *move*."""
        return self._taken.after(pair[0], move), self._other.after(pair[1], move)

    def parted(self, pair: Pair) -> _Parted | None:
        """How the two states of *pair* differ, as far as that is seen without making moves."""
        first, second = pair
        names = [
            name for name, value in first.items() if name in second.names and value != second[name]
        ]
        if names:
            return _Parted(_values(first, names), _values(second, names))
        if self._taken.is_over(first) or self._other.is_over(second):
            return self._outcomes_parted(pair)
        return None

    def parted_here(self, pair: Pair) -> _Parted | None:
        """How the two states of *pair* differ in the moves that are legal."""
        legal, others = self._taken.legal(pair[0]), self._other.legal(pair[1])
        if not (legal and others) and (parted := self._outcomes_parted(pair)):
            return parted
        if missing := next((move for move in legal if move not in set(others)), None):
            return _Parted("it is legal", "it has no effect", (missing,))
        if extra := next((move for move in others if move not in set(legal)), None):
            return _Parted("it has no effect", "it is legal", (extra,))
        return None

    def _outcomes_parted(self, pair: Pair) -> _Parted | None:
        taken, other = self._taken.outcome(pair[0]), self._other.outcome(pair[1])
        # Machines of one document may know its players or not; a result says enough.
        if _gist(taken) == _gist(other):
            return None
        return _Parted(_outcome_words(taken), _outcome_words(other))


def _values(state: State, names: list[str]) -> str:
    return ", ".join(f"{name} = {to_text(state[name])}" for name in names)


def _gist(outcome: Outcome | None) -> Value | Ending | None:
    return None if outcome is None else outcome.result or outcome.ending


def _outcome_words(outcome: Outcome | None) -> str:
    if outcome is None:
        return "the play goes on"
    if outcome.ending is Ending.OVER and outcome.result is not None:
        return f"the play is over with the result {to_text(outcome.result)}"
    return str(outcome)
