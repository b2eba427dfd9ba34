"""An LED program as it was written: prose, the game switch and definitions, in order.

Brackets and the form of numerals are kept, so that a program can be printed as it
was and questions about its form can be answered. Nothing is written into a tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from zermelo.text.lines import Setting
from zermelo.text.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Node:
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


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A numeral: ``12``, ``.5``, ``0.(3..)``; *text* is how it was written."""

    value: Fraction
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A string."""

    value: str


@dataclass(frozen=True, slots=True)
class AtomName(Node):
    """An atom, without its backquote."""

    name: str


@dataclass(frozen=True, slots=True)
class TruthName(Node):
    """``true`` or ``false``."""

    value: bool


@dataclass(frozen=True, slots=True)
class Name(Node):
    """An identifier that stands alone."""

    name: str


@dataclass(frozen=True, slots=True)
class Call(Node):
    """``f(a, b)``."""

    name: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class TupleOf(Node):
    """``(a, b)``, ``(a,)`` or ``()``; a single value in brackets is ``Bracketed``."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Bracketed(Node):
    """``(e)``."""

    inner: Expr


@dataclass(frozen=True, slots=True)
class Index(Node):
    """``u[i]``."""

    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """``u[i..j]``."""

    base: Expr
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class SetOf(Node):
    """``{a, b}``, empty too."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class RangeOf(Node):
    """``{m..n}``."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Comprehension(Node):
    """``{result | condition}``."""

    result: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Big(Node):
    """``U[condition] body``, and so on."""

    sign: BigSign
    condition: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """A prefix and its operand."""

    sign: Prefix
    operand: Expr


@dataclass(frozen=True, slots=True)
class Bars(Node):
    """``|e|``."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """Two operands and what stands between them."""

    sign: Sign
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """``some x, y in domain. body``, or ``some (x, y) in domain. body``."""

    sign: QuantifierSign
    names: tuple[str, ...]
    domain: Expr
    body: Expr
    is_tuple: bool = False
    """Whether the names are the components of one tuple, and not members of the set each."""


Expr: TypeAlias = (
    Number
    | Text
    | AtomName
    | TruthName
    | Name
    | Call
    | TupleOf
    | Bracketed
    | Index
    | Slice
    | SetOf
    | RangeOf
    | Comprehension
    | Big
    | Unary
    | Bars
    | Binary
    | Quantified
)


@dataclass(frozen=True, slots=True)
class Branch(Node):
    """A value and when it is taken; without a guard, ``otherwise`` or always."""

    value: Expr
    guard: Expr | None = None
    is_otherwise: bool = False


@dataclass(frozen=True, slots=True)
class Definition(Node):
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
class GameSwitch(Node):
    """``ledGame``, or the older ``#isGame``."""

    word: str = field(default="ledGame", compare=False)


@dataclass(frozen=True, slots=True)
class Prose(Node):
    """Text between regions of code, as it was written."""

    text: str


@dataclass(frozen=True, slots=True)
class Test(Node):
    """A line of an interpreter's transcript that the document contains, and the answer to it."""

    typed: str
    answer: str


Part: TypeAlias = Prose | GameSwitch | Definition | Test


@dataclass(frozen=True, slots=True)
class Document:
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
        """The definitions, in order."""
        return tuple(part for part in self.parts if isinstance(part, Definition))

    @property
    def is_game(self) -> bool:
        """Whether the program asks for the game engine."""
        return any(isinstance(part, GameSwitch) for part in self.parts)
