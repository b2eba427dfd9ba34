"""A sections document becomes a system: every stage of meaning joined up.

Always gives as much of a system as the document allows: what cannot be used is an
error at its place and is left out, what can be assumed is a warning and is assumed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath

from zermelo.core.signature import BY_DEFAULT, Reading
from zermelo.core.values import UNSET, SetType
from zermelo.languages.sections import ir
from zermelo.languages.sections.footprint import calls
from zermelo.languages.sections.ir import Op, System
from zermelo.languages.sections.mean import facts as facts_stage
from zermelo.languages.sections.mean import readings, rules, undeclared
from zermelo.languages.sections.mean.facts import DocumentFacts
from zermelo.languages.sections.mean.flags import with_flags
from zermelo.languages.sections.mean.initial import Start, Starts, repeated
from zermelo.languages.sections.mean.items import Items, items
from zermelo.languages.sections.mean.lints import lints
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.roles import OpenReadings, Roles, roles
from zermelo.languages.sections.mean.rules import Parameters
from zermelo.languages.sections.mean.terms import finite, names
from zermelo.languages.sections.mean.terms.infer import Inference
from zermelo.languages.sections.mean.terms.lookup import bold
from zermelo.languages.sections.mean.undeclared import SettledNames
from zermelo.languages.sections.mean.view import view
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import parts as walk_parts
from zermelo.text.diagnostic import Checked, Diagnostic, Report
from zermelo.text.source import Source, fingerprint

_NO_ROLES = Roles({}, None, None, None)


def elaborate(
    document: tree.SectionsDocument, source: Source, *, choices: Mapping[str, Choice]
) -> Checked[System]:
    """What *document* means, with *choices* made before those of its own Reading section.

    There is no system only if the document declares and does nothing at all.
    """
    report = Report(source)
    parts = items(document)
    chosen = readings.from_settings(parts.readings)
    report.extend(chosen.diagnostics)
    given = readings.merged(chosen.value or {}, choices)
    if not (parts.sets or parts.declarations or parts.procedures):
        return Checked(None, report.diagnostics)
    judged = roles(document)
    report.extend(judged.diagnostics)
    part = judged.value or _NO_ROLES
    settled = _names(parts, part, report=report, given=given)
    inference = Inference(parts, settled.table, report=report, given=given)
    work = _Elaboration(parts, part, report, given, settled, inference)
    system = work.system()
    refused = finite.arguments(system)
    report.extend(tuple(refused.values()))
    kept = tuple(p for p in system.procedures if p.name not in refused)
    system = replace(system, procedures=kept)
    report.extend(_subjects(system, settled, given))
    look = view(parts.view, system)
    report.extend(look.diagnostics)
    system = replace(system, view=look.value or ir.View())
    report.extend(lints(document, system))
    return Checked(system, report.diagnostics)


def _names(
    parts: Items, part: Roles, *, report: Report, given: Mapping[str, Choice]
) -> SettledNames:
    declared = names.table(parts, part, report)
    return undeclared.settle(parts, declared, roles=part, report=report, given=given)


def _subjects(
    system: System, settled: SettledNames, given: Mapping[str, Choice]
) -> tuple[Diagnostic, ...]:
    variables = [v.name for v in system.variables] + list(settled.table.aliases)
    return readings.unknown_subjects(
        given, variables=variables, procedures=[p.name for p in system.procedures]
    )


@dataclass(slots=True)
class _Elaboration:
    """One document on its way to a system."""

    parts: Items
    roles: Roles
    report: Report
    given: Mapping[str, Choice]
    settled: SettledNames
    inference: Inference

    def system(self) -> System:
        sets, computed = self._sets()
        functions = self._functions()
        for name in self.settled.table.variables:
            self.inference.definitions.variable(name)
        facts = facts_stage.facts(self.parts, self.inference)
        opened = OpenReadings(self.parts, self.roles, self.given)
        procedures = self._procedures(opened)
        constants = Interpreter(System("", sets, (), functions, ()))
        result = self._called(self.roles.result)
        starts = Starts(self.parts, self.inference, facts, constants, self.given, result)
        values = starts.given_values()
        variables = self._variables(facts, starts, values)
        system = System(
            PurePath(self.report.source.name).stem,
            sets,
            (*variables, *computed),
            functions,
            procedures,
            tuple(facts.invariants),
            prose=self.parts.prose,
            fingerprint=fingerprint(self.report.source),
        )
        system = self._ended(_listed_result(system, result), opened)
        system = replace(system, readings=self._readings(opened, starts))
        system = with_flags(system, given=self.given)
        self._check_starts(system, starts, facts, values)
        return _without_idle(system, starts)

    def _called(self, name: str | None) -> str | None:
        return None if name is None else self.settled.table.aliases.get(name, name)

    def _readings(self, opened: OpenReadings, starts: Starts) -> tuple[Reading, ...]:
        quantifier = self.inference.quantifier_reading
        asked = () if quantifier is None else (quantifier,)
        return (*opened.found, *self.settled.readings, *asked, *starts.readings)

    def _sets(self) -> tuple[tuple[ir.SetDefinition, ...], tuple[ir.Variable, ...]]:
        """The sets; one that depends on variables is itself a variable, computed from them."""
        table, definitions = self.settled.table, self.inference.definitions
        sets: list[ir.SetDefinition] = []
        computed: list[ir.Variable] = []
        for name, item in table.sets.items():
            value = definitions.set_called(name)
            if value is None:
                continue
            called = bold(name) if name in table.twins else name
            if facts_stage.variables_in(value.expr, self.inference):
                role = ir.VariableRole.DEFINED
                computed.append(
                    ir.Variable(
                        called, role, None, value.type, definition=value.expr, span=item.span
                    )
                )
                continue
            large = finite.large(name, value.expr, resolve=definitions.resolve)
            if large is not None:
                self.report.say(large)
            sets.append(ir.SetDefinition(called, value.expr, value.type, item.note, span=item.span))
        return tuple(sets), tuple(computed)

    def _functions(self) -> tuple[ir.Function, ...]:
        table = self.settled.table
        found = (
            self.inference.definitions.function(n) for n in (*table.families, *table.functions)
        )
        return tuple(function for function in found if function is not None)

    def _procedures(self, opened: OpenReadings) -> tuple[ir.Procedure, ...]:
        parameters = Parameters(self.parts, self.inference, self.roles.end)
        modes = opened.modes()
        made = (
            rules.procedure(item, modes[name], inference=self.inference, parameters=parameters)
            for name, item in self.settled.table.procedures.items()
        )
        found = tuple(procedure for procedure in made if procedure is not None)
        kept = {procedure.name for procedure in found}
        return _called(tuple(_without_calls(procedure, kept) for procedure in found))

    def _variables(
        self, facts: DocumentFacts, starts: Starts, values: Mapping[str, Start]
    ) -> tuple[ir.Variable, ...]:
        return tuple(
            self._variable(name, facts, starts, values) for name in self.settled.table.variables
        )

    def _variable(
        self, name: str, facts: DocumentFacts, starts: Starts, values: Mapping[str, Start]
    ) -> ir.Variable:
        domain = self.inference.definitions.variable(name)
        span = self.settled.table.variables[name].span
        definition = facts.definitions.get(name)
        if definition is not None:
            role = ir.VariableRole.DEFINED
            return ir.Variable(
                name, role, domain.expr, domain.type, definition=definition.expr, span=span
            )
        stored = ir.Variable(name, ir.VariableRole.STORED, domain.expr, domain.type, span=span)
        start = values.get(name)
        if start is None:
            return replace(stored, initial=starts.assumed(stored))
        return replace(starts.widened(stored, start), initial=start.expr)

    def _ended(self, system: System, opened: OpenReadings) -> System:
        """*system* with its end: the variable that says so, or a result that is known."""
        over, result = self._called(self.roles.over), self._called(self.roles.result)
        over = over if over is not None and system.variable(over) else None
        told = None if result is None else system.variable(result)
        by_result = opened.is_over_by_result(has_over=over is not None, has_result=told is not None)
        stop: ir.Expr | None = None if over is None else ir.Ref(over)
        if by_result and told is not None:
            # A result that starts at a word such as `none` is known once it is another.
            none: ir.Expr = ir.SetOf(()) if isinstance(told.type, SetType) else ir.Literal(UNSET)
            stop = ir.Binary(Op.NE, ir.Ref(told.name), told.initial or none)
        return replace(
            system,
            over=stop,
            result=None if told is None else told.name,
            no_effect=opened.no_effect(),
            stuck=opened.stuck(),
        )

    def _check_starts(
        self, system: System, starts: Starts, facts: DocumentFacts, values: Mapping[str, Start]
    ) -> None:
        """Say which initial values are missing, and which a fact repeats or contradicts."""
        scratch = _scratch(system)
        for name, complaint in starts.complaints.items():
            if name not in scratch and name in _used(system):
                self.report.say(complaint)
        doubled = [name for name in values if name in facts.definitions]
        if not doubled:
            return
        machine = Interpreter(system)
        for name in doubled:
            fact = facts.definitions[name]
            self.report.say(repeated(name, values[name], fact.span, machine=machine))


def _listed_result(system: System, name: str | None) -> System:
    """*system* whose result, if it is declared nowhere, has the set of what is assigned to it."""
    result = None if name is None else system.variable(name)
    if result is None or result.domain is not None or isinstance(result.type, SetType):
        return system
    nodes = (part for procedure in system.procedures for part in walk_parts(procedure))
    values = [n.value for n in nodes if isinstance(n, ir.Assign) and n.variable == name]
    literals = tuple(dict.fromkeys(v for v in values if isinstance(v, ir.Literal)))
    if not literals:
        return system
    listed = replace(result, domain=ir.SetOf(literals))
    variables = tuple(listed if v is result else v for v in system.variables)
    return replace(system, variables=variables)


def _without_calls(procedure: ir.Procedure, kept: set[str]) -> ir.Procedure:
    """*procedure* without the rules and statements that call what was left out."""

    def usable(statements: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...] | None:
        found: list[ir.Statement] = []
        for statement in statements:
            match statement:
                case ir.Call(procedure=name) if name not in kept:
                    return None
                case ir.Rule(conclusion=inner):
                    rest = usable(inner)
                    if rest is not None:
                        found.append(replace(statement, conclusion=rest))
                case _:
                    found.append(statement)
        return tuple(found)

    body = (usable((statement,)) or () for statement in procedure.body)
    return replace(procedure, body=tuple(s for statements in body for s in statements))


def _called(procedures: tuple[ir.Procedure, ...]) -> tuple[ir.Procedure, ...]:
    """*procedures* without the helpers that only something left out calls."""
    by_name = {procedure.name: procedure for procedure in procedures}
    waiting = [p.name for p in procedures if p.role is not ir.ProcedureRole.HELPER]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in reached and name in by_name:
            reached.add(name)
            waiting.extend(calls(by_name[name]))
    return tuple(procedure for procedure in procedures if procedure.name in reached)


def _scratch(system: System) -> frozenset[str]:
    """Variables that are written before they are read in every turn, and so start anywhere."""
    asked = {reading.name for reading in system.readings}
    return frozenset(
        v.name
        for v in system.variables
        if v.role is ir.VariableRole.FLAG and readings.flag(v.name) not in asked
    )


def _used(system: System) -> frozenset[str]:
    """The variables that something reads or assigns."""
    nodes: list[ir.Node] = [*system.procedures, *system.functions, *system.invariants]
    nodes += [v.definition for v in system.variables if v.definition is not None]
    found: set[str] = set()
    for node in nodes:
        for part in walk_parts(node):
            match part:
                case ir.Ref(name) | ir.Assign(variable=name):
                    found.add(name)
                case _:
                    pass
    return frozenset(found)


def _without_idle(system: System, starts: Starts) -> System:
    """*system* without the readings of initial values that make no difference."""
    idle = _scratch(system).union(starts.complaints.keys() - _used(system))
    names_of_idle = {readings.starts_at(name) for name in idle if name in starts.complaints}
    kept = tuple(
        reading
        for reading in system.readings
        if reading.name not in names_of_idle or reading.decided_by != BY_DEFAULT
    )
    return replace(system, readings=kept)
