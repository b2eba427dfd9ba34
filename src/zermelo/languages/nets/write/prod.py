"""A net in PROD's language: reading it again gives the same graph.

Of a net that was written in PROD's language it gives the same net. Names that C does
not have get others; a variable of a finite sort that no input binds gets a ``let``; a
sum in which tokens are subtracted is written token by token, with computed numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod
from typing import Final

from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import BinaryOp, Const, Expr, Interval, Net
from zermelo.languages.nets.printer import SUM
from zermelo.languages.nets.run.bags import Token
from zermelo.languages.nets.write.c import (
    CNames,
    CNaming,
    declaration,
    expression,
    function,
    simplified,
)
from zermelo.text.errors import UsageError

MOST_LISTED: Final = 10_000
"""So many tokens may be written one by one where a sum subtracts."""


def lines(net: Net) -> Iterator[str]:
    """The lines of a file in PROD's language that holds *net*; ``UsageError`` if there is none."""
    writer = _ProdWriter(net)
    harmless = re.sub(r"[^\w .,-]", "_", net.name)
    yield f"/* {harmless} */"
    for table in net.tables:
        yield declaration(table, writer.names)
    for each in net.functions:
        yield from function(each, writer.names)
    yield ""
    for place in net.places:
        yield writer.place(place)
    for transition in net.transitions:
        yield ""
        yield from writer.transition(transition)


class _ProdWriter:
    def __init__(self, net: Net) -> None:
        self.names = CNames()
        for table in net.tables:
            self.names.of(table.name)
        for called in net.functions:
            self.names.of(called.name)
        self._by_name = {each.name: each for each in net.places}
        self._places, self._transitions = CNames(), CNames()

    def place(self, place: ir.Place) -> str:
        words = [f"#place {self._places.of(place.name)}"]
        if place.arity:
            words += [
                f"{word}(<.{','.join(map(str, bound))}.>)"
                for word, bound in (("lo", place.low), ("hi", place.high))
                if bound is not None
            ]
        if place.initial.counts:
            words.append(f"mk({place.initial})")
        return " ".join(words)

    def transition(self, transition: ir.Transition) -> Iterator[str]:
        own = CNames(avoid=self.names.known.values())
        scope = CNaming(own, self.names)
        is_never = False
        yield f"#trans {self._transitions.of(transition.name)}"
        for clause, arcs in (("in", transition.inputs), ("out", transition.outputs)):
            written = []
            for arc in arcs:
                terms = self._one_by_one(arc, transition) if _subtracts(arc) else arc.terms
                kept = [term for term in terms if _number_known(term) >= 0]
                is_never |= len(kept) < len(terms)
                if kept:
                    written.append(f"{self._places.of(arc.place)}: {_sum(kept, scope)};")
            if written:
                yield f"{clause} {{ {' '.join(written)} }}"
        for let in transition.lets:
            bound = ", ".join(own.of(name) for name in let.names)
            yield f"let <.{bound}.> <= {_sum(let.terms, scope)};"
        matched = set(_matched(transition, self._by_name))
        for each in transition.variables:
            if each.low is not None and each.high is not None and each.name not in matched:
                yield f"let <.{own.of(each.name)}.> <= <.{each.low}..{each.high}.>;"
        for gate in transition.gates:
            yield f"gate {expression(gate, scope)};"
        if is_never:
            # Less than none of a token, whatever the variables are.
            yield "gate 0;"
        yield "#endtr"

    def _one_by_one(self, arc: ir.Arc, transition: ir.Transition) -> tuple[ir.Term, ...]:
        place = self._by_name[arc.place]
        where = f"an arc of `{transition.name}` subtracts tokens"
        if place.arity and (place.low is None or place.high is None):
            raise UsageError(f"{where}, and `{arc.place}` has no bounds, which PROD cannot write")
        ranges = [range(a, b + 1) for a, b in zip(place.low or (), place.high or (), strict=True)]
        size = prod(map(len, ranges))
        if size > MOST_LISTED:
            raise UsageError(f"{where}, and there are {size:,}, too many to be written one by one")
        numbers = ((token, simplified(_number(arc.terms, token))) for token in product(*ranges))
        return tuple(
            ir.Term(number, tuple(map(Const, token)))
            for token, number in numbers
            if number != Const(0)
        )


def _subtracts(arc: ir.Arc) -> bool:
    return any(_number_known(term) < 0 for term in arc.terms)


def _number_known(term: ir.Term) -> int:
    """The number of a term, if it is known without its variables; else 0."""
    return term.multiplicity.value if isinstance(term.multiplicity, Const) else 0


def _number(terms: Iterable[ir.Term], token: Token) -> Expr:
    total: Expr = Const(0)
    for term in terms:
        is_here: Expr = Const(1)
        for component, number in zip(term.components, token, strict=True):
            is_here = ir.Binary(BinaryOp.AND, is_here, _is(component, number))
        count = ir.Binary(BinaryOp.TIMES, term.multiplicity, is_here)
        total = ir.Binary(BinaryOp.PLUS, total, count)
    return total


def _is(component: ir.Component, number: int) -> Expr:
    if not isinstance(component, Interval):
        return ir.Binary(BinaryOp.EQ, component, Const(number))
    return ir.Binary(
        BinaryOp.AND,
        ir.Binary(BinaryOp.LE, component.low, Const(number)),
        ir.Binary(BinaryOp.LE, Const(number), component.high),
    )


def _matched(transition: ir.Transition, places: Mapping[str, ir.Place]) -> Iterator[str]:
    """The variables that inputs bind, and to nothing outside their sorts."""
    sorts = {each.name: each for each in transition.variables}
    for arc in transition.inputs:
        place = places[arc.place]
        for term in () if _subtracts(arc) else arc.terms:
            if not isinstance(term.multiplicity, Const) or not term.multiplicity.value:
                continue
            if any(isinstance(each, Interval) for each in term.components):
                continue
            for at, component in enumerate(term.components):
                if isinstance(component, ir.Var) and _fits(sorts[component.name], place, at):
                    yield component.name


def _fits(variable: ir.Variable, place: ir.Place, at: int) -> bool:
    """Whether all that can stand in a component of *place* is in the sort of *variable*."""
    if variable.low is None or variable.high is None:
        return True
    if place.low is None or place.high is None:
        return False
    return variable.low <= place.low[at] and place.high[at] <= variable.high


def _sum(terms: Iterable[ir.Term], scope: CNaming) -> str:
    return " + ".join(_term(each, scope) for each in terms)


def _term(term: ir.Term, scope: CNaming) -> str:
    match term.multiplicity:
        case Const(1):
            times = ""
        case Const(number):
            times = str(number)
        case other:
            times = f"({expression(other, scope)})"
    inner = ", ".join(_component(each, scope) for each in term.components)
    return f"{times}<.{inner}.>"


def _component(component: ir.Component, scope: CNaming) -> str:
    if isinstance(component, Interval):
        ends = expression(component.low, scope, SUM), expression(component.high, scope, SUM)
        return f"{ends[0]}..{ends[1]}"
    # Where a comparison has brackets nobody takes its sign for the end of the tuple.
    return expression(component, scope, SUM)
