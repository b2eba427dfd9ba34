"""Firings that are the same in every marking: tests of fields, and numbers that are added.

Few of them are written out, so that firing one takes a handful of instructions and no
branch. Code for each of some thousand would take minutes to compile: these are put into
a table, and one loop over it fires all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.core.nets.ground import Ground, Spot
from zermelo.kernels.nets.packing import WORD, Counters, Packing, index

_ALL: Final = (1 << WORD) - 1
_FEW_WORDS: Final = 2
"""Markings of so few words are written whether they follow or not: cheaper than a branch."""

LOOP: Final = """
def fire_plain(tab, row, out, moves, n, at, count, words):
    left = count
    while left > 0:
        left = left - 1
        tests = load(tab, at + 1)
        limits = load(tab, at + 2)
        changes = load(tab, at + 3)
        code = load(tab, at)
        at = at + 4
        last = at + tests * 4
        following = last + limits * 4 + changes * 2
        ok = 1
        while at < last:
            field = shr(load(row, load(tab, at)), load(tab, at + 1)) & load(tab, at + 2)
            if below(field, load(tab, at + 3)) == 1:
                ok = 0
                at = last
            else:
                at = at + 4
        if ok == 1:
            last = at + limits * 4
            while at < last:
                field = shr(load(row, load(tab, at)), load(tab, at + 1)) & load(tab, at + 2)
                if below(load(tab, at + 3), field) == 1:
                    return -1
                at = at + 4
            made = out + n * words * 8
            word = 0
            while word < words:
                store(made, word, load(row, word))
                word = word + 1
            while at < following:
                word = load(tab, at)
                store(made, word, add(load(made, word), load(tab, at + 1)))
                at = at + 2
            store(moves, n, code)
            n = n + 1
        at = following
    return n
"""
"""The function that fires what is in a table."""


@dataclass(frozen=True, slots=True)
class Test:
    """A field of a marking, compared with a number."""

    word: int
    shift: int
    mask: int
    number: int

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        """The test as a table has it."""
        return self.word, self.shift, _signed(self.mask), _signed(self.number)

    @property
    def field(self) -> str:
        """Code for the number in the field."""
        return f"(shr(w{self.word}, {self.shift}) & {self.mask})"

    @property
    def at_least(self) -> str:
        """Code that tells whether the field has at least the number."""
        here = _signed(self.mask << self.shift)
        if self.number == self.mask:
            return f"((w{self.word} & {here}) == {here})"
        if self.number == 1:
            return f"((w{self.word} & {here}) != 0)"
        return f"({self.field} >= {self.number})"


@dataclass(frozen=True, slots=True)
class Fire:
    """What a firing needs and does, on the words of a marking."""

    tests: tuple[Test, ...]
    """Fields that have at least so many tokens."""
    limits: tuple[Test, ...]
    """Fields that have at most so many, or there is no room for what is put there."""
    changes: tuple[tuple[int, int], ...]
    """Words, and what is added to each."""

    @property
    def record(self) -> list[int]:
        """The firing for ``LOOP``, without its code.

        How many tests, limits and changes there are, and these.
        """
        numbers = [len(self.tests), len(self.limits), len(self.changes)]
        for test in (*self.tests, *self.limits):
            numbers += test.numbers
        for word, change in self.changes:
            numbers += [word, _signed(change)]
        return numbers

    def lines(self, code: int, words: int) -> Iterator[str]:
        """The firing written out, in a function where all words are in variables."""
        enabled = " & ".join(test.at_least for test in self.tests)
        for limit in self.limits:
            full = f"({limit.field} > {limit.number})"
            yield f"if {f'{enabled} & {full}' if enabled else full}:"
            yield "    return -1"
        made = [f"store(made, {at}, {self._word(at)})" for at in range(words)]
        writing = [f"made = out + n * {8 * words}", *made, f"store(moves, n, {code})"]
        if enabled and words <= _FEW_WORDS:
            yield from writing
            yield f"n = n + ({enabled})"
            return
        indent = ""
        if enabled:
            yield f"if {enabled}:"
            indent = "    "
        for line in (*writing, "n = n + 1"):
            yield f"{indent}{line}"

    def _word(self, at: int) -> str:
        change = dict(self.changes).get(at, 0)
        return f"add(w{at}, {_signed(change)})" if change else f"w{at}"


def fires(firings: Sequence[Ground], packing: Packing) -> list[tuple[Ground, Fire]] | None:
    """What *firings* do, without those that no marking with this packing enables.

    ``None`` if one moves tokens of a place that has no counters, or more than there is room for.
    """
    found = []
    for firing in firings:
        spots = (*firing.taken, *firing.put)
        if not all(isinstance(packing.places[at], Counters) for at, _ in spots):
            return None
        made = _fire(firing, packing)
        if any(limit.number < 0 for limit in made.limits):
            return None
        if all(test.number <= test.mask for test in made.tests):
            found.append((firing, made))
    return found


def _fire(firing: Ground, packing: Packing) -> Fire:
    tests = [_test(packing, spot, count) for spot, count in firing.taken.items()]
    limits, changes = [], dict[int, int]()
    for spot in dict.fromkeys((*firing.taken, *firing.put)):
        packed = packing.places[spot[0]]
        assert isinstance(packed, Counters)
        more = firing.put.get(spot, 0) - firing.taken.get(spot, 0)
        if more > 0 and not packed.is_bounded:
            limits.append(_test(packing, spot, packed.most - more))
        if more:
            word, shift = packed.array.at(index(spot[1], packed))
            changes[word] = changes.get(word, 0) + (more << shift)
    return Fire(_joined(tests), tuple(limits), tuple(sorted(changes.items())))


def _joined(tests: Sequence[Test]) -> tuple[Test, ...]:
    """*tests* with those for one token in fields of one bit made one for each word."""
    bits: dict[int, int] = {}
    others = []
    for test in tests:
        if test.mask == test.number == 1:
            bits[test.word] = bits.get(test.word, 0) | 1 << test.shift
        else:
            others.append(test)
    return (*(Test(word, 0, mask, mask) for word, mask in bits.items()), *others)


def _test(packing: Packing, spot: Spot, number: int) -> Test:
    packed = packing.places[spot[0]]
    assert isinstance(packed, Counters)
    word, shift = packed.array.at(index(spot[1], packed))
    return Test(word, shift, (1 << packed.array.width) - 1, number)


def _signed(number: int) -> int:
    number &= _ALL
    return number - (1 << WORD) if number >> (WORD - 1) else number
