"""What looks wrong in a document that can be used; always warnings or notes.

Lints of names and of formulas look at what was written; lints of rules look at
what it means, so that ``result`` or a flag is known when they speak.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.rule_lints import rule_lints
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.headings import SectionKind
from zermelo.text.lines import Setting
from zermelo.text.source import NOWHERE, Span

_DOUBLING: Final = frozenset(
    {
        tree.BinaryOp.UNION,
        tree.BinaryOp.INTERSECTION,
        tree.BinaryOp.DIFFERENCE,
        tree.BinaryOp.MINUS,
        tree.BinaryOp.DIVIDE,
        tree.BinaryOp.MOD,
    }
)

Items: TypeAlias = Sequence[tree.SectionItem]
_SET_HEAD: Final = re.compile(r"[\W_]*(?P<name>\w+)\W*?[:=]")


def lints(document: tree.SectionsDocument, system: ir.System) -> tuple[Diagnostic, ...]:
    """Everything that looks wrong, in the order of its places."""
    items = [item for section in document.sections for item in section.items]
    found = [
        *_unused_sets(document, items),
        *_unused_variables(items, system),
        *_same_operands(items),
        *_idle_assignments(items),
        *rule_lints(system),
    ]
    return tuple(sorted(found, key=_place))


def _place(said: Diagnostic) -> tuple[Span, str]:
    return NOWHERE if said.primary is None else said.primary.span, said.code.id


# Names


def _unused_sets(document: tree.SectionsDocument, items: Items) -> Iterator[Diagnostic]:
    for item, name, span in _defined_sets(document):
        if not any(_mentions(other, name) for other in items if other is not item):
            yield Diagnostic(
                codes.UNUSED_SET,
                f"the set `{name}` is never used",
                primary=Label(span, "defined here, used nowhere"),
                help=f"remove `{name}`, or use it where it was meant to be used",
            )


def _defined_sets(document: tree.SectionsDocument) -> Iterator[tuple[tree.SectionItem, str, Span]]:
    """Every set that is defined, also in words that are not understood."""
    for section in document.sections:
        for item in section.items:
            match item:
                case tree.SetDefinition(name=name):
                    yield item, name, item.name_span.or_else(item.span)
                case tree.Unparsed(text=text) if section.kind is SectionKind.SETS:
                    if head := _SET_HEAD.match(text):
                        yield item, head["name"], item.span
                case _:
                    pass


def _unused_variables(items: Items, system: ir.System) -> Iterator[Diagnostic]:
    meant = {choice for reading in system.readings for choice in reading.choices}
    others = [o for o in items if not isinstance(o, tree.Declaration | tree.Initial)]
    for item in items:
        if not isinstance(item, tree.Declaration):
            continue
        for index, name in enumerate(item.names):
            if f"is {name}" in meant or any(_mentions(other, name) for other in others):
                continue
            span = item.name_spans[index] if index < len(item.name_spans) else item.span
            yield Diagnostic(
                codes.UNUSED_VARIABLE,
                f"the variable `{name}` is never used",
                primary=Label(span, "no fact and no rule mentions it"),
                help=f"remove `{name}`, or use it where it was meant to be used",
            )


def _mentions(item: tree.SectionItem, name: str) -> bool:
    """Whether *item* uses *name*, or may, where it was not understood."""
    match item:
        case tree.Prose() | tree.Erratum():
            return False
        case tree.Unparsed(text=text):
            return _has_word(text, name)
        case Setting(key=key, value=value):
            return _has_word(f"{key} {value}", name)
        case _:
            # A family H is used as H_n and as H_2.
            return any(used == name or used.startswith(f"{name}_") for used in _names(item))


def _names(item: tree.SectionItem) -> Iterator[str]:
    for expr in _expressions(item):
        yield from traversal.names_in(expr)
        # ℕ may be defined like any other set
        yield from (n.kind.value for n in traversal.inside(expr) if isinstance(n, tree.NumberSet))
    if isinstance(item, tree.Procedure):
        yield from (parameter.name for parameter in item.parameters)
        yield from (assignment.name for assignment in traversal.assignments(item.body))
        for statement in traversal.statements(item.body):
            if isinstance(statement, tree.Unparsed):
                yield from re.findall(r"\w+", statement.text)


def _expressions(item: tree.SectionItem) -> Iterator[tree.Expr]:
    match item:
        case (
            tree.SetDefinition(value=expr)
            | tree.Initial(value=expr)
            | tree.Declaration(domain=expr)
            | tree.Fact(formula=expr)
        ):
            yield expr
        case tree.FunctionDefinition(parameters=parameters, body=value):
            yield from (p.domain for p in parameters if p.domain is not None)
            yield value
        case tree.Procedure(parameters=parameters, body=body):
            yield from (p.domain for p in parameters if p.domain is not None)
            yield from traversal.expressions_in(body)
        case Setting() | tree.Erratum() | tree.Prose() | tree.Unparsed():
            pass


def _has_word(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?![A-Za-z])", text) is not None


# Formulas


def _same_operands(items: Items) -> Iterator[Diagnostic]:
    exprs = (expr for item in items for expr in _expressions(item))
    for node in (node for expr in exprs for node in traversal.inside(expr)):
        for sign, left, right in _twins(node):
            yield Diagnostic(
                codes.SAME_OPERANDS,
                f"both sides of this {sign} are the same",
                primary=Label(right.span, "the same as the left side"),
                secondary=(Label(left.span, "the left side"),),
                help="one of them was probably meant to be something else; if not, one is enough",
            )


def _twins(node: tree.Expr) -> Iterator[tuple[str, tree.Expr, tree.Expr]]:
    """Equal operands inside *node*, with the operator between them."""
    match node:
        case tree.Binary(op=op, left=left, right=right) if op in _DOUBLING and left == right:
            yield op.value, left, right
        case tree.Implies(left=left, right=right) if left == right:
            yield "→", left, right
        case tree.Iff(left=left, right=right) if left == right:
            yield "↔", left, right
        case tree.Compare(first=first, rest=rest):
            left = first
            for relation, right in rest:
                if left == right:
                    yield relation.value, left, right
                left = right
        case tree.And(operands=several):
            yield from _repeated("∧", several)
        case tree.Or(operands=several):
            yield from _repeated("∨", several)
        case _:
            pass


def _repeated(
    sign: str, operands: tuple[tree.Expr, ...]
) -> Iterator[tuple[str, tree.Expr, tree.Expr]]:
    for index, operand in enumerate(operands):
        first = operands.index(operand)
        if first < index:
            yield sign, operands[first], operand


def _idle_assignments(items: Items) -> Iterator[Diagnostic]:
    procedures = [item for item in items if isinstance(item, tree.Procedure)]
    for statement in (s for p in procedures for s in traversal.statements(p.body)):
        match statement:
            case tree.Assign(target=tree.Name(text=name), value=tree.Name(text=same)) if (
                name == same
            ):
                message = f"`{name}` is given the value it has"
                tip = (
                    "remove it, or write the value that was meant; "
                    f"`{name} = ¬{name}` turns a truth value over"
                )
            case tree.Rule(conclusion=()):
                message = "nothing stands behind the arrow of this rule"
                tip = "write what the rule does, or remove it"
            case _:
                continue
        label = Label(statement.span, "changes nothing")
        yield Diagnostic(codes.CHANGES_NOTHING, message, label, help=tip)
