"""Random moves, helpers and ends over a random world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.support.random_expressions import Expressions, Scope, listed
from tests.support.random_worlds import (
    CELLS,
    INKS,
    LINES,
    MIXED,
    MIXED_KIND,
    MORE,
    NUMBERS,
    RESULTS,
    TRUTHS,
    World,
)
from zermelo.core.values import NUMBER, TRUTH, WORD, Atom, SetType, TupleType, Type
from zermelo.languages.sections.ir import (
    And,
    Assign,
    Binary,
    Call,
    Declare,
    Expr,
    Let,
    Lines,
    Literal,
    Local,
    Not,
    NumberSet,
    NumberSetKind,
    Op,
    Or,
    Order,
    Outside,
    Parameter,
    PowerSet,
    Procedure,
    ProcedureRole,
    Product,
    Range,
    Ref,
    Rule,
    SetOf,
    Statement,
    Variable,
)

_MOST_NESTED = 2


@dataclass(frozen=True, slots=True)
class Head:
    """The name of a helper and its parameters."""

    name: str
    parameters: tuple[Parameter, ...]


class Procedures:
    """Draws the procedures of one world."""

    def __init__(self, make: Expressions, world: World) -> None:
        self._make = make
        self._world = world
        self._depth = 1 if world.is_wide else 2
        self._helpers: tuple[Head, ...] = ()
        self._given: tuple[Parameter, ...] = ()
        """The parameters of the procedure that is being made."""

    def procedures(self) -> tuple[Procedure, ...]:
        """One or two moves, the helpers they call, and perhaps an end."""
        make = self._make
        heads = (
            Head("Sweep", (Parameter("h", NUMBERS, NUMBER),)),
            Head("Mark", (Parameter("g", MORE, NUMBER), Parameter("e", INKS, WORD))),
            Head("Fill", (Parameter("s", PowerSet(NUMBERS), SetType(NUMBER)),)),
            Head("Visit", (Parameter("v", CELLS, self._world.pair),)),
        )
        self._helpers = tuple(head for head in heads if make.one_in(5))
        found = [self._move(name) for name in ("Put", "zap")[: 2 if make.one_in(4) else 1]]
        found += [self._helper(head) for head in self._helpers]
        if make.one_in(2):
            self._given = ()
            body = self._body(self._world.scope, "")
            found.append(self._procedure("End", ProcedureRole.END, (), body))
        return tuple(found)

    def probe(self, lamps: Sequence[str]) -> Procedure:
        """A move that turns each of *lamps* where a formula holds."""
        scope, self._given = self._parameters()
        depth = 1 if self._world.is_wide else 3
        rules = tuple(
            Rule(self._make.truth(scope, depth), (Assign(lamp, Not(Ref(lamp))),), str(at + 1))
            for at, lamp in enumerate(lamps)
        )
        return self._procedure("Put", ProcedureRole.MOVE, self._given, rules)

    def _procedure(
        self,
        name: str,
        role: ProcedureRole,
        parameters: tuple[Parameter, ...],
        body: tuple[Statement, ...],
    ) -> Procedure:
        order, outside = self._make.pick(list(Order)), self._make.pick(list(Outside))
        return Procedure(name, role, parameters, body, order, outside)

    # Heads

    def _move(self, name: str) -> Procedure:
        scope, self._given = self._parameters()
        body = self._body(scope, "")
        if not self._make.one_in(8):
            body = self._with(body, self._lively(scope))
        counting = [v for v in self._world.assigned if isinstance(v.domain, Range)]
        if counting and self._make.one_in(3):
            body = self._with(body, self._beyond(self._make.pick(counting)))
        return self._procedure(name, ProcedureRole.MOVE, self._given, self._bounded(body))

    def _beyond(self, variable: Variable) -> Rule:
        """A rule that takes a number beyond the set it is declared with."""
        number = Ref(variable.name)
        guard = Binary(Op.LT, number, Literal(self._make.count(4, 7)))
        return Rule(guard, (Assign(variable.name, Binary(Op.PLUS, number, Literal(1))),), "9")

    def _bounded(self, body: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """*body*, in which guards say how far parameters matter that range over all numbers."""
        endless = [p for p in self._given if isinstance(p.domain, NumberSet)]
        if not endless or self._make.one_in(6):
            return body
        return tuple(
            replace(each, guard=And((*map(self._bound, endless), each.guard)))
            if isinstance(each, Rule)
            else each
            for each in body
        )

    def _bound(self, parameter: Parameter) -> Expr:
        number, low = Local(parameter.name), Binary(Op.GT, Local(parameter.name), Literal(0))
        ways: tuple[Expr, ...] = (
            Binary(Op.IN, number, NUMBERS),
            Binary(Op.IN, number, Ref("left")),
            And((low, Binary(Op.LE, number, Literal(self._make.count(0, 4))))),
            Or((Binary(Op.IN, number, Ref("left")), Binary(Op.EQ, number, Literal(5)))),
            Or(
                (
                    And((Ref("turn"), Binary(Op.IN, number, NUMBERS))),
                    And((Not(Ref("turn")), Binary(Op.IN, number, MORE))),
                )
            ),
        )
        return self._make.pick(ways)

    def _parameters(self) -> tuple[Scope, tuple[Parameter, ...]]:
        scope = self._world.scope
        parameters: list[Parameter] = []
        for at in range(self._make.pick((1, 0, 1) if self._world.is_wide else (1, 2, 1, 0, 3))):
            parameter = self._parameter("pqr"[at], scope)
            parameters.append(parameter)
            scope = scope.inside((parameter.type, parameter.name))
        return scope, tuple(parameters)

    def _with(self, body: tuple[Statement, ...], rule: Rule) -> tuple[Statement, ...]:
        """*body* with *rule* somewhere in it."""
        at = self._make.count(0, len(body))
        return (*body[:at], rule, *body[at:])

    def _lively(self, scope: Scope) -> Rule:
        """A rule that probably changes something."""
        make = self._make
        matching = [(v, p) for v in self._world.assigned for p in self._given if _fits(v, p)]
        passing: tuple[Statement, ...] = (Assign("turn", Not(Ref("turn"))),)
        if not matching:
            variable = self._target()
            change = self._assignment(scope, variable)
            always: tuple[Expr, ...] = (And(()), Ref("turn"))
            return Rule(make.pick(always), (change, *passing), "0")
        variable, parameter = make.pick(matching)
        old, member = Ref(variable.name), Local(parameter.name)
        is_growing = not make.one_in(3)
        guard: Expr = Binary(Op.NOT_IN if is_growing else Op.IN, member, old)
        op = Op.UNION if is_growing else Op.DIFFERENCE
        change = Assign(variable.name, Binary(op, old, SetOf((member,))))
        if make.one_in(2):
            guard = And((guard, self._condition(scope)))
        return Rule(guard, (change, *passing) if make.one_in(2) else (change,), "0")

    def _parameter(self, name: str, scope: Scope) -> Parameter:
        world = self._world
        ways: list[tuple[Expr, Type]] = [
            (NUMBERS, NUMBER),
            (CELLS, world.pair),
            (MORE, NUMBER),
            (INKS, WORD),
            (TRUTHS, TRUTH),
            (MIXED, MIXED_KIND),
            (LINES, world.line),
            (Ref("left"), NUMBER),
            (Product((NUMBERS, INKS)), TupleType((NUMBER, WORD))),
        ]
        ways += [w for w in ways if any(v.domain == PowerSet(w[0]) for v in world.assigned)]
        if not world.is_wide:
            ways.append((PowerSet(NUMBERS), SetType(NUMBER)))
            ways.append((PowerSet(INKS), SetType(WORD)))
        if self._make.one_in(10):
            kinds: tuple[Type, ...] = (NUMBER, world.pair)
            item = self._make.pick(kinds)
            return Parameter(name, self._make.set(item, scope, 1), item)
        if self._make.one_in(8):
            return Parameter(name, NumberSet(self._make.pick(list(NumberSetKind))), NUMBER)
        domain, kind = self._make.pick(ways)
        return Parameter(name, domain, kind)

    def _helper(self, head: Head) -> Procedure:
        scope = self._world.scope.inside(*((p.type, p.name) for p in head.parameters))
        self._given = head.parameters
        body = self._sweep(head, scope) if self._make.one_in(2) else self._body(scope, "")
        return self._procedure(head.name, ProcedureRole.HELPER, head.parameters, body)

    def _sweep(self, head: Head, scope: Scope) -> tuple[Statement, ...]:
        """A recursion that ends: what it has been to it does not go to again."""
        first = head.parameters[0]
        if first.type != NUMBER:
            return self._body(scope, "")
        left, here = Ref("left"), Local(first.name)
        step = Binary(self._make.pick((Op.PLUS, Op.MINUS)), here, Literal(1))
        rest = tuple(self._make.of(p.type, scope, 1) for p in head.parameters[1:])
        guard = And((Binary(Op.IN, here, left), self._make.truth(scope, 1)))
        conclusion: tuple[Statement, ...] = (
            Assign("left", Binary(Op.DIFFERENCE, left, SetOf((here,)))),
            Call(head.name, (step, *rest)),
        )
        if self._make.one_in(2):
            other = Binary(Op.PLUS, here, Literal(2))
            conclusion = (*conclusion, Call(head.name, (other, *rest)))
        return (Rule(guard, conclusion, "1"),)

    # Bodies

    def _body(self, scope: Scope, label: str) -> tuple[Statement, ...]:
        make = self._make
        body: list[Statement] = []
        names: list[tuple[Type, str]] = []
        for at in range(make.pick((0, 1, 0, 2))):
            statement, given = self._local(scope, f"u{at}")
            body.append(statement)
            names += given
            scope = scope.inside(*given)
        declarable = [*names, *((p.type, p.name) for p in self._given)]
        if declarable and make.one_in(3 if names else 8):
            kind, name = make.pick(declarable)
            if not isinstance(kind, SetType):
                domain = make.set(kind, self._world.constants, 1)
                body.insert(make.count(0, len(body)), Declare((name,), domain))
        for at in range(make.pick((1, 2, 1, 3))):
            if make.one_in(6):
                body.append(self._statement(scope))
                continue
            rule, scope = self._rule(scope, f"{label}{at + 1}", 0)
            body.append(rule)
        return tuple(body)

    def _local(self, scope: Scope, name: str) -> tuple[Statement, list[tuple[Type, str]]]:
        make = self._make
        pairs = [
            (expr, kind)
            for kind, expr in scope.terms
            if isinstance(kind, TupleType) and len(kind.items) == 2
        ]
        if pairs and make.one_in(2):
            expr, kind = make.pick(pairs)
            if make.one_in(4):
                expr = make.of(kind, scope, 1)
            given = [(item, f"{name}{at}") for item, at in zip(kind.items, "ab", strict=True)]
            return Let(tuple(n for _, n in given), is_tuple=True, value=expr), given
        kinds: tuple[Type, ...] = (NUMBER, SetType(NUMBER), self._world.pair, WORD, TRUTH)
        given_kind = NUMBER if make.one_in(2) else make.pick(kinds)
        value = make.of(given_kind, scope, self._depth)
        known = [expr.name for expr in scope.of(given_kind) if isinstance(expr, Local)]
        if known and make.one_in(5):
            # A parameter, or a local that has a value already.
            name = make.pick(known)
        return Let((name,), is_tuple=False, value=value), [(given_kind, name)]

    def _statement(self, scope: Scope) -> Statement:
        """Outside all rules."""
        if self._callable() and self._make.one_in(3):
            return self._call(scope)
        flags = [v for v in self._world.assigned if v.name in {"ok", "mark", "seen"}]
        if flags and not self._make.one_in(3):
            return self._assignment(scope, self._make.pick(flags))
        return self._assignment(scope, self._target())

    def _rule(self, scope: Scope, label: str, nested: int) -> tuple[Rule, Scope]:
        make = self._make
        conclusion: list[Statement] = []
        inner = scope
        for at in range(make.pick((1, 2, 1, 3))):
            way = make.count(0, 9)
            if way == 9 and nested < _MOST_NESTED:
                rule, inner = self._rule(inner, f"{label}.{at + 1}", nested + 1)
                conclusion.append(rule)
            elif way == 8 and self._callable():
                conclusion.append(self._call(inner))
            elif way == 7:
                statement, given = self._local(inner, f"k{len(label)}{at}")
                conclusion.append(statement)
                if make.one_in(2):
                    inner = inner.inside(*given)
            else:
                conclusion.append(self._assignment(inner, self._target()))
        guard = self._guard(scope)
        # What a conclusion gives a value to, later rules may use, whether it fired or not.
        after = inner if make.one_in(8) else scope
        lines = make.pick((Lines.TOGETHER, Lines.TOGETHER, Lines.ONE_AFTER_THE_OTHER))
        return Rule(guard, tuple(conclusion), label, lines=lines), after

    def _guard(self, scope: Scope) -> Expr:
        conditions = [self._condition(scope) for _ in range(self._make.pick((1, 2, 1, 0)))]
        return conditions[0] if len(conditions) == 1 else And(tuple(conditions))

    def _condition(self, scope: Scope) -> Expr:
        """Often one that asks something simple of a parameter or a flag."""
        make = self._make
        locals_ = [(kind, expr) for kind, expr in scope.terms if isinstance(expr, Local)]
        if locals_ and not make.one_in(2):
            kind, expr = make.pick(locals_)
            known = scope.of(SetType(kind))
            if known:
                return Binary(make.pick((Op.IN, Op.NOT_IN)), expr, make.pick(known))
        return make.truth(scope, self._depth)

    def _call(self, scope: Scope) -> Call:
        head = self._make.pick(self._callable())
        arguments = (self._make.of(p.type, scope, 1) for p in head.parameters)
        return Call(head.name, tuple(arguments))

    def _callable(self) -> tuple[Head, ...]:
        """The helpers to call: from a helper those after it, so that calls come to an end."""
        here = next((at for at, h in enumerate(self._helpers) if h.parameters == self._given), -1)
        return self._helpers[here + 1 :]

    # Assignments

    def _target(self) -> Variable:
        """A variable to be given a value; moves seldom decide the result."""
        found = self._make.pick(self._world.assigned)
        if found.name == "result" and self._given and not self._make.one_in(6):
            return self._world.assigned[0]
        return found

    def _assignment(self, scope: Scope, variable: Variable) -> Assign:
        if self._make.one_in(4):
            value = self._make.of(variable.type, scope, self._depth)
        else:
            value = self._within(scope, variable)
        return Assign(variable.name, value)

    def _within(self, scope: Scope, variable: Variable) -> Expr:
        """A value that mostly stays in the variable's set."""
        make, kind, old = self._make, variable.type, Ref(variable.name)
        if kind == TRUTH:
            return Not(old)
        if variable.name == "result":
            word = Literal(Atom(make.pick(RESULTS)))
            return word if kind == WORD else Binary(Op.UNION, old, SetOf((word,)))
        if isinstance(kind, SetType):
            fitting = [Local(p.name) for p in self._given if _fits(variable, p)]
            if fitting and not make.one_in(4):
                member: Expr = make.pick(fitting)
            else:
                member = make.of(kind.item, scope, 0)
            return Binary(make.pick((Op.UNION, Op.DIFFERENCE)), old, listed(member))
        if kind == NUMBER:
            return self._next_number(old)
        fitting = [Local(p.name) for p in self._given if p.domain == variable.domain]
        return make.pick(fitting) if fitting else make.of(kind, scope, 1)

    def _next_number(self, old: Expr) -> Expr:
        make = self._make
        step = Binary(make.pick((Op.PLUS, Op.MINUS)), old, Literal(1))
        if make.one_in(2):
            return step
        return Binary(Op.PLUS, Binary(Op.MOD, old, Literal(make.count(2, 3))), Literal(1))


def _fits(variable: Variable, parameter: Parameter) -> bool:
    """Whether every value of *parameter* may be a member of *variable*."""
    return variable.domain == PowerSet(parameter.domain)
