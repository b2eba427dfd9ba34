"""Graphs in JSON are one object that says what the graph is."""

import json
from typing import Any

from tests.support.graphs import NASTY, corridor, graph, nasty
from tests.support.systems import lit, numbers, stored, system
from zermelo.core.graph import GraphFormat
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.draw import formats
from zermelo.draw.graph_view import ComponentGraph, StateGraph
from zermelo.languages.sections.ir import System


def read_back(of: System, limits: Limits = UNLIMITED) -> Any:  # noqa: ANN401 (JSON has every shape)
    return json.loads("\n".join(formats.lines(StateGraph(graph(of, limits)), GraphFormat.JSON)))


def test_a_graph_reads_back() -> None:
    read = read_back(corridor())

    assert (read["complete"], read["cut"]) == (True, None)
    assert len(read["nodes"]) == 6
    assert read["nodes"][4] == {
        "number": 4,
        "state": {"at": 4, "lit": False, "trapped": True},
        "depth": 3,
        "player": None,
        "outcome": None,
        "open": False,
        "component": 1,
        "states": 1,
    }
    assert len(read["arcs"]) == 9
    assert read["arcs"][5] == [3, 4, "Drop()"]


def test_a_cut_graph_says_so() -> None:
    read = read_back(corridor(), Limits(depth=2))

    assert (read["complete"], read["cut"]) == (False, "stopped after 2 moves")
    assert [node["open"] for node in read["nodes"]] == [False, False, False, True]


def test_a_graph_without_arcs_reads_back() -> None:
    read = read_back(system(stored("at", numbers(1, 2), lit(1))))

    assert (len(read["nodes"]), read["arcs"]) == (1, [])
    assert read["nodes"][0]["outcome"] == "stuck"


def test_words_of_a_document_are_only_text() -> None:
    assert read_back(nasty())["nodes"][2]["state"] == {"now": NASTY}


def test_components_have_sizes() -> None:
    read = json.loads("\n".join(formats.lines(ComponentGraph(graph(corridor())), GraphFormat.JSON)))

    assert [node["states"] for node in read["nodes"]] == [4, 2]
