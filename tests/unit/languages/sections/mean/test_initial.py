"""Variables start at what is given, or at what is assumed and said."""

import pytest

from tests.support.elaboration import choice, elaborated, errors, game, only, said, start, system
from zermelo.languages.sections.printer import to_text

KEEPING = "pos ∈ Free → Mine = Mine ∪ {pos} ∧ x = x"


def test_several_variables_may_start_at_one_value() -> None:
    described = system(game(variables="X, Y ⊆ P", initial="X, Y = {1}", facts="X ∪ Y ≠ ∅"))

    assert (start(described, "X"), start(described, "Y")) == ("{1}", "{1}")


@pytest.mark.parametrize(
    ("declared", "value"),
    [
        ("x ⊆ P", "∅"),
        ("x ∈ B", "false"),
        ("x ∈ P", "1"),
        ("x ∈ {0..9}", "0"),
        ("x ∈ {5, 7}", "5"),
        ("x ∈ {red, blue}", "red"),
        ("x ∈ ℕ", "0"),
    ],
)
def test_a_variable_without_an_initial_value_gets_one(declared: str, value: str) -> None:
    text = game(variables=declared, facts="¬(x ≠ x)")

    described = system(text)

    assert start(described, "x") == value
    assert choice(described, "x starts at") == value
    assert said(text, "Z546") == [
        "no fact defines `x`, no rule sets it, and it has no initial value; "
        f"`x = {value}` is assumed, for good"
    ]


def test_a_variable_that_a_rule_sets_may_start_at_what_is_assumed() -> None:
    text = game(variables="x ⊆ P", facts="¬(x ≠ x)", rules=KEEPING)

    assert said(text, "Z505") == ["`x` is given no initial value; `x = ∅` is assumed"]
    assert said(text, "Z546") == []


def test_the_value_may_be_chosen() -> None:
    text = game(variables="x ⊆ P", facts="¬(x ≠ x)")

    assert start(system(text, {"x starts at": "{1, 2}"}), "x") == "{1, 2}"


def test_a_chosen_value_that_does_not_fit_is_said() -> None:
    text = game(variables="x ⊆ P", facts="¬(x ≠ x)")

    found = elaborated(text, {"x starts at": "true"})

    assert "Z531" in [d.code.id for d in found.diagnostics]


def test_a_tuple_without_an_initial_value_starts_unset() -> None:
    text = game(variables="x ∈ P × P", facts="¬(x ≠ x)", rules=KEEPING)

    assert said(text, "Z505") == ["`x` is given no initial value; it starts unset"]
    assert start(system(text), "x") is None


def test_a_result_starts_unset_without_complaint() -> None:
    text = game(
        variables="over ∈ B",
        facts="over ↔ (Free = ∅)",
        more="GameOver(over)\n  result ∈ {mine wins, draw}\n  over → result = draw",
    )

    assert said(text, "Z505") == []
    assert start(system(text), "result") is None


def test_a_variable_that_nothing_uses_needs_no_initial_value() -> None:
    assert said(game(variables="x ⊆ P"), "Z505") == []


def test_an_initial_value_outside_its_set_widens_the_set() -> None:
    text = game(
        sets="N : ℤ⁺",
        variables="n ∈ N",
        initial="n = 0",
        rules="pos ∈ Free → Mine = Mine ∪ {pos} ∧ n = n + 1",
    )

    n = system(text).variable("n")

    assert n is not None
    assert n.domain is not None
    assert to_text(n.domain) == "N ∪ {0}"
    found = only(text, "Z402")
    assert found.message == "`n` starts at 0, which is not in N"
    assert found.notes == ("N is declared as the set of positive integers",)
    assert found.primary is not None
    assert found.primary.text == "0 is not a positive integer"


def test_an_initial_value_outside_its_set_may_be_left_there() -> None:
    described = system(
        game(variables="n ∈ P", initial="n = 0", facts="¬(n ≠ n)"), {"domain of n": "as written"}
    )

    n = described.variable("n")
    assert n is not None
    assert n.domain is not None
    assert to_text(n.domain) == "P"


def test_a_subset_that_starts_outside_widens_its_set() -> None:
    text = game(variables="x ⊆ P", initial="x = {9}", facts="¬(x ≠ x)")

    x = system(text).variable("x")

    assert x is not None
    assert x.domain is not None
    assert to_text(x.domain) == "𝒫(P ∪ {9})"


def test_initial_values_may_use_each_other() -> None:
    described = system(game(variables="x ⊆ P", initial="x = Free", facts="¬(x ≠ x)"))

    assert start(described, "x") == "P − ∅"


def test_two_initial_values_are_said_and_the_last_is_taken() -> None:
    text = game(initial="Mine = {1}")

    assert start(system(text), "Mine") == "{1}"
    assert said(text, "Z506") == ["`Mine` is given two initial values; the last is taken"]


def test_an_initial_value_of_another_kind_is_an_error() -> None:
    assert errors(game(variables="ok ∈ B", initial="ok = {1}", facts="¬(ok ≠ ok)")) == [
        "`ok` holds a truth value, and starts at `{1}`, a set of numbers"
    ]


def test_a_set_cannot_be_given_an_initial_value() -> None:
    assert errors(game(initial="P = ∅")) == ["`P` is no variable, but is given an initial value"]


def test_an_initial_value_that_the_reading_section_gives_is_not_assumed() -> None:
    text = game().replace("  Mine = ∅\n", "")

    assert len(said(text, "Z505")) == 1
    chosen = f"{text}Reading\n  Mine starts at: {{1}}\n"
    assert said(chosen, "Z505") == []
    assert start(system(chosen), "Mine") == "{1}"
