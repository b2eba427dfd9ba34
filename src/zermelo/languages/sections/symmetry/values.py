"""Values that depend on the state, written out over its claims.

A value that does not depend on the state is a plain ``Value``. A set that does
is a list of its possible members, each with the formula under which it is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.core.values import Value
from zermelo.languages.sections.ir import NumberSetKind
from zermelo.languages.sections.symmetry.beyond import BeyondError
from zermelo.languages.sections.symmetry.formulas import Node


@dataclass(frozen=True, slots=True)
class Truth:
    """A truth value."""

    node: Node


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """One of some values, each with the formula under which it is that one."""

    nodes: Mapping[Value, Node]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that is not taken apart into its values."""

    node: Node


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """A set: its possible members, each with the formula under which it is one."""

    nodes: Mapping[Value, Node]


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """A set whose members depend on the state; equal ones are one member."""

    items: tuple[tuple[Node, Symbolic], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Powers:
    """All subsets of a set."""

    base: Symbolic


@dataclass(frozen=True, slots=True, eq=False)
class Products:
    """All tuples with components in these sets."""

    factors: tuple[Symbolic, ...]


@dataclass(frozen=True, slots=True)
class Infinite:
    """An infinite set of numbers."""

    kind: NumberSetKind


@dataclass(frozen=True, slots=True, eq=False)
class Mixed:
    """A tuple with components that depend on the state."""

    items: tuple[Symbolic, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Maybe:
    """A value that may be unset."""

    present: Node
    value: Symbolic


Dependent: TypeAlias = (
    Truth | Cases | Quantity | Members | Family | Powers | Products | Infinite | Mixed | Maybe
)
Symbolic: TypeAlias = Value | Dependent

_DEPENDENT: Final = (
    Truth,
    Cases,
    Quantity,
    Members,
    Family,
    Powers,
    Products,
    Infinite,
    Mixed,
    Maybe,
)


def is_known(symbolic: Symbolic) -> bool:
    """Whether *symbolic* is the same in every state."""
    return not isinstance(symbolic, _DEPENDENT)


def known(symbolic: Symbolic) -> Value:
    """*symbolic*, which is the same in every state."""
    if isinstance(symbolic, _DEPENDENT):
        raise BeyondError("a value depends on the state where it may not")
    return symbolic
