"""Definitions that are called: the work that is left for them, and the results that are kept.

A result that depends on the state or the input is kept until that changes. Calls with sets
among their arguments are not kept: two equal sets may print differently, and so may what
is computed from them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final, TypeAlias

from zermelo.core.values import UNSET, Atom, Value
from zermelo.languages.led.run.analysis import Dependence
from zermelo.languages.led.run.built_ins import Input
from zermelo.languages.led.run.operations import LARGEST_NUMBER
from zermelo.languages.led.run.pretty import plain
from zermelo.languages.led.run.values import Text, TracedCall, TruthValue, Undefined
from zermelo.text.budget import look
from zermelo.text.source import Span

Frame: TypeAlias = list[Value]
Closure: TypeAlias = Callable[[Frame], Value]
Test: TypeAlias = Callable[[Frame], bool]

STEPS: Final = 10_000_000


Remember: TypeAlias = Callable[[str, tuple[Value, ...], bool, Callable[[], Value]], Value]
"""Gives the value of a call, which it may have computed before.

It gets the call's name and arguments, whether it depends on the state, and what computes it.
"""

_SMALL_BITS: Final = 512
_STEPS_BETWEEN_LOOKS: Final = 4_000
"""After so many steps the clock is looked at."""


class Meter:
    """The frame in which a program is evaluated, and the work that is left for it."""

    __slots__ = (
        "_later",
        "budget",
        "deepest",
        "given",
        "input",
        "is_known",
        "left",
        "remember",
        "state",
    )

    def __init__(self, budget: int = STEPS) -> None:
        self.budget = budget
        self.given = budget
        """How many steps the question at hand may take."""
        self.left = 0
        """How many steps there are before somebody has to ask for more."""
        self._later = budget
        self.state: Value | None = None
        self.input: Input | None = None
        self.is_known = True
        """Whether the input consists of numbers that are known."""
        self.remember: Remember | None = None
        """Keeps what depends only on an input that is not known."""
        self.deepest: TracedCall | None = None

    @property
    def spent(self) -> int:
        """How many steps were taken since the last start."""
        return self.given - self.left - self._later

    def restart(self, most: int | None = None) -> None:
        """Begin anew, with all the work that is allowed, or *most* if that is less."""
        self.given = self.budget if most is None else min(self.budget, most)
        self.left, self._later = 0, self.given
        self.deepest = None
        self.ask_for_more()

    def stop(self) -> None:
        """Let whoever works here come to an end at the next step."""
        self.left, self._later = -1, -1

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            self.ask_for_more()

    def ask_for_more(self, span: Span | None = None) -> None:
        """See to it that there are steps left, and look at the clock; ``Undefined`` if none are."""
        look("running the program")
        more = min(max(_STEPS_BETWEEN_LOOKS, -self.left), self._later)
        self.left += more
        self._later -= more
        if self.left < 0 or self._later < 0:
            fault = Undefined(f"this took more than {self.budget:,} steps", is_limit=True)
            raise fault if span is None else fault.at(span)

    def weighed(self, value: Value) -> Value:
        """*value*, a large one, when its size is accounted for."""
        if isinstance(value, int):
            bits = value.bit_length()
            if bits < _SMALL_BITS:
                return value
        elif isinstance(value, Fraction):
            bits = value.numerator.bit_length() + value.denominator.bit_length()
        elif isinstance(value, tuple | frozenset):
            self.spend(len(value) >> 3)
            return value
        else:
            return value
        if bits > LARGEST_NUMBER:
            reason = f"a number with more than {LARGEST_NUMBER:,} binary digits"
            raise Undefined(reason, is_limit=True)
        self.spend(bits >> 6)
        return value


_KEPT: Final = 50_000
"""Results of one definition that are kept at the same time."""

_TRAIL: Final = 400
"""Calls that are remembered on the way out of an undefined value."""

_FLAT: Final = frozenset({int, Fraction, Atom, TruthValue, Text})


class Busy:
    """Stands for a result that is being computed."""


_BUSY: Final = Busy()


class CompiledDefinition:
    """A definition that can be called."""

    __slots__ = ("body", "dependence", "is_kept", "is_worth_keeping", "kept", "name", "rest")

    def __init__(self, name: str, dependence: Dependence) -> None:
        self.name = name
        self.dependence = dependence
        self.body: Closure
        self.rest: list[Value] = []
        """What a frame holds behind the arguments at first."""
        self.kept: dict[tuple[Value, ...], Value | Busy] = {}
        self.is_worth_keeping = True
        """Whether computing a result takes more than looking it up."""
        self.is_kept = True
        """Whether results may be kept: not where an input is not known."""


def called(
    code: CompiledDefinition, arguments: tuple[Value, ...], *, meter: Meter, span: Span
) -> Value:
    meter.left -= 1
    if meter.left < 0:
        meter.ask_for_more(span)
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
    found = kept.get(arguments)
    if isinstance(found, Busy):
        raise Undefined(f"{written(code.name, arguments)} is defined by itself").at(span)
    if found is not None:
        return found
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


def computed(code: CompiledDefinition, arguments: tuple[Value, ...], *, meter: Meter) -> Value:
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


def _from(code: CompiledDefinition, arguments: tuple[Value, ...], fault: Undefined) -> Undefined:
    if len(fault.trail) < _TRAIL:
        fault.trail.append((code.name, arguments))
    return fault


def written(name: str, arguments: tuple[Value, ...]) -> str:
    return f"`{name}({', '.join(map(plain, arguments))})`" if arguments else f"`{name}`"


MISSING: Final = UNSET
"""What a frame holds for a name that has no value yet."""
