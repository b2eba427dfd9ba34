"""What playing showed of a system, as diagnostics with their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from zermelo.core.machine import Ending, Fault, FaultKind, Outcome
from zermelo.core.observation import (
    HELP,
    BrokenInvariant,
    Checkup,
    Difference,
    FlagStays,
    Settlement,
    among_reachable,
    evidence,
    faults,
    moves_of,
    stuck,
)
from zermelo.core.signature import FLAG, FRESH, LINES, ORDER, SIDES, Reading, RuleName
from zermelo.core.state import State, number_of, play_to_text
from zermelo.core.values import Value, to_text
from zermelo.languages.sections.ir import Ref, Rule, System
from zermelo.languages.sections.mean.results import only_at_first
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import rules_of
from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.prose import count as counted
from zermelo.text.prose import listing
from zermelo.text.source import NOWHERE, Span

_PLAYERS_WHO_WAIT: Final = 2
_HELP: Final = {
    **HELP,
    FaultKind.CONFLICT: "let the guards of the two rules exclude each other, "
    "or choose another order in the Reading section: `order: in order`",
}


def of_checkup(system: System, checkup: Checkup) -> tuple[Diagnostic, ...]:
    end = system.end
    return (
        *faults(
            checkup.faults,
            otherwise=lambda fault: _in_rule(system, fault),
            help=_HELP,
            assumed=_left_out,
        ),
        *(
            _broken(system, found)
            for found in checkup.broken
            if found.invariant < len(system.invariants)
        ),
        *stuck(
            checkup.stuck,
            primary=None if end is None else _label(end.span, "says nothing about it"),
            help="add a rule for it, or say in a Reading section what it means: "
            "`stuck player: loses`, `wins`, `draws` or `passes`"
            if system.players
            else None,
            is_played=bool(system.players),
        ),
        *(_flag_stays(system, found) for found in checkup.flags),
        *_never_fired(system, checkup),
        *_never_reached(system, checkup),
        *_no_end(system, checkup),
        *_told_apart(system, checkup),
        *_over_without_result(system, checkup),
        *_endless(system, checkup),
        *_result_changes(system, checkup),
    )


def of_start(machine: Interpreter) -> tuple[Diagnostic, ...]:
    if not machine.is_over(machine.initial):
        return ()
    return (
        Diagnostic(
            codes.STARTS_OVER,
            "the play is over before the first move",
            primary=_over_label(machine.system, "holds at the start"),
            notes=(f"the initial state: {machine.initial}",),
            help="change the initial values, or what the document says about the end",
        ),
    )


def is_assumed(machine: Interpreter, said: Iterable[Diagnostic]) -> bool:
    """Whether a value that had to be assumed may be the cause of what playing shows.

    One that nothing ever changes is; a first value, if nobody can move from the first state.
    """
    assumed = {each.code for each in said if each.level is Severity.WARNING}
    if codes.NEVER_GIVEN in assumed:
        return True
    return codes.NOT_INITIALISED in assumed and not machine.legal(machine.initial)


def with_what_follows(machine: Interpreter, said: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """*said*, with the word that nobody can move where first values are assumed."""
    why = "the play is over before the first move"
    if not machine.is_over(machine.initial):
        why = "no move has an effect"
    for each in said:
        if each.code is codes.NOT_INITIALISED and not machine.legal(machine.initial):
            tip = "say in the initialisation what else it starts at"
            yield replace(each, notes=(*each.notes, f"starting so, {why}"), help=tip)
        else:
            yield each


def of_settlement(system: System, settlement: Settlement) -> Iterator[Diagnostic]:
    """What was assumed for *system* because playing showed it."""
    verdict = settlement.verdict
    if verdict is not None and not verdict.is_playable:
        yield _not_playable(system, settlement)
    for reading in system.readings:
        if (found := settlement.undecided.get(reading.name)) is not None:
            yield _undecided(reading, *found)
        reason = settlement.reasons.get(reading.name)
        if reason is None:
            continue
        if reading.name == ORDER:
            is_first = reading.choice == next(iter(settlement.against), None)
            if not is_first and verdict is not None and verdict.is_playable:
                yield _order_found(system, reading, settlement)
        elif reading.name.startswith(FLAG):
            if reading.choice == FRESH:
                yield _flag_found(system, reading, reason)
        else:
            yield _reading_found(reading, reason)


def _not_playable(system: System, settlement: Settlement) -> Diagnostic:
    order = settlement.choices.get(ORDER)
    assumed = "" if order is None else f"assumed for now: `order: {order}`; "
    reasons = () if settlement.verdict is None else settlement.verdict.reasons
    return Diagnostic(
        codes.NO_PLAYABLE_READING,
        "no order of the rules makes this playable" if order else "this is not playable",
        primary=_first_move(system),
        notes=tuple(_against(settlement, settlement.against)) or tuple(map(str, reasons)),
        help=f"{assumed}`zermelo readings` shows what each choice does",
    )


def _order_found(system: System, reading: Reading, settlement: Settlement) -> Diagnostic:
    orders = list(settlement.against)
    told = f"this is not playable {orders[0]}"
    if settlement.against[orders[0]].is_playable:
        told = f"less of the document can be seen at work {orders[0]}"
    return Diagnostic(
        codes.ORDER_BY_PLAYING,
        f"{told}, so the rules are read `{reading.choice}`",
        primary=_first_move(system),
        notes=tuple(_against(settlement, orders[: orders.index(reading.choice)])),
        help=f"if that is meant, say so in a Reading section: `order: {reading.choice}`",
    )


def _against(settlement: Settlement, orders: Iterable[str]) -> Iterator[str]:
    told: dict[str, list[str]] = {}
    for order in orders:
        verdict = settlement.against[order]
        for point in (verdict.reasons or verdict.marks)[:1]:
            told.setdefault(str(point), []).append(order)
    yield from (f"{listing(names)}: {point}" for point, names in told.items())


def _flag_found(system: System, reading: Reading, reason: str) -> Diagnostic:
    name = reading.name.removeprefix(FLAG)
    return Diagnostic(
        codes.FLAG_BY_PLAYING,
        f"`{name}` is read as a flag: it starts every turn at its initial value",
        primary=_declared(system, name),
        notes=(reason,),
        help=f"if that is meant, say so in a Reading section: `{reading.name}: {FRESH}`",
    )


def _undecided(reading: Reading, other: str, difference: Difference) -> Diagnostic:
    play = play_to_text(difference.play)
    what, at, is_read = "these lines", "reads a line above it", "they are read"
    code = codes.LINES_UNDECIDED
    if reading.name.startswith(SIDES):
        what, at, is_read = "this formula", "its sides are of unlike kinds", "it is read"
        code = codes.SIDES_UNDECIDED
        other = f"`{other}`"
    return Diagnostic(
        code,
        f"{what} can be read {reading.choice} or {other}, and nothing shows which is meant; "
        f"{is_read} {reading.choice}",
        primary=None if reading.span is None else Label(reading.span, at),
        notes=(
            f"after {play}, {reading.choice}: {difference.taken}",
            f"after {play}, {other}: {difference.other}",
        ),
        help="say which in a Reading section: "
        f"`{reading.name}: {reading.choice}` or `{reading.name}: {other.strip('`')}`",
        play=moves_of(difference.play),
    )


def _reading_found(reading: Reading, reason: str) -> Diagnostic:
    because = (
        "as playing shows"
        if reading.name.startswith((LINES, SIDES, SIDES))
        else "because that is playable"
    )
    return Diagnostic(
        codes.READING_BY_PLAYING,
        f"`{reading.name}` is read as `{reading.choice}`, {because}",
        primary=None if reading.span is None else Label(reading.span, "about this"),
        notes=(reason,),
        help=f"if that is meant, say so in a Reading section: `{reading.name}: {reading.choice}`",
    )


def _left_out(fault: Fault) -> tuple[str, ...]:
    if fault.kind is not FaultKind.UNDEFINED:
        return ()
    what = "what needs it" if fault.rule is None else "the rule"
    return (f"there {what} is left out, and the rest is played",)


def _in_rule(system: System, fault: Fault) -> Label | None:
    rule = None if fault.rule is None else _rule(system, (fault.procedure, fault.rule))
    return None if rule is None else _label(rule.span, "in this rule")


def _broken(system: System, found: BrokenInvariant) -> Diagnostic:
    invariant = system.invariants[found.invariant]
    told = "does not hold" if found.fault is None else "has no value"
    extra = () if found.fault is None else (found.fault.message,)
    return Diagnostic(
        codes.INVARIANT_BROKEN,
        f"`{invariant.text}` {told} after {number_of(found.play)}",
        primary=Label(invariant.span, "said to hold always"),
        notes=(*extra, *evidence(found.play, found.state, state_words="then")),
        help="change the rule that breaks it, or the fact",
        play=moves_of(found.play),
    )


def _flag_stays(system: System, found: FlagStays) -> Diagnostic:
    reading = next((r for r in system.readings if r.name == f"{FLAG}{found.flag}"), None)
    is_decided = reading is not None and reading.is_chosen
    notes = [f"play: {play_to_text(found.play)}"]
    if found.then is not None:
        notes.append(
            f"if `{found.flag}` were kept, {found.then} would then be possible, "
            "which it is not without that input"
        )
    return Diagnostic(
        codes.FLAG_STAYS,
        f"`{found.flag}` stays {to_text(found.value)} after an input that changes nothing else",
        primary=_declared(system, found.flag),
        notes=tuple(notes),
        help=f"set `{found.flag}` back in every case; it is read as "
        f"`{FLAG}{found.flag}: {FRESH}`, which sets it back after every input",
        severity=Severity.NOTE if is_decided else None,
        play=moves_of(found.play[:-1]),
    )


def _never_fired(system: System, checkup: Checkup) -> Iterator[Diagnostic]:
    found = (_rule(system, name) for name in checkup.never_fired)
    # A rule without a place sets a result that variables tell; that it is never reached is said.
    rules = [rule for rule in found if rule is not None and rule.span != NOWHERE]
    if not rules:
        return
    count = "a rule" if len(rules) == 1 else f"{len(rules)} rules"
    is_certain = checkup.has_seen_all_rules
    if is_certain:
        told = f"never fired {_in_what(checkup)}"
    elif checkup.wide is not None and checkup.wide.fires is not None:
        told = f"did not fire {_in_what(checkup)}"
    elif checkup.deep.states:
        told = f"did not fire in the {checkup.deep.states:,} states played"
    else:
        # Nothing was played, so it tells nothing.
        return
    yield Diagnostic(
        codes.NEVER_FIRED,
        f"{count} {told}",
        primary=_label(rules[0].span, "did not fire"),
        secondary=tuple(Label(rule.span, "nor did this") for rule in rules[1:]),
        severity=None if is_certain else Severity.NOTE,
    )


def _never_reached(system: System, checkup: Checkup) -> Iterator[Diagnostic]:
    at_first = only_at_first(system)
    never = [value for value in checkup.never_reached if value != at_first]
    if not never or not checkup.has_end:
        return
    words = ", ".join(f"`{to_text(value)}`" for value in never)
    losing = [
        each.name
        for each in system.players
        if each.wins and checkup.is_complete and set(each.wins) <= set(checkup.never_reached)
    ]
    cannot = f"so {listing(losing)} cannot win, whatever happens"
    yield Diagnostic(
        codes.NEVER_REACHED,
        f"no play ended with {words} {_in_what(checkup)}",
        primary=None if system.result is None else _declared(system, system.result),
        notes=(cannot,) if losing and len(system.players) > 1 else (),
        severity=None if checkup.is_complete else Severity.NOTE,
    )


def _no_end(system: System, checkup: Checkup) -> Iterator[Diagnostic]:
    if checkup.has_end or system.over is None:
        return
    yield Diagnostic(
        codes.NO_END_REACHED,
        f"no play ended {_in_what(checkup)}",
        primary=_over_label(system, "did not hold"),
        severity=None if checkup.is_complete else Severity.NOTE,
        help="see whether the rules can make it true",
    )


def _over_without_result(system: System, checkup: Checkup) -> Iterator[Diagnostic]:
    """That play stops and nobody knows how it ended, though the document has results."""
    if system.result is None or not system.players or system.end is None:
        return
    endings = checkup.counted.endings
    found = [each for each in endings if each.outcome == Outcome(Ending.OVER)]
    if not found or not any(each.outcome.result is not None for each in endings):
        return
    times = sum(each.count for each in found)
    yield Diagnostic(
        codes.OVER_WITHOUT_RESULT,
        f"a play can be over without a result, as after {number_of(found[0].play)}",
        primary=_label(system.end.span, "no rule gives a result there"),
        notes=(
            f"play: {play_to_text(found[0].play)}",
            f"so it is in {counted(times, 'state')} that can be reached",
        ),
        help=f"add a rule that sets `{system.result}` for it",
        play=moves_of(found[0].play),
    )


def _endless(system: System, checkup: Checkup) -> Iterator[Diagnostic]:
    found = checkup.endless
    # Alone one may well have lost a puzzle without being told.
    if found is None or len(system.players) < _PLAYERS_WHO_WAIT:
        return
    yield Diagnostic(
        codes.NO_WAY_TO_AN_END,
        f"after {number_of(found.play)} no play can end any more",
        primary=_over_label(system, "never holds from there on"),
        notes=(
            *evidence(found.play, found.state, state_words="then"),
            f"so it is in {counted(found.count, 'state')} that can be reached",
        ),
        help="let a rule end the play there, for example as a draw",
        play=moves_of(found.play),
    )


def _result_changes(system: System, checkup: Checkup) -> Iterator[Diagnostic]:
    found = checkup.changed
    if found is None or system.result is None or system.over is None:
        return
    decided = {value for each in system.players for value in (*each.wins, *each.loses)}
    # A draw is often said as long as nobody has won.
    if found.before not in decided:
        return
    yield Diagnostic(
        codes.RESULT_CHANGES,
        f"`{system.result}` is {to_text(found.before)} while play goes on, "
        f"and {to_text(found.after)} one move later",
        primary=_declared(system, system.result),
        notes=tuple(evidence(found.play, found.state, state_words="then")),
        help="let the play be over where there is a result, or set it only where it is over",
        play=moves_of(found.play),
    )


def _told_apart(system: System, checkup: Checkup) -> Iterator[Diagnostic]:
    """That a result which is set while play goes on makes two states of one position."""
    if system.result is None:
        return
    seen: dict[tuple[Value, ...], State] = {}
    again: list[State] = []
    states = dict.fromkeys(state for state, _ in checkup.space.turns)
    spend(len(states), "comparing states")
    for state in states:
        rest = tuple(value for name, value in state.items() if name != system.result)
        if seen.setdefault(rest, state) is not state:
            again.append(state)
    if not again:
        return
    other = again[0]
    first = seen[tuple(v for name, v in other.items() if name != system.result)]
    plays = {each: checkup.space.walk.play(each) for each in (first, other)}
    values = {each: to_text(each[system.result]) for each in plays}
    yield Diagnostic(
        codes.RESULT_TELLS_STATES_APART,
        f"`{system.result}` is set while play goes on, and is part of the state: "
        f"{len(again):,} of {checkup.space.states:,} states "
        f"{'differs' if len(again) == 1 else 'differ'} from another in it only",
        primary=_declared(system, system.result),
        notes=tuple(
            f"`{system.result}` is {values[each]} after {play_to_text(play)}"
            for each, play in plays.items()
        ),
        help="let the rules that set it ask first whether play is over, "
        "if such states are meant to be one",
    )


def _in_what(checkup: Checkup) -> str:
    if checkup.is_complete:
        return among_reachable(checkup.counted.states)
    # What went deep may have been met before; what is said to have been seen was.
    played = checkup.deep.states if checkup.wide is None else 0
    return f"in the {checkup.counted.states + played:,} states seen"


def _first_move(system: System) -> Label | None:
    move = next(iter(system.moves), None)
    return None if move is None else _label(move.span, "its rules")


def _declared(system: System, name: str) -> Label | None:
    variable = system.variable(name)
    return None if variable is None else _label(variable.span, "declared here")


def _over_label(system: System, words: str) -> Label | None:
    """Where the document says when play is over."""
    match system.over:
        case None:
            return None
        case Ref(name) if (variable := system.variable(name)) is not None:
            said = variable.definition or variable.initial
            return _label(variable.span if said is None else said.span, words)
        case over:
            return _label(over.span, words)


def _label(span: Span, words: str) -> Label | None:
    return None if span == NOWHERE else Label(span, words)


def _rule(system: System, name: RuleName) -> Rule | None:
    procedure = system.procedure(name[0])
    rules = () if procedure is None else rules_of(procedure.body)
    return next((rule for rule in rules if rule.label == name[1]), None)
