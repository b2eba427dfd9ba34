"""Searching on a kernel finds the forced wins that a plain program finds, at the same distance."""

import pytest

from tests.differential.plain.forced import MATE, drawn, value
from tests.differential.plain.men import Board, Position
from tests.support.expanders import compiled
from tests.support.project import TESTS
from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.core.state import State
from zermelo.core.values import Value
from zermelo.engines.search.search import AlphaBetaSearch, SearchLimits
from zermelo.engines.solve.solve import solve
from zermelo.engines.solve.values import ValueKind

DEPTH = 12

# Plays by lot, named by their seeds, that lead to positions with a forced win in so many plies.
# They were chosen among the seeds up to 1043, four for each distance, as those that the plain
# program, which has no table, can confirm within a second.
FORCED = {
    3: (92, 99, 132, 144),
    5: (9, 10, 88, 122),
    7: (35, 71, 83, 98),
    9: (65, 107, 126, 141),
    11: (941, 942, 1016, 1043),
}
CASES = [(seed, plies) for plies, seeds in FORCED.items() for seed in seeds]


@pytest.fixture(scope="module")
def game() -> Game:
    return loading.load("pawns")


@pytest.fixture(scope="module")
def search(game: Game) -> AlphaBetaSearch:
    return AlphaBetaSearch(compiled(game))


def state(game: Game, p: Position) -> State:
    """The state of *game* that the position *p* is."""
    placed: dict[str, Value] = {
        "Alpha": frozenset[Value](p.alpha),
        "Beta": frozenset[Value](p.beta),
        "aTurn": p.is_turn_of_alpha,
    }
    first = game.machine.initial
    return State(tuple(placed.get(name, value) for name, value in first.items()), first.names)


@pytest.mark.parametrize(("seed", "plies"), CASES)
def test_a_forced_win_is_found(game: Game, search: AlphaBetaSearch, seed: int, plies: int) -> None:
    board = Board()
    p = drawn(board, seed)
    assert p is not None
    assert value(board, p, plies) == MATE - plies

    found = search.find(state(game, p), effort=SearchLimits(depth=DEPTH))

    assert (found.proof.kind, found.proof.plies) == (ValueKind.WIN, plies)


@pytest.mark.parametrize("seed", range(2000, 2060))
def test_nothing_else_is_claimed(game: Game, search: AlphaBetaSearch, seed: int) -> None:
    board = Board()
    p = drawn(board, seed)
    if p is None:
        return
    plain = value(board, p, 4)

    proof = search.find(state(game, p), effort=SearchLimits(depth=4)).proof

    if plain == 0:
        assert proof.kind in {ValueKind.UNKNOWN, ValueKind.DRAW}
    else:
        kind = ValueKind.WIN if plain > 0 else ValueKind.LOSS
        assert (proof.kind, proof.plies) == (kind, MATE - abs(plain))


def test_following_the_line_of_a_forced_win_wins(game: Game, search: AlphaBetaSearch) -> None:
    board = Board()
    p = drawn(board, 941)
    assert p is not None
    start = state(game, p)
    is_alpha = p.is_turn_of_alpha

    moves = search.line(start, search.find(start, effort=SearchLimits(depth=DEPTH)))

    for move in moves:
        first, second = move.arguments
        assert (first, second) in board.moves(p)
        p = board.after(p, (first, second))  # type: ignore[arg-type]  # the board knows cells only
    assert len(moves) == 11
    assert board.winner(p) == ("Alpha" if is_alpha else "Beta")


def test_on_a_small_board_every_forced_result_is_that_of_the_solution() -> None:
    game = loading.load(TESTS / "documents" / "pawns-5x3.md")
    expander = compiled(game)
    solution = solve(expander, expander.pack(game.machine.initial))
    search = AlphaBetaSearch(expander)
    board = Board(rows=5, columns=3)

    for seed in range(40):
        p = drawn_on(board, seed)
        here = state(game, p)
        proof = search.find(here, effort=SearchLimits(depth=30)).proof
        told = solution.value(here)
        scored = dict(told.scored).get("draws", told)
        # What becomes of stuck players is not said: to a search, it is nobody's win.
        expected = scored.kind if scored.kind in {ValueKind.WIN, ValueKind.LOSS} else None
        found = proof.kind if proof.kind in {ValueKind.WIN, ValueKind.LOSS} else None
        assert (found, proof.plies) == (expected, scored.plies if expected else None)


def drawn_on(board: Board, seed: int) -> Position:
    """A position of *board* some moves after the start, before the play is over."""
    p = board.start
    for number in range(seed % 8):
        moves = board.moves(p)
        after = board.after(p, moves[(seed * 7 + number * 3) % len(moves)]) if moves else p
        if not board.moves(after) or board.winner(after) is not None:
            break
        p = after
    return p
