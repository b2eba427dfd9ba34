"""Random plays that grow a tree: the same from the same seed, and proved only by ends."""

from tests.support.expanders import compiled, heap, listed
from tests.support.models import words_of
from tests.support.project import TESTS
from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.core.limits import INTERRUPTED, Progress
from zermelo.engines.search.mcts import think
from zermelo.engines.search.search import SearchLimits
from zermelo.engines.solve.values import ValueKind
from zermelo.play.session import Session


def session(game: Game, *moves: str) -> Session:
    made = Session(words_of(game))
    for text in moves:
        made.make_text(text)
    return made


def test_a_forced_win_is_found_and_proved() -> None:
    game = heap(5)

    thought = think(listed(game), game.machine.initial, effort=SearchLimits(nodes=500), seed=1)

    assert thought.best is not None
    # two leave 3, at which the other side loses
    assert (str(thought.best.move), thought.best.proved) == ("Take(2)", ValueKind.WIN)
    assert thought.cut is None
    assert thought.plays < 500


def test_every_move_loses_and_is_proved_to() -> None:
    game = heap(6)

    thought = think(listed(game), game.machine.initial, effort=SearchLimits(nodes=2000), seed=1)

    assert [tried.proved for tried in thought.moves] == [ValueKind.LOSS, ValueKind.LOSS]


def test_the_same_seed_and_number_of_plays_give_the_same_tree() -> None:
    game = loading.load("tic-tac-toe")
    start = game.machine.initial

    first = think(compiled(game), start, effort=SearchLimits(nodes=300), seed=7)

    assert first.moves == think(compiled(game), start, effort=SearchLimits(nodes=300), seed=7).moves
    assert first.moves == think(listed(game), start, effort=SearchLimits(nodes=300), seed=7).moves
    assert first.moves != think(compiled(game), start, effort=SearchLimits(nodes=300), seed=8).moves
    assert (first.plays, first.cut) == (300, "stopped after 300 plays")


def test_plays_are_counted_for_each_move() -> None:
    game = loading.load("tic-tac-toe")

    thought = think(compiled(game), game.machine.initial, effort=SearchLimits(nodes=2000), seed=3)

    assert sum(tried.visits for tried in thought.moves) == 2000
    assert all(tried.mean is not None and 0 < tried.mean < 1 for tried in thought.moves)


def test_the_centre_is_tried_most_in_tic_tac_toe() -> None:
    game = loading.load("tic-tac-toe")

    thought = think(compiled(game), game.machine.initial, effort=SearchLimits(nodes=3000), seed=3)

    assert str(thought.ranking[0].move) == "Mark((2, 2))"


def test_a_line_of_the_other_side_is_blocked() -> None:
    game = loading.load("tic-tac-toe")
    play = session(game, "1 1", "2 2", "1 2")

    thought = think(compiled(game), play.state, effort=SearchLimits(nodes=2000), seed=1)

    assert thought.best is not None
    assert str(thought.best.move) == "Mark((1, 3))"


def test_stuck_players_of_whom_nothing_is_said_prove_nothing() -> None:
    game = loading.load(TESTS / "documents" / "pawns-5x3.md")

    thought = think(compiled(game), game.machine.initial, effort=SearchLimits(nodes=20_000), seed=1)

    assert all(
        tried.proved in {ValueKind.UNKNOWN, ValueKind.WIN, ValueKind.LOSS}
        for tried in thought.moves
    )


def test_more_than_two_players_play_each_for_themselves() -> None:
    game = loading.load(TESTS / "documents" / "three-players.md")

    thought = think(listed(game), game.machine.initial, effort=SearchLimits(nodes=300), seed=1)

    assert [tried.proved for tried in thought.moves] == [ValueKind.UNKNOWN] * 3
    assert thought.plays == 300


def test_threads_grow_trees_of_their_own_that_are_put_together() -> None:
    game = loading.load("tic-tac-toe")
    start = game.machine.initial

    both = think(compiled(game), start, effort=SearchLimits(nodes=1001), seed=7, threads=2)

    one = think(compiled(game), start, effort=SearchLimits(nodes=501), seed=7)
    two = think(compiled(game), start, effort=SearchLimits(nodes=500), seed=8)
    assert [tried.visits for tried in both.moves] == [
        first.visits + second.visits for first, second in zip(one.moves, two.moves, strict=True)
    ]
    assert both.plays == 1001


def test_one_tree_that_proves_the_value_stops_the_others() -> None:
    game = heap(5)

    thought = think(compiled(game), game.machine.initial, effort=SearchLimits(), seed=1, threads=2)

    assert thought.best is not None
    assert thought.best.proved is ValueKind.WIN


def test_one_play_is_made_in_any_case() -> None:
    game = heap(5)

    thought = think(listed(game), game.machine.initial, effort=SearchLimits(seconds=0), seed=1)

    assert [str(tried.move) for tried in thought.moves] == ["Take(1)", "Take(2)"]


def test_where_there_is_no_move_nothing_is_thought() -> None:
    game = heap(1)
    play = session(game, "1")

    thought = think(listed(game), play.state, effort=SearchLimits(nodes=10))

    assert (thought.moves, thought.best) == ((), None)


def test_a_listener_can_stop_the_thinking() -> None:
    game = heap(30)

    def listen(progress: Progress) -> bool:
        return progress.states > 10

    thought = think(listed(game), game.machine.initial, effort=SearchLimits(), listener=listen)

    assert thought.cut == INTERRUPTED
