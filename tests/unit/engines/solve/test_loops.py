"""The compiled loop of solving gives what numpy gives, and so does its Python."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.played_graphs import DRAWN, OnGraph, Played, Spot, won_by
from zermelo.core.expander import Expansion
from zermelo.core.signature import Stuck
from zermelo.engines.solve.codes import Codes, Coding, Objective, TerminalValues
from zermelo.engines.solve.levels import Combining, Compiling, combined, unit
from zermelo.engines.solve.values import ValueKind
from zermelo.fast import jit

PLAYED = Played(
    (
        Spot(0, (1, 2, 3)),
        Spot(1, (3, 4)),
        Spot(0),
        Spot(1, (), won_by(0)),
        Spot(0, (), DRAWN),
        Spot(1, (1, 1, 0)),
    )
)
KINDS = [ValueKind.LOSS, ValueKind.ENDLESS, ValueKind.DRAW, ValueKind.WIN]


def codes_by(combine: Combining, column: Codes) -> list[int]:
    expander = OnGraph(PLAYED)
    rows = np.arange(len(PLAYED.spots), dtype=np.int64).reshape(-1, 1)
    expansion: Expansion = expander.expand(rows)
    terminal_values = TerminalValues(expander.signature, Objective(0, Stuck.LOSES))
    ends = terminal_values.ends(expander.outcomes, Coding(column.dtype.itemsize))
    following = np.ascontiguousarray(expansion.states[:, 0])
    return [int(code) for code in combine(column, following, expansion, terminal_values, ends)]


@pytest.mark.parametrize("coding", [Coding(1), Coding(2), Coding(4)])
@settings(max_examples=40, deadline=None)
@given(told=st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 9)), min_size=6, max_size=6))
def test_the_loop_in_python_gives_what_numpy_gives(
    coding: Coding, told: list[tuple[ValueKind, int]]
) -> None:
    column = np.array([coding.code(kind, plies) for kind, plies in told], dtype=coding.dtype)

    assert codes_by(Compiling(coding, native=False), column) == codes_by(combined, column)


def test_the_loop_can_be_compiled() -> None:
    for size in (1, 2, 4):
        jit.check(unit(Coding(size)))


@pytest.mark.skipif(jit.available() is not None, reason="there is no compiler here")
@pytest.mark.parametrize("coding", [Coding(1), Coding(2), Coding(4)])
def test_the_compiled_loop_gives_what_numpy_gives(coding: Coding) -> None:
    told = [(KINDS[at % 4], at) for at in range(6)]
    column = np.array([coding.code(kind, plies) for kind, plies in told], dtype=coding.dtype)

    assert codes_by(Compiling(coding), column) == codes_by(combined, column)
