"""Expressions that are written beside a document: resolved against its system."""

from __future__ import annotations

from collections.abc import Mapping

from zermelo.core.types import UNKNOWN, Type
from zermelo.core.values import Atom, Value
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.terms.definitions import Domain
from zermelo.languages.sections.mean.terms.infer import Inference
from zermelo.languages.sections.mean.terms.names import Table, VariableEntry
from zermelo.languages.sections.mean.terms.typed import Scope
from zermelo.languages.sections.mean.terms.words import Word, Words, key
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.walk import parts
from zermelo.text.diagnostic import Checked, Report
from zermelo.text.source import NOWHERE, Source

_NO_ITEMS = Items((), (), (), (), (), (), (), (), ())


def resolve_expression(
    expr: tree.Expr, system: ir.System, local_types: Mapping[str, Type]
) -> Checked[ir.Expr]:
    """*expr* in the words of *system*, with the names in *local_types* bound around it."""
    report = Report(Source("expression", ""))
    inference = Inference(_NO_ITEMS, _table(system), report=report, given={})
    inference.definitions.adopt(
        sets={s.name: (s.value, s.type) for s in system.sets},
        domains={v.name: Domain(v.domain, v.type) for v in system.variables},
        functions={f.name: f for f in system.functions},
    )
    value = inference.typed(expr, Scope(dict(local_types)), expected=UNKNOWN)
    return Checked(value.expr if report.faults == 0 else None, report.diagnostics)


def _table(system: ir.System) -> Table:
    nothing = tree.EmptySet()
    functions = {
        f.name: tree.Function(f.name, tuple(tree.Parameter(p.name) for p in f.parameters), nothing)
        for f in system.functions
    }
    families = {
        f.name: tree.SetDefinition(f.name, nothing, f.parameters[0].name)
        for f in system.functions
        if len(f.parameters) == 1
    }
    return Table(
        {s.name: tree.SetDefinition(s.name, nothing) for s in system.sets},
        families,
        {v.name: VariableEntry(v.name, None, NOWHERE) for v in system.variables},
        functions,
        {},
        {},
        Words({key(atom.name): Word(atom, NOWHERE) for atom in _atoms(system)}),
    )


def _atoms(system: ir.System) -> list[Atom]:
    """The words that stand anywhere in *system*."""
    nodes: list[ir.Node] = [*system.sets, *system.variables, *system.functions]
    nodes += system.procedures
    found: dict[str, Atom] = {}
    for node in nodes:
        for part in parts(node):
            if isinstance(part, ir.Literal):
                found.update((atom.name, atom) for atom in _atoms_in(part.value))
    return list(found.values())


def _atoms_in(value: Value) -> list[Atom]:
    match value:
        case Atom():
            return [value]
        case tuple() | frozenset():
            return [atom for item in value for atom in _atoms_in(item)]
        case _:
            return []
