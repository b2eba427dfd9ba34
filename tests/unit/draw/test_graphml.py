"""GraphML files are well-formed and say what the graph is."""

from xml.etree import ElementTree

from tests.support.graphs import NASTY, corridor, graph, nasty
from tests.support.systems import countdown
from zermelo.core.graph import GraphFormat
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.draw import formats
from zermelo.draw.graph_view import StateGraph
from zermelo.languages.sections.ir import System

NAMES = {"g": formats.GRAPHML_NAMESPACE}


def read_back(of: System, limits: Limits = UNLIMITED) -> ElementTree.Element:
    text = "\n".join(formats.lines(StateGraph(graph(of, limits)), GraphFormat.GRAPHML))
    return ElementTree.fromstring(text.encode())


def data(element: ElementTree.Element) -> dict[str, str]:
    return {each.attrib["key"]: each.text or "" for each in element.findall("g:data", NAMES)}


def whole(root: ElementTree.Element) -> ElementTree.Element:
    found = root.find("g:graph", NAMES)
    assert found is not None
    return found


def test_a_graphml_file_reads_back_as_the_graph() -> None:
    root = whole(read_back(corridor()))
    arcs = [
        (each.attrib["source"], each.attrib["target"], data(each)["move"])
        for each in root.findall("g:edge", NAMES)
    ]

    assert data(root) == {"name": "test", "complete": "true"}
    assert len(root.findall("g:node", NAMES)) == 6
    assert len(arcs) == 9
    assert arcs[5] == ("n3", "n4", "Drop()")


def test_nodes_carry_depth_player_outcome_and_component() -> None:
    nodes = [data(each) for each in whole(read_back(countdown(2))).findall("g:node", NAMES)]

    assert nodes[0] == {
        "label": "heap = 2, turn = true, result = unset",
        "depth": "0",
        "player": "A",
        "component": "0",
    }
    assert nodes[3]["outcome"] == "B wins"
    assert nodes[3]["depth"] == "2"


def test_every_datum_has_a_key() -> None:
    root = read_back(countdown(3), Limits(depth=1))
    keys = {each.attrib["id"] for each in root.findall("g:key", NAMES)}

    used = {each.attrib["key"] for each in root.iter(f"{{{formats.GRAPHML_NAMESPACE}}}data")}

    assert used <= keys


def test_a_cut_graph_says_so() -> None:
    root = whole(read_back(corridor(), Limits(depth=2)))

    assert data(root)["complete"] == "false"
    assert data(root)["cut"] == "stopped after 2 moves"
    assert [data(each).get("open") for each in root.findall("g:node", NAMES)] == [
        None,
        None,
        None,
        "true",
    ]


def test_words_of_a_document_are_only_text() -> None:
    root = whole(read_back(nasty()))

    assert data(root.findall("g:node", NAMES)[2])["label"] == f"now = {NASTY}"
    assert data(root.findall("g:node", NAMES)[0])["player"] == NASTY
