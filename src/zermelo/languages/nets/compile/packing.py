"""Where the tokens of each place lie in a packed marking.

A place with few possible tokens has a counter for each of them; a place with few tokens
and many possible ones has a slot for each token, the largest first, so that one marking
has one form. How many tokens there is room for is known from the form of the net, or
tried: who finds too little room asks for more.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cached_property
from itertools import product, takewhile
from math import prod
from typing import Final, TypeAlias

from zermelo.core.state import State
from zermelo.fast.bits import signed
from zermelo.languages.nets.ir import Net, Place
from zermelo.languages.nets.run.bags import Bag, Token
from zermelo.languages.nets.run.bounds import bounds, bounds_of_one
from zermelo.packing.code import Refused

WORD: Final = 64
MOST_WORDS: Final = 512
MOST_COUNTERS: Final = 16_384
MOST_SLOTS: Final = 256
_ALL: Final = (1 << WORD) - 1
_FIRST_COUNT: Final = 7
"""Tokens for which there is room at first, where nothing bounds them."""
_FIRST_BITS: Final = 8
"""Bits of a component at first, where nothing bounds it; of tuples with many components fewer."""
_ALL_FIRST_BITS: Final = 30
_LEAST_BITS: Final = 3
_FEW_PARTS: Final = 2
_WORTH: Final = 2
"""Counters are taken if they need at most so many times the bits of slots: they are faster."""


@dataclass(frozen=True, slots=True)
class Room:
    """What there shall be room for, where the net does not tell."""

    counts: Mapping[str, int] = field(default_factory=dict)
    ranges: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    """For places whose components need other bounds than those tried first: low and high."""

    def wider(self, place: str, count: int) -> Room:
        """Room for *count* tokens in *place*, and some air."""
        return Room({**self.counts, place: max(2 * count, 2 * _FIRST_COUNT + 1)}, self.ranges)

    def longer(self, packed: Slots, token: Token) -> Room:
        """Room for *token* in a place, and for numbers some way behind those that had none."""
        times = 4 if len(token) <= _FEW_PARTS else 2
        found = []
        for number, low, size in zip(token, packed.low, packed.sizes, strict=True):
            high = low + size - 1
            least = min(number, high - times * size + 1) if number < low else low
            most = max(number, low + times * size - 1) if number > high else high
            found.append((least, most))
        return Room(self.counts, {**self.ranges, packed.place.name: tuple(found)})

    def holds(self, other: Room) -> bool:
        """Whether there is at least as much room as in *other*."""
        return all(
            self.counts.get(place, 0) >= most for place, most in other.counts.items()
        ) and all(
            place in self.ranges
            and all(
                low <= lower and upper <= high
                for (low, high), (lower, upper) in zip(self.ranges[place], ranges, strict=True)
            )
            for place, ranges in other.ranges.items()
        )


class NoRoom(Exception):
    """A marking does not fit; with *room* it does."""

    def __init__(self, room: Room) -> None:
        super().__init__("a marking needs more room")
        self.room = room


@dataclass(frozen=True, slots=True)
class FieldArray:
    """*count* fields of *width* bits: in one word from *shift* on, or in words of their own."""

    word: int
    shift: int
    width: int
    count: int

    @property
    def per_word(self) -> int:
        return WORD // self.width

    @property
    def is_in_one_word(self) -> bool:
        return self.shift + self.count * self.width <= WORD

    def at(self, index: int) -> tuple[int, int]:
        if self.is_in_one_word:
            return self.word, self.shift + index * self.width
        return self.word + index // self.per_word, index % self.per_word * self.width

    def get(self, words: Sequence[int], index: int) -> int:
        word, shift = self.at(index)
        return words[word] >> shift & ((1 << self.width) - 1)

    def put(self, words: list[int], index: int, number: int) -> None:
        """Write *number* into a field that is 0."""
        word, shift = self.at(index)
        words[word] |= number << shift


@dataclass(frozen=True, slots=True)
class Counters:
    """A counter for each possible token of a place."""

    place: Place
    array: FieldArray
    low: tuple[int, ...]
    sizes: tuple[int, ...]
    is_bounded: bool
    """Whether the net itself keeps the counters within their room."""
    total: int | None = None
    """The most tokens that the place can hold, all colours together, if that is known."""

    @property
    def most(self) -> int:
        return (1 << self.array.width) - 1


@dataclass(frozen=True, slots=True)
class Slots:
    """A slot for each token of a place: a bit that it is there, then its components."""

    place: Place
    array: FieldArray
    low: tuple[int, ...]
    sizes: tuple[int, ...]
    bits: tuple[int, ...]
    """How many bits each component takes; the first one is the highest."""
    is_declared: bool
    """Whether the net itself says in which bounds components lie."""

    @property
    def present(self) -> int:
        return 1 << (self.array.width - 1)

    def shifts(self) -> tuple[int, ...]:
        found, at = [], sum(self.bits)
        for bits in self.bits:
            at -= bits
            found.append(at)
        return tuple(found)

    def code(self, token: Token) -> int:
        """*token* as a slot holds it; raises ``ValueError`` if a component has no room."""
        code = self.present
        parts = zip(token, self.low, self.sizes, self.shifts(), strict=True)
        for number, low, size, shift in parts:
            if not 0 <= number - low < size:
                raise ValueError("a component has no room")
            code |= (number - low) << shift
        return code

    def token(self, code: int) -> Token:
        parts = zip(self.low, self.bits, self.shifts(), strict=True)
        return tuple(low + (code >> shift & ((1 << bits) - 1)) for low, bits, shift in parts)


Packed: TypeAlias = Counters | Slots


@dataclass(frozen=True)
class Packing:
    """The form of packed markings of a net."""

    places: tuple[Packed, ...]
    words: int
    room: Room
    names: tuple[str, ...]

    @cached_property
    def _by_name(self) -> Mapping[str, Packed]:
        return dict(zip(self.names, self.places, strict=True))

    def of(self, place: str) -> Packed:
        return self._by_name[place]

    @cached_property
    def in_memory(self) -> frozenset[int]:
        return frozenset(
            word
            for each in self.places
            if needs_memory(each)
            for word in range(each.array.word, each.array.word + _words(each.array))
        )

    @property
    def text(self) -> str:
        """The form in full, with the room that it was made for; ``room_in`` reads that again."""
        room = [dict(self.room.counts), dict(self.room.ranges)]
        arrays = [astuple(each.array) for each in self.places]
        values = [(each.low, each.sizes) for each in self.places]
        kinds = [type(each).__name__ for each in self.places]
        return json.dumps([room, self.words, self.names, kinds, arrays, values])

    def pack(self, state: State) -> tuple[int, ...]:
        """*state* as signed words; raises ``NoRoom``."""
        words = [0] * self.words
        for packed, bag in zip(self.places, state.values, strict=True):
            assert isinstance(bag, Bag), "a marking is made of bags"
            if isinstance(packed, Slots):
                self._fill(packed, bag, words)
                continue
            for token, count in bag:
                if count > packed.most:
                    raise NoRoom(self.room.wider(packed.place.name, len(bag)))
                packed.array.put(words, index(token, packed), count)
        return tuple(map(signed, words))

    def _fill(self, packed: Slots, bag: Bag, words: list[int]) -> None:
        if len(bag) > packed.array.count:
            raise NoRoom(self.room.wider(packed.place.name, len(bag)))
        codes = []
        for token, count in bag:
            try:
                codes += [packed.code(token)] * count
            except ValueError:
                raise NoRoom(self.room.longer(packed, token)) from None
        for at, code in enumerate(sorted(codes, reverse=True)):
            packed.array.put(words, at, code)

    def unpack(self, row: Sequence[int]) -> State:
        words = [int(word) & _ALL for word in row]
        return State(tuple(_bag(packed, words) for packed in self.places), self.names)


def room_in(text: str) -> Room:
    """The room for which the form with this *text* was made; ``ValueError`` if it is none."""
    try:
        (counts, ranges), *_ = json.loads(text)
        return Room(
            {str(place): int(most) for place, most in counts.items()},
            {
                str(place): tuple((int(low), int(high)) for low, high in each)
                for place, each in ranges.items()
            },
        )
    except (TypeError, AttributeError, RecursionError) as error:
        raise ValueError("not a form of markings") from error


def needs_memory(packed: Packed) -> bool:
    """Whether its fields can only be reached through memory: several words, or several slots."""
    if isinstance(packed, Slots):
        return packed.array.count > 1
    return not packed.array.is_in_one_word


def index(token: Token, packed: Counters) -> int:
    at = 0
    for number, low, size in zip(token, packed.low, packed.sizes, strict=True):
        at = at * size + number - low
    return at


def _bag(packed: Packed, words: Sequence[int]) -> Bag:
    array = packed.array
    if isinstance(packed, Slots):
        codes = takewhile(bool, (array.get(words, at) for at in range(array.count)))
        return Bag.of(Counter(map(packed.token, codes)))
    ranges = zip(packed.low, packed.sizes, strict=True)
    tokens = product(*(range(low, low + size) for low, size in ranges))
    found = ((token, array.get(words, at)) for at, token in enumerate(tokens))
    return Bag(tuple(each for each in found if each[1]))


# How places are packed


@dataclass(frozen=True, slots=True)
class _Wish:
    """A place with the fields it wants."""

    place: Place
    count: int
    width: int
    low: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    bits: tuple[int, ...] = ()
    is_slots: bool = False
    is_bounded: bool = False
    """Whether the net itself keeps it within that."""
    total: int = 0

    @property
    def size(self) -> int:
        return self.count * self.width


def packing(net: Net, room: Room) -> Packing:
    """How markings of *net* are packed; raises ``Refused`` if they cannot be."""
    known, of_one = bounds(net), bounds_of_one(net)
    wishes = [
        _wish(place, known.get(place.name), of_one.get(place.name), room) for place in net.places
    ]
    wide = next((each for each in wishes if each.width >= WORD), None)
    if wide is not None:
        raise Refused(f"the tokens of `{wide.place.name}` are too many to be counted in a word")
    arrays = _placed(wishes)
    words = max((each.word + _words(each) for each in arrays.values()), default=1)
    if words > MOST_WORDS:
        raise Refused(f"a marking takes {words} words of memory")
    made = tuple(_made(wish, arrays[wish.place.name]) for wish in wishes)
    return Packing(made, words, room, tuple(place.name for place in net.places))


def _wish(place: Place, bound: int | None, each: int | None, room: Room) -> _Wish:
    """What *place* wants, where it never has more than *bound* tokens, and *each* of one."""
    count = room.counts.get(place.name, _FIRST_COUNT) if bound is None else bound
    count = max(count, len(place.initial), 1)
    is_bounded = bound is not None
    if place.arity == 0:
        return _Wish(place, 1, count.bit_length(), is_bounded=is_bounded, total=count)
    low, sizes = _ranges(place, room)
    bits = tuple((size - 1).bit_length() for size in sizes)
    counters = prod(sizes)
    slots = _Wish(place, count, 1 + sum(bits), low, sizes, bits, is_slots=True)
    is_declared = place.low is not None and place.high is not None
    if is_declared and counters <= MOST_COUNTERS:
        width = max(1, count if each is None else each).bit_length()
        wish = _Wish(place, counters, width, low, sizes, is_bounded=is_bounded, total=count)
        if wish.size <= max(WORD, _WORTH * slots.size):
            return wish
    if slots.width > WORD - 1 or count > MOST_SLOTS:
        raise Refused(f"the tokens of `{place.name}` do not fit in a packed marking")
    return slots


def _ranges(place: Place, room: Room) -> tuple[tuple[int, ...], tuple[int, ...]]:
    bits = max(_LEAST_BITS, min(_FIRST_BITS, _ALL_FIRST_BITS // place.arity))
    first = (-(1 << bits - 2), 3 * (1 << bits - 2) - 1)
    tried = room.ranges.get(place.name, (first,) * place.arity)
    lows = place.low or tuple(low for low, _ in tried)
    highs = place.high or tuple(high for _, high in tried)
    pairs = list(zip(lows, highs, strict=True))
    if place.low is None or place.high is None:
        # Where one bound is given, there is as much room on its side as is needed.
        pairs = [_at_least(pair, place, 1 << bits) for pair in pairs]
    sizes = tuple(max(1, high - low + 1) for low, high in pairs)
    return tuple(low for low, _ in pairs), sizes


def _at_least(pair: tuple[int, int], place: Place, size: int) -> tuple[int, int]:
    """*pair* with room for *size* numbers at least, beyond the bound that is not given."""
    low, high = pair
    if place.low is not None:
        return low, max(high, low + size - 1)
    return (low if place.high is None else min(low, high - size + 1)), high


def _made(wish: _Wish, array: FieldArray) -> Packed:
    if wish.is_slots:
        is_declared = wish.place.low is not None and wish.place.high is not None
        return Slots(wish.place, array, wish.low, wish.sizes, wish.bits, is_declared)
    total = wish.total if wish.is_bounded else None
    return Counters(wish.place, array, wish.low, wish.sizes, wish.is_bounded, total)


def _placed(wishes: Sequence[_Wish]) -> dict[str, FieldArray]:
    """The widest first, each in the first word with room for it."""
    free: list[int] = []
    found: dict[str, FieldArray] = {}
    # What is as wide as the one before finds no room in front of that one.
    first, last = 0, 0
    for wish in sorted(wishes, key=lambda each: -each.size):
        first, last = (first if wish.size == last else 0), wish.size
        if wish.size > WORD:
            found[wish.place.name] = FieldArray(len(free), 0, wish.width, wish.count)
            free += [WORD] * _words(found[wish.place.name])
            continue
        words = range(first, len(free))
        at = first = next((w for w in words if free[w] + wish.size <= WORD), len(free))
        if at == len(free):
            free.append(0)
        found[wish.place.name] = FieldArray(at, free[at], wish.width, wish.count)
        free[at] += wish.size
    return found


def _words(array: FieldArray) -> int:
    return 1 if array.is_in_one_word else -(-array.count // array.per_word)
