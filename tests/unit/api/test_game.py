"""A game as an object: states, moves and answers as a person at a prompt meets them."""

import copy
import pickle
import re
import xml.etree.ElementTree as ET

import pytest

import zermelo
from tests.support.prod import HEAP
from tests.support.small_documents import heap_text
from zermelo import Game, Move, State

MARKS = (Move("Mark", ((1, 1),)), "2 2", (1, 2), "(3,3)", ((1, 3),))
"""Moves of tic-tac-toe, given in every way: X has the first row."""


@pytest.fixture(scope="module")
def game() -> Game:
    return zermelo.load("tic-tac-toe")


def test_a_game_says_in_a_line_what_it_is_and_who_plays(game: Game) -> None:
    assert repr(game) == "<Game tic-tac-toe: X against O>"
    assert repr(zermelo.load("pegs")) == "<Game pegs: A against B; 4 warnings>"
    assert repr(zermelo.load("tic-tac-toe-net")) == (
        "<Game tic-tac-toe-net: a system without players>"
    )
    assert "nothing to play" in repr(zermelo.load_text("nothing of interest"))


def test_moves_are_given_as_texts_tuples_or_moves(game: Game) -> None:
    state = game.play(*MARKS)

    assert str(game.outcome(state)) == "X wins"
    assert state == game.initial.after(*MARKS)
    assert len(state.moves) == 0


def test_a_state_of_a_game_is_the_same_state_without_it(game: Game) -> None:
    state = game.play("1 1")
    plain = State(state.values, state.names)

    assert state == plain
    assert plain == state
    assert len({state, plain}) == 1
    assert game.player(plain) == "O"
    assert str(state) == str(plain)


def test_the_moves_of_a_state_can_be_listed_counted_and_asked(game: Game) -> None:
    moves = game.moves(game.play("1 1"))

    assert len(moves) == 8
    assert moves[0] == Move("Mark", ((1, 2),))
    assert "1 2" in moves
    assert (1, 2) in moves
    assert Move("Mark", ((1, 1),)) not in moves
    assert "nowhere" not in moves
    assert object() not in moves
    assert str(moves) == ", ".join(f"({r}, {c})" for r in "123" for c in "123")[8:]
    assert repr(moves) == (
        "<8 moves: (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)>"
    )


def test_a_state_gives_its_variables_and_what_follows_from_them(game: Game) -> None:
    state = game.play("1 1")

    assert state["X"] == {(1, 1)}
    assert state["Free"] == {(row, column) for row in (1, 2, 3) for column in (1, 2, 3)} - {(1, 1)}
    with pytest.raises(zermelo.UsageError, match="tic-tac-toe has no variable `Y`; it has X, O"):
        state["Y"]


def test_a_state_can_be_asked_what_its_game_can_be_asked_of_it(game: Game) -> None:
    state, end = game.play("1 1"), game.play(*MARKS)

    assert (state.is_over, end.is_over) == (False, True)
    assert state.why("1 1") == game.why(state, "1 1")
    assert state.step("1 2") == game.step(state, "1 2")
    assert state.value("|X|") == 1
    assert str(end.outcome) == "X wins"
    with pytest.raises(zermelo.MoveNotAllowed, match=r"the play is over \(X wins\)"):
        end.after("3 2")


def test_readings_are_shown_in_a_line_in_lines_and_in_a_table(game: Game) -> None:
    readings = game.with_reading(stuck_player="draws").readings

    assert repr(readings).startswith("<5 readings: order: in order; ")
    assert "stuck player: draws (by caller)" in str(readings)
    assert "<td>stuck player</td><td>draws</td>" in readings._repr_html_()
    assert [each.choice for each in readings if each.name == "order"] == ["in order"]


def test_a_graph_gives_nodes_whose_states_know_their_game(game: Game) -> None:
    graph = zermelo.load_text(heap_text(3)).graph()

    assert len(graph) == 6
    assert [each.state["heap"] for each in graph] == [3, 2, 1, 1, 0, 0]
    assert [len(each.state.moves) for each in graph] == [2, 2, 1, 1, 0, 0]
    assert repr(zermelo.graph(game)) == repr(game.graph())
    assert str(graph).splitlines() == [
        "6 nodes and 6 arcs, all that can be reached; no cycles.",
        "  second wins: 1; first after Take(1), Take(2)",
        "  first wins: 1; first after Take(1), Take(1), Take(1)",
    ]


def test_values_and_lines_of_play_are_shown_in_a_line() -> None:
    solution = zermelo.load_text(heap_text(3)).solve()

    assert repr(solution.value()) == "<Value: loss in 2; second wins>"
    assert str(solution.best()) == "Take(1)"
    assert repr(solution.moves()) == "(<Take(1): loss in 2>, <Take(2): loss in 2>)"
    assert repr(solution.line()) == "<2 moves: Take(1), Take(2)>"


def test_plays_by_lot_are_shown_in_a_line() -> None:
    # Of a heap of one there is one play, and nobody is known to play against the first.
    found = zermelo.playouts(zermelo.load_text(heap_text(1)), 20)

    assert repr(found) == "<Playouts: 20 plays; over: first wins: 20>"


def test_three_things_can_be_wrong_with_a_move() -> None:
    text = heap_text(3).replace("Take(n", "Take(n ∈ {1, 2})\n  n > 3 → heap = 0\nTaken(n")
    two = zermelo.load_text(text)

    with pytest.raises(zermelo.MoveNotUnderstood, match="a move is typed as"):
        two.play("nothing at all")
    with pytest.raises(zermelo.MoveNotUnderstood, match="a text, a tuple of its arguments"):
        two.play(3.5)  # type: ignore[arg-type]
    with pytest.raises(zermelo.MoveNotAllowed, match="rule 1 needs n > 3"):
        two.play("Take 2")


def test_what_could_be_two_moves_is_asked_for() -> None:
    text = heap_text(3)
    head = next(line for line in text.splitlines() if line.startswith("Take("))
    rule = text.splitlines()[text.splitlines().index(head) + 1]
    both = zermelo.load_text(text.replace(head, f"{head.replace('Take', 'Grab')}\n{rule}\n{head}"))

    with pytest.raises(zermelo.MoveAmbiguous, match="could mean `Grab"):
        both.play("1")


def test_why_and_step_and_explain_show_themselves_at_a_prompt(game: Game) -> None:
    state = game.play("1 1")

    assert repr(game.why(state, "1 1")).startswith("(1, 1) has no effect here")
    assert "O to move" in repr(game.step(game.initial, "1 1"))
    assert "X" in game.explain()


def test_the_board_of_a_state_is_drawn_as_text_and_as_a_picture(game: Game) -> None:
    state = game.play("1 1", "2 2")
    drawn = ET.fromstring(state._repr_svg_())
    texts = ["".join(each.itertext()) for each in drawn.iter("{http://www.w3.org/2000/svg}text")]

    assert "  1 │ X │   │   │" in state.board
    assert "  2 │   │ O │   │" in state.board
    assert texts.count("X") == 1
    assert texts.count("O") == 1


def test_what_a_document_calls_itself_is_never_markup() -> None:
    drawn = zermelo.load_text(heap_text(3), name="<b>&.md").svg()

    assert "&lt;b&gt;&amp;" in drawn
    assert "<b>" not in drawn


def test_answers_say_in_a_line_what_was_found(game: Game) -> None:
    assert repr(game.explore()) == (
        "<Space: 5,478 states, all that can be reached; X wins: 626; O wins: 316; draw: 16>"
    )
    assert repr(game.explore(depth=2)).startswith("<Space: 82 states, not all: ")
    assert repr(game.solve()) == "<Solution: a draw in 9 plies; 5,478 positions>"
    assert repr(game.solve(states=100)).startswith("<Solution: not solved: ")
    assert repr(game.graph()) == (
        "<Graph: 5,478 nodes and 16,167 arcs, all that can be reached; no cycles>"
    )
    assert repr(game.check()) == "<Report on tic-tac-toe.md: nothing to say>"


def test_answers_are_tables_in_a_notebook(game: Game) -> None:
    space, solution, report = game.explore(), game.solve(), game.check()

    assert "<td>X wins</td><td>626</td>" in space._repr_html_()
    assert "<td>loss</td><td>1,574</td>" in solution._repr_html_()  # type: ignore[attr-defined]
    assert report._repr_html_().startswith("<table>")
    assert "  loss  1,574" in str(solution)
    assert str(space).startswith("5,478 states, all that can be reached.\n  X wins: 626; first")


def test_a_small_graph_is_drawn_and_a_large_one_is_not(game: Game) -> None:
    small = zermelo.load_text(heap_text(3)).graph()

    assert str(small._repr_svg_()).startswith("<?xml")
    assert game.graph()._repr_svg_() is None


def test_another_reading_is_asked_for_by_its_name(game: Game) -> None:
    other = game.with_reading(order="at once")

    assert other.reading("order").choice == "at once"
    assert other.with_reading({"stuck player": "draws"}).reading("order").choice == "at once"
    assert game.with_reading(stuck_player="loses").reading("stuck player").choice == "loses"
    with pytest.raises(zermelo.UsageError, match="has no reading `oder`; did you mean `order`"):
        game.with_reading(oder="at once")
    with pytest.raises(zermelo.UsageError, match="it has `order`"):
        game.reading("oder")


def test_an_expression_has_a_value_in_a_state(game: Game) -> None:
    state = game.play("1 1")

    assert game.value("1 + 1") == 2
    assert game.value("|X|", state) == 1
    with pytest.raises(zermelo.UsageError):
        game.value("1 +")


def test_a_diagnostic_prints_as_a_line_and_its_code_as_its_number() -> None:
    odd = zermelo.load_text("nothing that means anything")
    first = odd.diagnostics[0]

    assert str(first) == f"{first.level.value}[{first.code}]: {first.message}"
    assert re.fullmatch(r"Z\d\d\d", str(first.code))


def test_a_game_is_shared_by_copies_and_says_why_it_is_not_pickled() -> None:
    game = zermelo.load("tic-tac-toe")
    state = game.play("1 1")

    assert copy.copy(game) is copy.deepcopy(game) is game
    assert copy.deepcopy(state) == state
    with pytest.raises(TypeError, match="send the moves that lead to a state"):
        pickle.dumps(state)


def test_readings_without_a_reason_print_no_empty_one() -> None:
    said = str(zermelo.load("pegs").readings)

    assert "flag ok: fresh (by document)" in said
    assert ": )" not in said


def test_a_puzzle_is_solved_in_words() -> None:
    net = zermelo.load_text(
        HEAP, name="heap.net", readings={"players": "Ann", "Ann wins": "|heap| == 0"}
    )

    assert repr(net.solve()) == "<Solution: the goal can be reached in 2 plies; 6 positions>"
