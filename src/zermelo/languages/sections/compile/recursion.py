"""Helpers that call themselves: functions that find the variables in memory.

Everything else keeps variables in registers. Around the call of such a function
they are written to memory and read back; arguments are passed as the numbers
they have in the sets of the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.core.layout import ROOM, Choice, Count, Shape, width
from zermelo.core.values import UNSET
from zermelo.languages.sections.compile.conditions import as_num
from zermelo.languages.sections.compile.expressions import ExpressionCode
from zermelo.languages.sections.compile.reps import (
    WORD,
    Bits,
    Endless,
    Never,
    Num,
    PowerOf,
    Refused,
    Rep,
    Universe,
    literal,
    members,
)
from zermelo.languages.sections.compile.scope import Slot, Slots
from zermelo.packing.code import Tables, Writer

CALLS: Final = 0
"""Where the calls of a turn are counted."""
FIRED: Final = 1
_FIRST: Final = 2


@dataclass(frozen=True, slots=True)
class Held:
    """A variable in memory: its shape, and whether it may be unset."""

    shape: Shape
    has_presence: bool

    @property
    def size(self) -> int:
        """How many words it takes, one of them for whether it is set."""
        words = max(1, -(-width(self.shape) // WORD)) if not isinstance(self.shape, Count) else 1
        return words + 1


class Memory:
    """A place in the tables for all variables, and for a copy of them with frozen facts."""

    def __init__(self, tables: Tables, variables: Mapping[str, Held]) -> None:
        self._variables = variables
        size = sum(held.size for held in variables.values())
        self._start = tables.reserve(_FIRST + 2 * size)
        self._frozen = size

    def at(self, place: int) -> str:
        """The place in the tables of one of the numbers that are no variables."""
        return str(self._start + place)

    def save(self, writer: Writer, slots: Slots, *, is_frozen: bool = False) -> None:
        """Write the variables to memory."""
        for name, place in self._places(is_frozen=is_frozen):
            slot = slots[name]
            self._stay_inside(writer, slot)
            for at, code in enumerate(slot.codes):
                writer.emit(f"store(tab, {place + at}, {code})")
            if slot.presence is not None:
                size = self._variables[name].size
                writer.emit(f"store(tab, {place + size - 1}, {slot.presence})")

    def load(self, writer: Writer, *, is_frozen: bool = False) -> Slots:
        """The variables in memory, in new registers."""
        found: Slots = {}
        for name, place in self._places(is_frozen=is_frozen):
            held = self._variables[name]
            codes = tuple(writer.name("v") for _ in range(held.size - 1))
            for at, code in enumerate(codes):
                writer.emit(f"{code} = load(tab, {place + at})")
            presence = None
            if held.has_presence:
                presence = writer.name("v")
                writer.emit(f"{presence} = load(tab, {place + held.size - 1})")
            low, high = _ends(held.shape)
            found[name] = Slot(held.shape, codes, presence, low, high)
        return found

    def restore(self, writer: Writer, slots: Slots) -> None:
        """Read the variables back into the registers they have."""
        for name, place in self._places(is_frozen=False):
            writer.note_write(name)
            slot = slots[name]
            for at, code in enumerate(slot.codes):
                writer.emit(f"{code} = load(tab, {place + at})")
            if slot.presence is not None:
                size = self._variables[name].size
                writer.emit(f"{slot.presence} = load(tab, {place + size - 1})")
            low, high = _ends(slot.shape)
            slots[name] = replace(slot, low=min(slot.low, low), high=max(slot.high, high))

    def _places(self, *, is_frozen: bool) -> list[tuple[str, int]]:
        place = self._start + _FIRST + (self._frozen if is_frozen else 0)
        found = []
        for name, held in self._variables.items():
            found.append((name, place))
            place += held.size
        return found

    def _stay_inside(self, writer: Writer, slot: Slot) -> None:
        """A number beyond its bounds is left to the interpreter."""
        if not isinstance(slot.shape, Count):
            return
        low, high = slot.shape.low, slot.shape.high
        if slot.low < low or slot.high > high:
            code = slot.codes[0]
            writer.stop(f"{code} < {literal(low)} or {code} > {literal(high)}", writer.on_unsure)


def _ends(shape: Shape) -> tuple[int, int]:
    return (shape.low, shape.high) if isinstance(shape, Count) else (0, 0)


def held(slot: Slot) -> Held:
    """How the variable of *slot* is kept in memory."""
    is_choice = isinstance(slot.shape, Choice) and slot.shape.values[:1] == (UNSET,)
    return Held(slot.shape, slot.presence is not None and not is_choice)


@dataclass(frozen=True, slots=True)
class Passed:
    """How an argument is passed: as bits of *values*, as its number in *values*, or as itself."""

    values: Universe | None
    is_set: bool

    @property
    def count(self) -> int:
        """How many numbers it takes."""
        if not self.is_set or self.values is None:
            return 1
        return max(1, -(-len(self.values) // WORD))

    def codes(self, code: ExpressionCode, rep: Rep) -> tuple[str, ...]:
        """*rep*, which is in the parameter's set, as numbers."""
        if self.values is None:
            number = as_num(rep)
            if number is None:
                return ("0",)
            if number.low < -ROOM or number.high > ROOM:
                kept = code.writer.keep(number.code)
                code.writer.stop(f"{kept} < {-ROOM} or {kept} > {ROOM}", code.writer.on_unsure)
                return (kept,)
            return (number.code,)
        if isinstance(rep, Never):
            return ("0",) * self.count
        if self.is_set:
            return code.cover(rep, self.values).bits.words
        return (code.index(rep, self.values).code,)

    def rep(self, code: ExpressionCode, names: Sequence[str]) -> Rep:
        """The argument, passed in the parameters *names*."""
        if self.values is None:
            return Num(names[0], -ROOM, ROOM)
        if self.is_set:
            return Bits(tuple(names), self.values)
        return code.element(names[0], self.values)


def passed(domain: Rep) -> Passed:
    """How the members of *domain* are passed."""
    if isinstance(domain, Endless):
        return Passed(None, is_set=False)
    if isinstance(domain, PowerOf):
        base = members(domain.base)
        if base is not None:
            return Passed(base, is_set=True)
    values = members(domain)
    if values is None:
        raise Refused("a helper that calls itself has a parameter with too many values")
    return Passed(values, is_set=False)
