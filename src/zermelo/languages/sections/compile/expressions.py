"""Code for expressions.

What depends on nothing is computed now, by the interpreter; what depends on a
few small values is looked up in a table that the interpreter fills; the rest
becomes code.
"""

from __future__ import annotations

from typing import Final, assert_never

from zermelo.core.faults import FaultError, SkipError
from zermelo.core.values import UNSET, Value
from zermelo.languages.sections.compile import arithmetic
from zermelo.languages.sections.compile.binders import BinderCode
from zermelo.languages.sections.compile.conditions import NO, YES, negated
from zermelo.languages.sections.compile.reps import (
    MOST_MEMBERS,
    Bits,
    Chosen,
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
    Refused,
    Rep,
    Stretch,
    Truth,
    is_set,
    members,
)
from zermelo.languages.sections.compile.scope import Bound, Scope, Slot
from zermelo.languages.sections.compile.sets import CHEAP
from zermelo.languages.sections.compile.tabulate import Tabulation, dependencies, surely_read
from zermelo.languages.sections.ir import (
    Abs,
    And,
    Apply,
    Binary,
    Card,
    Ceiling,
    Comprehension,
    Expr,
    Floor,
    Fold,
    Literal,
    Local,
    Negate,
    Not,
    NumberSet,
    Op,
    Or,
    PowerSet,
    Product,
    Quantified,
    Range,
    Ref,
    SetOf,
    System,
    TupleOf,
    VariableRole,
)
from zermelo.languages.sections.run.evaluate import Expressions
from zermelo.languages.sections.run.sets import Unlisted
from zermelo.languages.sections.walk import free_locals
from zermelo.packing.code import Writer

DEEPEST: Final = 12
"""Value functions are written out up to this depth."""

_ALGEBRA: Final = {Op.UNION: "∪", Op.INTERSECTION: "∩", Op.DIFFERENCE: "−", Op.MINUS: "−"}
_NUMERIC: Final = {Op.PLUS, Op.MINUS, Op.TIMES, Op.DIVIDE, Op.MOD, Op.POWER}


class ExpressionCode(BinderCode):
    """Writes code for the expressions of one system."""

    def __init__(
        self,
        system: System,
        expressions: Expressions,
        tabulation: Tabulation,
        writer: Writer,
    ) -> None:
        super().__init__(writer)
        self.system = system
        self.expressions = expressions
        self._variables = {variable.name: variable for variable in system.variables}
        self._sets = {definition.name: definition.value for definition in system.sets}
        self._functions = {function.name: function for function in system.functions}
        self._tabulation = tabulation
        self._known: dict[tuple[object, ...], tuple[tuple[int, ...], str]] = {}
        """Where truth values of formulas are that have been computed."""

    # What is asked for

    def truth(self, expr: Expr, scope: Scope) -> Truth:
        """*expr* as a truth value."""
        return self.as_truth(self.rep(expr, scope))

    def as_truth(self, rep: Rep) -> Truth:
        """*rep*, which must be a truth value; a fault where it is none."""
        match rep:
            case Truth():
                return rep
            case Known(value) if isinstance(value, bool):
                return YES if value else NO
            case Never():
                return NO
            case _:
                self.writer.fail("True")
                return NO

    def number(self, expr: Expr, scope: Scope) -> Num | Ratio | Never:
        """*expr* as a number; a fault where it is none."""
        found = self.numeric(self.rep(expr, scope))
        if found is None:
            self.writer.fail("True")
            return Never()
        return found

    def rep(self, expr: Expr, scope: Scope) -> Rep:
        """*expr*, whatever it is."""
        if not isinstance(expr, Literal | Local | NumberSet) and self.is_constant(expr):
            found = self._constant(expr)
            if found is not None:
                return found
        if isinstance(expr, Quantified) and not free_locals(expr):
            return self._remembered(expr, scope)
        return self._computed(expr, scope)

    def _computed(self, expr: Expr, scope: Scope) -> Rep:
        looked_up = self._looked_up(expr, scope)
        return self._made(expr, scope) if looked_up is None else looked_up

    def _remembered(self, expr: Quantified, scope: Scope) -> Rep:
        """*expr*, computed once for all places that come after it and see the same values."""
        writer = self.writer
        reads = sorted(self.expressions.footprints.of(expr).reads)
        versions = tuple(writer.versions.get(name, 0) for name in reads)
        key = (expr, id(scope.slots), id(scope.facts), versions)
        known = self._known.get(key)
        if known is not None:
            path, name = known
            if writer.path[: len(path)] == path and writer.has_given(name):
                return Truth(name)
        has_failed = writer.may_fail
        rep = self._computed(expr, scope)
        if has_failed or writer.may_fail or not isinstance(rep, Truth):
            return rep
        kept = self.kept(rep)
        if kept.code.isidentifier() and kept not in (YES, NO):
            self._known[key] = (writer.path, kept.code)
        return kept

    # What is known now

    def is_constant(self, expr: Expr) -> bool:
        """Whether *expr* has the same value everywhere."""
        return not free_locals(expr) and not self.expressions.footprints.of(expr).reads

    def _constant(self, expr: Expr) -> Rep | None:
        """The value of *expr*, which depends on nothing; ``None`` if it is better described."""
        try:
            found = self.expressions.code(expr)(self.expressions.env({}))
        except FaultError:
            self.writer.fail("True")
            return Never()
        except SkipError:
            return None
        if isinstance(found, Unlisted):
            return None
        if isinstance(found, frozenset) and len(found) > MOST_MEMBERS:
            return None
        return Known(found)

    def _looked_up(self, expr: Expr, scope: Scope) -> Rep | None:
        """*expr* by a table, where it depends on few and small values."""
        if not self._tabulation.is_worth_it(expr):
            return None
        used = dependencies(expr, scope, self.expressions)
        if used is None:
            return None
        table = self._tabulation.table(expr, used)
        if table is None:
            return None
        names = sorted(free_locals(expr))
        doubtful = {name for name in names if scope.names[name].presence is not None}
        if doubtful and (table.has_faults or not doubtful <= surely_read(expr)):
            # Whether a local is missing matters only where it is read, and a fault may come first.
            return None
        for name in names:
            self._check_presence(scope.names[name])
        at = "0"
        for each in used:
            code = self._place_of(each.rep, each.values)
            at = code if at == "0" else f"({at} * {len(each.values)} + {code})"
        found = self.writer.keep(self.writer.look_up(table.numbers, self.writer.keep(at)))
        if table.has_faults:
            self.writer.fail(f"{found} < 0")
        return self._from_table(found, table.values)

    def _place_of(self, rep: Rep, values: tuple[Value, ...]) -> str:
        """The number of *rep* among *values*; of bits, the bits themselves."""
        if isinstance(rep, Bits):
            return self.writer.keep(rep.words[0])
        return self.index(rep, values).code

    def _from_table(self, code: str, values: tuple[Value, ...]) -> Rep:
        if set(values) <= {False, True} and all(isinstance(v, bool) for v in values):
            if len(values) == 1:
                return Known(values[0])
            return Truth(f"({code} == 1)")
        if not values:
            return Never()
        return self.element(code, values)

    # Names

    def _made(self, expr: Expr, scope: Scope) -> Rep:
        match expr:
            case Literal(value):
                return self._literal(value)
            case NumberSet(kind):
                return Endless(kind)
            case Local(name):
                return self._local(name, scope)
            case Ref(name):
                return self._ref(name, scope)
            case Apply():
                return self._apply(expr, scope)
            case SetOf() | Range() | TupleOf() | Comprehension() | Product() | PowerSet():
                return self._collection(expr, scope)
            case Negate() | Card() | Abs() | Floor() | Ceiling() | Fold():
                return self._term(expr, scope)
            case Binary():
                return self._binary(expr, scope)
            case Not() | And() | Or() | Quantified():
                return self._formula(expr, scope)
            case _:
                assert_never(expr)

    def _literal(self, value: Value) -> Rep:
        if value is UNSET:
            self.writer.fail("True")
            return Never()
        return Known(value)

    def _local(self, name: str, scope: Scope) -> Rep:
        bound = scope.names.get(name)
        if bound is None:
            self.writer.fail("True")
            return Never()
        self._check_presence(bound)
        return bound.rep

    def _check_presence(self, bound: Bound) -> None:
        if bound.presence is not None:
            self.writer.fail(f"not {bound.presence}", bound.missing)

    def _ref(self, name: str, scope: Scope) -> Rep:
        if name in self._sets:
            return self.rep(self._sets[name], scope.for_facts())
        variable = self._variables.get(name)
        if variable is None:
            self.writer.fail("True")
            return Never()
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

    def read(self, slot: Slot) -> Rep:
        """The value of a variable; a fault where it is unset."""
        self.writer.fail(slot.unset())
        if slot.known is UNSET:
            return Never()
        rep = slot.rep()
        if isinstance(rep, Member) and slot.unset() != "False":
            # Where it is unset the code goes on, and must not look beside its tables.
            if len(rep.universe) == 1:
                return Never()
            code = self.writer.name("t")
            self.writer.emit(f"{code} = {rep.code} if {rep.code} != 0 else 1")
            return Member(code, rep.universe)
        return rep

    def _apply(self, expr: Apply, scope: Scope) -> Rep:
        function = self._functions.get(expr.function)
        if function is None or len(function.parameters) != len(expr.arguments):
            self.writer.fail("True")
            return Never()
        if scope.depth > DEEPEST:
            raise Refused("a value function that calls itself", expr)
        given = {
            parameter.name: Bound(self.rep(argument, scope))
            for parameter, argument in zip(function.parameters, expr.arguments, strict=True)
        }
        return self.rep(function.body, scope.inside(given))

    # Sets and tuples

    def _collection(
        self, expr: SetOf | Range | TupleOf | Comprehension | Product | PowerSet, scope: Scope
    ) -> Rep:
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
                return self.comprehension(expr, scope)
            case _:
                assert_never(expr)

    def _end(self, expr: Expr, scope: Scope, *, up: bool) -> Num | None:
        found = self.number(expr, scope)
        if isinstance(found, Ratio):
            found = arithmetic.rounded(found, up=up)
        if isinstance(found, Never):
            return None
        return Num(self.writer.keep(found.code), found.low, found.high)

    def settled(self, expr: Expr, scope: Scope) -> Rep:
        """*expr* as a value: a set becomes bits."""
        rep = self.rep(expr, scope)
        return self.bits(rep) if is_set(rep) and not isinstance(rep, Known | Member) else rep

    def as_set(self, expr: Expr, scope: Scope) -> Rep:
        """*expr* as a set; a fault where it is none."""
        rep = self.rep(expr, scope)
        if is_set(rep) or isinstance(rep, Never):
            return rep
        self.writer.fail("True")
        return Never()

    def _set_of(self, expr: SetOf, scope: Scope) -> Rep:
        items = tuple(self.settled(i, scope) for i in expr.items if not isinstance(i, Range))
        found: Rep = Items(items) if items else Known(frozenset())
        for item in expr.items:
            if isinstance(item, Range):
                found = self.joined("∪", found, self.as_set(item, scope))
        return found

    def joined(self, op: str, left: Rep, right: Rep) -> Rep:
        """``left op right`` for sets: bits where both have few possible members."""
        if isinstance(left, Never) or isinstance(right, Never):
            return Never()
        if op == "∪" and isinstance(left, Items) and isinstance(right, Items):
            return Items((*left.items, *right.items))
        if isinstance(left, Bits | Known) and isinstance(right, Bits | Known | Items | Member):
            return self._joined_bits(Joined(op, left, right))
        if isinstance(right, Bits | Known) and isinstance(left, Items | Member):
            return self._joined_bits(Joined(op, left, right))
        return Joined(op, left, right)

    def _joined_bits(self, rep: Joined) -> Rep:
        """At once, so that variables that change later are read now."""
        if isinstance(rep.left, Known) and rep.left.value == frozenset() and rep.op == "∪":
            return rep.right
        values = members(rep)
        if values is None:
            return rep
        for side in (rep.left, rep.right):
            if isinstance(side, Bits) and frozenset(values) <= frozenset(side.universe):
                # One universe for all sets of one kind, so that nothing has to be moved.
                values = side.universe
                break
        return self.cover(rep, values).bits

    # Numbers

    def _term(self, expr: Negate | Card | Abs | Floor | Ceiling | Fold, scope: Scope) -> Rep:
        match expr:
            case Card(operand):
                whole = self.as_set(operand, scope)
                return whole if isinstance(whole, Never) else self.size(whole)
            case Fold():
                return self.fold(expr, scope)
            case Negate(operand) | Abs(operand) | Floor(operand) | Ceiling(operand):
                found = self.number(operand, scope)
                if isinstance(found, Never):
                    return found
                return arithmetic.of_one(expr, found, self.writer)
            case _:
                assert_never(expr)

    def _binary(self, expr: Binary, scope: Scope) -> Rep:
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
        numeric = Op.MINUS if op is Op.DIFFERENCE else op
        return self._arithmetic(numeric, left, right)

    def _arithmetic(self, op: Op, left: Rep, right: Rep) -> Rep:
        a, b = self.numeric(left), self.numeric(right)
        if a is None or b is None:
            self.writer.fail("True")
            return Never()
        if isinstance(a, Never) or isinstance(b, Never):
            return Never()
        if op in _NUMERIC:
            return arithmetic.of_two(op, a, b, self.writer)
        return arithmetic.compared(op, a, b)

    # Formulas

    def _implication(self, expr: Binary, scope: Scope) -> Truth:
        left = self.kept(self.truth(expr.left, scope))
        if expr.op is Op.IFF:
            right = self.kept(self.truth(expr.right, scope))
            return (
                self.equal(left, right)
                if left not in (YES, NO)
                else (right if left == YES else negated(right))
            )
        found = self.guarded(left, lambda: negated(self.truth(expr.right, scope)))
        return negated(found)

    def _comparand(self, expr: Expr, scope: Scope) -> tuple[Rep, str]:
        """*expr* where it is compared, and a condition that holds where it is unset."""
        if isinstance(expr, Ref) and expr.name in scope.slots:
            slot = scope.slots[expr.name]
            return (Never() if slot.known is UNSET else slot.rep()), slot.unset()
        return self.rep(expr, scope), "False"

    def _equality(self, expr: Binary, scope: Scope) -> Truth:
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

    def _membership(self, expr: Binary, scope: Scope) -> Truth:
        member = self.rep(expr.left, scope)
        whole = self.rep(expr.right, scope)
        if isinstance(member, Never) or isinstance(whole, Never):
            return NO
        if not is_set(whole):
            self.writer.fail("True")
            return NO
        if is_set(member) and not isinstance(whole, PowerOf | Joined | Chosen):
            member = member if isinstance(member, Known | Member) else self.bits(member)
        found = self.contains(whole, member)
        return negated(found) if expr.op is Op.NOT_IN else found

    def _inclusion(self, expr: Binary, scope: Scope) -> Truth:
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

    def _formula(self, expr: Not | And | Or | Quantified, scope: Scope) -> Truth:
        match expr:
            case Not(operand):
                return negated(self.truth(operand, scope))
            case And(operands):
                return self.all_of(operands, scope)
            case Or(operands):
                return self._any_of(operands, scope)
            case Quantified():
                return self.quantified(expr, scope)
            case _:
                assert_never(expr)

    def all_of(self, operands: tuple[Expr, ...], scope: Scope) -> Truth:
        """The conjunction of *operands*, decided left to right."""
        found = YES
        for at, operand in enumerate(operands):
            if found == NO and not self.writer.may_fail:
                return NO
            if at == 0:
                found = self.truth(operand, scope)
                continue
            found = self._then(found, operand, scope, wanted=True)
        return found

    def _any_of(self, operands: tuple[Expr, ...], scope: Scope) -> Truth:
        found = NO
        for at, operand in enumerate(operands):
            if found == YES and not self.writer.may_fail:
                return YES
            if at == 0:
                found = self.truth(operand, scope)
                continue
            found = self._then(found, operand, scope, wanted=False)
        return found

    def _then(self, found: Truth, operand: Expr, scope: Scope, *, wanted: bool) -> Truth:
        """``found and operand``, or ``found or operand``: the second only where it matters."""
        if not self.writer.may_fail and found == (YES if wanted else NO):
            return self.truth(operand, scope)
        before = len(self.writer.lines)
        mark = self.writer.mark()
        failing = self.writer.may_fail
        name = self.writer.name("c")
        head = name if wanted else f"not {name}"
        if failing:
            head = f"e == 0 and {head}"
        with self.writer.block(f"if {head}"):
            truth = self.truth(operand, scope)
            is_plain = len(self.writer.lines) == before + 1
            cheap = [] if self.writer.may_fail else self.writer.plain_lines(before + 1, CHEAP // 2)
            self.writer.emit(f"{name} = {truth.code}")
        if (is_plain or cheap) and not failing:
            # The second needs few lines of its own, or none: one condition will do.
            del self.writer.lines[before:]
            for line in cheap:
                self.writer.emit(line)
            word = "and" if wanted else "or"
            return Truth(f"({found.code} {word} {truth.code})")
        self.writer.put(mark, [f"{name} = {found.code}"])
        return Truth(name)
