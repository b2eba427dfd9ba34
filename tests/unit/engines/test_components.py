"""Strongly connected components are what a brute force finds."""

import numpy as np
import pytest

from zermelo.engines import components as module
from zermelo.engines.components import Arcs, components, from_pairs, shortest_loop


def graph(nodes: int, *pairs: tuple[int, int]) -> Arcs:
    ordered = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    return from_pairs(ordered[:, 0], ordered[:, 1], nodes=nodes)


def by_brute_force(nodes: int, pairs: list[tuple[int, int]]) -> list[int]:
    """The components by who reaches whom, which Warshall's algorithm tells."""
    reaches = np.eye(nodes, dtype=np.bool_)
    for source, target in pairs:
        reaches[source, target] = True
    for middle in range(nodes):
        reaches |= np.outer(reaches[:, middle], reaches[middle])
    firsts = [int(np.argmax(reaches[node] & reaches[:, node])) for node in range(nodes)]
    numbers = {first: number for number, first in enumerate(sorted(set(firsts)))}
    return [numbers[first] for first in firsts]


def test_an_acyclic_graph_has_a_component_for_each_node() -> None:
    assert components(graph(4, (0, 1), (0, 2), (1, 3), (2, 3))).tolist() == [0, 1, 2, 3]


def test_nodes_on_one_cycle_are_one_component() -> None:
    assert components(graph(5, (0, 1), (1, 2), (2, 0), (2, 3), (3, 4))).tolist() == [0, 0, 0, 1, 2]


def test_a_loop_joins_nothing() -> None:
    assert components(graph(2, (0, 0), (0, 1), (1, 1))).tolist() == [0, 1]


def test_components_are_numbered_in_the_order_of_their_first_nodes() -> None:
    # 0 → {1, 4} and {2, 3}, which were found the other way round.
    arcs = graph(5, (0, 2), (0, 1), (1, 4), (4, 1), (2, 3), (3, 2))

    assert components(arcs).tolist() == [0, 1, 2, 2, 1]


def test_a_graph_without_arcs_is_all_components() -> None:
    assert components(graph(3)).tolist() == [0, 1, 2]


@pytest.mark.parametrize("rounds", [1, 3, module.MOST_ROUNDS])
@pytest.mark.parametrize("seed", range(15))
def test_random_graphs_have_the_components_of_a_brute_force(
    seed: int, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Few rounds leave more of the work to the last of the three algorithms.
    monkeypatch.setattr(module, "MOST_ROUNDS", rounds)
    random = np.random.default_rng(seed)
    nodes = int(random.integers(1, 40))
    drawn = random.integers(0, nodes, (int(random.integers(0, 2 * nodes)), 2))
    pairs = [(int(source), int(target)) for source, target in drawn]

    found = components(graph(nodes, *pairs))

    assert found.tolist() == by_brute_force(nodes, pairs)


def test_a_long_ring_is_one_component_and_a_long_path_none() -> None:
    size = 3 * module.MOST_ROUNDS
    ring = graph(size, *((node, (node + 1) % size) for node in range(size)))
    path = graph(size, *((node, node + 1) for node in range(size - 1)))

    assert set(components(ring).tolist()) == {0}
    assert components(path).tolist() == list(range(size))


def test_the_shortest_loop_is_found() -> None:
    # 0 → 1 → 2 → 3 → 0 and 0 → 4 → 0; arcs in this order.
    arcs = graph(5, (0, 1), (0, 4), (1, 2), (2, 3), (3, 0), (4, 0))

    loop = shortest_loop(arcs, 0, within=np.ones(5, dtype=np.bool_))

    assert loop == [1, 5]


def test_a_loop_keeps_within_what_it_is_told() -> None:
    arcs = graph(5, (0, 1), (0, 4), (1, 2), (2, 3), (3, 0), (4, 0))

    loop = shortest_loop(arcs, 0, within=np.array([True, True, True, True, False]))

    assert loop == [0, 2, 3, 4]
