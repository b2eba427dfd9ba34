"""The documents of this folder whose variables are functions, as a student would program them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Final

from tests.documents.by_hand import Game


def _towers() -> Game:
    """A position has the peg of each disc, the smallest first."""

    def moves(on: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for disc, peg in enumerate(on):
            above = on[:disc]
            for other in range(3):
                if other != peg and peg not in above and other not in above:
                    yield (*above, other, *on[disc + 1 :])

    return Game((0, 0, 0), moves, lambda on: "solved" if set(on) == {2} else None)


def _heaps() -> Game:
    """A position has the heaps, and whether the first player is in turn."""

    def moves(position: tuple[tuple[int, ...], bool]) -> Iterator[tuple[tuple[int, ...], bool]]:
        heaps, is_first = position
        for at, heap in enumerate(heaps):
            for left in range(heap):
                yield (*heaps[:at], left, *heaps[at + 1 :]), not is_first

    def result(position: tuple[tuple[int, ...], bool]) -> str | None:
        heaps, is_first = position
        return None if any(heaps) else "Second wins" if is_first else "First wins"

    return Game(((1, 2, 3), True), moves, result)


def _chairs() -> Game:
    """A position has the chairs of three people."""

    def moves(seats: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for who, seat in enumerate(seats):
            for chair in {1, 2, 3, 4} - set(seats):
                if abs(chair - seat) <= 2:
                    yield (*seats[:who], chair, *seats[who + 1 :])
        for one, other in permutations(range(3), 2):
            if (seats[one], seats[other]) == (4, 1):
                after = list(seats)
                after[one], after[other] = 1, 4
                yield tuple(after)

    def result(seats: tuple[int, ...]) -> str | None:
        ann, bob, cat = seats
        return "solved" if cat < bob < ann else None

    return Game((1, 2, 3), moves, result)


GAMES: Final[dict[str, Game]] = {
    "towers.txt": _towers(),
    "heaps.md": _heaps(),
    "chairs.tex": _chairs(),
}
