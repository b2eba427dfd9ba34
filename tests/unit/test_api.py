"""The stages joined up, as a program that uses the package sees them."""

import json
from pathlib import Path

import pytest

from tests.support.small_documents import heap_text
from zermelo.api import loading, questions, texts
from zermelo.core.state import Move
from zermelo.core.values import Atom
from zermelo.engines.check.trials import row_json
from zermelo.text.codes import Severity
from zermelo.text.errors import DocumentNotUsable, UsageError
from zermelo.text.source import Notation, Source

COUNTDOWN = heap_text(3)


def test_a_text_becomes_a_game_that_plays() -> None:
    machine = loading.load_text(COUNTDOWN).machine

    state = machine.after(machine.initial, Move("Take", (1,)))

    assert (state["heap"], state["first"]) == (2, False)


def test_the_result_is_set_by_the_end() -> None:
    machine = loading.load_text(COUNTDOWN).machine
    state = machine.initial
    for number in (2, 1):
        state = machine.after(state, Move("Take", (number,)))

    assert state["result"] == Atom("second wins")
    assert machine.legal(state) == ()


def test_every_state_of_a_game_is_counted() -> None:
    space = questions.explore(loading.load_text(COUNTDOWN))

    assert space.is_complete
    # 3; 2 and 1, with the other to move; 1 and 0; 0
    assert space.by_depth == (1, 2, 2, 1)


def test_the_plays_of_a_game_are_counted() -> None:
    # 1, 2; then 1 1, 1 2, 2 1; then 1 1 1
    assert questions.plays(loading.load_text(COUNTDOWN), 3).counts == (2, 3, 1)


def test_a_file_is_loaded_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "countdown.md"
    path.write_text(COUNTDOWN, encoding="utf-8")

    game = loading.load(path)

    assert game.is_loaded
    assert game.source.name == "countdown.md"


def test_a_name_that_is_no_file_and_no_game_says_what_is_near() -> None:
    with pytest.raises(UsageError, match="near it: pegs"):
        loading.load("pegz")


def test_every_game_of_the_library_says_what_it_is() -> None:
    assert [game.name for game in loading.games() if not game.summary] == []


def test_a_fault_in_a_document_does_not_raise() -> None:
    game = loading.load_text("Applicable Sets\n  P : {1, 2, 3\n")

    assert game.diagnostics


def test_a_game_without_a_system_cannot_be_played() -> None:
    game = loading.load_text("Nothing to see here.\n")

    assert not game.is_loaded
    with pytest.raises(DocumentNotUsable, match="nothing to play could be made of document"):
        _ = game.machine


def test_a_caller_decides_what_the_document_leaves_open() -> None:
    game = loading.load_text(COUNTDOWN, readings={"end": "when a result is known"})

    (end,) = [each for each in game.readings if each.name == "end"]
    assert (end.choice, end.decided_by) == ("when a result is known", "caller")


def test_checking_adds_what_playing_shows() -> None:
    text = COUNTDOWN.replace("n ≤ heap →", "heap > 0 →")

    report = questions.check(loading.load_text(text))

    assert "Z602" in {each.code.id for each in report.diagnostics}
    assert questions.exit_code(report.game, report.diagnostics) == 1


def test_the_exit_code_tells_a_system_from_none() -> None:
    assert questions.exit_code(loading.load_text(COUNTDOWN)) == 0
    assert questions.exit_code(loading.load_text("Nothing to see here.\n")) == 2


def test_warnings_count_when_they_are_asked_to() -> None:
    game = loading.load_text(COUNTDOWN.replace("  first = true\n", ""))

    assert {each.level for each in game.diagnostics} & {Severity.WARNING}
    assert (questions.exit_code(game), questions.exit_code(game, strict=True)) == (0, 1)


def test_a_report_is_one_json_object_with_the_promised_names() -> None:
    data = json.loads(json.dumps(questions.check(loading.load_text(COUNTDOWN)).to_json()))

    assert data["loaded"] is True
    assert data["moves"] == [{"name": "Take", "parameters": ["n"]}]
    assert data["players"] == ["first", "second"]
    assert {"name", "choice", "choices", "reason"} <= set(data["readings"][0])
    assert data["space"]["states"] == 6


def test_a_row_of_the_table_of_readings_is_json_too() -> None:
    rows = questions.readings_table(loading.load_text(COUNTDOWN))

    data = json.loads(json.dumps([row_json(row) for row in rows]))

    assert all({"choices", "playable", "why", "taken"} <= set(row) for row in data)


def test_an_expression_is_read_in_the_names_of_the_game() -> None:
    game = loading.load_text(COUNTDOWN)
    checked = texts.expression(game, "{n ∈ H | n > heap − 2}")

    assert checked.value is not None
    assert checked.value.value(game.machine.initial) == frozenset({2, 3})


def test_an_expression_that_is_not_understood_says_why() -> None:
    checked = texts.expression(loading.load_text(COUNTDOWN), "heap +")

    assert checked.value is None
    assert checked.diagnostics


def test_a_document_is_printed_in_another_notation_and_means_the_same() -> None:
    game = loading.load_text(COUNTDOWN)

    text = texts.format_text(game, to=Notation.ASCII)

    assert text.isascii()
    assert questions.explore(loading.load_text(text)).by_depth == (1, 2, 2, 1)


def test_a_fix_is_made_in_the_text() -> None:
    assert texts.fixed(Source("a", "abc"), ()) == "abc"


def test_the_page_of_a_code_is_found_in_any_case() -> None:
    assert texts.page("z601").startswith("# Z601: two rules that assign different values")


def test_a_code_without_a_page_says_what_is_near() -> None:
    with pytest.raises(UsageError, match="no diagnostic with the code `Z6O1`; near it: Z601"):
        texts.page("Z6O1")


def test_the_same_document_gives_the_same_game() -> None:
    assert loading.load_text(COUNTDOWN) == loading.load_text(COUNTDOWN)


ENDLESS = COUNTDOWN.replace("over ↔ (heap = 0)", "over ↔ (heap = 9)")


def test_plays_without_an_end_are_told() -> None:
    report = questions.check(loading.load_text(ENDLESS))

    assert "Z615" in {each.code.id for each in report.diagnostics}
    assert not report.is_in_spite_of_errors


def test_what_may_be_the_consequence_of_an_error_is_held_back() -> None:
    broken = ENDLESS.replace("n ≤ heap →", "n ≤ hoop ∪ → ∧ →")
    report = questions.check(loading.load_text(broken))

    said = {each.code.id for each in report.diagnostics}
    assert any(each.is_error for each in report.diagnostics)
    assert report.is_in_spite_of_errors
    assert not said & {"Z570", "Z573", "Z611", "Z613", "Z614", "Z615"}


def test_what_a_formula_without_a_value_brings_about_is_held_back() -> None:
    """Every first move divides by 0, so nothing is reached, and nobody can move: one message."""
    broken = COUNTDOWN.replace("n ≤ heap →", "n ≤ heap ∧ 1/(heap − 3) > 0 →")
    report = questions.check(loading.load_text(broken))

    assert [each.code.id for each in report.diagnostics] == ["Z603"]


def test_who_is_stuck_where_nothing_goes_wrong_is_told_beside_a_fault() -> None:
    """Taking 2 first divides by 0; from 1 nothing more can be taken, whatever goes wrong."""
    stops = COUNTDOWN.replace("n ≤ heap →", "heap > 1 ∧ n ≤ heap ∧ (n = 1 ∨ 1/(heap − 3) > 0) →")
    report = questions.check(loading.load_text(stops))

    said = {each.code.id for each in report.diagnostics}
    assert {"Z603", "Z611"} <= said
    assert "Z615" not in said


def test_what_follows_from_a_lost_fact_is_held_back() -> None:
    """Nothing says what `may` is, so nobody can move and nothing ends: one message."""
    text = COUNTDOWN.replace("first, over ∈ B", "first, over, may ∈ B")
    report = questions.check(loading.load_text(text.replace("n ≤ heap →", "may ∧ n ≤ heap →")))

    assert [each.code.id for each in report.diagnostics] == ["Z546"]


def test_what_follows_from_an_assumed_first_value_is_held_back() -> None:
    """A heap of 0 is assumed: the play is over before the first move."""
    report = questions.check(loading.load_text(COUNTDOWN.replace("  heap = 3\n", "")))

    (told,) = report.diagnostics
    assert told.code.id == "Z505"
    assert told.notes == ("starting so, the play is over before the first move",)


def _orders_taken(rules: str, who: str) -> str:
    text = f"""
Applicable Sets
  P : {{1..6}}
  B : {{true, false}}
System Variables
  One, Two, Three ⊆ P
  {who}
  count ∈ {{0..3}}
  over ∈ B
System Facts
  over ↔ (One ∪ Two ∪ Three = P)
System Initialization
  One, Two, Three = ∅
  count = 0
  turn = true
  who = 1
System States and Behavior
Take(p ∈ P)
{rules}
GameOver(over)
  result ∈ {{full}}
  over → result = full
"""
    game = loading.load_text(text)
    return next(each.choice for each in game.readings if each.name == "order")


def test_a_counter_that_starts_again_does_not_pass_the_turn_twice() -> None:
    rules = """
  turn ∧ p ∉ One ∪ Two → One = One ∪ {p} ∧ count = count + 1
  ¬turn ∧ p ∉ One ∪ Two → Two = Two ∪ {p} ∧ count = count + 1
  turn = ¬turn
  count = 3 → count = 0
"""

    assert _orders_taken(rules, "turn ∈ B, who ∈ {1}") == "in order"


def test_a_turn_that_wraps_around_is_passed_once() -> None:
    rules = """
  ok = true
  who = 3 ∧ ok ∧ p ∉ One ∪ Two ∪ Three → Three = Three ∪ {p} ∧ who = who + 1 ∧ ok = false
  who = 2 ∧ ok ∧ p ∉ One ∪ Two ∪ Three → Two = Two ∪ {p} ∧ who = who + 1 ∧ ok = false
  who = 1 ∧ ok ∧ p ∉ One ∪ Two ∪ Three → One = One ∪ {p} ∧ who = who + 1 ∧ ok = false
  who > 3 → who = 1
"""

    assert _orders_taken(rules, "who ∈ {1..4}, turn ∈ B, ok ∈ B") == "in order"
