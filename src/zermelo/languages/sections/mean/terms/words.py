"""Words that are values: the members of the enumerations of a document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from zermelo.core.values import Atom
from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.terms import binding, walk
from zermelo.languages.sections.read.grammar import tree
from zermelo.text.source import Span
from zermelo.text.suggest import distance


@dataclass(frozen=True, slots=True)
class Word:
    """A word that is a value, as the document first spells it."""

    atom: Atom
    span: Span


@dataclass(frozen=True, slots=True)
class Words:
    """The words that some enumeration of the document lists."""

    by_key: Mapping[str, Word]

    def find(self, text: str) -> Word | None:
        """The word that *text* is, up to capitals and blanks."""
        return self.by_key.get(key(text))

    def near(self, text: str) -> Word | None:
        """The one word that *text* nearly is."""
        wanted = key(text)
        limit = 1 if len(wanted) <= 4 else 2
        close = [word for k, word in self.by_key.items() if distance(k, wanted) <= limit]
        return close[0] if len(close) == 1 else None

    def __iter__(self) -> Iterator[Word]:
        return iter(self.by_key.values())


def key(text: str) -> str:
    """What is the same in two spellings of a word.

    >>> key("Beta  Wins") == key("beta wins")
    True
    """
    return re.sub(r"[\s_\-]+", "", text).casefold()


def spelling(node: tree.Name | tree.Words) -> str:
    """The words of *node* with single blanks."""
    return node.text if isinstance(node, tree.Name) else " ".join(node.words)


@dataclass(frozen=True, slots=True)
class Declared:
    """Which names of a document are sets or functions, and which are variables."""

    is_set: Callable[[str], bool]
    is_variable: Callable[[str], bool]

    def is_any(self, name: str) -> bool:
        """Whether *name* is declared at all."""
        return self.is_set(name) or self.is_variable(name)


def words(document: Items, declared: Declared) -> Words:
    """The words of *document*: what its definitions and declarations list in braces."""
    found: dict[str, Word] = {}
    for expr, bound in _domains(document):
        for node, around in binding.scoped(expr, bound, declared.is_any):
            if isinstance(node, tree.SetOf):
                for item in listed(node, around, declared):
                    text = spelling(item)
                    found.setdefault(key(text), Word(Atom(text), item.span))
    for item in _assigned(document, declared):
        text = spelling(item)
        found.setdefault(key(text), Word(Atom(text), item.span))
    return Words(found)


def _assigned(document: Items, declared: Declared) -> Iterator[tree.Name | tree.Words]:
    """The words that variables get which no declaration gives a set: they list their values."""
    for procedure in document.procedures:
        own = _own(procedure)
        for assignment in walk.assignments(procedure.body):
            value = assignment.value
            if declared.is_any(assignment.name) or assignment.name in _declared_in(procedure):
                continue
            if isinstance(value, tree.Words) and _is_word(value, own, declared):
                yield value


def _own(procedure: tree.Procedure) -> frozenset[str]:
    """The parameters of *procedure* and what it assigns."""
    assigned = (assignment.name for assignment in walk.assignments(procedure.body))
    return frozenset(p.name for p in procedure.parameters).union(assigned)


def _declared_in(procedure: tree.Procedure) -> frozenset[str]:
    return frozenset(
        name
        for statement in walk.statements(procedure.body)
        if isinstance(statement, tree.Declaration)
        for name in statement.names
    )


def _domains(document: Items) -> Iterator[tuple[tree.Expr, frozenset[str]]]:
    """The expressions in which braces list values: definitions, declarations, parameters."""
    nothing: frozenset[str] = frozenset()
    for definition in document.sets:
        index = () if definition.index is None else (definition.index,)
        yield definition.value, frozenset(index)
    for declaration in document.declarations:
        yield declaration.domain, nothing
    heads = [f.parameters for f in document.functions]
    heads += [p.parameters for p in document.procedures]
    for parameter in (parameter for head in heads for parameter in head):
        if parameter.domain is not None:
            yield parameter.domain, nothing
    for procedure in document.procedures:
        for statement in walk.statements(procedure.body):
            if isinstance(statement, tree.Declaration):
                yield statement.domain, _own(procedure)


def listed(
    node: tree.SetOf, around: frozenset[str], declared: Declared
) -> tuple[tree.Name | tree.Words, ...]:
    """The words among the items of *node*, with the names in *around* bound.

    Sets do not change, so a variable listed in one is a word. A name that is a set
    stands for that set, unless it is listed among words: then players or results are
    called after sets.
    """
    plain = [i for i in node.items if isinstance(i, tree.Name | tree.Words)]
    found = [i for i in plain if _is_word(i, around, declared)]
    is_bound = any(isinstance(i, tree.Name) and i.text in around for i in plain)
    if found and not is_bound and len(plain) == len(node.items):
        return tuple(plain)
    for item in node.items:
        if isinstance(item, tree.TupleOf):
            parts = (i for i in item.items if isinstance(i, tree.Name | tree.Words))
            found.extend(i for i in parts if _is_word(i, around, declared))
    return tuple(found)


def _is_word(node: tree.Name | tree.Words, around: frozenset[str], declared: Declared) -> bool:
    if isinstance(node, tree.Words):
        return node.quoted or not all(declared.is_any(word) for word in node.words)
    return node.text not in around and not declared.is_set(node.text)
