"""How many tokens lie where, for many packed markings at a time.

The tokens of a place are counted word by word: where there is one bit a token, the bits
that are set are, and elsewhere counters are added up one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from zermelo.core.expander import Rows
from zermelo.fast import jit
from zermelo.fast.bits import load, popcount, shr, store
from zermelo.kernels.nets.packing import Packed, Packing, Slots

AT_ONCE = 1024
"""Markings that are counted at a time, so that their counts stay in the processor's cache."""
_NUMBERS: Final = 4


def count_tokens(
    rows: int, n: int, words: int, fields: int, count: int, found: int, places: int
) -> int:
    """Write how many tokens lie in each of *places* to *found*, one row of it a place."""
    for i in range(n * places):
        store(found, i, 0)
    for field in range(count):
        counts = found + load(fields, 4 * field) * n * 8
        column = rows + load(fields, 4 * field + 1) * 8
        shift, mask = load(fields, 4 * field + 2), load(fields, 4 * field + 3)
        if shift < 0:
            for i in range(n):
                bits = popcount(load(column, i * words) & mask)
                store(counts, i, load(counts, i) + bits)
        else:
            for i in range(n):
                number = shr(load(column, i * words), shift) & mask
                store(counts, i, load(counts, i) + number)
    return 0


def most_tokens(
    rows: int, n: int, words: int, fields: int, count: int, found: int, places: int, most: int
) -> int:
    """The most tokens in a place and in a marking, into the two words at *most*.

    There is room for ``AT_ONCE`` markings at *found*.
    """
    greatest = 0
    heaviest = 0
    start = 0
    while start < n * (places > 0):
        size = min(AT_ONCE, n - start)
        count_tokens(rows + start * words * 8, size, words, fields, count, found, places)
        for i in range(size * places):
            greatest = max(greatest, load(found, i))
        # The sums are written over the counts of the first place.
        for place in range(1, places):
            counts = found + place * size * 8
            for i in range(size):
                store(found, i, load(found, i) + load(counts, i))
        for i in range(size):
            heaviest = max(heaviest, load(found, i))
        start += size
    store(most, 0, greatest)
    store(most, 1, heaviest)
    return 0


@lru_cache(maxsize=2)
def _loops(*, is_compiled: bool) -> Mapping[str, jit.Compiled]:
    unit = jit.unit_of(
        "net-counting",
        (count_tokens, most_tokens),
        exports=("count_tokens", "most_tokens"),
        constants={"AT_ONCE": AT_ONCE},
        level=3,
    )
    return jit.compile_unit(unit) if is_compiled else jit.plain(unit)


class Counting:
    """Counts the tokens of markings that are packed in one form; any thread may ask."""

    def __init__(self, packing: Packing, *, is_compiled: bool) -> None:
        fields = [each for at, place in enumerate(packing.places) for each in _fields(at, place)]
        self._fields = np.array(fields, dtype=np.uint64).view(np.int64).reshape(-1, _NUMBERS)
        self._places = len(packing.places)
        self._words = packing.words
        self._loops = _loops(is_compiled=is_compiled)

    def tokens(self, rows: Rows) -> Rows:
        """How many tokens lie in each place, for each of *rows*; colours are summed over."""
        rows = np.ascontiguousarray(rows)
        found = np.empty((self._places, len(rows)), dtype=np.int64)
        self._loops["count_tokens"](*self._asked(rows, found))
        return found.T

    def most(self, rows: Rows) -> tuple[int, int]:
        """The most tokens in a place, and in a marking, of all *rows*."""
        rows = np.ascontiguousarray(rows)
        found = np.empty((self._places, AT_ONCE), dtype=np.int64)
        most = np.zeros(2, dtype=np.int64)
        self._loops["most_tokens"](*self._asked(rows, found), most.ctypes.data)
        return int(most[0]), int(most[1])

    def _asked(self, rows: Rows, found: Rows) -> tuple[int, ...]:
        fields = self._fields.ctypes.data, len(self._fields)
        return (
            rows.ctypes.data,
            len(rows),
            self._words,
            *fields,
            found.ctypes.data,
            self._places,
        )


def _fields(at: int, packed: Packed) -> Iterator[tuple[int, int, int, int]]:
    """The fields of the place with this number: its word, first bit, and mask.

    With no first bit the bits under the mask are counted.
    """
    array = packed.array
    places = [array.at(number) for number in range(array.count)]
    if not isinstance(packed, Slots) and array.width > 1:
        for word, shift in places:
            yield at, word, shift, (1 << array.width) - 1
        return
    bits: dict[int, int] = {}
    for word, shift in places:
        # A slot that is taken has its highest bit set.
        bits[word] = bits.get(word, 0) | 1 << (shift + array.width - 1)
    for word, mask in bits.items():
        yield at, word, (1 << 64) - 1, mask
