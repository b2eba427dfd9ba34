"""Expressions written beside a document, resolved against its system.

They stand in the lines of a Reading or View section, or a caller types them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from zermelo.core.values import UNKNOWN, Atom, Type, atoms_in, unify, words
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.terms.infer import Inference
from zermelo.languages.sections.mean.terms.names import (
    NameTable,
    VariableEntry,
    Vocabulary,
    Word,
    key,
)
from zermelo.languages.sections.mean.terms.operators import TypeScope
from zermelo.languages.sections.read.grammar import parser, traversal, tree
from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.lexer import lex
from zermelo.languages.sections.walk import parts, rebuilt
from zermelo.text import codes
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Checked, Label, Report
from zermelo.text.source import NOWHERE, Source, Span

_NO_ITEMS = Items((), (), (), (), (), (), (), (), ())
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def formula(
    text: str, start: int | None, *, system: ir.System, names: Mapping[str, Type]
) -> Checked[ir.Expr]:
    """The expression that *text* is, in the words of *system*.

    *start* is where it stands in the document, ``None`` if it does not stand there.
    """
    # Blanks in front give every token its place in the document.
    source = Source("formula", " " * (start or 0) + text)
    tokens, said = lex(source, Span(start or 0, len(source.text)))
    read = parser.expression(source, tokens, _declared_names(system, bound=names))
    said += read.diagnostics
    if read.value is None or read.rest:
        return _placed(Checked(None, said), start)
    resolved = resolve_expression(read.value, system, names)
    return _placed(Checked(resolved.value, said + resolved.diagnostics), start)


def typed_expression(
    system: ir.System,
    text: str,
    *,
    names: Mapping[str, ir.Parameter] | None = None,
    expected: Type = UNKNOWN,
) -> Checked[ir.Expr]:
    """The expression that *text* writes, in the names of *system*; places are in *text*."""
    source = Source("expression", text)
    tokens, said = lex(source, Span(0, len(text)))
    parsed = parser.expression(source, tokens, _declared_names(system, has_procedures=True))
    said = (*said, *parsed.diagnostics, *(parsed.trouble if parsed.rest else ()))
    if parsed.value is None or parsed.rest:
        return Checked(None, said)
    local_types = {name: each.type for name, each in (names or {}).items()}
    resolved = resolve_expression(parsed.value, system, local_types, expected=expected)
    return Checked(resolved.value, (*said, *resolved.diagnostics))


def _declared_names(
    system: ir.System, *, bound: Iterable[str] = (), has_procedures: bool = False
) -> DeclaredNames:
    functions = frozenset(each.name for each in system.functions)
    known = (*(each.name for each in system.sets), *(each.name for each in system.variables))
    procedures = (each.name for each in system.procedures) if has_procedures else ()
    return DeclaredNames(functions.union(known, bound), frozenset(procedures), functions)


def pieces(text: str, start: int | None) -> tuple[tuple[str, int | None], ...]:
    """*text* split at the commas that stand in no brackets, each piece with its place.

    >>> pieces("A when f(x, y), B", 10)
    (('A when f(x, y)', 10), ('B', 26))
    """
    cuts, depth = [-1], 0
    for at, char in enumerate(text):
        depth = max(0, depth + _BRACKETS.get(char, 0))
        if char == "," and depth == 0:
            cuts.append(at)
    found = []
    for left, right in zip(cuts, [*cuts[1:], len(text)], strict=True):
        piece = text[left + 1 : right]
        blanks = len(piece) - len(piece.lstrip())
        found.append((piece.strip(), None if start is None else start + left + 1 + blanks))
    return tuple(found)


def _without_place(expr: ir.Expr) -> ir.Expr:
    return replace(rebuilt(expr, _without_place), span=NOWHERE)


def _placed(found: Checked[ir.Expr], start: int | None) -> Checked[ir.Expr]:
    if start is not None:
        return found
    value = None if found.value is None else _without_place(found.value)
    said = (replace(d, primary=None, secondary=(), fix=None) for d in found.diagnostics)
    return Checked(value, tuple(said))


def resolve_expression(
    expr: tree.Expr,
    system: ir.System,
    local_types: Mapping[str, Type],
    *,
    expected: Type = UNKNOWN,
) -> Checked[ir.Expr]:
    """*expr* in the words of *system*, with the names in *local_types* bound around it."""
    report = Report(Source("expression", ""))
    inference = Inference(_NO_ITEMS, _table(system), report=report, given={})
    inference.definitions.adopt(system)
    value = inference.typed(expr, TypeScope(dict(local_types)), expected=expected)
    is_fit = unify(value.type, expected) is not None
    if report.faults == 0 and not is_fit:
        report.tell(
            codes.KINDS_CLASH,
            f"this is {words(value.type)}, where {words(expected)} is asked for",
            Label(expr.span, words(value.type)),
        )
    lost = [name for name in traversal.names_in(expr) if name in system.lost]
    if report.faults and lost:
        report.tell(
            codes.UNKNOWN_NAME,
            f"`{lost[0]}` has no value, because of an error in the document",
            Label(expr.span, "has no value"),
            severity=Severity.ERROR,
        )
    return Checked(value.expr if report.faults == 0 and is_fit else None, report.diagnostics)


def _table(system: ir.System) -> NameTable:
    nothing = tree.EmptySet()
    functions = {
        f.name: tree.FunctionDefinition(
            f.name, tuple(tree.Parameter(p.name) for p in f.parameters), nothing
        )
        for f in system.functions
    }
    families = {
        f.name: tree.SetDefinition(f.name, nothing, f.parameters[0].name)
        for f in system.functions
        if len(f.parameters) == 1
    }
    return NameTable(
        {s.name: tree.SetDefinition(s.name, nothing) for s in system.sets},
        families,
        {v.name: VariableEntry(v.name, None, NOWHERE) for v in system.variables},
        functions,
        {},
        {},
        Vocabulary({key(atom.name): Word(atom, NOWHERE) for atom in _atoms(system)}),
        lost=system.lost,
    )


def _atoms(system: ir.System) -> list[Atom]:
    """The words that stand anywhere in *system*."""
    nodes: list[ir.Node] = [*system.sets, *system.variables, *system.functions]
    nodes += system.procedures
    all_parts = (part for node in nodes for part in parts(node))
    literals = (part.value for part in all_parts if isinstance(part, ir.Literal))
    return list({atom.name: atom for value in literals for atom in atoms_in(value)}.values())
