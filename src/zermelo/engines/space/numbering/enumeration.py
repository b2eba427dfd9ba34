"""Dense numbers for packed states, by what is proved of them: enumerative coding.

A state is a word. Each of its positions, a cell of a board or a variable of its own, holds one
of some letters; cells that a local invariant joins, as those of a column in which nothing floats,
are one position. The letters have weights, and their sums are what total invariants bound: how
many members sets have, how far the potential has come. The sums of a whole word are its class.

Words are numbered class by class, and in a class as in the combinatorial number system: a word's
number is, position by position, how many beginnings with a smaller letter have the same sums. So
a table of counts by position and sums is all that is needed, and letters of weight 0 that come
first, as free cells, add nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.core.arrays import Numbers
from zermelo.core.layout import Choice, Count, Field, Layout, Mask, Place, encoded
from zermelo.core.symmetry import Bit, EndingCode, Invariants, LinearInvariant
from zermelo.core.values import UNSET, Value

MOST_NUMBERS: Final = 1 << 60
_MOST_LETTERS: Final = 1 << 12
_WIDEST: Final = 14
"""Bits that are read at one position."""
_MOST_ENTRIES: Final = 1 << 24
"""Numbers in the table of counts."""
INFEASIBLE: Final = -(1 << 62)

Claims: TypeAlias = frozenset[Bit]


@dataclass(frozen=True, slots=True)
class Letter:
    """What a position may hold."""

    code: int
    """What is read there: bit i is the i-th of the position's bits."""
    claims: Claims
    """What it says."""
    weights: tuple[int, ...] = ()
    """What it adds to each sum."""


@dataclass(frozen=True, slots=True)
class Position:
    """A part of a state: the bits that are read, each a word and a place in it, and the letters."""

    bits: tuple[tuple[int, int], ...]
    letters: tuple[Letter, ...]
    cell: int = -1
    """Which member it is of sets over the same members, if it is one alone."""

    def parts(self, letter: Letter, words: int) -> list[int]:
        """The bits of each word that *letter* sets."""
        found = [0] * words
        for at, (word, shift) in enumerate(self.bits):
            if letter.code >> at & 1:
                found[word] |= 1 << shift
        return found


@dataclass(frozen=True, slots=True)
class Sum:
    """A weighted sum that is kept account of, with the bounds of what it comes to."""

    weights: Mapping[Bit, int]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Enumeration:
    """A numbering of words."""

    words: int
    positions: tuple[Position, ...]
    """In the order in which their letters are read."""
    fixed: tuple[tuple[int, int], ...]
    """For each word the bits that no state changes, as a mask, and their values."""
    counts: tuple[Numbers, ...]
    """For each number of positions how many beginnings have which sums, as a flat array."""
    steps: tuple[int, ...]
    """How far apart in that array two beginnings are whose sums differ by 1."""
    start: int
    """Where in it the beginning without letters is."""
    classes: tuple[tuple[int, int], ...]
    """The first number and the place in it of each class."""
    size: int
    ending: EndingCode | None
    layers: tuple[int, ...] = ()
    """With a potential, the first number of each layer."""

    def __str__(self) -> str:
        cells = sum(position.cell >= 0 for position in self.positions)
        others = len(self.positions) - cells
        parts = [f"{cells} cells"] if cells else []
        parts += [f"{others} other positions"] if others else []
        return f"words of {' and '.join(parts)} in {len(self.classes):,} classes, as proved"


def enumeration(
    layout: Layout, invariants: Invariants, *, by_potential: bool = False
) -> Enumeration | None:
    """The numbering that *invariants* give; ``None`` if there is none of a reasonable size.

    *by_potential*, the numbers of all states with a smaller potential come first.
    """
    if invariants.why_not is not None or (by_potential and invariants.potential is None):
        return None
    positions = _positions(layout, invariants)
    if positions is None:
        return None
    sums = [Sum(dict(each.weights), each.low, each.high) for each in invariants.totals]
    if by_potential and invariants.potential is not None:
        sums.insert(0, _potential_sum(invariants.potential, positions))
    weighted = tuple(_weighted(position, sums) for position in positions)
    counted = _counted(weighted, sums)
    if counted is None:
        return None
    counts, steps, start = counted
    found = Enumeration(
        words=layout.words,
        positions=weighted,
        fixed=tuple(_fixed(layout, weighted, invariants)),
        counts=counts,
        steps=steps,
        start=start,
        classes=(),
        size=0,
        ending=invariants.ending,
    )
    return _with_classes(found, by_potential=by_potential)


# Positions


def _positions(layout: Layout, invariants: Invariants) -> list[Position] | None:
    """The positions, those that are no cells first; ``None`` where a variable has no bounds."""
    derived = frozenset[str]() if invariants.ending is None else invariants.ending.variables
    still = derived | invariants.fixed.keys()
    cells: list[Position] = []
    others: list[Position] = []
    groups: dict[tuple[Value, ...], list[Field]] = {}
    for field in layout.fields:
        if field.variable in still:
            continue
        if isinstance(field.shape, Mask):
            groups.setdefault(field.shape.members, []).append(field)
        else:
            position = _digit(field, invariants)
            if position is None:
                return None
            others.append(position)
        if field.presence is not None:
            present = Bit(field.variable, UNSET, is_member=True)
            letters = (Letter(0, frozenset()), Letter(1, frozenset({present})))
            others.append(Position(_bits(field.presence), letters))
    for members, fields in groups.items():
        cells += [_cell(at, member, fields, invariants) for at, member in enumerate(members)]
    return [*others, *_joined(cells, invariants.local)]


def _digit(field: Field, invariants: Invariants) -> Position | None:
    if field.place.width > _WIDEST or (
        isinstance(field.shape, Count) and not field.shape.is_declared
    ):
        return None
    values: Sequence[Value]
    if isinstance(field.shape, Count):
        values = range(field.shape.low, field.shape.high + 1)
    else:
        assert isinstance(field.shape, Choice)
        values = field.shape.values
    letters = [
        Letter(encoded(field.shape, value), frozenset({bit}))
        for value in values
        if (bit := Bit(field.variable, value, is_member=False)) not in invariants.impossible
    ]
    return Position(_bits(field.place), tuple(letters))


def _cell(at: int, member: Value, fields: Sequence[Field], invariants: Invariants) -> Position:
    bits = [Bit(field.variable, member, is_member=True) for field in fields]
    letters = []
    for code in range(1 << len(fields)):
        claims = frozenset(bit for number, bit in enumerate(bits) if code >> number & 1)
        if claims.isdisjoint(invariants.impossible):
            letters.append(Letter(code, claims))
    places = tuple(_bits(field.place)[at] for field in fields)
    position = Position(places, tuple(letters), cell=at)
    inside = [each for each in invariants.local if {bit for bit, _ in each.weights} <= set(bits)]
    return _restricted(position, inside)


def _bits(place: Place) -> tuple[tuple[int, int], ...]:
    ends = (place.word * 64 + place.shift + at for at in range(place.width))
    return tuple(divmod(end, 64) for end in ends)


def _restricted(position: Position, invariants: Sequence[LinearInvariant]) -> Position:
    """*position* with the letters that *invariants*, which speak of nothing else, allow."""

    def is_allowed(letter: Letter) -> bool:
        return all(
            each.low <= sum(w for bit, w in each.weights if bit in letter.claims) <= each.high
            for each in invariants
        )

    return replace(position, letters=tuple(filter(is_allowed, position.letters)))


def _joined(cells: list[Position], local: Sequence[LinearInvariant]) -> Iterator[Position]:
    """The *cells*, those in one position that invariants join; the joined ones first."""
    at = {bit: number for number, cell in enumerate(cells) for bit in _spoken_of(cell)}
    leader = list(range(len(cells)))

    def found(number: int) -> int:
        while leader[number] != number:
            number = leader[number]
        return number

    joining = [each for each in local if len({at.get(bit) for bit, _ in each.weights}) > 1]
    for each in joining:
        touched = [found(at[bit]) for bit, _ in each.weights if bit in at]
        for number in touched[1:]:
            leader[found(number)] = found(touched[0])
    members: dict[int, list[Position]] = {}
    for number, cell in enumerate(cells):
        members.setdefault(found(number), []).append(cell)
    alone: list[Position] = []
    for group in members.values():
        whole = _product(group, joining)
        if whole is None:
            alone += group
        else:
            yield whole
    yield from sorted(alone, key=lambda cell: (cell.bits[0], cell.cell))


def _spoken_of(position: Position) -> Claims:
    return frozenset[Bit]().union(*(letter.claims for letter in position.letters))


def _product(group: Sequence[Position], joining: Sequence[LinearInvariant]) -> Position | None:
    """The positions of *group* as one; ``None`` if it is one, or would have too many letters."""
    if len(group) == 1 or sum(len(each.bits) for each in group) > _WIDEST:
        return None
    whole = Position((), (Letter(0, frozenset()),))
    for each in group:
        shift = len(whole.bits)
        letters = tuple(
            Letter(one.code | other.code << shift, one.claims | other.claims)
            for one, other in product(whole.letters, each.letters)
        )
        whole = Position(whole.bits + each.bits, letters)
    spoken = _spoken_of(whole)
    inside = [each for each in joining if {bit for bit, _ in each.weights} <= spoken]
    whole = _restricted(whole, inside)
    return whole if len(whole.letters) <= _MOST_LETTERS else None


def _fixed(
    layout: Layout, positions: Sequence[Position], invariants: Invariants
) -> Iterator[tuple[int, int]]:
    """For each word the bits that never change and those that follow, as they are at first."""
    values = [0] * layout.words
    for field in layout.fields:
        if field.variable in invariants.fixed:
            for word, part in _encoded_field(field, invariants.fixed[field.variable]):
                values[word] |= part
    derived = frozenset[str]() if invariants.ending is None else invariants.ending.variables
    read = [bit for position in positions for bit in position.bits]
    for field in layout.fields:
        if field.variable in derived:
            read += [
                *_bits(field.place),
                *([] if field.presence is None else _bits(field.presence)),
            ]
    changing = [0] * layout.words
    for word, shift in read:
        changing[word] |= 1 << shift
    for word in range(layout.words):
        yield ~changing[word] & ((1 << 64) - 1), values[word]


def _encoded_field(field: Field, value: Value) -> Iterator[tuple[int, int]]:
    if field.presence is not None:
        yield field.presence.word, int(value is not UNSET) << field.presence.shift
        if value is UNSET:
            return
    code = encoded(field.shape, value)
    for at, (word, shift) in enumerate(_bits(field.place)):
        yield word, (code >> at & 1) << shift


# Sums and counts


def _potential_sum(weights: Mapping[Bit, int], positions: Sequence[Position]) -> Sum:
    each = [[_weight(letter, weights) for letter in p.letters] for p in positions]
    return Sum(weights, sum(map(min, each)), sum(map(max, each)))


def _weight(letter: Letter, weights: Mapping[Bit, int]) -> int:
    return sum(weights.get(bit, 0) for bit in letter.claims)


def _weighted(position: Position, sums: Sequence[Sum]) -> Position:
    letters = [
        replace(each, weights=tuple(_weight(each, one.weights) for one in sums))
        for each in position.letters
    ]
    # What changes nothing comes first, and counts for nothing then.
    letters.sort(key=lambda each: (any(each.weights), each.code))
    return replace(position, letters=tuple(letters))


def _counted(
    positions: Sequence[Position], sums: Sequence[Sum]
) -> tuple[tuple[Numbers, ...], tuple[int, ...], int] | None:
    """The counts of beginnings; ``None`` if there are too many."""
    boxes = [_boxes(positions, at, one) for at, one in enumerate(sums)]
    pads = [
        max((abs(letter.weights[at]) for p in positions for letter in p.letters), default=0)
        for at in range(len(sums))
    ]
    lows = [min(low for low, _ in box) - pad for box, pad in zip(boxes, pads, strict=True)]
    highs = [max(high for _, high in box) + pad for box, pad in zip(boxes, pads, strict=True)]
    shape = tuple(high - low + 1 for low, high in zip(lows, highs, strict=True))
    if (
        any(side <= 0 for side in shape)
        or np.prod(shape, dtype=float) * sum(len(position.letters) for position in positions)
        > _MOST_ENTRIES
    ):
        return None
    steps = tuple(int(np.prod(shape[at + 1 :], dtype=np.int64)) for at in range(len(shape)))
    start = sum(-low * step for low, step in zip(lows, steps, strict=True))
    counts: npt.NDArray[np.int64] = np.zeros(shape, dtype=np.int64).reshape(-1)
    counts[start] = 1
    found = [counts]
    for number, position in enumerate(positions):
        after = np.zeros(len(counts), dtype=np.int64)
        for letter in position.letters:
            by = sum(w * step for w, step in zip(letter.weights, steps, strict=True))
            after += shifted(counts, by)
        inside = after.reshape(shape)
        for at, box in enumerate(boxes):
            low, high = box[number + 1]
            beyond = [slice(None)] * len(shape)
            for part in (
                slice(0, max(0, low - lows[at])),
                slice(max(0, high - lows[at] + 1), None),
            ):
                beyond[at] = part
                inside[tuple(beyond)] = 0
        if after.sum(dtype=float) > MOST_NUMBERS:
            return None
        counts = after
        found.append(counts)
    return tuple(found), steps, start


def shifted(counts: Numbers, by: int) -> Numbers:
    """*counts* moved up by so many places, zeros where none come from."""
    found = np.zeros(len(counts), dtype=np.int64)
    if by >= 0:
        found[by:] = counts[: len(counts) - by]
    else:
        found[:by] = counts[-by:]
    return found


def _boxes(positions: Sequence[Position], at: int, one: Sum) -> list[tuple[int, int]]:
    """What the sum can be after each number of positions, so that it can still come out right."""
    spans = [
        (min(letter.weights[at] for letter in p.letters), max(x.weights[at] for x in p.letters))
        for p in positions
    ]
    before = [(0, 0)]
    for low, high in spans:
        before.append((before[-1][0] + low, before[-1][1] + high))
    after = [(0, 0)]
    for low, high in reversed(spans):
        after.append((after[-1][0] + low, after[-1][1] + high))
    after.reverse()
    return [
        (max(least, one.low - most_left), min(most, one.high - least_left))
        for (least, most), (least_left, most_left) in zip(before, after, strict=True)
    ]


def _with_classes(found: Enumeration, *, by_potential: bool) -> Enumeration | None:
    last = found.counts[-1]
    places = np.flatnonzero(last)
    # The potential is the first sum: places are in its order.
    firsts = np.cumsum(last[places]) - last[places]
    size = int(last[places].sum())
    if not 0 < size <= MOST_NUMBERS:
        return None
    layers: tuple[int, ...] = ()
    if by_potential:
        _, begins = np.unique(places // found.steps[0], return_index=True)
        layers = tuple(firsts[begins].tolist())
    classes = tuple(zip(firsts.tolist(), places.tolist(), strict=True))
    return replace(found, classes=classes, size=size, layers=layers)
