"""Linear invariants of a grounded system: candidates, and which of them the rules preserve.

A candidate is kept when it holds in the first state and every local transition preserves it,
provided that all candidates held before. Those that fail are dropped and the others are tried
again without them, until none fails: then all that are left hold in every reachable state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from zermelo.languages.sections.invariants.local_transitions import PROVING, LocalTransition
from zermelo.text import budget


@dataclass(frozen=True, slots=True)
class Bounded:
    """The weights of the claims that hold add up to at most *high*."""

    weights: tuple[tuple[int, int], ...]
    high: int

    def least(self, held: Mapping[int, bool]) -> int:
        """The least sum that there can be where some claims are known."""
        return sum(w * held[c] if c in held else min(w, 0) for c, w in self.weights)

    def most(self, held: Mapping[int, bool]) -> int:
        return sum(w * held[c] if c in held else max(w, 0) for c, w in self.weights)


def preserved(
    candidates: Iterable[Bounded],
    transitions: Sequence[LocalTransition],
    first: Sequence[bool],
    impossible: Collection[int],
) -> list[Bounded]:
    """The *candidates* that hold in every reachable state; *impossible* claims hold in none."""
    start = dict(enumerate(first))
    kept = [each for each in candidates if each.most(start) <= each.high]
    nowhere = dict.fromkeys(impossible, False)
    able = [t for t in transitions if not any(t.before.get(claim) for claim in impossible)]
    while True:
        budget.look(PROVING)
        by_claim = _by_claim(kept)
        failing = {
            each
            for transition in able
            if _can_happen(transition, by_claim, nowhere)
            for each in _broken(transition, by_claim, nowhere)
        }
        if not failing:
            return kept
        kept = [each for each in kept if each not in failing]


def that_happen(
    transitions: Iterable[LocalTransition],
    invariants: Iterable[Bounded],
    impossible: Collection[int],
) -> list[LocalTransition]:
    """The *transitions* that begin in a state in which *invariants* hold."""
    by_claim, nowhere = _by_claim(invariants), dict.fromkeys(impossible, False)
    return [
        each
        for each in transitions
        if not any(each.before.get(claim) for claim in impossible)
        and _can_happen(each, by_claim, nowhere)
    ]


def _by_claim(candidates: Iterable[Bounded]) -> dict[int, list[Bounded]]:
    found: dict[int, list[Bounded]] = defaultdict(list)
    for each in candidates:
        for claim, _ in each.weights:
            found[claim].append(each)
    return found


def _can_happen(
    transition: LocalTransition,
    by_claim: Mapping[int, list[Bounded]],
    nowhere: Mapping[int, bool],
) -> bool:
    held = {**nowhere, **transition.before}
    near = {each for claim in transition.before for each in by_claim.get(claim, ())}
    return all(each.least(held) <= each.high for each in near)


def _broken(
    transition: LocalTransition,
    by_claim: Mapping[int, list[Bounded]],
    nowhere: Mapping[int, bool],
) -> Iterator[Bounded]:
    """The candidates that *transition* may break."""
    changed = {*transition.after, *transition.unknown}
    held = {**nowhere, **transition.before, **transition.after}
    for claim in transition.unknown:
        held.pop(claim, None)
    for each in {each for claim in changed for each in by_claim.get(claim, ())}:
        growth = sum(
            weight * (transition.after[claim] - transition.before[claim])
            for claim, weight in each.weights
            if claim in transition.after
        )
        grows = growth > 0 or any(claim in transition.unknown for claim, _ in each.weights)
        if grows and each.most(held) > each.high:
            yield each


# Sums that no move changes


def constant_sums(changes: Collection[tuple[int, ...]], size: int) -> list[tuple[int, ...]]:
    """A basis of the weights under which no change of *size* counts changes the sum.

    >>> constant_sums({(1, 0, -1), (0, 1, 1)}, 3)
    [(1, -1, 1)]
    """
    rows = _echelon([[Fraction(x) for x in change] for change in sorted(changes)], size)
    pivots = {next(at for at, x in enumerate(row) if x): row for row in rows}
    found: list[tuple[int, ...]] = []
    for free in (at for at in range(size) if at not in pivots):
        weights = [Fraction(0)] * size
        weights[free] = Fraction(1)
        for pivot, row in pivots.items():
            weights[pivot] = -row[free]
        found.append(_whole(weights))
    return found


def _echelon(rows: list[list[Fraction]], size: int) -> list[list[Fraction]]:
    """The reduced row echelon form, without rows of zeros."""
    done: list[list[Fraction]] = []
    for column in range(size):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        scaled = [x / pivot[column] for x in pivot]
        rows = [_less(row, scaled, column) for row in rows]
        done = [_less(row, scaled, column) for row in done]
        done.append(scaled)
    return done


def _less(row: list[Fraction], other: list[Fraction], column: int) -> list[Fraction]:
    times = row[column]
    return [x - times * y for x, y in zip(row, other, strict=True)] if times else row


def _whole(weights: Sequence[Fraction]) -> tuple[int, ...]:
    """The same direction in the least whole numbers, the first of them positive."""
    scale = lcm(*(x.denominator for x in weights))
    numbers = [int(x * scale) for x in weights]
    least = gcd(*numbers)
    sign = -1 if next(x for x in numbers if x) < 0 else 1
    return tuple(sign * x // least for x in numbers)
