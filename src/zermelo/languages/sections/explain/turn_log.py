"""A turn in plain words: why each rule fired or not, what it changed, and why a move is refused.

The log answers what a document means, whether the order of its rules matters, what
facts are, and what an input without effect does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import assert_never

from zermelo.core import commentary
from zermelo.core.commentary import (
    CHANGED,
    Change,
    GuardPart,
    Stage,
    change_text,
    part_lines,
    part_text,
    short,
)
from zermelo.core.machine import Fault
from zermelo.core.state import State
from zermelo.languages.sections import ir, judge
from zermelo.languages.sections.printer import statement_to_text
from zermelo.languages.sections.printer import to_text as expr_text
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.procedures import (
    CallEvent,
    Conjunct,
    LoggedTurn,
    RuleEvent,
    SetEvent,
)
from zermelo.text.prose import BLANK, Line, Piece, Tone, line, listing

_MARKUP = frozenset("\\$&`")
_ORDERS = {
    ir.Order.IN_ORDER: (
        "Rules in order: each sees what those before it changed, and facts follow every change"
    ),
    ir.Order.FACTS_FROZEN: (
        "Facts frozen: rules in order, each sees what those before it changed, "
        "but facts keep the values they had when the move was called"
    ),
    ir.Order.AT_ONCE: (
        "Rules at once: every guard and every right side is taken before the call, "
        "so their order does not matter"
    ),
    ir.Order.BY_CASES: (
        "Rules by cases: each sees what those before it changed, and of rules that exclude each "
        "other by a variable one at most is run"
    ),
}
_DELAYS = {
    ir.Order.IN_ORDER: "",
    ir.Order.FACTS_FROZEN: "; the other rules of this call still see the old value",
    ir.Order.AT_ONCE: "; seen after the call",
    ir.Order.BY_CASES: "",
}


def stages(machine: Interpreter, turn: LoggedTurn) -> Iterator[Stage]:
    """What *turn* did, rule by rule, with the state after each."""
    return _TurnLog(machine, turn).stages()


def facts_line(system: ir.System) -> Line | None:
    """Which variables are facts, and what that means; ``None`` when there are none."""
    return commentary.facts_line(
        [v.name for v in system.variables if v.role is ir.VariableRole.DEFINED]
    )


def flags_line(system: ir.System) -> Line | None:
    """Which variables are flags, and what that means; ``None`` when there are none."""
    flags = [v.name for v in system.variables if v.role is ir.VariableRole.FLAG]
    if not flags:
        return None
    is_one = len(flags) == 1
    verb = "is a flag: it starts" if is_one else "are flags: they start"
    return line(
        Piece(listing(flags), Tone.STRONG),
        f" {verb} every turn afresh and {'is' if is_one else 'are'} no part of the state.",
    )


def no_effect(machine: Interpreter, turn: LoggedTurn, shown: str) -> Line:
    """That the move of *turn*, *shown* so, had no effect."""
    system = machine.system
    stored = set(turn.before.names)
    flags = dict.fromkeys(
        change.variable
        for event in turn.events
        if isinstance(event, RuleEvent | SetEvent)
        for change in event.changes
        if change.variable not in stored and change.before != change.after
    )
    undoing = judge.undoing(turn)
    if undoing:
        rules = listing(dict.fromkeys(event.rule.label for event in undoing))
        only = f"what rules {rules} changed is in the end as it was"
    elif flags:
        only = f"only {listing(flags)} changed, which every turn starts afresh"
    else:
        only = "no rule changed anything"
    if system.no_effect is ir.NoEffect.COSTS_THE_TURN:
        said = f": {only}, and that costs the turn (reading `input without effect`)."
    else:
        end = f", and {system.end.name} is not called" if system.end is not None else ""
        player = machine.player(turn.before)
        still = "" if player is None else f" It is still the turn of {player.name}."
        said = f": {only}, so {shown} is refused. The state stays as it was{end}.{still}"
    return line(Piece("No effect", Tone.BAD), said)


class _TurnLog:
    """Writes the log of one turn, keeping the values as they were after each rule."""

    def __init__(self, machine: Interpreter, turn: LoggedTurn) -> None:
        self._machine = machine
        self._turn = turn
        self._values = dict(turn.before.items())
        self._facts = dict(machine.facts(turn.before))
        self._order = ir.Order.IN_ORDER

    def stages(self) -> Iterator[Stage]:
        for event in self._turn.events:
            lines = tuple(self._lines(event))
            yield Stage(lines, None if isinstance(event, CallEvent) else self._state)
        yield Stage(tuple(self._not_reached()))

    def _lines(self, event: CallEvent | RuleEvent | SetEvent) -> Iterator[Line]:
        match event:
            case CallEvent():
                return self._call(event)
            case RuleEvent():
                return self._rule(event)
            case SetEvent():
                return self._set(event)
            case _:
                assert_never(event)

    @property
    def _state(self) -> State:
        names = self._turn.before.names
        return State(tuple(self._values[name] for name in names), names)

    def _call(self, event: CallEvent) -> Iterator[Line]:
        procedure = self._machine.system.procedure(event.procedure)
        arguments = ", ".join(f"{name} = {short(value)}" for name, value in event.arguments)
        indent = 2 * event.depth
        said = f" with {arguments}" if arguments else ""
        if event.skipped is not None:
            yield line(
                f"{event.procedure}{said} is skipped: {event.skipped}", indent=indent, hang=2
            )
            return
        if event.depth:
            called = Piece(event.procedure, Tone.STRONG)
            yield line(called, f" is called{said}", indent=indent, hang=2)
            return
        yield BLANK
        if procedure is None:
            return
        self._order = procedure.order
        yield line(*self._called(procedure), f"{said}.", hang=2)
        yield line(Piece(f"{_ORDERS[procedure.order]}.", Tone.FAINT), indent=2, hang=2)

    def _called(self, procedure: ir.Procedure) -> tuple[str | Piece, ...]:
        name = Piece(procedure.name, Tone.STRONG)
        if procedure.role is not ir.ProcedureRole.END:
            return name, " is called"
        if self._turn.has_effect:
            return "The move changed something, so the end, ", name, ", is called"
        return "The end, ", name, ", is called all the same"

    def _rule(self, event: RuleEvent) -> Iterator[Line]:
        indent = 2 * event.depth
        if event.skipped is not None:
            verdict, why = Piece("is skipped", Tone.BAD), f": {event.skipped}"
        elif event.fired:
            verdict, why = Piece("fires", Tone.GOOD), ""
        else:
            verdict, why = Piece("does not fire", Tone.FAINT), ""
        yield line(
            Piece(f"rule {event.rule.label} ", Tone.STRONG), verdict, why, indent=indent, hang=2
        )
        yield line(Piece(rule_text(event.rule), Tone.FORMULA), indent=indent + 2, hang=4)
        yield from part_lines(map(guard_part, event.conjuncts), indent=indent + 2)
        for change in event.changes:
            yield from self._change(change, indent=indent + 2)
        yield from self._recomputed(indent=indent + 2)

    def _set(self, event: SetEvent) -> Iterator[Line]:
        indent = 2 * event.depth
        if event.locals:
            named = ", ".join(f"{name} = {short(value)}" for name, value in event.locals)
            yield line(Piece(named, Tone.FAINT), indent=indent, hang=2)
        for change in event.changes:
            yield from self._change(change, indent=indent)
        yield from self._recomputed(indent=indent)

    def _change(self, change: Change, *, indent: int) -> Iterator[Line]:
        if change.variable in self._values:
            self._values[change.variable] = change.after
        if change.before == change.after:
            yield line(
                Piece(f"{change.variable} stays {short(change.after)}", Tone.FAINT), indent=indent
            )
            return
        yield line(Piece(f"{CHANGED} {change_text(change)}", Tone.CHANGED), indent=indent, hang=4)

    def _recomputed(self, *, indent: int) -> Iterator[Line]:
        """The facts that follow what changed."""
        for name, value in self._machine.facts(self._state):
            before = self._facts.get(name)
            if before == value or isinstance(before, Fault) or isinstance(value, Fault):
                continue
            self._facts[name] = value
            text = change_text(Change(name, before, value)) if before is not None else name
            yield line(
                Piece(f"  so the fact {text}{_DELAYS[self._order]}", Tone.FAINT),
                indent=indent,
                hang=4,
            )

    def _not_reached(self) -> Iterator[Line]:
        """The rules of the move that a fault kept from being tried."""
        procedure = self._machine.system.procedure(self._turn.move.name)
        if procedure is None or self._turn.fault is None:
            return
        tried = {
            event.rule.label
            for event in self._turn.events
            if isinstance(event, RuleEvent) and event.procedure == procedure.name
        }
        missed = [
            s.label for s in procedure.body if isinstance(s, ir.Rule) and s.label not in tried
        ]
        if missed:
            noun = "rule" if len(missed) == 1 else "rules"
            yield line(Piece(f"{noun} {listing(missed)} not reached", Tone.FAINT), indent=2)


# Why a move can or cannot be made


def _tried(machine: Interpreter, turn: LoggedTurn) -> list[RuleEvent]:
    """The rules of the move itself, without those of the end."""
    end = machine.system.end
    return [
        event
        for event in turn.events
        if isinstance(event, RuleEvent) and (end is None or event.procedure != end.name)
    ]


def _nearest(tried: Iterable[RuleEvent]) -> RuleEvent | None:
    """The rule that did not fire with the most parts that hold before one fails."""
    failed = [event for event in tried if not event.fired and _first_failure(event) is not None]
    return max(failed, key=_nearness, default=None)


def why(machine: Interpreter, turn: LoggedTurn) -> Iterator[Line]:
    """The nearest rule part by part, then the other rules; of a legal move those that fire."""
    tried = _tried(machine, turn)
    fired = [event for event in tried if event.fired]
    if turn.after is not None:
        for event in fired:
            yield from _rule("fires", event)
        return
    for event in fired:
        changed = listing([c.variable for c in event.changes if c.before != c.after])
        did = f", but only changes {changed}" if changed else ", but changes nothing"
        yield line(f"Rule {event.rule.label} fires{did}.", indent=2, hang=2)
    nearest = _nearest(tried)
    if nearest is not None:
        yield from _rule("is nearest", nearest)
    yield from _others([event for event in tried if not event.fired and event is not nearest])


def lack(machine: Interpreter, turn: LoggedTurn) -> tuple[str | Piece, ...]:
    """The part of the nearest rule that does not hold, as the end of a sentence."""
    nearest = _nearest(_tried(machine, turn)) if turn.after is None else None
    failure = None if nearest is None else _first_failure(nearest)
    if nearest is None or failure is None:
        return ()
    return (f": rule {nearest.rule.label} needs ", *_lack_pieces(failure))


def _first_failure(event: RuleEvent) -> Conjunct | None:
    return next((part for part in event.conjuncts if part.holds is False), None)


def _nearness(event: RuleEvent) -> tuple[int, int]:
    """More parts that hold before the first that does not, then fewer parts left over."""
    holding = sum(1 for _ in takewhile(lambda part: part.holds is True, event.conjuncts))
    return holding, -len(event.conjuncts)


def _others(events: Iterable[RuleEvent]) -> Iterator[Line]:
    """What each of *events* lacks; those that lack the same share a line."""
    lacks: dict[str, tuple[Conjunct, list[str]]] = {}
    for event in events:
        part = _first_failure(event)
        if part is not None:
            key = f"{expr_text(part.expr)} {part_text(guard_part(part))}"
            lacks.setdefault(key, (part, []))[1].append(event.rule.label)
    for part, rules in lacks.values():
        start = f"Rule {rules[0]} needs " if len(rules) == 1 else f"Rules {listing(rules)} need "
        yield line(start, *_lack_pieces(part), ".", indent=2, hang=4)


def _rule(verdict: str, event: RuleEvent) -> Iterator[Line]:
    yield line(f"Rule {event.rule.label} of {event.procedure} {verdict}:", indent=2)
    yield line(Piece(rule_text(event.rule), Tone.FORMULA), indent=4, hang=4)
    yield from part_lines(map(guard_part, event.conjuncts), indent=4)
    for change in event.changes:
        if event.fired and change.before != change.after:
            yield line(Piece(f"{CHANGED} {change_text(change)}", Tone.CHANGED), indent=4, hang=4)


# Rules, and parts of guards with their values


def rule_text(rule: ir.Rule) -> str:
    """*rule* in the document's own words; in the canonical notation where those are LaTeX."""
    words = " ".join(rule.text.split())
    return statement_to_text(rule) if not words or _MARKUP & set(words) else words


def guard_part(conjunct: Conjunct) -> GuardPart:
    return GuardPart(expr_text(conjunct.expr), conjunct.holds, conjunct.evidence)


def _lack_pieces(conjunct: Conjunct) -> tuple[Piece, ...]:
    """A part that does not hold, as the end of a sentence: what was needed, and what is."""
    part = guard_part(conjunct)
    values = f" ({text})" if (text := part_text(part)) else ""
    is_name = isinstance(conjunct.expr, ir.Ref | ir.Local | ir.Apply)
    said = ", which is false" if is_name else ""
    return Piece(part.text, Tone.FORMULA), Piece(f"{said}{values}")
