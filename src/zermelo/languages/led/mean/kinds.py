"""What kind of value an expression has, where that can be seen, and operators that never fit.

Nothing is guessed: a parameter or a name that a sentence binds may be of any kind. So
an operand that is complained about here never fits, whatever the program is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final

from zermelo.core.values import Atom, Value
from zermelo.languages.led import ir
from zermelo.languages.led.ir import Function, Op
from zermelo.languages.led.run.values import Text, Truth
from zermelo.languages.led.run.walk import Piece, pieces
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label


class Kind(Enum):
    """The kinds of values that the language itself has."""

    NUMBER = "a number"
    TRUTH = "a truth value"
    ATOM = "an atom"
    TEXT = "a string"
    TUPLE = "a tuple"
    SET = "a set"


_Kinds = frozenset[Kind]
_NUMBER: Final = frozenset({Kind.NUMBER})
_TRUTH: Final = frozenset({Kind.TRUTH})
_SET: Final = frozenset({Kind.SET})
_TUPLE: Final = frozenset({Kind.TUPLE})
_ADDED: Final = frozenset({Kind.NUMBER, Kind.TUPLE})
_MULTIPLIED: Final = frozenset({Kind.NUMBER, Kind.SET})
_SIZED: Final = frozenset({Kind.NUMBER, Kind.SET, Kind.TUPLE})
_ANY: Final = frozenset(Kind)

_OPERANDS: Final[Mapping[Op, tuple[_Kinds, _Kinds]]] = {
    Op.PLUS: (_ADDED, _ADDED),
    Op.TIMES: (_MULTIPLIED, _MULTIPLIED),
    **dict.fromkeys((Op.MINUS, Op.DIVIDE, Op.MOD, Op.POWER), (_NUMBER, _NUMBER)),
    **dict.fromkeys((Op.LT, Op.GT, Op.LE, Op.GE), (_NUMBER, _NUMBER)),
    **dict.fromkeys((Op.UNION, Op.INTERSECTION, Op.DIFFERENCE, Op.SUBSET), (_SET, _SET)),
    Op.IN: (_ANY, _SET),
    **dict.fromkeys((Op.OR, Op.IFF), (_TRUTH, _TRUTH)),
}
_RESULTS: Final[Mapping[Op, Kind]] = {
    **dict.fromkeys((Op.MINUS, Op.DIVIDE, Op.MOD, Op.POWER), Kind.NUMBER),
    **dict.fromkeys((Op.UNION, Op.INTERSECTION, Op.DIFFERENCE), Kind.SET),
    **dict.fromkeys((Op.EQ, Op.NE, Op.LT, Op.GT, Op.LE, Op.GE), Kind.TRUTH),
    **dict.fromkeys((Op.IN, Op.SUBSET, Op.OR, Op.IFF), Kind.TRUTH),
}
_OPERAND: Final[Mapping[Function, _Kinds]] = {
    Function.NEGATE: _NUMBER,
    Function.KEEP: _NUMBER,
    Function.FLOOR: _NUMBER,
    Function.CEILING: _NUMBER,
    Function.NOT: _TRUTH,
    Function.POWER_SET: _SET,
    Function.SIZE: _SIZED,
}
_RESULT: Final[Mapping[Function, Kind]] = {
    **dict.fromkeys((Function.NEGATE, Function.KEEP, Function.SIZE), Kind.NUMBER),
    **dict.fromkeys((Function.FLOOR, Function.CEILING), Kind.NUMBER),
    Function.NOT: Kind.TRUTH,
    Function.POWER_SET: Kind.SET,
}
_TOTALLED: Final[Mapping[ir.BigOp, _Kinds]] = {
    ir.BigOp.UNION: _SET,
    ir.BigOp.INTERSECTION: _SET,
    ir.BigOp.SUM: _NUMBER,
    ir.BigOp.PRODUCT: _NUMBER,
}
_FURTHEST: Final = 30
"""How far a definition is followed into others."""

_Want = tuple[str, ir.Expr, _Kinds]
"""What wants it, an operand, and the kinds that it may have."""


def misfits(program: ir.Program) -> Iterator[Diagnostic]:
    """Operators of *program* that have an operand which never fits."""
    kinds = _Found(program)
    for definition in program.definitions:
        guards = [case.guard for case in definition.cases if case.guard is not None]
        for wants in (
            *([("`if`", guard, _TRUTH)] for guard in guards),
            *map(_wants, pieces(definition)),
        ):
            found = (_misfit(kinds, *want) for want in wants)
            first = next((said for said in found if said is not None), None)
            if first is not None:
                yield first


class _Found:
    """The kinds of what *program* defines, as far as they were asked for."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._known: dict[str, Kind | None] = {}

    def of(self, expr: ir.Expr, depth: int = 0) -> Kind | None:
        """The kind of *expr*; ``None`` if it cannot be seen."""
        match expr:
            case ir.Literal(value):
                return _kind(value)
            case ir.TupleOf() | ir.Slice():
                return Kind.TUPLE
            case ir.SetOf() | ir.RangeOf() | ir.Comprehension():
                return Kind.SET
            case ir.And() | ir.Implies() | ir.Quantified():
                return Kind.TRUTH
            case ir.Big(op=op):
                return next(iter(_TOTALLED[op]))
            case ir.Apply(function, _):
                return _RESULT[function]
            case ir.Binary(op, left, right):
                return _RESULTS.get(op) or self._overloaded(op, left, right, depth)
            case ir.Global(name) if depth < _FURTHEST:
                return self._defined(name, depth + 1)
            case _:
                return None

    def _overloaded(self, op: Op, left: ir.Expr, right: ir.Expr, depth: int) -> Kind | None:
        """The kind of a sum or a product, which both sides tell."""
        known = {self.of(left, depth), self.of(right, depth)} - {None}
        if op is Op.TIMES or op is Op.PLUS:
            return known.pop() if len(known) == 1 else None
        # `t + (x)` is a tuple if one side is, and unknown if one is unknown.
        return Kind.TUPLE if Kind.TUPLE in known else None

    def _defined(self, name: str, depth: int) -> Kind | None:
        if name not in self._known:
            # While it is looked at, it is not known: it may use itself.
            self._known[name] = None
            definition = self._program.definition(name)
            cases = () if definition is None else definition.cases
            found = {self.of(case.value, depth) for case in cases}
            self._known[name] = found.pop() if len(found) == 1 else None
        return self._known[name]


def _kind(value: Value) -> Kind | None:
    match value:
        case Truth():
            return Kind.TRUTH
        case Text():
            return Kind.TEXT
        case Atom():
            return Kind.ATOM
        case tuple():
            return Kind.TUPLE
        case frozenset():
            return Kind.SET
        case _:
            return Kind.NUMBER


def _wants(piece: Piece) -> list[_Want]:
    """What *piece* wants of its parts."""
    match piece:
        case ir.Binary(Op.IN, left, ir.Builtin("keys")):
            return [("`in keys`", left, frozenset({Kind.TEXT}))]
        case ir.Binary(op, left, right) if op in _OPERANDS:
            first, second = _OPERANDS[op]
            return [(f"`{op.value}`", left, first), (f"`{op.value}`", right, second)]
        case ir.And(left, right):
            return [("`&`", left, _TRUTH), ("`&`", right, _TRUTH)]
        case ir.Implies(left, right):
            return [("`=>`", left, _TRUTH), ("`=>`", right, _TRUTH)]
        case ir.Apply(function, operand):
            word = "|..|" if function is Function.SIZE else function.value
            return [(f"`{word}`", operand, _OPERAND[function])]
        case ir.Index(base, index):
            return [("`[..]`", base, _TUPLE), ("`[..]`", index, _NUMBER)]
        case ir.Slice(base, low, high):
            return [("`[..]`", base, _TUPLE), ("`..`", low, _NUMBER), ("`..`", high, _NUMBER)]
        case ir.RangeOf(low, high):
            return [("`..`", low, _NUMBER), ("`..`", high, _NUMBER)]
        case _:
            return _wants_inside(piece)


def _wants_inside(piece: Piece) -> list[_Want]:
    match piece:
        case ir.Quantified(quantifier, _, domain, body):
            word = f"`{quantifier.value}`"
            return [(word, domain, _SET), (word, body, _TRUTH)]
        case ir.Big(op=op, body=body):
            return [(f"`{op.value}[..]`", body, _TOTALLED[op])]
        case ir.Member(_, domain):
            return [("`in`", domain, _SET)]
        case ir.Holds(condition):
            return [("a condition", condition, _TRUTH)]
        case _:
            return []


_PAIRS: Final[Mapping[tuple[str, Kind], str]] = {
    ("`+`", Kind.TEXT): "strings cannot be put together",
    ("`+`", Kind.SET): "the union of sets is written `U`",
    ("`-`", Kind.SET): "the difference of sets is written `\\`",
    ("`<=`", Kind.SET): "a subset is written `sub`",
    ("`<`", Kind.SET): "a subset is written `sub`",
    (
        "`[..]`",
        Kind.SET,
    ): "the members of a set have no numbers; a tuple is written with `(` and `)`",
    ("`=>`", Kind.NUMBER): "`=>` is an implication; greater or equal is written `>=`",
    ("`in keys`", Kind.ATOM): 'keys are strings, as in `"LEFT" in keys`',
    ("`in`", Kind.TUPLE): "a set is written with `{` and `}`",
}


def _misfit(kinds: _Found, what: str, operand: ir.Expr, fits: _Kinds) -> Diagnostic | None:
    kind = kinds.of(operand)
    if kind is None or kind in fits:
        return None
    *most, last = (each.value for each in Kind if each in fits)
    wanted = f"{', '.join(most)} or {last}" if most else last
    return Diagnostic(
        codes.LED_NEVER_A_VALUE,
        f"{what} needs {wanted}, and this is {kind.value}",
        Label(operand.span, f"always {kind.value}"),
        help=_PAIRS.get((what, kind)),
    )
