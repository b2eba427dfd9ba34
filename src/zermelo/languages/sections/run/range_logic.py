"""What expressions can be, and what a condition says of the names in it.

Nothing is run: every name has a range, and so has every expression made of them. A condition that
holds narrows the ranges of its names, also through definitions, sums, tuples and value functions.
Whatever is not understood narrows nothing, so that no possible value is ever lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor, isqrt
from typing import Final

from zermelo.core.machine import FaultError, SkipError
from zermelo.core.values import UNSET, TruthValue, Value, number, truth
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Expr, Op
from zermelo.languages.sections.run import ranges
from zermelo.languages.sections.run.domains import estimated_size
from zermelo.languages.sections.run.expressions import SystemExpressions
from zermelo.languages.sections.run.operators import ValueCode
from zermelo.languages.sections.run.ranges import (
    ANYTHING,
    NOTHING,
    SOME_NUMBER,
    Between,
    OneOf,
    Range,
    SetWithin,
    TupleWithin,
    component,
    ends,
    interval,
    join,
    joined,
    meet,
    members_of,
    only,
    the_value,
)
from zermelo.languages.sections.run.sets import Numbers
from zermelo.languages.sections.walk import applied, free_locals, recursive, substituted
from zermelo.text.budget import spend

_DEEPEST: Final = 40
"""Expressions, definitions and value functions are looked into so deeply."""
_MOST_EXPRESSIONS: Final = 20_000
_STEPS_OF_AN_EXPRESSION: Final = 10


@dataclass(frozen=True, slots=True)
class Origin:
    """What a local was given: the value of *expr*, or the component *at* of *count* of it."""

    expr: Expr
    at: int = 0
    count: int = 0
    """0 for the whole value."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of all names at some point."""

    variables: Mapping[str, Range]
    locals: Mapping[str, Range] = field(default_factory=dict)
    origins: Mapping[str, Origin] = field(default_factory=dict)
    frozen: Mapping[str, Range] | None = None
    """What facts are computed from, where that is not what the variables are now."""
    changed: frozenset[str] = frozenset()
    """The variables that may differ from the frozen ones."""
    terms: Mapping[Expr, Range] = field(default_factory=dict)
    """What sums and the like were found to be, which says more than what their parts are."""

    def fact_view(self) -> Known:
        return Known(self.variables if self.frozen is None else self.frozen)

    def with_variable(self, name: str, found: Range) -> Known:
        frozen = self.frozen
        if frozen is not None and name not in self.changed:
            frozen = {**frozen, name: found}
        return replace(self, variables={**self.variables, name: found}, frozen=frozen)

    def with_local(self, name: str, found: Range) -> Known:
        return replace(self, locals={**self.locals, name: found})

    def forgetting(self, names: frozenset[str]) -> Known:
        """This without what locals were made of, where one of *names* is in it."""
        kept = {
            name: origin
            for name, origin in self.origins.items()
            if name not in names and not free_locals(origin.expr) & names
        }
        terms = {term: found for term, found in self.terms.items() if not free_locals(term) & names}
        return replace(self, origins=kept, terms=terms)

    def with_facts(self, view: Known) -> Known:
        """This with what was found out in the *view* that facts have."""
        if self.frozen is None:
            return replace(self, variables=view.variables)
        same = {n: r for n, r in view.variables.items() if n not in self.changed}
        return replace(self, variables={**self.variables, **same}, frozen=view.variables)


class RangeLogic:
    """Works out ranges for one system."""

    def __init__(self, expressions: SystemExpressions, system: ir.System) -> None:
        self._expressions = expressions
        self._footprints = expressions.footprints
        self._sets = {each.name: each.value for each in system.sets}
        self._defined = {v.name: v.definition for v in system.variables if v.definition is not None}
        self._functions = {each.name: each for each in system.functions}
        self._endless = recursive({f.name: applied(f.body) for f in system.functions})
        self._uses: dict[int, tuple[Expr, frozenset[str], frozenset[str]]] = {}
        self._constants: dict[int, tuple[Expr, Range | None]] = {}
        self._codes: dict[int, tuple[Expr, ValueCode]] = {}
        self._bodies: dict[int, tuple[Expr, Expr | None]] = {}
        self._depth = 0
        self._left = _MOST_EXPRESSIONS

    def begin(self, expressions: int) -> None:
        """Look at no more than so many *expressions* from now on; of others nothing is known."""
        self._left = expressions

    def declared(self, domain: Expr) -> Range:
        """What a member of *domain* can be; all else that was looked at leaves it its own share."""
        self.begin(_MOST_EXPRESSIONS)
        return members_of(self.value(domain, Known({})))

    def is_spent(self) -> bool:
        """Whether something was not looked at because that would have been too much."""
        return self._left <= 0

    def _may_go_on(self) -> bool:
        spend(_STEPS_OF_AN_EXPRESSION, "finding what values there can be")
        self._left -= 1
        return self._left > 0 and self._depth <= _DEEPEST

    # Values

    def value(self, expr: Expr, known: Known) -> Range:
        """What *expr* can be where it has a value."""
        if not self._may_go_on():
            return ANYTHING
        self._depth += 1
        try:
            exact = self._exact(expr, known)
            found = self._value(expr, known) if exact is None else exact
            if known.terms and _is_sum(expr):
                found = meet(found, known.terms.get(expr, ANYTHING))
            return found
        finally:
            self._depth -= 1

    def _exact(self, expr: Expr, known: Known) -> Range | None:
        """The value of *expr*, if everything that it is made of has one that is known."""
        if isinstance(expr, ir.Literal):
            return only(expr.value)
        if isinstance(expr, ir.Ref | ir.Local) and expr.name not in self._sets:
            return None
        reads, names = self._used(expr)
        if not reads and not names:
            if id(expr) not in self._constants:
                self._constants[id(expr)] = (expr, self._evaluated(expr, {}, {}))
            return self._constants[id(expr)][1]
        is_stale = known.frozen is not None and bool(reads & known.changed)
        if is_stale or not reads - self._defined.keys() <= known.variables.keys():
            return None
        values = {n: the_value(known.variables[n]) for n in reads if n in known.variables}
        given = {n: the_value(known.locals.get(n, ANYTHING)) for n in names}
        if None in values.values() or None in given.values() or UNSET in values.values():
            return None
        return self._evaluated(
            expr,
            {n: v for n, v in values.items() if v is not None},
            {n: v for n, v in given.items() if v is not None},
        )

    def _used(self, expr: Expr) -> tuple[frozenset[str], frozenset[str]]:
        found = self._uses.get(id(expr))
        if found is None:
            found = (expr, self._footprints.of(expr).reads, free_locals(expr))
            self._uses[id(expr)] = found
        return found[1], found[2]

    def _evaluated(
        self, expr: Expr, values: dict[str, Value], names: dict[str, Value]
    ) -> Range | None:
        size = estimated_size(expr, self._sets.get)
        if size is not None and size.exceeds(ranges.MOST_LISTED):
            return None
        if applied(expr) and self._endless:
            return None
        if id(expr) not in self._codes:
            self._codes[id(expr)] = (expr, self._expressions.value(expr))
        try:
            return only(self._codes[id(expr)][1](self._expressions.env(values, names)))
        except (FaultError, SkipError):
            # It has no value here, or only one that cannot be listed: its parts say more.
            return None

    def _value(self, expr: Expr, known: Known) -> Range:
        match expr:
            case ir.Ref(name):
                return self._named(name, known)
            case ir.Local(name):
                return self._local(name, known)
            case ir.Apply():
                body = self._opened(expr)
                return ANYTHING if body is None else self.value(body, known)
            case ir.Binary(op, left, right):
                return self._binary(op, left, right, known)
            case ir.Not() | ir.And() | ir.Or() | ir.Quantified():
                return self._truth(expr, known)
            case ir.TupleOf(items):
                return TupleWithin(tuple(self.value(item, known) for item in items))
            case ir.Only(operand):
                return members_of(self.value(operand, known))
            case ir.Negate() | ir.Card() | ir.Abs() | ir.Floor() | ir.Ceiling() | ir.Fold():
                return self._number(expr, known)
            case _:
                return SetWithin(self._members(expr, known))

    def _members(self, whole: Expr, known: Known) -> Range:
        """What the members of a set can be that is written down."""
        match whole:
            case ir.NumberSet(kind):
                return Between(Numbers(kind).least, None)
            case ir.SetOf(items):
                return joined(self._item(item, known) for item in items)
            case ir.Range():
                return self._item(whole, known)
            case ir.Product(factors):
                inside = (members_of(self.value(factor, known)) for factor in factors)
                return TupleWithin(tuple(inside))
            case ir.PowerSet(base):
                return SetWithin(members_of(self.value(base, known)))
            case ir.Comprehension(result, binders, condition):
                inner = self._bound(binders, known)
                left = None if inner is None else self.refine(condition, inner)
                return NOTHING if left is None else self.value(result, left)
            case _:
                return ANYTHING

    def _named(self, name: str, known: Known) -> Range:
        if name in known.variables:
            return known.variables[name]
        if name in self._sets:
            return self.value(self._sets[name], Known({}))
        definition = self._defined.get(name)
        return ANYTHING if definition is None else self.value(definition, known.fact_view())

    def _local(self, name: str, known: Known) -> Range:
        found = known.locals.get(name, ANYTHING)
        origin = known.origins.get(name)
        if origin is None:
            return found
        whole = self.value(origin.expr, known)
        return meet(found, component(whole, origin.at, origin.count) if origin.count else whole)

    def _item(self, item: Expr, known: Known) -> Range:
        if not isinstance(item, ir.Range):
            return self.value(item, known)
        low, high = ends(self.value(item.low, known)), ends(self.value(item.high, known))
        first = None if low is None else low.low
        last = None if high is None else high.high
        return interval(first, last, is_whole=True)

    def _bound(self, binders: tuple[ir.Binder, ...], known: Known) -> Known | None:
        """*known* with the names of *binders*; ``None`` if there is nothing they could be."""
        for binder in binders:
            inside = members_of(self.value(binder.domain, known))
            if inside == NOTHING:
                return None
            names, count = binder.names, len(binder.names) if binder.is_tuple else 0
            found = {
                name: component(inside, at, count) if count else inside
                for at, name in enumerate(names)
            }
            known = known.forgetting(names=frozenset(names))
            known = replace(known, locals={**known.locals, **found})
        return known

    def _opened(self, expr: ir.Apply) -> Expr | None:
        """What a value function says of its arguments."""
        if id(expr) in self._bodies:
            return self._bodies[id(expr)][1]
        body = None
        function = self._functions.get(expr.function)
        if function is not None and len(function.parameters) == len(expr.arguments):
            names = (parameter.name for parameter in function.parameters)
            body = substituted(function.body, dict(zip(names, expr.arguments, strict=True)), {})
        self._bodies[id(expr)] = (expr, body)
        return body

    def _binary(self, op: Op, left: Expr, right: Expr, known: Known) -> Range:
        if op in _OF_SETS:
            one, other = (members_of(self.value(side, known)) for side in (left, right))
            return SetWithin(_OF_SETS[op](one, other))
        if op in _OF_NUMBERS:
            return _OF_NUMBERS[op](self.value(left, known), self.value(right, known))
        if op is Op.POWER:
            return SOME_NUMBER
        return self._truth(ir.Binary(op, left, right), known)

    def _truth(self, expr: Expr, known: Known) -> Range:
        can = {
            truth(holds)
            for holds in (True, False)
            if self.refine(expr, known, holds=holds) is not None
        }
        return OneOf(frozenset(can))

    def _number(self, expr: Expr, known: Known) -> Range:
        match expr:
            case ir.Negate(operand):
                return ranges.negated(self.value(operand, known))
            case ir.Card(operand):
                most = ranges.count(members_of(self.value(operand, known)))
                return interval(0, most, is_whole=True)
            case ir.Abs(operand):
                return _absolute(self.value(operand, known))
            case ir.Floor(operand) | ir.Ceiling(operand):
                return _rounded(self.value(operand, known))
            case ir.Fold(ir.FoldKind.SUM, binder, body):
                return self._sum(binder, body, known)
            case _:
                return ANYTHING

    def _sum(self, binder: ir.Binder, body: Expr, known: Known) -> Range:
        inner = self._bound((binder,), known)
        each = None if inner is None else ends(self.value(body, inner))
        most = ranges.count(members_of(self.value(binder.domain, known)))
        if inner is None:
            return only(0)
        if each is None or most is None or each.low is None or each.high is None:
            return SOME_NUMBER
        low, high = most * min(each.low, 0), most * max(each.high, 0)
        return interval(low, high, is_whole=each.is_whole)

    # Conditions

    def refine(self, condition: Expr, known: Known, *, holds: bool = True) -> Known | None:
        """What is known where *condition* holds, or does not; ``None`` if that cannot be."""
        if not self._may_go_on():
            return known
        match condition:
            case ir.And(operands):
                return (
                    self._all(operands, known)
                    if holds
                    else self._some(operands, known, holds=holds)
                )
            case ir.Or(operands):
                return (
                    self._some(operands, known, holds=holds)
                    if holds
                    else self._none(operands, known)
                )
            case ir.Not(operand):
                return self.refine(operand, known, holds=not holds)
            case ir.Binary(Op.IMPLIES, left, right):
                return self.refine(ir.Or((ir.Not(left), right)), known, holds=holds)
            case ir.Binary(Op.IFF, left, right):
                both = ir.And((left, right) if holds else (left, ir.Not(right)))
                neither = ir.And((ir.Not(left), ir.Not(right) if holds else right))
                return self._some((both, neither), known, holds=True)
            case ir.Binary(op, left, right) if op in _OPPOSITE:
                return self._compared(op if holds else _OPPOSITE[op], left, right, known)
            case _:
                return self._refine_named(condition, known, holds=holds)

    def _refine_named(self, condition: Expr, known: Known, *, holds: bool) -> Known | None:
        match condition:
            case ir.Quantified():
                return self._quantified(condition, known, holds=holds)
            case ir.Apply() if (body := self._opened(condition)) is not None:
                return self._deeper(body, known, holds=holds)
            case ir.Ref(name) if name in self._defined:
                view = self._deeper(self._defined[name], known.fact_view(), holds=holds)
                return None if view is None else known.with_facts(view)
            case ir.Ref() | ir.Local():
                return self.narrow(condition, only(truth(holds)), known)
            case _:
                found = self.value(condition, known)
                return known if ranges.has(found, truth(holds)) else None

    def _deeper(self, condition: Expr, known: Known, *, holds: bool) -> Known | None:
        self._depth += 1
        try:
            return self.refine(condition, known, holds=holds)
        finally:
            self._depth -= 1

    def _all(self, operands: tuple[Expr, ...], known: Known) -> Known | None:
        """What is known where each of *operands* holds; what one says may help another."""
        at: Known | None = known
        for _ in range(2):
            for operand in operands:
                at = None if at is None else self.refine(operand, at)
        return at

    def _none(self, operands: tuple[Expr, ...], known: Known) -> Known | None:
        return self._all(tuple(ir.Not(operand) for operand in operands), known)

    def _some(self, operands: tuple[Expr, ...], known: Known, *, holds: bool) -> Known | None:
        found = [self.refine(operand, known, holds=holds) for operand in operands]
        possible = [each for each in found if each is not None]
        return join_known(possible) if possible else None

    def _quantified(self, expr: ir.Quantified, known: Known, *, holds: bool) -> Known | None:
        """Something exists only where its condition can hold; of all, nothing is said."""
        kind, binder, body = expr.kind, expr.binder, expr.body
        if (kind is ir.QuantifierKind.SOME) != holds:
            return known
        inner = self._bound((binder,), known)
        found = None if inner is None else self.refine(body, inner, holds=holds)
        if found is None:
            return None
        own = set(binder.names)
        return replace(
            found,
            locals={n: r for n, r in found.locals.items() if n not in own}
            | {n: known.locals[n] for n in own & known.locals.keys()},
            origins=known.origins,
        )

    def _compared(self, op: Op, left: Expr, right: Expr, known: Known) -> Known | None:
        match op:
            case Op.IN:
                return self._inside(left, right, known)
            case Op.NOT_IN:
                apart = the_value(self.value(right, known))
                return self._apart(left, apart, known) if isinstance(apart, frozenset) else known
            case Op.SUBSET | Op.PROPER_SUBSET:
                within = SetWithin(members_of(self.value(right, known)))
                return self.narrow(left, within, known)
            case Op.NE:
                return self._different(left, right, known)
            case Op.EQ:
                return self._equal(left, right, known)
            case Op.LT | Op.LE | Op.GT | Op.GE:
                return self._ordered(op, left, right, known)
            case _:
                return known

    def _inside(self, member: Expr, whole: Expr, known: Known) -> Known | None:
        match whole:
            case ir.Binary(Op.DIFFERENCE, left, right):
                after = self._inside(member, left, known)
                return after and self._compared(Op.NOT_IN, member, right, after)
            case ir.Binary(Op.INTERSECTION, left, right):
                after = self._inside(member, left, known)
                return after and self._inside(member, right, after)
            case _:
                return self.narrow(member, members_of(self.value(whole, known)), known)

    def _equal(self, left: Expr, right: Expr, known: Known) -> Known | None:
        one, other = self.value(left, known), self.value(right, known)
        for side, found in ((left, the_value(other)), (right, the_value(one))):
            if isinstance(found, TruthValue):
                return self._deeper(side, known, holds=found.holds)
        after = self.narrow(left, other, known)
        return after and self.narrow(right, one, after)

    def _different(self, left: Expr, right: Expr, known: Known) -> Known | None:
        at: Known | None = known
        for side, other in ((left, right), (right, left)):
            value = None if at is None else the_value(self.value(other, at))
            if at is not None and value is not None:
                at = self._apart(side, frozenset({value}), at)
        return at

    def _apart(self, term: Expr, values: frozenset[Value], known: Known) -> Known | None:
        found = self.value(term, known)
        left = ranges.without(found, values)
        return known if left == found else self.narrow(term, left, known)

    def _ordered(self, op: Op, left: Expr, right: Expr, known: Known) -> Known | None:
        if op in {Op.GT, Op.GE}:
            return self._ordered(Op.LT if op is Op.GT else Op.LE, right, left, known)
        one, other = ends(self.value(left, known)), ends(self.value(right, known))
        if one is None or other is None:
            return known
        # Between whole numbers `<` leaves a step.
        step = 1 if op is Op.LT and one.is_whole and other.is_whole else 0
        below = Between(None, None if other.high is None else other.high - step, is_whole=False)
        above = Between(None if one.low is None else one.low + step, None, is_whole=False)
        after = self.narrow(left, below, known)
        return after and self.narrow(right, above, after)

    def is_sure(self, condition: Expr, known: Known) -> bool:
        """Whether *condition* certainly is decided: nothing in it can be without a value."""
        match condition:
            case ir.Literal() | ir.NumberSet() | ir.Local():
                return True
            case ir.Ref(name) if name in self._defined:
                return self.is_sure(self._defined[name], known.fact_view())
            case ir.Ref(name):
                return not ranges.has(known.variables.get(name, only(0)), UNSET)
            case ir.Quantified(binder=binder, body=body):
                inner = self._bound((binder,), known)
                is_short = self._is_short(binder.domain, known)
                return is_short and (inner is None or self.is_sure(body, inner))
            case ir.Card(operand):
                return self._is_short(operand, known) and self.is_sure(operand, known)
            case ir.Binary(op, left, right):
                return self._are_sure(op, left, right, known)
            case ir.Not(operand) | ir.Negate(operand) | ir.Abs(operand):
                return self.is_sure(operand, known)
            case ir.And(items) | ir.Or(items) | ir.SetOf(items) | ir.TupleOf(items):
                return all(self.is_sure(item, known) for item in items)
            case _:
                return False

    def _are_sure(self, op: Op, left: Expr, right: Expr, known: Known) -> bool:
        if op in {Op.DIVIDE, Op.MOD, Op.POWER}:
            return False
        if op in {Op.EQ, Op.NE} and isinstance(left, ir.Ref) and right == ir.Literal(UNSET):
            return left.name in known.variables
        if op in {Op.SUBSET, Op.NOT_SUBSET, Op.PROPER_SUBSET, Op.EQ, Op.NE}:
            for side in (left, right):
                is_set = isinstance(self.value(side, known), SetWithin)
                if is_set and not self._is_short(side, known):
                    return False
        return self.is_sure(left, known) and self.is_sure(right, known)

    def _is_short(self, whole: Expr, known: Known) -> bool:
        most = ranges.count(members_of(self.value(whole, known)))
        return most is not None and most <= ranges.MOST_LISTED

    # Terms

    def narrow(self, term: Expr, within: Range, known: Known) -> Known | None:
        """What is known where *term* is within a range; ``None`` if it cannot be."""
        left = meet(self.value(term, known), within)
        if left == NOTHING:
            return None
        if not self._may_go_on():
            return known
        self._depth += 1
        try:
            return self._narrowed(term, left, known)
        finally:
            self._depth -= 1

    def _narrowed(self, term: Expr, left: Range, known: Known) -> Known | None:
        match term:
            case ir.Local(name):
                return self._narrowed_local(name, left, known)
            case ir.Ref(name) if name in known.variables:
                return known.with_variable(name, left)
            case ir.Ref(name) if name in self._defined:
                view = self.narrow(self._defined[name], left, known.fact_view())
                return None if view is None else known.with_facts(view)
            case ir.TupleOf(items):
                parts = (component(left, at, len(items)) for at in range(len(items)))
                return self._each(items, tuple(parts), known)
            case ir.SetOf(items) if not any(isinstance(item, ir.Range) for item in items):
                return self._each(items, (members_of(left),) * len(items), known)
            case ir.Apply() if (body := self._opened(term)) is not None:
                return self.narrow(body, left, known)
            case _:
                return self._narrowed_number(term, left, known)

    def _each(
        self, terms: tuple[Expr, ...], within: tuple[Range, ...], known: Known
    ) -> Known | None:
        at: Known | None = known
        for term, inside in zip(terms, within, strict=True):
            at = None if at is None else self.narrow(term, inside, at)
        return at

    def _narrowed_local(self, name: str, left: Range, known: Known) -> Known | None:
        after = known.with_local(name, left)
        origin = known.origins.get(name)
        if origin is None:
            return after
        if origin.count:
            parts = [ANYTHING if at != origin.at else left for at in range(origin.count)]
            left = TupleWithin(tuple(parts))
        return self.narrow(origin.expr, left, after)

    def _narrowed_number(self, term: Expr, left: Range, known: Known) -> Known | None:
        match term:
            case ir.Negate(operand):
                return self.narrow(operand, ranges.negated(left), known)
            case ir.Binary(Op.PLUS | Op.MINUS) if term not in known.terms:
                terms = {**known.terms, term: left}
                return self._narrowed_number(term, left, replace(known, terms=terms))
            case ir.Binary(Op.PLUS, one, other):
                after = self.narrow(one, ranges.minus(left, self.value(other, known)), known)
                if after is None:
                    return None
                return self.narrow(other, ranges.minus(left, self.value(one, after)), after)
            case ir.Binary(Op.MINUS, one, other):
                after = self.narrow(one, ranges.plus(left, self.value(other, known)), known)
                if after is None:
                    return None
                return self.narrow(other, ranges.minus(self.value(one, after), left), after)
            case _:
                return self._narrowed_factor(term, left, known)

    def _narrowed_factor(self, term: Expr, left: Range, known: Known) -> Known | None:
        match term:
            case ir.Binary(Op.TIMES, one, other) if one == other:
                return self.narrow(one, _root(left), known)
            case ir.Binary(Op.TIMES, one, other):
                return self._factors(one, other, left, known)
            case ir.Binary(Op.DIVIDE, one, other):
                by = the_value(self.value(other, known))
                if not isinstance(by, int | Fraction):
                    return known
                return self.narrow(one, ranges.times(left, only(by)), known)
            case ir.Abs(operand):
                bounds = ends(left)
                most = None if bounds is None else bounds.high
                inside = SOME_NUMBER if most is None else Between(-most, most, is_whole=False)
                return self.narrow(operand, inside, known)
            case ir.Floor(operand) | ir.Ceiling(operand):
                return self.narrow(operand, _around(left), known)
            case _:
                return known

    def _factors(self, one: Expr, other: Expr, left: Range, known: Known) -> Known | None:
        at: Known | None = known
        for term, factor in ((one, other), (other, one)):
            by = None if at is None else the_value(self.value(factor, at))
            if at is not None and isinstance(by, int | Fraction) and by:
                at = self.narrow(term, ranges.times(left, only(number(Fraction(1) / by))), at)
        return at


def _is_sum(expr: Expr) -> bool:
    return isinstance(expr, ir.Binary) and expr.op in {Op.PLUS, Op.MINUS}


def join_known(found: list[Known]) -> Known:
    """What is known if one of *found* is so."""
    first, *others = found
    for other in others:
        first = Known(
            _join_maps(first.variables, other.variables),
            _join_maps(first.locals, other.locals),
            {n: o for n, o in first.origins.items() if other.origins.get(n) == o},
            None
            if first.frozen is None or other.frozen is None
            else _join_maps(first.frozen, other.frozen),
            first.changed | other.changed,
            {t: join(r, other.terms[t]) for t, r in first.terms.items() if t in other.terms},
        )
    return first


def _join_maps(one: Mapping[str, Range], other: Mapping[str, Range]) -> Mapping[str, Range]:
    if one is other:
        return one
    return {name: join(found, other[name]) for name, found in one.items() if name in other}


def _absolute(found: Range) -> Range:
    bounds = ends(found)
    if bounds is None:
        return SOME_NUMBER
    if bounds.low is None or bounds.high is None:
        return interval(0, None, is_whole=bounds.is_whole)
    return interval(0, max(-bounds.low, bounds.high), is_whole=bounds.is_whole)


def _rounded(found: Range) -> Range:
    bounds = ends(found)
    if bounds is None:
        return SOME_NUMBER
    low = None if bounds.low is None else floor(bounds.low)
    return interval(low, None if bounds.high is None else ceil(bounds.high), is_whole=True)


def _around(found: Range) -> Range:
    """The numbers that may be rounded to one of *found*."""
    bounds = ends(found)
    if bounds is None:
        return ANYTHING
    low = None if bounds.low is None else bounds.low - 1
    return Between(low, None if bounds.high is None else bounds.high + 1, is_whole=False)


def _root(square: Range) -> Range:
    bounds = ends(square)
    if bounds is None or bounds.high is None or bounds.high < 0:
        return ANYTHING
    most = isqrt(floor(bounds.high)) + 1
    return Between(-most, most, is_whole=False)


def _modulo(one: Range, other: Range) -> Range:
    bounds = ends(other)
    if bounds is None or bounds.low is None or bounds.low <= 0 or bounds.high is None:
        return SOME_NUMBER
    above = ends(one)
    whole = bounds.is_whole and above is not None and above.is_whole
    return interval(0, bounds.high - 1 if whole else bounds.high, is_whole=whole)


def _quotient(one: Range, other: Range) -> Range:
    by = the_value(other)
    if not isinstance(by, int | Fraction) or not by:
        return SOME_NUMBER
    scaled = ranges.times(one, only(number(Fraction(1) / by)))
    # Between whole bounds there are others than whole numbers.
    return replace(scaled, is_whole=False) if isinstance(scaled, Between) else scaled


_OF_NUMBERS: Final[Mapping[Op, Callable[[Range, Range], Range]]] = {
    Op.PLUS: ranges.plus,
    Op.MINUS: ranges.minus,
    Op.TIMES: ranges.times,
    Op.DIVIDE: _quotient,
    Op.MOD: _modulo,
}
_OF_SETS: Final[Mapping[Op, Callable[[Range, Range], Range]]] = {
    Op.UNION: join,
    Op.INTERSECTION: meet,
    Op.DIFFERENCE: lambda one, _: one,
}
_OPPOSITE: Final[Mapping[Op, Op]] = {
    Op.EQ: Op.NE,
    Op.NE: Op.EQ,
    Op.LT: Op.GE,
    Op.GE: Op.LT,
    Op.LE: Op.GT,
    Op.GT: Op.LE,
    Op.IN: Op.NOT_IN,
    Op.NOT_IN: Op.IN,
    Op.SUBSET: Op.NOT_SUBSET,
    Op.NOT_SUBSET: Op.SUBSET,
}
