"""Code for expressions.

What depends on nothing is computed now, by the interpreter; what depends on a few small values is
looked up in a table that the interpreter fills; the rest becomes code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, assert_never

from zermelo.core.layout import WORD
from zermelo.core.machine import FaultError, SkipError
from zermelo.core.values import UNSET
from zermelo.languages.sections.compile import arithmetic
from zermelo.languages.sections.compile.fixed_conditions import FixedConditions, condition_of
from zermelo.languages.sections.compile.registers import Bound, CodeScope, Slot
from zermelo.languages.sections.compile.value_functions import ValueFunctions
from zermelo.languages.sections.compile.value_tables import (
    Tabulation,
    dependencies,
    surely_read,
)
from zermelo.languages.sections.ir import (
    Abs,
    And,
    Apply,
    Binary,
    Binder,
    Card,
    Ceiling,
    Comprehension,
    Expr,
    Floor,
    Fold,
    FoldKind,
    Literal,
    Local,
    Negate,
    Not,
    NumberSet,
    Only,
    Op,
    Or,
    PowerSet,
    Product,
    Quantified,
    QuantifierKind,
    Range,
    Ref,
    SetOf,
    System,
    TupleOf,
    VariableRole,
)
from zermelo.languages.sections.printer import is_pattern
from zermelo.languages.sections.run.expressions import SystemExpressions
from zermelo.languages.sections.run.sets import Numbers, Unlisted
from zermelo.languages.sections.walk import free_locals
from zermelo.packing.code import Mark, Refused, Writer
from zermelo.packing.code_values import (
    MOST_MEMBERS,
    NO,
    YES,
    Bits,
    Chosen,
    CodeValue,
    Endless,
    Items,
    Joined,
    Known,
    Member,
    Never,
    Num,
    Parts,
    PowerOf,
    ProductOf,
    Ratio,
    SetOp,
    Stretch,
    Truth,
    is_set,
    members,
    mixed,
    negated,
    possible,
    words_of,
)
from zermelo.packing.set_code import CHEAP

DEEPEST: Final = 12
"""Value functions are written out up to this depth."""

_ALGEBRA: Final[Mapping[Op, SetOp]] = {
    Op.UNION: "∪",
    Op.INTERSECTION: "∩",
    Op.DIFFERENCE: "−",
    Op.MINUS: "−",
}
_EMPTY: Final = SetOf(())
_NUMERIC: Final = {Op.PLUS, Op.MINUS, Op.TIMES, Op.DIVIDE, Op.MOD, Op.POWER}


@dataclass(frozen=True, slots=True)
class _Remembered:
    """A value that is in variables, and the blocks that must have been run for that."""

    path: frozenset[int]
    names: tuple[str, ...]
    rep: CodeValue
    scope: CodeScope
    """Kept, so that its variables are told from others by their identity."""


class ExpressionCode(FixedConditions):
    """Writes code for the expressions of one system."""

    def __init__(
        self,
        system: System,
        expressions: SystemExpressions,
        tabulation: Tabulation,
        writer: Writer,
        values: ValueFunctions | None = None,
    ) -> None:
        super().__init__(writer, expressions, tabulation)
        self._values = values
        """The value functions that are called; without them all are written out."""
        self.system = system
        self._variables = {variable.name: variable for variable in system.variables}
        self._sets = {definition.name: definition.value for definition in system.sets}
        self._functions = {function.name: function for function in system.functions}
        self._facts = {v.name for v in system.variables if v.role is VariableRole.DEFINED}
        self._known: dict[tuple[object, ...], _Remembered] = {}
        """What has been computed of formulas and facts."""
        self._called: dict[tuple[object, ...], tuple[frozenset[int], str]] = {}
        """Where the values of functions are that have been called."""
        self.awaited: frozenset[Expr] = frozenset()
        """What is computed later in any case where the formula holds that is being written."""
        self._failing: dict[str, bool] = {}
        """The quantifiers whose bodies may fail, by the variable that notes it."""

    # What is asked for

    def truth(self, expr: Expr, scope: CodeScope) -> Truth:
        return self.as_truth(self.rep(expr, scope))

    def number(self, expr: Expr, scope: CodeScope) -> Num | Ratio | Never:
        """*expr* as a number; a fault where it is none."""
        found = self.numeric(self.rep(expr, scope))
        return self._failed() if found is None else found

    def rep(self, expr: Expr, scope: CodeScope) -> CodeValue:
        if not isinstance(expr, Literal | Local | NumberSet) and self.is_constant(expr):
            found = self._constant(expr)
            if found is not None:
                return found
        is_fact = isinstance(expr, Ref) and expr.name in self._facts
        if is_fact or (isinstance(expr, Quantified) and not free_locals(expr)):
            return self._remembered(expr, scope)
        return self._computed(expr, scope)

    def _computed(self, expr: Expr, scope: CodeScope) -> CodeValue:
        looked_up = self._looked_up(expr, scope)
        return self._made(expr, scope) if looked_up is None else looked_up

    def _remembered(self, expr: Expr, scope: CodeScope) -> CodeValue:
        """*expr*, computed once for all places that come after it and see the same values."""
        writer = self.writer
        reads = sorted(self.expressions.footprints.of(expr).reads)
        versions = tuple(writer.versions.get(name, 0) for name in reads)
        key = (expr, id(scope.slots), id(scope.facts), versions)
        known = self._known.get(key)
        if known is not None and all(writer.has_given(name, known.path) for name in known.names):
            return known.rep
        has_failed = writer.may_fail
        rep = self._computed(expr, scope)
        if has_failed or writer.may_fail:
            return rep
        kept = self._in_variables(rep, scope)
        if kept is not None:
            self._known[key] = kept
        return rep if kept is None else kept.rep

    def _in_variables(self, rep: CodeValue, scope: CodeScope) -> _Remembered | None:
        """*rep* with its operands in variables; ``None`` where it has none, or no simple ones."""
        match rep:
            case Truth(code):
                names: tuple[str, ...] = (self.writer.keep(code),)
                kept: CodeValue = Truth(*names)
            case Num(code) | Member(code):
                names = (self.writer.keep(code),)
                kept = replace(rep, code=names[0])
            case Bits(words):
                names = tuple(map(self.writer.keep, words))
                kept = replace(rep, words=names)
            case _:
                return None
        is_variable = all(name.isidentifier() for name in names) and kept not in (YES, NO)
        if not is_variable:
            return None
        return _Remembered(self.writer.path, names, kept, scope)

    # What is known now

    def _constant(self, expr: Expr) -> CodeValue | None:
        """The value of *expr*, which depends on nothing; ``None`` if it is better described."""
        try:
            found = self.expressions.code(expr)(self.expressions.env({}))
        except FaultError:
            return self._failed()
        except (SkipError, RecursionError):
            return None
        is_long = isinstance(found, frozenset) and len(found) > MOST_MEMBERS
        return None if isinstance(found, Unlisted) or is_long else Known(found)

    def _looked_up(self, expr: Expr, scope: CodeScope) -> CodeValue | None:
        """*expr* by a table, where it depends on few and small values."""
        if not self.tabulation.is_worth_it(expr):
            return None
        used = dependencies(expr, scope, self.expressions)
        table = None if used is None else self.tabulation.table(expr, used)
        if used is None or table is None:
            return None
        names = sorted(free_locals(expr))
        doubtful = {name for name in names if scope.names[name].presence is not None}
        if doubtful and (table.has_faults or not doubtful <= surely_read(expr)):
            # Whether a local is missing matters only where it is read, and a fault may come first.
            return None
        for name in names:
            self._check_presence(scope.names[name])
        at = mixed((self.place_of(each.rep, each.values), len(each.values)) for each in used)
        found = self.writer.keep(self.writer.look_up(table.numbers, self.writer.keep(at)))
        if table.has_faults:
            self.writer.fail(f"{found} < 0")
        return self.looked_up(found, table.values)

    # Names

    def _made(self, expr: Expr, scope: CodeScope) -> CodeValue:
        match expr:
            case Literal(value):
                return self._failed() if value is UNSET else Known(value)
            case NumberSet(kind):
                return Endless(Numbers(kind).least)
            case Local(name):
                return self._local(name, scope)
            case Ref(name):
                return self._ref(name, scope)
            case Apply():
                return self._apply(expr, scope)
            case SetOf() | Range() | TupleOf() | Comprehension() | Product() | PowerSet():
                return self._collection(expr, scope)
            case Negate() | Card() | Only() | Abs() | Floor() | Ceiling() | Fold():
                return self._term(expr, scope)
            case Binary():
                return self._binary(expr, scope)
            case Not() | And() | Or() | Quantified():
                return self._formula(expr, scope)
            case _:
                assert_never(expr)

    def _local(self, name: str, scope: CodeScope) -> CodeValue:
        bound = scope.names.get(name)
        if bound is None:
            return self._failed()
        self._check_presence(bound)
        return bound.rep

    def _check_presence(self, bound: Bound) -> None:
        if bound.presence is not None:
            self.writer.fail(f"not {bound.presence}", bound.missing)

    def _ref(self, name: str, scope: CodeScope) -> CodeValue:
        if name in self._sets:
            return self.rep(self._sets[name], scope.for_facts())
        variable = self._variables.get(name)
        if variable is None:
            return self._failed()
        if variable.role is VariableRole.DEFINED:
            if variable.definition is None:
                self.writer.fail("True")
                return Never()
            if scope.depth > DEEPEST:
                raise Refused("facts that are nested too deeply", variable)
            inner = scope.for_facts()
            inner.depth = scope.depth + 1
            return self.rep(variable.definition, inner)
        return self.read(scope.slots[name])

    def read(self, slot: Slot) -> CodeValue:
        self.writer.fail(slot.unset())
        if slot.known is UNSET:
            return Never()
        rep = slot.rep()
        if isinstance(rep, Member) and slot.unset() != "False":
            # Where it is unset the code goes on, and must not look beside its tables.
            if len(rep.universe) == 1:
                return Never()
            code = self.writer.keep(f"{rep.code} if {rep.code} != 0 else 1")
            return Member(code, rep.universe)
        return rep

    def _apply(self, expr: Apply, scope: CodeScope) -> CodeValue:
        function = self._functions.get(expr.function)
        if function is None or len(function.parameters) != len(expr.arguments):
            return self._failed()
        if scope.depth > DEEPEST:
            raise Refused("a value function that calls itself", expr)
        given = [self.rep(argument, scope) for argument in expr.arguments]
        if self._values is not None:
            called = self._values.applied(function, given, scope, self)
            if called is not None:
                return called
        bound = zip(function.parameters, given, strict=True)
        names = {parameter.name: Bound(rep) for parameter, rep in bound}
        return self.rep(function.body, scope.inside(names))

    def called(self, name: str, arguments: tuple[str, ...]) -> str:
        """The variable with what the function *name* gives for *arguments*.

        It is called once for all places that come after it and see the same values.
        """
        writer = self.writer
        key = (name, arguments, tuple(sorted(writer.versions.items())))
        known = self._called.get(key)
        if known is not None and writer.has_given(known[1], known[0]):
            return known[1]
        kept = writer.variable(f"{name}({', '.join(('tab', *arguments))})")
        self._called[key] = (writer.path, kept)
        return kept

    # Sets and tuples

    def _collection(
        self, expr: SetOf | Range | TupleOf | Comprehension | Product | PowerSet, scope: CodeScope
    ) -> CodeValue:
        match expr:
            case SetOf():
                return self._set_of(expr, scope)
            case TupleOf(items):
                return Parts(tuple(self.settled(item, scope) for item in items))
            case Range(low, high):
                first, last = self._end(low, scope, up=True), self._end(high, scope, up=False)
                return Never() if first is None or last is None else Stretch(first, last)
            case Product(factors):
                return ProductOf(tuple(self.as_set(factor, scope) for factor in factors))
            case PowerSet(base):
                return PowerOf(self.as_set(base, scope))
            case Comprehension():
                return self._comprehension(expr, scope)
            case _:
                assert_never(expr)

    def _end(self, expr: Expr, scope: CodeScope, *, up: bool) -> Num | None:
        found = self.number(expr, scope)
        if isinstance(found, Ratio):
            found = arithmetic.rounded(found, up=up)
        if isinstance(found, Never):
            return None
        return Num(self.writer.keep(found.code), found.low, found.high)

    def settled(self, expr: Expr, scope: CodeScope) -> CodeValue:
        """*expr* as a value: a set becomes bits."""
        rep = self.rep(expr, scope)
        return self.bits(rep) if is_set(rep) and not isinstance(rep, Known | Member) else rep

    def as_set(self, expr: Expr, scope: CodeScope) -> CodeValue:
        """*expr* as a set; a fault where it is none."""
        rep = self.rep(expr, scope)
        if is_set(rep) or isinstance(rep, Never):
            return rep
        return self._failed()

    def _failed(self) -> Never:
        self.writer.fail("True")
        return Never()

    def _set_of(self, expr: SetOf, scope: CodeScope) -> CodeValue:
        items = tuple(self.settled(i, scope) for i in expr.items if not isinstance(i, Range))
        found: CodeValue = Items(items) if items else Known(frozenset())
        for item in expr.items:
            if isinstance(item, Range):
                found = self.joined("∪", found, self.as_set(item, scope))
        return found

    # Numbers

    def _term(
        self, expr: Negate | Card | Only | Abs | Floor | Ceiling | Fold, scope: CodeScope
    ) -> CodeValue:
        match expr:
            case Only(operand):
                return self._only(operand, scope)
            case Card(operand):
                whole = self.as_set(operand, scope)
                return whole if isinstance(whole, Never) else self.size(whole)
            case Fold():
                return self._fold(expr, scope)
            case Negate(operand) | Abs(operand) | Floor(operand) | Ceiling(operand):
                found = self.number(operand, scope)
                if isinstance(found, Never):
                    return found
                return arithmetic.of_one(expr, found, self.writer)
            case _:
                assert_never(expr)

    def _only(self, operand: Expr, scope: CodeScope) -> CodeValue:
        """The one member of a set; a fault where there is none, or several."""
        whole = self.as_set(operand, scope)
        if isinstance(whole, Never):
            return whole
        if isinstance(whole, Items) and len(whole.items) == 1:
            return whole.items[0]
        bits = self.bits(whole)
        if not bits.universe:
            return self._failed()
        words = [self.writer.keep(word) for word in bits.words]
        self.writer.fail(f"{' + '.join(f'popcount({word})' for word in words)} != 1")
        at = (
            f"lowest({words[-1]}) + {WORD * (len(words) - 1)}"
            if words[1:]
            else f"lowest({words[0]})"
        )
        for which in range(len(words) - 2, -1, -1):
            at = f"(lowest({words[which]}) + {WORD * which} if {words[which]} != 0 else {at})"
        # Where there is none the code goes on, and must not look beside its tables.
        place = self.writer.keep(f"min({at}, {len(bits.universe) - 1})")
        return self.element(place, bits.universe)

    def _binary(self, expr: Binary, scope: CodeScope) -> CodeValue:
        op = expr.op
        if op in {Op.IMPLIES, Op.IFF}:
            return self._implication(expr, scope)
        if op in {Op.EQ, Op.NE}:
            return self._equality(expr, scope)
        if op in {Op.IN, Op.NOT_IN}:
            return self._membership(expr, scope)
        if op in {Op.SUBSET, Op.NOT_SUBSET, Op.PROPER_SUBSET}:
            return self._inclusion(expr, scope)
        left, right = self.rep(expr.left, scope), self.rep(expr.right, scope)
        if isinstance(left, Never) or isinstance(right, Never):
            return Never()
        if op in _ALGEBRA and is_set(left) and is_set(right):
            return self.joined(_ALGEBRA[op], left, right)
        return self._arithmetic(Op.MINUS if op is Op.DIFFERENCE else op, left, right)

    def _arithmetic(self, op: Op, left: CodeValue, right: CodeValue) -> CodeValue:
        a, b = self.numeric(left), self.numeric(right)
        if a is None or b is None:
            return self._failed()
        if isinstance(a, Never) or isinstance(b, Never):
            return Never()
        if op in _NUMERIC:
            return arithmetic.of_two(op, a, b, self.writer)
        return arithmetic.compared(op, a, b)

    # Formulas

    def _implication(self, expr: Binary, scope: CodeScope) -> Truth:
        left = self.kept(self.truth(expr.left, scope))
        if expr.op is Op.IFF:
            right = self.kept(self.truth(expr.right, scope))
            if left in (YES, NO):
                return right if left == YES else negated(right)
            return self.equal(left, right)
        return negated(self.guarded(left, lambda: negated(self.truth(expr.right, scope))))

    def _comparand(self, expr: Expr, scope: CodeScope) -> tuple[CodeValue, str]:
        """*expr* where it is compared, and a condition that holds where it is unset."""
        if isinstance(expr, Ref) and expr.name in scope.slots:
            slot = scope.slots[expr.name]
            return (Never() if slot.known is UNSET else slot.rep()), slot.unset()
        return self.rep(expr, scope), "False"

    def _equality(self, expr: Binary, scope: CodeScope) -> Truth:
        sides = (expr.left, expr.right)
        for built, other in (sides, sides[::-1]):
            if isinstance(built, Apply) and other == _EMPTY and built not in self.awaited:
                some = self._has_members(built, scope)
                if some is not None:
                    return some if expr.op is Op.NE else negated(some)
        left, left_unset = self._comparand(expr.left, scope)
        if expr.right == Literal(UNSET):
            found = Truth(left_unset)
        else:
            right, right_unset = self._comparand(expr.right, scope)
            found = self.equal(left, right)
            for unset in (left_unset, right_unset):
                if unset == "True":
                    found = NO
                elif unset != "False":
                    found = Truth(f"(not {unset} and {found.code})")
        return negated(found) if expr.op is Op.NE else found

    def _has_members(self, expr: Apply, scope: CodeScope) -> Truth | None:
        """Whether a set that a value function builds has members: it is left at the first."""
        function = self._functions.get(expr.function)
        if function is None or not isinstance(function.body, Comprehension):
            return None
        if self._values is None or len(function.parameters) != len(expr.arguments):
            return None
        asked = function.body.condition
        for binder in reversed(function.body.binders):
            asked = Quantified(QuantifierKind.SOME, binder, asked)
        test = replace(function, name=f"{function.name} ≠ ∅", body=asked)
        given = [self.rep(argument, scope) for argument in expr.arguments]
        found = self._values.applied(test, given, scope, self)
        return None if found is None else self.as_truth(found)

    def _membership(self, expr: Binary, scope: CodeScope) -> Truth:
        member = self.rep(expr.left, scope)
        whole = self.rep(expr.right, scope)
        if isinstance(member, Never) or isinstance(whole, Never):
            return NO
        if not is_set(whole):
            self.writer.fail("True")
            return NO
        is_described = is_set(member) and not isinstance(member, Known | Member)
        if is_described and not isinstance(whole, PowerOf | Joined | Chosen):
            member = self.bits(member)
        found = self.contains(whole, member)
        return negated(found) if expr.op is Op.NOT_IN else found

    def _inclusion(self, expr: Binary, scope: CodeScope) -> Truth:
        part, whole = self.as_set(expr.left, scope), self.as_set(expr.right, scope)
        if isinstance(part, Never) or isinstance(whole, Never):
            return NO
        found = self.is_subset(part, whole)
        if expr.op is Op.NOT_SUBSET:
            return negated(found)
        if expr.op is Op.PROPER_SUBSET:
            first = self.kept(found)
            second = negated(self.kept(self.is_subset(whole, part)))
            return Truth(f"({first.code} and {second.code})")
        return found

    def _formula(self, expr: Not | And | Or | Quantified, scope: CodeScope) -> Truth:
        match expr:
            case Not(operand):
                return negated(self.truth(operand, scope))
            case And(operands):
                return self.all_of(operands, scope)
            case Or(operands):
                return self._decided(operands, scope, wanted=False)
            case Quantified():
                return self._quantified(expr, scope)
            case _:
                assert_never(expr)

    def all_of(self, operands: tuple[Expr, ...], scope: CodeScope) -> Truth:
        return self._decided(operands, scope, wanted=True)

    def _decided(self, operands: tuple[Expr, ...], scope: CodeScope, *, wanted: bool) -> Truth:
        """``∧`` goes on while operands hold, ``∨`` while they do not, as *wanted* says."""
        found, decisive = (YES, NO) if wanted else (NO, YES)
        for at, operand in enumerate(operands):
            if found == decisive and not self.writer.may_fail:
                return decisive
            if at == 0:
                found = self.truth(operand, scope)
            else:
                found = self._then(found, operand, scope, wanted=wanted)
        return found

    def _then(self, found: Truth, operand: Expr, scope: CodeScope, *, wanted: bool) -> Truth:
        """``found and operand``, or ``found or operand``: the second only where it matters."""
        if not self.writer.may_fail and found == (YES if wanted else NO):
            return self.truth(operand, scope)
        before = len(self.writer.lines)
        mark = self.writer.mark()
        failing = self.writer.may_fail
        name = self.writer.name("c")
        head = ("e == 0 and " if failing else "") + ("" if wanted else "not ") + name
        with self.writer.block(f"if {head}") as block:
            truth = self.truth(operand, scope)
            is_plain = len(self.writer.lines) == before + 1
            cheap = [] if self.writer.may_fail else self.writer.plain_lines(before + 1, CHEAP // 2)
            self.writer.emit(f"{name} = {truth.code}")
        if (is_plain or cheap) and not failing:
            # The second needs few lines of its own, or none: one condition will do.
            del self.writer.lines[before:]
            self.writer.dissolve(block)
            self.writer.emit(*cheap)
            joined = Truth(f"({found.code} {'and' if wanted else 'or'} {truth.code})")
            if wanted:
                self.writer.implies(joined.code, found.code, truth.code)
            return joined
        self.writer.put(mark, [f"{name} = {found.code}"])
        if wanted:
            self.writer.implies(name, found.code, truth.code, blocks=(block,))
        return Truth(name)

    # What binds names

    def _comprehension(self, expr: Comprehension, scope: CodeScope) -> CodeValue:
        first = expr.binders[0]
        is_selection = len(set(first.names)) == len(first.names) and is_pattern(expr.result, first)
        if len(expr.binders) == 1 and is_selection:
            return self._selection(first, expr.condition, scope)
        return self._built(expr, scope)

    def _selection(self, binder: Binder, condition: Expr, scope: CodeScope) -> CodeValue:
        domain = self.as_set(binder.domain, scope)
        if isinstance(domain, Never):
            return domain
        exactly = self.selected(domain, binder, condition, scope)
        if exactly is not None:
            return exactly
        domain = self.narrowed(domain, binder, condition, scope)

        def holds(item: CodeValue) -> Truth:
            return self._with_bound(binder, item, scope, lambda inner: self.truth(condition, inner))

        chosen = Chosen(domain, holds)
        values = members(domain)
        # Variables that the condition reads may change later: listed at once where possible.
        return chosen if values is None else self.cover(chosen, values).bits

    def _with_bound(
        self, binder: Binder, item: CodeValue, scope: CodeScope, act: Callable[[CodeScope], Truth]
    ) -> Truth:
        """What *act* gives where the names of *binder* stand for *item*, if it has the shape."""
        if not binder.is_tuple:
            return act(scope.nested({binder.names[0]: Bound(item)}))
        parts = self.components(item, len(binder.names))
        if parts is None:
            return NO
        names = {name: Bound(part) for name, part in zip(binder.names, parts, strict=True)}
        inner = scope.nested(names)
        if len(names) == len(binder.names):
            return act(inner)
        same = YES
        for name, part in zip(binder.names, parts, strict=True):
            test = self.equal(names[name].rep, part) if names[name].rep is not part else YES
            same = test if same == YES else Truth(f"({same.code} and {test.code})")
        return self.guarded(same, lambda: act(inner))

    def _built(self, expr: Comprehension, scope: CodeScope) -> CodeValue:
        """A builder with a result of its own: each combination of members sets a bit."""
        mark = self.writer.mark()
        found: list[Bits] = []

        def deeper(at: int, inner: CodeScope) -> None:
            if at < len(expr.binders):
                binder = expr.binders[at]
                domain = self.as_set(binder.domain, inner)
                if binder is expr.binders[-1]:
                    domain = self.narrowed(domain, binder, expr.condition, inner)
                self._each_bound(binder, domain, inner, lambda more: deeper(at + 1, more))
                return
            truth = self.truth(expr.condition, inner)
            head = f"e == 0 and {truth.code}" if self.writer.may_fail else truth.code
            with self.writer.block(f"if {head}"):
                self._collect(self.settled(expr.result, inner), found)

        deeper(0, scope)
        if not found:
            return Known(frozenset())
        if any(each.universe != found[0].universe for each in found):
            raise Refused("a builder whose members are of several kinds", expr)
        self.writer.put(mark, [f"{word} = 0" for word in found[0].words])
        return found[0]

    def _collect(self, result: CodeValue, found: list[Bits]) -> None:
        values = possible(result)
        if values is None:
            raise Refused("a builder with too many possible members")
        if not found:
            words = words_of(0, len(values))
            found.append(Bits(tuple(self.writer.name("m") for _ in words), values))
        elif not frozenset(values) <= frozenset(found[0].universe):
            raise Refused("a builder whose members are of several kinds")
        self.set_bit(found[0], self.index(result, found[0].universe).code)

    def _each_bound(
        self, binder: Binder, domain: CodeValue, scope: CodeScope, act: Callable[[CodeScope], None]
    ) -> None:
        """Write *act* for each member of *domain*, the names of *binder* bound to it."""

        def body(item: CodeValue) -> None:
            def with_names(inner: CodeScope) -> Truth:
                act(inner)
                return YES

            self._with_bound(binder, item, scope, with_names)

        if not isinstance(domain, Never):
            self.each(domain, body, once=True)

    def _fold(self, expr: Fold, scope: CodeScope) -> CodeValue:
        total = self.writer.name("n")
        is_sum = expr.kind is FoldKind.SUM
        self.writer.emit(f"{total} = {0 if is_sum else 1}")
        domain = self.as_set(expr.binder.domain, scope)
        values = members(domain)
        if values is None:
            raise Refused("a sum over a set with too many possible members", expr)
        bounds: list[Num] = []

        def body(inner: CodeScope) -> None:
            term = self.number(expr.body, inner)
            if isinstance(term, Ratio):
                raise Refused("a sum of fractions", expr)
            if isinstance(term, Num):
                bounds.append(term)
                self.writer.emit(f"{total} = {total} {'+' if is_sum else '*'} {term.code}")

        self._each_bound(expr.binder, domain, scope, body)
        return arithmetic.folded(total, bounds, len(values), is_sum=is_sum)

    def _quantified(self, expr: Quantified, scope: CodeScope) -> Truth:
        """∃ looks for a member that makes the body true, ∀ for one that makes it false."""
        wanted = expr.kind is QuantifierKind.SOME
        joint = self.joint(expr, scope)
        domain: CodeValue
        if joint is not None:
            expr, domain = joint
        else:
            whole = self.as_set(expr.binder.domain, scope)
            domain = self.narrowed(whole, expr.binder, condition_of(expr), scope)
        if isinstance(domain, Never):
            return NO
        outer = self.writer.may_fail
        found, failed = self.writer.name("q"), self.writer.name("f")
        start = self.writer.mark()
        self.writer.may_fail = False

        def sign(inner: CodeScope) -> Truth:
            truth = self.truth(expr.body, inner)
            return truth if wanted else negated(truth)

        def body(item: CodeValue) -> None:
            self.writer.may_fail = False
            at = self.writer.mark()
            truth = self._with_bound(expr.binder, item, scope, sign)
            if truth != NO or self.writer.may_fail:
                self._note(truth, found, failed, at)

        self.each(domain, body, unless=found)
        can_fail = self._failing.pop(failed, False)
        # Nothing is gone through after an error.
        first = f"{found} = {'e != 0' if outer else 'False'}"
        self.writer.put(start, [first, f"{failed} = 0"] if can_fail else [first])
        self.writer.may_fail = outer
        if can_fail:
            self.writer.when(f"{failed} != 0 and not {found}", f"e = {failed}")
            self.writer.may_fail = True
        return Truth(found) if wanted else Truth(f"(not {found})")

    def _note(self, truth: Truth, found: str, failed: str, at: Mark) -> None:
        """Note what the body gave for one member: found, an error, or nothing."""
        if not self.writer.may_fail:
            self.writer.emit(f"{found} = {truth.code}")
            return
        self._failing[failed] = True
        self.writer.put(at, ["e = 0"])
        self.writer.when("e == 0", f"{found} = {truth.code}")
        with self.writer.block(f"elif {failed} == 0"):
            self.writer.emit(f"{failed} = e")
        self.writer.emit("e = 0")
        self.writer.may_fail = False
