"""More of the documents of this folder as a student would program them: small assignments.

They are written as in `by_hand.py`, and say whose turn it is in other ways: by the sizes of
sets, by whether a number is even, by two truth values, by 0 and 1, by letters, by words.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import product
from typing import Final

from tests.documents.by_hand import Cells, Game

Numbers = frozenset[int]
_Points = tuple[frozenset[str], frozenset[str], bool, bool]
_Rook = tuple[tuple[int, int], Cells, bool, int]
_Slide = tuple[Numbers, Numbers, bool, bool]
_Pass = tuple[Numbers, Numbers, bool, int]
_NONE: Final[Numbers] = frozenset()
_NINE: Final = tuple(product((1, 2, 3), repeat=2))


def _squares() -> Game:
    corners = tuple(product((1, 2), repeat=2))
    squares = [frozenset({(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)}) for r, c in corners]

    def moves(p: tuple[Cells, Cells]) -> Iterable[Hashable]:
        rhea, sam = p
        for cell in _NINE:
            if cell not in rhea | sam:
                yield (rhea | {cell}, sam) if len(rhea) == len(sam) else (rhea, sam | {cell})

    def result(p: tuple[Cells, Cells]) -> str | None:
        for cells, name in zip(p, ("Rhea", "Sam"), strict=True):
            if any(square <= cells for square in squares):
                return f"{name} wins"
        return "nobody wins" if len(p[0] | p[1]) == 9 else None

    return Game((frozenset(), frozenset()), moves, result)


def _snails() -> Game:
    def moves(p: tuple[int, int, int]) -> Iterable[Hashable]:
        sid, tia, made = p
        for step in (1, 2):
            if made % 2 == 0 and sid + step <= 6:
                yield sid + step, tia, made + 1
            if made % 2 == 1 and tia + step <= 6:
                yield sid, tia + step, made + 1

    def result(p: tuple[int, int, int]) -> str | None:
        return "Sid" if p[0] == 6 else "Tia" if p[1] == 6 else None

    return Game((0, 0, 0), moves, result)


def _five_points() -> Game:
    lines = {frozenset(pair) for pair in ("ac", "ad", "bd", "bc", "cd", "ce", "de")}

    def moves(p: _Points) -> Iterable[Hashable]:
        black, white, is_black, _ = p
        for x, y in product(black if is_black else white, "abcde"):
            if frozenset({x, y}) in lines and y not in black | white:
                if is_black:
                    yield black - {x} | {y}, white, False, True
                else:
                    yield black, white - {x} | {y}, True, True

    def result(p: _Points) -> str | None:
        if list(moves(p)):
            return None
        return "Black loses" if p[2] else "White loses"

    # The document sets the result after every move, so the first position comes again with one.
    return Game((frozenset("ab"), frozenset("de"), True, False), moves, result)


def _bowling() -> Game:
    def moves(p: tuple[Numbers, bool]) -> Iterable[Hashable]:
        pins, is_anna = p
        for pin in pins:
            yield pins - {pin}, not is_anna
            if pin + 1 in pins:
                yield pins - {pin, pin + 1}, not is_anna

    def result(p: tuple[Numbers, bool]) -> str | None:
        return None if p[0] else "Bert wins" if p[1] else "Anna wins"

    return Game((frozenset({1, 2, 3, 4, 5}), True), moves, result)


def _tipping() -> Game:
    def moves(p: tuple[int, int, int]) -> Iterable[Hashable]:
        up, total, player = p
        for face in range(1, 7):
            if face not in {up, 7 - up}:
                yield face, total + face, 3 - player

    def result(p: tuple[int, int, int]) -> str | None:
        return f"Player {p[2]} wins" if p[1] > 12 else None

    return Game((3, 0, 1), moves, result)


def _more(mine: Numbers, yours: Numbers, names: tuple[str, str, str]) -> str:
    """Who has more; the last of *names* is for neither."""
    more = len(mine) - len(yours)
    return names[0] if more > 0 else names[1] if more < 0 else names[2]


def _toss() -> Game:
    names = ("heads wins", "tails wins", "drawn")

    def moves(p: tuple[Numbers, Numbers, str]) -> Iterable[Hashable]:
        heads, tails, coin = p
        if coin == "none":
            yield heads, tails, "heads"
            yield heads, tails, "tails"
            return
        for n in {1, 2, 3, 4} - heads - tails:
            yield (heads | {n}, tails, "none") if coin == "heads" else (heads, tails | {n}, "none")

    def result(p: tuple[Numbers, Numbers, str]) -> str | None:
        return _more(p[0], p[1], names) if len(p[0] | p[1]) == 4 else None

    return Game((_NONE, _NONE, "none"), moves, result)


def _biscuit() -> Game:
    def moves(p: tuple[Cells, bool]) -> Iterable[Hashable]:
        bar, is_maya = p
        for a, b in bar:
            yield frozenset(c for c in bar if c[0] < a or c[1] < b), not is_maya

    def result(p: tuple[Cells, bool]) -> str | None:
        return None if (1, 1) in p[0] else "Noel" if p[1] else "Maya"

    return Game((frozenset(product((1, 2), (1, 2, 3))), True), moves, result)


def _rook() -> Game:
    def moves(p: _Rook) -> Iterable[Hashable]:
        rook, pawns, is_white, captured = p
        if is_white:
            for to in _NINE:
                if to != rook and (to[0] == rook[0] or to[1] == rook[1]):
                    yield to, pawns - {to}, False, captured + (to in pawns)
            return
        for row, column in pawns:
            ahead = (row + 1, column)
            if ahead != rook and ahead not in pawns:
                yield rook, pawns - {(row, column)} | {ahead}, True, captured

    def result(p: _Rook) -> str | None:
        if p[3] == 2:
            return "white wins"
        return "black wins" if any(row == 3 for row, _ in p[1]) else None

    return Game(((3, 2), frozenset({(1, 1), (1, 3)}), True, 0), moves, result)


def _drop_and_slide() -> Game:
    def moves(p: _Slide) -> Iterable[Hashable]:
        a, z, is_sliding, is_a = p
        mine = a if is_a else z
        free = {1, 2, 3, 4, 5} - a - z
        new = [mine | {v} for v in free]
        if is_sliding:
            new = [mine - {v} | {w} for v in mine for w in free if abs(v - w) in {1, 4}]
        for pieces in new:
            both = (pieces, z) if is_a else (a, pieces)
            yield *both, len(both[0] | both[1]) == 4, not is_a

    def result(p: _Slide) -> str | None:
        return "A wins" if {1, 3} <= p[0] else "Z wins" if {1, 3} <= p[1] else None

    return Game((_NONE, _NONE, False, True), moves, result)


def _passes() -> Game:
    names = ("first player", "second player", "even")

    def moves(p: _Pass) -> Iterable[_Pass]:
        ada, bix, is_ada, passes = p
        for n in {1, 2, 3, 4} - ada - bix:
            yield (ada | {n}, bix, False, 0) if is_ada else (ada, bix | {n}, True, 0)
        yield ada, bix, not is_ada, passes + 1

    # The document judges after every move, so the result belongs to the position.
    def with_result(p: tuple[_Pass, str | None]) -> Iterable[Hashable]:
        for after in moves(p[0]):
            yield after, _more(after[0], after[1], names)

    def result(p: tuple[_Pass, str | None]) -> str | None:
        return p[1] if p[0][3] == 2 or len(p[0][0] | p[0][1]) == 4 else None

    return Game(((_NONE, _NONE, True, 0), None), with_result, result)


GAMES: Final[dict[str, Game]] = {
    "biscuit.md": _biscuit(),
    "bowling.md": _bowling(),
    "drop-and-slide.md": _drop_and_slide(),
    "five-points.md": _five_points(),
    "passes.md": _passes(),
    "rook.md": _rook(),
    "snails.md": _snails(),
    "squares.md": _squares(),
    "tipping.txt": _tipping(),
    "toss.md": _toss(),
}
