"""How many tokens lie where, for many packed markings at a time.

The tokens of a place are counted word by word: where there is one bit a token, the bits
that are set are, and elsewhere counters are added up one by one. For all tokens of a
marking it is enough to know how many counters have a bit set, bit by bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

import numpy as np

from zermelo.core.expander import Rows
from zermelo.fast import jit
from zermelo.fast.bits import load, popcount, shl, shr, store
from zermelo.languages.nets.compile.packing import Counters, Packed, Packing, Slots

AT_ONCE = 1024
"""Markings that are counted at a time, so that their counts stay in the processor's cache."""
_NUMBERS: Final = 4
_BITS: Final = (1 << 64) - 1
"""In place of a field's first bit, a number less than 0: the bits under its mask are counted."""


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


def most_in_a_place(
    rows: int, n: int, words: int, fields: int, count: int, found: int, places: int, limit: int
) -> int:
    """The most tokens in a place; not looked for further once there are *limit* of them.

    There is room for ``AT_ONCE`` markings at *found*.
    """
    greatest = 0
    start = 0
    while start < n and greatest < limit:
        size = min(AT_ONCE, n - start)
        count_tokens(rows + start * words * 8, size, words, fields, count, found, places)
        for i in range(size * places):
            greatest = max(greatest, load(found, i))
        start += size
    return greatest


def most_in_a_marking(rows: int, n: int, words: int, masks: int, count: int) -> int:
    """The most tokens in a marking: bits under *masks*, each with what it counts for."""
    heaviest = 0
    for i in range(n):
        row = rows + i * words * 8
        total = 0
        for k in range(count):
            bits = popcount(load(row, load(masks, 3 * k)) & load(masks, 3 * k + 1))
            total += shl(bits, load(masks, 3 * k + 2))
        heaviest = max(heaviest, total)
    return heaviest


@cache
def _unit() -> jit.Unit:
    return jit.unit_of(
        "net-counting",
        (count_tokens, most_in_a_place, most_in_a_marking),
        exports=("count_tokens", "most_in_a_place", "most_in_a_marking"),
        constants={"AT_ONCE": AT_ONCE},
        level=3,
    )


class Counting:
    """Counts the tokens of markings that are packed in one form; any thread may ask."""

    def __init__(self, packing: Packing, *, is_compiled: bool) -> None:
        fields = [each for at, place in enumerate(packing.places) for each in _fields(at, place)]
        self._fields = np.array(fields, dtype=np.uint64).view(np.int64).reshape(-1, _NUMBERS)
        masks = [(word, bits, at) for (word, at), bits in _masks(fields).items()]
        self._masks = np.array(masks, dtype=np.uint64).view(np.int64).reshape(-1, 3)
        self._limit = _limit(packing)
        self._places = len(packing.places)
        self._words = packing.words
        self._loops = jit.load(_unit(), native=is_compiled)

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
        in_a_place = self._loops["most_in_a_place"](*self._asked(rows, found), self._limit)
        in_a_marking = self._loops["most_in_a_marking"](
            rows.ctypes.data, len(rows), self._words, self._masks.ctypes.data, len(self._masks)
        )
        return in_a_place, in_a_marking

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


def _limit(packing: Packing) -> int:
    """More tokens than this are in no place, as far as that is known."""
    totals = [each.total if isinstance(each, Counters) else None for each in packing.places]
    known = [total for total in totals if total is not None]
    return max(known, default=0) if len(known) == len(totals) else (1 << 63) - 1


def _masks(fields: Iterable[tuple[int, int, int, int]]) -> dict[tuple[int, int], int]:
    """The bits of each word that count for 1, 2, 4 … tokens, by the word and that power."""
    found: dict[tuple[int, int], int] = {}
    for _, word, shift, mask in fields:
        if shift == _BITS:
            found[word, 0] = found.get((word, 0), 0) | mask
            continue
        for at in range(mask.bit_length()):
            found[word, at] = found.get((word, at), 0) | 1 << (shift + at)
    return found


def _fields(at: int, packed: Packed) -> Iterator[tuple[int, int, int, int]]:
    """The fields of the place with this number: its word, first bit (or ``_BITS``), and mask."""
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
        yield at, word, _BITS, mask
