"""Searching: every forced win within the depth, its distance, and no claim beyond that."""

import random
from collections.abc import Sequence

import pytest

from tests.support.expanders import compiled, heap, listed
from tests.support.models import words_of
from tests.support.project import TESTS
from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.core.limits import INTERRUPTED, Progress
from zermelo.core.state import State
from zermelo.engines.search.search import AlphaBetaSearch, SearchLimits
from zermelo.engines.solve.solve import solve
from zermelo.engines.solve.values import ValueKind
from zermelo.play.session import Session

UNBOUND = SearchLimits()

AGAIN = """
Applicable Sets
  H : {0..4}
  B : {true, false}
System Variables
  heap ∈ H
  first, over ∈ B
System Facts
  over ↔ (heap = 0)
System Initialization
  heap = 4
  first = true
System States and Behavior
Take(n ∈ {1, 2})
  n = 1 ∧ heap ≥ 1 → heap = heap − 1
  n = 2 ∧ heap ≥ 2 → heap = heap − 2 ∧ first = ¬first
GameOver(over)
  result ∈ {First wins, Second wins}
  over ∧ first → result = First wins
  over ∧ ¬first → result = Second wins
Reading
  players: First when first, Second when ¬first
"""
"""Who takes one moves again; whoever is in turn when the heap is empty wins."""

GOAL = """
Applicable Sets
  N : {1..10}
System Variables
  n ∈ N
  over ∈ {true, false}
System Facts
  over ↔ (n = 10)
System Initialization
  n = 1
System States and Behavior
Grow(how ∈ {1, 2})
  how = 1 ∧ n < 10 → n = n + 1
  how = 2 ∧ n ≤ 5 → n = 2·n
GameOver(over)
  result ∈ {Reached}
  over → result = Reached
Reading
  players: Solver when n ≥ 1
  result Reached: Solver wins
"""

CORNER = """
Applicable Sets
  H : {0..3}
  B : {true, false}
System Variables
  heap ∈ H
  first, over ∈ B
System Facts
  over ↔ (heap = 0)
System Initialization
  heap = 3
  first = true
System States and Behavior
Take(n ∈ {2})
  n ≤ heap → heap = heap − n ∧ first = ¬first
GameOver(over)
  result ∈ {First wins, Second wins}
  over ∧ first → result = Second wins
  over ∧ ¬first → result = First wins
Reading
  players: First when first, Second when ¬first
  stuck player: CHOICE
"""
"""Two can be taken once, and then the second player is stuck before the last one."""


def after(game: Game, *numbers: int) -> State:
    """The state after the moves with these *numbers* among the legal ones."""
    state = game.machine.initial
    for number in numbers:
        state = game.machine.after(state, game.machine.legal(state)[number])
    return state


def line(game: Game) -> tuple[str, list[str]]:
    """The value of the first state of *game*, and the moves of best play from there."""
    search = AlphaBetaSearch(listed(game))
    found = search.find(game.machine.initial, effort=UNBOUND)
    proof = found.proof
    moves = search.line(game.machine.initial, found)
    return f"{proof.kind.value} in {proof.plies}", [str(move) for move in moves]


def test_a_forced_win_is_found_with_its_distance_and_its_moves() -> None:
    assert line(heap(4)) == ("win in 3", ["Take(1)", "Take(1)", "Take(2)"])


def test_a_forced_loss_is_put_off_as_long_as_possible() -> None:
    assert line(heap(6)) == ("loss in 4", ["Take(1)", "Take(2)", "Take(1)", "Take(2)"])


def test_a_draw_is_proved_when_every_line_was_followed() -> None:
    game = loading.load("tic-tac-toe")
    session = Session(words_of(game))
    for text in ("2 2", "1 1", "1 2", "3 2"):
        session.make_text(text)

    found = AlphaBetaSearch(listed(game)).find(session.state, effort=UNBOUND)

    assert found.proof.kind is ValueKind.DRAW
    assert found.cut is None


def test_within_a_depth_nothing_is_said_of_what_lies_beyond() -> None:
    game = heap(7)

    found = AlphaBetaSearch(listed(game)).find(game.machine.initial, effort=SearchLimits(depth=4))

    assert (found.proof.kind, found.proof.depth) == (ValueKind.UNKNOWN, 4)
    assert found.cut == "stopped after 4 plies"
    assert found.move is not None


def test_a_deeper_search_before_does_not_blur_a_shallow_one() -> None:
    game = heap(7)
    search = AlphaBetaSearch(listed(game))
    search.find(game.machine.initial, effort=UNBOUND)

    found = search.find(game.machine.initial, effort=SearchLimits(depth=4))

    assert found.proof.kind is ValueKind.UNKNOWN


def test_a_search_out_of_states_says_so() -> None:
    game = heap(12)

    found = AlphaBetaSearch(listed(game)).find(game.machine.initial, effort=SearchLimits(nodes=32))

    assert found.proof.kind is ValueKind.UNKNOWN
    assert found.cut == "stopped after looking at 32 states"


def test_a_listener_can_stop_a_search() -> None:
    game = heap(12)

    def listen(progress: Progress) -> bool:
        return progress.depth == 3

    found = AlphaBetaSearch(listed(game)).find(
        game.machine.initial, effort=UNBOUND, listener=listen
    )

    assert (found.cut, found.proof.depth) == (INTERRUPTED, 2)


def test_every_move_has_its_value() -> None:
    game = heap(5)

    values = AlphaBetaSearch(listed(game)).values(game.machine.initial, effort=UNBOUND)

    # after taking one, 4 are left: the other side wins in 3; after two, 3 are left
    assert [(str(v.move), v.proof.kind, v.proof.plies) for v in values] == [
        ("Take(1)", ValueKind.LOSS, 4),
        ("Take(2)", ValueKind.WIN, 3),
    ]


def test_a_table_that_is_much_too_small_changes_no_value() -> None:
    game = heap(30)

    found = AlphaBetaSearch(listed(game), memory=1).find(game.machine.initial, effort=UNBOUND)

    # each pair of turns takes three
    assert (found.proof.kind, found.proof.plies) == (ValueKind.LOSS, 20)


def test_a_player_may_move_again() -> None:
    # nobody else is ever asked
    assert line(loading.load_text(AGAIN)) == ("win in 4", ["Take(1)"] * 4)


def test_one_player_gets_the_shortest_way_to_the_goal() -> None:
    # 1, 2, 4, 5, 10
    value, moves = line(loading.load_text(GOAL))

    assert value == "win in 4"
    assert moves in (
        ["Grow(1)", "Grow(2)", "Grow(1)", "Grow(2)"],
        ["Grow(2)", "Grow(2)", "Grow(1)", "Grow(2)"],
    )


@pytest.mark.parametrize(
    ("choice", "kind", "plies", "depends"),
    [
        ("loses", ValueKind.WIN, 1, False),
        ("draws", ValueKind.DRAW, None, False),
        ("reported", ValueKind.UNKNOWN, None, True),
    ],
)
def test_a_stuck_player_counts_as_the_reading_says(
    choice: str, kind: ValueKind, plies: int | None, *, depends: bool
) -> None:
    game = loading.load_text(CORNER.replace("CHOICE", choice))

    proof = AlphaBetaSearch(listed(game)).find(game.machine.initial, effort=UNBOUND).proof

    assert (proof.kind, proof.plies, proof.depends_on_stuck) == (kind, plies, depends)


def test_where_nobody_can_move_no_move_is_found() -> None:
    game = heap(1)

    found = AlphaBetaSearch(listed(game)).find(after(game, 0), effort=UNBOUND)

    assert found.move is None


def test_the_first_safe_move_does_not_lose() -> None:
    game = heap(5)
    legal = game.machine.legal(game.machine.initial)
    search = AlphaBetaSearch(listed(game))

    assert search.first_safe(game.machine.initial, legal, depth=3, effort=UNBOUND) == legal[0]
    # one ply more shows that taking one loses
    assert search.first_safe(game.machine.initial, legal, depth=4, effort=UNBOUND) == legal[1]


def test_more_than_two_players_are_one_against_all_others() -> None:
    game = loading.load(TESTS / "documents" / "three-players.md")

    assert searched(game) == solved(game)


def test_a_search_agrees_with_the_solution_of_tic_tac_toe() -> None:
    game = loading.load("tic-tac-toe")

    assert searched(game) == solved(game)


def test_a_kernel_run_as_python_gives_the_same_values() -> None:
    game = heap(8)

    found = AlphaBetaSearch(compiled(game, native=False)).find(game.machine.initial, effort=UNBOUND)

    # 7 are left after one, and 6 lose in 4: 8 is won by taking two
    assert (found.proof.kind, found.proof.plies, str(found.move)) == (ValueKind.WIN, 5, "Take(2)")


def sampled(game: Game) -> Sequence[State]:
    """The states of ten plays of *game* in which there is a move, moves drawn by lot."""
    lot = random.Random(1)
    found: dict[State, None] = {}
    for _ in range(10):
        state = game.machine.initial
        while legal := game.machine.legal(state):
            found[state] = None
            state = game.machine.after(state, lot.choice(legal))
    return list(found)


def searched(game: Game) -> list[tuple[ValueKind, int | None]]:
    search = AlphaBetaSearch(compiled(game))
    found = [search.find(state, effort=UNBOUND).proof for state in sampled(game)]
    return [(proof.kind, proof.plies) for proof in found]


def solved(game: Game) -> list[tuple[ValueKind, int | None]]:
    expander = compiled(game)
    solution = solve(expander, expander.pack(game.machine.initial))
    found = [solution.value(state) for state in sampled(game)]
    # A search does not tell how far away a draw is.
    return [(v.kind, None if v.kind is ValueKind.DRAW else v.plies) for v in found]
