"""Who chooses the moves."""

from zermelo.core.machine import Move
from zermelo.play.opponents import RandomPlayer

MOVES = tuple(Move("Take", (n,)) for n in range(1, 20))


def choices(seed: int) -> list[Move]:
    player = RandomPlayer(seed)
    return [player.choose(MOVES) for _ in range(10)]


def test_the_same_seed_gives_the_same_choices() -> None:
    assert choices(7) == choices(7)


def test_another_seed_gives_others() -> None:
    assert choices(7) != choices(8)


def test_a_random_player_says_its_seed() -> None:
    assert RandomPlayer(7).name == "random player, seed 7"
