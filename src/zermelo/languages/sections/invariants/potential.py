"""A potential: weights of claims whose sum becomes larger with every move.

The members of a set that a move takes out and puts in are taken for a piece that goes from one
place to another. Where pieces go round in no circle, each place is worth the length of the
longest way that is left from there, with a minus: every step makes that larger. What can also be
put down anew is worth more than no piece, and what can be taken away less. That the sum grows is
then looked at for every local transition.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

from zermelo.core.symmetry import Bit
from zermelo.languages.sections.invariants.local_transitions import LocalTransition

_MOST_SETS: Final = 8


def potential(
    moves: Sequence[LocalTransition],
    others: Sequence[LocalTransition],
    bits: Sequence[Bit],
) -> dict[int, int] | None:
    """The weights of claims; ``None`` where none were found."""
    unknown = frozenset[int]().union(*(each.unknown for each in (*moves, *others)))
    sets: dict[str, set[int]] = defaultdict(set)
    for at, bit in enumerate(bits):
        if bit.is_member and at not in unknown:
            sets[bit.variable].add(at)
    moved = {
        name: claims
        for name, claims in sets.items()
        if any(claim in each.after for each in moves for claim in claims)
    }
    if not 0 < len(moved) <= _MOST_SETS:
        return None
    left: dict[str, dict[int, int]] = {}
    for name, claims in moved.items():
        lengths = _ways_left(moves, claims)
        if lengths is None:
            return None
        left[name] = lengths
    names = sorted(moved)
    for chosen in product((False, True), repeat=len(names)):
        weights: dict[int, int] = {}
        for name, is_put_down in zip(names, chosen, strict=True):
            above = 1 + max(left[name].values()) if is_put_down else 0
            weights |= {claim: above - length for claim, length in left[name].items()}
        if is_potential(weights, moves, others):
            return weights
    return None


def is_potential(
    weights: Mapping[int, int],
    moves: Sequence[LocalTransition],
    others: Sequence[LocalTransition],
) -> bool:
    """Whether every move makes the sum of *weights* larger, and nothing else makes it smaller."""
    return all(_growth(weights, each) > 0 for each in moves) and all(
        _growth(weights, each) >= 0 for each in others
    )


def _growth(weights: Mapping[int, int], each: LocalTransition) -> int:
    return sum(weights.get(claim, 0) * (1 if holds else -1) for claim, holds in each.after.items())


def _ways_left(moves: Sequence[LocalTransition], claims: set[int]) -> dict[int, int] | None:
    """For each of *claims* the length of the longest way from there; ``None`` if it is endless."""
    steps: dict[int, set[int]] = {claim: set() for claim in claims}
    for each in moves:
        taken = [c for c, holds in each.after.items() if not holds and c in claims]
        put = [c for c, holds in each.after.items() if holds and c in claims]
        for claim in taken:
            steps[claim].update(put)
    lengths: dict[int, int] = {}
    while len(lengths) < len(claims):
        ready = [c for c in claims if c not in lengths and steps[c] <= lengths.keys()]
        if not ready:
            return None
        lengths |= {c: max((lengths[to] + 1 for to in steps[c]), default=0) for c in ready}
    return lengths
