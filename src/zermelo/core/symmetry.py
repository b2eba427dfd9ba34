"""What is proved of a model, as data: its symmetries, and what holds in all reachable states.

A group may be a product of others; it may permute some points at will; it may
permute copies of something, each copy with symmetries of its own (a wreath
product); or it has few members, which are listed.

A claim is worth 1 where it holds and 0 where it does not. A linear invariant bounds a sum of
claims, each with a weight: that two sets are disjoint, that a set never grows, that one cell is
filled only above another, that the turn follows from how many pieces there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from math import factorial, prod
from typing import TypeAlias, assert_never

from zermelo.core.values import Value

Images: TypeAlias = tuple[int, ...]
"""Where each point goes."""


@dataclass(frozen=True, slots=True)
class Bit:
    """What a claim says: *value* is in *variable*, or is its value."""

    variable: str
    value: Value
    is_member: bool


@dataclass(frozen=True, slots=True)
class Symmetric:
    """Points that may be permuted at will; each is some claims, in the same order."""

    points: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class ListedMembers:
    """Some claims with the permutations of them: where each claim, as listed, goes."""

    claims: tuple[int, ...]
    members: tuple[Images, ...]


@dataclass(frozen=True, slots=True)
class Copies:
    """Copies of something, permuted at will or as listed, each with symmetries of its own."""

    copies: tuple[tuple[int, ...], ...]
    """The claims of each copy, in the same order."""
    inside: Structure | None
    """The symmetries of a copy; its claims are places in a copy."""
    tops: tuple[Images, ...] | None
    """The permutations of the copies; ``None`` when all are."""


@dataclass(frozen=True, slots=True)
class Direct:
    """Several that have nothing to do with each other."""

    parts: tuple[Structure, ...]


Structure: TypeAlias = Symmetric | ListedMembers | Copies | Direct


def order(structure: Structure | None) -> int:
    match structure:
        case None:
            return 1
        case Symmetric(points):
            return factorial(len(points))
        case ListedMembers(_, members):
            return len(members)
        case Copies(copies, inside, tops):
            above = factorial(len(copies)) if tops is None else len(tops)
            return prod(order(inside) for _ in copies) * above
        case Direct(parts):
            return prod(map(order, parts))
        case _:
            assert_never(structure)


class Preserved(Enum):
    """What a symmetry leaves as it is."""

    TURN = "turn"
    """What a whole turn does."""
    TEXT = "text"
    """The rules as they are written, too."""


@dataclass(frozen=True, slots=True)
class Symmetries:
    """The symmetries of a system, proved."""

    bits: tuple[Bit, ...]
    """What the claims say that they permute."""
    generators: tuple[Mapping[int, int], ...]
    """Permutations of claims, by their places in *bits*, from which all are made."""
    structure: Structure | None
    """How the group is built up, as far as it can be used."""
    order: int
    words: tuple[str, ...]
    """What they do."""
    why_not: str | None = None
    """Why nothing could be found out, if so."""

    @property
    def used(self) -> int:
        """How many of them can be used."""
        return order(self.structure)

    @property
    def sentence(self) -> str:
        """What they do and how many they are."""
        if self.why_not is not None:
            return f"no symmetry could be looked for: {self.why_not}"
        if self.used == 1:
            return "there is no symmetry"
        said = f"{', '.join(self.words)}: {self.used:,}"
        return said if self.used == self.order else f"{said} of {self.order:,} are used"


def no_symmetries(reason: str) -> Symmetries:
    """That none could be looked for, with the *reason*."""
    return Symmetries((), (), None, 1, (), reason)


# Invariants


@dataclass(frozen=True, slots=True)
class LinearInvariant:
    """In every reachable state the weights of the claims that hold add up to *low* … *high*."""

    weights: tuple[tuple[Bit, int], ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class EndingCode:
    """Code for ``ended(tab, row, out, fires)``: what the end of a turn makes of a state."""

    source: str
    numbers: tuple[int, ...]
    """What the code finds from *tab* on."""
    variables: frozenset[str]
    """What it sets: they have their first values until play is over, and then these."""


@dataclass(frozen=True, slots=True)
class Invariants:
    """What is proved of a model."""

    impossible: frozenset[Bit] = frozenset()
    """Claims that hold in no reachable state."""
    local: tuple[LinearInvariant, ...] = ()
    """Invariants over a few claims each."""
    totals: tuple[LinearInvariant, ...] = ()
    """Invariants over whole variables."""
    potential: Mapping[Bit, int] | None = None
    """Weights whose sum becomes larger with every move, if some were found."""
    ending: EndingCode | None = None
    fixed: Mapping[str, Value] = field(default_factory=dict)
    """Variables that no move changes, with their values; those too that only *ending* sets."""
    why_not: str | None = None
    """Why nothing could be found out, if so."""
