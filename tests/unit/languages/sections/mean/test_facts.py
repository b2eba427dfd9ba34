"""Facts are definitions or invariants."""

import pytest

from tests.support.elaboration import definition, errors, game, said, start, system
from zermelo.languages.sections.ir import VariableRole
from zermelo.languages.sections.printer import to_text


def invariants(text: str) -> list[str]:
    """The invariants of *text*."""
    return [to_text(invariant.formula) for invariant in system(text).invariants]


@pytest.mark.parametrize(
    ("fact", "meant"),
    [
        ("over ↔ (Free = ∅)", "Free = ∅"),
        ("over = (Free = ∅)", "Free = ∅"),
        ("over = Free = ∅", "Free = ∅"),
        ("(Free = ∅) ↔ over", "Free = ∅"),
        ("over = |Free| = 0 ∧ 1 ∈ Mine", "|Free| = 0 ∧ 1 ∈ Mine"),
        ("over = true ↔ Free = ∅", "Free = ∅"),
        ("Free = ∅ ↔ over = true", "Free = ∅"),
        ("over = false ↔ Free ≠ ∅", "¬(Free ≠ ∅)"),
        ("¬over ↔ Free ≠ ∅", "¬(Free ≠ ∅)"),
    ],
)
def test_a_fact_defines_a_variable_that_no_rule_assigns(fact: str, meant: str) -> None:
    described = system(game(variables="over ∈ B", facts=fact))

    over = described.variable("over")
    assert over is not None
    assert over.role is VariableRole.DEFINED
    assert definition(described, "over") == meant
    assert described.invariants == ()


def test_a_fact_that_says_when_a_variable_is_1_defines_a_truth_value() -> None:
    described = system(game(variables="over ∈ {0, 1}", facts="over = 1 ↔ Free = ∅"))

    assert definition(described, "over") == "Free = ∅"


def test_a_fact_that_says_when_a_number_is_1_is_no_definition_where_there_are_more_numbers() -> (
    None
):
    text = game(variables="n ∈ {0, 1, 2}", facts="n = 1 ↔ Free = ∅")

    assert invariants(text) == ["n = 1 ↔ Free = ∅"]


def test_a_fact_about_a_variable_that_rules_assign_is_an_invariant() -> None:
    assert invariants(game(facts="Mine = P − Free")) == ["Mine = P − Free"]


def test_a_fact_of_another_form_is_an_invariant() -> None:
    assert invariants(game(facts="Mine ∩ Free = ∅\n|Mine| ≤ 3")) == [
        "Mine ∩ Free = ∅",
        "|Mine| ≤ 3",
    ]


def test_a_second_definition_is_an_invariant_with_a_note() -> None:
    text = game(facts="Free = P ∖ Mine")

    assert invariants(text) == ["Free = P − Mine"]
    assert len(said(text, "Z501")) == 1


def test_two_definitions_may_stand_in_one_fact() -> None:
    described = system(game(variables="X, Y ⊆ P", facts="X = P − Mine ∧ Y = X ∪ Mine"))

    assert definition(described, "X") == "P − Mine"
    assert definition(described, "Y") == "X ∪ Mine"


def test_facts_that_define_each_other_are_an_error() -> None:
    text = game(variables="X, Y ⊆ P", facts="X = P − Y\nY = P − X")

    assert errors(text) == ["`X` and `Y` are defined by each other"]


def test_a_fact_that_defines_a_variable_by_itself_is_an_error() -> None:
    assert errors(game(variables="X ⊆ P", facts="X = P − X")) == ["`X` is defined by itself"]


def test_an_initial_value_that_the_fact_gives_too_is_noted_and_not_stored() -> None:
    text = game(initial="Free = P")

    assert said(text, "Z503") == ["`Free = P` repeats what its fact says"]
    assert start(system(text), "Free") is None


def test_an_initial_value_that_the_fact_contradicts_is_a_warning() -> None:
    text = game(initial="Free = ∅")

    assert said(text, "Z504") == ["`Free` is said to start at ∅, but its fact says otherwise"]


def test_a_variable_whose_definition_is_of_another_kind_has_no_value() -> None:
    text = game(variables="n ∈ P", facts="n = P − Mine", initial="n = 1")

    assert errors(text) == [
        "`n` holds a number, and this fact says it is `P − Mine`, a set of numbers"
    ]
    assert system(text).variable("n") is None
