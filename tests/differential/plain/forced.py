"""Forced wins in the 7×5 game of pieces, by the plainest alpha-beta there is."""

from __future__ import annotations

import random
from typing import Final

from tests.differential.plain.men import Board, Position

MATE: Final = 1000
"""A win at once; one in k plies is worth k less."""


def value(board: Board, p: Position, depth: int) -> int:
    """For who moves in *p*: ``MATE - k`` for a win in k plies, ``k - MATE`` for a loss, else 0.

    No more than *depth* plies are looked at. A player without a move neither wins nor loses.
    """
    return _value(board, p, depth, -2 * MATE, 2 * MATE)


def _value(board: Board, p: Position, depth: int, low: int, high: int) -> int:
    winner = board.winner(p)
    if winner is not None:
        return MATE if (winner == "Alpha") == p.is_turn_of_alpha else -MATE
    moves = board.moves(p) if depth else []
    if not moves:
        return 0
    best = -2 * MATE
    for move in moves:
        after = board.after(p, move)
        worth = _farther(-_value(board, after, depth - 1, -_nearer(high), -_nearer(low)))
        best = max(best, worth)
        low = max(low, worth)
        if low >= high:
            break
    return best


def _farther(value: int) -> int:
    """What a position is worth one ply earlier: forced results are one ply farther away."""
    return value - 1 if value > 0 else value + 1 if value < 0 else 0


def _nearer(value: int) -> int:
    return value + 1 if value > 0 else value - 1 if value < 0 else 0


def drawn(board: Board, seed: int) -> Position | None:
    """A position after 16 to 45 moves drawn by lot; ``None`` if the play ended before."""
    lot = random.Random(seed)
    p = board.start
    for _ in range(lot.randrange(16, 46)):
        moves = board.moves(p)
        if not moves or board.winner(p) is not None:
            break
        p = board.after(p, lot.choice(moves))
    return p if board.moves(p) and board.winner(p) is None else None
