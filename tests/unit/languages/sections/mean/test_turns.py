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

FUNCTIONS = """
Applicable Sets
  P : {1, 2}
System Variables
  heap, board : P → {0, 1, 2}
  turn, over ∈ {true, false}
System Facts
  over ↔ ∀ p ∈ P: heap(p) = 0
System Initialization
  heap(1) = 2
  heap(2) = 1
  board(1) = 0
  board(2) = 0
  turn = true
System States and Behavior
Take(p ∈ P)
  turn ∧ heap(p) > 0 → heap(p) = heap(p) − 1 ∧ turn = false
Lay(p ∈ P)
  ¬turn ∧ board(p) < 2 → board(p) = board(p) + 1 ∧ turn = true
"""

SHELF = """
Applicable Sets
  C : {1, 2, 3, 4}
System Variables
  bag, shelf ⊆ C
  turn, over ∈ {true, false}
System Facts
  over ↔ (bag = ∅)
System Initialization
  bag = C
  shelf = ∅
  turn = true
System States and Behavior
Clear(c, d ∈ C)
  turn ∧ c ∈ bag ∧ d ∈ bag → bag = bag − {c, d} ∧ shelf = shelf ∪ {c, d} ∧ turn = false
Back(c ∈ C)
  ¬turn ∧ c ∈ shelf → shelf = shelf − {c} ∧ bag = bag ∪ {c} ∧ turn = true
"""

PICK_AND_PUT = """
Applicable Sets
  C : {1, 2, 3}
System Variables
  left, right, hand ⊆ C
  full, over ∈ {true, false}
System Facts
  over ↔ (right = C)
System Initialization
  left = C
  right, hand = ∅
  full = false
System States and Behavior
Pick(c ∈ C)
  ¬full ∧ c ∈ left → left = left − {c} ∧ hand = {c} ∧ full = true
Put(c ∈ C)
  full ∧ c ∈ hand → hand = ∅ ∧ right = right ∪ {c} ∧ full = false
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


def test_functions_that_change_in_turn_are_no_names_of_players() -> None:
    assert names(FUNCTIONS) == ["Player 1", "Player 2"]


def test_steps_of_a_puzzle_with_two_functions_are_nobodys_turns() -> None:
    assert names(FUNCTIONS.replace("turn", "free")) == ["Player"]


def test_functions_in_which_each_counts_for_themselves_are_names_of_players() -> None:
    counting = FUNCTIONS.replace("heap(p) > 0", "heap(p) < 2").replace("heap(p) − 1", "heap(p) + 1")
    counting = counting.replace("heap(1) = 2", "heap(1) = 0").replace("heap(2) = 1", "heap(2) = 0")

    assert names(counting.replace("heap(p) = 0", "heap(p) = 2")) == ["heap", "board"]


def test_sets_between_which_both_carry_the_same_things_are_no_names_of_players() -> None:
    assert names(SHELF) == ["Player 1", "Player 2"]


def test_a_set_that_only_one_of_two_has_is_no_name_beside_a_number() -> None:
    alone = SHELF.replace(" ∧ bag = bag ∪ {c}", "").replace("c ∈ shelf", "c ∈ bag")
    alone = alone.replace("shelf = shelf − {c}", "bag = bag − {c}")

    assert names(alone) == ["Player 1", "Player 2"]


def test_taking_up_and_laying_down_are_steps_of_one_player() -> None:
    assert names(PICK_AND_PUT) == ["Player"]
