"""Conditions of single markings."""

from functools import partial

import pytest

from tests.support.prod import HEAP
from tests.support.understood import net_of
from zermelo.api import loading
from zermelo.core.state import Move
from zermelo.languages.nets.game.conditions import Enabled, holds, of_graphs_only, parse
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.text.errors import UsageError

NET = net_of(loading.load_text(HEAP, name="heap.net"))
GAME = TokenGame(NET)


@pytest.mark.parametrize(
    ("condition", "at_first", "after_two"),
    [
        ("turn has <.1.>", True, False),
        ("|heap| == 3", True, False),
        ("|heap| + |turn| <= 2", False, True),
        ("heap == empty", False, False),
        ("heap == 3<..>", True, False),
        ("enabled two", True, False),
        ("enabled one && !enabled two", False, True),
        ("terminal", False, False),
        ("all", True, True),
        ("turn has <.2.> || |heap| > 2", True, True),
    ],
)
def test_a_condition_is_decided_by_the_marking(
    condition: str, *, at_first: bool, after_two: bool
) -> None:
    first = GAME.initial
    second = GAME.after(first, Move("two", (1,)))
    wanted = parse(condition, NET)

    found = [holds(wanted, each, partial(GAME.enabled, each)) for each in (first, second)]

    assert found == [at_first, after_two]


def test_nothing_is_enabled_in_a_terminal_marking() -> None:
    state = GAME.initial
    for move in (Move("one", (1,)), Move("two", (2,))):
        state = GAME.after(state, move)

    assert holds(parse("terminal", NET), state, lambda: GAME.enabled(state))


@pytest.mark.parametrize(
    ("condition", "only"),
    [("%1", "%1"), ("!(@3 | heap == empty)", "@3"), ("@@2 & all", "@@2"), ("traps", "traps")],
)
def test_what_only_a_graph_has_is_named(condition: str, only: str) -> None:
    assert of_graphs_only(parse(condition, NET)) == only


def test_what_one_marking_decides_needs_no_graph() -> None:
    assert of_graphs_only(parse("!terminal & |heap| > 1 | enabled one", NET)) is None


def test_a_transition_that_does_not_exist_is_named_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"there is no transition `tow`; did you mean `two`\?"):
        parse("enabled tow", NET)


def test_a_place_may_be_called_enabled() -> None:
    text = "#place enabled mk(<..>)\n#trans t\nin { enabled: <..>; }\n#endtr\n"
    net = net_of(loading.load_text(text, name="some.net"))

    assert parse("enabled == <..>", net) != Enabled("t")
