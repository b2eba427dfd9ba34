"""Firings written out."""

from __future__ import annotations

from unittest import mock

from zermelo import api
from zermelo.core.nets import ground as module
from zermelo.core.nets.ground import grounded
from zermelo.core.nets.ir import Net

PLACES = "#place a lo(<.1.>) hi(<.3.>) mk(<.1..3.>)\n#place b lo(<.1.>) hi(<.3.>)\n"


def net_of(text: str) -> Net:
    game = api.load_text(text, name="test.net")
    assert game.net is not None, [each.message for each in game.diagnostics]
    return game.net


def transition(text: str) -> str:
    return f"#trans t\n{text}\n#endtr\n"


def test_there_is_a_firing_for_each_value_of_the_variables() -> None:
    (firings,) = grounded(
        net_of(PLACES + transition("in { a: <.x.>; } out { b: 2<.x % 3 + 1.>; }"))
    )

    assert firings is not None
    assert [(each.values, each.taken, each.put) for each in firings] == [
        ((1,), {(0, (1,)): 1}, {(1, (2,)): 2}),
        ((2,), {(0, (2,)): 1}, {(1, (3,)): 2}),
        ((3,), {(0, (3,)): 1}, {(1, (1,)): 2}),
    ]


def test_gates_and_tokens_that_cannot_be_there_leave_firings_out() -> None:
    text = "in { a: <.x.>; b: <.x + 1.>; } out { a: <.x.>; }\ngate x != 1;"
    (firings,) = grounded(net_of(PLACES + transition(text)))

    # x = 1 is forbidden, and b cannot hold the token 4
    assert firings is not None
    assert [each.values for each in firings] == [(2,)]


def test_tokens_that_are_not_moved_are_not_named() -> None:
    (firings,) = grounded(net_of(PLACES + transition("in { a: <.x.> + 0<.7.>; }")))

    assert firings is not None
    assert firings[0].taken == {(0, (1,)): 1}


def test_a_transition_that_can_stop_is_not_written_out() -> None:
    outside = net_of(PLACES + transition("in { a: <.x.>; } out { b: <.x + 1.>; }"))
    divided = net_of(PLACES + transition("in { a: <.x.>; } out { b: <.1 / (x - 2).>; }"))

    assert grounded(outside) == (None,)
    assert grounded(divided) == (None,)


def test_variables_without_bounds_and_lets_are_left_to_the_token_game() -> None:
    free = net_of("#place a mk(<.1.>)\n" + transition("in { a: <.x.>; }"))

    assert grounded(free) == (None,)


def test_what_has_few_firings_comes_first() -> None:
    text = PLACES + (
        "#trans many\nin { a: <.x.> + <.y.>; }\n#endtr\n#trans few\nin { a: <.x.>; }\n#endtr\n"
    )
    with mock.patch.object(module, "MOST_BINDINGS", 5):
        many, few = grounded(net_of(text))

    assert many is None
    assert few is not None
    assert len(few) == 3
