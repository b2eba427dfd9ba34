"""Quantifiers, builders and sums find the sets their names range over."""

import pytest

from tests.support.elaboration import body, choice, errors, game, only, said, set_text, system

W = {"variables": "W ⊆ 𝒫(P)", "initial": "W = {{1}, {2}}"}


def guard(text: str, *, quantifier: str = "over the set", **parts: str) -> str:
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
    assert guard(written, **W) == meant


def test_a_pair_in_a_quantifier_binds_two_names() -> None:
    text = guard("∃x, y ((x, y) ∈ G ∧ x < y)", sets="G : P × P")

    assert text == "(∃(x, y) ∈ G: x < y)"


def test_all_with_and_is_read_over_the_set_with_a_warning() -> None:
    text = game(**W, rules="∀w (w ∈ W ∧ |w| = 1) → Mine = P")

    assert body(system(text), "Take") == ["(∀w ∈ W: |w| = 1) → Mine = P"]
    assert choice(system(text), "quantifier") == "over the set"
    assert said(text, "Z410") == ["`∀w (w ∈ W ∧ …)` is false as written"]


def test_all_with_and_may_be_read_as_written() -> None:
    assert guard("∀w (w ∈ W ∧ |w| = 1)", quantifier="as written", **W) == "false"


def test_a_quantifier_without_a_set_says_what_to_write() -> None:
    found = only(game(rules="∃n (n + n = pos) → Mine = P"), "Z404")

    assert found.message == "nothing says which values `n` ranges over"
    assert found.help == "write `∃n ∈ S: …` with the set S that `n` is taken from"


def test_an_equation_gives_a_variable_its_value() -> None:
    assert guard("∃n (n = pos + 1 ∧ n ∈ Mine)") == "(∃n ∈ Mine: n = pos + 1)"
    assert guard("∃n (n = pos + 1 ∧ n > 2)") == "(∃n ∈ {pos + 1}: n > 2)"


def test_a_family_gives_its_index_set() -> None:
    text = guard("∃n (H_n ⊆ Mine)", sets="H_n : {x | n ∈ P ∧ x = n}")

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
    assert guard(written, **PAIRS) == meant


def test_variables_of_different_quantifiers_do_not_come_from_one_tuple() -> None:
    text = game(rules="∀x ∃y ((x, y) ∈ X ∧ x = y) → Mine = P", **PAIRS)

    assert said(text, "Z404") == ["nothing says which values `x` ranges over"]
