"""How running stops in the middle of an expression.

These two exceptions stay inside ``core``: the interpreter turns the first into a
``Fault`` and the second into a rule or call that is skipped.
"""

from __future__ import annotations

from zermelo.core.machine import Fault, FaultKind
from zermelo.languages.sections.ir import Expr


class FaultError(Exception):
    """An expression has no value, or an assignment cannot be made."""

    def __init__(self, kind: FaultKind, message: str, expr: Expr | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.expr = expr
        self.procedure: str | None = None
        self.rule: str | None = None

    def found_in(self, procedure: str, rule: str | None) -> None:
        """Note where it happened, unless that is known."""
        if self.procedure is None:
            self.procedure, self.rule = procedure, rule

    def fault(self) -> Fault:
        """The same as a value."""
        return Fault(self.kind, self.message, self.procedure or "", self.rule, self.expr)


class ExhaustedError(FaultError):
    """All the work that a turn may take has been done: nothing is tried again."""


class SkipError(Exception):
    """A local outside its declaration was used: what uses it is skipped."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def undefined(message: str, expr: Expr | None = None) -> FaultError:
    """The fault of an expression that has no value."""
    return FaultError(FaultKind.UNDEFINED, message, expr)


def endless(message: str, expr: Expr | None = None) -> FaultError:
    """The fault of a set or a recursion beyond every bound."""
    return FaultError(FaultKind.ENDLESS, message, expr)
