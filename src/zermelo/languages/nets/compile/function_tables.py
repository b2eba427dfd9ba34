"""Values of a net's functions, computed when code is generated.

All of it together takes a fraction of a second: what would take longer is not computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from itertools import product
from typing import Final

from zermelo.core.machine import ExhaustedError, FaultError
from zermelo.languages.nets.ir import Expr, Function, Net
from zermelo.languages.nets.run.evaluate import Evaluator

MOST_STEPS: Final = 250_000
"""So many steps are taken for one net."""
MOST_STEPS_OF_ONE: Final = 1_000
"""So many for one value of a function; what takes longer is left to the token game."""
NOTHING: Final = -(1 << 62)
"""Stands in tables where a function has no value, or one that takes long."""

_PARTS_OF_A_STEP: Final = 40
"""A step has about so many parts; a function of much longer ones is counted for more."""


class FunctionTables:
    """Computes values of the functions of one net."""

    def __init__(self, net: Net) -> None:
        self._evaluator = Evaluator(net, most=MOST_STEPS_OF_ONE, altogether=MOST_STEPS)
        self._known: dict[tuple[str, tuple[range, ...]], tuple[int, ...] | None] = {}

    @property
    def steps(self) -> int:
        return self._evaluator.steps

    def table(self, function: Function, ranges: tuple[range, ...]) -> tuple[int, ...] | None:
        """The values of *function* where its arguments lie in *ranges*, the last one fastest.

        ``None`` if that takes too long.
        """
        key = function.name, ranges
        if key not in self._known:
            self._known[key] = self._table(function, ranges)
        return self._known[key]

    def _table(self, function: Function, ranges: tuple[range, ...]) -> tuple[int, ...] | None:
        weight = _parts(function.body) // _PARTS_OF_A_STEP
        try:
            return tuple(self._value(function, each, weight) for each in product(*ranges))
        except ExhaustedError:
            return None

    def _value(self, function: Function, arguments: tuple[int, ...], weight: int) -> int:
        evaluator = self._evaluator
        try:
            evaluator.begin()
            evaluator.spend(weight, function.span)
            return evaluator.call(function, arguments)
        except ExhaustedError:
            raise
        except FaultError:
            return NOTHING

    def may_hold(self, gate: Expr, values: Mapping[str, int]) -> bool:
        """Whether *gate* is other than 0 for these *values*, or nobody can tell."""
        try:
            return self._evaluator.value(gate, values) != 0
        except FaultError:
            return True


def _parts(tree: object) -> int:
    if isinstance(tree, tuple):
        return sum(map(_parts, tree))
    if is_dataclass(tree):
        return 1 + sum(_parts(getattr(tree, each.name)) for each in fields(tree))
    return 0
