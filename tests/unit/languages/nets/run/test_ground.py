"""Firings written out."""

from __future__ import annotations

from unittest import mock

from tests.support.understood import net_of
from zermelo.api import loading
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.run import ground as module
from zermelo.languages.nets.run.ground import grounded

PLACES = "#place a lo(<.1.>) hi(<.3.>) mk(<.1..3.>)\n#place b lo(<.1.>) hi(<.3.>)\n"


def net_in(text: str) -> Net:
    game = loading.load_text(text, name="test.net")
    return net_of(game)


def transition(text: str) -> str:
    return f"#trans t\n{text}\n#endtr\n"


def test_there_is_a_firing_for_each_value_of_the_variables() -> None:
    (firings,) = grounded(
        net_in(PLACES + transition("in { a: <.x.>; } out { b: 2<.x % 3 + 1.>; }"))
    )

    assert firings is not None
    assert [(each.values, each.taken, each.put) for each in firings] == [
        ((1,), {(0, (1,)): 1}, {(1, (2,)): 2}),
        ((2,), {(0, (2,)): 1}, {(1, (3,)): 2}),
        ((3,), {(0, (3,)): 1}, {(1, (1,)): 2}),
    ]


def test_gates_and_tokens_that_cannot_be_there_leave_firings_out() -> None:
    text = "in { a: <.x.>; b: <.x + 1.>; } out { a: <.x.>; }\ngate x != 1;"
    (firings,) = grounded(net_in(PLACES + transition(text)))

    # x = 1 is forbidden, and b cannot hold the token 4
    assert firings is not None
    assert [each.values for each in firings] == [(2,)]


def test_tokens_that_are_not_moved_are_not_named() -> None:
    (firings,) = grounded(net_in(PLACES + transition("in { a: <.x.> + 0<.7.>; }")))

    assert firings is not None
    assert firings[0].taken == {(0, (1,)): 1}


def test_a_transition_that_can_stop_is_not_written_out() -> None:
    outside = net_in(PLACES + transition("in { a: <.x.>; } out { b: <.x + 1.>; }"))
    divided = net_in(PLACES + transition("in { a: <.x.>; } out { b: <.1 / (x - 2).>; }"))

    assert grounded(outside) == (None,)
    assert grounded(divided) == (None,)


def test_variables_without_bounds_and_lets_are_left_to_the_token_game() -> None:
    free = net_in("#place a mk(<.1.>)\n" + transition("in { a: <.x.>; }"))

    assert grounded(free) == (None,)


def test_what_has_few_firings_comes_first() -> None:
    text = PLACES + (
        "#trans many\nin { a: <.x.> + <.y.>; }\n#endtr\n#trans few\nin { a: <.x.>; }\n#endtr\n"
    )
    with mock.patch.object(module, "MOST_BINDINGS", 5):
        many, few = grounded(net_in(text))

    assert many is None
    assert few is not None
    assert len(few) == 3


def test_a_function_that_takes_long_is_left_to_the_token_game() -> None:
    function = "int f(int n) { int i = 0; while (i < 10000) i++; return n; }\n"
    text = "#trans u\nin { a: <.x.>; } out { b: <.x.>; }\n#endtr\n"
    long, short = grounded(
        net_in(function + PLACES + transition("in { a: <.x.>; } out { b: <.f(x).>; }") + text)
    )

    assert long is None
    assert short is not None
    assert len(short) == 3


def test_all_firings_together_may_take_so_many_steps() -> None:
    text = PLACES + (
        "#trans t\nin { a: <.x.>; } out { b: <.x.>; }\n#endtr\n"
        "#trans u\nin { a: <.x.>; } out { b: <.x.>; }\n#endtr\n"
    )
    # three firings of t move six tokens, and those of u as many
    with mock.patch.object(module, "MOST_STEPS", 11):
        first, second = grounded(net_in(text))

    assert first is not None
    assert second is None


def test_ranges_may_be_longer_than_python_counts() -> None:
    far = net_in(
        "#place a lo(<.0.>) hi(<.9223372036854775807.>)\n" + transition("in { a: <.x.>; }")
    )

    assert grounded(far) == (None,)


def test_firings_that_move_very_many_tokens_are_not_written_out() -> None:
    text = "#place a lo(<.1,1.>) hi(<.9,99.>)\n" + transition("in { a: <.x,1..99.>; }")

    assert grounded(net_in(text)) != (None,)
    with mock.patch.object(module, "MOST_STEPS", 800):
        assert grounded(net_in(text.replace("hi(<.9", "hi(<.10"))) == (None,)
