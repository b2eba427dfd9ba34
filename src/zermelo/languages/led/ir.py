"""An LED program as data: what it means, with every name resolved.

``Local`` names a parameter, a name of ``where`` or a bound name; ``Global`` asks for
something the program defines; ``Builtin`` for something the engine gives it. Sentences
that can be solved say which names they bind, and how, from left to right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from zermelo.core.values import Value
from zermelo.languages.sections.ir import Reading
from zermelo.text.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Node:
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


class Function(Enum):
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
class Literal(Node):
    """A value."""

    value: Value


@dataclass(frozen=True, slots=True)
class Local(Node):
    """A parameter, a name of ``where``, or a bound name."""

    name: str


@dataclass(frozen=True, slots=True)
class Global(Node):
    """Something that the program defines, at these arguments."""

    name: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Builtin(Node):
    """Something that the engine gives: a constructor, a constant, the state, the input."""

    name: str
    arguments: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Undefined(Node):
    """A name that nothing defines, or a call that does not fit; *reason* says so."""

    reason: str


@dataclass(frozen=True, slots=True)
class TupleOf(Node):
    """``(a, b, …)``."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Index(Node):
    """``base[index]``; the first component has the number 1."""

    base: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """``base[low..high]``."""

    base: Expr
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class SetOf(Node):
    """``{a, b, …}``."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class RangeOf(Node):
    """``{low..high}``."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Comprehension(Node):
    """``{result | sentence}``."""

    result: Expr
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Big(Node):
    """*op* over the values of *body* at all solutions of *sentence*."""

    op: BigOp
    sentence: Sentence
    body: Expr


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """An operator on one value."""

    function: Function
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """A strict operator on two values."""

    op: Op
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class And(Node):
    """``left & right``: false if *left* is, whatever *right* is."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Implies(Node):
    """``left => right``: true if *left* is false, whatever *right* is."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Quantified(Node):
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
    | TupleOf
    | Index
    | Slice
    | SetOf
    | RangeOf
    | Comprehension
    | Big
    | Apply
    | Binary
    | And
    | Implies
    | Quantified
)


# Sentences that can be solved


@dataclass(frozen=True, slots=True)
class Bound(Node):
    """A new name, which takes any value."""

    name: str


@dataclass(frozen=True, slots=True)
class Same(Node):
    """A value that must be equal."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class TuplePattern(Node):
    """A tuple with so many components, each of this form."""

    items: tuple[Pattern, ...]


Pattern: TypeAlias = Bound | Same | TuplePattern


@dataclass(frozen=True, slots=True)
class Holds(Node):
    """A sentence without new names."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class Is(Node):
    """``pattern = value``."""

    pattern: Pattern
    value: Expr


@dataclass(frozen=True, slots=True)
class Member(Node):
    """``pattern in domain``."""

    pattern: Pattern
    domain: Expr


@dataclass(frozen=True, slots=True)
class Both(Node):
    """``left & right``: the names that *left* binds have their values in *right*."""

    left: Sentence
    right: Sentence


@dataclass(frozen=True, slots=True)
class Either(Node):
    """``left V right``: the solutions of both, each once."""

    left: Sentence
    right: Sentence


Sentence: TypeAlias = Holds | Is | Member | Both | Either


# Programs


@dataclass(frozen=True, slots=True)
class Case(Node):
    """A value and when it is taken; without a guard, whenever no case before it was."""

    value: Expr
    guard: Expr | None = None


@dataclass(frozen=True, slots=True)
class Definition(Node):
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
    definitions: tuple[Definition, ...]
    is_game: bool = False
    readings: tuple[Reading, ...] = ()
    fingerprint: str = ""
    """A digest of the document's text."""
    prose: tuple[str, ...] = field(default=(), compare=False)

    def definition(self, name: str) -> Definition | None:
        """The definition of *name*."""
        return next((each for each in self.definitions if each.name == name), None)
