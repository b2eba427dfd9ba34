"""Lines under each other in a conclusion: what they show, and what it makes of the system."""

from __future__ import annotations

import pytest

from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.core.state import Move
from zermelo.core.values import to_text

TOGETHER, AFTER = "together", "one after the other"

HEAD = """
Applicable Sets
  P : {1..3}
System Variables
  a, b, c ∈ P
  F, G ⊆ P
System Initialization
  a = 1
  b = 2
  c = 3
  F, G = ∅
System States and Behavior
"""


def load(behaviour: str, **readings: str) -> Game:
    return loading.load_text(
        HEAD + behaviour, readings={name.replace("_", " "): c for name, c in readings.items()}
    )


def lines(game: Game) -> dict[str, str]:
    readings = game.machine.signature.readings
    return {each.name: each.choice for each in readings if each.name.startswith("lines of ")}


def after(game: Game, *moves: Move) -> str:
    state = game.machine.initial
    for move in moves:
        state = game.machine.after(state, move)
    return ", ".join(f"{name} = {to_text(value)}" for name, value in state.items())


@pytest.mark.parametrize(
    ("conclusion", "expected"),
    [
        # A name without a value before.
        ("new = {p}\n    F = F ∪ new", AFTER),
        ("new = {p} ∧ F = F ∪ new", AFTER),
        # A variable that nothing else reads.
        ("G = {p}\n    F = F ∪ G", AFTER),
        ("G = F ∪ {p}\n    F = G", AFTER),
        # The first value would be lost.
        ("F = F ∪ {p}\n    F = F ∪ {a}", AFTER),
        # An exchange.
        ("a = b\n    b = a", TOGETHER),
        ("a = b\n    ∧ b = a + 0", TOGETHER),
        ("G = F\n    F = G", TOGETHER),
    ],
)
def test_what_the_lines_read_of_each_other_decides(conclusion: str, expected: str) -> None:
    game = load(f"Do(p ∈ P)\n  p ∉ F → {conclusion}\n")

    assert lines(game) == {"lines of Do": expected}
    assert [d.code.id for d in game.diagnostics if d.code.id in {"Z574", "Z576"}] == ["Z574"]


@pytest.mark.parametrize(
    "conclusion",
    [
        "F = F ∪ {p}\n    a = b",
        "F = F ∪ {p} ∧ a = |F|",
        "a = a\n    F = F ∪ {p}",
        "(a, b) = (b, a) ∧ F = F ∪ {p}",
        "F = F ∪ {p}",
    ],
)
def test_lines_that_do_not_read_each_other_leave_nothing_open(conclusion: str) -> None:
    assert lines(load(f"Do(p ∈ P)\n  p ∉ F ∧ p ≠ b → {conclusion}\n")) == {}


def test_names_copied_round_through_one_that_nothing_uses_are_asked_for() -> None:
    game = load("Do()\n  a ≠ b → c = a\n    a = b\n    b = c\n")

    assert lines(game) == {"lines of Do": TOGETHER}
    assert [d.code.id for d in game.diagnostics if d.code.id in {"Z574", "Z576"}] == ["Z576"]


def test_a_name_with_a_value_from_the_same_call_is_not_decided_by_itself() -> None:
    game = load("Do(p ∈ P)\n  new = {a}\n  p ∉ F → new = new ∪ {p}\n    F = F ∪ new\n")

    assert lines(game) == {"lines of Do": TOGETHER}


def test_rules_that_show_different_things_have_readings_of_their_own() -> None:
    game = load("Do(p ∈ P)\n  p ∉ F → new = {p}\n    F = F ∪ new\n  p ∈ F → a = b\n    b = a\n")

    assert lines(game) == {"lines of rule 1 of Do": AFTER, "lines of rule 2 of Do": TOGETHER}


def test_what_the_document_says_comes_first() -> None:
    text = "Do()\n  a ≠ b → a = b\n    b = a\nReading\n  lines of Do: one after the other\n"

    game = load(text)

    assert after(game, Move("Do", ())) == "a = 2, b = 2, c = 3, F = ∅, G = ∅"
    assert not any(d.code.id == "Z574" for d in game.diagnostics)


def test_a_line_of_the_reading_that_decides_nothing_is_told() -> None:
    game = load("Do()\n  a ≠ b → a = b\nReading\n  lines of Do: together\n")

    assert [d.message for d in game.diagnostics if d.code.id == "Z533"] == [
        "the reading `lines of Do` decides nothing: "
        "no line of a conclusion there reads what one above it gives a value"
    ]


@pytest.mark.parametrize("order", ["in order", "facts frozen", "at once"])
def test_one_after_the_other_is_the_same_in_every_order(order: str) -> None:
    game = load(
        "Do(p ∈ P)\n  p ∉ F → G = {p}\n    F = F ∪ G\n    a = p\n  p ∈ F → F = F − {p}\n",
        order=order,
    )
    again = {"in order": "∅", "facts frozen": "∅", "at once": "{2}"}[order]

    turn = "a = 2, b = 2, c = 3, F = {F}, G = {{2}}".replace("{F}", again).replace("{{2}}", "{2}")
    assert after(game, Move("Do", (2,))) == turn


def test_at_once_only_the_lines_below_see_what_a_line_did() -> None:
    text = "Do(p ∈ P)\n  p ∉ F → G = {p}\n    F = F ∪ G\n  G = ∅ → b = 3\n"

    game = load(text, order="at once", lines_of_Do=AFTER)

    assert after(game, Move("Do", (1,))) == "a = 1, b = 3, c = 3, F = {1}, G = {1}"


def test_a_pair_is_given_to_variables_in_a_conclusion() -> None:
    game = load("Do()\n  a ≠ b → (a, b) = (b, a) ∧ c = a\n")

    assert after(game, Move("Do", ())) == "a = 2, b = 1, c = 1, F = ∅, G = ∅"


def test_several_assignments_on_a_line_of_a_stack_belong_to_the_conclusion() -> None:
    game = load(
        "Do(p ∈ P)\n  p ∉ F → F = F ∪ {p}\n    a = b ∧ b = p\n    c = |F| + 1\n",
        **{"lines of Do": TOGETHER},
    )

    assert after(game, Move("Do", (3,))) == "a = 2, b = 3, c = 1, F = {3}, G = ∅"


def test_formatting_keeps_lines_that_read_each_other() -> None:
    behaviour = "Do(p ∈ P)\n  p ∉ F → F = F ∪ {p}\n    F = F ∪ {a} ∧ b = p\n    c = 1\n"
    document = load(behaviour).document
    assert document is not None

    text = document.format_text(None)

    assert text.endswith(behaviour)
    assert lines(loading.load_text(text)) == {"lines of Do": AFTER}


def test_formatting_puts_lines_that_do_not_read_each_other_side_by_side() -> None:
    document = load("Do(p ∈ P)\n  p ∉ F → F = F ∪ {p}\n    b = p\n").document
    assert document is not None

    assert document.format_text(None).endswith("Do(p ∈ P)\n  p ∉ F → F = F ∪ {p} ∧ b = p\n")
