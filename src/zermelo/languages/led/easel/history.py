"""What happened in each frame, in bounded memory.

Most frames leave things as they were, so what is kept is when something changed. When
there is too much of it the oldest changes are forgotten, and with them the way back to
the frames they belong to.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

T = TypeVar("T")

MOST_CHANGES: Final = 20_000
"""Eleven minutes in which every frame changes something."""
MOST_PARTS: Final = 5_000_000
"""How many parts all the values have together that are kept."""


@dataclass(slots=True)
class Changes(Generic[T]):
    """A value for each frame from *first* on, of which only the changes are kept."""

    most: int = MOST_CHANGES
    most_parts: int = MOST_PARTS
    _starts: list[int] = field(default_factory=list)
    _values: list[T] = field(default_factory=list)
    _parts: list[int] = field(default_factory=list)
    _sum: int = 0

    @property
    def first(self) -> int:
        """The first frame that is still known."""
        return self._starts[0] if self._starts else 0

    def put(self, frame: int, value: T, *, parts: int = 1) -> None:
        """From *frame* on it is *value*, which has so many *parts*; what came later is dropped."""
        self.drop_from(frame)
        if self._values and self._values[-1] == value:
            return
        self._starts.append(frame)
        self._values.append(value)
        self._parts.append(parts)
        self._sum += parts
        self._forget()

    def at(self, frame: int) -> T:
        """The value in *frame*."""
        return self._values[bisect_right(self._starts, frame) - 1]

    def drop_from(self, frame: int) -> None:
        """Forget the changes in *frame* and after it."""
        while self._starts and self._starts[-1] >= frame:
            self._starts.pop()
            self._values.pop()
            self._sum -= self._parts.pop()

    def _forget(self) -> None:
        """Forget the oldest changes, many at once, since a list is slow at its front."""
        if len(self._starts) <= self.most and self._sum <= self.most_parts:
            return
        gone, parts = 0, self._sum
        while len(self._starts) - gone > max(1, self.most * 3 // 4) or (
            parts > self.most_parts * 3 // 4 and len(self._starts) - gone > 1
        ):
            parts -= self._parts[gone]
            gone += 1
        del self._starts[:gone], self._values[:gone], self._parts[:gone]
        self._sum = parts
