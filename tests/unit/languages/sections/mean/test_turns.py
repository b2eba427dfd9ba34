"""What says whose turn it is, and what only looks like it."""

from tests.support.meaning import with_players

EXCHANGE = """
Applicable Sets
  V : {0, 1, 2}
System Variables
  a, b, spare ∈ V
  over ∈ {true, false}
System Facts
  over ↔ (a = 2 ∧ b = 1)
System Initialization
  a = 1
  b = 2
  spare = 0
System States and Behavior
Left()
  spare = 0 ∧ a ≠ 0 → spare = a ∧ a = 0
Right()
  spare = 0 ∧ b ≠ 0 → spare = b ∧ b = 0
BackLeft()
  spare ≠ 0 ∧ a = 0 → a = spare ∧ spare = 0
BackRight()
  spare ≠ 0 ∧ b = 0 → b = spare ∧ spare = 0
"""

BOAT = """
Applicable Sets
  P : {1, 2, 3}
System Variables
  Left, Right ⊆ P
  boat ∈ {left, right}
  over ∈ {true, false}
System Facts
  over ↔ (Right = P)
System Initialization
  Left = P
  Right = ∅
  boat = left
System States and Behavior
Row(p ∈ P)
  boat = left ∧ p ∈ Left → Left = Left − {p} ∧ Right = Right ∪ {p} ∧ boat = right
  boat = right ∧ p ∈ Right → Right = Right − {p} ∧ Left = Left ∪ {p} ∧ boat = left
"""

HAND = """
Applicable Sets
  P : {1, 2, 3}
System Variables
  Red, Blue ⊆ P
  hand ∈ {none, red, blue}
System Initialization
  Red, Blue = ∅
  hand = none
System States and Behavior
Take(c ∈ {red, blue})
  hand = none → hand = c
Put(p ∈ P)
  hand = red ∧ p ∉ Red ∪ Blue → Red = Red ∪ {p} ∧ hand = none
  hand = blue ∧ p ∉ Red ∪ Blue → Blue = Blue ∪ {p} ∧ hand = none
"""

STONES = """
Applicable Sets
  P : {1, 2, 3, 4}
System Variables
  Dark, Light ⊆ P
  t ∈ {1, 2}
  over ∈ {true, false}
System Facts
  over ↔ (Dark ∪ Light = P)
System Initialization
  Dark, Light = ∅
  t = 1
System States and Behavior
Lay(p ∈ P)
  t = 1 ∧ p ∉ Dark ∪ Light → Dark = Dark ∪ {p} ∧ t = 2
  t = 2 ∧ p ∉ Dark ∪ Light → Light = Light ∪ {p} ∧ t = 1
"""


def names(text: str) -> list[str]:
    system = with_players(text).value
    assert system is not None
    return [player.name for player in system.players]


def test_a_variable_that_values_are_moved_through_is_no_turn() -> None:
    assert names(EXCHANGE) == ["Player"]


def test_a_name_of_a_spare_cell_may_still_say_whose_turn_it_is() -> None:
    assert names(EXCHANGE.replace("spare", "turn")) == ["Player 0", "Player 1", "Player 2"]


def test_a_spare_cell_of_a_system_without_an_end_makes_no_players() -> None:
    endless = EXCHANGE.replace("  over ∈ {true, false}\n", "")
    endless = endless.replace("System Facts\n  over ↔ (a = 2 ∧ b = 1)\n", "")

    assert names(endless) == []


def test_a_boat_is_no_turn_where_every_crossing_changes_both_banks() -> None:
    assert names(BOAT) == ["Player"]


def test_a_value_under_which_nothing_of_its_own_changes_is_nobody() -> None:
    assert names(HAND) == []


def test_what_decides_who_changes_which_set_is_a_turn_whatever_its_name() -> None:
    assert names(STONES) == ["Dark", "Light"]


def test_a_name_makes_a_turn_of_what_both_sides_change() -> None:
    assert names(BOAT.replace("boat", "turn")) == ["left", "right"]
