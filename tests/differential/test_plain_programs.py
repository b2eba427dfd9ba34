"""The library games and the same games written by hand agree, position by position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tests.differential.plain import men, quadrants, sums
from zermelo import api
from zermelo.core.machine import Machine, Move, State
from zermelo.core.values import Value, to_text

P = TypeVar("P")


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
    name = machine.system.moves[0].name
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
        api.load("four-quadrants").machine,
        quadrants.START,
        moves=lambda p: [(cell,) for cell in quadrants.moves(p)],
        after=lambda p, arguments: quadrants.after(p, arguments[0]),
        seen_in=_values("xposn", "oposn", "turn"),
        seen_by_hand=lambda p: [p.ex, p.oh, p.is_turn_of_ex],
        plies=2,
    )

    assert counts == [1, 36, 1260]


def test_a_play_in_four_quadrants_ends_as_the_program_by_hand_says() -> None:
    machine = api.load("four-quadrants").machine
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
        api.load("pawns").machine,
        board.start,
        moves=lambda p: [] if board.winner(p) else board.moves(p),
        after=board.after,
        seen_in=_values("Alpha", "Beta", "aTurn"),
        seen_by_hand=lambda p: [p.alpha, p.beta, p.is_turn_of_alpha],
        plies=4,
    )

    assert counts == [1, 9, 81, 432, 2298]


def test_numbers_and_sums_of_lines() -> None:
    counts = _agree(
        api.load("pegs").machine,
        sums.START,
        moves=lambda p: [] if sums.is_over(p) else sums.moves(p),
        after=sums.after,
        seen_in=_values("One", "Two", "Three", "Four", "Five", "Six", "turn"),
        seen_by_hand=lambda p: [*sums.lines(p), p.is_turn_of_first],
        plies=2,
    )

    assert counts == [1, 81, 2592]
