"""Which names a sentence binds, and in what order its parts can be solved.

A sentence can be solved when it is built from sentences without new names, ``x = t``,
``(x, y) = t``, ``x in S``, ``(x, y) in S``, ``&`` and ``V``. The names that one part binds
have their values in the parts behind it; a part that needs a name which only a later
part binds waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import heappop, heappush

from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Expr, Sign, children, walk, with_children


def unbracketed(expr: Expr) -> Expr:
    while isinstance(expr, tree.Bracketed):
        expr = expr.inner
    return expr


def conjuncts(expr: Expr) -> list[Expr]:
    found: list[Expr] = []
    waiting = [expr]
    while waiting:
        at = unbracketed(waiting.pop())
        if isinstance(at, tree.BinaryExpr) and at.sign is Sign.AND:
            waiting += [at.right, at.left]
        else:
            found.append(at)
    return found


def candidates(expr: Expr, is_new: Callable[[str], bool]) -> frozenset[str]:
    """The new names that stand in *expr* where a sentence can bind them."""
    found: set[str] = set()
    for part in conjuncts(expr):
        if not isinstance(part, tree.BinaryExpr):
            continue
        if part.sign is Sign.OR:
            found |= candidates(part.left, is_new) | candidates(part.right, is_new)
        elif part.sign is Sign.IN:
            found |= _pattern_names(part.left)
        elif part.sign is Sign.EQ:
            found |= _pattern_names(bound_side(part)[0])
    return frozenset(filter(is_new, found))


def bound_side(equation: tree.BinaryExpr) -> tuple[Expr, Expr]:
    """The side of an equation that names can be bound on, and the other.

    That is the left one, unless it is neither a name nor a tuple: ``3 = x``.
    """
    left = unbracketed(equation.left)
    if isinstance(left, tree.Identifier | tree.TupleExpr):
        return left, equation.right
    if isinstance(unbracketed(equation.right), tree.Identifier | tree.TupleExpr):
        return unbracketed(equation.right), equation.left
    return left, equation.right


def _pattern_names(expr: Expr) -> set[str]:
    match unbracketed(expr):
        case tree.Identifier(name):
            return {name}
        case tree.TupleExpr(items):
            return {name for item in items for name in _pattern_names(item)}
        case _:
            return set()


def names_in(expr: Expr) -> frozenset[str]:
    return frozenset(each.name for each in walk(expr) if isinstance(each, tree.Identifier))


def needs(expr: Expr, wanted: frozenset[str]) -> frozenset[str]:
    """Those of the names *wanted* whose values *expr* uses."""
    if not wanted:
        return wanted
    match expr:
        case tree.Identifier(name):
            return wanted & {name}
        case tree.QuantifiedExpr(names=names, domain=domain, body=body):
            return needs(domain, wanted) | needs(body, wanted - set(names))
        case tree.SetBuilder(_, condition) | tree.BigExpr(condition=condition):
            # What the inner sentence can bind is its own.
            wanted -= candidates(condition, wanted.__contains__)
            return _below(expr, wanted)
        case _:
            return _below(expr, wanted)


def _below(expr: Expr, wanted: frozenset[str]) -> frozenset[str]:
    return frozenset().union(*(needs(each, wanted) for each in children(expr)))


def binds(part: Expr, unbound: frozenset[str]) -> frozenset[str] | None:
    """The names that *part* binds when those *unbound* have no value; ``None``: it has to wait."""
    part = unbracketed(part)
    used = needs(part, unbound)
    if not used:
        return used
    if not isinstance(part, tree.BinaryExpr):
        return None
    match part.sign:
        case Sign.EQ:
            return _bound_by(*bound_side(part), unbound)
        case Sign.IN:
            return _bound_by(part.left, part.right, unbound)
        case Sign.OR:
            left, right = binds_all(part.left, unbound), binds_all(part.right, unbound)
            return left if left == right else None
        case _:
            return None


def binds_all(expr: Expr, unbound: frozenset[str]) -> frozenset[str] | None:
    """The names that a whole sentence binds; ``None`` if it cannot be solved."""
    found: frozenset[str] = frozenset()
    waiting = Waiting(conjuncts(expr), unbound)
    while waiting.parts:
        ready = waiting.pop()
        if ready is None:
            return None
        found |= ready.names
    return found


@dataclass(frozen=True, slots=True)
class Ready:
    """A part of a sentence that can be solved."""

    part: Expr
    names: frozenset[str]
    """Those that it binds."""
    is_first: bool
    """Whether no part before it waits."""


class Waiting:
    """The parts of a sentence, given in an order in which they can be solved.

    What a part can do changes only with the names that it uses, so it is looked at again when
    one of them is bound, and not before.
    """

    def __init__(self, parts: Sequence[Expr], unbound: frozenset[str]) -> None:
        self.parts = dict(enumerate(parts))
        """Those that wait, by their places."""
        self.unbound = unbound
        self._first = 0
        self._users: dict[str, list[int]] = {}
        for at, part in self.parts.items():
            for name in needs(part, unbound):
                self._users.setdefault(name, []).append(at)
        self._ready = [at for at, part in self.parts.items() if binds(part, unbound) is not None]

    def pop(self) -> Ready | None:
        """The first part that can be solved, which waits no more; ``None`` if there is none."""
        while self._ready:
            at = heappop(self._ready)
            names = binds(self.parts[at], self.unbound) if at in self.parts else None
            if names is None:
                continue
            while self._first not in self.parts:
                self._first += 1
            made = Ready(self.parts.pop(at), names, is_first=at == self._first)
            self.unbound -= names
            for user in sorted({user for name in names for user in self._users.get(name, ())}):
                if user in self.parts and binds(self.parts[user], self.unbound) is not None:
                    heappush(self._ready, user)
            return made
        return None


def _bound_by(pattern: Expr, value: Expr, unbound: frozenset[str]) -> frozenset[str] | None:
    if needs(value, unbound) or not is_pattern(pattern, unbound):
        return None
    return needs(pattern, unbound)


def is_pattern(expr: Expr, unbound: frozenset[str]) -> bool:
    """Whether the names *unbound* stand in *expr* only as components of tuples, or alone."""
    expr = unbracketed(expr)
    match expr:
        case tree.Identifier():
            return True
        case tree.TupleExpr(items):
            return all(is_pattern(item, unbound) for item in items)
        case _:
            return not needs(expr, unbound)


# Quantifiers over tuples


def unfolded(expr: tree.QuantifiedExpr) -> Expr:
    """What *expr* says, which binds components; members that are no such tuples are left out.

    There is a pair in S of which p holds if and only if the set of such pairs is not empty.
    The names it binds get others that nobody can type: a sentence in a set binds only
    names that have no value, and a quantifier binds any.
    """
    span = expr.span
    fresh = {name: f"{name}′{span.start}" for name in expr.names}
    pattern = tree.TupleExpr(
        tuple(tree.Identifier(fresh[name], span=span) for name in expr.names), span=span
    )
    member = tree.BinaryExpr(Sign.IN, pattern, expr.domain, span=span)
    body = _renamed(expr.body, fresh)
    is_all = expr.sign is tree.QuantifierSign.ALL
    if is_all:
        body = tree.UnaryExpr(tree.Prefix.NOT, body, span=body.span)
    condition = tree.BinaryExpr(Sign.AND, member, body, span=span)
    found = tree.SetBuilder(tree.Numeral(Fraction(0), span=span), condition, span=span)
    none = tree.SetExpr((), span=span)
    return tree.BinaryExpr(Sign.EQ if is_all else Sign.NE, found, none, span=span)


def _renamed(expr: Expr, fresh: Mapping[str, str]) -> Expr:
    """*expr* with other names, except where it binds a name itself."""
    match expr:
        case tree.Identifier(name):
            return replace(expr, name=fresh.get(name, name))
        case tree.QuantifiedExpr(names=names):
            inner = {name: new for name, new in fresh.items() if name not in names}
            domain, body = _renamed(expr.domain, fresh), _renamed(expr.body, inner)
            return replace(expr, domain=domain, body=body)
        case _:
            parts = tuple(_renamed(each, fresh) for each in children(expr))
            return with_children(expr, parts)
