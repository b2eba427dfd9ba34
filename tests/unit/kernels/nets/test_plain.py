"""Transitions of black tokens as tables."""

from __future__ import annotations

from unittest import mock

from tests.differential.test_nets import agree
from zermelo.core.nets.bags import Bag
from zermelo.core.nets.ir import Arc, Const, Net, Place, Term, Transition
from zermelo.core.nets.machine import TokenGame
from zermelo.engines.nets.statespace import state_space
from zermelo.kernels.nets import emit
from zermelo.kernels.nets.machine import NetKernel, kernel


def arc(place: str, count: int = 1) -> Arc:
    return Arc(place, (Term(Const(count), ()),))


def ring(size: int, tokens: int) -> Net:
    """Tokens that go around."""
    places = tuple(
        Place(f"p{at}", 0, Bag((((), tokens),)) if at == 0 else Bag()) for at in range(size)
    )
    transitions = tuple(
        Transition(f"t{at}", inputs=(arc(f"p{at}"),), outputs=(arc(f"p{(at + 1) % size}"),))
        for at in range(size)
    )
    return Net("ring", places, transitions)


def test_many_transitions_are_fired_from_a_table() -> None:
    net = ring(200, 2)
    made = kernel(net)
    assert isinstance(made, NetKernel)
    assert "fire_plain" in made.source

    found = state_space(TokenGame(net), made, is_bounded=True)

    # C(201, 2) ways to share two tokens out; each has one firing for each place with tokens
    assert (found.states, found.arcs) == (20100, 200 + 2 * 19900)


def test_weights_loops_and_rooms_that_grow_are_as_the_token_game_has_them() -> None:
    net = Net(
        "weights",
        (Place("a", 0, Bag((((), 5),))), Place("b", 0, Bag())),
        (
            Transition("test", inputs=(arc("a", 2),), outputs=(arc("a", 2),)),
            Transition("more", inputs=(arc("a", 3),), outputs=(arc("b", 6), arc("a"))),
            Transition("much", outputs=(arc("b", 1000),)),
            Transition("none", inputs=(arc("b", 0),), outputs=(arc("a", 0),)),
        ),
    )
    with mock.patch.object(emit, "MOST_WRITTEN", 0):
        assert agree(net)
        assert agree(net, compiled=True)
