"""The token game: what a net does, slow, plain, and right.

A state is a marking, one bag a place. A move is a transition with values for its variables, in the
order of ``Transition.variables``; it is legal when the transition is enabled for them, also where
the marking stays the same. By itself a net is never over, and stuck where nothing is enabled.
Where rules from outside say who plays it, play is over wherever they have a result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, TypeAlias, TypeVar

from zermelo.core.layout import Unpackable
from zermelo.core.machine import (
    Fault,
    FaultError,
    FaultKind,
    Outcome,
    Turn,
    outcome_of_result,
    outcome_of_stuck,
    unlisted,
)
from zermelo.core.signature import MoveKind, MoveParameter, Nouns, Player, Signature
from zermelo.core.state import Move, State
from zermelo.core.values import NUMBER, UNSET, Atom, Type, Value
from zermelo.languages.nets.game.conditions import Sets, holds
from zermelo.languages.nets.game.rules import NO_RULES, PLAYERS_HELP, NetRules
from zermelo.languages.nets.ir import Const, Net, Place, Transition, Var, Variable
from zermelo.languages.nets.run.bags import Bag, Token
from zermelo.languages.nets.run.bounds import bounds
from zermelo.languages.nets.run.evaluate import At, Evaluator
from zermelo.languages.nets.run.matching import (
    Bags,
    BindingCandidate,
    Disabled,
    LongSumError,
    Matcher,
    as_bags,
)
from zermelo.text.budget import OverBudget, budget, long_list, most_to_list
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood

T = TypeVar("T")

Changes: TypeAlias = tuple[tuple[int, Mapping[Token, int]], ...]
"""By how much a firing changes the number of each token in some places, by their numbers."""

_STEPS_OF_A_MATCHER: Final = 20
_STEPS_OF_AN_ARC: Final = 30
_STEPS_OF_A_MARKING: Final = 40
_STEPS_OF_A_PLACE: Final = 3
_STEPS_OF_A_FIRING: Final = 60
_STEPS_OF_A_CONDITION: Final = 5
_STEPS_OF_A_TOKEN: Final = 3
_CACHED_FIRINGS: Final = 100_000
"""Firings that are kept, those of as many markings as there is room for."""
_CACHED_PLACES: Final = 1_000_000
"""So many places may these markings have, all together."""
_HELP: Final[Mapping[FaultKind, str]] = {
    FaultKind.OUTSIDE: "let a `gate` forbid the firing, or give the place other bounds",
    FaultKind.UNDEFINED: "let a `gate` say when the expression has a value",
    FaultKind.ENDLESS: "give loops and recursions an end, or the transition fewer values to try",
    FaultKind.UNLISTED: "give the transition fewer values to try",
}
_SHORTER: Final = "write shorter intervals, or a variable that an input gives its value"


@dataclass(slots=True)
class Steps:
    """What the firings of a marking change, and which of them a fault stops."""

    changes: dict[Move, Changes] = field(default_factory=dict)
    faults: dict[Move, Fault] = field(default_factory=dict)


class TokenGame:
    """A net that runs as its definition says."""

    def __init__(self, net: Net, rules: NetRules = NO_RULES) -> None:
        self._net = net
        self.rules = rules
        self._signature = signature(net, rules)
        self._names = tuple(each.name for each in net.places)
        self._evaluator = Evaluator(net)
        self._transitions = {each.name: each for each in net.transitions}
        self._known: dict[State, Steps] = {}
        self._kept = 0
        self._last: tuple[State, Steps] | None = None
        self._cut: tuple[State, Steps] | None = None
        """What was found last within the steps for a list where that was not all."""
        self._judged: tuple[State, tuple[Atom, ...]] | None = None

    @cached_property
    def _matchers(self) -> tuple[tuple[Transition, Matcher], ...]:
        # Of a large net they take longer than reading it: who only asks for names needs none.
        places = {name: at for at, name in enumerate(self._names)}
        found = []
        for each in self._net.transitions:
            arcs = len(each.inputs) + len(each.outputs)
            self._evaluator.go(_STEPS_OF_A_MATCHER + _STEPS_OF_AN_ARC * arcs)
            found.append((each, Matcher(each, places, self._evaluator)))
        return tuple(found)

    @property
    def net(self) -> Net:
        return self._net

    @property
    def signature(self) -> Signature:
        return self._signature

    @property
    def layout(self) -> Unpackable:
        return Unpackable("only the states of documents with sections can be packed")

    @property
    def initial(self) -> State:
        return State(tuple(each.initial for each in self._net.places), self._names)

    def legal(self, state: State) -> tuple[Move, ...]:
        """The enabled firings in *state*, in canonical order; none where the play is over."""
        return () if self.is_over(state) else tuple(self._steps(state).changes)

    def faults(self, state: State) -> Mapping[Move, Fault]:
        """The firings of *state* that a fault stops.

        A move without arguments stands for all firings of its transition that cannot be listed.
        """
        return {} if self.is_over(state) else self._steps(state).faults

    def after(self, state: State, move: Move) -> State:
        if self.is_over(state):
            self._check(move)
            raise MoveNotAllowed(f"{move} is not allowed: the play is over")
        self._check(move)
        changes, fault = self._decided(state, move)
        if changes is not None:
            return self._changed(state, changes)
        reason = "it is not enabled here" if fault is None else fault.message
        raise MoveNotAllowed(f"{move} is not allowed: {reason}")

    def outcome(self, state: State) -> Outcome | None:
        """What the rules say of *state*; stuck where nothing is enabled, and they say nothing."""
        results = self.results(state)
        if results:
            return outcome_of_result(
                self._signature, results[0] if len(results) == 1 else frozenset(results)
            )
        steps = self._steps(state)
        if steps.changes or unlisted(steps.faults) is not None:
            return None
        return outcome_of_stuck(self._signature, self.player(state), UNSET)

    def is_over(self, state: State) -> bool:
        return bool(self.results(state))

    def results(self, state: State) -> tuple[Atom, ...]:
        """The words for results that hold in *state*; at most one, if the rules make sense."""
        if not self.rules.results:
            return ()
        # Whoever asks for the firings of a marking asks for each of them next, of the same object.
        if self._judged is None or self._judged[0] is not state:
            found = (each.word for each in self.rules.results if self._holds(each.when, state))
            self._judged = (state, tuple(found))
        return self._judged[1]

    def player(self, state: State) -> Player | None:
        """Whose turn it is; nobody's where the rules name nobody, or more than one."""
        found = self.in_turn(state)
        return found[0] if len(found) == 1 else None

    def in_turn(self, state: State) -> tuple[Player, ...]:
        """The players whose turn it is by the rules; one, if the rules make sense."""
        pairs = zip(self.rules.turns, self._signature.players, strict=True)
        return tuple(
            player for turn, player in pairs if turn.when is None or self._holds(turn.when, state)
        )

    def _holds(self, wanted: Sets, state: State) -> bool:
        self._evaluator.go(_STEPS_OF_A_CONDITION)
        return holds(wanted, state, lambda: self.enabled(state))

    def enabled(self, state: State) -> frozenset[str]:
        """The transitions that can fire in *state*, also where the play is over."""
        return frozenset(move.name for move in self._steps(state).changes)

    def turn(self, state: State, move: Move) -> Turn:
        """What *move* does in *state*: the values of its variables, and the places it changes."""
        self._check(move)
        if self.is_over(state):
            return Turn(state, move, None, has_effect=False)
        changes, fault = self._decided(state, move)
        if changes is None:
            return Turn(state, move, None, has_effect=False, fault=fault)
        return Turn(state, move, self._changed(state, changes), has_effect=True)

    def facts(self, state: State) -> tuple[tuple[str, Value | Fault], ...]:  # noqa: ARG002 - none
        return ()

    def broken(self, state: State) -> Mapping[int, Fault | None]:  # noqa: ARG002 - no invariants
        return {}

    # Steps

    def _decided(self, state: State, move: Move) -> tuple[Changes | None, Fault | None]:
        """What *move* changes, or the fault that stops it, also where it could not be listed."""
        steps = self._steps(state)
        fault = steps.faults.get(Move(move.name))
        if fault is None or fault.kind is not FaultKind.UNLISTED or move in steps.changes:
            return steps.changes.get(move), steps.faults.get(move)
        transition, matcher = next(each for each in self._matchers if each[0].name == move.name)
        values = zip(matcher.names, move.arguments, strict=True)
        numbers = {name: value for name, value in values if isinstance(value, int)}
        if len(numbers) < len(move.arguments):
            return None, None
        marking = as_bags(state.values)
        self._evaluator.begin()

        def fired() -> Changes | None:
            if not matcher.allows(numbers):
                return None
            return self._fired(matcher, BindingCandidate(numbers), marking, move)

        try:
            return self._evaluator.guarded(fired, transition.span), None
        except Disabled:
            return None, None
        except FaultError as stop:
            return None, _fault(stop, transition)

    def _changed(self, state: State, changes: Changes) -> State:
        self._evaluator.go(_STEPS_OF_A_MARKING + _STEPS_OF_A_PLACE * len(state.values))
        bags = list(state.values)
        for at, change in changes:
            bag = bags[at]
            assert isinstance(bag, Bag), "a marking is made of bags"
            self._evaluator.go(_STEPS_OF_A_TOKEN * (len(bag.counts) + len(change)))
            tokens = dict(bag.counts)
            for token, count in change.items():
                tokens[token] = tokens.get(token, 0) + count
            bags[at] = Bag.of(tokens)
        return State(tuple(bags), self._names)

    def _steps(self, state: State) -> Steps:
        # Whoever asks which firings are enabled asks for each of them next, of the same object.
        if self._last is not None and self._last[0] is state:
            return self._last[1]
        known, most = self._known.get(state), most_to_list()
        if known is None and most is not None and self._cut is not None and self._cut[0] == state:
            return self._cut[1]
        if known is None:
            known = self._found(state)
            if most is not None and long_list(most) in {f.message for f in known.faults.values()}:
                self._cut = (state, known)
                return known
            self._kept += len(known.changes)
            many = len(self._known) * len(state.values)
            if self._kept > _CACHED_FIRINGS or many > _CACHED_PLACES:
                self._known.clear()
                self._kept = len(known.changes)
            self._known[state] = known
        self._last = (state, known)
        return known

    def _found(self, state: State) -> Steps:
        found = Steps()
        tokens = sum(len(bag.counts) for bag in state.values if isinstance(bag, Bag))
        places = _STEPS_OF_A_PLACE * len(state.values)
        self._evaluator.go(_STEPS_OF_A_MARKING + places + tokens)
        marking = as_bags(state.values)
        most = most_to_list()
        left = most
        for transition, matcher in self._matchers:
            if most is None or left is None:
                self._add_all(transition, matcher, marking, found)
                continue
            try:
                with budget(steps=left) as spent:
                    self._add_all(transition, matcher, marking, found)
                left -= spent.spent
            except OverBudget:
                left, name = 0, transition.name
                # A part of a list tells nobody anything.
                found.changes = {m: c for m, c in found.changes.items() if m.name != name}
                found.faults = {m: f for m, f in found.faults.items() if m.name != name}
                found.faults[Move(name)] = Fault(FaultKind.UNLISTED, long_list(most), name)
        return Steps(_in_order(found.changes), _in_order(found.faults))

    def _add_all(
        self, transition: Transition, matcher: Matcher, marking: Bags, found: Steps
    ) -> None:
        self._evaluator.begin()
        try:
            self._evaluator.guarded(
                lambda: self._add(transition, matcher, marking, found), transition.span
            )
        except FaultError as stop:
            found.faults[Move(transition.name)] = _of_listing(stop, transition)

    def _add(self, transition: Transition, matcher: Matcher, marking: Bags, found: Steps) -> None:
        stops: list[FaultError] = []
        for candidate in matcher.candidates(marking, stops):
            values = candidate.values
            move = Move(transition.name, tuple(values[name] for name in matcher.names))
            if move in found.changes or move in found.faults:
                continue
            try:
                found.changes[move] = self._fired(matcher, candidate, marking, move)
            except Disabled:
                pass
            except FaultError as stop:
                found.faults[move] = _fault(stop, transition)
        if stops:
            found.faults[Move(transition.name)] = _of_listing(stops[0], transition)

    def _fired(
        self, matcher: Matcher, candidate: BindingCandidate, marking: Bags, move: Move
    ) -> Changes:
        taken = matcher.taken(candidate, marking)
        put = matcher.put(candidate.values)
        moved = sum(map(len, (*taken.values(), *put.values())))
        self._evaluator.go(_STEPS_OF_A_FIRING + _STEPS_OF_A_TOKEN * moved)
        changes = []
        for at in sorted(taken.keys() | put.keys()):
            change = {token: -count for token, count in taken.get(at, {}).items()}
            for token, count in put.get(at, {}).items():
                if count:
                    self._check_bounds(self._net.places[at], token, move)
                    change[token] = change.get(token, 0) + count
            changes.append((at, change))
        return tuple(changes)

    def _check_bounds(self, into: Place, token: Token, move: Move) -> None:
        low, high = into.low, into.high
        for at, number in enumerate(token):
            if (low is None or number >= low[at]) and (high is None or number <= high[at]):
                continue
            bounds = [
                f"`{word}` is {Bag(((bound, 1),))}"
                for word, bound in (("lo", low), ("hi", high))
                if bound is not None
            ]
            message = (
                f"{move} puts {Bag(((token, 1),))} into `{into.name}`, where {' and '.join(bounds)}"
            )
            fired = self._transitions.get(move.name)
            span = into.span if fired is None else fired.span
            raise FaultError(FaultKind.OUTSIDE, message, At(span))

    def _check(self, move: Move) -> None:
        transition = self._transitions.get(move.name)
        if transition is None or len(transition.variables) != len(move.arguments):
            raise MoveNotUnderstood(f"{move} is not a firing of this net")


NOUNS: Final = Nouns("marking", "firing", None, "nothing is enabled")
NOUNS_OF_A_GAME: Final = Nouns("marking", "firing")


def signature(net: Net, rules: NetRules = NO_RULES) -> Signature:
    results = tuple(each.word for each in rules.results)
    alone = known_by_name(net) if rules.turns else frozenset()
    return Signature(
        name=net.name,
        variables=tuple(each.name for each in net.places),
        moves=tuple(
            MoveKind(
                each.name,
                tuple(MoveParameter(v.name, _Range(v)) for v in each.variables),
                name_suffices=each.name in alone,
            )
            for each in net.transitions
        ),
        players=rules.players,
        draws=rules.draws,
        results=results,
        can_end=bool(results),
        stuck=rules.stuck,
        readings=rules.readings,
        nouns=NOUNS_OF_A_GAME if rules.turns else NOUNS,
        interpreter="the token game",
        players_help=PLAYERS_HELP,
        fingerprint=net.fingerprint,
        prose=net.prose,
    )


def known_by_name(net: Net) -> frozenset[str]:
    """The transitions that no marking enables for more than one choice of values.

    All their variables stand by themselves in what they take from places with one token at most.
    """
    single = {name for name, most in bounds(net).items() if most <= 1}
    return frozenset(
        each.name
        for each in net.transitions
        if {variable.name for variable in each.variables}
        <= {
            part.name
            for arc in each.inputs
            if arc.place in single and len(arc.terms) == 1 and arc.terms[0].multiplicity == Const(1)
            for part in arc.terms[0].components
            if isinstance(part, Var)
        }
    )


@dataclass(frozen=True, slots=True)
class _Range:
    """The values of a variable of a transition."""

    variable: Variable

    @property
    def text(self) -> str:
        low, high = self.variable.low, self.variable.high
        return "ℤ" if low is None or high is None else f"{{{low}..{high}}}"

    def has(self, value: Value, state: State) -> bool:  # noqa: ARG002 - the same in every state
        low, high = self.variable.low, self.variable.high
        return isinstance(value, int) and (low is None or high is None or low <= value <= high)

    def type(self, state: State) -> Type:  # noqa: ARG002 - as above
        return NUMBER

    def words(self, state: State) -> tuple[Atom, ...]:  # noqa: ARG002 - as above
        return ()


def _fault(stop: FaultError, transition: Transition) -> Fault:
    stop.found_in(transition.name, None)
    help_ = _SHORTER if isinstance(stop, LongSumError) else _HELP.get(stop.kind)
    return replace(stop.fault(), help=help_)


def _of_listing(stop: FaultError, transition: Transition) -> Fault:
    """*stop*, met when the firings of *transition* were listed: without end, they cannot be."""
    found = _fault(stop, transition)
    is_list = found.kind is FaultKind.ENDLESS and transition.variables
    return replace(found, kind=FaultKind.UNLISTED) if is_list else found


def _in_order(found: dict[Move, T]) -> dict[Move, T]:
    return dict(sorted(found.items(), key=lambda item: item[0].sort_key()))
