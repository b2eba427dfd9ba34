"""Types decide what symbols mean, and clashes are said in words."""

import pytest

from tests.support.elaboration import body, choice, errors, game, only, said, set_text, system
from zermelo.core.values import NUMBER, TRUTH, SetType, TupleType, truth
from zermelo.languages.sections import ir


def guard(text: str, **parts: str) -> str:
    """The guard *text* as it is understood."""
    described = system(game(rules=f"{text} → Mine = Mine ∪ {{pos}}", **parts))
    (rule,) = body(described, "Take")
    return rule.removesuffix(" → Mine = Mine ∪ {pos}")


def test_equality_of_truth_values_is_equivalence() -> None:
    described = system(game(variables="ok ∈ B", initial="ok = true", rules="ok = true → Mine = P"))

    procedure = described.procedure("Take")
    assert procedure is not None
    (rule,) = procedure.body
    assert isinstance(rule, ir.Rule)
    assert rule.guard == ir.Binary(ir.Op.IFF, ir.Ref("ok"), ir.Literal(truth(holds=True)))


def test_minus_is_a_difference_of_sets_and_of_numbers() -> None:
    described = system(game(rules="pos − 1 ∈ P − Mine → Mine = Mine ∪ {pos}"))

    procedure = described.procedure("Take")
    assert procedure is not None
    (rule,) = procedure.body
    assert isinstance(rule, ir.Rule)
    assert rule.guard == ir.Binary(
        ir.Op.IN,
        ir.Binary(ir.Op.MINUS, ir.Local("pos"), ir.Literal(1)),
        ir.Binary(ir.Op.DIFFERENCE, ir.Ref("P"), ir.Ref("Mine")),
    )


def test_bars_are_the_size_of_a_set_and_the_absolute_value_of_a_number() -> None:
    described = system(game(rules="|Mine| < |pos − 4| → Mine = Mine ∪ {pos}"))

    procedure = described.procedure("Take")
    assert procedure is not None
    (rule,) = procedure.body
    assert isinstance(rule, ir.Rule)
    assert isinstance(rule.guard, ir.Binary)
    assert isinstance(rule.guard.left, ir.Card)
    assert isinstance(rule.guard.right, ir.Abs)


def test_a_product_of_three_sets_has_triples_and_brackets_make_pairs() -> None:
    described = system(game(sets="X : P × P × P\nY : (P × P) × P"))

    types = {s.name: s.type for s in described.sets}

    assert types["X"] == SetType(TupleType((NUMBER, NUMBER, NUMBER)))
    assert types["Y"] == SetType(TupleType((TupleType((NUMBER, NUMBER)), NUMBER)))


def test_a_chain_of_comparisons_is_a_conjunction() -> None:
    assert guard("0 < pos < 3") == "0 < pos ∧ pos < 3"


def test_a_truth_value_may_equal_a_comparison() -> None:
    text = guard("ok = pos ∈ Free", variables="ok ∈ B", initial="ok = true")

    assert text == "(ok ↔ pos ∈ Free)"


def test_a_comparison_may_equal_a_truth_value() -> None:
    assert guard("pos ∈ Free = true") == "(pos ∈ Free ↔ true)"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("Mine < 3", "`<` needs a number, but `Mine` is a set of numbers"),
        ("|true| = 1", "`| |` needs a set, but `true` is a truth value"),
        ("(1, 2) + 1 > 0", "`+` needs a number, but `(1, 2)` is a pair of numbers"),
    ],
)
def test_kinds_that_do_not_go_together_are_said_in_words(written: str, message: str) -> None:
    assert errors(game(rules=f"{written} → Mine = ∅")) == [message]


def test_a_clash_names_the_places_of_both_sides() -> None:
    found = only(
        game(variables="ok ∈ B", initial="ok = true", rules="Mine = ok → Mine = ∅"), "Z415"
    )

    assert [label.text for label in found.secondary] == [
        "`Mine` is declared here",
        "`ok` is declared here",
    ]


def test_one_cause_is_said_once() -> None:
    text = game(rules="pos ∈ Free → Mine = (Mine + 1) ∪ {pos}")

    assert len(errors(text)) == 1


def test_braces_that_are_missing_are_added() -> None:
    text = game(rules="pos ∈ Free → Mine = Mine ∪ pos")

    assert body(system(text), "Take") == ["pos ∈ Free → Mine = Mine ∪ {pos}"]
    assert len(said(text, "Z407")) == 1


def test_a_member_cannot_be_a_subset_but_a_member() -> None:
    assert guard("pos ⊆ Free") == "pos ∈ Free"


def test_zero_and_one_are_truth_values_where_these_stand() -> None:
    text = game(variables="ok ∈ B", initial="ok = 0", rules="ok = 1 → Mine = ∅")

    assert len(said(text, "Z408")) == 2
    assert body(system(text), "Take") == ["(ok ↔ true) → Mine = ∅"]


def test_a_variable_with_the_values_zero_and_one_may_be_a_truth_value() -> None:
    text = game(variables="ok ∈ {0, 1}", initial="ok = 0", rules="¬ok → Mine = ∅ ∧ ok = ¬ok")

    described = system(text)

    ok = described.variable("ok")
    assert ok is not None
    assert ok.type == TRUTH
    assert not errors(text)


def test_a_variable_with_the_values_zero_and_one_may_be_a_number() -> None:
    text = game(variables="ok ∈ {0, 1}", initial="ok = 0", rules="ok = 0 → Mine = ∅ ∧ ok = 1 − ok")

    described = system(text)

    ok = described.variable("ok")
    assert ok is not None
    assert ok.type == NUMBER


def test_braces_in_a_line_of_latex_are_latex() -> None:
    text = game(rules="$pos \\in Free \\rightarrow Mine = Mine \\cup pos$")

    fix = only(text, "Z407").fix

    assert fix is not None
    assert fix.replacement == "\\{pos\\}"


@pytest.mark.parametrize(("written", "size"), [("P²", 2), ("P^2", 2), ("P^3", 3), ("{1, 2}^2", 2)])
def test_a_power_of_a_set_is_a_product(written: str, size: int) -> None:
    text = game(sets=f"G : {written}", variables="X ⊆ G", initial="X = ∅")

    described = system(text)

    x = described.variable("X")
    assert x is not None
    assert x.type == SetType(TupleType((NUMBER,) * size))
    assert not errors(text)


def test_a_power_of_a_number_stays_a_number() -> None:
    assert guard("pos^2 < 5") == "pos^2 < 5"


W = {"variables": "W ⊆ 𝒫(P)", "initial": "W = {{1}, {2}}"}


def quantified_guard(text: str, *, quantifier: str = "over the set", **parts: str) -> str:
    """The guard *text* as it is understood."""
    described = system(game(rules=f"{text} → Mine = P", **parts), {"quantifier": quantifier})
    (rule,) = body(described, "Take")
    return rule.removesuffix(" → Mine = P")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("∃w (w ∈ W ∧ |w| = 1)", "(∃w ∈ W: |w| = 1)"),
        ("∀w (w ∈ W → |w| = 1)", "(∀w ∈ W: |w| = 1)"),
        ("∃x (x ⊆ Mine ∧ |x| = 1)", "(∃x ⊆ Mine: |x| = 1)"),
        ("∃x (∃y (x ∈ P ∧ y ∈ Mine ∧ x < y))", "(∃x ∈ P: ∃y ∈ Mine: x ∈ P ∧ x < y)"),
        ("∃x, y ∈ P: x < y", "(∃x ∈ P: ∃y ∈ P: x < y)"),
        ("∃n (0 < n ∧ n < 9 ∧ n ∈ Mine)", "(∃n ∈ Mine: 0 < n ∧ n < 9)"),
        ("∃n (1 ≤ n ≤ 9 ∧ n + n = pos)", "(∃n ∈ {1..9}: 1 ≤ n ∧ n ≤ 9 ∧ n + n = pos)"),
        ("∃w (w ∈ W ∧ |w| = 1 ∨ w ∈ W ∧ |w| = 2)", "(∃w ∈ W: w ∈ W ∧ |w| = 1 ∨ w ∈ W ∧ |w| = 2)"),
    ],
)
def test_the_body_says_where_a_variable_comes_from(written: str, meant: str) -> None:
    assert quantified_guard(written, **W) == meant


def test_a_pair_in_a_quantifier_binds_two_names() -> None:
    text = quantified_guard("∃x, y ((x, y) ∈ G ∧ x < y)", sets="G : P × P")

    assert text == "(∃(x, y) ∈ G: x < y)"


def test_all_with_and_is_read_over_the_set_with_a_warning() -> None:
    text = game(**W, rules="∀w (w ∈ W ∧ |w| = 1) → Mine = P")

    assert body(system(text), "Take") == ["(∀w ∈ W: |w| = 1) → Mine = P"]
    assert choice(system(text), "quantifier") == "over the set"
    assert said(text, "Z410") == ["`∀w (w ∈ W ∧ …)` is false as written"]


def test_all_with_and_may_be_read_as_written() -> None:
    assert quantified_guard("∀w (w ∈ W ∧ |w| = 1)", quantifier="as written", **W) == "false"


def test_a_quantifier_without_a_set_says_what_to_write() -> None:
    found = only(game(rules="∃n (n + n = pos) → Mine = P"), "Z404")

    assert found.message == "nothing says which values `n` ranges over"
    assert found.help == "write `∃n ∈ S: …` with the set S that `n` is taken from"


def test_an_equation_gives_a_variable_its_value() -> None:
    assert quantified_guard("∃n (n = pos + 1 ∧ n ∈ Mine)") == "(∃n ∈ Mine: n = pos + 1)"
    assert quantified_guard("∃n (n = pos + 1 ∧ n > 2)") == "(∃n ∈ {pos + 1}: n > 2)"


def test_a_family_gives_its_index_set() -> None:
    text = quantified_guard("∃n (H_n ⊆ Mine)", sets="H_n : {x | n ∈ P ∧ x = n}")

    assert text == "(∃n ∈ P: H(n) ⊆ Mine)"


def test_a_family_that_names_no_index_set_takes_the_one_that_others_use() -> None:
    text = game(
        sets="H_n : {n, n + 1}", rules="(∃n (H_n ⊆ Mine)) ∨ (∃n ∈ P: H_n ⊆ Free) → Mine = P"
    )

    assert body(system(text), "Take")[0].startswith("(∃n ∈ P: H(n) ⊆ Mine)")
    assert len(said(text, "Z414")) == 1


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("{(x, y) | x ∈ P ∧ y ∈ P ∧ x < y}", "{(x, y) | x ∈ P ∧ y ∈ P ∧ x < y}"),
        ("{(x, y) ∈ P × P | x < y}", "{(x, y) ∈ P × P | x < y}"),
        ("{x + 1 | x ∈ P ∧ x > 1}", "{x + 1 | x ∈ P ∧ x > 1}"),
        ("{x | x ∈ P}", "{x ∈ P | true}"),
        ("{(x, y) | x ∈ P ∧ y = x + 1}", "{(x, y) | x ∈ P ∧ y ∈ {x + 1}}"),
        ("{{x, y} | x ∈ P ∧ y ∈ P}", "{{x, y} | x ∈ P ∧ y ∈ P}"),
        ("{x ∈ ℤ | −4 < x < 4}", "{x ∈ ℤ | −4 < x ∧ x < 4}"),
        ("{s ⊆ P | |s| = 2}", "{s ⊆ P | |s| = 2}"),
    ],
)
def test_builders_find_their_domains(written: str, meant: str) -> None:
    assert set_text(system(game(sets=f"X : {written}")), "X") == meant


def test_a_pattern_may_have_tuples_inside() -> None:
    text = game(sets="G : P × P\nX : {((x, y), z) ∈ G × P | x < z}")

    assert not errors(text)


def test_a_builder_whose_name_comes_from_nowhere_is_an_error_if_it_is_used() -> None:
    text = game(sets="X : {(x, y) | x ∈ P}", rules="(pos, pos) ∈ X → Mine = P")

    assert errors(text) == ["nothing says which values `y` ranges over"]


def test_a_set_that_is_wrong_and_not_used_is_a_warning() -> None:
    assert errors(game(sets="X : {(x, y) | x ∈ P}")) == []


def test_a_sum_that_has_lost_its_limit_takes_the_one_set_in_reach() -> None:
    text = game(**W, rules="∃w (w ∈ W ∧ ∑a < 3) → Mine = P")

    assert body(system(text), "Take") == ["(∃w ∈ W: ∑_{a∈w} a < 3) → Mine = P"]
    assert len(said(text, "Z409")) == 1


def test_a_sum_without_any_set_in_reach_says_what_to_write() -> None:
    found = only(game(rules="∑a < 3 → Mine = P"), "Z404")

    assert found.help == "write `∑_{a ∈ S} …` with the set S that is summed over"


PAIRS = {"sets": "G : P × P", "variables": "X ⊆ G", "initial": "X = ∅"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("∃x ∃y ((x, y) ∈ X ∧ x = y)", "(∃(x, y) ∈ X: x = y)"),
        ("∃x, y ((x, y) ∈ X ∧ x = y)", "(∃(x, y) ∈ X: x = y)"),
        ("∀x ∀y ((x, y) ∈ X → x = y)", "(∀(x, y) ∈ X: x = y)"),
        ("∃x ∃y ∃z ((x, y) ∈ X ∧ z ∈ P ∧ z = x)", "(∃(x, y) ∈ X: ∃z ∈ P: (x, y) ∈ X ∧ z = x)"),
    ],
)
def test_a_tuple_in_the_body_says_where_nested_variables_come_from(
    written: str, meant: str
) -> None:
    assert quantified_guard(written, **PAIRS) == meant


def test_variables_of_different_quantifiers_do_not_come_from_one_tuple() -> None:
    text = game(rules="∀x ∃y ((x, y) ∈ X ∧ x = y) → Mine = P", **PAIRS)

    assert said(text, "Z404") == ["nothing says which values `x` ranges over"]
