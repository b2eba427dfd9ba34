"""Terms and formulas: sets, numbers, sums, applications; comparisons, connectives, quantifiers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.support.formulas import (
    A,
    B,
    P,
    S,
    W,
    a,
    b,
    c,
    complaint,
    d,
    declared,
    expression,
    marked,
    n,
    read,
    x,
    y,
)
from zermelo.languages.sections.read.grammar import parser, tree
from zermelo.languages.sections.read.grammar.tree import (
    Aggregate,
    And,
    Apply,
    BarsAround,
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
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
    NumberSetKind,
    Or,
    PowerSet,
    Product,
    Quantified,
    Quantifier,
    Range,
    SetBuilder,
    SetOf,
    TruthLiteral,
    TupleOf,
    WordRun,
)
from zermelo.text import codes
from zermelo.text.diagnostic import Fix

ONE, TWO, THREE = NumberLiteral(1), NumberLiteral(2), NumberLiteral(3)


def binary(sign: str, left: Expr, right: Expr) -> Binary:
    return Binary(BinaryOp(sign), left, right)


def compare(left: Expr, sign: str, right: Expr) -> Compare:
    return Compare(left, ((CompareOp(sign), right),))


def test_products_bind_tighter_than_unions_and_both_group_from_the_left() -> None:
    assert expression("A ∪ B × A − B") == binary("−", binary("∪", A, Product((B, A))), B)
    assert expression("a / b · c mod 2") == binary("mod", binary("·", binary("/", a, b), c), TWO)


def test_a_minus_before_an_operand_binds_looser_than_a_power() -> None:
    assert expression("-a^2 + b") == binary("+", Negate(binary("^", a, TWO)), b)


def test_powers_group_from_the_right() -> None:
    assert expression("a^b^c") == binary("^", a, binary("^", b, c))


@pytest.mark.parametrize("typed", ["R x C", "R X C", "R × C", r"R \times C", "R cross C"])
def test_the_letter_x_between_two_sets_is_a_product(typed: str) -> None:
    assert expression(typed) == Product((Name("R"), Name("C")))


def test_the_letter_x_is_a_name_where_one_is_declared() -> None:
    assert expression("R x C", "x") == WordRun(("R", "x", "C"))
    assert expression("{1} x {2}", "x") == Product((SetOf((ONE,)), SetOf((TWO,))))


def test_words_for_set_operators_stand_between_operands_only() -> None:
    assert expression("A U B") == binary("∪", A, B)
    assert expression("U union U") == binary("∪", Name("U"), Name("U"))
    assert expression("{U, x}") == SetOf((Name("U"), x))
    assert expression("A inter B setminus A") == binary("∖", binary("∩", A, B), A)


def test_a_run_of_words_is_one_value() -> None:
    assert expression("{Beta Wins, Alpha Wins}") == SetOf(
        (WordRun(("Beta", "Wins")), WordRun(("Alpha", "Wins")))
    )
    assert expression("{Player 1 wins, 2 points}") == SetOf(
        (WordRun(("Player", "1", "wins")), WordRun(("2", "points")))
    )


def test_a_text_in_quotation_marks_is_a_value_also_when_it_is_one_word() -> None:
    assert expression('{“R wins”, "draw"}') == SetOf(
        (WordRun(("R", "wins"), quoted=True), WordRun(("draw",), quoted=True))
    )


def test_a_number_directly_before_a_name_or_bracket_multiplies() -> None:
    assert expression("2n + 3(a − b)") == binary(
        "+", binary("·", TWO, n), binary("·", THREE, binary("−", a, b))
    )


def test_decimals_are_exact() -> None:
    assert expression("0.1") == NumberLiteral(Fraction(1, 10))
    assert expression("2.0") == TWO


@pytest.mark.parametrize("typed", ["∅", "{}", "{ }", r"\emptyset", r"\varnothing", "Ø", "emptyset"])
def test_the_empty_set_may_be_written_in_many_ways(typed: str) -> None:
    assert expression(typed) == EmptySet()


def test_truth_values_and_number_sets_are_known_by_their_names() -> None:
    assert expression("{true, FALSE}") == SetOf(
        (TruthLiteral(value=True), TruthLiteral(value=False))
    )
    assert expression("N ∪ Z") == binary(
        "∪", NumberSet(NumberSetKind.NATURAL), NumberSet(NumberSetKind.INTEGER)
    )


def test_a_declared_name_is_no_number_set() -> None:
    assert expression("N", "N") == Name("N")


@pytest.mark.parametrize("typed", ["{x ∈ Z+ | x ≤ 7}", "{x ∈ ℤ+ | x <= 7}", r"{x ∈ Z⁺ \mid x ≤ 7}"])
def test_a_plus_behind_the_integers_may_have_lost_its_height(typed: str) -> None:
    positive = NumberSet(NumberSetKind.POSITIVE)

    assert expression(typed) == SetBuilder(x, positive, compare(x, "≤", NumberLiteral(7)))


def test_ranges_stand_in_sets() -> None:
    assert expression("{0..36}") == SetOf((Range(NumberLiteral(0), NumberLiteral(36)),))
    assert expression("{1, 2, …, 9}") == SetOf((ONE, Range(TWO, NumberLiteral(9))))
    assert expression(r"\{1, \ldots, n\}") == SetOf((Range(ONE, n),))


def test_a_tuple_is_a_list_in_brackets() -> None:
    assert expression("{(1,1), (2,2)}") == SetOf((TupleOf((ONE, ONE)), TupleOf((TWO, TWO))))


def test_square_brackets_group_too() -> None:
    assert expression("[a ∪ b] ∩ c") == binary("∩", binary("∪", a, b), c)


@pytest.mark.parametrize("separator", ["|", ":", r"\mid", "such that", "where", "s.t."])
def test_a_builder_has_a_domain_and_a_condition(separator: str) -> None:
    condition = compare(x, ">", ONE)

    assert expression(f"{{x ∈ S {separator} x > 1}}") == SetBuilder(x, S, condition)


def test_a_builder_without_a_domain_collects_what_stands_before_its_bar() -> None:
    assert expression("{x + 1 | x ∈ S}") == SetBuilder(
        binary("+", x, ONE), None, compare(x, "∈", S)
    )


def test_a_builder_may_have_a_tuple_before_its_domain() -> None:
    assert expression("{(x, y) ∈ P | x mod 2 = y mod 2}") == SetBuilder(
        TupleOf((x, y)), P, compare(binary("mod", x, TWO), "=", binary("mod", y, TWO))
    )


def test_a_builder_over_subsets_ranges_over_the_power_set() -> None:
    assert expression("{x ⊆ S | a}") == SetBuilder(x, PowerSet(S), a)


def test_commas_in_the_condition_of_a_builder_mean_and() -> None:
    assert expression("{x | x ∈ S, x > 1}") == SetBuilder(
        x, None, tree.And((compare(x, "∈", S), compare(x, ">", ONE)))
    )


def test_a_membership_in_brackets_before_the_bar_is_collected_itself() -> None:
    assert expression("{(x ∈ S) | a}") == SetBuilder(compare(x, "∈", S), None, a)


def test_bars_open_where_an_operand_begins_and_close_behind_one() -> None:
    assert expression("{x ∈ 𝒫(S) | |x| = 3} − {S}") == binary(
        "−",
        SetBuilder(x, PowerSet(S), compare(BarsAround(x), "=", THREE)),
        SetOf((S,)),
    )
    assert expression("{|x| | x ∈ S}") == SetBuilder(BarsAround(x), None, compare(x, "∈", S))
    assert expression("||a| − 1|") == BarsAround(binary("−", BarsAround(a), ONE))
    assert expression("|{x ∈ S | a}|") == BarsAround(SetBuilder(x, S, a))


@pytest.mark.parametrize(
    "typed", ["⌊(a − 1)/3⌋", r"\lfloor (a - 1)/3 \rfloor", "floor((a - 1)/3)", r"⌊\frac{a-1}{3}⌋"]
)
def test_a_quotient_may_be_rounded_down(typed: str) -> None:
    assert expression(typed) == Floor(binary("/", binary("−", a, ONE), THREE))


def test_a_name_with_a_bracket_is_an_application() -> None:
    assert expression("lines(a, P)") == Apply("lines", (a, P))
    assert expression("f()") == Apply("f", ())


def test_a_set_before_a_bracket_is_left_for_meaning_to_decide() -> None:
    assert expression("P (A ∪ B)", "P", "A", "B") == Apply("P", (binary("∪", A, B),))
    assert expression("P(P)") == Apply("P", (P,))
    assert expression("𝒫(P)") == PowerSet(P)


def test_two_sets_side_by_side_are_left_for_meaning_to_decide() -> None:
    assert expression("|A B|", "A", "B") == BarsAround(WordRun(("A", "B")))


@pytest.mark.parametrize(
    "typed",
    [
        "∑_{a∈A} a",
        r"\sum_{a \in A} a",
        "∑a∈A a",
        "sum_{a in A} a",
        "Σ_{a ∈ A} a",
        "∑_a∈A a",
        "∑a∈A",
    ],
)
def test_a_sum_has_a_name_that_runs_over_a_set(typed: str) -> None:
    assert expression(f"{typed} < 3") == compare(Folded(Aggregate.SUM, "a", A, a), "<", THREE)


def test_a_sum_reaches_over_products_and_no_further() -> None:
    assert expression("∑_{a∈A} 2 · a + b") == binary(
        "+", Folded(Aggregate.SUM, "a", A, binary("·", TWO, a)), b
    )


def test_a_sum_without_its_limit_is_kept_without_a_set() -> None:
    assert expression("∑a < 15") == compare(
        Folded(Aggregate.SUM, "a", None, a), "<", NumberLiteral(15)
    )


def test_a_sum_may_run_from_one_number_to_another() -> None:
    assert expression(r"\prod_{i=1}^{n} i") == Folded(
        Aggregate.PRODUCT, "i", SetOf((Range(ONE, n),)), Name("i")
    )


@pytest.mark.parametrize("typed", ["A 6= B", "A ƒ= B", "A f = B", "A /= B", "A / = B"])
def test_a_damaged_sign_is_read_as_what_it_was(typed: str) -> None:
    parsed = read(parser.expression, typed, declared("A", "B"))

    assert parsed.value == compare(A, "≠", B)


def test_a_damaged_sign_is_said_with_the_sign_to_write() -> None:
    text = "a 6∈ S ∧ b f ∈ S"

    parsed = read(parser.expression, text, declared("a", "b", "S"))

    assert [said.code for said in parsed.diagnostics] == [codes.DAMAGED_SIGN] * 2
    assert [marked(text, said) for said in parsed.diagnostics] == ["6∈", "f ∈"]
    assert [said.fix and said.fix.replacement for said in parsed.diagnostics] == ["∉", "∉"]


def test_a_declared_f_is_no_damage() -> None:
    assert expression("f = 3", "f") == compare(Name("f"), "=", THREE)
    assert expression("A f = B", "f") == compare(WordRun(("A", "f")), "=", B)


def test_a_declared_name_that_was_split_is_put_together_and_said() -> None:
    text = "a ∈ F ree"

    parsed = read(parser.expression, text, declared("Free"))

    assert parsed.value == compare(a, "∈", Name("Free"))
    (said,) = parsed.diagnostics
    assert said.code is codes.SPLIT_WORD
    assert said.primary is not None
    assert said.fix == Fix(said.primary.span, "Free")


def test_two_declared_names_side_by_side_are_not_put_together() -> None:
    assert expression("F ree", "Free", "F", "ree") == WordRun(("F", "ree"))


def test_a_list_whose_steps_are_not_one_is_not_guessed() -> None:
    assert complaint("{1, 2, 4, …, 16}").code is codes.LIST_WITH_STEPS


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("{0, 1, 2, …}", "ℕ"), ("{1, 2, ...}", "ℤ⁺"), ("{3, 4, …}", "{x ∈ ℕ | x ≥ 3}")],
)
def test_dots_without_an_end_go_on_for_ever(typed: str, meant: str) -> None:
    assert expression(typed) == expression(meant)


@pytest.mark.parametrize("typed", ["{1, …}", "{2, 4, …}", "{a, b, …}"])
def test_where_dots_lead_is_not_guessed(typed: str) -> None:
    assert complaint(typed).message == "the dots lead nowhere: the last member is missing"


def test_a_sum_may_run_over_tuples() -> None:
    pair = expression("∑_{(x, y) ∈ A} x")

    assert pair == Folded(Aggregate.SUM, "x", A, Name("x"), ("y",))


def test_names_with_commas_before_a_set_in_a_builder_are_all_in_it() -> None:
    assert expression("{(x, y) | x, y ∈ A, x < y}") == expression(
        "{(x, y) | x ∈ A ∧ y ∈ A ∧ x < y}"
    )


def test_a_number_too_long_to_be_meant_is_said() -> None:
    assert complaint("9" * 401).code is codes.NUMBER_TOO_LONG


def test_a_bracket_that_is_not_closed_is_pointed_at() -> None:
    text = "a ∪ (b ∩ c"

    said = complaint(text)

    assert said.code is codes.BRACKET_NOT_CLOSED
    assert said.primary is not None
    assert said.primary.span.start == text.index("(")


def test_a_bracket_closed_by_another_points_at_both() -> None:
    said = complaint("{a, (b}")

    assert said.message == "`(` is closed by `}`"
    assert [label.text for label in said.secondary] == ["opened here"]


def test_a_bar_that_is_not_closed_is_pointed_at() -> None:
    said = complaint("3 = |a")

    assert said.code is codes.BAR_NOT_CLOSED
    assert said.primary is not None
    assert said.primary.span.start == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a ∪", "`∪` has nothing behind it"),
        ("∪ a", "`∪` has nothing before it"),
        ("a ∪ ∩ b", "`∩` stands where a name or a value was looked for"),
        ("()", "`(` has nothing between it and its partner"),
        ("{1, }", "`,` has nothing behind it"),
        ("", "there is no formula here"),
    ],
)
def test_what_is_missing_is_said_in_words(text: str, message: str) -> None:
    assert complaint(text).message == message


def test_only_factors_without_brackets_go_on_with_a_product() -> None:
    assert expression("A × B × A") == Product((A, B, A))
    assert expression("(A × B) × A") == Product((Product((A, B)), A))
    assert expression("A × (B × A)") == Product((A, Product((B, A))))
    assert expression("A × B ∩ A × B") == Product((binary("∩", Product((A, B)), A), B))


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
        Negate(NumberLiteral(4)), ((CompareOp.LT, x), (CompareOp.LT, NumberLiteral(4)))
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
    two = NumberLiteral(2)

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
        "x", S, compare(Binary(BinaryOp.PLUS, x, NumberLiteral(1)), "∈", S)
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


def test_tuples_of_names_may_have_a_domain_each() -> None:
    pairs = Quantified(Quantifier.SOME, ("c", "b"), B, a, is_tuple=True)

    assert expression("∃(x, y) ∈ A, (c, b) ∈ B: a") == Quantified(
        Quantifier.SOME, ("x", "y"), A, pairs, is_tuple=True
    )
    assert expression("∃x ∈ A, (c, b) ∈ B: a") == some("x", A, pairs)


def test_a_tuple_with_a_name_that_is_bound_is_the_body() -> None:
    assert expression("∃x ∈ A, (x, y) ∈ S") == some("x", A, compare(TupleOf((x, y)), "∈", S))


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
def test_what_is_missing_in_a_formula_is_said_in_words(text: str, message: str) -> None:
    assert complaint(text).message == message


def test_a_negation_inside_a_term_is_told_to_stand_in_brackets() -> None:
    assert complaint("a + ¬b").help == "put what it begins in brackets"


def test_an_equals_sign_behind_a_quantifier_is_told_to_be_a_membership() -> None:
    said = complaint("∃x = S: a")

    assert said.help == "write `∈` instead of `=` if a set is meant that the name ranges over"
