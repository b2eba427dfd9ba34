"""What shows that a net is unbounded, verified by firing it with the token game."""

from __future__ import annotations

import random

import pytest

from tests.support.prod import net
from zermelo.core.limits import INTERRUPTED, Limits, Progress
from zermelo.core.state import Move, State
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.unbounded import (
    Boundedness,
    GrowthSearch,
    GrowthWatch,
    Pumping,
    pumping,
)

TOLD = Progress(depth=0, states=1, frontier=1, seconds=0.0)

PUMP = """
#place idle mk(<..>)
#place made
#trans make
in { idle: <..>; } out { idle: <..>; made: <..>; }
#endtr
"""


def toggles(count: int) -> str:
    return "".join(
        f"""
#place off{at} mk(<..>)
#place on{at}
#trans up{at}
in {{ off{at}: <..>; }} out {{ on{at}: <..>; }}
#endtr
#trans down{at}
in {{ on{at}: <..>; }} out {{ off{at}: <..>; }}
#endtr
"""
        for at in range(count)
    )


def late(count: int) -> str:
    """Nothing grows before a counter has run down."""
    return f"""
#place left mk({count}<..>)
#place done
#place ready
#place made
#trans count
in {{ left: <..>; }} out {{ done: <..>; }}
#endtr
#trans begin
in {{ done: {count}<..>; }} out {{ ready: <..>; }}
#endtr
#trans make
in {{ ready: <..>; }} out {{ ready: <..>; made: <..>; }}
#endtr
"""


def fired(game: TokenGame, state: State, moves: tuple[Move, ...]) -> State:
    for move in moves:
        state = game.after(state, move)
    return state


def sizes(state: State) -> dict[str, int]:
    return {name: len(bag) for name, bag in state.items() if isinstance(bag, Bag)}


def holds(larger: State, smaller: State) -> bool:
    for name, bag in smaller.items():
        there = larger[name]
        assert isinstance(bag, Bag)
        assert isinstance(there, Bag)
        counts = dict(there)
        if any(counts.get(token, 0) < count for token, count in bag):
            return False
    return True


def verify(game: TokenGame, found: Pumping) -> None:
    """Fire what is said to be repeatable, three times."""
    before = fired(game, game.initial, found.play)
    assert before == found.before
    after = fired(game, before, found.moves)
    assert after == found.after
    assert after != before
    assert not found.moves_on, "numbers that go on are verified elsewhere"
    for _ in range(3):
        assert holds(after, before)
        grown = {name for name, size in sizes(after).items() if size > sizes(before)[name]}
        assert grown == set(found.grows)
        before, after = after, fired(game, after, found.moves)


def random_text(seed: int) -> str:
    lot = random.Random(seed)
    names = [f"p{at}" for at in range(lot.randint(1, 5))]
    lines = []
    for name in names:
        tokens = lot.choice((0, 0, 1, 2, 3))
        lines.append(f"#place {name}" + (f" mk({tokens}<..>)" if tokens else ""))

    def arcs() -> str:
        some = lot.sample(names, lot.randint(0, min(2, len(names))))
        return " ".join(f"{name}: {lot.randint(1, 2)}<..>;" for name in some)

    lines += [
        f"#trans t{at} in {{ {arcs()} }} out {{ {arcs()} }} #endtr"
        for at in range(lot.randint(1, 5))
    ]
    return "\n".join(lines) + "\n"


def test_whatever_is_found_of_random_nets_can_be_fired_again() -> None:
    unbounded = bounded = 0
    for seed in range(400):
        game = TokenGame(net(random_text(seed)))
        search = GrowthSearch(game)
        search.run(nodes=2_000)
        assert search.boundedness is not Boundedness.UNDECIDED, seed
        if search.found is None:
            bounded += 1
            continue
        unbounded += 1
        verify(game, search.found)
    assert unbounded > 100
    assert bounded > 50


def test_a_pump_beside_many_toggles_is_found_at_once() -> None:
    search = GrowthSearch(TokenGame(net(toggles(16) + PUMP)))
    search.run(nodes=1_000)
    assert search.found is not None
    assert search.found.moves == (Move("make"),)
    assert search.found.grows == ("made",)


def test_growth_after_thousands_of_firings_is_found() -> None:
    game = TokenGame(net(late(5_000)))
    found = pumping(game)
    assert found is not None
    assert len(found.play) == 5_001
    assert found.moves == (Move("make"),)
    verify(game, found)


def test_places_that_grow_by_what_another_gives_are_named() -> None:
    found = pumping(
        TokenGame(
            net(PUMP + "#place far\n#trans go in { made: <..>; } out { far: <..>; } #endtr\n")
        )
    )
    assert found is not None
    assert (found.grows, found.also) == (("made",), ("far",))


COLOURS = """
#place p mk(<.0.>)
#trans t
in {{ p: <.x.>; }} out {{ p: {put}; }} {gate}
#endtr
"""


@pytest.mark.parametrize(
    ("put", "gate", "is_endless"),
    [
        ("<.x+1.>", "", True),
        ("<.x-3.>", "gate x <= 0;", True),
        ("<.x+1.>", "gate x != -1;", True),
        ("<.x+1.>", "gate x < 10;", False),
        ("<.(x+1)%7.>", "", False),
        ("<.2*x+1.>", "", False),
        ("<.x+2.>", "gate x != 5;", True),
        ("<.x+2.>", "gate x != 6;", False),
        ("<.x > 4 ? 0 : x+1.>", "", False),
        ("<.0-x.>", "", False),
    ],
)
def test_numbers_that_go_on_are_found_only_where_they_do(
    put: str, gate: str, *, is_endless: bool
) -> None:
    game = TokenGame(net(COLOURS.format(put=put, gate=gate)))
    found = pumping(game, nodes=200)
    assert (found is not None) == is_endless
    if found is None:
        return
    assert found.moves_on == ("p",)
    assert not found.grows
    # Only the numbers differ from round to round.
    state = fired(game, game.initial, found.play)
    for _ in range(50):
        for move in found.moves:
            state = game.after(state, next(m for m in game.legal(state) if m.name == move.name))


def test_tokens_with_other_numbers_each_time_are_more_and_more() -> None:
    text = (
        "#place p mk(<.0.>)\n#place q\n#trans t in { p: <.x.>; } "
        "out { p: <.x+1.>; q: <.x.>; } #endtr\n"
    )
    found = pumping(TokenGame(net(text)))
    assert found is not None
    assert (found.grows, found.moves_on) == (("q",), ("p",))


def test_a_round_of_several_firings_is_found() -> None:
    text = """
#place p mk(<.7,0.>)
#place q
#trans go
in { p: <.a,x.>; } out { q: <.a,x.>; }
#endtr
#trans back
in { q: <.a,x.>; } out { p: <.a,x+1.>; }
#endtr
"""
    found = pumping(TokenGame(net(text)))
    assert found is not None
    assert [move.name for move in found.moves] == ["go", "back"]
    assert found.moves_on == ("p",)


def test_a_net_is_bounded_where_all_was_searched() -> None:
    # A gate keeps the numbers in bounds, which the form of the net does not show.
    search = GrowthSearch(TokenGame(net(COLOURS.format(put="<.x+1.>", gate="gate x < 10;"))))
    search.run(nodes=1_000)
    assert search.boundedness is Boundedness.BOUNDED


def test_a_search_that_was_not_ended_leaves_it_open() -> None:
    search = GrowthSearch(TokenGame(net(late(50_000))))
    search.run(nodes=1)
    assert (search.boundedness, search.found) == (Boundedness.UNDECIDED, None)
    search = GrowthSearch(TokenGame(net(late(50_000))))
    search.run(nodes=100_000)
    assert search.boundedness is Boundedness.UNBOUNDED


def test_what_is_known_at_a_limit_of_states_does_not_depend_on_when_one_looks() -> None:
    for looks in (0, 1, 3):
        watch = GrowthWatch(
            TokenGame(net(late(20_000))), limits=Limits(states=30_000), listener=None, stops=True
        )
        for _ in range(looks):
            watch(TOLD)
        assert watch.end("stopped at 30,000 states") is Boundedness.UNBOUNDED


def test_whoever_interrupts_does_not_wait() -> None:
    watch = GrowthWatch(
        TokenGame(net(late(20_000))), limits=Limits(states=30_000), listener=None, stops=True
    )
    assert watch.end(INTERRUPTED) is Boundedness.UNDECIDED


def test_a_watch_asks_to_stop_only_where_nothing_else_is_wanted() -> None:
    for stops in (True, False):
        watch = GrowthWatch(
            TokenGame(net(toggles(3) + PUMP)), limits=Limits(), listener=None, stops=stops
        )
        watch.begin()
        assert watch.found is not None
        assert watch(TOLD) is stops
