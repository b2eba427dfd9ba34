"""How the values of a variable are packed, or why they cannot be.

The set that a variable is declared with says which values it can have. Where that cannot be
listed, what the rules can make of the variable may still be little: then that is packed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, assert_never

from zermelo.core.layout import Choice, Count, Layout, Mask, Shape, Unpackable, placed
from zermelo.core.machine import Fault
from zermelo.core.state import State
from zermelo.core.values import (
    FALSE,
    TRUE,
    TRUTH,
    UNSET,
    Value,
    in_order,
    sort_key,
)
from zermelo.languages.sections.ir import Expr, PowerSet, Ref, System, Variable
from zermelo.languages.sections.run.ranges import (
    ANYTHING,
    Between,
    Range,
    ends,
    join,
    listed,
    meet,
    members_of,
    only,
)
from zermelo.languages.sections.walk import Footprints

MOST_MEMBERS: Final = 4096
"""Sets with more members than this are not packed."""
MOST_VALUES: Final = 1 << 16
"""A variable with a list of more values than this is not packed."""
ROOM: Final = (1 << 31) - 1
"""How large a number may become that nothing bounds."""


@dataclass(frozen=True, slots=True)
class Constants:
    """A system, and what gives an expression its value in the first state."""

    system: System
    evaluate: Callable[[Expr], Value | Fault]
    declared: Callable[[Expr], Range]
    """What the members of a set can be."""
    reached: Callable[[], Mapping[str, Range]]
    """What each stored variable can be in all states that are reached; not there, anything."""


def layout_of(within: Constants, initial: State) -> Layout | Unpackable:
    shapes: dict[str, Shape] = {}
    absent: set[str] = set()
    for variable in within.system.stored:
        first = initial[variable.name]
        shape = shape_of(variable, first, within)
        if isinstance(shape, Unpackable):
            return shape
        shapes[variable.name] = shape
        if first is UNSET and not isinstance(shape, Choice):
            absent.add(variable.name)
    return placed(shapes, absent=absent)


def shape_of(variable: Variable, first: Value, within: Constants) -> Shape | Unpackable:
    shape = _shape(variable, first, within)
    if isinstance(shape, Unpackable) or first is UNSET or _holds(shape, first):
        return shape
    return Unpackable(f"the first value of `{variable.name}` is not of the kind of the others")


def _holds(shape: Shape, value: Value) -> bool:
    match shape:
        case Mask():
            return isinstance(value, frozenset)
        case Count(low, high):
            return type(value) is int and low <= value <= high
        case Choice():
            return True
        case _:
            assert_never(shape)


def _shape(variable: Variable, first: Value, within: Constants) -> Shape | Unpackable:
    domain = _meant(variable.domain, within.system)
    unset = (UNSET,) if first is UNSET else ()
    if domain is None:
        if variable.type == TRUTH:
            return Choice((*unset, FALSE, TRUE))
        return Unpackable(f"the set of the values of `{variable.name}` is not known")
    if Footprints(within.system).of(domain).reads:
        return Unpackable(f"the set of the values of `{variable.name}` changes with the state")
    members = within.evaluate(domain.base if isinstance(domain, PowerSet) else domain)
    if not isinstance(members, frozenset):
        return _reached_shape(variable, first, within, unset)
    if isinstance(domain, PowerSet):
        members |= first if isinstance(first, frozenset) else frozenset()
        return _mask(variable, members)
    return _chosen(variable, members if first is UNSET else members | {first}, unset)


def _reached_shape(
    variable: Variable, first: Value, within: Constants, unset: tuple[Value, ...]
) -> Shape | Unpackable:
    """The shape of a variable whose set cannot be listed, by what can become of it."""
    if isinstance(first, Fraction):
        return Unpackable(f"the first value of `{variable.name}` is not of the kind of the others")
    found = within.reached().get(variable.name, ANYTHING)
    if variable.domain is not None:
        inside = within.declared(variable.domain)
        found = meet(found, inside if first is UNSET else join(inside, only(first)))
    if isinstance(_meant(variable.domain, within.system), PowerSet):
        members = listed(members_of(found), MOST_MEMBERS + 1)
        if members is None:
            return Unpackable(f"the values of `{variable.name}` cannot be listed")
        return _mask(variable, members)
    numbers = ends(found)
    if numbers is not None and numbers.is_whole:
        return _counted(numbers)
    values = listed(found)
    if values is None:
        return Unpackable(f"the values of `{variable.name}` cannot be listed")
    return _chosen(variable, values - {UNSET}, unset)


def _counted(numbers: Between) -> Count:
    low = -ROOM if numbers.low is None else int(numbers.low)
    if numbers.high is None or numbers.low is None or max(-low, numbers.high) > ROOM:
        return Count(low, ROOM, is_declared=False)
    return Count(low, int(numbers.high))


def _mask(variable: Variable, members: frozenset[Value]) -> Shape | Unpackable:
    if len(members) > MOST_MEMBERS:
        return Unpackable(f"`{variable.name}` is a subset of {len(members):,} members")
    return Mask(tuple(in_order(members)))


def _meant(domain: Expr | None, system: System) -> Expr | None:
    """The set that *domain* stands for, if it is the name of one."""
    named = {definition.name: definition.value for definition in system.sets}
    while isinstance(domain, Ref) and domain.name in named:
        domain = named.pop(domain.name)
    return domain


def _chosen(
    variable: Variable, members: frozenset[Value], unset: tuple[Value, ...]
) -> Shape | Unpackable:
    if members and all(type(member) is int for member in members):
        numbers = [member for member in members if isinstance(member, int)]
        return Count(min(numbers), max(numbers))
    if len(members) > MOST_VALUES:
        return Unpackable(f"`{variable.name}` has {len(members):,} values")
    return Choice((*unset, *sorted(members, key=sort_key)))
