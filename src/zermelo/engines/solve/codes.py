"""Values as numbers of one, two or four bytes, and the arithmetic of perfect play on them.

A code tells what one player, the *seeker*, gets against all others. Codes are
ordered as the seeker likes them: a late loss over a soon one, then endless play,
then a draw, the sooner the better, then a win, the sooner the better. Turned
round, losses and wins change places, so that the same order serves the others.

With b bits for the distance d and M = 2ᵇ − 1:

    loss in d      0·2ᵇ + d
    endless        1·2ᵇ
    not known      1·2ᵇ + 1
    draw in d      2·2ᵇ + M − d
    win in d       3·2ᵇ + M − d
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.engines.solve.values import Kind

Codes: TypeAlias = npt.NDArray[np.unsignedinteger[Any]]

_LOSS, _OTHER, _DRAW, _WIN = range(4)
_LISTED_BITS: Final = 16
"""For codes of at most so many bits there are tables."""


@dataclass(frozen=True)
class Coding:
    """Codes of 1, 2 or 4 bytes."""

    size: int

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the numbers."""
        return np.dtype(f"<u{self.size}")

    @property
    def bits(self) -> int:
        """How many bits tell the distance."""
        return 8 * self.size - 2

    @property
    def most(self) -> int:
        """The greatest distance that can be told."""
        return (1 << self.bits) - 1

    @property
    def endless(self) -> int:
        """The code of play without end."""
        return 1 << self.bits

    @property
    def unknown(self) -> int:
        """The code of what is not known."""
        return (1 << self.bits) + 1

    def code(self, kind: Kind, plies: int = 0) -> int:
        """The code of a value for the seeker.

        >>> Coding(1).code(Kind.WIN, 8), Coding(1).code(Kind.LOSS, 8)
        (247, 8)
        """
        match kind:
            case Kind.LOSS:
                return plies
            case Kind.DRAW:
                return (3 << self.bits) - 1 - plies
            case Kind.WIN:
                return (4 << self.bits) - 1 - plies
            case Kind.ENDLESS:
                return self.endless
            case Kind.UNKNOWN:
                return self.unknown

    def decoded(self, code: int) -> tuple[Kind, int | None]:
        """What *code* tells, and the distance.

        >>> Coding(2).decoded(Coding(2).code(Kind.DRAW, 36))
        (<Kind.DRAW: 'draw'>, 36)
        """
        match code >> self.bits:
            case 0:
                return Kind.LOSS, code
            case 1:
                return (Kind.ENDLESS if code == self.endless else Kind.UNKNOWN), None
            case 2:
                return Kind.DRAW, (3 << self.bits) - 1 - code
            case _:
                return Kind.WIN, (4 << self.bits) - 1 - code

    def turned(self, codes: Codes) -> Codes:
        """The codes as the other side likes them: wins and losses exchanged."""
        return self._turned[codes] if self._is_listed else self._turn(codes)

    def before(self, codes: Codes) -> Codes:
        """The codes one move earlier: the distances longer by one."""
        return self._before[codes] if self._is_listed else self._step(codes)

    def widened(self, codes: Codes, wider: Coding) -> Codes:
        """The same values in another coding."""
        classes = codes >> self.bits
        distances = np.where(classes >= _DRAW, self.most - (codes & self.most), codes & self.most)
        told = distances.astype(wider.dtype)
        kept = np.where(classes >= _DRAW, wider.most - told, told)
        shift = np.asarray(wider.bits, dtype=wider.dtype)
        widened: Codes = ((classes.astype(wider.dtype) << shift) | kept).astype(wider.dtype)
        return widened

    @property
    def _is_listed(self) -> bool:
        return 8 * self.size <= _LISTED_BITS

    @cached_property
    def _turned(self) -> Codes:
        return self._listed(self._turn)

    @cached_property
    def _before(self) -> Codes:
        return self._listed(self._step)

    def _listed(self, function: Callable[[Codes], Codes]) -> Codes:
        every = np.arange(1 << (8 * self.size), dtype=np.uint32).astype(self.dtype)
        return function(every)

    def _turn(self, codes: Codes) -> Codes:
        classes = codes >> self.bits
        is_decided = (classes == _LOSS) | (classes == _WIN)
        return np.where(is_decided, ~codes, codes).astype(self.dtype)

    def _step(self, codes: Codes) -> Codes:
        classes = codes >> self.bits
        one = np.asarray(1, dtype=self.dtype)
        later = np.where(classes == _LOSS, codes + one, codes - one)
        return np.where(classes == _OTHER, codes, later).astype(self.dtype)


def coding_for(distance: int) -> Coding:
    """The smallest coding for distances up to *distance*.

    >>> [coding_for(d).size for d in (9, 61, 100, 20_000)]
    [1, 1, 2, 4]
    """
    return next(coding for coding in map(Coding, (1, 2, 4)) if distance < coding.most)
