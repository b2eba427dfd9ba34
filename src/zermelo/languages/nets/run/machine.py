"""The token game: what a net does, slow, plain, and right.

A state is a marking, one bag a place. A move is a transition with values for its
variables, in the order of ``Transition.variables``; it is legal when the transition is
enabled for them, also where the marking stays the same. Nothing is ever over: a marking
in which nothing is enabled is stuck.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from zermelo.core.faults import FaultError, undefined
from zermelo.core.machine import (
    Change,
    Fault,
    FaultKind,
    Move,
    Outcome,
    SetEvent,
    State,
    Turn,
)
from zermelo.core.outcomes import outcome_of_stuck
from zermelo.core.values import UNSET, Value
from zermelo.languages.nets.ir import Net, Place, Transition
from zermelo.languages.nets.run.bags import Bag, Token
from zermelo.languages.nets.run.evaluate import Evaluator, place
from zermelo.languages.nets.run.matching import (
    Bags,
    Disabled,
    LongSumError,
    Matcher,
    Search,
    as_bags,
)
from zermelo.languages.nets.run.skeleton import skeleton
from zermelo.languages.sections.ir import Expr, Literal, Player, Ref, System
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood

T = TypeVar("T")

_CACHED_STATES: Final = 512
_HELP: Final[Mapping[FaultKind, str]] = {
    FaultKind.OUTSIDE: "let a `gate` forbid the firing, or give the place other bounds",
    FaultKind.UNDEFINED: "let a `gate` say when the expression has a value",
    FaultKind.ENDLESS: "give loops and recursions an end, or the transition fewer values to try",
}
_SHORTER: Final = "write shorter intervals, or a variable that an input gives its value"


@dataclass(slots=True)
class Steps:
    """What the firings of a marking lead to, and which of them a fault stops."""

    states: dict[Move, State] = field(default_factory=dict)
    faults: dict[Move, Fault] = field(default_factory=dict)


class TokenGame:
    """A net that runs as its definition says."""

    def __init__(self, net: Net) -> None:
        self._net = net
        self._system = skeleton(net)
        self._names = tuple(each.name for each in net.places)
        self._evaluator = Evaluator(net)
        places = {name: at for at, name in enumerate(self._names)}
        self._matchers = tuple(
            (each, Matcher(each, places, self._evaluator)) for each in net.transitions
        )
        self._transitions = {each.name: each for each in net.transitions}
        self._known: dict[State, Steps] = {}

    @property
    def net(self) -> Net:
        """The net it runs."""
        return self._net

    @property
    def system(self) -> System:
        """The places and transitions, listed."""
        return self._system

    @property
    def initial(self) -> State:
        """The first marking."""
        return State(tuple(each.initial for each in self._net.places), self._names)

    def legal(self, state: State) -> tuple[Move, ...]:
        """The enabled firings in *state*, in canonical order."""
        return tuple(self._steps(state).states)

    def faults(self, state: State) -> Mapping[Move, Fault]:
        """The firings of *state* that a fault stops.

        A move without arguments stands for all firings of its transition that cannot
        be listed.
        """
        return self._steps(state).faults

    def after(self, state: State, move: Move) -> State:
        """The marking after *move*; ``MoveNotAllowed`` if it is not legal."""
        steps = self._steps(state)
        if move in steps.states:
            return steps.states[move]
        self._check(move)
        fault = steps.faults.get(move)
        reason = "it is not enabled here" if fault is None else fault.message
        raise MoveNotAllowed(f"{move} is not allowed: {reason}")

    def outcome(self, state: State) -> Outcome | None:
        """Stuck where nothing is enabled; a net has no other outcomes."""
        return None if self.legal(state) else outcome_of_stuck(self._system, None, UNSET)

    def is_over(self, state: State) -> bool:  # noqa: ARG002 - a net never ends by itself
        """Never."""
        return False

    def player(self, state: State) -> Player | None:  # noqa: ARG002 - nets have no players
        """Nobody."""
        return None

    def turn(self, state: State, move: Move) -> Turn:
        """What *move* does in *state*: the values of its variables, and the places it changes."""
        self._check(move)
        steps = self._steps(state)
        after = steps.states.get(move)
        if after is None:
            return Turn(state, move, None, has_effect=False, fault=steps.faults.get(move))
        named = self._transitions.get(move.name)
        names = () if named is None else tuple(each.name for each in named.variables)
        changes = tuple(
            Change(name, before, value)
            for (name, before), value in zip(state.items(), after.values, strict=True)
            if before != value
        )
        event = SetEvent(move.name, changes, tuple(zip(names, move.arguments, strict=True)))
        return Turn(state, move, after, has_effect=True, events=(event,))

    def evaluate(self, expr: Expr, state: State, names: Mapping[str, Value]) -> Value | Fault:
        """The value of *expr* if it is a place or a value; a net has no other expressions."""
        match expr:
            case Literal(value):
                return value
            case Ref(name) if name in state.names:
                return state[name]
            case _ if names:
                return undefined("a net has no expressions with locals", expr).fault()
            case _:
                return undefined("a net has no such expressions", expr).fault()

    # Steps

    def _steps(self, state: State) -> Steps:
        known = self._known.get(state)
        if known is None:
            known = self._found(state)
            if len(self._known) >= _CACHED_STATES:
                self._known.clear()
            self._known[state] = known
        return known

    def _found(self, state: State) -> Steps:
        found = Steps()
        marking = as_bags(state.values)
        for transition, matcher in self._matchers:
            self._evaluator.begin()
            try:
                self._evaluator.guarded(
                    lambda: self._add(transition, matcher, marking, state, found),  # noqa: B023 - called at once
                    transition.span,
                )
            except FaultError as stop:
                found.faults[Move(transition.name)] = _fault(stop, transition)
        return Steps(_in_order(found.states), _in_order(found.faults))

    def _add(
        self, transition: Transition, matcher: Matcher, marking: Bags, state: State, found: Steps
    ) -> None:
        """Add the firings of *transition* to *found*."""
        stops: list[FaultError] = []
        for candidate in matcher.candidates(marking, stops):
            values = candidate.values
            move = Move(transition.name, tuple(values[name] for name in matcher.names))
            if move in found.states or move in found.faults:
                continue
            try:
                found.states[move] = self._fired(matcher, candidate, marking, state, move)
            except Disabled:
                pass
            except FaultError as stop:
                found.faults[move] = _fault(stop, transition)
        if stops:
            found.faults[Move(transition.name)] = _fault(stops[0], transition)

    def _fired(
        self, matcher: Matcher, candidate: Search, marking: Bags, state: State, move: Move
    ) -> State:
        taken = matcher.taken(candidate, marking)
        put = matcher.put(candidate.values)
        bags = list(state.values)
        for at in sorted(taken.keys() | put.keys()):
            tokens = dict(marking[at])
            for token, count in taken.get(at, {}).items():
                if count:
                    tokens[token] -= count
            for token, count in put.get(at, {}).items():
                if count:
                    self._check_bounds(self._net.places[at], token, move)
                    tokens[token] = tokens.get(token, 0) + count
            bags[at] = Bag.of(tokens)
        return State(tuple(bags), self._names)

    def _check_bounds(self, into: Place, token: Token, move: Move) -> None:
        low, high = into.low, into.high
        for at, number in enumerate(token):
            if (low is None or number >= low[at]) and (high is None or number <= high[at]):
                continue
            bag = Bag(((token, 1),))
            bounds = [
                f"`{word}` is {Bag(((bound, 1),))}"
                for word, bound in (("lo", low), ("hi", high))
                if bound is not None
            ]
            message = f"{move} puts {bag} into `{into.name}`, where {' and '.join(bounds)}"
            fired = self._transitions.get(move.name)
            span = into.span if fired is None else fired.span
            raise FaultError(FaultKind.OUTSIDE, message, place(span))

    def _check(self, move: Move) -> None:
        transition = self._transitions.get(move.name)
        if transition is None or len(transition.variables) != len(move.arguments):
            raise MoveNotUnderstood(f"{move} is not a firing of this net")


def _fault(stop: FaultError, transition: Transition) -> Fault:
    stop.found_in(transition.name, None)
    help_ = _SHORTER if isinstance(stop, LongSumError) else _HELP.get(stop.kind)
    return replace(stop.fault(), help=help_)


def _in_order(found: dict[Move, T]) -> dict[Move, T]:
    return dict(sorted(found.items(), key=lambda item: item[0].sort_key()))
