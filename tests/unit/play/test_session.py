"""Plays in progress."""

import pytest

from tests.support import models
from tests.support.boards import rows, steps
from zermelo.core.state import Move
from zermelo.play.session import Session
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood


def played(*moves: str) -> Session:
    return models.played(rows(), *moves)


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


def test_a_system_without_players_has_nobody_to_move() -> None:
    assert models.played(steps()).player is None
