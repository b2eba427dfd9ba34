"""What is said of moves, and which is called the best."""

import pytest

from zermelo.core.state import Move
from zermelo.engines.solve.values import ValueKind
from zermelo.play.advice import Advice, Advised, in_words, ranked, tone
from zermelo.text.prose import Tone

MOVE = Move("Take", (1,))


def advice(
    name: str, kind: ValueKind, plies: int | None = None, *, chance: float | None = None
) -> Advice:
    return Advice(Move(name), kind, plies, chance=chance, plays=10)


def test_the_best_move_wins_soon_and_the_worst_loses_soon() -> None:
    moves = [
        advice("loses soon", ValueKind.LOSS, 2),
        advice("loses late", ValueKind.LOSS, 8),
        advice("looks bad", ValueKind.UNKNOWN, chance=0.2),
        advice("draws", ValueKind.DRAW),
        advice("looks good", ValueKind.UNKNOWN, chance=0.8),
        advice("wins late", ValueKind.WIN, 5),
        advice("wins soon", ValueKind.WIN, 1),
    ]

    assert [each.move.name for each in ranked(moves)] == [
        "wins soon",
        "wins late",
        "looks good",
        "draws",
        "looks bad",
        "loses late",
        "loses soon",
    ]


def test_equal_moves_stay_in_their_order() -> None:
    moves = [
        advice("a", ValueKind.DRAW),
        advice("b", ValueKind.DRAW),
        advice("c", ValueKind.UNKNOWN),
    ]

    assert [each.move.name for each in ranked(moves)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("said", "players", "words"),
    [
        (Advice(MOVE, ValueKind.WIN, 1), 2, "wins in 1 ply"),
        (Advice(MOVE, ValueKind.LOSS, 4), 2, "loses in 4 plies"),
        (Advice(MOVE, ValueKind.DRAW), 2, "draws"),
        (Advice(MOVE, ValueKind.ENDLESS), 2, "goes on for ever"),
        (Advice(MOVE, ValueKind.UNKNOWN), 2, "not known"),
        (
            Advice(MOVE, ValueKind.UNKNOWN, depth=6, chance=0.255, plays=1200),
            2,
            "not known (nothing forced within 6 plies, scores 26% in 1,200 random plays)",
        ),
        (Advice(MOVE, ValueKind.WIN, 3), 1, "reaches the goal in 3 plies"),
        (Advice(MOVE, ValueKind.DRAW), 1, "does not lead to the goal"),
        (Advice(MOVE, ValueKind.WIN, 3), 3, "wins in 3 plies against all others together"),
        (Advice(MOVE, ValueKind.LOSS, 3), 3, "loses in 3 plies if all others play together"),
        (Advice(MOVE, ValueKind.UNKNOWN, remark="it depends"), 2, "not known; it depends"),
    ],
)
def test_a_value_is_said_in_words(said: Advice, players: int, words: str) -> None:
    assert in_words(said, players=players) == words


def test_only_what_is_known_counts_as_proved() -> None:
    assert Advice(MOVE, ValueKind.DRAW).is_proved
    assert not Advice(MOVE, ValueKind.UNKNOWN, chance=1.0, plays=1000).is_proved


def test_wins_and_losses_stand_out() -> None:
    tones = [tone(Advice(MOVE, kind)) for kind in (ValueKind.WIN, ValueKind.LOSS, ValueKind.DRAW)]

    assert tones == [Tone.GOOD, Tone.BAD, Tone.PLAIN]


def test_without_a_move_there_is_no_best() -> None:
    assert Advised((), "there is no move").best is None
