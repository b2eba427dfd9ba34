"""The rule log of a turn, and why a move can or cannot be made."""

from dataclasses import replace

from tests.support.boards import rows, steps
from tests.support.meaning import meant
from tests.support.models import played
from zermelo.languages.sections.explain.turn_log import facts_line, flags_line
from zermelo.languages.sections.ir import Order, System
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.play.lines import log, state_lines, why
from zermelo.play.notation import from_text
from zermelo.text.prose import plain_text


def logged(system: System, last: str, *moves: str) -> str:
    session = played(system, *moves)
    asked = from_text(last, session.words, session.state)
    return plain_text(log(session.words, session.attempt(asked)))


def with_order(order: Order) -> System:
    system = rows()
    place, end = system.procedures
    return replace(system, procedures=(replace(place, order=order), end))


def test_every_rule_is_shown_with_its_parts_changes_and_facts() -> None:
    assert logged(rows(), "2 3", "1 1", "2 1", "1 2", "2 2", "3 3") == (
        "Place((2, 3))\n"
        "\n"
        "Place is called with pos = (2, 3).\n"
        "  Rules in order: each sees what those before it changed, and facts follow every change.\n"
        "  rule 1 does not fire\n"
        "    turn ∧ pos ∈ Free → Cross = Cross ∪ {pos} ∧ turn = ¬turn\n"
        "    ✗ turn\n"
        "    · pos ∈ Free   not reached\n"
        "  rule 2 fires\n"
        "    ¬turn ∧ pos ∈ Free → Nought = Nought ∪ {pos} ∧ turn = ¬turn\n"
        "    ✓ ¬turn        turn = false\n"
        "    ✓ pos ∈ Free   pos = (2, 3), Free = {(1, 3), (2, 3), (3, 1), (3, 2)}\n"
        "    ▸ Nought gains (2, 3): {(2, 1), (2, 2), (2, 3)}\n"
        "    ▸ turn becomes true\n"
        "      so the fact Free loses (2, 3): {(1, 3), (3, 1), (3, 2)}\n"
        "      so the fact over becomes true\n"
        "\n"
        "The move changed something, so the end, GameOver, is called.\n"
        "  Rules in order: each sees what those before it changed, and facts follow every change.\n"
        "  rule 1 does not fire\n"
        "    ∃r ∈ N: {r} × N ⊆ Cross → result = Cross wins\n"
        "    ✗ ∃r ∈ N: {r} × N ⊆ Cross   no r in N (3 members)\n"
        "  rule 2 fires\n"
        "    ∃r ∈ N: {r} × N ⊆ Nought → result = Nought wins\n"
        "    ✓ ∃r ∈ N: {r} × N ⊆ Nought   r = 2, {r} × N = {(2, 1), (2, 2), (2, 3)}, "
        "Nought = {(2, 1), (2, 2), (2, 3)}\n"
        "    ▸ result becomes Nought wins\n"
        "\n"
        "After (2, 3):\n"
        "    Cross = {(1, 1), (1, 2), (3, 3)}\n"
        "  ▸ Nought = {(2, 1), (2, 2), (2, 3)}   gains (2, 3)\n"
        "  ▸ turn = true   was false\n"
        "  ▸ result = Nought wins   was unset\n"
        "  ▸ Free = {(1, 3), (3, 1), (3, 2)} (fact)   loses (2, 3)\n"
        "  ▸ over = true (fact)   was false\n"
        "The play is over: Nought wins."
    )


def test_frozen_facts_are_said_to_be_seen_later() -> None:
    text = logged(with_order(Order.FACTS_FROZEN), "1 1")

    assert (
        "  Facts frozen: rules in order, each sees what those before it changed, "
        "but facts keep the values they had when the move was called.\n"
    ) in text
    assert (
        "      so the fact Free loses (1, 1): 8 members; "
        "the other rules of this call still see the old value\n"
    ) in text


def test_at_once_the_order_is_said_not_to_matter() -> None:
    assert (
        "  Rules at once: every guard and every right side is taken before the call, "
        "so their order does not matter.\n"
    ) in logged(with_order(Order.AT_ONCE), "1 1")


ROUND = """
Applicable Sets
  S : {0, 1}
System Variables
  p ∈ S
System Initialization
  p = 0
System States and Behavior
Step()
  p = 0 → p = 1
  p = 1 → p = 0
"""


def test_rules_that_undo_each_other_are_not_said_to_change_nothing() -> None:
    text = logged(meant(ROUND), "Step")

    assert "No effect: what rules 1 and 2 changed is in the end as it was, so Step" in text


def test_a_move_without_effect_is_refused_and_the_end_is_not_called() -> None:
    text = logged(rows(), "1 1", "1 1")

    assert text.endswith(
        "\n\nNo effect: no rule changed anything, so (1, 1) is refused. "
        "The state stays as it was, and GameOver is not called. It is still the turn of Nought."
    )
    assert "so the end, GameOver" not in text


def test_a_move_that_changes_only_a_flag_has_no_effect() -> None:
    assert logged(steps(), "1 2 2 2").endswith(
        "No effect: only ok changed, which every turn starts afresh, "
        "so (1, 2) → (2, 2) is refused. The state stays as it was."
    )


def test_locals_are_shown_with_their_values() -> None:
    assert "  a = 1, b = 1\n  c = 2, d = 1\n" in logged(steps(), "1 1 2 1")


def test_after_the_end_a_move_is_refused() -> None:
    assert logged(rows(), "3 3", "1 1", "2 1", "1 2", "2 2", "1 3") == (
        "Place((3, 3))\n\nRefused: the play is over (Cross wins)."
    )


def test_facts_and_flags_are_introduced_in_a_sentence() -> None:
    facts, flags = facts_line(rows()), flags_line(steps())

    assert facts is not None
    assert facts.text == (
        "Free and over are facts: computed from the other variables, never assigned."
    )
    assert flags is not None
    assert flags.text == "ok is a flag: it starts every turn afresh and is no part of the state."
    assert facts_line(steps()) is None
    assert flags_line(rows()) is None


def test_a_state_lists_stored_values_and_facts() -> None:
    machine = Interpreter(rows())

    assert plain_text(state_lines(machine, machine.initial, indent=0)) == (
        "  Cross = ∅\n"
        "  Nought = ∅\n"
        "  turn = true\n"
        "  result = unset\n"
        "  Free = {(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)} (fact)\n"
        "  over = false (fact)"
    )


def answer(system: System, question: str, *moves: str) -> str:
    session = played(system, *moves)
    asked = from_text(question, session.words, session.state)
    return plain_text(why(session.words, session.state, asked))


def test_the_nearest_rule_is_shown_part_by_part_and_the_others_by_what_they_lack() -> None:
    assert answer(rows(), "1 1", "1 1") == (
        "(1, 1) has no effect here, so it is refused.\n"
        "  Rule 2 of Place is nearest:\n"
        "    ¬turn ∧ pos ∈ Free → Nought = Nought ∪ {pos} ∧ turn = ¬turn\n"
        "    ✓ ¬turn        turn = false\n"
        "    ✗ pos ∈ Free   pos = (1, 1), "
        "Free = {(1, 2), (1, 3), (2, 1), (2, 2), … 4 more}\n"
        "  Rule 1 needs turn, which is false."
    )


def test_parts_behind_the_one_that_fails_were_not_reached() -> None:
    assert answer(steps(), "1 1 3 1") == (
        "(1, 1) → (3, 1) has no effect here, so it is refused.\n"
        "  Rule 1 of Step is nearest:\n"
        "    old ∈ White ∧ c = a + 1 ∧ d = b → ok = ¬ok\n"
        "    ✓ old ∈ White   old = (1, 1), White = {(1, 1), (1, 2), (2, 2)}\n"
        "    ✗ c = a + 1     c = 3, a + 1 = 2\n"
        "    · d = b         not reached\n"
        "  Rule 2 needs ok, which is false."
    )


def test_a_rule_that_fires_and_changes_only_a_flag_is_told() -> None:
    assert answer(steps(), "1 2 2 2") == (
        "(1, 2) → (2, 2) has no effect here, so it is refused.\n"
        "  Rule 1 fires, but only changes ok.\n"
        "  Rule 2 of Step is nearest:\n"
        "    ok ∧ new ∉ White → White = (White − {old}) ∪ {new} ∧ made = made + 1\n"
        "    ✓ ok\n"
        "    ✗ new ∉ White   new = (2, 2), White = {(1, 1), (1, 2), (2, 2)}"
    )


def test_a_move_that_can_be_made_shows_the_rules_that_fire() -> None:
    assert answer(rows(), "2 2") == (
        "(2, 2) can be made.\n"
        "  Rule 1 of Place fires:\n"
        "    turn ∧ pos ∈ Free → Cross = Cross ∪ {pos} ∧ turn = ¬turn\n"
        "    ✓ turn\n"
        "    ✓ pos ∈ Free   pos = (2, 2), "
        "Free = {(1, 1), (1, 2), (1, 3), (2, 1), …, (2, 2), … 4 more}\n"
        "    ▸ Cross gains (2, 2): {(2, 2)}\n"
        "    ▸ turn becomes false"
    )


def test_an_argument_outside_its_set_is_the_reason() -> None:
    assert answer(rows(), "9 9").startswith("(9, 9) is not possible: pos = (9, 9) is not in P.")


def test_after_the_end_no_move_can_be_made() -> None:
    assert answer(rows(), "3 3", "1 1", "2 1", "1 2", "2 2", "1 3") == (
        "(3, 3) is not possible: the play is over (Cross wins)."
    )
