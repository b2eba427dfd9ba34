"""Automorphisms found by refining colours: of graphs whose groups are known."""

from __future__ import annotations

from itertools import combinations

import pytest

from zermelo.languages.sections.symmetry.automorphisms import ClaimGraph, Permutation, automorphisms

Edges = set[frozenset[int]]


def graph_of(count: int, edges: Edges) -> ClaimGraph:
    made = ClaimGraph()
    for number in range(count):
        made.claims[number] = made.vertex("point")
    for one, other in sorted(map(sorted, edges)):
        middle = made.vertex("edge")
        made.edge(middle, made.claims[one], "end")
        made.edge(middle, made.claims[other], "end")
    return made


def order(count: int, edges: Edges) -> int:
    def keeps(moved: Permutation) -> bool:
        return {frozenset(moved.get(end, end) for end in edge) for edge in edges} == edges

    found = automorphisms(graph_of(count, edges), keeps)
    assert found.is_complete
    assert all(keeps(generator) for generator in found.generators)
    return found.order


def ring(count: int) -> Edges:
    return {frozenset((at, (at + 1) % count)) for at in range(count)}


def petersen() -> Edges:
    pairs = list(combinations(range(5), 2))
    return {
        frozenset((a, b))
        for a, b in combinations(range(10), 2)
        if not set(pairs[a]) & set(pairs[b])
    }


def cube() -> Edges:
    return {frozenset((a, a ^ 1 << bit)) for a in range(8) for bit in range(3)}


@pytest.mark.parametrize(
    ("count", "edges", "size"),
    [
        (7, ring(7), 14),
        (10, petersen(), 120),
        (8, cube(), 48),
        (6, set(), 720),
        (6, {frozenset((0, 1)), frozenset((2, 3)), frozenset((4, 5))}, 48),
        (6, {frozenset((0, 1)), frozenset((1, 2)), frozenset((2, 3)), frozenset((1, 4))}, 2),
    ],
    ids=["ring", "petersen", "cube", "points", "pairs", "tree"],
)
def test_the_group_of_a_known_graph_has_its_known_order(
    count: int, edges: Edges, size: int
) -> None:
    assert order(count, edges) == size


def test_what_is_not_proved_does_not_count() -> None:
    found = automorphisms(graph_of(5, ring(5)), lambda _: False)

    assert found.generators == ()
    assert found.order == 1


def test_the_graph_may_ask_for_more_than_the_proof() -> None:
    """The proof accepts everything; the graph has only the ring's turns and reflections."""
    found = automorphisms(graph_of(5, ring(5)), lambda _: True, is_whole=True)

    assert found.order == 10
