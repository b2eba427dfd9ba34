"""Where names are used in a document, and what that tells: their type, the set of an index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import assert_never

from zermelo.core.values import NUMBER, TRUTH, UNKNOWN, SetType, Type
from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.terms import binding
from zermelo.languages.sections.mean.terms.binding import IsKnown
from zermelo.languages.sections.mean.terms.operators import is_known
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.text.source import Span


class UsePlace(Enum):
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
    place: UsePlace
    procedure: str | None = None
    is_listed: bool = False
    """Whether it is an item in braces."""
    is_whole: bool = False
    """Whether it is the whole of a value that is assigned or compared."""


def uses(document: Items, is_known: IsKnown) -> Iterator[Use]:
    """Every use of a name that is not bound around it, in the order of the document's parts."""
    for definition in document.sets:
        bound = frozenset(() if definition.index is None else (definition.index,))
        yield from _in(definition.value, UsePlace.SET, is_known=is_known, bound=bound)
    for declaration in document.declarations:
        yield from _in(declaration.domain, UsePlace.DOMAIN, is_known=is_known)
    for fact in document.facts:
        head = _defined_name(fact.formula)
        for use in _in(fact.formula, UsePlace.FACT, is_known=is_known):
            is_head = head is not None and (use.span, use.name) == (head.span, head.text)
            yield Use(use.name, use.span, UsePlace.DEFINED) if is_head else use
    for initial in document.initials:
        spans = initial.name_spans or (initial.span,) * len(initial.names)
        for name, span in zip(initial.names, spans, strict=False):
            yield Use(name, span, UsePlace.INITIAL)
        yield from _in(initial.value, UsePlace.INITIAL_VALUE, is_known=is_known)
    for function in document.functions:
        bound = frozenset(p.name for p in function.parameters)
        yield from _in_heads(function.parameters, is_known)
        yield from _in(function.body, UsePlace.FACT, is_known=is_known, bound=bound)
    for procedure in document.procedures:
        yield from in_procedure(procedure, is_known)


def _defined_name(formula: tree.Expr) -> tree.Name | None:
    """The name at the head of a fact: ``v`` in ``v = e`` and ``v ↔ φ``."""
    match formula:
        case (
            tree.Iff(left=tree.Name() as name)
            | tree.Compare(first=tree.Name() as name, rest=((tree.CompareOp.EQ, _), *_))
        ):
            return name
        case tree.And(operands=(first, *_)) | tree.Or(operands=(first, *_)):
            return _defined_name(first)
        case _:
            return None


def _in_heads(parameters: Iterable[tree.Parameter], is_known: IsKnown) -> Iterator[Use]:
    for parameter in parameters:
        if parameter.domain is not None:
            yield from _in(parameter.domain, UsePlace.DOMAIN, is_known=is_known)


def in_procedure(procedure: tree.Procedure, is_known: IsKnown) -> Iterator[Use]:
    """The uses in one procedure, in the order in which its statements stand.

    Parameters with a domain and locals that are declared are bound in all of it.
    """
    bound = frozenset(p.name for p in procedure.parameters if p.domain is not None)
    yield from _in_heads(procedure.parameters, is_known)
    for statement in traversal.statements(procedure.body):
        yield from _in_statement(statement, procedure.name, is_known=is_known, bound=bound)


def _in_statement(
    statement: tree.Statement,
    procedure: str,
    *,
    is_known: IsKnown,
    bound: frozenset[str],
) -> Iterator[Use]:
    def read(*exprs: tree.Expr) -> Iterator[Use]:
        for expr in exprs:
            for use in _in(expr, UsePlace.READ, is_known=is_known, bound=bound):
                is_whole = use.is_whole or use.span == expr.span
                yield replace(use, procedure=procedure, is_whole=is_whole)

    match statement:
        case tree.Assign(target=target, value=value):
            yield from read(value)
            yield from _assigned(target, procedure, bound=bound)
        case tree.StepByOne(name=text, span=span):
            this = tree.Name(text, span=span)
            yield from read(this)
            yield from _assigned(this, procedure, bound=bound)
        case tree.ProcedureCall(arguments=arguments):
            yield from read(*arguments)
        case tree.Declaration(domain=domain):
            yield from _in(domain, UsePlace.DOMAIN, is_known=is_known, bound=bound)
        case tree.Rule(guard=guard):
            yield from read(guard)
        case tree.Prose() | tree.Unparsed():
            pass
        case _:
            assert_never(statement)


def _assigned(target: tree.Expr, procedure: str, *, bound: frozenset[str]) -> Iterator[Use]:
    for node in traversal.inside(target):
        if isinstance(node, tree.Name) and node.text not in bound:
            yield Use(node.text, node.span, UsePlace.ASSIGNED, procedure)


def _in(
    expr: tree.Expr,
    place: UsePlace,
    *,
    is_known: IsKnown,
    bound: frozenset[str] = frozenset(),
) -> Iterator[Use]:
    listed = {id(i) for i in _items(expr)}
    compared = {id(i) for i in _compared(expr)}
    for node, around in binding.scoped(expr, bound, is_known):
        if isinstance(node, tree.Name) and node.text not in around:
            is_listed, is_whole = id(node) in listed, id(node) in compared
            yield Use(node.text, node.span, place, is_listed=is_listed, is_whole=is_whole)


def _items(expr: tree.Expr) -> Iterator[tree.Expr]:
    """What is listed in braces in *expr*, also inside tuples there."""
    for node in traversal.inside(expr):
        if isinstance(node, tree.SetOf):
            for item in node.items:
                yield item
                if isinstance(item, tree.TupleOf):
                    yield from item.items


def _compared(expr: tree.Expr) -> Iterator[tree.Expr]:
    """The right sides of ``=`` and ``≠`` in *expr*."""
    for node in traversal.inside(expr):
        if isinstance(node, tree.Compare):
            for op, right in node.rest:
                if op in {tree.CompareOp.EQ, tree.CompareOp.NE}:
                    yield right


def mentioned(document: Items, found: Iterable[Use]) -> frozenset[str]:
    """The names that are *found* to be used, and the single words of runs of words."""
    runs = (
        n for e in expressions(document) for n in traversal.inside(e) if isinstance(n, tree.WordRun)
    )
    return frozenset(use.name for use in found).union(*(run.words for run in runs))


def place_of(item: tree.Declaration, name: str) -> Span:
    if name in item.names and len(item.name_spans) == len(item.names):
        return item.name_spans[item.names.index(name)]
    return item.span


# What uses tell


def expressions(document: Items) -> Iterator[tree.Expr]:
    yield from (definition.value for definition in document.sets)
    yield from (declaration.domain for declaration in document.declarations)
    yield from (fact.formula for fact in document.facts)
    yield from (initial.value for initial in document.initials)
    yield from (function.body for function in document.functions)
    yield from parameter_domains(document)
    for procedure in document.procedures:
        yield from traversal.expressions_in(procedure.body)


def parameter_domains(document: Items) -> Iterator[tree.Expr]:
    heads = [function.parameters for function in document.functions]
    heads += [procedure.parameters for procedure in document.procedures]
    for parameter in (parameter for head in heads for parameter in head):
        if parameter.domain is not None:
            yield parameter.domain


_SET_OPERATORS = frozenset(
    {tree.BinaryOp.UNION, tree.BinaryOp.INTERSECTION, tree.BinaryOp.DIFFERENCE}
)
_ORDERS = frozenset({tree.CompareOp.LT, tree.CompareOp.LE, tree.CompareOp.GT, tree.CompareOp.GE})
_INCLUSIONS = frozenset({tree.CompareOp.SUBSET, tree.CompareOp.NOT_SUBSET})


def index_set_in(index: str, value: tree.Expr) -> tree.Expr | None:
    """The set that the index of a family ranges over, if its members' conditions say so."""
    for node in traversal.inside(value):
        if isinstance(node, tree.SetBuilder):
            found = binding.find((index,), node.condition)
            if found is not None and not isinstance(found.generator.domain, tree.SetOf):
                return found.generator.domain
            if found is None and (limits := binding.bounds(index, node.condition)) is not None:
                return limits
    return None


def index_set_by_use(
    family: str, document: Items, *, is_set: Callable[[str], bool]
) -> tree.Expr | None:
    """The set that quantifiers take indices of *family* from, or the indices that are used."""
    used: list[tree.NumberLiteral] = []
    for expr in expressions(document):
        for node in traversal.inside(expr):
            match node:
                case tree.Quantified(variables=names, domain=tree.Name() as domain, body=body):
                    members = {f"{family}_{name}" for name in names}
                    found = (n.text for n in traversal.inside(body) if isinstance(n, tree.Name))
                    if is_set(domain.text) and not members.isdisjoint(found):
                        return domain
                case tree.Name(text=text) if text.startswith(f"{family}_"):
                    index = binding.index_of(text) or ""
                    if index.isdecimal():
                        used.append(tree.NumberLiteral(int(index), span=node.span))
    if not used:
        return None
    numbers = sorted(dict.fromkeys(used), key=lambda n: n.value)
    return tree.SetOf(tuple(numbers), span=used[0].span)


def type_by_use(name: str, exprs: tuple[tree.Expr, ...]) -> Type:
    """The type of *name*, by the operators it stands beside."""
    for expr in exprs:
        for node in traversal.inside(expr):
            kind = _type_in(node, name)
            if is_known(kind):
                return kind
    return UNKNOWN


def _type_in(node: tree.Expr, name: str) -> Type:
    this = tree.Name(name)
    match node:
        case tree.BarsAround(operand=operand) | tree.PowerSet(operand=operand) if operand == this:
            return SetType(UNKNOWN)
        case tree.Folded(domain=domain, others=()) if domain == this:
            return SetType(NUMBER)
        case tree.Binary(op=op, left=left, right=right) if this in {left, right}:
            if op in _SET_OPERATORS:
                return SetType(UNKNOWN)
            return UNKNOWN if op is tree.BinaryOp.MINUS else NUMBER
        case tree.Not() | tree.And() | tree.Or() if this in traversal.parts(node):
            return TRUTH
        case tree.Compare():
            return _type_in_comparison(node, this)
        case _:
            return UNKNOWN


def _type_in_comparison(node: tree.Compare, this: tree.Name) -> Type:
    left = node.first
    for op, right in node.rest:
        is_operand = this in {left, right}
        if is_operand and op in _ORDERS:
            return NUMBER
        is_set = is_operand and op in _INCLUSIONS
        if is_set or (right == this and op in {tree.CompareOp.IN, tree.CompareOp.NOT_IN}):
            return SetType(UNKNOWN)
        if is_operand and op is tree.CompareOp.EQ:
            other = right if left == this else left
            if isinstance(other, tree.NumberLiteral):
                return NUMBER
            if isinstance(other, tree.TruthLiteral):
                return TRUTH
        left = right
    return UNKNOWN


def is_used_as_truth(names: frozenset[str], document: Items) -> bool:
    """Whether a variable called one of *names* stands where truth values stand, and only there."""
    uses = [
        _truth_use(node, names) for expr in expressions(document) for node in traversal.inside(expr)
    ]
    guards = [g for p in document.procedures for g in traversal.guards_in(p.body)]
    is_guard = any(isinstance(g, tree.Name) and g.text in names for g in guards)
    return (True in uses or is_guard) and False not in uses


def _truth_use(node: tree.Expr, names: frozenset[str]) -> bool | None:
    """Whether one of *names* is an operand of a connective; ``False`` if of arithmetic."""
    operands = traversal.parts(node)
    if not any(isinstance(o, tree.Name) and o.text in names for o in operands):
        return None
    if isinstance(node, tree.Not | tree.And | tree.Or | tree.Implies | tree.Iff):
        return True
    return False if isinstance(node, tree.Binary) else None
