"""SVG drawings are well-formed, complete, and have room for everything."""

from itertools import combinations
from xml.etree import ElementTree

import pytest

from tests.support.graphs import NASTY, corridor, graph, nasty
from tests.support.systems import countdown, squares
from zermelo.api import loading, questions
from zermelo.core.graph import GraphFormat
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.core.picture import Grid
from zermelo.core.state import State
from zermelo.draw import svg
from zermelo.draw.graph_diagram import graph_diagram
from zermelo.draw.graph_view import ComponentGraph, GraphView, StateGraph
from zermelo.draw.layout import layout
from zermelo.draw.page import Page
from zermelo.languages.sections.ir import System
from zermelo.text.errors import UsageError

LOOPS = """\
#place p lo(<.0.>) hi(<.3.>) mk(<.0.>)
#trans inc
in { p: <.x.>; } out { p: <.x+1.>; } gate x < 3;
#endtr
#trans stay
in { p: <.x.>; } out { p: <.x.>; } gate x == 3 || x == 1;
#endtr
#trans back
in { p: <.x.>; } out { p: <.0.>; } gate x == 2;
#endtr
"""
"""Counts to 3, where it stays; from 2 it can go back: 3 + 2 + 1 arcs between 4 markings."""
NAMES = {"s": "http://www.w3.org/2000/svg"}


def plain(state: State) -> tuple[Grid, tuple[str, ...]]:
    return (("x", None), ("", "o")), (str(state)[:10],)


def read_back(of: System, limits: Limits = UNLIMITED) -> ElementTree.Element:
    return drawn(StateGraph(graph(of, limits)))


def drawn(shown: GraphView) -> ElementTree.Element:
    return ElementTree.fromstring("\n".join(svg.lines(graph_diagram(shown, sketch=plain))).encode())


def laid_out(of: System) -> Page:
    return layout(graph_diagram(StateGraph(graph(of)), sketch=plain))


def titles(root: ElementTree.Element, kind: str) -> list[str]:
    return [
        title.text or ""
        for element in root.findall(f".//s:{kind}", NAMES)
        for title in element.findall("s:title", NAMES)
    ]


def texts(root: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in root.iter(f"{{{NAMES['s']}}}text")]


def test_every_node_and_every_arc_is_drawn_with_a_tooltip() -> None:
    root = read_back(corridor())

    assert len(titles(root, "g")) == 6
    assert titles(root, "g")[4] == (
        "4: at = 4, lit = false, trapped = true\nin a nontrivial terminal component"
    )
    assert len(titles(root, "path")) == 9
    assert "Drop(): from 3 to 4" in titles(root, "path")


def test_plies_are_named_and_counted() -> None:
    said = texts(read_back(corridor()))

    assert said.count("ply 1") == 1
    assert said[said.index("ply 1") + 1] == "2 states"


def test_colours_are_explained() -> None:
    said = texts(read_back(countdown(2)))

    assert {"A to move", "B to move", "A wins", "B wins"} <= set(said)


def test_a_cut_graph_says_so() -> None:
    root = read_back(squares(), Limits(depth=1))

    assert "not complete: stopped after 1 move" in texts(root)
    assert "goes on beyond this drawing" in texts(root)
    assert titles(root, "g")[1].endswith("goes on beyond this drawing")


def test_words_of_a_document_are_only_text() -> None:
    root = read_back(nasty())

    assert titles(root, "g")[2].splitlines()[0] == f"2: now = {NASTY}"
    assert titles(root, "g")[2].splitlines()[1] == f"{NASTY} to move"
    assert not root.findall(".//s:b", NAMES)


def test_boxes_do_not_overlap_and_stay_on_the_page() -> None:
    page = laid_out(squares())

    for box in page.boxes:
        assert box.x - box.width / 2 > 0
        assert box.x + box.width / 2 < page.width
        assert box.areas[0].bottom < page.height
    for one, other in combinations(page.boxes, 2):
        is_beside = abs(one.x - other.x) >= (one.width + other.width) / 2
        assert is_beside or one.areas[0].bottom <= other.top or other.areas[0].bottom <= one.top


def test_a_row_holds_the_nodes_of_one_depth() -> None:
    page = laid_out(squares())

    heights: dict[int, list[float]] = {}
    for box in page.boxes:
        heights.setdefault(box.node.row, []).append(box.y)

    assert all(len(set(each)) == 1 for each in heights.values())
    assert [len(heights[row]) for row in range(len(page.rows))] == [1, 4, 12, 12, 4]


def test_curves_lead_down_unless_they_lead_back() -> None:
    page = laid_out(corridor())

    for curve in page.curves:
        is_deeper = page.boxes[curve.arc.target].y > page.boxes[curve.arc.source].y
        assert curve.arc.is_dashed is not is_deeper
        assert (curve.points[-1][1] > curve.points[0][1]) is is_deeper


def test_moves_between_the_same_nodes_share_a_curve() -> None:
    game = loading.load_text(
        """\
Applicable Sets
  N : {1..5}
  B : {true, false}
System Variables
  done ∈ B
System Initialization
  done = false
System States and Behavior
Go(n ∈ N)
  ¬done → done = true
"""
    )
    arcs = graph_diagram(StateGraph(questions.graph(game))).arcs

    assert [arc.label for arc in arcs] == ["Go(1), Go(2), Go(3) +2"]


def test_components_are_drawn_with_their_sizes() -> None:
    said = texts(drawn(ComponentGraph(graph(corridor()))))

    assert {"4 states", "2 states", "2 components, 1 arc"} <= set(said)


def test_terminal_components_have_a_double_border_and_a_legend() -> None:
    root = read_back(corridor())

    borders = {
        group.get("id"): len([each for each in group.findall("s:rect", NAMES) if each.get("rx")])
        for group in root.findall(".//s:g[@class='node']", NAMES)
    }
    # Nobody leaves the cellar, which is nodes 4 and 5.
    assert borders == {f"node-{n}": 2 if n >= 4 else 1 for n in range(6)}
    assert "in a nontrivial terminal component" in texts(root)


def test_markings_and_firings_are_called_by_their_names() -> None:
    game = loading.load_text(LOOPS, name="loops.net")
    found = questions.graph(game)
    said = texts(
        ElementTree.fromstring("\n".join(questions.graph_lines(game, found, GraphFormat.SVG)))
    )

    assert {"4 markings, 6 arcs", "0 firings", "1 firing", "3 firings", "1 marking"} <= set(said)
    assert "to a marking that was there before" in said
    assert "component 0: 3 nodes on cycles" in said
    assert "component 1: 1 node on cycles, terminal" in said
    assert not [text for text in said if "state" in text or "ply" in text or "move" in text]


def test_a_cut_graph_of_a_net_says_after_how_many_firings() -> None:
    game = loading.load_text(LOOPS, name="loops.net")
    found = questions.graph(game, limits=Limits(depth=1))

    drawn_lines = "\n".join(questions.graph_lines(game, found, GraphFormat.SVG))

    assert "not complete: stopped after 1 firing" in texts(ElementTree.fromstring(drawn_lines))


def test_an_arc_to_its_own_node_shows_its_move() -> None:
    game = loading.load_text(LOOPS, name="loops.net")
    drawn_lines = "\n".join(questions.graph_lines(game, questions.graph(game), GraphFormat.SVG))

    assert {"stay <x: 1>", "stay <x: 3>"} <= set(texts(ElementTree.fromstring(drawn_lines)))


def test_a_graph_of_a_net_that_is_too_large_is_refused_in_its_own_words() -> None:
    game = loading.load("tic-tac-toe-net")
    found = questions.graph(game, limits=Limits(states=501))

    with pytest.raises(UsageError, match=r"too large to be drawn: .* the first N firings"):
        questions.graph_lines(game, found, GraphFormat.SVG)


def test_a_graph_that_is_too_large_is_refused_in_a_sentence() -> None:
    found = questions.graph(loading.load("tic-tac-toe"), limits=Limits(states=501))

    with pytest.raises(UsageError, match=r"at least 501 nodes .* --depth N draws"):
        graph_diagram(StateGraph(found))


def test_a_row_that_is_too_long_is_refused_in_a_sentence() -> None:
    found = questions.graph(loading.load("tic-tac-toe"), limits=Limits(depth=3))

    with pytest.raises(UsageError, match=r"252 nodes at depth 3 .* --depth 2 draws"):
        graph_diagram(StateGraph(found))
