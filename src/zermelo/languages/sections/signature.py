"""What a system tells about itself: its signature, and a digest of what it means."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from zermelo.core.machine import Fault
from zermelo.core.signature import Claim, MoveKind, MoveParameter, Player, Signature
from zermelo.core.state import State
from zermelo.core.values import (
    FALSE,
    UNKNOWN,
    Atom,
    Type,
    Unknown,
    Value,
    atoms_in,
    in_order,
    type_of,
)
from zermelo.core.values import to_text as value_text
from zermelo.languages.sections.ir import (
    Binary,
    Expr,
    Literal,
    Op,
    Parameter,
    PowerSet,
    Procedure,
    Product,
    Ref,
    System,
)
from zermelo.languages.sections.printer import statement_to_text, to_text
from zermelo.languages.sections.walk import rules_of

Evaluate: TypeAlias = Callable[[Expr, State], Value | Fault]
"""The value of an expression in a state."""


def signature(system: System, initial: State, evaluate: Evaluate) -> Signature:
    return Signature(
        name=system.name,
        variables=tuple(variable.name for variable in system.stored),
        moves=tuple(
            MoveKind(
                move.name,
                tuple(
                    MoveParameter(each.name, _ParameterDomain(each, system, evaluate))
                    for each in move.parameters
                ),
            )
            for move in system.moves
        ),
        players_help=(
            "add a line such as `players: A when turn, B when ¬turn` to its Reading section"
            if system.players
            else ""
        ),
        players=tuple(Player(each.name, each.wins, each.loses) for each in system.players),
        draws=system.draws,
        result=system.result,
        results=_results(system, initial, evaluate),
        can_end=system.over is not None,
        stuck=system.stuck,
        readings=system.readings,
        rules=tuple((p.name, rule.label) for p in system.procedures for rule in rules_of(p.body)),
        claims=(
            *(Claim(each.text) for each in system.invariants),
            *(Claim(each.text, each.asked) for each in system.properties),
            *(Claim("", is_suspicion=True) for _ in system.suspicions),
        ),
        fingerprint=system.fingerprint,
        meaning=lambda: identity(system),
        prose=system.prose,
    )


def identity(system: System) -> str:
    """A digest of everything that decides what the states of *system* are worth."""
    parts: list[object] = [
        [(each.name, to_text(each.value)) for each in system.sets],
        [
            (v.name, v.role.value, [*map(_expr, (v.domain, v.initial, v.definition))])
            for v in system.variables
        ],
        [(f.name, [p.name for p in f.parameters], to_text(f.body)) for f in system.functions],
        [_procedure(each) for each in system.procedures],
        _expr(system.over),
        system.result,
        [value_text(each) for each in system.draws],
        [
            (p.name, to_text(p.turn), [*map(value_text, p.wins)], [*map(value_text, p.loses)])
            for p in system.players
        ],
        (system.no_effect.value, system.stuck.value),
    ]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _ParameterDomain:
    """The set that *parameter* ranges over."""

    parameter: Parameter
    system: System
    evaluate: Evaluate

    @property
    def text(self) -> str:
        return to_text(self.parameter.domain)

    def has(self, value: Value, state: State) -> bool:
        inside = Binary(Op.IN, Literal(value), self.parameter.domain)
        return self.evaluate(inside, state) is not FALSE

    def type(self, state: State) -> Type:
        if not isinstance(self.parameter.type, Unknown):
            return self.parameter.type
        domain = self.evaluate(self.parameter.domain, state)
        if isinstance(domain, frozenset) and domain:
            return type_of(in_order(domain)[0])
        return UNKNOWN

    def words(self, state: State) -> Iterator[Atom]:
        yield from self._words(self.parameter.domain, state)

    def _words(self, domain: Expr, state: State) -> Iterator[Atom]:
        if isinstance(domain, Ref):
            definition = next((s.value for s in self.system.sets if s.name == domain.name), None)
            domain = definition if isinstance(definition, PowerSet | Product) else domain
        match domain:
            case PowerSet(base):
                yield from self._words(base, state)
            case Product(factors):
                for factor in factors:
                    yield from self._words(factor, state)
            case _:
                members = self.evaluate(domain, state)
                if not isinstance(members, Fault):
                    yield from atoms_in(members)


def _results(system: System, initial: State, evaluate: Evaluate) -> tuple[Value, ...]:
    variable = system.variable(system.result) if system.result is not None else None
    if variable is None or variable.domain is None:
        return ()
    domain = variable.domain.base if isinstance(variable.domain, PowerSet) else variable.domain
    values = evaluate(domain, initial)
    return tuple(in_order(values)) if isinstance(values, frozenset) else ()


def _expr(expr: Expr | None) -> str | None:
    return None if expr is None else to_text(expr)


def _procedure(procedure: Procedure) -> object:
    parameters = [(each.name, to_text(each.domain)) for each in procedure.parameters]
    body = [statement_to_text(each) for each in procedure.body]
    how = (procedure.role.value, procedure.order.value, procedure.outside.value)
    return (procedure.name, how, parameters, body)
