"""Why a move can or cannot be made."""

from tests.support.boards import rows, steps
from zermelo.languages.sections.explain.why import lines, why
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.play.notation import from_text
from zermelo.play.session import Session
from zermelo.text.prose import plain_text


def answer(system: System, question: str, *moves: str) -> str:
    session = Session(Interpreter(system))
    for move in moves:
        session.make_text(move)
    asked = from_text(question, session.machine, session.state)
    return plain_text(lines(why(session.machine, session.state, asked)))


def test_the_nearest_rule_is_shown_part_by_part_and_the_others_by_what_they_lack() -> None:
    assert answer(rows(), "1 1", "1 1") == (
        "(1, 1) has no effect here, so it is refused.\n"
        "  Rule 2 of Place is nearest:\n"
        "    ¬turn ∧ pos ∈ Free → Nought = Nought ∪ {pos} ∧ turn = ¬turn\n"
        "    ✓ ¬turn        turn = false\n"
        "    ✗ pos ∈ Free   pos = (1, 1), Free has 8 members\n"
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
        "    ✓ pos ∈ Free   pos = (2, 2), Free has 9 members\n"
        "    ▸ Cross gains (2, 2): {(2, 2)}\n"
        "    ▸ turn becomes false"
    )


def test_an_argument_outside_its_set_is_the_reason() -> None:
    assert answer(rows(), "9 9").startswith("(9, 9) is not possible: pos = (9, 9) is not in P.")


def test_after_the_end_no_move_can_be_made() -> None:
    assert answer(rows(), "3 3", "1 1", "2 1", "1 2", "2 2", "1 3") == (
        "(3, 3) is not possible: the play is over (Cross wins)."
    )
