"""A grounded system as a graph whose automorphisms are its symmetries.

The vertices are claims, variables, formulas and inputs; an edge has a label that says what
its one end is to the other. What a symmetry must tell apart has different colours from the
start. With the text of the system added (what is written, with named sets written out), those
symmetries are left that also leave the text as it is, up to the order of ∧, ∨, ∪, ∩, =, the members
of sets, and rules that commute. They are proved like all others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Final

from zermelo.core.machine import Fault
from zermelo.core.values import TruthValue, Value, in_order
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Binary, Expr, Let, Op, Procedure, Ref, Rule, Statement
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.symmetry import formulas
from zermelo.languages.sections.symmetry.automorphisms import ClaimGraph
from zermelo.languages.sections.symmetry.formulas import Claimed, Node
from zermelo.languages.sections.symmetry.grounding import GroundAction, GroundSystem
from zermelo.languages.sections.walk import (
    EXPRESSIONS,
    Footprints,
    bodies,
    children,
    conjuncts,
    free_locals,
    parts,
)

_ASSOCIATIVE: Final = {Op.UNION, Op.INTERSECTION, Op.PLUS, Op.TIMES}
_EITHER_WAY: Final = {Op.UNION, Op.INTERSECTION, Op.EQ, Op.NE, Op.IFF, Op.PLUS, Op.TIMES}


def claim_graph(system: GroundSystem) -> ClaimGraph:
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
            self._graph.vertex(("judged", at), (self._node(node), "is"))
        for node in sorted(self._system.invariants):
            self._graph.vertex("invariant", (self._node(node), "is"))
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
            if bit.variable not in variables:
                variables[bit.variable] = self._graph.vertex("variable")
            self._graph.claims[claim] = self._graph.vertex(
                ("claim", self._system.first[claim], bit.is_member, is_outside, held),
                (variables[bit.variable], "of"),
            )

    def _draw_action(self, action: GroundAction, colour: Hashable) -> int:
        graph = self._graph
        vertex = graph.vertex(("action", colour))
        for claim, node in action.updates:
            if claim in graph.claims:
                made = graph.vertex("update", (graph.claims[claim], "of"), (self._node(node), "to"))
                graph.edge(vertex, made, "makes")
        for at, node in action.amounts:
            graph.edge(vertex, self._node(node), ("amount", at))
        for node in sorted(action.faults):
            graph.edge(vertex, self._node(node), "fault")
        if action.ended is not None:
            graph.edge(vertex, self._draw_action(action.ended, "ended"), "then")
        return vertex

    def _node(self, node: Node) -> int:
        """The vertex of a formula, drawn with all it consists of."""
        for at in self._system.formulas.inside_out(node, self._vertices.__contains__):
            self._vertices[at] = self._drawn(at)
        return self._vertices[node]

    def _drawn(self, node: Node) -> int:
        formula = self._system.formulas[node]
        if isinstance(formula, Claimed) and formula.number in self._graph.claims:
            return self._graph.claims[formula.number]
        parts = [self._vertices[part] for part in self._system.formulas.parts(node)]
        if not parts:
            return self._graph.vertex(("leaf", formula))
        op = formula.op.value if isinstance(formula, formulas.NumberTerm) else ""
        labels: list[Hashable] = ["part"] * len(parts)
        if isinstance(formula, formulas.WeightedSum):
            labels = [("weight", weight) for _, weight in formula.weights]
        elif isinstance(formula, formulas.Choose) or (op and op not in {"=", "+", "·"}):
            labels = [("part", at) for at in range(len(parts))]
        return self._graph.vertex((type(formula), op), *zip(parts, labels, strict=True))


class _TextGraph:
    def __init__(self, graph: ClaimGraph, machine: Interpreter) -> None:
        self._graph = graph
        self._machine = machine
        self._system = machine.system
        self._footprints = Footprints(self._system)
        self._values: dict[tuple[str, Value], int] = {}
        self._sets = {each.name: each.value for each in self._system.sets}
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
        graph, system = self._graph, self._system
        for variable in system.variables:
            vertex = self._variables[variable.name]
            graph.edge(vertex, vertex, ("role", variable.role.value))
            for label in ("domain", "initial", "definition"):
                expr = getattr(variable, label)
                if expr is not None:
                    graph.edge(vertex, self._expr(expr, {}), label)
        for function in system.functions:
            vertex = self._functions[function.name]
            names = self._parameters(vertex, (p.name for p in function.parameters))
            graph.edge(vertex, self._expr(function.body, names), "body")
        for procedure in system.procedures:
            self._procedure(procedure)
        if system.over is not None:
            graph.vertex("over", (self._expr(system.over, {}), "is"))
        for at, player in enumerate(system.players):
            graph.vertex(("player", at), (self._expr(player.turn, {}), "is"))
        for invariant in system.invariants:
            graph.vertex("fact", (self._expr(invariant.formula, {}), "is"))

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
        self._add_locals(names, procedure.body)
        written = [self._statement(statement, names) for statement in procedure.body]
        for at, statement in enumerate(procedure.body):
            self._graph.edge(vertex, written[at], "statement")
            if procedure.order is not ir.Order.AT_ONCE:
                for before in range(at):
                    if not self._commute(procedure.body[before], statement):
                        self._graph.edge(written[before], written[at], "before")

    def _add_locals(self, names: dict[str, int], statements: tuple[Statement, ...]) -> None:
        for statement in statements:
            for name in _given(statement):
                names.setdefault(name, self._graph.vertex("local"))

    def _statement(self, statement: Statement, names: Mapping[str, int]) -> int:
        graph = self._graph
        match statement:
            case ir.Assign(variable, value):
                return graph.vertex(
                    "assign",
                    (self._variables[variable], "variable"),
                    (self._expr(value, names), "value"),
                )
            case Let(given, is_tuple, value):
                named = [(names[name], ("name", at)) for at, name in enumerate(given)]
                return graph.vertex(("let", is_tuple), *named, (self._expr(value, names), "value"))
            case ir.Declare(given, domain):
                declared = [(names[name], "name") for name in given]
                return graph.vertex("declare", *declared, (self._expr(domain, names), "domain"))
            case ir.Call(procedure, arguments):
                return graph.vertex(
                    "call",
                    (self._procedures[procedure], "procedure"),
                    *(
                        (self._expr(each, names), ("argument", at))
                        for at, each in enumerate(arguments)
                    ),
                )
            case Rule(guard, conclusion, lines=lines):
                inner = dict(names)
                self._add_locals(inner, conclusion)
                vertex = graph.vertex(("rule", lines.value))
                for part in conjuncts(guard):
                    graph.edge(vertex, self._expr(part, names), "guard")
                together = lines is ir.Lines.TOGETHER and all(
                    isinstance(each, ir.Assign) for each in conclusion
                )
                for at, each in enumerate(conclusion):
                    label = "conclusion" if together else ("conclusion", at)
                    graph.edge(vertex, self._statement(each, inner), label)
                return vertex

    # Rules that commute

    def _commute(self, one: Statement, other: Statement) -> bool:
        a, b = self._footprints.of(one), self._footprints.of(other)
        names_a, names_b = frozenset(_given(one)), frozenset(_given(other))
        if names_a & (names_b | free_locals(other)) or names_b & free_locals(one):
            return False
        if not (a.writes & (b.reads | b.writes) or b.writes & a.reads):
            return True
        return (
            isinstance(one, Rule)
            and isinstance(other, Rule)
            and self._exclude(one.guard, other.guard, a.writes | b.writes)
        )

    def _exclude(self, one: Expr, other: Expr, written: frozenset[str]) -> bool:
        """Whether never both guards hold, whatever the rules write."""
        fixed = [
            [part for part in conjuncts(guard) if not (self._footprints.of(part).reads & written)]
            for guard in (one, other)
        ]
        return any(self._contradict(a, b) for a in fixed[0] for b in fixed[1])

    def _contradict(self, one: Expr, other: Expr) -> bool:
        if one == ir.Not(other) or other == ir.Not(one):
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
        if isinstance(expr, ir.Literal) and isinstance(expr.value, int | TruthValue):
            return self._graph.vertex(("literal", type(expr.value).__name__, expr.value))
        if isinstance(expr, ir.Local):
            return names[expr.name] if expr.name in names else self._graph.vertex("unknown")
        if isinstance(expr, Ref) and expr.name in self._variables:
            return self._variables[expr.name]
        constant = self._constant(expr)
        if constant is not None:
            return self._value(constant)
        if isinstance(expr, Ref):
            if expr.name not in self._sets:
                return self._graph.vertex(("unknown", expr.name))
            return self._expr(self._sets[expr.name], {})
        return self._compound(expr, names)

    def _compound(self, expr: Expr, names: Mapping[str, int]) -> int:
        op = expr.op.value if isinstance(expr, Binary) else ""
        kind = expr.kind.value if isinstance(expr, ir.Quantified | ir.Fold) else ""
        vertex = self._graph.vertex(("expr", type(expr).__name__, op, kind))
        if isinstance(expr, ir.Apply) and expr.function in self._functions:
            self._graph.edge(vertex, self._functions[expr.function], "function")
        inner = dict(names)
        binders = [child for child in children(expr) if isinstance(child, ir.Binder)]
        for number, binder in enumerate(binders):
            self._graph.edge(vertex, self._expr(binder.domain, inner), ("domain", number))
            for at, name in enumerate(binder.names):
                inner[name] = self._graph.vertex(("bound", binder.is_tuple))
                self._graph.edge(vertex, inner[name], ("bound", number, at))
        is_loose = isinstance(expr, ir.And | ir.Or | ir.SetOf) or (
            isinstance(expr, Binary) and expr.op in _EITHER_WAY
        )
        for at, child in enumerate(_insides(expr)):
            label: Hashable = "part" if is_loose else ("part", at)
            self._graph.edge(vertex, self._expr(child, inner), label)
        return vertex

    def _constant(self, expr: Expr) -> Value | None:
        if isinstance(expr, ir.PowerSet | ir.Product) or free_locals(expr):
            return None
        if self._footprints.of(expr).reads:
            return None
        if isinstance(expr, Ref) and isinstance(self._sets.get(expr.name), ir.PowerSet):
            return None
        value = self._machine.evaluate(expr, self._machine.initial, {})
        return None if isinstance(value, Fault) else value

    def _value(self, value: Value) -> int:
        """The vertex of a value; a pair is one thing unless the text takes pairs apart."""
        key = (type(value).__name__, value)
        if key not in self._values:
            if isinstance(value, frozenset):
                members = [(self._value(member), "member") for member in in_order(value)]
                made = self._graph.vertex(("set", len(value)), *members)
            elif isinstance(value, TruthValue):
                made = self._graph.vertex(("truth", value.holds))
            else:
                made = self._graph.vertex(("value", value) if self._takes_apart else "value")
            self._values[key] = made
        return self._values[key]


def _insides(expr: Expr) -> list[Expr]:
    """The expressions that *expr* consists of; ``(a ∪ b) ∪ c`` has three."""
    if isinstance(expr, Binary) and expr.op in _ASSOCIATIVE:
        found: list[Expr] = []
        for side in (expr.left, expr.right):
            same = isinstance(side, Binary) and side.op is expr.op
            found += _insides(side) if same else [side]
        return found
    return [child for child in children(expr) if isinstance(child, EXPRESSIONS)]


def _given(statement: Statement) -> tuple[str, ...]:
    return statement.names if isinstance(statement, Let | ir.Declare) else ()


def _takes_apart(machine: Interpreter) -> bool:
    """Whether the text looks into pairs that are not constant."""
    footprints = Footprints(machine.system)

    def takes_apart(node: ir.Node) -> bool:
        match node:
            case Let(is_tuple=is_tuple):
                return is_tuple
            case ir.Quantified(binder=binder) | ir.Fold(binder=binder):
                return binder.is_tuple
            case ir.Comprehension(binders=binders) if not any(b.is_tuple for b in binders):
                return False
            case ir.TupleOf() | ir.Comprehension():
                return bool(free_locals(node) or footprints.of(node).reads)
            case _:
                return False

    return any(takes_apart(part) for body in bodies(machine.system) for part in parts(body))
