"""The form of a net bounds its places."""

from __future__ import annotations

import pytest

from tests.support.understood import net_of
from zermelo.api import loading
from zermelo.languages.nets.run import bounds as module
from zermelo.languages.nets.run.bounds import bounds


def of(text: str) -> dict[str, int]:
    game = loading.load_text(text, name="test.net")
    return dict(bounds(net_of(game)))


def test_tokens_that_only_move_bound_their_places() -> None:
    found = of(
        "#place a mk(2<..>)\n#place b\n#place c mk(<..>)\n"
        "#trans t\nin { a: <..>; } out { b: 2<..>; }\n#endtr\n"
        "#trans u\nin { b: 2<..>; } out { a: <..>; }\n#endtr\n"
    )

    # 2·a + b stays 4, and nothing touches c
    assert found == {"a": 2, "b": 4, "c": 1}


def test_a_place_that_can_grow_has_no_bound() -> None:
    assert of("#place a\n#trans t\nout { a: <..>; }\n#endtr\n") == {}


def test_colours_are_summed_over() -> None:
    found = of(
        "#place a lo(<.1.>) hi(<.3.>) mk(<.1..3.>)\n#place b lo(<.1.>) hi(<.3.>)\n"
        "#trans t\nin { a: <.x.>; } out { b: <.x.>; }\n#endtr\n"
    )

    assert found == {"a": 3, "b": 3}


def test_places_that_can_only_lose_tokens_are_bounded() -> None:
    found = of(
        "#place a mk(5<..>)\n#place b\n"
        "#trans t\nin { a: 2<..>; } out { b: <..>; }\n#endtr\n"
        "#trans u\nin { b: <..>; }\n#endtr\n"
    )

    # a + 2·b never gets heavier than 5
    assert found == {"a": 5, "b": 2}


def test_transitions_that_undo_each_other_are_looked_at_once() -> None:
    moves = "".join(
        f"#trans r{n}\nin {{ a: <..>; }} out {{ b: <..>; }}\n#endtr\n"
        f"#trans l{n}\nin {{ b: <..>; }} out {{ a: <..>; }}\n#endtr\n"
        for n in range(300)
    )

    assert of(f"#place a mk(4<..>)\n#place b\n{moves}") == {"a": 4, "b": 4}


def test_elimination_is_given_up_when_it_takes_too_much_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_WORK", -1)
    text = "#place a mk(3<..>)\n#place b\n#trans t\nin { a: <..>; } out { b: 2<..>; }\n#endtr\n"

    assert of(text) == {}


def test_places_among_which_no_firing_makes_tokens_are_bounded_without_elimination(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_WORK", -1)
    text = (
        "#place a mk(3<..>)\n#place b\n#place c mk(<..>)\n#place d\n"
        "#trans t\nin { a: <..>; } out { b: <..>; }\n#endtr\n"
        "#trans u\nin { c: <..>; } out { d: 2<..>; }\n#endtr\n"
    )

    assert of(text) == {"a": 3, "b": 3}


FORKS = """
#define n 4
#place thinks lo(<.1.>) hi(<.n.>) mk(<.1..n.>)
#place eats lo(<.1.>) hi(<.n.>)
#place fork lo(<.1.>) hi(<.n.>) mk(<.1..n.>)
#trans take
in { thinks: <.p.>; fork: <.p.> + <.p % n + 1.>; }  out { eats: <.p.>; }
#endtr
#trans put
in { eats: <.p.>; }  out { thinks: <.p.>; fork: <.p.> + <.p % n + 1.>; }
#endtr
"""


def of_one(text: str) -> dict[str, int]:
    game = loading.load_text(text, name="test.net")
    return dict(module.bounds_of_one(net_of(game)))


def test_each_token_has_a_bound_of_its_own() -> None:
    assert of(FORKS) == {"thinks": 4, "eats": 2, "fork": 4}

    # Everybody thinks or eats, and a fork lies there or is in one hand.
    assert of_one(FORKS) == {"thinks": 1, "eats": 1, "fork": 1}


def test_black_tokens_are_all_the_same() -> None:
    text = "#place a mk(2<..>)\n#place b\n#trans t\nin { a: <..>; } out { b: <..>; }\n#endtr\n"

    assert of_one(text) == of(text) == {"a": 2, "b": 2}


def test_the_bounds_of_tokens_bound_a_place_that_has_no_other() -> None:
    # How many tokens `grow` puts depends on x, so without colours nothing is known of b.
    text = (
        "#place a lo(<.1.>) hi(<.2.>) mk(<.1.> + <.2.>)\n#place b lo(<.1.>) hi(<.2.>)\n"
        "#trans grow\nin { a: <.x.>; } out { b: x<.x.>; }\n#endtr\n"
    )

    assert of(text) == {"a": 2, "b": 3}
    assert of_one(text) == {"a": 1, "b": 2}


def test_where_firings_are_not_written_out_the_net_without_colours_tells() -> None:
    text = (
        "#place a lo(<.1.>) hi(<.3.>) mk(<.1.>)\n#place b lo(<.1.>) hi(<.3.>)\n"
        "#trans t\nin { a: <.x.>; } out { b: <.x + 1.>; }\n#endtr\n"
    )

    # x = 3 would put a token outside of b: only the token game can tell.
    assert of_one(text) == {"a": 1, "b": 1}
