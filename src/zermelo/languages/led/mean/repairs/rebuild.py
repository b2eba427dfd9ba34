"""Changing a tree by making another one: every repair of a printed program does this."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Definition, Document, Expr, Sign
from zermelo.languages.led.read.walk import children, expressions, with_children

Change: TypeAlias = Callable[[Expr], Expr | None]
"""What to put in place of an expression; ``None`` to look inside it."""


def changed(expr: Expr, change: Change) -> Expr:
    """*expr* with *change* made from the outside in."""
    new = change(expr)
    if new is not None:
        return new
    parts = children(expr)
    after = tuple(changed(each, change) for each in parts)
    if all(old is new for old, new in zip(parts, after, strict=True)):
        return expr
    return with_children(expr, after)


def changed_definition(definition: Definition, change: Change) -> Definition:
    """*definition* with *change* made in its body and behind ``where``."""
    branches = tuple(
        replace(
            branch,
            value=changed(branch.value, change),
            guard=None if branch.guard is None else changed(branch.guard, change),
        )
        for branch in definition.branches
    )
    where = None if definition.where is None else changed(definition.where, change)
    return replace(definition, branches=branches, where=where)


def with_definitions(document: Document, definitions: Sequence[Definition]) -> Document:
    """*document* with *definitions* in place of those it has, in order."""
    following = iter(definitions)
    parts = tuple(
        next(following) if isinstance(part, Definition) else part for part in document.parts
    )
    return replace(document, parts=parts)


def walk(expr: Expr) -> Iterator[Expr]:
    """*expr* and everything in it, from the outside in and from left to right."""
    open_ = [expr]
    while open_:
        here = open_.pop()
        yield here
        open_.extend(reversed(children(here)))


def nodes(definition: Definition) -> Iterator[Expr]:
    """Every expression in *definition*."""
    for expr in expressions(definition):
        yield from walk(expr)


def operands(expr: Expr, sign: Sign) -> tuple[Expr, ...]:
    """What *sign* joins in *expr*, from left to right; brackets end it."""
    found: list[Expr] = []
    open_ = [expr]
    while open_:
        here = open_.pop()
        if isinstance(here, tree.Binary) and here.sign is sign:
            open_ += [here.right, here.left]
        else:
            found.append(here)
    return tuple(found)


def joined(parts: Sequence[Expr], sign: Sign) -> Expr:
    """*parts* joined by *sign*, from the left."""
    result = parts[0]
    for part in parts[1:]:
        result = tree.Binary(sign, result, part, span=result.span.to(part.span))
    return result
