"""What is said about nets: state spaces, reports, pumping, and the shape that a game asks for."""

from __future__ import annotations

import pytest

from tests.support.project import ROOT
from tests.support.understood import net_of, net_report, net_shape, state_space
from zermelo.api import language_commands, loading
from zermelo.api.game import Game
from zermelo.core.limits import Limits
from zermelo.languages.nets.answers import report_json, state_space_json
from zermelo.text.errors import UsageError

# The three nets and their counts are those of the assignment's reference: a bounded buffer, three
# philosophers who may starve, and a counter.
BUFFER = """
#place free mk(3<..>)
#place full
#place p0 mk(<..>)
#place p1
#place c0 mk(<..>)
#place c1
#trans produce
in { p0: <..>; } out { p1: <..>; }
#endtr
#trans put
in { p1: <..>; free: <..>; } out { p0: <..>; full: <..>; }
#endtr
#trans get
in { c0: <..>; full: <..>; } out { c1: <..>; free: <..>; }
#endtr
#trans consume
in { c1: <..>; } out { c0: <..>; }
#endtr
"""
PHILOSOPHERS = """
#define n 3
#define other(p) (p % n + 1)
#place thinking lo(<.1.>) hi(<.n.>) mk(<.1..n.>)
#place hungry lo(<.1.>) hi(<.n.>)
#place eating lo(<.1.>) hi(<.n.>)
#place fork lo(<.1.>) hi(<.n.>) mk(<.1..n.>)
#trans left
in { thinking: <.p.>; fork: <.p.>; } out { hungry: <.p.>; }
#endtr
#trans right
in { hungry: <.p.>; fork: <.other(p).>; } out { eating: <.p.>; }
#endtr
#trans finish
in { eating: <.p.>; } out { thinking: <.p.>; fork: <.p.> + <.other(p).>; }
#endtr
"""
ENDLESS = """
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
LIBRARY = ROOT / "games" / "tic-tac-toe-net"


def net(text: str) -> Game:
    game = loading.load_text(text, name="test.net")
    assert game.is_loaded, [each.message for each in game.diagnostics]
    return game


def test_a_bounded_buffer_is_counted() -> None:
    space = state_space(net(BUFFER))

    assert (space.states, space.arcs, space.terminal) == (16, 28, 0)
    assert (space.most_in_a_place, space.most_in_a_marking) == (3, 5)
    assert space.is_complete


def test_three_philosophers_starve_in_one_marking() -> None:
    report = net_report(net(PHILOSOPHERS))

    assert (report.nodes, report.arcs, report.components) == (14, 27, 2)
    assert (report.terminal_nodes, report.nontrivial_terminal) == (1, 0)
    (end,) = report.terminal
    assert str(end.state["hungry"]) == "<.1.> + <.2.> + <.3.>"
    assert len(end.play) == 3


def test_an_unbounded_net_is_told_by_what_can_be_repeated() -> None:
    for found in (state_space(net(ENDLESS)), net_report(net(ENDLESS))):
        pumped = found.unbounded

        assert pumped is not None
        assert pumped.grows == ("stock",)
        assert [move.name for move in pumped.moves] == ["begin", "make"]
        assert not found.is_complete


def test_a_cut_report_says_so() -> None:
    report = net_report(net(BUFFER), limits=Limits(states=5))

    assert report.nodes == 5
    assert not report.is_complete


def test_what_was_counted_in_a_part_is_not_called_complete() -> None:
    game = net(BUFFER)
    limits = Limits(states=5)

    space = state_space_json(state_space(game, limits=limits))
    report = report_json(net_report(game, limits=limits), net_of(game))

    for found, states in ((space, "states"), (report, "nodes")):
        assert found[states] == 5
        assert not found["complete"]
        assert found["cut"] == "stopped at 5 states"


def test_of_an_unbounded_net_a_part_is_looked_at() -> None:
    game = net(ENDLESS)

    space = state_space_json(state_space(game))
    report = report_json(net_report(game), net_of(game))

    assert (space["states"], space["complete"]) == (1, False)
    # The play never branches: after n firings there is one marking.
    assert (report["nodes"], report["arcs"], report["components"]) == (1000, 999, 1000)
    assert not report["complete"]


def test_a_terminal_node_knows_the_firings_that_a_fault_stops() -> None:
    game = net(
        "#place p lo(<.1.>) hi(<.2.>) mk(<.1.>)\n#trans up\n"
        "in { p: <.x.>; } out { p: <.x + 1.>; }\n#endtr\n"
    )

    report = net_report(game)

    (end,) = report.terminal
    assert [str(move) for move in end.stopped] == ["up(2)"]
    assert report_json(report, net_of(game))["terminal"] == [
        {"node": 1, "marking": {"p": "<.2.>"}, "stopped": ["up(2)"]}
    ]


# nodes, arcs, loops, terminal nodes, nontrivial terminal components: found by an independent
# search, and confirmed by two other programs for Petri nets
@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("tic-tac-toe-net", (5549, 16551, 144, 809, 144)),
        ("tic-tac-toe-diagonal", (5478, 16183, 56, 942, 56)),
    ],
)
def test_the_graph_of_tic_tac_toe(name: str, figures: tuple[int, ...]) -> None:
    report = net_report(loading.load(LIBRARY / f"{name}.net"), most=3)

    found = (report.nodes, report.arcs, report.loops)
    assert (*found, report.terminal_nodes, report.nontrivial_terminal) == figures
    assert report.components == report.nodes
    assert len(report.terminal) == len(report.traps) == 3


@pytest.mark.parametrize(
    ("name", "rules", "wins", "draws"),
    [
        ("tic-tac-toe-net", "rules-as-written", 809, 144),
        ("tic-tac-toe-diagonal", "rules-with-diagonal", 942, 56),
    ],
)
def test_the_graph_has_the_shape_that_the_rules_ask_for(
    name: str, rules: str, wins: int, draws: int
) -> None:
    shape = net_shape(
        loading.load(LIBRARY / f"{name}.net"),
        loading.load(LIBRARY / f"{rules}.md"),
        LIBRARY / "board.toml",
    )

    assert shape.holds
    assert (shape.wins.wanted, shape.draws.wanted) == (wins, draws)


def test_the_net_as_written_does_not_fit_the_rules_with_both_diagonals() -> None:
    shape = net_shape(
        loading.load(LIBRARY / "tic-tac-toe-net.net"),
        loading.load(LIBRARY / "rules-with-diagonal.md"),
        LIBRARY / "board.toml",
    )

    assert not shape.holds
    assert shape.are_components_single
    # 942 − 809 boards that are won on the second diagonal, at least
    assert len(shape.wins.missing) >= 133


def test_what_is_no_net_is_said() -> None:
    game = loading.load("tic-tac-toe")
    for command in language_commands.commands("net"):
        with pytest.raises(UsageError, match="not a net"):
            language_commands.answer(game, command, "tic-tac-toe", {}, listener=lambda _: False)
