"""Walks over trees: their parts, their depth, the names in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.read.grammar.tree import (
    And,
    Apply,
    Assign,
    BarsAround,
    Binary,
    Ceiling,
    Compare,
    CompareOp,
    Declaration,
    EmptySet,
    Expr,
    Floor,
    Folded,
    Iff,
    Implies,
    Name,
    Negate,
    Not,
    NumberLiteral,
    NumberSet,
    Or,
    PowerSet,
    ProcedureCall,
    Product,
    Prose,
    Quantified,
    Range,
    Rule,
    SetBuilder,
    SetOf,
    Statement,
    StepByOne,
    TruthLiteral,
    TupleOf,
    Unparsed,
    WordRun,
)


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The expressions that *expr* is directly made of, in the order they stand."""
    match expr:
        case Name() | WordRun() | NumberLiteral() | TruthLiteral() | NumberSet() | EmptySet():
            return ()
        case SetOf(items) | TupleOf(items) | And(items) | Or(items) | Apply(_, items):
            return items
        case Range(low, high):
            return (low, high)
        case SetBuilder(result, domain, condition):
            return (result, *_optional(domain), condition)
        case Product(factors):
            return factors
        case Binary(_, left, right) | Implies(left, right) | Iff(left, right):
            return (left, right)
        case (
            Negate(operand)
            | BarsAround(operand)
            | Floor(operand)
            | Ceiling(operand)
            | PowerSet(operand)
            | Not(operand)
        ):
            return (operand,)
        case Folded(_, _, domain, body) | Quantified(_, _, domain, body):
            return (*_optional(domain), body)
        case Compare(first, rest):
            return (first, *(right for _, right in rest))
        case _:
            assert_never(expr)


def _optional(expr: Expr | None) -> tuple[Expr, ...]:
    return () if expr is None else (expr,)


def inside(expr: tree.Expr) -> Iterator[tree.Expr]:
    """*expr* and everything inside it, outermost first."""
    waiting = [expr]
    while waiting:
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
    found: set[str] = set()
    waiting: list[Expr] = [expr]
    while waiting:
        at = waiting.pop()
        waiting.extend(parts(at))
        match at:
            case Name(text):
                found.add(text)
            case WordRun(words, quoted=False):
                found.update(words)
            case Apply(name, _):
                found.add(name)
            case Folded(_, variable, _, _):
                found.add(variable)
            case Quantified(_, variables, _, _):
                found.update(variables)
            case _:
                pass
    return frozenset(found)


def named(node: Expr | Statement) -> frozenset[str]:
    """Every name that stands in *node*, those that it assigns or declares included."""
    found: set[str] = set()
    for expr in expressions(node):
        found |= mentioned(expr)
    match node:
        case StepByOne(name) | ProcedureCall(name):
            found.add(name)
        case Declaration(names):
            found.update(names)
        case Rule(_, conclusion):
            for inner in conclusion:
                found |= named(inner)
        case _:
            pass
    return frozenset(found)


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
            case tree.WordRun(words=words, quoted=False):
                yield from words
            case _:
                pass


def is_free(name: str, expr: Expr) -> bool:
    """Whether *name* stands in *expr* unbound, also as the index of a family."""
    match expr:
        case Name(text):
            return text == name or text.endswith(f"_{name}")
        case Quantified(_, variables, domain, body):
            is_bound = name in variables
            return _any_free(name, _optional(domain)) or (not is_bound and is_free(name, body))
        case Folded(_, variable, domain, body):
            is_bound = name == variable
            return _any_free(name, _optional(domain)) or (not is_bound and is_free(name, body))
        case SetBuilder(result, domain, condition):
            is_bound = domain is not None and name in mentioned(result)
            rest = (result, condition)
            return _any_free(name, _optional(domain)) or (not is_bound and _any_free(name, rest))
        case _:
            return _any_free(name, parts(expr))


def _any_free(name: str, exprs: tuple[Expr, ...]) -> bool:
    return any(is_free(name, expr) for expr in exprs)


def conjuncts(expr: Expr) -> tuple[Expr, ...]:
    """The operands of a conjunction; anything else is its own only one."""
    return expr.operands if isinstance(expr, And) else (expr,)


def disjuncts(expr: Expr) -> tuple[Expr, ...]:
    """The operands of a disjunction; anything else is its own only one."""
    return expr.operands if isinstance(expr, Or) else (expr,)


def membership(expr: Expr) -> tuple[Expr, Expr] | None:
    """``x`` and ``A`` of ``x ∈ A``; ``x`` and ``𝒫(A)`` of ``x ⊆ A``."""
    match expr:
        case Compare(item, ((CompareOp.IN, domain),)):
            return item, domain
        case Compare(item, ((CompareOp.SUBSET, domain),)):
            return item, PowerSet(domain, span=domain.span)
        case _:
            return None


def first_name(expr: Expr) -> str:
    """The first name in *expr*, empty if there is none."""
    waiting: list[Expr] = [expr]
    while waiting:
        at = waiting.pop()
        if isinstance(at, Name):
            return at.text
        waiting.extend(reversed(parts(at)))
    return ""


def expressions(node: Expr | Statement) -> tuple[Expr, ...]:
    """The expressions that stand in *node* as wholes; an expression is its own only one."""
    match node:
        case Assign(target, value):
            return (target, value)
        case ProcedureCall(_, arguments):
            return arguments
        case Declaration(_, _, domain):
            return (domain,)
        case Rule(guard, conclusion):
            return (guard, *(expr for inner in conclusion for expr in expressions(inner)))
        case StepByOne() | Prose() | Unparsed():
            return ()
        case _:
            return (node,)


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
            case tree.StepByOne(name=name):
                yield Assignment(name, None, guards)
            case tree.Rule(guard=guard, conclusion=conclusion):
                yield from assignments(conclusion, guards=(*guards, guard))
            case tree.ProcedureCall() | tree.Declaration() | tree.Prose() | tree.Unparsed():
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
            case tree.ProcedureCall(arguments=arguments):
                yield from arguments
            case tree.Declaration(domain=domain):
                yield domain
            case tree.StepByOne() | tree.Prose() | tree.Unparsed():
                pass
            case _:
                assert_never(statement)
