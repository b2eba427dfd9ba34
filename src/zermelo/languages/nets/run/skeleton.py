"""What a net consists of, listed as a ``System``, so that every face can name its parts.

Its places are stored variables and its transitions moves; only the token game runs them.
"""

from __future__ import annotations

from zermelo.core.types import NUMBER, UNKNOWN
from zermelo.languages.nets import ir
from zermelo.languages.sections.ir import (
    Expr,
    Literal,
    NumberSet,
    NumberSetKind,
    Parameter,
    Procedure,
    ProcedureRole,
    Range,
    System,
    Variable,
    VariableRole,
)


def skeleton(net: ir.Net) -> System:
    """The places and transitions of *net* as variables and moves."""
    return System(
        name=net.name,
        sets=(),
        variables=tuple(_variable(each) for each in net.places),
        functions=(),
        procedures=tuple(_procedure(each) for each in net.transitions),
        fingerprint=net.fingerprint,
        prose=net.prose,
    )


def _variable(place: ir.Place) -> Variable:
    return Variable(
        place.name,
        VariableRole.STORED,
        None,
        UNKNOWN,
        initial=Literal(place.initial, span=place.span),
        span=place.span,
    )


def _procedure(transition: ir.Transition) -> Procedure:
    parameters = tuple(Parameter(each.name, _domain(each), NUMBER) for each in transition.variables)
    return Procedure(transition.name, ProcedureRole.MOVE, parameters, (), span=transition.span)


def _domain(variable: ir.Variable) -> Expr:
    if variable.low is None or variable.high is None:
        return NumberSet(NumberSetKind.INTEGER, span=variable.span)
    return Range(Literal(variable.low), Literal(variable.high), span=variable.span)
