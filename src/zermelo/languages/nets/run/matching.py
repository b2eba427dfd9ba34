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
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from math import inf
from typing import Final, TypeAlias, TypeVar, assert_never

from zermelo.core.machine import FaultError, FaultKind, undefined
from zermelo.languages.nets.ir import (
    Arc,
    Component,
    Const,
    Interval,
    Let,
    Term,
    Transition,
    Var,
    Variable,
)
from zermelo.languages.nets.run.bags import Bag, Token
from zermelo.languages.nets.run.evaluate import At, Code, Evaluator, Frame, variables_of, weight
from zermelo.packing.binding_plan import (
    BindingPlan,
    BindingStep,
    Clause,
    Names,
    ValueSource,
    Way,
    run,
)

S = TypeVar("S")
C = TypeVar("C")

_STEPS_OF_A_CANDIDATE: Final = 4
_STEPS_OF_A_CLAUSE: Final = 2
_STEPS_OF_A_TOKEN: Final = 2
MOST_TOKENS: Final = 1_000_000
"""So many tokens may stand in one sum."""

Values: TypeAlias = dict[str, int]
Bags: TypeAlias = Sequence[Mapping[Token, int]]


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
        self._go = evaluator.go
        self._work = weight(term.multiplicity, *term.components)
        self.multiplicity = evaluator.code(term.multiplicity)
        self.constant = term.multiplicity.value if isinstance(term.multiplicity, Const) else None
        self.parts = tuple(_part(each, evaluator) for each in term.components)
        self.first_needs = variables_of(term.multiplicity)
        self.needs = self.first_needs.union(*(part.needs for part in self.parts))
        self.binds = frozenset(part.variable for part in self.parts if part.variable is not None)
        self.has_interval = any(part.high is not None for part in self.parts)

    def go(self, work: int) -> None:
        self._go(work)

    def times(self, frame: Frame) -> int:
        """The multiplicity; ``Disabled`` where one that is computed is negative."""
        if self.constant is not None:
            return self.constant
        number = self.multiplicity(frame)
        if number < 0:
            raise Disabled
        return number

    def add_to(self, total: dict[Token, int], frame: Frame) -> None:
        self._go(self._work)
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
            raise LongSumError(size, At(self.term.span))
        self._go(size)
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
        self.tuples.go(_STEPS_OF_A_TOKEN * len(bag))
        for token, count in bag.items():
            if count >= times and all(
                low <= token[at] <= high for at, (low, high) in checks.items()
            ):
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
class LetTokens:
    """A ``let`` from which variables can take their values."""

    let: Let
    sum: Sum

    def matches(self, values: Values) -> Iterator[Values]:
        """The values with those that the tokens of the sum give."""
        total = self.sum.total(Frame(values))
        for each in self.sum.tuples[:1]:
            each.go(_STEPS_OF_A_TOKEN * len(total))
        for token, count in sorted(total.items()):
            if count <= 0:
                continue
            found = dict(values)
            if all(
                found.setdefault(name, number) == number
                for name, number in zip(self.let.names, token, strict=True)
            ):
                yield found


_LET, _PATTERN, _SORT = range(3)
"""Ranks of sources."""


def let_source(of: S, let: Let, needs: Names = frozenset()) -> ValueSource[S]:
    """A ``let`` comes first, and restricts also where all its variables have values already."""
    return ValueSource(of, let.names, _LET, needs, restricts=True)


def pattern_source(of: S, names: Names, needs: Names) -> ValueSource[S]:
    return ValueSource(of, tuple(names), _PATTERN, needs)


def binding_plan(
    transition: Transition, sources: Iterable[ValueSource[S]], clauses: Iterable[Clause[C]]
) -> BindingPlan[S | Variable, C]:
    """The plan for the variables of *transition*; their sorts come last, the shortest first.

    A variable without a sort is a source, too: one that has no values.
    """
    variables = transition.variables
    sorts = [ValueSource(each, (each.name,), _SORT + _width(each)) for each in variables]
    needs = {each.name: frozenset[str]() for each in variables}
    return BindingPlan(needs, [*sources, *sorts], clauses)


def _width(variable: Variable) -> float:
    low, high = variable.low, variable.high
    return inf if low is None or high is None else high - low


@dataclass(frozen=True, slots=True)
class BindingCandidate:
    """Values of variables that gates and tokens allow so far."""

    values: Values
    stops: tuple[FaultError, ...] = ()
    """Faults of gates that were looked at."""


Choice: TypeAlias = LetTokens | Pattern | Variable
NetStep: TypeAlias = BindingStep[Choice, Code | Pattern]


class Matcher:
    """Finds the candidates of one transition, and what each takes and puts."""

    def __init__(
        self, transition: Transition, places: Mapping[str, int], evaluator: Evaluator
    ) -> None:
        self._transition = transition
        self._evaluator = evaluator
        self.names = tuple(each.name for each in transition.variables)
        self._work = _STEPS_OF_A_CANDIDATE + len(transition.variables)
        """How many steps a value that is tried takes."""
        self._gates: dict[Code, int] = {}
        """How many each gate takes."""
        self._finite = {
            each.name: (each.low, each.high)
            for each in transition.variables
            if each.low is not None and each.high is not None
        }
        self.inputs = tuple(_ready(arc, places, evaluator) for arc in transition.inputs)
        self.outputs = tuple(_ready(arc, places, evaluator) for arc in transition.outputs)

    @cached_property
    def _start(self) -> NetStep:
        code = self._evaluator.code
        patterns = [
            Pattern(at, each)
            for at, terms in self.inputs
            if not terms.subtracts
            for each in terms.tuples
            if each.constant != 0
        ]
        lets = [LetTokens(each, Sum(each.terms, self._evaluator)) for each in self._transition.lets]
        sources: list[ValueSource[LetTokens | Pattern]] = [
            *(let_source(each, each.let, each.sum.needs) for each in lets),
            *(
                pattern_source(each, each.tuples.binds, each.tuples.first_needs)
                for each in patterns
                if each.tuples.binds
            ),
        ]
        gates = [(code(gate), gate) for gate in self._transition.gates]
        self._gates = {made: weight(gate) for made, gate in gates}
        clauses: list[Clause[Code | Pattern]] = [
            *(Clause(made, variables_of(gate)) for made, gate in gates),
            *(Clause(each, each.tuples.needs) for each in patterns),
        ]
        return binding_plan(self._transition, sources, clauses).start()

    def candidates(self, marking: Bags, faults: list[FaultError]) -> Iterator[BindingCandidate]:
        """Every candidate whose gates do not forbid it, some more than once.

        *faults* gets what keeps candidates from being listed.
        """
        return run(
            self._start,
            BindingCandidate({}),
            decide=partial(self._decided, marking),
            follow=partial(self._following, marking, faults),
        )

    def allows(self, values: Values) -> bool:
        """Whether sorts, lets and gates allow *values*, which are those of all variables."""
        frame = Frame(values)
        lets = (LetTokens(each, Sum(each.terms, self._evaluator)) for each in self._transition.lets)
        return (
            self._fits(values)
            and all(any(True for _ in each.matches(values)) for each in lets)
            and all(self._evaluator.code(gate)(frame) for gate in self._transition.gates)
        )

    def taken(self, candidate: BindingCandidate, marking: Bags) -> dict[int, dict[Token, int]]:
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
        frame = Frame(values)
        total: dict[int, dict[Token, int]] = {}
        for at, terms in self.outputs:
            _add(total.setdefault(at, {}), terms.total(frame))
        return total

    def _decided(
        self, marking: Bags, step: NetStep, at: BindingCandidate
    ) -> BindingCandidate | None:
        """*at* where no gate and no pattern that can be decided forbids it."""
        self._evaluator.go(self._work + _STEPS_OF_A_CLAUSE * len(step.clauses))
        frame = Frame(at.values)
        stops: list[FaultError] = []
        for clause in step.clauses:
            if isinstance(clause, Pattern):
                if not _may_be_there(clause, marking, frame):
                    return None
                continue
            try:
                self._evaluator.go(self._gates[clause])
                if clause(frame) == 0:
                    return None
            except FaultError as fault:
                stops.append(fault)
        return BindingCandidate(at.values, (*at.stops, *stops)) if stops else at

    def _following(
        self, marking: Bags, faults: list[FaultError], step: NetStep, at: BindingCandidate
    ) -> Iterator[tuple[NetStep, BindingCandidate]] | None:
        return None if step.is_last else self._bound(marking, faults, step, at)

    def _bound(
        self, marking: Bags, faults: list[FaultError], step: NetStep, at: BindingCandidate
    ) -> Iterator[tuple[NetStep, BindingCandidate]]:
        def tokens(way: Way[Choice]) -> int:
            return len(marking[way.of.place]) if isinstance(way.of, Pattern) else 0

        for way in step.ways(tokens):
            try:
                found = self._values(way.of, marking, at.values)
                if found is None:
                    continue
                following = step.after(way)
                for values in found:
                    self._evaluator.go(self._work)
                    if self._fits(values):
                        yield following, BindingCandidate(values, at.stops)
            except FaultError as fault:
                faults.append(fault)
            except Disabled:
                pass
            return

    def _values(self, source: Choice, marking: Bags, values: Values) -> Iterator[Values] | None:
        match source:
            case Pattern():
                return source.matches(marking, values)
            case LetTokens():
                return source.matches(values)
            case Variable(name, low, high):
                if low is None or high is None:
                    words = f"`{name}` gets no value from a token that is there, nor from a `let`"
                    raise undefined(words, At(self._transition.span))
                return ({**values, name: number} for number in range(low, high + 1))
            case _:
                assert_never(source)

    def _fits(self, values: Values) -> bool:
        return all(
            low <= values[name] <= high
            for name, (low, high) in self._finite.items()
            if name in values
        )


def as_bags(values: Iterable[object]) -> list[dict[Token, int]]:
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


def _may_be_there(pattern: Pattern, marking: Bags, frame: Frame) -> bool:
    """Whether the tokens are not known to lack: a fault is looked at in the end."""
    total: dict[Token, int] = {}
    try:
        pattern.tuples.add_to(total, frame)
    except FaultError:
        return True
    except Disabled:
        return False
    bag = marking[pattern.place]
    return all(bag.get(token, 0) >= count for token, count in total.items())


def _add(total: dict[Token, int], tokens: Mapping[Token, int]) -> None:
    for token, count in tokens.items():
        total[token] = total.get(token, 0) + count
