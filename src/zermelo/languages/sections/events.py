"""What happens in a turn of a system, rule by rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from zermelo.core.commentary import Change
from zermelo.core.machine import Turn
from zermelo.core.signature import RuleName
from zermelo.core.values import Value
from zermelo.languages.sections.ir import Expr, Rule


@dataclass(frozen=True, slots=True)
class Conjunct:
    """A part of a guard and whether it holds; ``None`` when it was not reached."""

    expr: Expr
    holds: bool | None
    operands: tuple[tuple[Expr, Value], ...] = ()
    """Names and terms in it with their values, as evidence."""


@dataclass(frozen=True, slots=True)
class RuleEvent:
    """A rule was tried."""

    procedure: str
    rule: Rule
    fired: bool
    conjuncts: tuple[Conjunct, ...]
    changes: tuple[Change, ...] = ()
    depth: int = 0
    skipped: str | None = None
    """Why the rule was skipped, when a value it uses is outside its declaration."""


@dataclass(frozen=True, slots=True)
class CallEvent:
    """A procedure was called."""

    procedure: str
    arguments: tuple[tuple[str, Value], ...]
    depth: int = 0
    skipped: str | None = None
    """Why the call was skipped, when an argument is outside its set."""


@dataclass(frozen=True, slots=True)
class SetEvent:
    """A statement outside all rules gave a variable or locals a value."""

    procedure: str
    changes: tuple[Change, ...] = ()
    locals: tuple[tuple[str, Value], ...] = ()
    depth: int = 0


Event: TypeAlias = RuleEvent | CallEvent | SetEvent


@dataclass(frozen=True, slots=True)
class LoggedTurn(Turn):
    """A turn with every rule that was tried in it."""

    events: tuple[Event, ...] = ()

    @property
    def fired(self) -> tuple[RuleName, ...]:
        fired = [e for e in self.events if isinstance(e, RuleEvent) and e.fired]
        return tuple(dict.fromkeys((event.procedure, event.rule.label) for event in fired))
