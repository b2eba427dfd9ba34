"""Keys of packed states: short, sortable, and one to one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.arrays import Rows
from zermelo.engines.solve.state_keys import BitRun, StateKeys, keys_for

WORD = st.integers(-(2**63), 2**63 - 1)


@st.composite
def packed(draw: st.DrawFn) -> Rows:
    words = draw(st.integers(1, 3))
    rows = draw(st.lists(st.lists(WORD, min_size=words, max_size=words), min_size=1, max_size=8))
    return np.array(rows, dtype=np.int64)


def keys_of(rows: Rows) -> StateKeys:
    plain = rows.view(np.uint64)
    varying = np.bitwise_or.reduce(plain ^ plain[:1], axis=0)
    return keys_for([int(word) for word in varying], [int(word) for word in plain[0]])


@given(packed())
def test_a_key_stands_for_one_state(rows: Rows) -> None:
    keys = keys_of(rows)

    assert (keys.rows(keys.keys(rows)) == rows).all()
    assert keys.fits(rows).all()


@given(packed())
def test_keys_sort_as_their_numbers_do(rows: Rows) -> None:
    keys = keys_of(rows)

    texts = [text.tobytes() for text in keys.keys(rows)]
    numbers = [tuple(int(word) for word in words) for words in keys.words(rows)]

    by_text = sorted(range(len(rows)), key=lambda at: texts[at])
    assert [numbers[at] for at in by_text] == sorted(numbers)


@given(packed())
def test_one_key_is_the_same_as_many(rows: Rows) -> None:
    keys = keys_of(rows)

    every = [text.tobytes() for text in keys.keys(rows)]

    assert [keys.key(row.tolist()) for row in rows] == every


def test_only_the_bits_that_differ_are_in_a_key() -> None:
    rows = np.array([[0b1010_0000], [0b1010_0101]], dtype=np.int64)
    keys = keys_of(rows)

    assert keys.runs == (BitRun(0, 0, 1), BitRun(0, 2, 1))
    assert keys.length == 1
    assert keys.keys(rows).tolist() == [[0], [3]]


def test_a_state_with_other_bits_does_not_fit() -> None:
    rows = np.array([[0b00], [0b01]], dtype=np.int64)
    other = np.array([[0b10]], dtype=np.int64)

    assert not keys_of(rows).fits(other).any()
    assert keys_of(rows).key(other[0].tolist()) is None


def test_a_single_state_has_a_key() -> None:
    keys = keys_of(np.array([[7]], dtype=np.int64))

    assert (keys.runs, keys.length) == ((), 1)
    assert keys.key([7]) == b"\0"
