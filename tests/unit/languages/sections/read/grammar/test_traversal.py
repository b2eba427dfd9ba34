"""What every tree allows to be asked."""

from __future__ import annotations

from tests.support.formulas import expression, statement
from zermelo.languages.sections.read.grammar.traversal import (
    depth,
    expressions,
    first_name,
    is_free,
    mentioned,
    named,
    parts,
)
from zermelo.languages.sections.read.grammar.tree import Name, Negate


def test_the_parts_of_an_expression_stand_in_their_order() -> None:
    assert parts(expression("{x ∈ S | a}")) == (Name("x"), Name("S"), Name("a"))
    assert parts(expression("a < b < c")) == (Name("a"), Name("b"), Name("c"))


def test_the_depth_of_a_tree_is_found_without_recursion() -> None:
    deep = Name("a")
    assert depth(deep) == 1

    tower = Negate(deep)
    for _ in range(5000):
        tower = Negate(tower)

    assert depth(tower) == 5002


def test_names_that_are_mentioned_include_bound_ones_and_words() -> None:
    formula = expression("∃w (f(B wins, w) ∧ ∑_{a ∈ A} 1 > 2)")

    assert mentioned(formula) == {"w", "f", "B", "wins", "a", "A"}


def test_names_of_a_statement_include_what_it_assigns_and_calls() -> None:
    assert named(statement("ok → a = b ∧ c++ ∧ Go(d)")) == {"ok", "a", "b", "c", "d", "Go"}
    assert named(statement("u, v ∈ M")) == {"u", "v", "M"}


def test_a_bound_name_is_not_free() -> None:
    assert is_free("n", expression("{(x, y) | x = n}"))
    assert is_free("n", expression("H_n ∪ A"))
    assert not is_free("n", expression("{n ∈ A | n > 1}"))
    assert not is_free("n", expression("∃n ∈ A: n > 1"))
    assert not is_free("n", expression("∑_{n ∈ A} n"))
    assert is_free("n", expression("∑_{n ∈ n} 1"))


def test_the_expressions_of_a_statement_are_those_of_all_its_parts() -> None:
    found = expressions(statement("a → b = c ∧ (d → Go(x, y))"))

    assert [expr.text for expr in found if isinstance(expr, Name)] == ["a", "b", "c", "d", "x", "y"]


def test_the_first_name_is_the_one_that_stands_first() -> None:
    assert first_name(expression("(1 + b) · a")) == "b"
    assert first_name(expression("1 + 2")) == ""
