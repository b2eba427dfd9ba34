"""Sketches show a state in little room, or nothing."""

from tests.support.systems import countdown, squares
from zermelo import api
from zermelo.core.machine import Move
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.play.sketch import sketcher


def test_a_board_is_a_grid_of_marks() -> None:
    game = api.load("tic-tac-toe")
    state = game.machine.after(game.machine.initial, Move("Mark", ((1, 3),)))

    grid, lines = sketcher(game.machine)(state)

    assert grid == (("", "", "X"), ("", "", ""), ("", "", ""))
    assert lines == ()


def test_values_beside_are_lines_without_turn_and_result() -> None:
    machine = Interpreter(countdown(3))

    assert sketcher(machine)(machine.initial) == ((), ("heap = 3",))


def test_a_board_of_a_system_made_by_hand_is_found_too() -> None:
    machine = Interpreter(squares())

    grid, _ = sketcher(machine)(machine.initial)

    assert grid == (("", ""), ("", ""))


def test_what_has_no_room_is_left_out() -> None:
    game = api.load_text(
        """\
Applicable Sets
  P : {1..10} × {1..10}
System Variables
  A ⊆ P
System Initialization
  A = ∅
System States and Behavior
Take(p ∈ P)
  p ∉ A → A = A ∪ {p}
"""
    )

    assert sketcher(game.machine)(game.machine.initial) == ((), ())


def test_many_values_leave_a_board_to_itself() -> None:
    game = api.load("pegs")

    grid, lines = sketcher(game.machine)(game.machine.initial)

    assert (len(grid), len(grid[0])) == (3, 3)
    assert lines == ()
