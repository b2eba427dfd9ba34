"""Variables that live for one turn only.

A *flag* is a Boolean that guides later rules of the same turn; whether it is one
is a reading, settled by playing. *Scratch* is written in every move before
anything reads it, so no turn can see what an earlier one left in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import assert_never

from zermelo.core.signature import FRESH, KEPT
from zermelo.core.values import TruthType
from zermelo.languages.sections import ir
from zermelo.languages.sections.footprint import Effect, Footprints, effects
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.players.turns import allows
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.walk import parts, rules_of
from zermelo.text.source import Span


def with_flags(system: ir.System, *, given: Mapping[str, Choice]) -> ir.System:
    """*system*, all of whose variables are stored or defined, with its flags set apart.

    Adds the reading ``flag NAME`` for every candidate and for what *given* says, gives
    the variable its role by what was chosen, and makes scratch a flag without asking.
    """
    asked_for = [
        v.name
        for v in system.variables
        if v.role is not ir.VariableRole.DEFINED and readings.flag(v.name) in given
    ]
    alone = frozenset(scratch(system)) - frozenset(asked_for)
    asked = {
        name: readings.decide(
            readings.flag(name),
            (FRESH, KEPT),
            given=given,
            default=KEPT,
            span=_span(system, name),
        )
        for name in dict.fromkeys((*candidates(system), *asked_for))
        if name not in alone
    }
    fresh = {name for name, reading in asked.items() if reading.choice == FRESH}
    variables = tuple(
        replace(v, role=ir.VariableRole.FLAG) if v.name in alone | fresh else v
        for v in system.variables
    )
    return replace(system, variables=variables, readings=(*system.readings, *asked.values()))


def candidates(system: ir.System) -> tuple[str, ...]:
    """The variables that may be flags: Booleans that a move assigns and some guard reads.

    A variable under both of whose values other things change says whose turn it is, or
    which phase has come: no flag, whatever it looks like in rules read in a wrong order.
    """
    footprints = Footprints(system)
    changes = [effect for move in system.moves for effect in effects(system, move)]
    changed = {effect.assign.variable for effect in changes}
    tested = footprints.reads(
        rule.guard for procedure in system.procedures for rule in rules_of(procedure.body)
    )
    ends = frozenset() if system.over is None else _names(system.over)
    names = tuple(
        v.name
        for v in system.variables
        if v.role is not ir.VariableRole.DEFINED
        and isinstance(v.type, TruthType)
        and v.name in changed & tested
        and v.name not in ends
        and v.name != system.result
        and v.initial is not None
    )
    others = [effect for effect in changes if effect.assign.variable not in names]
    return tuple(name for name in names if not _steers_both_ways(name, others))


def _steers_both_ways(name: str, changes: Iterable[Effect]) -> bool:
    """Whether some of *changes* need the variable to hold, and some need it not to."""
    ref = ir.Ref(name)
    needed = {
        value
        for effect in changes
        for value in (True, False)
        if not all(allows(guard, ref, not value) for guard in effect.guards)
    }
    return len(needed) == 2


def scratch(system: ir.System) -> tuple[str, ...]:
    """The variables that every move writes, unguarded, before anything reads them."""
    if not system.moves:
        return ()
    plain = [{s.variable for s in m.body if isinstance(s, ir.Assign)} for m in system.moves]
    footprints = Footprints(system)
    names = set.intersection(*plain) - _read_outside_turns(system, footprints)
    return tuple(
        v.name
        for v in system.variables
        if v.role is not ir.VariableRole.DEFINED
        and v.name in names
        and all(_Trace(system, footprints, v.name).is_written_first(m) for m in system.moves)
    )


def _read_outside_turns(system: ir.System, footprints: Footprints) -> frozenset[str]:
    exprs = [v.definition for v in system.variables if v.definition is not None]
    exprs += [invariant.formula for invariant in system.invariants]
    exprs += [player.turn for player in system.players]
    exprs += [layer.cells for layer in system.view.layers]
    if system.over is not None:
        exprs.append(system.over)
    if system.view.cell is not None:
        exprs.append(system.view.cell.text)
    result = frozenset() if system.result is None else frozenset({system.result})
    return footprints.reads(exprs) | result


class _Trace:
    """One variable followed through a turn: is it written before it is read?"""

    def __init__(self, system: ir.System, footprints: Footprints, name: str) -> None:
        self._system = system
        self._footprints = footprints
        self._name = name
        self._entered: set[str] = set()

    def is_written_first(self, move: ir.Procedure) -> bool:
        """Whether *move* writes it, and neither the move nor the end reads it before that."""
        written = self._procedure(move, written=False)
        if not written:
            return False
        end = self._system.end
        return end is None or self._procedure(end, written=True) is not None

    def _procedure(self, procedure: ir.Procedure, *, written: bool) -> bool | None:
        """Whether it is written when *procedure* is left; ``None`` if it was read too early."""
        # at once, what is read is the state before the call, so no write comes first
        is_at_once = procedure.order is ir.Order.AT_ONCE and not written
        if is_at_once and self._reads(_expressions(procedure.body)):
            return None
        return self._body(procedure.body, written=written)

    def _body(self, body: Iterable[ir.Statement], *, written: bool) -> bool | None:
        for statement in body:
            after = self._statement(statement, written=written)
            if after is None:
                return None
            written = after
        return written

    def _statement(self, statement: ir.Statement, *, written: bool) -> bool | None:
        match statement:
            case ir.Assign(variable=name, value=value):
                if not written and self._reads((value,)):
                    return None
                return written or name == self._name
            case ir.Let(value=value):
                return None if not written and self._reads((value,)) else written
            case ir.Declare(domain=domain):
                return None if not written and self._reads((domain,)) else written
            case ir.Call(procedure=name, arguments=arguments):
                if not written and self._reads(arguments):
                    return None
                return self._call(name, written=written)
            case ir.Rule(guard=guard, conclusion=conclusion):
                if not written and self._reads((guard,)):
                    return None
                # a guarded write may not happen, so it does not count afterwards
                return None if self._body(conclusion, written=written) is None else written
            case _:
                assert_never(statement)

    def _call(self, name: str, *, written: bool) -> bool | None:
        helper = self._system.procedure(name)
        if written or helper is None or name in self._entered:
            return written
        self._entered.add(name)
        after = self._procedure(helper, written=False)
        self._entered.discard(name)
        # a call may be skipped, so its writes do not count afterwards
        return None if after is None else written

    def _reads(self, exprs: Iterable[ir.Expr]) -> bool:
        return self._name in self._footprints.reads(exprs)


def _names(expr: ir.Expr) -> frozenset[str]:
    return frozenset(node.name for node in parts(expr) if isinstance(node, ir.Ref))


def _span(system: ir.System, name: str) -> Span | None:
    variable = system.variable(name)
    return None if variable is None else variable.span


def _expressions(body: Iterable[ir.Statement]) -> Iterator[ir.Expr]:
    """The outermost expressions of *body*: guards, values, arguments, domains."""
    for statement in body:
        match statement:
            case ir.Assign(value=value) | ir.Let(value=value):
                yield value
            case ir.Declare(domain=domain):
                yield domain
            case ir.Call(arguments=arguments):
                yield from arguments
            case ir.Rule(guard=guard, conclusion=conclusion):
                yield guard
                yield from _expressions(conclusion)
            case _:
                assert_never(statement)
