"""Values that depend on the state, as formulas over its claims, and what can be done with them.

A value that does not depend on the state is a plain ``Value``. A set that does
is a list of its possible members, each with the formula under which it is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final, TypeAlias

from zermelo.core.values import FALSE as FALSE_VALUE
from zermelo.core.values import TRUE as TRUE_VALUE
from zermelo.core.values import UNSET, Number, TruthValue, Value, in_order
from zermelo.languages.sections.ir import NumberSetKind, Op
from zermelo.languages.sections.symmetry.formulas import (
    FALSE,
    TRUE,
    Formulas,
    GroundingError,
    KnownNumber,
    Node,
)


class Dependent:
    """A value that depends on the state."""

    __slots__ = ()


Symbolic: TypeAlias = Value | Dependent


@dataclass(frozen=True, slots=True)
class TruthFormula(Dependent):
    """A truth value."""

    node: Node


@dataclass(frozen=True, slots=True, eq=False)
class Cases(Dependent):
    """One of some values, each with the formula under which it is that one."""

    nodes: Mapping[Value, Node]


@dataclass(frozen=True, slots=True)
class Quantity(Dependent):
    """A number that is not taken apart into its values."""

    node: Node


@dataclass(frozen=True, slots=True, eq=False)
class Members(Dependent):
    """A set: its possible members, each with the formula under which it is one."""

    nodes: Mapping[Value, Node]


@dataclass(frozen=True, slots=True, eq=False)
class Family(Dependent):
    """A set whose members depend on the state; equal ones are one member."""

    items: tuple[tuple[Node, Symbolic], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Powers(Dependent):
    """All subsets of a set."""

    base: Symbolic


@dataclass(frozen=True, slots=True, eq=False)
class Products(Dependent):
    """All tuples with components in these sets."""

    factors: tuple[Symbolic, ...]


@dataclass(frozen=True, slots=True)
class Infinite(Dependent):
    """An infinite set of numbers."""

    kind: NumberSetKind


@dataclass(frozen=True, slots=True, eq=False)
class Mixed(Dependent):
    """A tuple with components that depend on the state."""

    items: tuple[Symbolic, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Maybe(Dependent):
    """A value that may be unset."""

    present: Node
    value: Symbolic


def is_known(symbolic: Symbolic) -> bool:
    """Whether *symbolic* is the same in every state."""
    return not isinstance(symbolic, Dependent)


def known(symbolic: Symbolic) -> Value:
    """*symbolic*, which is the same in every state."""
    if isinstance(symbolic, Dependent):
        raise GroundingError("a value depends on the state where it may not")
    return symbolic


def inner(symbolic: Symbolic) -> Symbolic:
    """*symbolic* where it is not unset."""
    return symbolic.value if isinstance(symbolic, Maybe) else symbolic


def components(symbolic: Symbolic) -> tuple[Symbolic, ...] | None:
    """The components of a tuple; ``None`` for what is none, or a different one in other states."""
    parts = symbolic.items if isinstance(symbolic, Mixed) else symbolic
    return parts if isinstance(parts, tuple) else None


def side_by_side(
    one: Mapping[Value, Node], other: Mapping[Value, Node]
) -> Iterator[tuple[Value, Node, Node]]:
    """Every value with its formula in *one* and in *other*."""
    for value in dict.fromkeys((*one, *other)):
        yield value, one.get(value, FALSE), other.get(value, FALSE)


MOST_LISTED: Final = 5_000
"""Sets with more members than this are not written out."""


class Algebra:
    """What can be done with values that depend on the state."""

    def __init__(self, formulas: Formulas) -> None:
        self.formulas = formulas

    # Truth and choice

    def truth(self, symbolic: Symbolic) -> Node:
        match symbolic:
            case TruthFormula(node):
                return node
            case TruthValue():
                return TRUE if symbolic.holds else FALSE
            case Cases(nodes) if all(isinstance(value, TruthValue) for value in nodes):
                return nodes.get(TRUE_VALUE, FALSE)
            case _:
                raise GroundingError("something that is no truth value is used as one")

    def cases(self, symbolic: Symbolic) -> Mapping[Value, Node]:
        """The values that *symbolic* may have, each with its formula."""
        match symbolic:
            case Cases(nodes):
                return nodes
            case TruthFormula(node):
                return {TRUE_VALUE: node, FALSE_VALUE: self.formulas.negation(node)}
            case Mixed(items):
                choices = self._choices(map(self.cases, items))
                return {values: node for values, node in choices if node != FALSE}
            case _:
                return {known(symbolic): TRUE}

    def _choices(
        self, choices: Iterable[Mapping[Value, Node]]
    ) -> Iterator[tuple[tuple[Value, ...], Node]]:
        """Every choice of one value each, with the formula under which it is made."""
        for count, chosen in enumerate(product(*(each.items() for each in choices))):
            if count >= MOST_LISTED:
                reason = f"more than {MOST_LISTED:,} values would have to be written out"
                raise GroundingError(reason)
            node = self.formulas.all_of(node for _, node in chosen)
            yield tuple(value for value, _ in chosen), node

    def _gathered(self, found: Iterable[tuple[Value, Node]]) -> dict[Value, Node]:
        """Each value with the formula that one of those it was found with holds."""
        nodes: dict[Value, list[Node]] = {}
        for value, node in found:
            nodes.setdefault(value, []).append(node)
        return {value: self.formulas.any_of(some) for value, some in nodes.items()}

    def mapped(self, compute: Callable[..., Value], *operands: Symbolic) -> Symbolic:
        """*compute* on every choice of the operands' values."""
        if all(map(is_known, operands)):
            return compute(*operands)
        choices = self._choices(map(self.cases, operands))
        return Cases(
            self._gathered((compute(*values), node) for values, node in choices if node != FALSE)
        )

    def either(self, condition: Node, yes: Symbolic, no: Symbolic) -> Symbolic:
        """*yes* where *condition* holds, else *no*."""
        if condition == TRUE or yes is no:
            return yes
        if condition == FALSE:
            return no
        if is_known(yes) and is_known(no) and yes == no and type(yes) is type(no):
            return yes
        return self._either(condition, yes, no)

    def _either(self, condition: Node, yes: Symbolic, no: Symbolic) -> Symbolic:
        either = self.formulas.either
        if isinstance(yes, Maybe) or isinstance(no, Maybe) or yes is UNSET or no is UNSET:
            return self._either_maybe(condition, yes, no)
        if _is_truth(yes) and _is_truth(no):
            return TruthFormula(either(condition, self.truth(yes), self.truth(no)))
        if isinstance(yes, Quantity) or isinstance(no, Quantity):
            return Quantity(self.formulas.choose(condition, self.number(yes), self.number(no)))
        if _is_listed(yes) and _is_listed(no):
            both = side_by_side(self.members(yes), self.members(no))
            return Members({m: either(condition, a, b) for m, a, b in both})
        if isinstance(yes, Family) or isinstance(no, Family):
            negated = self.formulas.negation(condition)
            kept = [(self.formulas.all_of((condition, n)), item) for n, item in self.items(yes)]
            kept += [(self.formulas.all_of((negated, n)), item) for n, item in self.items(no)]
            return Family(tuple(kept))
        return self._either_case(condition, yes, no)

    def _either_case(self, condition: Node, yes: Symbolic, no: Symbolic) -> Symbolic:
        both = side_by_side(self.cases(yes), self.cases(no))
        return Cases({v: self.formulas.either(condition, a, b) for v, a, b in both})

    def _either_maybe(self, condition: Node, yes: Symbolic, no: Symbolic) -> Symbolic:
        if isinstance(yes, Cases) or isinstance(no, Cases):
            return self._either_case(condition, yes, no)
        present = self.formulas.either(condition, _present(yes), _present(no))
        yes, no = inner(yes), inner(no)
        if yes is UNSET or no is UNSET:
            # What an unset variable would hold does not matter; it starts as nothing.
            return Maybe(present, no if yes is UNSET else yes)
        return Maybe(present, self.either(condition, yes, no))

    # Numbers

    def number(self, symbolic: Symbolic) -> Node:
        match symbolic:
            case Quantity(node):
                return node
            case TruthValue():
                raise GroundingError("a truth value is used as a number")
            case int() | Fraction():
                return self.formulas.made(KnownNumber(symbolic))
            case Cases(nodes):
                weights = [(n, v) for v, n in nodes.items() if isinstance(v, int | Fraction)]
                if len(weights) < len(nodes):
                    raise GroundingError("something that may be no number is used as one")
                return self.formulas.total(weights)
            case _:
                raise GroundingError("something that is no number is used as one")

    # Sets

    def members(self, symbolic: Symbolic) -> Mapping[Value, Node]:
        """The possible members of a set, each with the formula under which it is one."""
        match symbolic:
            case Members(nodes):
                return nodes
            case frozenset():
                return dict.fromkeys(in_order(symbolic), TRUE)
            case Products(factors):
                return dict(self._choices(map(self.members, factors)))
            case Family(items) if all(
                is_known(item) or isinstance(item, Cases | TruthFormula | Mixed)
                for _, item in items
            ):
                return self._gathered(
                    (value, self.formulas.all_of((node, chosen)))
                    for node, item in items
                    for value, chosen in self.cases(item).items()
                )
            case Powers(base) if is_known(base):
                return dict.fromkeys(_subsets(known(base)), TRUE)
            case Cases(nodes):
                if not all(isinstance(value, frozenset) for value in nodes):
                    raise GroundingError("something that may be no set is used as one")
                return self._gathered(
                    (member, node)
                    for value, node in nodes.items()
                    if isinstance(value, frozenset)
                    for member in in_order(value)
                )
            case _:
                raise GroundingError("a set cannot be written out")

    def items(self, symbolic: Symbolic) -> tuple[tuple[Node, Symbolic], ...]:
        """The possible members of a set that may depend on the state themselves."""
        if isinstance(symbolic, Family):
            return symbolic.items
        return tuple((node, value) for value, node in self.members(symbolic).items())

    def contains(self, whole: Symbolic, item: Symbolic) -> Node:
        match whole:
            case Powers(base):
                return self.is_subset(item, base)
            case Products(factors):
                return self._is_tuple_in(factors, item)
            case Infinite(kind):
                return self._is_number_in(kind, item)
            case Family(items):
                return self._equals_one(item, items)
            case _:
                members = self.members(whole)
        if is_known(item):
            return members.get(known(item), FALSE)
        if isinstance(item, Members | Family):
            return self._equals_one(item, ((node, each) for each, node in members.items()))
        if isinstance(item, Quantity):
            raise GroundingError("a number without bound is looked for in a set")
        chosen = self.cases(item).items()
        return self.formulas.any_of(
            self.formulas.all_of((node, members.get(value, FALSE))) for value, node in chosen
        )

    def _equals_one(self, item: Symbolic, items: Iterable[tuple[Node, Symbolic]]) -> Node:
        return self.formulas.any_of(
            self.formulas.all_of((node, self.equal(item, each))) for node, each in items
        )

    def _is_tuple_in(self, factors: tuple[Symbolic, ...], item: Symbolic) -> Node:
        if isinstance(item, Cases):
            return self.formulas.any_of(
                self.formulas.all_of((node, self._is_tuple_in(factors, value)))
                for value, node in item.nodes.items()
            )
        parts = components(item)
        if parts is None or len(parts) != len(factors):
            return FALSE
        pairs = zip(factors, parts, strict=True)
        return self.formulas.all_of(self.contains(factor, part) for factor, part in pairs)

    def _is_number_in(self, kind: NumberSetKind, item: Symbolic) -> Node:
        if isinstance(item, Quantity):
            raise GroundingError("a number without bound is looked for in an infinite set")
        low = {NumberSetKind.NATURAL: 0, NumberSetKind.POSITIVE: 1}.get(kind)
        return self.formulas.any_of(
            node
            for value, node in self.cases(item).items()
            if type(value) is int and (low is None or value >= low)
        )

    def is_subset(self, part: Symbolic, whole: Symbolic) -> Node:
        return self.formulas.all_of(
            self.formulas.any_of((self.contains(whole, item), self.formulas.negation(node)))
            for node, item in self.items(part)
        )

    def equal(self, left: Symbolic, right: Symbolic) -> Node:
        """``left = right``; what is unset equals nothing."""
        if is_known(left) and is_known(right):
            return TRUE if left == right and left is not UNSET else FALSE
        if isinstance(left, Maybe) or isinstance(right, Maybe):
            same = self.equal(inner(left), inner(right))
            return self.formulas.all_of((_present(left), _present(right), same))
        if isinstance(left, Quantity) or isinstance(right, Quantity):
            return self.formulas.term(Op.EQ, self.number(left), self.number(right))
        if _is_truth(left) and _is_truth(right):
            return self.formulas.same(self.truth(left), self.truth(right))
        if _is_listed(left) and _is_listed(right):
            both = side_by_side(self.members(left), self.members(right))
            return self.formulas.all_of(self.formulas.same(a, b) for _, a, b in both)
        if any(isinstance(s, Family | Powers | Products | Infinite) for s in (left, right)):
            raise GroundingError("sets of sets are compared")
        a, b = self.cases(left), self.cases(right)
        return self.formulas.any_of(
            self.formulas.all_of((node, b[value]))
            for value, node in a.items()
            if value in b and value is not UNSET
        )

    def combined(self, op: Op, left: Symbolic, right: Symbolic) -> Symbolic:
        if isinstance(left, frozenset) and isinstance(right, frozenset):
            return _SETS[op](left, right)
        if op not in _SETS:
            raise GroundingError(f"sets are combined by {op.value}")
        if op is Op.UNION and (isinstance(left, Family) or isinstance(right, Family)):
            return Family((*self.items(left), *self.items(right)))
        if op is Op.INTERSECTION and isinstance(left, Powers | Products | Infinite):
            left, right = right, left
        if op is not Op.UNION and isinstance(left, Family):
            return Family(tuple((self._kept(op, n, i, right), i) for n, i in left.items))
        if isinstance(left, Members) and isinstance(right, frozenset):
            return Members(_with_known(op, left.nodes, right))
        if op is Op.UNION:
            both = side_by_side(self.members(left), self.members(right))
            return Members({m: self.formulas.any_of((a, b)) for m, a, b in both})
        found = {m: self._kept(op, n, m, right) for m, n in self.members(left).items()}
        return Members({m: n for m, n in found.items() if n != FALSE})

    def _kept(self, op: Op, node: Node, item: Symbolic, other: Symbolic) -> Node:
        inside = self.contains(other, item)
        wanted = inside if op is Op.INTERSECTION else self.formulas.negation(inside)
        return self.formulas.all_of((node, wanted))

    def size(self, symbolic: Symbolic) -> Symbolic:
        if isinstance(symbolic, frozenset):
            return len(symbolic)
        if isinstance(symbolic, Powers):
            return self.mapped(lambda size: 1 << size, self.size(symbolic.base))
        return self._quantity((node, 1) for node in self.members(symbolic).values())

    def sum(self, parts: Iterable[tuple[Node, Symbolic]]) -> Symbolic:
        """The numbers whose formulas hold, added up."""
        weights: list[tuple[Node, Number]] = []
        for node, symbolic in parts:
            for value, chosen in self.cases(symbolic).items():
                if not isinstance(value, int | Fraction):
                    raise GroundingError("something that is no number is added up")
                weights.append((self.formulas.all_of((node, chosen)), value))
        return self._quantity(weights)

    def _quantity(self, weights: Iterable[tuple[Node, Number]]) -> Symbolic:
        node = self.formulas.total(weights)
        value = self.formulas.known(node)
        return Quantity(node) if value is None else value


def _with_known(
    op: Op, nodes: Mapping[Value, Node], other: frozenset[Value]
) -> Mapping[Value, Node]:
    """``∪``, ``∩`` or ``−`` with a set that is the same in every state."""
    if op is Op.UNION:
        return {**nodes, **dict.fromkeys(in_order(other), TRUE)}
    is_wanted = op is Op.INTERSECTION
    return {m: node for m, node in nodes.items() if (m in other) is is_wanted}


def _is_truth(symbolic: Symbolic) -> bool:
    return isinstance(symbolic, TruthFormula | TruthValue)


def _is_listed(symbolic: Symbolic) -> bool:
    return isinstance(symbolic, Members | frozenset)


def _present(symbolic: Symbolic) -> Node:
    if isinstance(symbolic, Maybe):
        return symbolic.present
    return FALSE if symbolic is UNSET else TRUE


def _subsets(base: Value) -> Iterator[frozenset[Value]]:
    if not isinstance(base, frozenset) or 1 << len(base) > MOST_LISTED:
        raise GroundingError("a power set is too large to be written out")
    ordered = in_order(base)
    for code in range(1 << len(ordered)):
        yield frozenset(member for at, member in enumerate(ordered) if code >> at & 1)


_SETS: Final[Mapping[Op, Callable[[frozenset[Value], frozenset[Value]], frozenset[Value]]]] = {
    Op.UNION: frozenset.union,
    Op.INTERSECTION: frozenset.intersection,
    Op.DIFFERENCE: frozenset.difference,
}
