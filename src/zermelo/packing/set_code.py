"""Code for sets: membership, inclusion, equality, size, and going through the members."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import Final, assert_never

from zermelo.core.layout import WORD
from zermelo.core.values import MOST_LISTED, TruthValue, Value
from zermelo.fast.bits import signed
from zermelo.packing.code import Refused
from zermelo.packing.code_values import (
    NO,
    YES,
    Bits,
    Chosen,
    CodeValue,
    Endless,
    Items,
    Joined,
    Known,
    Member,
    Never,
    Num,
    Parts,
    PowerOf,
    ProductOf,
    Ratio,
    SetOp,
    Stretch,
    Truth,
    Universe,
    as_num,
    as_ratio,
    both,
    either,
    is_mixture,
    is_set,
    literal,
    mask_of,
    members,
    negated,
    universe,
    words_of,
)
from zermelo.packing.member_code import MemberCode, numbered, set_members

UNROLLED: Final = 16
"""Loops over so few members that are known now are written out."""
CHEAP: Final = 4
"""So many lines without branches are run rather than jumped over."""


@dataclass(frozen=True, slots=True)
class Covered:
    """A set as bits of some universe, and whether it has members outside."""

    bits: Bits
    outside: Truth


class SetCode(MemberCode):
    """Writes code for sets."""

    # Membership

    def contains(self, whole: CodeValue, rep: CodeValue) -> Truth:
        match whole:
            case Known(value) if isinstance(value, frozenset):
                return self._in_known(rep, value)
            case Bits(_, values):
                return self._in_bits(whole, self.index(rep, values))
            case Items(items):
                return reduce(either, (self.equal(rep, item) for item in items), NO)
            case Stretch(low, high):
                return self._in_stretch(rep, low, high)
            case PowerOf(base):
                return self.is_subset(rep, base) if is_set(rep) else NO
            case ProductOf(factors):
                return self._in_product(rep, factors)
            case Member():
                return self.contains(self.bits(whole), rep)
            case Never():
                return NO
            case _:
                return self._in_composite(whole, rep)

    def _in_composite(self, whole: CodeValue, rep: CodeValue) -> Truth:
        match whole:
            case Joined(op, left, right):
                first = self.kept(self.contains(left, rep))
                second = self.kept(self.contains(right, rep))
                match op:
                    case "∪":
                        return either(first, second)
                    case "∩":
                        return both(first, second)
                    case "−":
                        return both(first, negated(second))
                    case _:
                        assert_never(op)
            case Chosen(domain, holds):
                inside = self.contains(domain, rep)
                return self.guarded(inside, lambda: holds(rep))
            case Endless(least):
                return self._in_endless(rep, least)
            case _:
                raise Refused("something that is no set is used as one")

    def _in_endless(self, rep: CodeValue, least: int | None) -> Truth:
        if isinstance(rep, Member):
            whole = [v for v in rep.universe if type(v) is int and (least is None or v >= least)]
            return self._in_known(rep, frozenset(whole))
        if isinstance(rep, Ratio):
            is_whole = f"{rep.upper.code} % {rep.lower.code} == 0"
            if least is not None:
                is_whole += f" and {rep.upper.code} >= {least} * {rep.lower.code}"
            return Truth(f"({is_whole})")
        number = as_num(rep)
        if number is None:
            return NO
        if least is None or number.low >= least:
            return YES
        return Truth(f"({number.code} >= {least})")

    def _in_known(self, rep: CodeValue, value: frozenset[Value]) -> Truth:
        if isinstance(rep, Known):
            return YES if rep.value in value else NO
        if isinstance(rep, Member) and len(rep.universe) <= WORD:
            mask = mask_of(rep.universe, value)
            if mask == 0:
                return NO
            if mask == mask_of(rep.universe, universe(rep.universe)):
                return YES
            return self._tested(literal(mask), rep.code)
        if is_set(rep) and not isinstance(rep, Bits | Member):
            rep = self.bits(rep)
        at = self.index(rep, universe(value))
        if at.high < 0:
            return NO
        return YES if at.low >= 0 else Truth(f"({at.code} >= 0)")

    def _in_bits(self, whole: Bits, at: Num) -> Truth:
        if at.high < 0:
            return NO
        word = whole.words[-1]
        test = self._tested(word, at.code)
        if len(whole.words) > 1:
            for which in range(len(whole.words) - 2, -1, -1):
                word = f"({whole.words[which]} if {at.code} < {WORD * (which + 1)} else {word})"
            test = Truth(f"((({word}) >> ({at.code} & 63)) & 1 != 0)")
        return test if at.low >= 0 else Truth(f"({at.code} >= 0 and {test.code})")

    def _tested(self, word: str, at: str) -> Truth:
        if at.isdigit():
            return Truth(f"({word} & {literal(1 << int(at))} != 0)")
        return Truth(f"(({word} >> {at}) & 1 != 0)")

    def _in_stretch(self, rep: CodeValue, low: Num, high: Num) -> Truth:
        if isinstance(rep, Member):
            return self._listed_in_stretch(rep, low, high)
        if isinstance(rep, Ratio):
            upper, lower = rep.upper.code, rep.lower.code
            bounds = f"{low.code} * {lower} <= {upper} and {upper} <= {high.code} * {lower}"
            return Truth(f"({upper} % {lower} == 0 and {bounds})")
        number = as_num(rep)
        if number is None:
            return NO
        code = self.writer.keep(number.code)
        return Truth(f"({low.code} <= {code} and {code} <= {high.code})")

    def _listed_in_stretch(self, rep: Member, low: Num, high: Num) -> Truth:
        whole = frozenset(value for value in rep.universe if type(value) is int)
        if not whole:
            return NO
        numbers = [value if isinstance(value, int) else 0 for value in rep.universe]
        code = self.writer.keep(self.writer.look_up(numbers, self.writer.keep(rep.code)))
        inside = Truth(f"({low.code} <= {code} and {code} <= {high.code})")
        return both(self._in_known(rep, whole), inside)

    def _in_product(self, rep: CodeValue, factors: tuple[CodeValue, ...]) -> Truth:
        parts = self.components(rep, len(factors))
        return NO if parts is None else reduce(both, map(self.contains, factors, parts), YES)

    # Sets as bits

    def bits(self, rep: CodeValue) -> Bits:
        return rep if isinstance(rep, Bits) else self.cover(rep, set_members(rep)).bits

    def cover(self, rep: CodeValue, values: Universe, *, exactly: bool = False) -> Covered:
        """The members of the set *rep* that are in *values*.

        Whether there are others is told only where it is asked for by *exactly*.
        """
        match rep:
            case Bits() if rep.universe == values:
                return Covered(rep, NO)
            case Bits():
                return self._moved(rep, values)
            case Known(value) if isinstance(value, frozenset):
                words = words_of(mask_of(values, value), len(values))
                return Covered(Bits(words, values), NO if value <= frozenset(values) else YES)
            case Member(code, wholes):
                return self._from_list(code, wholes, values)
            case Items(items):
                return self._from_items(items, values)
            case Joined():
                return self._from_joined(rep, values, exactly=exactly)
            case Never():
                return Covered(Bits(words_of(0, len(values)), values), NO)
            case _:
                return self._by_trying(rep, values, exactly=exactly)

    def _moved(self, rep: Bits, values: Universe) -> Covered:
        place = numbered(values)
        where = [place(value) for value in rep.universe]
        left_out = sum(1 << at for at, to in enumerate(where) if to < 0)
        outside = NO
        if left_out:
            tests = [
                f"({word} & {literal(left_out >> (WORD * at))} != 0)"
                for at, word in enumerate(rep.words)
                if left_out >> (WORD * at) & ((1 << WORD) - 1)
            ]
            outside = Truth(f"({' or '.join(tests)})")
        shifts = {to - at for at, to in enumerate(where) if to >= 0}
        if len(rep.words) == 1 and len(shifts) <= 1 and len(values) <= WORD:
            shift = next(iter(shifts), 0)
            kept = sum(1 << at for at, to in enumerate(where) if to >= 0)
            word = f"({rep.words[0]} & {literal(kept)})"
            if shift > 0:
                word = f"shl({word}, {shift})"
            elif shift < 0:
                word = f"shr({word}, {-shift})"
            return Covered(Bits((self.writer.keep(word),), values), outside)
        found = self.empty_bits(values)
        with self.each_bit(rep) as at:
            to = self.writer.keep(self.writer.look_up(where, at))
            with self.writer.block(f"if {to} >= 0"):
                self.set_bit(found, to)
        return Covered(found, outside)

    def _from_list(self, code: str, wholes: Universe, values: Universe) -> Covered:
        sets = [whole if isinstance(whole, frozenset) else frozenset() for whole in wholes]
        code = self.writer.keep(code)
        words = []
        for at in range(len(words_of(0, len(values)))):
            column = [signed(mask_of(values, whole) >> (WORD * at)) for whole in sets]
            words.append(self.writer.keep(self.writer.look_up(column, code)))
        left_out = [int(not whole <= frozenset(values)) for whole in sets]
        outside = Truth(f"({self.writer.look_up(left_out, code)} != 0)") if any(left_out) else NO
        return Covered(Bits(tuple(words), values), outside)

    def _from_items(self, items: tuple[CodeValue, ...], values: Universe) -> Covered:
        if len(items) == 1 and len(values) <= WORD:
            at = self.index(items[0], values)
            if at.low >= 0:
                word = literal(1 << int(at.code)) if at.code.isdigit() else f"bit({at.code})"
                return Covered(Bits((word,), values), NO)
        found = self.empty_bits(values)
        outside = NO
        for item in items:
            at = self.index(item, values)
            if at.high < 0:
                # The others count all the same.
                outside = YES
                continue
            if at.low >= 0:
                self.set_bit(found, at.code)
                continue
            outside = either(outside, Truth(f"({at.code} < 0)"))
            with self.writer.block(f"if {at.code} >= 0"):
                self.set_bit(found, at.code)
        return Covered(found, outside)

    def _from_joined(self, rep: Joined, values: Universe, *, exactly: bool) -> Covered:
        left = self.cover(rep.left, values, exactly=exactly)
        right = self.cover(rep.right, values, exactly=exactly and rep.op == "∪")
        sign = {"∪": "|", "∩": "&", "−": "& ~"}[rep.op]
        words = tuple(
            self.writer.keep(f"({a} {sign}{b})")
            for a, b in zip(left.bits.words, right.bits.words, strict=True)
        )
        outside = NO
        if rep.op == "∪":
            outside = either(left.outside, right.outside)
        elif exactly and left.outside != NO:
            outside = self._is_larger(rep, values)
        return Covered(Bits(words, values), outside)

    def _is_larger(self, rep: CodeValue, values: Universe) -> Truth:
        """Whether the set *rep* has members outside *values*."""
        beyond = universe(frozenset(set_members(rep)) - frozenset(values))
        return negated(self.is_empty(self.cover(rep, beyond).bits)) if beyond else NO

    def _by_trying(self, rep: CodeValue, values: Universe, *, exactly: bool) -> Covered:
        """Each of *values* tried; for sets that are descriptions."""
        outside = self._is_larger(rep, values) if exactly else NO
        if isinstance(rep, Chosen):
            domain = self.cover(rep.domain, values).bits
            found = self.empty_bits(values)
            with self.each_bit(domain) as at:
                truth = rep.holds(self.element(at, values))
                with self.writer.block(f"if {truth.code}"):
                    self.set_bit(found, at)
            return Covered(found, outside)
        return Covered(self._collected(values, lambda item: self.contains(rep, item)), outside)

    def _collected(self, values: Universe, test: Callable[[CodeValue], Truth]) -> Bits:
        found = self.empty_bits(values)
        if len(values) <= UNROLLED:
            for at, value in enumerate(values):
                truth = test(Known(value))
                if truth != NO:
                    with self.writer.block(f"if {truth.code}"):
                        self.set_bit(found, str(at))
            return found
        number = self.writer.name("i")
        with self._counting(number, "0", f"< {len(values)}", len(values)):
            truth = test(self.element(number, values))
            with self.writer.block(f"if {truth.code}"):
                self.set_bit(found, number)
        return found

    def joined(self, op: SetOp, left: CodeValue, right: CodeValue) -> CodeValue:
        """``left op right`` for sets: bits where both have few possible members."""
        if isinstance(left, Never) or isinstance(right, Never):
            return Never()
        if op == "∪" and isinstance(left, Items) and isinstance(right, Items):
            return Items((*left.items, *right.items))
        sides = (left, right)
        is_listed = all(isinstance(side, Bits | Known | Items | Member) for side in sides)
        if is_listed and any(isinstance(side, Bits | Known) for side in sides):
            return self.joined_bits(Joined(op, left, right))
        return Joined(op, left, right)

    def joined_bits(self, rep: Joined) -> CodeValue:
        """At once, so that variables that change later are read now."""
        if isinstance(rep.left, Known) and rep.left.value == frozenset() and rep.op == "∪":
            return rep.right
        values = members(rep)
        if values is None:
            return rep
        for side in (rep.left, rep.right):
            if isinstance(side, Bits) and frozenset(values) <= frozenset(side.universe):
                # One universe for all sets of one kind, so that nothing has to be moved.
                values = side.universe
                break
        return self.cover(rep, values).bits

    # Relations

    def is_subset(self, part: CodeValue, whole: CodeValue) -> Truth:
        if isinstance(part, Known) and isinstance(whole, Known):
            sets = isinstance(part.value, frozenset) and isinstance(whole.value, frozenset)
            return YES if sets and part.value <= whole.value else NO  # type: ignore[operator]  # both are sets
        if isinstance(part, PowerOf) and isinstance(whole, PowerOf):
            return self.is_subset(part.base, whole.base)
        own = members(part)
        if own is None:
            raise Refused("inclusion of a set with too many possible members")
        if isinstance(whole, Bits) and frozenset(own) <= frozenset(whole.universe):
            own = whole.universe
        small, large = self.cover(part, own).bits, self.cover(whole, own).bits
        tests = [f"({a} & ~{b})" for a, b in zip(small.words, large.words, strict=True)]
        return Truth(f"(({' | '.join(tests)}) == 0)")

    def equal(self, left: CodeValue, right: CodeValue) -> Truth:
        if isinstance(left, Never) or isinstance(right, Never):
            return NO
        if isinstance(left, Known) and isinstance(right, Known):
            return YES if left.value == right.value else NO
        if is_mixture(left) or is_mixture(right):
            return self._equal_members(left, right)
        if is_set(left) or is_set(right):
            return self._equal_sets(left, right)
        if isinstance(left, Ratio) or isinstance(right, Ratio):
            return self._equal_ratios(left, right)
        first, second = as_num(left), as_num(right)
        if first is not None and second is not None:
            if first.high < second.low or second.high < first.low:
                return NO
            return Truth(f"({first.code} == {second.code})")
        return self._equal_members(left, right)

    def _equal_ratios(self, left: CodeValue, right: CodeValue) -> Truth:
        one, other = self.numeric(left), self.numeric(right)
        a = None if one is None else as_ratio(one)
        b = None if other is None else as_ratio(other)
        if a is None or b is None:
            return NO
        return Truth(f"({a.upper.code} * {b.lower.code} == {b.upper.code} * {a.lower.code})")

    def _equal_members(self, left: CodeValue, right: CodeValue) -> Truth:
        if isinstance(left, Truth) and isinstance(right, Truth):
            return Truth(f"({left.code} == {right.code})")
        if isinstance(right, Known):
            left, right = right, left
        if isinstance(left, Known) and isinstance(right, Truth):
            if not isinstance(left.value, TruthValue):
                return NO
            return right if left.value else negated(right)
        if isinstance(left, Parts) or isinstance(right, Parts):
            return self._equal_tuples(left, right)
        if isinstance(right, Member):
            at = self.index(left, right.universe)
            return NO if at.high < 0 else Truth(f"({at.code} == {right.code})")
        if isinstance(left, Member):
            return self._equal_members(right, left)
        return NO

    def _equal_tuples(self, left: CodeValue, right: CodeValue) -> Truth:
        count = next(len(side.items) for side in (right, left) if isinstance(side, Parts))
        first, second = self.components(left, count), self.components(right, count)
        if first is None or second is None:
            return NO
        return reduce(both, map(self.equal, first, second), YES)

    def _equal_sets(self, left: CodeValue, right: CodeValue) -> Truth:
        if not (is_set(left) and is_set(right)):
            return NO
        own, other = members(left), members(right)
        if own is None and other is None:
            raise Refused("equality of sets with too many possible members")
        if own is None or other is None:
            raise Refused("equality with a set that has too many possible members")
        common = universe((*own, *other))
        for side in (left, right):
            if isinstance(side, Bits) and frozenset(common) == frozenset(side.universe):
                common = side.universe
        first, second = self.cover(left, common).bits, self.cover(right, common).bits
        tests = [f"{a} == {b}" for a, b in zip(first.words, second.words, strict=True)]
        return Truth(f"({' and '.join(tests)})")

    def size(self, rep: CodeValue) -> Num:
        if isinstance(rep, Known):
            count = len(rep.value) if isinstance(rep.value, frozenset) else 0
            return Num(str(count), count, count)
        if isinstance(rep, PowerOf) and members(rep) is None:
            inner = self.size(rep.base)
            if inner.high > 60:
                raise Refused("the number of subsets of a large set")
            return Num(f"bit({inner.code})", 1, 1 << inner.high)
        if isinstance(rep, ProductOf) and members(rep) is None:
            found = Num("1", 1, 1)
            for part in map(self.size, rep.factors):
                found = Num(f"({found.code} * {part.code})", 0, found.high * part.high)
            return found
        bits = self.bits(rep)
        code = self.writer.keep(" + ".join(f"popcount({word})" for word in bits.words))
        return Num(code, 0, len(bits.universe))

    # Loops

    def each(
        self,
        rep: CodeValue,
        body: Callable[[CodeValue], None],
        *,
        unless: str = "",
        once: bool = False,
    ) -> None:
        """Write *body* for each member, until *unless* holds; with *once*, for none twice."""
        match rep:
            case Known(value) if isinstance(value, frozenset) and len(value) <= UNROLLED:
                for item in universe(value):
                    self._step(lambda item=item: body(Known(item)), unless)  # type: ignore[misc]  # bound now
            case Known(value) if isinstance(value, frozenset):
                at, values = self.writer.name("i"), universe(value)
                with self._counting(at, "0", f"< {len(values)}", len(values), unless):
                    body(self.element(at, values))
            case Items(items) if not once or len(items) == 1:
                for each in items:
                    self._step(lambda each=each: body(each), unless)  # type: ignore[misc]  # bound now
            case Joined("∪", left, right) if not once:
                self.each(left, body, unless=unless)
                self.each(right, body, unless=unless)
            case Stretch(low, high):
                with self._stretch(low, high, unless) as number:
                    body(number)
            case Chosen(domain, holds):

                def tried(item: CodeValue) -> None:
                    truth = holds(item)
                    with self.writer.block(f"if {truth.code}"):
                        body(item)

                self.each(domain, tried, unless=unless, once=once)
            case _:
                bits = self.bits(rep)
                with self.each_bit(bits, unless) as at:
                    body(self.element(at, bits.universe))

    def _step(self, act: Callable[[], None], unless: str) -> None:
        if not unless:
            act()
            return
        writer, start = self.writer, len(self.writer.lines)
        with writer.block(f"if not {unless}") as block:
            act()
        given = f"{unless} = "
        added = writer.plain_lines(start + 1, CHEAP)
        if added and added[-1].startswith(given):
            # A few look-ups cost less than a branch that nobody can foresee.
            del writer.lines[start:]
            writer.dissolve(block)
            writer.emit(*added[:-1], f"{given}{unless} | {added[-1].removeprefix(given)}")

    @contextmanager
    def _stretch(self, low: Num, high: Num, unless: str) -> Iterator[Num]:
        """Write what follows for each number from *low* to *high*."""
        most = high.high - low.low + 1
        if most > MOST_LISTED:
            raise Refused(f"a range of up to {most:,} numbers is gone through")
        at, last = self.writer.name("i"), self.writer.keep(high.code)
        with self._counting(at, low.code, f"<= {last}", most, unless):
            yield Num(at, low.low, max(low.low, high.high))

    @contextmanager
    def _counting(
        self, at: str, first: str, until: str, most: int, unless: str = ""
    ) -> Iterator[None]:
        """Write what follows for the numbers *at*, from *first* on: *most* of them, or fewer."""
        self.writer.emit(f"{at} = {first}")
        stop = f" and not {unless}" if unless else ""
        with self.writer.loop(f"while {at} {until}{stop}", most):
            yield
            self.writer.emit(f"{at} = {at} + 1")
