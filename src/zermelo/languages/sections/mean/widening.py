"""Variables that the document itself takes beyond the set it declares for them.

A counter declared up to 9 and compared with 12 was meant to get there. What it can become is found
from the rules: its set is widened to that, or kept as written by the reading `values of NAME`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Final

from zermelo.core.signature import Reading
from zermelo.core.values import NumberType, Value, to_text
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Op, System
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.printer import to_text as expr_to_text
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.ranges import ANYTHING, OneOf, Range, ends, join, listed
from zermelo.languages.sections.walk import bodies, free_locals, parts, refs
from zermelo.text import codes
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Span

_MOST_DECLARED: Final = 4096
"""Sets with more numbers than this are wide enough."""


@dataclass(frozen=True, slots=True)
class Widened:
    """A system in which variables may become what its rules make of them, and what to say."""

    system: System
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class _Beyond:
    """A number outside the set of a variable, and what the document does with it."""

    number: int
    verb: str
    span: Span
    is_exact: bool
    """Whether it is the variable's own value; else it is a bound for it."""


def widened(system: System, *, given: Mapping[str, Choice]) -> Widened:
    """*system* with wider sets for the variables that it takes beyond theirs."""
    machine = Interpreter(system)
    found = Widened(system)
    named = _named(system)
    for variable in system.stored:
        numbers = _declared(variable, machine)
        if numbers is None:
            continue
        beyond = _beyond(variable.name, numbers, named.get(variable.name, ()), machine)
        if beyond is not None or readings.values_of(variable.name) in given:
            found = _with(variable, numbers, beyond, found, given)
    return found


def _declared(variable: ir.Variable, machine: Interpreter) -> frozenset[int] | None:
    """The whole numbers that a variable is declared to be one of, if it is."""
    if variable.domain is None or not isinstance(variable.type, NumberType):
        return None
    members = machine.evaluate(variable.domain, machine.initial, {})
    if not isinstance(members, frozenset) or not 0 < len(members) <= _MOST_DECLARED:
        return None
    numbers = frozenset(member for member in members if type(member) is int)
    return numbers if len(numbers) == len(members) else None


# What the document does with it


def _named(system: System) -> Mapping[str, Sequence[ir.Node]]:
    """The assignments and comparisons in which each name stands, in their order."""
    nodes = [*bodies(system)]
    nodes += [] if system.over is None else [system.over]
    found: dict[str, list[ir.Node]] = {}
    for part in (part for node in nodes for part in parts(node)):
        match part:
            case ir.Assign(variable=variable):
                found.setdefault(variable, []).append(part)
            case ir.Binary(op, left, right) if op in _STEPS:
                for name in refs(left) | refs(right):
                    found.setdefault(name, []).append(part)
            case _:
                pass
    return found


def _beyond(
    name: str, numbers: frozenset[int], named: Iterable[ir.Node], machine: Interpreter
) -> _Beyond | None:
    """The first place where a variable is compared with a number outside its set, or given one."""
    low, high = min(numbers), max(numbers)
    for part in named:
        for use in _uses(part, name, machine):
            if use.number not in numbers and (use.is_exact or not low <= use.number <= high):
                return use
    return None


def _uses(part: ir.Node, name: str, machine: Interpreter) -> Iterator[_Beyond]:
    match part:
        case ir.Assign(variable=variable, value=value) if variable == name:
            number = _constant(value, machine)
            if number is not None:
                yield _Beyond(number, "given the value", value.span, is_exact=True)
        case ir.Binary(op, left, right) if op in _STEPS:
            for term, limit, side in ((left, right, op), (right, left, _MIRRORED.get(op, op))):
                shift = _shift(term, name, machine)
                number = None if shift is None else _constant(limit, machine)
                if shift is not None and number is not None:
                    is_exact = isinstance(term, ir.Ref) and op in {Op.EQ, Op.NE}
                    at = number - shift + _STEPS[side]
                    yield _Beyond(at, "compared with", limit.span, is_exact)
        case _:
            return


_STEPS: Final[Mapping[Op, int]] = {
    Op.EQ: 0,
    Op.NE: 0,
    Op.LE: 0,
    Op.GE: 0,
    # The last number that it lets pass, or the first.
    Op.LT: -1,
    Op.GT: 1,
}
_MIRRORED: Final[Mapping[Op, Op]] = {
    Op.LT: Op.GT,
    Op.GT: Op.LT,
    Op.LE: Op.GE,
    Op.GE: Op.LE,
}


def _shift(term: ir.Expr, name: str, machine: Interpreter) -> int | None:
    """What *term* adds to the variable, as far as that is known; ``None`` if it is not in it."""
    match term:
        case ir.Ref(variable):
            return 0 if variable == name else None
        case ir.Binary(Op.PLUS | Op.MINUS as op, left, right):
            first, second = _shift(left, name, machine), _shift(right, name, machine)
            if first is not None:
                by = _constant(right, machine) or 0
                return first + by if op is Op.PLUS else first - by
            if second is not None and op is Op.PLUS:
                return second + (_constant(left, machine) or 0)
            return None
        case _:
            return None


def _constant(expr: ir.Expr, machine: Interpreter) -> int | None:
    """The whole number that *expr* is in every state."""
    variables = {variable.name for variable in machine.system.variables}
    if free_locals(expr) or refs(expr) & variables:
        return None
    value: object = machine.evaluate(expr, machine.initial, {})
    return value if type(value) is int else None


# What follows from it


def _with(
    variable: ir.Variable,
    numbers: frozenset[int],
    beyond: _Beyond | None,
    found: Widened,
    given: Mapping[str, Choice],
) -> Widened:
    system = found.system
    reached = _reached(variable, system)
    inside = listed(reached)
    name = readings.values_of(variable.name)
    if inside is not None and inside <= numbers and name not in given:
        return found
    known = next((reading for reading in system.readings if reading.name == name), None)
    reading = known or readings.decide(
        name,
        (readings.WIDENED, readings.STOP),
        given=given,
        reason=f"`{variable.name}` is {beyond.verb} {to_text(beyond.number)}, outside its set"
        if beyond is not None
        else "",
        span=variable.span,
    )
    if known is None:
        system = replace(system, readings=(*system.readings, reading))
    wider = _wider(variable, numbers, reached)
    if reading.choice == readings.WIDENED:
        changed = replace(variable, domain=wider)
        variables = tuple(changed if v is variable else v for v in system.variables)
        system = replace(system, variables=variables)
    said = () if beyond is None else (_told(variable, beyond, reading, wider),)
    return Widened(system, (*found.diagnostics, *said))


def _reached(variable: ir.Variable, system: System) -> Range:
    """What a variable can become if it may become any whole number."""
    integers = replace(variable, domain=ir.NumberSet(ir.NumberSetKind.INTEGER))
    variables = tuple(integers if v is variable else v for v in system.variables)
    machine = Interpreter(replace(system, variables=variables))
    return machine.reached.get(variable.name, ANYTHING)


def _wider(variable: ir.Variable, numbers: frozenset[int], reached: Range) -> ir.Expr:
    """A set with *numbers* and everything that was reached."""
    span = variable.domain.span if variable.domain is not None else variable.span
    bounds = ends(join(reached, OneOf(frozenset(numbers))))
    low, high = (None, None) if bounds is None else (bounds.low, bounds.high)
    if low is None or high is None:
        is_natural = low is not None and low >= 0
        kind = ir.NumberSetKind.NATURAL if is_natural else ir.NumberSetKind.INTEGER
        return ir.NumberSet(kind, span=span)
    return ir.SetOf((ir.Range(ir.Literal(ceil(low)), ir.Literal(floor(high))),), span=span)


def _told(variable: ir.Variable, beyond: _Beyond, reading: Reading, wider: ir.Expr) -> Diagnostic:
    name, domain = variable.name, variable.domain
    text = "" if domain is None else expr_to_text(domain)
    value: Value = beyond.number
    does = f"`{name}` is {beyond.verb} {to_text(value)}, which is not in {text}"
    if reading.choice == readings.WIDENED:
        then = f"its values are widened to {expr_to_text(wider)}"
        other = f"`{reading.name}: {readings.STOP}` makes it an error to leave {text}"
    else:
        then = f"a turn that leads outside {text} is an error"
        other = f"`{reading.name}: {readings.WIDENED}` lets it become what the rules make of it"
    return Diagnostic(
        codes.TAKEN_BEYOND,
        f"{does}; {then}",
        primary=Label(beyond.span, "outside its set"),
        secondary=(Label(variable.span, "declared here"),),
        notes=() if reading.is_chosen else (f"in Reading, {other}",),
        help=f"declare `{name} ∈ {expr_to_text(wider)}`",
        severity=Severity.NOTE if reading.is_chosen else None,
    )
