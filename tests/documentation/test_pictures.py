"""The pictures of the documentation are what the program draws now."""

import re
from pathlib import Path

import zermelo.faces.web
from tests.support.markdown import fences
from tests.support.project import DOCS
from zermelo.api import loading, questions
from zermelo.core.graph import GraphFormat
from zermelo.draw import graph_diagram
from zermelo.faces.cli import graph

HOW_TO = DOCS / "how-to"
STATIC = Path(zermelo.faces.web.__file__).parent / "static"


def test_the_drawing_of_a_graph_is_current(*, update_golden: bool) -> None:
    page = (HOW_TO / "draw-the-graph.md").read_text("utf-8")
    (document,) = [each.body for each in fences(page) if each.options.get("file") == "corridor.md"]
    game = loading.load_text(document, name="corridor.md")
    lines = questions.graph_lines(game, questions.graph(game), GraphFormat.SVG)
    text = "".join(f"{line}\n" for line in lines)
    picture = HOW_TO / "corridor.svg"

    if update_golden:
        picture.write_text(text, encoding="utf-8")
    assert picture.read_text("utf-8") == text


def test_the_limits_page_has_the_limits_of_graphs() -> None:
    text = (DOCS / "reference" / "language" / "limits.md").read_text("utf-8")
    numbers = (
        graph.STATES,
        graph_diagram.MOST_NODES,
        graph_diagram.MOST_IN_A_ROW,
        graph_diagram.MOST_ARCS,
    )

    assert [number for number in numbers if f"{number:,}" not in text] == []


def test_every_view_of_the_page_has_a_small_picture() -> None:
    page = (DOCS / "reference" / "views-of-the-page.md").read_text("utf-8")
    panels = (STATIC / "panels.js").read_text("utf-8").partition("export const PANELS = {")[2]
    names = set(re.findall(r"^  (\w+): \{ title", panels.partition("};")[0], re.MULTILINE))
    shown = re.findall(r"\((views-of-the-page/(\w+)\.png)\)", page)

    # What stands beside the board at first is the list of moves.
    assert {"values", "document"} < names
    assert names - {name for _, name in shown} == {"moves"}
    assert {"library", "play", "phone"} <= {name for _, name in shown}
    for path, _ in shown:
        assert (DOCS / "reference" / path).stat().st_size < 60_000
