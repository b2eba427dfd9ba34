"""Whether a net is unbounded: some play can be repeated for ever, with more tokens each time.

A marking that holds all tokens of one before it on the same play, and more, shows it: what
was fired between the two can be fired again, since more tokens never disable anything. The
search goes deep, to the firings that make more tokens first, and remembers where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from zermelo.core.machine import Machine
from zermelo.core.state import Move, State
from zermelo.languages.nets.run.bags import Bag

FEW: Final = 1_000
"""Markings that are looked at before anything else is known."""
MANY: Final = 8_000
"""More are not looked at later either: the search is slow, and most nets are bounded."""
_PARTS: Final = 500
"""Of a net with more places and transitions fewer markings are looked at, for each takes longer."""
_ASKED: Final = 16
DEEPEST: Final = 3_000


@dataclass(frozen=True, slots=True)
class Pumping:
    """A play to a marking, and firings that lead from it to a larger one."""

    play: tuple[Move, ...]
    """To the marking from which the firings can be repeated."""
    moves: tuple[Move, ...]
    before: State
    after: State
    grows: tuple[str, ...]
    """The places that have more tokens each time."""


@dataclass(slots=True)
class _Step:
    """A marking on the play that is being followed, and the firings that are left in it."""

    state: State
    size: int
    move: Move | None
    left: list[Move]


def pumping(
    machine: Machine, *, most: int = FEW, is_enough: Callable[[int], bool] | None = None
) -> Pumping | None:
    """A play of the net that can be pumped, if one is found among *most* markings.

    *is_enough* is asked now and then, with the markings so far, whether to stop.
    """
    first = machine.initial
    parts = len(machine.signature.variables) + len(machine.signature.moves)
    most = most * _PARTS // max(_PARTS, parts)
    seen = {first}
    path = [_Step(first, _size(first), None, _growing(machine, first))]
    while path:
        here = path[-1]
        if not here.left or len(path) > DEEPEST:
            path.pop()
            continue
        move = here.left.pop()
        state = machine.after(here.state, move)
        if state in seen:
            continue
        found = _covered(path, state, move)
        if found is not None:
            return found
        seen.add(state)
        if len(seen) > most:
            return None
        if is_enough is not None and not len(seen) % _ASKED and is_enough(len(seen)):
            return None
        path.append(_Step(state, _size(state), move, _growing(machine, state)))
    return None


def _growing(machine: Machine, state: State) -> list[Move]:
    """The firings in *state*, those that make the most tokens last."""
    firings = [(_size(machine.after(state, move)), move) for move in machine.legal(state)]
    return [move for _, move in sorted(firings, key=lambda item: (item[0], item[1].sort_key()))]


def _size(state: State) -> int:
    return sum(len(bag) for bag in state.values if isinstance(bag, Bag))


def _covered(path: list[_Step], state: State, move: Move) -> Pumping | None:
    size = _size(state)
    for at in reversed(range(len(path))):
        # Whoever covers another one has more tokens.
        grows = path[at].size < size and _larger(path[at].state, state)
        if grows:
            moves = [step.move for step in path if step.move is not None]
            return Pumping(
                play=tuple(moves[:at]),
                moves=(*moves[at:], move),
                before=path[at].state,
                after=state,
                grows=grows,
            )
    return None


def _larger(before: State, after: State) -> tuple[str, ...]:
    """The places with more tokens *after*, if no place has lost any."""
    grows = []
    for (name, old), new in zip(before.items(), after.values, strict=True):
        assert isinstance(old, Bag), "a marking is made of bags"
        assert isinstance(new, Bag), "a marking is made of bags"
        if old == new:
            continue
        counts = dict(new)
        if any(counts.get(token, 0) < count for token, count in old):
            return ()
        grows.append(name)
    return tuple(grows)
