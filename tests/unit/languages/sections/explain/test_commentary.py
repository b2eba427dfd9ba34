"""What decided a play that is over."""

from tests.support.boards import rows
from tests.support.models import played
from zermelo.core.commentary import ending_lines, verdict_json
from zermelo.text.prose import plain_text

WON = ("1 1", "2 1", "1 2", "2 2", "1 3")


def ending(*moves: str) -> list[str]:
    session = played(rows(), *moves)
    verdict = session.words.verdict(session.turns, session.state)
    return plain_text(ending_lines(verdict, len(session.turns))).splitlines()


def test_the_rule_that_decided_the_result_is_known_with_its_witness() -> None:
    assert ending(*WON)[:3] == [
        "  Decided by rule 1 of GameOver:",
        "    ∃r ∈ N: {r} × N ⊆ Cross → result = Cross wins",
        "    ✓ ∃r ∈ N: {r} × N ⊆ Cross   r = 1, {r} × N = {(1, 1), (1, 2), (1, 3)}, "
        "Cross = {(1, 1), (1, 2), (1, 3)}",
    ]


def test_before_the_end_nothing_has_decided() -> None:
    assert ending("1 1") == []


def test_the_part_of_the_fact_that_ends_the_play_is_named() -> None:
    assert ending(*WON)[3:] == ["  Over because ∃r ∈ N: {r} × N ⊆ Cross."]


def test_what_decided_is_json_too() -> None:
    session = played(rows(), *WON)
    row = [[1, 1], [1, 2], [1, 3]]
    part = {
        "text": "∃r ∈ N: {r} × N ⊆ Cross",
        "holds": True,
        "evidence": [
            {
                "kind": "witness",
                "text": "∃r ∈ N: {r} × N ⊆ Cross",
                "names": {"r": 1},
                "evidence": [
                    {"kind": "value", "text": "{r} × N", "value": row},
                    {"kind": "set", "text": "Cross", "value": row},
                ],
            }
        ],
    }

    assert verdict_json(session.words.verdict(session.turns, session.state)) == {
        "decided_by": {
            "procedure": "GameOver",
            "rule": "1",
            "text": "∃r ∈ N: {r} × N ⊆ Cross → result = Cross wins",
            "after": 5,
            "guard": [part],
        },
        "over_because": [part],
    }
