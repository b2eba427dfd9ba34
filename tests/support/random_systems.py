"""Random systems and random documents over the whole core language.

A system is drawn with its types right nearly everywhere; values outside their
sets, divisions by 0, unset variables and conflicts come of themselves. What
nothing uses is left out, so that a counterexample is short. A document is the
text of such a system, read back as documents are.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from tests.support.random_expressions import Expressions
from tests.support.random_procedures import Procedures
from tests.support.random_worlds import RESULT, RESULTS, TRUTHS, World, Worlds
from tests.support.system_text import document_of
from zermelo.core.signature import Stuck
from zermelo.core.values import FALSE, TRUE, TRUTH, UNSET, WORD, Atom, SetType, truth
from zermelo.languages.sections.ir import (
    And,
    Apply,
    Assign,
    Binary,
    Expr,
    Invariant,
    Literal,
    Node,
    NoEffect,
    Not,
    Op,
    Or,
    PlayerRule,
    PowerSet,
    ProcedureRole,
    Ref,
    SetOf,
    System,
    Variable,
    VariableRole,
)
from zermelo.languages.sections.mean import players, readings
from zermelo.languages.sections.mean.document import elaborate
from zermelo.languages.sections.mean.items import items
from zermelo.languages.sections.read import document
from zermelo.languages.sections.walk import calls, parts
from zermelo.text.source import Source


def systems() -> st.SearchStrategy[System]:
    """Well-formed systems of every construct."""
    return st.randoms(use_true_random=False).map(system_by)


def probes() -> st.SearchStrategy[System]:
    """Systems whose rules do nothing but show which of some large formulas hold."""
    return st.randoms(use_true_random=False).map(probe_by)


def documents() -> st.SearchStrategy[str]:
    """The texts of such systems; now and then one that says less than it should."""
    return systems().map(document_of)


def read(text: str) -> System | None:
    """The system that a document describes, by the readings it gives: nothing is tried out."""
    source = Source("drawn.md", text)
    tree = document.parse(source).value
    system = None if tree is None else elaborate(tree, source, choices={}).value
    if tree is None or system is None:
        return None
    given = readings.from_settings(items(tree).readings).value or {}
    return players.with_players(system, (), given=given).value


def system_by(chance: Random) -> System:
    """The system that *chance* leads to."""
    make = Expressions(chance)
    world = Worlds(make).world()
    world, result = _with_result(make, world)
    procedures = Procedures(make, world).procedures()
    over = _over(make, world, result)
    invariants = (Invariant(make.truth(world.scope, 1), "drawn"),) if make.one_in(8) else ()
    drawn = System(
        "drawn",
        world.sets,
        world.variables,
        world.functions,
        procedures,
        invariants,
        over=over,
        result=result,
        draws=(Atom("nobody"),),
        players=_players(make, world),
        no_effect=make.pick(list(NoEffect)),
        stuck=make.pick(list(Stuck)),
    )
    return pruned(drawn)


def probe_by(chance: Random) -> System:
    """The probe that *chance* leads to: each rule turns a lamp of its own."""
    make = Expressions(chance)
    world = Worlds(make).world()
    lamps = tuple(
        Variable(name, VariableRole.STORED, TRUTHS, TRUTH, initial=Literal(truth(holds=False)))
        for name in ("a1", "a2", "a3")
    )
    world = replace(world, variables=(*world.variables, *lamps))
    move = Procedures(make, world).probe([lamp.name for lamp in lamps])
    return pruned(System("drawn", world.sets, world.variables, world.functions, (move,)))


def _with_result(make: Expressions, world: World) -> tuple[World, str | None]:
    way = make.pick(("none", "word", "set", "word", "set", "another"))
    if way == "none":
        return world, None
    if way == "another":
        return world, make.pick([v.name for v in world.variables])
    stored = VariableRole.STORED
    variable = Variable("result", stored, RESULT, WORD)
    if way == "set":
        variable = Variable("result", stored, PowerSet(RESULT), SetType(WORD), initial=SetOf(()))
    return replace(world, variables=(*world.variables, variable)), "result"


def _over(make: Expressions, world: World, result: str | None) -> Expr | None:
    formula = make.truth(world.scope, 2)
    if not make.one_in(4):
        formula = And((Binary(Op.EQ, make.number(world.scope, 1), Literal(2)), formula))
    if result is None:
        return make.pick((None, formula))
    is_set = any(v.name == result and isinstance(v.type, SetType) for v in world.variables)
    known = Binary(Op.NE, Ref(result), SetOf(()) if is_set else Literal(UNSET))
    return make.pick((None, known, formula, Or((known, formula))))


def _players(make: Expressions, world: World) -> tuple[PlayerRule, ...]:
    names = {v.name for v in world.variables}
    wins = tuple((Atom(word),) for word in RESULTS)
    count = make.pick((2, 0, 1, 3))
    if make.one_in(10):
        first, second = make.truth(world.scope, 1), make.truth(world.scope, 1)
        return (PlayerRule("one", first, (TRUE, 1), (FALSE,)), PlayerRule("two", second, wins[1]))
    if count == 1:
        return (PlayerRule("one", Literal(truth(holds=True)), wins[0], wins[1]),)
    if count == 2:
        turn = Ref("turn")
        return (PlayerRule("one", turn, wins[0]), PlayerRule("two", Not(turn), wins[1], wins[2]))
    if count == 3 and "seat" in names:
        seat = Ref("seat")
        return tuple(
            PlayerRule(name, Binary(Op.EQ, seat, Literal(at + 1)), wins[at])
            for at, name in enumerate(("one", "two", "three"))
        )
    return ()


# Leaving out what nothing uses


def pruned(system: System) -> System:
    """*system* without the sets, facts, functions, helpers and variables that nothing uses."""
    while True:
        smaller = _without_idle(system)
        if smaller == system:
            return system
        system = smaller


def _without_idle(system: System) -> System:
    called = {name for p in system.procedures for name in calls(p) if name != p.name}
    procedures = tuple(
        p for p in system.procedures if p.role is not ProcedureRole.HELPER or p.name in called
    )
    system = replace(system, procedures=procedures)
    used = _used(system)
    return replace(
        system,
        sets=tuple(each for each in system.sets if each.name in used),
        variables=tuple(each for each in system.variables if each.name in used),
        functions=tuple(each for each in system.functions if each.name in used),
    )


def _used(system: System) -> set[str]:
    """The names that something else speaks of."""
    found: set[str] = set() if system.result is None else {system.result}
    roots: list[Node] = [*system.procedures, *system.invariants]
    roots += [p.domain for each in system.procedures for p in each.parameters]
    roots += [p.domain for each in system.functions for p in each.parameters]
    roots += [player.turn for player in system.players]
    roots += [] if system.over is None else [system.over]
    for each in roots:
        found |= _named(each)
    for definition in system.sets:
        found |= _named(definition)
    for variable in system.variables:
        found |= _named(variable)
    for function in system.functions:
        found |= _named(function) - {function.name}
    return found


def _named(node: Node) -> set[str]:
    found: set[str] = set()
    for part in parts(node):
        match part:
            case Ref(name) | Apply(name) | Assign(name):
                found.add(name)
            case _:
                continue
    return found
