"""The commands on nets, as somebody types them."""

import json
from pathlib import Path

import pytest

from tests.support.command import zermelo
from tests.support.prod import BUFFER, PHILOSOPHERS


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "table.net"
    path.write_text(PHILOSOPHERS, encoding="utf-8")
    return str(path)


@pytest.fixture
def buffer(tmp_path: Path) -> str:
    path = tmp_path / "buffer.net"
    path.write_text(BUFFER, encoding="utf-8")
    return str(path)


def test_the_shell_answers_lines_that_come_through_a_pipe(table: str) -> None:
    ran = zermelo("repl", table, typed="# first\nterminal\n\npath %1\nquit\nstatistics\n")

    assert ran.code == 0
    assert "%1 = terminal: 1 node" in ran.out
    assert "From node 0 to node 10: 3 firings." in ran.out
    assert "Number of nodes" not in ran.out
    assert "14 nodes and 27 arcs" in ran.err


def test_the_token_game_is_played(table: str) -> None:
    typed = "1\nleft p=2\nundo\nwhy right 3\nrandom 2\nhistory\nnonsense\nquit\n"
    ran = zermelo("play", table, typed=typed)

    assert ran.code == 0
    assert "1. left <p: 1>" in ran.out
    assert "`right 3` is not enabled; for other values it is: `right <p: 1>`." in ran.out
    assert "there is no transition `nonsense`" in ran.out
    assert "   3. " in ran.out


def test_a_play_is_saved_and_gone_on_with(table: str, tmp_path: Path) -> None:
    saved = str(tmp_path / "play.txt")
    zermelo("play", table, typed=f"left 1\nright 1\nsave {saved}\n")

    ran = zermelo("play", table, typed=f"load {saved}\nhistory\n")

    assert "2. right <p: 1>" in ran.out
    assert zermelo("play", table, "--moves", saved).code == 0


def test_an_animation_shows_every_step(buffer: str) -> None:
    ran = zermelo("play", buffer, "--animate", "0", "--steps", "4")

    assert ran.code == 0
    assert "1. produce" in ran.out
    assert "2. put" in ran.out
    assert "4. " in ran.out


def test_only_nets_are_animated() -> None:
    ran = zermelo("play", "tic-tac-toe", "--animate", "1")

    assert ran.code == 2
    assert "--animate goes with nets" in ran.err


def test_steps_are_shown(table: str) -> None:
    ran = zermelo("step", table, "left 3", "right p=3")

    assert ran.code == 0
    assert "eating becomes <.3.>" in ran.out
    assert zermelo("step", table, "right 1").code == 2


def test_a_net_is_explained_and_checked(table: str) -> None:
    assert "A high-level net: 4 places and 3 transitions" in zermelo("explain", table).out
    checked = zermelo("check", table)
    assert checked.code == 0
    assert "14 markings and 27 firings" in checked.out


def test_a_net_is_drawn(table: str, tmp_path: Path) -> None:
    target = tmp_path / "table.svg"

    assert zermelo("net", "draw", table, "--output", str(target)).code == 0
    assert target.read_text(encoding="utf-8").startswith("<?xml")
    assert zermelo("net", "draw", table, "--format", "dot").out.startswith("digraph")
    assert zermelo("net", "draw", "tic-tac-toe").code == 2


@pytest.mark.parametrize(("to", "begins"), [("pnml", "<?xml"), ("prod", "/*"), ("dot", "digraph")])
def test_a_net_is_exported(buffer: str, to: str, begins: str) -> None:
    ran = zermelo("export", buffer, "--to", to)

    assert ran.code == 0
    assert ran.out.startswith(begins)


def test_what_was_exported_has_the_same_graph(table: str, buffer: str, tmp_path: Path) -> None:
    for name, ending in ((buffer, "pnml"), (buffer, "net"), (table, "net")):
        target = str(tmp_path / f"copy.{ending}")
        assert zermelo("export", name, "--out", target).code == 0
        first, again = (zermelo("net", "states", n, "--json").json for n in (name, target))
        assert (first["states"], first["arcs"]) == (again["states"], again["arcs"])


def test_a_report_names_colours_and_goes_where_it_is_sent(tmp_path: Path) -> None:
    net = Path(__file__).parents[2] / "documents" / "nets" / "partition.pnml"
    target = tmp_path / "report.json"

    printed = zermelo("net", "report", str(net), "--json").json
    written = zermelo("net", "report", str(net), "--json", "--output", str(target))

    (trap,) = printed["nontrivial_terminal"]
    assert trap["nodes"][-1]["marking"] == {
        "b": "<.e0.> + <.e1.> + <.e2.>",
        "b2": "<.e3.> + <.e4.> + <.e5.>",
    }
    assert str(target) in written.out
    assert json.loads(target.read_text(encoding="utf-8")) == printed


def test_what_is_explored_are_markings(table: str) -> None:
    explored = zermelo("explore", table)
    graph = zermelo("graph", table)

    assert "firings  markings\n" in explored.out
    assert "14 markings, all that can be reached." in explored.out
    assert "nothing is enabled: 1 marking; first after left(1), left(2), left(3)" in explored.out
    assert "nothing is enabled: 1 node; first after 3 firings" in graph.out
    assert "stuck" not in explored.out + graph.out
