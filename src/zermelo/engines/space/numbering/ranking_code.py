"""The code that numbers states by a ``Ranking``, as source text for the compiler.

A state's words are called ``w0``, ``w1``, … where it is read, and ``e0``, ``e1``, … as they
follow from its number. The number of a group goes by its members, the first of them first.
What ``unrank`` found for the number before is remembered member by member, as numbers mostly
come in order: then only the last members are different.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import perm
from typing import Final, Protocol

from zermelo.core.layout import WORD, Place
from zermelo.engines.space.numbering.ranking import (
    ByCount,
    ByPlaces,
    Digit,
    RankedGroup,
    Ranking,
    ways,
)
from zermelo.fast.bits import signed


def functions(ranking: Ranking, tables: LookupTables) -> Iterator[str]:
    """The text of ``rank`` and ``unrank``; *tables* gets what they look up."""
    groups = [group_code(number, ranking, tables) for number in range(len(ranking.groups))]
    digits = [_DigitCode(digit, number, tables) for number, digit in enumerate(ranking.digits)]
    counts = [
        _CountCode(each, ranking, tables) for each in ranking.follows if isinstance(each, ByCount)
    ]
    words = range(ranking.words)
    parts: list[_RankingCode] = [*groups, *digits, *counts]
    lines = [f"w{word} = load(row, {word})" for word in words]
    # What is read as a pattern or a digit that is known is right as it is.
    lines += [f"e{word} = w{word} & {signed(_read(ranking, word))}" for word in words]
    lines += ["number = 0", "known = 0", "wrong = 0"]
    lines += [line for part in parts for line in part.ranked()]
    different = " | ".join(["wrong", *(f"(e{word} ^ w{word})" for word in words)])
    lines += [f"if known < 0 or ({different}) != 0:", "    return -1", "return number"]
    yield _function("rank(tab, row)", lines)
    lines = [f"e{word} = 0" for word in words]
    parts = [*reversed(digits), *reversed(groups), *counts]
    lines += [line for part in parts for line in part.unranked()]
    lines += [*(f"store(row, {word}, e{word})" for word in words), "return 0"]
    yield _function("unrank(tab, memory, number, row)", lines)


class _RankingCode(Protocol):
    def ranked(self) -> list[str]:
        """The code that finds its number in a state, and adds it to the state's."""

    def unranked(self) -> list[str]:
        """The code that takes its number off the state's, and sets its bits."""


class _DigitCode:
    def __init__(self, digit: Digit, number: int, tables: LookupTables) -> None:
        self._digit = digit
        self._name = f"d{number}"
        self._codes = tables.add(inverse(digit.values, 1 << digit.place.width))
        self._part = part_of(tables, [(digit.place, value) for value in digit.values])

    def ranked(self) -> list[str]:
        name = self._name
        return [
            f"{name} = load(tab, {self._codes} + ({bits_at('w', self._digit.place)}))",
            f"known = known | {name}",
            f"number = number * {len(self._digit.values)} + {name}",
        ]

    def unranked(self) -> list[str]:
        name, size = self._name, len(self._digit.values)
        lines = [f"{name} = number % {size}", f"number = number // {size}"]
        return [*lines, *added(self._part, name)]


class _CountCode:
    def __init__(self, each: ByCount, ranking: Ranking, tables: LookupTables) -> None:
        size = 1 if each.digit < 0 else len(ranking.digits[each.digit].values)
        self._index = f"n{each.group}" + (f" * {size} + d{each.digit}" if each.digit >= 0 else "")
        self._known = tables.add([-int(value is None) for value in each.values])
        values = [None if value is None else (each.place, value) for value in each.values]
        self._part = part_of(tables, values)

    def ranked(self) -> list[str]:
        return [f"known = known | load(tab, {self._known} + {self._index})", *self.unranked()]

    def unranked(self) -> list[str]:
        return added(self._part, self._index)


def _read(ranking: Ranking, word: int) -> int:
    """The bits of *word* that are read as patterns and digits."""
    places = [place for group in ranking.groups for place in group.places]
    places += [digit.place for digit in ranking.digits]
    return sum(((1 << place.width) - 1) << place.shift for place in places if place.word == word)


def _function(head: str, lines: Sequence[str]) -> str:
    return "\n".join([f"def {head}:", *(f"    {line}" for line in lines)])


_CHUNK: Final = 9
"""Bits of a mask that are looked up at a time."""
_MOST_UNROLLED: Final = 16
"""Groups with more members are ranked in a loop."""
_MOST_LISTED: Final = 12
"""With more members the sets of them are not listed."""
_LOW, _WIDTH, _USED, _LEFT, _BITS = range(5)
"""What is remembered of the first members of a group: the least number that they lead to, how
many there are, the places they take, what is left (how many places, or which members), and
the bits they set."""


def group_code(number: int, ranking: Ranking, tables: LookupTables) -> GroupCode:
    group = ranking.groups[number]
    is_placement = group.repeating == (0,) and group.single and group.members <= _MOST_LISTED
    return (PlacementCode if is_placement else GroupCode)(group, number, ranking, tables)


class GroupCode:
    """The code for one group, and for the masks that follow from it."""

    def __init__(
        self, group: RankedGroup, number: int, ranking: Ranking, tables: LookupTables
    ) -> None:
        self._group = group
        self._words = ranking.words
        follows = [each for each in ranking.follows if each.group == number]
        self._masks = [each for each in follows if isinstance(each, ByPlaces)]
        is_counted = any(isinstance(each, ByCount) for each in follows)
        self._count = f"n{number}" if is_counted else None
        members, single, repeating = group.members, len(group.single), len(group.repeating)
        stride = len(group.places)
        add = tables.add
        self._spread = add([_spread(x, stride) for x in range(1 << _CHUNK)])
        codes = inverse(group.patterns, 1 << stride)
        # In what is no state members may take more places than there are. That reads before
        # this table begins, where the one above stands.
        self._ways = add([ways(m, q, repeating) for m in range(members) for q in range(single + 1)])
        self._digits = add([min(code, repeating) for code in codes])
        self._places = add([1 << (c - repeating) if c >= repeating else 0 for c in codes])
        self._set = tables_of(tables, [self._set_by(word) for word in range(ranking.words)])
        self._taken = [
            tables_of(tables, [self._taken_by(word, at) for word in range(ranking.words)])
            for at in range(0, single, _CHUNK)
        ]
        self._stride = _BITS + ranking.words
        first = [0, group.size, 0, single, *[0] * ranking.words]
        self._memory = tables.remember(first + [0] * self._stride * members)

    def _set_by(self, word: int) -> list[int]:
        """For each pattern and member the bits that they set in *word*."""
        group = self._group
        found = []
        for code, pattern in enumerate(group.patterns):
            single = code - len(group.repeating)
            place_bits = self._place_bits(word, {single} if single >= 0 else set())
            for member in range(group.members):
                bits = place_bits
                for number, place in enumerate(group.places):
                    if place.word == word and pattern >> number & 1:
                        bits |= 1 << (place.shift + member)
                found.append(bits)
        return found

    def _taken_by(self, word: int, first: int) -> list[int]:
        """For each set of the places from *first* on the bits of *word* that say so."""
        return [
            self._place_bits(word, {first + at for at in range(_CHUNK) if taken >> at & 1})
            for taken in range(1 << min(_CHUNK, len(self._group.single) - first))
        ]

    def _place_bits(self, word: int, singles: set[int]) -> int:
        """The bits that say that the single patterns with these numbers occur."""
        return sum(
            1 << (each.place.shift + at)
            for each in self._masks
            if each.place.word == word
            for at, pattern in enumerate(each.patterns)
            if pattern in singles
        )

    # From a state to its number

    def ranked(self) -> list[str]:
        group = self._group
        width, single = group.members, len(group.single)
        lines = [*self._patterns(), "r = 0", "used = 0", f"q = {single}"]
        if width <= _MOST_UNROLLED:
            lines += [line for member in range(width) for line in self._member(str(member))]
        else:
            lines.append(f"for j in range({width}):")
            lines += [f"    {line}" for line in self._member("j")]
        return [*lines, *self._added_number()]

    def _added_number(self) -> list[str]:
        """The code that adds *r*, and sets the masks that say which places are taken."""
        lines = []
        for at, tables in enumerate(self._taken):
            size = min(_CHUNK, len(self._group.single) - at * _CHUNK)
            lines += added(tables, f"({shifted('used', at * _CHUNK)} & {(1 << size) - 1})")
        return [*lines, f"number = number * {self._group.size} + r", *self._counted("w")]

    def _patterns(self) -> list[str]:
        """The code that brings together the bits of each member: *p* has all patterns."""
        group = self._group
        lines = ["p = 0"]
        for number, place in enumerate(group.places):
            lines.append(f"x = {bits_at('w', place)}")
            for at in range(0, group.members, _CHUNK):
                index = f"{shifted('x', at)} & {(1 << _CHUNK) - 1}"
                if group.members - at <= _CHUNK:
                    index = shifted("x", at)
                found = f"load(tab, {self._spread} + ({index}))"
                lines.append(f"p = p | shl({found}, {at * len(group.places) + number})")
        return lines

    def _member(self, j: str) -> list[str]:
        """The code for member *j*; *r* is the number of those before."""
        group = self._group
        width, stride, single = group.members, len(group.places), len(group.single)
        lines = [
            f"i = shr(p, {j} * {stride}) & {(1 << stride) - 1}",
            f"d = load(tab, {self._digits} + i)",
            "known = known | d",
        ]
        if not single:
            return [*lines, f"r = r * {len(group.repeating)} + d"]
        lines += [
            f"b = load(tab, {self._places} + i)",
            "s = b != 0",
            "k = popcount(~used & (b - s))",
            "wrong = wrong | (used & b)",
            "used = used | b",
        ]
        if j == str(width - 1):
            return [*lines, "r = r + d + k"]
        row = f"({width - 1} - {j}) * {single + 1}"
        return [
            *lines,
            f"t = {self._ways} + {row} + q",
            "r = r + d * load(tab, t) + k * load(tab, t - 1)",
            "q = q - s",
        ]

    def _counted(self, words: str) -> list[str]:
        """The code that counts the members that have a pattern but 0."""
        if self._count is None:
            return []
        masks = " | ".join(f"({bits_at(words, place)})" for place in self._group.places)
        return [f"{self._count} = popcount({masks})"]

    # From a number to its state

    def unranked(self) -> list[str]:
        group, memory, stride = self._group, self._memory, self._stride
        width = group.members
        known = "r - load(memory, at), load(memory, at + 1)"
        lines = [
            f"r = number % {group.size}",
            f"number = number // {group.size}",
            f"j = {width}",
            f"at = {memory + width * stride}",
            f"while below({known}) == 0:",
            "    j = j - 1",
            f"    at = at - {stride}",
            "r = r - load(memory, at)",
            *self._recalled("q"),
            f"while j < {width}:",
            *(f"    {line}" for line in self._next()),
            "    j = j + 1",
            f"    at = at + {stride}",
            *self._remembered("q"),
        ]
        lines += [f"e{word} = e{word} | g{word}" for word in range(self._words)]
        return [*lines, *self._counted("g")]

    def _recalled(self, left: str) -> list[str]:
        """The code that reads what is remembered at *at*; *left* names what is left."""
        return [
            f"low = load(memory, at + {_LOW})",
            f"used = load(memory, at + {_USED})",
            f"{left} = load(memory, at + {_LEFT})",
            *(f"g{word} = load(memory, at + {_BITS + word})" for word in range(self._words)),
        ]

    def _remembered(self, left: str) -> list[str]:
        """The code, in a loop, that writes to *at* what is to be remembered."""
        return [
            f"    store(memory, at + {_LOW}, low)",
            f"    store(memory, at + {_WIDTH}, v)",
            f"    store(memory, at + {_USED}, used)",
            f"    store(memory, at + {_LEFT}, {left})",
            *(f"    store(memory, at + {_BITS + word}, g{word})" for word in range(self._words)),
        ]

    def _next(self) -> list[str]:
        """The code for the next member; *r* is what is left of the number."""
        group = self._group
        repeating, single = len(group.repeating), len(group.single)
        lines = [
            f"t = {self._ways} + ({group.members - 1} - j) * {single + 1} + q",
            "v = load(tab, t)",
            "c = 0",
            f"while c < {repeating} and r >= v:",
            "    r = r - v",
            "    low = low + v",
            "    c = c + 1",
        ]
        if single:
            lines += [
                f"if c == {repeating}:",
                "    v = load(tab, t - 1)",
                "    free = ~used",
                "    while r >= v:",
                "        r = r - v",
                "        low = low + v",
                "        free = rest(free)",
                f"    c = {repeating} + lowest(free)",
                "    used = used | (free & -free)",
                "    q = q - 1",
            ]
        bits = (
            f"g{word} = g{word} | load(tab, {at} + c * {group.members} + j)"
            for word, at in self._set.items()
        )
        return [*lines, *bits]


class PlacementCode(GroupCode):
    """The same where members have a place, or none: by the members that have one, then by places.

    So the members without one take no time.
    """

    def __init__(
        self, group: RankedGroup, number: int, ranking: Ranking, tables: LookupTables
    ) -> None:
        super().__init__(group, number, ranking, tables)
        members, single = group.members, len(group.single)
        sizes = [perm(single, placed.bit_count()) for placed in range(1 << members)]
        self._firsts = tables.add(list(accumulate(sizes[:-1], initial=0)))
        # How many ways there are for the members from number t on, when there are n of them.
        most = range(members + 1)
        self._after = tables.add(
            [perm(single - t, n - t) if t <= min(n, single) else 0 for n in most for t in most]
        )
        self._stride = _BITS + ranking.words
        self._memory = tables.remember([0] * (1 + self._stride * (members + 1)))

    def ranked(self) -> list[str]:
        group = self._group
        stride, single = len(group.places), len(group.single)
        masks = " | ".join(f"({bits_at('w', place)})" for place in group.places)
        lines = [
            *self._patterns(),
            f"placed = {masks}",
            "m = placed",
            "r = 0",
            "used = 0",
            f"q = {single}",
            "while m != 0:",
            f"    i = shr(p, lowest(m) * {stride}) & {(1 << stride) - 1}",
            f"    b = load(tab, {self._places} + i)",
            "    m = rest(m)",
            "    r = r * q + popcount(~used & (b - 1))",
            "    used = used | b",
            "    q = q - 1",
            # Two members on one place, or a pattern that is not known, leave too few places.
            f"wrong = wrong | (popcount(used) + q - {single})",
            f"r = r + load(tab, {self._firsts} + placed)",
        ]
        return [*lines, *self._added_number()]

    def unranked(self) -> list[str]:
        group, memory, stride = self._group, self._memory, self._stride
        members, words = group.members, range(self._words)
        known = "r - load(memory, at), load(memory, at + 1)"
        return [
            f"r = number % {group.size}",
            f"number = number // {group.size}",
            f"n = load(memory, {memory})",
            "t = n",
            f"at = {memory + 1} + t * {stride}",
            f"while t >= 0 and below({known}) == 0:",
            "    t = t - 1",
            f"    at = at - {stride}",
            "if t < 0:",
            "    low = 0",
            f"    high = {1 << members}",
            "    while high - low > 1:",
            "        middle = (low + high) >> 1",
            f"        if load(tab, {self._firsts} + middle) <= r:",
            "            low = middle",
            "        else:",
            "            high = middle",
            "    n = popcount(low)",
            "    t = 0",
            f"    at = {memory + 1}",
            f"    store(memory, {memory}, n)",
            f"    store(memory, at + {_LOW}, load(tab, {self._firsts} + low))",
            f"    store(memory, at + {_WIDTH}, load(tab, {self._after} + n * {members + 1}))",
            f"    store(memory, at + {_USED}, 0)",
            f"    store(memory, at + {_LEFT}, low)",
            *(f"    store(memory, at + {_BITS + word}, 0)" for word in words),
            *self._recalled("m"),
            "r = r - low",
            "while t < n:",
            "    t = t + 1",
            f"    at = at + {stride}",
            f"    v = load(tab, {self._after} + n * {members + 1} + t)",
            "    free = ~used",
            "    while r >= v:",
            "        r = r - v",
            "        low = low + v",
            "        free = rest(free)",
            f"    c = (lowest(free) + 1) * {members} + lowest(m)",
            "    used = used | (free & -free)",
            "    m = rest(m)",
            *(
                f"    g{word} = g{word} | load(tab, {start} + c)"
                for word, start in self._set.items()
            ),
            *self._remembered("m"),
            *(f"e{word} = e{word} | g{word}" for word in words),
            *self._counted("g"),
        ]


def _spread(x: int, stride: int) -> int:
    """The bits of *x* with *stride* − 1 bits between each two of them."""
    found = sum(((x >> b) & 1) << (b * stride) for b in range(_CHUNK))
    return found & ((1 << WORD) - 1)


@dataclass(slots=True)
class LookupTables:
    """Numbers that the code looks up, one after another in memory."""

    words: int
    numbers: list[int] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    """What ``unrank`` remembers before it has seen a number."""

    def add(self, numbers: Sequence[int]) -> int:
        at = len(self.numbers)
        self.numbers += [signed(number) for number in numbers]
        return at

    def remember(self, numbers: Sequence[int]) -> int:
        at = len(self.memory)
        self.memory += numbers
        return at


def shifted(name: str, by: int) -> str:
    return f"shr({name}, {by})" if by else name


def bits_at(words: str, place: Place) -> str:
    """The code for the bits at *place* of a state whose words are called *words*."""
    word = shifted(f"{words}{place.word}", place.shift)
    is_rest = place.shift + place.width == WORD
    return word if is_rest else f"{word} & {(1 << place.width) - 1}"


def inverse(values: Sequence[int], size: int) -> list[int]:
    """For each number up to *size* its place in *values*, −1 if it has none."""
    found = [-1] * size
    for at, value in enumerate(values):
        found[value] = at
    return found


def tables_of(tables: LookupTables, by_word: Sequence[Sequence[int]]) -> dict[int, int]:
    """For each word where its table begins, unless that would only have zeros."""
    return {word: tables.add(numbers) for word, numbers in enumerate(by_word) if any(numbers)}


def part_of(tables: LookupTables, values: Sequence[tuple[Place, int] | None]) -> dict[int, int]:
    """The tables for a field that has one of *values*."""
    by_word = [[0] * len(values) for _ in range(tables.words)]
    for at, each in enumerate(values):
        if each is not None:
            place, value = each
            by_word[place.word][at] = value << place.shift
    return tables_of(tables, by_word)


def added(part: dict[int, int], index: str) -> list[str]:
    """The code that adds the bits that stand at *index* in the tables of *part*."""
    return [f"e{word} = e{word} | load(tab, {at} + {index})" for word, at in part.items()]
