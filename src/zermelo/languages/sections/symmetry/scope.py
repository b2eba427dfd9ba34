"""What an expression sees while it is written out: variables, facts and locals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from zermelo.languages.sections.symmetry.beyond import BeyondError
from zermelo.languages.sections.symmetry.values import Symbolic

DEEPEST: Final = 60
"""How deep functions and facts may nest."""


@dataclass(frozen=True, slots=True)
class Absent:
    """Stands for a local that is outside its declaration, or has no value on some way."""

    is_outside: bool


@dataclass(slots=True)
class Facts:
    """Defined variables, computed from these values when they are asked for."""

    values: Mapping[str, Symbolic]
    found: dict[str, Symbolic] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression sees."""

    values: Mapping[str, Symbolic]
    facts: Facts
    names: Mapping[str, Symbolic | Absent]
    depth: int = 0

    def inside(self, names: Mapping[str, Symbolic | Absent]) -> Scope:
        """What the body of a function sees."""
        if self.depth > DEEPEST:
            raise BeyondError(f"functions or facts nest deeper than {DEEPEST}")
        return Scope(self.values, self.facts, names, self.depth + 1)

    def with_names(self, names: Mapping[str, Symbolic]) -> Scope:
        """The same with more names bound."""
        return Scope(self.values, self.facts, {**self.names, **names}, self.depth)
