"""Plays as evidence: the moves that lead from the initial state to what is claimed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zermelo.core.machine import Move

_MOST_SHOWN: Final = 8


def to_text(moves: Sequence[Move]) -> str:
    """*moves* in a sentence; of many only the first and the last.

    >>> to_text((Move("Take", (2,)), Move("Pass")))
    'Take(2), Pass()'
    >>> to_text(())
    'no move at all'
    >>> to_text([Move("Take", (n,)) for n in range(20)])
    'Take(0), Take(1), Take(2), Take(3), … 14 more …, Take(18), Take(19)'
    """
    shown = [str(move) for move in moves]
    if len(shown) > _MOST_SHOWN:
        first, last = shown[: _MOST_SHOWN - 4], shown[-2:]
        shown = [*first, f"… {len(shown) - len(first) - len(last)} more …", *last]
    return ", ".join(shown) or "no move at all"


def number_of(moves: Sequence[Move]) -> str:
    """The length of a play in words.

    >>> number_of(()), number_of((Move("Pass"),))
    ('no move', '1 move')
    """
    match len(moves):
        case 0:
            return "no move"
        case 1:
            return "1 move"
        case count:
            return f"{count:,} moves"
