"""The library games and the same games written by hand agree, position by position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

import pytest

from tests.differential.plain import discs, men, quadrants, runners, sums
from tests.support.project import ROOT, TESTS
from zermelo.api import loading, questions
from zermelo.core.machine import Machine
from zermelo.core.state import Move, State
from zermelo.core.values import Value, to_text

P = TypeVar("P")
DOCUMENTS = ROOT / "benchmarks" / "documents"


def _agree(
    machine: Machine,
    start: P,
    *,
    moves: Callable[[P], Sequence[tuple[Any, ...]]],
    after: Callable[[P, Any], P],
    seen_in: Callable[[State], object],
    seen_by_hand: Callable[[P], object],
    plies: int,
) -> list[int]:
    """Walk both in step for *plies* plies; the number of positions after each."""
    name = machine.signature.moves[0].name
    level = {machine.initial: start}
    counts = [1]
    for _ in range(plies):
        following: dict[State, P] = {}
        for state, position in level.items():
            by_hand = moves(position)
            assert {move.arguments for move in machine.legal(state)} == set(by_hand), str(state)
            for arguments in by_hand:
                following[machine.after(state, Move(name, arguments))] = after(position, arguments)
        level = following
        counts.append(len(level))
        assert all(seen_in(state) == seen_by_hand(position) for state, position in level.items())
    return counts


def _values(*names: str) -> Callable[[State], list[Value]]:
    return lambda state: [state[name] for name in names]


def test_lines_in_four_quadrants() -> None:
    counts = _agree(
        loading.load("four-quadrants").machine,
        quadrants.START,
        moves=lambda p: [(cell,) for cell in quadrants.moves(p)],
        after=lambda p, arguments: quadrants.after(p, arguments[0]),
        seen_in=_values("xposn", "oposn", "turn"),
        seen_by_hand=lambda p: [p.ex, p.oh, p.is_turn_of_ex],
        plies=2,
    )

    assert counts == [1, 36, 1260]


def test_a_play_in_four_quadrants_ends_as_the_program_by_hand_says() -> None:
    machine = loading.load("four-quadrants").machine
    state, position = machine.initial, quadrants.START
    # X takes its lines early and O late; then the board is filled up.
    cells = [(1, 1), (6, 6), (2, 2), (6, 4), (3, 3), (6, 2), (1, 4), (6, 1), (2, 4), (5, 2)]
    cells += [(3, 4), (5, 1), (4, 1), (1, 2), (4, 2), (1, 6), (4, 3), (2, 6), (4, 5), (2, 1)]
    cells += [(5, 5), (3, 2), (6, 5)]
    cells += [cell for cell in quadrants.CELLS if cell not in cells]

    for cell in cells:
        state = machine.after(state, Move("NextPlayerMove", (cell,)))
        position = quadrants.after(position, cell)
        assert to_text(state["result"]).strip("{}∅") == ", ".join(sorted(position.result))

    assert position.result == {"ex"}
    assert str(machine.outcome(state)) == "ex wins"


def test_pieces_that_step_forward() -> None:
    board = men.Board()

    counts = _agree(
        loading.load("pawns").machine,
        board.start,
        moves=lambda p: [] if board.winner(p) else board.moves(p),
        after=board.after,
        seen_in=_values("Alpha", "Beta", "aTurn"),
        seen_by_hand=lambda p: [p.alpha, p.beta, p.is_turn_of_alpha],
        plies=4,
    )

    assert counts == [1, 9, 81, 432, 2298]


@pytest.mark.slow
def test_pieces_that_step_forward_on_a_small_board_to_the_end() -> None:
    board = men.Board(rows=5, columns=3)
    level, seen, by_depth = [board.start], {board.start}, []
    moves = stuck = 0
    endings: Counter[str] = Counter()
    while level:
        by_depth.append(len(level))
        following: list[men.Position] = []
        for position in level:
            if winner := board.winner(position):
                endings[f"{winner} wins"] += 1
                continue
            steps = board.moves(position)
            moves += len(steps)
            stuck += not steps
            after = {board.after(position, step) for step in steps} - seen
            seen |= after
            following += after
        level = following

    space = questions.explore(loading.load(TESTS / "documents" / "pawns-5x3.md"))

    assert (space.states, len(seen)) == (61796, 61796)
    assert list(space.by_depth) == by_depth
    assert space.moves == moves == 211056
    assert space.stuck is not None
    assert space.stuck.count == stuck == 863
    assert {str(each.outcome): each.count for each in space.endings} == endings


def test_numbers_and_sums_of_lines() -> None:
    counts = _agree(
        loading.load("pegs").machine,
        sums.START,
        moves=lambda p: [] if sums.is_over(p) else sums.moves(p),
        after=sums.after,
        seen_in=_values("One", "Two", "Three", "Four", "Five", "Six", "turn"),
        seen_by_hand=lambda p: [*sums.lines(p), p.is_turn_of_first],
        plies=2,
    )

    assert counts == [1, 81, 2592]


@pytest.mark.parametrize(("size", "expected"), [(6, [1, 16, 256]), (8, [1, 22, 484])])
def test_pieces_that_run_for_the_far_row(size: int, expected: list[int]) -> None:
    board = runners.Board(size)

    counts = _agree(
        loading.load(DOCUMENTS / f"breakthrough-{size}x{size}.md").machine,
        board.start,
        moves=board.moves,
        after=board.after,
        seen_in=_values("White", "Black", "turn"),
        seen_by_hand=lambda p: [p.white, p.black, p.is_turn_of_white],
        plies=2,
    )

    assert counts == expected


def test_random_plays_of_pieces_that_run_agree_to_the_end() -> None:
    board = runners.Board(6)
    machine = loading.load(DOCUMENTS / "breakthrough-6x6.md").machine
    chance = Random(1)
    for _ in range(3):
        state, position = machine.initial, board.start
        while moves := sorted(board.moves(position)):
            assert {move.arguments for move in machine.legal(state)} == set(moves)
            move = chance.choice(moves)
            state = machine.after(state, Move("Step", move))
            position = board.after(position, move)
            assert state["White"] == position.white
            assert state["Black"] == position.black
        assert str(machine.outcome(state)) == f"{board.winner(position)} wins"


def test_random_plays_of_discs_that_fall_agree_to_the_end() -> None:
    machine = loading.load(DOCUMENTS / "connect-four-4x5.md").machine
    chance = Random(1)
    for _ in range(10):
        state, position = machine.initial, discs.START
        while moves := discs.moves(position):
            assert {move.arguments for move in machine.legal(state)} == set(moves)
            move = chance.choice(moves)
            state = machine.after(state, Move("Drop", move))
            position = discs.after(position, move)
        won = [name for name in ("Red", "Yellow") if discs.has_four(position.cells(name[0]))]
        assert machine.legal(state) == ()
        assert str(machine.outcome(state)) == (f"{won[0]} wins" if won else "draw")


def test_discs_that_fall() -> None:
    counts = _agree(
        loading.load(DOCUMENTS / "connect-four-4x5.md").machine,
        discs.START,
        moves=discs.moves,
        after=discs.after,
        seen_in=_values("Red", "Yellow", "turn"),
        seen_by_hand=lambda p: [p.cells("R"), p.cells("Y"), p.is_turn_of_red],
        plies=5,
    )

    assert counts == [1, 5, 25, 95, 345, 1070]
