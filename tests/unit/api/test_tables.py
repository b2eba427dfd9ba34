"""Answers as tables of pandas and networks of networkx.

One or two are taken from a heap of three, and whoever takes the last wins: the six positions, the
six moves between them and their values are counted by hand.
"""

import sys
from itertools import pairwise

import pytest

import zermelo
from tests.support.small_documents import heap_text
from zermelo import Game
from zermelo.engines.solve import solution as solution_module

LIBRARIES = ("networkx", "pandas")


@pytest.fixture(scope="module")
def heap() -> Game:
    return zermelo.load_text(heap_text(3), name="heap.md")


def test_a_space_is_a_table_by_depth(heap: Game) -> None:
    table = heap.explore().to_pandas()

    assert table.index.name == "depth"
    assert table["states"].tolist() == [1, 2, 2, 1]
    assert table["over"].tolist() == [0, 0, 1, 1]


def test_a_solution_is_a_table_of_positions_with_their_values(heap: Game) -> None:
    table = heap.solve().to_pandas()

    assert table.index.name == "node"
    assert table["heap"].tolist() == [3, 2, 1, 1, 0, 0]
    assert table["first"].tolist() == [True, False, False, True, True, False]
    assert table["depth"].tolist() == [0, 1, 1, 2, 2, 3]
    assert table["value"].tolist() == ["loss", "win", "win", "win", "loss", "loss"]
    assert table["winner"].tolist() == ["second", "second", "second", "first", "second", "first"]
    assert table["plies"].tolist() == [2, 1, 1, 1, 0, 0]
    assert table["outcome"].dropna().to_dict() == {4: "second wins", 5: "first wins"}


def test_a_table_has_as_many_positions_as_are_asked_for(heap: Game) -> None:
    assert len(heap.solve().to_pandas(states=3)) == 3


def test_very_many_positions_are_refused_with_what_to_write(
    heap: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solution_module, "MOST_IN_A_TABLE", 5)
    solution = heap.solve()

    assert len(solution.to_pandas(states=6)) == 6
    with pytest.raises(zermelo.UsageError, match=r"too many for a table; `to_pandas\(states="):
        solution.to_pandas()


def test_what_was_not_solved_is_no_table(heap: Game) -> None:
    with pytest.raises(zermelo.UsageError, match="there are no values for a table: "):
        heap.solve(states=2).to_pandas()


def test_values_of_symmetric_positions_are_told_of_each_of_them() -> None:
    game = zermelo.load("tic-tac-toe")
    solution = game.solve()
    table = solution.to_pandas()

    # The counts of a program of its own, tests/differential/plain: all 5,478 positions.
    assert table["value"].value_counts().to_dict() == {"win": 2836, "loss": 1574, "draw": 1068}
    after = game.graph().node(1).state
    assert str(solution.value(after)) == f"{table['value'][1]} in {table['plies'][1]}"


def test_a_graph_is_a_table_of_arcs_and_one_of_nodes(heap: Game) -> None:
    graph = heap.graph()
    arcs = graph.to_pandas()

    assert list(zip(arcs["source"], arcs["move"], arcs["target"], strict=True)) == [
        (0, "Take(1)", 1),
        (0, "Take(2)", 2),
        (1, "Take(1)", 3),
        (1, "Take(2)", 4),
        (2, "Take(1)", 4),
        (3, "Take(1)", 5),
    ]
    assert graph.nodes_to_pandas()["heap"].tolist() == [3, 2, 1, 1, 0, 0]


def test_a_graph_is_a_network_with_states_and_moves(heap: Game) -> None:
    import networkx  # noqa: PLC0415 - the test is about what need not be there

    made = heap.graph().to_networkx()

    assert (made.number_of_nodes(), made.number_of_edges()) == (6, 6)
    assert networkx.is_directed_acyclic_graph(made)
    way = networkx.shortest_path(made, 0, 5)
    moves = [made.edges[source, target, 0]["move"] for source, target in pairwise(way)]
    assert heap.play(*moves) == made.nodes[5]["state"]
    assert made.nodes[5]["outcome"] == "first wins"
    assert made.nodes[5]["state"].is_over


def test_two_moves_between_the_same_states_are_two_arcs() -> None:
    # Taking one and taking one of two kinds lead to the same heap.
    text = heap_text(1).replace("Take(n ∈ {1, 2})", "Take(n ∈ {1, 2}, kind ∈ {1, 2})")
    made = zermelo.load_text(text).graph()

    assert made.to_networkx().number_of_edges() == 2
    assert len(made.to_pandas()) == 2


def test_a_column_never_hides_a_variable() -> None:
    table = zermelo.load_text(heap_text(2).replace("heap", "depth")).graph().nodes_to_pandas()

    assert table["depth"].tolist() == [2, 1, 0, 0]
    assert table["depth_"].tolist() == [0, 1, 1, 2]


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_that_is_missing_is_named_with_what_brings_it(
    heap: Game, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    graph = heap.graph()
    monkeypatch.setitem(sys.modules, library, None)

    with pytest.raises(zermelo.UsageError, match=rf"{library}.*`pip install zermelo\[notebook\]`"):
        (graph.to_pandas if library == "pandas" else graph.to_networkx)()
