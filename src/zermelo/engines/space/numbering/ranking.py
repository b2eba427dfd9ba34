"""Dense numbers for packed states, guessed from some of them.

Masks over the same members give each member a *pattern*: the masks that contain it.
If few patterns occur, a state is a word over these patterns: cells that each hold one
of k values. Patterns that no state has twice, like places that hold one piece each, make
it an injective placement. What is left are small fields, which are digits, unless their
value follows from the placement: a mask of the places that are taken, a turn or a
counter that depends on how many members are placed.

That a guess was right is never assumed. A number is only given to a state that can be
made again from it, bit by bit; every other state has none (see ``ranking_code``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, factorial, prod
from typing import Final, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Numbers, Rows, Truths
from zermelo.core.layout import WORD, Choice, Count, Field, Layout, Mask, Place

MOST_NUMBERS: Final = 1 << 40
_MOST_PATTERNS: Final = 64
_WIDEST_PATTERN: Final = 12
_WIDEST_DIGIT: Final = 12
_FEWEST_COUNTS: Final = 3
"""A field is taken to follow from a count when so many different counts agree."""

Words: TypeAlias = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class RankedGroup:
    """Masks over the same members, and the patterns that members have."""

    places: tuple[Place, ...]
    members: int
    repeating: tuple[int, ...]
    """Patterns that several members of one state may have."""
    single: tuple[int, ...]
    """Patterns that at most one member of a state has."""

    @property
    def patterns(self) -> tuple[int, ...]:
        return self.repeating + self.single

    @property
    def size(self) -> int:
        return ways(self.members, len(self.single), len(self.repeating))

    def __str__(self) -> str:
        if not self.single:
            return f"{self.members} cells with one of {len(self.repeating)} values each"
        return f"{self.members} members on {len(self.single)} places, no two on the same"


@dataclass(frozen=True, slots=True)
class Digit:
    """A field of its own, with the values that it can have, as they are packed."""

    place: Place
    values: tuple[int, ...]

    def __str__(self) -> str:
        return f"one of {len(self.values)} values"


@dataclass(frozen=True, slots=True)
class ByPlaces:
    """A mask each bit of which says whether a single pattern of a group occurs."""

    place: Place
    group: int
    patterns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ByCount:
    """A field that follows from how many members of a group have a pattern but 0, and a digit."""

    place: Place
    group: int
    digit: int
    """The number of the digit that it depends on as well; −1 if on none."""
    values: tuple[int | None, ...]
    """For each count, and for each value of the digit, the value; ``None`` where none was seen."""


Follows: TypeAlias = ByPlaces | ByCount


@dataclass(frozen=True, slots=True)
class Ranking:
    """A numbering of states: its size is the product of the parts'."""

    words: int
    groups: tuple[RankedGroup, ...]
    digits: tuple[Digit, ...]
    follows: tuple[Follows, ...]

    @property
    def size(self) -> int:
        sizes = [group.size for group in self.groups]
        return prod(sizes) * prod(len(digit.values) for digit in self.digits)

    def __str__(self) -> str:
        parts = [*map(str, self.groups), *map(str, self.digits)]
        return "; ".join(parts) or "one state"


def ways(members: int, single: int, repeating: int) -> int:
    """How many ways there are to give each member a pattern.

    >>> ways(9, 0, 3) == 3**9
    True
    >>> ways(9, 9, 1)
    17572114
    """
    return sum(
        comb(members, k) * comb(single, k) * factorial(k) * repeating ** (members - k)
        for k in range(min(members, single) + 1)
    )


def ranking(layout: Layout, rows: Rows) -> Ranking | None:
    """A numbering into which *rows* fit; ``None`` when there is no reasonable one."""
    masks: dict[tuple[object, ...], list[Field]] = {}
    small: list[tuple[Place, int]] = []
    for field in layout.fields:
        match field.shape:
            case Mask(members):
                masks.setdefault(members, []).append(field)
            case Count(low, high):
                small.append((field.place, high - low + 1))
            case Choice(values):
                small.append((field.place, len(values)))
            case _:
                assert_never(field.shape)
        if field.presence is not None:
            small.append((field.presence, 2))
    # Everything has to fit into the words that the compiled code uses.
    is_narrow = all(
        len(fields) <= _WIDEST_PATTERN and len(fields) * fields[0].place.width <= WORD
        for fields in masks.values()
    )
    if not is_narrow or any(place.width > _WIDEST_DIGIT for place, _ in small):
        return None
    seen: list[_SeenValues] = []
    for fields in masks.values():
        if fields[0].place.width:
            group = _group(fields, rows)
            if group is None:
                return None
            seen.append(group)
    kept, follows = _without_following(seen, rows)
    digits, more = _digits(small, kept, rows)
    groups = tuple(each.group for each in kept)
    found = Ranking(layout.words, groups, tuple(digits), (*follows, *more))
    is_reasonable = all(len(group.patterns) <= _MOST_PATTERNS for group in groups)
    return found if is_reasonable and 0 < found.size <= MOST_NUMBERS else None


def column(rows: Rows, place: Place) -> Numbers:
    words = rows[:, place.word].view(np.uint64) >> np.uint64(place.shift)
    if place.width < WORD:
        words = words & np.uint64((1 << place.width) - 1)
    return words.view(np.int64)


# Groups


@dataclass(frozen=True, slots=True)
class _SeenValues:
    """A group as it was seen in some states."""

    group: RankedGroup
    holders: Mapping[int, Words]
    """For each pattern that was seen the members that have it, as a mask for each state."""


def _holders(places: Sequence[Place], rows: Rows) -> dict[int, Words] | None:
    """For each pattern the members that have it, as masks; ``None`` if there are very many."""
    every = np.uint64((1 << places[0].width) - 1)
    found = {0: np.full(len(rows), every)}
    for number, place in enumerate(places):
        bits = column(rows, place).view(np.uint64)
        split: dict[int, Words] = {}
        for pattern, mask in found.items():
            inside = mask & bits
            parts = {pattern: mask ^ inside, pattern | 1 << number: inside}
            split |= {each: part for each, part in parts.items() if part.any()}
        # Every one of them is a pattern in the end, or more than one.
        if len(split) > _MOST_PATTERNS:
            return None
        found = split
    return dict(sorted(found.items()))


def _group(fields: Sequence[Field], rows: Rows) -> _SeenValues | None:
    places = tuple(field.place for field in fields)
    members = places[0].width
    holders = _holders(places, rows)
    if holders is None:
        return None
    repeating: list[int] = []
    single: list[int] = []
    for pattern, masks in holders.items():
        # A pattern that is seen often enough would have been seen twice if it could be.
        is_single = pattern != 0 and int(np.bitwise_count(masks).max()) <= 1
        (single if is_single else repeating).append(pattern)
    if members == 1:
        repeating, single = sorted(repeating + single), []
    group = RankedGroup(places, members, tuple(repeating), tuple(single))
    return _SeenValues(group, holders)


def _without_following(
    seen: Sequence[_SeenValues], rows: Rows
) -> tuple[list[_SeenValues], list[ByPlaces]]:
    """The groups without those whose masks say which places of another one are taken."""
    kept = [each for each in seen if each.group.single]
    taken = [[each.holders[pattern] != 0 for pattern in each.group.single] for each in kept]
    follows: list[ByPlaces] = []
    for each in seen:
        if each.group.single:
            continue
        found = [_by_places(place, taken, rows) for place in each.group.places]
        masks = [mask for mask in found if mask is not None]
        if len(masks) == len(found):
            follows += masks
        else:
            kept.append(each)
    return kept, follows


def _by_places(place: Place, taken: Sequence[Sequence[Truths]], rows: Rows) -> ByPlaces | None:
    """How the mask at *place* follows from the places *taken* in one of the groups."""
    bits = column(rows, place)
    for number, features in enumerate(taken):
        matched: list[int] = []
        for bit in range(place.width):
            is_set = (bits >> bit) & 1 == 1
            is_always_the_same = is_set.all() or not is_set.any()
            agreeing = (at for at, each in enumerate(features) if (each == is_set).all())
            found = None if is_always_the_same else next(agreeing, None)
            if found is None:
                break
            matched.append(found)
        else:
            return ByPlaces(place, number, tuple(matched))
    return None


# Small fields


def _digits(
    small: Sequence[tuple[Place, int]], seen: Sequence[_SeenValues], rows: Rows
) -> tuple[list[Digit], list[ByCount]]:
    groups = [each.group for each in seen]
    # How many members of each state have a pattern but 0.
    none = np.zeros(len(rows), dtype=np.uint64)
    counts = [
        each.group.members - np.bitwise_count(each.holders.get(0, none)).astype(np.int64)
        for each in seen
    ]
    digits = [_digit(place, values, rows) for place, values in small if place.width]
    # Fields with few values last: they are the ones that most likely follow from the others.
    digits.sort(key=lambda digit: -len(digit.values))
    free: list[Digit] = []
    follows: list[ByCount] = []
    for digit in digits:
        found = _by_count(digit.place, groups, counts, free=free, rows=rows)
        if found is None:
            free.append(digit)
        else:
            follows.append(found)
    return free, follows


def _digit(place: Place, values: int, rows: Rows) -> Digit:
    seen = np.unique(column(rows, place)).tolist()
    # All values where they are few, so that a rare one does not come as a surprise.
    is_full = values <= 2 * len(seen) + 2
    return Digit(place, tuple(range(values) if is_full else seen))


def _by_count(
    place: Place,
    groups: Sequence[RankedGroup],
    counts: Sequence[Numbers],
    *,
    free: Sequence[Digit],
    rows: Rows,
) -> ByCount | None:
    """How the field at *place* follows from a count, alone or with one of the *free* digits."""
    values = column(rows, place)
    if len(np.unique(values)) < 2:
        return None
    for digit in (-1, *range(len(free))):
        size, code = 1, np.zeros(len(rows), dtype=np.int64)
        if digit >= 0:
            size = len(free[digit].values)
            code = np.searchsorted(free[digit].values, column(rows, free[digit].place))
        for number, group in enumerate(groups):
            table = _function(counts[number] * size + code, values, (group.members + 1) * size)
            if table is not None:
                return ByCount(place, number, digit, table)
    return None


def _function(keys: Numbers, values: Numbers, size: int) -> tuple[int | None, ...] | None:
    table: list[int | None] = [None] * size
    for key in np.unique(keys).tolist():
        seen = np.unique(values[keys == key])
        if len(seen) > 1:
            return None
        table[key] = int(seen[0])
    is_enough = sum(value is not None for value in table) >= _FEWEST_COUNTS
    return tuple(table) if is_enough else None
