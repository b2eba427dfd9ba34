"""Code that fires a transition whose variables have values: tokens are taken, then put."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from math import prod
from typing import Final

from zermelo.languages.nets.compile.expressions import RangedCode
from zermelo.languages.nets.compile.packing import MOST_COUNTERS, Counters, Slots, needs_memory
from zermelo.languages.nets.compile.transition_writer import TransitionWriter, mixed
from zermelo.languages.nets.ir import Arc, Component, Const, Interval, Term
from zermelo.languages.nets.run.ground import is_negative
from zermelo.packing.code import Refused

_FEW_WORDS: Final = 8
"""Words that are copied one by one; more are copied in a loop."""


def write_firing(to: TransitionWriter, blocks: ExitStack, code: str) -> None:
    """Write the marking that follows, where all inputs are there."""
    writer, words = to.writer, to.packing.words
    writer.emit(f"made = out + n * {words * 8}")
    local = to.words()
    if words > _FEW_WORDS:
        writer.emit(f"copied(row, made, {words})")
    for word in range(words):
        if word in local:
            writer.emit(f"u{word} = w{word}")
        elif words <= _FEW_WORDS:
            writer.emit(f"store(made, {word}, load(row, {word}))")
    for arc in to.transition.inputs:
        _ArcCode(to, arc, blocks, is_taken=True).write()
    for arc in to.transition.outputs:
        _ArcCode(to, arc, blocks, is_taken=False).write()
    writer.emit(*(f"store(made, {word}, u{word})" for word in local))
    writer.emit(f"store(moves, n, {code})", "n = n + 1")


class _ArcCode:
    """Writes what is taken from the place of an arc, or put there."""

    def __init__(
        self, to: TransitionWriter, arc: Arc, blocks: ExitStack, *, is_taken: bool
    ) -> None:
        self._to = to
        self._writer = to.writer
        self._number = to.expressions.number
        self._arc = arc
        self._packed = to.packing.of(arc.place)
        self._blocks = blocks
        self._is_taken = is_taken

    def write(self) -> None:
        if not _is_simple(self._arc):
            self._each_colour()
            return
        negative = tuple(term for term in self._arc.terms if is_negative(term))
        if negative:
            # All of a difference has to have a value, also where nothing is left of it.
            for term in self._arc.terms:
                self._evaluate(term)
        for term in self._arc.terms:
            if not is_negative(term):
                self._each_token(term, negative)

    def _only_if(self, condition: str) -> None:
        self._to.only_if(condition, self._blocks)

    def _each_colour(self) -> None:
        """Any difference of sums: how many of each token there is in it."""
        if prod(self._packed.sizes) > MOST_COUNTERS:
            raise Refused("a difference of sums over very many colours")
        ends = []
        for term in self._arc.terms:
            if not isinstance(term.multiplicity, Const):
                raise Refused("a difference of sums with numbers that have to be computed")
            found = self._ends(term, "a difference of sums of tokens that cannot be there")
            ends.append((term.multiplicity.value, found))
        ok = self._writer.variable("1", "k")
        with ExitStack() as inner:
            parts = []
            for low, size in zip(self._packed.low, self._packed.sizes, strict=True):
                name = self._writer.name("i")
                head = f"for {name} in range({low}, {low + size})"
                inner.enter_context(self._writer.block(head))
                parts.append(RangedCode(name, low, low + size - 1))
            sums = [f"({times} if {_is_between(parts, found)} else 0)" for times, found in ends]
            most = sum(max(times, 0) for times, _ in ends)
            self._try(ok, parts, RangedCode(self._writer.keep(" + ".join(sums)), -1, most))
        self._only_if(f"{ok} != 0")

    def _ends(self, term: Term, refusal: str) -> list[tuple[str, str]]:
        """Between which numbers the components of *term* lie; all must be ones of the place."""
        packed, found = self._packed, []
        for part, low, size in zip(term.components, packed.low, packed.sizes, strict=True):
            ends = (part.low, part.high) if isinstance(part, Interval) else (part, part)
            first, last = map(self._number, ends)
            if first.low < low or last.high >= low + size:
                raise Refused(refusal)
            found.append((first.code, last.code))
        return found

    def _try(self, ok: str, parts: Sequence[RangedCode], count: RangedCode) -> None:
        """Move tokens inside loops; *ok* is 0 afterwards where some could not be."""
        self._writer.emit(f"{ok}m = 0")
        with ExitStack() as each:
            self._move(parts, count, each)
            self._writer.emit(f"{ok}m = 1")
        self._writer.when(f"{ok}m == 0", f"{ok} = 0")

    def _each_token(self, term: Term, cancelled: Sequence[Term]) -> None:
        """Take or put the tokens that *term* stands for, without those that are *cancelled*."""
        times = self._number(term.multiplicity)
        if times.low == times.high == 0:
            # No token; its components must have values all the same.
            self._evaluate(term)
            if cancelled:
                self._only_if("1 == 0")
            return
        if times.low < 0:
            self._only_if(f"{times.code} >= 0")
        if self._is_taken and (times.low <= 0 or cancelled):
            # A token that need not be there may be one that the place cannot hold.
            self._ends(term, "a number of tokens that may be 0, of tokens that cannot be there")
        for other in cancelled:
            self._check_contained(other, term)
        if any(isinstance(part, Interval) for part in term.components):
            self._each_of_interval(term, times, cancelled)
            return
        parts = [self._number(p) for p in term.components if not isinstance(p, Interval)]
        self._move(parts, self._count_of(times, parts, cancelled), self._blocks)

    def _evaluate(self, term: Term) -> None:
        for part in term.components:
            for each in (part.low, part.high) if isinstance(part, Interval) else (part,):
                self._number(each)

    def _each_of_interval(self, term: Term, times: RangedCode, cancelled: Sequence[Term]) -> None:
        """The same for all tokens of an interval; whether all were there is known afterwards."""
        ok = self._writer.variable("1", "k")
        most = self._to.most
        with ExitStack() as inner:
            parts: list[RangedCode] = []
            for part in term.components:
                if not isinstance(part, Interval):
                    parts.append(self._number(part))
                    continue
                low, high = self._number(part.low), self._number(part.high)
                name = self._writer.name("i")
                head = f"for {name} in range({low.code}, {high.code} + 1)"
                inner.enter_context(self._writer.block(head))
                parts.append(RangedCode(name, low.low, high.high))
            self._try(ok, parts, self._count_of(times, parts, cancelled))
        self._to.most = most
        self._only_if(f"{ok} != 0")

    def _count_of(
        self, times: RangedCode, parts: Sequence[RangedCode], cancelled: Sequence[Term]
    ) -> RangedCode:
        if not cancelled:
            return times
        code, low = times.code, times.low
        for other in cancelled:
            assert isinstance(other.multiplicity, Const)
            tests = [
                f"{self._single(part).code} == {number.code}"
                for part, number in zip(other.components, parts, strict=True)
            ]
            same = f"({' and '.join(tests) or '1 == 1'})"
            code = f"({code} - ({-other.multiplicity.value} if {same} else 0))"
            low += other.multiplicity.value
        return RangedCode(self._writer.keep(code), low, times.high)

    def _single(self, part: Component) -> RangedCode:
        if isinstance(part, Interval):
            raise Refused("an interval that is taken off a sum")
        return self._number(part)

    def _check_contained(self, other: Term, term: Term) -> None:
        """Nothing may be taken off a sum that is not in it."""
        for part, within in zip(other.components, term.components, strict=True):
            number = self._single(part)
            if not isinstance(within, Interval):
                self._only_if(f"{number.code} == {self._number(within).code}")
                continue
            low, high = self._number(within.low), self._number(within.high)
            if not (low.high <= number.low and number.high <= high.low):
                self._only_if(f"({number.code} >= {low.code} and {number.code} <= {high.code})")

    def _move(self, parts: Sequence[RangedCode], count: RangedCode, blocks: ExitStack) -> None:
        if count.low < 0:
            self._to.only_if(f"{count.code} >= 0", blocks)
        if isinstance(self._packed, Counters):
            self._move_counted(self._packed, parts, count, blocks)
        else:
            self._move_slots(self._packed, parts, count, blocks)

    def _checked(self, number: RangedCode, low: int, size: int, blocks: ExitStack) -> RangedCode:
        if self._is_taken:
            return self._to.within(number, low, size, blocks)
        if number.low < low or number.high >= low + size:
            # A token outside the bounds of its place is a fault, which only the token game tells.
            kept = self._writer.keep(number.code)
            self._to.expressions.give_up_if(f"{kept} < {low} or {kept} >= {low + size}")
        return number

    def _move_counted(
        self, packed: Counters, parts: Sequence[RangedCode], count: RangedCode, blocks: ExitStack
    ) -> None:
        index = "0"
        for number, low, size in zip(parts, packed.low, packed.sizes, strict=True):
            index = mixed(index, self._checked(number, low, size, blocks), low, size)
        index = self._writer.keep(index)
        field_now = self._to.field(packed, index, "made")
        if self._is_taken:
            self._to.only_if(f"{field_now} >= {count.code}", blocks)
            self._to.change(packed, index, f"(-{count.code})")
            return
        if not packed.is_bounded:
            self._to.expressions.give_up_if(f"{field_now} + {count.code} > {packed.most}")
        self._to.change(packed, index, count.code)

    def _move_slots(
        self, packed: Slots, parts: Sequence[RangedCode], count: RangedCode, blocks: ExitStack
    ) -> None:
        code = str(packed.present)
        if packed.present >= 1 << 62:
            raise Refused(f"the tokens of `{packed.place.name}` are too wide")
        shifts = packed.shifts()
        for number, low, size, shift in zip(parts, packed.low, packed.sizes, shifts, strict=True):
            checked = self._checked(number, low, size, blocks)
            part = f"({checked.code} - {low})" if low else checked.code
            code = f"({code} | shl({part}, {shift}))"
        code = self._writer.keep(code)
        if not needs_memory(packed):
            self._move_single(packed, code, count, blocks)
            return
        array = packed.array
        name = "slot_take" if self._is_taken else "slot_add"
        per = array.count if array.is_in_one_word else array.per_word
        call = (
            f"{name}(made + {8 * array.word}, {array.shift}, {array.width}, {per}, "
            f"{array.count}, {code})"
        )
        ok, left = self._writer.name("k"), self._writer.name("k")
        self._writer.emit(f"{ok} = 1")
        fails = f"{ok} = 0" if self._is_taken else "return -1"
        times = count.code
        if count.high > array.count:
            # More than there are slots can neither be there nor be put.
            times = self._writer.keep(f"({count.code} + 0)")
            self._writer.when(f"{times} > {array.count}", fails, f"{times} = 0")
        with self._writer.block(f"for {left} in range({times})"):
            self._writer.when(f"{call} == 0", fails)
        if self._is_taken:
            self._to.only_if(f"{ok} != 0", blocks)

    def _move_single(self, packed: Slots, code: str, count: RangedCode, blocks: ExitStack) -> None:
        now, times = self._to.field(packed, "0", "made"), count.code
        if self._is_taken:
            many = f"({times} == 0 or ({times} == 1 and {now} == {code}))"
            self._to.only_if(f"{now} == {code}" if count.low == count.high == 1 else many, blocks)
            self._to.change(packed, "0", f"(-({code} * {times}))")
            return
        self._to.expressions.give_up_if(f"{times} > 1 or ({times} == 1 and {now} != 0)")
        self._to.change(packed, "0", f"({code} * {times})")


def _is_simple(arc: Arc) -> bool:
    """Whether nothing is taken off its sum, or only single tokens off a single term."""
    negative = [term for term in arc.terms if is_negative(term)]
    has_interval = any(isinstance(part, Interval) for each in negative for part in each.components)
    return not negative or (len(arc.terms) == len(negative) + 1 and not has_interval)


def _is_between(parts: Sequence[RangedCode], bounds: Sequence[tuple[str, str]]) -> str:
    tests = [
        f"{part.code} == {low}"
        if low == high
        else f"{part.code} >= {low} and {part.code} <= {high}"
        for part, (low, high) in zip(parts, bounds, strict=True)
    ]
    return f"({' and '.join(tests) or '1 == 1'})"
