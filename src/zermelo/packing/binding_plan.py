"""Plans that give variables values one after another, from the source that leaves the fewest.

Comes in: the variables of a move or of a transition; the *sources* that their values can be
taken from; the *clauses*, conditions and definitions that are decided on the way. What a source
or a clause is, only the language knows: here it is data with the names that it needs and gives.
Goes out: steps. A step says which clauses can be decided there, and which sources can be gone
through next, best first. Two back ends follow them: ``run`` tries every value, ``emit`` has code
written that does. Where costs depend on a state, a plan unfolds while it is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Generic, TypeAlias, TypeVar

S = TypeVar("S")
C = TypeVar("C")
T = TypeVar("T")
F = TypeVar("F")
S_co = TypeVar("S_co", covariant=True)
C_co = TypeVar("C_co", covariant=True)

Names: TypeAlias = frozenset[str]


@dataclass(frozen=True, slots=True)
class Clause(Generic[C_co]):
    """A condition or a definition, and the variables that it depends on."""

    of: C_co
    needs: Names


@dataclass(frozen=True, slots=True)
class ValueSource(Generic[S_co]):
    """A collection from whose members variables take their values."""

    of: S_co
    names: tuple[str, ...]
    """The variables it can give values."""
    rank: float
    """Sources with low ranks come first."""
    needs: Names = frozenset()
    least: int = 1
    """It is used only where it gives values to so many variables."""
    ranks: tuple[tuple[Names, float], ...] = ()
    """Ranks that it has once some variables are known, if these are lower."""
    restricts: bool = False
    """Whether it is gone through also where its variables are known: they must be members."""


@dataclass(frozen=True, slots=True)
class Way(Generic[S_co]):
    """A source at a step, and the variables that get their values from it there."""

    of: S_co
    names: tuple[str, ...]
    number: int
    """Which of the plan's sources it is."""


Cost: TypeAlias = Callable[[Way[S]], float | None]
"""How many members are to be expected of a source; ``None`` if it cannot be used here."""


@dataclass(frozen=True, slots=True, eq=False)
class BindingStep(Generic[S, C]):
    """A point on the way to a binding."""

    bound: Names
    clauses: tuple[C, ...]
    """What can be decided here, and could not before."""
    tiers: tuple[tuple[Way[S], ...], ...]
    """The ways on, those with the same rank together; none where the binding is complete."""
    _plan: BindingPlan[S, C] = field(repr=False)
    _used: frozenset[int] = field(repr=False)

    @property
    def is_last(self) -> bool:
        return not self.tiers

    def ways(self, cost: Cost[S]) -> Iterator[Way[S]]:
        """The ways on, best first: by rank, by *cost*, and in the order of the sources."""
        for tier in self.tiers:
            costs = [(cost(way), at) for at, way in enumerate(tier)]
            for _, at in sorted((found, at) for found, at in costs if found is not None):
                yield tier[at]

    def best(self) -> Way[S]:
        return self.tiers[0][0]

    def after(self, way: Way[S]) -> BindingStep[S, C]:
        bound = self.bound.union(way.names)
        return self._plan.step(bound, self._used | {way.number}, before=self.bound)


class BindingPlan(Generic[S, C]):
    """The plan for some variables, each given with those that its own set depends on."""

    def __init__(
        self,
        variables: Mapping[str, Names],
        sources: Iterable[ValueSource[S]],
        clauses: Iterable[Clause[C]],
    ) -> None:
        self._variables = variables
        self._sources = tuple(sources)
        self._clauses = tuple(clauses)
        self._restricting = frozenset(n for n, s in enumerate(self._sources) if s.restricts)
        self._steps: dict[tuple[Names | None, Names, frozenset[int]], BindingStep[S, C]] = {}

    def start(self, bound: Names = frozenset()) -> BindingStep[S, C]:
        """The first step where the variables *bound* have values already."""
        return self.step(bound, frozenset(), before=None)

    def chain(self) -> Iterator[BindingStep[S, C]]:
        step = self.start()
        while not step.is_last:
            yield step
            step = step.after(step.best())
        yield step

    def step(
        self, bound: Names, used: frozenset[int], *, before: Names | None
    ) -> BindingStep[S, C]:
        """The step where *bound* are known, reached from where those *before* were; made once."""
        # Sources that do not restrict are used up when their variables are known.
        used &= self._restricting
        key = (before, bound, used)
        if key not in self._steps:
            clauses = tuple(
                clause.of
                for clause in self._clauses
                if clause.needs <= bound and (before is None or not clause.needs <= before)
            )
            self._steps[key] = BindingStep(bound, clauses, self._tiers(bound, used), self, used)
        return self._steps[key]

    def _tiers(self, bound: Names, used: frozenset[int]) -> tuple[tuple[Way[S], ...], ...]:
        waiting = [name for name in self._variables if name not in bound]
        # Where sets depend on each other in a circle, the first is tried all the same.
        ready = [n for n in waiting if self._variables[n] <= bound] or waiting[:1]
        ranked: list[tuple[float, Way[S]]] = []
        for number, source in enumerate(self._sources):
            names = tuple(name for name in source.names if name in ready)
            is_due = source.restricts and number not in used
            if source.needs <= bound and (is_due or (names and len(names) >= source.least)):
                lower = (rank for needs, rank in source.ranks if needs <= bound)
                rank = min((source.rank, *lower))
                ranked.append((rank, Way(source.of, names, number)))
        ranked.sort(key=_rank)
        return tuple(tuple(way for _, way in tier) for _, tier in groupby(ranked, key=_rank))


def _rank(ranked: tuple[float, Way[S]]) -> float:
    return ranked[0]


def run(
    step: T,
    frame: F,
    *,
    decide: Callable[[T, F], F | None],
    follow: Callable[[T, F], Iterator[tuple[T, F]] | None],
) -> Iterator[F]:
    """Every frame at the last step; a step is one of a plan, or what a language has made of it.

    *decide* gives the frame in which the clauses of a step are decided, ``None`` where one does
    not hold; *follow* the frames behind a step, each with its step, ``None`` where all is known.
    """
    decided = decide(step, frame)
    if decided is None:
        return
    following = follow(step, decided)
    if following is None:
        yield decided
        return
    for after, bound in following:
        yield from run(after, bound, decide=decide, follow=follow)


def emit(
    step: BindingStep[S, C],
    *,
    decide: Callable[[BindingStep[S, C]], bool],
    go_through: Callable[[BindingStep[S, C], Way[S]], None],
    cost: Cost[S] = lambda _: 0,
) -> bool:
    """Have loops and tests written from *step* on; ``False`` where there is no binding.

    *decide* writes what decides the clauses of a step, ``False`` where it is known that one fails;
    *go_through* writes a loop over the members of a source, in which what follows is written.
    """
    while decide(step):
        if step.is_last:
            return True
        way = next(step.ways(cost))
        go_through(step, way)
        step = step.after(way)
    return False
