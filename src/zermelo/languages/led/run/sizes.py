"""How large values are."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from zermelo.core.values import Value
from zermelo.languages.led.run.values import Text

MOST_LEVELS: Final = 200
"""How deep sets and tuples may stand in each other; Python compares them by recursion."""

MOST_PARTS: Final = 100_000
"""The parts that a state may have; one with more is taken to grow without bound."""

_BITS: Final = 64
_LETTERS: Final = 8


def size(value: Value, *, most: int = MOST_PARTS) -> int:
    """The number of parts of *value*, counted no further than just beyond *most*.

    A set or tuple counts as one, and so does each of its parts; long numbers and texts count
    as several.

    >>> size(frozenset({(1, 2), (3, 4)}), most=100)
    7
    """
    counted = 0
    left: list[Value] = [value]
    while left and counted <= most:
        part = left.pop()
        counted += 1
        match part:
            case tuple() | frozenset():
                if len(part) > most:
                    return most + 1
                left.extend(part)
            case Text(text):
                counted += len(text) // _LETTERS
            case bool():
                pass
            case int():
                counted += part.bit_length() // _BITS
            case Fraction():
                counted += (part.numerator.bit_length() + part.denominator.bit_length()) // _BITS
            case _:
                pass
    return min(counted, most + 1)


def is_deep(value: Value, *, most: int = MOST_LEVELS) -> bool:
    """Whether in *value*, whose size is bounded, more than *most* sets and tuples are nested.

    >>> is_deep(((1, 2), 3), most=2), is_deep((((1,),),), most=2)
    (False, True)
    """
    level: list[Value] = [value]
    for _ in range(most + 1):
        level = [part for each in level if isinstance(each, tuple | frozenset) for part in each]
        if not level:
            return False
    return True
