"""Operators in a row, and the ways to bracket them.

Print may lose the brackets that only group. Then ``(a + b) / 2`` stands as ``a + b / 2``,
and all that is left is the order of operands and operators.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Final, TypeAlias

from zermelo.languages.led.mean.repairs.rebuild import nodes
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.levels import LEVELS
from zermelo.languages.led.read.tree import Definition, Expr, Prefix, Sign

MOST_OPERANDS: Final = 6
"""Six operands have 42 bracketings; longer rows are left as they are printed."""

_ARITHMETIC: Final = frozenset({Sign.PLUS, Sign.MINUS, Sign.TIMES, Sign.DIVIDE, Sign.MOD})
PAIRED: Final = frozenset({Sign.DIVIDE, Sign.MOD})

Shape: TypeAlias = "int | tuple[Shape, int, Shape]"
"""An operand by its number, or two shapes and the number of the operator between them."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Operands and the operators between them, as printed in *definition*."""

    definition: Definition
    expr: tree.Binary
    operands: tuple[Expr, ...]
    signs: tuple[Sign, ...]

    @property
    def form(self) -> tuple[object, ...]:
        """What chains have in common that lost their brackets in the same way."""
        return (self.signs, tuple(map(_form, self.operands)))

    @property
    def printed(self) -> Shape:
        """The shape that it has without brackets."""
        return _shape(self.expr, {id(each): at for at, each in enumerate(self.operands)})

    def shapes(self) -> tuple[Shape, ...]:
        """All ways to bracket it; the printed one first."""
        every = _shapes(0, len(self.operands))
        return (self.printed, *(each for each in every if each != self.printed))

    def bracketed(self, shape: Shape) -> Expr:
        """The expression of *shape*, with the brackets that it needs."""
        if isinstance(shape, int):
            return self.operands[shape]
        left, at, right = shape
        sign = self.signs[at]
        return tree.Binary(
            sign,
            self._operand(left, LEVELS[sign]),
            self._operand(right, LEVELS[sign] + 1),
            span=self.expr.span,
        )

    def _operand(self, shape: Shape, level: int) -> Expr:
        inner = self.bracketed(shape)
        if isinstance(shape, tuple) and LEVELS[self.signs[shape[1]]] < level:
            return tree.Bracketed(inner, span=inner.span)
        return inner

    def brackets(self, shape: Shape) -> int:
        """How many pairs of brackets *shape* needs."""
        if isinstance(shape, int):
            return 0
        left, at, right = shape
        level = LEVELS[self.signs[at]]
        own = self._needs(left, level) + self._needs(right, level + 1)
        return own + self.brackets(left) + self.brackets(right)

    def _needs(self, shape: Shape, level: int) -> bool:
        return isinstance(shape, tuple) and LEVELS[self.signs[shape[1]]] < level

    def pairs(self, shape: Shape, signs: frozenset[Sign] = PAIRED) -> int:
        """How often *shape* divides one numeral by another, by one of *signs*."""
        if isinstance(shape, int):
            return 0
        left, at, right = shape
        is_pair = (
            self.signs[at] in signs
            and isinstance(left, int)
            and isinstance(right, int)
            and isinstance(self.operands[left], tree.Number)
            and isinstance(self.operands[right], tree.Number)
        )
        return is_pair + self.pairs(left, signs) + self.pairs(right, signs)

    def sample(self, shape: Shape) -> tuple[Fraction | None, ...]:
        """Values of *shape* at some operands: shapes with other values are not the same."""
        return tuple(self._value(shape, seed) for seed in (7, 11, 13, 29))

    def _value(self, shape: Shape, seed: int) -> Fraction | None:
        if isinstance(shape, int):
            own = self.operands[shape]
            return own.value if isinstance(own, tree.Number) else Fraction(seed * (shape + 3) + 1)
        left, right = self._value(shape[0], seed), self._value(shape[2], seed)
        if left is None or right is None:
            return None
        return _applied(self.signs[shape[1]], left, right)


def _applied(sign: Sign, left: Fraction, right: Fraction) -> Fraction | None:
    if sign is Sign.PLUS:
        return left + right
    if sign is Sign.MINUS:
        return left - right
    if sign is Sign.TIMES:
        return left * right
    if right == 0:
        return None
    return left / right if sign is Sign.DIVIDE else left % right


def has_brackets(definitions: Sequence[Definition]) -> bool:
    """Whether brackets that group numbers stand anywhere in *definitions*."""
    return any(
        isinstance(node, tree.Bracketed)
        and isinstance(node.inner, tree.Binary)
        and node.inner.sign in _ARITHMETIC
        for definition in definitions
        for node in nodes(definition)
    )


def chains(definition: Definition) -> Iterator[Chain]:
    """The chains of *definition* that could have lost brackets."""
    inside: set[int] = set()
    for node in nodes(definition):
        if not isinstance(node, tree.Binary) or node.sign not in _ARITHMETIC or id(node) in inside:
            continue
        operands, signs, joints = _flat(node)
        inside |= joints
        is_mixed = len(set(signs)) > 1 or signs[0] in {Sign.MINUS, *PAIRED}
        if 2 < len(operands) <= MOST_OPERANDS and is_mixed:
            yield Chain(definition, node, operands, signs)


def _flat(expr: tree.Binary) -> tuple[tuple[Expr, ...], tuple[Sign, ...], set[int]]:
    """The operands and operators of *expr* from left to right, and the nodes that join them."""
    operands: list[Expr] = []
    signs: list[Sign] = []
    joints: set[int] = set()
    open_: list[Expr | Sign] = [expr]
    while open_:
        here = open_.pop()
        if isinstance(here, Sign):
            signs.append(here)
        elif isinstance(here, tree.Binary) and here.sign in _ARITHMETIC:
            joints.add(id(here))
            open_ += [here.right, here.sign, here.left]
        else:
            operands.append(here)
    return tuple(operands), tuple(signs), joints


def _shape(expr: Expr, numbers: dict[int, int]) -> Shape:
    if id(expr) in numbers:
        return numbers[id(expr)]
    assert isinstance(expr, tree.Binary)  # everything between operands joins two of them
    left, right = _shape(expr.left, numbers), _shape(expr.right, numbers)
    return (left, _last(left), right)


def _last(shape: Shape) -> int:
    """The number of the last operand, which is that of the operator behind it."""
    return shape if isinstance(shape, int) else _last(shape[2])


@cache
def _shapes(start: int, end: int) -> tuple[Shape, ...]:
    """All shapes of the operands from *start* up to *end*."""
    if end - start == 1:
        return (start,)
    return tuple(
        (left, middle - 1, right)
        for middle in range(start + 1, end)
        for left in _shapes(start, middle)
        for right in _shapes(middle, end)
    )


def _form(operand: Expr) -> object:
    if isinstance(operand, tree.Bars) or _is_rounded(operand):
        return "between bars or brackets"
    return type(operand)


def _is_rounded(expr: Expr) -> bool:
    return isinstance(expr, tree.Unary) and expr.sign in {Prefix.FLOOR, Prefix.CEILING}


# Bars that may have been the brackets of floor or ceiling


@dataclass(frozen=True, slots=True)
class Barred:
    """Bars where a formula of the same form has the brackets of *sign*."""

    definition: Definition
    expr: tree.Bars
    sign: Prefix
    model: Definition

    def rounded(self) -> Expr:
        """The expression with those brackets."""
        return tree.Unary(self.sign, self.expr.operand, span=self.expr.span)


def barred(definitions: Sequence[Definition]) -> Iterator[Barred]:
    """The bars of *definitions* for which a formula of the same form has other brackets."""
    models: dict[tuple[object, ...], tuple[Definition, tree.Unary]] = {}
    for definition in definitions:
        form = tuple(map(_kind, nodes(definition)))
        for at, node in enumerate(nodes(definition)):
            if isinstance(node, tree.Unary) and _is_rounded(node):
                models.setdefault((at, *form), (definition, node))
    for definition in definitions:
        form = tuple(map(_kind, nodes(definition)))
        for at, node in enumerate(nodes(definition)):
            model = models.get((at, *form)) if isinstance(node, tree.Bars) else None
            if model is not None and isinstance(node, tree.Bars):
                yield Barred(definition, node, model[1].sign, model[0])


def _kind(expr: Expr) -> object:
    if isinstance(expr, tree.Bars) or _is_rounded(expr):
        return "between bars or brackets"
    if isinstance(expr, tree.Binary):
        return expr.sign
    return (type(expr), len(expr.arguments)) if isinstance(expr, tree.Call) else type(expr)


def replaced(expr: Expr, old: Expr, new: Expr) -> Expr | None:
    """*new* if *expr* is the very node *old*."""
    return replace(new, span=old.span) if expr is old else None
