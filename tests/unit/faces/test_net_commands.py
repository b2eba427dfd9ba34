"""The commands on nets, as somebody types them."""

import json
from pathlib import Path

import pytest

from tests.support.command import zermelo
from tests.support.prod import BUFFER, PHILOSOPHERS
from tests.support.project import ROOT
from zermelo.core.expander import Expander
from zermelo.languages.nets import questions as net_questions
from zermelo.text.budget import OutOfTime

ENDLESS = """\
#place idle mk(<..>)
#place busy
#place stock
#trans begin
in { idle: <..>; } out { busy: <..>; }
#endtr
#trans make
in { busy: <..>; } out { idle: <..>; stock: <..>; }
#endtr
"""
OUTSIDE = """\
#place p lo(<.1.>) hi(<.2.>) mk(<.1.>)
#trans up
in { p: <.x.>; } out { p: <.x + 1.>; }
#endtr
"""


def saved(path: Path, text: str) -> str:
    """The name of a file with this *text*."""
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.fixture
def table(tmp_path: Path) -> str:
    return saved(tmp_path / "table.net", PHILOSOPHERS)


@pytest.fixture
def buffer(tmp_path: Path) -> str:
    return saved(tmp_path / "buffer.net", BUFFER)


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["format"], "a net has no canonical form as a text"),
        (["format", "--write"], "a net has no canonical form as a text"),
        (["format", "--to", "latex"], "a net has no canonical form as a text"),
        (["export", "--to", "latex"], "a net is not written as LaTeX"),
    ],
)
def test_a_net_is_not_written_as_mathematics(arguments: list[str], said: str, buffer: str) -> None:
    ran = zermelo(*arguments, buffer)

    assert ran.code == 2
    assert not ran.out
    words = " ".join(ran.err.split())
    assert f"zermelo: {Path(buffer).name} is a net, and {said}" in words
    assert "as PNML (`--to pnml`), in PROD's language (`--to prod`) or as a picture" in words


def test_what_was_exported_has_the_same_graph(table: str, buffer: str, tmp_path: Path) -> None:
    for name, ending in ((buffer, "pnml"), (buffer, "net"), (table, "net")):
        target = str(tmp_path / f"copy.{ending}")
        assert zermelo("export", name, "--output", target).code == 0
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


@pytest.fixture
def endless(tmp_path: Path) -> str:
    return saved(tmp_path / "endless.net", ENDLESS)


@pytest.fixture
def outside(tmp_path: Path) -> str:
    return saved(tmp_path / "outside.net", OUTSIDE)


def test_no_figures_are_printed_of_an_unbounded_net(endless: str) -> None:
    ran = zermelo("net", "states", endless)

    assert ran.code == 1
    assert ran.out == (
        "The net is unbounded: `stock` can get ever more tokens.\n  repeat begin, make\n"
    )
    assert zermelo("net", "states", endless, "--json").code == 1


def test_a_report_says_first_that_the_net_is_unbounded(endless: str) -> None:
    ran = zermelo("net", "report", endless, "--states", "4", "--output", "-")

    # idle, busy, idle and stock, busy and stock
    assert ran.code == 1
    assert (
        ran.out
        == """\
Reachability graph of endless

The net is unbounded: `stock` can get ever more tokens.
  repeat begin, make

The part that was looked at:
  Nodes: 4
  Arcs: 3
  Strongly connected components: 4
  Terminal nodes: 0
  Nontrivial terminal components: 0
  Most tokens in a place: 1
  Most tokens in a marking: 2

Terminal nodes in that part: 0

Nontrivial terminal components in that part: 0
"""
    )


def test_the_summary_of_a_report_says_so_too(endless: str) -> None:
    ran = zermelo("net", "report", endless)

    assert ran.code == 1
    assert ran.out.splitlines()[:5] == [
        "The net is unbounded: `stock` can get ever more tokens.",
        "  repeat begin, make",
        "The part that was looked at:",
        "       1,000  nodes",
        "         999  arcs",
    ]


def test_figures_of_a_part_are_called_so(buffer: str) -> None:
    states = zermelo("net", "states", buffer, "--states", "2")
    report = zermelo("net", "report", buffer, "--states", "2")

    # A limit that was asked for is nothing that is wrong.
    assert (states.code, report.code) == (0, 0)
    assert (
        states.out
        == """\
Not complete: stopped at 2 states.
The net is bounded.
The part that was looked at:
           2  states reached
           1  arc from those whose firings were all followed
           3  most tokens in a place
           5  most tokens in a marking
"""
    )
    assert report.out.splitlines()[:5] == [
        "Not complete: stopped at 2 states.",
        "The net is bounded.",
        "The part that was looked at:",
        "           2  nodes",
        "           1  arc",
    ]


def test_a_report_marks_a_node_in_which_a_fault_stops_a_firing(outside: str) -> None:
    ran = zermelo("net", "report", outside, "--output", "-")

    assert ran.code == 1
    assert ran.out.endswith(
        "In 1 marking a fault stops a firing: up(2) puts <.3.> into `p`, where `lo` is <.1.> and "
        "`hi` is <.2.>.\n\n"
        "Terminal nodes: 1\n"
        "  node 1: p: <.2.>  (a fault stops up <x: 2>)\n\n"
        "Nontrivial terminal components: 0\n"
    )


def test_the_shell_says_at_first_that_faults_stop_firings(outside: str) -> None:
    ran = zermelo("repl", outside, typed="statistics\nsucc 1\n")

    assert "In 1 marking a fault stops a firing: up(2) puts" in ran.err
    assert "In 1 marking a fault stops a firing: up(2) puts" in ran.out
    assert "up <x: 2> cannot fire: up(2) puts" in ran.out


def test_the_report_on_standard_input_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    ran = zermelo("net", "report", "-", typed=PHILOSOPHERS)

    assert ran.code == 0
    assert ran.out.startswith("Reachability graph of standard input\n\nNodes: 14\nArcs: 27\n")
    assert list(tmp_path.iterdir()) == []


def test_one_thing_is_not_called_several(tmp_path: Path) -> None:
    path = tmp_path / "one.net"
    path.write_text(OUTSIDE.replace("hi(<.2.>)", "hi(<.1.>)"), encoding="utf-8")

    assert zermelo("net", "report", str(path)).out.splitlines()[:7] == [
        "           1  node",
        "           0  arcs",
        "           1  strongly connected component",
        "           1  terminal node",
        "           0  nontrivial terminal components",
        "           1  most tokens in a place",
        "           1  most tokens in a marking",
    ]


def test_a_list_that_is_shorter_than_the_count_says_so(table: str) -> None:
    tic_tac_toe = ROOT / "games" / "tic-tac-toe-net" / "tic-tac-toe-net.net"

    def headings(name: str, most: str) -> list[str]:
        ran = zermelo("net", "report", name, "--most", most, "--output", "-")
        return [row for row in ran.out.splitlines() if row.startswith("Terminal nodes: ")][1:]

    assert headings(str(tic_tac_toe), "1") == ["Terminal nodes: 809, of which the first is listed"]
    assert headings(str(tic_tac_toe), "2") == [
        "Terminal nodes: 809, of which the first 2 are listed"
    ]
    assert headings(table, "0") == ["Terminal nodes: 1, of which none is listed"]


def test_a_mapping_that_names_no_place_of_the_net_ends_with_a_sentence(table: str) -> None:
    games = ROOT / "games" / "tic-tac-toe-net"
    rules, mapping = str(games / "rules-as-written.md"), str(games / "board.toml")

    ran = zermelo("net", "shape", table, "--game", rules, "--mapping", mapping)

    assert ran.code == 2
    assert " ".join(ran.err.split()).endswith(
        "board.toml: `place`: the net has no place `board`; it has `thinking`, `hungry`, `eating` "
        "and `fork`"
    )


def test_firings_are_taken_back_as_far_as_there_are_any(table: str) -> None:
    ran = zermelo("play", table, typed="1\n1\nundo 99\nundo\nredo 3\nredo\nundo 2\n")

    assert [row for row in ran.out.splitlines() if "there" in row.lower()][1:] == [
        "Took back 2 firings; there were no more.",
        "There is nothing to take back.",
        "Made 2 firings again; there were no more.",
        "There is nothing to make again.",
    ]


def test_a_film_does_not_say_what_can_be_typed(buffer: str) -> None:
    ran = zermelo("play", buffer, "--animate", "0", "--steps", "1")

    assert ran.out.splitlines()[:2] == ["buffer", "6 places and 4 transitions."]
    assert "Type" not in ran.out


def test_what_is_explored_are_markings(table: str) -> None:
    explored = zermelo("explore", table)
    graph = zermelo("graph", table)

    assert "firings  markings\n" in explored.out
    assert "14 markings, all that can be reached." in explored.out
    assert "nothing is enabled: 1 marking; first after left(1), left(2), left(3)" in explored.out
    assert "nothing is enabled: 1 node; first after 3 firings" in graph.out
    assert "stuck" not in explored.out + graph.out


def test_counting_goes_on_where_it_was_stopped(table: str, tmp_path: Path) -> None:
    kept = ("--checkpoint", str(tmp_path / "kept"))
    whole = zermelo("net", "states", table, "--json").json

    cut = zermelo("net", "states", table, *kept, "--states", "5")
    ran = zermelo("net", "states", table, *kept, "--json")

    assert "this goes on from it:" in " ".join(cut.err.split())
    assert f"zermelo net states {table}" in cut.err
    assert "going on from" in ran.err
    assert ran.json["resumed"]["states"] == 5
    same = ("states", "arcs", "by_depth", "terminal_nodes", "complete")
    assert [ran.json[name] for name in same] == [whole[name] for name in same]


def test_a_net_of_which_nothing_was_kept_does_not_say_that_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> Expander:
        raise OutOfTime("compiling")

    monkeypatch.setattr(net_questions, "_compiled", late)
    folder = tmp_path / "kept"

    ran = zermelo("net", "states", "tic-tac-toe-net", "--checkpoint", str(folder))

    assert "Not complete: stopped as the time was over." in ran.out
    assert "kept in" not in ran.err
