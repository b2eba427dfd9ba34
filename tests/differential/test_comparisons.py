"""One game in three languages, compared, differs as a program written by hand says."""

from __future__ import annotations

import pytest

from tests.differential.plain import blocked
from tests.support.project import ROOT
from zermelo.api import comparing, loading
from zermelo.engines.compare.comparison import Comparison, Parting

NET = ROOT / "games" / "tic-tac-toe-net"
PLAYERS = NET / "players.reading"
CELLS = [(row, column) for row in (1, 2, 3) for column in (1, 2, 3)]
CLICKS = {
    "moves": {f"click({50 + 100 * c}, {750 - 100 * r})": f"Mark(({r}, {c}))" for r, c in CELLS}
}
TRANSITIONS = {"moves": {f"m{r}{c}": f"Mark(({r}, {c}))" for r, c in CELLS}, "hide": ["rest"]}
GOES_ON = "the play goes on"


def _differing(found: Comparison) -> dict[tuple[str, str], int]:
    return {(each.first.lower(), each.second.lower()): each.positions for each in found.contrasts}


def _said(by_hand: dict[tuple[str | None, str | None], int]) -> dict[tuple[str, str], int]:
    return {(a or GOES_ON, b or GOES_ON): count for (a, b), count in by_hand.items()}


@pytest.mark.slow
def test_an_led_program_beside_a_net_shows_what_early_draws_and_the_missing_diagonal_change() -> (
    None
):
    led = loading.load("tic-tac-toe-led")
    net = loading.load("tic-tac-toe-net", reading_file=PLAYERS)

    found = comparing.compare(led, net, mapping=NET / "beside-led.toml")

    positions, differing = blocked.compared(
        blocked.until_full, blocked.until_blocked(blocked.SEVEN)
    )
    assert (positions, sum(differing.values())) == (5478, 197)
    assert differing == {
        # O or X has the diagonal that the net does not know: it goes on, or sees a draw.
        ("x wins", None): 69,
        ("o wins", None): 32,
        ("x wins", "draw"): 14,
        ("o wins", "draw"): 18,
        # Every line is blocked, and cells are blank.
        (None, "draw"): 64,
    }
    assert found.positions == positions
    assert _differing(found) == _said(differing)
    assert found.shortest is not None
    assert (found.shortest.first, found.shortest.second) == ("x wins", GOES_ON)
    assert len(found.shortest.play) == 5
    assert [move.name for move in found.shortest.other_play] == ["m31", "m21", "m22", "m11", "m13"]


@pytest.mark.slow
def test_an_led_program_is_the_same_game_as_the_document() -> None:
    led, document = loading.load("tic-tac-toe-led"), loading.load("tic-tac-toe")

    found = comparing.compare(led, document, mapping={"first": CLICKS})

    assert found.is_equal
    assert found.positions == 5478
    assert found.by_depth == (1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78)


@pytest.mark.slow
def test_a_net_with_both_diagonals_differs_from_the_document_in_early_draws_only() -> None:
    document = loading.load("tic-tac-toe")
    net = loading.load(NET / "tic-tac-toe-diagonal.net", reading_file=PLAYERS)

    found = comparing.compare(document, net, mapping={"second": TRANSITIONS})

    positions, differing = blocked.compared(
        blocked.until_full, blocked.until_blocked(blocked.EIGHT)
    )
    assert differing == {(None, "draw"): 40}
    assert (found.positions, _differing(found)) == (positions, _said(differing))


@pytest.mark.slow
def test_a_net_is_the_same_game_as_its_rules_written_as_sets() -> None:
    net = loading.load("tic-tac-toe-net", reading_file=PLAYERS)
    rules = loading.load(NET / "rules-as-written.md")

    found = comparing.compare(net, rules, mapping={"first": TRANSITIONS})

    assert found.is_equal
    assert found.positions == 5549


def test_two_versions_of_rules_differ_as_by_hand() -> None:
    written = loading.load(NET / "rules-as-written.md")
    mended = loading.load(NET / "rules-with-diagonal.md")

    found = comparing.compare(written, mended)

    positions, differing = blocked.compared(
        blocked.until_blocked(blocked.SEVEN), blocked.until_blocked(blocked.EIGHT)
    )
    assert (found.positions, _differing(found)) == (positions, _said(differing))
    assert found.changes == ("the set `L` has got `{(1, 3), (2, 2), (3, 1)}`",)
    assert all(each.parting is Parting.OUTCOME for each in found.contrasts)


def test_a_net_without_players_is_compared_by_its_moves_and_it_is_said() -> None:
    net = loading.load("tic-tac-toe-net")
    rules = loading.load(NET / "rules-as-written.md")

    found = comparing.compare(net, rules, mapping={"first": TRANSITIONS})

    assert found.is_equal is None
    assert found.unsaid == "tic-tac-toe-net does not say who plays, so only moves were compared"
    alone = comparing.compare(net, rules, mapping={"first": TRANSITIONS}, moves_only=True)
    assert alone.is_equal
    assert alone.positions == 5549
