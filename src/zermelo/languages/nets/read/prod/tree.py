"""What stands in a net, as it was written, once macros are expanded.

Expressions are those of ``ir``, in which names are not resolved yet: a ``Var`` may be a constant,
a global, a local or a variable. Statements and functions come from the C in the net or beside it.
Places are in the row of the net's texts (``sources.NetTexts``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from zermelo.languages.nets import ir

# Statements of C


@dataclass(frozen=True, slots=True)
class InitList(ir.Node):
    """``{a, b, {c, d}}``."""

    items: tuple[Init, ...]


Init: TypeAlias = ir.Expr | InitList


@dataclass(frozen=True, slots=True)
class CVariable(ir.Node):
    """A number or an array: local, or global."""

    name: str
    dimensions: tuple[ir.Expr | None, ...] = ()
    """``None`` for a first dimension that the values decide."""
    init: Init | None = None
    is_extern: bool = False
    is_const: bool = False


@dataclass(frozen=True, slots=True)
class Assignment(ir.Node):
    """``target = value``, or with *op* ``target op= value``."""

    target: ir.Var | ir.Element
    op: ir.BinaryOp | None
    value: ir.Expr


@dataclass(frozen=True, slots=True)
class Block(ir.Node):
    """``{ … }``."""

    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class If(ir.Node):
    """``if (test) yes else no``."""

    test: ir.Expr
    yes: Statement
    no: Statement | None = None


@dataclass(frozen=True, slots=True)
class Loop(ir.Node):
    """``for``, ``while`` and ``do``."""

    first: tuple[Statement, ...]
    test: ir.Expr | None
    step: tuple[Statement, ...]
    body: Statement
    tests_first: bool = True


@dataclass(frozen=True, slots=True)
class Case(ir.Node):
    """The statements behind one ``case``, or without a *value* behind ``default``."""

    value: ir.Expr | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Switch(ir.Node):
    """``switch (value) { … }``."""

    value: ir.Expr
    cases: tuple[Case, ...]


Statement: TypeAlias = (
    CVariable
    | Assignment
    | Block
    | If
    | Loop
    | Switch
    | ir.Return
    | ir.Break
    | ir.Continue
    | ir.Evaluate
)


@dataclass(frozen=True, slots=True)
class CFunction(ir.Node):
    """A function, or with no *body* its declaration."""

    name: str
    parameters: tuple[str, ...]
    body: Block | None = None
    fixed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OutsideSubset(ir.Node):
    """A declaration of C that holds something outside the part that is read."""

    name: str
    what: str


Declaration: TypeAlias = CVariable | CFunction | OutsideSubset


# Nets


@dataclass(frozen=True, slots=True)
class Tuple(ir.Node):
    """``<. a, b .>``."""

    components: tuple[ir.Component, ...] = ()


@dataclass(frozen=True, slots=True)
class TupleTerm(ir.Node):
    """So many of a tuple; without *multiplicity*, one."""

    tuple: Tuple
    multiplicity: ir.Expr | None = None


Marking: TypeAlias = tuple[TupleTerm, ...]


@dataclass(frozen=True, slots=True)
class PlaceDirective(ir.Node):
    """``#place NAME lo(…) hi(…) mk(…)``."""

    name: str
    low: Tuple | None = None
    high: Tuple | None = None
    initial: Marking = ()


@dataclass(frozen=True, slots=True)
class Arc(ir.Node):
    """``place: marking;``."""

    place: str
    marking: Marking


@dataclass(frozen=True, slots=True)
class LetClause(ir.Node):
    """``let <. x, y .> <= marking;``."""

    tuple: Tuple
    marking: Marking


@dataclass(frozen=True, slots=True)
class TransitionDirective(ir.Node):
    """``#trans NAME … #endtr``."""

    name: str
    inputs: tuple[Arc, ...] = ()
    outputs: tuple[Arc, ...] = ()
    lets: tuple[LetClause, ...] = ()
    gates: tuple[ir.Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class EnumConstant(ir.Node):
    """``#enum NAME``."""

    name: str


@dataclass(frozen=True, slots=True)
class NetDocument:
    """A net as it was written."""

    name: str
    places: tuple[PlaceDirective, ...]
    transitions: tuple[TransitionDirective, ...]
    constants: tuple[EnumConstant, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    macros: tuple[str, ...] = ()
    leading_back: tuple[str, ...] = ()
    """Those of them that stand for themselves, maybe by way of others."""
    folder: str | None = None
    """The name of the folder beside it for files of C; ``None`` where it is no file."""
