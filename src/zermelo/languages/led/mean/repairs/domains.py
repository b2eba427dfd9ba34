"""Which values the parameters of a program's definitions are given.

A call ``f(c)`` below ``c in S`` gives the first parameter of *f* the members of *S*; one
with a parameter of its own definition hands on what that one is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from zermelo.languages.led.mean.repairs.names import local_names
from zermelo.languages.led.mean.repairs.rebuild import operands, walk
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Definition, Document, Expr, Sign
from zermelo.languages.led.read.walk import children, expressions

Parameter: TypeAlias = tuple[str, int]
"""A definition's name and the number of one of its parameters, from 0."""


@dataclass(slots=True)
class Given:
    """Where the values of a parameter come from."""

    sets: list[Expr] = field(default_factory=list)
    """Sets whose members it is given."""
    values: list[Expr] = field(default_factory=list)
    """Values it is given as such."""
    others: list[Parameter] = field(default_factory=list)
    """Parameters that are handed on to it."""


def given(document: Document) -> Mapping[Parameter, Given]:
    """Where the values of all parameters come from."""
    found: dict[Parameter, Given] = {}
    for definition in document.definitions:
        locals_ = local_names(definition)
        for expr in expressions(definition):
            _calls(expr, definition, found, locals_=locals_)
    return {parameter: _resolved(parameter, found) for parameter in found}


def _calls(
    expr: Expr, definition: Definition, found: dict[Parameter, Given], *, locals_: frozenset[str]
) -> None:
    """Note the calls in *expr*, from the outside in, with the sets that names range over."""
    open_: list[tuple[Expr, Mapping[str, Expr]]] = [(expr, {})]
    while open_:
        here, ranges = open_.pop()
        if isinstance(here, tree.Call):
            for at, argument in enumerate(here.arguments):
                one = found.setdefault((here.name, at), Given())
                _note(argument, definition, one, ranges=ranges)
        inner = {**ranges, **_ranges(here, locals_)}
        open_ += [(each, inner) for each in children(here)]


def _note(
    argument: Expr, definition: Definition, one: Given, *, ranges: Mapping[str, Expr]
) -> None:
    match argument:
        case tree.Name(name=name) if name in ranges:
            one.sets.append(ranges[name])
        case tree.Name(name=name) if name in definition.parameters:
            one.others.append((definition.name, definition.parameters.index(name)))
        case tree.Number() | tree.AtomName() | tree.Text():
            one.values.append(argument)
        case _:
            pass


def _ranges(expr: Expr, locals_: frozenset[str]) -> dict[str, Expr]:
    """The names that *expr* binds to the members of a set that is the same everywhere."""
    pairs: list[tuple[str, Expr]] = []
    match expr:
        case tree.Quantified():
            pairs = [(name, expr.domain) for name in expr.names]
        case tree.Comprehension() | tree.Big():
            pairs = [
                (part.left.name, part.right)
                for part in operands(expr.condition, Sign.AND)
                if isinstance(part, tree.Binary)
                and part.sign is Sign.IN
                and isinstance(part.left, tree.Name)
            ]
        case _:
            pass
    return {name: domain for name, domain in pairs if _is_closed(domain, locals_)}


def _is_closed(expr: Expr, locals_: frozenset[str]) -> bool:
    return not any(isinstance(node, tree.Name) and node.name in locals_ for node in walk(expr))


def _resolved(parameter: Parameter, found: Mapping[Parameter, Given]) -> Given:
    """What *parameter* is given, through all that hand it on."""
    result = Given()
    seen = {parameter}
    open_ = [parameter]
    while open_:
        one = found.get(open_.pop())
        if one is None:
            continue
        result.sets += one.sets
        result.values += one.values
        new = [each for each in one.others if each not in seen]
        seen.update(new)
        open_ += new
    return result
