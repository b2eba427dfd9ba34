"""Mappings as files in TOML say them: which components of a token are which cells of a game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from zermelo.core.values import Value, to_text
from zermelo.languages.nets.ir import Net, Place
from zermelo.languages.nets.shape import Layer, Mapped
from zermelo.text.errors import UsageError, nearest
from zermelo.text.prose import count, listing

KEYS: Final[Mapping[str, str]] = {
    "place": 'the name of a place, as in `place = "board"`',
    "cells": 'a list with the cell of each component, as in `cells = ["(1,1)", "(1,2)"]`',
    "values": 'a table of numbers and sets, as in `values = { 1 = "X", 2 = "O" }`',
}
_MOST_NAMED: Final = 6
_LONG: Final = 3
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}")


def mapping(
    data: Mapping[str, object], net: Net, sets: Mapping[str, Iterable[Value]], *, source: str
) -> Mapped:
    """The mapping that *data* says; *sets* are those of the game, with the cells they may have.

    Raises ``UsageError`` with *source*, the name of the file, the key that is wrong, and how.
    """
    try:
        return _mapping(data, net, sets, source)
    except UsageError as error:
        raise UsageError(f"{source}: {error}") from error


def _mapping(
    data: Mapping[str, object], net: Net, sets: Mapping[str, Iterable[Value]], source: str
) -> Mapped:
    for key in data:
        if key not in KEYS:
            raise UsageError(f"a mapping has no key `{key}`{_instead(key, list(KEYS))}")
    for key, said in KEYS.items():
        if key not in data:
            raise UsageError(f"`{key}` is missing: it is {said}")
    place = _place(data["place"], net)
    layers = _layers(data["values"], place, list(sets))
    cells = _cells(data["cells"], place, {layer.variable: sets[layer.variable] for layer in layers})
    return Mapped(place.name, cells, layers, source)


def _place(name: object, net: Net) -> Place:
    if not isinstance(name, str):
        raise _other("place", name)
    place = net.place(name)
    if place is None:
        there = [each.name for each in net.places]
        raise UsageError(f"`place`: the net has no place `{name}`{_instead(name, there)}")
    if not place.arity:
        raise UsageError(f"`place`: tokens of `{name}` are black, and have no components")
    return place


def _layers(table: object, place: Place, sets: Sequence[str]) -> tuple[Layer, ...]:
    if not isinstance(table, dict) or not table:
        raise _other("values", table)
    found: dict[int, str] = {}
    for key, name in table.items():
        number = _number(key, place)
        if number in found:
            raise UsageError(f"`values` has the number {number} twice")
        if not isinstance(name, str):
            raise UsageError(
                f"`values`: {key} stands for {_shown(name)}, which is no name of a set"
            )
        if name not in sets:
            raise UsageError(f"`values`: the game has no set `{name}`{_instead(name, sets)}")
        if name in found.values():
            raise UsageError(f"`values` has the set `{name}` twice")
        found[number] = name
    return tuple(Layer(number, name) for number, name in found.items())


def _number(key: str, place: Place) -> int:
    if not _NUMBER.fullmatch(key):
        raise UsageError(f"`values`: `{key}` is no whole number")
    number = int(key)
    if place.low is None or place.high is None:
        return number
    if any(low <= number <= high for low, high in zip(place.low, place.high, strict=True)):
        return number
    raise UsageError(
        f"`values`: no component of `{place.name}` can be {number}; they are from "
        f"{min(place.low)} to {max(place.high)}"
    )


def _cells(texts: object, place: Place, sets: Mapping[str, Iterable[Value]]) -> tuple[Value, ...]:
    if not isinstance(texts, list) or not texts:
        raise _other("cells", texts)
    known = {name: cells_of(cells) for name, cells in sets.items()}
    found: dict[Value, None] = {}
    for text in texts:
        if isinstance(text, bool) or not isinstance(text, str | int):
            raise UsageError(f"`cells`: {_shown(text)} is no cell; they are texts in quotes")
        cell = _cell(str(text), known)
        if cell in found:
            raise UsageError(f"`cells` has the cell `{text}` twice")
        found[cell] = None
    if len(found) != place.arity:
        raise UsageError(
            f"`cells` has {count(len(found), 'cell')}, and tokens of `{place.name}` have "
            f"{count(place.arity, 'component')}"
        )
    return tuple(found)


def _cell(text: str, known: Mapping[str, Mapping[str, Value]]) -> Value:
    spelled = _spelled(text)
    for name, cells in known.items():
        if spelled not in cells:
            there = _instead("", list(cells))
            raise UsageError(f"`cells`: the game has no cell `{text}` in `{name}`{there}")
    return next(iter(known.values()))[spelled]


def cells_of(values: Iterable[Value]) -> dict[str, Value]:
    """*values* by how they are written, blanks left out.

    >>> cells_of([(1, 2)])
    {'(1,2)': (1, 2)}
    """
    return {_spelled(to_text(value)): value for value in values}


def _spelled(text: str) -> str:
    # The minus of documents is another sign than the hyphen that keyboards have.
    return "".join(text.split()).replace("-", "\N{MINUS SIGN}")


def _other(key: str, value: object) -> UsageError:
    if isinstance(value, list | dict) and not value:
        return UsageError(f"`{key}` is empty: it is {KEYS[key]}")
    return UsageError(f"`{key}` is something else than {KEYS[key]}")


def _shown(value: object) -> str:
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _instead(name: str, there: Sequence[str]) -> str:
    # Of short names every one is near.
    near = nearest(name, there) if len(name) >= _LONG else ()
    if near:
        return f"; did you mean `{near[0]}`?"
    if not there:
        return ""
    names = [f"`{each}`" for each in there[:_MOST_NAMED]]
    if len(there) > _MOST_NAMED:
        names.append(f"{len(there) - _MOST_NAMED:,} more")
    return f"; it has {listing(names)}"
