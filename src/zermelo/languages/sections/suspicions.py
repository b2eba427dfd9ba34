"""Formulas that are probably not meant as they are written, if a reachable state shows it.

Each suspicion is a formula that holds in every state of a document without that fault. All states
are looked at, in compiled code where they are many, so that a suspicion is proved to be unfounded,
or shown by a play.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Final

from zermelo.core.observation import BrokenInvariant, Checkup, evidence, moves_of
from zermelo.core.state import number_of, play_to_text
from zermelo.core.values import TRUE, SetType, Value
from zermelo.languages.sections.ir import (
    And,
    Apply,
    Assign,
    Binary,
    Binder,
    Expr,
    Let,
    Literal,
    Local,
    Not,
    Op,
    Or,
    PowerSet,
    Quantified,
    QuantifierKind,
    Ref,
    SetOf,
    Suspicion,
    SuspicionKind,
    System,
)
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import (
    Effect,
    conjuncts,
    effects,
    free_locals,
    parts,
    rebuilt,
    substituted,
)
from zermelo.text import budget, codes
from zermelo.text.budget import LimitReached
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.prose import count
from zermelo.text.source import NOWHERE, Span

_MOST: Final = 12
"""So many suspicions of one kind are looked at."""
_STEPS: Final = 400_000
"""What may be spent on finding what to look for."""
_STEPS_OF_A_PART: Final = 4
_LOOKING: Final = "looking for what may be wrong"
_CONTAINED: Final = "contained"
"""A bound variable that no document has: its names begin otherwise or are longer."""
_DEEPEST: Final = 4
"""So deep the calls of value functions are looked into."""
_LESS: Final = frozenset({Op.LT, Op.LE, Op.GT, Op.GE})


def suspicions(system: System) -> tuple[Suspicion, ...]:
    """What to look for in the states of *system*; nothing where it takes too long to tell."""
    try:
        with budget.budget(steps=_STEPS):
            return tuple(_suspicions(system))
    except LimitReached:
        return ()


def _suspicions(system: System) -> Iterator[Suspicion]:
    for found in (_too_exact(system), _two_results(system), _late(system), _groupings(system)):
        yield from (each for each, _ in zip(found, range(_MOST), strict=False))


def of_checkup(machine: Interpreter, checkup: Checkup) -> Iterator[Diagnostic]:
    """What is shown to be wrong."""
    system = machine.system
    first = len(system.invariants) + len(system.properties)
    shown = [
        (system.suspicions[each.invariant - first], each)
        for each in checkup.broken
        # Nobody looks at the end before the first move.
        if each.invariant >= first and each.play and each.fault is None
    ]
    yield from _folded(_shown(system, suspicion, each) for suspicion, each in shown)
    yield from _jumped_over(machine, checkup)
    yield from _limits_outside(machine)


def _folded(shown: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """*shown*, those of results that replace one draw together: the first of them has a play."""
    draws: dict[Span, Diagnostic] = {}
    for each in shown:
        is_note = each.code is codes.TWO_RESULTS and each.severity is Severity.NOTE
        if not is_note or each.primary is None or not each.secondary:
            yield each
            continue
        default = each.secondary[0].span
        known = draws.get(default)
        if known is None:
            draws[default] = each
        else:
            likewise = Label(each.primary.span, "decides, too")
            draws[default] = replace(known, secondary=(*known.secondary, likewise))
    yield from draws.values()


def still_said(
    system: System, said: Iterable[Diagnostic], checkup: Checkup
) -> tuple[Diagnostic, ...]:
    """*said* without that two results may be set, where it was decided whether they are."""
    first = len(system.invariants) + len(system.properties)
    numbers = [
        first + at
        for at, each in enumerate(system.suspicions)
        if each.kind is SuspicionKind.TWO_RESULTS
    ]
    if not numbers or len(numbers) == _MOST:
        return tuple(said)
    broken = {each.invariant for each in checkup.broken}
    is_decided = checkup.has_seen_all_claims or not broken.isdisjoint(numbers)
    if not is_decided:
        return tuple(said)
    return tuple(each for each in said if each.code is not codes.RESULT_SET_TWICE)


def _shown(system: System, each: Suspicion, found: BrokenInvariant) -> Diagnostic:
    after = number_of(found.play)
    often = () if not found.count else (f"so it is in {count(found.count, 'state')}",)
    notes = (*evidence(found.play, found.state, state_words="then"), *often)
    place = None if each.span == NOWHERE else each.span
    match each.kind:
        case SuspicionKind.TOO_EXACT:
            return Diagnostic(
                codes.TOO_EXACT,
                f"`{each.subject}` does not hold after {after}, though `{each.other}` does, "
                "and the play goes on",
                primary=None if place is None else Label(place, "one more member makes it fail"),
                notes=notes,
                help=f"write `{each.other}` if it is enough that one is contained",
                play=moves_of(found.play),
            )
        case SuspicionKind.TWO_RESULTS:
            return Diagnostic(
                codes.TWO_RESULTS,
                f"after {after} two rules set `{system.result}`, to {each.subject} and to "
                f"{each.other}",
                primary=None if place is None else Label(place, "the last one decides"),
                secondary=() if each.beside == NOWHERE else (Label(each.beside, "applies, too"),),
                notes=notes,
                help="make the guards exclude each other if the order should not matter",
                severity=Severity.NOTE if _is_mere_draw(system, each) else None,
                play=moves_of(found.play),
            )
        case SuspicionKind.LATE:
            return Diagnostic(
                codes.LATE,
                f"`{each.subject}` holds after {after}, and it is noticed only when it is the turn "
                f"of {each.other} again",
                primary=None if place is None else Label(place, "too late"),
                notes=notes,
                help="the turn has passed on when the end is looked at; leave it out of the guard, "
                "or ask for the other player",
                play=moves_of(found.play),
            )
        case SuspicionKind.GROUPING:
            return Diagnostic(
                codes.GROUPING,
                "∧ binds stronger than ∨ here, and other brackets would make a difference",
                primary=None if place is None else Label(place, "no brackets"),
                notes=(f"read as {each.subject}; {each.other} differs", *notes),
                help=f"write `{each.subject}` if that is meant",
                play=moves_of(found.play),
            )


def _is_mere_draw(system: System, each: Suspicion) -> bool:
    """Whether one of two results is a draw, which often is what is left."""
    draws = {to_text(Literal(value)) for value in system.draws}
    return not draws.isdisjoint({each.subject, each.other})


# What the end looks at


def _settings(system: System) -> Iterator[Effect]:
    """What sets the result in the end, with guards that any state can be asked for.

    The guards have to mean the same in the state after the end: it changes nothing that they read.
    """
    end = system.end
    if end is None or system.result is None:
        return
    told = {
        each.names[0]: each.value
        for each in end.body
        if isinstance(each, Let) and not each.is_tuple
    }
    found = list(effects(system, end))
    changed = {each.assign.variable for each in found}
    for each in found:
        guards = tuple(substituted(guard, told, {}) or guard for guard in each.guards)
        read = {name for guard in guards for name in _read(system, guard)}
        if each.assign.variable != system.result or any(map(free_locals, guards)):
            continue
        if guards and not read & changed:
            yield replace(each, guards=guards)


def _read(system: System, formula: Expr) -> set[str]:
    """The variables that *formula* reads, through facts too."""
    found: set[str] = set()
    waiting: list[Expr] = [formula]
    while waiting:
        for part in parts(waiting.pop()):
            budget.spend(_STEPS_OF_A_PART, _LOOKING)
            if isinstance(part, Ref) and part.name not in found:
                found.add(part.name)
                variable = system.variable(part.name)
                if variable is not None and variable.definition is not None:
                    waiting.append(variable.definition)
    return found


def _ends(system: System) -> Iterator[Expr]:
    """What decides that play is over: guards of results, and what defines the end itself."""
    for each in _settings(system):
        whole = each.guards[0] if len(each.guards) == 1 else And(each.guards)
        yield _inlined(system, whole)
    over = system.over
    while isinstance(over, Ref):
        variable = system.variable(over.name)
        over = None if variable is None else variable.definition
    if over is not None:
        yield _inlined(system, over)


def _inlined(system: System, formula: Expr, depth: int = 0) -> Expr:
    """*formula* with the bodies of value functions in the place of their calls."""
    called = None
    if isinstance(formula, Apply) and depth < _DEEPEST:
        named = (each for each in system.functions if each.name == formula.function)
        called = next(named, None)
    if called is not None and isinstance(formula, Apply):
        names = [each.name for each in called.parameters]
        images = dict(zip(names, formula.arguments, strict=True))
        body = substituted(called.body, images, {})
        if body is not None:
            return _inlined(system, body, depth + 1)
    return rebuilt(formula, lambda part: _inlined(system, part, depth))


# A set that is compared with one that it only contains


def _too_exact(system: System) -> Iterator[Suspicion]:
    grown = _growing(system)
    over = system.over or Literal(TRUE)
    seen: set[Expr] = set()
    for formula in _ends(system):
        for part in parts(formula):
            budget.spend(_STEPS_OF_A_PART, _LOOKING)
            if not isinstance(part, Binary | Quantified) or part in seen or free_locals(formula):
                continue
            wider = _wider(system, part, grown)
            if wider is None:
                continue
            seen.add(part)
            written = _replaced(formula, part, wider)
            claim = Or((Not(written), formula, over))
            yield Suspicion(
                SuspicionKind.TOO_EXACT, claim, to_text(part), _in_words(part), span=part.span
            )


def _growing(system: System) -> set[str]:
    """The variables that rules change, and only by adding to a set."""
    changed: set[str] = set()
    others: set[str] = set()
    for part in (part for procedure in system.procedures for part in parts(procedure)):
        budget.spend(_STEPS_OF_A_PART, _LOOKING)
        if isinstance(part, Assign):
            changed.add(part.variable)
            if not _adds(part.value, part.variable):
                others.add(part.variable)
    return changed - others


def _adds(value: Expr, name: str) -> bool:
    match value:
        case Binary(Op.UNION, left, right):
            return Ref(name) in (left, right) or _adds(left, name)
        case _:
            return False


def _wider(system: System, test: Expr, grown: set[str]) -> Expr | None:
    """`∃w ∈ W: w ⊆ v` for `v ∈ W`, and for `∃w ∈ W: v = w`, where the set v only grows."""
    match test:
        case Binary(Op.IN, Ref(name), family) if name in grown:
            pass
        case Quantified(
            QuantifierKind.SOME,
            Binder((bound,), False, family),
            Binary(Op.EQ, left, right),
        ) if {left, right} == {Local(bound), *_grown_in((left, right), grown)}:
            (name,) = (each.name for each in _grown_in((left, right), grown))
        case _:
            return None
    variable = system.variable(name)
    is_set = variable is not None and isinstance(variable.type, SetType)
    if not is_set or isinstance(family, PowerSet) or _read(system, family) & _stored(system):
        return None
    inside = Local(_CONTAINED)
    body = And(
        (
            Binary(Op.NE, inside, SetOf(())),
            Binary(Op.SUBSET, inside, Ref(name)),
        )
    )
    return Quantified(
        QuantifierKind.SOME, Binder((_CONTAINED,), is_tuple=False, domain=family), body
    )


def _grown_in(sides: tuple[Expr, Expr], grown: set[str]) -> list[Ref]:
    return [each for each in sides if isinstance(each, Ref) and each.name in grown]


def _stored(system: System) -> set[str]:
    return {each.name for each in system.variables}


def _in_words(test: Expr) -> str:
    match test:
        case Binary(Op.IN, Ref(name), family):
            return f"∃w ∈ {to_text(family)}: w ⊆ {name}"
        case Quantified(binder=Binder((bound,), _, family), body=Binary(Op.EQ, left, right)):
            whole = left if right == Local(bound) else right
            return f"∃{bound} ∈ {to_text(family)}: {bound} ⊆ {to_text(whole)}"
        case _:
            return to_text(test)


def _replaced(formula: Expr, old: Expr, new: Expr) -> Expr:
    return new if formula is old else rebuilt(formula, lambda part: _replaced(part, old, new))


# Two results


def _clashing(system: System) -> Iterator[tuple[Effect, Effect]]:
    # Meaning needs what interpreters do not, and is loaded in any case.
    from zermelo.languages.sections.mean.lints import exclude  # noqa: PLC0415

    for first, second in combinations(_settings(system), 2):
        if first.assign.value != second.assign.value and not exclude(first.guards, second.guards):
            yield first, second


def _two_results(system: System) -> Iterator[Suspicion]:
    for first, second in _clashing(system):
        both = (*first.guards, *second.guards)
        yield Suspicion(
            SuspicionKind.TWO_RESULTS,
            Not(And(both)),
            to_text(first.assign.value),
            to_text(second.assign.value),
            beside=first.span,
            span=second.span,
        )


# A win that is noticed late


def _late(system: System) -> Iterator[Suspicion]:
    """`turn of A ∧ φ → result = A wins`, where φ came true in the turn of A and stays true."""
    grown = _growing(system)
    for each in _settings(system):
        value = each.assign.value
        winner = next(
            (
                player
                for player in system.players
                if isinstance(value, Literal) and value.value in player.wins
            ),
            None,
        )
        tests = [test for guard in each.guards for test in conjuncts(guard)]
        if winner is None or winner.turn not in tests or len(system.players) < 2:
            continue
        others = tuple(test for test in tests if test != winner.turn)
        read = {name for test in others for name in _read(system, test)}
        stored = [variable.name for variable in system.stored if variable.name in read]
        # What can be lost again may have to be held until the next turn.
        if not others or not stored or not grown.issuperset(stored):
            continue
        holds = others[0] if len(others) == 1 else And(others)
        claim = Or((Not(holds), winner.turn, system.over or Literal(TRUE)))
        place = each.span
        yield Suspicion(SuspicionKind.LATE, claim, to_text(holds), winner.name, span=place)


# Brackets


def _groupings(system: System) -> Iterator[Suspicion]:
    facts = [each.definition for each in system.variables if each.definition is not None]
    facts += [each.formula for each in system.invariants]
    guards = [guard for each in _settings(system) for guard in each.guards]
    seen: set[Expr] = set()
    for formula in (*facts, *guards):
        for part in parts(formula):
            if not isinstance(part, Or) or part in seen or free_locals(part):
                continue
            seen.add(part)
            other = _regrouped(part)
            if other is not None:
                claim = Binary(Op.IFF, part, other)
                yield Suspicion(
                    SuspicionKind.GROUPING,
                    claim,
                    _with_brackets(part),
                    f"`{to_text(other)}`",
                    span=part.span,
                )


def _regrouped(expr: Or) -> Expr | None:
    """`a ∧ (b ∨ c)` for `a ∧ b ∨ c`, and `(a ∨ b) ∧ c` for `a ∨ b ∧ c`, without brackets there."""
    if expr.span == NOWHERE or len(expr.operands) < 2:
        return None
    first, last = expr.operands[0], expr.operands[-1]
    # What stands in brackets begins and ends within them.
    if isinstance(first, And) and first.span.start == expr.span.start:
        kept, moved = first.operands[:-1], first.operands[-1]
        return And((*kept, Or((moved, *expr.operands[1:]))))
    if isinstance(last, And) and last.span.end == expr.span.end:
        moved, kept = last.operands[0], last.operands[1:]
        return And((Or((*expr.operands[:-1], moved)), *kept))
    return None


def _with_brackets(expr: Or) -> str:
    shown = (
        f"({to_text(each)})" if isinstance(each, And) else to_text(each) for each in expr.operands
    )
    return " ∨ ".join(shown)


# A number that is jumped over


def _jumped_over(machine: Interpreter, checkup: Checkup) -> Iterator[Diagnostic]:
    system = machine.system
    for test in dict.fromkeys(_equalities(system)):
        match test:
            case Binary(Op.EQ, Ref(name), Literal(int() as limit)):
                yield from _jump(machine, checkup, test, name, limit)
            case _:
                pass


def _equalities(system: System) -> Iterator[Expr]:
    """The tests of the end that a number is just so large, where nothing asks for more or less."""
    ends = list(_ends(system))
    everything = [*ends, *(each.definition for each in system.variables if each.definition)]
    others = [part for each in everything for part in parts(each) if isinstance(part, Binary)]
    compared = {side for each in others if each.op in _LESS for side in (each.left, each.right)}
    for part in (part for end in ends for part in parts(end)):
        match part:
            case Binary(Op.EQ, Ref(name), Literal(int())) if Ref(name) not in compared:
                if name in {each.name for each in system.stored}:
                    yield part
            case _:
                pass


def _jump(
    machine: Interpreter, checkup: Checkup, test: Expr, name: str, limit: int
) -> Iterator[Diagnostic]:
    space = checkup.space
    ways: set[bool] = set()
    found = None
    for (state, move), after in zip(space.turns, space.after, strict=True):
        old, new = state[name], after[name]
        if not isinstance(old, int) or not isinstance(new, int):
            return
        if old != new:
            ways.add(old < new)
        if (
            (old < limit < new or new < limit < old)
            and found is None
            and not machine.is_over(after)
        ):
            found = state, move, after
    # What goes up and down may come to it another time.
    if found is None or len(ways) != 1:
        return
    state, move, after = found
    play = (*space.walk.play(state), move)
    sign = "≥" if ways == {True} else "≤"
    yield Diagnostic(
        codes.JUMPED_OVER,
        f"`{name}` goes from {state[name]} to {after[name]} in one move, "
        f"and `{to_text(test)}` is passed over",
        primary=None if test.span == NOWHERE else Label(test.span, "not noticed"),
        notes=(f"play: {play_to_text(play)}", f"then: {after}"),
        help=f"write `{name} {sign} {limit}` if more is enough",
        play=moves_of(play),
    )


# A limit that a number never comes to


def _limits_outside(machine: Interpreter) -> Iterator[Diagnostic]:
    """Comparisons that hold for no number of the set that a variable is declared to be in."""
    system = machine.system
    nodes = [*system.procedures, *(each.definition for each in system.variables if each.definition)]
    budget.spend(_STEPS_OF_A_PART * sum(1 for node in nodes for _ in parts(node)), _LOOKING)
    found = (part for node in nodes for part in parts(node) if isinstance(part, Binary))
    members: dict[str, frozenset[Value]] = {}
    for test in dict.fromkeys(found):
        match test:
            case Binary(op, Ref(name), Literal(int() as limit)) if op in _HOLDS:
                holds = _HOLDS[op]
            case Binary(op, Literal(int() as limit), Ref(name)) if op in _HOLDS:
                holds = _HOLDS[_TURNED.get(op, op)]
            case _:
                continue
        variable = system.variable(name)
        if variable is None or variable.domain is None or test.span == NOWHERE:
            continue
        if name not in members:
            value = machine.evaluate(variable.domain, machine.initial, {})
            members[name] = value if isinstance(value, frozenset) else frozenset()
        numbers = [each for each in members[name] if isinstance(each, int)]
        if not numbers or len(numbers) != len(members[name]):
            continue
        if not any(holds(number, limit) for number in numbers):
            yield Diagnostic(
                codes.LIMIT_OUTSIDE,
                f"`{to_text(test)}` never holds: `{name}` is a number from {min(numbers)} to "
                f"{max(numbers)}",
                primary=Label(test.span, "never holds"),
                secondary=() if variable.span == NOWHERE else (Label(variable.span, "declared"),),
                help="change the limit, or declare a larger set",
            )


_HOLDS: Final[Mapping[Op, Callable[[int, int], bool]]] = {
    Op.EQ: operator.eq,
    Op.LT: operator.lt,
    Op.LE: operator.le,
    Op.GT: operator.gt,
    Op.GE: operator.ge,
}
_TURNED: Final = {Op.LT: Op.GT, Op.LE: Op.GE, Op.GT: Op.LT, Op.GE: Op.LE}
