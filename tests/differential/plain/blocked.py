"""Two ways to end a game of marks on nine cells, and where they differ, by hand.

A board is a tuple of nine numbers: 0 blank, 1 and 2 the marks. Nothing of the program is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

Board: TypeAlias = tuple[int, ...]
Judge: TypeAlias = Callable[[Board], str | None]

SEVEN = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8))
EIGHT = (*SEVEN, (2, 4, 6))


def _winner(board: Board, lines: tuple[tuple[int, ...], ...]) -> str | None:
    for mark, name in ((1, "x wins"), (2, "o wins")):
        if any(all(board[at] == mark for at in line) for line in lines):
            return name
    return None


def until_full(board: Board) -> str | None:
    """Eight lines, and a draw when no cell is blank."""
    return _winner(board, EIGHT) or ("draw" if all(board) else None)


def until_blocked(lines: tuple[tuple[int, ...], ...]) -> Judge:
    """A draw as soon as each line has both marks."""

    def judge(board: Board) -> str | None:
        is_drawn = all({1, 2} <= {board[at] for at in line} for line in lines)
        return _winner(board, lines) or ("draw" if is_drawn else None)

    return judge


def compared(first: Judge, second: Judge) -> tuple[int, dict[tuple[str | None, str | None], int]]:
    """How many boards both reach by one play, and how many of them each pair of verdicts has."""
    start: Board = (0,) * 9
    seen, waiting = {start}, [start]
    differing: Counter[tuple[str | None, str | None]] = Counter()
    for board in waiting:
        verdicts = first(board), second(board)
        if verdicts[0] != verdicts[1]:
            differing[verdicts] += 1
        if any(verdicts):
            continue
        mark = 1 if board.count(0) % 2 else 2
        for at in range(9):
            after = (*board[:at], mark, *board[at + 1 :])
            if not board[at] and after not in seen:
                seen.add(after)
                waiting.append(after)
    return len(seen), dict(differing)
