"""Tiny systems, made by hand, and short words for making more.

Three of them are whole games: ``countdown`` (take one or two from a heap),
``squares`` (take cells of a 2×2 board in turn; a column wins) and ``flags``
(a flag passed from rule to rule moves a token along a line).
"""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.core.signature import Stuck
from zermelo.core.values import UNKNOWN, Atom, Value, truth
from zermelo.languages.sections.ir import (
    And,
    Assign,
    Binary,
    Binder,
    Card,
    Comprehension,
    Declare,
    Expr,
    Function,
    Invariant,
    Let,
    Literal,
    Local,
    NoEffect,
    Not,
    NumberSet,
    NumberSetKind,
    Op,
    Or,
    Order,
    Outside,
    Parameter,
    PlayerRule,
    PowerSet,
    Procedure,
    ProcedureRole,
    Product,
    Quantified,
    QuantifierKind,
    Range,
    Ref,
    Rule,
    SetDefinition,
    SetOf,
    Statement,
    System,
    TupleOf,
    Variable,
    VariableRole,
)

NATURAL = NumberSet(NumberSetKind.NATURAL)
INTEGER = NumberSet(NumberSetKind.INTEGER)
POSITIVE = NumberSet(NumberSetKind.POSITIVE)
TRUE = Literal(truth(holds=True))
FALSE = Literal(truth(holds=False))
TRUTHS = SetOf((TRUE, FALSE))
EMPTY = SetOf(())


def lit(value: Value) -> Literal:
    return Literal(value)


def word(name: str) -> Literal:
    return Literal(Atom(name))


def ref(name: str) -> Ref:
    return Ref(name)


def loc(name: str) -> Local:
    return Local(name)


def both(*operands: Expr) -> And:
    return And(operands)


def either(*operands: Expr) -> Or:
    return Or(operands)


def no(operand: Expr) -> Not:
    return Not(operand)


def eq(left: Expr, right: Expr) -> Binary:
    return Binary(Op.EQ, left, right)


def ne(left: Expr, right: Expr) -> Binary:
    return Binary(Op.NE, left, right)


def lt(left: Expr, right: Expr) -> Binary:
    return Binary(Op.LT, left, right)


def le(left: Expr, right: Expr) -> Binary:
    return Binary(Op.LE, left, right)


def ge(left: Expr, right: Expr) -> Binary:
    return Binary(Op.GE, left, right)


def gt(left: Expr, right: Expr) -> Binary:
    return Binary(Op.GT, left, right)


def member(left: Expr, right: Expr) -> Binary:
    return Binary(Op.IN, left, right)


def outside(left: Expr, right: Expr) -> Binary:
    return Binary(Op.NOT_IN, left, right)


def subset(left: Expr, right: Expr) -> Binary:
    return Binary(Op.SUBSET, left, right)


def plus(left: Expr, right: Expr) -> Binary:
    return Binary(Op.PLUS, left, right)


def minus(left: Expr, right: Expr) -> Binary:
    return Binary(Op.MINUS, left, right)


def union(left: Expr, right: Expr) -> Binary:
    return Binary(Op.UNION, left, right)


def meet(left: Expr, right: Expr) -> Binary:
    return Binary(Op.INTERSECTION, left, right)


def without(left: Expr, right: Expr) -> Binary:
    return Binary(Op.DIFFERENCE, left, right)


def implies(left: Expr, right: Expr) -> Binary:
    return Binary(Op.IMPLIES, left, right)


def braces(*items: Expr) -> SetOf:
    return SetOf(items)


def pair(*items: Expr) -> TupleOf:
    return TupleOf(items)


def numbers(low: int, high: int) -> Range:
    return Range(Literal(low), Literal(high))


def those(name: str, domain: Expr, condition: Expr) -> Comprehension:
    """``{name ∈ domain | condition}``."""
    return Comprehension(Local(name), (Binder((name,), is_tuple=False, domain=domain),), condition)


def some(name: str, domain: Expr, body: Expr) -> Quantified:
    return Quantified(QuantifierKind.SOME, Binder((name,), is_tuple=False, domain=domain), body)


def every(name: str, domain: Expr, body: Expr) -> Quantified:
    return Quantified(QuantifierKind.ALL, Binder((name,), is_tuple=False, domain=domain), body)


def let(name: str, value: Expr) -> Let:
    return Let((name,), is_tuple=False, value=value)


def let_pair(names: tuple[str, ...], value: Expr) -> Let:
    return Let(names, is_tuple=True, value=value)


def set_(variable: str, value: Expr) -> Assign:
    return Assign(variable, value)


def rule(label: str, guard: Expr, *conclusion: Statement) -> Rule:
    return Rule(guard, conclusion, label)


def named_set(name: str, value: Expr) -> SetDefinition:
    return SetDefinition(name, value)


def stored(name: str, domain: Expr | None, initial: Expr | None) -> Variable:
    return Variable(name, VariableRole.STORED, domain, UNKNOWN, initial=initial)


def flag(name: str, initial: Expr = FALSE, domain: Expr | None = TRUTHS) -> Variable:
    return Variable(name, VariableRole.FLAG, domain, UNKNOWN, initial=initial)


def defined(name: str, definition: Expr) -> Variable:
    return Variable(name, VariableRole.DEFINED, None, UNKNOWN, definition=definition)


def parameters(**domains: Expr) -> tuple[Parameter, ...]:
    return tuple(Parameter(name, domain) for name, domain in domains.items())


def move(
    name: str,
    given: tuple[Parameter, ...],
    *body: Statement,
    order: Order = Order.IN_ORDER,
    values_outside: Outside = Outside.SKIP,
) -> Procedure:
    return Procedure(name, ProcedureRole.MOVE, given, body, order, values_outside)


def helper(
    name: str,
    given: tuple[Parameter, ...],
    *body: Statement,
    order: Order = Order.IN_ORDER,
    values_outside: Outside = Outside.SKIP,
) -> Procedure:
    return Procedure(name, ProcedureRole.HELPER, given, body, order, values_outside)


def end(*body: Statement, order: Order = Order.IN_ORDER) -> Procedure:
    return Procedure("End", ProcedureRole.END, (), body, order)


def system(
    *parts: SetDefinition | Variable | Function | Procedure | Invariant | PlayerRule,
    over: Expr | None = None,
    result: str | None = None,
    draws: Iterable[Value] = (),
    no_effect: NoEffect = NoEffect.REFUSED,
    stuck: Stuck = Stuck.REPORTED,
) -> System:
    """The system with these parts, in any order."""
    return System(
        "test",
        tuple(p for p in parts if isinstance(p, SetDefinition)),
        tuple(p for p in parts if isinstance(p, Variable)),
        tuple(p for p in parts if isinstance(p, Function)),
        tuple(p for p in parts if isinstance(p, Procedure)),
        tuple(p for p in parts if isinstance(p, Invariant)),
        over=over,
        result=result,
        draws=tuple(draws),
        players=tuple(p for p in parts if isinstance(p, PlayerRule)),
        no_effect=no_effect,
        stuck=stuck,
    )


def countdown(heap: int = 5) -> System:
    """Take one or two from a heap; whoever takes the last one wins."""
    return system(
        stored("heap", numbers(0, heap), lit(heap)),
        stored("turn", TRUTHS, TRUE),
        stored("result", braces(word("A wins"), word("B wins")), None),
        move(
            "Take",
            parameters(n=numbers(1, 2)),
            rule(
                "1",
                le(loc("n"), ref("heap")),
                set_("heap", minus(ref("heap"), loc("n"))),
                set_("turn", no(ref("turn"))),
            ),
        ),
        end(
            rule("1", both(eq(ref("heap"), lit(0)), ref("turn")), set_("result", word("B wins"))),
            rule(
                "2", both(eq(ref("heap"), lit(0)), no(ref("turn"))), set_("result", word("A wins"))
            ),
        ),
        PlayerRule("A", ref("turn"), wins=(Atom("A wins"),)),
        PlayerRule("B", no(ref("turn")), wins=(Atom("B wins"),)),
        over=eq(ref("heap"), lit(0)),
        result="result",
    )


def squares(order: Order = Order.FACTS_FROZEN) -> System:
    """Take cells of a 2×2 board in turn; a column wins, a full board is a draw.

    ``Free`` is a fact, and the third rule asks for it after the first two have
    changed it: in order, the turn never passes.
    """
    cell = loc("cell")
    columns = braces(
        braces(lit((1, 1)), lit((2, 1))),
        braces(lit((1, 2)), lit((2, 2))),
    )

    def has_column(cells: str) -> Expr:
        return gt(Card(meet(PowerSet(ref(cells)), ref("Columns"))), lit(0))

    def takes(cells: str) -> Assign:
        return set_(cells, union(ref(cells), braces(cell)))

    return system(
        named_set("P", Product((numbers(1, 2), numbers(1, 2)))),
        named_set("Columns", columns),
        stored("X", PowerSet(ref("P")), EMPTY),
        stored("O", PowerSet(ref("P")), EMPTY),
        stored("turn", TRUTHS, TRUE),
        stored("result", PowerSet(braces(word("ex"), word("oh"), word("draw"))), EMPTY),
        defined("Free", without(ref("P"), union(ref("X"), ref("O")))),
        defined("over", either(eq(ref("Free"), EMPTY), ne(ref("result"), EMPTY))),
        move(
            "Take",
            parameters(cell=ref("P")),
            rule("1", both(member(cell, ref("Free")), ref("turn")), takes("X")),
            rule("2", both(member(cell, ref("Free")), no(ref("turn"))), takes("O")),
            rule("3", member(cell, ref("Free")), set_("turn", no(ref("turn")))),
            order=order,
        ),
        end(
            rule("1", has_column("X"), set_("result", union(ref("result"), braces(word("ex"))))),
            rule("2", has_column("O"), set_("result", union(ref("result"), braces(word("oh"))))),
            rule(
                "3",
                both(ref("over"), eq(ref("result"), EMPTY)),
                set_("result", braces(word("draw"))),
            ),
        ),
        PlayerRule("ex", ref("turn"), wins=(Atom("ex"),)),
        PlayerRule("oh", no(ref("turn")), wins=(Atom("oh"),)),
        over=ref("over"),
        result="result",
        draws=(Atom("draw"),),
    )


def flags(order: Order = Order.IN_ORDER) -> System:
    """Move a token one step along a line: one rule tests the step, the next one makes it."""
    return system(
        stored("at", numbers(1, 4), lit(1)),
        flag("ok"),
        move(
            "Step",
            parameters(source=numbers(1, 4), target=numbers(1, 4)),
            rule(
                "1",
                both(eq(loc("source"), ref("at")), eq(loc("target"), plus(loc("source"), lit(1)))),
                set_("ok", no(ref("ok"))),
            ),
            rule("2", ref("ok"), set_("at", loc("target")), set_("ok", no(ref("ok")))),
            order=order,
        ),
        over=eq(ref("at"), lit(4)),
    )


def declare(domain: Expr, *names: str) -> Declare:
    return Declare(names, domain)
