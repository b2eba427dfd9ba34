"""Pictures of nets: where things stand, and files that other programs can read."""

import xml.etree.ElementTree as ET
from itertools import combinations

import pytest

from tests.support.prod import BUFFER, PHILOSOPHERS
from zermelo import api
from zermelo.core.nets.ir import Net
from zermelo.exchange import net_dot, net_svg
from zermelo.exchange.net_layout import net_drawing
from zermelo.text.errors import UsageError

TEST_ARC = """\
#place p mk(<..>)
#place q
#trans t
in { p: <..>; } out { p: <..>; q: 2<..>; }
#endtr
"""


def _net(text: str) -> Net:
    net = api.load_text(text, name="some.net").net
    assert net is not None
    return net


@pytest.mark.parametrize("text", [BUFFER, PHILOSOPHERS, TEST_ARC])
def test_nothing_stands_upon_another(text: str) -> None:
    page = net_drawing(_net(text))

    for one, other in combinations(page.spots, 2):
        aside = abs(one.x - other.x) >= (one.width + other.width) / 2
        below = abs(one.y - other.y) >= (one.height + other.height) / 2
        assert aside or below, f"{one.node.name} and {other.node.name}"
    for spot in page.spots:
        assert spot.x - spot.width / 2 >= 0
        assert spot.x + spot.width / 2 <= page.width
        assert spot.y + spot.height / 2 <= page.height


@pytest.mark.parametrize("text", [BUFFER, PHILOSOPHERS, TEST_ARC])
def test_places_and_transitions_take_turns(text: str) -> None:
    page = net_drawing(_net(text))
    heights = sorted({spot.y for spot in page.spots})

    assert all(spot.is_place == (heights.index(spot.y) % 2 == 0) for spot in page.spots)


def test_what_is_taken_and_put_back_is_one_arc_with_two_heads() -> None:
    page = net_drawing(_net(TEST_ARC))

    assert [(wire.text, wire.has_two_heads) for wire in page.wires] == [("", True), ("2", False)]


def test_the_picture_is_svg_with_names_tokens_and_inscriptions() -> None:
    root = ET.fromstring("\n".join(net_svg.lines(_net(PHILOSOPHERS))))

    texts = {each.text for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"thinking", "hungry", "eating", "fork", "left", "right", "finish"} <= texts
    assert {"<.p.>", "<.p % 3 + 1.>", "<.1.> + <.2.> + <.3.>"} <= texts


def test_a_net_that_is_too_large_is_left_to_graphviz() -> None:
    large = "".join(
        f"#place p{n} mk(<..>)\n#trans t{n}\nin {{ p{n}: <..>; }}\n#endtr\n" for n in range(80)
    )
    net = _net(large)

    with pytest.raises(UsageError, match="--format dot leaves it to Graphviz"):
        net_svg.lines(net)
    assert sum("->" in line for line in net_dot.lines(net)) == 80


def test_dot_says_what_lies_where() -> None:
    written = "\n".join(net_dot.lines(_net(BUFFER)))

    assert 'p0 [shape="circle", label="●●●", xlabel="free", tooltip="free: 3<..>"];' in written
    assert "  p3 -> t1;" in written


def test_names_cannot_break_the_files() -> None:
    net = _net(BUFFER)
    named = Net('a "b" <c>', net.places, net.transitions)

    ET.fromstring("\n".join(net_svg.lines(named)))
    assert next(iter(net_dot.lines(named))) == 'digraph "a \\"b\\" <c>" {'


def test_the_graph_of_a_net_tells_components_and_terminal_nodes_apart() -> None:
    game = api.load_text(PHILOSOPHERS, name="some.net")
    graph = api.graph(game)

    drawn = "\n".join(api.graph_lines(game, graph, api.GraphFormat.SVG))
    written = "\n".join(api.graph_lines(game, graph, api.GraphFormat.DOT))

    assert "component 0: 13 nodes on cycles" in drawn
    assert ">terminal<" in drawn
    assert ">left &lt;p: 1&gt;<" in drawn
    assert 'label="node 10\\nhungry: <.1.> + <.2.> + <.3.>\\nterminal"' in written
