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


COUNTED = """
Applicable Sets
  P : {1, 2, 3, 4}
System Variables
  A, D ⊆ P
  moves ∈ {0..4}
  over ∈ {true, false}
System Facts
  over ↔ (moves = 4)
System Initialization
  A, D = ∅
  moves = 0
System States and Behavior
Play(pos ∈ P)
  pos ∉ A → A = A ∪ {pos} ∧ moves = moves + 1
GameOver(over)
  result ∈ {A wins, D wins}
  1 ∈ A → result = A wins
  1 ∉ A → result = D wins
"""


def test_the_line_that_says_whose_turn_it_is_can_be_pasted() -> None:
    (asked,) = with_players(COUNTED).diagnostics
    assert asked.help is not None
    line = "players: A when moves mod 2 = 0, D when moves mod 2 = 1"
    assert f"`{line}`" in asked.help

    checked = with_players(f"{COUNTED}Reading\n  {line}\n")

    assert checked.diagnostics == ()
    assert checked.value is not None
    assert [player.name for player in checked.value.players] == ["A", "D"]


PHASES = """
Applicable Sets
  Phase : {in, out}
System Variables
  phase ∈ Phase
  came, went ∈ {0..2}
System Initialization
  phase = in
  came, went = 0
System States and Behavior
Step()
  phase = in ∧ came < 2 → came = came + 1 ∧ phase = out
  phase = out ∧ went < 2 → went = went + 1 ∧ phase = in
Reading
  order: at once
"""


def test_a_phase_is_nobodys_turn_where_nothing_is_played_for() -> None:
    alone = with_players(PHASES)
    called = with_players(PHASES.replace("phase ", "turn "))

    assert alone.value is not None
    assert alone.value.players == ()
    assert called.value is not None
    assert len(called.value.players) == 2
