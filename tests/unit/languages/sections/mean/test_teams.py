"""Teams, games that all win or lose, systems that nobody plays, and turns by two truth values."""

import pytest

from tests.support.meaning import codes_of, with_players
from tests.unit.languages.sections.mean.test_infer import HEAP, found, table

TABLE = """
Applicable Sets
  P : {1..4}
  B : {true, false}
System Variables
  NS, EW, Free ⊆ P
  seat ∈ {n, e, s, w}
  over ∈ B
System Facts
  Free = P − (NS ∪ EW)
  over ↔ Free = ∅
System Initialization
  NS, EW = ∅
  seat = n
System States and Behavior
Play(p ∈ P)
  seat = n ∧ p ∈ Free → NS = NS ∪ {p} ∧ seat = e
  seat = e ∧ p ∈ Free → EW = EW ∪ {p} ∧ seat = s
  seat = s ∧ p ∈ Free → NS = NS ∪ {p} ∧ seat = w
  seat = w ∧ p ∈ Free → EW = EW ∪ {p} ∧ seat = n
GameOver(over)
  result ∈ {NS wins, EW wins, draw}
  over ∧ {1, 2} ⊆ NS → result = NS wins
  over ∧ {1, 2} ⊆ EW → result = EW wins
Reading
  order: at once
"""

LOCK = """
Applicable Sets
  C : {0..9}
  B : {true, false}
System Variables
  digit ∈ C
  locked ∈ B
System Initialization
  digit = 0
  locked = true
System States and Behavior
Twist(d ∈ {1, 9})
  locked → digit = (digit + d) mod 10
Pull()
  locked ∧ digit = 7 → locked = false
Push()
  ¬locked → locked = true
"""

LAMPS = HEAP.replace("turn, over ∈ B", "p, q, over ∈ B").replace(
    "turn = true", "p = true\n  q = false"
)
LAMPS = (
    LAMPS[: LAMPS.index("Take(n")]
    + """Take(n ∈ {1, 2})
  p ∧ ¬q ∧ n ≤ heap → heap = heap − n ∧ p = false ∧ q = true
  ¬p ∧ q ∧ n ≤ heap → heap = heap − n ∧ q = false
  ¬p ∧ ¬q ∧ n ≤ heap → heap = heap − n ∧ p = true
GameOver(over)
  result ∈ {first wins, second wins, third wins}
  over ∧ ¬p ∧ q → result = first wins
  over ∧ ¬p ∧ ¬q → result = second wins
  over ∧ p → result = third wins
Reading
  order: at once
"""
)


def test_those_who_let_the_same_set_grow_are_a_team() -> None:
    assert table(found(TABLE)) == {
        "NS": ("seat ∈ {n, s}", "NS wins", ""),
        "EW": ("seat ∈ {e, w}", "EW wins", ""),
    }


def test_the_letters_of_a_team_name_its_members() -> None:
    text = TABLE.replace("NS, EW", "Even, Odd").replace("NS = NS", "Even = Even")
    text = text.replace("EW = EW", "Odd = Odd").replace("NS ∪ EW", "Even ∪ Odd")
    text = text.replace("⊆ NS", "⊆ Even").replace("⊆ EW", "⊆ Odd")

    assert table(found(text)) == {
        "NS": ("seat ∈ {n, s}", "NS wins", ""),
        "EW": ("seat ∈ {e, w}", "EW wins", ""),
    }


def test_seats_with_results_of_their_own_are_no_team() -> None:
    text = TABLE.replace("{NS wins, EW wins, draw}", "{n wins, e wins, draw}")
    text = text.replace("result = NS wins", "result = n wins").replace(
        "result = EW wins", "result = e wins"
    )

    assert list(table(found(text))) == ["n", "e", "s", "w"]


@pytest.mark.parametrize(
    ("good", "bad"), [("both win", "both lose"), ("we win", "we lose"), ("All won", "all lost")]
)
def test_those_who_win_and_lose_together_are_one_side(good: str, bad: str) -> None:
    text = HEAP.replace("{A wins, B wins}", f"{{{good}, {bad}}}")
    text = text.replace("result = B wins", f"result = {good}").replace(
        "result = A wins", f"result = {bad}"
    )

    checked = with_players(text)

    assert checked.value is not None
    assert table(checked.value) == {"Everybody": ("true", good, bad)}
    assert checked.value.players[0].evidence == (
        "Player 1 moves when `turn`",
        "Player 2 moves when `¬turn`",
    )
    assert codes_of(checked.diagnostics) == ["Z545"]


def test_both_may_lose_where_one_may_win() -> None:
    text = HEAP.replace("{A wins, B wins}", "{A wins, B wins, both lose}")

    assert list(table(found(text))) == ["A", "B"]


@pytest.mark.parametrize(("good", "bad"), [("won", "lost"), ("success", "failure")])
def test_what_becomes_of_players_without_a_name_is_asked_for(good: str, bad: str) -> None:
    text = HEAP.replace("{A wins, B wins}", f"{{{good}, {bad}}}")
    text = text.replace("result = B wins", f"result = {good}").replace(
        "result = A wins", f"result = {bad}"
    )

    checked = with_players(text)

    assert checked.value is not None
    assert checked.value.unsaid == (
        f"whose result `{good}` and `{bad}` is, is not said; add to the Reading section "
        f"`result {good}: all win` and `result {bad}: all lose`"
    )
    told = with_players(text, {f"result {good}": "all win", f"result {bad}": "all lose"})
    assert told.value is not None
    assert list(table(told.value)) == ["Everybody"]
    assert told.value.unsaid is None


def test_what_runs_without_a_goal_has_no_players() -> None:
    checked = with_players(LOCK)

    assert checked.value is not None
    assert table(checked.value) == {}
    assert [r.name for r in checked.value.readings if "player" in r.name] == []


def test_the_reading_gives_a_player_to_what_has_none() -> None:
    assert list(table(found(LOCK, {"players": "Thief"}))) == ["Thief"]


def test_two_truth_values_say_whose_turn_of_three_it_is() -> None:
    assert table(found(LAMPS)) == {
        "first": ("p ∧ ¬q", "first wins", ""),
        "second": ("¬p ∧ q", "second wins", ""),
        "third": ("¬p ∧ ¬q", "third wins", ""),
    }
