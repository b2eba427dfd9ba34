"""The definition of what a system does: slow, plain, and right.

A turn calls the move's procedure. If that changed a stored variable, the move
was legal and the end is called. Flags start every turn at their first values
and are forgotten after it. A fault stops the turn, which then was not made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Final, TypeVar

from zermelo.core.commentary import Evidence
from zermelo.core.layout import Layout, Shape, Unpackable
from zermelo.core.machine import (
    Fault,
    FaultError,
    FaultKind,
    Outcome,
    SkipError,
    Turn,
    endless,
    outcome_of_result,
    outcome_of_stuck,
    together,
    undefined,
    unlisted,
)
from zermelo.core.signature import Player, Signature, Stuck
from zermelo.core.state import NO_EFFECT_MOVE, PASS_MOVE, Move, State
from zermelo.core.values import TRUE, UNSET, Value, in_order, truth
from zermelo.languages.sections.ir import (
    STUCK_HERE,
    Expr,
    NoEffect,
    Ref,
    System,
    Variable,
    VariableRole,
    legal_of,
)
from zermelo.languages.sections.run import sets
from zermelo.languages.sections.run.arguments import (
    Arguments,
    Candidates,
    as_unlisted,
    too_many_arguments,
)
from zermelo.languages.sections.run.evidence import EvidenceFinder
from zermelo.languages.sections.run.expressions import SystemExpressions
from zermelo.languages.sections.run.operators import Env, ValueCode
from zermelo.languages.sections.run.procedures import (
    CallEvent,
    EventLog,
    Execution,
    LoggedTurn,
    Program,
    Routine,
    VariableStore,
    is_member,
    is_outside,
    outside,
)
from zermelo.languages.sections.run.range_turns import RangeTurns, reachable
from zermelo.languages.sections.run.ranges import Range, only
from zermelo.languages.sections.run.shapes import Constants, layout_of, shape_of
from zermelo.languages.sections.signature import signature
from zermelo.languages.sections.walk import depth, free_locals, parts
from zermelo.text.budget import OverBudget, budget, long_list, most_to_list
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood

T = TypeVar("T")
_CACHED_STATES: Final = 512
_CACHED_EXPRESSIONS: Final = 1024
_COSTLY: Final = Move(NO_EFFECT_MOVE)
_PASS: Final = Move(PASS_MOVE)
_FEW_LEVELS: Final = 60
"""So many levels need no room on the stack that would have to be looked for."""
_STEPS_OF_A_TURN: Final = 40


@dataclass(slots=True)
class Successors:
    """What the moves of a state lead to, and in which of them something goes wrong."""

    states: dict[Move, State] = field(default_factory=dict)
    faults: dict[Move, Fault] = field(default_factory=dict)

    @property
    def is_stuck(self) -> bool:
        """Whether it is known that there is no move."""
        return not self.states and unlisted(self.faults) is None

    def is_cut(self, most: int) -> bool:
        """Whether something is not there as it takes more than *most* steps to list it."""
        return long_list(most) in {each.message for each in self.faults.values()}


class Interpreter:
    """A system that runs as its definition says."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._turns = Turns(system)
        self._expressions = self._turns.expressions
        self._moves = {p.name: self._turns.program.routines[p.name] for p in system.moves}
        self._arguments = {
            name: Arguments(self._turns.program, routine, self._turns.ranges)
            for name, routine in self._moves.items()
        }
        self._over = None if system.over is None else self._expressions.truth(system.over)
        self._in_turn = tuple(self._expressions.truth(player.turn) for player in system.players)
        self._steps: dict[State, Successors] = {}
        self._cut: dict[State, Successors] = {}
        """What was found within the steps for a list where that was not all."""
        self._codes: dict[int, tuple[Expr, ValueCode]] = {}
        self._finder = EvidenceFinder(system, self._expressions)

    @property
    def system(self) -> System:
        return self._system

    @cached_property
    def signature(self) -> Signature:
        return signature(
            self._system, self.initial, lambda expr, state: self.evaluate(expr, state, {})
        )

    @cached_property
    def layout(self) -> Layout | Unpackable:
        return layout_of(self._constants, self.initial)

    def shape(self, variable: Variable, first: Value) -> Shape | Unpackable:
        return shape_of(variable, first, self._constants)

    @property
    def _constants(self) -> Constants:
        logic = self._turns.ranges.logic
        return Constants(
            self._system,
            lambda expr: self.evaluate(expr, self.initial, {}),
            logic.declared,
            lambda: self.reached,
        )

    @cached_property
    def reached(self) -> Mapping[str, Range]:
        """What each stored variable can be in every state that turns lead to."""
        first = self._turns.store(self.initial).values
        found = self._turns.guarded(lambda: reachable(self._turns.ranges, first))
        return {} if isinstance(found, Fault) else found

    def arguments_asked(self, move: str, values: Mapping[str, Range]) -> Mapping[str, Range]:
        """The arguments of a move that can have an effect where variables are in these ranges."""
        flags = {n: only(v) for n, v in self._turns.store(self.initial).values.items()}
        return self._turns.ranges.asked(self._moves[move], {**flags, **values})

    @property
    def initial(self) -> State:
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
        return self._expressions.work.members

    def legal(self, state: State) -> tuple[Move, ...]:
        return tuple(self._known_steps(state).states)

    def inputs(self, state: State) -> tuple[Move, ...]:
        """The moves worth trying in *state*: all with an effect, and others, in canonical order."""
        if self.is_over(state):
            return ()
        base = self._turns.store(state)
        found: list[Move] = []
        for name in self._moves:
            candidates = self._candidates(name, base)
            if not isinstance(candidates, Fault):
                found.extend(Move(name, arguments) for arguments in candidates.arguments)
        return tuple(sorted(found, key=Move.sort_key))

    def faults(self, state: State) -> Mapping[Move, Fault]:
        """The moves of *state* in which something goes wrong.

        Some are not made, others are made without the rules whose formulas have no value.
        A move without arguments stands for all of its procedure's when these cannot be listed.
        """
        return self._known_steps(state).faults

    def after(self, state: State, move: Move) -> State:
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

    def turn(self, state: State, move: Move) -> LoggedTurn:
        return self._turn(state, move, EventLog())

    def explained(self, turn: Turn) -> LoggedTurn:
        """*turn* once more, with why each part of a guard holds or does not."""
        return self._turn(turn.before, turn.move, EventLog(self._finder))

    def evidence(self, formula: Expr, state: State) -> tuple[Evidence, ...]:
        """Why *formula*, which has no locals, holds in *state* or does not."""
        found = self._turns.guarded(lambda: self._finder.of(formula, self._env(state)))
        return () if isinstance(found, Fault) else found

    def facts(self, state: State) -> tuple[tuple[str, Value | Fault], ...]:
        return tuple(
            (variable.name, self.evaluate(Ref(variable.name), state, {}))
            for variable in self._system.variables
            if variable.role is VariableRole.DEFINED
        )

    def broken(self, state: State) -> Mapping[int, Fault | None]:
        formulas = self._system.claims
        names = self._moves_there(state) if any(map(free_locals, formulas)) else {}
        values = [
            names
            if isinstance(names, Fault) and free_locals(each)
            else self.evaluate(each, state, {} if isinstance(names, Fault) else names)
            for each in formulas
        ]
        return {
            at: value if isinstance(value, Fault) else None
            for at, value in enumerate(values)
            if value is not TRUE
        }

    def _moves_there(self, state: State) -> Mapping[str, Value] | Fault:
        """What the locals of properties tell of the moves of *state*."""
        found = self._known_steps(state)
        fault = unlisted(found.faults)
        if fault is not None:
            return fault
        names: dict[str, Value] = {STUCK_HERE: truth(not found.states and not self.is_over(state))}
        for name, routine in self._moves.items():
            calls = [move.arguments for move in found.states if move.name == name]
            match len(routine.parameters):
                case 0:
                    names[legal_of(name)] = truth(bool(calls))
                case 1:
                    names[legal_of(name)] = frozenset(each for (each,) in calls)
                case _:
                    names[legal_of(name)] = frozenset(calls)
        return names

    def outcome(self, state: State) -> Outcome | None:
        if self.is_over(state):
            return outcome_of_result(self.signature, self._result(state))
        if not self._known_steps(state).is_stuck:
            return None
        return outcome_of_stuck(self.signature, self.player(state), self._result(state))

    def is_over(self, state: State) -> bool:
        over = self._over
        return over is not None and self._turns.guarded(lambda: over(self._env(state))) is True

    def player(self, state: State) -> Player | None:
        for player, in_turn in zip(self.signature.players, self._in_turn, strict=True):
            if self._turns.guarded(lambda: in_turn(self._env(state))) is True:  # noqa: B023 - called at once
                return player
        return None

    def evaluate(self, expr: Expr, state: State, names: Mapping[str, Value]) -> Value | Fault:
        missing = sorted(free_locals(expr) - names.keys())
        if missing:
            return undefined(f"`{missing[0]}` has no value here", expr).fault()
        code = self._code(expr)
        return self._turns.guarded(lambda: code(self._env(state, names)))

    def in_state(self, state: State) -> Callable[[Expr], Value | Fault]:
        """Evaluates expressions without locals in *state*; each fact is computed once for all."""
        store = self._turns.store(state)
        work = self._expressions.work

        def evaluate(expr: Expr) -> Value | Fault:
            code = self._code(expr)
            env = Env(store.values, store.facts, {}, work=work)
            return self._turns.guarded(lambda: code(env))

        return evaluate

    # Steps

    def _known_steps(self, state: State) -> Successors:
        found = self._steps.get(state)
        most = most_to_list()
        if found is None and most is not None:
            found = self._cut.get(state)
        if found is None:
            found = self._found_steps(state)
            kept = self._cut if most is not None and found.is_cut(most) else self._steps
            if len(kept) >= _CACHED_STATES:
                kept.clear()
            kept[state] = found
        return found

    def _found_steps(self, state: State) -> Successors:
        if self.is_over(state):
            return Successors()
        found = self._effective(state)
        if self._system.no_effect is NoEffect.COSTS_THE_TURN and self._has_input_left(state, found):
            self._add(found, _COSTLY, self._turns.ended(self._turns.store(state)), state)
        if found.is_stuck and self._system.stuck is Stuck.PASSES:
            self._add(found, _PASS, self._passed(state), None)
        return Successors(_in_order(found.states), _in_order(found.faults))

    def _effective(self, state: State) -> Successors:
        found = Successors()
        base = self._turns.store(state)
        most = most_to_list()
        left = most
        for name, routine in self._moves.items():
            if most is None or left is None:
                self._try_all(name, routine, base, found)
                continue
            try:
                with budget(steps=left) as spent:
                    self._try_all(name, routine, base, found)
                left -= spent.spent
            except OverBudget:
                left = 0
                # A part of a list tells nobody anything.
                found.states = {m: s for m, s in found.states.items() if m.name != name}
                found.faults = {m: f for m, f in found.faults.items() if m.name != name}
                found.faults[Move(name)] = Fault(FaultKind.UNLISTED, long_list(most), name)
        return found

    def _try_all(self, name: str, routine: Routine, base: VariableStore, found: Successors) -> None:
        candidates = self._candidates(name, base)
        if isinstance(candidates, Fault):
            found.faults[Move(name)] = candidates
            return
        for fault in candidates.faults:
            found.faults[Move(name)] = fault
        for arguments in candidates.arguments:
            made = self._turns.made(base.fork(), routine, arguments)
            if made.has_effect or made.fault is not None:
                self._add(found, Move(name, arguments), made, None)
        left_out = together(candidates.left_out)
        # A call that is tried comes to it as well, and shows it better.
        if left_out is not None and all(move.name != name for move in found.faults):
            found.faults[Move(name)] = left_out

    def _candidates(self, name: str, store: VariableStore) -> Candidates | Fault:
        if name in self._system.unlisted:
            return too_many_arguments(name)
        found = self._turns.guarded(lambda: self._arguments[name].candidates(store))
        return as_unlisted(found, name) if isinstance(found, Fault) else found

    def _add(self, found: Successors, move: Move, made: TurnResult, unless: State | None) -> None:
        if made.fault is not None:
            found.faults[move] = made.fault
        if made.state is not None and made.state != unless:
            found.states[move] = made.state

    def _has_input_left(self, state: State, found: Successors) -> bool:
        env = self._env(state)
        for name, routine in self._moves.items():
            used = sum(1 for move in {**found.states, **found.faults} if move.name == name)
            size = self._turns.guarded(lambda: _inputs(routine, env))  # noqa: B023 - called at once
            if isinstance(size, Fault) or size is None or size > used:
                return True
        return False

    def _turn(self, state: State, move: Move, log: EventLog | None) -> LoggedTurn:
        made = TurnResult(None) if self.is_over(state) else self._made(state, move, log)
        stopped = made.fault if made.state is None else None
        return LoggedTurn(state, move, made.state, made.has_effect, stopped, tuple(log or ()))

    def _made(self, state: State, move: Move, log: EventLog | None) -> TurnResult:
        if move in (_COSTLY, _PASS):
            return self._pseudo(state, move, log)
        routine = self._moves.get(move.name)
        if routine is None or len(routine.parameters) != len(move.arguments):
            raise MoveNotUnderstood(f"{move} is not a move of this system")
        store = self._turns.store(state)
        env = Env(store.values, store.facts, {}, work=self._expressions.work)
        reason = self._turns.guarded(lambda: outside(routine, env, move.arguments))
        if isinstance(reason, Fault):
            return TurnResult(None, fault=reason)
        if reason is not None:
            if log is not None:
                named = tuple(zip(routine.parameters, move.arguments, strict=True))
                log.append(CallEvent(move.name, named, skipped=reason))
            return TurnResult(None)
        costs = self._system.no_effect is NoEffect.COSTS_THE_TURN
        return self._turns.made(store, routine, move.arguments, log=log, costs_the_turn=costs)

    def _pseudo(self, state: State, move: Move, log: EventLog | None) -> TurnResult:
        states = self._known_steps(state).states
        if move not in states or move == _PASS:
            return TurnResult(states.get(move))
        return self._turns.ended(self._turns.store(state), log=log)

    # Passing

    def _passed(self, state: State) -> TurnResult:
        """The state in which the next player who can move is in turn, all else as it is."""
        at = state
        for _ in self._system.players[1:]:
            following = self._with_next_player(at)
            if following is None:
                break
            at = following
            found = self._effective(at)
            if not found.is_stuck:
                return (
                    TurnResult(at)
                    if found.states
                    else TurnResult(None, fault=unlisted(found.faults))
                )
        return TurnResult(None)

    def _with_next_player(self, state: State) -> State | None:
        players = self.signature.players
        player = self.player(state)
        if player is None or len(players) < 2:
            return None
        following = players[(players.index(player) + 1) % len(players)]
        names = self.turn_variables()
        domains = [self._members_of_domain(name, state) for name in names]
        for values in product(*domains):
            changed = dict(zip(names, values, strict=True))
            other = State(tuple(changed.get(n, v) for n, v in state.items()), state.names)
            if self.player(other) == following:
                return other
        return None

    def turn_variables(self) -> tuple[str, ...]:
        """The variables that tell whose turn it is, which change where a player passes."""
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


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What a turn led to; ``state`` is ``None`` when it was not made."""

    state: State | None
    has_effect: bool = False
    fault: Fault | None = None
    """What stopped it, or else what was left out of it."""


def _turn_result(
    after: State | Fault | None, left_out: list[Fault], *, has_effect: bool = False
) -> TurnResult:
    if isinstance(after, Fault):
        return TurnResult(None, has_effect, replace(after, others=tuple(left_out)))
    return TurnResult(after, has_effect, together(left_out))


class Turns:
    """Makes the turns of one system."""

    def __init__(self, system: System) -> None:
        self.expressions = SystemExpressions(system)
        self.expressions.work.stack.begin()
        self.program = Program(system, self.expressions)
        self.ranges = RangeTurns(self.program)
        self._needs_room = self.program.is_recursive or _levels(system) > _FEW_LEVELS
        self._end = None if system.end is None else self.program.routines[system.end.name]
        self._domains = {
            v.name: (v.domain, self.expressions.set(v.domain))
            for v in system.variables
            if v.domain is not None
        }
        self.names = tuple(variable.name for variable in system.stored)
        self._steps_to_begin = _STEPS_OF_A_TURN + 2 * len(system.variables)
        first, self.initial_faults = self._first_values(system)
        self.initial = State(tuple(first[name] for name in self.names), self.names)
        self._flags = {
            v.name: first[v.name] for v in system.variables if v.role is VariableRole.FLAG
        }

    def store(self, state: State) -> VariableStore:
        values = dict(zip(self.names, state.values, strict=True)) | self._flags
        return VariableStore(values, self.expressions.env(values).facts)

    def made(
        self,
        store: VariableStore,
        routine: Routine,
        arguments: tuple[Value, ...],
        *,
        log: EventLog | None = None,
        costs_the_turn: bool = False,
    ) -> TurnResult:
        """Call *routine* and then, if that had an effect, the end; both work on *store*."""
        has_effect = False
        left_out: list[Fault] = []

        def turn() -> State | None:
            nonlocal has_effect
            has_effect = self._called(store, routine, arguments, log, left_out)
            return self._ended(store, log, left_out) if has_effect or costs_the_turn else None

        return _turn_result(self.guarded(turn), left_out, has_effect=has_effect)

    def ended(self, store: VariableStore, *, log: EventLog | None = None) -> TurnResult:
        left_out: list[Fault] = []
        return _turn_result(self.guarded(lambda: self._ended(store, log, left_out)), left_out)

    def guarded(self, act: Callable[[], T]) -> T | Fault:
        """What *act* gives, or the fault that stopped it."""
        self.expressions.work.go(self._steps_to_begin)
        stack = self.expressions.work.stack
        # Of what was interrupted something may be left.
        if self._needs_room or stack.used:
            stack.begin()
        try:
            return act()
        except FaultError as stop:
            return stop.fault()
        except SkipError as skip:
            return undefined(skip.reason).fault()
        except RecursionError:
            return endless("it is nested too deeply").fault()

    def _called(
        self,
        store: VariableStore,
        routine: Routine,
        arguments: tuple[Value, ...],
        log: EventLog | None,
        left_out: list[Fault],
    ) -> bool:
        """Call *routine*; whether it changed a stored variable."""
        before = {name: store.values[name] for name in self.names}
        run = Execution(self.program, store, log)
        try:
            run.call(routine, arguments)
        finally:
            left_out += run.left_out
        changed = [name for name in self.names if store.values[name] != before[name]]
        if changed:
            env = Env(store.values, store.facts, {}, work=self.expressions.work)
            for name in changed:
                self._hold(name, env, run)
        return bool(changed)

    def _ended(self, store: VariableStore, log: EventLog | None, left_out: list[Fault]) -> State:
        if self._end is not None:
            self._called(store, self._end, (), log, left_out)
        return State(tuple(store.values[name] for name in self.names), self.names)

    def _hold(self, name: str, env: Env, run: Execution) -> None:
        """Hold the variable called *name* to the set its values are in."""
        if name not in self._domains:
            return
        expr, domain = self._domains[name]
        value = env.values[name]
        if not is_member(domain(env), value, expr):
            routine, rule, assigned = run.origins[name]
            fault = FaultError(FaultKind.OUTSIDE, is_outside(name, value, expr), assigned)
            fault.found_in(routine.name, rule.label if rule else None)
            raise fault

    def _first_values(self, system: System) -> tuple[dict[str, Value], tuple[Fault, ...]]:
        """The first value of every variable; one may be given in terms of others."""
        values: dict[str, Value] = {
            v.name: UNSET for v in system.variables if v.role is not VariableRole.DEFINED
        }
        faults: list[Fault] = []
        for variable in _by_need(system, self.expressions):
            if variable.initial is not None:
                code = self.expressions.value(variable.initial)
                value = self.guarded(lambda: code(self.expressions.env(values)))  # noqa: B023 - called at once
                if isinstance(value, Fault):
                    faults.append(value)
                else:
                    values[variable.name] = value
        return values, tuple(faults)


def _levels(system: System) -> int:
    """At most so many levels of names and expressions are worked on at a time."""
    named = (*system.sets, *system.functions, *system.variables)
    return len(named) + max(map(depth, (*named, *system.procedures)), default=0)


def _by_need(system: System, expressions: SystemExpressions) -> list[Variable]:
    """The variables with first values, each after those that its own mentions."""
    waiting = {v.name: v for v in system.variables if v.role is not VariableRole.DEFINED}
    ordered: list[Variable] = []

    def place(variable: Variable) -> None:
        waiting.pop(variable.name, None)
        if variable.initial is not None:
            for name in sorted(expressions.footprints.of(variable.initial).reads):
                if name in waiting:
                    place(waiting[name])
        ordered.append(variable)

    while waiting:
        place(next(iter(waiting.values())))
    return ordered
