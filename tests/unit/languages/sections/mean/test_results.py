"""What result words say."""

import pytest

from zermelo.core.machine import Verb
from zermelo.core.values import Atom
from zermelo.languages.sections.mean.results import ResultWord, names_players, read_word
from zermelo.text.source import NOWHERE


@pytest.mark.parametrize(
    ("text", "stem", "verb"),
    [
        ("Alpha Wins", "Alpha", Verb.WINS),
        ("A wins", "A", Verb.WINS),
        ("a wins", "a", Verb.WINS),
        ("player 2 won", "player 2", Verb.WINS),
        ("winner is Red", "Red", Verb.WINS),
        ("red_wins", "red", Verb.WINS),
        ("blueLoses", "blue", Verb.LOSES),
        ("X lost", "X", Verb.LOSES),
        ("draw", "", Verb.DRAWS),
        ("It is a tie", "", Verb.DRAWS),
        ("no winner", "", Verb.DRAWS),
        ("nobody wins", "", Verb.DRAWS),
        ("both win", "", Verb.DRAWS),
        ("even wins", "even", Verb.WINS),
        ("even", "", Verb.DRAWS),
        ("ex", "ex", Verb.SILENT),
        ("solved", "solved", Verb.SILENT),
        ("win", "", Verb.WINS),
        ("", "", Verb.SILENT),
    ],
)
def test_a_result_word_names_somebody_and_says_something(text: str, stem: str, verb: Verb) -> None:
    assert read_word(text) == (stem, verb)


@pytest.mark.parametrize(
    ("texts", "are_players"),
    [
        (("you win", "you lose"), False),
        (("you win", "I win"), True),
        (("you win", "nobody wins"), False),
        (("Ann wins", "draw"), True),
    ],
)
def test_who_wins_alone_is_a_solver_and_two_who_win_are_players(
    texts: tuple[str, ...], *, are_players: bool
) -> None:
    words = [
        ResultWord(Atom(text), text, *read_word(text), guards=(), span=NOWHERE) for text in texts
    ]

    assert names_players(words) is are_players
