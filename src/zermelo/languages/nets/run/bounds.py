"""How many tokens a place can ever hold, as far as the form of a net tells.

A weighting of the places under which no firing changes the weighted number of tokens
bounds every place with a weight: it never holds more than the first marking weighs.
Such weightings are found by Farkas' elimination on the net without its colours. Places
that they leave out are bounded, too, under a weighting that no firing makes heavier.
How many there can be of one token is found in the same way where firings are written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heapify, heappop, heappush
from math import gcd
from typing import Final, TypeAlias

from zermelo.languages.nets.ir import Arc, Const, Interval, Net, Term
from zermelo.languages.nets.run.ground import Spot, grounded

MOST_ROWS: Final = 3_000
"""Where elimination makes more new rows at once, nothing more is known."""
MOST_WORK: Final = 3_000_000
"""Numbers that are looked at before elimination is given up; some seconds."""
MOST_WORK_ON_TOKENS: Final = 600_000
"""The same where every token is looked at by itself, which may help and need not."""

MANY: Final = 2_000
"""Where there are more transitions, other weightings are not looked for if each place has one."""

Numbers: TypeAlias = dict[int, int]
"""Numbers other than 0, by the place or the transition that they belong to."""


def invariants(net: Net) -> tuple[tuple[Mapping[str, int], int], ...]:
    """Weightings of places, each with what every marking weighs, those of few places first."""
    sizes = [len(place.initial) for place in net.places]
    return tuple(
        ({net.places[at].name: weight for at, weight in row.items()}, _weighed(row, sizes))
        for row in _unchanged(net)[0]
    )


@lru_cache(maxsize=4)
def _unchanged(net: Net) -> tuple[tuple[Numbers, ...], bool]:
    """Weightings of places that no firing changes, and whether there may be others."""
    exact = _Elimination(_changes(net))
    return tuple(exact.solved()), exact.was_given_up


@lru_cache(maxsize=4)
def bounds(net: Net) -> Mapping[str, int]:
    """For the places of which it is known: no marking has more tokens there."""
    found = {net.places[at].name: bound for at, bound in _bounds_of_places(net).items()}
    if not net.is_plain and len(found) < len(net.places):
        for name, tokens in _tokens(net).items():
            found.setdefault(name, sum(tokens))
    return found


def _bounds_of_places(net: Net) -> Numbers:
    """The same by the number of each place, from the net without its colours."""
    sizes = [len(place.initial) for place in net.places]
    changes = _changes(net)
    even = _even(changes)
    simple = _bounds(even, sizes)
    if len(simple) == len(sizes) and len(net.transitions) > MANY:
        return simple
    rows, was_given_up = _unchanged(net)
    if len(_bounds(rows, sizes)) < len(sizes) and not was_given_up:
        rows += tuple(_Elimination(changes, with_slack=True).solved())
    return _bounds([*rows, *even], sizes)


def _bounds(rows: Iterable[Numbers], initial: Sequence[int]) -> Numbers:
    """What weightings say of each of the things that they weigh, of which there are *initial*."""
    found: Numbers = {}
    for row in rows:
        weighed = _weighed(row, initial)
        for at, weight in row.items():
            bound = weighed // weight
            found[at] = min(bound, found.get(at, bound))
    return found


def _weighed(row: Numbers, initial: Sequence[int]) -> int:
    return sum(weight * initial[at] for at, weight in row.items())


def bounds_of_one(net: Net) -> Mapping[str, int]:
    """For the places of which it is known: no marking has more of one and the same token there."""
    found = dict(bounds(net))
    if not net.is_plain:
        for name, tokens in _tokens(net).items():
            most = max(tokens, default=0)
            found[name] = min(most, found.get(name, most))
    return found


def is_bounded(net: Net) -> bool:
    """Whether the form of *net* shows that no place can hold ever more tokens."""
    known = bounds(net)
    return all(place.name in known for place in net.places)


def _changes(net: Net) -> dict[int, Numbers]:
    """By how much each transition changes each place; places of which it is open are left out."""
    numbers = {place.name: at for at, place in enumerate(net.places)}
    changes: dict[int, Numbers] = {at: {} for at in numbers.values()}
    for at, transition in enumerate(net.transitions):
        for sign, arcs in ((-1, transition.inputs), (1, transition.outputs)):
            for arc in arcs:
                count, place = _count(arc), numbers[arc.place]
                if count is None:
                    changes.pop(place, None)
                elif place in changes:
                    changes[place][at] = changes[place].get(at, 0) + sign * count
    return {place: _without_zeros(change) for place, change in changes.items()}


@lru_cache(maxsize=4)
def _tokens(net: Net) -> Mapping[str, tuple[int, ...]]:
    """For the places of which it is known: of each token that may lie there, the most."""
    changes = _changes_of_tokens(net)
    spots = list(changes)
    there = [dict(place.initial) for place in net.places]
    initial = [there[at].get(token, 0) for at, token in spots]
    rows = _Elimination(dict(enumerate(changes.values())), most_work=MOST_WORK_ON_TOKENS).solved()
    found = _bounds(rows, initial)
    each: dict[int, list[int]] = {}
    for number, (at, _) in enumerate(spots):
        if number in found:
            each.setdefault(at, []).append(found[number])
    is_open = {at for number, (at, _) in enumerate(spots) if number not in found}
    return {net.places[at].name: tuple(most) for at, most in each.items() if at not in is_open}


def _changes_of_tokens(net: Net) -> dict[Spot, Numbers]:
    """By how much each firing changes the number of each token.

    Places at transitions whose firings are not written out are left out.
    """
    numbers = {place.name: at for at, place in enumerate(net.places)}
    is_open: set[int] = set()
    changes: dict[Spot, Numbers] = {
        (at, token): {} for at, place in enumerate(net.places) for token, _ in place.initial
    }
    count = 0
    for transition, firings in zip(net.transitions, grounded(net), strict=True):
        if firings is None:
            is_open |= {numbers[arc.place] for arc in (*transition.inputs, *transition.outputs)}
            continue
        for firing in firings:
            for sign, moved in ((-1, firing.taken), (1, firing.put)):
                for spot, times in moved.items():
                    change = changes.setdefault(spot, {})
                    change[count] = change.get(count, 0) + sign * times
            count += 1
    return {
        spot: _without_zeros(change) for spot, change in changes.items() if spot[0] not in is_open
    }


def _even(changes: Mapping[int, Numbers]) -> list[Numbers]:
    """Places that hang together in which every token weighs 1, if no firing makes that heavier."""
    by_transition: dict[int, list[int]] = {}
    for place, change in changes.items():
        for at in change:
            by_transition.setdefault(at, []).append(place)
    group = {place: place for place in changes}

    def first(place: int) -> int:
        while group[place] != place:
            group[place] = place = group[group[place]]
        return place

    grows: set[int] = set()
    for at, places in by_transition.items():
        for place in places[1:]:
            group[first(place)] = first(places[0])
        if sum(changes[place][at] for place in places) > 0:
            grows.add(places[0])
    heavier = {first(place) for place in grows}
    found: dict[int, Numbers] = {}
    for place in changes:
        if first(place) not in heavier:
            found.setdefault(first(place), {})[place] = 1
    return list(found.values())


def _distinct(changes: Mapping[int, Numbers]) -> dict[int, Numbers]:
    """*changes* without transitions that do the same as another one, or undo it."""
    columns: dict[int, list[tuple[int, int]]] = {}
    for place, change in changes.items():
        for at, number in change.items():
            columns.setdefault(at, []).append((place, number))
    first: dict[tuple[tuple[int, int], ...], int] = {}
    for at, column in sorted(columns.items()):
        sign = 1 if column[0][1] > 0 else -1
        first.setdefault(tuple((place, sign * number) for place, number in column), at)
    kept = set(first.values())
    return {
        place: {at: number for at, number in change.items() if at in kept}
        for place, change in changes.items()
    }


def _without_zeros(numbers: Numbers) -> Numbers:
    return {at: number for at, number in numbers.items() if number}


def _count(arc: Arc) -> int | None:
    counts = [_count_of_term(term) for term in arc.terms]
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _count_of_term(term: Term) -> int | None:
    if not isinstance(term.multiplicity, Const):
        return None
    count = term.multiplicity.value
    for part in term.components:
        match part:
            case Interval(Const(low), Const(high)):
                count *= max(0, high - low + 1)
            case Interval():
                return None
            case _:
                continue
    return count


@dataclass(frozen=True, slots=True)
class _Row:
    """A weighting of places, and by how much each transition changes what markings weigh."""

    change: Numbers
    weights: Numbers


class _Elimination:
    """Joins rows until no transition changes any."""

    def __init__(
        self,
        changes: Mapping[int, Numbers],
        *,
        with_slack: bool = False,
        most_work: int | None = None,
    ) -> None:
        self._rows: dict[int, _Row] = {}
        self._more: dict[int, dict[int, None]] = {}
        self._less: dict[int, dict[int, None]] = {}
        self._by_last: dict[int, dict[int, None]] = {}
        self._next = 0
        self._work = 0
        self._most_work = MOST_WORK if most_work is None else most_work
        self.was_given_up = False
        for place, change in (changes if with_slack else _distinct(changes)).items():
            self._add(_Row(dict(change), {place: 1}))
        if with_slack:
            # A place of its own for each transition, which takes up what gets lighter.
            for at in sorted({at for change in changes.values() for at in change}):
                self._add(_Row({at: 1}, {-1 - at: 1}))

    def solved(self) -> list[Numbers]:
        """The weightings that are left, those of few places first.

        Where it was given up, those that no transition changes by then.
        """
        costs = {at: self._cost(at) for at in self._more.keys() | self._less.keys()}
        waiting = [(cost, at) for at, cost in costs.items()]
        heapify(waiting)
        while waiting:
            cost, at = heappop(waiting)
            if cost != costs[at] or not self._is_left(at):
                continue
            changed = self._eliminate(at)
            if changed is None:
                self.was_given_up = True
                break
            self._work += len(changed)
            for each in changed:
                now = self._cost(each)
                if now != costs[each]:
                    costs[each] = now
                    heappush(waiting, (now, each))
        weightings = [
            {at: weight for at, weight in row.weights.items() if at >= 0}
            for row in self._rows.values()
            if not row.change
        ]
        found = [weights for weights in weightings if weights]
        return sorted(found, key=lambda weights: (len(weights), sorted(weights.items())))

    def _is_left(self, column: int) -> bool:
        return bool(self._more.get(column) or self._less.get(column))

    def _cost(self, column: int) -> int:
        more, less = len(self._more.get(column, ())), len(self._less.get(column, ()))
        return more * less - more - less

    def _eliminate(self, at: int) -> set[int] | None:
        """Join all rows that *at* changes, so that it changes none.

        Gives the transitions that change other rows than before; ``None`` without room.
        """
        more, less = list(self._more.get(at, ())), list(self._less.get(at, ()))
        if len(more) * len(less) > MOST_ROWS or self._work > self._most_work:
            return None
        made = []
        for first in more:
            for second in less:
                if self._work > self._most_work:
                    return None
                made.append(self._joined(self._rows[first], self._rows[second], at))
        changed: set[int] = set()
        for number in (*more, *less):
            changed |= self._rows[number].change.keys()
            self._remove(number)
        for row in sorted(made, key=lambda row: (len(row.weights), sorted(row.weights))):
            if not self._is_covered(row):
                self._add(row)
        return changed

    def _is_covered(self, row: _Row) -> bool:
        """Whether there is a row with weights for nothing but what *row* weighs, too."""
        support = row.weights.keys()
        for last in support:
            for number in self._by_last.get(last, ()):
                other = self._rows[number].weights
                self._work += len(other)
                if len(other) <= len(support) and other.keys() <= support:
                    return True
        return False

    def _add(self, row: _Row) -> None:
        self._rows[self._next] = row
        for at, number in row.change.items():
            side = self._more if number > 0 else self._less
            side.setdefault(at, {})[self._next] = None
        self._by_last.setdefault(max(row.weights), {})[self._next] = None
        self._next += 1

    def _remove(self, number: int) -> None:
        row = self._rows.pop(number)
        for at, change in row.change.items():
            side = self._more if change > 0 else self._less
            del side[at][number]
        del self._by_last[max(row.weights)][number]

    def _joined(self, first: _Row, second: _Row, at: int) -> _Row:
        left, right = -second.change[at], first.change[at]
        change = _without_zeros(_sum(first.change, left, second.change, right))
        weights = _sum(first.weights, left, second.weights, right)
        self._work += len(change) + len(weights) + 4
        divisor = gcd(*change.values(), *weights.values())
        if divisor == 1:
            return _Row(change, weights)
        return _Row(
            {name: number // divisor for name, number in change.items()},
            {name: number // divisor for name, number in weights.items()},
        )


def _sum(first: Numbers, left: int, second: Numbers, right: int) -> Numbers:
    found = {at: left * number for at, number in first.items()}
    for at, number in second.items():
        found[at] = found.get(at, 0) + right * number
    return found
