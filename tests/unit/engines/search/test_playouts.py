"""Plays by lot: every one is counted, and the same seed gives the same plays."""

import pytest

from tests.support.expanders import compiled, heap, listed
from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.core.expander import Expander, TooNarrow, with_room
from zermelo.core.limits import Progress
from zermelo.core.machine import Ending
from zermelo.core.space import Playouts
from zermelo.engines.search.mcts import think
from zermelo.engines.search.playouts import playouts
from zermelo.engines.search.search import SearchLimits
from zermelo.languages.nets import ir
from zermelo.languages.nets.compile.kernel import NetKernel, kernel
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.machine import TokenGame

ENDLESS = """
Applicable Sets
  N : {0, 1, 2}
System Variables
  n ∈ N
  over ∈ {true, false}
System Facts
  over ↔ (n = 3)
System Initialization
  n = 0
System States and Behavior
Turn(k ∈ {1, 2})
  n ≤ 2 → n = (n + k) mod 3
GameOver(over)
  result ∈ {done}
  over → result = done
"""


def made(expander: Expander, game: Game, count: int, *, seed: int = 1) -> Playouts:
    return playouts(expander, game.machine.initial, count=count, seed=seed)


def shares(found: Playouts) -> dict[str, float]:
    return {str(outcome): number / found.count for outcome, number in found.endings.items()}


def test_every_play_is_counted_once() -> None:
    game = heap(4)

    found = made(listed(game), game, 50)

    assert found.count == sum(found.endings.values()) == 50
    assert found.unfinished == 0
    assert found.is_complete
    # 2 plies at least, and 4 at most
    assert 100 <= found.plies <= 200
    assert found.longest == 4


def test_the_chances_are_those_of_the_game() -> None:
    game = loading.load("tic-tac-toe")

    found = made(compiled(game), game, 100_000)

    # With moves drawn by lot X wins 737 of 1260 plays, O 121 of 420, and 8 of 63 are draws: the
    # chances of a win after 5, 6, … plies are those of a line among so many marks. Four standard
    # deviations are 0.0063 at most.
    assert shares(found) == pytest.approx(
        {"X wins": 737 / 1260, "O wins": 121 / 420, "draw": 8 / 63}, abs=0.0063
    )


def test_interpreter_and_kernel_make_the_same_plays() -> None:
    game = loading.load("tic-tac-toe")

    native = made(compiled(game), game, 40, seed=5)

    plain = made(compiled(game, native=False), game, 40, seed=5)
    slow = made(listed(game), game, 40, seed=5)
    assert native.endings == plain.endings == slow.endings
    assert native.plies == plain.plies == slow.plies


def test_another_seed_gives_other_plays() -> None:
    game = loading.load("tic-tac-toe")
    expander = compiled(game)

    assert made(expander, game, 1000, seed=1) != made(expander, game, 1000, seed=2)


def test_threads_share_the_plays_and_change_nothing() -> None:
    game = loading.load("tic-tac-toe")
    one = made(compiled(game), game, 20_000)

    two = playouts(compiled(game), game.machine.initial, count=20_000, seed=1, threads=2)

    assert (two.endings, two.plies, two.longest) == (one.endings, one.plies, one.longest)


def test_a_play_that_is_too_long_is_cut_short_and_said_to_be() -> None:
    game = loading.load_text(ENDLESS)

    found = playouts(listed(game), game.machine.initial, count=3, longest=10)

    assert (found.unfinished, found.plies, found.endings) == (3, 30, {})


def test_whoever_is_stuck_the_plays_are_counted_together() -> None:
    game = loading.load("pawns")

    found = made(compiled(game), game, 1000)

    # either side can be stuck, and the document does not say what becomes of it
    assert sum(found.endings.values()) == 1000
    assert [outcome.ending for outcome in found.endings].count(Ending.STUCK) == 1


def test_a_listener_can_stop_the_plays() -> None:
    game = heap(4)

    def listen(_: Progress) -> bool:
        return True

    found = playouts(listed(game), game.machine.initial, count=100, seed=1, listener=listen)

    assert found.count == 8
    assert found.cut == "stopped after 8 of 100 plays"


GROWING = ir.Net(
    "growing",
    (ir.Place("p", 0, Bag()),),
    (ir.Transition("more", outputs=(ir.Arc("p", (ir.Term(ir.Const(1), ()),)),)),),
)
"""A token more with each firing, so that packed states become too narrow."""


def growing() -> NetKernel:
    made = kernel(GROWING, compiled=True)
    assert isinstance(made, NetKernel)
    return made


@pytest.mark.parametrize("threads", [1, 2])
def test_plays_go_on_where_a_state_has_no_room(threads: int) -> None:
    initial = TokenGame(GROWING).initial

    def played(expander: Expander) -> Playouts:
        return playouts(expander, initial, count=10, longest=300, threads=threads)

    with pytest.raises(TooNarrow):
        played(growing())
    found = with_room(growing(), played)

    assert (found.count, found.plies, found.unfinished) == (10, 3000, 10)


def test_a_tree_of_plays_says_that_a_state_has_no_room() -> None:
    with pytest.raises(TooNarrow):
        think(growing(), TokenGame(GROWING).initial, effort=SearchLimits(nodes=50))
