"""Sorting states compiled: source text made for one group of symmetries.

The claims of a part of the group are gathered from the words of a row into one
number, the number is replaced by the one that stands for it, and its bits are
scattered back. Gathering, scattering and listed permutations go through tables
of what each byte contributes, unless bits keep their distances, when a mask and
a shift do. It gives the same states as ``sorting``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, factorial
from typing import Final, TypeAlias, assert_never

import numpy as np

from zermelo.core.layout import Place
from zermelo.core.symmetry import Copies, Direct, Images, ListedMembers, Structure, Symmetric, order
from zermelo.engines.space.orbits.sorting import Single, Spot, sort
from zermelo.packing.permutation_groups import MOST_FIRST

_WIDE: Final = 63
"""A number holds at most so many claims."""
_TABLED: Final = 12
"""What is inside a copy of so many claims is looked up whole."""
_FEW_SLOTS: Final = 4
_LARGEST: Final = 1 << 62
_BYTE: Final = 8

BitMove: TypeAlias = tuple[int, int]
"""From this bit to that bit."""


@dataclass(frozen=True, slots=True)
class SortingCode:
    """Source text with the functions ``canonical`` and ``sizes``, and the tables they use."""

    source: str
    tables: tuple[int, ...]


class CannotEmitError(Exception):
    """The group has a part that is not sorted by compiled code."""


def emit(structure: Structure | None, spots: Sequence[Spot], words: int) -> SortingCode | None:
    """The code that sorts rows of *words* words, where claim i is at *spots*[i].

    ``None`` when the group is too large or too wide for it.
    """
    if structure is None or order(structure) >= _LARGEST:
        return None
    try:
        return _SortingEmitter(spots, words).emitted(structure)
    except CannotEmitError:
        return None


class _SortingEmitter:
    def __init__(self, spots: Sequence[Spot], words: int) -> None:
        self._spots = spots
        self._words = words
        self._wiring = Wiring(spots)
        self._functions: list[str] = []

    def emitted(self, structure: Structure) -> SortingCode:
        parts = structure.parts if isinstance(structure, Direct) else (structure,)
        body: list[str] = []
        sizes: list[str] = []
        for part in parts:
            change, size = self._part(part)
            body += change
            sizes += size
        row = [f"row = rows + at * {8 * self._words}"]
        row += [f"w{at} = load(row, {at})" for at in range(self._words)]
        stores = [f"store(row, {at}, w{at})" for at in range(self._words)]
        each = "for at in range(count):"
        canonical = _function(
            "canonical(rows, count, tables)", [each, *_in([*row, *body, *stores])]
        )
        counted = _function(
            "sizes(rows, found, count, tables)",
            [each, *_in([*row, "size = 1", *sizes, "store(found, at, size)"])],
        )
        return SortingCode(
            "\n\n".join((*self._functions, canonical, counted)), tuple(self._wiring.tables)
        )

    # Parts of a row

    def _part(self, part: Structure) -> tuple[list[str], list[str]]:
        """What is done to a row for one part, and what its size is multiplied with."""
        if isinstance(part, Symmetric) and len(part.points[0]) <= _FEW_SLOTS:
            return self._slots_of_row(part)
        part = Copies(part.points, None, None) if isinstance(part, Symmetric) else part
        claims = _claims(part)
        width = len(claims)
        if width > _WIDE:
            if isinstance(part, Copies) and len(part.copies[0]) <= _WIDE:
                return self._wide_copies(part)
            if isinstance(part, ListedMembers):
                return self._wide_listed(part)
            raise CannotEmitError
        name = self._transform(_placed(part, claims), width)
        at = {claim: width - 1 - place for place, claim in enumerate(claims)}
        read, write = self._wiring.gathered("x", at), self._wiring.scattered("x", at)
        change = [read, f"x = change{name}(x, tables)", *write]
        return change, [read, f"size = size * size{name}(x, tables)"]

    def _slots_of_row(self, part: Symmetric) -> tuple[list[str], list[str]]:
        """Points permuted at will: how many there are of each kind is all that matters."""
        slots = tuple(zip(*part.points, strict=True))
        places = self._offsets(slots[0])
        read: list[str] = []
        write: list[str] = []
        for number, slot in enumerate(slots):
            at = dict(zip(slot, places, strict=True))
            read.append(self._wiring.gathered(f"s{number}", at))
            write += self._wiring.scattered(f"n{number}", at)
        counting = self._counting(len(slots), places)
        return [*read, *counting, *write], [*read, *self._multinomial(len(slots), places)]

    def _offsets(self, slot: tuple[int, ...]) -> tuple[int, ...]:
        """Places for the points: where the first slot has them, if it is one word."""
        spots = [self._spots[claim] for claim in slot]
        single = [spot for spot in spots if isinstance(spot, Single)]
        if len(single) == len(spots):
            low = min(spot.shift for spot in single)
            offsets = tuple(spot.shift - low for spot in single)
            is_one_word = len({spot.word for spot in single}) == 1
            if is_one_word and list(offsets) == sorted(offsets) and max(offsets) < _WIDE:
                return offsets
        if len(slot) > _WIDE:
            raise CannotEmitError
        return tuple(range(len(slot)))

    def _wide_copies(self, part: Copies) -> tuple[list[str], list[str]]:
        """Copies that do not fit into one number together: each in its own."""
        if part.tops is not None:
            raise CannotEmitError
        width, count = len(part.copies[0]), len(part.copies)
        name = self._inside(part.inside, width)
        read: list[str] = []
        write: list[str] = []
        for number, copy in enumerate(part.copies):
            at = {claim: width - 1 - place for place, claim in enumerate(copy)}
            read.append(self._wiring.gathered(f"c{number}", at))
            write += self._wiring.scattered(f"c{number}", at)
        inside = [f"c{i} = change{name}(c{i}, tables)" for i in range(count)]
        sizes = [f"size = size * size{name}(c{i}, tables)" for i in range(count)]
        ordered = _network(count)
        return (
            [*read, *inside, *ordered, *write],
            [*read, *sizes, *inside, *ordered, *self._runs(count)],
        )

    def _wide_listed(self, part: ListedMembers) -> tuple[list[str], list[str]]:
        """The greatest of what the members make of claims that take several numbers."""
        limbs = [part.claims[at : at + _WIDE] for at in range(0, len(part.claims), _WIDE)]
        read: list[str] = []
        write: list[str] = []
        for number, limb in enumerate(limbs):
            places = {claim: _WIDE - 1 - place for place, claim in enumerate(limb)}
            read.append(self._wiring.gathered(f"x{number}", places))
            write += self._wiring.scattered(f"b{number}", places)
        names = range(len(limbs))
        offset, stride = self._wide_tables(part, len(limbs))
        body = [f"y{there} = 0" for there in names]
        for here in names:
            for there in names:
                at = 256 * _BYTE * (here * len(limbs) + there)
                load = f"load(tables, p + {at} + 256 * k + (shr(x{here}, {_BYTE} * k) & 255))"
                body += [f"for k in range({_BYTE}):", f"    y{there} = y{there} | {load}"]
        compared = _compare([f"y{there}" for there in names])
        loop = [
            *(f"b{there} = -1" for there in names),
            "same = 0",
            f"p = {offset}",
            f"for m in range({len(part.members)}):",
            *_in([*body, *compared, f"p = p + {stride}"]),
        ]
        size = f"size = size * ({len(part.members)} // same)"
        return [*read, *loop, *write], [*read, *loop, size]

    def _wide_tables(self, part: ListedMembers, count: int) -> tuple[int, int]:
        rows: list[int] = []
        for member in part.members:
            for here in range(count):
                for there in range(count):
                    moves = [
                        (_WIDE - 1 - at % _WIDE, _WIDE - 1 - image % _WIDE)
                        for at, image in enumerate(member)
                        if at // _WIDE == here and image // _WIDE == there
                    ]
                    rows += byte_table(moves, _BYTE * _BYTE)
        return self._wiring.table(rows), 256 * _BYTE * count * count

    # Transforms of numbers, in which claim 0 is the highest of *width* bits

    def _transform(self, part: Structure, width: int) -> int:
        """Functions that change a number of claims and that give the size of its class."""
        match part:
            case ListedMembers():
                return self._listed(part, width)
            case Symmetric(points):
                return self._copies(Copies(points, None, None), width)
            case Copies():
                return self._copies(part, width)
            case Direct(parts):
                names = [self._transform(each, width) for each in parts]
                change = [f"x = change{name}(x, tables)" for name in names]
                product = " * ".join(f"size{name}(x, tables)" for name in names)
                return self._named([*change, "return x"], [f"return {product}"])
            case _:
                assert_never(part)

    def _listed(self, part: ListedMembers, width: int) -> int:
        """The greatest of what the members make of a number."""
        others = sum(1 << (width - 1 - a) for a in range(width) if a not in set(part.claims))
        rows: list[int] = []
        for member in part.members:
            pairs = zip(part.claims, member, strict=True)
            moves = [(width - 1 - a, width - 1 - part.claims[image]) for a, image in pairs]
            rows += byte_table(moves, width)
        count = -(-width // _BYTE)
        offset = self._wiring.table(rows)
        lists, starts, first = self._candidates(part, width)
        step = f"y = y | load(tables, p + {256} * k + (shr(x, {_BYTE} * k) & 255))"
        head = [
            f"kept = x & {others}",
            "best = -1",
            "same = 0",
            f"q = load(tables, {starts} + shr(x, {width - first}))",
            f"for m in range(load(tables, {lists} + q)):",
            f"    p = {offset} + {256 * count} * load(tables, {lists} + q + m + 1)",
            "    y = 0",
            f"    for k in range({count}):",
            f"        {step}",
        ]
        change = [*head, "    best = max(best, y)", "return best | kept"]
        size = [
            *head,
            "    if y > best:",
            "        best = y",
            "        same = 1",
            "    elif y == best:",
            "        same = same + 1",
            f"return {len(part.members)} // same",
        ]
        return self._named(change, size)

    def _candidates(self, part: ListedMembers, width: int) -> tuple[int, int, int]:
        """Lists of members that make the most of the first few claims of a number.

        Only these can make the most of the whole number. Gives the place of the lists,
        that of where each list starts by what the first claims are, and how many these are.
        """
        first = _goes_among_itself(part, width)
        lists: list[int] = []
        starts: dict[tuple[int, ...], int] = {}
        begun: list[int] = []
        for code in range(1 << first):
            made = [_image(code, member, first) for member in part.members]
            best = max(made)
            chosen = tuple(at for at, image in enumerate(made) if image == best)
            if chosen not in starts:
                starts[chosen] = len(lists)
                lists += [len(chosen), *chosen]
            begun.append(starts[chosen])
        return self._wiring.table(lists), self._wiring.table(begun), first

    def _copies(self, part: Copies, width: int) -> int:
        size_of_copy, count = len(part.copies[0]), len(part.copies)
        others = ~sum(1 << (width - 1 - claim) for claim in _claims(part))
        read: list[str] = []
        write = [f"x = x & {others}"]
        for number, copy in enumerate(part.copies):
            moves = [
                (width - 1 - claim, size_of_copy - 1 - place) for place, claim in enumerate(copy)
            ]
            read.append(f"c{number} = {self._wiring.moved('x', moves, width)}")
            back = [(there, here) for here, there in moves]
            write.append(f"x = x | {self._wiring.moved(f'c{number}', back, size_of_copy)}")
        name = self._inside(part.inside, size_of_copy)
        inside = [f"c{i} = change{name}(c{i}, tables)" for i in range(count)]
        sizes = [f"size = size * size{name}(c{i}, tables)" for i in range(count)]
        if part.tops is not None:
            return self._listed_copies(part.tops, [*read, *inside], sizes, write, read)
        ordered = _network(count)
        change = [*read, *inside, *ordered, *write, "return x"]
        size = ["size = 1", *read, *sizes, *inside, *ordered, *self._runs(count), "return size"]
        return self._named(change, size)

    def _listed_copies(
        self,
        tops: tuple[Images, ...],
        made: list[str],
        sizes: list[str],
        write: list[str],
        read: list[str],
    ) -> int:
        count = len(tops[0])
        best = [f"b{i} = c{i}" for i in range(count)]
        tests: list[str] = ["same = 0"]
        for top in tops:
            moved = {image: at for at, image in enumerate(top)}
            tests += _compare([f"c{moved[i]}" for i in range(count)])
        back = [f"c{i} = b{i}" for i in range(count)]
        change = [*made, *best, *tests, *back, *write, "return x"]
        size = ["size = 1", *read, *sizes, *made[len(read) :], *best, *tests]
        return self._named(change, [*size, f"return size * {len(tops)} // same"])

    def _inside(self, inside: Structure | None, width: int) -> int:
        """The symmetries inside a copy of *width* claims, its first claim the highest bit."""
        if inside is None:
            return self._named(["return x"], ["return 1"])
        if width > _TABLED:
            return self._transform(inside, width)
        codes = np.arange(1 << width, dtype=np.int64)
        shifts = np.arange(width - 1, -1, -1, dtype=np.int64)
        bits = (codes[:, None] >> shifts & 1).astype(np.uint8)
        sizes = sort(inside, bits)
        made = (bits.astype(np.int64) << shifts).sum(axis=1)
        change = self._wiring.table(made.tolist())
        size = self._wiring.table(sizes.tolist())
        return self._named(
            [f"return load(tables, {change} + x)"], [f"return load(tables, {size} + x)"]
        )

    def _named(self, change: list[str], size: list[str]) -> int:
        name = len(self._functions) // 2
        self._functions.append(_function(f"change{name}(x, tables)", change))
        self._functions.append(_function(f"size{name}(x, tables)", size))
        return name

    # Counting points

    def _kinds(self, slots: int, places: tuple[int, ...]) -> list[tuple[int, str]]:
        """For each kind of point, the greatest first, which points are of it."""
        mask = sum(1 << place for place in places)
        found: list[tuple[int, str]] = []
        for kind in range((1 << slots) - 1, 0, -1):
            terms = [
                f"s{slot}" if kind >> (slots - 1 - slot) & 1 else f"~s{slot}"
                for slot in range(slots)
            ]
            found.append((kind, f"popcount({' & '.join(terms)} & {mask})"))
        return found

    def _counting(self, slots: int, places: tuple[int, ...]) -> list[str]:
        firsts = [sum(1 << place for place in places[:count]) for count in range(len(places) + 1)]
        table = self._wiring.table(firsts)
        lines = [f"n{slot} = 0" for slot in range(slots)] + ["a = 0", "f = 0"]
        for kind, count in self._kinds(slots, places):
            lines += [f"a = a + {count}", f"g = load(tables, {table} + a)"]
            for slot in range(slots):
                if kind >> (slots - 1 - slot) & 1:
                    lines.append(f"n{slot} = n{slot} | (g ^ f)")
            lines.append("f = g")
        return lines

    def _multinomial(self, slots: int, places: tuple[int, ...]) -> list[str]:
        count = len(places)
        table = self._wiring.table(
            [
                comb(n, k) if comb(n, k) < _LARGEST else 0
                for n in range(count + 1)
                for k in range(count + 1)
            ]
        )
        lines = [f"a = {count}"]
        for _, kind in self._kinds(slots, places):
            lines += [
                f"k = {kind}",
                f"size = size * load(tables, {table} + a * {count + 1} + k)",
                "a = a - k",
            ]
        return lines

    def _runs(self, count: int) -> list[str]:
        """How many orders the sorted numbers c0, c1, … have."""
        lines = ["run = 1", f"size = size * {factorial(count)}"]
        for at in range(1, count):
            lines += [f"run = run + 1 if c{at} == c{at - 1} else 1", "size = size // run"]
        return lines


# Text


def _function(head: str, lines: list[str]) -> str:
    return "\n".join([f"def {head}:", *_in(lines)])


def _in(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _network(count: int) -> list[str]:
    """Exchanges that sort c0, c1, … with the greatest first."""
    lines: list[str] = []
    for end in range(count - 1, 0, -1):
        for at in range(end):
            lines += [
                f"t = max(c{at}, c{at + 1})",
                f"c{at + 1} = min(c{at}, c{at + 1})",
                f"c{at} = t",
            ]
    return lines


def _compare(names: list[str]) -> list[str]:
    """Keep *names* as b0, b1, … if they are greater, and count how often they are the same."""
    lines = ["d = 0"]
    for at, name in enumerate(names):
        decided = f"    d = 1 if {name} > b{at} else (-1 if {name} < b{at} else 0)"
        lines += ["if d == 0:", decided]
    lines += ["if d == 0:", "    same = same + 1", "if d == 1:", "    same = 1"]
    return lines + [f"    b{at} = {name}" for at, name in enumerate(names)]


# Members of a list


def _goes_among_itself(part: ListedMembers, width: int) -> int:
    """How many of the first claims of a number every member takes to each other."""
    if part.claims[:1] != (0,) or part.claims != tuple(range(len(part.claims))):
        return 0
    for count in range(min(MOST_FIRST, width), 0, -1):
        if all(image < count for member in part.members for image in member[:count]):
            return count
    return 0


def _image(code: int, member: Images, first: int) -> int:
    """What *member* makes of the *first* claims, of which the first is the highest bit."""
    made = 0
    for at, image in enumerate(member[:first]):
        made |= (code >> (first - 1 - at) & 1) << (first - 1 - image)
    return made


# Structures in terms of places


def _claims(part: Structure) -> tuple[int, ...]:
    match part:
        case Symmetric(points):
            return tuple(claim for point in points for claim in point)
        case ListedMembers(claims, _):
            return claims
        case Copies(copies, _, _):
            return tuple(claim for copy in copies for claim in copy)
        case Direct(parts):
            return tuple(claim for each in parts for claim in _claims(each))
        case _:
            assert_never(part)


def _placed(part: Structure, claims: tuple[int, ...]) -> Structure:
    at = {claim: place for place, claim in enumerate(claims)}

    def there(given: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(at[claim] for claim in given)

    match part:
        case Symmetric(points):
            return Symmetric(tuple(map(there, points)))
        case ListedMembers(given, members):
            return ListedMembers(there(given), members)
        case Copies(copies, inside, tops):
            return Copies(tuple(map(there, copies)), inside, tops)
        case Direct(parts):
            return Direct(tuple(_placed(each, claims) for each in parts))
        case _:
            assert_never(part)


class Wiring:
    """Where the claims of a row are, and the tables by which they are moved."""

    def __init__(self, spots: Sequence[Spot]) -> None:
        self._spots = spots
        self._known: dict[tuple[int, ...], int] = {}
        self.tables: list[int] = []

    def gathered(self, name: str, at: Mapping[int, int]) -> str:
        """Make *name* a number with these claims *at* these places."""
        by_word, coded = self._split(at)
        terms = [self.moved(f"w{word}", moves, 64) for word, moves in by_word]
        for field, codes in coded:
            entries = [0] * (1 << field.width)
            for code, to in codes:
                entries[code] |= 1 << to
            value = f"(shr(w{field.word}, {field.shift}) & {(1 << field.width) - 1})"
            terms.append(f"load(tables, {self.table(entries)} + {value})")
        return f"{name} = {' | '.join(terms)}"

    def scattered(self, name: str, at: Mapping[int, int]) -> list[str]:
        """Write the bits of *name*, which has these claims *at* these places, into the row."""
        by_word, coded = self._split(at)
        lines: list[str] = []
        for word, moves in by_word:
            mask = sum(1 << to for to, _ in moves)
            moved = self.moved(name, [(here, there) for there, here in moves], 64)
            lines.append(f"w{word} = w{word} & {signed(~mask)} | {moved}")
        for place, codes in coded:
            kept = signed(~(((1 << place.width) - 1) << place.shift))
            for code, bit in codes:
                value = signed(code << place.shift)
                lines += [
                    f"if shr({name}, {bit}) & 1:",
                    f"    w{place.word} = w{place.word} & {kept} | {value}",
                ]
        return lines

    def _split(
        self, at: Mapping[int, int]
    ) -> tuple[list[tuple[int, list[BitMove]]], list[tuple[Place, list[BitMove]]]]:
        """From which bits of words, and from which codes of fields, claims go *at* their places."""
        by_word: dict[int, list[BitMove]] = {}
        coded: dict[Place, list[BitMove]] = {}
        for claim, place in at.items():
            spot = self._spots[claim]
            if isinstance(spot, Single):
                by_word.setdefault(spot.word, []).append((spot.shift, place))
            else:
                coded.setdefault(spot.place, []).append((spot.code, place))
        return sorted(by_word.items()), list(coded.items())

    def moved(self, name: str, moves: list[BitMove], width: int) -> str:
        """The bits of *name* that are moved, each where it goes."""
        shifts: dict[int, int] = {}
        for here, there in moves:
            shifts[there - here] = shifts.get(there - here, 0) | 1 << here
        bytes_touched = {here // _BYTE for here, _ in moves}
        if len(shifts) <= len(bytes_touched) + 1:
            return " | ".join(_shifted(name, by, mask) for by, mask in sorted(shifts.items()))
        terms = []
        table = byte_table(moves, width)
        for byte in sorted(bytes_touched):
            offset = self.table(table[256 * byte : 256 * (byte + 1)])
            terms.append(f"load(tables, {offset} + (shr({name}, {_BYTE * byte}) & 255))")
        return " | ".join(terms)

    def table(self, values: Sequence[int]) -> int:
        key = tuple(signed(value) for value in values)
        if key not in self._known:
            self._known[key] = len(self.tables)
            self.tables += key
        return self._known[key]


def _shifted(name: str, by: int, mask: int) -> str:
    masked = f"({name} & {signed(mask)})"
    if by == 0:
        return masked
    return f"shl({masked}, {by})" if by > 0 else f"shr({masked}, {-by})"


def byte_table(moves: Iterable[BitMove], width: int) -> list[int]:
    """For each byte of a number and each of its values where its bits go."""
    table = [0] * (256 * -(-width // _BYTE))
    for here, there in moves:
        byte, bit = divmod(here, _BYTE)
        for value in range(256):
            if value >> bit & 1:
                table[256 * byte + value] |= 1 << there
    return table


def signed(value: int) -> int:
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value
