"""DOT files say what the graph is, whatever the words of the document."""

import html
import re
from dataclasses import dataclass, field

from tests.support.graphs import NASTY, corridor, graph, nasty
from tests.support.systems import countdown, squares
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.draw import dot
from zermelo.draw.graph_view import ComponentGraph, StateGraph
from zermelo.languages.sections.ir import System

TOKEN = re.compile(r'\s*(?:(//[^\n]*)|("(?:[^"\\]|\\.)*")|(->|[{}\[\];=,])|([\w.#-]+))')


@dataclass
class Read:
    """A DOT file, read back."""

    name: str = ""
    comments: list[str] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    arcs: list[tuple[str, str, str]] = field(default_factory=list)


def tokens(text: str) -> list[str]:
    found, at = [], 0
    while text[at:].strip():
        match = TOKEN.match(text, at)
        assert match is not None, text[at : at + 60]
        found.append(match.group().strip())
        at = match.end()
    return found


def plain(token: str) -> str:
    """What a quoted string shows: Graphviz undoes the backslashes, then HTML's entities."""
    if not token.startswith('"'):
        return token
    return html.unescape(re.sub(r"\\(.)", r"\1", token[1:-1]))


def read_back(text: str) -> Read:
    read = Read()
    words = tokens(text)
    read.comments = [word[2:].strip() for word in words if word.startswith("//")]
    words = [word for word in words if not word.startswith("//")]
    assert (words[0], words[2], words[-1]) == ("digraph", "{", "}")
    read.name = plain(words[1])
    statements: list[list[str]] = [[]]
    for word in words[3:-1]:
        if word == ";":
            statements.append([])
        else:
            statements[-1].append(word)
    for statement in statements:
        match statement:
            case []:
                pass
            case ["node" | "edge", *_]:
                pass
            case [source, "->", target, "[", *rest, "]"]:
                read.arcs.append((source, target, attributes(rest)["label"]))
            case [node, "[", *rest, "]"]:
                read.nodes[node] = attributes(rest)
            case [key, "=", value]:
                read.settings[key] = plain(value)
            case _:
                raise AssertionError(statement)
    return read


def attributes(words: list[str]) -> dict[str, str]:
    found = {}
    for key, equals, value in zip(words[::4], words[1::4], words[2::4], strict=True):
        assert equals == "="
        found[key] = plain(value)
    return found


def written(of: System, limits: Limits = UNLIMITED) -> str:
    return "\n".join(dot.graph_lines(StateGraph(graph(of, limits))))


def test_a_dot_file_reads_back_as_the_graph() -> None:
    read = read_back(written(corridor()))

    assert list(read.nodes) == ["0", "1", "2", "3", "4", "5"]
    assert read.nodes["4"]["label"] == "at = 4, lit = false, trapped = true"
    assert len(read.arcs) == 9
    assert read.arcs[5] == ("3", "4", "Drop()")
    assert read.comments == ["complete"]


def test_a_cut_graph_says_so_in_a_comment_and_in_the_picture() -> None:
    read = read_back(written(corridor(), Limits(states=4)))

    assert read.comments == ["not complete: stopped at 4 states"]
    assert read.settings["label"] == "not complete: stopped at 4 states"
    assert "dashed" in read.nodes["3"]["style"]
    assert "style" not in read.nodes["0"]


def test_no_word_of_a_document_leaves_its_quotes() -> None:
    read = read_back(written(nasty()))

    assert read.nodes["2"]["tooltip"] == f"now = {NASTY}"
    assert (("0", "2", f"Go({NASTY})")) in read.arcs


def test_ends_are_coloured_by_who_wins() -> None:
    nodes = read_back(written(countdown(2))).nodes

    assert nodes["2"]["label"] == "heap = 0, turn = false: A wins"
    assert nodes["3"]["label"] == "heap = 0, turn = true: B wins"
    assert nodes["2"]["fillcolor"] == nodes["0"]["color"]
    assert nodes["3"]["fillcolor"] == nodes["1"]["color"]
    assert nodes["2"]["peripheries"] == "2"


def test_a_long_state_is_labelled_by_its_number() -> None:
    nodes = read_back(written(squares())).nodes

    assert nodes["20"]["label"] == "20"
    assert nodes["20"]["tooltip"].startswith("X = {(1, 1), (")


def test_components_are_labelled_by_their_sizes() -> None:
    read = read_back("\n".join(dot.graph_lines(ComponentGraph(graph(corridor())))))

    assert [node["label"] for node in read.nodes.values()] == ["4 states", "2 states"]
    assert read.arcs == [("0", "1", "Drop()")]


def test_terminal_components_have_three_borders() -> None:
    written = "\n".join(dot.graph_lines(StateGraph(graph(corridor()), marks=True)))
    found = [line for line in written.splitlines() if 'peripheries="3"' in line]

    # Nobody leaves the cellar, which is nodes 4 and 5.
    assert [line.split()[0] for line in found] == ["4", "5"]
    assert all("in terminal component 1" in line for line in found)
