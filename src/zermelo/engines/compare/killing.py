"""Few plays that tell a model from all of its misreadings.

A play is a sequence of moves, the last of which may be refused. It tells two models apart if some
move of it is legal in one only, or if after a move the outcomes or the players in turn differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.machine import Machine
from zermelo.core.state import Move, State
from zermelo.engines.compare.alignment import UNALIGNED
from zermelo.engines.compare.comparison import Contrast
from zermelo.text import budget

KILLING: Final = "choosing plays"
_MOST_TRIED: Final = 200_000
"""So many partial choices are looked at before it is left open whether fewer plays suffice."""


def shown_by(contrast: Contrast) -> tuple[Move, ...]:
    """The play that shows *contrast*, with the move that is legal in one only behind it."""
    return contrast.play if contrast.move is None else (*contrast.play, contrast.move)


def tells_apart(first: Machine, second: Machine, play: Sequence[Move]) -> bool:
    """Whether *play* shows a difference between the two."""
    states = first.initial, second.initial
    if _seen(first, states[0]) != _seen(second, states[1]):
        return True
    for move in play:
        is_legal = move in first.legal(states[0])
        if is_legal != (move in second.legal(states[1])):
            return True
        if not is_legal:
            return False
        states = first.after(states[0], move), second.after(states[1], move)
        if _seen(first, states[0]) != _seen(second, states[1]):
            return True
    return False


def _seen(machine: Machine, state: State) -> tuple[object, ...]:
    """What a person who plays sees of *state*: how it ended, or who is in turn."""
    outcome = machine.outcome(state)
    if outcome is not None:
        return UNALIGNED.outcome(outcome)
    player = machine.player(state)
    return (None if player is None else player.name,)


def distinct(plays: Sequence[tuple[Move, ...]]) -> tuple[tuple[Move, ...], ...]:
    """*plays* without those that others begin with: a longer one tells all that it does."""
    unique = list(dict.fromkeys(plays))
    beginnings = {play[:size] for play in unique for size in range(len(play))}
    return tuple(play for play in unique if play not in beginnings)


@dataclass(frozen=True, slots=True)
class Cover:
    """Some of the plays, which together tell all mutants apart."""

    plays: tuple[int, ...]
    """Their numbers."""
    is_least: bool
    """Whether it is proved that no fewer of the plays do."""


def cover(killed: Sequence[frozenset[int]]) -> Cover:
    """Few plays that kill all that any does, where play i kills the mutants ``killed[i]``.

    >>> cover([frozenset({0, 1}), frozenset({1, 2}), frozenset({2, 3}), frozenset({0, 3})])
    Cover(plays=(0, 2), is_least=True)
    """
    every: frozenset[int] = frozenset().union(*killed)
    greedy = _greedy(killed, every)
    search = _Search(killed, greedy)
    search.look((), every)
    return Cover(tuple(sorted(search.best)), search.tried <= _MOST_TRIED)


def _greedy(killed: Sequence[frozenset[int]], every: frozenset[int]) -> tuple[int, ...]:
    """The play that kills most of what is left, again and again."""
    chosen: list[int] = []
    while every:
        best = max(range(len(killed)), key=lambda at: (len(killed[at] & every), -at))
        chosen.append(best)
        every -= killed[best]
    return tuple(chosen)


class _Search:
    """Looks for fewer plays, by whoever kills the mutant that fewest plays kill."""

    def __init__(self, killed: Sequence[frozenset[int]], best: tuple[int, ...]) -> None:
        self._killed = killed
        self.best = best
        self.tried = 0

    def look(self, chosen: tuple[int, ...], left: frozenset[int]) -> None:
        self.tried += 1
        if self.tried > _MOST_TRIED:
            return
        if not self.tried % 1024:
            budget.look(KILLING)
        if not left:
            if len(chosen) < len(self.best):
                self.best = chosen
            return
        most = max(len(each & left) for each in self._killed)
        if len(chosen) + -(-len(left) // most) >= len(self.best):
            return
        by = {
            mutant: [at for at, each in enumerate(self._killed) if mutant in each]
            for mutant in sorted(left)
        }
        hardest = min(by, key=lambda mutant: len(by[mutant]))
        for at in sorted(by[hardest], key=lambda at: -len(self._killed[at] & left)):
            self.look((*chosen, at), left - self._killed[at])


# Whether other plays could do with fewer


def needs(
    size: int,
    original: Machine,
    mutants: Mapping[int, Machine],
    killed: Sequence[frozenset[int]],
) -> bool:
    """Whether it is proved that fewer than *size* plays, of any, do not kill all *mutants*.

    It is if there are *size* mutants of which no play whatever kills two. It is not looked for
    where a game is large, so that what is not proved may be true.
    """
    if size <= 1:
        return True
    apart: list[int] = []
    tries = _TRIES
    for at in sorted(mutants, key=lambda each: (sum(each in kills for kills in killed), each)):
        is_apart = True
        for other in apart:
            if any({at, other} <= kills for kills in killed):
                is_apart = False
                break
            shared = _shared_play(original, mutants[at], mutants[other])
            tries -= shared is None
            if not tries:
                return False
            if shared is not False:
                is_apart = False
                break
        if is_apart:
            apart.append(at)
        if len(apart) == size:
            return True
    return False


_TRIES: Final = 3
"""After so many pairs of mutants for which the game was too large it is left open."""
_MOST_FOLLOWED: Final = 400
"""A game with more positions than this, beside two mutants, is too large."""
_Followed: TypeAlias = tuple[State, State | None, State | None]
"""A state of the original, and those of two mutants, ``None`` where the play has killed one."""


def _shared_play(original: Machine, one: Machine, other: Machine) -> bool | None:
    """Whether some play kills both mutants; ``None`` if there is too much to look at."""
    machines = (one, other)
    seen = _seen(original, original.initial)
    first, second = (
        each.initial if _seen(each, each.initial) == seen else None for each in machines
    )
    start: _Followed = (original.initial, first, second)
    known, waiting = {start}, [start]
    for followed in waiting:
        if len(known) > _MOST_FOLLOWED:
            return None
        for after in _following(original, machines, followed):
            if after[1] is None and after[2] is None:
                return True
            if after not in known:
                known.add(after)
                waiting.append(after)
    return False


def _following(
    original: Machine, machines: tuple[Machine, Machine], followed: _Followed
) -> Iterator[_Followed]:
    """What is known of both mutants after each move that somebody takes for legal."""
    state, *others = followed
    legal = original.legal(state)
    theirs = [
        () if each is None else machine.legal(each)
        for machine, each in zip(machines, others, strict=True)
    ]
    for move in dict.fromkeys((*legal, *theirs[0], *theirs[1])):
        is_legal = move in legal
        after = original.after(state, move) if is_legal else state
        left: list[State | None] = []
        for machine, each, moves in zip(machines, others, theirs, strict=True):
            made = None
            if each is not None and (move in moves) is is_legal:
                made = machine.after(each, move) if is_legal else each
                if _seen(machine, made) != _seen(original, after):
                    made = None
            left.append(made)
        # A move that the original refuses ends the play, so that it kills no more than that.
        if is_legal or left == [None, None]:
            yield after, left[0], left[1]
