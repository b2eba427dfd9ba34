"""Facts: which of them define a variable, and which are invariants.

``v = e`` or ``v ↔ φ`` defines v where no rule assigns it: v is computed, never
stored. Every other fact is checked in every reached state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from zermelo.core.values import TRUTH, words
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.rules import words_of
from zermelo.languages.sections.mean.terms import operators
from zermelo.languages.sections.mean.terms.infer import Inference
from zermelo.languages.sections.mean.terms.names import NameTable
from zermelo.languages.sections.mean.terms.operators import TypeScope, is_known
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.languages.sections.walk import parts
from zermelo.text import codes
from zermelo.text.diagnostic import Label
from zermelo.text.source import Span


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
    broken: set[str] = field(default_factory=set)
    """Variables whose definition cannot be used, which was said."""


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
    result = DocumentFacts()
    changing = _assigned(document, inference.names)
    for item in document.facts:
        for formula in _split(item.formula, inference):
            _add(item, formula, result=result, inference=inference, changing=changing)
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
    before = report.faults
    made = inference.formula(formula, TypeScope(), "a fact")
    if report.faults > before:
        report.faults = before
        return
    span = formula.span if formula is not item.formula else item.span
    result.invariants.append(ir.Invariant(made, words_of(report.source, formula, span), span=span))


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
    before = report.faults
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
        faults=before,
        report=report,
    )
    if report.faults > before:
        report.faults = before
        result.broken.add(name)
        return
    result.definitions[name] = FactDefinition(value.expr, item.span)


def _drop_circles(result: DocumentFacts, inference: Inference) -> None:
    """Definitions that need each other compute nothing."""
    reads = {
        name: variables_in(definition.expr, inference) & result.definitions.keys()
        for name, definition in result.definitions.items()
    }
    for name in list(result.definitions):
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
                result.broken.add(member)


def _circle(start: str, reads: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """The way from *start* back to itself, if there is one."""
    ways: list[tuple[str, ...]] = [(start,)]
    seen: set[str] = set()
    while ways:
        way = ways.pop(0)
        for name in sorted(reads.get(way[-1], ())):
            if name == start:
                return way
            if name not in seen:
                seen.add(name)
                ways.append((*way, name))
    return ()


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
