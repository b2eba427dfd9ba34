"""Some of the documents of this folder as a student would program them.

The programs know nothing of documents and share no code with the package: a
position is a tuple, `moves` gives what can follow, and `result` the words of a
play that is over. `count` is what the figures of `expected.toml` were made with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

Cell = tuple[int, int]
Cells = frozenset[Cell]


@dataclass(frozen=True)
class Game:
    """A first position, what can follow a position, and how a play ended, if it did."""

    start: Hashable
    moves: Callable[[Any], Iterable[Hashable]]
    result: Callable[[Any], str | None]


@dataclass(frozen=True)
class Counts:
    """What is known of a game when every position has been seen."""

    by_depth: list[int]
    endings: dict[str, int]
    stuck: int


def count(game: Game) -> Counts:
    """Every position that can be reached, by the number of moves it takes."""
    seen = {game.start}
    level = [game.start]
    by_depth = []
    endings: Counter[str] = Counter()
    stuck = 0
    while level:
        by_depth.append(len(level))
        following = []
        for position in level:
            result = game.result(position)
            if result is not None:
                endings[result] += 1
                continue
            after = set(game.moves(position))
            stuck += not after
            following += [p for p in after if p not in seen]
            seen |= after
        level = list(dict.fromkeys(following))
    return Counts(by_depth, dict(endings), stuck)


def _both_ways(edges: str) -> set[tuple[int, int]]:
    pairs = [tuple(map(int, edge.split("-"))) for edge in edges.split()]
    return {(a, b) for a, b in pairs} | {(b, a) for a, b in pairs}


def _hounds() -> Game:
    lines = _both_ways(
        "1-2 1-3 1-4 2-3 3-4 2-5 3-6 4-7 2-6 4-6 5-6 6-7 5-8 6-9 7-10 6-8 6-10 8-9 9-10 8-11 "
        "9-11 10-11"
    )
    column = {v: (v + 1) // 3 for v in range(1, 12)}

    def free(hounds: frozenset[int], hare: int) -> list[int]:
        return [v for v in column if v not in hounds and v != hare]

    def moves(p: tuple[frozenset[int], int, bool]) -> Iterable[Hashable]:
        hounds, hare, is_hounds_turn = p
        for v in free(hounds, hare):
            if not is_hounds_turn and (hare, v) in lines:
                yield hounds, v, True
            for h in hounds if is_hounds_turn else ():
                if (h, v) in lines and column[h] <= column[v]:
                    yield hounds - {h} | {v}, hare, False

    def result(p: tuple[frozenset[int], int, bool]) -> str | None:
        hounds, hare, _ = p
        if all(column[hare] <= column[h] for h in hounds):
            return "Hare wins"
        return None if any((hare, v) in lines for v in free(hounds, hare)) else "Hounds win"

    return Game((frozenset({1, 2, 4}), 11, True), moves, result)


def _morris() -> Game:
    board = set(product((1, 2, 3), repeat=2))
    rows = [{(i, j) for j in (1, 2, 3)} for i in (1, 2, 3)]
    rows += [{(j, i) for j in (1, 2, 3)} for i in (1, 2, 3)]

    def moves(p: tuple[Cells, Cells, int]) -> Iterable[Hashable]:
        own, other, placed = p  # own is the player in turn
        for q in board - own - other:
            if placed < 6:
                yield other, own | {q}, placed + 1
                continue
            for a, b in own:
                if abs(a - q[0]) + abs(b - q[1]) == 1:
                    # Six men are placed for ever; a 7 is the turn of black.
                    yield other, own - {(a, b)} | {q}, 13 - placed

    def result(p: tuple[Cells, Cells, int]) -> str | None:
        _, last, placed = p
        if not any(row <= last for row in rows):
            return None
        return "black has won" if placed in {2, 4, 6} else "white has won"

    return Game((frozenset(), frozenset(), 0), moves, result)


def _dominoes() -> Game:
    board = set(product((1, 2, 3, 4), (1, 2, 3)))

    def moves(p: tuple[Cells, Cells, bool]) -> Iterable[Hashable]:
        upright, flat, is_upright = p
        free = board - upright - flat
        for r, c in free:
            end = (r + 1, c) if is_upright else (r, c + 1)
            if end in free and is_upright:
                yield upright | {(r, c), end}, flat, False
            elif end in free:
                yield upright, flat | {(r, c), end}, True

    def result(p: tuple[Cells, Cells, bool]) -> str | None:
        if list(moves(p)):
            return None
        return "Hugo wins" if p[2] else "Vera wins"

    return Game((frozenset(), frozenset(), True), moves, result)


def _missionaries() -> Game:
    def moves(p: tuple[int, int, bool]) -> Iterable[Hashable]:
        m, c, is_left = p
        sign = -1 if is_left else 1
        for i, j in ((0, 1), (0, 2), (1, 0), (1, 1), (2, 0)):
            if 0 <= m + sign * i <= 3 and 0 <= c + sign * j <= 3:
                yield m + sign * i, c + sign * j, not is_left

    def result(p: tuple[int, int, bool]) -> str | None:
        m, c, _ = p
        if 0 < m < c or 0 < 3 - m < 3 - c:
            return "a missionary is eaten"
        return "everybody is across" if m + c == 0 else None

    return Game((3, 3, True), moves, result)


def _auction() -> Game:
    def following(seat: int, left: frozenset[int]) -> int:
        seat = seat % 3 + 1
        return seat if seat in left or not left else seat % 3 + 1

    def moves(p: tuple[frozenset[int], int, int, int]) -> Iterable[Hashable]:
        left, seat, holder, bid = p
        for n in range(bid + 1, 5):
            yield left, following(seat, left), seat, n
        yield left - {seat}, following(seat, left - {seat}), holder, bid

    def result(p: tuple[frozenset[int], int, int, int]) -> str | None:
        left, _, holder, _ = p
        if left and not (len(left) == 1 and holder):
            return None
        return f"student {holder} wins" if holder else "nobody wins"

    return Game((frozenset({1, 2, 3}), 1, 0, 0), moves, result)


def _fox() -> Game:
    board = {(x, y) for x, y in product((1, 2, 3, 4), repeat=2) if (x + y) % 2 == 0}

    def near(cell: Cell, steps: tuple[int, ...]) -> list[Cell]:
        x, y = cell
        return [(x + s, y + t) for s in steps for t in (-1, 1) if (x + s, y + t) in board]

    def moves(p: tuple[Cell, Cells, bool]) -> Iterable[Hashable]:
        fox, geese, is_fox = p
        if is_fox:
            yield from ((q, geese, False) for q in near(fox, (-1, 1)) if q not in geese)
            return
        for goose in geese:
            for q in near(goose, (-1,)):
                if q not in geese and q != fox:
                    yield fox, geese - {goose} | {q}, True

    def result(p: tuple[Cell, Cells, bool]) -> str | None:
        fox, _, is_fox = p
        if is_fox and not list(moves(p)):
            return "Geese win"
        return "Fox wins" if fox[0] == 4 else None

    return Game(((1, 1), frozenset({(4, 2), (4, 4)}), True), moves, result)


def _market() -> Game:
    Goods = tuple[int, int, int]  # noqa: N806 -- logs, stones, huts

    def moves(p: tuple[Goods, Goods, tuple[int, int], int]) -> Iterable[Hashable]:
        (log, stone, hut), other, (logs, stones), turn = p  # the player in turn first
        if logs:
            yield other, (log + 1, stone, hut), (logs - 1, stones), 3 - turn
        if stones:
            yield other, (log, stone + 1, hut), (logs, stones - 1), 3 - turn
        if log >= 2 and stone:
            yield other, (log - 2, stone - 1, hut + 1), (logs, stones), 3 - turn
        if log >= 2 and stones:
            yield other, (log - 2, stone + 1, hut), (logs + 2, stones - 1), 3 - turn

    def result(p: tuple[Goods, Goods, tuple[int, int], int]) -> str | None:
        return f"builder {3 - p[3]}" if p[1][2] == 2 else None

    return Game(((0, 0, 0), (0, 0, 0), (8, 4), 1), moves, result)


def _pursuit() -> Game:
    streets = _both_ways("1-2 2-3 3-4 4-1 3-5 5-6 6-7 7-8 8-5 6-8")

    def moves(p: tuple[int, int, bool, int]) -> Iterable[Hashable]:
        cop, robber, is_cop, rounds = p
        for u, v in streets:
            if is_cop and u == cop:
                yield v, robber, False, rounds
            if not is_cop and u == robber:
                yield cop, v, True, rounds + 1

    def result(p: tuple[int, int, bool, int]) -> str | None:
        if p[0] == p[1]:
            return "the cop wins"
        return "the robber wins" if p[3] == 5 else None

    return Game((1, 7, True, 0), moves, result)


def _star() -> Game:
    def moves(p: tuple[frozenset[int], frozenset[int], bool]) -> Iterable[Hashable]:
        own, other, is_black = p  # own is the player in turn
        (hole,) = set(range(9)) - own - other
        for s in own:
            beside = {s % 8 + 1, (s - 2) % 8 + 1}
            if s == 0 or hole in beside or (hole == 0 and beside & other):
                yield other, own - {s} | {hole}, not is_black

    def result(p: tuple[frozenset[int], frozenset[int], bool]) -> str | None:
        if list(moves(p)):
            return None
        return "White wins" if p[2] else "Black wins"

    return Game((frozenset({1, 2, 3, 4}), frozenset({5, 6, 7, 8}), True), moves, result)


def _coins() -> Game:
    values = (5, 3, 7, 10, 1, 2)

    def moves(p: tuple[tuple[int, ...], int, int]) -> Iterable[Hashable]:
        row, own, other = p  # own is the money of the player in turn
        yield row[1:], other, own + values[row[0]]
        yield row[:-1], other, own + values[row[-1]]

    def result(p: tuple[tuple[int, ...], int, int]) -> str | None:
        row, ben, zoe = p  # after six coins it would be Ben's turn again
        if row:
            return None
        return "Ben wins" if ben > zoe else "Zoe wins" if ben < zoe else "tie"

    return Game((tuple(range(6)), 0, 0), moves, result)


def _hex() -> Game:
    board = set(product((1, 2), (1, 2, 3)))

    def reached(cells: Cells, first: set[Cell]) -> set[Cell]:
        found: set[Cell] = set()
        ahead = list(first & cells)
        while ahead:
            r, c = ahead.pop()
            found.add((r, c))
            beside = {
                (r, c + 1),
                (r + 1, c),
                (r, c - 1),
                (r - 1, c),
                (r + 1, c - 1),
                (r - 1, c + 1),
            }
            ahead += (beside & cells) - found
        return found

    def moves(p: tuple[Cells, Cells, bool]) -> Iterable[Hashable]:
        red, blue, is_red = p
        for q in board - red - blue:
            yield (red | {q}, blue, False) if is_red else (red, blue | {q}, True)

    def result(p: tuple[Cells, Cells, bool]) -> str | None:
        red, blue, _ = p
        if reached(red, {(1, 1), (2, 1)}) & {(1, 3), (2, 3)}:
            return "Red has won"
        below = {(2, 1), (2, 2), (2, 3)}
        return "Blue has won" if reached(blue, board - below) & below else None

    return Game((frozenset(), frozenset(), True), moves, result)


def _kayles() -> Game:
    def moves(p: tuple[frozenset[int], int]) -> Iterable[Hashable]:
        up, balls = p
        for pin in up:
            yield up - {pin}, balls + 1
            if pin + 1 in up:
                yield up - {pin, pin + 1}, balls + 1

    def result(p: tuple[frozenset[int], int]) -> str | None:
        if p[0]:
            return None
        return "Alice wins" if p[1] % 2 == 1 else "Bob wins"

    return Game((frozenset(range(1, 8)), 0), moves, result)


def _exchange() -> Game:
    def moves(p: tuple[int, int, int, frozenset[int]]) -> Iterable[Hashable]:
        first, second, third, marked = p
        yield second, first, third, marked
        yield second, third, first, marked
        for number in {1, 2, 3} - marked:
            yield first, second, third, marked | {number}

    def result(p: tuple[int, int, int, frozenset[int]]) -> str | None:
        return "sorted" if p[:3] == (1, 2, 3) and len(p[3]) == 3 else None

    return Game((3, 2, 1, frozenset()), moves, result)


def _seasons() -> Game:
    def moves(p: tuple[int, bool]) -> Iterable[Hashable]:
        season, is_lit = p
        yield season + 1, is_lit
        yield season, not is_lit

    return Game((0, False), moves, lambda p: "done" if p[0] == 8 else None)


def _tour() -> Game:
    near = _both_ways("1-2 2-3 4-5 5-6 1-4 2-5 3-6")

    def moves(p: tuple[int, frozenset[int]]) -> Iterable[Hashable]:
        at, seen = p
        return ((b, seen | {b}) for a, b in near if a == at and b not in seen)

    return Game((2, frozenset({2})), moves, lambda p: "toured" if len(p[1]) == 6 else None)


def _rounds() -> Game:
    names = ("Ann", "Bob", "Cyd")

    def moves(p: tuple[int, int]) -> Iterable[Hashable]:
        who, number = p
        return (((who + 1) % 3, number + k) for k in (1, 2) if number + k <= 6)

    def result(p: tuple[int, int]) -> str | None:
        return f"{names[p[0] - 1]} loses" if p[1] == 6 else None

    return Game((0, 0), moves, result)


def lines(*, has_diagonal: bool) -> Game:
    """Three in a row; the diagonal from the upper left corner counts, or does not."""
    square = range(1, 4)
    board = frozenset(product(square, repeat=2))
    wins = [{(r, c) for c in square} for r in square] + [{(r, c) for r in square} for c in square]
    wins.append({(r, 4 - r) for r in square})
    if has_diagonal:
        wins.append({(r, r) for r in square})

    def moves(p: tuple[Cells, Cells]) -> Iterable[Hashable]:
        exes, ohs = p
        for cell in board - exes - ohs:
            if len(exes) == len(ohs):
                yield exes | {cell}, ohs
            else:
                yield exes, ohs | {cell}

    def result(p: tuple[Cells, Cells]) -> str | None:
        if any(line <= p[0] for line in wins):
            return "Exes win"
        if any(line <= p[1] for line in wins):
            return "Ohs win"
        return "draw" if p[0] | p[1] == board else None

    return Game((frozenset(), frozenset()), moves, result)


def _partners() -> Game:
    numbers = range(1, 7)

    def moves(p: tuple[frozenset[int], frozenset[int], int]) -> Iterable[Hashable]:
        even, odd, seat = p
        for n in set(numbers) - even - odd:
            if seat % 2:
                yield even, odd | {n}, (seat + 1) % 4
            else:
                yield even | {n}, odd, (seat + 1) % 4

    def result(p: tuple[frozenset[int], frozenset[int], int]) -> str | None:
        even, odd, _ = p
        if len(even | odd) < len(numbers):
            return None
        return "NS wins" if {1, 2} <= even else "EW wins" if {1, 2} <= odd else "draw"

    return Game((frozenset(), frozenset(), 0), moves, result)


def _together() -> Game:
    def moves(p: tuple[frozenset[int], frozenset[int], bool]) -> Iterable[Hashable]:
        left, right, is_left = p
        if is_left:
            yield from ((left | {n}, right, False) for n in {1, 2, 3} - left)
        else:
            yield from ((left, right | {n}, True) for n in {3, 4, 5} - right)

    def result(p: tuple[frozenset[int], frozenset[int], bool]) -> str | None:
        left, right, _ = p
        if left & right:
            return "all lose"
        return "all win" if len(left | right) == 5 else None

    return Game((frozenset(), frozenset(), True), moves, result)


def _wreckers() -> Game:
    def moves(p: tuple[frozenset[int], int]) -> Iterable[Hashable]:
        bridge, made = p
        if made % 2:
            yield from ((bridge - {n}, made + 1) for n in bridge)
        else:
            yield from ((bridge | {n}, made + 1) for n in {1, 2, 3, 4} - bridge)

    def result(p: tuple[frozenset[int], int]) -> str | None:
        bridge, made = p
        if {1, 2} <= bridge:
            return "Lee wins"
        return "Kim wins" if made == 7 else None

    return Game((frozenset({3}), 0), moves, result)


def _lock() -> Game:
    def moves(p: tuple[int, bool]) -> Iterable[Hashable]:
        digit, is_locked = p
        if not is_locked:
            yield digit, True
            return
        yield (digit + 1) % 10, True
        yield (digit - 1) % 10, True
        if digit == 7:
            yield digit, False

    return Game((0, True), moves, lambda _: None)


def _three_at_two_lamps() -> Game:
    names = ("first", "second", "third")

    def moves(p: tuple[int, int]) -> Iterable[Hashable]:
        heap, who = p
        yield from ((heap - n, (who + 1) % 3) for n in (1, 2) if n <= heap)

    def result(p: tuple[int, int]) -> str | None:
        heap, who = p
        return None if heap else f"{names[who - 1]} wins"

    return Game((8, 0), moves, result)


def _avoided_lines() -> Game:
    board = set(product((1, 2, 3), (1, 2)))
    lines = [{(i, 1), (i, 2)} for i in (1, 2, 3)] + [{(i, j) for i in (1, 2, 3)} for j in (1, 2)]

    def moves(p: tuple[Cells, Cells]) -> Iterable[Hashable]:
        kim, lee = p
        for cell in board - kim - lee:
            yield (kim | {cell}, lee) if len(kim) == len(lee) else (kim, lee | {cell})

    def result(p: tuple[Cells, Cells]) -> str | None:
        kim, lee = p
        if any(line <= lee for line in lines):
            return "Kim wins"
        if any(line <= kim for line in lines):
            return "Lee wins"
        return "draw" if kim | lee == board else None

    return Game((frozenset(), frozenset()), moves, result)


def _chomp() -> Game:
    def moves(p: tuple[Cells, bool]) -> Iterable[Hashable]:
        bar, is_first = p
        for a, b in bar:
            yield frozenset((x, y) for x, y in bar if x < a or y < b), not is_first

    def result(p: tuple[Cells, bool]) -> str | None:
        if (1, 1) in p[0]:
            return None
        return "First wins" if p[1] else "Second wins"

    return Game((frozenset(product((1, 2, 3), (1, 2, 3, 4))), True), moves, result)


def _safe() -> Game:
    def moves(p: tuple[tuple[int, ...], int]) -> Iterable[Hashable]:
        rings, clicks = p
        for i, step in product(range(3), (1, -1)):
            turned = (rings[i] + step) % 4
            yield (*rings[:i], turned, *rings[i + 1 :]), clicks + 1

    def result(p: tuple[tuple[int, ...], int]) -> str | None:
        if p[0] == (3, 1, 2):
            return "the thief wins"
        return "the thief is caught" if p[1] == 6 else None

    return Game(((0, 0, 0), 0), moves, result)


def _solitaire() -> Game:
    holes = {(x, y) for x, y in product(range(-2, 3), repeat=2) if abs(x) + abs(y) <= 2}

    def moves(pegs: Cells) -> Iterable[Hashable]:
        for (x, y), (d, e) in product(pegs, ((0, 1), (1, 0), (0, -1), (-1, 0))):
            over, to = (x + d, y + e), (x + 2 * d, y + 2 * e)
            if over in pegs and to in holes - pegs:
                yield pegs - {(x, y), over} | {to}

    def result(pegs: Cells) -> str | None:
        if list(moves(pegs)):
            return None
        return "well done" if len(pegs) <= 5 else "try again"

    return Game(frozenset(holes - {(-1, -1)}), moves, result)


def _two_heaps() -> Game:
    def moves(p: tuple[int, int, int]) -> Iterable[Hashable]:
        left, right, player = p
        yield from ((left - n, right, 3 - player) for n in range(1, left + 1))
        yield from ((left, right - n, 3 - player) for n in range(1, right + 1))

    def result(p: tuple[int, int, int]) -> str | None:
        return None if p[0] or p[1] else f"Player {3 - p[2]} loses"

    return Game((3, 4, 1), moves, result)


def _words() -> Game:
    words = frozenset(["hot", "form", "woes", "tank", "hear", "wasp", "tied", "brim", "ship"])
    alike = [{word for word in words if letter in word} for letter in "oaitrshe"]

    def moves(p: tuple[frozenset[str], frozenset[str]]) -> Iterable[Hashable]:
        own, other = p  # own is the player in turn
        return ((other, own | {word}) for word in words - own - other)

    def result(p: tuple[frozenset[str], frozenset[str]]) -> str | None:
        _, last = p
        if any(three <= last for three in alike):
            return "you win" if len(p[0]) < len(last) else "I win"
        return "nobody wins" if len(p[0] | last) == 9 else None

    return Game((frozenset(), frozenset()), moves, result)


def _one_pass() -> Game:
    def moves(p: tuple[int, bool, bool]) -> Iterable[Hashable]:
        heap, is_first, has_passed = p
        for taken in range(1, min(3, heap) + 1):
            yield heap - taken, not is_first, has_passed
        if not has_passed:
            yield heap, not is_first, True

    def result(p: tuple[int, bool, bool]) -> str | None:
        if p[0]:
            return None
        return "Second wins" if p[1] else "First wins"

    return Game((9, True, False), moves, result)


def _colouring() -> Game:
    borders = ("ab", "ac", "bc", "bd", "cd", "ce", "de")
    Map = frozenset[tuple[str, str]]  # noqa: N806

    def moves(p: tuple[Map, bool]) -> Iterable[Hashable]:
        painted, is_tom = p
        colour = dict(painted)
        for x, k in product("abcde", ("red", "green", "blue")):
            beside = {y for border in borders if x in border for y in border} - {x}
            if x not in colour and all(colour.get(y) != k for y in beside):
                yield painted | {(x, k)}, not is_tom

    def result(p: tuple[Map, bool]) -> str | None:
        if len(p[0]) == 5:
            return "Tina wins"
        return None if list(moves(p)) else "Tom wins"

    return Game((frozenset(), True), moves, result)


def _boiler() -> Game:
    """It gets a degree warmer or colder."""

    def moves(heat: int) -> set[int]:
        return {heat + 1, heat - 1} & set(range(6))

    return Game(2, moves, lambda _: None)


def _phone() -> Game:
    """A call goes on, or somebody hangs up."""
    onward = {"idle": "ringing", "ringing": "talking", "talking": "lost"}

    def moves(call: str) -> set[str]:
        return ({onward[call]} if call in onward else set()) | ({"idle"} - {call})

    return Game("idle", moves, lambda _: None)


def _printer() -> Game:
    """Three jobs, a printer that prints one at a time, and four pages until it has to cool."""

    def moves(at: tuple[frozenset[int], bool, int]) -> set[Hashable]:
        queue, busy, pages = at
        found: set[Hashable] = {(queue | {job}, busy, pages) for job in (1, 2, 3)}
        if not busy and pages < 4:
            found |= {(queue - {job}, True, pages + 1) for job in queue}
        return (found | {(queue, False, pages), (queue, busy, 0)}) - {at}

    return Game((frozenset(), False, 0), moves, lambda _: None)


def _protocol() -> Game:
    """A sender, a receiver, and one message on its way, which may be lost."""

    def moves(at: tuple[int, int, str, int]) -> set[Hashable]:
        sent, wanted, line, delivered = at
        found: set[Hashable] = {(sent, wanted, "", delivered), (0, 0, "", 0)}
        if line == "":
            found.add((sent, wanted, f"data{sent}", delivered))
        elif line.startswith("ack"):
            found.add((1 - int(line[-1]), wanted, "", delivered))
        elif int(line[-1]) != wanted:
            found.add((sent, wanted, f"ack{line[-1]}", delivered))
        elif delivered < 3:
            found.add((sent, 1 - wanted, f"ack{line[-1]}", delivered + 1))
        return found - {at}

    return Game((0, 0, "", 0), moves, lambda _: None)


def _gray_code() -> Game:
    """Two bits go round, each lap is counted, and the count may be changed by hand."""
    codes = ["00", "01", "11", "10"]

    def moves(at: tuple[str, int]) -> set[Hashable]:
        code, laps = at
        found: set[Hashable] = {(code, 0)} | ({(code, laps + 1)} if laps < 2 else set())
        if code != codes[-1]:
            found.add((codes[codes.index(code) + 1], laps))
        elif laps < 2:
            found.add((codes[0], laps + 1))
        return found - {at}

    return Game((codes[0], 0), moves, lambda _: None)


def _token_ring() -> Game:
    """A token goes round, and who has it and waits sends."""

    def moves(at: tuple[int, frozenset[int], bool]) -> set[Hashable]:
        token, waiting, sending = at
        found: set[Hashable] = {(token, waiting | {each}, sending) for each in range(1, 5)}
        if sending:
            found.add((token, waiting - {token}, False))
        elif token in waiting:
            found.add((token, waiting, True))
        else:
            found.add((token % 4 + 1, waiting, False))
        return found - {at}

    return Game((1, frozenset(), False), moves, lambda _: None)


GAMES: Final[dict[str, Game]] = {
    "auction.md": _auction(),
    "avoid-lines.md": _avoided_lines(),
    "chomp.tex": _chomp(),
    "colouring.txt": _colouring(),
    "coins.md": _coins(),
    "domineering.md": _dominoes(),
    "exchange.md": _exchange(),
    "fox.md": _fox(),
    "hex.md": _hex(),
    "hot.md": _words(),
    "hounds.md": _hounds(),
    "kayles.md": _kayles(),
    "lines-or-cells.md": lines(has_diagonal=True),
    "lock.md": _lock(),
    "market.md": _market(),
    "missionaries.txt": _missionaries(),
    "morris.txt": _morris(),
    "mu-torere.md": _star(),
    "one-pass.md": _one_pass(),
    "partners.md": _partners(),
    "pursuit.txt": _pursuit(),
    "rounds.md": _rounds(),
    "seasons.md": _seasons(),
    "tour.md": _tour(),
    "three-at-two-lamps.md": _three_at_two_lamps(),
    "together.md": _together(),
    "wreckers.md": _wreckers(),
    "solitaire.txt": _solitaire(),
    "two-heaps.txt": _two_heaps(),
    "safe.md": _safe(),
    "boiler.md": _boiler(),
    "phone.md": _phone(),
    "printer.md": _printer(),
    "protocol.md": _protocol(),
    "gray-code.md": _gray_code(),
    "token-ring.md": _token_ring(),
}
