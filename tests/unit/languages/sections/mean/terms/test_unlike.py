"""Formulas whose sides are of unlike kinds have a value, and may be meant otherwise."""

from __future__ import annotations

import pytest

from tests.support.elaboration import (
    body,
    choice,
    elaborated,
    errors,
    game,
    only,
    said,
    start,
    system,
)
from zermelo.core.machine import Fault
from zermelo.core.values import TRUE, to_text
from zermelo.languages.sections import ir
from zermelo.languages.sections.run.interpreter import Interpreter

PLAIN = "L : {{1}, {2}}\nD : {1}"
SETS = f"{PLAIN}\nM : {{1, {{2}}, (1, 2), true, none}}"


def value(formula: str) -> str:
    """The value of *formula*, as the definition of a set or as a guard."""
    described = system(game(sets=f"{SETS}\nX : {formula}"))
    found = Interpreter(described).evaluate(ir.Ref("X"), Interpreter(described).initial, {})
    assert not isinstance(found, Fault), found.message
    return to_text(found)


def holds(formula: str) -> bool:
    text = game(sets=SETS, rules=f"{formula} → Mine = ∅")
    described = system(text)
    assert errors(text) == []
    machine = Interpreter(described)
    procedure = described.procedure("Take")
    assert procedure is not None
    (rule,) = procedure.body
    assert isinstance(rule, ir.Rule)
    return machine.evaluate(rule.guard, machine.initial, {"pos": 1}) is TRUE


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("L − D", "{{1}, {2}}"),
        ("D − L", "{1}"),
        ("L ∩ D", "∅"),
        ("L ∪ D", "{1, {1}, {2}}"),
        ("{true} ∪ {1}", "{true, 1}"),
        ("{true, false} − {0, 1}", "{false, true}"),
        ("{(true, 1)} ∪ {(1, 1)}", "{(true, 1), (1, 1)}"),
        ("𝒫({none} ∪ {1})", "{∅, {1}, {none}, {1, none}}"),
        ("{x ∈ M | x ∈ P}", "{1}"),
        ("{x ∈ M | x ∈ L}", "{{2}}"),
        ("{(a, b) ∈ M | a < b}", "{(1, 2)}"),
        ("{x ∈ M | x = none ∨ x = (1, 2)}", "{none, (1, 2)}"),
        ("M − {none, 1}", "{true, (1, 2), {2}}"),
        ("{1} × (D ∪ {none})", "{(1, 1), (1, none)}"),
    ],
)
def test_a_set_of_unlike_kinds_is_a_set(formula: str, expected: str) -> None:
    assert value(formula) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("1 ∈ {{1}, {2}}", False),
        ("1 ∉ {{1}, {2}}", True),
        ("{1} ⊆ {{1}}", False),
        ("Mine ⊆ L", True),
        ("{1} ⊈ {{1}}", True),
        ("1 = {1}", False),
        ("1 ≠ {1}", True),
        ("(1, 2) = 3", False),
        ("Mine ∈ P", False),
        ("Mine = 0", False),
        ("none ∈ P", False),
        ("|M| = 5", True),
        ("∃x ∈ M: x = {2}", True),
        ("∀x ∈ M: x ∉ {3}", True),
        ("∃x ∈ M: x ∈ P ∧ x + 1 = 2", True),
    ],
)
def test_a_comparison_of_unlike_kinds_has_a_value(formula: str, expected: bool) -> None:  # noqa: FBT001 - what is expected
    assert holds(formula) is expected


@pytest.mark.parametrize(
    ("formula", "others"),
    [
        ("L − D = ∅", ["L − {D}"]),
        ("D − L = ∅", ["{D} − L"]),
        ("L ∩ D = ∅", ["L ∩ {D}"]),
        ("Mine ∈ P", ["Mine ⊆ P"]),
        ("pos ∈ L", ["{pos} ∈ L"]),
        ("pos ∉ L", ["{pos} ∈ L"]),
        ("Mine ⊆ L", ["Mine ∈ L"]),
        ("L ⊆ D", ["L ⊆ {D}"]),
        ("Mine = 3", ["Mine = {3}", "|Mine| = 3"]),
        ("none ∈ P", []),
    ],
)
def test_what_would_make_the_kinds_fit_is_offered(formula: str, others: list[str]) -> None:
    described = system(game(sets=SETS, rules=f"{formula} → Mine = ∅"))

    offered = [r.choices[1:] for r in described.readings if r.name.startswith("sides of ")]

    assert [text for texts in offered for text in texts] == others


def test_both_kinds_are_named_and_the_line_to_add() -> None:
    found = only(game(sets=f"{PLAIN}\nW : L − D", rules="Mine ∉ W → Mine = ∅"), "Z415")

    assert found.message == (
        "`L` is a set of sets of numbers, and `D` is a set of numbers; "
        "so nothing is taken away from `L`"
    )
    assert found.notes[0].startswith("`sides of L − D: L − {D}` in Reading")
    assert found.fix is None


def test_a_choice_of_the_document_is_taken_and_has_a_fix() -> None:
    text = game(sets=f"{PLAIN}\nW : L − D", rules="Mine ∉ W → Mine = ∅")
    text += "Reading\n  sides of L − D: L-{D}\n"

    found = only(text, "Z415")

    assert choice(system(text), "sides of L − D") == "L − {D}"
    assert found.fix is not None
    assert found.fix.replacement == "{D}"


def test_a_choice_of_the_caller_is_taken() -> None:
    described = system(game(rules="Mine ∈ P → Mine = ∅"), {"sides of Mine ∈ P": "Mine ⊆ P"})

    assert body(described, "Take") == ["Mine ⊆ P → Mine = ∅"]


def test_a_choice_that_is_none_is_said_and_left_out() -> None:
    text = game(rules="Mine ∈ P → Mine = ∅") + "Reading\n  sides of Mine ∈ P: Mine ⊂ P\n"

    assert said(text, "Z531") == ["`Mine ⊂ P` is no choice of the reading `sides of Mine ∈ P`"]
    assert body(system(text), "Take") == ["Mine ∈ P → Mine = ∅"]


def test_a_long_formula_is_named_by_its_place() -> None:
    text = game(sets="L : {{1}}\nW : L − {x ∈ P | x = 1 ∨ x = 2}")

    names = [r.name for r in system(text).readings if r.name.startswith("sides of ")]

    assert names == ["sides of line 5 column 7"]
    assert len(said(text, "Z415")) == 1


def test_the_empty_set_is_no_result_yet() -> None:
    text = game(
        variables="result ∈ {good, bad}",
        initial="result = ∅",
        more="GameOver()\n  result = ∅ ∧ 3 ∈ Mine → result = {good}\n  result ≠ ∅ → Mine = ∅",
    )

    described = system(text)

    assert start(described, "result") is None
    assert len(said(text, "Z416")) == 1
    assert errors(text) == []
    assert body(described, "GameOver")[0].endswith("→ result = good")


def test_a_set_valued_result_takes_a_word_in_braces() -> None:
    text = game(
        variables="result ⊆ {good, bad}",
        initial="result = ∅",
        more="GameOver()\n  result = ∅ ∧ 3 ∈ Mine → result = good",
    )

    assert body(system(text), "GameOver") == ["result = ∅ ∧ 3 ∈ Mine → result = {good}"]
    assert said(text, "Z416") == []


def test_another_variable_than_the_result_may_have_no_value_yet() -> None:
    text = game(
        variables="last ∈ P",
        initial="last = ∅",
        rules="pos ∈ Free ∧ (last = ∅ ∨ pos > last) → Mine = Mine ∪ {pos} ∧ last = pos",
    )

    machine = Interpreter(system(text))

    assert [str(m) for m in machine.legal(machine.initial)] == ["Take(1)", "Take(2)", "Take(3)"]
    after = machine.after(machine.initial, machine.legal(machine.initial)[1])
    assert [str(m) for m in machine.legal(after)] == ["Take(3)"]


def test_arithmetic_with_what_is_no_number_is_an_error_and_said_once() -> None:
    text = game(sets=SETS, rules="|L ∪ D| + L > 3 → Mine = ∅")

    assert errors(text) == ["`+` needs a number, but `L` is a set of sets of numbers"]
    assert elaborated(text).value is not None
