"""A system written out: its claims, what each input does to them, and what is judged by them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from zermelo.core.values import Value
from zermelo.languages.sections.symmetry.formulas import (
    FALSE,
    TRUE,
    Claimed,
    Conjunction,
    Disjunction,
    Formulas,
    Node,
)


@dataclass(frozen=True, slots=True)
class Bit:
    """What a claim says: *value* is in *variable*, or is its value."""

    variable: str
    value: Value
    is_member: bool


@dataclass(frozen=True, slots=True)
class Action:
    """What an input does, or the end."""

    updates: tuple[tuple[int, Node], ...]
    """The formula that each claim becomes, for those that may change."""
    amounts: tuple[tuple[int, Node], ...] = ()
    """The same for variables that are not taken apart."""
    faults: frozenset[Node] = frozenset()
    """Where one of these holds, a fault stops the turn."""
    ended: Action | None = None
    """What the end makes of it, where that cannot be told apart from the input."""

    @property
    def has_effect(self) -> bool:
        """Whether it changes anything in some state, or goes wrong."""
        return bool(self.updates or self.amounts or self.faults)


@dataclass(frozen=True, slots=True)
class Input:
    """A procedure with its arguments."""

    procedure: str
    arguments: tuple[Value, ...]
    action: Action


@dataclass(frozen=True, slots=True)
class Ground:
    """A system written out."""

    formulas: Formulas
    bits: tuple[Bit, ...]
    """What each claim says."""
    first: tuple[bool, ...]
    """Which claims hold in the first state."""
    live: tuple[int, ...]
    """The claims that may change."""
    amounts: tuple[str, ...]
    """The number variables that are not taken apart."""
    held: frozenset[int]
    """Claims that a symmetry must leave where they are."""
    outside: frozenset[int]
    """Claims of values outside the set of their variable: to write one is a fault."""
    inputs: tuple[Input, ...]
    """Those that may have an effect."""
    end: Action | None
    judged: tuple[Node, ...]
    """When play is over and who is in turn, in a fixed order."""
    invariants: frozenset[Node]


def without_fixed(system: Ground) -> Ground:
    """*system* with claims that never change replaced by what they always are."""
    actions = [each.action for each in system.inputs]
    actions += [] if system.end is None else [system.end]
    updates = [update for action in actions for update in _all_updates(action)]
    # What is held may change in other ways: passing changes the turn.
    live = {claim for claim, node in updates if not _keeps(system, claim, node)} | system.held
    fixed = [claim for claim in system.live if claim not in live]
    if not fixed:
        return system
    image = system.formulas.replaced({a: TRUE if system.first[a] else FALSE for a in fixed})
    return replace(
        system,
        live=tuple(sorted(live)),
        inputs=tuple(
            Input(each.procedure, each.arguments, simpler)
            for each in system.inputs
            if (simpler := _simplified(each.action, image, live)).has_effect
        ),
        end=None if system.end is None else _simplified(system.end, image, live),
        judged=tuple(map(image, system.judged)),
        invariants=frozenset(map(image, system.invariants)),
    )


def _simplified(action: Action, image: Callable[[Node], Node], live: Collection[int]) -> Action:
    updates = tuple((claim, image(node)) for claim, node in action.updates if claim in live)
    amounts = tuple((at, image(node)) for at, node in action.amounts)
    faults = frozenset(map(image, action.faults)) - {FALSE}
    ended = None if action.ended is None else _simplified(action.ended, image, live)
    return Action(updates, amounts, faults, ended)


def _keeps(system: Ground, claim: int, node: Node) -> bool:
    """Whether an update only says again what held in the first state.

    A claim that does not hold at first and is only ever taken away stays so.
    """
    formula = system.formulas[node]
    itself = system.formulas.made(Claimed(claim))
    if system.first[claim]:
        return node == TRUE or (isinstance(formula, Disjunction) and itself in formula.parts)
    return node == FALSE or (isinstance(formula, Conjunction) and itself in formula.parts)


def _all_updates(action: Action) -> tuple[tuple[int, Node], ...]:
    return action.updates + (() if action.ended is None else action.ended.updates)
