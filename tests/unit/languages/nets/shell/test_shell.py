"""The shell over a reachability graph.

The counts of the three philosophers (14 nodes, 27 arcs, 1 terminal node, 2 components) are those
that another analyser prints for the same net.
"""

import pytest

from tests.support.prod import PHILOSOPHERS
from tests.support.understood import net_model, net_of
from zermelo.api import loading
from zermelo.api.engines import AllEngines
from zermelo.core.limits import Limits
from zermelo.core.prompt import Prompt
from zermelo.languages.nets.questions import OF_ENDLESS, net_graph
from zermelo.languages.nets.shell.shell import Shell
from zermelo.text.prose import Line, plain_text

UNBOUNDED = "#place p\n#trans make\nout { p: <..>; }\n#endtr\n"
OUTSIDE = """\
#place p lo(<.1.>) hi(<.2.>) mk(<.1.>)
#trans up
in { p: <.x.>; } out { p: <.x + 1.>; }
#endtr
"""
LOOPS = """\
#place here mk(<..>)
#place left
#place right
#trans go_left
in { here: <..>; } out { left: <..>; }
#endtr
#trans go_right
in { here: <..>; } out { right: <..>; }
#endtr
#trans stay
in { left: <..>; } out { left: <..>; }
#endtr
"""


def _shell(text: str = PHILOSOPHERS, **limits: int) -> Prompt:
    game = loading.load_text(text, name="some.net")
    graph, watch = net_graph(
        net_model(game), AllEngines(), limits=Limits(**limits), of_endless=OF_ENDLESS
    )
    return Prompt(Shell(graph, net_of(game), watch.found))


def _said(shell: Prompt, text: str) -> str:
    return shell.ask(text)


def _greeting(shell: Prompt) -> str:
    lines = shell.interaction.greeting(invites=True)
    return plain_text(each for each in lines if isinstance(each, Line))


def test_the_graph_in_numbers() -> None:
    said = _said(_shell(), "statistics")

    assert "Number of nodes: 14" in said
    assert "Number of arcs: 27" in said
    assert "Number of terminal nodes: 1" in said
    assert "Number of strongly connected components: 2" in said
    assert "Number of nontrivial terminal components: 0" in said


def test_one_walks_about() -> None:
    shell = _shell()

    assert shell.interaction.prompt == "0> "
    assert "left <p: 3> -> 3" in _said(shell, "succ")
    assert "thinking: <.1.> + <.2.>\n" in _said(shell, "goto 3")
    assert shell.interaction.prompt == "3> "
    assert _said(shell, "pred").splitlines()[0] == "  0 -> left <p: 3> -> 3"


@pytest.mark.parametrize("goal", ["10", "@10", "@@1", "fork == empty && eating == empty"])
def test_the_way_to_a_node_a_component_and_a_condition_is_the_shortest(goal: str) -> None:
    said = _said(_shell(), f"path {goal}").splitlines()

    assert said[0] == "From node 0 to node 10: 3 firings."
    assert [line.strip() for line in said[2::2]] == ["left <p: 1>", "left <p: 2>", "left <p: 3>"]
    assert said[-1] == "  10: hungry: <.1.> + <.2.> + <.3.>"


def test_there_may_be_no_way() -> None:
    shell = _shell()
    shell.ask("goto 10")

    assert _said(shell, "path 0") == "From node 10 no way leads there."
    assert _said(shell, "path |fork| > 7") == "From node 10 no node is there."


def test_sets_are_kept_and_joined() -> None:
    shell = _shell()

    assert _said(shell, "terminal") == "%1 = terminal: 1 node\n  10"
    assert _said(shell, "query |hungry| >= 2") == "%2 = |hungry| >= 2: 4 nodes\n  4 5 7 10"
    assert _said(shell, "%1 & %2").endswith("1 node\n  10")
    assert _said(shell, "terminal | @0").endswith("2 nodes\n  0 10")
    assert _said(shell, "!%2 & hungry has <.1.>").endswith("2 nodes\n  1 11")
    assert _said(shell, "show %1") == "1 node.\n  10: hungry: <.1.> + <.2.> + <.3.>"
    assert _said(shell, "show %9") == "there is no set %9 yet."


def test_components_and_traps() -> None:
    shell = _shell(LOOPS)

    assert _said(shell, "components").splitlines()[0] == "3 components; 1 nontrivial, 2 terminal."
    assert "@@1: 1 node, nontrivial, terminal; first node 1" in _said(shell, "traps")
    assert "leads to: @@1 @@2" in _said(shell, "component 0")
    assert _said(shell, "component 9") == "there is no component 9: they are numbered 0 to 2."


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("foo", "There is no command `foo`; did you mean `goto`?"),
        ("goto", "say which one: `goto N`."),
        ("goto 99", "there is no node 99: they are numbered 0 to 13."),
        ("path", "say where to: `path N`, `path @@C` or `path SET`."),
        ("query forks == empty", "there is no place `forks`; did you mean `fork`?"),
    ],
)
def test_what_is_not_understood_is_said(typed: str, said: str) -> None:
    assert _said(_shell(), typed) == said


def test_of_one_node_it_is_said_that_it_is_the_only_one() -> None:
    shell = _shell(LOOPS.replace("mk(<..>)", ""))

    assert _said(shell, "goto 3") == "there is no node 3: the only one is 0."
    assert _said(shell, "component 3") == "there is no component 3: the only one is 0."


def test_a_graph_that_was_cut_says_so() -> None:
    shell = _shell(states=5)

    assert "The graph is not complete: stopped at 5 states." in _greeting(shell)
    assert "not in the graph" in _said(shell, "succ 4")
    assert _said(shell, "statistics").splitlines()[:3] == [
        "The graph is not complete: stopped at 5 states.",
        "The part that was looked at:",
        "  Number of nodes: 5",
    ]


def test_a_graph_without_end_is_shown_in_part() -> None:
    said = _greeting(_shell(UNBOUNDED))

    assert said == (
        "some: a part with 1,000 nodes and 999 arcs; `help` lists the commands.\n"
        "The net is unbounded: `p` can get ever more tokens."
    )


def test_firings_that_a_fault_stops_are_named() -> None:
    shell = _shell(OUTSIDE)
    fault = "up(2) puts <.3.> into `p`, where `lo` is <.1.> and `hi` is <.2.>"
    stopped = f"  up <x: 2> cannot fire: {fault}"

    assert _greeting(shell).splitlines()[1:] == [f"In 1 marking a fault stops a firing: {fault}."]
    assert _said(shell, "statistics").splitlines()[-1] == (
        f"In 1 marking a fault stops a firing: {fault}."
    )
    assert _said(shell, "succ") == "  up <x: 1> -> 1"
    assert _said(shell, "succ 1").splitlines() == [
        stopped,
        "  a fault stops all that could fire: the node is terminal",
    ]
    assert _said(shell, "look 1").splitlines() == [
        "node 1, terminal, component @@1",
        "  p: <.2.>",
        stopped,
    ]


def test_a_node_where_nothing_is_enabled_is_terminal() -> None:
    assert _said(_shell(), "succ 10") == "  nothing is enabled: the node is terminal"


def test_the_end_is_said() -> None:
    shell = _shell()
    shell.ask("quit")

    assert shell.is_left


def test_one_goes_back_and_forth() -> None:
    shell = _shell()
    for typed in ("goto 3", "goto 10", "goto 1"):
        shell.ask(typed)

    assert _said(shell, "undo 2").startswith("node 3,")
    assert _said(shell, "redo").startswith("node 10,")
    assert _said(shell, ":undo 9").startswith("node 0,")
    assert _said(shell, "undo") == "There is nothing to take back."


def test_the_shared_words_speak_of_the_current_node() -> None:
    shell = _shell()

    assert _said(shell, "moves") == _said(shell, "succ")
    assert _said(shell, "state") == _said(shell, "look")
    assert _said(shell, "why left 1").splitlines()[0] == "left <p: 1> is enabled; it would make"
    assert _said(shell, "why right 1") == "`right 1` is not enabled: `hungry` is empty."


def test_a_place_may_be_called_like_a_command() -> None:
    shell = _shell(LOOPS.replace("here", "look"))

    assert _said(shell, "look == empty").splitlines()[0] == "%1 = look == empty: 2 nodes"
    assert _said(shell, "look").startswith("node 0,")
