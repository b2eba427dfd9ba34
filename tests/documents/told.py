"""Documents that tell results, ends and turns otherwise, as a student would program them.

They are written as in `by_hand.py`. A result is told by a status, by truth values, by a number or
by nothing at all; the end by a word; the turn by a pronoun, by names or by the rules alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import combinations, product
from typing import Final

from tests.documents.by_hand import Game

Numbers = frozenset[int]
Cell = tuple[int, int]
Cells = frozenset[Cell]
_NONE: Final[Numbers] = frozenset()


def _stepping_stones() -> Game:
    def moves(p: tuple[int, int, bool]) -> Iterable[tuple[int, int, bool]]:
        fox, hen, is_fox = p
        for d in (-1, 2) if is_fox else (-1, 1):
            if is_fox and 0 <= fox + d <= 6:
                yield fox + d, hen, False
            if not is_fox and 0 <= hen - d <= 6:
                yield fox, hen - d, True

    def result(p: tuple[int, int, bool]) -> str | None:
        fox, hen, _ = p
        if fox > hen or hen == 0:
            return "hen won"
        return "fox won" if fox == hen else None

    # Whose turn it would be is not seen any more when somebody has won.
    def merged(p: tuple[int, int, bool]) -> Iterable[Hashable]:
        for fox, hen, is_fox in moves(p):
            yield fox, hen, is_fox and result((fox, hen, is_fox)) is None

    return Game((0, 6, True), merged, result)


def _checked_heap() -> Game:
    def moves(p: tuple[int, bool]) -> Iterable[Hashable]:
        heap, is_ann = p
        return [(heap - k, not is_ann) for k in (1, 2, 3) if k <= heap]

    def result(p: tuple[int, bool]) -> str | None:
        return None if p[0] else "Bob" if p[1] else "Ann"

    return Game((9, True), moves, result)


def _countdown() -> Game:
    names = ("Ada", "Ben", "Cyd")

    def moves(p: tuple[int, int]) -> Iterable[Hashable]:
        return [(p[0] - k, (p[1] + 1) % 3) for k in (1, 2) if k <= p[0]]

    def result(p: tuple[int, int]) -> str | None:
        return None if p[0] else names[p[1] - 1]

    return Game((6, 0), moves, result)


def _lamps_in_a_row() -> Game:
    def moves(lit: Numbers) -> Iterable[Hashable]:
        return [lit ^ (frozenset({k - 1, k, k + 1}) & frozenset(range(1, 6))) for k in range(1, 6)]

    return Game(frozenset({1, 2, 4, 5}), moves, lambda lit: None if lit else "solved")


def _two_words() -> Game:
    def places(left: Numbers, right: Numbers) -> list[int]:
        return [c for c in range(1, 5) if not {c, c + 1} & (left | right)]

    def moves(p: tuple[Numbers, Numbers, bool]) -> Iterable[Hashable]:
        left, right, is_left = p
        for c in places(left, right):
            yield (left | {c, c + 1}, right, False) if is_left else (left, right | {c, c + 1}, True)

    def result(p: tuple[Numbers, Numbers, bool]) -> str | None:
        left, right, is_left = p
        if places(left, right):
            return None
        return "right player" if is_left else "left player"

    return Game((_NONE, _NONE, True), moves, result)


def _four_points() -> Game:
    edges = frozenset(combinations(range(1, 5), 2))
    triangles = [frozenset(combinations(corners, 2)) for corners in combinations(range(1, 5), 3)]

    def moves(p: tuple[Cells, Cells]) -> Iterable[Hashable]:
        amber, violet = p
        for e in edges - amber - violet:
            is_amber = len(amber) == len(violet)
            yield (amber | {e}, violet) if is_amber else (amber, violet | {e})

    def result(p: tuple[Cells, Cells]) -> str | None:
        amber, violet = p
        if any(t <= amber for t in triangles):
            return "Violet wins"
        if any(t <= violet for t in triangles):
            return "Amber wins"
        return "draw" if amber | violet == edges else None

    return Game((frozenset(), frozenset()), moves, result)


def _territory() -> Game:
    board = frozenset(product((1, 2, 3), (1, 2)))

    def next_to(cells: Cells, free: Cells) -> Cells:
        steps = ((1, 0), (-1, 0), (0, 1), (0, -1))
        return frozenset((a, b) for a, b in free if any((a + x, b + y) in cells for x, y in steps))

    def moves(p: tuple[Cells, Cells, int]) -> Iterable[Hashable]:
        x, o, turn = p
        free = board - x - o
        grown = next_to(o if turn else x, free)
        for cell in grown:
            yield (x, o | {cell}, 0) if turn else (x | {cell}, o, 1)
        if not grown:
            yield x, o, 1 - turn

    def result(p: tuple[Cells, Cells, int]) -> str | None:
        x, o, _ = p
        if len(x) + len(o) < 6:
            return None
        return "1" if len(x) > len(o) else "2" if len(x) < len(o) else "3"

    return Game((frozenset({(1, 1)}), frozenset({(3, 2)}), 0), moves, result)


def _two_at_a_time() -> Game:
    def moves(p: tuple[Numbers, Numbers, bool, int]) -> Iterable[Hashable]:
        a, c, is_a, left = p
        for z in frozenset(range(1, 8)) - a - c:
            turn = (not is_a, 0) if left else (is_a, 1)
            yield (a | {z}, c, *turn) if is_a else (a, c | {z}, *turn)

    def result(p: tuple[Numbers, Numbers, bool, int]) -> str | None:
        if len(p[0] | p[1]) < 7:
            return None
        return "A wins" if len(p[0] & {1, 4, 7}) >= 2 else "C wins"

    return Game((_NONE, _NONE, True, 1), moves, result)


def _one_knight() -> Game:
    def moves(p: tuple[Cells, Cell]) -> Iterable[Hashable]:
        used, (a, b) = p
        for c, d in product((1, 2, 3), (1, 2, 3, 4)):
            if (c, d) not in used and {abs(a - c), abs(b - d)} == {1, 2}:
                yield used | {(c, d)}, (c, d)

    # Whoever cannot move loses, and nothing is set then.
    def result(p: tuple[Cells, Cell]) -> str | None:
        return None if list(moves(p)) else ""

    return Game((frozenset({(1, 1)}), (1, 1)), moves, result)


def _poison() -> Game:
    names = ("Ada", "Bo", "Cy")

    def moves(p: tuple[Cells, int]) -> Iterable[Hashable]:
        bar, eater = p
        for i, j in bar:
            yield frozenset((x, y) for x, y in bar if x < i or y < j), (eater + 1) % 3

    def result(p: tuple[Cells, int]) -> str | None:
        return None if p[0] else names[p[1] - 1]

    return Game((frozenset(product((1, 2, 3), repeat=2)), 0), moves, result)


def _nine() -> Game:
    def moves(used: Numbers) -> Iterable[Hashable]:
        return [used | {n} for n in range(1, 9) if n not in used]

    def result(used: Numbers) -> str | None:
        is_made = any(9 - n in used for n in used)
        return ("A" if len(used) % 2 else "B") if is_made else None

    return Game(_NONE, moves, result)


def _piles() -> Game:
    def moves(p: tuple[int, int, int]) -> Iterable[Hashable]:
        a, b, player = p
        for n in (1, 2):
            if n <= a:
                yield a - n, b, 3 - player
            if n <= b:
                yield a, b - n, 3 - player

    # Whoever takes the last one has lost.
    def result(p: tuple[int, int, int]) -> str | None:
        return None if p[0] or p[1] else str(3 - p[2])

    return Game((4, 3, 1), moves, result)


def _we_and_they() -> Game:
    def moves(p: tuple[Numbers, Numbers, bool, int]) -> Iterable[Hashable]:
        ours, theirs, is_ours, passes = p
        for c in frozenset(range(1, 5)) - ours - theirs:
            yield (ours | {c}, theirs, False, 0) if is_ours else (ours, theirs | {c}, True, 0)
        # The second pass ends it, and leaves the turn where it is.
        yield (ours, theirs, is_ours, 2) if passes else (ours, theirs, not is_ours, 1)

    def result(p: tuple[Numbers, Numbers, bool, int]) -> str | None:
        ours, theirs, _, passes = p
        if passes < 2:
            return None
        more = len(ours) - len(theirs)
        return "we win" if more > 0 else "they win" if more < 0 else "tie"

    return Game((_NONE, _NONE, True, 0), moves, result)


def _odd_and_even() -> Game:
    def moves(p: tuple[Numbers, Numbers]) -> Iterable[Hashable]:
        odd, even = p
        for n in frozenset(range(1, 7)) - odd - even:
            yield (odd | {n}, even) if len(odd) == len(even) else (odd, even | {n})

    def result(p: tuple[Numbers, Numbers]) -> str | None:
        if len(p[0] | p[1]) < 6:
            return None
        return "Odd" if {1, 6} <= p[0] else "Even" if {1, 6} <= p[1] else "Draw"

    return Game((_NONE, _NONE), moves, result)


def _wolf_goat_cabbage() -> Game:
    everybody = frozenset({"farmer", "wolf", "goat", "cabbage"})

    def moves(near: frozenset[str]) -> Iterable[Hashable]:
        here = near if "farmer" in near else everybody - near
        return [near ^ {"farmer", x} for x in here]

    def result(near: frozenset[str]) -> str | None:
        alone = everybody - near if "farmer" in near else near
        if {"wolf", "goat"} <= alone or {"goat", "cabbage"} <= alone:
            return "eaten"
        return None if near else "done"

    return Game(everybody, moves, result)


def _crossroads() -> Game:
    after = {"green red": "amber red", "amber red": "red green"}
    after |= {"red green": "red amber", "red amber": "green red"}
    return Game("green red", lambda lights: [after[lights]], lambda _: None)


def _wolf_and_sheep() -> Game:
    def on_board(c: int, d: int) -> bool:
        return 1 <= c <= 4 and 1 <= d <= 4

    def moves(p: tuple[Cell, Cells, bool]) -> Iterable[Hashable]:
        wolf, sheep, is_wolf = p
        for a, b in (wolf,) if is_wolf else sheep:
            for c, d in product((a - 1, a + 1) if is_wolf else (a - 1,), (b - 1, b + 1)):
                if on_board(c, d) and (c, d) not in sheep and (c, d) != wolf:
                    moved = sheep - {(a, b)} | {(c, d)}
                    yield ((c, d), sheep, False) if is_wolf else (wolf, moved, True)

    def result(p: tuple[Cell, Cells, bool]) -> str | None:
        return "wolf escapes" if p[0][0] == 4 else None

    return Game(((1, 2), frozenset({(4, 1), (4, 3)}), True), moves, result)


def _bidders() -> Game:
    def moves(p: tuple[int, int, int, int]) -> Iterable[Hashable]:
        price, holder, turn, passes = p
        for bid in range(price + 1, 5):
            yield bid, turn, (turn + 1) % 3, 0
        yield price, holder, (turn + 1) % 3, passes + 1

    def result(p: tuple[int, int, int, int]) -> str | None:
        return "" if p[3] == 3 or p[0] == 4 else None

    return Game((0, -1, 0, 0), moves, result)


GAMES: Final = {
    "stepping-stones.md": _stepping_stones(),
    "checked-heap.md": _checked_heap(),
    "countdown.md": _countdown(),
    "lamps-in-a-row.md": _lamps_in_a_row(),
    "two-words.md": _two_words(),
    "four-points.md": _four_points(),
    "territory.md": _territory(),
    "two-at-a-time.md": _two_at_a_time(),
    "one-knight.md": _one_knight(),
    "poison.md": _poison(),
    "nine.md": _nine(),
    "piles.md": _piles(),
    "we-and-they.md": _we_and_they(),
    "odd-and-even.md": _odd_and_even(),
    "wolf-goat-cabbage.md": _wolf_goat_cabbage(),
    "crossroads.txt": _crossroads(),
    "wolf-and-sheep.md": _wolf_and_sheep(),
    "bidders.md": _bidders(),
}
