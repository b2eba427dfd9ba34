"""Going through systems: the parts of expressions and statements, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import assert_never

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
    Literal,
    Local,
    Negate,
    Node,
    Not,
    NumberSet,
    Or,
    PowerSet,
    Product,
    Quantified,
    Range,
    Ref,
    Rule,
    SetOf,
    Statement,
    TupleOf,
)


def children(node: Node | Binder) -> Iterator[Node | Binder]:
    """The expressions, binders and statements that *node* directly consists of."""
    for name in node.__dataclass_fields__:
        part = getattr(node, name)
        for item in part if isinstance(part, tuple) else (part,):
            if isinstance(item, Node | Binder):
                yield item


def parts(node: Node | Binder) -> Iterator[Node]:
    """*node* and everything inside it, each before what is inside it."""
    waiting = [node]
    while waiting:
        at = waiting.pop()
        if isinstance(at, Node):
            yield at
        waiting.extend(reversed(tuple(children(at))))


def depth(node: Node | Binder) -> int:
    """How many levels *node* has.

    >>> depth(And((Local("a"), Not(Local("b")))))
    3
    """
    levels, here = 0, [node]
    while here:
        levels += 1
        here = [child for item in here for child in children(item)]
    return levels


def rules_of(statements: tuple[Statement, ...]) -> Iterator[Rule]:
    """Every rule in *statements*, nested ones after the one around them."""
    for statement in statements:
        if isinstance(statement, Rule):
            yield statement
            yield from rules_of(statement.conclusion)


def conjuncts(expr: Expr) -> tuple[Expr, ...]:
    """The parts of which *expr* is the conjunction, nested conjunctions taken apart."""
    if isinstance(expr, And):
        return tuple(part for operand in expr.operands for part in conjuncts(operand))
    return (expr,)


def free_locals(node: Node) -> frozenset[str]:
    """The names that *node* takes from around it.

    >>> from zermelo.languages.sections.ir import Card
    >>> sorted(free_locals(Card(Local("w"))))
    ['w']
    """
    match node:
        case Local(name):
            return frozenset({name})
        case Quantified(binder=binder, body=body) | Fold(binder=binder, body=body):
            return _free_under((binder,), (body,))
        case Comprehension(result, binders, condition):
            return _free_under(binders, (result, condition))
        case _:
            found = (free_locals(part) for part in children(node) if isinstance(part, Node))
            return frozenset().union(*found)


def substituted(expr: Expr, images: Mapping[str, Expr], refs: Mapping[str, Expr]) -> Expr | None:
    """*expr* with locals replaced by *images* and variables by *refs*.

    ``None`` when a binder would catch a name of an image.
    """
    caught = frozenset().union(*(free_locals(e) for e in (*images.values(), *refs.values())))
    bound = {name for binder in _binders(expr) for name in binder.names}
    if bound & (caught | images.keys()):
        return None

    def replaced(part: Expr) -> Expr:
        match part:
            case Local(name):
                return images.get(name, part)
            case Ref(name):
                return refs.get(name, part)
            case _:
                return rebuilt(part, replaced)

    return replaced(expr)


def rebuilt(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """*expr* with *change* made to each of the expressions it directly consists of."""
    match expr:
        case Literal() | Ref() | Local() | NumberSet():
            return expr
        case Negate() | Card() | Abs() | Floor() | Ceiling() | Not():
            return replace(expr, operand=change(expr.operand))
        case And() | Or():
            return replace(expr, operands=tuple(map(change, expr.operands)))
        case Binary(_, left, right):
            return replace(expr, left=change(left), right=change(right))
        case Apply(_, arguments):
            return replace(expr, arguments=tuple(map(change, arguments)))
        case Quantified(_, binder, body) | Fold(_, binder, body):
            return replace(expr, binder=_rebound(binder, change), body=change(body))
        case _:
            return _rebuilt_collection(expr, change)


def _rebuilt_collection(
    expr: SetOf | Range | TupleOf | Product | PowerSet | Comprehension,
    change: Callable[[Expr], Expr],
) -> Expr:
    match expr:
        case SetOf(items) | TupleOf(items):
            return replace(expr, items=tuple(map(change, items)))
        case Range(low, high):
            return replace(expr, low=change(low), high=change(high))
        case Product(factors):
            return replace(expr, factors=tuple(map(change, factors)))
        case PowerSet(base):
            return replace(expr, base=change(base))
        case Comprehension(result, binders, condition):
            changed = tuple(_rebound(binder, change) for binder in binders)
            return replace(
                expr, result=change(result), binders=changed, condition=change(condition)
            )
        case _:
            assert_never(expr)


def _rebound(binder: Binder, change: Callable[[Expr], Expr]) -> Binder:
    return replace(binder, domain=change(binder.domain))


def _binders(node: Node | Binder) -> Iterator[Binder]:
    if isinstance(node, Binder):
        yield node
    for child in children(node):
        yield from _binders(child)


def _free_under(binders: tuple[Binder, ...], inside: tuple[Expr, ...]) -> frozenset[str]:
    free: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    for binder in binders:
        free |= free_locals(binder.domain) - bound
        bound |= frozenset(binder.names)
    return free.union(*(free_locals(expr) - bound for expr in inside))
