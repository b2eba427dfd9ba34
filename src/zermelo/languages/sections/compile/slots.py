"""Variables of the system in registers: loaded, written, compared and packed again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zermelo.core.layout import WORD, Choice, Count, Field, Layout, Mask, Place, Shape
from zermelo.core.values import UNSET, Value
from zermelo.languages.sections.compile.conditions import as_num
from zermelo.languages.sections.compile.expressions import ExpressionCode
from zermelo.languages.sections.compile.reps import (
    Bits,
    Chosen,
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
    Refused,
    Rep,
    Stretch,
    Truth,
    is_set,
    literal,
    mask_of,
    universe,
    words_of,
)
from zermelo.languages.sections.compile.scope import Slot, Slots
from zermelo.packing.code import Writer


def loaded(layout: Layout, writer: Writer, row: str) -> Slots:
    """The variables of the packed state at *row*, in registers."""
    words = [writer.keep(f"load({row}, {at})", "s") for at in range(layout.words)]
    return {field.variable: _loaded(field, words, writer) for field in layout.fields}


def _loaded(field: Field, words: list[str], writer: Writer) -> Slot:
    presence = None
    if field.presence is not None:
        presence = writer.name("v")
        writer.emit(f"{presence} = {_got(field.presence, words)[0]}")
    codes = _got(field.place, words)
    low = high = 0
    if isinstance(field.shape, Count):
        low, high = field.shape.low, field.shape.high
        codes = (f"{codes[0]} + {literal(low)}" if low else codes[0],)
    names = tuple(writer.name("v") for _ in codes)
    for name, code in zip(names, codes, strict=True):
        writer.emit(f"{name} = {code}")
    return Slot(field.shape, names, presence, low, high)


def _got(place: Place, words: list[str]) -> tuple[str, ...]:
    if place.width == 0:
        return ("0",)
    if place.width > WORD:
        count = -(-place.width // WORD)
        return tuple(words[place.word : place.word + count])
    word = words[place.word]
    if place.width == WORD:
        return (word,)
    shifted = f"({word} >> {place.shift})" if place.shift else word
    return (f"({shifted} & {literal((1 << place.width) - 1)})",)


def packed(layout: Layout, slots: Slots) -> list[str]:
    """The words of the packed state with the variables as they are in *slots*."""
    words: list[list[str]] = [[] for _ in range(layout.words)]
    for field in layout.fields:
        slot = slots[field.variable]
        if field.presence is not None and slot.presence is not None:
            words[field.presence.word].append(_shifted(slot.presence, field.presence.shift))
        codes = slot.codes
        if isinstance(field.shape, Count) and field.shape.low:
            codes = (f"({codes[0]} - {literal(field.shape.low)})",)
        if field.place.width == 0:
            continue
        for at, code in enumerate(codes):
            words[field.place.word + at].append(_shifted(code, field.place.shift))
    return [" | ".join(parts) or "0" for parts in words]


def _shifted(code: str, shift: int) -> str:
    return f"shl({code}, {shift})" if shift else code


@dataclass(frozen=True, slots=True)
class Merged:
    """A value that is one of two: registers, each with its code at first and later."""

    rep: Rep
    moves: tuple[tuple[str, str, str], ...]


def _is_truth(rep: Rep) -> bool:
    return isinstance(rep, Truth) or (isinstance(rep, Known) and isinstance(rep.value, bool))


def _truth(rep: Rep) -> str:
    if isinstance(rep, Truth):
        return f"(1 if {rep.code} else 0)"
    return str(int(isinstance(rep, Known) and rep.value is True))


def _alike(rep: Rep, other: Rep) -> Rep:
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


_TRUTHS = {"True", "False"}


def placeholders(rep: Rep) -> tuple[tuple[str, str], ...]:
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


class SlotCode:
    """Writes code for variables."""

    def __init__(self, expressions: ExpressionCode) -> None:
        self._code = expressions
        self._writer = expressions.writer

    def variable(self, shape: Shape, value: Value) -> Slot:
        """Registers for a variable that starts with *value*."""
        presence = None
        if value is UNSET and not isinstance(shape, Choice):
            presence = self._writer.name("v")
            self._writer.emit(f"{presence} = 0")
        match shape:
            case Mask(members):
                first = value if isinstance(value, frozenset) else frozenset()
                codes = words_of(mask_of(members, first), len(members))
            case Count(low):
                codes = (literal(value if isinstance(value, int) else low),)
            case Choice(values):
                codes = (str(values.index(value)),)
        names = tuple(self._writer.name("v") for _ in codes)
        for name, code in zip(names, codes, strict=True):
            self._writer.emit(f"{name} = {code}")
        low = high = 0
        if isinstance(shape, Count):
            low, high = shape.low, shape.high
        return Slot(shape, names, presence, low, high)

    def copied(self, slots: Slots) -> Slots:
        """The variables as they are now, in registers of their own."""
        return {name: self._copied(slot) for name, slot in slots.items()}

    def _copied(self, slot: Slot) -> Slot:
        if slot.known is not None:
            return slot
        names = tuple(self._writer.name("v") for _ in slot.codes)
        for name, code in zip(names, slot.codes, strict=True):
            self._writer.emit(f"{name} = {code}")
        presence = slot.presence
        if presence is not None:
            presence = self._writer.name("v")
            self._writer.emit(f"{presence} = {slot.presence}")
        return replace(slot, codes=names, presence=presence)

    def value_for(self, slot: Slot, rep: Rep) -> tuple[tuple[str, ...], Num | None]:
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
                settled = (
                    rep
                    if not is_set(rep) or isinstance(rep, Known | Member | Bits)
                    else (self._code.bits(rep))
                )
                if isinstance(settled, Ratio):
                    self._give_up("True")
                    return ("0",), None
                at = self._code.index(settled, values)
                if at.low < 0:
                    self._give_up(f"{at.code} < 0")
                return (at.code,), None

    def _whole(self, rep: Rep) -> Num | None:
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
        """Give the variable called *name* its new codes."""
        self._writer.note_write(name)
        slot = slots[name]
        for register, code in zip(slot.codes, codes, strict=True):
            if register != code:
                self._writer.emit(f"{register} = {code}")
        if slot.presence is not None:
            self._writer.emit(f"{slot.presence} = 1")
        if bounds is not None:
            slots[name] = replace(
                slot, low=min(slot.low, bounds.low), high=max(slot.high, bounds.high)
            )

    def differ(self, one: Slot, other: Slot) -> str:
        """A condition that holds where two variables have different values."""
        pairs = list(zip(one.codes, other.codes, strict=True))
        tests = [f"{a} != {b}" for a, b in pairs]
        if one.presence is not None and other.presence is not None:
            tests.append(f"{one.presence} != {other.presence}")
        return f"({' or '.join(tests)})"

    # Values that are one of two

    def merged(self, old: Rep, new: Rep) -> Merged | None:
        """A value that is *old* at first and *new* later; ``None`` if they are of two kinds."""
        first, second = as_num(old), as_num(new)
        if first is not None and second is not None:
            name = self._writer.name("k")
            low, high = min(first.low, second.low), max(first.high, second.high)
            return Merged(Num(name, low, high), ((name, first.code, second.code),))
        if _is_truth(old) and _is_truth(new):
            name = self._writer.name("k")
            return Merged(Truth(f"({name} != 0)"), ((name, _truth(old), _truth(new)),))
        if isinstance(old, Parts) and isinstance(new, Parts) and len(old.items) == len(new.items):
            parts = [self.merged(a, b) for a, b in zip(old.items, new.items, strict=True)]
            found = [part for part in parts if part is not None]
            if len(found) < len(parts):
                return None
            moves = tuple(move for part in found for move in part.moves)
            return Merged(Parts(tuple(part.rep for part in found)), moves)
        return self._merged_members(old, new)

    def _merged_members(self, old: Rep, new: Rep) -> Merged | None:
        first, second = _alike(old, new), _alike(new, old)
        if isinstance(first, Bits) and isinstance(second, Bits):
            if first.universe != second.universe:
                return None
            names = tuple(self._writer.name("k") for _ in first.words)
            moves = tuple(zip(names, first.words, second.words, strict=True))
            return Merged(Bits(names, first.universe), moves)
        if isinstance(first, Member) and isinstance(second, Member):
            if first.universe != second.universe:
                return None
            name = self._writer.name("k")
            return Merged(Member(name, first.universe), ((name, first.code, second.code),))
        return None

    # Values that outlive the variables they were made of

    def frozen(self, rep: Rep) -> Rep:
        """*rep*, safe from later writes to the variables it was read from."""
        keep = self._kept
        match rep:
            case Truth(code):
                return rep if code in _TRUTHS else Truth(keep(code))
            case Num(code, low, high):
                return Num(keep(code), low, high)
            case Ratio(upper, lower):
                return Ratio(
                    Num(keep(upper.code), upper.low, upper.high),
                    Num(keep(lower.code), lower.low, lower.high),
                )
            case Member(code, values):
                return Member(keep(code), values)
            case Parts(items):
                return Parts(tuple(map(self.frozen, items)))
            case Bits(words, values):
                return Bits(tuple(map(keep, words)), values)
            case _:
                return self._frozen_set(rep)

    def _frozen_set(self, rep: Rep) -> Rep:
        match rep:
            case Items(items):
                return Items(tuple(map(self.frozen, items)))
            case Stretch(low, high):
                first, last = self.frozen(low), self.frozen(high)
                if isinstance(first, Num) and isinstance(last, Num):
                    return Stretch(first, last)
                return rep
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
        name = self._writer.name("k")
        self._writer.emit(f"{name} = {code}")
        return name
