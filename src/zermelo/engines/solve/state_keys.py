"""Keys of states in files of solutions: the bits that differ among the states, in whole bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Rows

Bytes: TypeAlias = npt.NDArray[np.uint8]
Words: TypeAlias = npt.NDArray[np.uint64]

_WORD: Final = 64
_ALL: Final = (1 << _WORD) - 1


@dataclass(frozen=True, slots=True)
class BitRun:
    """Some bits of a packed state: *width* of them from bit *shift* of word *word* on."""

    word: int
    shift: int
    width: int


@dataclass(frozen=True)
class StateKeys:
    """How keys are made: runs of bits, the first one the most significant, in whole bytes."""

    runs: tuple[BitRun, ...]
    fixed: tuple[int, ...]
    """The other bits of each word, which are the same in all states."""

    @cached_property
    def length(self) -> int:
        return max(1, -(-sum(run.width for run in self.runs) // 8))

    def words(self, rows: Rows) -> Words:
        """The keys as numbers, those with more than 64 bits in several words, highest first."""
        plain = rows.view(np.uint64)
        out = np.zeros((len(rows), -(-self.length // 8)), dtype=np.uint64)
        for run, place, shift in self._places():
            bits = (plain[:, run.word] >> np.uint64(run.shift)) & np.uint64((1 << run.width) - 1)
            out[:, place] |= bits << np.uint64(shift)
            if shift + run.width > _WORD:
                out[:, place - 1] |= bits >> np.uint64(_WORD - shift)
        return out

    def _places(self) -> Iterator[tuple[BitRun, int, int]]:
        """Each run with the word of a key in which its lowest bit is, and the place there."""
        last, at = -(-self.length // 8) - 1, 0
        for run in reversed(self.runs):
            yield run, last - at // _WORD, at % _WORD
            at += run.width

    def keys(self, rows: Rows) -> Bytes:
        """The keys of *rows*, whose other bits must be as they should."""
        words = np.ascontiguousarray(self.words(rows).astype(">u8"))
        return np.ascontiguousarray(words.view(np.uint8)[:, -self.length :])

    def key(self, words: Sequence[int]) -> bytes | None:
        """The key of one state, given by its words; ``None`` if its other bits are not right."""
        key = 0
        for word, mask, fixed in zip(words, self._other_bits, self.fixed, strict=True):
            if word & mask != fixed:
                return None
        for run in self.runs:
            bits = words[run.word] >> run.shift & (1 << run.width) - 1
            key = key << run.width | bits
        return key.to_bytes(self.length, "big")

    def rows(self, keys: Bytes) -> Rows:
        count = -(-self.length // 8)
        padded = np.zeros((len(keys), count * 8), dtype=np.uint8)
        padded[:, -self.length :] = keys
        words = padded.view(">u8").astype(np.uint64)
        fixed = np.array(self.fixed, dtype=np.uint64)
        out = np.repeat(fixed.reshape(1, -1), len(keys), axis=0)
        for run, place, shift in self._places():
            bits = words[:, place] >> np.uint64(shift)
            if shift + run.width > _WORD:
                bits |= words[:, place - 1] << np.uint64(_WORD - shift)
            bits &= np.uint64((1 << run.width) - 1)
            out[:, run.word] |= bits << np.uint64(run.shift)
        return out.view(np.int64)

    def fits(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Which of *rows* have the other bits as they should be."""
        masks = np.array(self._other_bits, dtype=np.uint64)
        fixed = np.array(self.fixed, dtype=np.uint64)
        matches: npt.NDArray[np.bool_] = ((rows.view(np.uint64) & masks) == fixed).all(axis=1)
        return matches

    @cached_property
    def _other_bits(self) -> tuple[int, ...]:
        masks = [_ALL] * len(self.fixed)
        for run in self.runs:
            masks[run.word] &= ~(((1 << run.width) - 1) << run.shift) & _ALL
        return tuple(masks)


def keys_for(varying: Sequence[int], first: Sequence[int]) -> StateKeys:
    """Keys for states in which only the *varying* bits of each word differ from *first*.

    >>> keys_for([0b1101], [0b0010]).runs
    (BitRun(word=0, shift=0, width=1), BitRun(word=0, shift=2, width=2))
    """
    runs: list[BitRun] = []
    for word, mask in enumerate(varying):
        at = 0
        while bits := mask >> at:
            # The ones that the bits begin with, from the lowest.
            width = (~bits & (bits + 1)).bit_length() - 1
            if width:
                runs.append(BitRun(word, at, width))
            at += width or 1
    fixed = tuple(value & ~mask & _ALL for value, mask in zip(first, varying, strict=True))
    return StateKeys(tuple(runs), fixed)
