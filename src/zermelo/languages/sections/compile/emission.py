"""What is generated for a system: code, and how to read what it writes.

These records are apart from what makes them, so that code which was made before can be used
without loading any of that.
"""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.core.layout import Layout
from zermelo.core.machine import Outcome
from zermelo.core.values import Value
from zermelo.languages.sections.ir import Expr


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter and all values that it may have, in canonical order."""

    name: str
    values: tuple[Value, ...]
    domain: Expr
    is_static: bool
    """Whether its set is the same in every state."""
    is_whole: bool = True
    """Whether *values* are all values it may have, and not only those that can have an effect."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A move and the codes of its calls: from *first* on, mixed radix over its axes."""

    name: str
    axes: tuple[Axis, ...]
    first: int

    @property
    def size(self) -> int:
        """How many calls there are."""
        size = 1
        for axis in self.axes:
            size *= len(axis.values)
        return size


@dataclass(frozen=True, slots=True)
class Emitted:
    """Generated code with what is needed to use it."""

    source: str
    tables: tuple[int, ...]
    layout: Layout
    entries: tuple[Entry, ...]
    costly: int | None
    """The code of the input without effect, where it costs the turn."""
    most_moves: int
    outcomes: tuple[Outcome, ...]
    rules: tuple[tuple[str, str], ...]
    guards: int | None
