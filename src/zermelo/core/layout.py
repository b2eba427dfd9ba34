"""Where each variable's value lies in a packed state.

A packed state is a row of 64-bit words. A subset of a finite set is a mask with
one bit a member, a whole number between bounds is a bit field, anything else
finite is the number of a value in a list. Whoever packs states agrees on this
record, so engines can read what kernels write.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from zermelo.core.state import State
from zermelo.core.values import UNSET, Value, to_text
from zermelo.text.diagnostic import Json
from zermelo.text.errors import TooLargeToPack

WORD: Final = 64


@dataclass(frozen=True, slots=True)
class Mask:
    """A subset of *members*: bit i stands for the i-th of them."""

    members: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number from *low* to *high*, kept as its distance from *low*."""

    low: int
    high: int
    is_declared: bool = True
    """Whether the document bounds it; otherwise *high* is only the room there is."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of *values*, kept as its number in the list."""

    values: tuple[Value, ...]


Shape: TypeAlias = Mask | Count | Choice


@dataclass(frozen=True, slots=True)
class Place:
    """Some bits of a packed state: *width* of them from bit *shift* of word *word* on.

    More than 64 bits start at bit 0 and go on in the words that follow.
    """

    word: int
    shift: int
    width: int


@dataclass(frozen=True, slots=True)
class Field:
    """A stored variable, the shape of its values and their place."""

    variable: str
    shape: Shape
    place: Place
    presence: Place | None = None
    """The bit that tells whether it is set, where it may be unset; choices list ``UNSET``."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of all stored variables."""

    fields: tuple[Field, ...]
    words: int

    def field(self, variable: str) -> Field:
        return next(field for field in self.fields if field.variable == variable)

    @property
    def last_bits(self) -> int:
        """How many of the lowest bits of the last word there are; the others are always 0."""
        places = [field.place for field in self.fields]
        places += [field.presence for field in self.fields if field.presence is not None]
        ends = (place.word * WORD + place.shift + place.width for place in places)
        return max(0, max(ends, default=0) - (self.words - 1) * WORD)

    def pack(self, state: State) -> tuple[int, ...]:
        """*state* as words, each a signed 64-bit number."""
        words = [0] * self.words
        for field in self.fields:
            value = state[field.variable]
            if field.presence is not None:
                _put(words, field.presence, int(value is not UNSET))
                if value is UNSET:
                    continue
            _put(words, field.place, _code(field, value))
        return tuple(map(_signed, words))

    def unpack(self, words: Sequence[int]) -> State:
        plain = [int(word) & _ALL for word in words]
        values = tuple(_value(field, plain) for field in self.fields)
        return State(values, tuple(field.variable for field in self.fields))


def layout_json(layout: Layout) -> list[Json]:
    """Where each variable lies and which values it has, in full: the same means the same states."""
    return [
        {
            "variable": field.variable,
            "values": _shape_json(field.shape),
            "place": _place_json(field.place),
            "presence": None if field.presence is None else _place_json(field.presence),
        }
        for field in layout.fields
    ]


def _place_json(place: Place) -> Json:
    return [place.word, place.shift, place.width]


def _shape_json(shape: Shape) -> Json:
    match shape:
        case Mask(members):
            return {"subset of": [to_text(each) for each in members]}
        case Count(low, high):
            return {"from": low, "to": high}
        case Choice(values):
            return {"one of": [to_text(each) for each in values]}
        case _:
            assert_never(shape)


@dataclass(frozen=True, slots=True)
class Unpackable:
    """The reason why the states of a model cannot be packed."""

    reason: str


_ALL: Final = (1 << WORD) - 1


def width(shape: Shape) -> int:
    """How many bits values of *shape* take."""
    match shape:
        case Mask(members):
            return len(members)
        case Count(low, high):
            return (high - low).bit_length()
        case Choice(values):
            return (len(values) - 1).bit_length()
        case _:
            assert_never(shape)


def encoded(shape: Shape, value: Value) -> int:
    """*value* as the number that stands for it in *shape*; raises if there is none."""
    match shape:
        case Mask(members):
            if not isinstance(value, frozenset):
                raise TypeError("not a set")
            found = sum(1 << at for at, member in enumerate(members) if member in value)
            if found.bit_count() != len(value):
                raise ValueError("not a subset")
            return found
        case Count(low, high):
            if not isinstance(value, int) or not low <= value <= high:
                raise ValueError("out of bounds")
            return value - low
        case Choice(values):
            return values.index(value)
        case _:
            assert_never(shape)


def decoded(shape: Shape, code: int) -> Value:
    match shape:
        case Mask(members):
            found = []
            while code:
                lowest = code & -code
                found.append(members[lowest.bit_length() - 1])
                code ^= lowest
            return frozenset(found)
        case Count(low):
            return low + code
        case Choice(values):
            return values[code]
        case _:
            assert_never(shape)


def _check_room(variable: str, shape: Count, value: Value) -> None:
    if isinstance(value, int) and not shape.low <= value <= shape.high:
        raise TooLargeToPack(
            f"`{variable}` has become {value:,}, and nothing bounds it: packed states "
            f"have room for numbers from {shape.low:,} to {shape.high:,}; declare it as a "
            f"member of a finite set, such as {{0..100}}"
        )


def _code(field: Field, value: Value) -> int:
    shape = field.shape
    if isinstance(shape, Count) and not shape.is_declared:
        _check_room(field.variable, shape, value)
    return encoded(shape, value)


def _value(field: Field, words: list[int]) -> Value:
    if field.presence is not None and not _get(words, field.presence):
        return UNSET
    return decoded(field.shape, _get(words, field.place))


def _get(words: list[int], place: Place) -> int:
    if place.shift + place.width <= WORD:
        return words[place.word] >> place.shift & ((1 << place.width) - 1)
    count = -(-(place.shift + place.width) // WORD)
    joined = sum(words[place.word + at] << (WORD * at) for at in range(count))
    return joined >> place.shift & ((1 << place.width) - 1)


def _put(words: list[int], place: Place, code: int) -> None:
    code <<= place.shift
    at = place.word
    while code:
        words[at] |= code & _ALL
        code >>= WORD
        at += 1


def _signed(word: int) -> int:
    return word - (1 << WORD) if word >> (WORD - 1) else word


def placed(shapes: Mapping[str, Shape], *, absent: Collection[str] = ()) -> Layout:
    """The layout of variables with these *shapes*; those that are *absent* may be unset.

    The widest come first, each in the first word with room for it.
    """
    wanted = [(width(shape), name) for name, shape in shapes.items()]
    wanted += [(1, f"{name}?") for name in shapes if name in absent]
    free: list[int] = []
    """The first bit of each word that is not taken."""
    places: dict[str, Place] = {}
    for size, name in sorted(wanted, key=lambda item: -item[0]):
        if size > WORD:
            places[name] = Place(len(free), 0, size)
            free += [WORD] * -(-size // WORD)
            continue
        at = next((w for w, used in enumerate(free) if used + size <= WORD), len(free))
        if at == len(free):
            free.append(0)
        places[name] = Place(at, free[at], size)
        free[at] += size
    fields = tuple(
        Field(name, shape, places[name], places.get(f"{name}?")) for name, shape in shapes.items()
    )
    return Layout(fields, max(1, len(free)))
