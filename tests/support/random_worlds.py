"""Random sets, variables and value functions: the world that random rules are about."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tests.support.random_expressions import WORDS, Expressions, Scope, listed
from zermelo.core.values import (
    FALSE,
    NUMBER,
    TRUE,
    TRUTH,
    WORD,
    Atom,
    MixedType,
    SetType,
    TupleType,
    Type,
    Value,
    truth,
)
from zermelo.languages.sections.ir import (
    And,
    Apply,
    Binary,
    Binder,
    Card,
    Comprehension,
    Expr,
    Function,
    Literal,
    Local,
    NumberSet,
    NumberSetKind,
    Op,
    Or,
    Parameter,
    PowerSet,
    Product,
    Range,
    Ref,
    SetDefinition,
    SetOf,
    TupleOf,
    Variable,
    VariableRole,
)

TRUTHS = SetOf((Literal(truth(holds=True)), Literal(truth(holds=False))))
MIXED = SetOf((Literal(1), Literal(2), Literal(TRUE), Literal(Atom("red")), SetOf((Literal(1),))))
MIXED_KIND = MixedType((TRUTH, NUMBER, WORD, SetType(NUMBER)))
RESULTS = ("one wins", "two wins", "three wins", "nobody")
RESULT = SetOf(tuple(Literal(Atom(name)) for name in RESULTS))
NUMBERS = Ref("Nums")
INKS = Ref("Inks")
CELLS = Ref("Cells")
LINES = Ref("Lines")
MORE = Ref("More")
_PAIR = TupleType((NUMBER, NUMBER))
_LINE = SetType(NUMBER)


@dataclass(frozen=True, slots=True)
class World:
    """What there is before there are rules."""

    sets: tuple[SetDefinition, ...]
    variables: tuple[Variable, ...]
    functions: tuple[Function, ...]
    pair: TupleType
    line: SetType
    is_wide: bool

    @property
    def constants(self) -> Scope:
        """What the sets can be used for."""
        return Scope(tuple((each.type, Ref(each.name)) for each in self.sets))

    @property
    def scope(self) -> Scope:
        """What rules can use."""
        shown = (each for each in self.variables if each.name != "result")
        variables = tuple((each.type, Ref(each.name)) for each in shown)
        return Scope((*variables, *self.constants.terms), self.functions)

    @property
    def assigned(self) -> tuple[Variable, ...]:
        """The variables that rules may give values."""
        return tuple(v for v in self.variables if v.role is not VariableRole.DEFINED)


@dataclass(slots=True)
class Worlds:
    """Draws worlds."""

    make: Expressions
    _sets: list[SetDefinition] = field(default_factory=list)
    _pair: TupleType = _PAIR
    _line: SetType = _LINE
    _is_wide: bool = False

    def world(self) -> World:
        """A world."""
        self._is_wide = self.make.one_in(16)
        self._named_sets()
        sets = tuple(self._sets)
        known = World(sets, self._variables(), (), self._pair, self._line, self._is_wide)
        functions = self._functions(known)
        known = replace(known, functions=functions)
        return replace(known, variables=(*known.variables, *self._defined(known)))

    # Sets

    def _named_sets(self) -> None:
        self._add("Nums", SetType(NUMBER), self._numbers())
        self._add("Inks", SetType(WORD), SetOf(tuple(Literal(Atom(w)) for w in WORDS)))
        if self.make.one_in(4):
            self._pair = TupleType((NUMBER, WORD))
        self._add("Cells", SetType(self._pair), self._cells())
        if self.make.one_in(2):
            self._line = SetType(self._pair)
        self._add("Lines", SetType(self._line), self._lines())
        scope = Scope(tuple((each.type, Ref(each.name)) for each in self._sets))
        self._add("More", SetType(NUMBER), self._more(scope))

    def _add(self, name: str, kind: Type, value: Expr) -> None:
        self._sets.append(SetDefinition(name, value, kind))

    def _numbers(self) -> Expr:
        high = 9 if self._is_wide else self.make.count(2, 3)
        if self._is_wide:
            return Range(Literal(1), Literal(high))
        ways: tuple[Expr, ...] = (
            Range(Literal(1), Literal(high)),
            SetOf(tuple(Literal(n) for n in range(1, high + 1))),
            _those("n", NumberSet(NumberSetKind.POSITIVE), Op.LE, high),
            SetOf(tuple(map(Literal, (1, 3, 4)))),
            Range(Literal(-1), Literal(1)),
        )
        return self.make.pick(ways)

    def _more(self, scope: Scope) -> Expr:
        if self.make.one_in(3):
            return self.make.set(NUMBER, scope, 1 if self._is_wide else 2)
        twice = Binary(Op.TIMES, Literal(2), Local("n"))
        half = Binary(Op.DIVIDE, Local("n"), Literal(2))
        ways: tuple[Expr, ...] = (
            Binary(Op.UNION, NUMBERS, SetOf((Literal(0),))),
            Comprehension(twice, (Binder(("n",), is_tuple=False, domain=NUMBERS),), And(())),
            Binary(Op.DIFFERENCE, NUMBERS, SetOf((Literal(1),))),
            Comprehension(half, (Binder(("n",), is_tuple=False, domain=NUMBERS),), And(())),
        )
        return self.make.pick(ways)

    def _cells(self) -> Expr:
        second = INKS if self._pair.items[1] == WORD else NUMBERS
        whole = Product((NUMBERS, second))
        if self.make.one_in(3):
            scope = Scope().inside((NUMBER, "r"), (self._pair.items[1], "q"))
            condition = self.make.truth(scope, 1)
            pattern = TupleOf((Local("r"), Local("q")))
            return Comprehension(
                pattern, (Binder(("r", "q"), is_tuple=True, domain=whole),), condition
            )
        return whole

    def _lines(self) -> Expr:
        item = self._line.item
        base = NUMBERS if item == NUMBER else CELLS
        scope = Scope(tuple((each.type, Ref(each.name)) for each in self._sets))
        ways = ["listed", "rows"] if self._is_wide else ["listed", "rows", "sized"]
        way = self.make.pick(ways)
        if way == "listed":
            count = self.make.count(1, 3)
            return listed(*(self.make.set(item, scope, 1) for _ in range(count)))
        if way == "sized":
            return _those("w", PowerSet(base), Op.EQ, self.make.count(1, 2), is_size=True)
        inner = scope.inside((NUMBER, "n"))
        return Comprehension(
            self.make.set(item, inner, 2),
            (Binder(("n",), is_tuple=False, domain=NUMBERS),),
            And(()),
        )

    # Variables

    def _variables(self) -> tuple[Variable, ...]:
        stored, flag = VariableRole.STORED, VariableRole.FLAG
        truth_and_number = TupleType((NUMBER, TRUTH))
        natural, whole = NumberSet(NumberSetKind.NATURAL), NumberSet(NumberSetKind.INTEGER)
        ways: tuple[tuple[str, VariableRole, Expr, Type], ...] = (
            ("right", stored, PowerSet(MORE), SetType(NUMBER)),
            ("held", stored, PowerSet(CELLS), SetType(self._pair)),
            ("count", stored, Range(Literal(0), Literal(4)), NUMBER),
            ("at", stored, CELLS, self._pair),
            ("ink", stored, INKS, WORD),
            ("inks", stored, PowerSet(INKS), SetType(WORD)),
            ("place", stored, NUMBERS, NUMBER),
            ("line", stored, LINES, self._line),
            ("lines", stored, PowerSet(LINES), SetType(self._line)),
            ("total", stored, natural, NUMBER),
            ("debt", stored, whole, NUMBER),
            ("both", stored, Product((NUMBERS, TRUTHS)), truth_and_number),
            ("odd", stored, MIXED, MIXED_KIND),
            ("odds", stored, PowerSet(MIXED), SetType(MIXED_KIND)),
            ("seat", stored, Range(Literal(1), Literal(3)), NUMBER),
            ("ok", flag, TRUTHS, TRUTH),
            ("mark", flag, MORE, NUMBER),
            ("seen", flag, PowerSet(NUMBERS), SetType(NUMBER)),
        )
        rare: tuple[tuple[str, VariableRole, Expr | None, Type], ...] = (
            ("lamp", stored, None, TRUTH),
            ("spare", stored, PowerSet(Ref("left")), SetType(NUMBER)),
            ("worth", stored, NumberSet(NumberSetKind.POSITIVE), NUMBER),
            ("deep", stored, Product((CELLS, INKS)), TupleType((self._pair, WORD))),
            ("team", stored, Product((LINES, NUMBERS)), TupleType((self._line, NUMBER))),
        )
        return (
            self._variable("left", stored, PowerSet(NUMBERS), SetType(NUMBER)),
            self._variable("turn", stored, TRUTHS, TRUTH),
            *(self._variable(*way) for way in ways if self.make.one_in(3)),
            *(self._variable(*way) for way in rare if self.make.one_in(40)),
        )

    def _variable(self, name: str, role: VariableRole, domain: Expr | None, kind: Type) -> Variable:
        initial = None if self.make.one_in(25) else self._first(domain, kind)
        return Variable(name, role, domain, kind, initial=initial)

    def _first(self, domain: Expr | None, kind: Type) -> Expr:
        """A first value, in its set unless chance wills otherwise."""
        scope = Scope(tuple((each.type, Ref(each.name)) for each in self._sets))
        if isinstance(domain, PowerSet) and not self.make.one_in(4):
            return domain.base if self.make.one_in(2) else SetOf(())
        if kind == TRUTH:
            return Literal(self.make.pick((TRUE, FALSE)))
        if kind == NUMBER and not self.make.one_in(12):
            return Literal(1)
        return self.make.of(kind, scope, 1)

    # Facts and value functions

    def _defined(self, world: World) -> tuple[Variable, ...]:
        kinds: tuple[Type, ...] = (
            SetType(NUMBER),
            TRUTH,
            NUMBER,
            SetType(world.pair),
            SetType(world.line),
        )
        scope = world.scope
        found: list[Variable] = []
        for at in range(self.make.count(0, 3)):
            kind = self.make.pick(kinds)
            name = f"fact{at}"
            made = self.make.of(kind, scope, 2)
            found.append(Variable(name, VariableRole.DEFINED, None, kind, definition=made))
            scope = Scope(((kind, Ref(name)), *scope.terms), scope.functions)
        return tuple(found)

    def _functions(self, world: World) -> tuple[Function, ...]:
        scope = world.scope
        number = Parameter("a", NUMBERS, NUMBER)
        some = Parameter("m", PowerSet(NUMBERS), SetType(NUMBER))
        cell = Parameter("p", CELLS, world.pair)
        ink = Parameter("k", INKS, WORD)
        heads: tuple[tuple[str, tuple[Parameter, ...], Type], ...] = (
            ("Worth", (number,), NUMBER),
            ("Check", (some,), TRUTH),
            ("Near", (cell,), SetType(world.pair)),
            ("Row", (number,), SetType(NUMBER)),
            ("Score", (some, number), NUMBER),
            ("Fits", (ink, cell), TRUTH),
            ("Other", (ink,), WORD),
        )
        found: list[Function] = []
        for name, parameters, kind in heads:
            inner = scope.inside(*((p.type, p.name) for p in parameters))
            inner = Scope(inner.terms, tuple(found))
            if not self.make.one_in(3):
                continue
            body = self.make.of(kind, inner, 2)
            found.append(Function(name, parameters, body, kind))
        if self.make.one_in(4):
            found.append(self._recursive(Scope(scope.terms, tuple(found))))
        return tuple(found)

    def _recursive(self, scope: Scope) -> Function:
        """``Chain(a) = a ≤ 0 ∨ … ∧ Chain(a − 1)``, or a sum over what is less."""
        parameter = Parameter("a", Range(Literal(0), Literal(4)), NUMBER)
        a = Local("a")
        inner = scope.inside((NUMBER, "a"))
        step = Binary(Op.MINUS, a, Literal(1))
        stop = Binary(Op.LE, a, Literal(0))
        more = And((self.make.truth(inner, 1), _chain(step)))
        if self.make.one_in(2):
            some = self.make.truth(inner, 1)
            more = And((Binary(Op.GT, a, Literal(0)), Or((some, _chain(step)))))
            return Function("Chain", (parameter,), more, TRUTH)
        return Function("Chain", (parameter,), Or((stop, more)), TRUTH)


def _chain(argument: Expr) -> Expr:
    return Apply("Chain", (argument,))


def _those(name: str, domain: Expr, op: Op, limit: Value, *, is_size: bool = False) -> Expr:
    measured: Expr = Card(Local(name)) if is_size else Local(name)
    condition = Binary(op, measured, Literal(limit))
    return Comprehension(Local(name), (Binder((name,), is_tuple=False, domain=domain),), condition)
