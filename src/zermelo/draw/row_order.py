"""Where the nodes of a layered drawing stand: one row a depth, with few crossings.

Nodes are put at the mean place of their neighbours in the row before, then in the row
after, again and again (the barycentre method), and of the orders the one with the fewest
crossings is kept; last, neighbours change places where that saves more.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Final, TypeAlias

Rows: TypeAlias = list[list[int]]
Neighbours: TypeAlias = Mapping[int, Sequence[int]]

SWEEPS: Final = 12
SWAPS: Final = 4
RELAXATIONS: Final = 8


def ordered(rows: Sequence[Sequence[int]], arcs: Iterable[tuple[int, int]]) -> Rows:
    """The nodes of each row in an order with few crossings.

    >>> ordered([[0], [1, 2], [3, 4]], [(0, 1), (0, 2), (1, 4), (2, 3)])
    [[0], [1, 2], [4, 3]]
    """
    above, below = _neighbours(rows, arcs)
    best = current = [list(row) for row in rows]
    fewest = crossings(current, below)
    for sweep in range(SWEEPS):
        if not fewest:
            break
        is_down = sweep % 2 == 0
        current = _swept(current, above if is_down else below, is_down=is_down)
        count = crossings(current, below)
        if count < fewest:
            best, fewest = current, count
    return _swapped(best, above, below) if fewest else best


def places(
    rows: Sequence[Sequence[int]],
    arcs: Iterable[tuple[int, int]],
    sizes: Mapping[int, float] | None = None,
    shifts: Mapping[int, float] | None = None,
) -> dict[int, float]:
    """How far to the right each node stands, in the order that *rows* give; the least is 0.

    Nodes are 1 wide, or as wide as *sizes* say; the middle of a node is as far to the
    right of where it stands as *shifts* say.
    """
    sizes, shifts = sizes or {}, shifts or {}

    def apart(one: int, other: int) -> float:
        wide = (sizes.get(one, 1.0) + sizes.get(other, 1.0)) / 2
        return wide + shifts.get(one, 0.0) - shifts.get(other, 0.0)

    above, below = _neighbours(rows, arcs)
    place = {node: at - (len(row) - 1) / 2 for row in rows for at, node in enumerate(row)}
    for turn in range(RELAXATIONS):
        order, beside = (rows, above) if turn % 2 == 0 else (rows[::-1], below)
        for row in order:
            wanted = [
                _mean([place[other] for other in beside.get(node, ())], place[node]) for node in row
            ]
            offsets = [0.0, *accumulate(apart(*pair) for pair in pairwise(row))]
            place.update(zip(row, _spread(wanted, offsets), strict=True))
    least = min(place.values(), default=0.0)
    return {node: at - least for node, at in place.items()}


def crossings(rows: Sequence[Sequence[int]], below: Neighbours) -> int:
    """How many pairs of arcs between neighbouring rows cross.

    >>> crossings([[0, 1], [2, 3]], {0: [3], 1: [2]})
    1
    """
    total = 0
    for upper, lower in pairwise(rows):
        at = {node: index for index, node in enumerate(lower)}
        ends: list[int] = []
        for node in upper:
            here = [at[target] for target in below.get(node, ())]
            total += sum(len(ends) - bisect_right(ends, end) for end in here)
            for end in here:
                insort(ends, end)
    return total


def _neighbours(
    rows: Sequence[Sequence[int]], arcs: Iterable[tuple[int, int]]
) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """For each node its neighbours in the row above and in the row below."""
    row_of = {node: at for at, row in enumerate(rows) for node in row}
    above: dict[int, list[int]] = {}
    below: dict[int, list[int]] = {}
    for source, target in arcs:
        if row_of[target] == row_of[source] + 1:
            below.setdefault(source, []).append(target)
            above.setdefault(target, []).append(source)
    return above, below


def _swept(rows: Rows, beside: Neighbours, *, is_down: bool) -> Rows:
    """The rows, each sorted by the mean place of its nodes' neighbours in the one before it."""
    at: dict[int, float] = {}
    swept: Rows = []
    for row in rows if is_down else reversed(rows):
        middle = (len(row) - 1) / 2
        key = {
            node: _mean([at[other] for other in beside.get(node, ())], index - middle)
            for index, node in enumerate(row)
        }
        new = sorted(row, key=key.__getitem__)
        at.update({node: index - middle for index, node in enumerate(new)})
        swept.append(new)
    return swept if is_down else swept[::-1]


def _swapped(rows: Rows, above: Neighbours, below: Neighbours) -> Rows:
    """The rows, in which two neighbours change places as long as that saves crossings."""
    found = [list(row) for row in rows]
    at = {node: index for row in found for index, node in enumerate(row)}
    for _ in range(SWAPS):
        has_changed = False
        for row in found:
            for index in range(len(row) - 1):
                one, other = row[index], row[index + 1]
                saved = 0
                for beside in (above, below):
                    here = [at[each] for each in beside.get(one, ())]
                    there = [at[each] for each in beside.get(other, ())]
                    saved += _inverted(here, there) - _inverted(there, here)
                if saved > 0:
                    row[index], row[index + 1] = other, one
                    at[one], at[other] = index + 1, index
                    has_changed = True
        if not has_changed:
            break
    return found


def _inverted(here: Sequence[int], there: Sequence[int]) -> int:
    """How many arcs to *there* cross those to *here*, from nodes in this order."""
    return sum(one > other for one in here for other in there)


def _mean(numbers: Sequence[float], otherwise: float) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise


def _spread(wanted: Sequence[float], offsets: Sequence[float]) -> Iterator[float]:
    """The places nearest to those *wanted* that keep the order and the distances.

    With the distance from the first node taken from each place the order is all that is
    asked for, and the nearest rising sequence is found by putting neighbours that
    disagree at their common mean.
    """
    blocks: list[tuple[float, int]] = []
    for offset, place in zip(offsets, wanted, strict=False):
        total, size = place - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / size:
            more, members = blocks.pop()
            total, size = total + more, size + members
        blocks.append((total, size))
    levels = [total / size for total, size in blocks for _ in range(size)]
    return (level + offset for level, offset in zip(levels, offsets, strict=False))
