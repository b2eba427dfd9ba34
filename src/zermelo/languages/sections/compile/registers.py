"""The variables of a system while its code runs: in registers, and in memory.

Code keeps variables in registers: they are loaded from a packed state, written, compared and packed
again. Helpers that call themselves are functions that find the variables in memory. Around the
call of such a function they are written to memory and read back; arguments are passed as the
numbers they have in the sets of the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from zermelo.core.layout import WORD, Choice, Count, Field, Layout, Mask, Place, Shape, width
from zermelo.core.values import FALSE, TRUE, UNSET, TruthValue, Value
from zermelo.languages.sections.run.shapes import ROOM
from zermelo.packing.code import SKIP, Refused, Tables, Writer
from zermelo.packing.code_values import (
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
    Stretch,
    Truth,
    Universe,
    as_num,
    is_set,
    literal,
    mask_of,
    members,
    universe,
    words_of,
)
from zermelo.packing.set_code import SetCode

CALLS: Final = 0
"""Where the calls of a turn are counted."""
FIRED: Final = 1
_FIRST: Final = 2
_TRUTHS = {"True", "False"}


@dataclass(frozen=True, slots=True)
class Slot:
    """A variable of the system in registers.

    A number is kept as itself and may leave its bounds in the middle of a turn,
    which *low* and *high* follow; a choice is kept as its number in the list.
    """

    shape: Shape
    codes: tuple[str, ...]
    presence: str | None = None
    """A condition that holds where it is set, if it may be unset."""
    low: int = 0
    high: int = 0
    known: Value | None = None

    def unset(self) -> str:
        if self.known is not None:
            return "True" if self.known is UNSET else "False"
        if isinstance(self.shape, Choice) and self.shape.values[:1] == (UNSET,):
            return f"({self.codes[0]} == 0)"
        return "False" if self.presence is None else f"({self.presence} == 0)"

    def rep(self) -> CodeValue:
        if self.known is not None:
            return Known(self.known)
        match self.shape:
            case Mask(members):
                return Bits(self.codes, members)
            case Count():
                return Num(self.codes[0], self.low, self.high)
            case Choice(values) if values == (FALSE, TRUE):
                return Truth(f"({self.codes[0]} != 0)")
            case Choice(values) if values == (UNSET, FALSE, TRUE):
                return Truth(f"({self.codes[0]} == 2)")
            case Choice(values):
                return Member(self.codes[0], values)


@dataclass(frozen=True, slots=True)
class Bound:
    """A local: its value, and where it is there.

    *presence* is a condition that holds where it is inside its declaration;
    ``None`` means everywhere.
    """

    rep: CodeValue
    presence: str | None = None
    missing: int = SKIP
    """The error of using it where it is not there."""


Slots = dict[str, Slot]


@dataclass(slots=True)
class CodeScope:
    """The names that an expression can use.

    *facts* are the variables from which facts are computed: *slots* themselves,
    or a copy where facts are frozen.
    """

    slots: Slots
    facts: Slots
    names: dict[str, Bound] = field(default_factory=dict)
    depth: int = 0

    def nested(self, names: dict[str, Bound]) -> CodeScope:
        return replace(self, names={**self.names, **names})

    def inside(self, names: dict[str, Bound]) -> CodeScope:
        return replace(self, names=names, depth=self.depth + 1)

    def for_facts(self) -> CodeScope:
        return CodeScope(self.facts, self.facts, {}, self.depth)


def loaded(layout: Layout, writer: Writer, row: str) -> Slots:
    words = [writer.keep(f"load({row}, {at})", "s") for at in range(layout.words)]
    return {each.variable: _loaded(each, words, writer) for each in layout.fields}


def _loaded(field: Field, words: list[str], writer: Writer) -> Slot:
    presence = None
    if field.presence is not None:
        presence = writer.variable(_got(field.presence, words)[0], "v")
    codes = _got(field.place, words)
    low, high = _ends(field.shape)
    if low:
        codes = (f"{codes[0]} + {literal(low)}",)
    names = tuple(writer.variable(code, "v") for code in codes)
    return Slot(field.shape, names, presence, low, high)


def packed(layout: Layout, slots: Slots) -> list[str]:
    """The words of the packed state with the variables as they are in *slots*."""
    words: list[list[str]] = [[] for _ in range(layout.words)]
    for each in layout.fields:
        slot = slots[each.variable]
        if each.presence is not None and slot.presence is not None:
            words[each.presence.word].append(_shifted(slot.presence, each.presence.shift))
        codes = slot.codes
        if isinstance(each.shape, Count) and each.shape.low:
            codes = (f"({codes[0]} - {literal(each.shape.low)})",)
        if each.place.width == 0:
            continue
        for at, code in enumerate(codes):
            words[each.place.word + at].append(_shifted(code, each.place.shift))
    return [" | ".join(parts) or "0" for parts in words]


def _got(place: Place, words: list[str]) -> tuple[str, ...]:
    if place.width == 0:
        return ("0",)
    if place.width >= WORD:
        return tuple(words[place.word : place.word - (-place.width // WORD)])
    word = words[place.word]
    shifted = f"({word} >> {place.shift})" if place.shift else word
    return (f"({shifted} & {literal((1 << place.width) - 1)})",)


def _shifted(code: str, shift: int) -> str:
    return f"shl({code}, {shift})" if shift else code


class RegisterCode:
    """Writes code for variables."""

    def __init__(self, code: SetCode) -> None:
        self._code = code
        self._writer = code.writer

    def variable(self, shape: Shape, value: Value) -> Slot:
        presence = None
        if value is UNSET and not isinstance(shape, Choice):
            presence = self._writer.variable("0", "v")
        match shape:
            case Mask(members):
                first = value if isinstance(value, frozenset) else frozenset()
                codes = words_of(mask_of(members, first), len(members))
            case Count(low):
                codes = (literal(value if isinstance(value, int) else low),)
            case Choice(values):
                codes = (str(values.index(value)),)
        names = tuple(self._writer.variable(code, "v") for code in codes)
        return Slot(shape, names, presence, *_ends(shape))

    def copied(self, slots: Slots) -> Slots:
        return {name: self._copied(slot) for name, slot in slots.items()}

    def _copied(self, slot: Slot) -> Slot:
        if slot.known is not None:
            return slot
        names = tuple(self._writer.variable(code, "v") for code in slot.codes)
        presence = slot.presence and self._writer.variable(slot.presence, "v")
        return replace(slot, codes=names, presence=presence)

    def value_for(self, slot: Slot, rep: CodeValue) -> tuple[tuple[str, ...], Num | None]:
        """*rep* as codes for *slot*; leaves the turn to the interpreter where it does not fit."""
        match slot.shape:
            case Mask(members):
                if not is_set(rep):
                    self._give_up("True")
                    return words_of(0, len(members)), None
                covered = self._code.cover(rep, members, exactly=True)
                self._give_up(covered.outside.code)
                return covered.bits.words, None
            case Count():
                number = self._whole(rep)
                if number is None:
                    self._give_up("True")
                    return ("0",), None
                return (number.code,), number
            case Choice(values):
                if isinstance(rep, Ratio):
                    self._give_up("True")
                    return ("0",), None
                if is_set(rep) and not isinstance(rep, Known | Member | Bits):
                    rep = self._code.bits(rep)
                at = self._code.index(rep, values)
                if at.low < 0:
                    self._give_up(f"{at.code} < 0")
                return (at.code,), None

    def _whole(self, rep: CodeValue) -> Num | None:
        """*rep* as a whole number; a quotient that is none does not fit."""
        if not isinstance(rep, Ratio):
            return as_num(rep)
        upper, lower = self._writer.keep(rep.upper.code), self._writer.keep(rep.lower.code)
        self._give_up(f"{upper} % {lower} != 0")
        size = max(abs(rep.upper.low), abs(rep.upper.high))
        return Num(f"({upper} // {lower})", min(0, -size if rep.upper.low < 0 else 0), size)

    def _give_up(self, condition: str) -> None:
        self._writer.stop(condition, self._writer.on_unsure)

    def write(self, slots: Slots, name: str, codes: tuple[str, ...], bounds: Num | None) -> None:
        self._writer.note_write(name)
        slot = slots[name]
        for register, code in zip(slot.codes, codes, strict=True):
            if register != code:
                self._writer.emit(f"{register} = {code}")
        if slot.presence is not None:
            self._writer.emit(f"{slot.presence} = 1")
        if bounds is not None:
            slots[name] = _widened(slot, bounds.low, bounds.high)

    def differ(self, one: Slot, other: Slot) -> str:
        tests = [f"{a} != {b}" for a, b in zip(one.codes, other.codes, strict=True)]
        if one.presence is not None and other.presence is not None:
            tests.append(f"{one.presence} != {other.presence}")
        return f"({' or '.join(tests)})"

    # Values that are one of two

    def merged(self, old: CodeValue, new: CodeValue) -> MergedValue | None:
        """A value that is *old* at first and *new* later; ``None`` if they are of two kinds."""
        first, second = as_num(old), as_num(new)
        if first is not None and second is not None:
            name = self._writer.name("k")
            low, high = min(first.low, second.low), max(first.high, second.high)
            return MergedValue(Num(name, low, high), ((name, first.code, second.code),))
        if _is_truth(old) and _is_truth(new):
            name = self._writer.name("k")
            return MergedValue(Truth(f"({name} != 0)"), ((name, _truth(old), _truth(new)),))
        if isinstance(old, Parts) and isinstance(new, Parts) and len(old.items) == len(new.items):
            parts = [self.merged(a, b) for a, b in zip(old.items, new.items, strict=True)]
            found = [part for part in parts if part is not None]
            if len(found) < len(parts):
                return None
            moves = tuple(move for part in found for move in part.moves)
            return MergedValue(Parts(tuple(part.rep for part in found)), moves)
        return self._merged_members(old, new)

    def _merged_members(self, old: CodeValue, new: CodeValue) -> MergedValue | None:
        first, second = _alike(old, new), _alike(new, old)
        match first, second:
            case Bits(words, values), Bits(others, same) if values == same:
                names = tuple(self._writer.name("k") for _ in words)
                return MergedValue(
                    Bits(names, values), tuple(zip(names, words, others, strict=True))
                )
            case Member(code, values), Member(other, same) if values == same:
                name = self._writer.name("k")
                return MergedValue(Member(name, values), ((name, code, other),))
            case _:
                return None

    # Values that outlive the variables they were made of

    def frozen(self, rep: CodeValue) -> CodeValue:
        """*rep*, safe from later writes to the variables it was read from."""
        keep = self._kept
        match rep:
            case Truth(code):
                return rep if code in _TRUTHS else Truth(keep(code))
            case Num(code, low, high):
                return Num(keep(code), low, high)
            case Ratio(upper, lower):
                return Ratio(
                    *(Num(keep(each.code), each.low, each.high) for each in (upper, lower))
                )
            case Member(code, values):
                return Member(keep(code), values)
            case Parts(items):
                return Parts(tuple(map(self.frozen, items)))
            case Bits(words, values):
                return Bits(tuple(map(keep, words)), values)
            case _:
                return self._frozen_set(rep)

    def _frozen_set(self, rep: CodeValue) -> CodeValue:
        match rep:
            case Items(items):
                return Items(tuple(map(self.frozen, items)))
            case Stretch(low, high):
                keep = self._kept
                return Stretch(*(Num(keep(each.code), each.low, each.high) for each in (low, high)))
            case PowerOf(base):
                return PowerOf(self.frozen(base))
            case ProductOf(factors):
                return ProductOf(tuple(map(self.frozen, factors)))
            case Joined(op, left, right):
                return Joined(op, self.frozen(left), self.frozen(right))
            case Chosen():
                raise Refused("a long set with a condition is kept for later")
            case _:
                return rep

    def _kept(self, code: str) -> str:
        if code.lstrip("(-").rstrip(")").isdigit() or (code.isidentifier() and code[0] != "v"):
            return code
        return self._writer.variable(code, "k")


@dataclass(frozen=True, slots=True)
class MergedValue:
    """A value that is one of two: registers, each with its code at first and later."""

    rep: CodeValue
    moves: tuple[tuple[str, str, str], ...]


def _is_truth(rep: CodeValue) -> bool:
    return isinstance(rep, Truth) or (isinstance(rep, Known) and isinstance(rep.value, TruthValue))


def _truth(rep: CodeValue) -> str:
    if isinstance(rep, Truth):
        return f"(1 if {rep.code} else 0)"
    return str(int(isinstance(rep, Known) and rep.value is TRUE))


def _alike(rep: CodeValue, other: CodeValue) -> CodeValue:
    """*rep*, if it is known now, in the form of *other*, or in one of its own."""
    if not isinstance(rep, Known):
        return rep
    value = rep.value
    match other:
        case Bits(_, values) if isinstance(value, frozenset) and value <= frozenset(values):
            return Bits(words_of(mask_of(values, value), len(values)), values)
        case Member(_, values) if value in values:
            return Member(str(values.index(value)), values)
        case Known(second) if not isinstance(value, frozenset):
            values = universe((value, second))
            return Member(str(values.index(value)), values)
        case _:
            return rep


def placeholders(rep: CodeValue) -> tuple[tuple[str, str], ...]:
    """The registers of *rep*, which is no description of a set, each with some value it may have.

    Code that goes on after an error may look at them, and must stay inside its tables.
    """
    match rep:
        case Num(code, low):
            found: tuple[tuple[str, str], ...] = ((code, literal(low)),)
        case Truth(code) | Member(code):
            found = ((code, "0"),)
        case Parts(items):
            found = tuple(each for item in items for each in placeholders(item))
        case Bits(words):
            found = tuple((word, "0") for word in words)
        case Known() | Never():
            found = ()
        case _:
            raise Refused("a set without a list of members is kept under a guard")
    return tuple(each for each in found if each[0].isidentifier() and each[0] not in _TRUTHS)


@dataclass(frozen=True, slots=True)
class StoredVariable:
    """A variable in memory: its shape, and whether it may be unset."""

    shape: Shape
    has_presence: bool

    @property
    def size(self) -> int:
        """How many words it takes, one of them for whether it is set."""
        return 2 if isinstance(self.shape, Count) else max(1, -(-width(self.shape) // WORD)) + 1


class VariableMemory:
    """A place in the tables for all variables, and for a copy of them with frozen facts."""

    def __init__(self, tables: Tables, variables: Mapping[str, StoredVariable]) -> None:
        self._variables = variables
        size = sum(held.size for held in variables.values())
        self._start = tables.reserve(_FIRST + 2 * size)
        self._frozen = size

    def at(self, place: int) -> str:
        return str(self._start + place)

    def save(self, writer: Writer, slots: Slots, *, is_frozen: bool = False) -> None:
        for name, place in self._places(is_frozen=is_frozen):
            slot = slots[name]
            self._stay_inside(writer, slot)
            writer.emit(*(f"store(tab, {place + at}, {c})" for at, c in enumerate(slot.codes)))
            if slot.presence is not None:
                last = place + self._variables[name].size - 1
                writer.emit(f"store(tab, {last}, {slot.presence})")

    def load(self, writer: Writer, *, is_frozen: bool = False) -> Slots:
        found: Slots = {}
        for name, place in self._places(is_frozen=is_frozen):
            held = self._variables[name]
            loads = [f"load(tab, {place + at})" for at in range(held.size)]
            codes = tuple(writer.variable(code, "v") for code in loads[:-1])
            presence = writer.variable(loads[-1], "v") if held.has_presence else None
            found[name] = Slot(held.shape, codes, presence, *_ends(held.shape))
        return found

    def restore(self, writer: Writer, slots: Slots) -> None:
        for name, place in self._places(is_frozen=False):
            writer.note_write(name)
            slot = slots[name]
            writer.emit(*(f"{c} = load(tab, {place + at})" for at, c in enumerate(slot.codes)))
            if slot.presence is not None:
                last = place + self._variables[name].size - 1
                writer.emit(f"{slot.presence} = load(tab, {last})")
            slots[name] = _widened(slot, *_ends(slot.shape))

    def _places(self, *, is_frozen: bool) -> list[tuple[str, int]]:
        place = self._start + _FIRST + (self._frozen if is_frozen else 0)
        found = []
        for name, held in self._variables.items():
            found.append((name, place))
            place += held.size
        return found

    def _stay_inside(self, writer: Writer, slot: Slot) -> None:
        """A number beyond its bounds is left to the interpreter."""
        low, high = _ends(slot.shape)
        if isinstance(slot.shape, Count) and (slot.low < low or slot.high > high):
            code = slot.codes[0]
            writer.stop(f"{code} < {literal(low)} or {code} > {literal(high)}", writer.on_unsure)


def _widened(slot: Slot, low: int, high: int) -> Slot:
    return replace(slot, low=min(slot.low, low), high=max(slot.high, high))


def _ends(shape: Shape) -> tuple[int, int]:
    return (shape.low, shape.high) if isinstance(shape, Count) else (0, 0)


def stored_variable(slot: Slot) -> StoredVariable:
    is_choice = isinstance(slot.shape, Choice) and slot.shape.values[:1] == (UNSET,)
    return StoredVariable(slot.shape, slot.presence is not None and not is_choice)


@dataclass(frozen=True, slots=True)
class PassedArgument:
    """How an argument is passed: as bits of *values*, as its number in *values*, or as itself."""

    values: Universe | None
    is_set: bool

    @property
    def count(self) -> int:
        return len(words_of(0, len(self.values))) if self.is_set and self.values is not None else 1

    def codes(self, code: SetCode, rep: CodeValue) -> tuple[str, ...]:
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

    def rep(self, code: SetCode, names: Sequence[str]) -> CodeValue:
        if self.values is None:
            return Num(names[0], -ROOM, ROOM)
        if self.is_set:
            return Bits(tuple(names), self.values)
        return code.element(names[0], self.values)


def passed_argument(domain: CodeValue) -> PassedArgument:
    if isinstance(domain, Endless):
        return PassedArgument(None, is_set=False)
    base = members(domain.base) if isinstance(domain, PowerOf) else None
    if base is not None:
        return PassedArgument(base, is_set=True)
    values = members(domain)
    if values is None:
        raise Refused("a helper that calls itself has a parameter with too many values")
    return PassedArgument(values, is_set=False)
