"""Rows get numbers, the same row always the same one."""

import numpy as np
import pytest

from zermelo.core.arrays import Rows
from zermelo.engines.space import state_index as module
from zermelo.engines.space.state_index import PlainStateIndex, StateIndex
from zermelo.fast import jit


def rows(*numbers: tuple[int, ...]) -> Rows:
    return np.array(numbers, dtype=np.int64).reshape(len(numbers), -1)


def test_rows_are_numbered_in_the_order_in_which_they_are_first_met() -> None:
    numbering = PlainStateIndex(words=1)

    assert numbering.take(rows((7,), (3,), (7,), (-1,))).tolist() == [0, 1, 0, 2]
    assert numbering.take(rows((-1,), (9,), (3,), (9,))).tolist() == [2, 3, 1, 3]
    assert numbering.rows.tolist() == [[7], [3], [-1], [9]]


def test_rows_differ_when_a_single_word_does() -> None:
    numbering = PlainStateIndex(words=3)

    found = numbering.take(rows((1, 2, 3), (1, 2, 4), (0, 2, 3), (1, 2, 3)))

    assert found.tolist() == [0, 1, 2, 0]


def test_rows_for_which_there_is_no_room_get_none() -> None:
    numbering = PlainStateIndex(words=1)

    assert numbering.take(rows((5,), (6,), (7,), (6,), (8,)), room=2).tolist() == [0, 1, -1, 1, -1]
    assert numbering.take(rows((8,), (6,), (5,)), room=0).tolist() == [-1, 1, 0]
    assert numbering.size == 2


@pytest.mark.parametrize("seed", range(8))
def test_numbers_are_those_of_a_dictionary(seed: int) -> None:
    random = np.random.default_rng(seed)
    numbering = PlainStateIndex(words=2)
    known: dict[tuple[int, ...], int] = {}
    most = int(random.integers(1, 3000))

    for _ in range(12):
        batch = random.integers(-30, 30, (int(random.integers(0, 600)), 2))
        expected = []
        for row in map(tuple, batch.tolist()):
            if row not in known and len(known) < most:
                known[row] = len(known)
            expected.append(known.get(row, -1))

        assert numbering.take(batch, room=most - numbering.size).tolist() == expected


@pytest.mark.parametrize("many", [0, 200, 1 << 20])
@pytest.mark.parametrize("seed", range(4))
def test_many_rows_get_the_numbers_that_few_ones_get(
    seed: int, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MANY", many)
    random = np.random.default_rng(seed)
    nodes, numbering = StateIndex(2, last_bits=6), PlainStateIndex(2)
    most = int(random.integers(300, 1500))

    for _ in range(14):
        batch = random.integers(0, 40, (int(random.integers(0, 300)), 2))
        room = None if len(batch) % 3 == 0 else most - numbering.size

        assert nodes.take(batch, room=room).tolist() == numbering.take(batch, room=room).tolist()
        assert nodes.size == numbering.size
    assert nodes.rows(0, nodes.size).tolist() == numbering.rows.tolist()


def test_without_a_compiler_many_rows_are_numbered_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY", 0)
    monkeypatch.setattr(jit, "available", lambda: "there is none")
    nodes = StateIndex(1)

    assert nodes.take(rows((7,), (3,), (7,))).tolist() == [0, 1, 0]
    assert nodes.take(rows((4,), (3,)), room=0).tolist() == [-1, 1]
    assert nodes.rows(1, 2).tolist() == [[3]]
