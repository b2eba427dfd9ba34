"""Going through systems: the parts of expressions and statements, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, get_args

from zermelo.languages.sections.ir import (
    And,
    Binder,
    Comprehension,
    Expr,
    Fold,
    Literal,
    Local,
    Node,
    NumberSet,
    Quantified,
    Ref,
    Rule,
    Statement,
    System,
)

EXPRESSIONS: Final = get_args(Expr)
"""The classes of expressions."""


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


def refs(node: Node) -> frozenset[str]:
    """The sets and variables that *node* names."""
    return frozenset(part.name for part in parts(node) if isinstance(part, Ref))


def bodies(system: System) -> Iterator[Node]:
    """What functions and defined variables stand for, and the statements of procedures."""
    yield from (function.body for function in system.functions)
    yield from (v.definition for v in system.variables if v.definition is not None)
    yield from (statement for p in system.procedures for statement in p.body)


def depth(node: Node | Binder) -> int:
    """How many levels *node* has.

    >>> depth(And((Local("a"), And((Local("b"),)))))
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
    if isinstance(expr, Literal | Ref | Local | NumberSet):
        return expr

    def image(part: object) -> object:
        if isinstance(part, tuple):
            return tuple(map(image, part))
        if isinstance(part, Binder):
            return replace(part, domain=change(part.domain))
        return change(part) if isinstance(part, EXPRESSIONS) else part

    changed: dict[str, Any] = {name: image(getattr(expr, name)) for name in expr.__match_args__}
    return replace(expr, **changed)


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
