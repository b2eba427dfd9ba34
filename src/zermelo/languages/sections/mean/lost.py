"""What depends on something without a value: it is left out with it, and listed.

A variable whose fact cannot be used has no value in any state. A fact, function or
invariant that reads it has none either, and a rule that reads it would be decided by
nothing. Everything else stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from zermelo.languages.sections import ir
from zermelo.languages.sections.walk import parts
from zermelo.text.diagnostic import Report
from zermelo.text.source import Span

_Causes: TypeAlias = tuple[Span, ...]
"""The places of the faults for which something has no value."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The names that have no value, and why; what reads them can be left out."""

    variables: Mapping[str, _Causes]
    functions: Mapping[str, _Causes]
    report: Report
    procedures: dict[str, _Causes] = field(default_factory=dict)
    """Those that nobody can call."""

    def causes(self, node: ir.Node, own: Mapping[str, _Causes] | None = None) -> _Causes:
        """Why *node* has no value; nothing if it has one. *own* are locals without a value."""
        found: dict[Span, None] = {}
        for part in parts(node):
            match part:
                case ir.Ref(name):
                    found.update(dict.fromkeys(self.variables.get(name, ())))
                case ir.Apply(name):
                    found.update(dict.fromkeys(self.functions.get(name, ())))
                case ir.Call(procedure=name):
                    found.update(dict.fromkeys(self.procedures.get(name, ())))
                case ir.Local(name):
                    found.update(dict.fromkeys((own or {}).get(name, ())))
                case _:
                    pass
        return tuple(found)

    def invariants(self, invariants: Iterable[ir.Invariant]) -> tuple[ir.Invariant, ...]:
        """The *invariants* that have a value."""
        kept = []
        for invariant in invariants:
            causes = self.causes(invariant.formula)
            if causes:
                self.report.list_left_out(f"the fact `{invariant.text}`", causes)
            else:
                kept.append(invariant)
        return tuple(kept)

    def usable(self, procedures: Iterable[ir.Procedure]) -> tuple[ir.Procedure, ...]:
        """The *procedures* that can be called, without what has no value in them."""
        kept = []
        for procedure in procedures:
            causes = tuple(c for p in procedure.parameters for c in self.causes(p.domain))
            if causes:
                self.procedures[procedure.name] = causes
                self.report.list_left_out(f"the procedure {procedure.name}", causes)
            else:
                kept.append(procedure)
        bodies = (tuple(_Body(self, p.name, {}).usable(p.body)) for p in kept)
        return tuple(replace(p, body=body) for p, body in zip(kept, bodies, strict=True))


@dataclass(frozen=True, slots=True)
class _Body:
    """The body of one procedure, gone through from top to bottom."""

    lost: Lost
    procedure: str
    own: dict[str, _Causes]
    """The locals that have no value."""

    def usable(self, body: Iterable[ir.Statement]) -> Iterator[ir.Statement]:
        for statement in body:
            causes = self._causes(statement)
            if not causes:
                yield self._inside(statement)
                continue
            if isinstance(statement, ir.Let):
                self.own.update(dict.fromkeys(statement.names, causes))
            self.lost.report.list_left_out(f"{_words(statement)} of {self.procedure}", causes)

    def _causes(self, statement: ir.Statement) -> _Causes:
        if not isinstance(statement, ir.Rule):
            return self.lost.causes(statement, self.own)
        found = self.lost.causes(statement.guard, self.own)
        for each in statement.conclusion:
            if not isinstance(each, ir.Rule):
                # A rule does all of its work or none.
                found += self.lost.causes(each, self.own)
        return found

    def _inside(self, statement: ir.Statement) -> ir.Statement:
        if not isinstance(statement, ir.Rule):
            return statement
        return replace(statement, conclusion=tuple(self.usable(statement.conclusion)))


def _words(statement: ir.Statement) -> str:
    match statement:
        case ir.Rule(label=label):
            return f"rule {label}"
        case ir.Let(names=names):
            return f"the value of {', '.join(names)}"
        case ir.Assign(variable=name):
            return f"the value of {name}"
        case ir.Call(procedure=name):
            return f"the call of {name}"
        case ir.Declare(names=names):
            return f"the set of {', '.join(names)}"


def lost(
    broken: Mapping[str, _Causes],
    *,
    definitions: Mapping[str, ir.Expr],
    functions: Iterable[ir.Function],
    report: Report,
) -> Lost:
    """What has no value because the variables in *broken* have none; the rest of it is listed."""
    variables, without_value = dict(broken), dict[str, _Causes]()
    found = Lost(variables, without_value, report)
    waiting: list[tuple[str, bool, ir.Node]] = [
        *((name, False, expr) for name, expr in definitions.items() if name not in broken),
        *((function.name, True, function) for function in functions),
    ]
    is_more = bool(broken)
    while is_more:
        is_more = False
        kept = []
        for name, is_function, node in waiting:
            causes = found.causes(node)
            if not causes:
                kept.append((name, is_function, node))
                continue
            is_more = True
            report.list_left_out(f"{'the function' if is_function else 'fact'} {name}", causes)
            (without_value if is_function else variables)[name] = causes
        waiting = kept
    return found
