"""The points of the screen, in parts: points in one part were never told apart.

A set of points that is a union of parts is a number with one bit for each of them.
Splitting a part gives the new part a new bit; sets that had the old part must get it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.languages.led.run.symbolic import HEIGHT, WIDTH, Points

Mask: TypeAlias = int
"""A set of parts."""
Splits: TypeAlias = Sequence[tuple[int, int]]
"""Parts that were split, each with the part that took some of its points."""

_MOST_RUNS: Final = 20_000
"""In a set with more pieces of rows than this, it is not asked which of them touch."""


class Screen:
    """Which points have been told apart."""

    def __init__(self) -> None:
        self._labels: npt.NDArray[np.int32] = np.zeros((HEIGHT, WIDTH), dtype=np.int32)
        self._sizes: npt.NDArray[np.int64] = np.array([WIDTH * HEIGHT], dtype=np.int64)
        self._firsts: list[int] = [0]
        """Some point of each part."""

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return len(self._firsts)

    @property
    def everywhere(self) -> Mask:
        """All points."""
        return (1 << self.parts) - 1

    def take(self, points: Points) -> tuple[Mask, Splits]:
        """*points* as a set of parts, and the parts that had to be split for it."""
        everywhere = np.broadcast_to(points, self._labels.shape)
        inner = self._labels[everywhere]
        counts = np.bincount(inner, minlength=self.parts)
        is_split = (counts > 0) & (counts < self._sizes)
        old = np.flatnonzero(is_split)
        if len(old):
            self._split(everywhere, inner, old, counts[old])
            counts = np.concatenate((np.where(is_split, 0, counts), counts[old]))
        splits = [(int(each), self.parts - len(old) + at) for at, each in enumerate(old)]
        return _mask(counts > 0), splits

    def _split(
        self,
        everywhere: Points,
        inner: npt.NDArray[np.int32],
        old: npt.NDArray[np.int64],
        counts: npt.NDArray[np.int64],
    ) -> None:
        """Make new parts of those points of the *old* ones that are *inner* ones."""
        new = np.arange(self.parts, dtype=np.int32)
        new[old] = np.arange(self.parts, self.parts + len(old), dtype=np.int32)
        self._labels[everywhere] = new[inner]
        self._sizes[old] -= counts
        self._sizes = np.concatenate((self._sizes, counts))
        flat = self._labels.ravel()
        self._firsts += [0] * len(old)
        for part in (*old.tolist(), *range(self.parts - len(old), self.parts)):
            if flat[self._firsts[part]] != part:
                self._firsts[part] = int(np.argmax(flat == part))

    def place(self, mask: Mask) -> tuple[int, int]:
        """Some point (x, y) in *mask*, which is not empty; always the same one."""
        lowest = (mask & -mask).bit_length() - 1
        row, x = divmod(self._firsts[lowest], WIDTH)
        return x, row + 1

    def points(self, mask: Mask) -> Points:
        """The points of *mask*."""
        data = mask.to_bytes((self.parts + 7) // 8, "little")
        bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8), bitorder="little")
        return np.asarray(bits[: self.parts].astype(np.bool_)[self._labels])

    def size(self, mask: Mask) -> int:
        """How many points there are in *mask*."""
        return int(self.points(mask).sum())


def _mask(is_in: npt.NDArray[np.bool_]) -> Mask:
    return int.from_bytes(np.packbits(is_in, bitorder="little").tobytes(), "little")


def grown(mask: Mask, splits: Splits) -> Mask:
    """*mask* after parts were split: who had a part has what became of it."""
    for old, new in splits:
        if mask >> old & 1:
            mask |= 1 << new
    return mask


def middle(points: Points) -> tuple[int, int]:
    """A point (x, y) near the middle of the largest connected piece of *points*."""
    piece = _largest_piece(np.broadcast_to(points, (HEIGHT, WIDTH)))
    ys, xs = np.nonzero(piece)
    twice_x, twice_y = int(xs.min()) + int(xs.max()), int(ys.min()) + int(ys.max())
    distance = (2 * xs - twice_x) ** 2 + (2 * ys - twice_y) ** 2
    nearest = np.flatnonzero(distance == distance.min())
    best = min(nearest.tolist(), key=lambda at: (int(xs[at]), int(ys[at])))
    return int(xs[best]), int(ys[best]) + 1


def _largest_piece(points: Points) -> Points:
    """The largest set of *points* that hang together, the lowest of several."""
    edges = np.diff(np.pad(points.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    rows, starts = np.nonzero(edges == 1)
    _, stops = np.nonzero(edges == -1)
    if len(rows) > _MOST_RUNS:
        return points
    owner = _joined(rows.tolist(), starts.tolist(), stops.tolist())
    sizes: dict[int, int] = {}
    for run, root in enumerate(owner):
        sizes[root] = sizes.get(root, 0) + int(stops[run] - starts[run])
    largest = max(sizes, key=lambda root: (sizes[root], -root))
    piece = np.zeros_like(points)
    for run, root in enumerate(owner):
        if root == largest:
            piece[rows[run], starts[run] : stops[run]] = True
    return piece


def _joined(rows: Sequence[int], starts: Sequence[int], stops: Sequence[int]) -> list[int]:
    """For each run of points in a row the first run of the piece it belongs to."""
    parent = list(range(len(rows)))

    def root(run: int) -> int:
        while parent[run] != run:
            parent[run] = parent[parent[run]]
            run = parent[run]
        return run

    below = 0
    for run, row in enumerate(rows):
        while rows[below] < row - 1 or (rows[below] == row - 1 and stops[below] <= starts[run]):
            below += 1
        at = below
        while rows[at] == row - 1 and starts[at] < stops[run]:
            first, second = sorted((root(at), root(run)))
            parent[second] = first
            at += 1
    return [root(run) for run in range(len(rows))]
