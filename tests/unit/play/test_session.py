"""Plays in progress."""

import pytest

from tests.support.boards import rows, steps
from zermelo.core.machine import Move
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.play.session import Session
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood


def played(*moves: str) -> Session:
    session = Session(Interpreter(rows()))
    for move in moves:
        session.make_text(move)
    return session


WON = ("1 1", "2 1", "1 2", "2 2", "1 3")


def test_a_play_starts_in_the_first_state() -> None:
    session = played()

    assert session.state == session.machine.initial
    assert session.player == "Cross"
    assert session.last is None
    assert session.outcome is None


def test_players_take_turns() -> None:
    assert [played(*WON[:n]).player for n in range(4)] == ["Cross", "Nought", "Cross", "Nought"]


def test_undo_takes_back_and_redo_makes_again() -> None:
    session = played("1 1", "2 2")
    after = session.state

    assert session.undo() is not None
    assert session.moves == (Move("Place", ((1, 1),)),)
    assert session.redo() is not None
    assert session.state == after
    assert session.redo() is None


def test_a_new_move_forgets_what_was_undone() -> None:
    session = played("1 1")
    session.undo()

    session.make_text("3 3")

    assert session.redo() is None


def test_there_is_nothing_to_undo_before_the_first_move() -> None:
    assert played().undo() is None


def test_a_move_without_effect_is_refused_and_changes_nothing() -> None:
    session = played("1 1")

    with pytest.raises(MoveNotAllowed, match=r"^\(1, 1\) has no effect here, so it is refused$"):
        session.make_text("1 1")

    assert session.moves == (Move("Place", ((1, 1),)),)


def test_a_move_off_the_board_says_which_argument_is_outside() -> None:
    with pytest.raises(MoveNotAllowed) as caught:
        played("7 7")

    assert str(caught.value) == "(7, 7) is not possible: pos = (7, 7) is not in P"


def test_nothing_can_be_made_when_the_play_is_over() -> None:
    session = played(*WON)

    with pytest.raises(MoveNotAllowed) as caught:
        session.make_text("3 3")

    assert str(caught.value) == "(3, 3) is not possible: the play is over (Cross wins)"


def test_what_is_no_move_is_not_made() -> None:
    with pytest.raises(MoveNotUnderstood):
        played("hello")


def test_the_rule_that_decided_the_result_is_known() -> None:
    decision = played(*WON).decision()

    assert decision is not None
    assert (decision.procedure, decision.rule.label, decision.after_moves) == ("GameOver", "1", 5)


def test_before_the_end_nothing_has_decided() -> None:
    assert played("1 1").decision() is None


def test_the_part_of_the_fact_that_ends_the_play_is_named() -> None:
    holding = played(*WON).reasons_for_end()

    assert [to_text(part) for part in holding] == ["∃r ∈ N: {r} × N ⊆ Cross"]


def test_a_system_without_players_has_nobody_to_move() -> None:
    assert Session(Interpreter(steps())).player is None
