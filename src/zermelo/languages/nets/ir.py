"""A net as data: what a document means, with every name resolved.

Tokens are tuples of whole numbers; colours with names are numbered, and their places
know the names. Expressions are C's on signed 64-bit numbers. A marking expression is a
sum of terms; a transition is enabled for values of its variables when every input is
contained in its place and the gate is not 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias, assert_never

from zermelo.languages.nets.run.bags import Bag
from zermelo.text.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of a net; its place in the document is not part of its identity."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Said(Node):
    """A piece that the document may say in other words than C's; they are not its identity."""

    shown: str | None = field(default=None, compare=False, repr=False, kw_only=True)
    """The words of the document: the name of a colour, a neighbour, a group of colours."""


# Expressions


class UnaryOp(Enum):
    """C's operators on one number."""

    NEGATE = "-"
    KEEP = "+"
    NOT = "!"
    COMPLEMENT = "~"


class BinaryOp(Enum):
    """C's operators on two numbers; ``&&`` and ``||`` are decided left to right."""

    TIMES = "*"
    DIVIDE = "/"
    MOD = "%"
    PLUS = "+"
    MINUS = "-"
    LEFT = "<<"
    RIGHT = ">>"
    LT = "<"
    GT = ">"
    LE = "<="
    GE = ">="
    EQ = "=="
    NE = "!="
    BIT_AND = "&"
    BIT_XOR = "^"
    BIT_OR = "|"
    AND = "&&"
    OR = "||"


@dataclass(frozen=True, slots=True)
class Const(Said):
    """A number."""

    value: int


@dataclass(frozen=True, slots=True)
class Var(Node):
    """A variable of the transition, or a parameter or local of a function."""

    name: str


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """An operator on one number."""

    op: UnaryOp
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Said):
    """An operator on two numbers."""

    op: BinaryOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """``test ? yes : no``."""

    test: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True)
class Element(Said):
    """An element of a global table, or of a local one; without indexes, a global number."""

    table: str
    indexes: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A function of the net's, at these arguments."""

    function: str
    arguments: tuple[Expr, ...]


Expr: TypeAlias = Const | Var | Unary | Binary | Conditional | Element | Call


# Functions, in a safe part of C


@dataclass(frozen=True, slots=True)
class Table(Node):
    """A global number or array: its dimensions (none for a number) and its first values, flat."""

    name: str
    dimensions: tuple[int, ...]
    values: tuple[int, ...]
    groups: tuple[str, ...] = field(default=(), compare=False, kw_only=True)
    """Where colours are put into groups, the names of the groups: the table has their numbers."""
    label: str | None = field(default=None, compare=False, kw_only=True)
    """What the document calls it, if that is not its name."""


@dataclass(frozen=True, slots=True)
class Declare(Node):
    """A local number, or a local array of so many elements, all 0 unless *values* says more."""

    name: str
    dimensions: tuple[int, ...] = ()
    values: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """``target = value``; the target is a local, or an element of a local array."""

    target: Var | Element
    value: Expr


@dataclass(frozen=True, slots=True)
class If(Node):
    """``if (test) yes else no``."""

    test: Expr
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class While(Node):
    """``while (test) body``; *step* runs after each round, also after ``continue``."""

    test: Expr
    body: tuple[Statement, ...]
    step: tuple[Statement, ...] = ()
    tests_first: bool = True
    """False for ``do … while``."""


@dataclass(frozen=True, slots=True)
class Return(Node):
    """``return value``."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Break(Node):
    """``break``."""


@dataclass(frozen=True, slots=True)
class Continue(Node):
    """``continue``."""


@dataclass(frozen=True, slots=True)
class Evaluate(Node):
    """An expression whose value nobody wants; it may still stop."""

    value: Expr


Statement: TypeAlias = Declare | Assign | If | While | Return | Break | Continue | Evaluate


@dataclass(frozen=True, slots=True)
class Function(Node):
    """A function of whole numbers; it has no effect but its value."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[Statement, ...]


# Places and transitions


@dataclass(frozen=True, slots=True)
class Interval(Said):
    """All numbers from *low* to *high*, as one component of a tuple: a sum over them."""

    low: Expr
    high: Expr


Component: TypeAlias = Expr | Interval


def parts(component: Component) -> tuple[Expr, ...]:
    match component:
        case Const() | Var():
            return ()
        case Unary(_, operand):
            return (operand,)
        case Binary(_, first, second) | Interval(first, second):
            return (first, second)
        case Conditional(test, yes, no):
            return (test, yes, no)
        case Element(_, inner) | Call(_, inner):
            return inner
        case _:
            assert_never(component)


def depth(component: Component) -> int:
    """How many levels *component* has, counted without going down by recursion."""
    level: tuple[Component, ...] = (component,)
    count = 0
    while level:
        count += 1
        level = tuple(part for each in level for part in parts(each))
    return count


@dataclass(frozen=True, slots=True)
class Term(Node):
    """So many of a tuple; the multiplicity may be 0 and, in sums, negative."""

    multiplicity: Expr
    components: tuple[Component, ...]


@dataclass(frozen=True, slots=True)
class Arc(Node):
    """Tokens taken from a place or put into it: the sum of *terms*.

    Where the sum has a negative number of some token, the transition is not enabled.
    """

    place: str
    terms: tuple[Term, ...]
    label: str | None = field(default=None, compare=False, kw_only=True)
    """Its id in the document, if it has one there."""


@dataclass(frozen=True, slots=True)
class Let(Node):
    """``let <.x, y.> <= terms``: the variables range over the tokens that the sum contains."""

    names: tuple[str, ...]
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """A variable of a transition; with *low* and *high*, of a finite sort.

    Others get their values from tokens that inputs match, or from a ``let``.
    """

    name: str
    low: int | None = None
    high: int | None = None
    names: tuple[str, ...] | None = None
    """The names of its values, from *low* on, where they have any."""


@dataclass(frozen=True, slots=True)
class Place(Node):
    """A place, what lies in it at first, and the bounds of the components of its tokens."""

    name: str
    arity: int
    initial: Bag
    low: tuple[int, ...] | None = None
    high: tuple[int, ...] | None = None
    colours: tuple[tuple[str, ...] | None, ...] = ()
    """For each component the names of its values from its lower bound on, if they have any."""
    label: str | None = None
    """What the document calls it, if that is not its name."""


@dataclass(frozen=True, slots=True)
class Transition(Node):
    """A transition."""

    name: str
    variables: tuple[Variable, ...] = ()
    inputs: tuple[Arc, ...] = ()
    outputs: tuple[Arc, ...] = ()
    lets: tuple[Let, ...] = ()
    gates: tuple[Expr, ...] = ()
    """All of them must be other than 0."""
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Net:
    """A net understood."""

    name: str
    places: tuple[Place, ...]
    transitions: tuple[Transition, ...]
    functions: tuple[Function, ...] = ()
    tables: tuple[Table, ...] = ()
    fingerprint: str = ""
    """A digest of the document's text, and of every file it includes."""
    prose: tuple[str, ...] = field(default=(), compare=False)
    label: str | None = field(default=None, compare=False, kw_only=True)
    """Its id in the document, if it has one there."""

    def place(self, name: str) -> Place | None:
        return next((each for each in self.places if each.name == name), None)

    def transition(self, name: str) -> Transition | None:
        return next((each for each in self.transitions if each.name == name), None)

    @property
    def is_plain(self) -> bool:
        return all(each.arity == 0 for each in self.places)
