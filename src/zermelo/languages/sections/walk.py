"""Going through systems: the parts of expressions and statements, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from itertools import dropwhile, takewhile
from typing import Any, Final, assert_never, get_args

from zermelo.languages.sections.ir import (
    And,
    Apply,
    Assign,
    Binder,
    Call,
    Comprehension,
    Declare,
    Expr,
    Fold,
    Let,
    Lines,
    Literal,
    Local,
    Node,
    NumberSet,
    Procedure,
    Quantified,
    Ref,
    Rule,
    Statement,
    System,
    VariableRole,
)
from zermelo.text.budget import spend
from zermelo.text.source import Span

EXPRESSIONS: Final = get_args(Expr)
"""The classes of expressions."""
_NODES: Final = (Node, Binder)
_PARTS_BETWEEN_CHARGES: Final = 64
_STEPS_OF_PARTS: Final = 500
_STEPS_OF_A_WALK: Final = 16


def children(node: Node | Binder) -> list[Node | Binder]:
    """The expressions, binders and statements that *node* directly consists of."""
    found: list[Node | Binder] = []
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = tuple(each.name for each in fields(kind) if each.name != "span")
        _FIELDS[kind] = names
    for name in names:
        part = getattr(node, name)
        if isinstance(part, tuple):
            found.extend(item for item in part if isinstance(item, _NODES))
        elif isinstance(part, _NODES):
            found.append(part)
    return found


_FIELDS: Final[dict[type[Node | Binder], tuple[str, ...]]] = {}
"""The fields of each kind of node in which others may be."""


def parts(node: Node | Binder) -> Iterator[Node]:
    """*node* and everything inside it, each before what is inside it."""
    waiting = [node]
    count = 0
    while waiting:
        if not count % _PARTS_BETWEEN_CHARGES:
            spend(_STEPS_OF_PARTS if count else _STEPS_OF_A_WALK, "going through formulas")
        count += 1
        at = waiting.pop()
        if isinstance(at, Node):
            yield at
        waiting.extend(reversed(children(at)))


def refs(node: Node) -> frozenset[str]:
    """The sets and variables that *node* names."""
    return frozenset(part.name for part in parts(node) if isinstance(part, Ref))


def bodies(system: System) -> Iterator[Node]:
    """What functions and defined variables stand for, and the statements of procedures."""
    yield from (function.body for function in system.functions)
    yield from (v.definition for v in system.variables if v.definition is not None)
    yield from (statement for p in system.procedures for statement in p.body)


def depth(node: Node | Binder) -> int:
    """How many levels *node* has.

    >>> depth(And((Local("a"), And((Local("b"),)))))
    3
    """
    levels, here = 0, [node]
    while here:
        levels += 1
        here = [child for item in here for child in children(item)]
    return levels


def rules_of(statements: tuple[Statement, ...]) -> Iterator[Rule]:
    """Every rule in *statements*, nested ones after the one around them."""
    for statement in statements:
        if isinstance(statement, Rule):
            yield statement
            yield from rules_of(statement.conclusion)


def groups_of(rule: Rule) -> tuple[tuple[Assign | Let, ...], ...]:
    """The assignments before the first call or nested rule, in groups that see one state each."""
    head = takewhile(lambda each: not isinstance(each, Call | Rule), rule.conclusion)
    steps = tuple(each for each in head if isinstance(each, Assign | Let))
    if rule.lines is Lines.ONE_AFTER_THE_OTHER:
        return tuple((step,) for step in steps)
    # What takes a tuple apart has to be there before the variables get its components.
    hidden = tuple(step for step in steps if isinstance(step, Let) and step.is_hidden)
    others = tuple(step for step in steps if not (isinstance(step, Let) and step.is_hidden))
    return tuple(group for group in (hidden, others) if group)


def rest_of(rule: Rule) -> tuple[Assign | Let | Call | Rule, ...]:
    """What stands from the first call or nested rule on: each sees what stands to its left."""
    rest = dropwhile(lambda each: not isinstance(each, Call | Rule), rule.conclusion)
    return tuple(each for each in rest if not isinstance(each, Declare))


def conjuncts(expr: Expr) -> tuple[Expr, ...]:
    """The parts of which *expr* is the conjunction, nested conjunctions taken apart."""
    if isinstance(expr, And):
        return tuple(part for operand in expr.operands for part in conjuncts(operand))
    return (expr,)


def free_locals(node: Node) -> frozenset[str]:
    """The names that *node* takes from around it.

    >>> from zermelo.languages.sections.ir import Card
    >>> sorted(free_locals(Card(Local("w"))))
    ['w']
    """
    match node:
        case Local(name):
            return frozenset({name})
        case Quantified(binder=binder, body=body) | Fold(binder=binder, body=body):
            return _free_under((binder,), (body,))
        case Comprehension(result, binders, condition):
            return _free_under(binders, (result, condition))
        case _:
            found = (free_locals(part) for part in children(node) if isinstance(part, Node))
            return frozenset().union(*found)


def substituted(expr: Expr, images: Mapping[str, Expr], refs: Mapping[str, Expr]) -> Expr | None:
    """*expr* with locals replaced by *images* and variables by *refs*.

    ``None`` when a binder would catch a name of an image.
    """
    caught = frozenset().union(*(free_locals(e) for e in (*images.values(), *refs.values())))
    bound = {name for binder in _binders(expr) for name in binder.names}
    if bound & (caught | images.keys()):
        return None

    def replaced(part: Expr) -> Expr:
        match part:
            case Local(name):
                return images.get(name, part)
            case Ref(name):
                return refs.get(name, part)
            case _:
                return rebuilt(part, replaced)

    return replaced(expr)


def rebuilt(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """*expr* with *change* made to each of the expressions it directly consists of."""
    if isinstance(expr, Literal | Ref | Local | NumberSet):
        return expr

    def image(part: object) -> object:
        if isinstance(part, tuple):
            return tuple(map(image, part))
        if isinstance(part, Binder):
            return replace(part, domain=change(part.domain))
        return change(part) if isinstance(part, EXPRESSIONS) else part

    changed: dict[str, Any] = {name: image(getattr(expr, name)) for name in expr.__match_args__}
    return replace(expr, **changed)


def _binders(node: Node | Binder) -> Iterator[Binder]:
    if isinstance(node, Binder):
        yield node
    for child in children(node):
        yield from _binders(child)


def _free_under(binders: tuple[Binder, ...], inside: tuple[Expr, ...]) -> frozenset[str]:
    free: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    for binder in binders:
        free |= free_locals(binder.domain) - bound
        bound |= frozenset(binder.names)
    return free.union(*(free_locals(expr) - bound for expr in inside))


@dataclass(frozen=True, slots=True)
class Footprint:
    """The variables that are read and written."""

    reads: frozenset[str] = frozenset()
    """Defined variables too, with everything that their definitions read."""
    writes: frozenset[str] = frozenset()

    def __or__(self, other: Footprint) -> Footprint:
        return Footprint(self.reads | other.reads, self.writes | other.writes)


class Footprints:
    """The footprints of the parts of one system, each computed once."""

    def __init__(self, system: System) -> None:
        self._variables = {variable.name: variable.role for variable in system.variables}
        self._meanings: dict[str, tuple[Node, ...]] = {
            **{v.name: (v.definition,) for v in system.variables if v.definition is not None},
            **{each.name: (each.value,) for each in system.sets},
            **{f"{each.name}(…)": (each.body,) for each in system.functions},
            **{
                f"{each.name}()": (*(p.domain for p in each.parameters), *each.body)
                for each in system.procedures
            },
        }
        self._known: dict[str, Footprint] = {}
        self._direct: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {}

    def of(self, node: Node) -> Footprint:
        """What *node*, an expression or a statement, reads and writes."""
        found = Footprint()
        for part in parts(node):
            key = _key(part)
            if key is not None:
                found |= self._named(key)
            elif isinstance(part, Assign):
                found |= Footprint(writes=frozenset({part.variable}))
        return found

    def reads(self, exprs: Iterable[Expr]) -> frozenset[str]:
        return frozenset(name for expr in exprs for name in self.of(expr).reads)

    def of_procedure(self, name: str) -> Footprint:
        """What calling the procedure called *name* reads and writes."""
        return self._named(f"{name}()")

    def of_variable(self, name: str) -> Footprint:
        """What reading the variable called *name* reads: itself, and its definition's names."""
        return self._named(name)

    def dependents(self) -> Mapping[str, tuple[str, ...]]:
        """For each variable the defined variables that change with it."""
        defined = [n for n, role in self._variables.items() if role is VariableRole.DEFINED]
        found: dict[str, list[str]] = {name: [] for name in self._variables}
        for other in defined:
            reads = self.of_variable(other).reads
            spend(2 * len(reads), "finding what depends on what")
            for name in reads:
                found[name].append(other)
        return {name: tuple(others) for name, others in found.items()}

    def _named(self, key: str) -> Footprint:
        if key not in self._known:
            self._known[key] = self._closure(key)
        return self._known[key]

    def _closure(self, key: str) -> Footprint:
        """Everything that is read and written on the way from *key* on."""
        reads: set[str] = set()
        writes: set[str] = set()
        entered, waiting = {key}, [key]
        while waiting:
            at = waiting.pop()
            known = self._known.get(at)
            if known is not None:
                spend(2 * len(known.reads), "finding what depends on what")
                reads |= known.reads
                writes |= known.writes
                continue
            if at in self._variables:
                reads.add(at)
            named, written = self._direct_names(at)
            writes |= written
            for other in named:
                if other not in entered:
                    entered.add(other)
                    waiting.append(other)
        return Footprint(frozenset(reads), frozenset(writes))

    def _direct_names(self, key: str) -> tuple[tuple[str, ...], frozenset[str]]:
        """What the meaning of *key* names itself, and the variables that it writes itself."""
        if key not in self._direct:
            inside = [part for node in self._meanings.get(key, ()) for part in parts(node)]
            named = dict.fromkeys(other for part in inside if (other := _key(part)) is not None)
            written = frozenset(part.variable for part in inside if isinstance(part, Assign))
            self._direct[key] = tuple(named), written
        return self._direct[key]


def _key(part: Node) -> str | None:
    """What *part* names: sets and variables, value functions and helpers are told apart."""
    match part:
        case Ref(name):
            return name
        case Apply(function=name):
            return f"{name}(…)"
        case Call(procedure=name):
            return f"{name}()"
        case _:
            return None


def calls(procedure: Procedure) -> frozenset[str]:
    """The helpers that *procedure* calls itself."""
    called = (part for node in procedure.body for part in parts(node))
    return frozenset(part.procedure for part in called if isinstance(part, Call))


def applied(node: Node) -> frozenset[str]:
    """The value functions that *node* applies itself."""
    return frozenset(part.function for part in parts(node) if isinstance(part, Apply))


def recursive(edges: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The names from which following *edges* comes back."""

    def reached(name: str) -> set[str]:
        seen: set[str] = set()
        waiting = [name]
        while waiting:
            fresh = edges.get(waiting.pop(), frozenset()) - seen
            seen |= fresh
            waiting.extend(fresh)
        return seen

    return frozenset(name for name in edges if name in reached(name))


@dataclass(frozen=True, slots=True)
class Effect:
    """A variable that a procedure may change, and what has to hold for it."""

    assign: Assign
    guards: tuple[Expr, ...]
    """The guards around it, from the procedure that was entered on; all have to hold."""
    procedure: str
    rule: Rule | None

    @property
    def span(self) -> Span:
        """Where the rule stands that makes it, or the assignment itself where none does."""
        return self.assign.span if self.rule is None else self.rule.span


def effects(system: System, procedure: Procedure) -> Iterator[Effect]:
    """Everything that calling *procedure* may change, helpers included.

    A helper is entered each time it is called, but not from within itself.
    """
    helpers = {each.name: each for each in reversed(system.procedures)}
    waiting: list[_Reached] = []

    def enter(body: tuple[Statement, ...], at: _Reached) -> None:
        waiting.extend(replace(at, statement=statement) for statement in reversed(body))

    enter(procedure.body, _Reached((procedure.name,), ()))
    while waiting:
        spend(_STEPS_OF_AN_EFFECT, "finding what procedures change")
        at = waiting.pop()
        statement = at.statement
        match statement:
            case Assign():
                yield Effect(statement, at.guards, at.entered[-1], at.rule)
            case Rule(guard=guard, conclusion=conclusion):
                enter(conclusion, _Reached(at.entered, (*at.guards, guard), statement))
            case Call(procedure=name):
                helper = helpers.get(name)
                if helper is not None and name not in at.entered:
                    enter(helper.body, _Reached((*at.entered, name), at.guards))
            case Let() | Declare() | None:
                pass
            case _:
                assert_never(statement)


@dataclass(frozen=True, slots=True)
class _Reached:
    """A statement on the way through a procedure and the helpers it calls."""

    entered: tuple[str, ...]
    """The procedures that are being called, the outermost first."""
    guards: tuple[Expr, ...]
    rule: Rule | None = None
    statement: Statement | None = None


_STEPS_OF_AN_EFFECT: Final = 24
