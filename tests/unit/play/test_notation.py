"""Moves as people type them."""

from dataclasses import replace

import pytest

from tests.support.boards import picks, rows, steps
from tests.support.models import words
from zermelo.core.state import Move
from zermelo.core.values import Atom
from zermelo.languages.sections.ir import System
from zermelo.play.notation import from_text, outside_domain, to_text
from zermelo.text.errors import MoveAmbiguous, MoveNotUnderstood

STEP = Move("Step", ((1, 1), (2, 1)))


def understood(text: str, system: System) -> Move:
    said = words(system)
    return from_text(text, said, said.machine.initial)


@pytest.mark.parametrize(
    "text",
    [
        "2 3",
        "(2,3)",
        "2,3",
        "( 2 , 3 )",
        "[2, 3]",
        "2;3",
        "23",
        "  2   3  ",
        "2 -> 3",
        "Place 2 3",
        "place(2,3)",
        "Place((2, 3))",
        "PLACE (2,3)",
        "p 2 3",
    ],
)
def test_a_cell_is_typed_in_many_ways(text: str) -> None:
    assert understood(text, rows()) == Move("Place", ((2, 3),))


@pytest.mark.parametrize(
    "text",
    [
        "1 1 2 1",
        "1,1 2,1",
        "(1,1) (2,1)",
        "(1,1)->(2,1)",
        "(1, 1) → (2, 1)",
        "1,1-2,1",
        "1,1 - 2,1",
        "1 1 to 2 1",
        "Step((1,1),(2,1))",
        "step 1 1 2 1",
        "(1,1),(2,1)",
        "1121",
        "(1,1)-(2,1)",
        "((1,1),(2,1))",
        "1,1: 2,1",
        "1,1 => 2,1",
    ],
)
def test_a_step_from_cell_to_cell_is_typed_in_many_ways(text: str) -> None:
    assert understood(text, steps()) == STEP


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("blue", Move("Pick", (Atom("blue"),))),
        ("Blue", Move("Pick", (Atom("blue"),))),
        ("dark red", Move("Pick", (Atom("dark red"),))),
        ("Pick Dark Red", Move("Pick", (Atom("dark red"),))),
        ('pick "sea green"', Move("Pick", (Atom("sea green"),))),
        ("seagreen", Move("Pick", (Atom("sea green"),))),
        ("2", Move("Give", (2,))),
        ("-2", Move("Give", (-2,))),
        ("−1", Move("Give", (-1,))),
        ("give(-1)", Move("Give", (-1,))),
        ("pass", Move("Pass")),
        ("Pass()", Move("Pass")),
    ],
)
def test_the_kind_of_move_is_known_by_its_name_or_by_what_fits(text: str, expected: Move) -> None:
    assert understood(text, picks()) == expected


@pytest.mark.parametrize("system", [rows(), steps(), picks()], ids=lambda system: system.name)
def test_what_is_shown_can_be_typed(system: System) -> None:
    said = words(system)
    machine = said.machine

    for move in machine.legal(machine.initial):
        assert from_text(to_text(move, machine.signature), said, machine.initial) == move
        assert from_text(str(move), said, machine.initial) == move


@pytest.mark.parametrize(
    ("system", "move", "shown"),
    [
        (rows(), Move("Place", ((2, 3),)), "(2, 3)"),
        (steps(), STEP, "(1, 1) → (2, 1)"),
        (picks(), Move("Give", (-1,)), "Give(−1)"),
        (picks(), Move("Pass"), "Pass"),
    ],
)
def test_a_move_is_shown_with_its_name_only_where_there_are_several(
    system: System, move: Move, shown: str
) -> None:
    assert to_text(move, words(system).machine.signature) == shown


def test_a_cell_off_the_board_is_understood_and_lies_outside() -> None:
    said = words(rows())
    machine = said.machine

    move = from_text("4 4", said, machine.initial)

    outside = outside_domain(move, machine, machine.initial)
    assert move == Move("Place", ((4, 4),))
    assert outside is not None
    assert (outside[0].name, outside[1]) == ("pos", (4, 4))


@pytest.mark.parametrize("text", ["hello", "1 2 3", "(1,2", "1 2)", "1 + 2", "", "()", "{1,2}"])
def test_what_is_no_move_is_answered_with_the_nearest_ones(text: str) -> None:
    with pytest.raises(MoveNotUnderstood):
        understood(text, rows())


def test_the_answer_says_how_a_move_is_typed() -> None:
    with pytest.raises(MoveNotUnderstood) as caught:
        understood("2 3 4", rows())

    assert str(caught.value) == (
        "`2 3 4` is no move here; a move is typed as `pos`, for example `(2, 3)`, `(1, 3)` or "
        "`(2, 1)`"
    )


def test_a_text_that_fits_several_moves_lists_them() -> None:
    two = picks()
    give = two.procedures[1]
    again = replace(two, procedures=(give, replace(give, name="Take")))

    with pytest.raises(MoveAmbiguous) as caught:
        understood("1", again)

    assert str(caught.value) == "`1` could mean `Give(1)` or `Take(1)`; type it with its name"
