"""Strongly connected components are what a brute force finds."""

import numpy as np
import pytest

from zermelo.engines.graph import components as module
from zermelo.engines.graph.build import Width
from zermelo.engines.graph.components import (
    Arcs,
    arc_summary,
    components,
    from_pairs,
    shortest_loop,
)
from zermelo.fast import jit

NEEDS_COMPILER = pytest.mark.skipif(jit.available() is not None, reason="there is no compiler here")


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


def drawn(seed: int, *, most: int = 40) -> tuple[int, list[tuple[int, int]]]:
    """Some nodes, and arcs between them drawn at random."""
    random = np.random.default_rng(seed)
    nodes = int(random.integers(1, most))
    pairs = random.integers(0, nodes, (int(random.integers(0, 2 * nodes)), 2))
    return nodes, [(int(source), int(target)) for source, target in pairs]


def narrow(arcs: Arcs, width: Width) -> Arcs:
    return Arcs(arcs.offsets, arcs.targets.astype(width))


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
    nodes, pairs = drawn(seed)

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


# Compiled loops


@NEEDS_COMPILER
@pytest.mark.parametrize("width", [np.int32, np.int64])
@pytest.mark.parametrize("seed", range(40))
def test_compiled_code_finds_what_steps_over_whole_arrays_find(seed: int, width: Width) -> None:
    nodes, pairs = drawn(seed, most=400)
    arcs = narrow(graph(nodes, *pairs), width)

    labels = components(arcs, native=True)

    assert labels.tolist() == components(arcs, native=False).tolist()
    compiled, slow = arc_summary(arcs, labels, native=True), arc_summary(arcs, labels, native=False)
    assert compiled.loops == slow.loops
    assert compiled.has_inside.tolist() == slow.has_inside.tolist()
    assert compiled.has_leaving.tolist() == slow.has_leaving.tolist()
    there, back = arcs.turned(native=True), arcs.turned(native=False)
    assert there.offsets.tolist() == back.offsets.tolist()
    assert there.targets.tolist() == back.targets.tolist()


@pytest.mark.parametrize("at_once", [1, 7, 1 << 22])
@pytest.mark.parametrize("seed", range(6))
def test_the_loops_in_python_find_what_a_brute_force_finds(
    seed: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = module.compiled_loop
    monkeypatch.setattr(module, "compiled_loop", lambda name, size: loop(name, size, native=False))
    monkeypatch.setattr(module, "_is_native", lambda *_, native: native)
    monkeypatch.setattr(module, "_AT_ONCE", at_once)
    nodes, pairs = drawn(seed)
    arcs = narrow(graph(nodes, *pairs), np.int32)

    labels = components(arcs, native=True)

    assert labels.tolist() == by_brute_force(nodes, pairs)
    found = arc_summary(arcs, labels, native=True)
    ends = [(labels[source], labels[target]) for source, target in pairs]
    assert found.loops == sum(source == target for source, target in pairs)
    assert set(np.flatnonzero(found.has_inside)) == {one for one, other in ends if one == other}
    assert set(np.flatnonzero(found.has_leaving)) == {one for one, other in ends if one != other}
    turned = arcs.turned(native=True)
    assert list(zip(turned.targets, turned.sources, strict=True)) == sorted(
        pairs, key=lambda pair: (pair[1], pair[0])
    )


def test_the_loops_can_be_compiled() -> None:
    for size in (4, 8):
        jit.check(module.loops_unit(size))


@NEEDS_COMPILER
def test_a_long_path_and_a_long_ring_need_no_recursion() -> None:
    size = 300_000
    nodes = np.arange(size)
    ring = Arcs(np.arange(size + 1), np.roll(nodes, -1).astype(np.int32))
    path = from_pairs(nodes[:-1], nodes[1:], nodes=size)

    assert not components(ring, native=True).any()
    assert components(path, native=True).tolist() == nodes.tolist()


def test_an_empty_graph_has_no_component() -> None:
    arcs = Arcs(np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int32))

    for native in (False, True):
        assert components(arcs, native=native).tolist() == []
        assert arc_summary(arcs, components(arcs), native=native).loops == 0


# Arcs


@pytest.mark.parametrize("at_once", [1, 3, 1 << 22])
def test_arcs_tell_who_arrives_where(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_AT_ONCE", at_once)
    arcs = graph(4, (0, 1), (0, 2), (1, 2), (3, 3))

    assert [arcs.arriving(node).tolist() for node in range(4)] == [[], [0], [1, 2], [3]]
    assert [arcs.source(arc) for arc in range(4)] == arcs.sources.tolist() == [0, 0, 1, 3]
    assert [node for piece in arcs.pieces() for node in range(*piece)] == [0, 1, 2, 3]
