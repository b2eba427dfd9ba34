"""Formulas and rules as English sentences."""

import pytest

from zermelo.core.values import Atom, truth
from zermelo.languages.sections.explain.sentences import condition, rule_sentence, statement_clause
from zermelo.languages.sections.ir import (
    And,
    Assign,
    Binary,
    Binder,
    Call,
    Card,
    Expr,
    Fold,
    FoldKind,
    Literal,
    Local,
    Not,
    Op,
    Or,
    Quantified,
    QuantifierKind,
    Ref,
    Rule,
    SetOf,
    Statement,
)

A, B, X = Ref("A"), Ref("B"), Local("x")
ONE = Literal(1)
EVERY = Binder(("x",), is_tuple=False, domain=A)


def is_in(item: Expr, of: Expr) -> Binary:
    return Binary(Op.IN, item, of)


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (Ref("turn"), "turn is true"),
        (Not(Ref("turn")), "turn is false"),
        (is_in(X, A), "x is in A"),
        (Not(is_in(X, A)), "x is not in A"),
        (Binary(Op.EQ, Card(A), Literal(0)), "A is empty"),
        (Binary(Op.EQ, Card(A), Literal(3)), "A has 3 members"),
        (Binary(Op.GE, Card(A), ONE), "A has at least 1 member"),
        (Binary(Op.NE, A, SetOf(())), "A is not empty"),
        (Binary(Op.EQ, X, Binary(Op.PLUS, Local("y"), ONE)), "x equals y + 1"),
        (Binary(Op.EQ, Ref("result"), Literal(Atom("draw"))), "result is draw"),
        (Binary(Op.EQ, Ref("ok"), Literal(truth(holds=False))), "ok is false"),
        (And((Ref("ok"), is_in(X, A), is_in(X, B))), "ok is true, x is in A and x is in B"),
        (
            And((Ref("ok"), Or((is_in(X, A), is_in(X, B))))),
            "ok is true and (x is in A or x is in B)",
        ),
        (
            Or((And((Ref("ok"), is_in(X, A))), is_in(X, B))),
            "ok is true and x is in A; or x is in B",
        ),
        (
            Quantified(QuantifierKind.SOME, EVERY, is_in(X, B)),
            "there is x in A such that x is in B",
        ),
        (Quantified(QuantifierKind.ALL, EVERY, is_in(X, B)), "for every x in A, x is in B"),
        (
            Not(Quantified(QuantifierKind.SOME, EVERY, is_in(X, B))),
            "there is no x in A such that x is in B",
        ),
        (
            Binary(Op.LT, Fold(FoldKind.SUM, EVERY, X), Literal(15)),
            "the sum of A is less than 15",
        ),
        (
            Binary(Op.EQ, Fold(FoldKind.SUM, EVERY, Binary(Op.TIMES, X, X)), Literal(15)),
            "the sum of x · x for all x in A is 15",
        ),
        (Binary(Op.IFF, Ref("over"), is_in(X, A)), "over is true exactly when x is in A"),
        (Binary(Op.IMPLIES, Ref("over"), is_in(X, A)), "x is in A whenever over is true"),
    ],
)
def test_a_formula_is_a_clause(formula: Expr, words: str) -> None:
    assert condition(formula) == words


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (Assign("A", Binary(Op.UNION, A, SetOf((X,)))), "x is added to A"),
        (Assign("A", Binary(Op.UNION, B, SetOf((X,)))), "A becomes B ∪ {x}"),
        (Assign("A", Binary(Op.DIFFERENCE, A, SetOf((X,)))), "x is taken out of A"),
        (
            Assign("A", Binary(Op.UNION, Binary(Op.DIFFERENCE, A, SetOf((X,))), SetOf((ONE,)))),
            "x is replaced by 1 in A",
        ),
        (Assign("turn", Not(Ref("turn"))), "turn becomes its opposite"),
        (Assign("n", Binary(Op.PLUS, Ref("n"), ONE)), "n goes up by 1"),
        (Assign("n", Binary(Op.MINUS, Ref("n"), ONE)), "n goes down by 1"),
        (Assign("A", SetOf(())), "A becomes empty"),
        (Call("Expand", (X,)), "Expand is called with x"),
    ],
)
def test_a_statement_is_a_clause(statement: Statement, words: str) -> None:
    assert statement_clause(statement) == words


def test_a_rule_is_a_sentence() -> None:
    rule = Rule(is_in(X, A), (Assign("ok", Literal(truth(holds=True))), Call("Go", ())), "1")

    assert rule_sentence(rule) == "If x is in A, then ok becomes true and Go is called."


def test_a_rule_inside_a_rule_is_a_clause_of_its_sentence() -> None:
    inner = Rule(is_in(X, B), (Assign("n", ONE),), "1.1")
    rule = Rule(is_in(X, A), (Assign("ok", Literal(truth(holds=True))), inner), "1")

    assert rule_sentence(rule) == (
        "If x is in A, then ok becomes true; and if x is in B, n becomes 1."
    )


def test_a_rule_without_a_guard_has_no_if() -> None:
    assert rule_sentence(Rule(And(()), (Call("Go", ()),), "1")) == "Go is called."
