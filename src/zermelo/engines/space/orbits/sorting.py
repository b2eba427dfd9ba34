"""The state that stands for all that are like it, by sorting; many states at a time.

Of two things that may be swapped the one with more in it comes first. The state
that stands for its class is thus the greatest of the class, where classes are
built up as the group is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Rows
from zermelo.core.layout import WORD, Layout, Mask, Place, encoded
from zermelo.core.symmetry import (
    Bit,
    Copies,
    Direct,
    Images,
    ListedMembers,
    Structure,
    Symmetric,
    order,
)
from zermelo.core.values import UNSET

Bits: TypeAlias = npt.NDArray[np.uint8]
"""One row a state, one column a claim."""
Keys: TypeAlias = npt.NDArray[np.int64]
Sizes: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.object_]

_WIDE: Final = 63
"""A key has at most so many bits."""
_BYTE: Final = 8


def sort(structure: Structure | None, bits: Bits) -> Sizes:
    """Make each row of *bits* the one that stands for it; the sizes of their classes.

    The columns of *bits* are the claims of *structure*.
    """
    return Sorter(structure).sort(bits)


class Sorter:
    """Sorts states by one group of symmetries."""

    def __init__(self, structure: Structure | None) -> None:
        self._structure = structure
        self._kind = object if order(structure) >= 1 << _WIDE else np.int64
        self._tables: dict[ListedMembers, list[Keys]] = {}

    def sort(self, bits: Bits) -> Sizes:
        sizes = np.ones(len(bits), dtype=self._kind)
        self._sort(self._structure, bits, sizes)
        return sizes

    def _sort(self, structure: Structure | None, bits: Bits, sizes: Sizes) -> None:
        match structure:
            case None:
                return
            case Symmetric(points):
                _sort_points(points, bits, sizes)
            case ListedMembers():
                self._take_greatest(structure, bits, sizes)
            case Copies(copies, inside, tops):
                for copy in copies:
                    part = np.ascontiguousarray(bits[:, copy])
                    self._sort(inside, part, sizes)
                    bits[:, copy] = part
                if tops is None:
                    _sort_points(copies, bits, sizes)
                else:
                    _take_greatest_of_copies(copies, tops, bits, sizes)
            case Direct(parts):
                for each in parts:
                    self._sort(each, bits, sizes)
            case _:
                assert_never(structure)

    def _take_greatest(self, listed: ListedMembers, bits: Bits, sizes: Sizes) -> None:
        """Each row as the member makes it that makes the most of it."""
        if listed not in self._tables:
            self._tables[listed] = [_table(member) for member in listed.members]
        part = np.packbits(bits[:, listed.claims], axis=1)

        def made() -> Iterator[Keys]:
            for table in self._tables[listed]:
                keys = np.zeros((len(bits), table.shape[2]), dtype=np.int64)
                for byte in range(part.shape[1]):
                    keys |= table[byte, part[:, byte]]
                yield keys

        best = _greatest(made(), len(listed.members), sizes)
        if best is not None:
            bits[:, listed.claims] = _unpacked(best, len(listed.claims))


def _sort_points(points: tuple[tuple[int, ...], ...], bits: Bits, sizes: Sizes) -> None:
    keys, values = _keys(points, bits)
    keys = np.sort(keys, axis=1)[:, ::-1]
    run = np.ones(len(bits), dtype=np.int64)
    for at in range(1, keys.shape[1]):
        run = np.where(keys[:, at] == keys[:, at - 1], run + 1, 1)
        sizes *= at + 1
        sizes //= run
    for at, point in enumerate(points):
        bits[:, point] = values.bits(keys[:, at])


def _take_greatest_of_copies(
    copies: tuple[tuple[int, ...], ...], tops: tuple[Images, ...], bits: Bits, sizes: Sizes
) -> None:
    keys, values = _keys(copies, bits)

    def made() -> Iterator[Keys]:
        for top in tops:
            moved = np.empty_like(keys)
            moved[:, list(top)] = keys
            yield moved

    best = _greatest(made(), len(tops), sizes)
    if best is not None:
        for at, copy in enumerate(copies):
            bits[:, copy] = values.bits(best[:, at])


def _greatest(made: Iterator[Keys], count: int, sizes: Sizes) -> Keys | None:
    """Of the *count* keys that are *made* of each row the greatest; ``None`` if none is made.

    The *sizes* of classes grow by how many different ones there are.
    """
    best = next(made, None)
    if best is None:
        return None
    same = np.ones(len(best), dtype=np.int64)
    for keys in made:
        is_more = np.zeros(len(keys), dtype=np.bool_)
        is_same = np.ones(len(keys), dtype=np.bool_)
        for at in range(keys.shape[1]):
            is_more |= is_same & (keys[:, at] > best[:, at])
            is_same &= keys[:, at] == best[:, at]
        best = np.where(is_more[:, None], keys, best)
        same = np.where(is_more, 1, same + is_same)
    sizes *= count
    sizes //= same
    return best


# Keys


@dataclass(frozen=True, slots=True)
class _Narrow:
    """Keys that are the bits themselves."""

    width: int

    def bits(self, keys: Keys) -> Bits:
        shifts = np.arange(self.width - 1, -1, -1, dtype=np.int64)
        return (keys[:, None] >> shifts & 1).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class _SortedByRank:
    """Keys that are the ranks of the bits among those that occur."""

    table: Bits

    def bits(self, keys: Keys) -> Bits:
        return self.table[keys]


def _keys(points: tuple[tuple[int, ...], ...], bits: Bits) -> tuple[Keys, _Narrow | _SortedByRank]:
    """For each row and point a number that orders them as their bits do."""
    width = len(points[0])
    if width <= _WIDE:
        keys = np.zeros((len(bits), len(points)), dtype=np.int64)
        for slot in range(width):
            keys <<= 1
            keys |= bits[:, [point[slot] for point in points]]
        return keys, _Narrow(width)
    flat = bits[:, points].reshape(-1, width)
    table, ranks = np.unique(flat, axis=0, return_inverse=True)
    return ranks.reshape(len(bits), len(points)).astype(np.int64), _SortedByRank(table)


def _table(member: Images) -> Keys:
    count = len(member)
    limbs = -(-count // _WIDE)
    table = np.zeros((-(-count // _BYTE), 256, limbs), dtype=np.int64)
    values = np.arange(256)
    for at, image in enumerate(member):
        is_set = values >> (_BYTE - 1 - at % _BYTE) & 1
        limb, place = divmod(image, _WIDE)
        table[at // _BYTE, :, limb] |= is_set << (_WIDE - 1 - place)
    return table


def _unpacked(keys: Keys, count: int) -> Bits:
    columns = [
        (keys[:, at // _WIDE] >> (_WIDE - 1 - at % _WIDE) & 1).astype(np.uint8)
        for at in range(count)
    ]
    return np.stack(columns, axis=1)


@dataclass(frozen=True, slots=True)
class Single:
    """A claim that is one bit."""

    word: int
    shift: int


@dataclass(frozen=True, slots=True)
class Coded:
    """A claim that holds when a field of bits is *code*."""

    place: Place
    code: int


Spot: TypeAlias = Single | Coded


def spot(layout: Layout, bit: Bit) -> Spot:
    """Where the claim that *bit* stands for is in a packed state."""
    field = layout.field(bit.variable)
    place, at = field.place, 0
    if bit.value is UNSET and field.presence is not None:
        place = field.presence
    elif isinstance(field.shape, Mask):
        at = field.shape.members.index(bit.value)
    else:
        return Coded(place, encoded(field.shape, bit.value))
    first = place.shift + at
    return Single(place.word + first // WORD, first % WORD)


class Columns:
    """Reads some claims of packed states, and writes them."""

    def __init__(self, spots: Sequence[Spot]) -> None:
        self.spots = tuple(spots)
        self._coded: dict[Place, list[tuple[int, int]]] = {}
        masks: dict[int, int] = {}
        for at, each in enumerate(self.spots):
            if isinstance(each, Single):
                masks[each.word] = masks.get(each.word, 0) | 1 << each.shift
            else:
                self._coded.setdefault(each.place, []).append((at, each.code))
        self._masks = {word: ~np.uint64(mask) for word, mask in masks.items()}

    def read(self, rows: Rows) -> Bits:
        plain = rows.view(np.uint64)
        bits = np.empty((len(rows), len(self.spots)), dtype=np.uint8)
        for at, each in enumerate(self.spots):
            if isinstance(each, Single):
                bits[:, at] = plain[:, each.word] >> np.uint64(each.shift) & np.uint64(1)
        for place, coded in self._coded.items():
            mask = np.uint64((1 << place.width) - 1)
            codes = plain[:, place.word] >> np.uint64(place.shift) & mask
            for at, code in coded:
                bits[:, at] = codes == code
        return bits

    def write(self, rows: Rows, bits: Bits) -> None:
        plain = rows.view(np.uint64)
        for word, mask in self._masks.items():
            plain[:, word] &= mask
        for at, each in enumerate(self.spots):
            if isinstance(each, Single):
                plain[:, each.word] |= bits[:, at].astype(np.uint64) << np.uint64(each.shift)
        for place, coded in self._coded.items():
            columns = [at for at, _ in coded]
            codes = np.array([code for _, code in coded], dtype=np.uint64)
            is_there = bits[:, columns].any(axis=1)
            wanted = codes[bits[:, columns].argmax(axis=1)]
            kept = ~np.uint64(((1 << place.width) - 1) << place.shift)
            before = plain[:, place.word]
            after = before & kept | wanted << np.uint64(place.shift)
            # A variable whose value is not among the claims keeps it.
            plain[:, place.word] = np.where(is_there, after, before)
