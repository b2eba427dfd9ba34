"""Work on nets is paid for by steps, and what is found does not depend on the clock."""

from itertools import count
from typing import Any

import pytest

from tests.support.prod import net
from zermelo.api.engines import AllEngines
from zermelo.core.expander import Expander
from zermelo.core.limits import Limits
from zermelo.languages.nets import questions
from zermelo.languages.nets.compile.coverability import Coverability, Firing
from zermelo.languages.nets.model import NetModel
from zermelo.languages.nets.questions import seen_further, state_space
from zermelo.languages.nets.report import report as told_report
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.unbounded import pumping
from zermelo.text import budget

PLACES = "#place a lo(<.0.>) hi(<.9.>) mk(<.1.>)\n#place p lo(<.0.>) hi(<.99.>) mk(<.0..99.>)\n"


def spent(text: str) -> int:
    """How many steps it takes to find what is enabled at first."""
    game = TokenGame(net(text))
    with budget.budget(steps=10**9) as left:
        game.legal(game.initial)
    return left.spent


@pytest.mark.parametrize(
    "text",
    [
        "#place c\n#trans t in { a: <.x.>; } out { c: <.0..9999.>; } #endtr",
        "#trans t in { a: <.x.>; } let <.y.> <= <.0..4999.>; gate y < 0; #endtr",
        "#trans t in { p: <.x.> + <.y.>; } gate x + y < 0; #endtr",
        "int f(int n) { while (n < 4000) n++; return n; }\n"
        "#trans t in { a: <.x.>; } out { p: <.f(x) % 7.>; } #endtr",
        f"int f(int n) {{ int i; for (i = 0; i < 100; i++) n = ({' + '.join(['n'] * 100)}) % 7;"
        " return n; }\n#trans t in { a: <.x.>; } out { p: <.f(x) % 7.>; } #endtr",
        "int f(int n) { return n ? f(n - 1) : 0; }\n"
        "#trans t in { a: <.x.>; } out { p: <.f(900) % 7.>; } #endtr",
    ],
)
def test_what_takes_long_is_paid_for(text: str) -> None:
    assert spent(PLACES + text) >= 5_000


def test_a_large_net_is_made_ready_once_it_is_played_and_paid_for() -> None:
    chain = "".join(
        f"#place p{at}\n#trans t{at} in {{ a: <.x.>; }} out {{ p{at}: <.x.>; }} #endtr\n"
        for at in range(200)
    )
    with budget.budget(steps=10**9) as left:
        game = TokenGame(net("#place a lo(<.0.>) hi(<.9.>)\n" + chain))
        read = left.spent
        assert len(game.signature.moves) == 200
        named = left.spent
        game.legal(game.initial)

    assert named == read
    # Two arcs of each transition are made ready.
    assert left.spent - named > 200 * 80


def test_comparing_markings_is_paid_for_by_each_place() -> None:
    """Of many places each comparison takes longer."""

    def steps(pairs: int) -> int:
        firings = [Firing(((2 * at, 1),), ((2 * at, -1), (2 * at + 1, 1))) for at in range(pairs)]
        search = Coverability([1, 0] * pairs, firings)
        search.run(nodes=200, steps=10**9)
        return search.steps

    assert steps(200) > 4 * steps(20)


def test_looking_for_growth_ends_with_the_budget() -> None:
    toggles = "".join(
        f"#place p{at} mk(<..>)\n#place q{at}\n#trans t{at} in {{ p{at}: <..>; }} "
        f"out {{ q{at}: <..>; }} #endtr\n#trans u{at} in {{ q{at}: <..>; }} out {{ p{at}: <..>; }} "
        "#endtr\n"
        for at in range(6)
    )
    pump = "#place z\n#trans g in { q5: <..>; } out { q5: <..>; z: <..>; } #endtr"
    game = TokenGame(net(toggles + pump))

    with budget.budget(steps=1), pytest.raises(budget.OverBudget):
        pumping(game)
    assert pumping(game) is not None


class _Unready:
    """A net that would take more to get ready than there is."""

    def __init__(self) -> None:
        self.net = net("#place p mk(<.1.>)")
        self.game = TokenGame(self.net)

    def expander(self) -> Expander:
        raise budget.OverBudget("getting ready", 9, 5)


def test_a_limit_of_steps_is_said() -> None:
    assert state_space(_Unready(), AllEngines()).cut == "stopped after 5 steps"


@pytest.mark.parametrize(
    "text",
    [
        "#place p mk(<..>)\n#place q\n#trans t in { p: <..>; } out { p: <..>; q: <..>; } #endtr",
        "#place p mk(<.1.>)\n#trans t in { p: <.x.>; } out { p: <.x * 3 % 1009.>; } #endtr",
        "#place p mk(<.1.>)\n#trans t in { p: <.x.>; } out { p: <.x + 1.>; } #endtr",
    ],
)
def test_what_is_seen_does_not_depend_on_the_clock(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = Limits(states=3_000, depth=2_000, steps=3_000_000)
    seen = seen_further(NetModel(net(text)), AllEngines(), limits=few)
    ticks = count()
    monkeypatch.setattr(budget, "now", lambda: float(next(ticks)))

    assert seen_further(NetModel(net(text)), AllEngines(), limits=few) == seen


def test_a_report_is_told_after_the_time_of_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    model = NetModel(net("#place p mk(<..>)\n#trans t in { p: <..>; } out { p: <..>; } #endtr"))
    ends: list[float | None] = []

    def report(*arguments: Any, **named: Any) -> object:  # noqa: ANN401
        ends.append(budget.end())
        return told_report(*arguments, **named)

    monkeypatch.setattr(questions, "report", report)
    limits = Limits(seconds=60.0, began=budget.now())
    with budget.timed(limits.began), budget.budget(until=limits.until):
        questions.net_report(model, AllEngines(), limits=limits)

    # Half of the tenth by which a limit may be exceeded.
    assert limits.began is not None
    assert ends == [limits.began + 63.0]
