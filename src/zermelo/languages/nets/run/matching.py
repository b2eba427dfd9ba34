"""Which values of its variables enable a transition: found by matching tokens.

A binding is a *candidate* when every variable that stands alone in a component of an
input takes its value from a token that is there, or from a ``let``, or, where its sort
is finite, from that. A candidate is

- not enabled when some gate is 0, when the sum of some arc has a negative number of a
  token, when a multiplicity that has to be computed is negative, or when an input is not
  contained in its place, as far as its terms have values;
- a fault when it is not that, and something in it has no value;
- enabled otherwise.

So what is found does not depend on the order in which anything is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Final, TypeAlias

from zermelo.core.machine import FaultError, FaultKind, undefined
from zermelo.languages.nets.ir import Arc, Component, Const, Interval, Let, Term, Transition, Var
from zermelo.languages.nets.run.bags import Bag, Token
from zermelo.languages.nets.run.evaluate import At, Code, Evaluator, Frame, place, variables_of

MOST_TOKENS: Final = 1_000_000
"""So many tokens may stand in one sum."""

Values: TypeAlias = dict[str, int]
Bags: TypeAlias = Sequence[Mapping[Token, int]]
"""What lies in each place."""


class LongSumError(FaultError):
    """A sum has more tokens than may stand in one."""

    def __init__(self, size: int, at: At) -> None:
        words = f"this is a sum of {size:,} tokens, and {MOST_TOKENS:,} are the most"
        super().__init__(FaultKind.ENDLESS, words, at)


class Disabled(Exception):
    """The transition is not enabled for these values."""


@dataclass(frozen=True, slots=True)
class Part:
    """One component of a tuple: a number, or with *high* all numbers from *low* to it."""

    low: Code
    high: Code | None
    variable: str | None
    """The variable that stands here alone, if one does."""
    needs: frozenset[str]


class Tuples:
    """A term of a sum, ready to be evaluated."""

    def __init__(self, term: Term, evaluator: Evaluator) -> None:
        self.term = term
        self.multiplicity = evaluator.code(term.multiplicity)
        self.constant = term.multiplicity.value if isinstance(term.multiplicity, Const) else None
        self.parts = tuple(_part(each, evaluator) for each in term.components)
        self.first_needs = variables_of(term.multiplicity)
        self.needs = self.first_needs.union(*(part.needs for part in self.parts))
        self.binds = frozenset(part.variable for part in self.parts if part.variable is not None)
        self.has_interval = any(part.high is not None for part in self.parts)

    def times(self, frame: Frame) -> int:
        """The multiplicity; ``Disabled`` where one that is computed is negative."""
        if self.constant is not None:
            return self.constant
        number = self.multiplicity(frame)
        if number < 0:
            raise Disabled
        return number

    def add_to(self, total: dict[Token, int], frame: Frame) -> None:
        """Add the tokens of this term to *total*."""
        times = self.times(frame)
        if not self.has_interval:
            token = tuple(part.low(frame) for part in self.parts)
            total[token] = total.get(token, 0) + times
            return
        ranges: list[range] = []
        size = 1
        for part in self.parts:
            low = part.low(frame)
            ranges.append(range(low, (low if part.high is None else part.high(frame)) + 1))
            size *= max(ranges[-1].stop - ranges[-1].start, 0)
        if size > MOST_TOKENS:
            raise LongSumError(size, place(self.term.span))
        for token in product(*ranges):
            total[token] = total.get(token, 0) + times


class Sum:
    """A sum of terms, ready to be evaluated."""

    def __init__(self, terms: Iterable[Term], evaluator: Evaluator) -> None:
        self.tuples = tuple(Tuples(term, evaluator) for term in terms)
        self.subtracts = any((each.constant or 0) < 0 for each in self.tuples)
        self.needs = frozenset[str]().union(*(each.needs for each in self.tuples))

    def total(self, frame: Frame) -> dict[Token, int]:
        """So many of each token; raises ``FaultError``, and ``Disabled`` if one is negative."""
        total: dict[Token, int] = {}
        for each in self.tuples:
            each.add_to(total, frame)
        if self.subtracts and any(count < 0 for count in total.values()):
            raise Disabled
        return total

    def known(self, frame: Frame, faults: list[FaultError]) -> dict[Token, int]:
        """The total of what has a value; the first fault of the rest goes to *faults*."""
        if self.subtracts:
            try:
                return self.total(frame)
            except FaultError as fault:
                faults.append(fault)
                return {}
        total: dict[Token, int] = {}
        for each in self.tuples:
            try:
                each.add_to(total, frame)
            except FaultError as fault:
                faults.append(fault)
        return total


@dataclass(frozen=True, slots=True)
class Pattern:
    """A term on an input from which variables can take their values."""

    place: int
    tuples: Tuples

    def matches(self, marking: Bags, values: Values) -> Iterator[Values] | None:
        """The values with those that tokens give; ``None`` where no token has to be there."""
        frame = Frame(values)
        try:
            times = self.tuples.times(frame)
            checks = self._checks(frame)
        except FaultError:
            return None
        if times == 0 or any(low > high for low, high in checks.values()):
            return None
        return self._matching(marking[self.place], values, times, checks)

    def _checks(self, frame: Frame) -> dict[int, tuple[int, int]]:
        """Between which numbers components lie that are known already."""
        known = frame.numbers.keys()
        checks: dict[int, tuple[int, int]] = {}
        for at, part in enumerate(self.tuples.parts):
            if part.needs <= known:
                low = part.low(frame)
                checks[at] = (low, low if part.high is None else part.high(frame))
            elif part.high is not None:
                # It is not known yet whether there is any number in the interval.
                raise undefined("an interval that is not known yet")
        return checks

    def _matching(
        self,
        bag: Mapping[Token, int],
        values: Values,
        times: int,
        checks: Mapping[int, tuple[int, int]],
    ) -> Iterator[Values]:
        for token, count in bag.items():
            if count < times or not all(
                low <= token[at] <= high for at, (low, high) in checks.items()
            ):
                continue
            found = self._bound(token, values)
            if found is not None:
                yield found

    def _bound(self, token: Token, values: Values) -> Values | None:
        found = dict(values)
        for number, part in zip(token, self.tuples.parts, strict=True):
            if part.variable is not None and found.setdefault(part.variable, number) != number:
                return None
        return found


@dataclass(frozen=True, slots=True)
class Source:
    """A ``let`` from which variables can take their values."""

    let: Let
    sum: Sum

    def matches(self, values: Values) -> Iterator[Values]:
        """The values with those that the tokens of the sum give."""
        for token, count in sorted(self.sum.total(Frame(values)).items()):
            if count <= 0:
                continue
            found = dict(values)
            if all(
                found.setdefault(name, number) == number
                for name, number in zip(self.let.names, token, strict=True)
            ):
                yield found


@dataclass(frozen=True, slots=True)
class Search:
    """A search that goes on: what is bound, and what has not been used yet."""

    values: Values
    patterns: tuple[Pattern, ...]
    sources: tuple[Source, ...]
    gates: tuple[tuple[Code, frozenset[str]], ...]
    stops: tuple[FaultError, ...] = ()
    """Faults of gates that were looked at."""


class Matcher:
    """Finds the candidates of one transition, and what each takes and puts."""

    def __init__(
        self, transition: Transition, places: Mapping[str, int], evaluator: Evaluator
    ) -> None:
        self._transition = transition
        self._evaluator = evaluator
        self._variables = transition.variables
        self.names = tuple(each.name for each in transition.variables)
        self._finite = {
            each.name: (each.low, each.high)
            for each in transition.variables
            if each.low is not None and each.high is not None
        }
        self.inputs = tuple(_ready(arc, places, evaluator) for arc in transition.inputs)
        self.outputs = tuple(_ready(arc, places, evaluator) for arc in transition.outputs)
        self._gates = tuple((evaluator.code(g), variables_of(g)) for g in transition.gates)
        self._start = Search(
            {},
            tuple(
                Pattern(at, each)
                for at, terms in self.inputs
                if not terms.subtracts
                for each in terms.tuples
                if each.constant != 0
            ),
            tuple(Source(each, Sum(each.terms, evaluator)) for each in transition.lets),
            self._gates,
        )

    def candidates(self, marking: Bags, faults: list[FaultError]) -> Iterator[Search]:
        """Every candidate whose gates do not forbid it, some more than once.

        *faults* gets what keeps candidates from being listed.
        """
        yield from self._search(self._start, marking, faults)

    def taken(self, candidate: Search, marking: Bags) -> dict[int, dict[Token, int]]:
        """What a firing takes from each place; ``Disabled`` or ``FaultError`` if it is none."""
        frame = Frame(candidate.values)
        faults = list(candidate.stops)
        total: dict[int, dict[Token, int]] = {}
        for at, terms in self.inputs:
            _add(total.setdefault(at, {}), terms.known(frame, faults))
        for at, tokens in total.items():
            bag = marking[at]
            if any(bag.get(token, 0) < count for token, count in tokens.items()):
                raise Disabled
        if faults:
            raise faults[0]
        return total

    def put(self, values: Values) -> dict[int, dict[Token, int]]:
        """What a firing puts into each place."""
        frame = Frame(values)
        total: dict[int, dict[Token, int]] = {}
        for at, terms in self.outputs:
            _add(total.setdefault(at, {}), terms.total(frame))
        return total

    def _search(self, at: Search, marking: Bags, faults: list[FaultError]) -> Iterator[Search]:
        pruned = self._pruned(at, marking)
        if pruned is None:
            return
        missing = [name for name in self.names if name not in pruned.values]
        if not missing:
            # A let restricts also where all its variables have values already.
            yield from self._through_sources(pruned, faults)
            return
        for following in self._next(pruned, marking, missing, faults):
            yield from self._search(following, marking, faults)

    def _through_sources(self, at: Search, faults: list[FaultError]) -> Iterator[Search]:
        for source in at.sources:
            try:
                if next(source.matches(at.values), None) is None:
                    return
            except FaultError as fault:
                faults.append(fault)
                return
            except Disabled:
                return
        yield at

    def _pruned(self, at: Search, marking: Bags) -> Search | None:
        """*at* without gates and patterns that hold; ``None`` where one does not."""
        known = at.values.keys()
        frame = Frame(at.values)
        gates: list[tuple[Code, frozenset[str]]] = []
        stops = list(at.stops)
        for gate, needs in at.gates:
            if not needs <= known:
                gates.append((gate, needs))
                continue
            try:
                if gate(frame) == 0:
                    return None
            except FaultError as fault:
                stops.append(fault)
        patterns: list[Pattern] = []
        for pattern in at.patterns:
            if not pattern.tuples.needs <= known:
                patterns.append(pattern)
            elif not _holds(partial(_is_there, pattern, marking, frame)):
                return None
        return Search(at.values, tuple(patterns), at.sources, tuple(gates), tuple(stops))

    def _next(
        self, at: Search, marking: Bags, missing: Sequence[str], faults: list[FaultError]
    ) -> Iterator[Search]:
        """The search after one more step: a let, the cheapest pattern, or a finite sort."""
        known = at.values.keys()
        for number, source in enumerate(at.sources):
            if source.sum.needs <= known:
                rest = at.sources[:number] + at.sources[number + 1 :]
                yield from self._from_source(at, source, rest, faults)
                return
        ready = [
            each
            for each in at.patterns
            if each.tuples.first_needs <= known and not each.tuples.binds <= known
        ]
        for pattern in sorted(ready, key=lambda each: len(marking[each.place])):
            try:
                found = pattern.matches(marking, at.values)
            except Disabled:
                return
            if found is not None:
                for values in found:
                    if self._fits(values):
                        yield replace(at, values=values)
                return
        yield from self._from_sort(at, missing, faults)

    def _from_source(
        self,
        at: Search,
        source: Source,
        rest: tuple[Source, ...],
        faults: list[FaultError],
    ) -> Iterator[Search]:
        try:
            for values in source.matches(at.values):
                if self._fits(values):
                    yield replace(at, values=values, sources=rest)
        except FaultError as fault:
            faults.append(fault)
        except Disabled:
            return

    def _from_sort(
        self, at: Search, missing: Sequence[str], faults: list[FaultError]
    ) -> Iterator[Search]:
        finite = [name for name in missing if name in self._finite]
        if not finite:
            words = f"`{missing[0]}` gets no value from a token that is there, nor from a `let`"
            faults.append(undefined(words, place(self._transition.span)))
            return
        name = min(finite, key=lambda each: self._finite[each][1] - self._finite[each][0])
        low, high = self._finite[name]
        for number in range(low, high + 1):
            yield replace(at, values={**at.values, name: number})

    def _fits(self, values: Values) -> bool:
        """Whether the values are in the sorts of their variables."""
        return all(
            low <= values[name] <= high
            for name, (low, high) in self._finite.items()
            if name in values
        )


def as_bags(values: Iterable[object]) -> list[dict[Token, int]]:
    """What lies in each place, as mappings."""
    return [dict(each.counts) if isinstance(each, Bag) else {} for each in values]


def _ready(arc: Arc, places: Mapping[str, int], evaluator: Evaluator) -> tuple[int, Sum]:
    return places[arc.place], Sum(arc.terms, evaluator)


def _part(component: Component, evaluator: Evaluator) -> Part:
    match component:
        case Interval(low, high):
            needs = variables_of(low) | variables_of(high)
            return Part(evaluator.code(low), evaluator.code(high), None, needs)
        case Var(name):
            return Part(evaluator.code(component), None, name, frozenset({name}))
        case _:
            return Part(evaluator.code(component), None, None, variables_of(component))


def _holds(test: partial[int]) -> bool:
    """Whether *test* is not known to fail: a fault is looked at in the end."""
    try:
        return test() != 0
    except FaultError:
        return True
    except Disabled:
        return False


def _is_there(pattern: Pattern, marking: Bags, frame: Frame) -> int:
    total: dict[Token, int] = {}
    pattern.tuples.add_to(total, frame)
    bag = marking[pattern.place]
    return int(all(bag.get(token, 0) >= count for token, count in total.items()))


def _add(total: dict[Token, int], tokens: Mapping[Token, int]) -> None:
    for token, count in tokens.items():
        total[token] = total.get(token, 0) + count
