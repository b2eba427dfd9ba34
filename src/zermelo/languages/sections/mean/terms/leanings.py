"""In which direction a formula leans on variables: what has to get more, or less, for it to hold.

``{1, 2} ⊆ X`` comes nearer when ``X`` gets more, ``|X| = 0`` when it gets less, and
``a > b`` when ``a`` gets more or ``b`` less. Facts and value functions are looked through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from zermelo.languages.sections import ir
from zermelo.languages.sections.walk import conjuncts, parts
from zermelo.text.budget import spend

_DEEPEST: Final = 24
"""So many facts and functions are looked through, one inside the other."""
_MOST_PARTS: Final = 4000
"""A formula that has more parts, with facts and functions, tells nothing."""
_STEPS_OF_A_PART: Final = 12


class Lean(Enum):
    """What brings a formula nearer."""

    MORE = 1
    LESS = -1

    @property
    def turned(self) -> Lean:
        return Lean.LESS if self is Lean.MORE else Lean.MORE


Leaning: TypeAlias = tuple[str, Lean]
_MORE_OF_BOTH: Final = {ir.Op.UNION, ir.Op.INTERSECTION, ir.Op.PLUS}
_MORE_THAN: Final = {ir.Op.GT, ir.Op.GE, ir.Op.DIFFERENCE, ir.Op.MINUS}
_LESS_THAN: Final = {ir.Op.LT, ir.Op.LE, ir.Op.SUBSET, ir.Op.PROPER_SUBSET, ir.Op.IMPLIES}


@dataclass(frozen=True, slots=True)
class _At:
    """A part of a formula: which way it counts, and what the names around it stand for."""

    expr: ir.Expr
    lean: Lean
    names: Mapping[str, _At]
    depth: int

    def within(self, expr: ir.Expr, *, turned: bool = False) -> _At:
        return _At(expr, self.lean.turned if turned else self.lean, self.names, self.depth)


class Leanings:
    """The leanings of formulas of one system on its stored variables."""

    def __init__(self, system: ir.System) -> None:
        self._facts = {v.name: v.definition for v in system.variables if v.definition is not None}
        self._variables = {v.name for v in system.variables}
        self._functions = {f.name: f for f in system.functions}

    def of(self, formula: ir.Expr) -> frozenset[Leaning]:
        """What brings *formula* nearer; a variable with both leanings may do so either way."""
        found: set[Leaning] = set()
        facts: set[Leaning] = set()
        waiting = [_At(formula, Lean.MORE, {}, 0)]
        for _ in range(_MOST_PARTS):
            if not waiting:
                return frozenset(found)
            spend(_STEPS_OF_A_PART, "finding what brings results about")
            at = waiting.pop()
            match at.expr:
                case ir.Ref(name=name) if name in self._variables and name not in self._facts:
                    found.add((name, at.lean))
                case ir.Ref(name=name) if (name, at.lean) in facts:
                    pass
                case ir.Ref(name=name):
                    facts.add((name, at.lean))
                    waiting.extend(self._looked_through(at, self._facts.get(name), {}))
                case _:
                    waiting.extend(self._inside(at))
        return frozenset()

    def conjuncts(self, formula: ir.Expr, *, depth: int = 0) -> Iterator[ir.Expr]:
        """The parts that have to hold together, those of facts that are conjunctions too."""
        for part in conjuncts(formula):
            fact = self._facts.get(part.name) if isinstance(part, ir.Ref) else None
            if fact is None or depth >= _DEEPEST:
                yield part
            else:
                yield from self.conjuncts(fact, depth=depth + 1)

    def _inside(self, at: _At) -> Iterable[_At]:
        """What a part leans on, one step further in."""
        match at.expr:
            case ir.Local(name=name):
                given = at.names.get(name)
                return () if given is None else self._given(at, given)
            case ir.Apply(function=name, arguments=arguments) if name in self._functions:
                function = self._functions[name]
                pairs = zip(function.parameters, arguments, strict=False)
                names = {p.name: _At(a, Lean.MORE, at.names, at.depth) for p, a in pairs}
                return self._looked_through(at, function.body, names)
            case ir.Not(operand=operand) | ir.Negate(operand=operand):
                return (at.within(operand, turned=True),)
            case ir.And(operands=operands) | ir.Or(operands=operands):
                return [at.within(operand) for operand in operands]
            case ir.Card(operand=operand):
                return (at.within(operand),)
            case ir.Quantified(kind=kind, binder=binder, body=body):
                is_all = kind is ir.QuantifierKind.ALL
                return (at.within(binder.domain, turned=is_all), at.within(body))
            case ir.Fold(binder=binder, body=body):
                return (at.within(binder.domain), at.within(body))
            case ir.Comprehension(result=result, binders=binders, condition=condition):
                domains = [at.within(binder.domain) for binder in binders]
                return (*domains, at.within(condition), *_either_way(at, result))
            case ir.Binary():
                return _of_binary(at, at.expr)
            case _:
                return _either_way(at, at.expr)

    def _looked_through(
        self, at: _At, meaning: ir.Expr | None, names: Mapping[str, _At]
    ) -> Iterable[_At]:
        if meaning is None or at.depth >= _DEEPEST:
            return ()
        return (_At(meaning, at.lean, names, at.depth + 1),)

    def _given(self, at: _At, given: _At) -> Iterable[_At]:
        if at.depth >= _DEEPEST:
            return ()
        lean = given.lean if at.lean is Lean.MORE else given.lean.turned
        return (_At(given.expr, lean, given.names, at.depth + 1),)


def _of_binary(at: _At, expr: ir.Binary) -> Iterable[_At]:
    op, left, right = expr.op, expr.left, expr.right
    if op in _MORE_OF_BOTH:
        return at.within(left), at.within(right)
    if op in _MORE_THAN:
        return at.within(left), at.within(right, turned=True)
    if op in _LESS_THAN:
        return at.within(left, turned=True), at.within(right)
    match op:
        case ir.Op.IN | ir.Op.NOT_IN:
            members = at.within(right, turned=op is ir.Op.NOT_IN)
            return members, *_either_way(at, left)
        case ir.Op.NOT_SUBSET:
            return at.within(left), at.within(right, turned=True)
        case ir.Op.EQ | ir.Op.NE if _is_least(right) or _is_least(left):
            something = left if _is_least(right) else right
            return (at.within(something, turned=op is ir.Op.EQ),)
        case _:
            return *_either_way(at, left), *_either_way(at, right)


def _either_way(at: _At, expr: ir.Expr) -> Iterator[_At]:
    """Every name in *expr*, for more and for less."""
    for part in parts(expr):
        if isinstance(part, ir.Ref | ir.Local):
            yield at.within(part)
            yield at.within(part, turned=True)


def _is_least(expr: ir.Expr) -> bool:
    match expr:
        case ir.SetOf(items=()):
            return True
        case ir.Literal(value=value):
            return value in (frozenset(), 0)
        case _:
            return False
