"""Formulas: comparisons, connectives, quantifiers."""

from __future__ import annotations

import pytest

from tests.support.formulas import A, B, S, W, a, b, c, complaint, d, expression, x, y
from zermelo.languages.sections.read.grammar.tree import (
    And,
    Apply,
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    EmptySet,
    Expr,
    Iff,
    Implies,
    Name,
    Negate,
    Not,
    Number,
    Or,
    PowerSet,
    Quantified,
    Quantifier,
)


def compare(left: Expr, sign: str, right: Expr) -> Compare:
    return Compare(left, ((CompareOp(sign), right),))


def some(variable: str, domain: Expr | None, body: Expr) -> Quantified:
    return Quantified(Quantifier.SOME, (variable,), domain, body)


def every(variable: str, domain: Expr | None, body: Expr) -> Quantified:
    return Quantified(Quantifier.ALL, (variable,), domain, body)


def test_and_binds_tighter_than_or_which_binds_tighter_than_the_arrows() -> None:
    assert expression("a ∨ b ∧ c → d ↔ a") == Iff(Implies(Or((a, And((b, c)))), d), a)


def test_a_negation_reaches_over_a_comparison_and_no_further() -> None:
    assert expression("¬x ∈ S ∧ a") == And((Not(compare(x, "∈", S)), a))


def test_a_negation_may_stand_behind_a_comparison() -> None:
    assert expression("a = ¬b ∧ c") == And((compare(a, "=", Not(b)), c))


def test_arrows_group_from_the_right() -> None:
    assert expression("a → b → c") == Implies(a, Implies(b, c))


def test_a_chain_of_comparisons_is_one_comparison() -> None:
    assert expression("-4 < x < 4") == Compare(
        Negate(Number(4)), ((CompareOp.LT, x), (CompareOp.LT, Number(4)))
    )


def test_conjunctions_in_brackets_become_part_of_the_one_around_them() -> None:
    assert expression("(a ∧ b) ∧ (c ∧ d)") == And((a, b, c, d))


@pytest.mark.parametrize(
    "typed",
    [
        "not a and b or c in S",
        r"~a /\ b \/ c ∈ S",
        "!a && b ∨ c in S",
        r"\lnot a \wedge b \vee c \in S",
        "NOT a AND b OR c ∈ S",
    ],
)
def test_the_connectives_may_be_typed_in_every_notation(typed: str) -> None:
    assert expression(typed) == Or((And((Not(a), b)), compare(c, "∈", S)))


def test_words_are_connectives_only_where_no_such_name_is_declared() -> None:
    assert expression("in in in", "in") != expression("in in in")
    assert expression("in in in") == compare(Name("in"), "∈", Name("in"))


def test_not_in_may_be_two_words() -> None:
    assert expression("x not in S") == compare(x, "∉", S)


def test_rare_relations_are_read_as_what_they_mean() -> None:
    assert expression("S ∋ x") == compare(x, "∈", S)
    assert expression("A ⊃ B") == compare(B, "⊂", A)
    assert expression("A ⊄ B") == Not(compare(A, "⊂", B))
    assert expression("a ≡ b") == Iff(a, b)


def test_a_congruence_compares_remainders() -> None:
    two = Number(2)

    assert expression("x ≡ y (mod 2)") == compare(
        Binary(BinaryOp.MOD, x, two), "=", Binary(BinaryOp.MOD, y, two)
    )
    assert expression(r"x \equiv y \pmod{2}") == expression("x ≡ y (mod 2)")


@pytest.mark.parametrize(
    "typed",
    [
        "∃x ∈ S: x = a",
        "∃x ∈ S, x = a",
        "∃x ∈ S (x = a)",
        "∃x ∈ S such that x = a",
        r"\exists x \in S : x = a",
        "exists x in S: x = a",
        "∃x ∈ S. x = a",
    ],
)
def test_a_quantifier_with_a_domain_may_be_written_in_many_ways(typed: str) -> None:
    assert expression(typed) == some("x", S, compare(x, "=", a))


def test_a_bracket_is_exactly_the_body() -> None:
    assert expression("∃x (x ∈ S ∧ a) ∧ b") == And(
        (some("x", None, And((compare(x, "∈", S), a))), b)
    )
    assert expression("∀x, (x ∈ S) ∨ b") == Or((every("x", None, compare(x, "∈", S)), b))
    assert expression("∃x ∈ S (a) ∧ b") == And((some("x", S, a), b))


def test_a_bracket_that_only_begins_the_body_is_no_body() -> None:
    assert expression("∃x ∈ S, (x + 1) ∈ S") == some(
        "x", S, compare(Binary(BinaryOp.PLUS, x, Number(1)), "∈", S)
    )


def test_behind_a_colon_the_body_reaches_as_far_as_it_can() -> None:
    assert expression("∀x ∈ S: a ∧ b → c") == every("x", S, Implies(And((a, b)), c))
    assert expression("(∃x ∈ S: a) ∧ b") == And((some("x", S, a), b))


def test_the_domain_of_a_quantifier_may_be_an_application() -> None:
    assert expression("∃x ∈ f(S): a") == some("x", Apply("f", (S,)), a)
    assert expression("∃x ∈ f(S) (a)") == some("x", Apply("f", (S,)), a)
    assert expression("∃x ∈ f(S) ∪ A: a") == some(
        "x", Binary(BinaryOp.UNION, Apply("f", (S,)), A), a
    )


def test_several_names_may_share_a_domain_or_have_one_each() -> None:
    both = Quantified(Quantifier.ALL, ("x", "y"), A, compare(x, "<", y))

    assert expression("∀x, y ∈ A: x < y") == both
    assert expression("∀x ∈ A, y ∈ B: x < y") == every("x", A, every("y", B, compare(x, "<", y)))
    assert expression("∃x, y (a)") == Quantified(Quantifier.SOME, ("x", "y"), None, a)


def test_quantifiers_may_follow_each_other() -> None:
    assert expression("∀x ∈ A ∃y ∈ B: x < y") == every("x", A, some("y", B, compare(x, "<", y)))
    assert expression("∃x ¬(x ∈ S)") == some("x", None, Not(compare(x, "∈", S)))


def test_a_quantifier_over_subsets_ranges_over_the_power_set() -> None:
    assert expression("∃x ⊆ S: x = ∅") == some("x", PowerSet(S), compare(x, "=", EmptySet()))


def test_there_is_none_is_the_negation_of_there_is_one() -> None:
    assert expression("∄x ∈ S: a") == Not(some("x", S, a))


def test_a_quantifier_may_say_its_domain_in_its_body() -> None:
    assert expression("∃w (w ∈ W ∧ a)") == some("w", None, And((compare(Name("w"), "∈", W), a)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("∃x ∈ S", "`∃x ∈ S` says nothing about what it binds"),
        ("∃ ∈ S: a", "`∃` binds no name"),
        ("a ∧ ∧ b", "`∧` stands where a name or a value was looked for"),
        ("a + ¬b", "`¬` stands where a name or a value was looked for"),
    ],
)
def test_what_is_missing_is_said_in_words(text: str, message: str) -> None:
    assert complaint(text).message == message


def test_a_negation_inside_a_term_is_told_to_stand_in_brackets() -> None:
    assert complaint("a + ¬b").help == "put what it begins in brackets"


def test_an_equals_sign_behind_a_quantifier_is_told_to_be_a_membership() -> None:
    said = complaint("∃x = S: a")

    assert said.help == "write `∈` instead of `=` if a set is meant that the name ranges over"
