"""Trees become text again, in three notations."""

from __future__ import annotations

import pytest

from tests.support.formulas import expression, statement
from zermelo.languages.sections.read.grammar.printer import to_text
from zermelo.languages.sections.read.grammar.tree import Binary, BinaryOp, Prose, Unparsed
from zermelo.text.source import Notation


@pytest.mark.parametrize(
    "text",
    [
        "Free = P − (Alpha ∪ Beta)",
        "over ↔ moves = 36",
        "|𝒫(posns) ∩ wposns| > 0",
        "{x ∈ 𝒫(S) | |x| = 3} − {{(1, 1), (2, 2)}}",
        "{(x, y) ∈ P | x mod 2 = y mod 2}",
        "a ∨ b ∧ c → ¬d",
        "(a ∨ b) ∧ (c → d)",
        "¬x ∈ S ∧ turn = ¬turn",
        "−4 < x < 4",
        "a − (−b) + 2 · (−c)",
        "(−a)^2 + a^(−2)",
        "∃w (w ∈ W ∧ |w| = 3 ∧ ∑_{a ∈ w} a < 15)",
        "a ∧ ∃x ∈ S: b ∧ c",
        "(∃x ∈ S: b) ∧ c",
        "∀x ∈ S: (a → b)",
        "∃x, y ∈ A: x < y",
        "⌊(a − 1) / 3⌋ + ⌈b⌉",
        '{Beta Wins, Alpha Wins, "draw"}',
        "{0..36} ∪ {1.5, true} ∖ ∅",
        "ℕ ∪ ℤ ∪ ℤ⁺",
        "(∑_{a ∈ w} a) · 2 + ∑_{a ∈ w} a",
        "C_1 ∪ H_n × A'",
    ],
)
def test_the_canonical_text_of_a_formula_is_printed_as_it_was_typed(text: str) -> None:
    assert to_text(expression(text)) == text


@pytest.mark.parametrize("outer", BinaryOp)
@pytest.mark.parametrize("inner", BinaryOp)
def test_each_operator_keeps_its_place_beside_each_other(outer: BinaryOp, inner: BinaryOp) -> None:
    a, b, c = (expression(name) for name in "abc")
    at_left = Binary(outer, Binary(inner, a, b), c)
    at_right = Binary(outer, a, Binary(inner, b, c))

    assert expression(to_text(at_left)) == at_left
    assert expression(to_text(at_right)) == at_right


def test_brackets_that_say_nothing_are_left_out() -> None:
    assert to_text(expression("((a) ∧ ((b ∧ c))) ∨ ((d))")) == "a ∧ b ∧ c ∨ d"


def test_a_formula_may_be_printed_in_ascii() -> None:
    formula = expression("¬turn ∧ p ∉ A ∪ B × C → ∃x ∈ S: |x| ≠ ⌊a / 2⌋ ∨ x ⊆ ∅")

    assert to_text(formula, Notation.ASCII) == (
        r"~turn /\ p notin A union B \times C -> exists x in S: |x| != floor(a / 2) \/ x subset {}"
    )


def test_a_formula_may_be_printed_in_latex() -> None:
    formula = expression("¬turn ∧ p ∉ A_1 ∪ {Beta Wins} → ∑_{a ∈ w} a ≤ 10^3 ∧ 𝒫(S) = ℤ⁺")

    assert to_text(formula, Notation.LATEX) == (
        r"\neg \mathit{turn} \land p \notin A_{1} \cup \{\text{Beta Wins}\} \rightarrow "
        r"\sum_{a \in w} a \leq 10^{3} \land \mathcal{P}(S) = \mathbb{Z}^+"
    )


def test_a_word_that_is_a_name_is_never_printed_for_a_sign() -> None:
    product = expression("R × C")

    assert to_text(product, Notation.ASCII) == "R x C"
    assert to_text(product, Notation.ASCII, declared=frozenset({"x"})) == r"R \times C"
    assert to_text(expression("x × U ∪ X"), Notation.ASCII) == r"x \times U union X"
    assert to_text(expression("a % mod", "mod")) == "a % mod"


@pytest.mark.parametrize(
    "text",
    [
        "ok ∧ pos ∈ Free → Occ = Occ ∪ {pos} ∧ turn = ¬turn",
        "go → T = T ∪ {pos} ∧ Expand(pos) ∧ (a → b = 1)",
        "a → flag = (b ∧ c) ∧ same = (b = c)",
        "(a, b) = prev",
        "u, d ∈ M",
        "A, B ⊆ P",
        "pos++",
        "pos--",
        "Remove(pos, (1, 2))",
    ],
)
def test_the_canonical_text_of_a_statement_is_printed_as_it_was_typed(text: str) -> None:
    assert to_text(statement(text)) == text


def test_a_statement_may_be_printed_in_ascii_and_latex() -> None:
    rule = statement("ok → turn = ¬turn ∧ A = A ∪ {pos}")

    assert to_text(rule, Notation.ASCII) == r"ok -> turn = ~turn /\ A = A union {pos}"
    assert to_text(rule, Notation.LATEX) == (
        r"\mathit{ok} \rightarrow \mathit{turn} = \neg \mathit{turn} \land A = A \cup "
        r"\{\mathit{pos}\}"
    )


def test_prose_and_what_was_not_understood_are_printed_as_they_stand() -> None:
    assert to_text(Prose(("two", "lines"))) == "two\nlines"
    assert to_text(Unparsed("a ∪ ∪ b")) == "a ∪ ∪ b"
