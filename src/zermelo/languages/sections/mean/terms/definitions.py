"""The sets, families, variables and functions of a document, each understood when first needed.

Definitions may stand in any order and use each other; a circle of them is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from zermelo.core.values import (
    FALSE,
    NUMBER,
    TRUE,
    TRUTH,
    UNKNOWN,
    WORD,
    Atom,
    MixedType,
    NumberType,
    SetType,
    TruthType,
    TupleType,
    Type,
    Unknown,
    WordType,
    words,
)
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.terms import uses
from zermelo.languages.sections.mean.terms.names import NameTable
from zermelo.languages.sections.mean.terms.operators import (
    BITS,
    Typed,
    TypeScope,
    is_known,
    item_type,
)
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.languages.sections.run.domains import SizeEstimator
from zermelo.languages.sections.walk import parts
from zermelo.text import codes
from zermelo.text.diagnostic import Label, Report
from zermelo.text.source import Span

DEFINING = TypeScope(is_domain=True, lists_words=True)
"""The scope of definitions and declarations."""

NONE: Final = Atom("none")
"""The word that ∅ stands for where a variable holds words and rules take them away again."""

_GivenValue: TypeAlias = tuple[tree.Expr, tree.Procedure | None]
"""A value that a name is given, and the procedure in which that is done."""
Elaborate: TypeAlias = Callable[[tree.Expr, TypeScope, Type], Typed]
"""Turns an expression of the tree into one of the system, given the type that fits its place."""


@dataclass(frozen=True, slots=True)
class TypedDomain:
    """The set a variable or parameter ranges over; without an expression nothing is known."""

    expr: ir.Expr | None
    type: Type
    """The type of the values, not of the set."""
    causes: tuple[Span, ...] = ()
    """Where the faults are that leave nothing known."""


NO_DOMAIN = TypedDomain(None, UNKNOWN)


class Definitions:
    """What the names of a document stand for, found on demand and kept."""

    def __init__(
        self, document: Items, names: NameTable, *, report: Report, typed: Elaborate
    ) -> None:
        self._document = document
        self._names = names
        self._report = report
        self._typed = typed
        self._sets: dict[str, Typed | None] = {}
        self._domains: dict[str, TypedDomain] = {}
        self._functions: dict[str, ir.Function | None] = {}
        self._causes: dict[str, tuple[Span, ...]] = {}
        self._open: list[str] = []
        self._values: dict[str, list[tuple[int, _GivenValue]]] | None = None
        self._open_functions: set[str] = set()
        self._empty: dict[str, Span] | None = None
        self.sizes = SizeEstimator(self.resolve)
        self._mentioned = frozenset(
            name for expr in uses.expressions(document) for name in traversal.names_in(expr)
        )

    def adopt(self, system: ir.System) -> None:
        """Take what the sets, variables and functions are from *system*."""
        self._sets.update((s.name, Typed(s.value, s.type)) for s in system.sets)
        self._domains.update((v.name, TypedDomain(v.domain, v.type)) for v in system.variables)
        self._functions.update((f.name, f) for f in system.functions)

    def set_called(self, name: str) -> Typed | None:
        """The set called *name*; ``None`` when its definition cannot be used."""
        if name in self._sets:
            return self._sets[name]
        item = self._names.sets[name]
        if name in self._open:
            self._say_circle(name)
            return None
        self._open.append(name)
        before = self._report.begin()
        with self._report.loud(), self._report.lenient(when=name not in self._mentioned):
            value = self._typed(item.value, DEFINING, UNKNOWN)
            self._sets[name] = value if self._report.is_whole(before) else None
            if self._sets[name] is None:
                self._causes[name] = self._report.leave_out(f"the set {name}", before)
        self._open.pop()
        return self._sets[name]

    def causes(self, name: str) -> tuple[Span, ...]:
        """Where the faults are for which the set or function called *name* cannot be used."""
        return self._causes.get(name, ())

    def _say_circle(self, name: str) -> None:
        circle = self._open[self._open.index(name) :]
        self._report.tell(
            codes.CYCLIC_SETS,
            f"`{name}` is defined by itself"
            if len(circle) == 1
            else f"{' and '.join(f'`{n}`' for n in circle)} are defined by each other",
            Label(self._names.sets[name].span, "needs itself"),
            *(Label(self._names.sets[n].span, f"`{n}` is needed here") for n in circle[1:]),
            help="define one of them without the others",
            once=",".join(sorted(circle)),
        )

    def resolve(self, name: str) -> ir.Expr | None:
        """The definition of the set called *name*, for estimates of size."""
        if name not in self._names.sets or name in self._open:
            return None
        found = self.set_called(name)
        return None if found is None else found.expr

    def variable(self, name: str) -> TypedDomain:
        """The domain of the variable called *name*, as it is declared."""
        if name not in self._domains:
            self._domains[name] = NO_DOMAIN
            entry = self._names.variables[name]
            found = NO_DOMAIN
            if entry.declaration is not None:
                with self._report.loud():
                    found = self.domain(entry.declaration.relation, entry.declaration.domain)
                    if found.causes:
                        self._report.list_left_out(f"the set of {name}", found.causes)
            if not is_known(found.type):
                found = TypedDomain(found.expr, self._type_by_values(name))
            if found.type == NUMBER and self._is_bit(name, found):
                with self._report.loud():
                    is_said = self._report.covers(codes.NUMBER_AS_TRUTH, once=BITS)
                    self._report.tell(
                        codes.NUMBER_AS_TRUTH,
                        f"`{name}` has the values 0 and 1, and is used as a truth value; "
                        "1 is taken as true and 0 as false",
                        Label(entry.span, "0 and 1"),
                        help=f"declare `{name} ∈ {{true, false}}`",
                        once=None if is_said else BITS,
                    )
                span = found.expr.span if found.expr is not None else entry.span
                found = TypedDomain(self.anything(TRUTH, span), TRUTH)
            self._domains[name] = self._with_none(name, found)
        return self._domains[name]

    def _with_none(self, name: str, found: TypedDomain) -> TypedDomain:
        """*found*, and one word more where rules give ∅ to a variable that holds words."""
        given = self._emptied(name)
        if given is None or found.expr is None or found.type != WORD:
            return found
        with self._report.loud():
            self._report.tell(
                codes.EMPTY_AS_WORD,
                f"`{name}` holds a word, and is given `∅`, a set; "
                f"`∅` is taken as one more word, `{NONE}`",
                Label(given, f"taken as `{NONE}`"),
                *self._names.labels(name, "declared here"),
                help=f"add `{NONE}` to the set of `{name}`, and write it for `∅`",
            )
        none = ir.SetOf((ir.Literal(NONE, span=given),), span=given)
        return replace(found, expr=ir.Binary(ir.Op.UNION, found.expr, none, span=found.expr.span))

    def is_emptied(self, name: str) -> bool:
        """Whether ∅ is one more word for the variable called *name*."""
        return self.variable(name).type == WORD and self._emptied(name) is not None

    def lists(self, name: str, word: str) -> bool:
        """Whether the set of the variable called *name* lists *word* itself."""
        expr = self.variable(name).expr
        if isinstance(expr, ir.Ref):
            expr = self.resolve(expr.name)
        return expr is not None and any(part == ir.Literal(Atom(word)) for part in parts(expr))

    def _emptied(self, name: str) -> Span | None:
        """Where a rule first gives ∅ to the variable called *name*."""
        if self._empty is None:
            self._empty = {}
            for procedure in self._document.procedures:
                for given in traversal.assignments(procedure.body):
                    if isinstance(given.value, tree.EmptySet):
                        to = self._names.aliases.get(given.name, given.name)
                        self._empty.setdefault(to, given.value.span)
        return self._empty.get(name)

    def _is_bit(self, name: str, found: TypedDomain) -> bool:
        """Whether a variable with the values 0 and 1 is used as a truth value."""
        expr = found.expr
        if isinstance(expr, ir.Ref):
            expr = self.resolve(expr.name)
        bits = (ir.Literal(0), ir.Literal(1))
        is_pair = isinstance(expr, ir.SetOf) and set(expr.items) == set(bits)
        is_pair = is_pair or expr == ir.SetOf((ir.Range(*bits),))
        return is_pair and uses.is_used_as_truth(self._called(name), self._document)

    def _called(self, name: str) -> frozenset[str]:
        """*name* and the names that stand for it."""
        aliases = (alias for alias, to in self._names.aliases.items() if to == name)
        return frozenset((name, *aliases))

    def domain(
        self, relation: tree.DeclaredRelation | None, domain: tree.Expr, scope: TypeScope = DEFINING
    ) -> TypedDomain:
        """The values that ``∈ domain`` or ``⊆ domain`` allows."""
        before = self._report.begin()
        is_subset = relation in {tree.DeclaredRelation.SUBSET, tree.DeclaredRelation.FUNCTION}
        whole = self._typed(domain, scope, SetType(UNKNOWN))
        if not self._report.is_whole(before):
            causes = self._report.forget(before)
            return TypedDomain(None, SetType(UNKNOWN) if is_subset else UNKNOWN, causes)
        if not isinstance(whole.type, SetType | Unknown):
            self._report.tell(
                codes.KINDS_CLASH,
                f"values are declared to be in {words(whole.type)}, and a set is needed there",
                Label(whole.span, f"{words(whole.type)}, not a set"),
                help="write a set, as in `{0..9}`",
            )
            return TypedDomain(None, UNKNOWN, self._report.forget(before))
        if is_subset:
            kind = whole.type if isinstance(whole.type, SetType) else SetType(UNKNOWN)
            return TypedDomain(ir.PowerSet(whole.expr, span=domain.span), kind)
        return TypedDomain(whole.expr, item_type(whole.type))

    def _type_by_values(self, name: str) -> Type:
        """The type of an undeclared variable, by the first value with a known type it is given."""
        with self._report.quiet():
            for value, scope in self._values_of(name):
                kind = self._typed(value, scope, UNKNOWN).type
                if is_known(kind) and kind != SetType(UNKNOWN):
                    return kind
        return UNKNOWN

    def _values_of(self, name: str) -> Iterator[tuple[tree.Expr, TypeScope]]:
        given = {at: value for name in self._called(name) for at, value in self._given(name)}
        for _, (value, procedure) in sorted(given.items(), key=lambda item: item[0]):
            scope = TypeScope() if procedure is None else self.parameters_scope(procedure)
            yield value, scope

    def _given(self, name: str) -> Iterable[tuple[int, _GivenValue]]:
        """The values that the document gives to *name*, each with its place in its order."""
        if self._values is None:
            self._values = {}
            for at, (names, value, procedure) in enumerate(self._all_given()):
                for each in dict.fromkeys(names):
                    self._values.setdefault(each, []).append((at, (value, procedure)))
        return self._values.get(name, ())

    def _all_given(self) -> Iterator[tuple[tuple[str, ...], tree.Expr, tree.Procedure | None]]:
        """Everything that is given a value: initials first, then facts, then assignments."""
        for initial in self._document.initials:
            yield initial.names, initial.value, None
        for fact in self._document.facts:
            match fact.formula:
                case tree.Iff(left=tree.Name(text=text)):
                    yield (text,), tree.TruthLiteral(value=True), None
                case tree.Compare(first=tree.Name(text=text), rest=((_, value),)):
                    yield (text,), value, None
                case _:
                    pass
        for procedure in self._document.procedures:
            for assignment in traversal.assignments(procedure.body):
                if assignment.value is not None:
                    yield (assignment.name,), assignment.value, procedure

    def parameters_scope(self, procedure: tree.Procedure) -> TypeScope:
        """The scope with the parameters of *procedure* and its locals of types not yet known."""
        own = self._names.locals.get(procedure.name, ())
        types: dict[str, Type] = dict.fromkeys(own, UNKNOWN)
        for parameter in procedure.parameters:
            if parameter.domain is not None:
                types[parameter.name] = self.domain(parameter.relation, parameter.domain).type
        return TypeScope(types)

    def function(self, name: str) -> ir.Function | None:
        """The value function or family called *name*; ``None`` while it is being understood."""
        if name not in self._functions:
            self._functions[name] = None
            self._open_functions.add(name)
            before = self._report.begin()
            with self._report.loud():
                if name in self._names.families:
                    what, found = "family", self._family(self._names.families[name])
                else:
                    what, found = "function", self._function(self._names.functions[name])
                is_usable = self._report.is_whole(before)
                if not is_usable:
                    self._causes[name] = self._report.leave_out(f"the {what} {name}", before)
            self._open_functions.discard(name)
            self._functions[name] = found if is_usable else None
        return self._functions[name]

    def is_done(self, name: str) -> bool:
        """Whether the function called *name* has been understood, or found to be unusable."""
        return name in self._functions and name not in self._open_functions

    def _function(self, item: tree.FunctionDefinition) -> ir.Function:
        parameters = tuple(self._parameter(p, item.body) for p in item.parameters)
        scope = TypeScope({p.name: p.type for p in parameters})
        body = self._typed(item.body, scope, UNKNOWN)
        return ir.Function(item.name, parameters, body.expr, body.type, span=item.span)

    def _family(self, item: tree.SetDefinition) -> ir.Function:
        index = item.index or ""
        with self._report.quiet():
            found = self.index_set(item.name)
        whole = NO_DOMAIN if found is None else self.domain(tree.DeclaredRelation.IN, found)
        kind = whole.type if is_known(whole.type) else NUMBER
        parameter = ir.Parameter(index, whole.expr or self.anything(kind, item.span), kind)
        scope = DEFINING.bind((index,), (kind,))
        body = self._typed(item.value, scope, UNKNOWN)
        return ir.Function(item.name, (parameter,), body.expr, body.type, span=item.span)

    def index_set(self, family: str) -> tree.Expr | None:
        """The set that the index of *family* ranges over, as the document says or suggests."""
        item = self._names.families[family]
        found = uses.index_set_in(item.index or "", item.value)
        if found is not None:
            return found
        found = uses.index_set_by_use(family, self._document, is_set=self._names.is_set)
        if found is None and (item.index or "").upper() in self._names.sets:
            found = tree.Name((item.index or "").upper(), span=item.span)
        if found is None:
            return None
        text = "the indices that are used"
        tip = f"add `{item.index} ∈ S ∧` to its condition, with the set S of its values"
        if isinstance(found, tree.Name):
            text = found.text
            tip = f"add `{item.index} ∈ {text} ∧` to its condition"
        self._report.tell(
            codes.INDEX_WITHOUT_SET,
            f"nothing says which values the index of `{item.name}_{item.index}` has; "
            f"{text} is taken",
            Label(item.span, "from which set is the index?"),
            help=tip,
            once=item.name,
        )
        return found

    def anything(self, kind: Type, span: Span) -> ir.Expr:
        """A set that every value of type *kind* is in, where the document names none."""
        match kind:
            case TruthType():
                return ir.Literal(frozenset({TRUE, FALSE}), span=span)
            case WordType():
                return ir.Literal(frozenset(word.atom for word in self._names.words), span=span)
            case TupleType(items):
                return ir.Product(tuple(self.anything(i, span) for i in items), span=span)
            case SetType(item):
                return ir.PowerSet(self.anything(item, span), span=span)
            case MixedType(kinds):
                first, *others = (self.anything(each, span) for each in kinds)
                for other in others:
                    first = ir.Binary(ir.Op.UNION, first, other, span=span)
                return first
            case NumberType() | Unknown():
                return ir.NumberSet(ir.NumberSetKind.INTEGER, span=span)

    def _parameter(self, item: tree.Parameter, body: tree.Expr) -> ir.Parameter:
        """A parameter of a function; one without a domain gets its type from how it is used."""
        if item.domain is not None:
            found = self.domain(item.relation, item.domain)
        else:
            found = TypedDomain(None, uses.type_by_use(item.name, (body,)))
        domain = found.expr or self.anything(found.type, item.span)
        return ir.Parameter(item.name, domain, found.type)
