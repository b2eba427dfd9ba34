"""Documents as people write them who have never seen one here, programmed as a student would.

Like ``by_hand``, the programs know nothing of documents and share no code with the package.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import combinations
from typing import Any, Final

from tests.documents.by_hand import Game

_NONE: Final[frozenset[Any]] = frozenset()


def _chase() -> Game:
    """A cat and a mouse on a ring of four, the mouse first; after four steps it got away."""

    def moves(p: tuple[int, int, bool, int]) -> Iterable[Hashable]:
        cat, mouse, is_cat, steps = p
        for step in (1, 3):
            if is_cat:
                yield (cat + step) % 4, mouse, False, steps + 1
            elif (mouse + step) % 4 != cat:
                yield cat, (mouse + step) % 4, True, steps + 1

    def result(p: tuple[int, int, bool, int]) -> str | None:
        if p[0] == p[1]:
            return "cat wins"
        return "mouse wins" if p[3] == 4 else None

    return Game((0, 2, False, 0), moves, result)


def _matches() -> Game:
    def moves(p: tuple[int, bool]) -> Iterable[Hashable]:
        return [(p[0] - taken, not p[1]) for taken in (1, 2, 3) if taken <= p[0]]

    def result(p: tuple[int, bool]) -> str | None:
        if p[0]:
            return None
        return "bob wins" if p[1] else "ann wins"

    return Game((7, True), moves, result)


def _up_and_down() -> Game:
    """Up to three, a turn, down to nought, a turn."""

    def moves(p: tuple[int, bool]) -> Iterable[Hashable]:
        x, is_up = p
        if is_up:
            return [(x + 1, True) if x < 3 else (x, False)]
        return [(x - 1, False) if x > 0 else (x, True)]

    return Game((0, True), moves, lambda _: None)


def _two_a_turn() -> Game:
    """Two of six numbers in each turn; whoever has 1 and 2 wins."""

    def moves(p: tuple[frozenset[int], frozenset[int], bool]) -> Iterable[Hashable]:
        ours, theirs, is_first = p
        for pair in combinations(set(range(1, 7)) - ours - theirs, 2):
            taken = frozenset(pair)
            yield (ours | taken, theirs, False) if is_first else (ours, theirs | taken, True)

    def result(p: tuple[frozenset[int], frozenset[int], bool]) -> str | None:
        if len(p[0] | p[1]) < 6:
            return None
        if {1, 2} <= p[0]:
            return "A wins"
        return "B wins" if {1, 2} <= p[1] else "draw"

    return Game((_NONE, _NONE, True), moves, result)


def _cover() -> Game:
    """Edges of a triangle are drawn until every corner has one."""
    edges = [(1, 2), (2, 3), (1, 3)]

    def moves(drawn: frozenset[tuple[int, int]]) -> Iterable[Hashable]:
        return [drawn | {edge} for edge in edges if edge not in drawn]

    def result(drawn: frozenset[tuple[int, int]]) -> str | None:
        return "covered" if {corner for edge in drawn for corner in edge} == {1, 2, 3} else None

    return Game(_NONE, moves, result)


def _inclusion() -> Game:
    lines = [{1, 2}, {3, 4}, {1, 4}]

    def moves(p: tuple[frozenset[int], frozenset[int], bool]) -> Iterable[Hashable]:
        for cell in {1, 2, 3, 4} - p[0] - p[1]:
            yield (p[0] | {cell}, p[1], False) if p[2] else (p[0], p[1] | {cell}, True)

    def result(p: tuple[frozenset[int], frozenset[int], bool]) -> str | None:
        for name, pieces in (("B wins", p[1]), ("A wins", p[0])):
            if any(line <= pieces for line in lines):
                return name
        return "draw" if len(p[0] | p[1]) == 4 else None

    return Game((_NONE, _NONE, True), moves, result)


def _table() -> Game:
    def moves(p: tuple[int, int]) -> Iterable[Hashable]:
        for step in (-1, 1):
            if 0 <= p[0] + step <= 5 and 0 <= p[1] - step <= 5:
                yield p[0] + step, p[1] - step

    return Game((5, 0), moves, lambda p: "done" if p[0] == 2 else None)


def _last_one_loses() -> Game:
    """Whoever finds nothing left has won, and the document has no words for it."""
    matches = _matches()
    return Game((7, True), matches.moves, lambda p: None if p[0] else "")


def _firefighters() -> Game:
    """Red quenches on the left, Blue on the right; six turns are all they have."""

    def moves(p: tuple[frozenset[int], bool, int]) -> Iterable[Hashable]:
        fire, is_red, turns = p
        yield fire, not is_red, turns + 1
        for spot in fire & ({1, 2} if is_red else {2, 3, 4}):
            yield fire - {spot}, not is_red, turns + 1

    def result(p: tuple[frozenset[int], bool, int]) -> str | None:
        if p[0]:
            return "defeat" if p[2] == 6 else None
        return "victory"

    return Game((frozenset({1, 2, 3}), True, 0), moves, result)


def _crossing_lights() -> Game:
    """One street at a time has green, and amber before it has red."""

    def moves(p: tuple[str, str, bool]) -> Iterable[Hashable]:
        lights, waiting = p[:2], p[2]
        if not waiting:
            yield *lights, True
        after = {
            ("green", "red"): ("amber", "red", True),
            ("amber", "red"): ("red", "green", False),
            ("red", "green"): ("red", "amber", True),
            ("red", "amber"): ("green", "red", False),
        }
        if waiting:
            yield after[lights]

    return Game(("green", "red", False), moves, lambda _: None)


def _back_to_one() -> Game:
    """Two players take one or two of six in turn."""

    def moves(p: tuple[int, int]) -> Iterable[Hashable]:
        return [(p[0] - taken, 3 - p[1]) for taken in (1, 2) if taken <= p[0]]

    def result(p: tuple[int, int]) -> str | None:
        return None if p[0] else f"Player {3 - p[1]} wins"

    return Game((6, 1), moves, result)


def _toads() -> Game:
    """Two toads and two frogs on five cells; whoever cannot move loses."""

    def moves(p: tuple[str, bool]) -> Iterable[Hashable]:
        cells, is_toad = p
        own, other, way = ("T", "F", 1) if is_toad else ("F", "T", -1)
        for at, piece in enumerate(cells):
            for length in (1, 2):
                to = at + way * length
                is_free = piece == own and 0 <= to < 5 and cells[to] == "."
                if is_free and (length == 1 or cells[at + way] == other):
                    after = list(cells)
                    after[at], after[to] = ".", own
                    yield "".join(after), not is_toad

    return Game(("TT.FF", True), moves, lambda p: None if list(moves(p)) else "")


def _washing() -> Game:
    """Two minutes of washing, two of rinsing, one of spinning; the door opens when it is idle."""
    order = ["wash 0", "wash 1", "rinse 0", "rinse 1", "spin 0", "closed"]

    def moves(at: str) -> Iterable[Hashable]:
        if at == "open":
            return ["closed"]
        return ["open", "wash 0"] if at == "closed" else [order[order.index(at) + 1]]

    return Game("closed", moves, lambda _: None)


def _tricks() -> Game:
    """A leads each time, and the higher of two cards takes the trick."""

    def moves(p: tuple[frozenset[int], frozenset[int], int, int, int]) -> Iterable[Hashable]:
        ours, theirs, table, won, lost = p
        if not table:
            for card in ours:
                yield ours - {card}, theirs, card, won, lost
            return
        for card in theirs:
            is_higher = card > table
            yield ours, theirs - {card}, 0, won + (not is_higher), lost + is_higher

    def result(p: tuple[frozenset[int], frozenset[int], int, int, int]) -> str | None:
        if p[0] or p[1]:
            return None
        return "draw" if p[3] == p[4] else "A wins" if p[3] > p[4] else "B wins"

    return Game((frozenset({7, 10}), frozenset({8, 9}), 0, 0, 0), moves, result)


def _cake() -> Game:
    """Five slices; two passes in a row end it, and whoever ate more wins."""

    def moves(p: tuple[int, int, int, bool]) -> Iterable[Hashable]:
        alice, bob, passed, is_alice = p
        yield alice, bob, passed + 1, not is_alice
        yield alice + is_alice, bob + (not is_alice), 0, not is_alice

    def result(p: tuple[int, int, int, bool]) -> str | None:
        if p[2] < 2 and p[0] + p[1] < 5:
            return None
        return "tie" if p[0] == p[1] else "alice wins" if p[0] > p[1] else "bob wins"

    return Game((0, 0, 0, True), moves, result)


def _river() -> Game:
    """North looks for one stone in each of three rows, each next to the one before."""
    cells = {(i, j) for i in (1, 2, 3) for j in (1, 2, 3)}

    def moves(p: tuple[frozenset[Any], frozenset[Any], bool]) -> Iterable[Hashable]:
        for cell in cells - p[0] - p[1]:
            yield (p[0] | {cell}, p[1], False) if p[2] else (p[0], p[1] | {cell}, True)

    def result(p: tuple[frozenset[Any], frozenset[Any], bool]) -> str | None:
        rows = [{j for i, j in p[0] if i == row} for row in (1, 2, 3)]
        for middle in rows[1]:
            if all(any(abs(middle - j) <= 1 for j in row) for row in (rows[0], rows[2])):
                return "north wins"
        return "south wins" if len(p[0] | p[1]) == 9 else None

    return Game((_NONE, _NONE, True), moves, result)


def _dodge() -> Game:
    """One red and one blue piece; red leaves at the bottom, blue at the left."""

    def moves(p: tuple[Any, Any, bool]) -> Iterable[Hashable]:
        red, blue, is_red = p
        (i, j), steps = (
            (red, [(1, 0), (0, 1), (0, -1)]) if is_red else (blue, [(0, -1), (1, 0), (-1, 0)])
        )
        if (i == 3) if is_red else (j == 1):
            yield (None, blue, False) if is_red else (red, None, True)
        for di, dj in steps:
            to = (i + di, j + dj)
            if 1 <= to[0] <= 3 and 1 <= to[1] <= 3 and to not in (red, blue):
                yield (to, blue, False) if is_red else (red, to, True)

    def result(p: tuple[Any, Any, bool]) -> str | None:
        if p[0] is None:
            return "red wins"
        return "blue wins" if p[1] is None else None

    return Game(((1, 1), (3, 3), True), moves, result)


def _spelling() -> Game:
    """Two say the letters of a word in turn, the first never the last one; six turns are enough.

    The end is called after every move, so a failure is noted before play is over.
    """

    def moves(p: tuple[frozenset[str], int]) -> Iterable[Hashable]:
        said, turns = p
        yield said, turns + 1
        for letter in {"c", "a"} | ({"t"} if turns % 2 else set()):
            if letter not in said:
                yield said | {letter}, turns + 1

    def result(p: tuple[frozenset[str], int]) -> str | None:
        if len(p[0]) == 3:
            return "success"
        return "failure" if p[1] == 6 else None

    return Game((_NONE, 0), moves, result)


def _nine_holes() -> Game:
    lines = [{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 4, 7}, {2, 5, 8}, {3, 6, 9}]

    def moves(p: tuple[frozenset[int], frozenset[int], bool]) -> Iterable[Hashable]:
        for hole in set(range(1, 10)) - p[0] - p[1]:
            yield (p[0] | {hole}, p[1], False) if p[2] else (p[0], p[1] | {hole}, True)

    def result(p: tuple[frozenset[int], frozenset[int], bool]) -> str | None:
        for name, pieces in (("white wins", p[0]), ("black wins", p[1])):
            if any(line <= pieces for line in lines):
                return name
        return "draw" if len(p[0]) == len(p[1]) == 3 else None

    return Game((_NONE, _NONE, True), moves, result)


def _bank() -> Game:
    """Each of three waits, is at the counter alone, or was served."""

    def moves(p: tuple[str, str, str]) -> Iterable[Hashable]:
        for at, place in enumerate(p):
            if place == "counter":
                yield (*p[:at], "served", *p[at + 1 :])
            elif place == "waits" and "counter" not in p:
                yield (*p[:at], "counter", *p[at + 1 :])

    return Game(("waits", "waits", "waits"), moves, lambda _: None)


def _rabbit() -> Game:
    """A rabbit hops one field either way, the fox runs one or two after it."""

    def moves(p: tuple[int, int, bool]) -> Iterable[Hashable]:
        rabbit, fox, is_rabbit = p
        for step in (-1, 1) if is_rabbit else (1, 2):
            if is_rabbit and 1 <= rabbit + step <= 7 and rabbit + step != fox:
                yield rabbit + step, fox, False
            if not is_rabbit and fox + step <= 7:
                yield rabbit, fox + step, True

    return Game((5, 1, True), moves, lambda p: "fox wins" if p[1] >= p[0] else None)


def _race() -> Game:
    """Two count up to four, by one or two."""

    def moves(p: tuple[int, int, bool]) -> Iterable[Hashable]:
        x, y, is_first = p
        for step in (1, 2):
            if (x if is_first else y) + step <= 4:
                yield (x + step, y, False) if is_first else (x, y + step, True)

    def result(p: tuple[int, int, bool]) -> str | None:
        return "P wins" if p[0] == 4 else "Q wins" if p[1] == 4 else None

    return Game((0, 0, True), moves, result)


def _six_pegs() -> Game:
    jumps = [(1, 2, 4), (4, 2, 1), (1, 3, 6), (6, 3, 1), (4, 5, 6), (6, 5, 4)]

    def moves(pegs: frozenset[int]) -> list[frozenset[int]]:
        fits = [(a, b, c) for a, b, c in jumps if a in pegs and b in pegs and c not in pegs]
        return [pegs - {a, b} | {c} for a, b, c in fits]

    def result(pegs: frozenset[int]) -> str | None:
        if moves(pegs):
            return None
        return "genius" if len(pegs) == 1 else "try again"

    return Game(frozenset({2, 3, 4, 5, 6}), moves, result)


GAMES: Final[dict[str, Game]] = {
    "chase.md": _chase(),
    "matches.txt": _matches(),
    "up-and-down.md": _up_and_down(),
    "two-a-turn.md": _two_a_turn(),
    "cover.md": _cover(),
    "inclusion.txt": _inclusion(),
    "table.md": _table(),
    "rabbit.md": _rabbit(),
    "race-scanned.txt": _race(),
    "six-pegs.md": _six_pegs(),
    "spelling.md": _spelling(),
    "nine-holes.md": _nine_holes(),
    "bank.txt": _bank(),
    "toads.txt": _toads(),
    "washing.md": _washing(),
    "tricks.md": _tricks(),
    "cake.md": _cake(),
    "river.md": _river(),
    "dodge.txt": _dodge(),
    "last-one-loses.md": _last_one_loses(),
    "firefighters.md": _firefighters(),
    "crossing-lights.md": _crossing_lights(),
    "back-to-one.md": _back_to_one(),
}
