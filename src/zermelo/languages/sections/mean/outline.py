"""A document at a glance, before names are resolved: its sets, variables, facts and procedures.

Tells truth-valued from word-valued names by their declarations, facts and first values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from zermelo.languages.sections.mean.terms import walk
from zermelo.languages.sections.read.grammar import tree

_DEPTH: Final = 20
_TRUTH_SETS: Final = frozenset({"b", "bool", "boolean", "booleans", "𝔹"})


@dataclass(frozen=True)
class Shape:
    """A procedure and what it does."""

    procedure: tree.Procedure
    assignments: tuple[walk.Assignment, ...]
    declarations: Mapping[str, tree.Declaration]
    """Its local declarations by name."""

    @property
    def name(self) -> str:
        """The procedure's name."""
        return self.procedure.name

    @property
    def parameters(self) -> frozenset[str]:
        """The names of its parameters."""
        return frozenset(p.name for p in self.procedure.parameters)

    @property
    def own(self) -> frozenset[str]:
        """The names that mean something only in it: parameters, locals, what it assigns."""
        return self.parameters | self.assigned | frozenset(self.declarations)

    @cached_property
    def assigned(self) -> frozenset[str]:
        """The names it assigns."""
        return frozenset(a.name for a in self.assignments)

    @cached_property
    def tested(self) -> frozenset[str]:
        """The names its guards mention."""
        guards = walk.guards_in(self.procedure.body)
        return frozenset(name for guard in guards for name in walk.names_in(guard))

    @cached_property
    def calls(self) -> frozenset[str]:
        """The names it calls: as statements, or inside expressions."""
        body = self.procedure.body
        called = {s.name for s in walk.statements(body) if isinstance(s, tree.Call)}
        for expr in walk.expressions_in(body):
            called.update(n.name for n in walk.inside(expr) if isinstance(n, tree.Apply))
        return frozenset(called)


@dataclass(frozen=True)
class Outline:
    """What a document declares, by name."""

    sets: Mapping[str, tree.Expr]
    variables: Mapping[str, tree.Declaration]
    initial: Mapping[str, tree.Expr]
    facts: tuple[tree.Fact, ...]
    shapes: tuple[Shape, ...]
    functions: frozenset[str]

    @cached_property
    def assigned(self) -> frozenset[str]:
        """The names that some procedure assigns."""
        return frozenset(name for shape in self.shapes for name in shape.assigned)

    @cached_property
    def defined(self) -> Mapping[str, tree.Expr]:
        """Variables that a fact defines (no rule assigns them), with their definitions."""
        found: dict[str, tree.Expr] = {}
        for fact in self.facts:
            pair = _definition(fact.formula)
            if pair is not None and pair[0] not in self.assigned and pair[0] not in self.sets:
                found.setdefault(*pair)
        return found

    def is_declared(self, name: str) -> bool:
        """Whether *name* is a set, a variable or a function of the document."""
        return name in self.sets or name in self.variables or name in self.functions

    def is_truth_set(self, expr: tree.Expr) -> bool:
        """Whether *expr* is the set of truth values, perhaps by name."""
        if isinstance(expr, tree.Name) and expr.text not in self.sets:
            return expr.text.casefold() in _TRUTH_SETS
        members = tuple(self._members(expr))
        return bool(members) and all(isinstance(m, tree.Truth) for m in members)

    def is_truth(self, name: str) -> bool:
        """Whether *name* is a variable with truth values."""
        declaration = self.variables.get(name)
        if declaration is not None:
            is_member = declaration.relation is tree.Relation.IN
            return is_member and self.is_truth_set(declaration.domain)
        if name in self.sets or name in self.functions:
            return False
        given = [a.value for shape in self.shapes for a in shape.assignments if a.name == name]
        return any(isinstance(v, tree.Truth) for v in (self.initial.get(name), *given)) or any(
            isinstance(fact.formula, tree.Iff) and fact.formula.left == tree.Name(name)
            for fact in self.facts
        )

    def words_in(self, expr: tree.Expr) -> tuple[tree.Name | tree.Words, ...]:
        """The words that *expr* lists, itself or by its name; none if it lists anything else."""
        members = tuple(self._members(expr))
        words = tuple(m for m in members if isinstance(m, tree.Name | tree.Words))
        # Sets do not change, so a variable that is listed is a word; and so is a set among words.
        if len(words) < len(members) or all(self._is_constant(w) for w in words):
            return ()
        return words

    def words_of(self, name: str, shape: Shape | None = None) -> tuple[tree.Name | tree.Words, ...]:
        """The words that the variable *name* may hold by its declaration."""
        local = None if shape is None else shape.declarations.get(name)
        declaration = local or self.variables.get(name)
        return () if declaration is None else self.words_in(declaration.domain)

    def is_word_value(self, expr: tree.Expr | None, shape: Shape) -> bool:
        """Whether *expr* is a word, a set of words, or such a set added to another, in *shape*."""
        match expr:
            case tree.Words():
                return True
            case tree.Name(text=text):
                return not self._is_other_name(expr) and text not in shape.own
            case tree.SetOf():
                words = self.words_in(expr)
                named = {word.text for word in words if isinstance(word, tree.Name)}
                return bool(words) and not named & shape.own
            case tree.Binary(op=tree.BinaryOp.UNION, right=right):
                return self.is_word_value(right, shape)
            case _:
                return False

    def _is_constant(self, word: tree.Name | tree.Words) -> bool:
        return isinstance(word, tree.Name) and (
            word.text in self.sets or word.text in self.functions
        )

    def _is_other_name(self, word: tree.Name | tree.Words) -> bool:
        return isinstance(word, tree.Name) and (
            self.is_declared(word.text)
            or word.text in self.assigned
            or any(word.text in shape.parameters for shape in self.shapes)
        )

    def _members(self, expr: tree.Expr, *, depth: int = 0) -> Iterator[tree.Expr]:
        match expr:
            case tree.SetOf(items=items):
                yield from items
            case tree.Name(text=name) if name in self.sets and depth < _DEPTH:
                yield from self._members(self.sets[name], depth=depth + 1)
            case tree.PowerSet(operand=operand):
                yield from self._members(operand, depth=depth + 1)
            case _:
                pass


def outline(document: tree.Document) -> Outline:
    """*document* at a glance."""
    items = [item for section in document.sections for item in section.items]
    sets = {i.name: i.value for i in reversed(items) if isinstance(i, tree.SetDefinition)}
    variables = {
        name: item
        for item in reversed(items)
        if isinstance(item, tree.Declaration)
        for name in item.names
    }
    initial = {
        name: item.value
        for item in reversed(items)
        if isinstance(item, tree.Initial)
        for name in item.names
    }
    return Outline(
        sets,
        variables,
        initial,
        tuple(i for i in items if isinstance(i, tree.Fact)),
        tuple(_shape(i) for i in items if isinstance(i, tree.Procedure)),
        frozenset(i.name for i in items if isinstance(i, tree.Function)),
    )


def _shape(procedure: tree.Procedure) -> Shape:
    declarations = {
        name: statement
        for statement in walk.statements(procedure.body)
        if isinstance(statement, tree.Declaration)
        for name in statement.names
    }
    return Shape(procedure, tuple(walk.assignments(procedure.body)), declarations)


def _definition(formula: tree.Expr) -> tuple[str, tree.Expr] | None:
    """The name that *formula* defines, and its definition."""
    match formula:
        case tree.Iff(left=tree.Name(text=name), right=right):
            return name, right
        case tree.Compare(first=tree.Name(text=name), rest=((tree.CompareOp.EQ, right), *_)):
            return name, right
        case _:
            return None
