"""How one wins, in the words of the document, for each player."""

from zermelo.api.loaded import model_of
from zermelo.api.loading import load_text
from zermelo.core.commentary import Aim, Goal
from zermelo.core.machine import Ending
from zermelo.play.lines import aim_lines
from zermelo.text.prose import plain_text

HEAP = """
A game of taking away.
The goal of the game is to take the last stone.

Applicable Sets
  H : {0..5}
  B : {true, false}
System Variables
  heap ∈ H
  turn, over ∈ B
System Facts
  over ↔ heap = 0
System Initialization
  heap = 5
  turn = true
System States and Behavior
Take(n ∈ {1, 2})
  n ≤ heap → heap = heap − n ∧ turn = ¬turn
GameOver(over)
  result ∈ {Ann wins, Bob wins, draw}
  over ∧ ¬turn → result = Ann wins
  over → (turn → result = Bob wins)
  heap > 9 ∧ over → result = draw
  heap = 9 → result = Ann wins
Reading
  players: Ann when turn, Bob when ¬turn
"""


def found(document: str) -> Aim:
    return model_of(load_text(document)).words.aim()


def said(document: str, person: str | None = None) -> list[str]:
    return plain_text(aim_lines(found(document), person=person)).splitlines()


def test_guards_of_rules_that_set_the_result_say_who_wins_when() -> None:
    assert found(HEAP).goals == (
        Goal(Ending.WIN, ("Ann",), ("over ∧ ¬turn", "heap = 9")),
        Goal(Ending.WIN, ("Bob",), ("over ∧ turn",)),
        Goal(Ending.DRAW, (), ("heap > 9 ∧ over",)),
    )


def test_the_goal_is_said_for_each_player_after_what_the_document_says() -> None:
    assert said(HEAP) == [
        "The document says: “The goal of the game is to take the last stone.”",
        "Ann wins when over ∧ ¬turn, or when heap = 9.",
        "Bob wins when over ∧ turn.",
        "It is a draw when heap > 9 ∧ over.",
        "The play is over when heap = 0.",
    ]


def test_whoever_plays_against_the_program_is_spoken_to_first() -> None:
    assert said(HEAP, person="Bob")[1:3] == [
        "You (Bob) win when over ∧ turn.",
        "Ann wins when over ∧ ¬turn, or when heap = 9.",
    ]


def test_what_one_of_two_players_loses_by_the_other_wins_by() -> None:
    document = HEAP.replace("Ann wins", "Ann loses").replace("The goal of", "The end of")

    assert said(document) == [
        "Bob wins when over ∧ ¬turn, or when over ∧ turn, or when heap = 9.",
        "It is a draw when heap > 9 ∧ over.",
        "The play is over when heap = 0.",
    ]


def test_a_long_guard_is_named_by_its_rule_and_many_are_counted() -> None:
    long = " ∧ ".join(f"heap + {number} > {number}" for number in range(30))
    more = "".join(f"\n  heap = {number} ∧ turn → result = Bob wins" for number in (1, 2, 3))
    document = HEAP.replace("  heap = 9 → result = Ann wins", f"  {long} → result = Ann wins{more}")

    assert said(document)[1:3] == [
        "Ann wins when over ∧ ¬turn, or when rule 4 of GameOver fires.",
        "Bob wins when over ∧ turn, or when heap = 1 ∧ turn, or when heap = 2 ∧ turn, "
        "or in 1 other way, which `rules` tells.",
    ]


def test_without_a_result_nothing_is_made_up() -> None:
    start, _, _ = HEAP.partition("GameOver(over)")

    assert found(start.replace("The goal of", "The end of")) == Aim()
