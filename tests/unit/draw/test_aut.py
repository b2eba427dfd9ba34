"""AUT files say what the graph is."""

import re

from tests.support.graphs import NASTY, corridor, graph, nasty
from tests.support.systems import countdown
from zermelo.core.graph import GraphFormat
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.draw import formats
from zermelo.draw.graph_view import ComponentGraph, StateGraph
from zermelo.languages.sections.ir import System

HEADER = re.compile(r"des \((\d+), (\d+), (\d+)\)")
ARC = re.compile(r'\((\d+), "([^"\n]*)", (\d+)\)')


def read_back(lines: list[str]) -> tuple[int, int, list[tuple[int, str, int]]]:
    """The initial state, the number of states, and the arcs of an AUT file."""
    header = HEADER.fullmatch(lines[0])
    assert header is not None, lines[0]
    first, count, states = map(int, header.groups())
    arcs = []
    for line in lines[1:]:
        found = ARC.fullmatch(line)
        assert found is not None, line
        arcs.append((int(found[1]), found[2], int(found[3])))
    assert len(arcs) == count
    assert all(max(source, target) < states for source, _, target in arcs)
    return first, states, arcs


def written(of: System, limits: Limits = UNLIMITED) -> list[str]:
    return list(formats.lines(StateGraph(graph(of, limits)), GraphFormat.AUT))


def test_an_aut_file_reads_back_as_the_graph() -> None:
    first, states, arcs = read_back(written(corridor()))

    assert (first, states) == (0, 6)
    assert arcs == [
        (0, "Left()", 1),
        (0, "Right()", 2),
        (1, "Right()", 0),
        (2, "Left()", 0),
        (2, "Right()", 3),
        (3, "Drop()", 4),
        (3, "Left()", 2),
        (4, "Switch()", 5),
        (5, "Switch()", 4),
    ]


def test_what_lies_beyond_a_cut_is_one_more_state() -> None:
    _, states, arcs = read_back(written(corridor(), Limits(depth=2)))

    assert states == 5
    assert arcs[-1] == (3, "not complete: stopped after 2 moves", 4)
    assert [arc for arc in arcs if arc[2] == 4] == [arcs[-1]]


def test_no_word_of_a_document_ends_a_label() -> None:
    _, _, arcs = read_back(written(nasty()))

    assert f"Go({NASTY})".replace('"', "'") in [label for _, label, _ in arcs]


def test_components_can_be_the_states() -> None:
    found = read_back(list(formats.lines(ComponentGraph(graph(corridor())), GraphFormat.AUT)))

    assert found == (0, 2, [(0, "Drop()", 1)])


def test_several_moves_between_components_are_counted() -> None:
    shown = ComponentGraph(graph(countdown(3)))

    # There is no cycle, so the components are the states, and no two have two arcs between them.
    assert len(read_back(list(formats.lines(shown, GraphFormat.AUT)))[2]) == len(
        graph(countdown(3)).moves
    )
