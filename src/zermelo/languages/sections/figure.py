"""Lines between points: which values are such lines, and where the points are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import cos, pi, sin

from zermelo.core.picture import Spot
from zermelo.core.values import Atom, Value, in_order


def is_pair(value: Value) -> bool:
    """Whether *value* is a pair of numbers or words, such as a row and a column."""
    return isinstance(value, tuple) and len(value) == 2 and all(map(is_single, value))


def is_single(value: Value) -> bool:
    """Whether *value* is a number or a word."""
    return isinstance(value, int | Fraction | Atom)


def is_edge(value: Value) -> bool:
    """Whether *value* joins two points: a set of two of them, or a pair of two cells.

    A pair of numbers is a cell of a board.

    >>> is_edge(frozenset({1, 2})), is_edge(((1, 1), (1, 2))), is_edge((1, 2))
    (True, True, False)
    """
    if isinstance(value, frozenset):
        return len(value) == 2 and (all(map(is_single, value)) or all(map(is_pair, value)))
    if not isinstance(value, tuple) or len(value) != 2:
        return False
    return value[0] != value[1] and all(map(is_pair, value))


def ends(edge: Value) -> tuple[Value, Value]:
    """The two points that *edge* joins."""
    first, second = in_order(edge) if isinstance(edge, frozenset) else _parts(edge)
    return first, second


def _parts(edge: Value) -> Sequence[Value]:
    assert isinstance(edge, tuple), "an edge is a set or a pair"
    return edge


def spots(points: Sequence[Value], *, rows_up: bool = False) -> Mapping[Value, Spot]:
    """Where each of *points* is drawn: by its row and column, else on a circle, the first on top.

    >>> spots([(1, 1), (1, 2), (3, 1)])
    {(1, 1): (0.0, 0.0), (1, 2): (1.0, 0.0), (3, 1): (0.0, 2.0)}
    """
    numbered = [each for each in points if isinstance(each, tuple) and all(map(_is_number, each))]
    if len(numbered) == len(points):
        return _in_a_grid(numbered, rows_up=rows_up)
    radius = max(1.0, len(points) / (2 * pi))
    turns = [2 * pi * at / len(points) for at in range(len(points))]
    return {
        each: (radius * (1 + sin(turn)), radius * (1 - cos(turn)))
        for each, turn in zip(points, turns, strict=True)
    }


def _in_a_grid(points: Sequence[tuple[Value, ...]], *, rows_up: bool) -> Mapping[Value, Spot]:
    rows = {each: _number(each[0]) for each in points}
    columns = {each: _number(each[1]) for each in points}
    first, left, last = min(rows.values()), min(columns.values()), max(rows.values())
    return {
        each: (columns[each] - left, last - rows[each] if rows_up else rows[each] - first)
        for each in points
    }


def _is_number(value: Value) -> bool:
    return isinstance(value, int | Fraction)


def _number(value: Value) -> float:
    assert isinstance(value, int | Fraction), "only numbers are drawn in a grid"
    return float(value)
