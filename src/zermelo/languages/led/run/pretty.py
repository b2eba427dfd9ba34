"""How values of LED programs print: sets in the order in which their members came."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt, log2
from typing import Final

from zermelo.core.values import Atom, Other, TruthValue, Unset, Value
from zermelo.languages.led.run.values import Symbolic, Text, size
from zermelo.text.budget import spend

_BLOCK: Final = 4000
"""Digits that are written at a time: Python refuses longer numbers."""

LONGEST_EXPANSION: Final = 10_000
"""A decimal with more digits than this after its point is written as a quotient."""

_LONGEST_DENOMINATOR: Final = int(LONGEST_EXPANSION * log2(10)) + 1
"""Binary digits: a quotient by more is no decimal that is written."""

_DEEPEST: Final = 200

_MOST_PARTS: Final = 2_000_000

_SHORT: Final = 60

_LONG: Final = 1000
"""Binary digits of a number that a sentence does not write out."""


def pp(value: Value) -> str:
    """*value* as the interpreter prints it; what is nested too deeply, or too large, is left out.

    >>> pp((Fraction(-8, 3), Text("a b"), (7,)))
    '(-2.(6..), a b, (7,))'
    """
    return _whole_value(value, _printed)


def _whole_value(value: Value, write: Callable[[Value, int], str]) -> str:
    """*value* as *write* has it; one that shares its parts may have more of them than fit."""
    if isinstance(value, tuple | frozenset):
        parts = size(value, most=_MOST_PARTS)
        spend(_STEPS_OF_A_PART * parts, "writing a value")
        if parts > _MOST_PARTS:
            return "…"
    return write(value, _DEEPEST)


def _printed(value: Value, levels: int) -> str:
    match value:
        case TruthValue():
            return str(value)
        case int():
            return whole(value)
        case Fraction():
            return _decimal(value)
        case Atom(name):
            return f"`{name}"
        case tuple() | frozenset():
            return _compound(value, levels, _printed)
        case Symbolic():
            return pp(value.concrete())
        case Unset():
            return "unset"
        case Other():
            return str(value)


def _compound(
    value: tuple[Value, ...] | frozenset[Value],
    levels: int,
    inner: Callable[[Value, int], str],
    *,
    most: int | None = None,
) -> str:
    """*value*; what follows *most* characters need not be right, as it is not shown."""
    if not levels:
        return "…"
    texts: list[str] = []
    length = 0
    for each in value:
        texts.append(inner(each, levels - 1))
        length += len(texts[-1])
        if most is not None and length > most:
            break
    parts = ", ".join(texts)
    if isinstance(value, frozenset):
        return f"{{{parts}}}"
    return f"({parts},)" if len(value) == 1 else f"({parts})"


def plain(value: Value) -> str:
    """*value* for a sentence: strings in quotes, long things cut short.

    >>> plain((1, Text("a")))
    '(1, "a")'
    """
    shown = _quoted(value, _SHORT)
    return shown if len(shown) <= _SHORT else f"{shown[: _SHORT - 1]}…"


def _quoted(value: Value, levels: int) -> str:
    match value:
        case Text(text):
            return f'"{text}"'
        case tuple() | frozenset():
            return _compound(value, levels, _quoted, most=_SHORT)
        case int() if value.bit_length() > _LONG:
            return f"a number with {value.bit_length():,} binary digits"
        case _:
            return pp(value)


def source(value: Value) -> str:
    """*value* as a program writes it, where it can: strings in quotes.

    >>> source((Text("a b"), Atom("x")))
    '("a b", `x)'
    """
    return _whole_value(value, _written)


def _written(value: Value, levels: int) -> str:
    match value:
        case Text(text):
            return f'"{text}"'
        case tuple() | frozenset():
            return _compound(value, levels, _written)
        case _:
            return pp(value)


def whole(value: int) -> str:
    """The decimal digits of *value*, however many.

    >>> whole(-12), len(whole(10**9999))
    ('-12', 10000)
    """
    if value < 0:
        return f"-{whole(-value)}"
    if value.bit_length() < 3 * _BLOCK:
        return str(value)
    # Halving the number of digits each time keeps this fast where digit by digit is not.
    length = int(value.bit_length() * 0.30103) // 2
    high, low = divmod(value, 10**length)
    return whole(high) + whole(low).rjust(length, "0")


def steps(value: Value) -> int:
    """How many steps of work printing *value* takes.

    >>> steps((1, Fraction(1, 3)))
    12
    """
    count = 0
    waiting = [value]
    while waiting and count < _STEPS_OF_A_PART * _MOST_PARTS:
        at = waiting.pop()
        count += _STEPS_OF_A_PART
        match at:
            case tuple() | frozenset():
                waiting.extend(at)
            case Fraction():
                bits = at.denominator.bit_length()
                count += 2 * min(at.denominator, LONGEST_EXPANSION) * (1 + (bits >> 9))
                bits += at.numerator.bit_length()
                count += bits * isqrt(bits) >> 10
            case int():
                bits = at.bit_length()
                count += bits * isqrt(bits) >> 10
            case _:
                pass
    return count


_STEPS_OF_A_PART: Final = 2


def _decimal(value: Fraction) -> str:
    if value.denominator.bit_length() > _LONGEST_DENOMINATOR:
        return f"{whole(value.numerator)}/{whole(value.denominator)}"
    sign = "-" if value < 0 else ""
    units, rest = divmod(abs(value.numerator), value.denominator)
    digits: list[str] = []
    seen: dict[int, int] = {}
    while rest and rest not in seen:
        if len(digits) == LONGEST_EXPANSION:
            return f"{whole(value.numerator)}/{whole(value.denominator)}"
        seen[rest] = len(digits)
        digit, rest = divmod(rest * 10, value.denominator)
        digits.append(str(digit))
    if not rest:
        return f"{sign}{whole(units)}.{''.join(digits)}"
    start = seen[rest]
    return f"{sign}{whole(units)}.{''.join(digits[:start])}({''.join(digits[start:])}..)"
