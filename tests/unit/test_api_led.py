"""LED programs through the public names: explored, drawn as graphs, solved, questioned."""

from pathlib import Path

import pytest

from tests.support.models import words_of
from zermelo.api import loading, questions, texts
from zermelo.api.texts import TextFormat
from zermelo.core.graph import GraphFormat
from zermelo.languages.led.explain import explain_program
from zermelo.languages.led.model import ProgramModel
from zermelo.languages.led.run.frames import Frames
from zermelo.play import notation
from zermelo.text.errors import DocumentNotUsable, UsageError

HEAP = """A heap of sticks, of which the players take one or two.

/$
ledGame
initialState := (5, `a)
heap := currentState[1]
turn := currentState[2]
other := `b if turn = `a; `a otherwise
taken := 1 if "1" in keys; 2 if "2" in keys; 0 otherwise
newState := (heap - taken, other) if 0 < taken & taken <= heap; currentState otherwise
images := {text(message, point(500, 400), 40, dBlack)}
message := prettyPrint(heap) if heap > 0; "b wins" if turn = `a; "a wins" otherwise
$/
"""


def test_a_heap_has_one_state_for_each_number_and_player() -> None:
    space = questions.explore(loading.load_text(HEAP, name="heap.led"))

    # (5, a), then b with 4 or 3, a with 3, 2, 1, …: 10 pairs can be reached.
    assert space.states == 10
    assert {str(end.outcome) for end in space.endings} == {"a wins", "b wins"}


def test_a_heap_of_five_is_won_by_leaving_three() -> None:
    game = loading.load_text(HEAP, name="heap.led")
    solution = questions.solve(game)

    assert (solution.root.winner, solution.root.plies) == ("a", 3)
    assert str(solution.best(game.machine.initial)) == "key(2)"


def test_a_program_has_a_graph_and_it_can_be_drawn() -> None:
    game = loading.load_text(HEAP, name="heap.led")
    found = questions.graph(game)
    lines = list(questions.graph_lines(game, found, GraphFormat.DOT))

    assert found.overview.nodes == 10
    assert any("currentState = (5, `a)" in line for line in lines)


def test_readings_of_a_caller_are_heard() -> None:
    game = loading.load_text(HEAP, name="heap.led", readings={"players": "other", "end": "goes on"})

    assert {r.name: r.decided_by for r in game.readings}["players"] == "caller"
    assert game.players == ("b", "a")


def test_readings_of_the_document_are_heard() -> None:
    section = "\n\\section{Reading}\n\nend: low\nplayers: one player\n"
    text = HEAP.replace("other :=", "low iff heap < 3\nother :=") + section
    game = loading.load_text(text, name="heap.led")

    assert {r.name: r.choice for r in game.readings if r.decided_by == "document"} == {
        "end": "low",
        "players": "one player",
    }
    # (5, a), (4, b), (3, b), (3, a), (2, b), (2, a), (1, a), …: over with two sticks or less.
    assert {str(end.outcome) for end in questions.explore(game).endings} == {"the player wins"}


def test_a_caller_is_heard_before_the_document() -> None:
    text = HEAP + "\n\\section{Reading}\n\nplayers: nobody\n"
    game = loading.load_text(text, name="heap.led", readings={"players": "turn"})

    assert game.players == ("a", "b")


def test_keys_are_typed_by_their_names() -> None:
    words = words_of(loading.load_text(HEAP, name="heap.led"))

    for text in ("2", "key 2", "KEY(2)"):
        assert str(notation.from_text(text, words, words.machine.initial)) == "key(2)"


def test_a_program_is_told_in_plain_words() -> None:
    machine = loading.load_text(HEAP, name="heap.led").machine
    assert isinstance(machine, Frames)

    text = "\n".join(line.text for line in explain_program(machine))

    assert "At first currentState = (5, `a)." in text
    assert "The players are a and b; `turn` says whose turn it is." in text
    assert "key(1), key(2)" in text.replace("\u00a0", " ")


def test_a_program_that_is_no_game_says_what_it_lacks() -> None:
    game = loading.load_text("/$\nsquare(n) := n*n\nfour := square(2)\n$/", name="squares.led")

    assert not game.is_loaded
    assert isinstance(game.model, ProgramModel)
    assert questions.exit_code(game) == 0
    assert questions.check(game).checkup is None
    with pytest.raises(DocumentNotUsable, match="`initialState` and `newState`"):
        questions.explore(game)


def test_who_plays_must_be_known_to_solve_a_program() -> None:
    with pytest.raises(UsageError, match="players=one player"):
        questions.solve(loading.load_text(HEAP, name="heap.led", readings={"players": "nobody"}))


def test_symmetries_are_not_looked_for_in_programs() -> None:
    with pytest.raises(UsageError, match="documents with sections"):
        questions.explore(loading.load_text(HEAP, name="heap.led"), symmetry="turn")


def test_a_solution_of_a_program_cannot_be_kept(tmp_path: Path) -> None:
    solution = questions.solve(loading.load_text(HEAP, name="heap.led"))

    with pytest.raises(UsageError, match="cannot be kept"):
        questions.keep_solution(solution, tmp_path / "heap.solution")


def test_a_program_that_is_no_game_is_woven_under_the_name_of_its_file() -> None:
    game = loading.load_text("/$\nsquare(n) := n*n\n$/", name="squares.led")

    assert r"\section*{squares.led}" in texts.export_text(game, TextFormat.LATEX)
