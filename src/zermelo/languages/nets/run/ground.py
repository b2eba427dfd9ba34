"""The firings of a net written out: for every binding, how many of which token move.

A transition is written out where its variables have few values, all known beforehand,
and nothing stops for any of them. What it does to a marking is a list of numbers then,
of which the bounds of places and short code can be made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import prod
from typing import Final, TypeAlias

from zermelo.core.machine import FaultError
from zermelo.languages.nets.ir import (
    Arc,
    Component,
    Const,
    Expr,
    Interval,
    Net,
    Place,
    Term,
    Transition,
    Var,
    Variable,
)
from zermelo.languages.nets.run.bags import Token
from zermelo.languages.nets.run.evaluate import Evaluator, Frame
from zermelo.languages.nets.run.matching import Disabled, Sum

MOST_BINDINGS: Final = 2_000
"""More bindings than this, in all transitions with variables together, are not written out."""
MOST_STEPS: Final = 50_000
"""So many steps are taken for all of them together; each token that moves is one, too."""
MOST_STEPS_OF_ONE: Final = 5_000

Spot: TypeAlias = tuple[int, Token]
"""The number of a place, and a token that may lie there."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A transition with values for its variables: what it takes, and what it puts."""

    values: tuple[int, ...]
    taken: Mapping[Spot, int]
    put: Mapping[Spot, int]


@lru_cache(maxsize=4)
def grounded(net: Net) -> tuple[tuple[Ground, ...] | None, ...]:
    """The firings of each transition, by their values; ``None`` where they are not written out."""
    writing = _Writing(net)
    places = {place.name: place for place in net.places}
    ranges = [ranges_of(each, places) for each in net.transitions]
    sizes = [(_size(each), at) for at, each in enumerate(ranges) if each is not None]
    found: list[tuple[Ground, ...] | None] = [None] * len(ranges)
    left = MOST_BINDINGS
    for size, at in sorted(sizes):
        left -= size if ranges[at] else 0
        if left < 0:
            break
        found[at] = writing.written_out(net.transitions[at], ranges[at] or ())
    return tuple(found)


def _size(ranges: Sequence[range]) -> int:
    """How many bindings there are; a range may be longer than Python counts."""
    return prod(max(0, each.stop - each.start) for each in ranges)


def ranges_of(transition: Transition, places: Mapping[str, Place]) -> tuple[range, ...] | None:
    """Between which numbers each variable lies, as places and sorts tell; ``None`` if they do not.

    A ``let`` chooses among values in a way of its own.
    """
    if transition.lets:
        return None
    given = ranges_at(transition, places)
    found = [given.get(each.name, _sort(each)) for each in transition.variables]
    known = tuple(each for each in found if each is not None)
    return known if len(known) == len(found) else None


def ranges_at(transition: Transition, places: Mapping[str, Place]) -> dict[str, range]:
    """Between which numbers the variables lie that tokens in *places* give a value.

    Where a variable has a sort, only its values.
    """
    sorts = {each.name: _sort(each) for each in transition.variables}
    found: dict[str, range] = {}
    for name, values in _at_inputs(transition, places):
        sort = sorts[name]
        before = found.get(name, values if sort is None else sort)
        found[name] = range(max(before.start, values.start), min(before.stop, values.stop))
    return found


def _sort(variable: Variable) -> range | None:
    if variable.low is None or variable.high is None:
        return None
    return range(variable.low, variable.high + 1)


def _at_inputs(transition: Transition, places: Mapping[str, Place]) -> Iterator[tuple[str, range]]:
    for arc in transition.inputs:
        place = places.get(arc.place)
        if place is None or place.low is None or place.high is None:
            continue
        for term in patterns(arc):
            if not isinstance(term.multiplicity, Const):
                continue
            for part, low, high in zip(term.components, place.low, place.high, strict=True):
                if isinstance(part, Var):
                    yield part.name, range(low, high + 1)


def patterns(arc: Arc) -> Iterator[Term]:
    """The terms of an input for which a token has to be there, unless their number is 0.

    For all tokens of an interval the first one stands.
    """
    if any(is_negative(term) for term in arc.terms):
        return
    for term in arc.terms:
        parts = [_first(part) for part in term.components]
        known = [part for part in parts if part is not None]
        is_none = isinstance(term.multiplicity, Const) and term.multiplicity.value <= 0
        if parts and len(known) == len(parts) and not is_none:
            yield replace(term, components=tuple(known))


def _first(part: Component) -> Expr | None:
    """The first number of a component; ``None`` if there may be none."""
    match part:
        case Interval(Const(low), Const(high)):
            return part.low if low <= high else None
        case Interval():
            return None
        case _:
            return part


def is_negative(term: Term) -> bool:
    return isinstance(term.multiplicity, Const) and term.multiplicity.value < 0


class _Writing:
    """Writes the transitions of one net out."""

    def __init__(self, net: Net) -> None:
        self._places = net.places
        self._numbers = {place.name: at for at, place in enumerate(net.places)}
        self._evaluator = Evaluator(net, most=MOST_STEPS_OF_ONE, altogether=MOST_STEPS)

    def written_out(
        self, transition: Transition, ranges: Sequence[range]
    ) -> tuple[Ground, ...] | None:
        """The firings of *transition*; ``None`` if something stops or takes long."""
        try:
            return self._evaluator.guarded(
                lambda: self._firings(transition, ranges), transition.span
            )
        except FaultError:
            return None

    def _firings(
        self, transition: Transition, ranges: Sequence[range]
    ) -> tuple[Ground, ...] | None:
        names = tuple(each.name for each in transition.variables)
        gates = [self._evaluator.code(gate) for gate in transition.gates]
        inputs, outputs = self._sums(transition.inputs), self._sums(transition.outputs)
        # A token gives no value where another of its components stops, gate or no gate.
        by_tokens = any(_sort(each) is None for each in transition.variables)
        found: list[Ground] = []
        for values in product(*ranges):
            frame = Frame(dict(zip(names, values, strict=True)))
            self._evaluator.begin()
            try:
                # All of them: one that stops is to be noticed behind one that forbids.
                is_forbidden = 0 in {gate(frame) for gate in gates}
                if is_forbidden and not by_tokens:
                    continue
                taken = self._total(inputs, frame)
                if is_forbidden:
                    continue
                put = self._total(outputs, frame)
            except Disabled:
                continue
            if transition.variables:
                # What has none is written down once, however many of them there are.
                self._evaluator.spend(len(taken) + len(put), transition.span)
            if not self._are_possible(taken):
                continue
            if not self._are_possible(put):
                return None
            found.append(Ground(values, taken, put))
        return tuple(found)

    def _sums(self, arcs: Iterable[Arc]) -> list[tuple[int, Sum]]:
        return [(self._numbers[arc.place], Sum(arc.terms, self._evaluator)) for arc in arcs]

    def _total(self, sums: Iterable[tuple[int, Sum]], frame: Frame) -> dict[Spot, int]:
        found: dict[Spot, int] = {}
        for at, tokens in sums:
            for token, count in tokens.total(frame).items():
                if count:
                    found[at, token] = found.get((at, token), 0) + count
        return found

    def _are_possible(self, tokens: Iterable[Spot]) -> bool:
        for at, token in tokens:
            lows, highs = self._places[at].low or token, self._places[at].high or token
            ends = zip(lows, token, highs, strict=True)
            if not all(low <= number <= high for low, number, high in ends):
                return False
        return True
