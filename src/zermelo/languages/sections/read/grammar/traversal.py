"""Walks over trees: their parts, their depth, the names in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, assert_never

from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.tree import Expr, Statement
from zermelo.text.budget import spend

_PARTS_BETWEEN_CHARGES: Final = 64
_STEPS_OF_PARTS: Final = 500
_STEPS_OF_A_WALK: Final = 16


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The expressions that *expr* is directly made of, in the order they stand."""
    match expr:
        case (
            tree.Name()
            | tree.WordRun()
            | tree.NumberLiteral()
            | tree.TruthLiteral()
            | tree.NumberSet()
            | tree.EmptySet()
        ):
            return ()
        case (
            tree.SetOf(items)
            | tree.TupleOf(items)
            | tree.Product(items)
            | tree.And(items)
            | tree.Or(items)
            | tree.Apply(_, items)
        ):
            return items
        case (
            tree.Range(left, right)
            | tree.Binary(_, left, right)
            | tree.Implies(left, right)
            | tree.Iff(left, right)
        ):
            return (left, right)
        case tree.Unary(operand):
            return (operand,)
        case tree.SetBuilder(result, domain, condition):
            return (result, condition) if domain is None else (result, domain, condition)
        case tree.Folded(_, _, domain, body) | tree.Quantified(_, _, domain, body):
            return (body,) if domain is None else (domain, body)
        case tree.Compare(first, rest):
            return (first, *(right for _, right in rest))
        case _:
            assert_never(expr)


def inside(expr: Expr) -> Iterator[Expr]:
    """*expr* and everything inside it, outermost first."""
    waiting = [expr]
    count = 0
    while waiting:
        if not count % _PARTS_BETWEEN_CHARGES:
            spend(_STEPS_OF_PARTS if count else _STEPS_OF_A_WALK, "going through formulas")
        count += 1
        node = waiting.pop()
        yield node
        waiting.extend(reversed(parts(node)))


def depth(expr: Expr) -> int:
    """The number of expressions on the longest way down, without recursion."""
    level: list[Expr] = [expr]
    deepest = 0
    while level:
        deepest += 1
        level = [part for upper in level for part in parts(upper)]
    return deepest


def mentioned(expr: Expr) -> frozenset[str]:
    """Every name that stands in *expr*, bound names and words without quotes included."""
    found = set(names_in(expr))
    for node in inside(expr):
        match node:
            case tree.Folded() | tree.Quantified():
                found.update(node.variables)
            case _:
                pass
    return frozenset(found)


def named(node: Expr | Statement) -> frozenset[str]:
    """Every name that stands in *node*, those that it assigns or declares included."""
    found = {name for expr in expressions(node) for name in mentioned(expr)}
    match node:
        case tree.StepByOne(name) | tree.ProcedureCall(name):
            found.add(name)
        case tree.Declaration(names):
            found.update(names)
        case tree.Rule(_, conclusion):
            found.update(*map(named, conclusion))
        case _:
            pass
    return frozenset(found)


def names_in(expr: Expr) -> Iterator[str]:
    """Every name in *expr*: of sets and variables, of functions, and single words of a run.

    Bound names are among them; a caller asks only about names it knows.
    """
    for node in inside(expr):
        match node:
            case tree.Name(text=name) | tree.Apply(name=name):
                yield name
            case tree.WordRun(words=words, quoted=False):
                yield from words
            case _:
                pass


def is_free(name: str, expr: Expr) -> bool:
    """Whether *name* stands in *expr* unbound, also as the index of a family."""
    bound: Collection[str] = ()
    domain: Expr | None = None
    match expr:
        case tree.Name(text):
            return text == name or text.endswith(f"_{name}")
        case tree.Quantified(domain=domain) | tree.Folded(domain=domain):
            bound = expr.variables
        case tree.SetBuilder(result, tree.SyntaxNode() as domain):
            bound = mentioned(result)
        case _:
            pass
    if name in bound:
        return domain is not None and is_free(name, domain)
    return any(is_free(name, part) for part in parts(expr))


def conjuncts(expr: Expr) -> tuple[Expr, ...]:
    """The operands of a conjunction; anything else is its own only one."""
    return expr.operands if isinstance(expr, tree.And) else (expr,)


def disjuncts(expr: Expr) -> tuple[Expr, ...]:
    """The operands of a disjunction; anything else is its own only one."""
    return expr.operands if isinstance(expr, tree.Or) else (expr,)


def membership(expr: Expr) -> tuple[Expr, Expr] | None:
    """``x`` and ``A`` of ``x ∈ A``; ``x`` and ``𝒫(A)`` of ``x ⊆ A``."""
    match expr:
        case tree.Compare(item, ((tree.CompareOp.IN, domain),)):
            return item, domain
        case tree.Compare(item, ((tree.CompareOp.SUBSET, domain),)):
            return item, tree.PowerSet(domain, span=domain.span)
        case _:
            return None


def first_name(expr: Expr) -> str:
    """The first name in *expr*, empty if there is none."""
    return next((node.text for node in inside(expr) if isinstance(node, tree.Name)), "")


def expressions(node: Expr | Statement) -> tuple[Expr, ...]:
    """The expressions that stand in *node* as wholes; an expression is its own only one."""
    match node:
        case tree.Assign(target, value):
            return (target, value)
        case tree.ProcedureCall(_, arguments):
            return arguments
        case tree.Declaration(_, _, domain):
            return (domain,)
        case tree.Rule(guard, conclusion):
            return (guard, *(expr for inner in conclusion for expr in expressions(inner)))
        case tree.StepByOne() | tree.Prose() | tree.Unparsed():
            return ()
        case _:
            return (node,)


def statements(body: Iterable[Statement]) -> Iterator[Statement]:
    """The statements of *body* and of the conclusions inside it, in the order written."""
    for statement in body:
        yield statement
        if isinstance(statement, tree.Rule):
            yield from statements(statement.conclusion)


@dataclass(frozen=True, slots=True)
class Assignment:
    """A value given to a name somewhere in a procedure."""

    name: str
    value: Expr | None
    """``None`` for ``++``, ``--`` and parts of a tuple."""
    guards: tuple[Expr, ...]
    """The guards around it, outermost first."""


def assignments(
    body: Iterable[Statement], *, guards: tuple[Expr, ...] = ()
) -> Iterator[Assignment]:
    for statement in body:
        match statement:
            case tree.Assign(target=tree.Name(text=name), value=value):
                yield Assignment(name, value, guards)
            case tree.Assign(target=target):
                for node in inside(target):
                    if isinstance(node, tree.Name):
                        yield Assignment(node.text, None, guards)
            case tree.StepByOne(name=name):
                yield Assignment(name, None, guards)
            case tree.Rule(guard=guard, conclusion=conclusion):
                yield from assignments(conclusion, guards=(*guards, guard))
            case tree.ProcedureCall() | tree.Declaration() | tree.Prose() | tree.Unparsed():
                pass
            case _:
                assert_never(statement)


def guards_in(body: Iterable[Statement]) -> Iterator[Expr]:
    for statement in statements(body):
        if isinstance(statement, tree.Rule):
            yield statement.guard


def expressions_in(body: Iterable[Statement]) -> Iterator[Expr]:
    """The outermost expressions of *body*: guards, values, arguments, domains."""
    for statement in statements(body):
        match statement:
            case tree.Assign(value=expr) | tree.Rule(guard=expr):
                yield expr
            case _:
                yield from expressions(statement)
