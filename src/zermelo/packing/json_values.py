"""Values as JSON from which they can be made again, for what is kept in files.

What is read back is taken for what it should be only after all of it was looked at.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import TypeVar

from zermelo.core.values import (
    UNSET,
    Atom,
    Other,
    TruthValue,
    Unset,
    Value,
    in_order,
    truth,
)
from zermelo.text.diagnostic import Json

T = TypeVar("T")


class Unfit(Exception):
    """Data that is not what it should be."""


def to_json(value: Value) -> Json:
    """*value* as JSON; what JSON does not have is a list that begins with the name of its kind."""
    match value:
        case Unset():
            return None
        case TruthValue():
            return value.holds
        case int():
            # Python refuses to write and to read decimal numbers of some length.
            return value if _is_word(value) else ["number", hex(value)]
        case Fraction():
            return ["fraction", hex(value.numerator), hex(value.denominator)]
        case Atom(name):
            return name
        case tuple():
            return ["tuple", *map(to_json, value)]
        case frozenset():
            return ["set", *map(to_json, in_order(value))]
        case Other():
            raise Unfit(f"{value} has no such form")


def from_json(data: Json) -> Value:
    if isinstance(data, list) and data:
        return _compound(data[0], data[1:])
    if data is None:
        return UNSET
    if isinstance(data, str):
        return Atom(data)
    if isinstance(data, bool):
        return truth(data)
    if isinstance(data, int) and _is_word(data):
        return data
    raise Unfit


def _compound(kind: Json, items: list[Json]) -> Value:
    match kind:
        case "tuple":
            return tuple(map(from_json, items))
        case "set":
            members = frozenset(map(from_json, items))
            if len(members) == len(items):
                return members
        case "number" if len(items) == 1:
            return int(expect(str, items[0]), 16)
        case "fraction" if len(items) == 2:
            above, below = (int(expect(str, item), 16) for item in items)
            if below > 1 and gcd(above, below) == 1:
                return Fraction(above, below)
    raise Unfit


def expect_list(data: Json, length: int | None = None) -> list[Json]:
    found = expect(list, data)
    if length is not None and len(found) != length:
        raise Unfit
    return found


def expect(kind: type[T], data: Json) -> T:
    if not isinstance(data, kind):
        raise Unfit
    return data


def _is_word(number: int) -> bool:
    return -(1 << 63) <= number < 1 << 63
