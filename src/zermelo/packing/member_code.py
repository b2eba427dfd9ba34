"""Code for the members of finite sets: their numbers in lists, and subsets as bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from math import prod
from typing import Final

from zermelo.core.layout import WORD
from zermelo.core.values import FALSE, TRUE, UNSET, TruthValue, Value
from zermelo.packing.code import Refused, Writer
from zermelo.packing.code_values import (
    MOST_MEMBERS,
    NO,
    YES,
    Bits,
    CodeValue,
    Known,
    Member,
    Never,
    Num,
    Parts,
    Ratio,
    Truth,
    Universe,
    as_num,
    literal,
    mask_of,
    members,
    numbers_from,
    universe,
    words_of,
)

LARGEST_TABLE: Final = 1 << 16


class MemberCode:
    """Writes code that finds members in lists and goes through those of bits."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def index(self, rep: CodeValue, values: Universe) -> Num:
        """The number of *rep* in *values*, −1 where it is not there."""
        match rep:
            case Known(value):
                at = numbered(values)(value)
                return Num(literal(at), at, at)
            case Member(code, own):
                return self._renumbered(code, own, values)
            case Num():
                return self._of_number(rep, values)
            case Truth(code):
                return self._of_truth(code, values)
            case Parts(items):
                return self._of_tuple(items, values)
            case Never():
                return Num("(-1)", -1, -1)
            case Bits():
                return self._of_set(rep, values)
            case Ratio():
                raise Refused("a fraction that is looked up in a set")
            case _:
                raise Refused("a set that is looked up in a set of sets")

    def element(self, code: str, values: Universe) -> CodeValue:
        first = numbers_from(values)
        if first is not None:
            shifted = code if first == 0 else f"({code} + {literal(first)})"
            return Num(self.writer.keep(shifted), first, first + len(values) - 1)
        if values == (FALSE, TRUE):
            return Truth(f"({code} != 0)")
        if values and all(type(value) is int for value in values):
            numbers = [value for value in values if isinstance(value, int)]
            found = self.writer.keep(self.writer.look_up(numbers, code))
            return Num(found, min(numbers), max(numbers))
        return Member(code, values)

    def place_of(self, rep: CodeValue, values: Universe) -> str:
        """The number of *rep* among *values*; of bits, the bits themselves."""
        if isinstance(rep, Bits):
            return self.writer.keep(rep.words[0])
        return self.index(rep, values).code

    def looked_up(self, code: str, values: Universe) -> CodeValue:
        """The value with the number *code* in *values*, all that a table may give."""
        if set(values) <= {FALSE, TRUE}:
            return Known(values[0]) if len(values) == 1 else Truth(f"({code} == 1)")
        if not values:
            return Never()
        return self.element(code, values)

    def components(self, rep: CodeValue, count: int) -> tuple[CodeValue, ...] | None:
        """The components of the tuple *rep*; ``None`` if it has not so many."""
        match rep:
            case Parts(items):
                return items if len(items) == count else None
            case Known(tuple(value)):
                return tuple(map(Known, value)) if len(value) == count else None
            case Member(code, values):
                return self._components_of(code, values, count)
            case Never():
                return (rep,) * count
            case _:
                return None

    def _components_of(
        self, code: str, values: Universe, count: int
    ) -> tuple[CodeValue, ...] | None:
        tuples = [value for value in values if isinstance(value, tuple) and len(value) == count]
        if not tuples:
            return (Never(),) * count
        if len(tuples) != len(universe(values)):
            raise Refused("tuples beside other values")
        code = self.writer.keep(code)
        found: list[CodeValue] = []
        for at in range(count):
            column = universe(item[at] for item in tuples)
            place = numbered(column)
            numbers = [place(value[at]) if isinstance(value, tuple) else 0 for value in values]
            found.append(self.element(self._column(code, numbers, values, column), column))
        return tuple(found)

    def _column(self, code: str, numbers: list[int], values: Universe, column: Universe) -> str:
        """The component of the tuple *code*: by division where the tuples are a product."""
        if len(column) == 1:
            return "0"
        size = len(values)
        for below in (1, *(size // k for k in range(size, 0, -1) if size % k == 0)):
            if numbers == [at // below % len(column) for at in range(size)]:
                upper = code if below == 1 else f"{code} // {below}"
                whole = upper if below * len(column) == size else f"({upper}) % {len(column)}"
                return self.writer.keep(whole)
        return self.writer.keep(self.writer.look_up(numbers, code))

    def numeric(self, rep: CodeValue) -> Num | Ratio | Never | None:
        """*rep* as a number; fractions are looked up as quotients."""
        match rep:
            case Ratio() | Never():
                return rep
            case Known(value) if isinstance(value, Fraction):
                return _quotient(value)
            case Member(code, values) if any(isinstance(v, int | Fraction) for v in values):
                return self._number_of(code, values)
            case _:
                return as_num(rep)

    def _number_of(self, code: str, values: Universe) -> Num | Ratio:
        """The number that a value of a list is; a fault where it is none."""
        code = self.writer.keep(code)
        self._fail_unless([isinstance(v, int | Fraction) for v in values], code, values)
        if any(isinstance(v, Fraction) for v in values):
            return self._quotient_of(code, values)
        numbers = [v if isinstance(v, int) else 0 for v in values]
        found = self.writer.keep(self.writer.look_up(numbers, code))
        return Num(found, min(numbers), max(numbers))

    def _fail_unless(self, fits: Sequence[bool], code: str, values: Universe) -> None:
        odd = [int(not fit and v is not UNSET) for fit, v in zip(fits, values, strict=True)]
        if any(odd):
            self.writer.fail(f"{self.writer.look_up(odd, code)} != 0")

    def _quotient_of(self, code: str, values: Universe) -> Ratio:
        numbers = [Fraction(v) if isinstance(v, int | Fraction) else Fraction(0) for v in values]
        code = self.writer.keep(code)
        parts = []
        for column in ([n.numerator for n in numbers], [n.denominator for n in numbers]):
            found = self.writer.keep(self.writer.look_up(column, code))
            parts.append(Num(found, min(column), max(column)))
        return Ratio(parts[0], parts[1])

    def _renumbered(self, code: str, own: Universe, values: Universe) -> Num:
        if own == values:
            return Num(code, 0, len(own) - 1)
        place = numbered(values)
        numbers = [place(value) for value in own]
        present = [(at, number) for at, number in enumerate(numbers) if own[at] is not UNSET]
        shifts = {number - at for at, number in present}
        if len(shifts) == 1 and all(number >= 0 for _, number in present):
            moved = self.writer.keep(f"({code} + {literal(shifts.pop())})")
            return Num(moved, 0, len(values) - 1)
        low, high = min(numbers, default=-1), max(numbers, default=-1)
        return Num(self.writer.keep(self.writer.look_up(numbers, code)), low, high)

    def _of_number(self, rep: Num, values: Universe) -> Num:
        numbers = [value for value in values if type(value) is int]
        if not numbers:
            return Num("(-1)", -1, -1)
        first = numbers_from(values)
        if first is not None:
            found = self.writer.keep(rep.code if first == 0 else f"({rep.code} - {literal(first)})")
            if rep.low >= first and rep.high < first + len(values):
                return Num(found, rep.low - first, rep.high - first)
            is_there = f"{found} >= 0 and {found} < {len(values)}"
            found = self.writer.keep(f"{found} if {is_there} else -1")
            return Num(found, -1, len(values) - 1)
        low, high = min(numbers), max(numbers)
        if high - low >= LARGEST_TABLE:
            raise Refused("a set of numbers that are far apart")
        place = numbered(values)
        table = [place(number) for number in range(low, high + 1)]
        code = self.writer.keep(rep.code)
        inside = self.writer.variable("-1")
        self.writer.when(
            f"{code} >= {literal(low)} and {code} <= {literal(high)}",
            f"{inside} = {self.writer.look_up(table, f'({code} - {literal(low)})')}",
        )
        return Num(inside, -1, len(values) - 1)

    def _of_truth(self, code: str, values: Universe) -> Num:
        no, yes = map(numbered(values), (FALSE, TRUE))
        found = self.writer.keep(f"{literal(yes)} if {code} else {literal(no)}")
        return Num(found, min(no, yes), max(no, yes))

    def _of_tuple(self, items: tuple[CodeValue, ...], values: Universe) -> Num:
        tuples = [v for v in values if isinstance(v, tuple) and len(v) == len(items)]
        columns = [universe(item[at] for item in tuples) for at in range(len(items))]
        size = prod(len(column) for column in columns)
        if not tuples:
            return Num("(-1)", -1, -1)
        if size > LARGEST_TABLE:
            raise Refused("a set of tuples with components that are far apart")
        found = [self.index(item, column) for item, column in zip(items, columns, strict=True)]
        number = found[0].code
        for at, part in list(zip(found, columns, strict=True))[1:]:
            number = f"({number} * {len(part)} + {at.code})"
        numbers = _table_of_tuples(values, columns, size)
        if any(each.high < 0 for each in found):
            return Num("(-1)", -1, -1)
        is_identity = numbers == list(range(len(numbers)))
        code = number if is_identity else self.writer.look_up(numbers, number)
        condition = " and ".join(f"{each.code} >= 0" for each in found if each.low < 0)
        if not condition:
            return Num(self.writer.keep(code), min(numbers), max(numbers))
        name = self.writer.variable("-1")
        self.writer.when(condition, f"{name} = {code}")
        return Num(name, -1, max(numbers))

    def _of_set(self, rep: Bits, values: Universe) -> Num:
        wholes = [value for value in values if isinstance(value, frozenset)]
        base = rep.universe
        if len(base) <= 12:
            table = [-1] * (1 << len(base))
            for at, value in enumerate(values):
                if isinstance(value, frozenset) and value <= frozenset(base):
                    table[mask_of(base, value)] = at
            code = self.writer.keep(self.writer.look_up(table, self.writer.keep(rep.words[0])))
            return Num(code, min(table), max(table))
        if len(wholes) > WORD:
            raise Refused("a large set that is looked up in a set of many sets")
        found = self.writer.variable("-1")
        for at, value in enumerate(values):
            if isinstance(value, frozenset) and value <= frozenset(base):
                mask = mask_of(base, value)
                tests = [
                    f"{word} == {literal(mask >> (WORD * which))}"
                    for which, word in enumerate(rep.words)
                ]
                self.writer.when(" and ".join(tests), f"{found} = {at}")
        return Num(found, -1, len(values) - 1)

    # Sets as bits

    def empty_bits(self, values: Universe) -> Bits:
        words = tuple(self.writer.name("m") for _ in words_of(0, len(values)))
        self.writer.emit(*(f"{word} = 0" for word in words))
        return Bits(words, values)

    def set_bit(self, bits: Bits, at: str) -> None:
        """Add the member with the number *at* to *bits*, which are variables."""
        if at.isdigit():
            which, bit = divmod(int(at), WORD)
            self.writer.emit(f"{bits.words[which]} |= {literal(1 << bit)}")
            return
        if len(bits.words) == 1:
            self.writer.emit(f"{bits.words[0]} |= bit({at})")
            return
        for number, word in enumerate(bits.words):
            head = "if" if number == 0 else "elif"
            with self.writer.block(f"{head} {at} < {WORD * (number + 1)}"):
                self.writer.emit(f"{word} |= bit({at} & 63)")

    def is_empty(self, bits: Bits) -> Truth:
        return Truth(f"(({' | '.join(bits.words)}) == 0)")

    @contextmanager
    def each_bit(self, bits: Bits, unless: str = "") -> Iterator[str]:
        """Write what follows for the number of each member; stops where *unless* holds."""
        stop = f" and not {unless}" if unless else ""
        if len(bits.words) == 1:
            left, at = self.writer.name("m"), self.writer.name("i")
            self.writer.emit(f"{left} = {bits.words[0]}")
            with self.writer.loop(f"while {left} != 0{stop}", len(bits.universe)):
                self.writer.emit(f"{at} = lowest({left})", f"{left} = rest({left})")
                yield at
            return
        which, left, at = (self.writer.name(kind) for kind in ("w", "m", "i"))
        self.writer.emit(f"{which} = 0")
        with self.writer.loop(f"while {which} < {len(bits.words)}{stop}", len(bits.words)):
            chosen = bits.words[-1]
            for number in range(len(bits.words) - 2, -1, -1):
                chosen = f"({bits.words[number]} if {which} == {number} else {chosen})"
            self.writer.emit(f"{left} = {chosen}")
            with self.writer.loop(f"while {left} != 0{stop}", WORD):
                self.writer.emit(f"{at} = lowest({left}) + {WORD} * {which}")
                self.writer.emit(f"{left} = rest({left})")
                yield at
            self.writer.emit(f"{which} = {which} + 1")

    # Conditions

    def as_truth(self, rep: CodeValue) -> Truth:
        """*rep*, which must be a truth value; a fault where it is none."""
        match rep:
            case Truth():
                return rep
            case Known(value) if isinstance(value, TruthValue):
                return YES if value else NO
            case Member(code, values) if any(isinstance(v, TruthValue) for v in values):
                code = self.writer.keep(code)
                self._fail_unless([isinstance(v, TruthValue) for v in values], code, values)
                holding = [int(v is TRUE) for v in values]
                return Truth(f"({self.writer.look_up(holding, code)} != 0)")
            case Never():
                return NO
            case _:
                self.writer.fail("True")
                return NO

    def kept(self, truth: Truth) -> Truth:
        return truth if truth in (YES, NO) else Truth(self.writer.keep(truth.code))

    def guarded(self, first: Truth, second: Callable[[], Truth]) -> Truth:
        """``first and second``, where the code of the second may fail and is not always run."""
        if first == NO and not self.writer.may_fail:
            return NO
        found = self.writer.variable("False", "c")
        head = f"e == 0 and {first.code}" if self.writer.may_fail else first.code
        with self.writer.block(f"if {head}"):
            self.writer.emit(f"{found} = {second().code}")
        return Truth(found)


def numbered(values: Universe) -> Callable[[Value], int]:
    """Gives the number of a value in *values*, or −1."""
    places = {value: at for at, value in enumerate(values)}
    return lambda value: places.get(value, -1)


def _table_of_tuples(values: Universe, columns: list[Universe], size: int) -> list[int]:
    numbers = [-1] * size
    numbers_in = [numbered(column) for column in columns]
    for at, value in enumerate(values):
        if isinstance(value, tuple) and len(value) == len(columns):
            place = 0
            for item, column, number in zip(value, columns, numbers_in, strict=True):
                place = place * len(column) + number(item)
            numbers[place] = at
    return numbers


def set_members(rep: CodeValue) -> Universe:
    """The members that the set *rep* may have; refused when they are too many."""
    found = members(rep)
    if found is None or len(found) > MOST_MEMBERS:
        raise Refused("a set with too many possible members")
    return found


def _quotient(value: Fraction) -> Ratio:
    upper, lower = value.numerator, value.denominator
    return Ratio(Num(literal(upper), upper, upper), Num(literal(lower), lower, lower))
