"""Random expressions of every construct, each of the type that is asked for.

The simplest ways come first in every list of ways, so that what hypothesis
shrinks gets short.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

from zermelo.core.values import (
    FALSE,
    NUMBER,
    TRUE,
    TRUTH,
    UNSET,
    WORD,
    Atom,
    MixedType,
    SetType,
    TupleType,
    Type,
    kinds_in,
)
from zermelo.languages.sections.ir import (
    Abs,
    And,
    Apply,
    Binary,
    Binder,
    Card,
    Ceiling,
    Comprehension,
    Expr,
    Floor,
    Fold,
    FoldKind,
    Function,
    Literal,
    Local,
    Negate,
    Not,
    NumberSet,
    NumberSetKind,
    Only,
    Op,
    Or,
    PowerSet,
    Product,
    Quantified,
    QuantifierKind,
    Range,
    SetOf,
    TupleOf,
)

T = TypeVar("T")

WORDS = ("red", "green", "blue")
_ALWAYS = And(())
_COMPARISONS = (Op.EQ, Op.LE, Op.LT, Op.NE, Op.GE, Op.GT)
_OF_SETS = (Op.EQ, Op.SUBSET, Op.NE, Op.NOT_SUBSET, Op.PROPER_SUBSET)


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may use: names with their types, and value functions."""

    terms: tuple[tuple[Type, Expr], ...] = ()
    functions: tuple[Function, ...] = ()

    def of(self, kind: Type) -> list[Expr]:
        """The names of this type, or of a mixture with it, the nearest first."""
        return [expr for each, expr in self.terms if each == kind or kind in kinds_in(each)]

    def inside(self, *names: tuple[Type, str]) -> Scope:
        """With locals added, which hide others of the same name."""
        hidden = {Local(name) for _, name in names}
        added = tuple((kind, Local(name)) for kind, name in names)
        kept = tuple((kind, expr) for kind, expr in self.terms if expr not in hidden)
        return replace(self, terms=(*added, *kept))

    def members(self) -> list[Type]:
        """The types of the members of the sets that have names."""
        found = (kind.item for kind, _ in self.terms if isinstance(kind, SetType))
        return list(dict.fromkeys(found))

    def applied(self, kind: Type) -> list[Function]:
        """The value functions of this type."""
        return [function for function in self.functions if function.type == kind]


class Expressions:
    """Makes expressions by chance.

    The source of chance is hypothesis', so that what it finds can be shrunk, or
    one with a seed.
    """

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    # Choosing

    def pick(self, ways: Sequence[T]) -> T:
        """One of *ways*; the first is the simplest."""
        return ways[self._chance.randint(0, len(ways) - 1)]

    def count(self, low: int, high: int) -> int:
        """A number from *low* to *high*."""
        return self._chance.randint(low, high)

    def one_in(self, odds: int) -> bool:
        """Yes, once in so many times."""
        return self.count(0, odds - 1) == odds - 1

    # Everything

    def of(self, kind: Type, scope: Scope, depth: int) -> Expr:
        """An expression of type *kind* with at most *depth* levels above its names."""
        if kind == NUMBER:
            return self.number(scope, depth)
        if kind == TRUTH:
            return self.truth(scope, depth)
        if kind == WORD:
            return self._word(scope, depth)
        if isinstance(kind, SetType):
            return self.set(kind.item, scope, depth)
        if isinstance(kind, TupleType):
            return self._tuple(kind, scope, depth)
        if isinstance(kind, MixedType):
            return self.of(self.pick(kind.kinds), scope, depth)
        raise TypeError(f"no expressions of type {kind}")

    def atom(self, kind: Type, scope: Scope) -> Expr:
        """A name of type *kind*, or a value where there is none."""
        known = scope.of(kind)
        if known and not self.one_in(5):
            return self.pick(known)
        if kind == NUMBER:
            return Literal(self.pick((1, 0, 2, 3, -1, 4)))
        if kind == WORD:
            return Literal(Atom(self.pick(WORDS)))
        if kind == TRUTH:
            return Literal(self.pick((TRUE, FALSE)))
        if isinstance(kind, TupleType):
            return TupleOf(tuple(self.atom(item, scope) for item in kind.items))
        if isinstance(kind, SetType):
            return listed(*(self.atom(kind.item, scope) for _ in range(self.count(0, 2))))
        if isinstance(kind, MixedType):
            return self.atom(self.pick(kind.kinds), scope)
        raise TypeError(f"no values of type {kind}")

    def _apply(self, kind: Type, scope: Scope, depth: int) -> Expr:
        known = scope.applied(kind)
        if not known:
            return self.atom(kind, scope)
        function = self.pick(known)
        arguments = (self.of(p.type, scope, min(depth, 1) - 1) for p in function.parameters)
        return Apply(function.name, tuple(arguments))

    def _way(self, ways: Sequence[Callable[[Scope, int], Expr]], scope: Scope, depth: int) -> Expr:
        return self.pick(ways)(scope, depth - 1)

    # Words and tuples

    def _word(self, scope: Scope, depth: int) -> Expr:
        if depth > 0 and self.one_in(4):
            return self._apply(WORD, scope, depth)
        return self.atom(WORD, scope)

    def _tuple(self, kind: TupleType, scope: Scope, depth: int) -> Expr:
        if depth <= 0 or (scope.of(kind) and not self.one_in(2)):
            return self.atom(kind, scope)
        return TupleOf(tuple(self.of(item, scope, depth - 1) for item in kind.items))

    # Numbers

    def number(self, scope: Scope, depth: int) -> Expr:
        """A number; some have no value, some are fractions."""
        if depth <= 0 or self.count(0, 2) == 0:
            return self.atom(NUMBER, scope)
        ways = (
            self._sum,
            self._size,
            self._sum,
            self._modulo,
            self._fold,
            self._rounded,
            self._sign,
            self._of_a_number,
            self._power,
            self._only,
        )
        return self._way(ways, scope, depth)

    def _sum(self, scope: Scope, depth: int) -> Expr:
        op = self.pick((Op.PLUS, Op.MINUS, Op.TIMES))
        return Binary(op, self.number(scope, depth), self.number(scope, depth))

    def _size(self, scope: Scope, depth: int) -> Expr:
        if self.one_in(6):
            return Card(self._mixture(scope, depth))
        item = self.pick(scope.members() or [NUMBER])
        return Card(self.set(item, scope, depth))

    def _modulo(self, scope: Scope, depth: int) -> Expr:
        right = self.number(scope, depth) if self.one_in(3) else Literal(self.count(2, 3))
        return Binary(Op.MOD, self.number(scope, depth), right)

    def _quotient(self, scope: Scope, depth: int) -> Expr:
        right = self.number(scope, depth) if self.one_in(2) else Literal(2)
        return Binary(Op.DIVIDE, self.number(scope, depth), right)

    def _rounded(self, scope: Scope, depth: int) -> Expr:
        inside = self._quotient(scope, depth)
        ways: tuple[Expr, ...] = (Floor(inside), Ceiling(inside), inside)
        return self.pick(ways)

    def _sign(self, scope: Scope, depth: int) -> Expr:
        operand = self.number(scope, depth)
        return Abs(operand) if self.one_in(2) else Negate(operand)

    def _only(self, scope: Scope, depth: int) -> Expr:
        """The one member of a set, or the value of a function of two pairs at some place."""
        if self.one_in(3):
            return Only(self.set(NUMBER, scope, depth))
        pairs = SetOf(
            tuple(TupleOf((Literal(at), self.number(scope, depth - 1))) for at in range(2))
        )
        binder = Binder(("·place", "·value"), is_tuple=True, domain=pairs)
        place = Binary(Op.EQ, Local("·place"), self.number(scope, 0))
        return Only(Comprehension(Local("·value"), (binder,), place))

    def _of_a_number(self, scope: Scope, depth: int) -> Expr:
        return self._apply(NUMBER, scope, depth)

    def _power(self, scope: Scope, depth: int) -> Expr:
        exponent = self.number(scope, 0) if self.one_in(3) else Literal(self.count(0, 3))
        return Binary(Op.POWER, self.number(scope, depth), exponent)

    def _fold(self, scope: Scope, depth: int) -> Expr:
        binder, inner = self.binder(scope, depth)
        kind = FoldKind.PRODUCT if self.one_in(4) else FoldKind.SUM
        return Fold(kind, binder, self.number(inner, depth))

    # Truth

    def truth(self, scope: Scope, depth: int) -> Expr:
        """A formula."""
        if depth <= 0:
            return self._way((self._membership, self._comparison, self._told), scope, 1)
        ways = (
            self._membership,
            self._comparison,
            self._membership,
            self._told,
            self._same,
            self._of_sets,
            self._not,
            self._and_or,
            self._quantified,
            self._quantified,
            self._implied,
            self._of_a_truth,
            self._unset,
            self._unlike,
            self._in_a_mixture,
        )
        return self._way(ways, scope, depth)

    def _told(self, scope: Scope, _depth: int) -> Expr:
        told = self.atom(TRUTH, scope)
        return Not(told) if self.one_in(2) else told

    def _membership(self, scope: Scope, depth: int) -> Expr:
        item = self.pick(scope.members() or [NUMBER])
        op = Op.NOT_IN if self.one_in(3) else Op.IN
        if item == NUMBER and self.one_in(12):
            return Binary(op, self.number(scope, depth), NumberSet(self.pick(list(NumberSetKind))))
        return Binary(op, self.of(item, scope, depth), self.set(item, scope, depth))

    def _comparison(self, scope: Scope, depth: int) -> Expr:
        op = self.pick(_COMPARISONS)
        return Binary(op, self.number(scope, depth), self.number(scope, depth))

    def _same(self, scope: Scope, depth: int) -> Expr:
        kinds = [kind for kind in scope.members() if not isinstance(kind, SetType)]
        kind = self.pick([*kinds, TRUTH])
        op = self.pick((Op.EQ, Op.NE))
        return Binary(op, self.of(kind, scope, depth), self.of(kind, scope, depth))

    def _of_sets(self, scope: Scope, depth: int) -> Expr:
        item = self.pick(scope.members() or [NUMBER])
        op = self.pick(_OF_SETS)
        return Binary(op, self.set(item, scope, depth), self.set(item, scope, depth))

    def _not(self, scope: Scope, depth: int) -> Expr:
        return Not(self.truth(scope, depth))

    def _and_or(self, scope: Scope, depth: int) -> Expr:
        operands = tuple(self.truth(scope, depth) for _ in range(self.count(2, 3)))
        return Or(operands) if self.one_in(2) else And(operands)

    def _quantified(self, scope: Scope, depth: int) -> Expr:
        binder, inner = self.binder(scope, depth)
        return Quantified(self.pick(list(QuantifierKind)), binder, self.truth(inner, depth))

    def _implied(self, scope: Scope, depth: int) -> Expr:
        op = self.pick((Op.IMPLIES, Op.IFF))
        return Binary(op, self.truth(scope, depth), self.truth(scope, depth))

    def _of_a_truth(self, scope: Scope, depth: int) -> Expr:
        return self._apply(TRUTH, scope, depth)

    def _unset(self, scope: Scope, depth: int) -> Expr:
        """Whether a variable is unset, as the end does that waits for a result."""
        known = [expr for kind, expr in scope.terms if kind == WORD and not isinstance(expr, Local)]
        if not known or depth < 0:
            return self._told(scope, depth)
        return Binary(self.pick((Op.EQ, Op.NE)), self.pick(known), Literal(UNSET))

    def _unlike(self, scope: Scope, depth: int) -> Expr:
        """A comparison of values that are of unlike kinds: it has a value all the same."""
        one, other = self._kind(scope), self._kind(scope)
        op = self.pick((Op.EQ, Op.IN, Op.NE, Op.SUBSET, Op.NOT_IN, Op.NOT_SUBSET))
        if op in {Op.EQ, Op.NE}:
            return Binary(op, self.of(one, scope, depth), self.of(other, scope, depth))
        left = self.set(one, scope, depth)
        if op in {Op.IN, Op.NOT_IN} and not self.one_in(3):
            left = self.of(one, scope, depth)
        return Binary(op, left, self.set(other, scope, depth))

    def _in_a_mixture(self, scope: Scope, depth: int) -> Expr:
        """Whether members of a set of unlike kinds are, or are in, something of one kind."""
        kind, name = self._kind(scope), self.name(scope, 0)
        body: Expr = Binary(Op.EQ, Local(name), self.of(kind, scope, depth))
        if self.one_in(2):
            body = Binary(Op.IN, Local(name), self.set(kind, scope, depth))
        binder = Binder((name,), is_tuple=False, domain=self._mixture(scope, depth))
        return Quantified(self.pick(list(QuantifierKind)), binder, body)

    def _mixture(self, scope: Scope, depth: int) -> Expr:
        """A set that may have members of two kinds."""
        one, other = self._kind(scope), self._kind(scope)
        if self.one_in(3):
            return listed(self.of(one, scope, depth), self.of(other, scope, depth))
        return Binary(Op.UNION, self.set(one, scope, depth), self.set(other, scope, depth))

    def _kind(self, scope: Scope) -> Type:
        return self.pick([NUMBER, TRUTH, WORD, SetType(NUMBER), *scope.members()])

    # Sets

    def set(self, item: Type, scope: Scope, depth: int) -> Expr:
        """A set with members of type *item*."""
        if depth <= 0 or self.count(0, 2) == 0:
            return self._set_atom(item, scope)
        ways: list[Callable[[Type, Scope, int], Expr]] = [
            self._listed,
            self._algebra,
            self._selection,
            self._algebra,
            self._image,
            self._family,
        ]
        if item == NUMBER:
            ways.append(self._range)
        if isinstance(item, TupleType):
            ways.append(self._product)
        if isinstance(item, SetType):
            ways.append(self._power_set)
        return self.pick(ways)(item, scope, depth - 1)

    def _set_atom(self, item: Type, scope: Scope) -> Expr:
        return self.atom(SetType(item), scope)

    def _listed(self, item: Type, scope: Scope, depth: int) -> Expr:
        return listed(*(self.of(item, scope, depth) for _ in range(self.count(0, 2))))

    def _range(self, item: Type, scope: Scope, depth: int) -> Expr:
        low = Literal(self.count(0, 1)) if self.one_in(2) else self.number(scope, 0)
        between = Range(low, self.number(scope, depth))
        return SetOf((between, self.of(item, scope, 0))) if self.one_in(3) else between

    def _algebra(self, item: Type, scope: Scope, depth: int) -> Expr:
        op = self.pick((Op.UNION, Op.DIFFERENCE, Op.INTERSECTION))
        other = item if op is Op.UNION or not self.one_in(6) else self._kind(scope)
        return Binary(op, self.set(item, scope, depth), self.set(other, scope, depth))

    def _selection(self, item: Type, scope: Scope, depth: int) -> Expr:
        binder, inner = self.binder(scope, depth, item)
        return Comprehension(_pattern(binder), (binder,), self.truth(inner, depth))

    def _image(self, item: Type, scope: Scope, depth: int) -> Expr:
        first, inner = self.binder(scope, depth)
        binders = [first]
        if self.one_in(3):
            second, inner = self.binder(inner, depth)
            binders.append(second)
        condition = _ALWAYS if self.one_in(2) else self.truth(inner, depth)
        return Comprehension(self.of(item, inner, depth), tuple(binders), condition)

    def _family(self, item: Type, scope: Scope, depth: int) -> Expr:
        return self._apply(SetType(item), scope, depth)

    def _product(self, item: Type, scope: Scope, depth: int) -> Expr:
        items = item.items if isinstance(item, TupleType) else (item,)
        return Product(tuple(self.set(each, scope, depth) for each in items))

    def _power_set(self, item: Type, scope: Scope, depth: int) -> Expr:
        inside = item.item if isinstance(item, SetType) else item
        return PowerSet(self.set(inside, scope, depth))

    # Binders

    def binder(self, scope: Scope, depth: int, item: Type | None = None) -> tuple[Binder, Scope]:
        """A binder over a set, with members of type *item* if given, and what its body sees."""
        kind = item or self.pick(scope.members() or [NUMBER])
        domain = self.set(kind, scope, min(depth, 1))
        if isinstance(kind, TupleType) and not self.one_in(3):
            names = tuple(self.name(scope, at) for at in range(len(kind.items)))
            inner = scope.inside(*zip(kind.items, names, strict=True))
            return Binder(names, is_tuple=True, domain=domain), inner
        name = self.name(scope, 0)
        return Binder((name,), is_tuple=False, domain=domain), scope.inside((kind, name))

    def name(self, scope: Scope, at: int) -> str:
        """A name to bind: a new one, or now and then one that hides another."""
        if self.one_in(12):
            known = [expr.name for _, expr in scope.terms if isinstance(expr, Local)]
            if known:
                return self.pick(known)
        used = sum(isinstance(expr, Local) for _, expr in scope.terms)
        return f"i{used + at}"


def listed(*items: Expr) -> Expr:
    """The set of *items*; a range alone among them would stand for the numbers in it."""
    return SetOf(tuple(SetOf((each,)) if isinstance(each, Range) else each for each in items))


def _pattern(binder: Binder) -> Expr:
    names = tuple(Local(name) for name in binder.names)
    return TupleOf(names) if binder.is_tuple else names[0]
