"""Code that fires a transition whose variables have values: tokens are taken, then put."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from math import prod
from typing import Final

from zermelo.languages.nets.compile.expressions import RangedCode
from zermelo.languages.nets.compile.packing import MOST_COUNTERS, Counters, Slots, needs_memory
from zermelo.languages.nets.compile.transition_writer import TransitionWriter, mixed
from zermelo.languages.nets.ir import Arc, Const, Interval, Term
from zermelo.languages.nets.run.ground import is_negative
from zermelo.packing.code import Refused

_FEW_WORDS: Final = 8
"""Words that are copied one by one; more are copied in a loop."""


class Firing:
    """Writes the marking that follows, where all inputs are there."""

    def __init__(self, to: TransitionWriter) -> None:
        self._to = to

    def write(self, blocks: ExitStack, code: str) -> None:
        """Write the marking that follows, where all inputs are there."""
        writer = self._to.writer
        writer.emit(f"made = out + n * {self._to.packing.words * 8}")
        local = set(self._to.words())
        if self._to.packing.words > _FEW_WORDS:
            writer.emit(f"copied(row, made, {self._to.packing.words})")
        for word in range(self._to.packing.words):
            if word in local:
                writer.emit(f"u{word} = w{word}")
            elif self._to.packing.words <= _FEW_WORDS:
                writer.emit(f"store(made, {word}, load(row, {word}))")
        for arc in self._to.transition.inputs:
            self._whole_arc(arc, blocks, is_taken=True)
        for arc in self._to.transition.outputs:
            self._whole_arc(arc, blocks, is_taken=False)
        for word in sorted(local):
            writer.emit(f"store(made, {word}, u{word})")
        writer.emit(f"store(moves, n, {code})")
        writer.emit("n = n + 1")

    def _whole_arc(self, arc: Arc, blocks: ExitStack, *, is_taken: bool) -> None:
        if _is_simple(arc):
            if any(is_negative(term) for term in arc.terms):
                # All of a difference has to have a value, also where nothing is left of it.
                for term in arc.terms:
                    self._evaluate(term)
            for term, cancelled in _cancelled(arc):
                self._each_token(arc, term, cancelled, blocks, is_taken=is_taken)
        else:
            self._each_colour(arc, blocks, is_taken=is_taken)

    def _each_colour(self, arc: Arc, blocks: ExitStack, *, is_taken: bool) -> None:
        """The same for any difference of sums: how many of each token there is in it."""
        packed = self._to.packing.of(arc.place)
        if prod(packed.sizes) > MOST_COUNTERS:
            raise Refused("a difference of sums over very many colours")
        ends = [(term, self._ends(packed, term)) for term in arc.terms]
        ok = self._to.writer.name("k")
        self._to.writer.emit(f"{ok} = 1")
        with ExitStack() as inner:
            parts = []
            for low, size in zip(packed.low, packed.sizes, strict=True):
                name = self._to.writer.name("i")
                head = f"for {name} in range({low}, {low + size})"
                inner.enter_context(self._to.writer.block(head))
                parts.append(RangedCode(name, low, low + size - 1))
            sums, most = [], 0
            for term, bounds in ends:
                assert isinstance(term.multiplicity, Const)
                times = term.multiplicity.value
                sums.append(f"({times} if {_is_between(parts, bounds)} else 0)")
                most += max(times, 0)
            count = self._to.writer.keep(" + ".join(sums))
            self._to.writer.emit(f"{ok}m = 0")
            with ExitStack() as each:
                self._to.only_if(f"{count} >= 0", each)
                self._move(arc, parts, RangedCode(count, 0, most), each, is_taken=is_taken)
                self._to.writer.emit(f"{ok}m = 1")
            with self._to.writer.block(f"if {ok}m == 0"):
                self._to.writer.emit(f"{ok} = 0")
        self._to.only_if(f"{ok} != 0", blocks)

    def _ends(self, packed: Counters | Slots, term: Term) -> list[tuple[str, str]]:
        """Between which numbers the components of *term* lie; all must be ones of the place."""
        if not isinstance(term.multiplicity, Const):
            raise Refused("a difference of sums with numbers that have to be computed")
        found = []
        for part, low, size in zip(term.components, packed.low, packed.sizes, strict=True):
            ends = (part.low, part.high) if isinstance(part, Interval) else (part, part)
            first, last = (self._to.expressions.number(each) for each in ends)
            if first.low < low or last.high >= low + size:
                raise Refused("a difference of sums of tokens that cannot be there")
            found.append((first.code, last.code))
        return found

    def _each_token(
        self,
        arc: Arc,
        term: Term,
        cancelled: Sequence[Term],
        blocks: ExitStack,
        *,
        is_taken: bool,
    ) -> None:
        """Take or put the tokens that *term* stands for, without those that are *cancelled*."""
        times = self._to.expressions.number(term.multiplicity)
        if times.low == times.high == 0:
            self._nothing(term, blocks, is_cancelled=bool(cancelled))
            return
        if times.low < 0:
            self._to.only_if(f"{times.code} >= 0", blocks)
        if is_taken and (times.low <= 0 or cancelled):
            self._check_possible(arc, term)
        for other in cancelled:
            self._check_contained(other, term, blocks)
        if any(isinstance(part, Interval) for part in term.components):
            self._each_of_interval(arc, term, times, cancelled, blocks, is_taken=is_taken)
            return
        parts = [
            self._to.expressions.number(p) for p in term.components if not isinstance(p, Interval)
        ]
        count = self._count_of(times, parts, cancelled)
        self._move(arc, parts, count, blocks, is_taken=is_taken)

    def _nothing(self, term: Term, blocks: ExitStack, *, is_cancelled: bool) -> None:
        """A term that stands for no token; its components must have values all the same."""
        self._evaluate(term)
        if is_cancelled:
            self._to.only_if("1 == 0", blocks)

    def _evaluate(self, term: Term) -> None:
        """Write code that stops where some component of *term* has no value."""
        for part in term.components:
            for each in (part.low, part.high) if isinstance(part, Interval) else (part,):
                self._to.expressions.number(each)

    def _check_possible(self, arc: Arc, term: Term) -> None:
        """A token that need not be there may be one that the place cannot hold."""
        packed = self._to.packing.of(arc.place)
        for part, low, size in zip(term.components, packed.low, packed.sizes, strict=True):
            ends = (part.low, part.high) if isinstance(part, Interval) else (part, part)
            first, last = (self._to.expressions.number(each) for each in ends)
            if first.low < low or last.high >= low + size:
                raise Refused("a number of tokens that may be 0, of tokens that cannot be there")

    def _each_of_interval(
        self,
        arc: Arc,
        term: Term,
        times: RangedCode,
        cancelled: Sequence[Term],
        blocks: ExitStack,
        *,
        is_taken: bool,
    ) -> None:
        """The same for all tokens of an interval; whether all were there is known afterwards."""
        ok = self._to.writer.name("k")
        self._to.writer.emit(f"{ok} = 1")
        most = self._to.most
        with ExitStack() as inner:
            parts: list[RangedCode] = []
            for part in term.components:
                if isinstance(part, Interval):
                    low, high = (
                        self._to.expressions.number(part.low),
                        self._to.expressions.number(part.high),
                    )
                    name = self._to.writer.name("i")
                    head = f"for {name} in range({low.code}, {high.code} + 1)"
                    inner.enter_context(self._to.writer.block(head))
                    parts.append(RangedCode(name, low.low, high.high))
                else:
                    parts.append(self._to.expressions.number(part))
            count = self._count_of(times, parts, cancelled)
            self._to.writer.emit(f"{ok}m = 0")
            with ExitStack() as each:
                self._move(arc, parts, count, each, is_taken=is_taken)
                self._to.writer.emit(f"{ok}m = 1")
            with self._to.writer.block(f"if {ok}m == 0"):
                self._to.writer.emit(f"{ok} = 0")
        self._to.most = most
        self._to.only_if(f"{ok} != 0", blocks)

    def _count_of(
        self, times: RangedCode, parts: Sequence[RangedCode], cancelled: Sequence[Term]
    ) -> RangedCode:
        """How many of a token are moved, those that are cancelled taken off."""
        if not cancelled:
            return times
        code, low = times.code, times.low
        for other in cancelled:
            assert isinstance(other.multiplicity, Const)
            same = self._same(other, parts)
            code = f"({code} - ({-other.multiplicity.value} if {same} else 0))"
            low += other.multiplicity.value
        return RangedCode(self._to.writer.keep(code), low, times.high)

    def _same(self, other: Term, parts: Sequence[RangedCode]) -> str:
        tests = []
        for part, number in zip(other.components, parts, strict=True):
            if isinstance(part, Interval):
                raise Refused("an interval that is taken off a sum")
            tests.append(f"{self._to.expressions.number(part).code} == {number.code}")
        return f"({' and '.join(tests) or '1 == 1'})"

    def _check_contained(self, other: Term, term: Term, blocks: ExitStack) -> None:
        """Nothing may be taken off a sum that is not in it."""
        for part, within in zip(other.components, term.components, strict=True):
            if isinstance(part, Interval):
                raise Refused("an interval that is taken off a sum")
            number = self._to.expressions.number(part)
            if isinstance(within, Interval):
                low, high = (
                    self._to.expressions.number(within.low),
                    self._to.expressions.number(within.high),
                )
                if not (low.high <= number.low and number.high <= high.low):
                    self._to.only_if(
                        f"({number.code} >= {low.code} and {number.code} <= {high.code})", blocks
                    )
            else:
                self._to.only_if(
                    f"{number.code} == {self._to.expressions.number(within).code}", blocks
                )

    def _move(
        self,
        arc: Arc,
        parts: Sequence[RangedCode],
        count: RangedCode,
        blocks: ExitStack,
        *,
        is_taken: bool,
    ) -> None:
        if count.low < 0:
            self._to.only_if(f"{count.code} >= 0", blocks)
        packed = self._to.packing.of(arc.place)
        if isinstance(packed, Counters):
            self._move_counted(packed, parts, count, blocks, is_taken=is_taken)
        else:
            self._move_slots(packed, parts, count, blocks, is_taken=is_taken)

    def _move_counted(
        self,
        packed: Counters,
        parts: Sequence[RangedCode],
        count: RangedCode,
        blocks: ExitStack,
        *,
        is_taken: bool,
    ) -> None:
        index = "0"
        for number, low, size in zip(parts, packed.low, packed.sizes, strict=True):
            checked = number
            if is_taken:
                checked = self._to.within(number, low, size, blocks)
            else:
                self._unsure_outside(number, low, size)
            index = mixed(index, checked, low, size)
        index = index if index == "0" else self._to.writer.keep(index)
        field_now = self._to.field(packed, index, "made")
        if is_taken:
            self._to.only_if(f"{field_now} >= {count.code}", blocks)
            self._to.change(packed, index, f"(-{count.code})")
            return
        if not packed.is_bounded:
            self._to.writer.emit(f"if {field_now} + {count.code} > {packed.most}:")
            self._to.writer.emit("    return -1")
        self._to.change(packed, index, count.code)

    def _unsure_outside(self, number: RangedCode, low: int, size: int) -> None:
        """A token outside the bounds of its place is a fault, which only the token game tells."""
        if low <= number.low and number.high < low + size:
            return
        kept = self._to.writer.keep(number.code)
        self._to.writer.emit(f"if {kept} < {low} or {kept} >= {low + size}:")
        self._to.writer.emit("    return -1")

    def _move_slots(
        self,
        packed: Slots,
        parts: Sequence[RangedCode],
        count: RangedCode,
        blocks: ExitStack,
        *,
        is_taken: bool,
    ) -> None:
        code = str(packed.present)
        if packed.present >= 1 << 62:
            raise Refused(f"the tokens of `{packed.place.name}` are too wide")
        shifts = packed.shifts()
        for number, low, size, shift in zip(parts, packed.low, packed.sizes, shifts, strict=True):
            checked = number
            if is_taken:
                checked = self._to.within(number, low, size, blocks)
            else:
                self._unsure_outside(number, low, size)
            part = f"({checked.code} - {low})" if low else checked.code
            code = f"({code} | shl({part}, {shift}))"
        code = self._to.writer.keep(code)
        if not needs_memory(packed):
            self._move_single(packed, code, count, blocks, is_taken=is_taken)
            return
        array = packed.array
        name = "slot_take" if is_taken else "slot_add"
        per = array.count if array.is_in_one_word else array.per_word
        call = (
            f"{name}(made + {8 * array.word}, {array.shift}, {array.width}, {per}, "
            f"{array.count}, {code})"
        )
        ok, left = self._to.writer.name("k"), self._to.writer.name("k")
        self._to.writer.emit(f"{ok} = 1")
        fails = f"{ok} = 0" if is_taken else "return -1"
        times = count.code
        if count.high > array.count:
            # More than there are slots can neither be there nor be put.
            times = self._to.writer.keep(f"({count.code} + 0)")
            with self._to.writer.block(f"if {times} > {array.count}"):
                self._to.writer.emit(fails)
                self._to.writer.emit(f"{times} = 0")
        every, one = f"for {left} in range({times})", f"if {call} == 0"
        with self._to.writer.block(every), self._to.writer.block(one):
            self._to.writer.emit(fails)
        if is_taken:
            self._to.only_if(f"{ok} != 0", blocks)

    def _move_single(
        self, packed: Slots, code: str, count: RangedCode, blocks: ExitStack, *, is_taken: bool
    ) -> None:
        """The same for a place with one slot."""
        now = self._to.field(packed, "0", "made")
        if is_taken:
            many = f"({count.code} == 0 or ({count.code} == 1 and {now} == {code}))"
            self._to.only_if(f"{now} == {code}" if count.low == count.high == 1 else many, blocks)
            self._to.change(packed, "0", f"(-({code} * {count.code}))")
            return
        self._to.writer.emit(f"if {count.code} > 1 or ({count.code} == 1 and {now} != 0):")
        self._to.writer.emit("    return -1")
        self._to.change(packed, "0", f"({code} * {count.code})")


def _is_simple(arc: Arc) -> bool:
    """Whether nothing is taken off its sum, or only single tokens off a single term."""
    negative = [term for term in arc.terms if is_negative(term)]
    has_interval = any(isinstance(part, Interval) for each in negative for part in each.components)
    return not negative or (len(arc.terms) == len(negative) + 1 and not has_interval)


def _is_between(parts: Sequence[RangedCode], bounds: Sequence[tuple[str, str]]) -> str:
    tests = []
    for part, (low, high) in zip(parts, bounds, strict=True):
        if low == high:
            tests.append(f"{part.code} == {low}")
        else:
            tests.append(f"{part.code} >= {low} and {part.code} <= {high}")
    return f"({' and '.join(tests) or '1 == 1'})"


def _cancelled(arc: Arc) -> Iterator[tuple[Term, tuple[Term, ...]]]:
    """The terms of an arc, each with those that are taken off it."""
    negative = tuple(term for term in arc.terms if is_negative(term))
    positive = tuple(term for term in arc.terms if not is_negative(term))
    for term in positive:
        yield term, negative
