"""An LED program as data: what it means, with every name resolved.

Sentences that can be solved say which names they bind, and how, from left to right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from zermelo.core.signature import Reading
from zermelo.core.values import Value
from zermelo.text.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class IrNode:
    """A piece of a program; its place is not part of its identity."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


class Op(Enum):
    """Operators between two values, all of them strict."""

    PLUS = "+"
    JOIN = "(+)"
    """``+`` beside brackets that group: ``t + (m + n)`` adds one component, if it is a number."""
    APPEND = "+(x)"
    """``+`` before brackets that group nothing: ``t + (x)`` adds one component to a tuple."""
    PREPEND = "(x)+"
    """``+`` behind brackets that group nothing: ``(x) + t`` adds one component to a tuple."""
    MINUS = "-"
    TIMES = "*"
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
    OR = "V"
    IFF = "<=>"


class UnaryOp(Enum):
    """Operators on one value."""

    NEGATE = "-"
    KEEP = "+"
    """``+x``: a number stays what it is."""
    NOT = "~"
    FLOOR = "floor"
    CEILING = "ceil"
    POWER_SET = "Pow"
    SIZE = "|"
    """Absolute value, number of members or of components."""


class BigOp(Enum):
    """Operators over all solutions of a sentence."""

    UNION = "U"
    INTERSECTION = "Sec"
    SUM = "Sum"
    PRODUCT = "Prod"


class Quantifier(Enum):
    """The quantifiers."""

    SOME = "some"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Literal(IrNode):
    """A value."""

    value: Value


@dataclass(frozen=True, slots=True)
class Local(IrNode):
    """A parameter, a name of ``where``, or a bound name."""

    name: str


@dataclass(frozen=True, slots=True)
class Global(IrNode):
    """Something that the program defines, at these arguments."""

    name: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Builtin(IrNode):
    """Something that the engine gives: a constructor, a constant, the state, the input."""

    name: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Undefined(IrNode):
    """A name that nothing defines, or a call that does not fit; *reason* says so."""

    reason: str


@dataclass(frozen=True, slots=True)
class MakeTuple(IrNode):
    """``(a, b, …)``."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Index(IrNode):
    """``base[index]``; the first component has the number 1."""

    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Slice(IrNode):
    """``base[low..high]``."""

    base: Expr
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class MakeSet(IrNode):
    """``{a, b, …}``."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class MakeRange(IrNode):
    """``{low..high}``."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Comprehension(IrNode):
    """``{result | sentence}``."""

    result: Expr
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Big(IrNode):
    """*op* over the values of *body* at all solutions of *sentence*."""

    op: BigOp
    sentence: Sentence
    body: Expr


@dataclass(frozen=True, slots=True)
class UnaryOperation(IrNode):
    """An operator on one value."""

    function: UnaryOp
    operand: Expr


@dataclass(frozen=True, slots=True)
class BinaryOperation(IrNode):
    """A strict operator on two values."""

    op: Op
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Conjunction(IrNode):
    """``left & right``: false if *left* is, whatever *right* is."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Implication(IrNode):
    """``left => right``: true if *left* is false, whatever *right* is."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Quantification(IrNode):
    """``some names in domain. body``: several names range over the same set."""

    quantifier: Quantifier
    names: tuple[str, ...]
    domain: Expr
    body: Expr


Expr: TypeAlias = (
    Literal
    | Local
    | Global
    | Builtin
    | Undefined
    | MakeTuple
    | Index
    | Slice
    | MakeSet
    | MakeRange
    | Comprehension
    | Big
    | UnaryOperation
    | BinaryOperation
    | Conjunction
    | Implication
    | Quantification
)


# Sentences that can be solved


@dataclass(frozen=True, slots=True)
class NewName(IrNode):
    """A new name, which takes any value."""

    name: str


@dataclass(frozen=True, slots=True)
class Same(IrNode):
    """A value that must be equal."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class TuplePattern(IrNode):
    """A tuple with so many components, each of this form."""

    items: tuple[Pattern, ...]


Pattern: TypeAlias = NewName | Same | TuplePattern


@dataclass(frozen=True, slots=True)
class Holds(IrNode):
    """A sentence without new names."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class Is(IrNode):
    """``pattern = value``."""

    pattern: Pattern
    value: Expr


@dataclass(frozen=True, slots=True)
class Member(IrNode):
    """``pattern in domain``."""

    pattern: Pattern
    domain: Expr


@dataclass(frozen=True, slots=True)
class BothHold(IrNode):
    """``left & right``: the names that *left* binds have their values in *right*."""

    left: Sentence
    right: Sentence


@dataclass(frozen=True, slots=True)
class EitherHolds(IrNode):
    """``left V right``: the solutions of both, each once."""

    left: Sentence
    right: Sentence


Sentence: TypeAlias = Holds | Is | Member | BothHold | EitherHolds


# Programs


@dataclass(frozen=True, slots=True)
class Case(IrNode):
    """A value and when it is taken; without a guard, whenever no case before it was."""

    value: Expr
    guard: Expr | None = None


@dataclass(frozen=True, slots=True)
class ProgramDefinition(IrNode):
    """A constant, a function or a relation."""

    name: str
    parameters: tuple[str, ...]
    cases: tuple[Case, ...]
    """Tried in order; none that holds makes the value undefined."""
    where: Sentence | None = None
    """Solved before the cases; no solution makes the value undefined, the first one counts."""
    is_relation: bool = False
    number: int | None = field(default=None, compare=False)
    name_span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Program:
    """An LED program understood."""

    name: str
    definitions: tuple[ProgramDefinition, ...]
    is_game: bool = False
    readings: tuple[Reading, ...] = ()
    fingerprint: str = ""
    """A digest of the document's text."""
    prose: tuple[str, ...] = field(default=(), compare=False)

    def definition(self, name: str) -> ProgramDefinition | None:
        return next((each for each in self.definitions if each.name == name), None)
