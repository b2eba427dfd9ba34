"""What compiled code shows of states that the interpreter did not come to."""

from math import comb

import pytest

from zermelo.api import loading, questions
from zermelo.api.questions import Report
from zermelo.core.limits import UNLIMITED, Limits

STRIPS = """
Applicable Sets
  P : {1..4} × {1..4}
  B : {true, false}
System Variables
  A, C ⊆ P
  turn, over ∈ B
  result ∈ {A wins, C wins, draw}
System Facts
  over ↔ |A ∪ C| = 16
System Initialization
  A = ∅
  C = ∅
  turn = true
System States and Behavior
Put(p ∈ P)
  turn ∧ p ∉ A ∪ C → A = A ∪ {p} ∧ turn = ¬turn
  ¬turn ∧ p ∉ A ∪ C → C = C ∪ {p} ∧ turn = ¬turn
  p ∈ A ∩ C → A = ∅
GameOver(over)
  over ∧ |A| = |C| → result = draw
  over ∧ |A| > |C| → result = A wins
  over ∧ |A| < |C| → result = C wins
Reading
  players: A when turn, C when ¬turn
  order: at once
"""
STATES = sum(comb(16, taken) * comb(taken, taken // 2) for taken in range(17))
"""So many ways to choose the cells that are taken, and which of them the second player has."""
FEW = Limits(states=50)


def checked(wide: Limits | None, text: str = STRIPS) -> Report:
    return questions.check(loading.load_text(text), limits=FEW, wide=wide)


def codes(report: Report) -> set[str]:
    return {each.code.id for each in report.diagnostics}


@pytest.fixture(scope="module")
def whole() -> Report:
    return checked(UNLIMITED)


def test_every_state_is_counted_where_the_interpreter_saw_some(whole: Report) -> None:
    assert whole.checkup is not None
    assert (whole.checkup.space.states, whole.checkup.counted.states) == (50, STATES)
    assert whole.is_complete
    assert whole.to_json()["space"]["states"] == STATES  # type: ignore[index, call-overload]


def test_a_rule_is_proved_to_be_dead_and_results_never_to_come(whole: Report) -> None:
    assert whole.checkup is not None
    assert whole.checkup.has_seen_all_rules
    told = {each.code.id: each.message for each in whole.diagnostics}
    assert told["Z613"] == f"3 rules never fired in any of the {STATES:,} reachable states"
    assert told["Z614"].endswith(f"in any of the {STATES:,} reachable states")


def test_without_it_nothing_is_claimed_of_all_states() -> None:
    report = checked(None)

    assert not report.is_complete
    assert report.checkup is not None
    assert report.checkup.wide is None
    assert all("reachable" not in each.message for each in report.diagnostics)


def test_what_is_cut_short_says_how_far_it_came() -> None:
    report = checked(Limits(depth=4))

    assert report.checkup is not None
    assert report.checkup.counted.cut == "stopped after 4 moves"
    assert report.checkup.counted.states == 1 + 16 + 240 + 1680 + 10920
    assert not report.checkup.has_seen_all_rules


def test_a_player_who_is_stuck_late_is_found() -> None:
    text = STRIPS.replace("over ↔ |A ∪ C| = 16", "over ↔ |A ∪ C| = 17")

    assert "Z611" in codes(checked(UNLIMITED, text))
