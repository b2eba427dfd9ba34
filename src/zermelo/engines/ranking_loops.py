"""The code that numbers states by a ``Ranking``, and the loops around it.

``rank`` finds the pattern of each member and the value of each digit, and puts the state
together again from them; if that is not the same state bit by bit, it has no number.
``unrank`` goes the other way. Both are made for one ranking, as text, and compiled
together with the loops below.
"""

# The loops are compiled from their source, where the primitives are plain names.

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from inspect import getsource
from typing import Final, Protocol

import numpy as np

from zermelo.core.expander import Numbers
from zermelo.core.layout import WORD, Place
from zermelo.engines.ranking import ByCount, ByPlaces, Digit, Group, Ranking, ways
from zermelo.fast import jit
from zermelo.fast.bits import bit, fetch_or, load, lowest, popcount, prefetch, rest, signed, store

GROUP: Final = 32
"""How many states are on their way through memory at the same time."""
_CHUNK: Final = 9
"""Bits of a mask that are looked up at a time."""

# Bound anew for each unit: the words of a state.
WORDS = 1


@dataclass(slots=True)
class Tables:
    """Numbers that the code looks up, one after another in memory."""

    words: int
    numbers: list[int] = field(default_factory=list)

    def add(self, numbers: Sequence[int]) -> int:
        """Where *numbers* begin."""
        at = len(self.numbers)
        self.numbers += [signed(number) for number in numbers]
        return at


def compiled(ranking: Ranking) -> tuple[Mapping[str, jit.Compiled], Numbers]:
    """The compiled functions for *ranking*, and the tables that they look things up in."""
    tables = Tables(ranking.words)
    loops = [textwrap.dedent(getsource(loop)) for loop in _LOOPS]
    source = "\n\n".join([*_code(ranking, tables), *loops])
    unit = jit.Unit(
        name="ranking",
        source=source,
        exports=tuple(loop.__name__ for loop in _LOOPS),
        constants=(("GROUP", GROUP), ("WORDS", ranking.words)),
        inline=("rank", "unrank"),
    )
    return jit.load(unit), np.array(tables.numbers or [0], dtype=np.int64)


# The code for one ranking


@dataclass(slots=True)
class _Part:
    """What a part of a ranking adds to a state: for each word a table, or nothing."""

    tables: dict[int, int]
    """For each word that is touched, where its table begins."""

    def lines(self, index: str) -> list[str]:
        """The code that adds what stands at *index* in the tables."""
        return [
            f"e{word} = e{word} | load(tab, {at} + {index})" for word, at in self.tables.items()
        ]


def _code(ranking: Ranking, tables: Tables) -> Iterator[str]:
    """The text of ``rank`` and ``unrank``."""
    groups = [
        _GroupCode(group, number, ranking, tables) for number, group in enumerate(ranking.groups)
    ]
    digits = [_DigitCode(digit, number, tables) for number, digit in enumerate(ranking.digits)]
    counts = [
        _CountCode(each, ranking, tables) for each in ranking.follows if isinstance(each, ByCount)
    ]
    words = range(ranking.words)
    lines = [f"w{word} = load(row, {word})" for word in words]
    lines += [*(f"e{word} = 0" for word in words), "number = 0"]
    parts: list[_Code] = [*groups, *digits, *counts]
    lines += [line for part in parts for line in part.ranked()]
    same = " and ".join(f"e{word} == w{word}" for word in words)
    lines += [f"if {same}:", "    return number", "return -1"]
    yield _function("rank(tab, row)", lines)
    lines = [f"e{word} = 0" for word in words]
    parts = [*reversed(digits), *reversed(groups), *counts]
    lines += [line for part in parts for line in part.unranked()]
    lines += [*(f"store(row, {word}, e{word})" for word in words), "return 0"]
    yield _function("unrank(tab, number, row)", lines)


class _Code(Protocol):
    """The code for a part of a ranking."""

    def ranked(self) -> list[str]:
        """The code that finds its number in a state, and adds it to the state's."""
        ...

    def unranked(self) -> list[str]:
        """The code that takes its number off the state's, and sets its bits."""
        ...


class _DigitCode:
    """The code for one digit."""

    def __init__(self, digit: Digit, number: int, tables: Tables) -> None:
        self._digit = digit
        self._name = f"d{number}"
        self._codes = tables.add(_inverse(digit.values, 1 << digit.place.width))
        self._part = _part(tables, [(digit.place, value) for value in digit.values])

    def ranked(self) -> list[str]:
        """The code that finds the digit in a state, and adds it to the state's number."""
        name = self._name
        return [
            f"{name} = load(tab, {self._codes} + ({_bits(self._digit.place)}))",
            f"if {name} < 0:",
            "    return -1",
            f"number = number * {len(self._digit.values)} + {name}",
            *self._part.lines(name),
        ]

    def unranked(self) -> list[str]:
        """The code that takes the digit off a state's number, and sets its bits."""
        name, size = self._name, len(self._digit.values)
        return [
            f"{name} = number % {size}",
            f"number = number // {size}",
            *self._part.lines(name),
        ]


class _CountCode:
    """The code for a field that follows from a count."""

    def __init__(self, each: ByCount, ranking: Ranking, tables: Tables) -> None:
        size = 1 if each.digit < 0 else len(ranking.digits[each.digit].values)
        self._index = f"n{each.group}" + (f" * {size} + d{each.digit}" if each.digit >= 0 else "")
        self._known = tables.add([int(value is not None) for value in each.values])
        values = [None if value is None else (each.place, value) for value in each.values]
        self._part = _part(tables, values)

    def ranked(self) -> list[str]:
        """The code that puts the field where it should be."""
        return [
            f"if load(tab, {self._known} + {self._index}) == 0:",
            "    return -1",
            *self.unranked(),
        ]

    def unranked(self) -> list[str]:
        """The same, where nothing can be wrong."""
        return self._part.lines(self._index)


def _function(head: str, lines: Sequence[str]) -> str:
    return "\n".join([f"def {head}:", *(f"    {line}" for line in lines)])


def _bits(place: Place) -> str:
    """The code for the bits at *place* of the state."""
    word = f"shr(w{place.word}, {place.shift})" if place.shift else f"w{place.word}"
    return word if place.width == WORD else f"{word} & {(1 << place.width) - 1}"


def _inverse(values: Sequence[int], size: int) -> list[int]:
    """For each number up to *size* its place in *values*, −1 if it has none."""
    found = [-1] * size
    for at, value in enumerate(values):
        found[value] = at
    return found


def _part(tables: Tables, values: Sequence[tuple[Place, int] | None]) -> _Part:
    """The tables for a field that has one of *values*."""
    found: dict[int, int] = {}
    for word in range(tables.words):
        numbers = [
            0 if each is None or each[0].word != word else each[1] << each[0].shift
            for each in values
        ]
        if any(numbers):
            found[word] = tables.add(numbers)
    return _Part(found)


class _GroupCode:
    """The code for one group, and for the fields that follow from it."""

    def __init__(self, group: Group, number: int, ranking: Ranking, tables: Tables) -> None:
        self._group = group
        self._count = f"n{number}"
        self._follows = [each for each in ranking.follows if each.group == number]
        members, single = group.members, len(group.single)
        repeating = len(group.repeating)
        add = tables.add
        self._ways = add([ways(m, q, repeating) for m in range(members) for q in range(single + 1)])
        stride = len(group.places)
        spread = [
            sum(((x >> b) & 1) << (b * stride) for b in range(_CHUNK)) for x in range(1 << _CHUNK)
        ]
        self._spread = add([x & ((1 << WORD) - 1) for x in spread])
        self._codes = add(_inverse(group.patterns, 1 << stride))
        self._placed = add([int(pattern != 0) for pattern in group.patterns])
        self._parts = _Part(
            {
                word: add(numbers)
                for word in range(ranking.words)
                if any(numbers := list(self._contributions(word)))
            }
        )

    def _contributions(self, word: int) -> Iterator[int]:
        """For each pattern and member the bits that they set in *word*."""
        group = self._group
        for code, pattern in enumerate(group.patterns):
            place_bits = self._place_bits(word, code - len(group.repeating))
            for member in range(group.members):
                bits = place_bits
                for number, place in enumerate(group.places):
                    if place.word == word and pattern >> number & 1:
                        bits |= 1 << (place.shift + member)
                yield bits

    def _place_bits(self, word: int, single: int) -> int:
        """The bits that say that the single pattern with this number occurs."""
        return sum(
            1 << (each.place.shift + at)
            for each in self._follows
            if isinstance(each, ByPlaces) and each.place.word == word
            for at, pattern in enumerate(each.patterns)
            if pattern == single
        )

    def ranked(self) -> list[str]:
        """The code that finds the group's number in a state, and adds it to the state's."""
        group, loop = self._group, partial(textwrap.indent, prefix="    ")
        width, stride = group.members, len(group.places)
        lines = ["p = 0"]
        for number, place in enumerate(group.places):
            lines.append(f"x = {_bits(place)}")
            for at in range(0, width, _CHUNK):
                part = f"shr(x, {at})" if at else "x"
                found = f"load(tab, {self._spread} + ({part} & {(1 << _CHUNK) - 1}))"
                lines.append(f"p = p | shl({found}, {at * stride + number})")
        lines += [*self._start(), f"for j in range({width}):"]
        body = [
            f"c = load(tab, {self._codes} + (shr(p, j * {stride}) & {(1 << stride) - 1}))",
            "if c < 0:",
            "    return -1",
            f"t = {self._ways} + ({width - 1} - j) * {len(group.single) + 1} + q",
            f"if c < {len(group.repeating)}:",
            "    r = r + c * load(tab, t)",
            "else:",
            f"    b = bit(c - {len(group.repeating)})",
            "    if used & b != 0:",
            "        return -1",
            f"    r = r + {len(group.repeating)} * load(tab, t)",
            "    r = r + popcount(~used & (b - 1)) * load(tab, t - 1)",
            "    used = used | b",
            "    q = q - 1",
            *self._parts.lines(f"c * {width} + j"),
            f"{self._count} = {self._count} + load(tab, {self._placed} + c)",
        ]
        lines += [loop(line) for line in body]
        return [*lines, f"number = number * {group.size} + r"]

    def unranked(self) -> list[str]:
        """The code that takes the group's number off the state's, and sets its bits."""
        group, width = self._group, self._group.members
        repeating = len(group.repeating)
        body = [
            f"t = {self._ways} + ({width - 1} - j) * {len(group.single) + 1} + q",
            "w = load(tab, t)",
            "c = 0",
            f"while c < {repeating} and r >= w:",
            "    r = r - w",
            "    c = c + 1",
            f"if c == {repeating}:",
            "    w = load(tab, t - 1)",
            "    free = ~used",
            "    while r >= w:",
            "        r = r - w",
            "        free = rest(free)",
            f"    c = {repeating} + lowest(free)",
            "    used = used | (free & -free)",
            "    q = q - 1",
            *self._parts.lines(f"c * {width} + j"),
            f"{self._count} = {self._count} + load(tab, {self._placed} + c)",
        ]
        lines = self._start()
        lines += [f"r = number % {group.size}", f"number = number // {group.size}"]
        lines += [f"for j in range({width}):", *(f"    {line}" for line in body)]
        return lines

    def _start(self) -> list[str]:
        return ["r = 0", "used = 0", f"{self._count} = 0", f"q = {len(self._group.single)}"]


def rank(tab: int, row: int) -> int:
    """The number of the state at *row*, or −1; the code made for a ranking takes its place."""
    raise NotImplementedError


def unrank(tab: int, number: int, row: int) -> int:
    """Write the state with this number to *row*; the code made for a ranking takes its place."""
    raise NotImplementedError


# The loops


def insert_all(
    tab: int, rows: int, n: int, known: int, level: int, scratch: int, result: int
) -> int:
    """Mark the *n* states of *rows* in *level* unless they are in *known*.

    Gives the number of the first state that has no number, and then those before its group are
    marked, or −1; *result* gets how many were new and how many are known.
    """
    new = 0
    old = 0
    start = 0
    wrong = -1
    while start < n and wrong < 0:
        stop = min(start + GROUP, n)
        for j in range(start, stop):
            x = rank(tab, rows + j * WORDS * 8)
            if x < 0:
                wrong = j
                break
            store(scratch, j - start, x)
            prefetch(known, x >> 6)
            prefetch(level, x >> 6)
        if wrong >= 0:
            break
        for j in range(start, stop):
            x = load(scratch, j - start)
            if (load(known, x >> 6) >> (x & 63)) & 1:
                old += 1
            elif (load(level, x >> 6) >> (x & 63)) & 1 == 0:
                before = fetch_or(level, x >> 6, bit(x))
                new += ((before >> (x & 63)) & 1) ^ 1
        start = stop
    store(result, 0, new)
    store(result, 1, old)
    return wrong


def rank_all(tab: int, rows: int, n: int, numbers: int) -> int:
    """Write the numbers of the *n* states of *rows*, −1 for those that have none."""
    for j in range(n):
        store(numbers, j, rank(tab, rows + j * WORDS * 8))
    return 0


def unrank_all(tab: int, numbers: int, n: int, rows: int) -> int:
    """Write the states with the *n* *numbers* to *rows*."""
    for j in range(n):
        unrank(tab, load(numbers, j), rows + j * WORDS * 8)
    return 0


def unrank_marked(tab: int, level: int, first: int, last: int, rows: int) -> int:
    """Write the states that words *first* to *last* − 1 of *level* mark to *rows*."""
    found = 0
    for w in range(first, last):
        x = load(level, w)
        while x != 0:
            unrank(tab, w * 64 + lowest(x), rows + found * WORDS * 8)
            found += 1
            x = rest(x)
    return found


def places_of(known: int, before: int, numbers: int, n: int, result: int) -> int:
    """For each of *n* numbers how many smaller ones are marked in *known*; −1 if it is not.

    *before* has for each word how many are marked in those before it.
    """
    for j in range(n):
        x = load(numbers, j)
        place = -1
        if x >= 0 and (load(known, x >> 6) >> (x & 63)) & 1:
            place = load(before, x >> 6) + popcount(load(known, x >> 6) & (bit(x) - 1))
        store(result, j, place)
    return 0


def ranks_at(known: int, before: int, places: int, words: int, n: int) -> int:
    """Replace each of *n* *places*, which is in a word of *known*, by the number marked there."""
    for j in range(n):
        w = load(words, j)
        x = load(known, w)
        for _ in range(load(places, j) - load(before, w)):
            x = rest(x)
        store(places, j, w * 64 + lowest(x))
    return 0


def marked(level: int, words: int, numbers: int) -> int:
    """Write the numbers that are marked in the *words* of *level*; how many there are."""
    found = 0
    for w in range(words):
        x = load(level, w)
        while x != 0:
            store(numbers, found, w * 64 + lowest(x))
            found += 1
            x = rest(x)
    return found


_LOOPS: Final = (
    insert_all,
    rank_all,
    unrank_all,
    unrank_marked,
    places_of,
    ranks_at,
    marked,
)
