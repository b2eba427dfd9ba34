"""Players who choose at the same time, and players who are called by numerals."""

from tests.support.meaning import with_players
from zermelo.languages.sections.printer import to_text

THROW = """
Applicable Sets
  A : {rock, paper, scissors}
  Beats : {(rock, scissors), (scissors, paper), (paper, rock)}
System Variables
  ones, twos ∈ {0..3}
  over ∈ {true, false}
System Facts
  over ↔ ones = 2 ∨ twos = 2
System Initialization
  ones, twos = 0
System States and Behavior
Throw(one, two ∈ A)
  (one, two) ∈ Beats → ones = ones + 1
  (two, one) ∈ Beats → twos = twos + 1
GameOver(over)
  result ∈ {one wins, two wins}
  ones = 2 → result = one wins
  twos = 2 → result = two wins
"""


def test_players_who_choose_in_one_call_are_said_to_choose_at_the_same_time() -> None:
    checked = with_players(THROW)

    (asked,) = checked.diagnostics
    assert asked.message == (
        "one and two choose at the same time, in `Throw(one, two)`: nobody has a turn"
    )
    assert checked.value is not None
    assert checked.value.unsaid is not None
    assert len(checked.value.players) == 1


def test_choices_that_may_be_exchanged_are_made_by_several_whatever_they_are_called() -> None:
    text = THROW.replace("one, two ∈ A", "a, b ∈ A").replace("(one, two) ∈", "(a, b) ∈")
    checked = with_players(text.replace("(two, one) ∈", "(b, a) ∈"))

    (asked,) = checked.diagnostics
    assert asked.message == (
        "one and two choose at the same time, in `Throw(a, b)`: nobody has a turn"
    )


def test_places_that_one_player_chooses_are_no_choices_of_several() -> None:
    text = THROW.replace("one, two ∈ A", "a, b ∈ A").replace(
        "(one, two) ∈ Beats", "a = rock ∧ b = paper"
    )
    checked = with_players(text.replace("(two, one) ∈ Beats", "a = rock ∧ b = scissors"))

    (asked,) = checked.diagnostics
    assert asked.message == "one and two can win, but nothing says whose turn it is"


def test_players_called_by_numerals_move_in_the_turns_of_these_numbers() -> None:
    text = """
Applicable Sets
  H : {0..7}
System Variables
  heap ∈ H
  turn ∈ {1, 2, 3}
  over ∈ {true, false}
System Facts
  over ↔ heap = 0
System Initialization
  heap = 7
  turn = 1
System States and Behavior
Take(n ∈ {1, 2})
  n ≤ heap ∧ turn < 3 → heap = heap − n ∧ turn = turn + 1
  n ≤ heap ∧ turn = 3 → heap = heap − n ∧ turn = 1
GameOver(over)
  result ∈ {one wins, two wins, three wins}
  over ∧ turn = 2 → result = one wins
  over ∧ turn = 3 → result = two wins
  over ∧ turn = 1 → result = three wins
Reading
  order: at once
"""
    checked = with_players(text)

    assert checked.value is not None
    assert {p.name: to_text(p.turn) for p in checked.value.players} == {
        "one": "turn = 1",
        "two": "turn = 2",
        "three": "turn = 3",
    }
