"""Definitions that are called, and the results that are kept.

A result that depends on nothing but the arguments is kept for good, one that depends on
the state or the input until that changes. Only calls whose arguments are small and have
no order in them (numbers, atoms, strings, truth values and tuples of these) are kept:
two equal sets may print differently, and so may what is computed from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from zermelo.core.values import UNSET, Atom, Value
from zermelo.languages.led.run.closures import Closure, Frame
from zermelo.languages.led.run.meter import Meter
from zermelo.languages.led.run.pretty import plain
from zermelo.languages.led.run.values import Text, Truth, Undefined
from zermelo.text.source import Span

_KEPT: Final = 50_000
"""Results of one definition that are kept at the same time."""

_TRAIL: Final = 400
"""Calls that are remembered on the way out of an undefined value."""

_FLAT: Final = frozenset({int, Fraction, Atom, Truth, Text})


class Busy:
    """Stands for a result that is being computed."""


_BUSY: Final = Busy()
_NONE: Final = Busy()


@dataclass(frozen=True, slots=True)
class Dependence:
    """What the value of a definition depends on besides its arguments."""

    on_state: bool = False
    on_input: bool = False


class Code:
    """A definition that can be called."""

    __slots__ = ("body", "dependence", "is_kept", "is_worth_keeping", "kept", "name", "rest")

    def __init__(self, name: str, dependence: Dependence) -> None:
        self.name = name
        self.dependence = dependence
        self.body: Closure = _not_yet
        self.rest: list[Value] = []
        """What a frame holds behind the arguments at first."""
        self.kept: dict[tuple[Value, ...], Value | Busy] = {}
        self.is_worth_keeping = True
        """Whether computing a result takes more than looking it up."""
        self.is_kept = True
        """Whether results may be kept: not where an input is not known."""


def _not_yet(_: Frame) -> Value:
    raise AssertionError("a definition was called before it was compiled")


def called(code: Code, arguments: tuple[Value, ...], *, meter: Meter, span: Span) -> Value:
    """The value of a definition at *arguments*."""
    meter.left -= 1
    if meter.left < 0:
        raise meter.exhausted().at(span)
    if not code.is_kept or not _is_flat(arguments):
        remember = meter.remember
        if code.is_kept or remember is None or not _is_flat(arguments):
            return computed(code, arguments, meter=meter)
        return remember(
            code.name,
            arguments,
            code.dependence.on_state,
            lambda: computed(code, arguments, meter=meter),
        )
    kept = code.kept
    found = kept.get(arguments, _NONE)
    if not isinstance(found, Busy):
        return found
    if found is _BUSY:
        raise Undefined(f"{written(code.name, arguments)} is defined by itself").at(span)
    if len(kept) >= _KEPT:
        kept.clear()
    kept[arguments] = _BUSY
    try:
        made = code.body([*arguments, *code.rest])
    except Undefined as fault:
        kept.pop(arguments, None)
        raise _from(code, arguments, fault) from None
    except RecursionError:
        kept.pop(arguments, None)
        meter.deepest = meter.deepest or (code.name, arguments)
        raise
    kept[arguments] = made
    return made


def computed(code: Code, arguments: tuple[Value, ...], *, meter: Meter) -> Value:
    """The value of a definition at *arguments*, which is not kept."""
    try:
        return code.body([*arguments, *code.rest])
    except Undefined as fault:
        raise _from(code, arguments, fault) from None
    except RecursionError:
        meter.deepest = meter.deepest or (code.name, arguments)
        raise


def _is_flat(values: tuple[Value, ...]) -> bool:
    for value in values:
        if type(value) not in _FLAT and not (type(value) is tuple and _is_flat(value)):
            return False
    return True


def _from(code: Code, arguments: tuple[Value, ...], fault: Undefined) -> Undefined:
    if len(fault.trail) < _TRAIL:
        fault.trail.append((code.name, arguments))
    return fault


def written(name: str, arguments: tuple[Value, ...]) -> str:
    """A call as a program writes it."""
    return f"`{name}({', '.join(map(plain, arguments))})`" if arguments else f"`{name}`"


MISSING: Final = UNSET
"""What a frame holds for a name that has no value yet."""
