"""An LED program as it was written: prose, the game switch and definitions, in order.

Brackets and the form of numerals are kept, so that a program can be printed as it
was and questions about its form can be answered. Nothing is written into a tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from fractions import Fraction
from typing import Final, TypeAlias, assert_never

from zermelo.text.lines import Setting
from zermelo.text.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class SyntaxNode:
    """A piece of a program; its place is not part of its identity."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


class Sign(Enum):
    """Operators between two operands; the value is how source form writes them."""

    PLUS = "+"
    """Numbers, and tuples one after the other."""
    MINUS = "-"
    TIMES = "*"
    """Numbers, and the product of sets."""
    DIVIDE = "/"
    MOD = "mod"
    POWER = "^"
    UNION = "U"
    INTERSECTION = "sec"
    DIFFERENCE = "\\"
    EQ = "="
    NE = "/="
    LT = "<"
    GT = ">"
    LE = "<="
    GE = ">="
    IN = "in"
    SUBSET = "sub"
    AND = "&"
    OR = "V"
    IMPLIES = "=>"
    IFF = "<=>"


class Prefix(Enum):
    """Operators before one operand; the value is how source form writes them."""

    MINUS = "-"
    PLUS = "+"
    NOT = "~"
    FLOOR = "floor"
    CEILING = "ceil"
    POWER_SET = "Pow"


class BigSign(Enum):
    """Operators over all solutions of a sentence."""

    UNION = "U"
    INTERSECTION = "Sec"
    SUM = "Sum"
    PRODUCT = "Prod"


class QuantifierSign(Enum):
    """The quantifiers."""

    SOME = "some"
    ALL = "all"


class Precedence(IntEnum):
    """The rungs of the ladder, loosest first.

    LED has one ladder for numbers, one for sets and one for truth values. Joined
    rung by rung they read every program as the three do, since an operand of one
    kind never holds a bare operator of a looser kind.
    """

    IFF = 1
    IMPLIES = 2
    OR = 3
    AND = 4
    NOT = 5
    RELATION = 6
    SUM = 7
    PRODUCT = 8
    PREFIX = 9
    POWER = 10
    PRIMARY = 11


PRECEDENCES: Final[Mapping[Sign, Precedence]] = {
    Sign.IFF: Precedence.IFF,
    Sign.IMPLIES: Precedence.IMPLIES,
    Sign.OR: Precedence.OR,
    Sign.AND: Precedence.AND,
    Sign.EQ: Precedence.RELATION,
    Sign.NE: Precedence.RELATION,
    Sign.LT: Precedence.RELATION,
    Sign.GT: Precedence.RELATION,
    Sign.LE: Precedence.RELATION,
    Sign.GE: Precedence.RELATION,
    Sign.IN: Precedence.RELATION,
    Sign.SUBSET: Precedence.RELATION,
    Sign.PLUS: Precedence.SUM,
    Sign.MINUS: Precedence.SUM,
    Sign.UNION: Precedence.SUM,
    Sign.DIFFERENCE: Precedence.SUM,
    Sign.TIMES: Precedence.PRODUCT,
    Sign.DIVIDE: Precedence.PRODUCT,
    Sign.MOD: Precedence.PRODUCT,
    Sign.INTERSECTION: Precedence.PRODUCT,
    Sign.POWER: Precedence.POWER,
}

RIGHT_ASSOCIATIVE: Final = frozenset((Precedence.IFF, Precedence.IMPLIES, Precedence.POWER))
"""Where operators group from the right: ``2^3^2`` is ``2^(3^2)``."""


@dataclass(frozen=True, slots=True)
class Numeral(SyntaxNode):
    """A numeral: ``12``, ``.5``, ``0.(3..)``; *text* is how it was written."""

    value: Fraction
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class StringLiteral(SyntaxNode):
    """A string."""

    value: str


@dataclass(frozen=True, slots=True)
class AtomName(SyntaxNode):
    """An atom, without its backquote."""

    name: str


@dataclass(frozen=True, slots=True)
class TruthName(SyntaxNode):
    """``true`` or ``false``."""

    value: bool


@dataclass(frozen=True, slots=True)
class Identifier(SyntaxNode):
    """An identifier that stands alone."""

    name: str


@dataclass(frozen=True, slots=True)
class CallExpr(SyntaxNode):
    """``f(a, b)``."""

    name: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class TupleExpr(SyntaxNode):
    """``(a, b)``, ``(a,)`` or ``()``; a single value in brackets is ``Bracketed``."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Bracketed(SyntaxNode):
    """``(e)``."""

    inner: Expr


@dataclass(frozen=True, slots=True)
class IndexExpr(SyntaxNode):
    """``u[i]``."""

    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class SliceExpr(SyntaxNode):
    """``u[i..j]``."""

    base: Expr
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class SetExpr(SyntaxNode):
    """``{a, b}``, empty too."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class RangeExpr(SyntaxNode):
    """``{m..n}``."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class SetBuilder(SyntaxNode):
    """``{result | condition}``."""

    result: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class BigExpr(SyntaxNode):
    """``U[condition] body``, and so on."""

    sign: BigSign
    condition: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class UnaryExpr(SyntaxNode):
    """A prefix and its operand."""

    sign: Prefix
    operand: Expr


@dataclass(frozen=True, slots=True)
class BarsExpr(SyntaxNode):
    """``|e|``."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class BinaryExpr(SyntaxNode):
    """Two operands and what stands between them."""

    sign: Sign
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class QuantifiedExpr(SyntaxNode):
    """``some x, y in domain. body``, or ``some (x, y) in domain. body``."""

    sign: QuantifierSign
    names: tuple[str, ...]
    domain: Expr
    body: Expr
    is_tuple: bool = False
    """Whether the names are the components of one tuple, and not members of the set each."""


Expr: TypeAlias = (
    Numeral
    | StringLiteral
    | AtomName
    | TruthName
    | Identifier
    | CallExpr
    | TupleExpr
    | Bracketed
    | IndexExpr
    | SliceExpr
    | SetExpr
    | RangeExpr
    | SetBuilder
    | BigExpr
    | UnaryExpr
    | BarsExpr
    | BinaryExpr
    | QuantifiedExpr
)


@dataclass(frozen=True, slots=True)
class Branch(SyntaxNode):
    """A value and when it is taken; without a guard, ``otherwise`` or always."""

    value: Expr
    guard: Expr | None = None
    is_otherwise: bool = False


@dataclass(frozen=True, slots=True)
class Definition(SyntaxNode):
    """``head := body where …`` or ``head iff body where …``."""

    name: str
    parameters: tuple[str, ...]
    branches: tuple[Branch, ...]
    """One without a guard, or the cases in order."""
    where: Expr | None = None
    is_relation: bool = False
    """Written with ``iff``."""
    number: int | None = field(default=None, compare=False)
    """The number that the printed form gives it."""
    name_span: Span = field(default=NOWHERE, compare=False, repr=False)
    doubtful: tuple[Expr, ...] = field(default=(), compare=False, repr=False)
    """Equations that print has made doubtful, and that are no part of ``where``."""


@dataclass(frozen=True, slots=True)
class GameSwitch(SyntaxNode):
    """``ledGame``, or the older ``#isGame``."""

    word: str = field(default="ledGame", compare=False)


@dataclass(frozen=True, slots=True)
class Prose(SyntaxNode):
    """Text between regions of code, as it was written."""

    text: str


@dataclass(frozen=True, slots=True)
class TranscriptEntry(SyntaxNode):
    """A line of an interpreter's transcript that the document contains, and the answer to it."""

    typed: str
    answer: str


Part: TypeAlias = Prose | GameSwitch | Definition | TranscriptEntry


@dataclass(frozen=True, slots=True)
class LiterateProgram:
    """A whole program with its prose."""

    parts: tuple[Part, ...]
    is_printed: bool = False
    """Whether it was read from the printed form, as formulas with numbers."""
    readings: tuple[Setting, ...] = ()
    """What a section called Reading in its prose decides."""
    damaged: frozenset[str] = frozenset()
    """Names with a definition that is not understood."""

    @property
    def definitions(self) -> tuple[Definition, ...]:
        return tuple(part for part in self.parts if isinstance(part, Definition))

    @property
    def is_game(self) -> bool:
        """Whether the program asks for the game engine."""
        return any(isinstance(part, GameSwitch) for part in self.parts)


# Going through expressions


def children(expr: Expr) -> tuple[Expr, ...]:
    """The expressions that *expr* is made of, as they stand in it from left to right."""
    match expr:
        case Numeral() | StringLiteral() | AtomName() | TruthName() | Identifier():
            return ()
        case CallExpr():
            return expr.arguments
        case TupleExpr() | SetExpr():
            return expr.items
        case Bracketed():
            return (expr.inner,)
        case UnaryExpr() | BarsExpr():
            return (expr.operand,)
        case _:
            return _several(expr)


def _several(
    expr: IndexExpr | SliceExpr | RangeExpr | SetBuilder | BigExpr | BinaryExpr | QuantifiedExpr,
) -> tuple[Expr, ...]:
    match expr:
        case IndexExpr():
            return (expr.base, expr.index)
        case SliceExpr():
            return (expr.base, expr.low, expr.high)
        case RangeExpr():
            return (expr.low, expr.high)
        case SetBuilder():
            return (expr.result, expr.condition)
        case BigExpr():
            return (expr.condition, expr.body)
        case BinaryExpr():
            return (expr.left, expr.right)
        case QuantifiedExpr():
            return (expr.domain, expr.body)
        case _:
            assert_never(expr)


def with_children(expr: Expr, parts: tuple[Expr, ...]) -> Expr:
    """*expr* made of *parts*, in the order in which ``children`` gives them."""
    match expr:
        case Numeral() | StringLiteral() | AtomName() | TruthName() | Identifier():
            return expr
        case CallExpr():
            return replace(expr, arguments=parts)
        case TupleExpr() | SetExpr():
            return replace(expr, items=parts)
        case Bracketed():
            return replace(expr, inner=parts[0])
        case UnaryExpr() | BarsExpr():
            return replace(expr, operand=parts[0])
        case _:
            return _with_several(expr, parts)


def _with_several(
    expr: IndexExpr | SliceExpr | RangeExpr | SetBuilder | BigExpr | BinaryExpr | QuantifiedExpr,
    parts: tuple[Expr, ...],
) -> Expr:
    match expr:
        case IndexExpr():
            return replace(expr, base=parts[0], index=parts[1])
        case SliceExpr():
            return replace(expr, base=parts[0], low=parts[1], high=parts[2])
        case RangeExpr():
            return replace(expr, low=parts[0], high=parts[1])
        case SetBuilder():
            return replace(expr, result=parts[0], condition=parts[1])
        case BigExpr():
            return replace(expr, condition=parts[0], body=parts[1])
        case BinaryExpr():
            return replace(expr, left=parts[0], right=parts[1])
        case QuantifiedExpr():
            return replace(expr, domain=parts[0], body=parts[1])
        case _:
            assert_never(expr)


def expressions(definition: Definition) -> tuple[Expr, ...]:
    """The expressions of *definition*, in order."""
    found: list[Expr] = []
    for branch in definition.branches:
        found.append(branch.value)
        if branch.guard is not None:
            found.append(branch.guard)
    if definition.where is not None:
        found.append(definition.where)
    return tuple(found)


def depth(expr: Expr) -> int:
    """The number of levels of *expr*; a name has one."""
    deepest = 0
    open_ = [(expr, 1)]
    while open_:
        here, level = open_.pop()
        deepest = max(deepest, level)
        open_ += [(each, level + 1) for each in children(here)]
    return deepest
