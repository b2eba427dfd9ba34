"""What stands in a net, as it was written, once macros are expanded.

Expressions are C's. Statements and functions come from the C in the net or beside it.
Places are in the row of the net's texts (``texts.Texts``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from zermelo.text.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of a net; its place is not part of its identity."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


# Expressions


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A number."""

    value: int


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name: a constant, a global, or a variable."""

    text: str


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """``-x``, ``+x``, ``!x``, ``~x``."""

    op: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """``left op right``."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """``test ? yes : no``."""

    test: Expr
    yes: Expr
    no: Expr


@dataclass(frozen=True, slots=True)
class Index(Node):
    """``table[i][j]``."""

    table: str
    indexes: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Call(Node):
    """``function(arguments)``."""

    function: str
    arguments: tuple[Expr, ...]


Expr: TypeAlias = Number | Name | Unary | Binary | Conditional | Index | Call


# Statements of C


@dataclass(frozen=True, slots=True)
class InitList(Node):
    """``{a, b, {c, d}}``."""

    items: tuple[Init, ...]


Init: TypeAlias = Expr | InitList


@dataclass(frozen=True, slots=True)
class Declare(Node):
    """A number or an array: local, or global."""

    name: str
    dimensions: tuple[Expr | None, ...] = ()
    """``None`` for a first dimension that the values decide."""
    init: Init | None = None
    is_extern: bool = False
    is_const: bool = False


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """``target = value``, or with *op* ``target op= value``."""

    target: Name | Index
    op: str
    """Empty for a plain ``=``."""
    value: Expr


@dataclass(frozen=True, slots=True)
class Block(Node):
    """``{ … }``."""

    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class If(Node):
    """``if (test) yes else no``."""

    test: Expr
    yes: Statement
    no: Statement | None = None


@dataclass(frozen=True, slots=True)
class Loop(Node):
    """``for``, ``while`` and ``do``."""

    first: tuple[Statement, ...]
    test: Expr | None
    step: tuple[Statement, ...]
    body: Statement
    tests_first: bool = True


@dataclass(frozen=True, slots=True)
class Case(Node):
    """The statements behind ``case`` labels; *values* has ``None`` for ``default``."""

    values: tuple[Expr | None, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Switch(Node):
    """``switch (value) { … }``."""

    value: Expr
    cases: tuple[Case, ...]


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
    """An expression as a statement."""

    value: Expr


Statement: TypeAlias = (
    Declare | Assign | Block | If | Loop | Switch | Return | Break | Continue | Evaluate
)


@dataclass(frozen=True, slots=True)
class Function(Node):
    """A function, or with no *body* its declaration."""

    name: str
    parameters: tuple[str, ...]
    body: Block | None = None
    fixed: tuple[str, ...] = ()
    """The parameters that are ``const``."""


@dataclass(frozen=True, slots=True)
class Refused(Node):
    """A declaration of C that holds something outside the part that is read."""

    name: str
    """Of what is declared; empty where it has none."""
    what: str
    """What is not read, in words."""


Declaration: TypeAlias = Declare | Function | Refused


# Nets


@dataclass(frozen=True, slots=True)
class Interval(Node):
    """``low..high`` as a component of a tuple."""

    low: Expr
    high: Expr


Component: TypeAlias = Expr | Interval


@dataclass(frozen=True, slots=True)
class Tuple(Node):
    """``<. a, b .>``."""

    components: tuple[Component, ...] = ()


@dataclass(frozen=True, slots=True)
class Term(Node):
    """So many of a tuple; without *multiplicity*, one."""

    tuple: Tuple
    multiplicity: Expr | None = None


Marking: TypeAlias = tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Place(Node):
    """``#place NAME lo(…) hi(…) mk(…)``."""

    name: str
    low: Tuple | None = None
    high: Tuple | None = None
    initial: Marking = ()


@dataclass(frozen=True, slots=True)
class Arc(Node):
    """``place: marking;``."""

    place: str
    marking: Marking


@dataclass(frozen=True, slots=True)
class Let(Node):
    """``let <. x, y .> <= marking;``."""

    tuple: Tuple
    marking: Marking


@dataclass(frozen=True, slots=True)
class Transition(Node):
    """``#trans NAME … #endtr``."""

    name: str
    inputs: tuple[Arc, ...] = ()
    outputs: tuple[Arc, ...] = ()
    lets: tuple[Let, ...] = ()
    gates: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """``#enum NAME``."""

    name: str


@dataclass(frozen=True, slots=True)
class Document:
    """A net as it was written."""

    name: str
    places: tuple[Place, ...]
    transitions: tuple[Transition, ...]
    constants: tuple[Constant, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    macros: tuple[str, ...] = ()
    """The names of the macros, for suggestions."""
    leading_back: tuple[str, ...] = ()
    """Those of them that stand for themselves, maybe by way of others."""
    folder: str | None = None
    """The name of the folder beside it for files of C; ``None`` where it is no file."""
