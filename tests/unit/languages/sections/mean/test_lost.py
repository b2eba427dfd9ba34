"""What depends on something without a value is left out and listed; the rest is a system."""

import pytest

from zermelo.api.loading import load_text
from zermelo.text.diagnostic import Diagnostic

BOARD = """Applicable Sets
  P : {1, 2}
  Rows : {{1}, {2}}
  V : {true, false}
System Variables
  X, O, Free ⊆ P
  turn, over ∈ V
System Facts
  Free = P − (X ∪ O)
  over ↔ (∃l ∈ Rows: l ⊆ X) ∨ P = X ∪ O
System Initialization
  X, O = ∅
  turn = true
System States and Behavior
full(x ⊆ P) = |x| = 2
Move(pos ∈ P)
  turn ∧ pos ∈ P − (X ∪ O) → X = X ∪ {pos} ∧ turn = ¬turn
  ¬turn ∧ pos ∈ Free → O = O ∪ {pos} ∧ turn = ¬turn
GameOver(over)
  result ∈ {X wins, O wins}
  ∃l ∈ Rows: l ⊆ X → result = X wins
  full(X) → result = O wins
"""
LOST = "left out because of it: "


def left_out(old: str, new: str) -> tuple[list[str], list[str]]:
    """The errors of the board with *old* made *new*, and what they say is left out."""
    assert BOARD.count(old) == 1
    game = load_text(BOARD.replace(old, new))
    assert game.is_loaded
    errors = [each for each in game.diagnostics if each.is_error]
    return [each.code.id for each in errors], [note for each in errors for note in _lost(each)]


def _lost(said: Diagnostic) -> list[str]:
    notes = (note for note in said.notes if note.startswith(LOST))
    return [part for note in notes for part in note.removeprefix(LOST).split(", ")]


@pytest.mark.parametrize(
    ("old", "new", "code", "lost"),
    [
        (
            "Rows : {{1}, {2}}",
            "Rows : what fills a row of the board",
            "Z119",
            ["fact over", "rule 1 of GameOver"],
        ),
        (
            "Rows : {{1}, {2}}",
            "Rows : {{1}, {x ∈ P | x = 2",
            "Z204",
            ["fact over", "rule 1 of GameOver"],
        ),
        (
            "Rows : {{1}, {2}}",
            "Rows : {{1}} ∪ Others",
            "Z301",
            ["the set Rows", "fact over", "rule 1 of GameOver"],
        ),
        ("P − (X ∪ O)\n", "P − (X ∪\n", "Z207", ["rule 2 of Move"]),
        ("P − (X ∪ O)\n", "P − (X ∪ Others)\n", "Z301", ["fact Free", "rule 2 of Move"]),
        ("P − (X ∪ O)\n", "P − Free\n", "Z502", ["fact Free", "rule 2 of Move"]),
        ("= |x| = 2", "= |x| = most", "Z301", ["the function full", "rule 2 of GameOver"]),
        ("= |x| = 2", "= |x| = (2", "Z204", ["rule 2 of GameOver"]),
        ("¬turn ∧ pos ∈ Free", "¬turn ∧ pos ∈ Others", "Z301", ["rule 2 of Move"]),
        ("¬turn ∧ pos", "¬turn ∧ most(pos) ∧ pos", "Z308", ["rule 2 of Move"]),
        ("→ O = O ∪ {pos} ∧", "→ O = O ∪ {pos} ∧ P = ∅ ∧", "Z311", ["rule 2 of Move"]),
        ("turn = true", "turn = Others", "Z301", ["the initial value of turn (false is taken)"]),
        ("X, O = ∅", "X, O = ∅ ∪", "Z207", None),
        ("turn, over ∈ V", "turn ∈ V\n  over ∈ Others", "Z301", ["the set of over"]),
        ("(pos ∈ P)", "(pos ∈ Others)", "Z301", ["the set of pos in Move (P − (X ∪ O) is taken)"]),
    ],
)
def test_one_error_says_what_is_left_out_because_of_it(
    old: str, new: str, code: str, lost: list[str] | None
) -> None:
    values = ["the initial value of X (∅ is taken)", "the initial value of O (∅ is taken)"]

    assert left_out(old, new) == ([code], values if lost is None else lost)


def test_the_rest_of_a_document_with_a_broken_fact_plays() -> None:
    game = load_text(BOARD.replace("P − (X ∪ O)\n", "P − (X ∪ Others)\n"))

    machine = game.machine

    # Rule 1 of Move reads no Free; rule 2 is left out with it.
    assert [str(move) for move in machine.legal(machine.initial)] == ["Move(1)", "Move(2)"]
    assert "Free" not in machine.initial.names


def test_a_local_without_a_value_takes_the_rules_that_read_it_with_it() -> None:
    text = BOARD.replace("P − (X ∪ O)\n", "P − (X ∪ Others)\n")
    text = text.replace("Move(pos ∈ P)\n", "Move(pos ∈ P)\n  left = |Free|\n  left = 9 → X = ∅\n")

    said = next(each for each in load_text(text).diagnostics if each.is_error)

    assert _lost(said) == [
        "fact Free",
        "the value of left of Move",
        "rule 1 of Move",
        "rule 3 of Move",
    ]


def test_a_rule_that_calls_what_cannot_be_called_is_left_out() -> None:
    text = BOARD.replace("P − (X ∪ O)\n", "P − (X ∪ Others)\n")
    text = text.replace(
        "GameOver(over)", "  turn → Clear(pos)\nClear(at ∈ Free)\n  X = ∅\nGameOver(over)"
    )

    said = next(each for each in load_text(text).diagnostics if each.is_error)

    assert _lost(said) == ["fact Free", "the procedure Clear", "rule 2 of Move", "rule 3 of Move"]


def test_a_view_of_what_has_no_value_is_no_second_error() -> None:
    text = BOARD.replace("P − (X ∪ O)\n", "P − (X ∪ Others)\n") + "View\n  piece f: Free\n"

    errors = [each for each in load_text(text).diagnostics if each.is_error]

    assert [each.code.id for each in errors] == ["Z301"]
    assert _lost(errors[0]) == ["fact Free", "rule 2 of Move", "`piece f` of the view"]


def test_explain_lists_what_is_left_out() -> None:
    game = load_text(BOARD.replace("P − (X ∪ O)\n", "P − (X ∪ Others)\n"))
    assert game.model is not None

    told = [each.text.strip() for each in game.model.words.explain()]

    at = told.index("Left out because of errors")
    assert told[at + 1 : at + 3] == ["- fact Free", "- rule 2 of Move"]


def test_a_question_about_what_has_no_value_says_so() -> None:
    game = load_text(BOARD.replace("P − (X ∪ O)\n", "P − (X ∪ Others)\n"))
    assert game.model is not None

    asked = game.model.words.expression("|Free|")

    assert asked.value is None
    assert [each.message for each in asked.diagnostics] == [
        "`Free` has no value, because of an error in the document"
    ]


def test_a_word_that_no_set_lists_is_in_the_set_of_what_it_is_given_to() -> None:
    game = load_text(BOARD.replace("result = X wins", "result = nobody wins"))
    machine = game.machine

    after = machine.after(machine.initial, next(iter(machine.legal(machine.initial))))

    assert str(after["result"]) == "nobody wins"
    assert [each.code.id for each in game.diagnostics if each.code.id == "Z309"] == ["Z309"]
