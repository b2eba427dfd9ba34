"""What code can see where it stands: variables in registers, facts, and locals."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from zermelo.core.layout import Choice, Count, Mask, Shape
from zermelo.core.values import UNSET, Value
from zermelo.languages.sections.compile.reps import Bits, Known, Member, Num, Rep, Truth
from zermelo.packing.code import SKIP


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
    """Its value, where that is known now."""

    def unset(self) -> str:
        """A condition that holds where the variable is unset."""
        if self.known is not None:
            return "True" if self.known is UNSET else "False"
        if isinstance(self.shape, Choice) and self.shape.values[:1] == (UNSET,):
            return f"({self.codes[0]} == 0)"
        return "False" if self.presence is None else f"({self.presence} == 0)"

    def rep(self) -> Rep:
        """Its value, where it is set."""
        if self.known is not None:
            return Known(self.known)
        match self.shape:
            case Mask(members):
                return Bits(self.codes, members)
            case Count():
                return Num(self.codes[0], self.low, self.high)
            case Choice(values) if values == (False, True):
                return Truth(f"({self.codes[0]} != 0)")
            case Choice(values) if values == (UNSET, False, True):
                return Truth(f"({self.codes[0]} == 2)")
            case Choice(values):
                return Member(self.codes[0], values)


@dataclass(frozen=True, slots=True)
class Bound:
    """A local: its value, and where it is there.

    *presence* is a condition that holds where it is inside its declaration;
    ``None`` means everywhere.
    """

    rep: Rep
    presence: str | None = None
    missing: int = SKIP
    """The error of using it where it is not there."""


Slots = dict[str, Slot]


@dataclass(slots=True)
class Scope:
    """The names that an expression can use.

    *facts* are the variables from which facts are computed: *slots* themselves,
    or a copy where facts are frozen.
    """

    slots: Slots
    facts: Slots
    names: dict[str, Bound] = field(default_factory=dict)
    depth: int = 0

    def nested(self, names: dict[str, Bound]) -> Scope:
        """The same with more locals."""
        return replace(self, names={**self.names, **names})

    def inside(self, names: dict[str, Bound]) -> Scope:
        """What the body of a value function or helper sees."""
        return replace(self, names=names, depth=self.depth + 1)

    def for_facts(self) -> Scope:
        """What the definition of a fact sees."""
        return Scope(self.facts, self.facts, {}, self.depth)
