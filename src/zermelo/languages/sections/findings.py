"""What playing showed, as diagnostics with their places.

Comes in a system with a ``Checkup`` or a ``Settlement``; goes out what there is
to say about the document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from zermelo.core.machine import FaultKind
from zermelo.core.observation import BrokenInvariant, Checkup, FlagStays, PlayEnd, Settlement
from zermelo.core.signature import FLAG, FRESH, ORDER, Reading, RuleName
from zermelo.core.space import FaultFound
from zermelo.core.state import Move, State, number_of, play_to_text
from zermelo.core.values import to_text
from zermelo.languages.sections.ir import Ref, Rule, System
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import rules_of
from zermelo.text import codes
from zermelo.text.codes import Code, Severity
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import NOWHERE, Span

_FAULTS: Final[Mapping[FaultKind, Code]] = {
    FaultKind.CONFLICT: codes.CONFLICT,
    FaultKind.OUTSIDE: codes.LEFT_ITS_SET,
    FaultKind.UNDEFINED: codes.UNDEFINED,
    FaultKind.ENDLESS: codes.ENDLESS,
}

_HELP: Final[Mapping[FaultKind, str]] = {
    FaultKind.CONFLICT: "let the guards of the two rules exclude each other, "
    "or choose another order in the Reading section: `order: in order`",
    FaultKind.OUTSIDE: "add the condition to the rule's guard, or declare a larger set",
    FaultKind.UNDEFINED: "let the guard say first when the expression has a value",
    FaultKind.ENDLESS: "give the recursion a guard that ends it, or the set a bound",
}


CONSEQUENCES: Final = frozenset(
    {
        codes.NO_PLAYABLE_READING,
        codes.READING_BY_PLAYING,
        codes.STUCK,
        codes.NEVER_FIRED,
        codes.NEVER_REACHED,
        codes.NO_END_REACHED,
    }
)
"""What may be found only because a part of the document could not be used."""
BY_PLAYING: Final = frozenset(
    {*CONSEQUENCES, *_FAULTS.values(), codes.INVARIANT_BROKEN, codes.STARTS_OVER, codes.FLAG_STAYS}
)
"""What playing shows, and no reading of the text."""


def of_checkup(system: System, checkup: Checkup) -> tuple[Diagnostic, ...]:
    """What the checkup of *system* has to say."""
    return (
        *_faults(system, checkup.faults),
        *(_broken(system, found) for found in checkup.broken),
        *_stuck(system, checkup.stuck),
        *(_flag_stays(system, found) for found in checkup.flags),
        *_never_fired(system, checkup),
        *_never_reached(system, checkup),
        *_no_end(system, checkup),
    )


def of_settlement(system: System, settlement: Settlement) -> tuple[Diagnostic, ...]:
    """What was assumed for *system* because playing showed it."""
    return tuple(_assumed(system, settlement))


def of_start(machine: Interpreter) -> tuple[Diagnostic, ...]:
    """What there is to say about the initial state."""
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


def _assumed(system: System, settlement: Settlement) -> Iterator[Diagnostic]:
    verdict = settlement.verdict
    if verdict is not None and not verdict.is_playable:
        yield _not_playable(system, settlement)
    for reading in system.readings:
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
    """What speaks against each of *orders*."""
    for order in orders:
        verdict = settlement.against[order]
        points = verdict.reasons or verdict.marks
        if points:
            yield f"{order}: {points[0]}"


def _flag_found(system: System, reading: Reading, reason: str) -> Diagnostic:
    name = reading.name.removeprefix(FLAG)
    return Diagnostic(
        codes.FLAG_BY_PLAYING,
        f"`{name}` is read as a flag: it starts every turn at its initial value",
        primary=_declared(system, name),
        notes=(reason,),
        help=f"if that is meant, say so in a Reading section: `{reading.name}: {FRESH}`",
    )


def _reading_found(reading: Reading, reason: str) -> Diagnostic:
    return Diagnostic(
        codes.READING_BY_PLAYING,
        f"`{reading.name}` is read as `{reading.choice}`, because that is playable",
        primary=None if reading.span is None else Label(reading.span, "about this"),
        notes=(reason,),
        help=f"if that is meant, say so in a Reading section: `{reading.name}: {reading.choice}`",
    )


def _faults(system: System, found: Sequence[FaultFound]) -> Iterator[Diagnostic]:
    """One diagnostic for each place and kind: the values differ, the cause does not."""
    shown: set[tuple[FaultKind, str, str | None]] = set()
    for each in found:
        key = (each.fault.kind, each.fault.procedure, each.fault.rule)
        if key not in shown:
            shown.add(key)
            yield _fault(system, each)


def _fault(system: System, found: FaultFound) -> Diagnostic:
    fault = found.fault
    rule = _rule(system, (fault.procedure, fault.rule)) if fault.rule is not None else None
    place = NOWHERE if fault.span is None else fault.span
    labels = _labels(place, rule)
    where = f"rule {fault.rule} of {fault.procedure}" if fault.rule else fault.procedure
    return Diagnostic(
        _FAULTS[fault.kind],
        fault.message,
        primary=labels[0] if labels else None,
        secondary=tuple(labels[1:]),
        notes=(f"in {where}", *_evidence(found.play, found.state, state_words="before the move")),
        help=fault.help or _HELP[fault.kind],
    )


def _labels(place: Span, rule: Rule | None) -> list[Label]:
    labels = [] if place == NOWHERE else [Label(place, "here")]
    if rule is not None and rule.span != NOWHERE and not labels:
        labels.append(Label(rule.span, "in this rule"))
    return labels


def _broken(system: System, found: BrokenInvariant) -> Diagnostic:
    invariant = system.invariants[found.invariant]
    told = "does not hold" if found.fault is None else "has no value"
    extra = () if found.fault is None else (found.fault.message,)
    return Diagnostic(
        codes.INVARIANT_BROKEN,
        f"`{invariant.text}` {told} after {number_of(found.play)}",
        primary=Label(invariant.span, "said to hold always"),
        notes=(*extra, *_evidence(found.play, found.state, state_words="then")),
        help="change the rule that breaks it, or the fact",
    )


def _stuck(system: System, halt: PlayEnd | None) -> Iterator[Diagnostic]:
    if halt is not None:
        end = system.end
        told = f"a player can be stuck, as after {number_of(halt.play)}"
        if not halt.play:
            told = "no move has an effect in the initial state"
        yield Diagnostic(
            codes.STUCK,
            f"{told}, and there is no result",
            primary=None if end is None else _label(end.span, "says nothing about it"),
            notes=tuple(_evidence(halt.play, halt.state, state_words="then")),
            help="add a rule for it, or say in a Reading section what it means: "
            "`stuck player: loses`, `draws` or `passes`",
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
    )


def _never_fired(system: System, checkup: Checkup) -> Iterator[Diagnostic]:
    rules = [rule for name in checkup.never_fired if (rule := _rule(system, name)) is not None]
    if not rules:
        return
    count = "a rule" if len(rules) == 1 else f"{len(rules)} rules"
    is_certain = checkup.has_seen_all_rules
    told = (
        f"never fired {_in_what(checkup)}"
        if is_certain
        else f"did not fire in the {checkup.deep.states:,} states played"
    )
    yield Diagnostic(
        codes.NEVER_FIRED,
        f"{count} {told}",
        primary=_label(rules[0].span, "did not fire"),
        secondary=tuple(Label(rule.span, "nor did this") for rule in rules[1:]),
        severity=None if is_certain else Severity.NOTE,
    )


def _never_reached(system: System, checkup: Checkup) -> Iterator[Diagnostic]:
    if not checkup.never_reached or not checkup.has_end:
        return
    words = ", ".join(f"`{to_text(value)}`" for value in checkup.never_reached)
    yield Diagnostic(
        codes.NEVER_REACHED,
        f"no play ended with {words} {_in_what(checkup)}",
        primary=None if system.result is None else _declared(system, system.result),
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


def _in_what(checkup: Checkup) -> str:
    if checkup.is_complete:
        return f"in any of the {checkup.space.states:,} reachable states"
    return f"in the {checkup.space.states + checkup.deep.states:,} states seen"


def _evidence(play: Sequence[Move], state: State, *, state_words: str) -> Iterator[str]:
    yield f"play: {play_to_text(play)}"
    yield f"{state_words}: {state}"


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
