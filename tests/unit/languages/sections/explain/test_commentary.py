"""What decided a play that is over."""

from tests.support.boards import rows
from tests.support.models import played
from zermelo.text.prose import plain_text

WON = ("1 1", "2 1", "1 2", "2 2", "1 3")


def ending(*moves: str) -> list[str]:
    session = played(rows(), *moves)
    return plain_text(tuple(session.words.ending(session.turns, session.state))).splitlines()


def test_the_rule_that_decided_the_result_is_known() -> None:
    assert ending(*WON)[:2] == [
        "  Decided by rule 1 of GameOver:",
        "    ∃r ∈ N: {r} × N ⊆ Cross → result = Cross wins",
    ]


def test_before_the_end_nothing_has_decided() -> None:
    assert ending("1 1") == []


def test_the_part_of_the_fact_that_ends_the_play_is_named() -> None:
    assert ending(*WON)[2:] == ["  Over because ∃r ∈ N: {r} × N ⊆ Cross."]
