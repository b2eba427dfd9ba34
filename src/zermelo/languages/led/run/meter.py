"""What an evaluation in progress has: the state, the input, and how much work is left."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final, TypeAlias

from zermelo.core.values import Value
from zermelo.languages.led.run.easel import Input
from zermelo.languages.led.run.operations import LARGEST_NUMBER
from zermelo.languages.led.run.values import Frame, Undefined

STEPS: Final = 10_000_000
"""The work that one question may take, unless somebody says otherwise."""


Remember: TypeAlias = Callable[[str, tuple[Value, ...], bool, Callable[[], Value]], Value]
"""Gives the value of a call, which it may have computed before.

It gets the call's name and arguments, whether it depends on the state, and what computes it.
"""

_SMALL: Final = 512
"""Binary digits of numbers that count for nothing."""


class Meter:
    """The frame in which a program is evaluated, and the work that is left for it."""

    __slots__ = ("budget", "deepest", "input", "is_known", "left", "remember", "state")

    def __init__(self, budget: int = STEPS) -> None:
        self.budget = budget
        self.left = budget
        self.state: Value | None = None
        self.input: Input | None = None
        self.is_known = True
        """Whether the input consists of numbers that are known."""
        self.remember: Remember | None = None
        """Keeps what depends only on an input that is not known."""
        self.deepest: Frame | None = None
        """The call that was being evaluated when the recursion became too deep."""

    def restart(self) -> None:
        """Begin with all work left."""
        self.left = self.budget
        self.deepest = None

    def spend(self, steps: int) -> None:
        """Take *steps* off the work that is left."""
        self.left -= steps
        if self.left < 0:
            raise self.exhausted()

    def exhausted(self) -> Undefined:
        """What is said when no work is left."""
        return Undefined(f"this took more than {self.budget:,} steps", is_limit=True)

    def weighed(self, value: Value) -> Value:
        """*value*, a large one, when its size is accounted for."""
        if isinstance(value, int):
            bits = value.bit_length()
            if bits < _SMALL:
                return value
        elif isinstance(value, Fraction):
            bits = value.numerator.bit_length() + value.denominator.bit_length()
        elif isinstance(value, tuple | frozenset):
            self.spend(len(value) >> 3)
            return value
        else:
            return value
        if bits > LARGEST_NUMBER:
            reason = f"a number with more than {LARGEST_NUMBER:,} binary digits"
            raise Undefined(reason, is_limit=True)
        self.spend(bits >> 6)
        return value
