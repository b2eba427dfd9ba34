"""``zermelo graph``: the summary in words, the files, and how it ends."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.command import zermelo
from tests.support.graphs import CORRIDOR
from tests.support.project import TESTS
from zermelo import load
from zermelo.api import questions
from zermelo.faces.cli import graph, progress
from zermelo.text.budget import OutOfTime


@pytest.fixture
def corridor(tmp_path: Path) -> str:
    path = tmp_path / "corridor.md"
    path.write_text(CORRIDOR, encoding="utf-8")
    return str(path)


def test_the_summary_counts_and_shows_the_first_of_each(corridor: str) -> None:
    ran = zermelo("graph", corridor)

    assert ran.code == 0
    said = " ".join(ran.out.split())
    assert "6 nodes and 9 arcs, all that can be reached." in said
    assert "No terminal nodes." in said
    assert "2 strongly connected components; the largest has 4 nodes" in said
    assert "6 nodes on cycles, in 2 nontrivial components" in said
    assert "leads back to itself by Left, Right" in said
    assert "1 nontrivial component is terminal" in said
    assert "after 3 moves: Right, Right, Drop" in said


def test_a_graph_without_cycles_says_so() -> None:
    said = " ".join(zermelo("graph", "tic-tac-toe").out.split())

    assert "5,478 nodes and 16,167 arcs, all that can be reached." in said
    assert "958 terminal nodes: X wins: 626 nodes; first after 5 moves:" in said
    assert "O wins: 316 nodes" in said
    assert "draw: 16 nodes" in said
    assert "5,478 strongly connected components, each of one node: there are no cycles." in said


def test_a_summary_of_a_cut_graph_says_so(corridor: str) -> None:
    ran = zermelo("graph", corridor, "--depth", "2")

    assert "4 nodes and 6 arcs, not all: stopped after 2 moves." in ran.out
    assert "From 1 node arcs lead to states that are not in the graph" in ran.out
    assert "No nontrivial component is known to be terminal." in ran.out


def test_components_are_listed_on_request(corridor: str) -> None:
    ran = zermelo("graph", corridor, "--components")

    assert "0: 4 nodes, can be left; first reached at the start" in ran.out
    assert "1: 2 nodes, terminal; first reached after 3 moves: Right, Right, Drop" in ran.out


def test_the_summary_is_there_as_json(corridor: str) -> None:
    ran = zermelo("graph", corridor, "--json")

    assert ran.json["nodes"] == 6
    assert ran.json["arcs"] == 9
    assert ran.json["components"] == 2
    assert ran.json["acyclic"] is False
    assert ran.json["cycle"] == {"play": [], "moves": ["Left()", "Right()"]}
    assert ran.json["nontrivial_terminal_components"] == 1
    assert ran.json["nontrivial_terminal"]["play"] == ["Right()", "Right()", "Drop()"]
    assert ran.json["complete"] is True
    assert ran.json["readings"] == {}


@pytest.mark.parametrize(
    ("written_as", "start"),
    [
        ("dot", 'digraph "corridor" {'),
        ("aut", "des (0, 9, 6)"),
        ("graphml", '<?xml version="1.0" encoding="UTF-8"?>'),
        ("svg", '<?xml version="1.0" encoding="UTF-8"?>'),
        ("json", "{"),
    ],
)
def test_a_format_goes_to_standard_output(corridor: str, written_as: str, start: str) -> None:
    ran = zermelo("graph", corridor, "--format", written_as)

    assert ran.code == 0
    assert ran.out.splitlines()[0] == start


def test_the_name_of_a_file_says_its_format(corridor: str, tmp_path: Path) -> None:
    output = tmp_path / "drawn.svg"

    ran = zermelo("graph", corridor, "--output", str(output))

    assert ran.code == 0
    assert ran.out.split()[0] == "Wrote"
    assert "6 nodes and 9 arcs." in " ".join(ran.out.split())
    assert ElementTree.parse(output).getroot().tag.endswith("svg")


def test_a_cut_graph_is_remarked_on_beside_the_file(corridor: str) -> None:
    ran = zermelo("graph", corridor, "--format", "json", "--states", "3")

    assert json.loads(ran.out)["cut"] == "stopped at 3 states"
    assert "The graph is not complete: stopped at 3 states" in ran.err


def test_a_name_that_says_no_format_is_a_sentence(corridor: str, tmp_path: Path) -> None:
    ran = zermelo("graph", corridor, "--output", str(tmp_path / "graph.txt"))

    assert ran.code == 2
    assert "does not say in which format to write" in " ".join(ran.err.split())


def test_a_file_that_cannot_be_written_is_a_sentence(corridor: str, tmp_path: Path) -> None:
    ran = zermelo("graph", corridor, "--output", str(tmp_path / "nowhere" / "graph.dot"))

    assert ran.code == 2
    assert "could not be written" in " ".join(ran.err.split())


def test_too_large_a_drawing_leaves_no_file_and_says_what_to_do(tmp_path: Path) -> None:
    output = tmp_path / "large.svg"

    ran = zermelo("graph", "tic-tac-toe", "--output", str(output))

    assert ran.code == 2
    assert "--depth N draws the first N plies" in " ".join(ran.err.split())
    assert not output.exists()


def test_the_summary_and_a_format_exclude_each_other(corridor: str) -> None:
    ran = zermelo("graph", corridor, "--json", "--format", "json")

    assert ran.code == 2
    assert "they exclude each other" in " ".join(ran.err.split())


def test_readings_are_heeded() -> None:
    ran = zermelo("graph", "tic-tac-toe", "--depth", "1", "--reading", "order=at once", "--json")

    assert ran.json["readings"]["order"] == "at once"


def test_strict_counts_warnings() -> None:
    warned = str(TESTS / "documents" / "capture.md")

    assert zermelo("graph", warned).code == 0
    assert zermelo("graph", warned, "--strict").code == 1


HEAP = """Applicable Sets
  H : {0..4}
  B : {true, false}
System Variables
  heap ∈ H
  turn, over ∈ B
System Facts
  over ↔ heap = 0
System Initialization
  heap = 4
  turn = true
System States and Behavior
Take(n ∈ {1, 2})
  n ≤ heap → heap = heap − n ∧ turn = ¬turn
GameOver(over)
  result ∈ {Ann wins, Bob wins}
  over ∧ ¬turn → result = Ann wins
  over ∧ turn → result = Bob wins
Reading
  players: Ann when turn, Bob when ¬turn
"""

# By hand: who has a multiple of three before it loses.
VALUES = [
    ("4", "Ann wins in 3"),
    ("3", "Ann wins in 2"),
    ("2", "Bob wins in 1"),
    ("2", "Ann wins in 1"),
    ("1", "Ann wins in 1"),
    ("0", "Bob wins"),
    ("1", "Bob wins in 1"),
    ("0", "Ann wins"),
]


@pytest.fixture
def heap(tmp_path: Path) -> str:
    path = tmp_path / "heap.md"
    path.write_text(HEAP, encoding="utf-8")
    return str(path)


def test_values_are_written_at_the_nodes_of_dot(heap: str) -> None:
    ran = zermelo("graph", heap, "--values", "--format", "dot")

    found = re.findall(r'label="heap = (\d), turn = \w+: ([^"]+)"', ran.out)
    assert (ran.code, found) == (0, VALUES)


def test_values_are_written_at_the_nodes_of_a_drawing(heap: str) -> None:
    ran = zermelo("graph", heap, "--values", "--format", "svg")

    texts = re.findall(r'<text class="middle"[^>]*>([^<]+)</text>', ran.out)
    shown = [text.removeprefix("heap = ") for text in texts]
    assert list(zip(shown[::2], shown[1::2], strict=True)) == VALUES
    assert "with perfect play: Ann wins in 3" in ran.out


def test_a_picture_is_drawn_also_where_solving_takes_all_of_the_time(
    heap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_slow(*_: object, **__: object) -> None:
        raise OutOfTime("solving")

    monkeypatch.setattr(questions, "solve", too_slow)

    ran = zermelo("graph", heap, "--values", "--format", "dot", "--seconds", "60")

    assert ran.code == 0
    assert "The values are not known: the time was over; the picture has none." in ran.err
    assert "heap = 4, turn = true" in ran.out
    assert "wins in" not in ran.out


def classes_of_three_in_a_row() -> dict[int, int]:
    """How many classes of boards there are after so many moves, counted without Zermelo."""
    lines = ["012", "345", "678", "036", "147", "258", "048", "246"]
    turned = [2, 5, 8, 1, 4, 7, 0, 3, 6]
    mirrored = [2, 1, 0, 5, 4, 3, 8, 7, 6]

    def is_won(board: str) -> bool:
        return any("".join(board[int(at)] for at in row) in {"XXX", "OOO"} for row in lines)

    def least(board: str) -> str:
        found = []
        for _ in range(4):
            board = "".join(board[at] for at in turned)
            found += [board, "".join(board[at] for at in mirrored)]
        return min(found)

    level, counts = {"." * 9}, {}
    for depth in range(10):
        counts[depth] = len(level)
        level = {
            least(board[:at] + "XO"[depth % 2] + board[at + 1 :])
            for board in level
            if not is_won(board)
            for at in range(9)
            if board[at] == "."
        }
    return counts


def test_with_symmetry_a_node_stands_for_all_states_that_are_alike() -> None:
    counts = classes_of_three_in_a_row()
    assert sum(counts.values()) == 765

    ran = zermelo("graph", "tic-tac-toe", "--symmetry", "--json")

    found = json.loads(ran.out)
    assert found["nodes"] == 765
    assert found["by_depth"] == list(counts.values())
    assert found["states"] == 5478
    assert found["symmetry"] == "the board may be turned and mirrored: 8"
    said = " ".join(zermelo("graph", "tic-tac-toe", "--symmetry").out.split())
    assert "The nodes stand for 5,478 states" in said


def test_plays_of_a_graph_with_symmetry_are_plays_of_the_game() -> None:
    game = load("tic-tac-toe")
    found = game.graph(symmetry="turn", progress=False)

    assert sum(node.alike for node in found) == 5478
    for number in range(0, len(found), 37):
        state = game.initial
        for move in found.play(number):
            state = game.after(state, move)
        assert found.node(number).outcome == game.outcome(state)


def test_classes_say_their_sizes_in_every_format() -> None:
    options = ("graph", "tic-tac-toe", "--symmetry", "--depth", "1", "--format")

    assert "turn = false, one of 4 alike" in zermelo(*options, "dot").out
    assert ">4 alike<" in zermelo(*options, "svg").out
    nodes = json.loads(zermelo(*options, "json").out)["nodes"]
    assert [node["states"] for node in nodes] == [1, 4, 4, 1]
    assert '<data key="states">4</data>' in zermelo(*options, "graphml").out


def test_symmetry_and_components_exclude_each_other() -> None:
    ran = zermelo("graph", "tic-tac-toe", "--symmetry", "--components")

    assert ran.code == 2
    assert "both draw many states as one" in " ".join(ran.err.split())


def test_values_are_known_beyond_what_is_drawn(heap: str) -> None:
    ran = zermelo("graph", heap, "--values", "--format", "dot", "--depth", "0")

    assert "heap = 4, turn = true: Ann wins in 3" in ran.out
    assert "heap = 3" not in ran.out


def test_without_values_a_picture_has_none(heap: str) -> None:
    assert "wins in" not in zermelo("graph", heap, "--format", "dot").out


def test_values_that_are_not_known_are_not_drawn_and_that_is_said(
    heap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    within = progress.limits
    monkeypatch.setattr(
        graph, "_most_of", lambda _: within({"seconds": None, "memory": None}, states=3)
    )

    ran = zermelo("graph", heap, "--values", "--format", "dot")

    assert "The values are not known: stopped at 3 states; the picture has none." in ran.err
    assert 'label="heap = 4, turn = true"' in ran.out
    assert ran.code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "--values are written into pictures"),
        (("--format", "aut"), "--values are written into pictures"),
        (("--format", "dot", "--components"), "they exclude each other"),
    ],
)
def test_values_without_a_place_for_them_are_refused(
    heap: str, options: tuple[str, ...], said: str
) -> None:
    ran = zermelo("graph", heap, "--values", *options)

    assert ran.code == 2
    assert said in " ".join(ran.err.split())


def test_a_game_that_nobody_wins_has_no_values(corridor: str) -> None:
    ran = zermelo("graph", corridor, "--values", "--format", "dot")

    assert (ran.code, ran.out) == (2, "")
