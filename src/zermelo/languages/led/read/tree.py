"""An LED program as it was written: prose, the game switch and definitions, in order.

Brackets and the form of numerals are kept, so that a program can be printed as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from fractions import Fraction
from itertools import chain
from typing import Any, Final, TypeAlias

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
    **dict.fromkeys((Sign.EQ, Sign.NE, Sign.LT, Sign.GT), Precedence.RELATION),
    **dict.fromkeys((Sign.LE, Sign.GE, Sign.IN, Sign.SUBSET), Precedence.RELATION),
    **dict.fromkeys((Sign.PLUS, Sign.MINUS, Sign.UNION, Sign.DIFFERENCE), Precedence.SUM),
    **dict.fromkeys((Sign.TIMES, Sign.DIVIDE, Sign.MOD, Sign.INTERSECTION), Precedence.PRODUCT),
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
    Numeral | StringLiteral | AtomName | TruthName | Identifier | CallExpr | TupleExpr | Bracketed
    | IndexExpr | SliceExpr | SetExpr | RangeExpr | SetBuilder | BigExpr | UnaryExpr | BarsExpr
    | BinaryExpr | QuantifiedExpr
)  # fmt: skip


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
    """Whether it is written with ``iff``."""
    number: int | None = field(default=None, compare=False)
    """In print."""
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

    @property
    def text(self) -> str:
        return f'cmd:>{self.typed}\n"{self.answer}"'


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
        return any(isinstance(part, GameSwitch) for part in self.parts)


# Going through expressions


def children(expr: Expr) -> tuple[Expr, ...]:
    """The expressions that *expr* is made of, as they stand in it from left to right."""
    match expr:
        case Numeral() | StringLiteral() | AtomName() | TruthName() | Identifier():
            return ()
        case BinaryExpr(_, a, b) | BigExpr(_, a, b) | QuantifiedExpr(_, _, a, b):
            return (a, b)
        case CallExpr(_, items) | TupleExpr(items) | SetExpr(items):
            return items
        case Bracketed(a) | UnaryExpr(_, a) | BarsExpr(a):
            return (a,)
        case IndexExpr(a, b) | RangeExpr(a, b) | SetBuilder(a, b):
            return (a, b)
        case SliceExpr(a, b, c):
            return (a, b, c)


_FIELDS: Final[Mapping[type[Expr], tuple[str, ...]]] = {
    Bracketed: ("inner",),
    IndexExpr: ("base", "index"),
    SliceExpr: ("base", "low", "high"),
    RangeExpr: ("low", "high"),
    SetBuilder: ("result", "condition"),
    BigExpr: ("condition", "body"),
    UnaryExpr: ("operand",),
    BarsExpr: ("operand",),
    BinaryExpr: ("left", "right"),
    QuantifiedExpr: ("domain", "body"),
}


def with_children(expr: Expr, parts: tuple[Expr, ...]) -> Expr:
    """*expr* made of *parts*, in the order in which ``children`` gives them."""
    match expr:
        case Numeral() | StringLiteral() | AtomName() | TruthName() | Identifier():
            return expr
        case CallExpr():
            return replace(expr, arguments=parts)
        case TupleExpr() | SetExpr():
            return replace(expr, items=parts)
        case _:
            changes: Any = dict(zip(_FIELDS[type(expr)], parts, strict=True))
            return replace(expr, **changes)


def expressions(definition: Definition) -> tuple[Expr, ...]:
    branches = (each for branch in definition.branches for each in (branch.value, branch.guard))
    return tuple(each for each in (*branches, definition.where) if each is not None)


def walk(expr: Expr) -> Iterator[Expr]:
    """*expr* and everything in it, from the outside in and from left to right."""
    open_ = [expr]
    while open_:
        here = open_.pop()
        yield here
        open_.extend(reversed(children(here)))


def nodes(definition: Definition) -> Iterator[Expr]:
    return chain.from_iterable(map(walk, expressions(definition)))


def depth(expr: Expr) -> int:
    """The number of levels of *expr*; a name has one."""
    deepest = 0
    open_ = [(expr, 1)]
    while open_:
        here, level = open_.pop()
        deepest = max(deepest, level)
        open_ += [(each, level + 1) for each in children(here)]
    return deepest
