"""Names and runs of words stand for what the document makes of them."""

from tests.support.elaboration import (
    body,
    definition,
    elaborated,
    errors,
    game,
    only,
    said,
    set_text,
    start,
    system,
)
from zermelo.core.values import Atom
from zermelo.languages.sections import ir

ENDING = "GameOver(over)\n  result ∈ {Mine wins, nobody wins}\n"
OVER = {"variables": "over ∈ B", "facts": "over ↔ (Free = ∅)"}


def test_a_run_of_words_is_a_value_even_if_it_begins_with_the_name_of_a_set() -> None:
    described = system(game(**OVER, more=f"{ENDING}  over → result = Mine wins"))

    assert body(described, "GameOver") == ["over → result = Mine wins"]


def test_words_that_differ_in_capitals_and_blanks_are_one_value_with_a_fix() -> None:
    text = game(**OVER, more=f"{ENDING}  over → result = mine  Wins")

    found = only(text, "Z302")

    assert found.message == "`mine Wins` is written `Mine wins` where it is listed"
    assert found.fix is not None
    assert found.fix.replacement == "Mine wins"
    assert body(system(text), "GameOver") == ["over → result = Mine wins"]


def test_a_word_that_no_set_lists_is_a_value_with_a_warning() -> None:
    text = game(**OVER, more=f"{ENDING}  over → result = everybody wins")

    assert said(text, "Z309") == ["`everybody wins` is listed nowhere; it is taken as a value"]
    assert not errors(text)


def test_a_word_that_is_nearly_listed_is_the_listed_one() -> None:
    text = game(**OVER, more=f"{ENDING}  over → result = Mine win")

    assert body(system(text), "GameOver") == ["over → result = Mine wins"]


def test_sets_side_by_side_have_lost_a_minus() -> None:
    text = game(rules="|P Mine| > 0 ∧ pos ∈ Free → Mine = Mine ∪ {pos}")

    found = only(text, "Z306")

    assert found.fix is not None
    assert found.fix.replacement == "P − Mine"
    assert body(system(text), "Take")[0].startswith("|P − Mine| > 0")


def test_players_may_be_called_after_their_sets() -> None:
    text = game(
        variables="Yours ⊆ P\nturn ∈ {Mine, Yours}",
        initial="Yours = ∅\nturn = Mine",
        rules="turn = Mine ∧ pos ∈ Free → Mine = Mine ∪ {pos} ∧ turn = Yours",
    )

    described = system(text)

    turn = described.variable("turn")
    assert turn is not None
    assert turn.initial == ir.Literal(Atom("Mine"))
    assert not errors(text)


def test_a_listed_name_that_is_a_set_stands_for_the_set() -> None:
    described = system(game(sets="W : {P, {1}}"))

    assert described.sets[-1].value == ir.SetOf((ir.Ref("P"), ir.SetOf((ir.Literal(1),))))


def test_a_family_has_members_by_number_and_by_name() -> None:
    text = game(
        sets="H_n : {x ∈ P | x < n}",
        rules="pos ∈ Free ∧ pos ∈ H_2 ∧ (∃n ∈ P: Mine ⊆ H_n) → Mine = Mine ∪ {pos}",
    )

    assert body(system(text), "Take") == [
        "pos ∈ Free ∧ pos ∈ H(2) ∧ (∃n ∈ P: Mine ⊆ H(n)) → Mine = Mine ∪ {pos}"
    ]


def test_a_declared_name_with_a_subscript_is_no_member_of_a_family() -> None:
    text = game(sets="H_n : {x ∈ P | x < n}\nH_2 : {3}", rules="pos ∈ H_2 → Mine = Mine ∪ {pos}")

    assert body(system(text), "Take") == ["pos ∈ H_2 → Mine = Mine ∪ {pos}"]


def test_sets_may_use_later_ones() -> None:
    described = system(game(sets="X : Y ∪ {1}\nY : {2}"))

    assert set_text(described, "X") == "Y ∪ {1}"


def test_sets_that_need_each_other_are_an_error_and_what_uses_them_is_left_out() -> None:
    text = game(sets="X : Y ∪ {1}\nY : X", rules="pos ∈ X → Mine = Mine ∪ {pos}")

    assert errors(text) == ["`X` and `Y` are defined by each other"]
    assert body(system(text), "Take") == []


def test_a_set_that_depends_on_a_variable_is_computed() -> None:
    described = system(game(sets="Rest : P − Mine"))

    assert definition(described, "Rest") == "P − Mine"


def test_a_name_that_is_a_set_and_a_variable_is_told_apart_by_its_place() -> None:
    text = game(
        variables="B ⊆ P\nok ∈ B",
        initial="B = {1}\nok = true",
        rules="ok ∧ pos ∈ Free − B → Mine = Mine ∪ {pos}",
    )

    described = system(text)

    assert not errors(text)
    ok = described.variable("ok")
    assert ok is not None
    assert ok.domain == ir.Ref("𝐁")
    assert start(described, "B") == "{1}"


def test_the_first_of_two_declarations_is_taken() -> None:
    text = game(variables="n ∈ P\nn ∈ {0}", initial="n = 1")

    assert said(text, "Z310") == ["`n` is declared twice; the first declaration is taken"]
    assert not [d for d in elaborated(text).diagnostics if d.code.id == "Z402"]


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
    noted = only(text, "Z305")
    assert noted.message == "`P` is a set, and also the letter of the power set"
    assert noted.help == "write `𝒫` for the power set"


def test_the_script_letter_is_no_other_letter() -> None:
    text = game(variables="W ⊆ 𝒫(P)", initial="W = ∅")

    assert said(text, "Z305") == []


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


def test_a_noun_behind_a_number_is_what_is_counted() -> None:
    text = game(
        variables="n ∈ {0..9}", initial="n = 8 matches", rules="n > 0 matches → n = n − 1 match"
    )

    assert errors(text) == []
    assert [each.split("`")[1] for each in said(text, "Z422")] == [
        "8 matches",
        "0 matches",
        "1 match",
    ]


def test_a_number_with_a_noun_is_a_value_where_a_set_lists_it() -> None:
    text = game(variables="n ∈ {8 matches, 9 matches}", initial="n = 8 matches", facts="n = n")

    assert said(text, "Z422") == []
