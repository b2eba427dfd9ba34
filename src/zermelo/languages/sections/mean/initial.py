"""What the variables start at: given, assumed, outside their set, or repeated by a fact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from zermelo.core.machine import Fault
from zermelo.core.signature import BY_DEFAULT, BY_DOCUMENT, Reading, not_a_choice
from zermelo.core.values import (
    NumberType,
    SetType,
    TruthType,
    TupleType,
    Unknown,
    Value,
    WordType,
    in_order,
    words,
)
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Op
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.facts import DocumentFacts
from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.terms import operators
from zermelo.languages.sections.mean.terms.infer import Inference
from zermelo.languages.sections.mean.terms.operators import TypeScope, fits
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar import parser, tree
from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import parts, substituted
from zermelo.text import codes
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Source, Span


@dataclass(frozen=True, slots=True)
class Start:
    """An initial value and where it is given."""

    expr: ir.Expr
    span: Span


@dataclass(slots=True)
class Starts:
    """Finds the initial values of the variables of a document."""

    document: Items
    inference: Inference
    facts: DocumentFacts
    constants: Interpreter
    """Evaluates what does not depend on the state."""
    given: Mapping[str, Choice]
    result: str | None
    """The variable that tells how the play ended: it starts unset."""
    readings: list[Reading] = field(default_factory=list)
    complaints: dict[str, Diagnostic] = field(default_factory=dict)
    """What to say of variables without an initial value, unless they need none."""

    def given_values(self) -> dict[str, Start]:
        found: dict[str, Start] = {}
        names, report = self.inference.names, self.inference.report
        for item in self.document.initials:
            has_spans = len(item.name_spans) == len(item.names)
            spans = item.name_spans if has_spans else (item.span,) * len(item.names)
            for written, span in zip(item.names, spans, strict=True):
                name = names.aliases.get(written, written)
                if name not in names.variables:
                    report.tell(
                        codes.ASSIGNED_CONSTANT,
                        f"`{name}` is no variable, but is given an initial value",
                        Label(span, "left out"),
                        *names.labels(name, "declared here"),
                        help=f"declare `{name}` as a variable, or give the value in its definition",
                    )
                    continue
                start = self._value(name, item)
                if start is None:
                    self.facts.broken.add(name)
                    continue
                if name in found and found[name].expr != start.expr:
                    report.tell(
                        codes.INITIALISED_TWICE,
                        f"`{name}` is given two initial values; the last is taken",
                        Label(item.span, "given again"),
                        Label(found[name].span, "given here first"),
                        help="remove one of the two",
                    )
                found[name] = start
        return _closed(found, self.facts)

    def _value(self, name: str, item: tree.Initial) -> Start | None:
        report = self.inference.report
        before = report.faults
        kind = self.inference.definitions.variable(name).type
        value = self.inference.fitting(
            item.value,
            TypeScope(),
            kind,
            lambda text, its: f"`{name}` holds {words(kind)}, and starts at {text}, {its}",
            *self.inference.names.labels(name, "declared here"),
        )
        if report.faults > before:
            report.faults = before
            return None
        return Start(value.expr, item.span)

    def assumed(self, variable: ir.Variable) -> ir.Expr | None:
        """What a stored variable without an initial value starts at; ``None`` is unset."""
        name = variable.name
        if name == self.result and readings.starts_at(name) not in self.given:
            return ir.SetOf(()) if isinstance(variable.type, SetType) else None
        default = self._least(variable)
        text = "unset" if default is None else to_text(default)
        reading = readings.decide(
            readings.starts_at(name),
            (text,),
            given=self.given,
            reason=f"the document does not say what `{name}` starts at",
            span=variable.span,
        )
        self.readings.append(reading)
        if name not in self.facts.broken and reading.decided_by != BY_DOCUMENT:
            self.complaints[name] = _uninitialised(variable, reading)
        if reading.decided_by == BY_DEFAULT:
            return default
        chosen = self._chosen(reading.choice, variable)
        if chosen is not None:
            return chosen
        self.inference.report.say(not_a_choice(reading.name, reading.choice, choices=(text,)))
        return default

    def _chosen(self, text: str, variable: ir.Variable) -> ir.Expr | None:
        source = Source("reading", text)
        tokens, _ = lex(source, Span(0, len(text)))
        names = self.inference.names
        known = frozenset((*names.sets, *names.variables, *names.functions))
        read = parser.expression(source, tokens, DeclaredNames(known))
        if read.value is None or read.rest:
            return None
        report = self.inference.report
        with report.quiet():
            before = report.faults
            value = self.inference.typed(read.value, TypeScope(), expected=variable.type)
            value = operators.fitted(value, variable.type, report=report)
            is_usable = report.faults == before and fits(value.type, variable.type)
        return value.expr if is_usable else None

    def _least(self, variable: ir.Variable) -> ir.Expr | None:
        match variable.type:
            case SetType():
                return ir.SetOf(())
            case TruthType():
                return ir.Literal(value=False)
            case NumberType() | WordType():
                return self._least_member(variable)
            case TupleType() | Unknown():
                return None

    def _least_member(self, variable: ir.Variable) -> ir.Expr | None:
        is_number = isinstance(variable.type, NumberType)
        if variable.domain is None:
            return ir.Literal(0) if is_number else None
        for value in (ir.Literal(0), ir.Literal(1)):
            if is_number and self._is_in(value, variable.domain):
                return value
        first = _first_listed(variable.domain, self.inference)
        if first is not None:
            return first
        members = self.constants.evaluate(variable.domain, self.constants.initial, {})
        if isinstance(members, frozenset) and members:
            return ir.Literal(in_order(members)[0])
        return None

    def _is_in(self, value: ir.Expr, domain: ir.Expr) -> bool | None:
        """Whether *value* is in *domain*; ``None`` if that depends on the state."""
        member = ir.Binary(Op.IN, value, domain)
        found = self.constants.evaluate(member, self.constants.initial, {})
        return found if isinstance(found, bool) else None

    def widened(self, variable: ir.Variable, start: Start) -> ir.Variable:
        """*variable* with its initial value in its domain, if it was outside."""
        if variable.domain is None or self._is_in(start.expr, variable.domain) is not False:
            return variable
        reading = readings.decide(
            readings.domain_of(variable.name),
            (readings.WIDENED, readings.AS_WRITTEN),
            given=self.given,
            reason=f"`{variable.name}` starts at {to_text(start.expr)}, outside its set",
            span=start.span,
        )
        self.readings.append(reading)
        self._say_outside(variable, start, Severity.NOTE if reading.is_chosen else None)
        if reading.choice != readings.WIDENED:
            return variable
        match variable.domain:
            case ir.PowerSet(base):
                wider: ir.Expr = ir.PowerSet(ir.Binary(Op.UNION, base, start.expr))
            case domain:
                wider = ir.Binary(Op.UNION, domain, ir.SetOf((start.expr,)))
        return replace(variable, domain=replace(wider, span=variable.domain.span))

    def _say_outside(self, variable: ir.Variable, start: Start, severity: Severity | None) -> None:
        domain = variable.domain
        is_part = isinstance(domain, ir.PowerSet)
        whole = domain.base if isinstance(domain, ir.PowerSet) else domain
        value, text = to_text(start.expr), "" if whole is None else to_text(whole)
        named = _number_set(whole, self.inference)
        entry = self.inference.names.variables[variable.name]
        declared = entry.declaration.span if entry.declaration is not None else entry.span
        relation = "a subset of" if is_part else "in"
        label = f"not {relation} {text}" if named is None else f"{value} is not {named[1]}"
        wider = f"⊆ {text} ∪ {value}" if is_part else f"∈ {text} ∪ {{{value}}}"
        self.inference.report.tell(
            codes.STARTS_OUTSIDE,
            f"`{variable.name}` starts at {value}, which is not {relation} {text}",
            Label(start.expr.span, label),
            Label(declared, "declared here"),
            notes=(f"{text} is declared as {named[0]}",)
            if named and isinstance(whole, ir.Ref)
            else (),
            help=f"declare `{variable.name} {wider}`",
            severity=severity,
        )


def _closed(found: dict[str, Start], facts: DocumentFacts) -> dict[str, Start]:
    """The initial values with the variables in them replaced by what these start at."""
    closed: dict[str, Start] = {}
    for name, start in found.items():
        expr = start.expr
        for _ in range(len(found) + len(facts.definitions) + 1):
            read = {n.name for n in parts(expr) if isinstance(n, ir.Ref)}
            refs = {n: found[n].expr for n in read if n in found and n not in facts.definitions}
            refs |= {n: facts.definitions[n].expr for n in read if n in facts.definitions}
            if not refs:
                break
            after = substituted(expr, {}, refs)
            if after is None:
                break
            expr = after
        closed[name] = Start(expr, start.span)
    return closed


def _first_listed(domain: ir.Expr, inference: Inference) -> ir.Expr | None:
    match domain:
        case ir.SetOf((ir.Literal() as first, *_)):
            return first
        case ir.Ref(name):
            inner = inference.definitions.resolve(name)
            return None if inner is None else _first_listed(inner, inference)
        case _:
            return None


def _uninitialised(variable: ir.Variable, reading: Reading) -> Diagnostic:
    name, value = variable.name, reading.choice
    how = "chosen" if reading.is_chosen else "assumed"
    line = f"{name} = …" if value == "unset" else f"{name} = {value}"
    return Diagnostic(
        codes.NOT_INITIALISED,
        f"`{name}` is given no initial value; "
        + ("it starts unset" if value == "unset" else f"`{line}` is {how}"),
        primary=Label(variable.span, "declared here, and not initialised"),
        help=f"add `{line}` to the initialisation",
        severity=Severity.NOTE if reading.is_chosen else None,
    )


_NAMES_OF_SETS = {
    ir.NumberSetKind.NATURAL: ("the set of natural numbers", "a natural number"),
    ir.NumberSetKind.INTEGER: ("the set of integers", "an integer"),
    ir.NumberSetKind.POSITIVE: ("the set of positive integers", "a positive integer"),
}


def _number_set(whole: ir.Expr | None, inference: Inference) -> tuple[str, str] | None:
    match whole:
        case ir.NumberSet(kind):
            return _NAMES_OF_SETS[kind]
        case ir.Ref(name):
            return _number_set(inference.definitions.resolve(name), inference)
        case _:
            return None


def repeated(name: str, start: Start, fact: Span, *, machine: Interpreter) -> Diagnostic:
    """What to say of an initial value of a variable that a fact computes."""
    computed = machine.evaluate(ir.Ref(name), machine.initial, {})
    given: Value | Fault = machine.evaluate(start.expr, machine.initial, {})
    text = to_text(start.expr)
    if isinstance(computed, Fault) or isinstance(given, Fault) or computed == given:
        code, tip = codes.INITIAL_REPEATED, "remove this line"
        message = f"`{name} = {text}` repeats what its fact says"
    else:
        code, tip = codes.INITIAL_CONTRADICTED, "correct the fact or the initial values"
        message = f"`{name}` is said to start at {text}, but its fact says otherwise"
    return Diagnostic(
        code,
        message,
        primary=Label(start.span, "given here"),
        secondary=(Label(fact, "computed from this fact, always"),),
        notes=(f"`{name}` is not stored: the fact decides",),
        help=tip,
    )
