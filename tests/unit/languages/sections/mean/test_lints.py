"""What looks wrong and can be used."""

import pytest

from tests.support.meaning import codes_of, meant, parsed
from zermelo.languages.sections.mean.lints import lints
from zermelo.text.diagnostic import Diagnostic

CLEAN = """
Applicable Sets
  P : {1..4}
  B : {true, false}
System Variables
  mine, yours ⊆ P
  turn, over ∈ B
System Facts
  over ↔ (mine ∪ yours = P)
System Initialization
  mine, yours = ∅
  turn = true
System States and Behavior
Take(p ∈ P)
  turn ∧ p ∉ mine ∪ yours → mine = mine ∪ {p} ∧ turn = false
  ¬turn ∧ p ∉ mine ∪ yours → yours = yours ∪ {p} ∧ turn = true
GameOver(over)
  result ∈ {mine wins, yours wins}
  over ∧ 1 ∈ mine → result = mine wins
  over ∧ 1 ∉ mine → result = yours wins
"""


def found(text: str) -> tuple[Diagnostic, ...]:
    return lints(parsed(text), meant(text))


def said(text: str) -> list[str]:
    return codes_of(found(text))


def changed(old: str, new: str, *, text: str = CLEAN) -> str:
    assert old in text
    return text.replace(old, new, 1)


def test_a_clean_document_gets_no_lint() -> None:
    assert said(CLEAN) == []


def test_a_set_that_is_never_used_is_told() -> None:
    text = changed("  B : {true", "  F : {1, 2}\n  B : {true")

    assert [d.message for d in found(text)] == ["the set `F` is never used"]


def test_an_unused_set_in_words_that_are_not_understood_is_told() -> None:
    text = changed("  B : {true", "  F : F is the set of all things that are nice\n  B : {true")

    assert [d.message for d in found(text)] == ["the set `F` is never used"]


def test_a_set_that_only_a_view_uses_is_used() -> None:
    text = changed("  B : {true", "  F : {1, 2}\n  B : {true") + "View\n  board: F\n"

    assert said(text) == []


def test_a_family_is_used_by_its_members() -> None:
    text = changed("  B : {true", "  H_n : {x ∈ P | x < n}\n  B : {true")
    text = changed("(mine ∪ yours = P)", "(H_2 ⊆ mine)", text=text)

    assert "Z701" not in said(text)


def test_a_variable_that_no_fact_or_rule_mentions_is_told() -> None:
    text = changed("turn, over ∈ B", "turn, over, ok ∈ B")
    text = changed("  turn = true\nSystem", "  turn = true\n  ok = false\nSystem", text=text)

    assert [d.message for d in found(text)] == ["the variable `ok` is never used"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(mine ∪ yours = P)", "(mine ∪ mine = P ∨ yours = P)"),
        ("(mine ∪ yours = P)", "(mine ∪ yours = mine ∪ yours)"),
        ("(mine ∪ yours = P)", "(mine = P ∨ mine = P)"),
        ("turn ∧ p ∉", "turn ∧ turn ∧ p ∉"),
        ("1 ∈ mine →", "|mine − mine| < 1 →"),
    ],
)
def test_both_sides_alike_are_told(old: str, new: str) -> None:
    assert "Z711" in said(changed(old, new))


def test_a_number_added_to_itself_is_fine() -> None:
    assert "Z711" not in said(changed("1 ∈ mine →", "1 + 1 ∈ mine →"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  turn ∧ p ∉", "  turn ∧ ¬turn ∧ p ∉"),
        ("  turn ∧ p ∉", "  turn ∧ p ∈ mine ∧ p ∉ mine ∧ p ∉"),
        ("  turn ∧ p ∉", "  turn ∧ p = 1 ∧ p = 2 ∧ p ∉"),
        ("  turn ∧ p ∉", "  turn ∧ p ∈ ∅ ∧ p ∉"),
    ],
)
def test_a_guard_that_never_holds_is_told(old: str, new: str) -> None:
    assert said(changed(old, new)) == ["Z712"]


def test_one_guard_with_two_conclusions_is_told() -> None:
    text = changed(
        "  ¬turn ∧ p ∉ mine ∪ yours → yours",
        "  turn ∧ p ∉ mine ∪ yours → mine = {p} ∧ yours",
    )

    assert "Z713" in said(text)


def test_an_assignment_that_changes_nothing_is_told() -> None:
    assert said(changed("∧ turn = true\n", "∧ turn = turn\n")) == ["Z714"]


def test_a_result_that_no_rule_sets_is_told() -> None:
    text = changed("{mine wins, yours wins}", "{mine wins, yours wins, draw}")

    assert [d.message for d in found(text)] == ["no rule sets `result` to `draw`"]


def test_rules_that_may_both_set_the_result_are_told_once() -> None:
    text = changed("1 ∉ mine → result", "2 ∈ yours → result")

    assert said(text) == ["Z716"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("|mine| > |yours|", "|mine| < |yours|"),
        ("|mine| > |yours|", "|yours| > |mine|"),
        ("|mine| = |yours|", "|mine| ≠ |yours|"),
        ("turn", "¬turn"),
        ("|mine| = 1", "|mine| = 2"),
    ],
)
def test_rules_that_exclude_each_other_do_not_compete(first: str, second: str) -> None:
    text = changed("over ∧ 1 ∈ mine →", f"over ∧ {first} →")
    text = changed("over ∧ 1 ∉ mine →", f"over ∧ {second} →", text=text)

    assert said(text) == []


def test_a_value_that_the_result_has_at_first_needs_no_rule() -> None:
    text = changed("result ∈ {mine wins, yours wins}\n", "")
    text = changed(
        "turn, over ∈ B", "turn, over ∈ B\n  result ∈ {mine wins, yours wins, none}", text=text
    )
    text = changed("  turn = true\nSystem", "  turn = true\n  result = none\nSystem", text=text)

    assert said(text) == []


def test_rules_that_add_to_a_set_of_results_do_not_compete() -> None:
    text = changed("result ∈ {mine wins, yours wins}\n", "")
    text = changed("turn, over ∈ B", "turn, over ∈ B\n  result ⊆ {mine, yours}", text=text)
    text = changed("result = mine wins", "result = result ∪ {own}", text=text)
    text = changed("result = yours wins", "result = result ∪ {other}", text=text)
    text = changed("{mine, yours}\n", "{own, other}\n", text=text)
    text = changed("1 ∉ mine", "2 ∈ yours", text=text)

    assert "Z716" not in said(text)


def test_a_rule_that_asks_for_the_result_first_does_not_compete() -> None:
    text = changed("result ∈ {mine wins, yours wins}\n", "")
    text = changed(
        "turn, over ∈ B", "turn, over ∈ B\n  result ⊆ {mine wins, yours wins}", text=text
    )
    text = changed("result = mine wins", "result = {mine wins}", text=text)
    text = changed(
        "1 ∉ mine → result = yours wins", "result = ∅ → result = {yours wins}", text=text
    )

    assert "Z716" not in said(text)


def test_an_end_that_passes_the_turn_is_told_with_the_reading_that_applies() -> None:
    (lint,) = found(CLEAN + "  ¬over → turn = ¬turn\n")

    assert lint.code.id == "Z717"
    assert "input without effect: refused" in lint.notes[0]


def test_an_end_that_passes_the_turn_is_fine_when_the_document_has_decided() -> None:
    text = CLEAN + "  ¬over → turn = ¬turn\nReading\n  input without effect: refused\n"

    assert said(text) == []


def test_sets_that_merge_are_told() -> None:
    text = changed("  turn, over ∈ B", "  turn, over ∈ B\n  W ⊆ 𝒫(P)")
    text = changed("System Facts\n", "System Facts\n  W = {mine} ∪ {yours}\n", text=text)
    text = changed("1 ∈ mine →", "{1} ∈ W →", text=text)

    assert "Z721" in said(text)


def test_sets_that_start_apart_are_not_told() -> None:
    text = changed("  turn, over ∈ B", "  turn, over ∈ B\n  W ⊆ 𝒫(P)")
    text = changed("System Facts\n", "System Facts\n  W = {mine, yours}\n", text=text)
    text = changed("mine, yours = ∅", "mine = ∅\n  yours = {4}", text=text)

    assert "Z721" not in said(text)


def test_a_set_that_begins_a_result_is_told_once() -> None:
    text = CLEAN.replace("mine wins", "P wins").replace("yours wins", "B wins")

    (lint,) = found(text)

    assert lint.message == "`P` and `B` are sets, and begin the results `P wins` and `B wins`"


def test_lints_come_in_the_order_of_their_places() -> None:
    text = changed("  B : {true", "  F : {1, 2}\n  B : {true")
    text = changed("∧ turn = true\n", "∧ turn = turn\n", text=text)

    assert said(text) == ["Z701", "Z714"]


ENDS = """
Applicable Sets
  P : {1..4}
  V : {true, false}
System Variables
  mine ⊆ P
  turn, over ∈ V
System Facts
  over ↔ (mine = P)
System Initialization
  mine = ∅
  turn = true
System States and Behavior
Take(p ∈ P)
  p ∉ mine → mine = mine ∪ {p} ∧ turn = ¬turn
GameOver(over)
  result ∈ {up, down}
  over ∧ FIRST → result = up
  over ∧ SECOND → result = down
"""


@pytest.mark.parametrize(
    ("first", "second", "overlap"),
    [
        ("turn", "¬turn", False),
        ("∃x ∈ mine: x = 1", "¬(∃x ∈ mine: x = 1)", False),
        ("∃x ∈ mine: x < 2", "∀x ∈ mine: x = 2", False),
        ("∃x ∈ mine: (x > 1 ∧ x < 3)", "∀x ∈ mine: (x > 1 → x = 3)", False),
        ("∃x ∈ mine: x < 2", "∀x ∈ P: x = 2", True),
        ("∃x ∈ mine: x < 2", "∀x ∈ mine: (x > 1 → x = 3)", True),
        ("|mine| = 1", "|mine| ≠ 1", False),
        ("|mine| > 1", "1 > |mine|", False),
        ("|mine| ≥ 1", "|mine| ≤ 1", True),
        ("1 ∈ mine", "1 ∉ mine", False),
        ("1 ∈ mine", "¬(1 ∈ mine ∨ turn)", False),
        ("(1 ∈ mine ∨ turn)", "1 ∉ mine ∧ ¬turn", True),
        ("(|mine| = 1 ∨ |mine| = 2)", "|mine| = 3", False),
        ("1 ∈ mine", "2 ∈ mine", True),
    ],
)
def test_results_clash_only_if_their_guards_can_hold_together(
    first: str, second: str, *, overlap: bool
) -> None:
    text = ENDS.replace("FIRST", first).replace("SECOND", second)

    assert ("Z716" in said(text)) is overlap


def test_a_set_of_numbers_that_variables_are_declared_with_is_used() -> None:
    text = CLEAN.replace("  B : ", "  ℕ : set of natural numbers\n  B : ").replace(
        "  turn, over", "  n ∈ ℕ\n  turn, over"
    )

    assert "Z701" not in said(text)
