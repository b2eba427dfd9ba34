"""What the library's documents decide is what playing takes when they do not."""

import re

import pytest

from zermelo.api import loading, questions
from zermelo.api.game import Game
from zermelo.core.limits import Limits

# The order of the rules and the flags: what playing settles. The rest is a matter of opinion.
TRIED = ("order", "flag ok", "flag next")


def without_readings(name: str) -> Game:
    """The game called *name* as it was written, before anybody decided anything."""
    text = loading.find(name).path.read_text("utf-8")
    return loading.load_text(re.split(r"(?m)^#*\s*Reading\s*$", text)[0], name=f"{name}.md")


def choices(game: Game) -> dict[str, str]:
    """What is chosen of what playing settles."""
    return {each.name: each.choice for each in game.readings if each.name in TRIED}


@pytest.mark.parametrize("name", [game.name for game in loading.games()])
def test_playing_takes_what_the_document_decides(name: str) -> None:
    played = without_readings(name)

    assert choices(played) == choices(loading.load(name))
    assert all(each.decided_by == "play" for each in played.readings if each.name in TRIED)


def test_rules_that_undo_their_own_guard_are_not_playable_in_order() -> None:
    rows = {
        row.choices["order"]: row
        for row in questions.readings_table(without_readings("four-quadrants"))
        if "order" in row.choices
    }

    assert [(order, row.playable, row.taken) for order, row in rows.items()] == [
        ("in order", False, False),
        ("facts frozen", True, True),
        ("at once", True, False),
    ]
    assert rows["in order"].why[0] == (
        "`turn` never changes, and nobody ever moves when `¬turn`: only rule 1 of NextPlayerMove "
        "and rule 1 of EndGame fire; play: NextPlayerMove((1, 1))"
    )
    difference = rows["in order"].difference
    assert difference is not None
    assert [str(move) for move in difference.play] == ["NextPlayerMove((1, 1))"]
    assert difference.other == "moves = 0, turn = true"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "difference"),
    [
        # the piece does not move
        ("pawns", ["NextPlayerMove((6, 2), (5, 1))"]),
        # the peg is placed, and not recorded
        ("pegs", ["NextPlayerMove(1, (1, 1))"]),
    ],
)
def test_the_table_shows_what_rules_with_flags_do_at_once(name: str, difference: list[str]) -> None:
    rows = {
        (row.choices["order"], row.choices["flag ok"]): row
        for row in questions.readings_table(without_readings(name))
        if "order" in row.choices
    }

    assert [key for key, row in rows.items() if row.taken] == [("in order", "fresh")]
    assert not rows["at once", "fresh"].playable
    parted = rows["at once", "kept"].difference
    assert parted is not None
    assert [str(move) for move in parted.play] == difference


def test_a_flag_that_stays_set_is_found_with_what_it_makes_possible() -> None:
    report = questions.check(without_readings("pawns"), limits=Limits(states=100))

    (said,) = [each for each in report.diagnostics if each.code.id == "Z612"]
    assert said.notes == (
        "play: NextPlayerMove((7, 1), (6, 2))",
        "if `ok` were kept, NextPlayerMove((7, 1), (1, 1)) would then be possible, "
        "which it is not without that input",
    )


def test_a_player_who_is_stuck_without_a_result_is_found() -> None:
    report = questions.check(without_readings("pawns"), limits=Limits(states=100))

    assert report.checkup is not None
    stuck = report.checkup.stuck
    assert stuck is not None
    assert report.game.machine.legal(stuck.state) == ()
    assert "Z611" in {each.code.id for each in report.diagnostics}
