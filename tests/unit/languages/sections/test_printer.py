"""Expressions and statements as text."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.support.systems import (
    EMPTY,
    NATURAL,
    POSITIVE,
    TRUE,
    both,
    braces,
    declare,
    either,
    eq,
    every,
    ge,
    implies,
    le,
    let_pair,
    lit,
    loc,
    lt,
    meet,
    member,
    minus,
    no,
    numbers,
    outside,
    pair,
    plus,
    ref,
    rule,
    set_,
    some,
    subset,
    those,
    union,
    without,
    word,
)
from zermelo.languages.sections.ir import (
    Abs,
    And,
    Apply,
    Binary,
    Binder,
    Call,
    Card,
    Ceiling,
    Comprehension,
    Expr,
    Floor,
    Fold,
    FoldKind,
    Negate,
    Op,
    Or,
    PowerSet,
    Product,
    Range,
    SetOf,
    Statement,
)
from zermelo.languages.sections.printer import statement_to_text, to_text

A, B, C = ref("A"), ref("B"), ref("C")
X, Y = loc("x"), loc("y")


def times(left: Expr, right: Expr) -> Expr:
    return Binary(Op.TIMES, left, right)


def over(left: Expr, right: Expr) -> Expr:
    return Binary(Op.DIVIDE, left, right)


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (no(ref("turn")), "¬turn"),
        (member(loc("prev"), ref("Alpha")), "prev ∈ Alpha"),
        (eq(Card(without(ref("Alpha"), ref("Y"))), lit(0)), "|Alpha − Y| = 0"),
        (lit(-3), "−3"),
        (word("Beta Wins"), "Beta Wins"),
        (EMPTY, "∅"),
        (SetOf((lit(0), Range(lit(2), lit(9)))), "{0, 2..9}"),
        (numbers(1, 9), "{1..9}"),
        (pair(lit(1), X), "(1, x)"),
        (Product((A, B)), "A × B"),
        (Product((Product((A, B)), C)), "(A × B) × C"),
        (PowerSet(PowerSet(A)), "𝒫(𝒫(A))"),
        (Abs(minus(X, Y)), "|x − y|"),
        (Floor(over(minus(X, lit(1)), lit(3))), "⌊(x − 1) / 3⌋"),
        (Ceiling(X), "⌈x⌉"),
        (Apply("lines", (A, B)), "lines(A, B)"),
        (Binary(Op.POWER, lit(10), lit(3)), "10^3"),
        (Binary(Op.MOD, X, lit(2)), "x mod 2"),
    ],
)
def test_each_construct_has_its_notation(expr: Expr, text: str) -> None:
    assert to_text(expr) == text


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (plus(X, times(Y, lit(2))), "x + y · 2"),
        (times(plus(X, Y), lit(2)), "(x + y) · 2"),
        (minus(minus(X, Y), lit(1)), "x − y − 1"),
        (minus(X, minus(Y, lit(1))), "x − (y − 1)"),
        (without(A, union(B, C)), "A − (B ∪ C)"),
        (union(without(A, B), C), "A − B ∪ C"),
        (meet(union(A, B), C), "(A ∪ B) ∩ C"),
        (union(meet(A, B), C), "A ∩ B ∪ C"),
        (Negate(plus(X, Y)), "−(x + y)"),
        (plus(X, Negate(Y)), "x + −y"),
        (times(lit(-2), X), "−2 · x"),
        (Binary(Op.POWER, lit(-2), lit(2)), "(−2)^2"),
        (plus(lit(Fraction(1, 2)), X), "1/2 + x"),
        (times(X, lit(Fraction(1, 2))), "x · (1/2)"),
        (both(ref("a"), either(ref("b"), ref("c"))), "a ∧ (b ∨ c)"),
        (either(ref("a"), both(ref("b"), ref("c"))), "a ∨ b ∧ c"),
        (no(both(ref("a"), ref("b"))), "¬(a ∧ b)"),
        (no(member(X, A)), "¬(x ∈ A)"),
        (no(no(ref("a"))), "¬¬a"),
        (implies(ref("a"), implies(ref("b"), ref("c"))), "a → b → c"),
        (implies(implies(ref("a"), ref("b")), ref("c")), "(a → b) → c"),
        (Binary(Op.IFF, ref("over"), eq(X, lit(36))), "over ↔ x = 36"),
        (eq(eq(X, Y), TRUE), "(x = y) = true"),
        (both(some("w", A, lt(loc("w"), X)), ref("a")), "(∃w ∈ A: w < x) ∧ a"),
        (And(()), "true"),
        (Or(()), "false"),
        (And((either(ref("a"), ref("b")),)), "a ∨ b"),
        (subset(X, Product((A, B))), "x ⊆ A × B"),
    ],
)
def test_brackets_stand_only_where_they_are_needed(expr: Expr, text: str) -> None:
    assert to_text(expr) == text


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (those("x", POSITIVE, le(X, lit(7))), "{x ∈ ℤ⁺ | x ≤ 7}"),
        (those("x", PowerSet(A), eq(Card(X), lit(3))), "{x ⊆ A | |x| = 3}"),
        (
            Comprehension(pair(X, Y), (Binder(("x", "y"), is_tuple=True, domain=A),), ge(X, Y)),
            "{(x, y) ∈ A | x ≥ y}",
        ),
        (
            Comprehension(
                plus(X, Y),
                (
                    Binder(("x",), is_tuple=False, domain=A),
                    Binder(("y",), is_tuple=False, domain=B),
                ),
                TRUE,
            ),
            "{x + y | x ∈ A ∧ y ∈ B}",
        ),
        (every("x", NATURAL, ge(X, lit(0))), "∀x ∈ ℕ: x ≥ 0"),
        (
            lt(Fold(FoldKind.SUM, Binder(("a",), is_tuple=False, domain=loc("w")), loc("a")), X),
            "∑_{a∈w} a < x",
        ),
    ],
)
def test_what_binds_names_shows_them_with_their_sets(expr: Expr, text: str) -> None:
    assert to_text(expr) == text


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (set_("moves", plus(ref("moves"), lit(1))), "moves = moves + 1"),
        (set_("over", both(ref("a"), ref("b"))), "over = (a ∧ b)"),
        (set_("turn", no(ref("turn"))), "turn = ¬turn"),
        (let_pair(("a", "b"), loc("prev")), "(a, b) = prev"),
        (declare(A, "u", "d"), "u, d ∈ A"),
        (declare(PowerSet(A), "u"), "u ⊆ A"),
        (Call("Remove", (X,)), "Remove(x)"),
        (
            rule("1", both(ref("ok"), outside(X, A)), set_("A", braces(X)), Call("Go", ())),
            "ok ∧ x ∉ A → A = {x} ∧ Go()",
        ),
        (
            rule("1", ref("ok"), rule("1.1", ref("b"), set_("c", lit(1)))),
            "ok → (b → c = 1)",
        ),
    ],
)
def test_statements_read_as_in_documents(statement: Statement, text: str) -> None:
    assert statement_to_text(statement) == text
