"""A name with brackets behind it: function, power set, lost minus, membership."""

from tests.support.elaboration import body, definition, errors, game, only, said, system
from zermelo.languages.sections import ir


def test_the_declared_type_tells_a_lost_minus_from_the_power_set() -> None:
    text = game(variables="Rest ⊆ P", facts="Rest = P (Mine ∪ ∅)")

    assert definition(system(text), "Rest") == "P − (Mine ∪ ∅)"
    assert len(said(text, "Z306")) == 1


def test_the_fix_of_a_lost_minus_puts_it_in() -> None:
    text = game(variables="Rest ⊆ P", facts="Rest = P (Mine ∪ ∅)")

    fix = only(text, "Z306").fix

    assert fix is not None
    fixed = text[: fix.span.start] + fix.replacement + text[fix.span.end :]
    assert "Rest = P − (Mine ∪ ∅)" in fixed
    assert not said(fixed, "Z306")


def test_a_set_of_sets_tells_the_power_set_from_a_lost_minus() -> None:
    text = game(variables="W ⊆ P(P)", initial="W = ∅")

    described = system(text)

    w = described.variable("W")
    assert w is not None
    assert w.domain == ir.PowerSet(ir.PowerSet(ir.Ref("P")))
    assert said(text, "Z305") == ["`P` is a set, and also the letter of the power set"]


def test_the_script_letter_and_a_set_of_the_same_letter_are_noted() -> None:
    text = game(variables="W ⊆ 𝒫(P)", initial="W = ∅")

    assert len(said(text, "Z305")) == 1


def test_what_can_be_both_is_asked() -> None:
    text = game(rules="P(Mine) ≠ ∅ ∧ pos ∈ Free → Mine = Mine ∪ {pos}")

    assert len(said(text, "Z307")) == 1
    assert not errors(text)


def test_a_set_before_a_member_in_brackets_is_tested() -> None:
    text = game(rules="Free(pos) → Mine = Mine ∪ {pos}")

    assert body(system(text), "Take") == ["pos ∈ Free → Mine = Mine ∪ {pos}"]
    assert len(said(text, "Z313")) == 1


def test_a_function_that_is_not_defined_is_an_error_with_the_nearest_one() -> None:
    text = game(
        rules="size(Mine) < 3 → Mine = Mine ∪ {pos}\nsizes(Mine) < 3 → Mine = ∅",
        more="size(s ⊆ P) = |s|",
    )

    assert errors(text) == ["`sizes` is used like a function, but none of that name is defined"]
    assert only(text, "Z308").help == "write `size`"


def test_functions_may_call_themselves_and_each_other() -> None:
    text = game(
        rules="even(pos) → Mine = Mine ∪ {pos}",
        more="even(n ∈ P) = n = 0 ∨ odd(n − 1)\nodd(n ∈ P) = n ≠ 0 ∧ even(n − 1)",
    )

    assert not errors(text)
    assert [f.name for f in system(text).functions] == ["even", "odd"]


def test_the_number_of_arguments_must_fit() -> None:
    text = game(rules="size(Mine, P) < 3 → Mine = Mine ∪ {pos}", more="size(s ⊆ P) = |s|")

    assert errors(text) == ["`size` takes 1 argument, and 2 are given"]


def test_arguments_of_another_kind_are_an_error() -> None:
    text = game(rules="size((1, 2)) < 3 → Mine = Mine ∪ {pos}", more="size(s ⊆ P) = |s|")

    assert errors(text) == [
        "`size` takes a set of numbers as `s`, and `(1, 2)` is a pair of numbers"
    ]


def test_a_power_set_in_its_own_letter_is_not_told_to_be_written_so() -> None:
    script = game(variables="W ⊆ 𝒫(P)", initial="W = ∅")

    assert only(script, "Z305").help is None
    assert only(script.replace("𝒫", "P"), "Z305").help == "write `𝒫` for the power set"
