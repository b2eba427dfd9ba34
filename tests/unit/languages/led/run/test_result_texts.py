"""What texts at the end of a play say: each for itself, and together."""

import pytest

from zermelo.core.machine import Ending
from zermelo.core.values import UNSET
from zermelo.languages.led.run.result_texts import DRAW, NOTHING, OPEN, Judge, Verdict

X, RING = 0, 1


def judge(*names: tuple[str, ...], names_somebody: bool = True) -> Judge:
    return Judge(names or (("x",), ("o",)), {}, names_somebody)


def wins(*players: int) -> Verdict:
    return Verdict(frozenset(players))


def loses(*players: int) -> Verdict:
    return Verdict(losers=frozenset(players))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("x won", wins(X)),
        ("X wins!", wins(X)),
        ("player o wins", wins(RING)),
        ("The winner is O", wins(RING)),
        ("Game over - winner: x", wins(X)),
        ("victory for o", wins(RING)),
        ("o has lost", loses(RING)),
        ("x won, o lost", Verdict(frozenset({X}), frozenset({RING}))),
        ("x wins against o", wins(X)),
        ("x loses to o", loses(X)),
        ("x, you win", wins(X)),
        ("a draw", DRAW),
        ("It is a tie.", DRAW),
        ("no winner", DRAW),
        ("nobody", DRAW),
        ("x and o draw", DRAW),
        ("cat got it", NOTHING),
        ("play again?", NOTHING),
        ("0", NOTHING),
        ("Game over: O", OPEN),
        ("x beats o", OPEN),
        ("x did not win", OPEN),
        ("x draws", OPEN),
        ("you win", OPEN),
        ("oxen won", OPEN),
        ("x won, x lost", OPEN),
    ],
)
def test_whom_a_text_names_may_stand_anywhere_in_it(text: str, verdict: Verdict) -> None:
    assert judge().text(text) == verdict


def test_an_article_is_nobodys_name() -> None:
    letters = judge(("a",), ("b",))

    assert letters.text("it is a draw") == DRAW
    assert letters.text("a win for b") == wins(1)
    assert letters.text("a won") == wins(0)


def test_numbers_and_names_of_several_words_are_names() -> None:
    assert judge(("1",), ("2",)).text("player 2 wins") == wins(1)
    assert judge(("red king",), ("red",)).text("the red king wins") == wins(0)


def test_a_name_of_two_players_names_neither() -> None:
    assert judge(("1",), ("-1",)).text("1 wins") == OPEN


def test_other_names_count_where_the_first_ones_are_not_there() -> None:
    colours = judge(("true", "red"), ("false", "blue"))

    assert colours.text("red wins") == wins(0)
    assert colours.text("false wins, not red") == OPEN


@pytest.mark.parametrize(
    ("texts", "verdict"),
    [
        (("0", "x won"), wins(X)),
        (("play again?", "o won"), wins(RING)),
        (("winner:", "`x"), wins(X)),
        (("loser", "o"), loses(RING)),
        (("x won", "o won"), wins(X, RING)),
        (("x won", "draw"), OPEN),
        (("cat got it",), DRAW),
        (("x",), Verdict(frozenset({X}))),
        (("Game over: O", "again?"), OPEN),
    ],
)
def test_texts_are_judged_each_for_itself_and_then_together(
    texts: tuple[str, ...], verdict: Verdict
) -> None:
    found = judge().texts(texts, is_measure=lambda text: text in {"0", "`x"})

    assert found == verdict


def test_a_printed_value_alone_names_nobody() -> None:
    numbers = judge(("1",), ("2",))

    assert numbers.texts(("1",), is_measure=str.isdecimal) == DRAW
    assert numbers.texts(("winner", "1"), is_measure=str.isdecimal) == wins(0)


def test_a_text_that_speaks_of_nobody_is_a_draw_only_where_others_name_somebody() -> None:
    silent = judge(names_somebody=False)

    assert silent.texts(("game over",), is_measure=lambda _: False) == OPEN
    assert silent.texts(("draw",), is_measure=lambda _: False) == DRAW


def test_what_a_person_says_goes_before() -> None:
    said = Judge((("x",), ("o",)), {"game over o": loses(RING)}, names_somebody=True)

    assert said.text("Game over: O!") == loses(RING)
    assert said.said("o loses") == loses(RING)
    assert said.said("x wins and o loses") == Verdict(frozenset({X}), frozenset({RING}))
    assert said.said("draw") == DRAW
    assert said.said("z wins") is None


def test_who_loses_against_one_other_makes_that_one_win() -> None:
    two = judge().outcome(loses(X), UNSET)
    three = judge(("a",), ("b",), ("c",)).outcome(loses(1), UNSET)

    assert (two.ending, two.winners, two.losers) == (Ending.WIN, ("o",), ("x",))
    assert (three.ending, three.winners, three.losers) == (Ending.LOSS, (), ("b",))
    assert judge().outcome(wins(X, RING), UNSET).ending is Ending.DRAW
