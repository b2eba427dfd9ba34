"""A sections document becomes a system: every stage of meaning joined up.

Always gives as much of a system as the document allows: what cannot be used is an
error at its place and is left out, what can be assumed is a warning and is assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath

from zermelo.core.signature import BY_DEFAULT
from zermelo.core.values import UNSET, Atom, SetType
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Op, System
from zermelo.languages.sections.mean import facts as facts_stage
from zermelo.languages.sections.mean import readings, rules, undeclared
from zermelo.languages.sections.mean.facts import DocumentFacts, Start, Starts, repeated
from zermelo.languages.sections.mean.flags import with_flags
from zermelo.languages.sections.mean.items import Items, items
from zermelo.languages.sections.mean.lines import with_lines
from zermelo.languages.sections.mean.lints import lints
from zermelo.languages.sections.mean.lost import Lost, lost
from zermelo.languages.sections.mean.modes import OpenReadings
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.roles import Roles, roles
from zermelo.languages.sections.mean.rules import Parameters
from zermelo.languages.sections.mean.terms import finite, names
from zermelo.languages.sections.mean.terms.infer import Inference
from zermelo.languages.sections.mean.terms.lookup import bold
from zermelo.languages.sections.mean.undeclared import SettledNames
from zermelo.languages.sections.mean.view import view
from zermelo.languages.sections.mean.widening import widened
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import calls
from zermelo.languages.sections.walk import parts as walk_parts
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Report, lines_of, with_left_out
from zermelo.text.headings import SectionKind
from zermelo.text.source import Source, Span, fingerprint

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
    document, judged = _completed(document, report, given)
    parts = items(document)
    is_behaviour_lost = any(kind is SectionKind.BEHAVIOUR for kind, _ in parts.unread)
    for each in judged.diagnostics:
        if each.code is not codes.NO_MOVE or not is_behaviour_lost:
            report.say(each)
    part = judged.value or _NO_ROLES
    declared = names.table(parts, part, report)
    settled = undeclared.settle(parts, declared, roles=part, report=report, given=given)
    inference = Inference(parts, settled.table, report=report, given=given)
    system = _Elaboration(parts, part, report, given, settled, inference).system()
    wider = widened(system, given=given)
    report.extend(wider.diagnostics)
    system = wider.system
    refused, hopeless = finite.arguments(system)
    for name, why in refused.items():
        report.say(why)
        report.list_left_out(
            f"a list of the moves {name}", () if why.primary is None else (why.primary.span,)
        )
    system = replace(system, unlisted=hopeless)
    known = [*(v.name for v in system.variables), *settled.table.aliases]
    called = [p.name for p in parts.procedures]
    report.extend(readings.unknown_subjects(given, variables=known, procedures=called))
    for kind, unread in parts.unread:
        lines = lines_of(unread.span, source)
        if lines.startswith("lines") and kind is not SectionKind.SETS:
            report.list_left_out(lines, (unread.span,))
    system = replace(system, left_out=tuple(dict.fromkeys(report.left_out)))
    system = replace(system, view=view(parts.view, system, report))
    if parts.intended:
        # Few documents answer findings.
        from zermelo.languages.sections.intended import intended  # noqa: PLC0415

        answers = intended(parts.intended)
        report.extend(answers.diagnostics)
        system = replace(system, intended=answers.value or ())
    report.extend(lints(document, system))
    return Checked(system, with_left_out(report.diagnostics, report.left_out))


def _completed(
    document: tree.SectionsDocument, report: Report, given: Mapping[str, Choice]
) -> tuple[tree.SectionsDocument, Checked[Roles]]:
    """*document* with what its author left to the reader to write, and the roles of that.

    The modules for it are imported where a document asks for it, which few do.
    """
    named = undeclared.with_names_of_movers(document)
    report.extend(named.diagnostics)
    document = named.value or document
    judged = roles(document, given=given)
    if judged.value is not None and judged.value.result is None:
        from zermelo.languages.sections.mean.outcomes import with_result  # noqa: PLC0415

        told = with_result(document, judged.value, given=given)
        if told.value is not None and told.diagnostics:
            report.extend(told.diagnostics)
            document, judged = told.value, roles(told.value, given=given)
    if _uses_witnesses(items(document)):
        from zermelo.languages.sections.mean.terms.witnesses import with_witnesses  # noqa: PLC0415

        found = judged.value or _NO_ROLES
        moves = {name for name, role in found.procedures.items() if role is ir.ProcedureRole.MOVE}
        witnessed = with_witnesses(document, moves=moves)
        if witnessed.value is not None and witnessed.diagnostics:
            report.extend(witnessed.diagnostics)
            document, judged = witnessed.value, roles(witnessed.value, given=given)
    return document, judged


def _uses_witnesses(found: Items) -> bool:
    """Whether a conclusion has a name that its guard binds."""
    bodies = (statement for each in found.procedures for statement in each.body)
    return any(
        isinstance(part, tree.Quantified)
        and any(not traversal.named(each).isdisjoint(part.variables) for each in rule.conclusion)
        for rule in traversal.statements(bodies)
        if isinstance(rule, tree.Rule)
        for part in traversal.conjuncts(rule.guard)
    )


@dataclass(slots=True)
class _Elaboration:
    parts: Items
    roles: Roles
    report: Report
    given: Mapping[str, Choice]
    settled: SettledNames
    inference: Inference

    def system(self) -> System:
        sets, computed = self._sets()
        table, definitions = self.settled.table, self.inference.definitions
        found = (definitions.function(name) for name in (*table.families, *table.functions))
        functions = tuple(function for function in found if function is not None)
        for name in table.variables:
            definitions.variable(name)
        facts = facts_stage.facts(self.parts, self.inference)
        lost = self._lost(facts, functions, computed)
        functions = tuple(each for each in functions if each.name not in lost.functions)
        computed = tuple(each for each in computed if each.name not in lost.variables)
        opened = OpenReadings(self.parts, self.roles, self.given)
        procedures = self._procedures(opened, lost)
        constants = Interpreter(System("", sets, (), functions, ()))
        result = self._called(self.roles.result)
        starts = Starts(self.parts, self.inference, facts, constants, self.given, result)
        values = starts.given_values(lost)
        known = [name for name in table.variables if name not in lost.variables]
        variables = [self._variable(name, facts, starts, values) for name in known]
        system = System(
            PurePath(self.report.source.name).stem,
            sets,
            (*variables, *computed),
            functions,
            procedures,
            lost.invariants(facts.invariants),
            prose=self.parts.prose,
            sentences=tuple(_numbered(self.parts.sentences, self.report.source)),
            lost=self._without_value(lost),
            fingerprint=fingerprint(self.report.source),
        )
        system = self._with_new_words(_listed_result(system, result))
        system = self._ended(system, opened)
        quantifier = self.inference.quantifier_reading
        asked = () if quantifier is None else (quantifier,)
        asked = (*asked, *self.inference.sides.readings)
        open_readings = (*opened.found, *self.settled.readings, *asked, *starts.readings)
        system = self._with_lines(replace(system, readings=open_readings))
        system = with_flags(system, given=self.given)
        system = self._without_idle(system, starts)
        doubled = [name for name in values if name in facts.definitions and name in known]
        if doubled:
            machine = Interpreter(system)
            for name in doubled:
                fact = facts.definitions[name]
                self.report.say(repeated(name, values[name], fact.span, machine=machine))
        return system

    def _called(self, name: str | None) -> str | None:
        return None if name is None else self.settled.table.aliases.get(name, name)

    def _sets(self) -> tuple[tuple[ir.SetDefinition, ...], tuple[ir.Variable, ...]]:
        """The sets; one that depends on variables is itself a variable, computed from them."""
        table, definitions = self.settled.table, self.inference.definitions
        sets: list[ir.SetDefinition] = []
        computed: list[ir.Variable] = []
        values = {name: definitions.set_called(name) for name in table.sets}
        of_variables = facts_stage.sets_of_variables(table.sets, self.inference)
        for name, item in table.sets.items():
            value = values[name]
            if value is None:
                continue
            called = bold(name) if name in table.twins else name
            if name in of_variables:
                variable = ir.Variable(called, ir.VariableRole.DEFINED, None, value.type)
                computed.append(replace(variable, definition=value.expr, span=item.span))
                continue
            large = finite.large(name, value.expr, sizes=definitions.sizes)
            if large is not None:
                self.report.say(large)
            sets.append(ir.SetDefinition(called, value.expr, value.type, item.note, span=item.span))
        return tuple(sets), tuple(computed)

    def _lost(
        self,
        facts: DocumentFacts,
        functions: tuple[ir.Function, ...],
        computed: tuple[ir.Variable, ...],
    ) -> Lost:
        """What has no value, because a fact that it depends on cannot be used."""
        definitions = {name: fact.expr for name, fact in facts.definitions.items()}
        definitions |= {v.name: v.definition for v in computed if v.definition is not None}
        broken = facts.broken
        return lost(broken, definitions=definitions, functions=functions, report=self.report)

    def _with_new_words(self, system: System) -> System:
        """*system*, in which a word that no set lists is in the set of what it is given to."""
        added: dict[str, list[ir.Literal]] = {}
        nodes = (part for procedure in system.procedures for part in walk_parts(procedure))
        for node in nodes:
            match node:
                case ir.Assign(variable=name, value=ir.Literal(value=Atom() as atom) as word) if (
                    self.settled.table.words.find(atom.name) is None
                ):
                    added.setdefault(name, []).append(word)
                case _:
                    pass
        variables: list[ir.Variable] = []
        for variable in system.variables:
            domain = variable.domain
            if domain is not None and variable.name in added:
                more = ir.SetOf(tuple(dict.fromkeys(added[variable.name])))
                domain = ir.Binary(Op.UNION, domain, more, span=domain.span)
            variables.append(replace(variable, domain=domain))
        return replace(system, variables=tuple(variables))

    def _without_value(self, lost: Lost) -> dict[str, Span]:
        """The names of the document that stand for nothing, each with the place of a fault."""
        table, definitions = self.settled.table, self.inference.definitions
        names = [*table.sets, *table.families, *table.functions]
        causes = {name: definitions.causes(name) for name in names}
        causes |= {**lost.functions, **lost.variables}
        known = {name: spans[0] for name, spans in causes.items() if spans}
        return {**table.lost, **known}

    def _procedures(self, opened: OpenReadings, lost: Lost) -> tuple[ir.Procedure, ...]:
        parameters = Parameters(self.parts, self.inference, self.roles.end)
        modes = opened.modes()
        found: list[ir.Procedure] = []
        for name, item in self.settled.table.procedures.items():
            before = self.report.begin()
            made = rules.procedure(
                item, modes[name], inference=self.inference, parameters=parameters
            )
            if made is None:
                lost.procedures[name] = self.report.leave_out(f"the move {name}", before)
            else:
                found.append(made)
        return _reached(lost.usable(found))

    def _variable(
        self, name: str, facts: DocumentFacts, starts: Starts, values: Mapping[str, Start]
    ) -> ir.Variable:
        domain = self.inference.definitions.variable(name)
        span = self.settled.table.variables[name].span
        stored = ir.Variable(name, ir.VariableRole.STORED, domain.expr, domain.type, span=span)
        if name in facts.definitions:
            definition = facts.definitions[name].expr
            return replace(stored, role=ir.VariableRole.DEFINED, definition=definition)
        if name in starts.unset:
            return stored
        start = values.get(name)
        if start is None:
            return replace(stored, initial=starts.assumed(stored))
        return replace(starts.widened(stored, start), initial=start.expr)

    def _ended(self, system: System, opened: OpenReadings) -> System:
        """*system* with its end: the variable that says so, or a result that is known."""
        over = system.variable(self._called(self.roles.over))
        told = system.variable(self._called(self.roles.result))
        by_result = opened.is_over_by_result(has_over=over is not None, has_result=told is not None)
        stop: ir.Expr | None = None if over is None else ir.Ref(over.name)
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

    def _with_lines(self, system: System) -> System:
        lined = with_lines(system, source=self.report.source, given=self.given)
        self.report.extend(lined.diagnostics)
        return lined.value or system

    def _without_idle(self, system: System, starts: Starts) -> System:
        """*system* without the readings of initial values that make no difference.

        Says which of the others are missing.
        """
        # Flags that nobody asked about are written before they are read in every turn.
        asked = {reading.name for reading in system.readings}
        scratch = {
            v.name
            for v in system.variables
            if v.role is ir.VariableRole.FLAG and readings.flag(v.name) not in asked
        }
        needed = _used(system) - scratch
        idle = {readings.starts_at(name) for name in starts.complaints if name not in needed}
        for name, complaint in starts.complaints.items():
            if name in needed:
                self.report.say(complaint)
        kept = (r for r in system.readings if r.name not in idle or r.decided_by != BY_DEFAULT)
        return replace(system, readings=tuple(kept))


def _numbered(sentences: Iterable[tree.Prose], source: Source) -> Iterator[tuple[int, str]]:
    for prose in sentences:
        yield from enumerate(prose.lines, source.line_of(prose.span.start))


def _listed_result(system: System, name: str | None) -> System:
    """*system* whose result, if it is declared nowhere, has the set of what is assigned to it."""
    result = system.variable(name)
    if result is None or result.domain is not None or isinstance(result.type, SetType):
        return system
    nodes = (part for procedure in system.procedures for part in walk_parts(procedure))
    values = [n.value for n in nodes if isinstance(n, ir.Assign) and n.variable == name]
    literals = tuple(dict.fromkeys(v for v in values if isinstance(v, ir.Literal)))
    if not literals:
        return system
    listed = replace(result, domain=ir.SetOf(literals))
    return replace(system, variables=tuple(listed if v is result else v for v in system.variables))


def _reached(procedures: tuple[ir.Procedure, ...]) -> tuple[ir.Procedure, ...]:
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


def _used(system: System) -> frozenset[str]:
    nodes: list[ir.Node] = [*system.procedures, *system.functions, *system.invariants]
    nodes += [v.definition for v in system.variables if v.definition is not None]
    parts = [part for node in nodes for part in walk_parts(node)]
    read = {part.name for part in parts if isinstance(part, ir.Ref)}
    return frozenset(read.union(p.variable for p in parts if isinstance(p, ir.Assign)))
