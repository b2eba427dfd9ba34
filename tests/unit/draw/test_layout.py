"""Pages of graphs: labels stand free, and every curve can be followed."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import pytest

from tests.support.graphs import corridor, graph
from tests.support.pages import along, overlap
from tests.support.prod import BUFFER, PHILOSOPHERS
from tests.support.systems import squares
from zermelo.api import loading, questions
from zermelo.core.picture import Grid
from zermelo.core.state import State
from zermelo.draw.graph_diagram import MOST_LABELS, MOST_PASSAGES, diagram_of, graph_diagram
from zermelo.draw.graph_view import GraphArc, GraphNode, GraphSummary, StateGraph
from zermelo.draw.layout import layout
from zermelo.draw.page import Area, Curve, Page

STEPS = 12
"""Points that are looked at on each piece of a curve."""

Arcs = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Sample:
    """A graph: how deep its nodes are, and its arcs."""

    depths: tuple[int, ...]
    arcs: tuple[tuple[int, int], ...]


CHAIN = tuple((n, n + 1) for n in range(7))
SAMPLES = {
    "loops": Sample((0, 1, 1), ((0, 1), (0, 2), (1, 1), (2, 2), (0, 0))),
    "beside": Sample((0, 1, 1, 1), ((0, 1), (0, 2), (0, 3), (1, 3), (3, 1), (2, 1), (3, 2))),
    "back": Sample((*range(8),), (*CHAIN, *((n, 0) for n in range(1, 8)), (7, 3), (5, 5))),
    "skipping": Sample((0, 2, 3, 7), ((0, 1), (0, 3), (1, 3), (0, 2), (3, 0))),
    "full": Sample((0, 1, 1, 2, 2), tuple((a, b) for a in range(5) for b in range(5))),
}
STATE = (
    questions.graph(loading.load_text("#place p\n#trans t\n#endtr\n", name="one.net")).node(0).state
)


def laid_out(depths: Sequence[int], arcs: Arcs) -> Page:
    nodes = [
        GraphNode(
            number=number,
            state=STATE,
            depth=depth,
            player=None,
            outcome=None,
            is_open=False,
            component=0,
        )
        for number, depth in enumerate(depths)
    ]
    shown = [GraphArc(one, other, f"Go({one}, {other})") for one, other in arcs]
    summary = GraphSummary(
        name="some", nodes=len(nodes), arcs=len(shown), players=(), readings={}, cut=None
    )
    return layout(diagram_of(summary, nodes, shown, sketch=None))


def of_net(text: str) -> Page:
    shown = StateGraph(questions.graph(loading.load_text(text, name="some.net")), marks=True)
    return layout(graph_diagram(shown, sketch=words))


def words(state: State) -> tuple[Grid, tuple[str, ...]]:
    return (), (str(state)[:30], "of different lengths"[: len(str(state)) % 20])


def pages() -> dict[str, Page]:
    found = {name: laid_out(each.depths, each.arcs) for name, each in SAMPLES.items()}
    for name, of in (("corridor", corridor()), ("squares", squares())):
        found[name] = layout(graph_diagram(StateGraph(graph(of)), sketch=words))
    return {**found, "philosophers": of_net(PHILOSOPHERS), "buffer": of_net(BUFFER)}


PAGES = pages()
every_page = pytest.mark.parametrize("name", PAGES)


def _reached(curve: Curve) -> list[Area]:
    count = STEPS * (len(curve.points) - 1) // 3
    points = [along(curve.points, at / count) for at in range(1, count)]
    return [Area(x, y, x, y) for x, y in points]


@every_page
def test_labels_hide_nothing(name: str) -> None:
    page = PAGES[name]
    areas = [(each, area) for each in page.curves if (area := each.label_area) is not None]

    assert len(areas) == len(page.curves)
    for (one, area), (other, another) in combinations(areas, 2):
        assert not overlap(area, another), f"{one.arc.label} and {other.arc.label}"
    for curve, area in areas:
        assert not any(overlap(area, own) for box in page.boxes for own in box.areas), (
            curve.arc.label
        )
        assert 0 < area.left < area.right < page.width, curve.arc.label
        assert 0 < area.top < area.bottom < page.height, curve.arc.label


@every_page
def test_no_curve_runs_behind_a_box_or_a_label_of_another(name: str) -> None:
    page = PAGES[name]

    for curve in page.curves:
        hidden = [area for box in page.boxes for area in box.areas]
        hidden += [
            area
            for other in page.curves
            if other is not curve and (area := other.label_area) is not None
        ]
        for point in _reached(curve):
            assert not any(overlap(point, area) for area in hidden), curve.arc.label


@every_page
def test_curves_end_in_the_direction_in_which_they_lead(name: str) -> None:
    page = PAGES[name]

    for curve in page.curves:
        if curve.arc.is_loop:
            continue
        before, end = curve.points[-2], curve.points[-1]
        target = page.boxes[curve.arc.target]
        assert abs(before[0] - end[0]) < 1e-9
        assert (before[1] < end[1]) is (end[1] < target.y)
        assert abs(before[1] - end[1]) > 1


def test_a_curve_within_a_row_turns_below_it() -> None:
    page = laid_out((0, 1, 1), ((0, 1), (0, 2), (1, 2)))
    (curve,) = [each for each in page.curves if (each.arc.source, each.arc.target) == (1, 2)]

    assert curve.arc.is_dashed
    assert max(y for _, y in curve.points) > page.boxes[1].areas[0].bottom
    assert min(y for _, y in curve.points) >= page.boxes[1].areas[0].bottom


def test_many_curves_carry_no_labels_but_loops_do() -> None:
    arcs = [(0, n) for n in range(1, MOST_LABELS + 2)]
    page = laid_out([0] + [1] * (MOST_LABELS + 1), [*arcs, (0, 0)])

    assert [each.arc.label for each in page.curves if each.label is not None] == ["Go(0, 0)"]


def test_more_long_curves_than_there_is_room_for_take_the_straight_way() -> None:
    wide = MOST_PASSAGES + 1
    arcs = [(0, 1), *((1, n) for n in range(2, wide + 2)), *((n, 0) for n in range(2, wide + 2))]
    page = laid_out([0, 1] + [2] * wide, arcs)

    assert {len(each.points) for each in page.curves if each.arc.target == 0} == {4}
    assert page.width < 4000
