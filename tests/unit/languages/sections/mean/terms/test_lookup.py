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
