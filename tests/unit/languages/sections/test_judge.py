"""What playing says for and against an order of the rules, in documents of many kinds.

The orders are those that a careful reader would take.
"""

from __future__ import annotations

import pytest

from zermelo.api import loading
from zermelo.api.game import Game

# Each has its variables with their first values, and its behaviour.
CYCLE = ("p ∈ {0, 1, 2}", "p = 0", "Go()\n  p = 0 → p = 1\n  p = 1 → p = 2\n  p = 2 → p = 0")
LADDER = ("p ∈ {0, 1, 2}", "p = 0", "Go()\n  p = 0 → p = 1\n  p = 1 → p = 2")
BANKS = (
    "boat, goat ∈ {near, far}",
    "boat, goat = near",
    "Row()\n  boat = near → boat = far\n  boat = far → boat = near\n"
    "Take()\n  boat = goat ∧ boat = near → boat = far ∧ goat = far\n"
    "  boat = goat ∧ boat = far → boat = near ∧ goat = near",
)
SEASONS = (
    "now ∈ {cold, warm, hot}\n  year ∈ {0..3}",
    "now = cold\n  year = 0",
    "Go()\n  now = cold → now = warm\n  now = warm → now = hot\n"
    "  now = hot ∧ year < 3 → now = cold ∧ year = year + 1",
)
PAIR = (
    "left, right ∈ {true, false}",
    "left = true\n  right = false",
    "Go()\n  left ∧ ¬right → left = false ∧ right = true\n"
    "  ¬left ∧ right → left = true ∧ right = false",
)
GATES = (
    "left, right ∈ {true, false}\n  n ∈ {0..5}",
    "left = true\n  right = false\n  n = 0",
    "Go()\n  left → left = false ∧ right = true\n  right → left = true ∧ right = false\n"
    "Count()\n  left ∧ n < 5 → n = n + 1",
)
RING = (
    "a, b, c ∈ {true, false}",
    "a = true\n  b, c = false",
    "Go()\n  a → b = true\n  ¬a → b = false\n  b → c = true\n  ¬b → c = false\n"
    "  c → a = true\n  ¬c → a = false",
)
CHECKED_FIRST = (
    "A ⊆ {1..3}\n  state ∈ {idle, ready}",
    "A = ∅\n  state = idle",
    "Put(p ∈ {1..3})\n  state = idle ∧ p ∉ A → state = ready\n"
    "  state = ready → A = A ∪ {p} ∧ state = idle",
)
PROMOTED = (
    "men, kings ⊆ {1..4}",
    "men = {1, 2}\n  kings = ∅",
    "Go(p, q ∈ {1..4})\n  p ∈ men ∧ q = p + 1 ∧ q ∉ men → men = (men − {p}) ∪ {q}\n"
    "  4 ∈ men → men = men − {4} ∧ kings = kings ∪ {|kings| + 1}",
)
FLAG = (
    "A, C ⊆ {1..4}\n  turn, ok ∈ {true, false}",
    "A, C = ∅\n  turn = true\n  ok = false",
    "Put(p ∈ {1..4})\n  p ∉ A ∪ C → ok = true\n  ok ∧ turn → A = A ∪ {p}\n"
    "  ok ∧ ¬turn → C = C ∪ {p}\n  ok → turn = ¬turn ∧ ok = false",
)
SCRATCH = (
    "A ⊆ {1..3}\n  disc ∈ {0..3}",
    "A = ∅\n  disc = 0",
    "Drop(c ∈ {1..3})\n  c ∉ A → disc = c\n  disc ≠ 0 → A = A ∪ {disc} ∧ disc = 0",
)

# Whose turn it is, a condition says: the sizes of two sets, or whether a number is even.
SIZES = (
    "A, C, Free ⊆ {1..6}",
    "A, C = ∅",
    "Put(p ∈ {1..6})\n  |A| = |C| ∧ p ∈ Free → A = A ∪ {p}\n  |A| > |C| ∧ p ∈ Free → C = C ∪ {p}",
)
EVEN = (
    "a, c, n ∈ {0..6}",
    "a, c, n = 0",
    "Go(d ∈ {1, 2})\n  n mod 2 = 0 ∧ a + d ≤ 6 ∧ n < 6 → a = a + d ∧ n = n + 1\n"
    "  n mod 2 = 1 ∧ c + d ≤ 6 ∧ n < 6 → c = c + d ∧ n = n + 1",
)
ANSWERED = (
    "A, Full ⊆ {1..4}\n  n ∈ {0..3}",
    "A, Full = ∅\n  n = 0",
    "Put(p ∈ {1..4})\n  n + |A| < 3 ∧ p ∉ A → A = A ∪ {p}\n  n + |A| = 3 → Full = A ∧ n = 0",
)


def load(parts: tuple[str, str, str]) -> Game:
    variables, first, behaviour = parts
    facts = "System Facts\n  Free = {1..6} − (A ∪ C)\n" if "Free" in variables else ""
    return loading.load_text(
        f"System Variables\n  {variables}\n{facts}System Initialization\n  {first}\n"
        f"System States and Behavior\n{behaviour}\n"
    )


def order(game: Game) -> str:
    return next(r.choice for r in game.machine.signature.readings if r.name == "order")


def why(game: Game) -> str:
    return next(r.reason for r in game.machine.signature.readings if r.name == "order")


@pytest.mark.parametrize("parts", [CYCLE, LADDER, BANKS, SEASONS, PAIR, GATES, RING, EVEN])
def test_rules_that_lead_from_one_value_to_the_next_are_read_at_once(
    parts: tuple[str, str, str],
) -> None:
    assert order(load(parts)) == "at once"


@pytest.mark.parametrize("parts", [CHECKED_FIRST, PROMOTED, FLAG, SCRATCH, SIZES, ANSWERED])
def test_rules_that_go_on_with_what_others_did_are_read_in_order(
    parts: tuple[str, str, str],
) -> None:
    assert order(load(parts)) == "in order"


def test_rules_that_undo_each_other_are_named() -> None:
    assert why(load(PAIR)) == (
        "`in order` and `facts frozen` have more against them: "
        "one call may change something and undo it: rules 1 and 2 of Go"
    )


def test_two_turns_in_one_call_are_no_play_where_a_condition_says_whose_turn_it_is() -> None:
    assert "one call makes the moves of two turns: rules 1 and 2 of Go ask for opposites" in why(
        load(EVEN)
    )

    game = load(SIZES)
    tried = game.trials.rows(game.machine.signature.readings)
    rows = {row.choices["order"]: row for row in tried if "order" in row.choices}
    assert not rows["facts frozen"].playable
    assert "rules 1 and 2 of Put ask for opposites" in rows["facts frozen"].why[0]


def test_rules_that_lead_a_variable_round_are_named() -> None:
    assert "one call may lead `now` round to where it was: rules 1, 2 and 3 of Go" in why(
        load(SEASONS)
    )


def test_variables_that_are_all_that_changes_are_no_flags() -> None:
    names = [reading.name for reading in load(GATES).machine.signature.readings]

    assert not any(name.startswith("flag ") for name in names)


def test_no_end_is_spoken_of_where_there_is_none() -> None:
    assert why(load(PROMOTED)) == ("the first order that is playable: no conflict was seen")


def test_a_tuple_that_rules_lead_round_is_read_at_once() -> None:
    code = (
        "code ∈ {0, 1} × {0, 1}\n  laps ∈ {0..2}",
        "code = (0, 0)\n  laps = 0",
        "Next()\n  code = (0, 0) → code = (0, 1)\n  code = (0, 1) → code = (1, 1)\n"
        "  code = (1, 1) → code = (1, 0)\n"
        "  code = (1, 0) ∧ laps < 2 → code = (0, 0) ∧ laps = laps + 1",
    )

    assert order(load(code)) == "at once"
    assert "lead `code` round to where it was: rules 1, 2, 3 and 4 of Next" in why(load(code))


def test_nobody_is_spoken_of_where_nothing_is_played_for() -> None:
    ring = (
        "token ∈ {1, 2}\n  waiting ⊆ {1, 2}\n  sending ∈ {true, false}",
        "token = 1\n  waiting = ∅\n  sending = false",
        "Want(s ∈ {1, 2})\n  s ∉ waiting → waiting = waiting ∪ {s}\n"
        "Step()\n  ¬sending ∧ token ∈ waiting → sending = true\n"
        "  sending → sending = false ∧ waiting = waiting − {token}\n"
        "  ¬sending ∧ token ∉ waiting → token = 3 − token",
    )

    assert why(load(ring)) == (
        "`in order` and `facts frozen` are not playable: `sending` never changes, "
        "and nothing is ever done when `sending`; play: Step()"
    )
