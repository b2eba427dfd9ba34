"""Why a move can or cannot be made: the rule that came nearest, and what it still lacked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo.core.machine import Conjunct, Machine, Move, RuleEvent, State, Turn
from zermelo.languages.sections.explain.evidence import (
    CHANGED,
    change_text,
    conjunct_lines,
    lack_pieces,
    rule_text,
    values_text,
)
from zermelo.languages.sections.printer import to_text as expr_text
from zermelo.play import notation
from zermelo.play.session import refusal
from zermelo.text.prose import Line, Piece, Tone, line, listing


@dataclass(frozen=True, slots=True)
class Lack:
    """A part of a guard that does not hold, and the rules that it stops."""

    rules: tuple[str, ...]
    part: Conjunct


@dataclass(frozen=True, slots=True)
class Why:
    """What there is to say about a move in a state."""

    turn: Turn
    is_legal: bool
    summary: str
    nearest: RuleEvent | None = None
    """Of a move without effect: the rule with the most parts that hold before one fails."""
    others: tuple[Lack, ...] = ()
    fired: tuple[RuleEvent, ...] = ()


def why(machine: Machine, state: State, move: Move) -> Why:
    """Why *move* can or cannot be made in *state*."""
    ended = machine.outcome(state)
    if ended is not None and ended.is_over:
        turn = Turn(state, move, None, has_effect=False)
        return Why(turn, is_legal=False, summary=refusal(machine, turn))
    turn = machine.turn(state, move)
    tried = [
        event
        for event in turn.events
        if isinstance(event, RuleEvent) and event.procedure != _end(machine)
    ]
    fired = tuple(event for event in tried if event.fired)
    if turn.after is not None:
        shown = notation.to_text(move, machine.system)
        summary = f"{shown} can be made"
        return Why(turn, is_legal=True, summary=summary, fired=fired)
    summary = refusal(machine, turn)
    failed = [event for event in tried if not event.fired and first_failure(event) is not None]
    nearest = max(failed, key=_nearness, default=None)
    others = _grouped([event for event in failed if event is not nearest])
    return Why(turn, is_legal=False, summary=summary, nearest=nearest, others=others, fired=fired)


def lines(answer: Why) -> tuple[Line, ...]:
    """*answer* as lines: the verdict, the nearest rule part by part, then the other rules."""
    return tuple(_lines(answer))


def first_failure(event: RuleEvent) -> Conjunct | None:
    """The first part of the rule's guard that does not hold."""
    return next((part for part in event.conjuncts if part.holds is False), None)


def _end(machine: Machine) -> str | None:
    end = machine.system.end
    return end.name if end is not None else None


def _nearness(event: RuleEvent) -> tuple[int, int]:
    """More parts that hold before the first that does not, then fewer parts left over."""
    holding = 0
    for part in event.conjuncts:
        if part.holds is not True:
            break
        holding += 1
    return holding, -len(event.conjuncts)


def _grouped(events: Sequence[RuleEvent]) -> tuple[Lack, ...]:
    """The *events* by the part they lack, in the order of their rules."""
    rules: dict[str, list[str]] = {}
    parts: dict[str, Conjunct] = {}
    for event in events:
        part = first_failure(event)
        if part is None:
            continue
        key = f"{expr_text(part.expr)} {values_text(part)}"
        parts.setdefault(key, part)
        rules.setdefault(key, []).append(event.rule.label)
    return tuple(Lack(tuple(labels), parts[key]) for key, labels in rules.items())


def _lines(answer: Why) -> Iterator[Line]:
    tone = Tone.GOOD if answer.is_legal else Tone.BAD
    yield line(Piece(answer.summary, tone), ".")
    if answer.is_legal:
        for event in answer.fired:
            yield from _rule("fires", event)
        return
    for event in answer.fired:
        changed = listing([c.variable for c in event.changes if c.before != c.after])
        did = f", but only changes {changed}" if changed else ", but changes nothing"
        yield line(f"Rule {event.rule.label} fires{did}.", indent=2, hang=2)
    if answer.nearest is not None:
        yield from _rule("is nearest", answer.nearest)
    for lack in answer.others:
        yield _other(lack)


def _rule(verdict: str, event: RuleEvent) -> Iterator[Line]:
    yield line(f"Rule {event.rule.label} of {event.procedure} {verdict}:", indent=2)
    yield line(Piece(rule_text(event.rule), Tone.FORMULA), indent=4, hang=4)
    yield from conjunct_lines(event.conjuncts, indent=4)
    for change in event.changes:
        if event.fired and change.before != change.after:
            yield line(Piece(f"{CHANGED} {change_text(change)}", Tone.CHANGED), indent=4, hang=4)


def _other(lack: Lack) -> Line:
    noun = "Rule" if len(lack.rules) == 1 else "Rules"
    verb = "needs" if len(lack.rules) == 1 else "need"
    start = f"{noun} {listing(lack.rules)} {verb} "
    return line(start, *lack_pieces(lack.part), ".", indent=2, hang=4)
