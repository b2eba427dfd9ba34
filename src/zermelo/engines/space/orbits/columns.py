"""The claims of packed states as columns of zeros and ones, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.core.expander import Rows
from zermelo.core.layout import WORD, Field, Layout, Mask, Place, encoded
from zermelo.core.values import UNSET
from zermelo.languages.sections.symmetry.ground import Bit

Bits: TypeAlias = npt.NDArray[np.uint8]
"""One row a state, one column a claim."""


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
    if bit.value is UNSET and field.presence is not None:
        return _single(field.presence, 0)
    if isinstance(field.shape, Mask):
        return _single(field.place, field.shape.members.index(bit.value))
    return _coded(field, bit)


def _single(place: Place, at: int) -> Single:
    first = place.shift + at
    return Single(place.word + first // WORD, first % WORD)


def _coded(field: Field, bit: Bit) -> Coded:
    return Coded(field.place, encoded(field.shape, bit.value))


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
        """The claims of *rows*."""
        plain = rows.view(np.uint64)
        bits = np.empty((len(rows), len(self.spots)), dtype=np.uint8)
        for at, each in enumerate(self.spots):
            if isinstance(each, Single):
                bits[:, at] = plain[:, each.word] >> np.uint64(each.shift) & np.uint64(1)
        for place, coded in self._coded.items():
            codes = _codes(plain, place)
            for at, code in coded:
                bits[:, at] = codes == code
        return bits

    def write(self, rows: Rows, bits: Bits) -> None:
        """Write the claims of *rows*."""
        plain = rows.view(np.uint64)
        for word, mask in self._masks.items():
            plain[:, word] &= mask
        for at, each in enumerate(self.spots):
            if isinstance(each, Single):
                plain[:, each.word] |= bits[:, at].astype(np.uint64) << np.uint64(each.shift)
        for place, coded in self._coded.items():
            self._write_codes(plain, bits, place, coded)

    def _write_codes(
        self,
        plain: npt.NDArray[np.uint64],
        bits: Bits,
        place: Place,
        coded: list[tuple[int, int]],
    ) -> None:
        """A variable whose value is not among the claims keeps it."""
        columns = [at for at, _ in coded]
        codes = np.array([code for _, code in coded], dtype=np.uint64)
        is_there = bits[:, columns].any(axis=1)
        wanted = codes[bits[:, columns].argmax(axis=1)]
        kept = ~np.uint64(((1 << place.width) - 1) << place.shift)
        before = plain[:, place.word]
        after = before & kept | wanted << np.uint64(place.shift)
        plain[:, place.word] = np.where(is_there, after, before)


def _codes(plain: npt.NDArray[np.uint64], place: Place) -> npt.NDArray[np.uint64]:
    mask = np.uint64((1 << place.width) - 1)
    return plain[:, place.word] >> np.uint64(place.shift) & mask
