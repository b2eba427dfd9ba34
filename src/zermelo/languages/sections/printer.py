"""Expressions and statements as text, in the canonical notation, with the fewest brackets.

Faces show guards and terms with it where the document's own words are not at hand.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, assert_never

from zermelo.core.values import TRUE
from zermelo.core.values import to_text as value_to_text
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Expr, Op


class Precedence(IntEnum):
    """How tightly an expression holds together, loosest first."""

    IFF = 0
    IMPLIES = 1
    OR = 2
    AND = 3
    NOT = 4
    COMPARISON = 5
    SUM = 6
    PRODUCT = 7
    SIGN = 8
    POWER = 9
    ATOM = 10


_LEVELS: Final = {
    Op.IFF: Precedence.IFF,
    Op.IMPLIES: Precedence.IMPLIES,
    Op.UNION: Precedence.SUM,
    Op.DIFFERENCE: Precedence.SUM,
    Op.PLUS: Precedence.SUM,
    Op.MINUS: Precedence.SUM,
    Op.INTERSECTION: Precedence.PRODUCT,
    Op.TIMES: Precedence.PRODUCT,
    Op.DIVIDE: Precedence.PRODUCT,
    Op.MOD: Precedence.PRODUCT,
    Op.POWER: Precedence.POWER,
}
_BRACKETS: Final = {
    ir.Card: ("|", "|"),
    ir.Abs: ("|", "|"),
    ir.Floor: ("⌊", "⌋"),
    ir.Ceiling: ("⌈", "⌉"),
}
_ALWAYS: Final = (ir.Literal(TRUE), ir.And(()))
_ON_THE_RIGHT: Final = {Op.IMPLIES, Op.POWER}
"""Operators of which ``a op b op c`` means ``a op (b op c)``."""


def to_text(expr: Expr) -> str:
    """*expr* in the documents' notation.

    >>> to_text(ir.Card(ir.Binary(Op.DIFFERENCE, ir.Ref("Alpha"), ir.Ref("Y"))))
    '|Alpha − Y|'
    """
    match expr:
        case ir.Literal(value):
            return value_to_text(value)
        case ir.Ref(name) | ir.Local(name):
            return name
        case ir.NumberSet(kind):
            return kind.value
        case ir.Negate(operand):
            return f"−{_at(operand, Precedence.POWER)}"
        case ir.Card(operand) | ir.Abs(operand) | ir.Floor(operand) | ir.Ceiling(operand):
            left, right = _BRACKETS[type(expr)]
            return f"{left}{to_text(operand)}{right}"
        case ir.Only(operand):
            return _only(operand)
        case ir.Binary():
            return _binary(expr)
        case ir.Apply(function, arguments):
            return f"{function}({_listed(arguments)})"
        case ir.Not() | ir.And() | ir.Or() | ir.Quantified() | ir.Fold():
            return _formula(expr)
        case _:
            return _collection(expr)


def _only(operand: Expr) -> str:
    """The one member of *operand*; of the values of a function at a place, ``f(x)``."""
    match operand:
        case ir.Comprehension(
            ir.Local(value),
            (ir.Binder((place, given), True, function),),
            ir.Binary(Op.EQ, ir.Local(compared), argument),
        ) if value == given and compared == place and place.startswith("·"):
            return f"{_at(function, Precedence.ATOM)}({_arguments(argument)})"
        case ir.Comprehension(
            ir.Local("·this"),
            (ir.Binder(domain=whole),),
            ir.Quantified(body=ir.Binary(Op.LE | Op.GE as op)),
        ):
            among = whole.items if isinstance(whole, ir.SetOf) and whole.items[1:] else (whole,)
            return f"{'min' if op is Op.LE else 'max'}({_listed(among)})"
        case _:
            return f"only({to_text(operand)})"


def changed_places(variable: str, value: Expr) -> tuple[tuple[Expr, Expr], ...]:
    """The places at which *value* is another function than *variable*, and its values there."""
    match value:
        case ir.Binary(
            Op.UNION,
            ir.Comprehension(binders=(ir.Binder(domain=old),), condition=other),
            ir.SetOf((ir.TupleOf((place, new)),)),
        ) if other == ir.Binary(Op.NE, ir.Local("·place"), place):
            if old == ir.Ref(variable):
                return ((place, new),)
            before = changed_places(variable, old)
            return (*before, (place, new)) if before else ()
        case _:
            return ()


def _arguments(place: Expr) -> str:
    return _listed(place.items if isinstance(place, ir.TupleOf) else (place,))


def statement_to_text(statement: ir.Statement) -> str:
    """*statement* in the documents' notation.

    >>> statement_to_text(ir.Assign("turn", ir.Not(ir.Ref("turn"))))
    'turn = ¬turn'
    """
    match statement:
        case ir.Assign(variable, value):
            changes = changed_places(variable, value)
            if changes:
                return " ∧ ".join(
                    f"{variable}({_arguments(at)}) = {_right_side(new)}" for at, new in changes
                )
            return f"{variable} = {_right_side(value)}"
        case ir.Let(names, is_tuple, value):
            return f"{_pattern(names, is_tuple=is_tuple)} = {_right_side(value)}"
        case ir.Declare(names, domain):
            return f"{', '.join(names)} {_membership(domain)}"
        case ir.Call(procedure, arguments):
            return f"{procedure}({_listed(arguments)})"
        case ir.Rule(guard, conclusion, lines=lines):
            texts = [
                f"({statement_to_text(part)})"
                if isinstance(part, ir.Rule)
                else statement_to_text(part)
                for part in conclusion
            ]
            sign = " ∧ " if lines is ir.Lines.TOGETHER else " ; "
            return f"{_at(guard, Precedence.OR)} → {sign.join(texts)}"
        case _:
            assert_never(statement)


def _right_side(value: Expr) -> str:
    return _at(value, Precedence.NOT if isinstance(value, ir.Not) else Precedence.SUM)


def _level(expr: Expr) -> Precedence:
    match expr:
        case ir.Binary(op):
            return _LEVELS.get(op, Precedence.COMPARISON)
        case ir.And((only,)) | ir.Or((only,)):
            return _level(only)
        case ir.And((_, *_)):
            return Precedence.AND
        case ir.Or((_, *_)):
            return Precedence.OR
        case ir.Not():
            return Precedence.NOT
        case ir.Quantified():
            return Precedence.IFF
        case ir.Fold() | ir.Negate():
            return Precedence.SIGN
        case ir.Product((_, _, *_)):
            return Precedence.PRODUCT
        case ir.Literal(value) if not isinstance(value, tuple):
            text = value_to_text(value)
            fraction = Precedence.PRODUCT if "/" in text else Precedence.ATOM
            return Precedence.SIGN if text.startswith("−") else fraction
        case _:
            return Precedence.ATOM


def _at(expr: Expr, least: Precedence) -> str:
    """*expr*, in brackets unless it holds together at least as tightly as *least*."""
    text = to_text(expr)
    return text if _level(expr) >= least else f"({text})"


def _binary(expr: ir.Binary) -> str:
    op = expr.op
    level = _level(expr)
    symbol = "−" if op is Op.MINUS else op.value
    if level is Precedence.COMPARISON:
        left, right = Precedence.SUM, Precedence.SUM
    elif op in _ON_THE_RIGHT:
        left, right = Precedence(level + 1), level
    else:
        left, right = level, Precedence(level + 1)
    joint = symbol if op is Op.POWER else f" {symbol} "
    return f"{_at(expr.left, left)}{joint}{_at(expr.right, right)}"


def _formula(expr: ir.Not | ir.And | ir.Or | ir.Quantified | ir.Fold) -> str:
    match expr:
        case ir.Not(operand):
            # ``¬x ∈ S`` would say the same, but is easily misread.
            least = Precedence.NOT if isinstance(operand, ir.Not) else Precedence.SUM
            return f"¬{_at(operand, least)}"
        case ir.And((only,)) | ir.Or((only,)):
            return to_text(only)
        case ir.And(operands):
            return " ∧ ".join(_at(operand, Precedence.NOT) for operand in operands) or "true"
        case ir.Or(operands):
            return " ∨ ".join(_at(operand, Precedence.AND) for operand in operands) or "false"
        case ir.Quantified(kind, binder, body):
            return f"{kind.value}{_binder(binder)}: {to_text(body)}"
        case ir.Fold(kind, binder, body):
            name = _pattern(binder.names, is_tuple=binder.is_tuple)
            domain = _at(binder.domain, Precedence.SUM)
            return f"{kind.value}_{{{name}∈{domain}}} {_at(body, Precedence.PRODUCT)}"
        case _:
            assert_never(expr)


def _collection(
    expr: ir.SetOf | ir.Range | ir.TupleOf | ir.Comprehension | ir.Product | ir.PowerSet,
) -> str:
    match expr:
        case ir.SetOf(items):
            inside = ", ".join(_range(i) if isinstance(i, ir.Range) else to_text(i) for i in items)
            return f"{{{inside}}}" if items else "∅"
        case ir.Range():
            return f"{{{_range(expr)}}}"
        case ir.TupleOf(items):
            return f"({_listed(items)})"
        case ir.Product(factors):
            return " × ".join(_at(factor, Precedence.SIGN) for factor in factors)
        case ir.PowerSet(base):
            return f"𝒫({to_text(base)})"
        case ir.Comprehension():
            return _comprehension(expr)
        case _:
            assert_never(expr)


def _range(expr: ir.Range) -> str:
    return f"{_at(expr.low, Precedence.SUM)}..{_at(expr.high, Precedence.SUM)}"


def _comprehension(expr: ir.Comprehension) -> str:
    condition = "" if expr.condition in _ALWAYS else to_text(expr.condition)
    first = expr.binders[0]
    if len(expr.binders) == 1 and is_pattern(expr.result, first):
        return f"{{{_binder(first)} | {condition or 'true'}}}"
    conditions = [_binder(binder) for binder in expr.binders]
    conditions += [_at(expr.condition, Precedence.NOT)] if condition else []
    return f"{{{to_text(expr.result)} | {' ∧ '.join(conditions)}}}"


def is_pattern(result: Expr, binder: ir.Binder) -> bool:
    """Whether *result* is a member of the binder's domain, as the binder names it."""
    if not binder.is_tuple:
        return result == ir.Local(binder.names[0])
    return result == ir.TupleOf(tuple(ir.Local(name) for name in binder.names))


def _binder(binder: ir.Binder) -> str:
    return f"{_pattern(binder.names, is_tuple=binder.is_tuple)} {_membership(binder.domain)}"


def _membership(domain: Expr) -> str:
    sign, whole = ("⊆", domain.base) if isinstance(domain, ir.PowerSet) else ("∈", domain)
    return f"{sign} {_at(whole, Precedence.SUM)}"


def _pattern(names: tuple[str, ...], *, is_tuple: bool) -> str:
    return f"({', '.join(names)})" if is_tuple else names[0]


def _listed(items: tuple[Expr, ...]) -> str:
    return ", ".join(map(to_text, items))
