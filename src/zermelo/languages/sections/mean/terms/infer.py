"""Trees become expressions of a system: names are resolved, and everything has a type.

Types decide what a symbol means where documents use one for several things. What is
not known has the type unknown, which nothing complains about; what cannot be used is
counted in the report, so that the item around it is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, assert_never

from zermelo.core.signature import Reading
from zermelo.core.values import (
    FALSE,
    NUMBER,
    TRUE,
    TRUTH,
    UNKNOWN,
    WORD,
    NumberType,
    SetType,
    TruthType,
    TupleType,
    Type,
    Unknown,
    joined,
    kinds_in,
    number,
    truth,
    tuple_type,
    unify,
    words,
)
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Op
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.items import Items
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.terms import binding, finite, operators
from zermelo.languages.sections.mean.terms.binding import FoundGenerator, Generator
from zermelo.languages.sections.mean.terms.definitions import NONE, Definitions
from zermelo.languages.sections.mean.terms.lookup import Lookup
from zermelo.languages.sections.mean.terms.names import NameTable, listed
from zermelo.languages.sections.mean.terms.operators import (
    Typed,
    TypeScope,
    component_types,
    is_known,
    item_type,
    nothing,
)
from zermelo.languages.sections.mean.terms.unlike import UnlikeSides
from zermelo.languages.sections.printer import is_pattern, to_text
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.languages.sections.read.grammar.printer import to_text as to_unicode
from zermelo.languages.sections.read.grammar.tree import Quantifier
from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Fix, Label, Report
from zermelo.text.source import Span

_STEPS_OF_AN_EXPRESSION: Final = 40
_EQUALITIES = frozenset({tree.CompareOp.EQ, tree.CompareOp.NE})

_Leaf = (
    tree.Name
    | tree.WordRun
    | tree.NumberLiteral
    | tree.TruthLiteral
    | tree.NumberSet
    | tree.EmptySet
)
_Collection = tree.SetOf | tree.Range | tree.TupleOf | tree.PowerSet
_Term = tree.Binary | tree.Negate | tree.BarsAround | tree.Floor | tree.Ceiling
_Formula = tree.Compare | tree.Not | tree.And | tree.Or | tree.Implies | tree.Iff
# ``{e | φ}`` that binds no name is {e} or empty: e is listed once, or not at all.
_ONCE = Generator(("·",), tree.SetOf((tree.NumberLiteral(0),)))


class Inference:
    """Elaborates the expressions of one document."""

    def __init__(
        self, document: Items, names: NameTable, *, report: Report, given: Mapping[str, Choice]
    ) -> None:
        self.names = names
        self.report = report
        self.definitions = Definitions(document, names, report=report, typed=self.typed)
        self.quantifier_reading: Reading | None = None
        """The reading of ``∀w (w ∈ W ∧ φ)``, once one was met."""
        self.sides = UnlikeSides(report, given)
        self._lookup = Lookup(names, self.definitions, report, self.typed, self.sides.settled)
        self._given = given

    def typed(self, expr: tree.Expr, scope: TypeScope, expected: Type = UNKNOWN) -> Typed:
        """*expr* with its names resolved, and its type; *expected* is what fits its place."""
        spend(_STEPS_OF_AN_EXPRESSION, "working out what formulas mean", expr.span)
        match expr:
            case tree.Quantified(variables=variables, domain=domain, body=body):
                return self._quantify(expr, variables, domain, body, scope)
            case tree.SetBuilder():
                return self._builder(expr, scope)
            case tree.Folded():
                return self._folded(expr, scope)
            case tree.Apply():
                return self._lookup.applied(expr, scope, expected)
            case tree.Component(operand=operand, number=place):
                # Few documents use what is built in.
                from zermelo.languages.sections.mean.terms import built_ins  # noqa: PLC0415

                whole = self.typed(operand, scope)
                return built_ins.component(whole, place, expr.span, self.report)
            case tree.SetOf() | tree.Range() | tree.TupleOf() | tree.PowerSet():
                return self._collection(expr, scope, expected)
            case tree.Product(factors=factors):
                typed = [self.typed(factor, scope) for factor in factors]
                return operators.product(typed, span=expr.span, report=self.report)
            case tree.Binary() | tree.Negate() | tree.BarsAround() | tree.Floor() | tree.Ceiling():
                return self._term(expr, scope, expected)
            case tree.Compare() | tree.Not() | tree.And() | tree.Or() | tree.Implies() | tree.Iff():
                return self._formula(expr, scope)
            case _:
                return self._leaf(expr, scope, expected)

    def fitting(
        self,
        expr: tree.Expr,
        scope: TypeScope,
        kind: Type,
        complaint: Callable[[str, str], str],
        *secondary: Label,
    ) -> Typed:
        """*expr* where *kind* is looked for; *complaint* says so of its text and kind if not."""
        faults = self.report.faults
        if isinstance(kind, SetType) and isinstance(expr, tree.NumberLiteral) and not expr.value:
            self._damaged("0", "∅", expr.span)
            return Typed(ir.SetOf((), span=expr.span), kind)
        value = self.typed(expr, scope, kind)
        return operators.must_fit(
            value, kind, complaint, *secondary, faults=faults, report=self.report
        )

    def _leaf(self, expr: _Leaf, scope: TypeScope, expected: Type) -> Typed:
        match expr:
            case tree.Name():
                return self._lookup.name(expr, scope, expected)
            case tree.WordRun():
                return self._lookup.run(expr, scope, expected)
            case tree.NumberLiteral(value=value):
                return Typed(ir.Literal(number(value), span=expr.span), NUMBER)
            case tree.TruthLiteral(value=value):
                return Typed(ir.Literal(truth(value), span=expr.span), TRUTH)
            case tree.NumberSet(kind=kind):
                made = ir.NumberSet(ir.NumberSetKind(kind.value), span=expr.span)
                return Typed(made, SetType(NUMBER))
            case tree.EmptySet():
                empty = expected if isinstance(expected, SetType) else SetType(UNKNOWN)
                return Typed(ir.SetOf((), span=expr.span), empty)
            case _:
                assert_never(expr)

    def _collection(self, expr: _Collection, scope: TypeScope, expected: Type) -> Typed:
        match expr:
            case tree.SetOf():
                return self._set_of(expr, scope, expected)
            case tree.Range(low=low, high=high):
                limits = (self._number(low, scope, "`..`"), self._number(high, scope, "`..`"))
                return Typed(ir.Range(*limits, span=expr.span), SetType(NUMBER))
            case tree.TupleOf(items=items):
                wanted = component_types(expected, len(items))
                parts = [self.typed(i, scope, w) for i, w in zip(items, wanted, strict=True)]
                made = ir.TupleOf(tuple(p.expr for p in parts), span=expr.span)
                return Typed(made, tuple_type(tuple(p.type for p in parts)))
            case tree.PowerSet(operand=operand):
                whole = self.typed(operand, scope, expected=item_type(expected))
                base = operators.as_set(whole, "`𝒫`", report=self.report)
                kind = base.type if isinstance(base.type, SetType) else SetType(UNKNOWN)
                return Typed(ir.PowerSet(base.expr, span=expr.span), SetType(kind))
            case _:
                assert_never(expr)

    def _set_of(self, expr: tree.SetOf, scope: TypeScope, expected: Type) -> Typed:
        wanted = TRUTH if self.names.are_truths(expr) else item_type(expected)
        named = listed(expr, frozenset(scope.types), self.names) if scope.lists_words else ()
        named_ids = {id(word) for word in named}
        items: list[Typed] = []
        kinds: list[Type] = []
        for item in expr.items:
            is_range = isinstance(item, tree.Range)
            made = self.typed(item, scope, expected=WORD if id(item) in named_ids else wanted)
            items.append(made)
            kinds.append(item_type(made.type) if is_range else made.type)
            if not is_known(wanted) and not is_range:
                wanted = made.type
        kind = self._common(items, kinds, expr.span)
        return Typed(ir.SetOf(tuple(i.expr for i in items), span=expr.span), SetType(kind))

    def _common(self, items: list[Typed], kinds: list[Type], span: Span) -> Type:
        """The type of the members of a set; says where they are of unlike kinds."""
        kind: Type = UNKNOWN
        for item, this in zip(items, kinds, strict=True):
            if unify(kind, this) is None:
                first, first_kind = items[0], words(kinds[0])
                self.report.tell(
                    codes.UNLIKE_KINDS,
                    f"this set lists `{to_text(first.expr)}`, {first_kind}, "
                    f"beside `{to_text(item.expr)}`, {words(this)}; it has members of both kinds",
                    Label(item.span, words(this)),
                    *([Label(first.span, first_kind)] if first.span != span else []),
                    help="list values of one kind, if that was meant",
                    once=f"{span.start}",
                )
            kind = joined(kind, this)
        return kind

    def _term(self, expr: _Term, scope: TypeScope, expected: Type) -> Typed:
        match expr:
            case tree.Binary():
                return self._binary(expr, scope, expected)
            case tree.BarsAround(operand=operand):
                inner = self.typed(operand, scope)
                if isinstance(inner.type, NumberType):
                    made: ir.Expr = ir.Abs(inner.expr, span=expr.span)
                else:
                    whole = operators.as_set(inner, "`| |`", report=self.report)
                    made = ir.Card(whole.expr, span=expr.span)
            case tree.Negate(operand=operand):
                inner = self.typed(operand, scope, expected=NUMBER)
                if isinstance(inner.type, TruthType):
                    self._damaged("−", "¬", Span(expr.span.start, operand.span.start))
                    return Typed(ir.Not(inner.expr, span=expr.span), TRUTH)
                number = operators.number(inner, "`−`", report=self.report)
                made = ir.Negate(number.expr, span=expr.span)
            case tree.Floor(operand=operand):
                made = ir.Floor(self._number(operand, scope, "`⌊⌋`"), span=expr.span)
            case tree.Ceiling(operand=operand):
                made = ir.Ceiling(self._number(operand, scope, "`⌈⌉`"), span=expr.span)
            case _:
                assert_never(expr)
        return Typed(made, NUMBER)

    def _binary(self, expr: tree.Binary, scope: TypeScope, expected: Type) -> Typed:
        if expr.op is tree.BinaryOp.EITHER:
            return self._either(expr, scope, expected)
        is_power = expr.op is tree.BinaryOp.POWER and isinstance(expected, SetType)
        a = self.typed(expr.left, scope, expected=UNKNOWN if is_power else expected)
        hint = UNKNOWN if is_power else a.type if is_known(a.type) else expected
        b = self.typed(expr.right, scope, expected=hint)
        return operators.binary(
            expr.op, a, b, span=expr.span, report=self.report, settle=self.sides.settled
        )

    def _either(self, expr: tree.Binary, scope: TypeScope, expected: Type) -> Typed:
        """``A ⊕ B``: of sets what is in one of them, of truth values whether one holds."""
        span = expr.span
        if TRUTH in {self._kind(expr.left, scope), self._kind(expr.right, scope)}:
            sides = (self.formula(side, scope, "`⊕`") for side in (expr.left, expr.right))
            same = ir.Binary(Op.IFF, *sides, span=span)
            return Typed(ir.Not(same, span=span), TRUTH)
        minus, union = tree.BinaryOp.DIFFERENCE, tree.BinaryOp.UNION
        a = self._binary(tree.Binary(minus, expr.left, expr.right, span=span), scope, expected)
        with self.report.quiet():
            b = self._binary(tree.Binary(minus, expr.right, expr.left, span=span), scope, expected)
        return operators.binary(
            union, a, b, span=span, report=self.report, settle=self.sides.settled
        )

    def _damaged(self, written: str, meant: str, span: Span) -> None:
        """Say that the kinds around a sign show it to be what is left of another."""
        self.report.tell(
            codes.DAMAGED_SIGN,
            f"`{written}` is read as `{meant}`",
            Label(span, f"`{meant}` fits here, and `{written}` does not"),
            help=f"write `{meant}`",
            fix=Fix(span, meant),
        )

    def _number(self, expr: tree.Expr, scope: TypeScope, where: str) -> ir.Expr:
        value = self.typed(expr, scope, expected=NUMBER)
        return operators.number(value, where, report=self.report).expr

    def formula(self, expr: tree.Expr, scope: TypeScope, where: str) -> ir.Expr:
        value = self.typed(expr, scope, expected=TRUTH)
        return operators.truth(value, where, report=self.report).expr

    def _formula(self, expr: _Formula, scope: TypeScope) -> Typed:
        match expr:
            case tree.Compare():
                return self._compare(expr, scope)
            case tree.Not(operand=operand):
                made: ir.Expr = ir.Not(self.formula(operand, scope, "`¬`"), span=expr.span)
            case tree.And(operands=operands):
                made = ir.And(self._conjuncts(operands, scope), span=expr.span)
            case tree.Or(operands=operands):
                cases = tuple(self.formula(o, scope, "`∨`") for o in operands)
                made = ir.Or(cases, span=expr.span)
            case tree.Implies(left=left, right=right):
                sides = (self.formula(left, scope, "`→`"), self.formula(right, scope, "`→`"))
                made = ir.Binary(Op.IMPLIES, *sides, span=expr.span)
            case tree.Iff():
                return self._iff(expr, scope)
            case _:
                assert_never(expr)
        return Typed(made, TRUTH)

    def _conjuncts(self, operands: tuple[tree.Expr, ...], scope: TypeScope) -> tuple[ir.Expr, ...]:
        """The operands of a conjunction; the links of a chain are operands of their own."""
        parts: list[ir.Expr] = []
        for operand in operands:
            made = self.formula(operand, scope, "`∧`")
            if isinstance(operand, tree.Compare) and isinstance(made, ir.And):
                parts.extend(made.operands)
            else:
                parts.append(made)
        return tuple(parts)

    def _iff(self, expr: tree.Iff, scope: TypeScope) -> Typed:
        kind = self._kind(expr.left, scope)
        if isinstance(kind, TruthType | Unknown | NumberType):
            sides = (self.formula(side, scope, "`↔`") for side in (expr.left, expr.right))
            return Typed(ir.Binary(Op.IFF, *sides, span=expr.span), TRUTH)
        a = self.typed(expr.left, scope)
        b = self.typed(expr.right, scope, expected=kind)
        self.report.say(operators.iff_of_values(to_text(a.expr), kind, expr.span))
        return self._related(tree.CompareOp.EQ, a, b, expr.span)

    def _compare(self, expr: tree.Compare, scope: TypeScope) -> Typed:
        split = self._truth_split(expr, scope)
        if split is not None:
            left, op, right = split
            kind = Op.IFF if op is tree.CompareOp.EQ else Op.NE
            sides = (self.formula(left, scope, "`=`"), self.formula(right, scope, "`=`"))
            return Typed(ir.Binary(kind, *sides, span=expr.span), TRUTH)
        parts: list[ir.Expr] = []
        before, left_tree = self.typed(expr.first, scope), expr.first
        for op, right_tree in expr.rest:
            is_member = op in {tree.CompareOp.IN, tree.CompareOp.NOT_IN}
            hint = SetType(before.type) if is_member else before.type
            if not is_member and self.is_meant(before.expr, right_tree, scope):
                hint = UNKNOWN
            after = self.typed(right_tree, scope, expected=hint)
            is_clash = after.type == WORD and not operators.fits(before.type, WORD)
            if (
                is_clash
                and op in _EQUALITIES
                and isinstance(left_tree, tree.Name)
                and self.names.words.find(left_tree.text)
            ):
                # A name that is both a set and a word is the one that fits the other side.
                before = self.typed(left_tree, scope, expected=WORD)
            # One cause, one message: an operand that cannot be used has the type unknown.
            span = left_tree.span.to(right_tree.span)
            parts.append(self._related(op, before, after, span).expr)
            before, left_tree = after, right_tree
        made = parts[0] if len(parts) == 1 else ir.And(tuple(parts), span=expr.span)
        return Typed(made, TRUTH)

    def is_meant(self, holder: ir.Expr, expr: tree.Expr, scope: TypeScope) -> bool:
        """Whether *expr*, a word and a variable that holds words, is that variable.

        The word is meant beside a variable whose set lists it: `turn = cat`, but not `mouse = cat`.
        """
        match expr:
            case tree.Name(text=text) if text in self.names.variables and not scope.has(text):
                is_word = self.names.words.find(text) is not None
                if not is_word or self.definitions.variable(text).type != WORD:
                    return False
                name = holder.name if isinstance(holder, ir.Ref) else ""
                return not (name in self.names.variables and self.definitions.lists(name, text))
            case _:
                return False

    def _related(self, op: tree.CompareOp, left: Typed, right: Typed, span: Span) -> Typed:
        a, b = self._beside(left, right), self._beside(right, left)
        return operators.compare(op, a, b, span=span, report=self.report, settle=self.sides.settled)

    def _beside(self, side: Typed, other: Typed) -> Typed:
        """*side*, or the word that ∅ stands for beside a variable that holds words."""
        match other.expr:
            case ir.Ref(name=name) if name in self.names.variables and operators.is_empty(side):
                is_word = self.definitions.is_emptied(name)
                return Typed(ir.Literal(NONE, span=side.span), WORD) if is_word else side
            case _:
                return side

    def _truth_split(
        self, expr: tree.Compare, scope: TypeScope
    ) -> tuple[tree.Expr, tree.CompareOp, tree.Expr] | None:
        """``ok = x ∈ S`` and ``x ∈ S = true``: one side is a truth value, the other a chain."""
        if len(expr.rest) < 2:
            return None
        first_op, second = expr.rest[0]
        last_op, last = expr.rest[-1]
        kinds = [self._kind(e, scope) for e in (expr.first, second, last)]
        before_last = self._kind(expr.rest[-2][1], scope)
        if first_op in _EQUALITIES and kinds[0] == TRUTH and kinds[1] not in {TRUTH, UNKNOWN}:
            rest = tree.Compare(second, expr.rest[1:], span=second.span.to(last.span))
            return expr.first, first_op, rest
        if last_op in _EQUALITIES and kinds[2] == TRUTH and before_last not in {TRUTH, UNKNOWN}:
            span = expr.first.span.to(expr.rest[-2][1].span)
            return tree.Compare(expr.first, expr.rest[:-1], span=span), last_op, last
        return None

    def _kind(self, expr: tree.Expr, scope: TypeScope) -> Type:
        """The type that *expr* will have; of formulas their form tells it.

        Formulas may be nested in each other: looking into each before it is worked out would
        double the work at every level.
        """
        if isinstance(expr, _Formula | tree.Quantified):
            return TRUTH
        with self.report.quiet():
            return self.typed(expr, scope).type

    def _quantify(
        self,
        expr: tree.Quantified,
        variables: Sequence[str],
        domain: tree.Expr | None,
        body: tree.Expr | None,
        scope: TypeScope,
    ) -> Typed:
        """``∃x ∈ S: φ``, and the forms in which the body says where x comes from."""
        if not variables:
            if body is None:
                return Typed(ir.Literal(TRUE, span=expr.span), TRUTH)
            inner = self.typed(body, scope, expected=TRUTH)
            return operators.truth(inner, f"`{expr.quantifier.value}`", report=self.report)
        if domain is not None:
            names = tuple(variables) if expr.is_tuple else tuple(variables[:1])
            generator = Generator(names, domain, is_tuple=expr.is_tuple)
            found: FoundGenerator | None = FoundGenerator(generator, body, is_conjunct=False)
        else:
            found = None if body is None else self._found(variables, body)
        if found is None:
            both = None if body is None else binding.joined(expr.quantifier, variables, body)
            if both is not None:
                return self._quantify(expr, both.variables, None, both.body, scope)
            name = f"{expr.quantifier.value}{variables[0]}"
            tip = f"write `{name} ∈ S: …` with the set S that `{variables[0]}` is taken from"
            self._no_domain(variables[0], Label(expr.span, f"`{name}` without a set"), tip)
            return nothing(expr.span)
        # ``∀w (w ∈ W ∧ φ)`` is false of everything outside W.
        is_odd = expr.quantifier is Quantifier.ALL and found.is_conjunct
        if is_odd and self._is_false(expr, found):
            return Typed(ir.Literal(FALSE, span=expr.span), TRUTH)
        binder, within = self._binder(found.generator, scope)
        rest = [v for v in variables if v not in found.generator.names]
        made = self._quantify(expr, rest, domain, found.rest, within).expr
        self._check(binder, _condition(expr.quantifier, made))
        kind = ir.QuantifierKind(expr.quantifier.value)
        return Typed(ir.Quantified(kind, binder, made, span=expr.span), TRUTH)

    def _found(self, variables: Sequence[str], body: tree.Expr) -> FoundGenerator | None:
        """Where the variables, or some of them, come from: the body, a family, or bounds."""
        found = binding.find(variables, body)
        if found is not None:
            return found
        for variable in variables:
            source = binding.bounds(variable, body) or self._indexed(variable, body)
            if source is not None:
                # is_conjunct would ask for the reading of ∀, which is about sets.
                return FoundGenerator(Generator((variable,), source), body, is_conjunct=False)
        return None

    def _indexed(self, variable: str, body: tree.Expr) -> tree.Expr | None:
        """The index set of a family that *variable* indexes in *body*."""
        for node in traversal.inside(body):
            if not isinstance(node, tree.Name) or binding.index_of(node.text) != variable:
                continue
            family = self.names.family_of(node.text)
            if family is not None:
                return self.definitions.index_set(family)
        return None

    def _is_false(self, expr: tree.Quantified, found: FoundGenerator) -> bool:
        """Ask, once a document, how ``∀w (w ∈ W ∧ φ)`` is meant; whether it is false."""
        name = found.generator.names[0]
        reading = self.quantifier_reading
        if reading is None:
            choices = (readings.OVER_THE_SET, readings.AS_WRITTEN)
            reading = readings.decide(
                readings.QUANTIFIER, choices, given=self._given, span=expr.span
            )
            self.quantifier_reading = reading
        text = to_unicode(found.generator.domain)
        self.report.tell(
            codes.FALSE_AS_WRITTEN,
            f"`∀{name} ({name} ∈ {text} ∧ …)` is false as written",
            Label(expr.span, f"says that everything is in {text}"),
            notes=(
                f"it is read as `{reading.choice}`",
                "an ∧ after ∃ and an → after ∀ keep to the members of a set",
            ),
            help=f"write `∀{name} ∈ {text}: …` or `∀{name} ({name} ∈ {text} → …)`",
            severity=Severity.NOTE if reading.is_chosen else None,
            once=text,
        )
        return reading.choice == readings.AS_WRITTEN

    def _no_domain(self, name: str, label: Label, tip: str) -> None:
        message = f"nothing says which values `{name}` ranges over"
        self.report.unusable()
        self.report.tell(codes.NO_DOMAIN, message, label, help=tip)

    def _binder(self, found: Generator, scope: TypeScope) -> tuple[ir.Binder, TypeScope]:
        whole = self.typed(found.domain, scope, expected=SetType(UNKNOWN))
        whole = operators.as_set(whole, "`∈`", report=self.report)
        kind = item_type(whole.type)
        types = component_types(kind, len(found.names)) if found.is_tuple else (kind,)
        if found.is_tuple and is_known(kind) and TupleType(types) not in kinds_in(kind):
            self.report.unusable()
            self.report.tell(
                codes.WRONG_NUMBER,
                f"`({', '.join(found.names)})` does not have the form of the members of this set",
                Label(found.domain.span, f"this is {words(SetType(kind))}"),
                help="write as many names as the members have components",
            )
        binder = ir.Binder(found.names, found.is_tuple, whole.expr)
        return binder, scope.bind(found.names, types)

    def _check(self, binder: ir.Binder, condition: ir.Expr) -> None:
        finite.check(binder, condition, sizes=self.definitions.sizes, report=self.report)

    def _builder(self, expr: tree.SetBuilder, scope: TypeScope) -> Typed:
        """``{x ∈ S | φ}``, ``{(x, y) | …}``: with its domain before or within the condition."""
        result, domain = expr.result, expr.domain
        if domain is not None and isinstance(result, tree.Name):
            one = (Generator((result.text,), domain),)
            return self._comprehension(expr, one, (expr.condition,), scope)
        if domain is not None and isinstance(result, tree.TupleOf):
            several, tests = binding.unfolded(result, domain)
            return self._comprehension(expr, several, (*tests, expr.condition), scope)
        conditions = list(binding.conjuncts(expr.condition))
        if domain is not None:
            member = tree.Compare(result, ((tree.CompareOp.IN, domain),), span=result.span)
            conditions.insert(0, member)
        generators, around = self._generators(expr, conditions, scope)
        return self._comprehension(expr, generators, conditions, around)

    def _generators(
        self, expr: tree.SetBuilder, rest: list[tree.Expr], scope: TypeScope
    ) -> tuple[list[Generator], TypeScope]:
        """The sets that the names of a builder range over, in an order in which they can.

        What they make superfluous is taken out of *rest*.
        """
        waiting = list(
            binding.builder_names(expr, lambda n: scope.has(n) or self.names.is_declared(n))
        )
        found: list[Generator] = []
        while waiting:
            step = binding.next_generator(waiting, rest)
            if step is None:
                break
            place, generator = step
            found.append(generator)
            if place is not None and generator.is_exact:
                del rest[place]
            waiting = [name for name in waiting if name not in generator.names]
        # A word that the document lists stands for itself where no condition gives it a set.
        waiting = [name for name in waiting if self.names.words.find(name) is None]
        for name in waiting:
            tip = f"add a condition `{name} ∈ S` with the set S that `{name}` is taken from"
            self._no_domain(name, Label(expr.span, f"`{name}` is in no set here"), tip)
        return found, scope.bind(waiting, (UNKNOWN,) * len(waiting))

    def _comprehension(
        self,
        expr: tree.SetBuilder,
        generators: Sequence[Generator],
        conditions: Sequence[tree.Expr],
        scope: TypeScope,
    ) -> Typed:
        inner = scope
        binders: list[ir.Binder] = []
        for generator in generators or (_ONCE,):
            binder, inner = self._binder(generator, inner)
            binders.append(binder)
        tests = tuple(self.formula(condition, inner, "`|`") for condition in conditions)
        condition = tests[0] if len(tests) == 1 else ir.And(tests, span=expr.condition.span)
        result = self.typed(expr.result, inner)
        # ``{x ∈ S | φ}`` is a part of S that need not be listed to be tested.
        if len(binders) != 1 or not is_pattern(result.expr, binders[0]):
            for each in binders:
                self._check(each, condition)
        made = ir.Comprehension(result.expr, tuple(binders), condition, span=expr.span)
        return Typed(made, SetType(result.type))

    def _folded(self, expr: tree.Folded, scope: TypeScope) -> Typed:
        """``∑_{a ∈ w} a``; a sum whose limit was lost ranges over the one set that fits."""
        domain = expr.domain or self._lost_limit(expr, scope)
        if domain is None:
            return nothing(expr.span)
        each = Generator(expr.variables, domain, is_tuple=bool(expr.others))
        binder, inner = self._binder(each, scope)
        body = self._number(expr.body, inner, f"`{expr.aggregate.value}`")
        self._check(binder, ir.And(()))
        kind = ir.FoldKind(expr.aggregate.value)
        return Typed(ir.Fold(kind, binder, body, span=expr.span), NUMBER)

    def _lost_limit(self, expr: tree.Folded, scope: TypeScope) -> tree.Expr | None:
        sign, name = expr.aggregate.value, expr.variable
        fitting = [n for n, t in scope.types.items() if unify(t, SetType(NUMBER)) is not None]
        known = [n for n in fitting if isinstance(scope.types[n], SetType)]
        if len(known) == 1:
            self.report.tell(
                codes.SUM_WITHOUT_LIMIT,
                f"this {sign} has lost its limit; `{name}` is taken from `{known[0]}`, "
                "the one set of numbers in reach",
                Label(expr.span, "over which set?"),
                help=f"write `{sign}_{{{name} ∈ {known[0]}}} …`",
            )
            return tree.Name(known[0], span=expr.span)
        tip = f"write `{sign}_{{{name} ∈ S}} …` with the set S that is summed over"
        self._no_domain(name, Label(expr.span, f"a {sign} without a set"), tip)
        return None


def _condition(quantifier: Quantifier, body: ir.Expr) -> ir.Expr:
    """What holds of the values that matter: the body of ∃, the condition of the → under ∀."""
    if quantifier is Quantifier.SOME:
        return body
    match body:
        case ir.Binary(ir.Op.IMPLIES, left, _):
            return left
        case _:
            return ir.And(())
