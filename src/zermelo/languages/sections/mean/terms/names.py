"""The names of a document and what each of them is: set, family, variable, function, procedure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.roles import Roles
from zermelo.languages.sections.mean.terms import walk
from zermelo.languages.sections.mean.terms.binding import index_of
from zermelo.languages.sections.mean.terms.uses import Place, Use, in_procedure, place_of
from zermelo.languages.sections.mean.terms.words import Declared, Words
from zermelo.languages.sections.read.grammar import tree
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label, Report
from zermelo.text.source import NOWHERE, Span

Owner = TypeVar("Owner", tree.Function, tree.Procedure)


@dataclass(frozen=True, slots=True)
class VariableEntry:
    """A variable of the system; without a declaration if the document has none."""

    name: str
    declaration: tree.Declaration | None
    span: Span
    """Where it is declared, or first used."""
    procedure: str | None = None
    """The procedure inside which it is declared."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """A name that nothing in the document explains."""

    uses: tuple[Use, ...]
    may_be_word: bool
    """Whether it stands only where values stand."""


@dataclass(frozen=True, slots=True)
class Table:
    """What each name of a document is."""

    sets: Mapping[str, tree.SetDefinition]
    families: Mapping[str, tree.SetDefinition]
    variables: Mapping[str, VariableEntry]
    functions: Mapping[str, tree.Function]
    procedures: Mapping[str, tree.Procedure]
    locals: Mapping[str, frozenset[str]]
    """The locals of each procedure, without its parameters."""
    words: Words = field(default_factory=lambda: Words({}))
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Names that stand for another name."""
    guessed_sets: Mapping[str, tree.Expr] = field(default_factory=dict)
    """Sets that are used, not defined, and could be guessed."""
    strangers: Mapping[str, Stranger] = field(default_factory=dict)

    @property
    def twins(self) -> frozenset[str]:
        """Names that are both a set and a variable."""
        return frozenset(self.sets).intersection(self.variables)

    def is_set(self, name: str) -> bool:
        """Whether *name* is a set, a family or a family at an index."""
        if name in self.sets or name in self.families or name in self.guessed_sets:
            return True
        return index_of(name) is not None and self.family_of(name) is not None

    def is_variable(self, name: str) -> bool:
        """Whether *name* is a variable of the system."""
        return name in self.variables

    def is_declared(self, name: str) -> bool:
        """Whether *name* means something in the whole document."""
        return (
            self.is_set(name)
            or name in self.variables
            or name in self.functions
            or name in self.procedures
            or name in self.aliases
        )

    def family_of(self, name: str) -> str | None:
        """The family of which *name*, as ``H_2``, is a member; declared names are none."""
        index = index_of(name)
        if index is None or name in self.sets or name in self.variables:
            return None
        base = name[: -len(index) - 1]
        return base if base in self.families else None

    @property
    def declared(self) -> Declared:
        """What the enumeration of words has to know."""
        return Declared(lambda n: self.is_set(n) or n in self.functions, self.is_variable)

    def place(self, name: str) -> Span | None:
        """Where *name* is declared."""
        places = (
            self.sets[name].name_span if name in self.sets else NOWHERE,
            self.families[name].name_span if name in self.families else NOWHERE,
            self.variables[name].span if name in self.variables else NOWHERE,
            self.functions[name].name_span if name in self.functions else NOWHERE,
            self.procedures[name].name_span if name in self.procedures else NOWHERE,
        )
        return next((place for place in places if place != NOWHERE), None)


def table(document: Items, roles: Roles, report: Report) -> Table:
    """What the declarations of *document* say of its names; words and strangers come later."""
    sets: dict[str, tree.SetDefinition] = {}
    families: dict[str, tree.SetDefinition] = {}
    for item in document.sets:
        kind = sets if item.index is None else families
        if item.name in kind:
            _twice(item.name, kind[item.name], item, report=report)
        else:
            kind[item.name] = item
    variables = _variables(document, report)
    variables.update(_promoted(document, roles, variables))
    result = Table(
        sets,
        families,
        variables,
        _unique(document.functions, report),
        _unique(document.procedures, report),
        {p.name: _declared_locals(p, variables) for p in document.procedures},
    )
    for name in sorted(result.twins):
        _say_twin(name, result, report)
    return result


def _variables(document: Items, report: Report) -> dict[str, VariableEntry]:
    variables: dict[str, VariableEntry] = {}
    for item in document.declarations:
        for name in item.names:
            before = variables.get(name)
            if before is None:
                variables[name] = VariableEntry(name, item, place_of(item, name))
            elif before.declaration is not None:
                _twice(name, before.declaration, item, report=report)
    return variables


def _promoted(
    document: Items, roles: Roles, variables: Mapping[str, VariableEntry]
) -> dict[str, VariableEntry]:
    """Variables of the system that are declared inside a procedure.

    The result is one wherever it is declared; any other is local to its procedure,
    unless the document uses it elsewhere too.
    """
    promoted: dict[str, VariableEntry] = {}
    for procedure in document.procedures:
        for statement in walk.statements(procedure.body):
            if not isinstance(statement, tree.Declaration):
                continue
            for name in statement.names:
                is_new = name not in variables and name not in promoted
                if is_new and (name == roles.result or _is_used_outside(name, procedure, document)):
                    span = place_of(statement, name)
                    promoted[name] = VariableEntry(name, statement, span, procedure.name)
    return promoted


def _is_used_outside(name: str, owner: tree.Procedure, document: Items) -> bool:
    """Whether something besides *owner* uses *name*, and not as a local of its own."""
    if any(name in item.names for item in document.initials):
        return True
    facts = (node for fact in document.facts for node in walk.inside(fact.formula))
    if any(isinstance(node, tree.Name) and node.text == name for node in facts):
        return True
    for procedure in document.procedures:
        own = {p.name for p in procedure.parameters} | _names_declared_in(procedure)
        if procedure is owner or name in own:
            continue
        uses = (use for use in in_procedure(procedure, lambda _: False) if use.name == name)
        first = next(uses, None)
        if first is not None and first.place is not Place.ASSIGNED:
            return True
    return False


def _names_declared_in(procedure: tree.Procedure) -> frozenset[str]:
    return frozenset(
        name
        for statement in walk.statements(procedure.body)
        if isinstance(statement, tree.Declaration)
        for name in statement.names
    )


def _declared_locals(
    procedure: tree.Procedure, variables: Mapping[str, VariableEntry]
) -> frozenset[str]:
    return frozenset(n for n in _names_declared_in(procedure) if n not in variables)


def _unique(named: Iterable[Owner], report: Report) -> dict[str, Owner]:
    found: dict[str, Owner] = {}
    for item in named:
        if item.name not in found:
            found[item.name] = item
            continue
        report.say(
            Diagnostic(
                codes.PROCEDURE_TWICE,
                f"`{item.name}` is written twice; the first is taken and this one is left out",
                primary=Label(item.name_span, "written again"),
                secondary=(Label(found[item.name].name_span, "written here first"),),
                help="give one of them another name, or join the two",
            )
        )
    return found


def _twice(
    name: str,
    first: tree.SetDefinition | tree.Declaration,
    second: tree.SetDefinition | tree.Declaration,
    *,
    report: Report,
) -> None:
    if first == second:
        return
    report.say(
        Diagnostic(
            codes.DECLARED_TWICE,
            f"`{name}` is declared twice; the first declaration is taken",
            primary=Label(second.span, "declared again"),
            secondary=(Label(first.span, "declared here first"),),
            help="remove one of the two, or give one of them another name",
        )
    )


def _say_twin(name: str, names: Table, report: Report) -> None:
    report.say(
        Diagnostic(
            codes.TWO_MEANINGS,
            f"`{name}` is both a set and a variable",
            primary=Label(names.variables[name].span, "a variable"),
            secondary=(Label(names.sets[name].name_span, "a set"),),
            notes=(
                "after ∈ and ⊆ in declarations it is taken as the set, "
                "in facts and rules as the variable",
            ),
            help="give one of them another name",
        )
    )
