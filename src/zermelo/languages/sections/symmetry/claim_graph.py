"""A grounded system as a graph whose automorphisms are its symmetries.

The vertices are claims, variables, formulas and inputs; an edge has a label that says what
its one end is to the other. What a symmetry must tell apart has different colours from the
start. With the text of the system added (what is written, with named sets written out), those
symmetries are left that also leave the text as it is, up to the order of ∧, ∨, ∪, ∩, =, the members
of sets, and rules that commute. They are proved like all others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, assert_never, get_args

from zermelo.core.machine import Fault
from zermelo.core.values import Value, in_order
from zermelo.languages.sections.footprint import Footprint, Footprints
from zermelo.languages.sections.ir import (
    And,
    Apply,
    Assign,
    Binary,
    Binder,
    Call,
    Comprehension,
    Declare,
    Expr,
    Fold,
    Let,
    Literal,
    Local,
    Not,
    Op,
    Or,
    Order,
    PowerSet,
    Procedure,
    Product,
    Quantified,
    Ref,
    Rule,
    SetOf,
    Statement,
    TupleOf,
)
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry.formulas import (
    Amount,
    Choose,
    Claimed,
    Conjunction,
    Disjunction,
    KnownNumber,
    Negation,
    Node,
    NumberTerm,
    TruthConstant,
    WeightedSum,
)
from zermelo.languages.sections.symmetry.grounding import GroundAction, GroundSystem
from zermelo.languages.sections.walk import children, conjuncts, free_locals, parts

_EXPRESSIONS: Final = get_args(Expr)
_ASSOCIATIVE: Final = {Op.UNION, Op.INTERSECTION, Op.PLUS, Op.TIMES}
_EITHER_WAY: Final = {Op.UNION, Op.INTERSECTION, Op.EQ, Op.NE, Op.IFF, Op.PLUS, Op.TIMES}


@dataclass(slots=True)
class ClaimGraph:
    """Vertices with colours, and edges with labels."""

    colours: list[Hashable] = field(default_factory=list)
    edges: list[tuple[int, int, Hashable]] = field(default_factory=list)
    claims: dict[int, int] = field(default_factory=dict)
    """The vertex of each claim."""

    def vertex(self, colour: Hashable) -> int:
        self.colours.append(colour)
        return len(self.colours) - 1

    def edge(self, source: int, target: int, label: Hashable) -> None:
        self.edges.append((source, target, label))


def claim_graph(system: GroundSystem) -> ClaimGraph:
    """*system* as a graph."""
    return _TurnGraph(system).drawn()


def with_text(graph: ClaimGraph, machine: Interpreter, system: GroundSystem) -> ClaimGraph:
    """*graph*, the turn of *machine*, with the text added to it."""
    writing = _TextGraph(graph, machine)
    writing.write_claims(system)
    writing.write()
    return graph


class _TurnGraph:
    def __init__(self, system: GroundSystem) -> None:
        self._system = system
        self._graph = ClaimGraph()
        self._vertices: dict[Node, int] = {}

    def drawn(self) -> ClaimGraph:
        self._draw_claims()
        for at, node in enumerate(self._system.judged):
            self._graph.edge(self._graph.vertex(("judged", at)), self._node(node), "is")
        for node in sorted(self._system.invariants):
            self._graph.edge(self._graph.vertex("invariant"), self._node(node), "is")
        if self._system.end is not None:
            self._draw_action(self._system.end, "end")
        for each in self._system.inputs:
            self._draw_action(each.action, "input")
        return self._graph

    def _draw_claims(self) -> None:
        """The claims of a variable hang together, so that variables become variables."""
        variables: dict[str, int] = {}
        for claim in self._system.live:
            bit = self._system.bits[claim]
            held = claim if claim in self._system.held else None
            is_outside = claim in self._system.outside
            vertex = self._graph.vertex(
                ("claim", self._system.first[claim], bit.is_member, is_outside, held)
            )
            self._graph.claims[claim] = vertex
            if bit.variable not in variables:
                variables[bit.variable] = self._graph.vertex("variable")
            self._graph.edge(vertex, variables[bit.variable], "of")

    def _draw_action(self, action: GroundAction, colour: Hashable) -> int:
        claim_graph = self._graph
        vertex = claim_graph.vertex(("action", colour))
        for claim, node in action.updates:
            if claim in claim_graph.claims:
                update = claim_graph.vertex("update")
                claim_graph.edge(vertex, update, "makes")
                claim_graph.edge(update, claim_graph.claims[claim], "of")
                claim_graph.edge(update, self._node(node), "to")
        for at, node in action.amounts:
            claim_graph.edge(vertex, self._node(node), ("amount", at))
        for node in sorted(action.faults):
            claim_graph.edge(vertex, self._node(node), "fault")
        if action.ended is not None:
            claim_graph.edge(vertex, self._draw_action(action.ended, "ended"), "then")
        return vertex

    def _node(self, node: Node) -> int:
        """The vertex of a formula, drawn with all it consists of."""
        waiting = [node]
        while waiting:
            at = waiting[-1]
            missing = [p for p in self._system.formulas.parts(at) if p not in self._vertices]
            if at in self._vertices or not missing:
                waiting.pop()
                if at not in self._vertices:
                    self._vertices[at] = self._drawn(at)
            else:
                waiting += missing
        return self._vertices[node]

    def _drawn(self, node: Node) -> int:
        formula = self._system.formulas[node]
        if isinstance(formula, Claimed) and formula.number in self._graph.claims:
            return self._graph.claims[formula.number]
        match formula:
            case TruthConstant() | KnownNumber() | Amount() | Claimed():
                return self._graph.vertex(("leaf", formula))
            case Negation():
                vertex = self._graph.vertex("not")
            case Conjunction():
                vertex = self._graph.vertex("and")
            case Disjunction():
                vertex = self._graph.vertex("or")
            case WeightedSum():
                vertex = self._graph.vertex("sum")
            case NumberTerm(op):
                vertex = self._graph.vertex(("term", op.value))
            case Choose():
                vertex = self._graph.vertex("choose")
            case _:
                assert_never(formula)
        for part, label in self._labelled(node):
            self._graph.edge(vertex, self._vertices[part], label)
        return vertex

    def _labelled(self, node: Node) -> Iterator[tuple[Node, Hashable]]:
        formula = self._system.formulas[node]
        parts = self._system.formulas.parts(node)
        if isinstance(formula, WeightedSum):
            yield from ((part, ("weight", weight)) for part, weight in formula.weights)
        elif isinstance(formula, NumberTerm | Choose) and not self._is_either_way(node):
            yield from ((part, ("part", at)) for at, part in enumerate(parts))
        else:
            yield from ((part, "part") for part in parts)

    def _is_either_way(self, node: Node) -> bool:
        formula = self._system.formulas[node]
        return isinstance(formula, NumberTerm) and formula.op.value in {"=", "+", "·"}


class _TextGraph:
    def __init__(self, graph: ClaimGraph, machine: Interpreter) -> None:
        self._graph = graph
        self._machine = machine
        self._system = machine.system
        self._footprints = Footprints(self._system)
        self._values: dict[tuple[str, Value], int] = {}
        self._variables = {v.name: graph.vertex("name") for v in self._system.variables}
        self._functions = {f.name: graph.vertex("function") for f in self._system.functions}
        self._procedures = {
            p.name: graph.vertex(("procedure", p.role.value, p.order.value))
            for p in self._system.procedures
        }
        self._takes_apart = _takes_apart(machine)

    def write_claims(self, system: GroundSystem) -> None:
        """Hang the claims of the turn on the names and values of the text."""
        for claim, vertex in self._graph.claims.items():
            bit = system.bits[claim]
            self._graph.edge(vertex, self._variables[bit.variable], "name")
            self._graph.edge(vertex, self._value(bit.value), "value")

    def write(self) -> None:
        for variable in self._system.variables:
            vertex = self._variables[variable.name]
            self._mark(vertex, ("role", variable.role.value))
            for label in ("domain", "initial", "definition"):
                expr = getattr(variable, label)
                if expr is not None:
                    self._graph.edge(vertex, self._expr(expr, {}), label)
        for function in self._system.functions:
            vertex = self._functions[function.name]
            names = self._parameters(vertex, tuple(p.name for p in function.parameters))
            self._graph.edge(vertex, self._expr(function.body, names), "body")
        for procedure in self._system.procedures:
            self._procedure(procedure)
        if self._system.over is not None:
            top = self._graph.vertex("over")
            self._graph.edge(top, self._expr(self._system.over, {}), "is")
        for at, player in enumerate(self._system.players):
            top = self._graph.vertex(("player", at))
            self._graph.edge(top, self._expr(player.turn, {}), "is")
        for invariant in self._system.invariants:
            top = self._graph.vertex("fact")
            self._graph.edge(top, self._expr(invariant.formula, {}), "is")

    def _mark(self, vertex: int, label: Hashable) -> None:
        self._graph.edge(vertex, vertex, label)

    def _parameters(self, vertex: int, names: Iterable[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for at, name in enumerate(names):
            found[name] = self._graph.vertex("parameter")
            self._graph.edge(vertex, found[name], ("parameter", at))
        return found

    # Procedures

    def _procedure(self, procedure: Procedure) -> None:
        vertex = self._procedures[procedure.name]
        names = self._parameters(vertex, (p.name for p in procedure.parameters))
        for at, parameter in enumerate(procedure.parameters):
            self._graph.edge(vertex, self._expr(parameter.domain, names), ("domain", at))
        for statement in procedure.body:
            if isinstance(statement, Let | Declare):
                for name in statement.names:
                    names.setdefault(name, self._graph.vertex("local"))
        written = [self._statement(statement, names) for statement in procedure.body]
        for at, statement in enumerate(procedure.body):
            self._graph.edge(vertex, written[at], "statement")
            if procedure.order is not Order.AT_ONCE:
                for before in range(at):
                    if not self._commute(procedure.body[before], statement):
                        self._graph.edge(written[before], written[at], "before")

    def _statement(self, statement: Statement, names: Mapping[str, int]) -> int:
        match statement:
            case Assign(variable, value):
                vertex = self._graph.vertex("assign")
                self._graph.edge(vertex, self._variables[variable], "variable")
                self._graph.edge(vertex, self._expr(value, names), "value")
            case Let(given, is_tuple, value):
                vertex = self._graph.vertex(("let", is_tuple))
                for at, name in enumerate(given):
                    self._graph.edge(vertex, names[name], ("name", at))
                self._graph.edge(vertex, self._expr(value, names), "value")
            case Declare(given, domain):
                vertex = self._graph.vertex("declare")
                for name in given:
                    self._graph.edge(vertex, names[name], "name")
                self._graph.edge(vertex, self._expr(domain, names), "domain")
            case Call(procedure, arguments):
                vertex = self._graph.vertex("call")
                self._graph.edge(vertex, self._procedures[procedure], "procedure")
                for at, argument in enumerate(arguments):
                    self._graph.edge(vertex, self._expr(argument, names), ("argument", at))
            case Rule():
                vertex = self._rule(statement, names)
        return vertex

    def _rule(self, rule: Rule, names: Mapping[str, int]) -> int:
        vertex = self._graph.vertex("rule")
        inner = dict(names)
        for statement in rule.conclusion:
            if isinstance(statement, Let | Declare):
                for name in statement.names:
                    inner.setdefault(name, self._graph.vertex("local"))
        for guard in conjuncts(rule.guard):
            self._graph.edge(vertex, self._expr(guard, names), "guard")
        together = all(isinstance(statement, Assign) for statement in rule.conclusion)
        for at, statement in enumerate(rule.conclusion):
            label = "conclusion" if together else ("conclusion", at)
            self._graph.edge(vertex, self._statement(statement, inner), label)
        return vertex

    # Rules that commute

    def _commute(self, one: Statement, other: Statement) -> bool:
        a, b = self._footprint(one), self._footprint(other)
        names_a, names_b = _given(one), _given(other)
        if names_a & (names_b | free_locals(other)) or names_b & free_locals(one):
            return False
        if not (a.writes & (b.reads | b.writes) or b.writes & a.reads):
            return True
        return (
            isinstance(one, Rule)
            and isinstance(other, Rule)
            and self._exclude(one.guard, other.guard, a.writes | b.writes)
        )

    def _footprint(self, statement: Statement) -> Footprint:
        return self._footprints.of(statement)

    def _exclude(self, one: Expr, other: Expr, written: frozenset[str]) -> bool:
        """Whether never both guards hold, whatever the rules write."""
        fixed = [
            [part for part in conjuncts(guard) if not (self._footprints.of(part).reads & written)]
            for guard in (one, other)
        ]
        return any(self._contradict(a, b) for a in fixed[0] for b in fixed[1])

    def _contradict(self, one: Expr, other: Expr) -> bool:
        if one == Not(other) or other == Not(one):
            return True
        match one, other:
            case Binary(Op.IN, left, a), Binary(Op.IN, right, b) if left == right:
                first, second = self._constant(a), self._constant(b)
                return (
                    isinstance(first, frozenset)
                    and isinstance(second, frozenset)
                    and first.isdisjoint(second)
                )
            case Binary(Op.EQ, left, a), Binary(Op.EQ, right, b) if left == right:
                first, second = self._constant(a), self._constant(b)
                return first is not None and second is not None and first != second
            case _:
                return False

    # Expressions

    def _expr(self, expr: Expr, names: Mapping[str, int]) -> int:
        if isinstance(expr, Literal) and isinstance(expr.value, int):
            return self._graph.vertex(("literal", type(expr.value).__name__, expr.value))
        if isinstance(expr, Local):
            return names[expr.name] if expr.name in names else self._graph.vertex("unknown")
        if isinstance(expr, Ref) and expr.name in self._variables:
            return self._variables[expr.name]
        constant = self._constant(expr)
        if constant is not None:
            return self._value(constant)
        if isinstance(expr, Ref):
            definition = next((s.value for s in self._system.sets if s.name == expr.name), None)
            return (
                self._graph.vertex(("unknown", expr.name))
                if definition is None
                else self._expr(definition, {})
            )
        return self._compound(expr, names)

    def _compound(self, expr: Expr, names: Mapping[str, int]) -> int:
        op = expr.op.value if isinstance(expr, Binary) else ""
        kind = expr.kind.value if isinstance(expr, Quantified | Fold) else ""
        vertex = self._graph.vertex(("expr", type(expr).__name__, op, kind))
        if isinstance(expr, Apply) and expr.function in self._functions:
            self._graph.edge(vertex, self._functions[expr.function], "function")
        inner = dict(names)
        binders = [child for child in children(expr) if isinstance(child, Binder)]
        for number, binder in enumerate(binders):
            self._graph.edge(vertex, self._expr(binder.domain, inner), ("domain", number))
            for at, name in enumerate(binder.names):
                inner[name] = self._graph.vertex(("bound", binder.is_tuple))
                self._graph.edge(vertex, inner[name], ("bound", number, at))
        is_loose = isinstance(expr, And | Or | SetOf) or (
            isinstance(expr, Binary) and expr.op in _EITHER_WAY
        )
        for at, child in enumerate(_insides(expr)):
            label: Hashable = "part" if is_loose else ("part", at)
            self._graph.edge(vertex, self._expr(child, inner), label)
        return vertex

    def _constant(self, expr: Expr) -> Value | None:
        if isinstance(expr, PowerSet | Product) or free_locals(expr):
            return None
        if self._footprints.of(expr).reads:
            return None
        if isinstance(expr, Ref):
            definition = next((s.value for s in self._system.sets if s.name == expr.name), expr)
            if isinstance(definition, PowerSet):
                return None
        value = self._machine.evaluate(expr, self._machine.initial, {})
        return None if isinstance(value, Fault) else value

    def _value(self, value: Value) -> int:
        """The vertex of a value; a pair is one thing unless the text takes pairs apart."""
        key = (type(value).__name__, value)
        if key not in self._values:
            self._values[key] = self._new_value(value)
        return self._values[key]

    def _new_value(self, value: Value) -> int:
        if isinstance(value, frozenset):
            vertex = self._graph.vertex(("set", len(value)))
            for member in in_order(value):
                self._graph.edge(vertex, self._value(member), "member")
            return vertex
        if isinstance(value, bool):
            return self._graph.vertex(("truth", value))
        if self._takes_apart:
            return self._graph.vertex(("value", value))
        return self._graph.vertex("value")


def _insides(expr: Expr) -> list[Expr]:
    """The expressions that *expr* consists of; ``(a ∪ b) ∪ c`` has three."""
    if isinstance(expr, Binary) and expr.op in _ASSOCIATIVE:
        found: list[Expr] = []
        for side in (expr.left, expr.right):
            same = isinstance(side, Binary) and side.op is expr.op
            found += _insides(side) if same else [side]
        return found
    return [child for child in children(expr) if isinstance(child, _EXPRESSIONS)]


def _given(statement: Statement) -> frozenset[str]:
    return frozenset(statement.names) if isinstance(statement, Let | Declare) else frozenset()


def _takes_apart(machine: Interpreter) -> bool:
    """Whether the text looks into pairs that are not constant, or calculates with values."""
    footprints = Footprints(machine.system)
    nodes = [n for p in machine.system.procedures for s in p.body for n in parts(s)]
    nodes += [n for f in machine.system.functions for n in parts(f.body)]
    nodes += [n for v in machine.system.variables if v.definition for n in parts(v.definition)]
    for node in nodes:
        if isinstance(node, Let) and node.is_tuple:
            return True
        if isinstance(node, TupleOf) and (free_locals(node) or footprints.of(node).reads):
            return True
        if isinstance(node, Quantified | Fold) and node.binder.is_tuple:
            return True
        is_pairs = isinstance(node, Comprehension) and any(b.is_tuple for b in node.binders)
        if is_pairs and (free_locals(node) or footprints.of(node).reads):
            return True
    return False
