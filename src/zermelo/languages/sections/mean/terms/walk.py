"""Walking trees: the parts of an expression, and what statements read and assign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.traversal import parts


def inside(expr: tree.Expr) -> Iterator[tree.Expr]:
    """*expr* and everything inside it, outermost first."""
    waiting = [expr]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(parts(node)))


def names_in(expr: tree.Expr) -> Iterator[str]:
    """Every name in *expr*: of sets and variables, of functions, and single words of a run.

    Bound names are among them; a caller asks only about names it knows.
    """
    for node in inside(expr):
        match node:
            case tree.Name(text=text):
                yield text
            case tree.Apply(name=name):
                yield name
            case tree.Words(words=words, quoted=False):
                yield from words
            case _:
                pass


def statements(body: Iterable[tree.Statement]) -> Iterator[tree.Statement]:
    """The statements of *body* and of the conclusions inside it, in the order written."""
    for statement in body:
        yield statement
        if isinstance(statement, tree.Rule):
            yield from statements(statement.conclusion)


@dataclass(frozen=True, slots=True)
class Assignment:
    """A value given to a name somewhere in a procedure."""

    name: str
    value: tree.Expr | None
    """``None`` for ``++``, ``--`` and parts of a tuple."""
    guards: tuple[tree.Expr, ...]
    """The guards around it, outermost first."""


def assignments(
    body: Iterable[tree.Statement], *, guards: tuple[tree.Expr, ...] = ()
) -> Iterator[Assignment]:
    """Every assignment in *body*, with the guards it stands under."""
    for statement in body:
        match statement:
            case tree.Assign(target=tree.Name(text=name), value=value):
                yield Assignment(name, value, guards)
            case tree.Assign(target=target):
                for node in inside(target):
                    if isinstance(node, tree.Name):
                        yield Assignment(node.text, None, guards)
            case tree.Step(name=name):
                yield Assignment(name, None, guards)
            case tree.Rule(guard=guard, conclusion=conclusion):
                yield from assignments(conclusion, guards=(*guards, guard))
            case tree.Call() | tree.Declaration() | tree.Prose() | tree.Unparsed():
                pass
            case _:
                assert_never(statement)


def guards_in(body: Iterable[tree.Statement]) -> Iterator[tree.Expr]:
    """The guards of all rules in *body*."""
    for statement in statements(body):
        if isinstance(statement, tree.Rule):
            yield statement.guard


def expressions_in(body: Iterable[tree.Statement]) -> Iterator[tree.Expr]:
    """The outermost expressions of *body*: guards, values, arguments, domains."""
    for statement in statements(body):
        match statement:
            case tree.Assign(value=value):
                yield value
            case tree.Rule(guard=guard):
                yield guard
            case tree.Call(arguments=arguments):
                yield from arguments
            case tree.Declaration(domain=domain):
                yield domain
            case tree.Step() | tree.Prose() | tree.Unparsed():
                pass
            case _:
                assert_never(statement)
