"""What playing shows about an LED program, as diagnostics with their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Final

from zermelo.core.observation import Checkup, faults, stuck
from zermelo.core.signature import BY_PLAY, Reading
from zermelo.core.state import Move, State, number_of, play_to_text
from zermelo.core.values import TRUE, Value
from zermelo.languages.led import ir
from zermelo.languages.led.play_rules import INPUTS, KEYS, ONE_KEY, RESULT, grid_size
from zermelo.languages.led.run.analysis import pieces
from zermelo.languages.led.run.built_ins import Input
from zermelo.languages.led.run.evaluator import ProgramEvaluator, explained
from zermelo.languages.led.run.frames import IMAGES, Frames, written_texts
from zermelo.languages.led.run.inputs import NEW_STATE, input_of, reached
from zermelo.languages.led.run.pretty import plain
from zermelo.languages.led.run.result_texts import text_key
from zermelo.languages.led.run.values import Erroneous, Text
from zermelo.text import codes
from zermelo.text.budget import LimitReached
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.prose import listing
from zermelo.text.source import NOWHERE, Span

Look = Callable[[Value], Sequence[Diagnostic]]

_MOST_IMAGES: Final = 5
_MOST_PRINTED: Final = 4
"""Of more images that make no sense only so many are told."""
_MOST_TEXTS: Final = 4


def no_first_state(value: Erroneous) -> Diagnostic:
    reason, *trail = explained(value)
    return Diagnostic(
        codes.NO_FIRST_STATE,
        f"`initialState` has no value: {reason}",
        primary=_label(value.span, "this has no value"),
        notes=tuple(trail),
        help="define `initialState` without the state and the input",
    )


def of_checkup(checkup: Checkup) -> tuple[Diagnostic, ...]:
    """What playing showed; what being stuck means is no reading of a program."""
    return (*faults(checkup.faults), *stuck(checkup.stuck))


def of_rules(machine: Frames) -> Iterator[Diagnostic]:
    """What was assumed about *machine* and cannot be shown by its readings alone."""
    for reading in machine.signature.readings:
        if reading.decided_by == BY_PLAY and reading.name == INPUTS and grid_size(reading.choice):
            yield _on_grid(machine, reading)
        if reading.decided_by == BY_PLAY and (reading.name, reading.choice) == (KEYS, ONE_KEY):
            yield _one_at_a_time(machine, reading)
    if machine.rules.told_early:
        yield _told_early(machine)
    yield from _not_understood(machine)
    yield from unsaid(machine, machine.rules.unsaid)


def _on_grid(machine: Frames, reading: Reading) -> Diagnostic:
    definition = machine.program.definition(NEW_STATE)
    return Diagnostic(
        codes.INPUTS_ON_GRID,
        "what a click does depends on its place in too many ways, so only a grid is clicked",
        primary=None if definition is None else _label(definition.name_span, "depends on it"),
        notes=(
            "as when the place of the mouse becomes a part of the state",
            f"read as `{reading.name}: {reading.choice}`: points {reading.choice.split()[1]} "
            "pixels apart stand for all others, and states between them are not seen",
        ),
        help="choose another grid with `--reading 'inputs=grid 20'`",
    )


def _one_at_a_time(machine: Frames, reading: Reading) -> Diagnostic:
    definition = machine.program.definition(NEW_STATE)
    return Diagnostic(
        codes.KEYS_ONE_AT_A_TIME,
        f"{len(machine.inputs.keys)} keys can be held in too many ways, so one is held at a time",
        primary=None if definition is None else _label(definition.name_span, "asks for them"),
        notes=(
            reading.reason,
            f"read as `{reading.name}: {reading.choice}`: what several keys do together, or with "
            "a click, is not seen",
        ),
        help="let conditions ask for fewer keys, or for one after the other in cases",
    )


def _told_early(machine: Frames) -> Diagnostic:
    texts = machine.rules.told_early
    names = machine.rules.may_end
    line = f"end: {names[0]}" if names else "end: NAME"
    holds = "which holds just there" if names else "with a relation that holds just there"
    tells, shown = ("tells", "it is") if len(texts) == 1 else ("tell", "they are")
    return Diagnostic(
        codes.END_GOES_ON,
        f"{listing([f'“{text}”' for text in texts[:_MOST_TEXTS]])} {tells} how play ended, "
        f"but where {shown} shown inputs lead on",
        primary=_written_at(machine, texts[0], "shown where play goes on"),
        notes=("assumed: play goes on there, and nobody has won",),
        help=f"add to a section called Reading `{line}`, {holds}",
    )


def _not_understood(machine: Frames) -> Iterator[Diagnostic]:
    """Readings about texts that there are not, or that say nothing about a player."""
    known = {text_key(text) for text in written_texts(machine.program)}
    names = [player.name for player in machine.signature.players]
    for reading in machine.signature.readings:
        key = reading.name.removeprefix(f"{RESULT} ")
        place = None if reading.span is None else Label(reading.span, "has no effect")
        if key == reading.name or (key in machine.judge.given and key in known):
            continue
        if key not in known:
            yield Diagnostic(
                codes.RESULT_NOT_UNDERSTOOD,
                f"the program has no text “{key}”",
                primary=place,
                help="write the text as the program does, in quotation marks",
            )
        else:
            first = names[0] if names else "NAME"
            yield Diagnostic(
                codes.RESULT_NOT_UNDERSTOOD,
                f"`{reading.choice}` does not say who wins with “{key}”",
                primary=place,
                notes=(f"the players are {listing(names)}" if names else "no players are known",),
                help=f'write `result "{key}": {first} wins`, `{first} loses` or `draw`',
            )


def unsaid(machine: Frames, texts: Sequence[str]) -> Iterator[Diagnostic]:
    """That *texts*, shown where play is over, do not say who wins: each counts as a draw.

    Values that are printed, as scores, are told of together: who wins is no matter of one number.
    """
    written = frozenset(written_texts(machine.program))
    for text in texts:
        if text in written:
            yield _unsaid_text(machine, text)
    printed = [f"“{text}”" for text in texts if text not in written]
    if printed:
        more = len(printed) - _MOST_PRINTED
        shown = [*printed[:_MOST_PRINTED], *([f"{more} more"] if more > 0 else [])]
        verb = "does" if len(printed) == 1 else "do"
        yield Diagnostic(
            codes.TEXT_NOT_JUDGED,
            f"{listing(shown)}, printed where play is over, {verb} not say who wins",
            notes=("assumed: it is a draw",),
            help="show a text that says who wins, or let a definition say it: write in a section "
            "called Reading `result: NAME` with the name of one whose value is the winner",
        )


def _unsaid_text(machine: Frames, text: str) -> Diagnostic:
    """That *text*, shown where play is over, does not say who wins; it counts as a draw."""
    names = [player.name for player in machine.signature.players]
    named = [names[each] for each in machine.judge.named(text)]
    why = f"names {listing(named)}" if named else "names no player"
    if not named and not machine.rules.names_somebody:
        why += ", and neither does any other text there"
    first = named[0] if named else names[0]
    line = f'result "{text}": {first} wins'
    return Diagnostic(
        codes.TEXT_NOT_JUDGED,
        f"“{text}”, shown where play is over, does not say who wins: it {why}",
        primary=_written_at(machine, text, "counts as a draw"),
        notes=("assumed: it is a draw",),
        help=f"add to a section called Reading `{line}`, `{first} loses` or `draw`",
    )


def _written_at(machine: Frames, text: str, words: str) -> Label | None:
    for definition in machine.program.definitions:
        for piece in pieces(definition):
            if isinstance(piece, ir.Literal) and piece.value == Text(text):
                return _label(piece.span, words)
    return None


def of_states(
    machine: Frames,
    states: Iterable[State],
    *,
    play: Callable[[State], Sequence[Move]],
    look: Look,
    is_complete: bool,
) -> Iterator[Diagnostic]:
    """What *states* show; where no more may be spent, what those before it did."""
    review = _Review(machine, look)
    try:
        for state in states:
            review.take(state)
    except LimitReached:
        yield from review.said(play)
        raise
    yield from review.said(play)
    if is_complete:
        yield from review.never_taken()


@dataclass(slots=True)
class _Guarded:
    """A definition with several guards, and what is known about its cases."""

    definition: ir.ProgramDefinition
    depends_on_state: bool
    guards: list[str | None]
    """The name of each guard as a definition of its own."""
    values: list[str]
    """The name of each value as a definition of its own."""
    seen: set[tuple[Value, ...]] = field(default_factory=set)
    taken: set[int] = field(default_factory=set)
    clash: _Clash | None = None


@dataclass(frozen=True, slots=True)
class _Clash:
    """Two cases that hold at once with different values."""

    state: State
    arguments: tuple[Value, ...]
    cases: tuple[int, int]


class _Review:
    """Looks at states one after the other."""

    def __init__(self, machine: Frames, look: Look) -> None:
        self._machine = machine
        self._look = look
        self._guarded: list[_Guarded] = []
        extra: list[ir.ProgramDefinition] = []
        for definition in machine.program.definitions:
            self._add(definition, extra)
        everything = (*machine.program.definitions, *extra)
        self._evaluator = ProgramEvaluator(
            replace(machine.program, definitions=everything),
            keep=frozenset(each.definition.name for each in self._guarded),
        )
        self._images: dict[Diagnostic, State] = {}
        self._unsaid: dict[str, State] = {}
        self._written = frozenset(written_texts(machine.program))
        """Texts at the end that do not say who wins, besides those that were seen before."""

    def _add(self, definition: ir.ProgramDefinition, extra: list[ir.ProgramDefinition]) -> None:
        """Note *definition* if it has several guards; each guard and value gets a name."""
        on = self._machine.evaluator.dependence(definition.name)
        if on.on_input or all(case.guard is None for case in definition.cases):
            return

        def named(what: str, expr: ir.Expr, case: ir.Case) -> str:
            name = f"{definition.name} {what}"
            only = ir.Case(expr, span=case.span)
            extra.append(replace(definition, name=name, cases=(only,)))
            return name

        cases = list(enumerate(definition.cases))
        values = [named(f"value {at}", case.value, case) for at, case in cases]
        guards = [
            None if case.guard is None else named(f"guard {at}", case.guard, case)
            for at, case in cases
        ]
        self._guarded.append(_Guarded(definition, on.on_state, guards, values))

    def take(self, state: State) -> None:
        value = state.values[0]
        images = self._evaluator.value(IMAGES, state=value)
        self._evaluator.value(NEW_STATE, state=value, input=Input())
        move = next(iter(self._machine.effects(state)), None)
        given = None if move is None else input_of(move)
        if given is not None:
            self._evaluator.value(NEW_STATE, state=value, input=given)
        calls = [(each, self._evaluator.calls(each.definition.name)) for each in self._guarded]
        for each, arguments in calls:
            for call in arguments:
                self._try(each, call, state)
        self._judge(state)
        if len(self._images) < _MOST_IMAGES and self._machine.program.definition(IMAGES):
            for said in self._look(images):
                self._images.setdefault(said, state)

    def _judge(self, state: State) -> None:
        machine = self._machine
        has_rivals = len(machine.signature.players) > 1 and machine.rules.result is None
        if has_rivals and machine.is_over(state):
            for text in machine.unsaid(machine.told(state)):
                if text not in machine.rules.unsaid and not self._is_told_of(text):
                    self._unsaid.setdefault(text, state)

    def _is_told_of(self, text: str) -> bool:
        """Whether *text* is a value that is printed, as another of which it is told already."""
        told = {*self._machine.rules.unsaid, *self._unsaid}
        return text not in self._written and not told <= self._written

    def _try(self, guarded: _Guarded, call: tuple[Value, ...], state: State) -> None:
        if not guarded.depends_on_state:
            if call in guarded.seen:
                return
            guarded.seen.add(call)
        holding = [
            number
            for number, guard in enumerate(guarded.guards)
            if guard is not None and self._value(guard, call, state) is TRUE
        ]
        first = holding[0] if holding else len(guarded.guards)
        plain_case = next((n for n, guard in enumerate(guarded.guards) if guard is None), first)
        guarded.taken.add(min(first, plain_case))
        if guarded.clash is None and len(holding) > 1:
            guarded.clash = self._clash(guarded, call, state, holding)

    def _clash(
        self, guarded: _Guarded, call: tuple[Value, ...], state: State, holding: Sequence[int]
    ) -> _Clash | None:
        first = self._value(guarded.values[holding[0]], call, state)
        guards = [_conditions(case.guard) for case in guarded.definition.cases]
        for other in holding[1:]:
            # A case that says all that the other does and more stands before its rest.
            if all(each in guards[holding[0]] for each in guards[other]):
                continue
            # What is asked otherwise, as `full` before `turn = "X"`, is meant from top to bottom.
            if not _are_alike(guarded.definition, holding[0], other):
                continue
            if first != self._value(guarded.values[other], call, state):
                return _Clash(state, call, (holding[0], other))
        return None

    def _value(self, name: str, call: tuple[Value, ...], state: State) -> Value:
        return self._evaluator.value(name, call, state=state.values[0])

    def said(self, play: Callable[[State], Sequence[Move]]) -> Iterator[Diagnostic]:
        for diagnostic, state in self._images.items():
            yield replace(diagnostic, notes=(*diagnostic.notes, *_evidence(play(state), state)))
        for text, state in self._unsaid.items():
            for asked in unsaid(self._machine, (text,)):
                yield replace(asked, notes=(*asked.notes, *_evidence(play(state), state)))
        for guarded in self._guarded:
            if guarded.clash is not None:
                yield _at_once(guarded.definition, guarded.clash, play(guarded.clash.state))

    def never_taken(self) -> Iterator[Diagnostic]:
        """Cases of constants of the display that no state takes."""
        asked = reached(self._machine.program, NEW_STATE)
        moving = {NEW_STATE, *(piece.name for piece in asked if isinstance(piece, ir.Global))}
        for guarded in self._guarded:
            definition = guarded.definition
            if definition.parameters or definition.name in moving or not guarded.taken:
                continue
            for number, case in enumerate(definition.cases):
                if number not in guarded.taken:
                    yield Diagnostic(
                        codes.CASE_NEVER_TAKEN,
                        f"this case of `{definition.name}` is taken in no reachable state",
                        primary=_label(case.span, "never taken"),
                    )


def _conditions(guard: ir.Expr | None) -> list[ir.Expr]:
    if isinstance(guard, ir.Conjunction):
        return [*_conditions(guard.left), *_conditions(guard.right)]
    return [] if guard is None else [guard]


def _are_alike(definition: ir.ProgramDefinition, first: int, second: int) -> bool:
    """Whether two cases have conditions of the same form, about different values."""
    one, two = (_conditions(definition.cases[number].guard) for number in (first, second))
    return any(_form(each) == _form(other) for each in one for other in two)


def _form(value: object) -> object:
    """*value*, a condition or a part of one, with its constants and the places left out."""
    match value:
        case ir.Literal():
            return ir.Literal
        case ir.IrNode():
            parts = [getattr(value, each.name) for each in fields(value) if each.compare]
            return type(value), *map(_form, parts)
        case tuple():
            return tuple(map(_form, value))
        case _:
            return value


def _at_once(definition: ir.ProgramDefinition, clash: _Clash, play: Sequence[Move]) -> Diagnostic:
    named = zip(definition.parameters, clash.arguments, strict=True)
    where = ", ".join(f"{name} = {plain(value)}" for name, value in named)
    first, second = (definition.cases[number] for number in clash.cases)
    after = "" if not play else f", after {number_of(play)}"
    return Diagnostic(
        codes.CASES_AT_ONCE,
        f"two cases of `{definition.name}` hold at once{f' for {where}' if where else ''}{after}; "
        "the first is taken",
        primary=_label(_place(first), "this one is taken"),
        secondary=tuple(filter(None, [_label(_place(second), "this one holds, too")])),
        notes=tuple(_evidence(play, clash.state)),
        help="let the conditions exclude each other, or the moves that lead there",
    )


def _place(case: ir.Case) -> Span:
    if case.span != NOWHERE:
        return case.span
    return case.value.span if case.guard is None else case.guard.span


def _evidence(play: Sequence[Move], state: State) -> Iterator[str]:
    yield f"play: {play_to_text(play)}"
    yield f"then: {state.names[0]} = {plain(state.values[0])}"


def _label(span: Span, words: str) -> Label | None:
    return None if span == NOWHERE else Label(span, words)
