"""Definitions that are called: the work that is left for them, and the results that are kept.

A result that depends on the state or the input is kept until that changes. Calls with sets
among their arguments are not kept: two equal sets may print differently, and so may what
is computed from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from math import isqrt
from typing import Final, TypeAlias

from zermelo.core.values import UNSET, Atom, TruthValue, Value
from zermelo.languages.led.ir import Op
from zermelo.languages.led.run.analysis import Dependence
from zermelo.languages.led.run.built_ins import Input
from zermelo.languages.led.run.operations import LARGEST_BASE, LARGEST_NUMBER, LARGEST_SET
from zermelo.languages.led.run.pretty import plain
from zermelo.languages.led.run.values import (
    FEW_PARTS,
    Arranged,
    Text,
    TracedCall,
    Undefined,
    extent,
)
from zermelo.text.budget import Stack, look
from zermelo.text.source import Span

Frame: TypeAlias = list[Value]
Closure: TypeAlias = Callable[[Frame], Value]
Test: TypeAlias = Callable[[Frame], bool]

STEPS: Final = 30_000_000


Remember: TypeAlias = Callable[[str, tuple[Value, ...], bool, Callable[[], Value]], Value]
"""Gives the value of a call, which it may have computed before.

It gets the call's name and arguments, whether it depends on the state, and what computes it.
"""

SMALL_NUMBER: Final = 1 << 512
"""Whole numbers below this count as one step of work."""
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
        "is_heavy",
        "is_known",
        "left",
        "remember",
        "stack",
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
        self.is_heavy = False
        """Whether there may be tuples that take long to find again."""
        self.remember: Remember | None = None
        """Keeps what depends only on an input that is not known."""
        self.deepest: TracedCall | None = None
        self.stack = Stack()

    @property
    def spent(self) -> int:
        """How many steps were taken since the last start."""
        return self.given - self.left - self._later

    def restart(self, most: int | None = None) -> None:
        """Begin anew, with all the work that is allowed, or *most* if that is less."""
        self.given = self.budget if most is None else min(self.budget, most)
        self.left, self._later = 0, self.given
        self.deepest = None
        self.stack.begin()
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
        """*value*, a number, when it is not too large."""
        bits = bits_of(value)
        if bits > LARGEST_NUMBER:
            reason = f"a number with more than {LARGEST_NUMBER:,} binary digits"
            raise Undefined(reason, is_limit=True)
        return value

    def made(self, value: tuple[Value, ...]) -> tuple[Value, ...]:
        """*value*, with tuples in it, when its parts are accounted for."""
        parts, _ = extent(value)
        self.spend(parts >> 2)
        if parts > FEW_PARTS:
            self.is_heavy = True
        return value

    def find(self, values: Iterable[Value]) -> None:
        """Account for finding *values* in a set, or putting them there."""
        if self.is_heavy:
            for value in values:
                if type(value) is tuple or type(value) is Arranged:
                    self.spend(extent(value)[0] >> 2)

    def compare(self, a: Value, b: Value) -> None:
        """Account for finding out whether two values are the same."""
        if type(a) is tuple and type(b) is tuple:
            self.spend(extent(a)[0] >> 2 if self.is_heavy else len(a) >> 3)
        elif isinstance(a, frozenset) and isinstance(b, frozenset) and len(a) == len(b):
            self.spend(extent(a)[0] if type(a) is Arranged else len(a))

    def apply(self, value: Value, *, is_power_set: bool) -> None:
        """Account for an operator with one operand, which is no whole number."""
        if type(value) is Fraction:
            first, second = value.numerator.bit_length(), value.denominator.bit_length()
            self.spend(_STEPS_OF_A_FRACTION + (first * second >> 18))
        elif is_power_set and isinstance(value, frozenset) and len(value) <= LARGEST_BASE:
            self.spend(len(value) + 6 << len(value))
            self.find(value)

    def operate(self, op: Op, a: Value, b: Value) -> None:
        """Account for *op* between two values that are no small whole numbers."""
        if isinstance(a, frozenset) and isinstance(b, frozenset):
            is_product = op is Op.TIMES
            size = 2 * len(a) * len(b) if is_product else len(a) + len(b)
            self.spend(min(size, 2 * LARGEST_SET))
            self.find(a)
            self.find(b)
        elif type(a) is tuple or type(b) is tuple:
            sizes = [len(each) for each in (a, b) if type(each) is tuple]
            self.spend(sum(sizes) >> 4)
        else:
            self.spend(_effort(op, a, b))


def bits_of(value: Value) -> int:
    """The binary digits of a number; 0 of anything else.

    >>> bits_of(5), bits_of(Fraction(1, 2))
    (3, 3)
    """
    # Much faster than `isinstance`, which asks an abstract class about every fraction.
    if type(value) is int:
        return value.bit_length()
    if type(value) is Fraction:
        return value.numerator.bit_length() + value.denominator.bit_length()
    return 0


def _effort(op: Op, a: Value, b: Value) -> int:
    """How many steps *op* takes between two numbers, or whatever else they are."""
    is_fraction = type(a) is Fraction or type(b) is Fraction or op is Op.DIVIDE
    first, second = bits_of(a), bits_of(b)
    if op is Op.POWER and isinstance(b, int):
        first = second = min(first * min(abs(b), LARGEST_NUMBER), LARGEST_NUMBER)
    steps = (_STEPS_OF_A_FRACTION if is_fraction else 1) + (first + second >> 11)
    if is_fraction:
        # Quotients are written with the smallest numbers, which take long to find.
        return steps + (first * second >> 16)
    if op is Op.MOD:
        return steps + (first * second >> 18)
    if op in (Op.PLUS, Op.MINUS):
        return steps
    return steps + (max(first, second) * isqrt(min(first, second)) >> 12)


_STEPS_OF_A_FRACTION: Final = 16


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

    __slots__ = (
        "body",
        "calls",
        "dependence",
        "is_kept",
        "is_worth_keeping",
        "kept",
        "name",
        "rest",
        "weight",
    )

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
        self.weight = 1
        """How many steps a call takes, apart from what it calls and what it goes through."""
        self.calls = 1
        """How many of Python's calls it takes, apart from what it calls."""


def called(
    code: CompiledDefinition, arguments: tuple[Value, ...], *, meter: Meter, span: Span
) -> Value:
    size = _flat_size(arguments)
    meter.left -= code.weight + ((size if size >= 0 else ~size) >> _PARTS_OF_A_STEP)
    if meter.left < 0:
        meter.ask_for_more(span)
    if not code.is_kept or size < 0:
        remember = meter.remember
        if code.is_kept or remember is None or size < 0:
            return computed(code, arguments, meter=meter)
        ask = partial(computed, code, arguments, meter=meter)
        return remember(code.name, arguments, code.dependence.on_state, ask)
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
        made = computed(code, arguments, meter=meter)
    except BaseException:
        kept.pop(arguments, None)
        raise
    kept[arguments] = made
    return made


def computed(code: CompiledDefinition, arguments: tuple[Value, ...], *, meter: Meter) -> Value:
    stack, calls = meter.stack, code.calls
    stack.used += calls
    try:
        if stack.used > stack.end:
            return stack.beyond(calls, partial(_begun, code, arguments))
        return code.body([*arguments, *code.rest])
    except Undefined as fault:
        raise _from(code, arguments, fault) from None
    except RecursionError:
        meter.deepest = meter.deepest or (code.name, arguments)
        raise
    finally:
        stack.used -= calls


def _begun(code: CompiledDefinition, arguments: tuple[Value, ...]) -> Value:
    return code.body([*arguments, *code.rest])


def _flat_size(values: tuple[Value, ...]) -> int:
    """How many parts *values* have, which may be kept; inverted where something in them may not."""
    size = len(values)
    for value in values:
        if type(value) in _FLAT:
            continue
        inner = _flat_size(value) if type(value) is tuple else -1
        if inner < 0:
            return ~size + (inner + 1)
        size += inner
    return size


_PARTS_OF_A_STEP: Final = 2
"""So many bits of a number of parts are no step of their own."""


def _from(code: CompiledDefinition, arguments: tuple[Value, ...], fault: Undefined) -> Undefined:
    if len(fault.trail) < _TRAIL:
        fault.trail.append((code.name, arguments))
    return fault


def written(name: str, arguments: tuple[Value, ...]) -> str:
    return f"`{name}({', '.join(map(plain, arguments))})`" if arguments else f"`{name}`"


MISSING: Final = UNSET
"""What a frame holds for a name that has no value yet."""
