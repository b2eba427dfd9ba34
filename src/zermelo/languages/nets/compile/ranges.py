"""Code for numbers that lie in known ranges."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    """Code for a number that lies between *low* and *high*."""

    code: str
    low: int
    high: int

    @property
    def is_constant(self) -> bool:
        """Whether it is always the same."""
        return self.low == self.high


def constant(value: int) -> Number:
    """A number that is known."""
    return Number(f"({value})" if value < 0 else str(value), value, value)
