"""Grounding: every input of a system followed, every formula taken apart into claims.

A ``Prover`` proves that a permutation of claims is a symmetry of the whole turn: every formula is
built again with the claims renamed, and the turn is unchanged when the inputs become inputs, the
end stays the end, and what is judged stays what it was. Formulas are kept once each, so the same
formula has the same number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from zermelo.core.layout import Choice, Count, Field, Layout, Mask
from zermelo.core.machine import Fault
from zermelo.core.signature import Stuck
from zermelo.core.symmetry import Bit
from zermelo.core.values import FALSE as FALSE_VALUE
from zermelo.core.values import TRUE as TRUE_VALUE
from zermelo.core.values import UNSET, Value, sort_key
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Op, Procedure
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.formulas import (
    FALSE,
    TRUE,
    Amount,
    Claimed,
    Conjunction,
    Disjunction,
    Formulas,
    GroundingError,
    Node,
)
from zermelo.languages.sections.symmetry.symbolic_execution import SymbolicExecution, SymbolicStore
from zermelo.languages.sections.symmetry.symbolic_expressions import (
    SkippedError,
    SymbolicExpressions,
    SymbolicFacts,
    SymbolicScope,
)
from zermelo.languages.sections.symmetry.symbolic_values import (
    Cases,
    Maybe,
    Members,
    Quantity,
    Symbolic,
    TruthFormula,
    inner,
    side_by_side,
)
from zermelo.languages.sections.walk import Footprints, bodies, parts, refs

MOST_VALUES: Final = 64
"""A variable with more values than this is not taken apart into them."""
MOST_INPUTS: Final = 20_000
_ROUNDS: Final = 8
_CALCULATING: Final = {Op.PLUS, Op.MINUS, Op.TIMES, Op.LT, Op.LE, Op.GT, Op.GE}
Claims: TypeAlias = Mapping[int, int]
"""Where a permutation takes each claim that it moves."""
Signature: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class GroundAction:
    """What an input does, or the end."""

    updates: tuple[tuple[int, Node], ...]
    """The formula that each claim becomes, for those that may change."""
    amounts: tuple[tuple[int, Node], ...] = ()
    """The same for variables that are not taken apart."""
    faults: frozenset[Node] = frozenset()
    """Where one of these holds, a fault stops the turn."""
    ended: GroundAction | None = None
    """What the end makes of it, where that cannot be told apart from the input."""

    @property
    def has_effect(self) -> bool:
        return bool(self.updates or self.amounts or self.faults)


@dataclass(frozen=True, slots=True)
class GroundInput:
    """A procedure with its arguments."""

    procedure: str
    arguments: tuple[Value, ...]
    action: GroundAction


@dataclass(frozen=True, slots=True)
class GroundSystem:
    """A system written out."""

    formulas: Formulas
    bits: tuple[Bit, ...]
    """What each claim says."""
    first: tuple[bool, ...]
    """Which claims hold in the first state."""
    live: tuple[int, ...]
    """The claims that may change."""
    amounts: tuple[str, ...]
    held: frozenset[int]
    """Claims that a symmetry must leave where they are."""
    outside: frozenset[int]
    """Claims of values outside the set of their variable: to write one is a fault."""
    inputs: tuple[GroundInput, ...]
    """Those that may have an effect."""
    end: GroundAction | None
    judged: tuple[Node, ...]
    """When play is over and who is in turn, in a fixed order."""
    invariants: frozenset[Node]


def ground(machine: Interpreter, layout: Layout) -> GroundSystem:
    """*machine* written out; ``GroundingError`` if that cannot be done."""
    try:
        found = _written_out(machine, layout)
    except RecursionError:
        raise GroundingError("it is nested too deeply") from None
    for _ in range(_ROUNDS):
        simpler = without_fixed(found)
        if simpler is found:
            break
        found = simpler
    return found


def _written_out(machine: Interpreter, layout: Layout) -> GroundSystem:
    """*machine* written out, with numbers taken apart into their values only if they must be."""
    counted = _counted(machine.system)
    try:
        return _Grounding(machine, layout, counted).ground()
    except GroundingError:
        if not counted:
            raise
        return _Grounding(machine, layout, frozenset()).ground()


def _counted(system: ir.System) -> frozenset[str]:
    """The variables that are calculated with, so that their values are not interchangeable."""
    return frozenset(
        side.name
        for body in bodies(system)
        for part in parts(body)
        if isinstance(part, ir.Binary) and part.op in _CALCULATING
        for side in (part.left, part.right)
        if isinstance(side, ir.Ref)
    )


class _Grounding:
    """Writes a system out."""

    def __init__(self, machine: Interpreter, layout: Layout, counted: frozenset[str]) -> None:
        self._machine = machine
        self._system = machine.system
        self._counted = counted
        self._formulas = Formulas()
        self._evaluator = SymbolicExpressions(machine, self._formulas)
        self._bits: list[Bit] = []
        self._first: list[bool] = []
        self._claims: dict[tuple[str, Value, bool], int] = {}
        self._amounts: list[str] = []
        self._fields = {field.variable: field for field in layout.fields}
        self._footprints = Footprints(self._system)
        # The variables that change when a stuck player passes.
        is_passed = self._system.stuck is Stuck.PASSES
        turns = [refs(player.turn) for player in self._system.players] if is_passed else []
        self._passed = frozenset[str]().union(*turns)
        effects = [self._footprints.of_procedure(p.name) for p in self._system.procedures]
        self._written = self._passed.union(*(effect.writes for effect in effects))
        self._start = {field.variable: self._variable(field) for field in layout.fields}
        self._flags = {
            v.name: self._flag(v) for v in self._system.variables if v.role is ir.VariableRole.FLAG
        }
        # Outside a turn flags are as they are when one starts.
        self._values = {**self._start, **self._flags}

    def ground(self) -> GroundSystem:
        end = self._system.end
        reads = () if end is None else self._footprints.of_procedure(end.name).reads
        composed = not self._flags.keys().isdisjoint(reads)
        inputs = tuple(self._inputs(end if composed else None))
        ended = None
        # An input without effect that costs the turn calls the end alone.
        costs = self._system.no_effect is ir.NoEffect.COSTS_THE_TURN
        if end is not None and (costs or not composed):
            ended = self._action(end, {}, SymbolicStore(self._values), None)
        return GroundSystem(
            formulas=self._formulas,
            bits=tuple(self._bits),
            first=tuple(self._first),
            live=tuple(range(len(self._bits))),
            amounts=tuple(self._amounts),
            # The result keeps its words, and where players pass, the turn its values.
            held=frozenset(
                at
                for at, bit in enumerate(self._bits)
                if bit.variable == self._system.result or bit.variable in self._passed
            ),
            outside=frozenset(self._outside()),
            inputs=inputs,
            end=ended,
            judged=self._judged(),
            invariants=frozenset(
                self._evaluator.truth(each.formula, self._scope())
                for each in self._system.invariants
            ),
        )

    # Claims

    def _variable(self, field: Field) -> Symbolic:
        """A variable as it is when a turn starts."""
        name, shape = field.variable, field.shape
        first = self._machine.initial[name]
        if name not in self._written:
            return first
        if isinstance(shape, Mask):
            members = first if isinstance(first, frozenset) else frozenset[Value]()
            nodes = {m: self._claim(name, m, first=m in members) for m in shape.members}
            return self._maybe(field, Members(nodes), first)
        values = _values(shape, is_counted=name in self._counted)
        if values is None:
            self._amounts.append(name)
            node = self._formulas.made(Amount(len(self._amounts) - 1))
            return self._maybe(field, Quantity(node), first)
        if field.presence is not None:
            values = (UNSET, *values)
        return self._chosen(name, values, first)

    def _chosen(self, name: str, values: tuple[Value, ...], first: Value) -> Symbolic:
        nodes = {
            value: self._claim(name, value, first=value == first, is_member=False)
            for value in values
        }
        if len(values) == 2:
            one, other = (self._claims[name, value, False] for value in values)
            self._formulas.pair(one, other)
        if set(values) == {FALSE_VALUE, TRUE_VALUE}:
            return TruthFormula(nodes[TRUE_VALUE])
        return Cases(nodes)

    def _maybe(self, field: Field, value: Symbolic, first: Value) -> Symbolic:
        if field.presence is None:
            return value
        return Maybe(self._claim(field.variable, UNSET, first=first is not UNSET), value)

    def _claim(self, name: str, value: Value, *, first: bool, is_member: bool = True) -> Node:
        number = self._claims[name, value, is_member] = len(self._bits)
        self._bits.append(Bit(name, value, is_member))
        self._first.append(first)
        return self._formulas.made(Claimed(number))

    def _flag(self, flag: ir.Variable) -> Symbolic:
        if flag.initial is None:
            return UNSET
        value = self._machine.evaluate(flag.initial, self._machine.initial, {})
        if isinstance(value, Fault):
            raise GroundingError(f"the first value of `{flag.name}` has a fault")
        return value

    def _outside(self) -> Iterator[int]:
        """The claims of values that are not in the set of their variable."""
        domains: dict[str, frozenset[Value] | None] = {}
        for at, bit in enumerate(self._bits):
            if bit.value is not UNSET:
                if bit.variable not in domains:
                    domains[bit.variable] = self._domain(bit.variable)
                domain = domains[bit.variable]
                if domain is not None and bit.value not in domain:
                    yield at

    def _domain(self, name: str) -> frozenset[Value] | None:
        """The set of the values, or of the members, of a variable; ``None`` if there is none."""
        variable = self._system.variable(name)
        expr = None if variable is None else variable.domain
        if expr is None:
            return None
        if self._footprints.of(expr).reads:
            raise GroundingError(f"the set of `{name}` depends on the state")
        listed = expr.base if isinstance(expr, ir.PowerSet) else expr
        value = self._machine.evaluate(listed, self._machine.initial, {})
        return value if isinstance(value, frozenset) else None

    # Actions

    def _inputs(self, end: Procedure | None) -> Iterator[GroundInput]:
        count = 0
        for move in self._system.moves:
            for names, inside in self._arguments(move):
                count += 1
                if count > MOST_INPUTS:
                    raise GroundingError(f"there are more than {MOST_INPUTS:,} inputs")
                store = SymbolicStore(self._values)
                action = self._action(move, names, store, end, inside=inside)
                if action.has_effect:
                    yield GroundInput(move.name, tuple(names.values()), action)

    def _arguments(self, move: Procedure) -> list[tuple[dict[str, Value], Node]]:
        """The arguments of *move*, each choice with the formula under which it is one."""
        ways: list[tuple[dict[str, Value], Node]] = [({}, TRUE)]
        for parameter in move.parameters:
            longer: list[tuple[dict[str, Value], Node]] = []
            for names, node in ways:
                domain = self._evaluator.value(parameter.domain, self._scope(names))
                for value, inside in self._evaluator.algebra.members(domain).items():
                    if inside != TRUE and self._system.no_effect is ir.NoEffect.COSTS_THE_TURN:
                        raise GroundingError("how many inputs there are depends on the state")
                    both = self._formulas.all_of((node, inside))
                    if both != FALSE:
                        longer.append(({**names, parameter.name: value}, both))
            if len(longer) > MOST_INPUTS:
                raise GroundingError(f"there are more than {MOST_INPUTS:,} inputs")
            ways = longer
        return ways

    def _action(
        self,
        procedure: Procedure,
        names: Mapping[str, Value],
        store: SymbolicStore,
        end: Procedure | None,
        *,
        inside: Node = TRUE,
    ) -> GroundAction:
        execution = SymbolicExecution(self._system, self._evaluator)
        try:
            execution.call(procedure, names, store)
        except SkippedError:
            raise GroundingError("a value outside its declaration is used outside a rule") from None
        action = self._changes(store, execution.faults, inside)
        if end is None or not (action.updates or action.amounts):
            return action
        return replace(action, ended=self._action(end, {}, store, None))

    def _changes(self, store: SymbolicStore, faults: list[Node], inside: Node) -> GroundAction:
        updates: list[tuple[int, Node]] = []
        amounts: list[tuple[int, Node]] = []
        stops = [self._formulas.all_of((inside, fault)) for fault in faults]
        for name, start in self._start.items():
            before, after = start, store.values[name]
            if after is before or name not in self._written:
                continue
            after = self._evaluator.algebra.either(inside, after, before)
            if isinstance(before, Maybe):
                present = after.present if isinstance(after, Maybe) else TRUE
                if present != before.present:
                    updates.append((self._claims[name, UNSET, True], present))
                after, before = inner(after), before.value
            if isinstance(before, Quantity):
                node = self._evaluator.algebra.number(after)
                if node != before.node:
                    amounts.append((self._amounts.index(name), node))
                continue
            for claim, node in self._changed(name, after, before):
                if claim is None:
                    stops.append(node)
                else:
                    updates.append((claim, node))
        kept = frozenset(node for node in stops if node != FALSE)
        return GroundAction(tuple(updates), tuple(amounts), kept)

    def _changed(
        self, name: str, after: Symbolic, before: Symbolic
    ) -> Iterator[tuple[int | None, Node]]:
        """Each claim of a variable that changes; ``None`` for a value outside its set."""
        is_set = isinstance(before, Members)
        algebra = self._evaluator.algebra
        if is_set:
            was, now = algebra.members(before), self._as_members(name, after)
        else:
            was, now = algebra.cases(before), algebra.cases(after)
        for value, old, new in side_by_side(was, now):
            claim = self._claims.get((name, value, is_set))
            if claim is None or old != new:
                yield claim, new

    def _as_members(self, name: str, after: Symbolic) -> Mapping[Value, Node]:
        algebra = self._evaluator.algebra
        try:
            return algebra.members(after)
        except GroundingError:
            shape = self._fields[name].shape
            if not isinstance(shape, Mask):
                raise
            return {member: algebra.contains(after, member) for member in shape.members}

    # What is judged

    def _scope(self, names: Mapping[str, Value] | None = None) -> SymbolicScope:
        return SymbolicScope(self._values, SymbolicFacts(self._values), names or {})

    def _judged(self) -> tuple[Node, ...]:
        scope = self._scope()
        over = self._system.over
        judged = [FALSE if over is None else self._evaluator.truth(over, scope)]
        judged += [self._evaluator.truth(player.turn, scope) for player in self._system.players]
        # The values of a result that is computed, in their order; one that is stored is held.
        name = self._system.result
        variable = None if name is None else self._system.variable(name)
        if variable is not None and variable.role is ir.VariableRole.DEFINED:
            value = self._evaluator.value(ir.Ref(variable.name), scope)
            is_set = isinstance(value, Members | frozenset)
            algebra = self._evaluator.algebra
            nodes = algebra.members(value) if is_set else algebra.cases(value)
            judged += [nodes[each] for each in sorted(nodes, key=sort_key)]
        return tuple(judged)


def _values(shape: Count | Choice, *, is_counted: bool) -> tuple[Value, ...] | None:
    """The values of a variable, if it is taken apart into them."""
    if isinstance(shape, Choice):
        return shape.values
    if is_counted or not shape.is_declared or shape.high - shape.low >= MOST_VALUES:
        return None
    return tuple(range(shape.low, shape.high + 1))


def without_fixed(system: GroundSystem) -> GroundSystem:
    """*system* with claims that never change replaced by what they always are."""
    actions = [each.action for each in system.inputs]
    actions += [] if system.end is None else [system.end]
    actions += [action.ended for action in actions if action.ended is not None]
    updates = [update for action in actions for update in action.updates]
    # What is held may change in other ways: passing changes the turn.
    live = {claim for claim, node in updates if not _keeps(system, claim, node)} | system.held
    fixed = [claim for claim in system.live if claim not in live]
    if not fixed:
        return system
    image = system.formulas.replaced({a: TRUE if system.first[a] else FALSE for a in fixed})
    return replace(
        system,
        live=tuple(sorted(live)),
        inputs=tuple(
            GroundInput(each.procedure, each.arguments, simpler)
            for each in system.inputs
            if (simpler := _simplified(each.action, image, live)).has_effect
        ),
        end=None if system.end is None else _simplified(system.end, image, live),
        judged=tuple(map(image, system.judged)),
        invariants=frozenset(map(image, system.invariants)),
    )


def _simplified(
    action: GroundAction, image: Callable[[Node], Node], live: Collection[int]
) -> GroundAction:
    updates = tuple((claim, image(node)) for claim, node in action.updates if claim in live)
    amounts = tuple((at, image(node)) for at, node in action.amounts)
    faults = frozenset(map(image, action.faults)) - {FALSE}
    ended = None if action.ended is None else _simplified(action.ended, image, live)
    return GroundAction(updates, amounts, faults, ended)


def _keeps(system: GroundSystem, claim: int, node: Node) -> bool:
    """Whether an update only says again what held in the first state.

    A claim that does not hold at first and is only ever taken away stays so.
    """
    formula = system.formulas[node]
    itself = system.formulas.made(Claimed(claim))
    if system.first[claim]:
        return node == TRUE or (isinstance(formula, Disjunction) and itself in formula.parts)
    return node == FALSE or (isinstance(formula, Conjunction) and itself in formula.parts)


class Prover:
    """Proves permutations of the claims of one system."""

    def __init__(self, system: GroundSystem) -> None:
        self._system = system
        self._inputs = self._signatures(lambda node: node, {})
        self._end = None if system.end is None else _renamed(system.end, lambda node: node, {})
        self._proved: dict[tuple[tuple[int, int], ...], bool] = {}

    def holds(self, claims: Claims) -> bool:
        """Whether renaming *claims* leaves the system as it is."""
        moved = {a: b for a, b in claims.items() if a != b}
        key = tuple(sorted(moved.items()))
        if key not in self._proved:
            self._proved[key] = sorted(moved) == sorted(moved.values()) and self._holds(moved)
        return self._proved[key]

    def _holds(self, claims: Claims) -> bool:
        system = self._system
        if not system.held.isdisjoint(claims) or any(
            system.first[a] != system.first[b] or (a in system.outside) != (b in system.outside)
            for a, b in claims.items()
        ):
            return False
        formulas = system.formulas
        image = formulas.replaced({a: formulas.made(Claimed(b)) for a, b in claims.items()})
        return (
            all(image(node) == node for node in system.judged)
            and frozenset(map(image, system.invariants)) == system.invariants
            and (system.end is None or _renamed(system.end, image, claims) == self._end)
            and self._signatures(image, claims) == self._inputs
        )

    def _signatures(self, image: Callable[[Node], Node], claims: Claims) -> Counter[Signature]:
        # Inputs of different procedures may do the same; which is which does not matter.
        return Counter(_renamed(each.action, image, claims) for each in self._system.inputs)


def _renamed(action: GroundAction, image: Callable[[Node], Node], claims: Claims) -> Signature:
    updates = frozenset((claims.get(claim, claim), image(node)) for claim, node in action.updates)
    numbers = frozenset((at, image(node)) for at, node in action.amounts)
    faults = frozenset(map(image, action.faults))
    ended = None if action.ended is None else _renamed(action.ended, image, claims)
    return (updates, numbers, faults, ended)
