"""Columns hold what was put into them, in as few bytes as it needs."""

import numpy as np
import pytest

from zermelo.engines.graph import build
from zermelo.engines.graph.build import Column, Width


def test_an_empty_column_is_an_empty_array() -> None:
    assert Column(np.int32).joined().tolist() == []


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("block", [64, 1 << 25])
def test_a_column_gives_back_what_was_put_into_it(
    seed: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "_FEWEST", 4)
    monkeypatch.setattr(build, "_BLOCK", block)
    random = np.random.default_rng(seed)
    column = Column(np.int8)
    expected: list[int] = []

    for bound in random.integers(0, 2, 12).cumsum() * 6 + 1:
        values = random.integers(-(1 << int(bound)), 1 << int(bound), int(random.integers(0, 40)))
        column.append(values)
        expected += values.tolist()
        assert len(column) == len(expected)

    assert column.joined().tolist() == expected


@pytest.mark.parametrize(
    ("most", "width"),
    [
        (127, np.int8),
        (128, np.int16),
        (32_767, np.int16),
        (32_768, np.int32),
        (2_147_483_647, np.int32),
        (2_147_483_648, np.int64),
        (-128, np.int8),
        (-129, np.int16),
    ],
)
def test_a_number_takes_as_many_bytes_as_the_widest_needs(most: int, width: Width) -> None:
    column = Column(np.int8)
    column.append(np.array([1, -1]))
    column.append(np.array([most]))
    column.append(np.array([0]))

    whole = column.joined()

    assert whole.dtype == width
    assert whole.tolist() == [1, -1, most, 0]


def test_a_column_is_as_wide_as_it_is_told() -> None:
    column = Column(np.int32)
    column.append(np.array([1]))

    assert column.joined().dtype == np.int32

    column.append(np.array([1]))

    assert column.joined(np.int64).dtype == np.int64


def test_a_joined_column_begins_anew() -> None:
    column = Column(np.int8)
    column.append(np.array([1, 2]))
    column.joined()
    column.append(np.array([3]))

    assert column.joined().tolist() == [3]
