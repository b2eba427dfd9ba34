"""Value functions in generated code: written once as functions, and called where they are applied.

A function is written for each form in which its arguments come: as bits of a set, as a number in a
list, as itself. One that is short, can fail, or gives what is no single number is written out where
it is applied instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from zermelo.languages.sections.compile.registers import Bound, CodeScope, Slot, Slots
from zermelo.languages.sections.ir import Comprehension, Expr, Fold, Function, Quantified
from zermelo.languages.sections.run.expressions import SystemExpressions
from zermelo.languages.sections.walk import parts
from zermelo.packing.code import CALLED, Refused, Writer
from zermelo.packing.code_values import (
    Bits,
    CodeValue,
    Known,
    Member,
    Num,
    Parts,
    Truth,
    is_set,
    members,
)

FEWEST_LINES: Final = 24
"""Shorter ones are written out where they are applied."""
_LARGEST_SET: Final = 256
"""Arguments with more possible members are not passed as bits."""


class CodeOfExpressions(Protocol):
    """What writes the code of expressions into one function."""

    writer: Writer
    expressions: SystemExpressions

    def rep(self, expr: Expr, scope: CodeScope) -> CodeValue: ...

    def bits(self, rep: CodeValue) -> Bits: ...

    def called(self, name: str, arguments: tuple[str, ...]) -> str:
        """The variable with what the function *name* gives for *arguments*."""
        ...


@dataclass(frozen=True, slots=True)
class _Written:
    """A function of generated code, and what it gives, whatever that is called."""

    name: str
    result: CodeValue


class ValueFunctions:
    """The functions of generated code that stand for value functions of a system."""

    def __init__(self, code: Callable[[], CodeOfExpressions]) -> None:
        self._code = code
        """Gives what writes the code of a new function."""
        self._written: dict[tuple[object, ...], _Written | None] = {}
        self.texts: list[str] = []

    def applied(
        self,
        function: Function,
        given: Sequence[CodeValue],
        scope: CodeScope,
        code: CodeOfExpressions,
    ) -> CodeValue | None:
        """*function* of *given* as a call; ``None`` where it is to be written out."""
        if not _is_long(function):
            return None
        passed = _Passed()
        names = [passed.value(code, each) for each in given]
        reads = sorted(code.expressions.footprints.of(function.body).reads)
        slots = passed.slots(scope.slots, reads)
        facts = slots if scope.facts is scope.slots else passed.slots(scope.facts, reads)
        if any(each is None for each in names):
            return None
        key = (function.name, *names, *slots.items(), *facts.items(), facts is slots)
        if key not in self._written:
            # A function that applies itself finds nothing here, and is written out.
            self._written[key] = None
            bound = zip(function.parameters, names, strict=True)
            inner = CodeScope(
                slots,
                facts,
                {p.name: Bound(rep) for p, rep in bound if rep is not None},
                scope.depth + 1,
            )
            self._written[key] = self._write(function, inner, len(passed.codes))
        written = self._written[key]
        if written is None or isinstance(written.result, Known):
            return None if written is None else written.result
        return _named(written.result, code.called(written.name, tuple(passed.codes)))

    def _write(self, function: Function, scope: CodeScope, count: int) -> _Written | None:
        code = self._code()
        code.writer.on_fault = code.writer.on_unsure = ()
        try:
            rep = code.rep(function.body, scope)
            if is_set(rep) and not isinstance(rep, Known | Member):
                rep = code.bits(rep)
        except Refused:
            return None
        given = _given(rep)
        is_short = len(code.writer.lines) < FEWEST_LINES
        if given is None or code.writer.may_fail or (is_short and not isinstance(rep, Known)):
            return None
        name = f"{CALLED}{len(self.texts)}"
        head = f"def {name}({', '.join(['tab', *(f'a{at}' for at in range(count))])}):"
        code.writer.emit(f"return {given}")
        self.texts.append("\n".join([head, *code.writer.lines, ""]))
        return _Written(name, rep)


def _is_long(function: Function) -> bool:
    """Whether there is something in *function* that becomes more than a few lines."""
    found = parts(function.body)
    return any(isinstance(part, Quantified | Comprehension | Fold) for part in found)


class _Passed:
    """What is passed to a function, each as a number, under the names that it has there."""

    def __init__(self) -> None:
        self.codes: list[str] = []

    def _name(self, code: str) -> str:
        self.codes.append(code)
        return f"a{len(self.codes) - 1}"

    def value(self, code: CodeOfExpressions, rep: CodeValue) -> CodeValue | None:
        """*rep* as it is inside the function; ``None`` where it cannot be passed."""
        if is_set(rep) and not isinstance(rep, Known | Member | Bits):
            listed = members(rep)
            if listed is None or len(listed) > _LARGEST_SET:
                return None
            rep = code.bits(rep)
        match rep:
            case Known():
                return rep
            case Truth(text):
                return Truth(f"({self._name(f'(1 if {text} else 0)')} != 0)")
            case Num(text):
                return replace(rep, code=self._name(text))
            case Member(text):
                return replace(rep, code=self._name(text))
            case Bits(words):
                return replace(rep, words=tuple(map(self._name, words)))
            case Parts(items):
                inner = [self.value(code, item) for item in items]
                known = tuple(item for item in inner if item is not None)
                return Parts(known) if len(known) == len(inner) else None
            case _:
                return None

    def slots(self, slots: Slots, names: Sequence[str]) -> Slots:
        return {name: self._slot(slots[name]) for name in names if name in slots}

    def _slot(self, slot: Slot) -> Slot:
        if slot.known is not None:
            return slot
        presence = None if slot.presence is None else self._name(slot.presence)
        return replace(slot, codes=tuple(map(self._name, slot.codes)), presence=presence)


def _given(rep: CodeValue) -> str | None:
    """What a function returns that gives *rep*; ``None`` where that is no single number."""
    match rep:
        case Known():
            return "0"
        case Truth(code):
            return f"(1 if {code} else 0)"
        case Num(code) | Member(code) | Bits((code,)):
            return code
        case _:
            return None


def _named(rep: CodeValue, name: str) -> CodeValue:
    """*rep* as what a function gave that is called *name*."""
    match rep:
        case Truth():
            return Truth(f"({name} != 0)")
        case Num() | Member():
            return replace(rep, code=name)
        case Bits():
            return replace(rep, words=(name,))
        case _:
            return rep
