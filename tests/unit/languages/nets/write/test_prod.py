"""A net written in PROD's language and read again is the same net."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings

from tests.support.prod import BUFFER, PHILOSOPHERS, counts, net
from tests.support.random_nets import nets
from tests.support.understood import net_of
from zermelo.api import loading
from zermelo.core.machine import Machine
from zermelo.languages.nets.ir import (
    Arc,
    Const,
    Interval,
    Net,
    Place,
    Term,
    Transition,
    Var,
    Variable,
)
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.write.prod import lines
from zermelo.text.errors import UsageError

WITH_C = """\
int t[2][2] = {{1, 2}, {3, 4}};
int f(int a) {
    int s = 0, b[3] = {a, 1};
    for (int i = 0; i < a; i++) { if (i == 2) continue; s += b[i % 3]; }
    while (s > 50) s -= 7;
    do { s++; } while (0);
    if (s == 9 && a != 1 || !a) return -s; else b[1] = 2;
    switch (a) { case 1: s = 3; break; default: s += t[a % 2][1]; }
    f(a - 1);
    return a > 0 ? s : ~a;
}
int none(void) { return 7; }
#enum A
#enum B
#place p lo(<.0,-5.>) hi(<.9,5.>) mk(<.1..3,B.> + 2<.4,-1.>)
#place q mk(<..>)
#trans t
let <.z.> <= <.0..1.> + <.x.>;
in { p: <.x,y.> + (z)<.x,y.>; q: <..>; }
out { p: <.f(x) % 3, t[x%2][0].>; q: 2<..>; }
gate x < 9223372036854775807;
gate none() || -x == y << 2;
#endtr
"""


def again(found: Net) -> Net:
    """*found*, written and read."""
    return net("\n".join(lines(found)))


def plain(found: Net) -> Net:
    """*found* without what depends on its text."""
    return replace(found, name="", fingerprint="")


def first_firings(game: Machine) -> list[str]:
    """The firings that are enabled at first, as they are printed."""
    return list(map(str, game.legal(game.initial)))


def subtracts(transition: Transition) -> bool:
    """Whether a sum on an arc of *transition* subtracts tokens."""
    terms = (term for arc in (*transition.inputs, *transition.outputs) for term in arc.terms)
    return any(isinstance(t.multiplicity, Const) and t.multiplicity.value < 0 for t in terms)


@pytest.mark.parametrize("text", [BUFFER, PHILOSOPHERS])
def test_a_net_written_and_read_is_the_same_net(text: str) -> None:
    assert plain(again(net(text))) == plain(net(text))


def test_functions_and_tables_are_written_as_c() -> None:
    found = net(WITH_C)

    once = again(found)

    # Two locals of the `switch` have no names in C, so they get others.
    assert replace(plain(once), functions=()) == replace(plain(found), functions=())
    assert plain(again(once)) == plain(once)
    assert first_firings(TokenGame(once)) == first_firings(TokenGame(found))


def test_the_nets_of_the_library_are_the_same_nets() -> None:
    for name in ("tic-tac-toe-net.net", "tic-tac-toe-diagonal.net"):
        path = loading.find("tic-tac-toe-net").path.parent / name
        found = net_of(loading.load(path))
        assert plain(again(found)) == plain(found)


def test_names_that_c_does_not_have_get_others() -> None:
    black = Term(Const(1), ())
    places = (Place("a-b", 0, Bag((((), 1),))), Place("a b", 0, Bag()), Place("9", 0, Bag()))
    transition = Transition("x.y", (), (Arc("a-b", (black,)),), (Arc("a b", (black,)),))

    found = again(Net("some / net */", places, (transition,)))

    assert [each.name for each in found.places] == ["a_b", "a_b_2", "_9"]
    assert [each.name for each in found.transitions] == ["x_y"]


def test_sorts_and_subtraction_are_written_in_another_way() -> None:
    all_but = Arc(
        "p", (Term(Const(1), (Interval(Const(1), Const(3)),)), Term(Const(-1), (Var("x"),)))
    )
    places = (Place("p", 1, Bag((((1,), 1), ((3,), 1))), (1,), (3,)),)
    found = Net("n", places, (Transition("t", (Variable("x", 0, 3),), (all_but,)),))

    assert first_firings(TokenGame(found)) == ["t(2)"]
    assert first_firings(TokenGame(again(found))) == ["t(2)"]


def test_computed_numbers_are_short() -> None:
    everything, others = Interval(Const(1), Const(3)), Var("x")
    arc = Arc("p", (Term(Const(1), (everything,)), Term(Const(-1), (others,))))
    place = Place("p", 1, Bag((((1,), 1),)), (1,), (3,))
    found = Net("n", (place,), (Transition("t", (Variable("x", 1, 3),), (arc,)),))

    assert list(lines(found))[2:] == [
        "#place p lo(<.1.>) hi(<.3.>) mk(<.1.>)",
        "",
        "#trans t",
        "in { p: (x != 1)<.1.> + (x != 2)<.2.> + (x != 3)<.3.>; }",
        "let <.x.> <= <.1..3.>;",
        "#endtr",
    ]


def test_less_than_none_of_a_token_is_a_gate_that_is_shut() -> None:
    arc = Arc("p", (Term(Const(2), ()), Term(Const(-3), ())))
    found = Net("n", (Place("p", 0, Bag((((), 1),))),), (Transition("t", (), (arc,)),))

    assert list(lines(found))[2:] == ["#place p mk(<..>)", "", "#trans t", "gate 0;", "#endtr"]
    assert first_firings(TokenGame(again(found))) == first_firings(TokenGame(found)) == []


def test_there_are_no_more_brackets_than_needed() -> None:
    text = (
        "#place p lo(<.0,0.>) hi(<.3,1.>) mk(<.0,0.>)\n"
        "\n"
        "#trans t\n"
        "in { p: <.x, y.>; }\n"
        "out { p: <.(x + 3) % 4, (x < 2).>; }\n"
        "gate x - 1 < 2 * (x + y) && !(x == 3 && y) && x != (2 < 3);\n"
        "#endtr"
    )

    assert "\n".join(list(lines(net(text)))[2:]) == text.replace("(2 < 3)", "1")


def test_subtraction_without_bounds_cannot_be_written() -> None:
    arc = Arc("p", (Term(Const(1), (Const(1),)), Term(Const(-1), (Var("x"),))))
    found = Net("n", (Place("p", 1, Bag()),), (Transition("t", (Variable("x", 0, 3),), (arc,)),))

    with pytest.raises(UsageError, match="no bounds"):
        list(lines(found))


@given(nets())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_a_random_net_has_the_same_firings_after_it(found: Net) -> None:
    game = TokenGame(found)
    # A sum that subtracts is written for the tokens within the bounds of its place only.
    assume(not game.faults(game.initial) and not any(map(subtracts, found.transitions)))
    loaded = loading.load_text("\n".join(lines(found)), name="document.net")
    # Tokens at first and variables may be such as PROD's language does not have.
    assume(loaded.is_loaded)
    assert len(TokenGame(net_of(loaded)).legal(game.initial)) == len(game.legal(game.initial))


def test_a_coloured_net_has_the_same_graph(tmp_path: Path) -> None:
    found = net(PHILOSOPHERS)
    path = tmp_path / "again.net"
    path.write_text("\n".join(lines(found)), encoding="utf-8")

    assert counts(loading.load(path).machine) == counts(TokenGame(found))
