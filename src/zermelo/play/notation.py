"""Moves as people type them, and as they are shown.

Comes in: a line such as ``3 4``, ``(7,1)->(6,2)`` or ``Place 5 (2,3)``. Goes out: a
``Move``. What is looked for is decided by the types of the parameters; brackets,
commas and arrows between the parts may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import assert_never

from zermelo.core.machine import NO_EFFECT_MOVE, PASS_MOVE, Fault, Machine, Move, State
from zermelo.core.types import (
    NUMBER,
    TRUTH,
    UNKNOWN,
    WORD,
    SetType,
    TupleType,
    Type,
    Unknown,
)
from zermelo.core.values import Atom, Other, Unset, Value, in_order
from zermelo.core.values import to_text as value_text
from zermelo.languages.nets import firings
from zermelo.languages.nets.run.machine import TokenGame
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
from zermelo.languages.sections.printer import to_text as expr_text
from zermelo.play.reader import Reader, Token, digits, spelling, tokens
from zermelo.text.errors import MoveNotUnderstood
from zermelo.text.prose import listing
from zermelo.text.suggest import distance

MOST_OFFERED = 3
LONGEST = 1000
"""Characters of a move that are read."""
LONGEST_COMPARED = 40
MOST_COMPARED = 1000
"""Characters and moves that are compared in looking for the nearest ones."""


def from_text(text: str, machine: Machine, state: State) -> Move:
    """The move that *text* means in *state*.

    A text that fits several moves means the only legal one among them; if that
    does not decide it, or if it fits none, ``MoveNotUnderstood`` says what can be typed.
    """
    if isinstance(machine, TokenGame):
        return firings.find(text, machine, state)
    legal = machine.legal(state)
    spelled = _spelled(text, legal, machine.system)
    candidates = [spelled] if spelled else _candidates(text, machine, state)
    if not candidates:
        raise MoveNotUnderstood(_not_understood(text, machine.system, legal))
    if len(candidates) == 1:
        return candidates[0]
    possible = [move for move in candidates if move in legal]
    if len(possible) == 1:
        return possible[0]
    shown = listing([f"`{move}`" for move in possible or candidates], last="or")
    raise MoveNotUnderstood(f"`{text.strip()}` could mean {shown}; type it with its name")


def to_text(move: Move, system: System) -> str:
    """*move* as it is shown and can be typed: its name only where it is needed.

    >>> to_text(Move("Step", ((7, 1), (6, 2))), System("steps", (), (), (), ()))
    '(7, 1) → (6, 2)'
    """
    if len(system.moves) > 1 or not move.arguments:
        return str(move) if move.arguments else move.name
    is_step = len(move.arguments) == 2 and all(isinstance(a, tuple) for a in move.arguments)
    return (" → " if is_step else " ").join(map(value_text, move.arguments))


def nearest(text: str, moves: Sequence[Move], system: System) -> tuple[Move, ...]:
    """The *moves* whose text is closest to *text*, three at the most."""
    wanted = _squeezed(text)[:LONGEST_COMPARED]
    scored = sorted(
        (distance(wanted, _squeezed(to_text(move, system))), index)
        for index, move in enumerate(moves[:MOST_COMPARED])
    )
    return tuple(moves[index] for _, index in scored[:MOST_OFFERED])


def forms(system: System) -> tuple[str, ...]:
    """How each kind of move is typed: its parameters, after its name where there are several."""
    is_named = len(system.moves) > 1
    return tuple(
        " ".join(
            ([move.name] if is_named or not move.parameters else [])
            + [parameter.name for parameter in move.parameters]
        )
        for move in system.moves
    )


def _squeezed(text: str) -> str:
    return re.sub(r"[^\w]+", " ", text).strip().lower()


def _not_understood(text: str, system: System, legal: Sequence[Move]) -> str:
    said = text.strip()
    message = f"`{said}` is no move here" if said else "a move is missing"
    how = listing([f"`{form}`" for form in forms(system)], last="or")
    if how:
        message += f"; a move is typed as {how}"
    offered = nearest(said, legal, system)
    if offered:
        shown = listing([f"`{to_text(move, system)}`" for move in offered], last="or")
        message += f", for example {shown}"
    return message


def _candidates(text: str, machine: Machine, state: State) -> list[Move]:
    """The moves that *text* fits; if none has its arguments in their sets, the first of them."""
    pseudo = _pseudo_move(text, machine, state)
    if pseudo is not None:
        return [pseudo]
    typed = list(tokens(text[:LONGEST]))
    if not typed:
        return []
    found = list(_fitting(typed, machine, state))
    if not found:
        # `34` for `3 4`: only where nothing else fits.
        found = list(_fitting(list(digits(typed)), machine, state))
    inside = [move for move in found if are_in_domain(move, machine, state)]
    return list(dict.fromkeys(inside)) or found[:1]


def are_in_domain(move: Move, machine: Machine, state: State) -> bool:
    """Whether each argument of *move* is in the set that its parameter ranges over."""
    return outside_domain(move, machine, state) is None


def outside_domain(move: Move, machine: Machine, state: State) -> tuple[Parameter, Value] | None:
    """The first parameter of *move* whose argument is not in its set, with that argument."""
    procedure = machine.system.procedure(move.name)
    if procedure is None:
        return None
    for parameter, value in zip(procedure.parameters, move.arguments, strict=True):
        inside = Binary(Op.IN, Literal(value), parameter.domain)
        if machine.evaluate(inside, state, {}) is False:
            return parameter, value
    return None


def misfit(parameter: Parameter, value: Value) -> str:
    """That *value* is not in the set of *parameter*, as a clause."""
    return f"{parameter.name} = {value_text(value)} is not in {expr_text(parameter.domain)}"


def _spelled(text: str, legal: Sequence[Move], system: System) -> Move | None:
    """The legal move with a value of a dialect's own, as a string, that is shown as *text*."""
    said = _squeezed(text)
    for move in legal:
        if any(isinstance(value, Other) for value in move.arguments):
            named = f"{move.name} {' '.join(map(value_text, move.arguments))}"
            if said in (_squeezed(to_text(move, system)), _squeezed(named)):
                return move
    return None


def _pseudo_move(text: str, machine: Machine, state: State) -> Move | None:
    said = _squeezed(text)
    return next(
        (
            move
            for move in machine.legal(state)
            if move.name in {PASS_MOVE, NO_EFFECT_MOVE} and move.name == said
        ),
        None,
    )


def _fitting(typed: Sequence[Token], machine: Machine, state: State) -> Iterator[Move]:
    for procedure in machine.system.moves:
        for rest in _without_name(typed, procedure, machine.system):
            yield from _calls(rest, procedure, machine, state)


def _without_name(
    typed: Sequence[Token], procedure: Procedure, system: System
) -> Iterator[Sequence[Token]]:
    """What is left for the arguments: all of it, or what follows the procedure's name."""
    if procedure.parameters:
        yield typed
    first = typed[0].text.lower()
    name = procedure.name.lower()
    if typed[0].kind != "word":
        return
    others = [move.name.lower() for move in system.moves if move is not procedure]
    is_short = name.startswith(first) and not any(other.startswith(first) for other in others)
    if first == name or is_short:
        yield typed[1:]


def _calls(
    typed: Sequence[Token], procedure: Procedure, machine: Machine, state: State
) -> Iterator[Move]:
    kinds: list[Type] = []
    words: dict[str, Atom] = {}
    for parameter in procedure.parameters:
        kinds.append(_type_of_parameter(parameter, machine, state))
        words.update(_words(parameter.domain, machine, state))
    for arguments in Reader(typed, words).read(tuple(kinds)):
        yield Move(procedure.name, arguments)


def _type_of_parameter(parameter: Parameter, machine: Machine, state: State) -> Type:
    if not isinstance(parameter.type, Unknown):
        return parameter.type
    domain = machine.evaluate(parameter.domain, state, {})
    if isinstance(domain, frozenset) and domain:
        return type_of(in_order(domain)[0])
    return UNKNOWN


def type_of(value: Value) -> Type:
    """The type of *value*; of an empty set, a set of something unknown.

    >>> type_of((1, True))
    TupleType(items=(NumberType(), TruthType()))
    """
    match value:
        case bool():
            return TRUTH
        case int() | Fraction():
            return NUMBER
        case Atom():
            return WORD
        case tuple():
            return TupleType(tuple(map(type_of, value)))
        case frozenset():
            return SetType(type_of(in_order(value)[0]) if value else UNKNOWN)
        case Unset() | Other():
            return UNKNOWN


def _words(domain: Expr, machine: Machine, state: State) -> Mapping[str, Atom]:
    """The words among the members of *domain*, by their spelling without capitals and blanks."""
    match domain:
        case PowerSet(base):
            return _words(base, machine, state)
        case Product(factors):
            return {
                spelling: word
                for factor in factors
                for spelling, word in _words(factor, machine, state).items()
            }
        case Ref(name):
            definition = next((s.value for s in machine.system.sets if s.name == name), None)
            if isinstance(definition, PowerSet | Product):
                return _words(definition, machine, state)
        case _:
            pass
    members = machine.evaluate(domain, state, {})
    if isinstance(members, Fault):
        return {}
    return {spelling(word.name): word for word in _atoms(members)}


def _atoms(value: Value) -> Iterator[Atom]:
    match value:
        case Atom():
            yield value
        case tuple():
            for item in value:
                yield from _atoms(item)
        case frozenset():
            for item in in_order(value):
                yield from _atoms(item)
        case bool() | int() | Fraction() | Unset() | Other():
            return
        case _:
            assert_never(value)
