"""Pictures inferred from systems."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.boards import PAIR, picks, rows, steps
from tests.support.models import played, words, words_of
from tests.support.systems import countdown, squares
from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.api.loaded import model_of
from zermelo.core.picture import Board, Cell, Entry, Lamp, Picture, Sketch
from zermelo.core.state import Move
from zermelo.core.values import NUMBER, WORD, Atom, SetType, TupleType
from zermelo.languages.sections.ir import (
    Binary,
    Binder,
    Comprehension,
    Literal,
    Local,
    Op,
    PowerSet,
    Product,
    Range,
    Ref,
    SetDefinition,
    SetOf,
    System,
    TupleOf,
    Variable,
    VariableRole,
    View,
    ViewCell,
    ViewLayer,
)
from zermelo.languages.sections.picture import picture
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.play.session import Session

DOCUMENTS = Path(__file__).parents[3] / "documents"


def first(system: System) -> Picture:
    machine = Interpreter(system)
    return picture(machine, machine.initial)


def after(system: System, *moves: str) -> Picture:
    session = played(system, *moves)
    return session.words.picture(session.state, last=session.last)


def texts(board: Board) -> list[str]:
    """Each row as text: a dot for an empty cell, a blank for a hole, brackets for the last move."""
    return ["".join(_cell(cell) for cell in row) for row in board.cells]


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return " "
    marks = "".join(mark.text for mark in cell.marks) or "."
    return f"[{marks}]" if cell.is_last else marks


def test_the_set_that_players_point_at_is_the_board() -> None:
    drawn = after(rows(), "1 1", "2 3")

    board = drawn.boards[0]
    assert (board.name, board.rows, board.columns) == ("P", ("1", "2", "3"), ("1", "2", "3"))
    assert texts(board) == ["C..", "..[N]", "..."]


def test_truth_values_are_lamps_and_facts_are_not_drawn() -> None:
    drawn = first(rows())

    assert drawn.lamps == (Lamp("turn", is_lit=True),)
    assert drawn.entries == ()


def test_numbers_stand_below_the_board() -> None:
    assert first(steps()).entries == (Entry("made", "0"),)


def test_flags_are_no_part_of_the_picture() -> None:
    assert first(steps()).lamps == ()


def test_both_ends_of_a_step_are_marked() -> None:
    assert texts(after(steps(), "1 1 2 1").boards[0]) == ["[.]W", "[W]W", ".."]


def test_the_result_is_shown_once_it_is_known() -> None:
    drawn = after(rows(), "1 1", "2 1", "1 2", "2 2", "1 3")

    assert drawn.entries == (Entry("result", "Cross wins"),)


def test_single_numbers_and_words_are_boards_of_one_row() -> None:
    drawn = after(picks(), "blue", "-2")

    assert [(board.name, board.columns) for board in drawn.boards] == [
        ("Colours", ("blue", "dark red", "sea green")),
        ("Numbers", ("−2", "−1", "0", "1", "2")),
    ]
    assert [texts(board) for board in drawn.boards] == [["P.."], ["[G]...."]]


def on(board: SetDefinition, *variables: Variable, view: View | None = None) -> System:
    """A system without moves whose variables stand on a board."""
    return System("still", (board,), variables, (), (), view=view or View())


def cells(*pairs: tuple[int, int]) -> SetOf:
    return SetOf(tuple(Literal(pair) for pair in pairs))


def pieces(name: str, *pairs: tuple[int, int], board: str = "P") -> Variable:
    domain = PowerSet(Ref(board))
    return Variable(name, VariableRole.STORED, domain, SetType(PAIR), initial=cells(*pairs))


def test_a_board_may_have_holes_and_negative_coordinates() -> None:
    board = SetDefinition("P", cells((-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)), SetType(PAIR))

    drawn = first(on(board, pieces("A", (0, 0))))

    assert drawn.boards[0].rows == ("−1", "0", "1")
    assert texts(drawn.boards[0]) == [" . ", ".A.", " . "]


def test_a_board_may_be_a_single_column() -> None:
    board = SetDefinition("P", cells((1, 1), (2, 1)), SetType(PAIR))

    assert texts(first(on(board, pieces("A", (2, 1)))).boards[0]) == [".", "A"]


def test_rows_far_apart_are_drawn_side_by_side() -> None:
    board = SetDefinition("P", cells((1, 1), (1000, 1)), SetType(PAIR))

    assert first(on(board, pieces("A"))).boards[0].rows == ("1", "1000")


def test_a_variable_that_is_a_cell_is_one_piece() -> None:
    board = SetDefinition("P", cells((1, 1), (1, 2)), SetType(PAIR))
    king = Variable("king", VariableRole.STORED, Ref("P"), PAIR, initial=Literal((1, 2)))

    assert texts(first(on(board, king)).boards[0]) == [".k"]


def test_a_set_of_triples_says_what_stands_where() -> None:
    kind = SetType(TupleType((NUMBER, NUMBER, WORD)))
    line = Range(Literal(1), Literal(2))
    places = Product((line, line, SetOf((Literal(Atom("K")), Literal(Atom("Q"))))))
    board = SetDefinition("T", places, kind)
    men = Variable(
        "Men",
        VariableRole.STORED,
        PowerSet(Ref("T")),
        kind,
        initial=SetOf((Literal((1, 2, Atom("K"))), Literal((2, 1, Atom("Q"))))),
    )

    assert texts(first(on(board, men)).boards[0]) == [".K", "Q."]


@pytest.mark.parametrize(
    ("names", "marks"),
    [
        (("xs", "os"), ["x", "o"]),
        (("Alpha", "Beta"), ["A", "B"]),
        (("P_1", "P_2"), ["1", "2"]),
        (("White", "Wolf"), ["h", "o"]),
        (("Stone", "stone"), ["S", "t"]),
    ],
)
def test_marks_are_the_first_letters_that_differ(names: tuple[str, ...], marks: list[str]) -> None:
    board = SetDefinition("P", cells((1, 1), (1, 2)), SetType(PAIR))

    drawn = first(on(board, *(pieces(name) for name in names)))

    assert [entry.mark.text for entry in drawn.legend] == marks


def test_the_view_decides_board_pieces_direction_and_what_is_hidden() -> None:
    view = View(
        board=Ref("P"),
        layers=(ViewLayer("#", Ref("A"), None),),
        rows_up=True,
        hidden=("made",),
    )
    board = SetDefinition("P", cells((1, 1), (2, 1)), SetType(PAIR))
    made = Variable("made", VariableRole.STORED, Range(Literal(0), Literal(9)), NUMBER, Literal(0))

    drawn = first(on(board, pieces("A", (1, 1)), made, view=view))

    assert drawn.boards[0].rows == ("2", "1")
    assert texts(drawn.boards[0]) == [".", "#"]
    assert drawn.entries == ()


def test_the_view_may_write_into_cells() -> None:
    numbers = Comprehension(
        Local("n"),
        (Binder(("n",), is_tuple=False, domain=Range(Literal(1), Literal(9))),),
        Binary(Op.IN, TupleOf((Local("r"), Local("c"), Local("n"))), Ref("Men")),
    )
    kind = SetType(TupleType((NUMBER, NUMBER, NUMBER)))
    line = Range(Literal(1), Literal(2))
    men = Variable(
        "Men",
        VariableRole.STORED,
        PowerSet(Product((line, line, Range(Literal(1), Literal(9))))),
        kind,
        initial=SetOf((Literal((1, 2, 7)),)),
    )
    view = View(board=Ref("P"), cell=ViewCell(("r", "c"), is_tuple=True, text=numbers))
    board = SetDefinition("P", Product((line, line)), SetType(PAIR))

    drawn = first(on(board, men, view=view))

    assert texts(drawn.boards[0]) == [".7", ".."]


def test_a_set_of_sets_is_no_layer() -> None:
    board = SetDefinition("P", cells((1, 1), (1, 2)), SetType(PAIR))
    families = Variable(
        "Lines",
        VariableRole.STORED,
        PowerSet(PowerSet(Ref("P"))),
        SetType(SetType(PAIR)),
        initial=SetOf((cells((1, 1)),)),
    )

    drawn = first(on(board, pieces("A"), families))

    assert [entry.name for entry in drawn.legend] == ["A"]
    assert drawn.entries == (Entry("Lines", "{{(1, 1)}}"),)


def test_a_system_without_a_board_has_lamps_and_entries_only() -> None:
    system = System(
        "counter",
        (),
        (Variable("n", VariableRole.STORED, Range(Literal(0), Literal(3)), NUMBER, Literal(2)),),
        (),
        (),
    )

    assert first(system) == Picture(entries=(Entry("n", "2"),))


def test_the_last_move_is_marked_only_in_the_state_it_led_to() -> None:
    session = played(rows())
    turn = session.make_text("1 1")

    drawn = session.words.picture(session.machine.initial, last=turn)

    assert texts(drawn.boards[0]) == ["...", "...", "..."]


def test_a_player_named_by_one_letter_is_the_mark_of_their_pieces() -> None:
    system = rows()
    named = replace(
        system,
        players=tuple(replace(p, name=n) for p, n in zip(system.players, "CN", strict=True)),
    )

    assert [(e.mark.text, e.owner) for e in first(named).legend] == [("C", "C"), ("N", "N")]


# Sketches show a state in little room, or nothing.


def sketch_of(game: Game) -> Sketch:
    """The first state of *game* in little room."""
    return model_of(game).words.sketch(game.machine.initial)


def test_a_board_is_a_grid_of_marks() -> None:
    game = loading.load("tic-tac-toe")
    state = game.machine.after(game.machine.initial, Move("Mark", ((1, 3),)))

    grid, lines = model_of(game).words.sketch(state)

    assert grid == (("", "", "X"), ("", "", ""), ("", "", ""))
    assert lines == ()


def test_values_beside_are_lines_without_turn_and_result() -> None:
    said = words(countdown(3))

    assert said.sketch(said.machine.initial) == ((), ("heap = 3",))


def test_a_board_of_a_system_made_by_hand_is_found_too() -> None:
    said = words(squares())

    grid, _ = said.sketch(said.machine.initial)

    assert grid == (("", ""), ("", ""))


def test_what_has_no_room_is_left_out() -> None:
    game = loading.load_text(
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

    assert sketch_of(game) == ((), ())


def test_many_values_leave_a_board_to_itself() -> None:
    game = loading.load("pegs")

    grid, lines = sketch_of(game)

    assert (len(grid), len(grid[0])) == (3, 3)
    assert lines == ()


def test_lines_between_points_are_a_figure_with_the_lines_that_somebody_has() -> None:
    game = loading.load(DOCUMENTS / "four-points.md")
    session = Session(words_of(game))
    for move in ("{1, 3}", "{2, 4}"):
        session.make_text(move)
    shown = words_of(game).picture(session.state, last=session.last)

    (figure,) = shown.figures

    # Four points on a circle, the first on top, and the six lines between them.
    assert [each.name for each in figure.points] == ["1", "2", "3", "4"]
    assert [tuple(round(x) for x in each.at) for each in figure.points] == [
        (1, 0),
        (2, 1),
        (1, 2),
        (0, 1),
    ]
    marks = {each.name: [mark.text for mark in each.cell.marks] for each in figure.edges}
    assert len(marks) == 6
    assert {name: said for name, said in marks.items() if said} == {
        "{1, 3}": ["A"],
        "{2, 4}": ["V"],
    }
    assert [each.ends for each in figure.edges if each.cell.is_last] == [(1, 3)]
    # Whoever draws no figure lists what it shows.
    assert [each.name for each in shown.entries][:2] == ["Amber", "Violet"]
