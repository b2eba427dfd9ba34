"""Writing a system out: every input followed, every formula taken apart into claims.

Comes in a machine and where its variables lie in a packed state; goes out a
``Ground`` or the reason why there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from zermelo.core.layout import Choice, Count, Field, Layout, Mask
from zermelo.core.machine import Fault
from zermelo.core.values import UNSET, Value, sort_key
from zermelo.languages.sections.footprint import Footprints
from zermelo.languages.sections.ir import (
    Binary,
    NoEffect,
    Op,
    PowerSet,
    Procedure,
    Ref,
    Stuck,
    System,
    VariableRole,
)
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.beyond import BeyondError, SkippedError
from zermelo.languages.sections.symmetry.evaluate import Evaluator
from zermelo.languages.sections.symmetry.execute import Execution, Store
from zermelo.languages.sections.symmetry.formulas import (
    FALSE,
    TRUE,
    Amount,
    Claimed,
    Formulas,
    Node,
)
from zermelo.languages.sections.symmetry.ground import Action, Bit, Ground, Input, without_fixed
from zermelo.languages.sections.symmetry.scope import Facts, Scope
from zermelo.languages.sections.symmetry.values import (
    Cases,
    Maybe,
    Members,
    Quantity,
    Symbolic,
    Truth,
)
from zermelo.languages.sections.walk import parts

MOST_VALUES: Final = 64
"""A variable with more values than this is not taken apart into them."""
MOST_INPUTS: Final = 20_000
_ROUNDS: Final = 8
_CALCULATING: Final = {Op.PLUS, Op.MINUS, Op.TIMES, Op.LT, Op.LE, Op.GT, Op.GE}


def ground(machine: Interpreter, layout: Layout) -> Ground:
    """*machine* written out; ``BeyondError`` if that cannot be done."""
    try:
        found = _written_out(machine, layout)
    except RecursionError:
        raise BeyondError("it is nested too deeply") from None
    for _ in range(_ROUNDS):
        simpler = without_fixed(found)
        if simpler is found:
            break
        found = simpler
    return found


def _written_out(machine: Interpreter, layout: Layout) -> Ground:
    """*machine* written out, with numbers taken apart into their values only if they must be."""
    counted = _counted(machine.system)
    try:
        return _Grounding(machine, layout, counted).ground()
    except BeyondError:
        if not counted:
            raise
        return _Grounding(machine, layout, frozenset()).ground()


def _counted(system: System) -> frozenset[str]:
    """The variables that are calculated with, so that their values are not interchangeable."""
    nodes = [part for p in system.procedures for node in p.body for part in parts(node)]
    nodes += [part for v in system.variables if v.definition for part in parts(v.definition)]
    nodes += [part for f in system.functions for part in parts(f.body)]
    return frozenset(
        side.name
        for part in nodes
        if isinstance(part, Binary) and part.op in _CALCULATING
        for side in (part.left, part.right)
        if isinstance(side, Ref)
    )


class _Grounding:
    """Writes a system out."""

    def __init__(self, machine: Interpreter, layout: Layout, counted: frozenset[str]) -> None:
        self._machine = machine
        self._system = machine.system
        self._counted = counted
        self._formulas = Formulas()
        self._evaluator = Evaluator(machine, self._formulas)
        self._bits: list[Bit] = []
        self._first: list[bool] = []
        self._claims: dict[tuple[str, Value, bool], int] = {}
        self._amounts: list[str] = []
        self._domains: dict[str, frozenset[Value] | None] = {}
        self._fields = {field.variable: field for field in layout.fields}
        self._written = self._written_variables()
        self._start = {field.variable: self._variable(field) for field in layout.fields}
        self._flags = {
            v.name: self._flag(v.name)
            for v in self._system.variables
            if v.role is VariableRole.FLAG
        }

    def ground(self) -> Ground:
        """The system written out."""
        end = self._system.end
        composed = end is not None and bool(self._reads(end) & self._flags.keys())
        inputs = tuple(self._inputs(end if composed else None))
        ended = None
        # An input without effect that costs the turn calls the end alone.
        costs = self._system.no_effect is NoEffect.COSTS_THE_TURN
        if end is not None and (costs or not composed):
            ended = self._action(end, {}, Store({**self._start, **self._flags}), None)
        return Ground(
            formulas=self._formulas,
            bits=tuple(self._bits),
            first=tuple(self._first),
            live=tuple(range(len(self._bits))),
            amounts=tuple(self._amounts),
            held=self._held(),
            outside=frozenset(at for at, bit in enumerate(self._bits) if not self._is_inside(bit)),
            inputs=inputs,
            end=ended,
            judged=self._judged(),
            invariants=frozenset(
                self._evaluator.truth(each.formula, self._scope())
                for each in self._system.invariants
            ),
        )

    # Claims

    def _written_variables(self) -> frozenset[str]:
        footprints = Footprints(self._system)
        written = (footprints.of_procedure(p.name).writes for p in self._system.procedures)
        return frozenset[str]().union(self._passed, *written)

    @property
    def _passed(self) -> frozenset[str]:
        """The variables that change when a stuck player passes."""
        if self._system.stuck is not Stuck.PASSES:
            return frozenset()
        return frozenset(
            part.name
            for player in self._system.players
            for part in parts(player.turn)
            if isinstance(part, Ref)
        )

    def _variable(self, field: Field) -> Symbolic:
        """A variable as it is when a turn starts."""
        name, shape = field.variable, field.shape
        first = self._machine.initial[name]
        if name not in self._written:
            return first
        if isinstance(shape, Mask):
            members = first if isinstance(first, frozenset) else frozenset[Value]()
            nodes = {m: self._claim(name, m, first=m in members) for m in shape.members}
            present = Members(nodes)
            if field.presence is None:
                return present
            return Maybe(self._claim(name, UNSET, first=first is not UNSET), present)
        values = None if name in self._counted else _values(shape)
        if values is None and isinstance(shape, Choice):
            values = shape.values
        if values is None:
            return self._amount(field, first)
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
        if set(values) == {False, True} and all(isinstance(value, bool) for value in values):
            return Truth(nodes[True])
        return Cases(nodes)

    def _amount(self, field: Field, first: Value) -> Symbolic:
        self._amounts.append(field.variable)
        node = self._formulas.made(Amount(len(self._amounts) - 1))
        if field.presence is None:
            return Quantity(node)
        present = self._claim(field.variable, UNSET, first=first is not UNSET)
        return Maybe(present, Quantity(node))

    def _claim(self, name: str, value: Value, *, first: bool, is_member: bool = True) -> Node:
        number = self._claims[name, value, is_member] = len(self._bits)
        self._bits.append(Bit(name, value, is_member))
        self._first.append(first)
        return self._formulas.made(Claimed(number))

    def _flag(self, name: str) -> Symbolic:
        variable = self._system.variable(name)
        if variable is None or variable.initial is None:
            return UNSET
        value = self._machine.evaluate(variable.initial, self._machine.initial, {})
        if isinstance(value, Fault):
            raise BeyondError(f"the first value of `{name}` has a fault")
        return value

    def _is_inside(self, bit: Bit) -> bool:
        """Whether the value that *bit* speaks of is in the set of its variable."""
        if bit.value is UNSET or bit.variable not in self._written:
            return True
        domain = self._domain(bit.variable)
        return domain is None or bit.value in domain

    def _domain(self, name: str) -> frozenset[Value] | None:
        """The set of the values, or of the members, of a variable; ``None`` if there is none."""
        if name not in self._domains:
            variable = self._system.variable(name)
            expr = None if variable is None else variable.domain
            if expr is not None and Footprints(self._system).of(expr).reads:
                raise BeyondError(f"the set of `{name}` depends on the state")
            listed = expr.base if isinstance(expr, PowerSet) else expr
            value = (
                None
                if listed is None
                else self._machine.evaluate(listed, self._machine.initial, {})
            )
            self._domains[name] = value if isinstance(value, frozenset) else None
        return self._domains[name]

    # Actions

    def _inputs(self, end: Procedure | None) -> Iterator[Input]:
        count = 0
        for move in self._system.moves:
            for names, inside in self._arguments(move):
                count += 1
                if count > MOST_INPUTS:
                    raise BeyondError(f"there are more than {MOST_INPUTS:,} inputs")
                store = Store({**self._start, **self._flags})
                action = self._action(move, names, store, end, inside=inside)
                if action.has_effect:
                    yield Input(move.name, tuple(names.values()), action)

    def _arguments(self, move: Procedure) -> Iterator[tuple[dict[str, Value], Node]]:
        """The arguments of *move*, each choice with the formula under which it is one."""
        ways: list[tuple[dict[str, Value], Node]] = [({}, TRUE)]
        for parameter in move.parameters:
            longer: list[tuple[dict[str, Value], Node]] = []
            for names, node in ways:
                domain = self._evaluator.value(parameter.domain, self._scope(names))
                for value, inside in self._evaluator.algebra.members(domain).items():
                    if inside != TRUE and self._system.no_effect is NoEffect.COSTS_THE_TURN:
                        raise BeyondError("how many inputs there are depends on the state")
                    both = self._formulas.all_of((node, inside))
                    if both != FALSE:
                        longer.append(({**names, parameter.name: value}, both))
            if len(longer) > MOST_INPUTS:
                raise BeyondError(f"there are more than {MOST_INPUTS:,} inputs")
            ways = longer
        yield from ways

    def _action(
        self,
        procedure: Procedure,
        names: Mapping[str, Value],
        store: Store,
        end: Procedure | None,
        *,
        inside: Node = TRUE,
    ) -> Action:
        execution = Execution(self._system, self._evaluator)
        try:
            execution.call(procedure, names, store)
        except SkippedError:
            raise BeyondError("a value outside its declaration is used outside a rule") from None
        action = self._changes(store, execution.faults, inside)
        if end is None or not (action.updates or action.amounts):
            return action
        ended = self._action(end, {}, store, None)
        return Action(action.updates, action.amounts, action.faults, ended)

    def _changes(self, store: Store, faults: list[Node], inside: Node) -> Action:
        updates: list[tuple[int, Node]] = []
        amounts: list[tuple[int, Node]] = []
        stops = [self._formulas.all_of((inside, fault)) for fault in faults]
        for name, before in self._start.items():
            after = store.values[name]
            if after is before or name not in self._written:
                continue
            joined = self._evaluator.algebra.either(inside, after, before)
            for claim, node, was in self._compared(name, joined, before):
                if claim is None:
                    stops.append(node)
                elif node != was:
                    updates.append((claim, node))
            amounts += self._compared_amount(name, joined, before)
        kept = frozenset(node for node in stops if node != FALSE)
        return Action(tuple(updates), tuple(amounts), kept)

    def _compared(
        self, name: str, after: Symbolic, before: Symbolic
    ) -> Iterator[tuple[int | None, Node, Node]]:
        """Each claim of a variable after and before; none for a value outside its set."""
        if isinstance(before, Maybe):
            present = after.present if isinstance(after, Maybe) else TRUE
            yield self._claims[name, UNSET, True], present, before.present
            after = after.value if isinstance(after, Maybe) else after
            before = before.value
        if isinstance(before, Quantity):
            return
        is_set = isinstance(before, Members)
        algebra = self._evaluator.algebra
        if is_set:
            was, now = algebra.members(before), self._as_members(name, after)
        else:
            was, now = algebra.cases(before), algebra.cases(after)
        for value in dict.fromkeys((*was, *now)):
            claim = self._claims.get((name, value, is_set))
            yield claim, now.get(value, FALSE), was.get(value, FALSE)

    def _as_members(self, name: str, after: Symbolic) -> Mapping[Value, Node]:
        algebra = self._evaluator.algebra
        try:
            return algebra.members(after)
        except BeyondError:
            shape = self._fields[name].shape
            if not isinstance(shape, Mask):
                raise
            return {member: algebra.contains(after, member) for member in shape.members}

    def _compared_amount(
        self, name: str, after: Symbolic, before: Symbolic
    ) -> Iterator[tuple[int, Node]]:
        if isinstance(before, Maybe):
            before = before.value
            after = after.value if isinstance(after, Maybe) else after
        if isinstance(before, Quantity):
            node = self._evaluator.algebra.number(after)
            if node != before.node:
                yield self._amounts.index(name), node

    # What is judged

    def _scope(self, names: Mapping[str, Value] | None = None) -> Scope:
        # Outside a turn flags are as they are when one starts.
        values = {**self._start, **self._flags}
        return Scope(values, Facts(values), names or {})

    def _judged(self) -> tuple[Node, ...]:
        scope = self._scope()
        over = self._system.over
        found = [FALSE if over is None else self._evaluator.truth(over, scope)]
        found += [self._evaluator.truth(player.turn, scope) for player in self._system.players]
        return (*found, *self._judged_result(scope))

    def _judged_result(self, scope: Scope) -> Iterator[Node]:
        """The values of a result that is computed, in their order; one that is stored is held."""
        name = self._system.result
        variable = None if name is None else self._system.variable(name)
        if variable is None or variable.role is not VariableRole.DEFINED:
            return
        value = self._evaluator.value(Ref(variable.name), scope)
        is_set = isinstance(value, Members | frozenset)
        algebra = self._evaluator.algebra
        nodes = algebra.members(value) if is_set else algebra.cases(value)
        for each in sorted(nodes, key=sort_key):
            yield nodes[each]

    def _held(self) -> frozenset[int]:
        """The result keeps its words, and where players pass, the turn its values."""
        names = {self._system.result, *self._passed}
        return frozenset(at for at, bit in enumerate(self._bits) if bit.variable in names)

    def _reads(self, procedure: Procedure) -> frozenset[str]:
        return Footprints(self._system).of_procedure(procedure.name).reads


def _values(shape: Count | Choice) -> tuple[Value, ...] | None:
    """The values of a variable, if it is taken apart into them."""
    if isinstance(shape, Choice):
        return shape.values
    if not shape.is_declared or shape.high - shape.low >= MOST_VALUES:
        return None
    return tuple(range(shape.low, shape.high + 1))
