"""Firings that are the same in every marking: tests of fields, and numbers that are added.

Few of them are written out, so that firing one takes a handful of instructions and no
branch. Code for each of some thousand would take minutes to compile: these are put into
a table, and one loop over it fires all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.languages.nets.compile.packing import WORD, Counters, Packing, index
from zermelo.languages.nets.run.ground import Ground, Spot

_ALL: Final = (1 << WORD) - 1
_FEW_WORDS: Final = 2
"""Markings of so few words are written whether they follow or not: cheaper than a branch."""

LOOP: Final = """
def fire_plain(tab, row, out, moves, n, at, end, words):
    while at < end:
        code = load(tab, at)
        tests = load(tab, at + 1)
        limits = load(tab, at + 2)
        changes = load(tab, at + 3)
        at = at + 4
        if code < 0:
            if load(row, tests) & limits == 0:
                at = at + changes
        else:
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
"""The function that fires what is in a table.

A code less than 0 stands before a group of firings: its word, the bits of which one must be
set for any of them, and how far it is behind the group.
"""


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


def table(firings: Iterable[tuple[int, Fire]]) -> list[int]:
    """The numbers for ``LOOP`` of firings with their codes.

    Those that need a token in the same word, and in the same field, stand together, so that
    all of them are passed over in one step where it is not there.
    """
    numbers: list[int] = []
    for word, of_word in _groups(firings, lambda test: test.word):
        inner: list[int] = []
        for _, of_field in _groups(of_word, lambda test: test.shift):
            records = [number for code, fire in of_field for number in (code, *fire.record)]
            inner += _guarded(word, of_field, records)
        numbers += _guarded(word, of_word, inner)
    return numbers


def _groups(
    firings: Iterable[tuple[int, Fire]], key: Callable[[Test], int]
) -> list[tuple[int, list[tuple[int, Fire]]]]:
    """*firings* by the *key* of their first test; −1 for those that need nothing."""
    found: dict[int, list[tuple[int, Fire]]] = {}
    for each in firings:
        tests = each[1].tests
        found.setdefault(key(tests[0]) if tests else -1, []).append(each)
    return sorted(found.items())


def _guarded(word: int, firings: Sequence[tuple[int, Fire]], records: list[int]) -> list[int]:
    """*records* behind the test that tells whether one of them can fire."""
    if word < 0 or len(firings) == 1:
        return records
    bits = 0
    for _, fire in firings:
        bits |= fire.tests[0].mask << fire.tests[0].shift
    return [-1, word, _signed(bits), len(records), *records]


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
