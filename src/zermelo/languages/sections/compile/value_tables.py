"""Expressions of few and small values, computed now for all of them.

``|w| = 3 ∧ ∑ a∈w a < 15`` depends on nothing but the set ``w``; with nine possible members that is
a table of 512 truth values, which the interpreter fills and the code looks up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import Final, TypeVar

from zermelo.core.machine import FaultError, SkipError
from zermelo.core.values import FALSE, TRUE, UNSET, TruthValue, Value
from zermelo.languages.sections.compile.registers import CodeScope
from zermelo.languages.sections.ir import (
    And,
    Apply,
    Binary,
    Binder,
    Card,
    Comprehension,
    Expr,
    Fold,
    Local,
    Not,
    Op,
    Or,
    Quantified,
    QuantifierKind,
    Ref,
    System,
    TupleOf,
    VariableRole,
)
from zermelo.languages.sections.run.expressions import SystemExpressions
from zermelo.languages.sections.run.operators import Env
from zermelo.languages.sections.run.sets import Unlisted, listed
from zermelo.languages.sections.walk import children, conjuncts, free_locals, parts
from zermelo.packing.code_values import LARGEST as TOO_LARGE
from zermelo.packing.code_values import (
    Bits,
    CodeValue,
    Known,
    Member,
    Num,
    Truth,
    Universe,
    mask_of,
    possible,
    subset_of,
    universe,
)
from zermelo.text import budget
from zermelo.text.budget import OverBudget

LARGEST: Final = 4096
MOST_BITS: Final = 12
_MOST_WORK: Final = 400_000
"""How many table entries one system may have in all."""
_MOST_STEPS: Final = 8_000_000
"""How many steps the tables of one system may take in all."""
_MOST_IN_ROWS: Final = 256
_Table = TypeVar("_Table")


@dataclass(frozen=True, slots=True)
class Dependency:
    """A local or variable on which an expression depends, and the values it may have.

    The values of bits are all subsets, in the order of their words.
    """

    name: str
    is_local: bool
    rep: CodeValue
    values: Universe


@dataclass(frozen=True, slots=True)
class ValueTable:
    """The value of an expression for every combination of what it depends on."""

    numbers: tuple[int, ...]
    """The number of the value in *values*, −1 where there is a fault."""
    values: Universe
    has_faults: bool


@dataclass(frozen=True, slots=True)
class RowsOfMembers:
    """Which members fulfil a condition, for every combination of what it depends on."""

    masks: tuple[int, ...]
    values: Universe
    """The members that fulfil it for some combination, and others."""

    @property
    def average(self) -> float:
        """How many fulfil it on the average."""
        return sum(mask.bit_count() for mask in self.masks) / len(self.masks)


@dataclass(frozen=True, slots=True)
class NestedQuantifiers:
    """Quantifiers of one kind inside each other: ``∃a ∈ A: ∃b ∈ B: conditions``.

    Of ``∀`` the conditions stand before an arrow, and *conclusion* behind it.
    """

    kind: QuantifierKind
    binders: tuple[Binder, ...]
    conditions: tuple[Expr, ...]
    conclusion: Expr | None

    def fulfilling(self, conditions: tuple[Expr, ...]) -> Comprehension:
        """The set of combinations of members that fulfil *conditions*, all components in one."""
        names = tuple(Local(name) for each in self.binders for name in each.names)
        is_one = len(self.binders) == 1 and not self.binders[0].is_tuple
        result = names[0] if is_one else TupleOf(names)
        return Comprehension(result, self.binders, And(conditions))

    def rest(self, count: int) -> Expr:
        """The body without the first *count* conditions."""
        left = And(self.conditions[count:])
        if self.conclusion is None:
            return left
        return Binary(Op.IMPLIES, left, self.conclusion) if left.operands else self.conclusion


def nested_quantifiers(expr: Quantified) -> NestedQuantifiers | None:
    """*expr* with the quantifiers directly inside it; ``None`` where it has no condition."""
    binders: list[Binder] = []
    names: set[str] = set()
    body: Expr = expr
    while isinstance(body, Quantified) and body.kind is expr.kind:
        own = body.binder.names
        if len({*names, *own}) < len(names) + len(own) or free_locals(body.binder.domain) & names:
            break
        names.update(own)
        binders.append(body.binder)
        body = body.body
    if not binders:
        return None
    if expr.kind is QuantifierKind.SOME:
        return NestedQuantifiers(expr.kind, tuple(binders), conjuncts(body), None)
    if isinstance(body, Binary) and body.op is Op.IMPLIES:
        found = conjuncts(body.left)
        return NestedQuantifiers(expr.kind, tuple(binders), found, body.right)
    return None


def dependencies(
    expr: Expr, scope: CodeScope, expressions: SystemExpressions
) -> tuple[Dependency, ...] | None:
    """What *expr* depends on; ``None`` if that is too much for a table."""
    footprint = expressions.footprints.of(expr).reads
    names = [(name, True) for name in sorted(free_locals(expr))]
    names += [(name, False) for name in sorted(footprint) if name in scope.slots]
    if any(name in footprint for name in scope.slots) and scope.facts is not scope.slots:
        return None
    reps = [(name, _rep(name, scope, is_local=is_local), is_local) for name, is_local in names]
    # Only counted at first: to list what is too much would take long.
    if prod(_count(rep) for _, rep, _ in reps) > LARGEST:
        return None
    found: list[Dependency] = []
    for name, rep, is_local in reps:
        values = None if rep is None else _values(rep)
        if rep is None or values is None:
            return None
        found.append(Dependency(name, is_local, rep, values))
    return tuple(found)


def _count(rep: CodeValue | None) -> int:
    """At least so many values *rep* may have."""
    match rep:
        case Bits(_, values):
            return 1 << len(values)
        case Num(_, low, high):
            return max(1, high - low + 1)
        case Member(_, values):
            return max(1, len(values) - values.count(UNSET))
        case None:
            return LARGEST + 1
        case _:
            return 1


def surely_read(expr: Expr) -> frozenset[str]:
    """Locals without which *expr* has no value, whatever the values of the others are."""
    match expr:
        case Local(name):
            return frozenset({name})
        case And(operands) | Or(operands):
            return surely_read(operands[0]) if operands else frozenset()
        case Binary(Op.IMPLIES, left):
            return surely_read(left)
        case Comprehension(binders=binders):
            return surely_read(binders[0].domain)
        case Quantified(binder=binder) | Fold(binder=binder):
            return surely_read(binder.domain)
        case _:
            inside = (part for part in children(expr) if not isinstance(part, Binder))
            return frozenset().union(*map(surely_read, inside))  # type: ignore[arg-type]  # of an expression all parts are expressions


def _rep(name: str, scope: CodeScope, *, is_local: bool) -> CodeValue | None:
    if is_local:
        bound = scope.names.get(name)
        return None if bound is None else bound.rep
    slot = scope.slots[name]
    return slot.rep() if slot.unset() == "False" else None


def _values(rep: CodeValue) -> Universe | None:
    match rep:
        case Bits(words, values) if len(values) <= MOST_BITS and len(words) == 1:
            return _subsets(values, tuple(map(type, values)))
        case Num() | Truth() | Member() | Known():
            return possible(rep)
        case _:
            return None


@lru_cache(maxsize=64)
def _subsets(values: Universe, kinds: tuple[type, ...]) -> Universe:
    """All subsets of *values*; *kinds* keeps truth values and numbers apart."""
    del kinds
    return tuple(subset_of(values, code) for code in range(1 << len(values)))


class Tabulation:
    """Decides what is tabulated, and fills the tables."""

    def __init__(self, system: System, expressions: SystemExpressions) -> None:
        self._expressions = expressions
        self._defined = {v.name for v in system.variables if v.role is VariableRole.DEFINED}
        self._known: dict[tuple[object, ...], ValueTable | None] = {}
        self._rows: dict[tuple[object, ...], RowsOfMembers | None] = {}
        self._worth: dict[int, tuple[Expr, bool]] = {}
        self._work = 0
        self._steps = 0

    def is_worth_it(self, expr: Expr) -> bool:
        """Whether the code for *expr* would cost more than a look-up."""
        known = self._worth.get(id(expr))
        if known is None or known[0] is not expr:
            known = self._worth[id(expr)] = (expr, self._is_costly(expr))
        return known[1]

    def _is_costly(self, expr: Expr) -> bool:
        if isinstance(expr, Local | Ref):
            return False
        count = 0
        for part in parts(expr):
            count += 1
            if isinstance(part, Quantified | Fold | Comprehension | Apply):
                return True
            if isinstance(part, Ref) and part.name in self._defined:
                return isinstance(expr, And | Or | Not | Binary | Card)
        return count > 6 and isinstance(expr, And | Or | Binary)

    def table(self, expr: Expr, used: Sequence[Dependency]) -> ValueTable | None:
        """*expr* for every combination of what it depends on; ``None`` where there is none."""
        if not used:
            return None
        key = (id(expr), tuple((each.name, each.is_local, each.values) for each in used))
        if key not in self._known:
            self._work += prod(len(each.values) for each in used)
            if self._work <= _MOST_WORK:
                self._known[key] = self._within_steps(lambda: self._filled(expr, used))
            else:
                self._known[key] = None
        return self._known[key]

    def rows(
        self, chosen: Comprehension, used: Sequence[Dependency], among: Universe | None
    ) -> RowsOfMembers | None:
        """The members of *chosen*, by their numbers *among* others if these are given.

        ``None`` where they are no table, or too many.
        """
        key = (chosen, among, tuple((each.name, each.is_local, each.values) for each in used))
        if key not in self._rows:
            self._rows[key] = self._within_steps(lambda: self._listed_rows(chosen, used, among))
        return self._rows[key]

    def _listed_rows(
        self, chosen: Comprehension, used: Sequence[Dependency], among: Universe | None
    ) -> RowsOfMembers | None:
        code = self._expressions.code(chosen)
        found: list[frozenset[Value]] = []
        for env in self._environments(used):
            try:
                value = code(env)
            except (FaultError, SkipError, RecursionError):
                return None
            members = listed(value) if isinstance(value, Unlisted) else value
            if not isinstance(members, frozenset):
                return None
            found.append(members)
        values = universe(frozenset().union(*found)) if among is None else among
        if len(values) > _MOST_IN_ROWS:
            return None
        return RowsOfMembers(tuple(mask_of(values, row) for row in found), values)

    def _environments(self, used: Sequence[Dependency]) -> Iterator[Env]:
        for values in product(*(each.values for each in used)):
            names = {e.name: v for e, v in zip(used, values, strict=True) if e.is_local}
            variables = {e.name: v for e, v in zip(used, values, strict=True) if not e.is_local}
            yield self._expressions.env(variables, names)

    def _within_steps(self, fill: Callable[[], _Table | None]) -> _Table | None:
        """A table, unless it takes too long: code is slower with every state, but is there soon."""
        try:
            with budget.budget(steps=_MOST_STEPS, spent=self._steps) as spent:
                try:
                    return fill()
                finally:
                    self._steps = spent.spent
        except OverBudget:
            return None

    def _filled(self, expr: Expr, used: Sequence[Dependency]) -> ValueTable | None:
        code = self._expressions.value(expr)
        found: list[Value | None] = []
        for env in self._environments(used):
            try:
                value = code(env)
            except FaultError:
                found.append(None)
                continue
            except (SkipError, RecursionError):
                # What is nested too deeply here may have a value where there is more room.
                return None
            found.append(listed(value) if isinstance(value, Unlisted) else value)
        present = [value for value in found if value is not None]
        if any(isinstance(value, int) and abs(value) >= TOO_LARGE for value in present):
            return None
        is_truth = any(isinstance(value, TruthValue) for value in present)
        values_found: Universe = (FALSE, TRUE) if is_truth else universe(present)
        places = {value: at for at, value in enumerate(values_found)}
        numbers = tuple(-1 if value is None else places[value] for value in found)
        return ValueTable(numbers, values_found, None in found)
