"""Symbolic evaluation: expressions as formulas over the claims of a state.

What does not depend on the state is computed by the interpreter; the rest is
taken apart until only claims are left. What cannot be taken apart, or might have
no value in some state, is a ``GroundingError``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Final, assert_never

from zermelo.core.machine import Fault
from zermelo.core.values import UNSET, Number, TruthValue, Value, number, truth
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Expr, Op
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.formulas import FALSE, TRUE, Formulas, GroundingError, Node
from zermelo.languages.sections.symmetry.symbolic_values import (
    Algebra,
    Cases,
    Family,
    Infinite,
    Maybe,
    Members,
    Mixed,
    Powers,
    Products,
    Quantity,
    Symbolic,
    TruthFormula,
    components,
    is_known,
    known,
)
from zermelo.languages.sections.walk import Footprints, free_locals

DEEPEST: Final = 60
"""How deep functions and facts may nest."""


class SkippedError(Exception):
    """A local is outside its declaration, so the rule or call that uses it is skipped."""


@dataclass(frozen=True, slots=True)
class Absent:
    """Stands for a local that is outside its declaration, or has no value on some way."""

    is_outside: bool


@dataclass(slots=True)
class SymbolicFacts:
    """Defined variables, computed from these values when they are asked for."""

    values: Mapping[str, Symbolic]
    found: dict[str, Symbolic] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SymbolicScope:
    """What an expression sees."""

    values: Mapping[str, Symbolic]
    facts: SymbolicFacts
    names: Mapping[str, Symbolic | Absent]
    depth: int = 0

    def inside(self, names: Mapping[str, Symbolic | Absent]) -> SymbolicScope:
        if self.depth > DEEPEST:
            raise GroundingError(f"functions or facts nest deeper than {DEEPEST}")
        return SymbolicScope(self.values, self.facts, names, self.depth + 1)

    def of_facts(self) -> SymbolicScope:
        """What the definition of a fact sees."""
        return SymbolicScope(self.facts.values, self.facts, {}, self.depth).inside({})

    def with_names(self, names: Mapping[str, Symbolic]) -> SymbolicScope:
        return SymbolicScope(self.values, self.facts, {**self.names, **names}, self.depth)


class SymbolicExpressions:
    """Writes the expressions of one system out."""

    def __init__(self, machine: Interpreter, formulas: Formulas) -> None:
        system = machine.system
        self._machine = machine
        self._footprints = Footprints(system)
        self._sets = {each.name: each.value for each in system.sets}
        self._functions = {each.name: each for each in system.functions}
        self._definitions = {
            v.name: v.definition for v in system.variables if v.role is ir.VariableRole.DEFINED
        }
        self._constants: dict[int, tuple[Expr, Symbolic | None]] = {}
        self.formulas = formulas
        self.algebra = Algebra(formulas)

    # What is asked for

    def truth(self, expr: Expr, scope: SymbolicScope) -> Node:
        return self.algebra.truth(self.value(expr, scope))

    def value(self, expr: Expr, scope: SymbolicScope) -> Symbolic:
        found = self._written(expr, scope)
        is_case = isinstance(found, Cases) and found.nodes.get(UNSET, FALSE) != FALSE
        if is_case or isinstance(found, Maybe) or found is UNSET:
            raise GroundingError("a variable is used that may be unset")
        return found

    def _written(self, expr: Expr, scope: SymbolicScope) -> Symbolic:
        match expr:
            case ir.Literal(value):
                return value
            case ir.Local(name):
                return _local(scope.names.get(name))
            case ir.Ref(name):
                return self._ref(name, scope)
            case ir.NumberSet(kind):
                return Infinite(kind)
            case ir.PowerSet(base):
                return Powers(self.value(base, scope))
            case ir.Product(factors):
                return Products(tuple(self.value(factor, scope) for factor in factors))
            case _:
                constant = self._constant(expr)
                return self._taken_apart(expr, scope) if constant is None else constant

    def _taken_apart(self, expr: Expr, scope: SymbolicScope) -> Symbolic:
        match expr:
            case ir.Not() | ir.And() | ir.Or() | ir.Quantified():
                return _simple(self._formula(expr, scope))
            case ir.Binary():
                return self._binary(expr, scope)
            case ir.SetOf() | ir.Range() | ir.TupleOf() | ir.Comprehension():
                return self._collection(expr, scope)
            case ir.Only():
                raise GroundingError("the one member of a set that depends on the state")
            case ir.Negate() | ir.Card() | ir.Abs() | ir.Floor() | ir.Ceiling() | ir.Fold():
                return self._term(expr, scope)
            case ir.Apply(function, arguments):
                given = [self.value(argument, scope) for argument in arguments]
                return self._applied(function, given, scope)
            case (
                ir.Literal() | ir.Local() | ir.Ref() | ir.NumberSet() | ir.PowerSet() | ir.Product()
            ):
                return self._written(expr, scope)
            case _:
                assert_never(expr)

    def _constant(self, expr: Expr) -> Symbolic | None:
        """The value of *expr* if it depends on nothing."""
        found = self._constants.get(id(expr))
        if found is None:
            value: Value | Fault | None = None
            if not free_locals(expr) and not self._footprints.of(expr).reads:
                value = self._machine.evaluate(expr, self._machine.initial, {})
            found = (expr, None if isinstance(value, Fault) else value)
            self._constants[id(expr)] = found
        return found[1]

    # Names

    def _ref(self, name: str, scope: SymbolicScope) -> Symbolic:
        if name in self._sets:
            constant = self._constant(self._sets[name])
            if constant is not None:
                return constant
            return self.value(self._sets[name], scope.inside({}))
        if name in self._definitions:
            return self._fact(name, scope)
        if name in scope.values:
            return scope.values[name]
        raise GroundingError(f"`{name}` is nothing of this system")

    def _fact(self, name: str, scope: SymbolicScope) -> Symbolic:
        definition = self._definitions[name]
        found = scope.facts.found.get(name)
        if found is None and definition is not None:
            found = self.value(definition, scope.of_facts())
            scope.facts.found[name] = found
        if found is None:
            raise GroundingError(f"`{name}` has no definition")
        return found

    def _applied(self, name: str, given: list[Symbolic], scope: SymbolicScope) -> Symbolic:
        function = self._functions.get(name)
        if function is None or len(function.parameters) != len(given):
            raise GroundingError(f"`{name}` is no function of this system")
        names = dict(zip((p.name for p in function.parameters), given, strict=True))
        return self.value(function.body, scope.inside(names))

    # Formulas

    def _formula(self, expr: ir.Not | ir.And | ir.Or | ir.Quantified, scope: SymbolicScope) -> Node:
        match expr:
            case ir.Not(operand):
                return self.formulas.negation(self.truth(operand, scope))
            case ir.And(operands):
                return self._decided(operands, scope, stops_at=FALSE)
            case ir.Or(operands):
                return self._decided(operands, scope, stops_at=TRUE)
            case ir.Quantified(kind, binder, body):
                with _reached():
                    chosen = [(n, self.truth(body, s)) for n, s in self._bound(binder, scope)]
                if kind is ir.QuantifierKind.SOME:
                    return self.formulas.any_of(self.formulas.all_of(pair) for pair in chosen)
                return self.formulas.all_of(
                    self.formulas.any_of((self.formulas.negation(node), holds))
                    for node, holds in chosen
                )
            case _:
                assert_never(expr)

    def _decided(self, operands: tuple[Expr, ...], scope: SymbolicScope, *, stops_at: Node) -> Node:
        """A conjunction or disjunction, decided left to right."""
        found: list[Node] = []
        for operand in operands:
            try:
                node = self.truth(operand, scope)
            except SkippedError:
                if found:
                    raise GroundingError("a skipped part of a formula may not be reached") from None
                raise
            if node == stops_at:
                return stops_at
            if node != 1 - stops_at:
                found.append(node)
        return self.formulas.all_of(found) if stops_at == FALSE else self.formulas.any_of(found)

    def _bound(
        self, binder: ir.Binder, scope: SymbolicScope
    ) -> Iterator[tuple[Node, SymbolicScope]]:
        """Each possible member of the domain with its formula, its names bound."""
        for node, item in self.algebra.items(self.value(binder.domain, scope)):
            if node == FALSE:
                continue
            names = self._shaped(binder, item)
            if names is not None:
                yield node, scope.with_names(names)

    def _shaped(self, binder: ir.Binder, item: Symbolic) -> dict[str, Symbolic] | None:
        if not binder.is_tuple:
            return {binder.names[0]: item}
        parts = components(item)
        if parts is None:
            raise GroundingError("a member that depends on the state is taken apart")
        if len(parts) != len(binder.names):
            return None
        names: dict[str, Symbolic] = {}
        for name, part in zip(binder.names, parts, strict=True):
            if name in names and known(names[name]) != known(part):
                return None
            names[name] = part
        return names

    # Operators

    def _binary(self, expr: ir.Binary, scope: SymbolicScope) -> Symbolic:
        op = expr.op
        if op in {Op.EQ, Op.NE}:
            return self._equality(expr, scope)
        if op in {Op.IMPLIES, Op.IFF}:
            return self._implication(expr, scope)
        left = self.value(expr.left, scope)
        if op in {Op.IN, Op.NOT_IN}:
            inside = self._member(left, expr.right, scope)
            return self._unless(inside, negated=op is Op.NOT_IN)
        right = self.value(expr.right, scope)
        if op in {Op.SUBSET, Op.NOT_SUBSET, Op.PROPER_SUBSET}:
            return _simple(self._inclusion(op, left, right))
        if op in {Op.UNION, Op.INTERSECTION} or (op in _MINUS and _is_set(left)):
            return self.algebra.combined(Op.DIFFERENCE if op in _MINUS else op, left, right)
        return self._calculated(Op.MINUS if op in _MINUS else op, left, right)

    def _equality(self, expr: ir.Binary, scope: SymbolicScope) -> Symbolic:
        # A variable may be unset where it is compared.
        left, right = self._written(expr.left, scope), self._written(expr.right, scope)
        is_unset = expr.right == ir.Literal(UNSET)
        same = self._is_unset(left) if is_unset else self.algebra.equal(left, right)
        return self._unless(same, negated=expr.op is Op.NE)

    def _unless(self, node: Node, *, negated: bool) -> Symbolic:
        return _simple(self.formulas.negation(node) if negated else node)

    def _member(self, item: Symbolic, expr: Expr, scope: SymbolicScope) -> Node:
        """Whether *item* is in the set *expr*, of which no more is written out than needed."""
        match expr:
            case ir.Binary(Op.UNION | Op.INTERSECTION as op, left, right):
                joined = self.formulas.any_of if op is Op.UNION else self.formulas.all_of
                return joined([self._member(item, side, scope) for side in (left, right)])
            case ir.Binary(Op.DIFFERENCE, left, right):
                outside = self.formulas.negation(self._member(item, right, scope))
                return self.formulas.all_of([self._member(item, left, scope), outside])
            case ir.Ref(name) if name in self._definitions and name not in scope.facts.found:
                definition = self._definitions[name]
                if isinstance(definition, ir.Binary):
                    return self._member(item, definition, scope.of_facts())
            case _:
                pass
        return self.algebra.contains(self.value(expr, scope), item)

    def _is_unset(self, symbolic: Symbolic) -> Node:
        if isinstance(symbolic, Maybe):
            return self.formulas.negation(symbolic.present)
        if isinstance(symbolic, Cases):
            return symbolic.nodes.get(UNSET, FALSE)
        return TRUE if symbolic is UNSET else FALSE

    def _implication(self, expr: ir.Binary, scope: SymbolicScope) -> Symbolic:
        left = self.truth(expr.left, scope)
        if expr.op is Op.IFF:
            return _simple(self.formulas.same(left, self.truth(expr.right, scope)))
        if left == FALSE:
            return _simple(TRUE)
        with _reached():
            right = self.truth(expr.right, scope)
        return _simple(self.formulas.any_of((self.formulas.negation(left), right)))

    def _inclusion(self, op: Op, left: Symbolic, right: Symbolic) -> Node:
        inside = self.algebra.is_subset(left, right)
        if op is Op.NOT_SUBSET:
            return self.formulas.negation(inside)
        if op is Op.PROPER_SUBSET:
            around = self.formulas.negation(self.algebra.is_subset(right, left))
            return self.formulas.all_of((inside, around))
        return inside

    def _calculated(self, op: Op, left: Symbolic, right: Symbolic) -> Symbolic:
        """Arithmetic and order."""
        if isinstance(left, Quantity) or isinstance(right, Quantity):
            if op not in _WHOLE:
                raise GroundingError("a number without bound is divided, or raised to a power")
            node = self.formulas.term(op, self.algebra.number(left), self.algebra.number(right))
            return _simple(node) if op in _ORDER else Quantity(node)
        compute = _ARITHMETIC.get(op) or _ordered(op)
        found = self.algebra.mapped(lambda a, b: compute(_as_number(a), _as_number(b)), left, right)
        return _simple(self.algebra.truth(found)) if op in _ORDER else found

    # Sets, tuples and terms

    def _collection(
        self, expr: ir.SetOf | ir.Range | ir.TupleOf | ir.Comprehension, scope: SymbolicScope
    ) -> Symbolic:
        match expr:
            case ir.TupleOf(items):
                values = tuple(self.value(item, scope) for item in items)
                return tuple(map(known, values)) if all(map(is_known, values)) else Mixed(values)
            case ir.Range(low, high):
                first, last = known(self.value(low, scope)), known(self.value(high, scope))
                return frozenset(range(ceil(_as_number(first)), floor(_as_number(last)) + 1))
            case ir.SetOf(items):
                return self._set_of(items, scope)
            case ir.Comprehension():
                with _reached():
                    return self._gathered(list(self._solutions(expr, scope)))
            case _:
                assert_never(expr)

    def _set_of(self, items: tuple[Expr, ...], scope: SymbolicScope) -> Symbolic:
        found: list[tuple[Node, Symbolic]] = []
        for item in items:
            value = self.value(item, scope)
            if isinstance(item, ir.Range):
                found += self.algebra.items(value)
            else:
                found.append((TRUE, value))
        return self._gathered(found)

    def _gathered(self, found: list[tuple[Node, Symbolic]]) -> Symbolic:
        """A set of what was found, each where its formula holds."""
        if all(node == TRUE and is_known(item) for node, item in found):
            return frozenset(known(item) for _, item in found)
        family = Family(tuple((node, item) for node, item in found if node != FALSE))
        if all(is_known(item) for _, item in family.items):
            return Members(self.algebra.members(family))
        return family

    def _solutions(
        self, expr: ir.Comprehension, scope: SymbolicScope
    ) -> Iterator[tuple[Node, Symbolic]]:
        ways: list[tuple[Node, SymbolicScope]] = [(TRUE, scope)]
        for binder in expr.binders:
            ways = [
                (self.formulas.all_of((node, inner)), below)
                for node, around in ways
                for inner, below in self._bound(binder, around)
            ]
        for node, inside in ways:
            holds = self.formulas.all_of((node, self.truth(expr.condition, inside)))
            if holds != FALSE:
                yield holds, self.value(expr.result, inside)

    def _term(
        self,
        expr: ir.Negate | ir.Card | ir.Abs | ir.Floor | ir.Ceiling | ir.Fold,
        scope: SymbolicScope,
    ) -> Symbolic:
        match expr:
            case ir.Card(operand):
                return self.algebra.size(self.value(operand, scope))
            case ir.Fold(kind, binder, body):
                if kind is not ir.FoldKind.SUM:
                    raise GroundingError("a product over a set that depends on the state")
                with _reached():
                    parts = [(n, self.value(body, s)) for n, s in self._bound(binder, scope)]
                return self.algebra.sum(parts)
            case ir.Negate(operand) | ir.Abs(operand) | ir.Floor(operand) | ir.Ceiling(operand):
                compute = _UNARY[type(expr)]
                value = self.value(operand, scope)
                return self.algebra.mapped(lambda n: number(compute(_as_number(n))), value)
            case _:
                assert_never(expr)


@contextmanager
def _reached() -> Iterator[None]:
    """Something that is looked at only in some states, or for some members."""
    try:
        yield
    except SkippedError:
        raise GroundingError("a value outside its declaration may be looked at") from None


def _local(found: Symbolic | Absent | None) -> Symbolic:
    if isinstance(found, Absent):
        raise SkippedError if found.is_outside else GroundingError("a local may have no value")
    if found is None:
        raise GroundingError("a local has no value")
    return found


def _simple(node: Node) -> Symbolic:
    return truth(node == TRUE) if node in {FALSE, TRUE} else TruthFormula(node)


def _is_set(symbolic: Symbolic) -> bool:
    return not isinstance(symbolic, TruthValue | int | Fraction | Quantity) and not (
        isinstance(symbolic, Cases)
        and all(isinstance(value, int | Fraction) for value in symbolic.nodes)
    )


def _divided(left: Number, right: Number) -> Number:
    if right == 0:
        raise GroundingError("something may be divided by 0")
    return number(Fraction(left) / Fraction(right))


def _modulo(left: Number, right: Number) -> Number:
    if not isinstance(left, int) or not isinstance(right, int) or right <= 0:
        raise GroundingError("a remainder may have no value")
    return left % right


def _power(left: Number, right: Number) -> Number:
    if not isinstance(right, int) or not 0 <= right <= 64:
        raise GroundingError("a power may have no value")
    return number(left**right)


_MINUS: Final = {Op.MINUS, Op.DIFFERENCE}
_WHOLE: Final = {Op.PLUS, Op.MINUS, Op.TIMES, Op.LT, Op.LE, Op.GT, Op.GE}
_ORDER: Final[Mapping[Op, Callable[[Number, Number], bool]]] = {
    Op.LT: operator.lt,
    Op.LE: operator.le,
    Op.GT: operator.gt,
    Op.GE: operator.ge,
}
_UNARY: Final[Mapping[type[ir.Node], Callable[[Number], Number]]] = {
    ir.Negate: lambda n: -n,
    ir.Abs: lambda n: max(n, -n),
    ir.Floor: floor,
    ir.Ceiling: ceil,
}
_ARITHMETIC: Final[Mapping[Op, Callable[[Number, Number], Number]]] = {
    Op.PLUS: lambda a, b: number(a + b),
    Op.MINUS: lambda a, b: number(a - b),
    Op.TIMES: lambda a, b: number(a * b),
    Op.DIVIDE: _divided,
    Op.MOD: _modulo,
    Op.POWER: _power,
}


def _ordered(op: Op) -> Callable[[Number, Number], Value]:
    compare = _ORDER[op]
    return lambda a, b: truth(compare(a, b))


def _as_number(value: Value) -> Number:
    if not isinstance(value, int | Fraction):
        raise GroundingError("something that is no number is used as one")
    return value
