"""The definition of what a system does: slow, plain, and right.

A turn calls the move's procedure. If that changed a stored variable, the move
was legal and the end is called. Flags start every turn at their first values
and are forgotten after it. A fault stops the turn, which then was not made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final, TypeVar

from zermelo.core.faults import undefined
from zermelo.core.machine import (
    NO_EFFECT_MOVE,
    PASS_MOVE,
    CallEvent,
    Event,
    Fault,
    Move,
    Outcome,
    State,
    Turn,
)
from zermelo.core.outcomes import outcome_of_result, outcome_of_stuck
from zermelo.core.values import UNSET, Value, in_order
from zermelo.languages.sections.ir import Expr, NoEffect, Player, Ref, Stuck, System
from zermelo.languages.sections.run import sets
from zermelo.languages.sections.run.arguments import Arguments
from zermelo.languages.sections.run.env import Env, ValueCode
from zermelo.languages.sections.run.program import Routine
from zermelo.languages.sections.run.run import Store, is_member, is_outside
from zermelo.languages.sections.run.turns import Made, Turns
from zermelo.languages.sections.walk import free_locals, parts
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood

T = TypeVar("T")

_CACHED_STATES: Final = 512
_CACHED_EXPRESSIONS: Final = 1024
_COSTLY: Final = Move(NO_EFFECT_MOVE)
_PASS: Final = Move(PASS_MOVE)


@dataclass(slots=True)
class Steps:
    """What the moves of a state lead to, and which of them a fault stops."""

    states: dict[Move, State] = field(default_factory=dict)
    faults: dict[Move, Fault] = field(default_factory=dict)


class Interpreter:
    """A system that runs as its definition says."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._turns = Turns(system)
        self._expressions = self._turns.expressions
        self._moves = {p.name: self._turns.program.routines[p.name] for p in system.moves}
        self._arguments = {
            name: Arguments(self._turns.program, routine) for name, routine in self._moves.items()
        }
        self._over = None if system.over is None else self._expressions.truth(system.over)
        self._in_turn = tuple(
            (player, self._expressions.truth(player.turn)) for player in system.players
        )
        self._steps: dict[State, Steps] = {}
        self._codes: dict[int, tuple[Expr, ValueCode]] = {}

    @property
    def system(self) -> System:
        """The system it runs."""
        return self._system

    @property
    def initial(self) -> State:
        """The first state."""
        return self._turns.initial

    @property
    def initial_faults(self) -> tuple[Fault, ...]:
        """The faults in the first values; a variable whose first value has one is unset."""
        return self._turns.initial_faults

    @property
    def examined(self) -> int:
        """How many conditions were tested in looking for moves, since the beginning."""
        return sum(arguments.examined for arguments in self._arguments.values())

    @property
    def work(self) -> int:
        """How many members of sets were gone through, since the beginning."""
        return self._expressions.work.total + self._expressions.work.done

    def legal(self, state: State) -> tuple[Move, ...]:
        """The moves that have an effect in *state*, in canonical order; none when it is over."""
        return tuple(self._known_steps(state).states)

    def inputs(self, state: State) -> tuple[Move, ...]:
        """The moves worth trying in *state*: all with an effect, and others, in canonical order."""
        if self.is_over(state):
            return ()
        base = self._turns.store(state)
        found: list[Move] = []
        for name, tried in self._arguments.items():
            candidates = self._turns.guarded(lambda: tried.candidates(base))  # noqa: B023 - called at once
            if not isinstance(candidates, Fault):
                found.extend(Move(name, arguments) for arguments in candidates.arguments)
        return tuple(sorted(found, key=Move.sort_key))

    def faults(self, state: State) -> Mapping[Move, Fault]:
        """The moves of *state* that are not made because a fault stops them.

        A move without arguments stands for all of its procedure's when these
        cannot be listed.
        """
        return self._known_steps(state).faults

    def after(self, state: State, move: Move) -> State:
        """The state after *move*; ``MoveNotAllowed`` if it is not legal."""
        known = self._steps.get(state)
        if known is not None and move in known.states:
            return known.states[move]
        turn = self._turn(state, move, None)
        if turn.after is None:
            reason = turn.fault.message if turn.fault else "it has no effect here"
            if self.is_over(state):
                reason = "the play is over"
            raise MoveNotAllowed(f"{move} is not allowed: {reason}")
        return turn.after

    def turn(self, state: State, move: Move) -> Turn:
        """What *move* does in *state*, with the log of its rules."""
        return self._turn(state, move, [])

    def outcome(self, state: State) -> Outcome | None:
        """How the play ended, if it ended in *state*."""
        if self.is_over(state):
            return outcome_of_result(self._system, self._result(state))
        if not self.legal(state):
            player = self.player(state)
            return outcome_of_stuck(self._system, player, self._result(state))
        return None

    def is_over(self, state: State) -> bool:
        """Whether play stops in *state*."""
        over = self._over
        if over is None:
            return False
        return self._turns.guarded(lambda: over(self._env(state))) is True

    def player(self, state: State) -> Player | None:
        """The player whose turn it is."""
        for player, in_turn in self._in_turn:
            if self._turns.guarded(lambda: in_turn(self._env(state))) is True:  # noqa: B023 - called at once
                return player
        return None

    def evaluate(self, expr: Expr, state: State, names: Mapping[str, Value]) -> Value | Fault:
        """The value of *expr* in *state*, with locals bound by *names*."""
        missing = sorted(free_locals(expr) - names.keys())
        if missing:
            return undefined(f"`{missing[0]}` has no value here", expr).fault()
        code = self._code(expr)
        return self._turns.guarded(lambda: code(self._env(state, names)))

    # Steps

    def _known_steps(self, state: State) -> Steps:
        found = self._steps.get(state)
        if found is None:
            found = self._found_steps(state)
            if len(self._steps) >= _CACHED_STATES:
                self._steps.clear()
            self._steps[state] = found
        return found

    def _found_steps(self, state: State) -> Steps:
        if self.is_over(state):
            return Steps()
        found = self._effective(state)
        if self._system.no_effect is NoEffect.COSTS_THE_TURN and self._has_input_left(state, found):
            self._add(found, _COSTLY, self._turns.ended(self._turns.store(state)), state)
        if not found.states and self._system.stuck is Stuck.PASSES:
            passed = self._passed(state)
            if passed is not None:
                found.states[_PASS] = passed
        return Steps(_in_order(found.states), _in_order(found.faults))

    def _effective(self, state: State) -> Steps:
        """The moves with an effect."""
        found = Steps()
        base = self._turns.store(state)
        for name, routine in self._moves.items():
            tried = self._arguments[name]
            candidates = self._turns.guarded(lambda: tried.candidates(base))  # noqa: B023 - called at once
            if isinstance(candidates, Fault):
                found.faults[Move(name)] = candidates
                continue
            for stop in candidates.faults:
                found.faults[Move(name)] = stop.fault()
            for arguments in candidates.arguments:
                made = self._turns.made(base.fork(), routine, arguments)
                if made.has_effect or made.fault is not None:
                    self._add(found, Move(name, arguments), made, None)
        return found

    def _add(self, found: Steps, move: Move, made: Made, unless: State | None) -> None:
        if made.fault is not None:
            found.faults[move] = made.fault
        elif made.state is not None and made.state != unless:
            found.states[move] = made.state

    def _has_input_left(self, state: State, found: Steps) -> bool:
        """Whether there is an input without effect."""
        env = self._env(state)
        for name, routine in self._moves.items():
            used = sum(1 for move in (*found.states, *found.faults) if move.name == name)
            size = self._turns.guarded(lambda: _inputs(routine, env))  # noqa: B023 - called at once
            if isinstance(size, Fault) or size is None or size > used:
                return True
        return False

    def _turn(self, state: State, move: Move, log: list[Event] | None) -> Turn:
        made = Made(None, has_effect=False)
        if not self.is_over(state):
            made = self._made(state, move, log)
        return Turn(state, move, made.state, made.has_effect, tuple(log or ()), made.fault)

    def _made(self, state: State, move: Move, log: list[Event] | None) -> Made:
        if move in (_COSTLY, _PASS):
            return self._pseudo(state, move, log)
        routine = self._moves.get(move.name)
        if routine is None or len(routine.parameters) != len(move.arguments):
            raise MoveNotUnderstood(f"{move} is not a move of this system")
        store = self._turns.store(state)
        reason = self._turns.guarded(lambda: self._outside(routine, move, store))
        if isinstance(reason, Fault):
            return Made(None, has_effect=False, fault=reason)
        if reason is not None:
            named = tuple(zip(routine.parameters, move.arguments, strict=True))
            if log is not None:
                log.append(CallEvent(move.name, named, skipped=reason))
            return Made(None, has_effect=False)
        costs = self._system.no_effect is NoEffect.COSTS_THE_TURN
        return self._turns.made(store, routine, move.arguments, log=log, costs_the_turn=costs)

    def _pseudo(self, state: State, move: Move, log: list[Event] | None) -> Made:
        if move not in self._known_steps(state).states:
            return Made(None, has_effect=False)
        if move == _PASS:
            return Made(self._known_steps(state).states[move], has_effect=False)
        return self._turns.ended(self._turns.store(state), log=log)

    def _outside(self, routine: Routine, move: Move, store: Store) -> str | None:
        """Why the arguments are outside the sets of the parameters, if they are."""
        env = Env(store.values, store.facts, {}, work=self._expressions.work)
        described = zip(routine.procedure.parameters, routine.domains, move.arguments, strict=True)
        for parameter, domain, value in described:
            if not is_member(domain(env), value, parameter.domain):
                return is_outside(parameter.name, value, parameter.domain)
            env.locals[parameter.name] = value
        return None

    # Passing

    def _passed(self, state: State) -> State | None:
        """The state in which the next player who can move is in turn, all else as it is."""
        at = state
        for _ in self._system.players[1:]:
            following = self._with_next_player(at)
            if following is None:
                return None
            at = following
            if self._effective(at).states:
                return at
        return None

    def _with_next_player(self, state: State) -> State | None:
        players = self._system.players
        player = self.player(state)
        if player is None or len(players) < 2:
            return None
        following = players[(players.index(player) + 1) % len(players)]
        names = self._turn_variables()
        domains = [self._members_of_domain(name, state) for name in names]
        for values in product(*domains):
            changed = dict(zip(names, values, strict=True))
            other = State(tuple(changed.get(n, v) for n, v in state.items()), state.names)
            if self.player(other) == following:
                return other
        return None

    def _turn_variables(self) -> tuple[str, ...]:
        used = {
            part.name
            for player in self._system.players
            for part in parts(player.turn)
            if isinstance(part, Ref)
        }
        return tuple(name for name in self._turns.names if name in used)

    def _members_of_domain(self, name: str, state: State) -> list[Value]:
        variable = self._system.variable(name)
        if variable is None or variable.domain is None:
            return [state[name]]
        domain = self.evaluate(variable.domain, state, {})
        return in_order(domain) if isinstance(domain, frozenset) else [state[name]]

    # Values

    def _env(self, state: State, names: Mapping[str, Value] | None = None) -> Env:
        store = self._turns.store(state)
        return Env(store.values, store.facts, dict(names or {}), work=self._expressions.work)

    def _code(self, expr: Expr) -> ValueCode:
        known = self._codes.get(id(expr))
        if known is None or known[0] is not expr:
            if len(self._codes) >= _CACHED_EXPRESSIONS:
                self._codes.clear()
            # The expression is kept, so that no other can get its identity.
            known = self._codes[id(expr)] = (expr, self._expressions.value(expr))
        return known[1]

    def _result(self, state: State) -> Value:
        name = self._system.result
        if name is None:
            return UNSET
        if name in state.names:
            return state[name]
        value = self.evaluate(Ref(name), state, {})
        return UNSET if isinstance(value, Fault) else value


def _in_order(found: dict[Move, T]) -> dict[Move, T]:
    return dict(sorted(found.items(), key=lambda item: item[0].sort_key()))


def _inputs(routine: Routine, env: Env) -> int | None:
    """How many inputs a move has; ``None`` when they are without number."""
    count = 1
    for domain in routine.domains:
        size = sets.size(domain(env))
        if size.count is None:
            return None
        count *= sets.cardinality(domain(env)) if not size.is_exact else size.count
    return count
