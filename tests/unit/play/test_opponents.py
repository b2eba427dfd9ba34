"""Who chooses the moves."""

from tests.support.expanders import heap
from tests.support.models import words_of
from zermelo.core.limits import Listener
from zermelo.core.state import Move, State
from zermelo.engines.solve.values import ValueKind
from zermelo.play.advice import Advice, Advised, AdvisedPlayer, RandomPlayer
from zermelo.play.session import Session


class Last:
    """Likes the last move best, and counts how often it was asked."""

    name = "last"
    preparation = ""

    def __init__(self) -> None:
        self.asked = 0

    def hint(self, state: State, *, listener: Listener | None = None) -> Advised:
        self.asked += 1
        return self.values(state, listener=listener)

    def values(self, state: State, *, listener: Listener | None = None) -> Advised:
        del state, listener
        return Advised((Advice(Move("Take", (2,)), ValueKind.WIN, 1),), "proved by nobody")


def choices(seed: int) -> list[Move]:
    player = RandomPlayer(seed)
    session = Session(words_of(heap(40)))
    return [session.make(player.choose(session)).move for _ in range(10)]


def test_the_same_seed_gives_the_same_choices() -> None:
    assert choices(7) == choices(7)


def test_another_seed_gives_others() -> None:
    assert choices(7) != choices(8)


def test_a_random_player_says_its_seed() -> None:
    assert RandomPlayer(7).name == "random player, seed 7"


def test_an_advised_player_does_what_its_adviser_likes_best() -> None:
    player = AdvisedPlayer(Last())

    assert str(player.choose(Session(words_of(heap(5))))) == "Take(2)"
    assert player.name == "last"


def test_a_move_without_a_choice_takes_no_thought() -> None:
    adviser = Last()

    assert str(AdvisedPlayer(adviser).choose(Session(words_of(heap(1))))) == "Take(1)"
    assert adviser.asked == 0
