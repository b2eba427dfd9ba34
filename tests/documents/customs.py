"""Documents in the notation of other people, as a student would program them.

Like ``by_hand``, the programs know nothing of documents and share no code with the package.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import combinations, product
from typing import Any, Final

from tests.documents.by_hand import Game

Taken = tuple[frozenset[int], int, tuple[int, ...]]
"""The numbers left, whose turn it is, and the sums."""

Pieces = frozenset[Any]
_NONE: Final[Pieces] = frozenset()
_Two = tuple[Pieces, Pieces, bool]


def _placing(cells: Iterable[Hashable]) -> Callable[[_Two], Iterable[_Two]]:
    """Two players put pieces on free *cells* in turn."""
    board = frozenset(cells)

    def moves(p: _Two) -> Iterable[_Two]:
        first, second, is_first = p
        for cell in board - first - second:
            yield ((first | {cell}, second, False) if is_first else (first, second | {cell}, True))

    return moves


def _average() -> Game:
    """The average is kept where it can be computed, and once good it stays so."""

    def moves(p: tuple[_Two, bool]) -> Iterable[Hashable]:
        for after in _placing(range(1, 6))(p[0]):
            mia, leo, _ = after
            yield after, p[1] or (bool(leo) and len(mia) > len(leo))

    def result(p: tuple[_Two, bool]) -> str | None:
        (mia, leo, _), _good = p
        if len(mia | leo) < 5:
            return None
        return "Mia wins" if sum(mia) > sum(leo) else "Leo wins"

    return Game(((_NONE, _NONE, True), False), moves, result)


def _row_of_lamps() -> Game:
    def moves(p: tuple[Pieces, bool]) -> Iterable[Hashable]:
        for lamp in {1, 2, 3, 4, 5} - p[0]:
            yield p[0] | {lamp}, not p[1]

    def result(p: tuple[Pieces, bool]) -> str | None:
        if len(p[0]) < 5:
            return None
        return "Second wins" if p[1] else "First wins"

    return Game((_NONE, True), moves, result)


def _stones() -> Game:
    def moves(p: tuple[int, bool]) -> Iterable[Hashable]:
        for n in (1, 2):
            if n <= p[0]:
                yield p[0] - n, not p[1]

    def result(p: tuple[int, bool]) -> str | None:
        if p[0]:
            return None
        return "Player 2 wins" if p[1] else "Player 1 wins"

    return Game((7, True), moves, result)


def _diagonal() -> Game:
    cells = list(product((1, 2, 3), repeat=2))
    diagonal = {(1, 1), (2, 2), (3, 3)}

    def result(p: _Two) -> str | None:
        for pieces, name in ((p[0], "White"), (p[1], "Black")):
            if diagonal <= pieces:
                return name
        return "None" if len(p[0] | p[1]) == 9 else None

    return Game((_NONE, _NONE, True), _placing(cells), result)


def _elevator() -> Game:
    def moves(p: tuple[int, str, Pieces, bool]) -> Iterable[Hashable]:
        at, direction, calls, is_open = p
        for floor in {0, 1, 2, 3} - calls - {at}:
            yield at, direction, calls | {floor}, is_open
        if not is_open and any(floor > at for floor in calls):
            yield at + 1, "up", calls, is_open
        elif not is_open and any(floor < at for floor in calls):
            yield at - 1, "down", calls, is_open
        if at in calls:
            yield at, "idle", calls - {at}, True
        if is_open:
            yield at, direction, calls, False

    return Game((0, "idle", _NONE, False), moves, lambda _: None)


def _quarters() -> Game:
    cells = list(product((1, 2), (1, 2, 3)))
    left, right = {(1, 1), (2, 1)}, {(1, 3), (2, 3)}

    def result(p: _Two) -> str | None:
        if left <= p[0]:
            return "A wins"
        return "Z wins" if right <= p[1] else None

    return Game((_NONE, _NONE, True), _placing(cells), result)


def _jugs() -> Game:
    def moves(p: tuple[int, int]) -> Iterable[Hashable]:
        x, y = p
        down, up = min(x, 3 - y), min(y, 5 - x)
        all_ = {(5, y), (x, 3), (0, y), (x, 0), (x - down, y + down), (x + up, y - up)}
        return all_ - {p}

    return Game((0, 0), moves, lambda p: "solved" if p[0] == 4 else None)


def _traffic() -> Game:
    names = {"north", "south", "east", "west"}
    opposite = {("north", "south"), ("south", "north"), ("east", "west"), ("west", "east")}

    def moves(p: tuple[Pieces, Pieces]) -> Iterable[Hashable]:
        green, waiting = p
        for d in names - waiting:
            yield green, waiting | {d}
        for d in waiting:
            if all((d, e) in opposite for e in green):
                yield green | {d}, waiting - {d}
        for d in green:
            yield green - {d}, waiting

    return Game((_NONE, _NONE), moves, lambda _: None)


def _triangles() -> Game:
    edges = [frozenset(pair) for pair in combinations(range(1, 5), 2)]
    triangles = [
        {frozenset(pair) for pair in combinations(corners, 2)}
        for corners in combinations(range(1, 5), 3)
    ]

    def result(p: _Two) -> str | None:
        for pieces, name in ((p[0], "Blue wins"), (p[1], "Red wins")):
            if any(triangle <= pieces for triangle in triangles):
                return name
        return "Tie" if len(p[0] | p[1]) == 6 else None

    return Game((_NONE, _NONE, True), _placing(edges), result)


def _halves() -> Game:
    cells = list(product((1, 2, 3), repeat=2))

    def moves(p: _Two) -> Iterable[Hashable]:
        for after in _placing(cells)(p):
            ((a, b),) = (after[0] | after[1]) - (p[0] | p[1])
            if a <= b if p[2] else a >= b:
                yield after

    def result(p: _Two) -> str | None:
        return "RED WINS" if len(p[0] | p[1]) == 5 else None

    return Game((_NONE, _NONE, True), moves, result)


def _rows(results: tuple[str, str, str], *, has_columns: bool) -> Game:
    lines = [{(i, 1), (i, 2), (i, 3)} for i in (1, 2, 3)]
    if has_columns:
        lines += [{(1, i), (2, i), (3, i)} for i in (1, 2, 3)]

    def result(p: _Two) -> str | None:
        for pieces, name in zip(p[:2], results[:2], strict=True):
            if any(line <= pieces for line in lines):
                return name
        return results[2] if len(p[0] | p[1]) == 9 else None

    cells = product((1, 2, 3), repeat=2)
    return Game((_NONE, _NONE, True), _placing(list(cells)), result)


def _account() -> Game:
    def moves(p: tuple[int, bool]) -> Iterable[Hashable]:
        balance, is_locked = p
        for coin in (5, 10):
            if not is_locked and balance + coin <= 20:
                yield balance + coin, False
            if not is_locked and balance >= coin:
                yield balance - coin, False
        yield balance, not is_locked

    return Game((0, False), moves, lambda _: None)


def _columns() -> Game:
    """Pawns that only step ahead, four rows apart: columns block each other."""

    def moves(p: _Two) -> Iterable[Hashable]:
        up, down, is_up = p
        step = 1 if is_up else -1
        for row, column in up if is_up else down:
            ahead = (row + step, column)
            if ahead[0] in range(1, 5) and ahead not in up | down:
                moved = {(row, column)}
                yield (
                    (up - moved | {ahead}, down, False)
                    if is_up
                    else (up, down - moved | {ahead}, True)
                )

    def result(p: _Two) -> str | None:
        if any(row == 4 for row, _ in p[0]):
            return "Up wins"
        return "Down wins" if any(row == 1 for row, _ in p[1]) else None

    start = (frozenset({(1, 1), (1, 2)}), frozenset({(4, 2), (4, 3)}), True)
    return Game(start, moves, result)


def _sums() -> Game:
    cells = list(product((1, 2, 3), (1, 2)))

    def result(p: _Two) -> str | None:
        if len(p[0] | p[1]) < 6:
            return None
        left, right = (sum(x for x, _ in pieces) for pieces in p[:2])
        return "left" if left > right else "right" if left < right else "tie"

    return Game((_NONE, _NONE, True), _placing(cells), result)


def _switches() -> Game:
    def moves(on: Pieces) -> Iterable[Hashable]:
        return [on ^ {k} for k in (1, 2, 3)]

    return Game(_NONE, moves, lambda _: None)


def _cat() -> Game:
    ways = {"a1": "a2 b1", "a2": "a1 b2", "b1": "a1 b2", "b2": "a2 b1"}

    def moves(p: tuple[str, str, bool]) -> Iterable[Hashable]:
        cat, mouse, is_cat = p
        for to in ways[cat if is_cat else mouse].split():
            yield (to, mouse, False) if is_cat else (cat, to, True)

    return Game(("a1", "b2", True), moves, lambda p: "cat wins" if p[0] == p[1] else None)


def _corners() -> Game:
    cells = list(product((1, 2), (1, 2, 3)))
    corners = {(1, 1), (1, 3), (2, 1), (2, 3)}

    def result(p: _Two) -> str | None:
        if len(p[0] | p[1]) < 6:
            return None
        red, blue = (len(pieces & corners) for pieces in p[:2])
        return "red wins" if red > blue else "blue wins" if red < blue else ""

    return Game((_NONE, _NONE, True), _placing(cells), result)


def _ring() -> Game:
    edges = [{1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 1}]

    def moves(colours: tuple[Pieces, ...]) -> Iterable[Hashable]:
        used = frozenset().union(*colours)
        for at, colour in enumerate(colours):
            for v in {1, 2, 3, 4, 5} - used:
                if all({v, w} not in edges for w in colour):
                    yield (*colours[:at], colour | {v}, *colours[at + 1 :])

    return Game((_NONE,) * 3, moves, lambda _: None)


def _cards() -> Game:
    cards = frozenset(product("♠♥♦♣", (1, 2)))

    def moves(hand: Pieces) -> Iterable[Hashable]:
        return [hand | {card} for card in cards - hand]

    return Game(_NONE, moves, lambda hand: "bust" if sum(r for _, r in hand) > 4 else None)


def _vending() -> Game:
    def moves(p: tuple[str, int, int]) -> Iterable[Hashable]:
        state, credit, stock = p
        for coin in (5, 10):
            if state != "vend" and credit + coin <= 20:
                yield "paid", credit + coin, stock
        if state == "paid" and credit >= 15 and stock:
            yield "vend", credit - 15, stock - 1
        if state == "vend":
            yield "paid" if credit else "idle", credit, stock

    return Game(("idle", 0, 2), moves, lambda _: None)


def _evens() -> Game:
    numbers, even = frozenset(range(1, 7)), {2, 4, 6}

    def moves(p: _Two) -> Iterable[Hashable]:
        a, b, is_a = p
        for after in _placing(numbers)(p):
            (n,) = (after[0] | after[1]) - (a | b)
            if not is_a or n in even or even <= a | b:
                yield after

    def result(p: _Two) -> str | None:
        if p[0] | p[1] != numbers:
            return None
        return "a wins" if len(p[0] & even) >= 2 else "b wins"

    return Game((_NONE, _NONE, True), moves, result)


def _pairs() -> Game:
    pairs = frozenset(combinations(range(1, 5), 2))

    def moves(p: tuple[Pieces, int]) -> Iterable[Hashable]:
        return [(p[0] | {pair}, p[1] % 3 + 1) for pair in pairs - p[0]]

    return Game((_NONE, 1), moves, lambda p: str(p[1]) if p[0] == pairs else None)


def _same_row() -> Game:
    cells = list(product((1, 2, 3), repeat=2))

    def moves(p: _Two) -> Iterable[Hashable]:
        for after in _placing(cells)(p):
            (new,) = (after[0] | after[1]) - (p[0] | p[1])
            if p[2] or any(row == new[0] for row, _ in p[0]):
                yield after

    return Game((_NONE, _NONE, True), moves, lambda p: "A wins" if len(p[0] | p[1]) == 9 else None)


def _hops() -> Game:
    def moves(pegs: Pieces) -> Iterable[Hashable]:
        for x, z in product(range(1, 6), repeat=2):
            if abs(x - z) == 2 and {x, (x + z) // 2} <= pegs and z not in pegs:
                yield pegs - {x, (x + z) // 2} | {z}

    return Game(frozenset({1, 2, 4, 5}), moves, lambda _: None)


def _jars() -> Game:
    def moves(p: tuple[Pieces, int]) -> Iterable[Hashable]:
        full, active = p
        if active not in full:
            yield full | {active}, active
        yield full, active % 3 + 1

    return Game((_NONE, 1), moves, lambda _: None)


def _hill() -> Game:
    def moves(p: tuple[int, int, bool]) -> Iterable[Hashable]:
        a, b, is_a = p
        for d in (1, 2):
            if (a if is_a else b) + d <= 4:
                yield (a + d, b, False) if is_a else (a, b + d, True)

    def result(p: tuple[int, int, bool]) -> str | None:
        return "A" if p[0] == 4 else "B" if p[1] == 4 else None

    return Game((1, 1, True), moves, result)


def _collectors() -> Game:
    """Three take numbers in turn, and the highest sum wins."""

    def moves(position: Taken) -> Iterable[Taken]:
        rest, turn, sums = position
        for number in rest:
            after = tuple(s + number * (i == turn) for i, s in enumerate(sums))
            yield rest - {number}, (turn + 1) % 3, after

    def result(position: Taken) -> str | None:
        rest, _, sums = position
        best = max(sums)
        winner = str(sums.index(best) + 1) if sums.count(best) == 1 else "0"
        return None if rest else winner

    return Game((frozenset(range(1, 7)), 0, (0, 0, 0)), moves, result)


GAMES: Final[dict[str, Game]] = {
    "account.md": _account(),
    "average.md": _average(),
    "cards.md": _cards(),
    "cat.txt": _cat(),
    "collectors.md": _collectors(),
    "columns.md": _columns(),
    "corners.md": _corners(),
    "diagonal.md": _diagonal(),
    "elevator.md": _elevator(),
    "evens.md": _evens(),
    "halves.txt": _halves(),
    "hill.md": _hill(),
    "hops.txt": _hops(),
    "if-else.md": _rows(("X wins", "O wins", "draw"), has_columns=True),
    "jars.md": _jars(),
    "jugs.md": _jugs(),
    "pairs.md": _pairs(),
    "quarters.txt": _quarters(),
    "ring.md": _ring(),
    "row-of-lamps.md": _row_of_lamps(),
    "rows.md": _rows(("I win", "you win", "nobody"), has_columns=False),
    "same-row.md": _same_row(),
    "stones.txt": _stones(),
    "sums.tex": _sums(),
    "switches.md": _switches(),
    "traffic.md": _traffic(),
    "triangles.md": _triangles(),
    "vending.txt": _vending(),
}
