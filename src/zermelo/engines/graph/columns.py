"""Long lists of whole numbers that grow at their end and take little memory.

A number takes as many bytes as the widest number beside it needs. What is there already is
never copied while the list grows, and when it becomes one array each part goes as soon as it
has been copied, so that there are never two of it.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

Integers: TypeAlias = npt.NDArray[np.signedinteger[Any]]
"""Whole numbers of any width."""
Width: TypeAlias = type[np.int8] | type[np.int16] | type[np.int32] | type[np.int64]

WIDTHS: Final[tuple[Width, ...]] = (np.int8, np.int16, np.int32, np.int64)
_FEWEST: Final = 1 << 10
_BLOCK: Final = 1 << 25
"""Bytes of a large part: allocators take this much from the system, and give it back at once."""


class Column:
    """A list of whole numbers while it grows, each of at least as many bytes as *narrowest*."""

    def __init__(self, narrowest: Width) -> None:
        self._width: Width = narrowest
        self._full: list[Integers] = []
        self._block: Integers = np.empty(0, dtype=narrowest)
        self._used = 0
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def append(self, values: Integers) -> None:
        """Put *values* at the end."""
        if not len(values):
            return
        self._make_wide(int(values.min()), int(values.max()))
        at = 0
        while at < len(values):
            if self._used == len(self._block):
                self._begin_block()
            taken = min(len(values) - at, len(self._block) - self._used)
            self._block[self._used : self._used + taken] = values[at : at + taken]
            self._used += taken
            self._size += taken
            at += taken

    def joined(self, narrowest: Width = np.int8) -> Integers:
        """All of them as one array of at least this width; afterwards the list is empty."""
        self._close_block()
        width = max(self._width, narrowest, key=WIDTHS.index)
        whole: Integers = np.empty(self._size, dtype=width)
        at = 0
        self._full.reverse()
        while self._full:
            part = self._full.pop()
            whole[at : at + len(part)] = part
            at += len(part)
        self._size = 0
        return whole

    def _make_wide(self, least: int, most: int) -> None:
        """See to it that the next part has room for these two, and all between them."""
        for width in WIDTHS[WIDTHS.index(self._width) :]:
            room = np.iinfo(width)
            if room.min <= least and most <= room.max:
                if width is not self._width:
                    self._close_block()
                    self._width = width
                return

    def _begin_block(self) -> None:
        self._close_block()
        most = _BLOCK // np.dtype(self._width).itemsize
        size = min(max(_FEWEST, 2 * self._size), most)
        self._block = np.empty(size, dtype=self._width)

    def _close_block(self) -> None:
        if self._used:
            self._full.append(self._block[: self._used])
        self._block = np.empty(0, dtype=self._width)
        self._used = 0
