"""Sets described in words."""

from __future__ import annotations

import pytest

from tests.support.formulas import declared, expression, read, understood
from zermelo.languages.sections.read.grammar import parser
from zermelo.languages.sections.read.grammar.tree import Expr, SetDefinition
from zermelo.text import codes


def described(words: str, *names: str) -> Expr:
    parsed = read(parser.set_definition, f"D : {words}", declared("D", *names))
    return understood(parsed).value


@pytest.mark.parametrize(
    ("words", "formula"),
    [
        ("set of positive integers", "ℤ⁺"),
        ("the set of all positive integers", "ℤ⁺"),
        ("Set of natural numbers", "ℕ"),
        ("natural numbers", "ℕ"),
        ("whole numbers", "ℕ"),
        ("non-negative integers", "ℕ"),
        ("the integers", "ℤ"),
        ("set of integers", "ℤ"),
        ("Numbers 1 to 9", "{1..9}"),
        ("numbers from 1 through 9", "{1..9}"),
        ("integers from -3 to 3", "{-3..3}"),
        ("the set of integers between 1 and 9", "{1..9}"),
        ("numbers 1-9", "{1..9}"),
        ("D is the set of positive integers x such that x is less than 4", "{x ∈ ℤ⁺ | x < 4}"),
        ("positive integers less than 4", "{x ∈ ℤ⁺ | x < 4}"),
        ("set of positive integers n where n is at most 4", "{n ∈ ℤ⁺ | n ≤ 4}"),
        ("set of integers that are at least 2 and no more than 5", "{x ∈ ℤ | x ≥ 2 ∧ x ≤ 5}"),
        ("natural numbers x such that x is between 1 and 9", "{x ∈ ℕ | x ≥ 1 ∧ x ≤ 9}"),
        ("natural numbers x such that x is greater than 2", "{x ∈ ℕ | x > 2}"),
        ("positive integers x such that x ≤ 7", "{x ∈ ℤ⁺ | x ≤ 7}"),
        ("even integers between 2 and 10", "{x ∈ {2..10} | x mod 2 = 0}"),
        ("set of odd positive integers less than 9", "{x ∈ ℤ⁺ | x mod 2 = 1 ∧ x < 9}"),
        ("set of integers x such that x is even", "{x ∈ ℤ | x mod 2 = 0}"),
        ("power set of A", "𝒫(A)"),
        ("the set of all subsets of A", "𝒫(A)"),
        ("truth values", "{true, false}"),
        ("the empty set", "∅"),
        (
            "a relation on A that is reflexive, symmetric, antisymmetric and transitive",
            "{(x, y) ∈ A × A | x = y}",
        ),
        ("the identity relation on A", "{(x, y) ∈ A × A | x = y}"),
    ],
)
def test_a_description_gives_the_same_tree_as_a_formula(words: str, formula: str) -> None:
    assert described(words, "A") == expression(formula)


@pytest.mark.parametrize(
    "words",
    [
        "a relation on A that is reflexive",
        "D is the best set of all",
        "the set of all subsets x of set A, where the cardinality of x is 3",
        "numbers",
        "set of pairs",
    ],
)
def test_a_description_of_another_form_is_left_out_and_said(words: str) -> None:
    parsed = read(parser.set_definition, f"D : {words}", declared("D", "A"))

    assert parsed.value is None
    assert [said.code for said in parsed.diagnostics] == [codes.SET_NOT_UNDERSTOOD]


def test_a_declared_name_is_no_description() -> None:
    parsed = read(parser.set_definition, "D : numbers ∪ A", declared("numbers", "A"))

    assert understood(parsed) == SetDefinition("D", expression("numbers ∪ A"))
