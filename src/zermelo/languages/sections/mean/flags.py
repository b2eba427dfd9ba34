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
from zermelo.core.values import FALSE, TRUE, TruthType, truth
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.turns import allows
from zermelo.languages.sections.walk import (
    Effect,
    Footprints,
    effects,
    free_locals,
    groups_of,
    parts,
    rest_of,
    rules_of,
)


def with_flags(system: ir.System, *, given: Mapping[str, Choice]) -> ir.System:
    """*system*, all of whose variables are stored or defined, with its flags set apart.

    Adds the reading ``flag NAME`` for every candidate and for what *given* says, gives
    the variable its role by what was chosen, and makes scratch a flag without asking.
    """
    stored = {v.name: v for v in system.variables if v.role is not ir.VariableRole.DEFINED}
    asked_for = [name for name in stored if readings.flag(name) in given]
    flags = set(_scratch(system)) - set(asked_for)
    asked = [
        readings.decide(
            readings.flag(name), (FRESH, KEPT), given=given, default=KEPT, span=stored[name].span
        )
        for name in dict.fromkeys((*_candidates(system), *asked_for))
        if name not in flags
    ]
    fresh = {reading.name for reading in asked if reading.choice == FRESH}
    variables = tuple(
        replace(v, role=ir.VariableRole.FLAG)
        if v.name in flags or readings.flag(v.name) in fresh
        else v
        for v in system.variables
    )
    return replace(system, variables=variables, readings=(*system.readings, *asked))


def _candidates(system: ir.System) -> tuple[str, ...]:
    """The variables that may be flags: Booleans that a move assigns and some guard reads.

    A variable under both of whose values other things change says whose turn it is, or
    which phase has come: no flag, whatever it looks like in rules read in a wrong order.
    One that is all that a move changes is none either, or the move would do nothing.
    """
    changes = [effect for move in system.moves for effect in effects(system, move)]
    changed = {effect.assign.variable for effect in changes}
    tested = Footprints(system).reads(
        rule.guard for procedure in system.procedures for rule in rules_of(procedure.body)
    )
    over = () if system.over is None else parts(system.over)
    ends = {node.name for node in over if isinstance(node, ir.Ref)} | {system.result}
    names = tuple(
        v.name
        for v in system.variables
        if v.role is not ir.VariableRole.DEFINED
        and isinstance(v.type, TruthType)
        and v.name in changed & tested
        and v.name not in ends
        and v.initial is not None
    )
    others = [effect for effect in changes if effect.assign.variable not in names]
    footprints = Footprints(system)
    alone = [footprints.of_procedure(move.name).writes for move in system.moves]
    return tuple(
        name
        for name in names
        if not _steers_both_ways(name, others) and frozenset({name}) not in alone
    )


def _steers_both_ways(name: str, changes: Iterable[Effect]) -> bool:
    """Whether some of *changes* need the variable to hold, and some need it not to."""
    ref = ir.Ref(name)
    needed = {
        value
        for effect in changes
        for value in (TRUE, FALSE)
        if not all(allows(guard, ref, truth(not value)) for guard in effect.guards)
    }
    return len(needed) == 2


def _scratch(system: ir.System) -> tuple[str, ...]:
    """The variables that every move writes, unguarded, before anything reads them.

    One that nothing reads is kept, unless it repeats what was entered: it tells people something.
    """
    if not system.moves:
        return ()
    plain = [{s.variable for s in m.body if isinstance(s, ir.Assign)} for m in system.moves]
    footprints = Footprints(system)
    bodies = (_expressions(procedure.body) for procedure in system.procedures)
    used = footprints.reads(expr for body in bodies for expr in body).union(
        s.variable
        for m in system.moves
        for s in m.body
        if isinstance(s, ir.Assign) and free_locals(s.value)
    )
    names = set.intersection(*plain) & used
    between = _read_outside_turns(system, footprints)
    # A local that a fact uses has a value in calls only, and so has the fact.
    steering = _read_outside_turns(system, footprints, has_facts=False)
    return tuple(
        v.name
        for v in system.variables
        if v.role is not ir.VariableRole.DEFINED
        and v.name in names - (steering if v.domain is None else between)
        and all(_Trace(system, footprints, v.name).is_written_first(m) for m in system.moves)
    )


def _read_outside_turns(
    system: ir.System, footprints: Footprints, *, has_facts: bool = True
) -> frozenset[str]:
    cell = system.view.cell
    exprs = [system.over, None if cell is None else cell.text]
    exprs += [v.definition for v in system.variables if has_facts]
    exprs += [invariant.formula for invariant in system.invariants]
    exprs += [player.turn for player in system.players]
    exprs += [layer.cells for layer in system.view.layers]
    result = () if system.result is None else (system.result,)
    return footprints.reads(expr for expr in exprs if expr is not None).union(result)


def is_read_early(system: ir.System, footprints: Footprints, name: str) -> bool:
    """Whether a turn may see what an earlier one left in the variable *name*."""
    if name in _read_outside_turns(system, footprints):
        return True
    ends = () if system.end is None else (system.end,)
    return any(_Trace(system, footprints, name).is_early(p) for p in (*system.moves, *ends))


class _Trace:
    """One variable followed through a turn: is it written before it is read?"""

    def __init__(self, system: ir.System, footprints: Footprints, name: str) -> None:
        self._system = system
        self._footprints = footprints
        self._name = name
        self._entered: set[str] = set()

    def is_written_first(self, move: ir.Procedure) -> bool:
        """Whether *move* writes it, and neither the move nor the end reads it before that."""
        if not self._procedure(move, written=False):
            return False
        end = self._system.end
        return end is None or self._procedure(end, written=True) is not None

    def is_early(self, procedure: ir.Procedure) -> bool:
        """Whether *procedure* may read it before anything is written into it."""
        return self._procedure(procedure, written=False) is None

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
        if not written and self._reads(_outermost(statement)):
            return None
        match statement:
            case ir.Assign(variable=name):
                return written or name == self._name
            case ir.Call(procedure=name):
                return self._call(name, written=written)
            case ir.Rule():
                # a guarded write may not happen, so it does not count afterwards
                return None if self._conclusion(statement, written=written) is None else written
            case _:
                return written

    def _conclusion(self, rule: ir.Rule, *, written: bool) -> bool | None:
        for group in groups_of(rule):
            if not written and self._reads(step.value for step in group):
                return None
            written |= any(isinstance(s, ir.Assign) and s.variable == self._name for s in group)
        return self._body(rest_of(rule), written=written)

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


def _outermost(statement: ir.Statement) -> tuple[ir.Expr, ...]:
    """The outermost expressions of *statement*, without those of a rule's conclusion."""
    match statement:
        case (
            ir.Assign(value=expr)
            | ir.Let(value=expr)
            | ir.Declare(domain=expr)
            | ir.Rule(guard=expr)
        ):
            return (expr,)
        case ir.Call(arguments=arguments):
            return arguments
        case _:
            assert_never(statement)


def _expressions(body: Iterable[ir.Statement]) -> Iterator[ir.Expr]:
    for statement in body:
        yield from _outermost(statement)
        if isinstance(statement, ir.Rule):
            yield from _expressions(statement.conclusion)
