"""Why a formula holds or does not in what it sees: values, witnesses, counterexamples.

Evidence follows the way a formula is decided, left to right: of a conjunction that does not hold
it is that of the part that fails, of a disjunction that holds that of the part which does. It
takes steps of its own, and no more than there are for it; what it finds changes nothing of a turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

from zermelo.core.commentary import (
    AllTried,
    Evidence,
    FactValue,
    FunctionValue,
    NotWorkedOut,
    SetValue,
    TermValue,
    Witness,
)
from zermelo.core.machine import FaultError, SkipError
from zermelo.core.values import TruthValue, Value, in_order
from zermelo.languages.sections.ir import (
    And,
    Apply,
    Binary,
    Card,
    Expr,
    Fold,
    FoldKind,
    Function,
    Literal,
    Local,
    Negate,
    Not,
    Op,
    Or,
    Quantified,
    QuantifierKind,
    Range,
    Ref,
    SetOf,
    System,
    TupleOf,
    VariableRole,
)
from zermelo.languages.sections.run import sets
from zermelo.languages.sections.run.expressions import SystemExpressions, premises, weight
from zermelo.languages.sections.run.operators import Code, Env, Missing, TruthCode, text_of
from zermelo.languages.sections.run.sets import Operand, Unlisted
from zermelo.text.budget import OverBudget, budget

T = TypeVar("T")
_STEPS: Final = 400_000
"""What the evidence of one formula may take."""
_STEPS_TO_SORT: Final = 10
_DEEPEST: Final = 4
"""Evidence inside evidence is looked for so deep: a function may call itself."""
_ABOUT_SETS: Final = frozenset({Op.IN, Op.NOT_IN, Op.SUBSET, Op.NOT_SUBSET, Op.PROPER_SUBSET})
_NOUNS: Final = {FoldKind.SUM: "sum", FoldKind.PRODUCT: "product"}


@dataclass(frozen=True, slots=True)
class _Place:
    """What a formula sees, how deep it is in the evidence, and which names were told around it."""

    env: Env
    depth: int = 0
    witness: tuple[str, ...] = ()
    """The names of the quantifier that it is the body of."""
    told: frozenset[str] = frozenset()

    def inside(
        self, env: Env, *, witness: tuple[str, ...] = (), told: Iterable[str] = ()
    ) -> _Place:
        return _Place(env, self.depth + 1, witness, frozenset(told))


class EvidenceFinder:
    """Finds why formulas of one system hold or do not."""

    def __init__(self, system: System, expressions: SystemExpressions) -> None:
        self._expressions = expressions
        self._functions = {function.name: function for function in system.functions}
        self._definitions = {
            v.name: v.definition
            for v in system.variables
            if v.role is VariableRole.DEFINED and v.definition is not None
        }
        self._codes: dict[int, tuple[Expr, Code]] = {}
        self._truths: dict[int, tuple[Expr, TruthCode]] = {}

    def of(self, formula: Expr, env: Env) -> tuple[Evidence, ...]:
        """Why *formula* has the truth value that it has in *env*."""
        work = env.work
        members = work.members
        try:
            with budget(steps=_STEPS):
                # Names that are bound in it do not reach those of the rule.
                return _without_repetition(self._why(formula, _Place(env.nested())))
        except OverBudget:
            return (NotWorkedOut(text_of(formula)),)
        except (FaultError, SkipError):
            return ()
        finally:
            work.members = members

    # Formulas

    def _why(self, formula: Expr, at: _Place) -> tuple[Evidence, ...]:
        if at.depth > _DEEPEST:
            return ()
        match formula:
            case Not(operand):
                return self._why(operand, at)
            case And(operands):
                return self._decided(operands, at, wanted=False)
            case Or(operands):
                return self._decided(operands, at, wanted=True)
            case Binary(Op.IMPLIES, left, right):
                if self._holds(left, at.env) is False:
                    return self._why(left, at)
                return (*self._why(left, at), *self._why(right, at))
            case Binary(Op.IFF, left, right):
                return (*self._why(left, at), *self._why(right, at))
            case Binary():
                return self._comparison(formula, at)
            case Quantified():
                return (self._quantifier(formula, at),)
            case _:
                return self._term(formula, at)

    def _decided(
        self, operands: Iterable[Expr], at: _Place, *, wanted: bool
    ) -> tuple[Evidence, ...]:
        """Evidence of the first of *operands* that is what is *wanted*; if none is, of all."""
        found: list[Evidence] = []
        for operand in operands:
            why = self._why(operand, at)
            if self._holds(operand, at.env) is wanted:
                return why
            found.extend(why)
        return tuple(found)

    def _comparison(self, formula: Binary, at: _Place) -> tuple[Evidence, ...]:
        op, left, right = formula.op, formula.left, formula.right
        if op in _ABOUT_SETS:
            item = self._known(left, at.env) if op in {Op.IN, Op.NOT_IN} else None
            return (*self._term(left, at), *self._set(right, at, item))
        if op is Op.EQ and _is_written_out(right) and self._holds(formula, at.env):
            # The formula says itself which value it is; of a function, not why.
            return self._term(left, at) if isinstance(left, Apply) else ()
        return (*self._term(left, at), *self._term(right, at))

    def _quantifier(self, formula: Quantified, at: _Place) -> Evidence:
        is_some = formula.kind is QuantifierKind.SOME
        binder, body = formula.binder, formula.body
        loop = self._expressions.loop(
            binder, premises(body, is_some=is_some), later=(binder,), steps=weight(body)
        )
        members = loop.members(at.env)
        at.env.work.go(_STEPS_TO_SORT * len(members))
        inner = at.env.nested()
        for member in in_order(members):
            if loop.bind(inner.locals, member) and self._holds(body, inner) is is_some:
                bound = tuple(dict.fromkeys(binder.names))
                values = tuple((name, _listed(inner.locals[name])) for name in bound)
                place = at.inside(inner, witness=bound, told=at.told.union(bound))
                return Witness(text_of(formula), not is_some, values, self._why(body, place))
        is_listed = isinstance(loop.domain(at.env), frozenset)
        size = len(members) if is_listed else None
        names = f"({', '.join(binder.names)})" if binder.is_tuple else binder.names[0]
        return AllTried(text_of(formula), not is_some, names, text_of(binder.domain), size)

    # Terms

    def _term(self, expr: Expr, at: _Place) -> tuple[Evidence, ...]:
        """*expr* with its value; nothing if this cannot be known or listed."""
        if _is_written_out(expr) or (isinstance(expr, Local) and expr.name in at.told):
            return ()
        value = self._known(expr, at.env)
        if value is None:
            return ()
        match expr:
            case Apply():
                return (self._function(expr, value, at),)
            case Ref(name) if isinstance(value, TruthValue) and name in self._definitions:
                facts = at.env.facts
                env = Env(facts.values, facts, {}, work=at.env.work)
                parts = self._why(self._definitions[name], at.inside(env))
                return (FactValue(name, value.holds, parts),)
            case _:
                return (TermValue(text_of(expr), value, _noun(expr, at.witness)),)

    def _set(self, expr: Expr, at: _Place, item: Value | None = None) -> tuple[Evidence, ...]:
        """The set that a membership is about; nothing where it stands there member by member."""
        found = self._term(expr, at)
        match found:
            case (TermValue(text, frozenset() as members, _),):
                return (SetValue(text, members, item),)
            case _:
                return found

    def _function(self, expr: Apply, value: Value, at: _Place) -> FunctionValue:
        function = self._functions[expr.function]
        given = {
            parameter.name: sets.settled(self._code(argument)(at.env))
            for parameter, argument in zip(function.parameters, expr.arguments, strict=True)
        }
        names: dict[str, Operand | Missing] = dict(given)
        shown = tuple(
            (name, item)
            for (name, item), argument in zip(given.items(), expr.arguments, strict=True)
            if not isinstance(item, Unlisted)
            and not _is_written_out(argument)
            and text_of(argument) != name
        )
        place = at.inside(at.env.inside(names), told=[name for name, _ in shown])
        parts = self._body(function, value, place)
        return FunctionValue(text_of(expr), shown, value, parts)

    def _body(self, function: Function, value: Value, at: _Place) -> tuple[Evidence, ...]:
        """What the body of *function* looked at; of a size, what was counted."""
        if at.depth > _DEEPEST:
            return ()
        match function.body:
            case body if isinstance(value, TruthValue):
                return self._why(body, at)
            case Card(Ref() | Local()):
                return ()
            case Card(counted):
                return self._set(counted, at)
            case _:
                return ()

    # Values

    def _holds(self, formula: Expr, env: Env) -> bool | None:
        """Whether *formula* holds; ``None`` where it has no value."""
        try:
            return self._truth(formula)(env)
        except (FaultError, SkipError):
            return None

    def _known(self, expr: Expr, env: Env) -> Value | None:
        """The value of *expr*; ``None`` where it has none, or is a set that is not listed."""
        try:
            value = sets.settled(self._code(expr)(env))
        except (FaultError, SkipError):
            return None
        return None if isinstance(value, Unlisted) else value

    def _code(self, expr: Expr) -> Code:
        known = self._codes.get(id(expr))
        if known is None or known[0] is not expr:
            # The expression is kept, so that no other can get its identity.
            known = self._codes[id(expr)] = (expr, self._expressions.code(expr))
        return known[1]

    def _truth(self, expr: Expr) -> TruthCode:
        known = self._truths.get(id(expr))
        if known is None or known[0] is not expr:
            known = self._truths[id(expr)] = (expr, self._expressions.truth(expr))
        return known[1]


def _listed(bound: Operand | Missing) -> Value:
    if isinstance(bound, Unlisted | Missing):
        raise TypeError("what a quantifier binds is a member, and has a value")
    return bound


def _is_written_out(expr: Expr) -> bool:
    """Whether the value of *expr* stands there, so that there is nothing to say of it."""
    match expr:
        case Literal():
            return True
        case SetOf(items) | TupleOf(items):
            return all(map(_is_written_out, items))
        case Negate(operand):
            return _is_written_out(operand)
        case Range(low, high):
            return _is_written_out(low) and _is_written_out(high)
        case _:
            return False


def _noun(expr: Expr, witness: tuple[str, ...]) -> str:
    """What *expr* is of the *witness* alone, in a word."""
    match expr:
        case Fold(kind, binder, Local(body)) if binder.names == (body,):
            if isinstance(binder.domain, Local) and (binder.domain.name,) == witness:
                return _NOUNS[kind]
    return ""


def _without_repetition(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys(evidence))
