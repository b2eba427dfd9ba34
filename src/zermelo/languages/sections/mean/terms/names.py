"""The names of a document and what each of them is: set, family, variable, function, procedure.

Also the words that are values: the members of its enumerations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from zermelo.core.values import Atom
from zermelo.languages.sections.mean.items import TRUTH_LETTERS, Items, declarations_in, spelling
from zermelo.languages.sections.mean.roles import Roles
from zermelo.languages.sections.mean.terms import binding
from zermelo.languages.sections.mean.terms.binding import index_of
from zermelo.languages.sections.mean.terms.uses import (
    Use,
    UsePlace,
    in_procedure,
    parameter_domains,
    place_of,
)
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.diagnostic import Label, Report
from zermelo.text.errors import distance
from zermelo.text.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Word:
    """A word that is a value, as the document first spells it."""

    atom: Atom
    span: Span


_STEPS_TO_COMPARE: Final = 20


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that some enumeration of the document lists."""

    by_key: Mapping[str, Word]

    def find(self, text: str) -> Word | None:
        """The word that *text* is, up to capitals and blanks."""
        return self.by_key.get(key(text))

    def near(self, text: str) -> Word | None:
        """The one word that *text* nearly is."""
        wanted = key(text)
        limit = 1 if len(wanted) <= 4 else 2
        spend(_STEPS_TO_COMPARE * len(self.by_key), "looking for similar words")
        close = [w for k, w in self.by_key.items() if distance(k, wanted, most=limit) <= limit]
        return close[0] if len(close) == 1 else None

    def __iter__(self) -> Iterator[Word]:
        return iter(self.by_key.values())


def key(text: str) -> str:
    """What is the same in two spellings of a word.

    >>> key("Beta  Wins") == key("beta wins")
    True
    """
    return re.sub(r"[\s_\-]+", "", text).casefold()


Owner = TypeVar("Owner", tree.FunctionDefinition, tree.Procedure)


@dataclass(frozen=True, slots=True)
class VariableEntry:
    """A variable of the system; without a declaration if the document has none."""

    name: str
    declaration: tree.Declaration | None
    span: Span
    """Where it is declared, or first used."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """A name that nothing in the document explains."""

    uses: tuple[Use, ...]
    may_be_word: bool
    """Whether it stands only where values stand."""


@dataclass(frozen=True, slots=True)
class NameTable:
    """What each name of a document is."""

    sets: Mapping[str, tree.SetDefinition]
    families: Mapping[str, tree.SetDefinition]
    variables: Mapping[str, VariableEntry]
    functions: Mapping[str, tree.FunctionDefinition]
    procedures: Mapping[str, tree.Procedure]
    locals: Mapping[str, frozenset[str]]
    """The locals of each procedure, without its parameters."""
    words: Vocabulary = field(default_factory=lambda: Vocabulary({}))
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Names that stand for another name."""
    guessed_sets: Mapping[str, tree.Expr] = field(default_factory=dict)
    """Sets that are used, not defined, and could be guessed."""
    strangers: Mapping[str, Stranger] = field(default_factory=dict)
    lost: Mapping[str, Span] = field(default_factory=dict)
    """Names that only a line tells of which was not understood, and where that is."""

    @property
    def twins(self) -> frozenset[str]:
        return frozenset(self.sets).intersection(self.variables)

    def is_set(self, name: str) -> bool:
        """Whether *name* is a set, a family or a family at an index."""
        if name in self.sets or name in self.families or name in self.guessed_sets:
            return True
        return self.family_of(name) is not None

    def is_constant(self, name: str) -> bool:
        return self.is_set(name) or name in self.functions

    def has_value(self, name: str) -> bool:
        return self.is_constant(name) or name in self.variables

    def are_truths(self, node: tree.SetOf) -> bool:
        """Whether *node* is `{T, F}`, and these are no names: nobody else lists the two."""
        letters = {item.text for item in node.items if isinstance(item, tree.Name)}
        is_pair = len(node.items) == len(TRUTH_LETTERS) and letters == set(TRUTH_LETTERS)
        return is_pair and not any(self.is_declared(letter) for letter in letters)

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

    def place(self, name: str) -> Span | None:
        places = (
            self.sets[name].name_span if name in self.sets else NOWHERE,
            self.families[name].name_span if name in self.families else NOWHERE,
            self.variables[name].span if name in self.variables else NOWHERE,
            self.functions[name].name_span if name in self.functions else NOWHERE,
            self.procedures[name].name_span if name in self.procedures else NOWHERE,
        )
        return next((place for place in places if place != NOWHERE), None)

    def labels(self, name: str, text: str) -> tuple[Label, ...]:
        place = self.place(name)
        return () if place is None else (Label(place, text),)


def table(document: Items, roles: Roles, report: Report) -> NameTable:
    """What *document* says of its names; what it uses and does not declare comes later."""
    sets: dict[str, tree.SetDefinition] = {}
    families: dict[str, tree.SetDefinition] = {}
    for item in document.sets:
        kind = sets if item.index is None else families
        first = kind.setdefault(item.name, item)
        _check_twice(item.name, first, item, report=report)
    variables = _variables(document, report)
    variables.update(_promoted(document, roles, variables))
    result = NameTable(
        sets,
        families,
        variables,
        _unique(document.functions, report),
        _unique(document.procedures, report),
        {p.name: _declared_in(p).difference(variables) for p in document.procedures},
    )
    for name in sorted(result.twins):
        report.tell(
            codes.TWO_MEANINGS,
            f"`{name}` is both a set and a variable",
            Label(variables[name].span, "a variable"),
            Label(sets[name].name_span, "a set"),
            notes=(
                "after ∈ and ⊆ in declarations it is taken as the set, "
                "in facts and rules as the variable",
            ),
            help="give one of them another name",
        )
    lost = {name: item.span for _, item in reversed(document.unread) for name in item.names}
    lost = {name: span for name, span in lost.items() if not result.is_declared(name)}
    result = replace(result, lost=lost)
    return replace(result, words=_words(document, result))


def _variables(document: Items, report: Report) -> dict[str, VariableEntry]:
    variables: dict[str, VariableEntry] = {}
    for item in document.declarations:
        for name in item.names:
            before = variables.get(name)
            if before is None:
                variables[name] = VariableEntry(name, item, place_of(item, name))
            elif before.declaration is not None:
                _check_twice(name, before.declaration, item, report=report)
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
        for item in declarations_in(procedure):
            for name in item.names:
                is_new = name not in variables and name not in promoted
                if is_new and (name == roles.result or _is_used_outside(name, procedure, document)):
                    promoted[name] = VariableEntry(name, item, place_of(item, name))
    return promoted


def _is_used_outside(name: str, owner: tree.Procedure, document: Items) -> bool:
    """Whether something besides *owner* uses *name*, and not as a local of its own."""
    if any(name in item.names for item in document.initials):
        return True
    facts = (node for fact in document.facts for node in traversal.inside(fact.formula))
    if any(isinstance(node, tree.Name) and node.text == name for node in facts):
        return True
    for procedure in document.procedures:
        own = {p.name for p in procedure.parameters} | _declared_in(procedure)
        if procedure is owner or name in own:
            continue
        uses = (use for use in in_procedure(procedure, lambda _: False) if use.name == name)
        first = next(uses, None)
        if first is not None and first.place is not UsePlace.ASSIGNED:
            return True
    return False


def _declared_in(procedure: tree.Procedure) -> frozenset[str]:
    return frozenset(name for item in declarations_in(procedure) for name in item.names)


def _unique(named: Iterable[Owner], report: Report) -> dict[str, Owner]:
    found: dict[str, Owner] = {}
    for item in named:
        if found.setdefault(item.name, item) is item:
            continue
        report.tell(
            codes.PROCEDURE_TWICE,
            f"`{item.name}` is written twice; the first is taken and this one is left out",
            Label(item.name_span, "written again"),
            Label(found[item.name].name_span, "written here first"),
            help="give one of them another name, or join the two",
        )
    return found


def _check_twice(
    name: str,
    first: tree.SetDefinition | tree.Declaration,
    second: tree.SetDefinition | tree.Declaration,
    *,
    report: Report,
) -> None:
    if first == second:
        return
    report.tell(
        codes.DECLARED_TWICE,
        f"`{name}` is declared twice; the first declaration is taken",
        Label(second.span, "declared again"),
        Label(first.span, "declared here first"),
        help="remove one of the two, or give one of them another name",
    )


# Words


def _words(document: Items, names: NameTable) -> Vocabulary:
    """What the definitions and declarations of *document* list in braces."""
    items: list[tree.Name | tree.WordRun] = []
    for expr, bound in _domains(document):
        for node, around in binding.scoped(expr, bound, names.has_value):
            if isinstance(node, tree.SetOf):
                items += listed(node, around, names)
    found: dict[str, Word] = {}
    for item in (*items, *_assigned(document, names)):
        text = spelling(item)
        found.setdefault(key(text), Word(Atom(text), item.span))
    return Vocabulary(found)


def _assigned(document: Items, names: NameTable) -> Iterator[tree.Name | tree.WordRun]:
    """The words that variables get which no declaration gives a set: they list their values."""
    for procedure in document.procedures:
        own = _own(procedure)
        for assignment in traversal.assignments(procedure.body):
            value = assignment.value
            if names.has_value(assignment.name) or assignment.name in _declared_in(procedure):
                continue
            if isinstance(value, tree.WordRun) and _is_word(value, own, names):
                yield value


def _own(procedure: tree.Procedure) -> frozenset[str]:
    assigned = (assignment.name for assignment in traversal.assignments(procedure.body))
    return frozenset(p.name for p in procedure.parameters).union(assigned)


def _domains(document: Items) -> Iterator[tuple[tree.Expr, frozenset[str]]]:
    """The expressions in which braces list values: definitions, declarations, parameters."""
    for definition in document.sets:
        yield definition.value, frozenset(() if definition.index is None else (definition.index,))
    for declaration in document.declarations:
        yield declaration.domain, frozenset()
    for domain in parameter_domains(document):
        yield domain, frozenset()
    for procedure in document.procedures:
        for declaration in declarations_in(procedure):
            yield declaration.domain, _own(procedure)


def listed(
    node: tree.SetOf, around: frozenset[str], names: NameTable
) -> tuple[tree.Name | tree.WordRun, ...]:
    """The words among the items of *node*, with the names in *around* bound.

    Sets do not change, so a variable listed in one is a word. A name that is a set
    stands for that set, unless it is listed among words: then players or results are
    called after sets.
    """
    if names.are_truths(node):
        return ()
    plain = [i for i in node.items if isinstance(i, tree.Name | tree.WordRun)]
    found = [i for i in plain if _is_word(i, around, names)]
    is_bound = any(isinstance(i, tree.Name) and i.text in around for i in plain)
    if found and not is_bound and len(plain) == len(node.items):
        return tuple(plain)
    for item in node.items:
        if isinstance(item, tree.TupleOf):
            parts = (i for i in item.items if isinstance(i, tree.Name | tree.WordRun))
            found.extend(i for i in parts if _is_word(i, around, names))
    return tuple(found)


def _is_word(node: tree.Name | tree.WordRun, around: frozenset[str], names: NameTable) -> bool:
    if isinstance(node, tree.WordRun):
        return node.quoted or not all(names.has_value(word) for word in node.words)
    is_set = names.is_constant(node.text) or node.text in names.lost
    return node.text not in around and not is_set
