"""The items of a document by what they are, and the document at a glance before names are resolved.

The outline tells truth-valued from word-valued names by declarations, facts and first values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from zermelo.core.values import FALSE, TRUE
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.text.headings import SectionKind
from zermelo.text.lines import Setting

INTENDED: Final = "intended"
_DEEPEST_NAME: Final = 20
TRUTH_LETTERS: Final = {"T": TRUE, "F": FALSE}
"""The letters that tables of truth values are filled with."""
TRUTH_SETS: Final = frozenset({"b", "bool", "boolean", "booleans", "𝔹"})


@dataclass(frozen=True, slots=True)
class Items:
    """What a document consists of, each kind in the order written."""

    sets: tuple[tree.SetDefinition, ...]
    declarations: tuple[tree.Declaration, ...]
    facts: tuple[tree.Fact, ...]
    initials: tuple[tree.Initial, ...]
    functions: tuple[tree.FunctionDefinition, ...]
    procedures: tuple[tree.Procedure, ...]
    readings: tuple[Setting, ...]
    view: tuple[Setting, ...]
    prose: tuple[str, ...]
    sentences: tuple[tree.Prose, ...] = ()
    """Lines under the headings that were taken as prose, and are not marked as comments."""
    unread: tuple[tuple[SectionKind, tree.Unparsed], ...] = ()
    properties: tuple[Setting, ...] = ()
    intended: tuple[Setting, ...] = ()
    """Answers to findings."""
    """The lines that were not understood, and the sections in which they stand."""


def items(document: tree.SectionsDocument) -> Items:
    """What *document* consists of, its facts in the form that defines where they have another."""
    found = _with_whole_functions(_as_written(document))
    if not any(isinstance(fact.formula, tree.Iff) for fact in found.facts):
        return found
    found = _with_word_truths(found)
    seen = _outline(found)
    return replace(found, facts=tuple(seen.defining(fact) for fact in found.facts))


def _with_whole_functions(found: Items) -> Items:
    """*found* with one first value for each function that is given its values place by place."""
    places: dict[str, list[tree.Initial]] = {}
    for each in found.initials:
        if each.at:
            places.setdefault(each.names[0], []).append(each)
    if not places:
        return found
    domains = {
        name: each.domain
        for each in found.declarations
        for name in each.names
        if name in places and isinstance(each.domain, tree.Product)
    }
    values = [each.value for each in found.sets] + [each.domain for each in found.declarations]
    said = {n.text for v in values for n in traversal.inside(v) if isinstance(n, tree.Name)}
    known = said | {each.name for each in found.sets}
    whole: list[tree.Initial] = []
    for each in found.initials:
        if not each.at:
            whole.append(each)
        elif each is places[each.names[0]][0]:
            domain = domains.get(each.names[0])
            factors = () if domain is None else domain.factors[:-1]
            value = _joined_places(places[each.names[0]], factors, known)
            whole.append(replace(each, value=value, at=(), over=None))
    return replace(found, initials=tuple(whole))


def _joined_places(
    given: list[tree.Initial], factors: tuple[tree.Expr, ...], known: Set[str]
) -> tree.Expr:
    """The function with these values: those for all places, and others at places of their own."""
    everywhere: tree.Expr | None = None
    pairs: list[tree.Expr] = []
    for each in given:
        span = each.span
        at = each.at[0] if len(each.at) == 1 else tree.TupleOf(each.at, span=span)
        pair = tree.TupleOf((at, each.value), span=span)
        is_bound = all(isinstance(n, tree.Name) and n.text not in known for n in each.at)
        domain = each.over
        if domain is None and factors:
            domain = factors[0] if len(factors) == 1 else tree.Product(factors, span=span)
        if is_bound and domain is not None:
            inside = tree.Compare(at, ((tree.CompareOp.IN, domain),), span=span)
            built = tree.SetBuilder(pair, None, inside, span=span)
            union = tree.BinaryOp.UNION
            everywhere = (
                built if everywhere is None else tree.Binary(union, everywhere, built, span=span)
            )
        else:
            pairs.append(pair)
    listed = tree.SetOf(tuple(pairs), span=given[0].span)
    if everywhere is None:
        return listed
    return (
        tree.Apply(tree.OVERRIDE, (everywhere, listed), span=listed.span) if pairs else everywhere
    )


def _with_word_truths(found: Items) -> Items:
    """*found* with truth values for variables of two words of which a fact says which they are."""
    sides = [side for fact in found.facts for side in traversal.parts(fact.formula)]
    if not any(_asks_for_a_word(side) for side in sides):
        return found
    # Few documents have words for truth values.
    from zermelo.languages.sections.mean.terms import word_truths  # noqa: PLC0415

    seen = _outline(found)
    body = tuple(statement for each in found.procedures for statement in each.body)
    words_of = {name: seen.words_of(name) for name in seen.variables}
    truths = word_truths.word_truths(found.facts, body, words_of)
    if not truths:
        return found
    return replace(
        found,
        declarations=tuple(
            d for each in found.declarations for d in word_truths.declared(each, truths)
        ),
        facts=tuple(word_truths.as_truths(each, truths) for each in found.facts),
        initials=tuple(word_truths.started(each, truths) for each in found.initials),
        procedures=tuple(word_truths.as_truths(each, truths) for each in found.procedures),
    )


def _asks_for_a_word(side: tree.Expr) -> bool:
    match side:
        case tree.Compare(first=tree.Name(), rest=((_, tree.Name() | tree.WordRun()),)):
            return True
        case _:
            return False


def _as_written(document: tree.SectionsDocument) -> Items:
    everything = [item for section in document.sections for item in section.items]
    settings = [
        (section.kind, item)
        for section in document.sections
        for item in section.items
        if isinstance(item, Setting)
    ]
    chosen = [s for kind, s in settings if kind is SectionKind.READING]
    return Items(
        sets=tuple(i for i in everything if isinstance(i, tree.SetDefinition)),
        declarations=tuple(i for i in everything if isinstance(i, tree.Declaration)),
        facts=tuple(i for i in everything if isinstance(i, tree.Fact)),
        initials=tuple(i for i in everything if isinstance(i, tree.Initial)),
        functions=tuple(i for i in everything if isinstance(i, tree.FunctionDefinition)),
        procedures=tuple(i for i in everything if isinstance(i, tree.Procedure)),
        readings=tuple(s for s in chosen if s.key != INTENDED),
        view=tuple(s for kind, s in settings if kind is SectionKind.VIEW),
        properties=tuple(s for kind, s in settings if kind is SectionKind.PROPERTIES),
        intended=tuple(s for s in chosen if s.key == INTENDED),
        sentences=tuple(
            each
            for _, each in _inner(document)
            if isinstance(each, tree.Prose) and not each.is_comment
        ),
        unread=tuple(
            (kind, each) for kind, each in _inner(document) if isinstance(each, tree.Unparsed)
        ),
        prose=_prose(document),
    )


def _inner(
    document: tree.SectionsDocument,
) -> Iterator[tuple[SectionKind, tree.SectionItem | tree.Statement]]:
    """The items of *document*, and the statements in its procedures, each with its section."""
    for section in document.sections:
        for item in section.items:
            yield section.kind, item
            if isinstance(item, tree.Procedure):
                yield from ((section.kind, each) for each in traversal.statements(item.body))


def _prose(document: tree.SectionsDocument) -> tuple[str, ...]:
    lines = list(document.preamble)
    for item in (item for section in document.sections for item in section.items):
        match item:
            case tree.Prose(lines=own):
                lines += own
            case tree.Procedure(body=body):
                lines += [line for s in body if isinstance(s, tree.Prose) for line in s.lines]
            case Setting() | tree.Erratum():
                pass
            case _:
                lines.append(item.note)
    return tuple(line for line in lines if line.strip())


@dataclass(frozen=True)
class ProcedureOutline:
    """A procedure and what it does."""

    procedure: tree.Procedure
    assignments: tuple[traversal.Assignment, ...]
    declarations: Mapping[str, tree.Declaration]

    @property
    def name(self) -> str:
        return self.procedure.name

    @property
    def parameters(self) -> frozenset[str]:
        return frozenset(p.name for p in self.procedure.parameters)

    @property
    def own(self) -> frozenset[str]:
        """The names that mean something only in it: parameters, locals, what it assigns."""
        return self.parameters | self.assigned | frozenset(self.declarations)

    @cached_property
    def assigned(self) -> frozenset[str]:
        return frozenset(a.name for a in self.assignments)

    @cached_property
    def tested(self) -> frozenset[str]:
        """The names its guards mention."""
        guards = traversal.guards_in(self.procedure.body)
        return frozenset(name for guard in guards for name in traversal.names_in(guard))

    @cached_property
    def calls(self) -> frozenset[str]:
        """The names it calls: as statements, or inside expressions."""
        body = self.procedure.body
        called = {s.name for s in traversal.statements(body) if isinstance(s, tree.ProcedureCall)}
        for expr in traversal.expressions_in(body):
            called.update(n.name for n in traversal.inside(expr) if isinstance(n, tree.Apply))
        return frozenset(called)


@dataclass(frozen=True)
class Outline:
    """What a document declares, by name."""

    sets: Mapping[str, tree.Expr]
    variables: Mapping[str, tree.Declaration]
    initial: Mapping[str, tree.Expr]
    facts: tuple[tree.Fact, ...]
    shapes: tuple[ProcedureOutline, ...]
    functions: frozenset[str]

    @cached_property
    def assigned(self) -> frozenset[str]:
        return frozenset(name for shape in self.shapes for name in shape.assigned)

    @cached_property
    def defined(self) -> frozenset[str]:
        """Variables that a fact defines: no rule assigns them."""
        heads = {_defined_by(fact.formula) for fact in self.facts}
        names = frozenset(name for name in heads if name is not None)
        return names.difference(self.assigned, self.sets)

    def _is_truth_set(self, expr: tree.Expr) -> bool:
        """Whether *expr* is the set of truth values, perhaps by name."""
        if isinstance(expr, tree.Name) and expr.text not in self.sets:
            return expr.text.casefold() in TRUTH_SETS
        members = tuple(self._members(expr))
        return self._are_truth_letters(members) or (
            bool(members) and all(isinstance(m, tree.TruthLiteral) for m in members)
        )

    def _are_truth_letters(self, members: tuple[tree.Expr, ...]) -> bool:
        """Whether *members* are `T` and `F`, and the document has no other use for the two."""
        letters = {member.text for member in members if isinstance(member, tree.Name)}
        is_pair = len(members) == len(TRUTH_LETTERS) and letters == set(TRUTH_LETTERS)
        return is_pair and letters.isdisjoint({*self.sets, *self.variables, *self.functions})

    def is_truth(self, name: str) -> bool:
        declaration = self.variables.get(name)
        if declaration is not None:
            is_member = declaration.relation is tree.DeclaredRelation.IN
            is_bit = name in self._said_to_hold and self._is_bit(name)
            return is_member and (is_bit or self._is_truth_set(declaration.domain))
        if name in self.sets or name in self.functions:
            return False
        return isinstance(self.initial.get(name), tree.TruthLiteral) or name in self._truths

    @cached_property
    def _truths(self) -> frozenset[str]:
        """The names that a rule gives a truth value, or a fact says are equivalent to something."""
        assigned = (a for shape in self.shapes for a in shape.assignments)
        found = {a.name for a in assigned if isinstance(a.value, tree.TruthLiteral)}
        return self._said_to_hold.union(found)

    @cached_property
    def _said_to_hold(self) -> frozenset[str]:
        """The names that a fact says are equivalent to something."""
        formulas = (fact.formula for fact in self.facts)
        heads = (each.left for each in formulas if isinstance(each, tree.Iff))
        return frozenset(head.text for head in heads if isinstance(head, tree.Name))

    def defining(self, fact: tree.Fact) -> tree.Fact:
        """*fact* with ``v ↔ φ`` for ``v = true ↔ φ``, and ``v ↔ ¬φ`` for ``¬v ↔ φ``."""
        match fact.formula:
            case tree.Iff(left=left, right=right) if (head := self._asked_value(left)) is not None:
                name, holds = head
                body = right if holds else tree.Not(right, span=right.span)
            case tree.Iff(left=left, right=right) if (head := self._asked_value(right)) is not None:
                name, holds = head
                body = left if holds else tree.Not(left, span=left.span)
            case _:
                return fact
        return replace(fact, formula=tree.Iff(name, body, span=fact.formula.span))

    def _asked_value(self, expr: tree.Expr) -> tuple[tree.Name, bool] | None:
        """The name of which *expr* asks no more than which truth value it has, and that value."""
        match expr:
            case tree.Not(operand=tree.Name() as name):
                return name, False
            case tree.Compare(first=tree.Name() as name, rest=((tree.CompareOp.EQ, value),)):
                holds = self._truth_of(value, name.text)
                return None if holds is None else (name, holds)
            case _:
                return None

    def _truth_of(self, value: tree.Expr, name: str) -> bool | None:
        """Which truth value of the variable *name* is written as *value*."""
        match value:
            case tree.TruthLiteral(value=holds):
                return holds
            case tree.NumberLiteral(value=0 | 1 as number) if self._is_bit(name):
                return bool(number)
            case tree.Name(text=text) if text in TRUTH_LETTERS and self.is_truth(name):
                return TRUTH_LETTERS[text].holds
            case _:
                return None

    def _is_bit(self, name: str) -> bool:
        """Whether the variable *name* is declared to be 0 or 1."""
        declaration = self.variables.get(name)
        if declaration is None or declaration.relation is not tree.DeclaredRelation.IN:
            return False
        members = tuple(self._members(declaration.domain))
        values = [member.value for member in members if isinstance(member, tree.NumberLiteral)]
        return len(values) == len(members) and sorted(values) == [0, 1]

    def words_in(self, expr: tree.Expr) -> tuple[tree.Name | tree.WordRun, ...]:
        """The words that *expr* lists, itself or by its name; none if it lists anything else."""
        members = tuple(self._members(expr))
        words = tuple(m for m in members if isinstance(m, tree.Name | tree.WordRun))
        named = [w.text for w in words if isinstance(w, tree.Name)]
        # Sets do not change, so a variable that is listed is a word; and so is a set among words.
        has_word = len(named) < len(words) or not all(
            name in self.sets or name in self.functions for name in named
        )
        return words if has_word and len(words) == len(members) else ()

    def words_of(
        self, name: str, shape: ProcedureOutline | None = None
    ) -> tuple[tree.Name | tree.WordRun, ...]:
        """The words that the variable *name* may hold by its declaration."""
        local = None if shape is None else shape.declarations.get(name)
        declaration = local or self.variables.get(name)
        return () if declaration is None else self.words_in(declaration.domain)

    def is_word_value(self, expr: tree.Expr | None, shape: ProcedureOutline) -> bool:
        """Whether *expr* is a word, a set of words, or such a set added to another, in *shape*."""
        match expr:
            case tree.WordRun():
                return True
            case tree.Name(text=text):
                declared = (self.sets, self.variables, self.functions, self.assigned, shape.own)
                parameters = (other.parameters for other in self.shapes)
                return not any(text in names for names in (*declared, *parameters))
            case tree.SetOf():
                words = self.words_in(expr)
                named = {word.text for word in words if isinstance(word, tree.Name)}
                return bool(words) and not named & shape.own
            case tree.Binary(op=tree.BinaryOp.UNION, right=right):
                return self.is_word_value(right, shape)
            case _:
                return False

    def _members(self, expr: tree.Expr, *, depth: int = 0) -> Iterator[tree.Expr]:
        match expr:
            case tree.SetOf(items=items):
                yield from items
            case tree.Name(text=name) if name in self.sets and depth < _DEEPEST_NAME:
                yield from self._members(self.sets[name], depth=depth + 1)
            case tree.PowerSet(operand=operand):
                yield from self._members(operand, depth=depth + 1)
            case tree.Binary(op=tree.BinaryOp.UNION, left=left, right=right) if (
                depth < _DEEPEST_NAME
            ):
                parts = [tuple(self._members(each, depth=depth + 1)) for each in (left, right)]
                yield from (*parts[0], *parts[1]) if all(parts) else ()
            case _:
                pass


def outline(document: tree.SectionsDocument) -> Outline:
    """*document* at a glance; of several definitions of a name the first counts."""
    return _outline(items(document))


def _outline(found: Items) -> Outline:
    return Outline(
        {item.name: item.value for item in reversed(found.sets)},
        {name: item for item in reversed(found.declarations) for name in item.names},
        {name: item.value for item in reversed(found.initials) for name in item.names},
        found.facts,
        tuple(map(_shape, found.procedures)),
        frozenset(item.name for item in found.functions),
    )


def _shape(procedure: tree.Procedure) -> ProcedureOutline:
    declarations = {name: d for d in declarations_in(procedure) for name in d.names}
    return ProcedureOutline(procedure, tuple(traversal.assignments(procedure.body)), declarations)


def _defined_by(formula: tree.Expr) -> str | None:
    match formula:
        case (
            tree.Iff(left=tree.Name(text=name))
            | tree.Compare(first=tree.Name(text=name), rest=((tree.CompareOp.EQ, _), *_))
        ):
            return name
        case _:
            return None


def declarations_in(procedure: tree.Procedure) -> Iterator[tree.Declaration]:
    for statement in traversal.statements(procedure.body):
        if isinstance(statement, tree.Declaration):
            yield statement


def spelling(node: tree.Name | tree.WordRun) -> str:
    """The words of *node* with single blanks."""
    return node.text if isinstance(node, tree.Name) else " ".join(node.words)
