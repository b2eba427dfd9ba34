"""Pictures of nets: where things stand, and files that other programs can read."""

import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from tests.support import pnml as made
from tests.support.pages import along, overlap
from tests.support.pnml import colour, term, var
from tests.support.prod import BUFFER, PHILOSOPHERS
from tests.support.project import ROOT, TESTS
from tests.support.understood import net_of
from zermelo.api.loading import load, load_text
from zermelo.api.questions import graph, graph_lines
from zermelo.api.texts import picture_text
from zermelo.core.graph import GraphFormat
from zermelo.core.picture import NodeShape
from zermelo.draw import dot, svg
from zermelo.draw.layout import layout
from zermelo.draw.page import Area, Curve, NodeBox, Page
from zermelo.languages.nets.drawing import diagram, diagram_in_rows
from zermelo.languages.nets.ir import Net
from zermelo.text.errors import UsageError

NETS = TESTS / "documents" / "nets"
DOCUMENTS = [
    ROOT / "games" / "tic-tac-toe-net" / "tic-tac-toe-net.net",
    ROOT / "benchmarks" / "documents" / "philosophers.net",
    *sorted(path for path in NETS.iterdir() if path.suffix in {".net", ".pnml"}),
]
"""All of them are small enough to be drawn."""
drawn_documents = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
STEPS = 12
"""Points that are looked at on each piece of an arc."""

TEST_ARC = """\
#place p mk(<..>)
#place q
#trans t
in { p: <..>; } out { p: <..>; q: 2<..>; }
#endtr
"""


STAR = "#place p lo(<.0,0.>) hi(<.5,5.>) mk(<.1,2.>)\n" + "".join(
    f"#trans {name}\nin {{ p: <.x,y.>; }} out {{ p: {put}; }}\n#endtr\n"
    for name, put in [
        ("a", "<.y,x.>"),
        ("b", "<.x+1,y.>"),
        ("c", "<.x,y+1.>"),
        ("d", "<.x-1,y.>"),
        ("e", "<.x,y-1.>"),
        ("f", "<.x,y.>"),
    ]
)
"""One place and six transitions; the last puts back what it takes."""


def _net(text: str) -> Net:
    return net_of(load_text(text, name="some.net"))


def _laid_out(net: Net) -> Page:
    return layout(diagram_in_rows(net))


def _svg(net: Net) -> str:
    return "\n".join(svg.lines(diagram_in_rows(net)))


def _dot(net: Net) -> list[str]:
    return list(dot.diagram_lines(diagram(net)))


def _name(box: NodeBox) -> str:
    return box.node.tooltip[0]


@cache
def _page(path: Path) -> Page:
    net = net_of(load(path))
    return _laid_out(net)


def _labels(page: Page) -> list[tuple[Curve, Area]]:
    return [(each, area) for each in page.curves if (area := each.label_area) is not None]


def _reached(curve: Curve) -> list[Area]:
    """Points of an arc."""
    count = STEPS * (len(curve.points) - 1) // 3
    points = [along(curve.points, at / count) for at in range(count + 1)]
    return [Area(x, y, x, y) for x, y in points]


@drawn_documents
def test_every_inscription_stands_free_on_the_page(path: Path) -> None:
    page = _page(path)
    labels = _labels(page)
    nodes = [(_name(box), area) for box in page.boxes for area in box.areas]

    assert len(labels) == sum(bool(curve.arc.label) for curve in page.curves)
    for (one, area), (other, another) in combinations(labels, 2):
        assert not overlap(area, another), f"{one.arc.label} and {other.arc.label}"
    for curve, area in labels:
        assert 0 <= area.left < area.right <= page.width, curve.arc.label
        assert 0 <= area.top < area.bottom <= page.height, curve.arc.label
        assert [name for name, node in nodes if overlap(area, node)] == [], curve.arc.label


@drawn_documents
def test_nodes_and_their_words_lie_apart(path: Path) -> None:
    boxes = _page(path).boxes

    for one, other in combinations(boxes, 2):
        for area in one.areas:
            assert not any(overlap(area, own) for own in other.areas), (
                f"{_name(one)}, {_name(other)}"
            )


@drawn_documents
def test_no_arc_runs_through_the_inscription_of_another_nor_behind_a_node(path: Path) -> None:
    page = _page(path)
    labels = _labels(page)

    for curve in page.curves:
        ends = {curve.arc.source, curve.arc.target}
        others = [area for other, area in labels if other is not curve]
        others += [
            area for at, box in enumerate(page.boxes) if at not in ends for area in box.areas
        ]
        points = _reached(curve)
        assert not any(overlap(point, area) for point in points for area in others), curve.arc.label


@drawn_documents
def test_arcs_meet_a_node_apart_from_each_other(path: Path) -> None:
    page = _page(path)
    met: dict[int, list[tuple[float, float]]] = {}
    for curve in page.curves:
        met.setdefault(curve.arc.source, []).append(curve.points[0])
        met.setdefault(curve.arc.target, []).append(curve.points[-1])

    for number, points in met.items():
        for one, other in combinations(points, 2):
            far = abs(one[0] - other[0]) + abs(one[1] - other[1])
            assert far >= 5, _name(page.boxes[number])


@drawn_documents
def test_the_same_net_has_the_same_picture(path: Path) -> None:
    first, second = (picture_text(load(path), "svg") for _ in range(2))

    assert first == second


def test_transitions_around_one_place_stand_on_both_sides_of_it() -> None:
    page = _laid_out(_net(STAR))
    place, *transitions = page.boxes

    assert sum(each.y < place.y for each in transitions) == 3
    assert len(_labels(page)) == 11
    assert [curve.arc.label for curve in page.curves if curve.arc.has_two_heads] == ["<.x,y.>"]


def test_a_place_with_many_arcs_is_wider() -> None:
    few, many = (_laid_out(_net(text)).boxes[0].width for text in (TEST_ARC, STAR))

    # Six arcs on a side: three more than meet a circle, at 8 each.
    assert (few, many) == (34.0, 34.0 + 3 * 8)


def test_there_and_back_with_different_inscriptions_is_two_arcs() -> None:
    text = "#place p lo(<.0.>) hi(<.9.>)\n#trans t\nin { p: <.x.>; } out { p: <.x+1.>; }\n#endtr\n"
    there, back = _laid_out(_net(text)).curves

    assert (there.arc.source, there.arc.target) == (back.arc.target, back.arc.source)
    assert there.label is not None
    assert back.label is not None
    assert abs(there.label[0] - back.label[0]) >= 14


def test_a_gate_is_written_whole_or_not_at_all() -> None:
    long = " && ".join(f"x != {n}" for n in range(10))
    text = (
        "#place p lo(<.0.>) hi(<.9.>)\n"
        "#trans short\nin { p: <.x.>; } gate x < 3;\n#endtr\n"
        f"#trans long\nin {{ p: <.x.>; }} gate {long};\n#endtr\n"
    )
    net = _net(text)
    page = _laid_out(net)

    assert [(*box.node.lines, *box.node.notes) for box in page.boxes[1:]] == [
        ("short", "x < 3"),
        ("long", "gate …"),
    ]
    assert "x != 9" in _svg(net)


@pytest.mark.parametrize("text", [BUFFER, PHILOSOPHERS, TEST_ARC])
def test_nothing_stands_upon_another(text: str) -> None:
    page = _laid_out(_net(text))

    for one, other in combinations(page.boxes, 2):
        aside = abs(one.x - other.x) >= (one.width + other.width) / 2
        below = abs(one.y - other.y) >= (one.height + other.height) / 2
        assert aside or below, f"{_name(one)} and {_name(other)}"
    for box in page.boxes:
        assert box.x - box.width / 2 >= 0
        assert box.x + box.width / 2 <= page.width
        assert box.y + box.height / 2 <= page.height


@pytest.mark.parametrize("text", [BUFFER, PHILOSOPHERS, TEST_ARC])
def test_places_and_transitions_take_turns(text: str) -> None:
    page = _laid_out(_net(text))
    heights = sorted({box.y for box in page.boxes})

    assert all(
        (box.node.shape is NodeShape.CIRCLE) == (heights.index(box.y) % 2 == 0)
        for box in page.boxes
    )


def test_what_is_taken_and_put_back_is_one_arc_with_two_heads() -> None:
    page = _laid_out(_net(TEST_ARC))

    assert [(curve.arc.label, curve.arc.has_two_heads) for curve in page.curves] == [
        ("", True),
        ("2", False),
    ]


def test_inscriptions_and_conditions_have_the_names_of_colours() -> None:
    condition = term("inequality", var("x"), colour("green"))
    net = made.net(
        made.document(
            made.coloured_place("p", "hue", made.everything("hue"))
            + f'<transition id="t"><condition><structure>{condition}</structure></condition>'
            "</transition>"
            + made.coloured_arc("p", "t", term("successor", var("x")))
            + made.coloured_arc("t", "p", term("subtract", made.everything("hue"), colour("blue")))
            + made.declared(made.cyclic("hue", "red", "green", "blue"), made.variable("x", "hue")),
            "symmetricnet",
        )
    )

    assert [curve.arc.label for curve in _laid_out(net).curves] == [
        "<.x++1.>",
        "<.all.> − <.blue.>",
    ]
    assert "gate x != green" in _svg(net)
    assert 'label="<.all.> − <.blue.>"' in "\n".join(_dot(net))


def test_the_picture_is_svg_with_names_tokens_and_inscriptions() -> None:
    root = ET.fromstring(_svg(_net(PHILOSOPHERS)))

    texts = {each.text for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"thinking", "hungry", "eating", "fork", "left", "right", "finish"} <= texts
    assert {"<.p.>", "<.p % 3 + 1.>", "<.1.> + <.2.> + <.3.>"} <= texts


def test_a_net_that_is_too_large_is_left_to_graphviz() -> None:
    large = "".join(
        f"#place p{n} mk(<..>)\n#trans t{n}\nin {{ p{n}: <..>; }}\n#endtr\n" for n in range(80)
    )
    net = _net(large)

    with pytest.raises(UsageError, match="--format dot leaves it to Graphviz"):
        diagram_in_rows(net)
    assert sum("->" in line for line in _dot(net)) == 80


def test_dot_says_what_lies_where() -> None:
    written = "\n".join(_dot(_net(BUFFER)))

    assert 'p0 [shape="circle", label="●●●", xlabel="free", tooltip="free: 3<..>"];' in written
    assert "  p3 -> t1;" in written


def test_dot_has_one_arc_for_what_is_taken_and_put_back() -> None:
    arcs = [line.strip() for line in _dot(_net(TEST_ARC)) if "->" in line]

    assert arcs == ['p0 -> t0 [dir="both"];', 't0 -> p1 [label="2<..>"];']


def test_names_cannot_break_the_files() -> None:
    net = _net(BUFFER)
    named = Net('a "b" <c>', net.places, net.transitions)

    ET.fromstring(_svg(named))
    assert _dot(named)[0] == 'digraph "a \\"b\\" <c>" {'


def test_the_graph_of_a_net_tells_components_and_terminal_nodes_apart() -> None:
    game = load_text(PHILOSOPHERS, name="some.net")
    found = graph(game)

    drawn = "\n".join(graph_lines(game, found, GraphFormat.SVG))
    written = "\n".join(graph_lines(game, found, GraphFormat.DOT))

    assert "component 0: 13 nodes on cycles" in drawn
    assert ">terminal<" in drawn
    assert ">left &lt;p: 1&gt;<" in drawn
    assert 'label="node 10\\nhungry: <.1.> + <.2.> + <.3.>\\nterminal"' in written
