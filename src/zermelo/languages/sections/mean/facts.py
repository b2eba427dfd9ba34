"""Facts, which define a variable or are invariants, and what the variables start at.

``v = e`` or ``v ↔ φ`` defines v where no rule assigns it: v is computed, never
stored. Every other fact is checked in every reached state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from zermelo.core.machine import Fault
from zermelo.core.signature import BY_DEFAULT, BY_DOCUMENT, Reading, not_a_choice
from zermelo.core.values import (
    FALSE,
    TRUTH,
    MixedType,
    NumberType,
    SetType,
    TruthType,
    TruthValue,
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
from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.lost import Lost
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.rules import words_of
from zermelo.languages.sections.mean.terms import operators
from zermelo.languages.sections.mean.terms.definitions import NONE
from zermelo.languages.sections.mean.terms.infer import Inference
from zermelo.languages.sections.mean.terms.names import NameTable
from zermelo.languages.sections.mean.terms.operators import TypeScope, fits, is_known
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar import parser, traversal, tree
from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import parts, substituted
from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.headings import SectionKind
from zermelo.text.source import Source, Span


@dataclass(frozen=True, slots=True)
class FactDefinition:
    """What a variable is computed by."""

    expr: ir.Expr
    span: Span


@dataclass(slots=True)
class DocumentFacts:
    """The facts of a document, sorted out."""

    definitions: dict[str, FactDefinition] = field(default_factory=dict)
    invariants: list[ir.Invariant] = field(default_factory=list)
    broken: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    """Variables whose definition cannot be used, and where the faults are."""
    changing: frozenset[str] = frozenset()
    """The variables that rules and statements give values."""


def _assigned(document: Items, names: NameTable) -> set[str]:
    found: set[str] = set()
    for procedure in document.procedures:
        own = {p.name for p in procedure.parameters if p.domain is not None}
        own |= names.locals.get(procedure.name, frozenset())
        for assignment in traversal.assignments(procedure.body):
            if assignment.name not in own:
                found.add(names.aliases.get(assignment.name, assignment.name))
    return found


def facts(document: Items, inference: Inference) -> DocumentFacts:
    changing = _assigned(document, inference.names)
    result = DocumentFacts(changing=frozenset(changing))
    for kind, item in document.unread:
        if kind is SectionKind.FACTS:
            names = (inference.names.aliases.get(name, name) for name in item.names)
            stored = inference.names.variables.keys() - changing
            result.broken.update((name, (item.span,)) for name in names if name in stored)
    for fact in document.facts:
        for formula in _split(fact.formula, inference):
            _add(fact, formula, result=result, inference=inference, changing=changing)
    _drop_circles(result, inference)
    return result


def _split(formula: tree.Expr, inference: Inference) -> Iterator[tree.Expr]:
    """``A = X ∧ B = Y`` are two facts, unless A is a truth value that the whole of it defines."""
    if isinstance(formula, tree.And):
        head = _defined(formula.operands[0])
        if head is None or not _is_truth(head[0], inference):
            for operand in formula.operands:
                yield from _split(operand, inference)
            return
    match formula:
        case tree.Iff(left=tree.And(operands=(*firsts, tree.Name() as last)), right=right) if all(
            _defined(first) is not None for first in firsts
        ):
            # ↔ binds loosely, so ``A = X ∧ v ↔ φ`` was probably meant as two facts.
            yield from firsts
            yield tree.Iff(last, right, span=last.span.to(right.span))
        case _:
            yield formula


def _is_truth(name: tree.Name, inference: Inference) -> bool:
    called = inference.names.aliases.get(name.text, name.text)
    is_variable = called in inference.names.variables
    return is_variable and inference.definitions.variable(called).type == TRUTH


def _defined(formula: tree.Expr) -> tuple[tree.Name, tree.Expr] | None:
    """What *formula* defines if it has the form of a definition; only its first ``=`` defines."""
    match formula:
        case (
            tree.Iff(left=tree.Name() as name, right=body)
            | tree.Compare(first=tree.Name() as name, rest=((tree.CompareOp.EQ, body),))
            | tree.Iff(left=body, right=tree.Name() as name)
            | tree.Compare(first=body, rest=((tree.CompareOp.EQ, tree.Name() as name),))
        ):
            return name, body
        case tree.Compare(first=tree.Name() as name, rest=((tree.CompareOp.EQ, body), *rest)):
            last = rest[-1][1]
            return name, tree.Compare(body, tuple(rest), span=body.span.to(last.span))
        case tree.And(operands=(first, *others)) | tree.Or(operands=(first, *others)):
            head = _defined(first)
            if head is None or isinstance(first, tree.Iff):
                return None
            name, body = head
            span = body.span.to(others[-1].span)
            return name, replace(formula, operands=(body, *others), span=span)
        case _:
            return None


def _add(
    item: tree.Fact,
    formula: tree.Expr,
    *,
    result: DocumentFacts,
    inference: Inference,
    changing: set[str],
) -> None:
    names = inference.names
    head = _defined(formula)
    if head is not None and isinstance(formula, tree.And | tree.Or):
        head = head if _is_truth(head[0], inference) else None
    name = "" if head is None else names.aliases.get(head[0].text, head[0].text)
    if head is not None and name in names.variables and name not in changing:
        first = result.definitions.get(name)
        if first is None and name not in result.broken:
            is_iff = isinstance(formula, tree.Iff)
            _define(name, head[1], item, result=result, inference=inference, is_iff=is_iff)
            return
        inference.report.tell(
            codes.SECOND_DEFINITION,
            f"`{name}` is defined by an earlier fact; this one is checked as an invariant",
            Label(item.span, "a second definition"),
            *(() if first is None else (Label(first.span, "the definition"),)),
        )
    report = inference.report
    before = report.begin()
    made = inference.formula(formula, TypeScope(), "a fact")
    span = formula.span if formula is not item.formula else item.span
    text = words_of(report.source, formula, span)
    if not report.is_whole(before):
        report.leave_out(f"the fact `{text}`", before)
        return
    result.invariants.append(ir.Invariant(made, text, span=span))


def _define(
    name: str,
    body: tree.Expr,
    item: tree.Fact,
    *,
    result: DocumentFacts,
    inference: Inference,
    is_iff: bool,
) -> None:
    report = inference.report
    before = report.begin()
    kind = inference.definitions.variable(name).type
    value = inference.typed(body, TypeScope(), expected=kind)
    if kind == TRUTH:
        value = operators.truth(value, "`↔`", report=report)
    elif is_iff and is_known(kind):
        report.say(operators.iff_of_values(name, kind, item.span))
    value = operators.must_fit(
        value,
        kind,
        lambda text, its: f"`{name}` holds {words(kind)}, and this fact says it is {text}, {its}",
        *inference.names.labels(name, "declared here"),
        faults=before.faults,
        report=report,
    )
    if not report.is_whole(before):
        result.broken[name] = report.leave_out(f"fact {name}", before)
        return
    result.definitions[name] = FactDefinition(value.expr, item.span)


def _drop_circles(result: DocumentFacts, inference: Inference) -> None:
    """Definitions that need each other compute nothing."""
    reads = {
        name: variables_in(definition.expr, inference) & result.definitions.keys()
        for name, definition in result.definitions.items()
    }
    doubtful = _without_end(reads)
    for name in [name for name in result.definitions if name in doubtful]:
        circle = _circle(name, reads)
        if circle and name in result.definitions:
            spans = [result.definitions[member].span for member in circle]
            first, *others = circle
            inference.report.tell(
                codes.CYCLIC_FACTS,
                f"`{first}` is defined by itself"
                if not others
                else f"{' and '.join(f'`{n}`' for n in circle)} are defined by each other",
                Label(spans[0], f"needs `{(others or circle)[0]}`"),
                *(Label(s, f"defines `{n}`") for n, s in zip(others, spans[1:], strict=True)),
                help="let one of them be stored, and assign it in the rules",
            )
            for member in circle:
                result.definitions.pop(member, None)
                result.broken[member] = (spans[0],)
                inference.report.list_left_out(f"fact {member}", (spans[0],))


def _circle(start: str, reads: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """The way from *start* back to itself, if there is one."""
    before: dict[str, str] = {}
    ways = [start]
    for at in ways:
        for name in sorted(reads.get(at, ())):
            spend(_STEPS_OF_A_STEP, "looking for facts that define each other")
            if name == start:
                way = [at]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return tuple(reversed(way))
            if name not in before:
                before[name] = at
                ways.append(name)
    return ()


def _without_end(reads: Mapping[str, frozenset[str]]) -> set[str]:
    """The names from which reading on and on may come to no end: all that lead to a circle."""
    users: dict[str, list[str]] = {}
    for name, others in reads.items():
        for other in others:
            users.setdefault(other, []).append(name)
    left = {name: len(others) for name, others in reads.items()}
    ended = [name for name, count in left.items() if not count]
    for name in ended:
        for user in users.get(name, ()):
            left[user] -= 1
            if not left[user]:
                ended.append(user)
    return reads.keys() - set(ended)


_STEPS_OF_A_STEP: Final = 4


def variables_in(expr: ir.Expr, inference: Inference) -> frozenset[str]:
    """The variables that *expr* reads, also in the sets and functions that it uses."""
    found: set[str] = set()
    seen: set[str] = set()
    waiting = [expr]
    while waiting:
        for node in parts(waiting.pop()):
            match node:
                case ir.Ref(name) if name in inference.names.variables:
                    found.add(name)
                case ir.Ref(name) if name not in seen:
                    seen.add(name)
                    if (inner := inference.definitions.resolve(name)) is not None:
                        waiting.append(inner)
                case ir.Apply(name) if name not in seen:
                    seen.add(name)
                    if (function := inference.definitions.function(name)) is not None:
                        waiting.append(function.body)
    return frozenset(found)


_Used: TypeAlias = tuple[type[ir.Ref] | type[ir.Apply], str]
"""How a set or a function is used, and its name."""


def sets_of_variables(names: Iterable[str], inference: Inference) -> frozenset[str]:
    """Those of the sets called *names* that read variables, also in what they use.

    Each is looked into once, however many others lead to it.
    """
    users: dict[_Used, list[_Used]] = {}
    seen: set[_Used] = set()
    reading: list[_Used] = []
    waiting: list[_Used] = [(ir.Ref, name) for name in names]
    while waiting:
        user = waiting.pop()
        body = None if user in seen else _body_of(user, inference)
        seen.add(user)
        for node in () if body is None else parts(body):
            match node:
                case ir.Ref(name) if name in inference.names.variables:
                    reading.append(user)
                case ir.Ref(name) | ir.Apply(name):
                    used = type(node), name
                    users.setdefault(used, []).append(user)
                    waiting.append(used)
                case _:
                    pass
    found: set[_Used] = set()
    while reading:
        user = reading.pop()
        if user not in found:
            found.add(user)
            reading += users.get(user, ())
    return frozenset(name for kind, name in found if kind is ir.Ref)


def _body_of(used: _Used, inference: Inference) -> ir.Expr | None:
    """What a name stands for that is *used* as a set or as a function."""
    kind, name = used
    if kind is ir.Ref:
        return inference.definitions.resolve(name)
    function = inference.definitions.function(name)
    return None if function is None else function.body


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
    unset: set[str] = field(default_factory=set)
    """The variables that are said to have no value at first."""
    complaints: dict[str, Diagnostic] = field(default_factory=dict)
    """What to say of variables without an initial value, unless they need none."""
    lost: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    """Variables whose initial value cannot be used, and where the faults are."""

    def given_values(self, lost: Lost) -> dict[str, Start]:
        """The initial values that the document gives, without those that *lost* are read in."""
        found: dict[str, Start] = {}
        names, report = self.inference.names, self.inference.report
        for kind, unread in self.document.unread:
            if kind is SectionKind.INITIALISATION:
                called = (names.aliases.get(name, name) for name in unread.names)
                self.lost.update((name, (unread.span,)) for name in called)
        for item in self.document.initials:
            has_spans = len(item.name_spans) == len(item.names)
            spans = item.name_spans if has_spans else (item.span,) * len(item.names)
            before: list[str] = []
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
                if self._is_said_unset(name, item):
                    self.unset.add(name)
                    continue
                said = next((self.lost[n] for n in before if n in self.lost), None)
                before.append(name)
                start = self._value(name, item, said)
                causes = () if start is None else lost.causes(start.expr)
                if start is None or causes:
                    self.lost.update({name: causes} if causes else {})
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

    def _is_said_unset(self, name: str, item: tree.Initial) -> bool:
        """Whether ``name = ∅`` says that a variable that holds no set has no value yet."""
        kind = self.inference.definitions.variable(name).type
        if not isinstance(item.value, tree.EmptySet) or operators.may_be(kind, SetType):
            return False
        if self.inference.definitions.is_emptied(name):
            return False
        labels = self.inference.names.labels(name, "declared here")
        operators.say_unset(name, kind, item.value.span, *labels, report=self.inference.report)
        return True

    def _value(self, name: str, item: tree.Initial, said: tuple[Span, ...] | None) -> Start | None:
        """What *item* gives to *name*; *said* is where it was found not to fit another name."""
        if said is not None:
            with self.inference.report.quiet():
                start = self._value(name, item, None)
            self.lost.update({} if start is not None else {name: said})
            return start
        if isinstance(item.value, tree.EmptySet) and self.inference.definitions.is_emptied(name):
            return Start(ir.Literal(NONE, span=item.value.span), item.span)
        report = self.inference.report
        before = report.begin()
        kind = self.inference.definitions.variable(name).type
        value = self.inference.fitting(
            item.value,
            TypeScope(),
            kind,
            lambda text, its: f"`{name}` holds {words(kind)}, and starts at {text}, {its}",
            *self.inference.names.labels(name, "declared here"),
        )
        if not report.is_whole(before):
            self.lost[name] = report.forget(before)
            return None
        return Start(value.expr, item.span)

    def assumed(self, variable: ir.Variable) -> ir.Expr | None:
        """What a stored variable without an initial value starts at; ``None`` is unset."""
        name = variable.name
        if self.inference.definitions.is_emptied(name):
            return ir.Literal(NONE)
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
        if name in self.lost:
            what = f"the initial value of {name} ({reading.choice} is taken)"
            self.inference.report.list_left_out(what, self.lost[name])
        elif reading.decided_by != BY_DOCUMENT:
            is_given = name in self.facts.changing or name in self.facts.broken
            say = _uninitialised if is_given or reading.is_chosen else _never_given
            self.complaints[name] = say(variable, reading)
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
                return ir.Literal(FALSE)
            case NumberType() | WordType():
                return self._least_member(variable)
            case TupleType() | MixedType() | Unknown():
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
        return found.holds if isinstance(found, TruthValue) else None

    def widened(self, variable: ir.Variable, start: Start) -> ir.Variable:
        """*variable* with its initial value in its domain, if it was outside."""
        if variable.domain is None or self._is_in(start.expr, variable.domain) is not False:
            return variable
        reading = readings.decide(
            readings.values_of(variable.name),
            (readings.WIDENED, readings.STOP),
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


def _never_given(variable: ir.Variable, reading: Reading) -> Diagnostic:
    name, value = variable.name, reading.choice
    taken = "it stays unset" if value == "unset" else f"`{name} = {value}` is assumed, for good"
    return Diagnostic(
        codes.NEVER_GIVEN,
        f"no fact defines `{name}`, no rule sets it, and it has no initial value; {taken}",
        primary=Label(variable.span, "declared here, and only read"),
        notes=("what playing shows is not said where it may follow from that",),
        help=f"say in the facts what `{name}` is, or in the initialisation what it starts at",
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
