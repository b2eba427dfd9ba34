"""Where names are used in a document, and which of them nothing there declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import assert_never

from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.terms import binding, walk
from zermelo.languages.sections.mean.terms.hints import expressions
from zermelo.languages.sections.read.grammar import tree
from zermelo.text.source import NOWHERE, Span


class Place(Enum):
    """The kinds of places where a name can stand."""

    SET = "in a set"
    DOMAIN = "in a declaration"
    FACT = "in a fact"
    DEFINED = "defined by a fact"
    INITIAL = "given an initial value"
    INITIAL_VALUE = "in an initial value"
    READ = "read"
    ASSIGNED = "assigned"


@dataclass(frozen=True, slots=True)
class Use:
    """A name at a place."""

    name: str
    span: Span
    place: Place
    procedure: str | None = None
    is_listed: bool = False
    """Whether it is an item in braces."""
    is_whole: bool = False
    """Whether it is the whole of a value that is assigned or compared."""
    is_own: bool = False
    """Whether it is read in the value that is assigned to itself."""


def uses(document: Items, is_known: Callable[[str], bool]) -> Iterator[Use]:
    """Every use of a name that is not bound around it, in the order of the document's parts."""
    for definition in document.sets:
        bound = frozenset(() if definition.index is None else (definition.index,))
        yield from _in(definition.value, Place.SET, is_known=is_known, bound=bound)
    for declaration in document.declarations:
        yield from _in(declaration.domain, Place.DOMAIN, is_known=is_known)
    for fact in document.facts:
        yield from _in_fact(fact, is_known)
    for initial in document.initials:
        yield from _in_initial(initial, is_known)
    for function in document.functions:
        yield from _in_function(function, is_known)
    for procedure in document.procedures:
        yield from in_procedure(procedure, is_known)


def _in_fact(fact: tree.Fact, is_known: Callable[[str], bool]) -> Iterator[Use]:
    head = defined_name(fact.formula)
    for use in _in(fact.formula, Place.FACT, is_known=is_known):
        if head is not None and use.span == head.span and use.name == head.text:
            yield Use(use.name, use.span, Place.DEFINED)
        else:
            yield use


def defined_name(formula: tree.Expr) -> tree.Name | None:
    """The name at the head of a fact: ``v`` in ``v = e`` and ``v ↔ φ``."""
    match formula:
        case tree.Iff(left=tree.Name() as name):
            return name
        case tree.Compare(first=tree.Name() as name, rest=((tree.CompareOp.EQ, _), *_)):
            return name
        case tree.And(operands=(first, *_)) | tree.Or(operands=(first, *_)):
            return defined_name(first)
        case _:
            return None


def _in_initial(initial: tree.Initial, is_known: Callable[[str], bool]) -> Iterator[Use]:
    spans = initial.name_spans or (initial.span,) * len(initial.names)
    for name, span in zip(initial.names, spans, strict=False):
        yield Use(name, span, Place.INITIAL)
    yield from _in(initial.value, Place.INITIAL_VALUE, is_known=is_known)


def _in_function(function: tree.Function, is_known: Callable[[str], bool]) -> Iterator[Use]:
    bound = frozenset(p.name for p in function.parameters)
    for parameter in function.parameters:
        if parameter.domain is not None:
            yield from _in(parameter.domain, Place.DOMAIN, is_known=is_known)
    yield from _in(function.body, Place.FACT, is_known=is_known, bound=bound)


def in_procedure(procedure: tree.Procedure, is_known: Callable[[str], bool]) -> Iterator[Use]:
    """The uses in one procedure, in the order in which its statements stand.

    Parameters with a domain and locals that are declared are bound in all of it.
    """
    bound = frozenset(p.name for p in procedure.parameters if p.domain is not None)
    for parameter in procedure.parameters:
        if parameter.domain is not None:
            yield from _in(parameter.domain, Place.DOMAIN, is_known=is_known)
    for statement in walk.statements(procedure.body):
        yield from _in_statement(statement, procedure.name, is_known=is_known, bound=bound)


def _in_statement(
    statement: tree.Statement,
    procedure: str,
    *,
    is_known: Callable[[str], bool],
    bound: frozenset[str],
) -> Iterator[Use]:
    def read(*exprs: tree.Expr, own: frozenset[str] = frozenset()) -> Iterator[Use]:
        for expr in exprs:
            for use in _in(expr, Place.READ, is_known=is_known, bound=bound):
                is_whole = use.is_whole or use.span == expr.span
                is_own = use.name in own
                yield replace(use, procedure=procedure, is_whole=is_whole, is_own=is_own)

    match statement:
        case tree.Assign(target=target, value=value):
            names = [n for n in walk.inside(target) if isinstance(n, tree.Name)]
            yield from read(value, own=frozenset(n.text for n in names))
            yield from _assigned(names, procedure, bound=bound)
        case tree.Step(name=text, span=span):
            yield from read(tree.Name(text, span=span), own=frozenset((text,)))
            yield from _assigned((tree.Name(text, span=span),), procedure, bound=bound)
        case tree.Call(arguments=arguments):
            yield from read(*arguments)
        case tree.Declaration(domain=domain):
            yield from _in(domain, Place.DOMAIN, is_known=is_known, bound=bound)
        case tree.Rule(guard=guard):
            yield from read(guard)
        case tree.Prose() | tree.Unparsed():
            pass
        case _:
            assert_never(statement)


def _assigned(
    names: Iterable[tree.Name], procedure: str, *, bound: frozenset[str]
) -> Iterator[Use]:
    for name in names:
        if name.text not in bound:
            yield Use(name.text, name.span, Place.ASSIGNED, procedure)


def _in(
    expr: tree.Expr,
    place: Place,
    *,
    is_known: Callable[[str], bool],
    bound: frozenset[str] = frozenset(),
) -> Iterator[Use]:
    listed = {id(i) for i in _items(expr)}
    compared = {id(i) for i in _compared(expr)}
    for node, around in binding.scoped(expr, bound, is_known):
        if isinstance(node, tree.Name) and node.text not in around:
            yield Use(
                node.text,
                node.span,
                place,
                is_listed=id(node) in listed,
                is_whole=id(node) in compared,
            )


def _items(expr: tree.Expr) -> Iterator[tree.Expr]:
    """What is listed in braces in *expr*, also inside tuples there."""
    for node in walk.inside(expr):
        if isinstance(node, tree.SetOf):
            for item in node.items:
                yield item
                if isinstance(item, tree.TupleOf):
                    yield from item.items


def _compared(expr: tree.Expr) -> Iterator[tree.Expr]:
    """The right sides of ``=`` and ``≠`` in *expr*."""
    for node in walk.inside(expr):
        if isinstance(node, tree.Compare):
            for op, right in node.rest:
                if op in {tree.CompareOp.EQ, tree.CompareOp.NE}:
                    yield right


def mentioned(document: Items, found: Iterable[Use]) -> frozenset[str]:
    """The names that are *found* to be used, and the single words of runs of words."""
    runs = (n for e in expressions(document) for n in walk.inside(e) if isinstance(n, tree.Words))
    return frozenset(use.name for use in found).union(*(run.words for run in runs))


def place_of(item: tree.Declaration, name: str) -> Span:
    """Where *name* stands in its declaration."""
    if name in item.names and len(item.name_spans) == len(item.names):
        return item.name_spans[item.names.index(name)]
    return item.span if item.span != NOWHERE else NOWHERE
