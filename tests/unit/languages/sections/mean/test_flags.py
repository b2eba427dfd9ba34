"""Variables that live for one turn."""

from tests.support.meaning import meant
from zermelo.languages.sections.ir import VariableRole

TEXT = """
Applicable Sets
  P : {1..4}
  B : {true, false}
System Variables
  mine, yours ⊆ P
  turn, ok, over, found ∈ B
  last ∈ P
System Facts
  over ↔ (mine ∪ yours = P)
System Initialization
  mine, yours = ∅
  turn = true
  ok, found = false
  last = 1
System States and Behavior
Take(p ∈ P)
  found = false
  last = p
  p ∉ mine ∪ yours → ok = true
  ok ∧ turn → mine = mine ∪ {p} ∧ turn = ¬turn ∧ ok = false ∧ found = true
  ok ∧ ¬turn → yours = yours ∪ {p} ∧ turn = ¬turn ∧ ok = false
GameOver(over)
  result ∈ {done, going}
  over ∧ found → result = done
"""


def role(text: str, name: str, choices: dict[str, str] | None = None) -> VariableRole:
    variable = meant(text, choices).variable(name)
    assert variable is not None
    return variable.role


def test_booleans_that_a_move_assigns_and_a_guard_reads_may_be_flags() -> None:
    names = [r.name for r in meant(TEXT).readings if r.name.startswith("flag ")]

    assert names == ["flag ok"]


def test_what_steers_other_changes_both_ways_is_a_flag_only_if_somebody_says_so() -> None:
    assert role(TEXT, "turn") is VariableRole.STORED
    assert role(TEXT, "turn", {"flag turn": "fresh"}) is VariableRole.FLAG


def test_scratch_is_kept_if_somebody_says_so() -> None:
    assert role(TEXT, "last", {"flag last": "kept"}) is VariableRole.STORED


def test_a_flag_is_kept_until_somebody_decides() -> None:
    assert role(TEXT, "ok") is VariableRole.STORED
    assert role(TEXT, "ok", {"flag ok": "fresh"}) is VariableRole.FLAG
    assert role(TEXT, "turn", {"flag ok": "fresh"}) is VariableRole.STORED


def test_what_every_move_writes_before_anything_reads_it_is_no_part_of_the_state() -> None:
    assert role(TEXT, "found") is VariableRole.FLAG
    assert role(TEXT, "last") is VariableRole.FLAG


def test_what_is_read_before_it_is_written_is_stored() -> None:
    text = TEXT.replace("  last = p\n", "  p = last → ok = false\n  last = p\n")

    assert role(text, "last") is VariableRole.STORED


def test_what_a_fact_reads_is_stored() -> None:
    text = TEXT.replace("(mine ∪ yours = P)", "(mine ∪ yours = P ∨ last = 4)")

    assert role(text, "last") is VariableRole.STORED


def test_what_only_a_rule_writes_is_stored() -> None:
    text = TEXT.replace("  last = p\n", "  p ∈ P → last = p\n")

    assert role(text, "last") is VariableRole.STORED


def test_what_one_move_does_not_write_is_stored() -> None:
    text = TEXT.replace("GameOver(over)", "Pass()\n  ¬over → turn = ¬turn\nGameOver(over)")

    assert role(text, "last") is VariableRole.STORED
    assert role(text, "found") is VariableRole.STORED


def test_over_is_no_flag() -> None:
    text = """
Applicable Sets
  B : {true, false}
System Variables
  n ∈ {0..3}
  over ∈ B
System Initialization
  n = 0
  over = false
System States and Behavior
Step()
  ¬over ∧ n < 3 → n = n + 1
  n = 3 → over = true
"""

    assert not [r for r in meant(text).readings if r.name.startswith("flag ")]


def test_what_nothing_reads_is_stored_unless_it_repeats_the_input() -> None:
    text = TEXT.replace("  last = p\n", "  last = 2\n")

    assert role(text, "last") is VariableRole.STORED
