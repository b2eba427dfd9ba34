"""The rule log of a turn: every rule in order, why it fired or not, and what it changed.

Comes in: what a move did (``Turn``). Goes out: lines. The one view answers what a
document means, whether the order of its rules matters, what facts are, and what an
input without effect does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from zermelo.core.machine import (
    PASS_MOVE,
    CallEvent,
    Change,
    Event,
    Fault,
    Machine,
    RuleEvent,
    SetEvent,
    State,
    Turn,
)
from zermelo.core.values import Value
from zermelo.languages.sections.explain.evidence import (
    CHANGED,
    change_text,
    conjunct_lines,
    difference_text,
    is_large,
    rule_text,
    short,
)
from zermelo.languages.sections.ir import (
    NoEffect,
    Order,
    Procedure,
    ProcedureRole,
    Rule,
    System,
    VariableRole,
)
from zermelo.play import notation
from zermelo.play.session import fact_values, outcome_text, player_to_move
from zermelo.text.prose import BLANK, Line, Piece, Tone, heading, line, listing

ORDERS = {
    Order.IN_ORDER: (
        "Rules in order: each sees what those before it changed, and facts follow every change"
    ),
    Order.FACTS_FROZEN: (
        "Facts frozen: rules in order, each sees what those before it changed, "
        "but facts keep the values they had when the move was called"
    ),
    Order.AT_ONCE: (
        "Rules at once: every guard and every right side is taken before the call, "
        "so their order does not matter"
    ),
}


def log(machine: Machine, turn: Turn) -> tuple[Line, ...]:
    """What *turn* did, rule by rule, and the state after it."""
    return tuple(_Log(machine, turn).lines())


def facts_line(system: System) -> Line | None:
    """Which variables are facts, and what that means; ``None`` when there are none."""
    facts = [v.name for v in system.variables if v.role is VariableRole.DEFINED]
    if not facts:
        return None
    verb = "is a fact" if len(facts) == 1 else "are facts"
    return line(
        Piece(listing(facts), Tone.STRONG),
        f" {verb}: computed from the other variables, never assigned.",
    )


def flags_line(system: System) -> Line | None:
    """Which variables are flags, and what that means; ``None`` when there are none."""
    flags = [v.name for v in system.variables if v.role is VariableRole.FLAG]
    if not flags:
        return None
    is_one = len(flags) == 1
    verb = "is a flag: it starts" if is_one else "are flags: they start"
    return line(
        Piece(listing(flags), Tone.STRONG),
        f" {verb} every turn afresh and {'is' if is_one else 'are'} no part of the state.",
    )


def state_lines(
    machine: Machine, state: State, *, before: State | None = None, indent: int = 2
) -> Iterator[Line]:
    """The values of *state*, its facts last, with what changed since *before* marked.

    Beside what changed, large facts are named by the number of their members.
    """
    old = {} if before is None else _values(machine, before)
    facts = {name for name, _ in fact_values(machine, state)}
    for name, value in _values(machine, state).items():
        is_changed = before is not None and old.get(name) != value
        note = " (fact)" if name in facts else ""
        is_short = before is not None and name in facts and is_large(value)
        text = f"{name} has {short(value)}" if is_short else f"{name} = {_full(value, state)}"
        if not is_changed:
            yield line(f"  {text}", Piece(note, Tone.FAINT), indent=indent, hang=6)
            continue
        yield line(
            Piece(f"{CHANGED} {text}", Tone.CHANGED),
            Piece(f"{note}   {_was(name, old[name], value)}", Tone.FAINT),
            indent=indent,
            hang=6,
        )


def _was(name: str, before: Value | Fault, after: Value | Fault) -> str:
    if isinstance(before, frozenset) and isinstance(after, frozenset):
        return difference_text(Change(name, before, after))
    return f"was {short(before)}"


def _full(value: Value | Fault, state: State) -> str:
    return short(value) if isinstance(value, Fault) else state.show(value)


def _values(machine: Machine, state: State) -> dict[str, Value | Fault]:
    return {**dict(state.items()), **dict(fact_values(machine, state))}


class _Log:
    """Writes the log of one turn, keeping the values as they were after each rule."""

    def __init__(self, machine: Machine, turn: Turn) -> None:
        self._machine = machine
        self._turn = turn
        self._values = dict(turn.before.items())
        self._facts = dict(fact_values(machine, turn.before))
        self._order = Order.IN_ORDER
        self._has_blank = False

    def lines(self) -> Iterator[Line]:
        yield heading(str(self._turn.move))
        for event in self._turn.events:
            yield from self._event(event)
        yield from self._not_reached()
        yield BLANK
        yield from self._verdict()

    def _event(self, event: Event) -> Iterator[Line]:
        match event:
            case CallEvent():
                yield from self._call(event)
            case RuleEvent():
                yield from self._rule(event)
            case SetEvent():
                yield from self._set(event)
            case _:
                assert_never(event)

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
        yield line(Piece(f"{ORDERS[procedure.order]}.", Tone.FAINT), indent=2, hang=2)

    def _called(self, procedure: Procedure) -> tuple[str | Piece, ...]:
        name = Piece(procedure.name, Tone.STRONG)
        if procedure.role is not ProcedureRole.END:
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
        yield from conjunct_lines(event.conjuncts, indent=indent + 2)
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
        names = self._turn.before.names
        state = State(tuple(self._values[name] for name in names), names)
        for name, value in fact_values(self._machine, state):
            before = self._facts.get(name)
            if before == value or isinstance(before, Fault) or isinstance(value, Fault):
                continue
            self._facts[name] = value
            text = change_text(Change(name, before, value)) if before is not None else name
            yield line(
                Piece(f"  so the fact {text}{self._delay()}", Tone.FAINT), indent=indent, hang=4
            )

    def _delay(self) -> str:
        match self._order:
            case Order.IN_ORDER:
                return ""
            case Order.FACTS_FROZEN:
                return "; the other rules of this call still see the old value"
            case Order.AT_ONCE:
                return "; seen after the call"
            case _:
                assert_never(self._order)

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
        missed = [s.label for s in procedure.body if isinstance(s, Rule) and s.label not in tried]
        if missed:
            noun = "rule" if len(missed) == 1 else "rules"
            yield line(Piece(f"{noun} {listing(missed)} not reached", Tone.FAINT), indent=2)

    def _verdict(self) -> Iterator[Line]:
        turn, machine = self._turn, self._machine
        shown = notation.to_text(turn.move, machine.system)
        if turn.fault is not None:
            rule = f", rule {turn.fault.rule}" if turn.fault.rule else ""
            yield line(
                Piece("The turn is not made", Tone.BAD),
                f": {turn.fault.message} ({turn.fault.procedure}{rule}). ",
                "The state stays as it was.",
            )
            return
        ended = machine.outcome(turn.before)
        if turn.after is None and ended is not None and ended.is_over:
            yield line(Piece("Refused", Tone.BAD), f": the play is over ({outcome_text(ended)}).")
            return
        if turn.after is None:
            yield self._no_effect(shown)
            return
        if not turn.has_effect and turn.move.name != PASS_MOVE:
            yield self._no_effect(shown)
        outcome = machine.outcome(turn.after)
        yield line("After ", Piece(shown, Tone.STRONG), *self._next(turn.after), hang=2)
        yield from state_lines(machine, turn.after, before=turn.before)
        if outcome is not None:
            said = "The play is over: " if outcome.is_over else "No move is possible: "
            yield line(said, Piece(outcome_text(outcome), Tone.STRONG), ".")

    def _next(self, state: State) -> tuple[str, ...]:
        player = player_to_move(self._machine, state)
        if self._machine.outcome(state) is not None or player is None:
            return (":",)
        return (f", {player} to move:",)

    def _no_effect(self, shown: str) -> Line:
        system = self._machine.system
        flags = self._flags_changed()
        only = (
            f"only {listing(flags)} changed, which every turn starts afresh"
            if flags
            else "no rule changed anything"
        )
        end = f", and {system.end.name} is not called" if system.end is not None else ""
        player = player_to_move(self._machine, self._turn.before)
        still = f" It is still the turn of {player}." if player else ""
        if system.no_effect is NoEffect.COSTS_THE_TURN:
            cost = f": {only}, and that costs the turn (reading `input without effect`)."
            return line(Piece("No effect", Tone.BAD), cost)
        return line(
            Piece("No effect", Tone.BAD),
            f": {only}, so {shown} is refused. The state stays as it was{end}.{still}",
        )

    def _flags_changed(self) -> list[str]:
        stored = set(self._turn.before.names)
        return list(
            dict.fromkeys(
                change.variable
                for event in self._turn.events
                if isinstance(event, RuleEvent | SetEvent)
                for change in event.changes
                if change.variable not in stored and change.before != change.after
            )
        )
