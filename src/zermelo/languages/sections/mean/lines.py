"""Lines that stand under each other in a conclusion: together, or one after the other.

``G = {a}`` and below it ``F = F ∪ G``: does the second line see what the first one did? What the
lines read of each other decides; where it does not, both are played, and if need be it is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Final

from zermelo.core.signature import BY_DOCUMENT, BY_EVIDENCE, LINES, Reading
from zermelo.languages.sections import ir
from zermelo.languages.sections.ir import Lines
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.flags import is_read_early
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.walk import Footprints, free_locals, groups_of, rest_of
from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.diagnostic import Checked, Diagnostic, Label, label_at
from zermelo.text.source import Source, Span

_STEPS_OF_A_LINE: Final = 4
_CHOICES: Final = tuple(each.value for each in Lines)


@dataclass(frozen=True, slots=True)
class _Line:
    """One assignment as it is written, with all the names that it gives a value."""

    span: Span
    gives: frozenset[str]
    reads: frozenset[str]
    is_copy: bool
    """Whether its right side is a name alone."""
    text: str


@dataclass(frozen=True, slots=True)
class _Pair:
    """A line that reads what one above it gives a value."""

    name: str
    above: _Line
    below: _Line
    is_local: bool = False
    is_fresh: bool = False
    """Whether nothing reads what it was before the conclusion."""


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What the lines of a conclusion show; ``None`` where both readings make sense."""

    choice: Lines | None
    pair: _Pair
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Stack:
    """A rule with lines that read each other."""

    procedure: str
    rule: ir.Rule
    evidence: _Evidence

    @property
    def own_name(self) -> str:
        return readings.lines_of(f"rule {self.rule.label} of {self.procedure}")


def with_lines(
    system: ir.System, *, source: Source, given: Mapping[str, Choice]
) -> Checked[ir.System]:
    """*system* with the lines of its conclusions read as they show it or *given* says.

    Adds the reading ``lines of NAME`` for every procedure that has lines which read each other,
    or for each such rule where its rules show different things.
    """
    stacks = _Stacks(system, source).found()
    decided: dict[str, Reading] = {}
    chosen: dict[tuple[str, str], Lines] = {}
    said: list[Diagnostic] = []
    for procedure, group in groupby(stacks, key=lambda stack: stack.procedure):
        for name, stack in _named(procedure, tuple(group), given):
            if name not in decided:
                decided[name] = _decided(name, stack.evidence, given)
                said += _shown(decided[name], stack)
            chosen[procedure, stack.rule.label] = Lines(decided[name].choice)
    said += _of_nothing(given, decided)
    procedures = tuple(_with_rules(p, chosen) for p in system.procedures)
    listed = (*system.readings, *decided.values())
    return Checked(replace(system, procedures=procedures, readings=listed), tuple(said))


def _named(
    procedure: str, stacks: tuple[_Stack, ...], given: Mapping[str, Choice]
) -> Iterator[tuple[str, _Stack]]:
    """Each of *stacks* with the name of the reading that decides it."""
    whole = readings.lines_of(procedure)
    is_one = whole in given or len({stack.evidence.choice for stack in stacks}) == 1
    for stack in stacks:
        yield whole if is_one and stack.own_name not in given else stack.own_name, stack


def _decided(name: str, evidence: _Evidence, given: Mapping[str, Choice]) -> Reading:
    span = evidence.pair.below.span
    if evidence.choice is None:
        return readings.decide(name, _CHOICES, given=given, span=span)
    reading = readings.decide(
        name,
        _CHOICES,
        given=given,
        default=evidence.choice.value,
        reason=evidence.reason,
        span=span,
    )
    return reading if name in given else replace(reading, decided_by=BY_EVIDENCE)


def _shown(reading: Reading, stack: _Stack) -> Iterator[Diagnostic]:
    if reading.decided_by != BY_EVIDENCE:
        return
    pair = stack.evidence.pair
    other = next(choice for choice in _CHOICES if choice != reading.choice)
    age = "new" if reading.choice == Lines.ONE_AFTER_THE_OTHER.value else "old"
    yield Diagnostic(
        codes.LINES_BY_EVIDENCE,
        f"the lines of this conclusion are read {reading.choice}: "
        f"`{pair.below.text}` sees the {age} `{pair.name}`",
        primary=Label(pair.below.span, f"reads `{pair.name}`"),
        secondary=(Label(pair.above.span, f"gives `{pair.name}` a value"),),
        notes=(reading.reason,),
        help=f"if that is not meant, say so in a Reading section: `{reading.name}: {other}`",
    )


def _of_nothing(
    given: Mapping[str, Choice], decided: Mapping[str, Reading]
) -> Iterator[Diagnostic]:
    for name, choice in given.items():
        if name.startswith(LINES) and name not in decided and choice.decided_by == BY_DOCUMENT:
            yield Diagnostic(
                codes.READING_OF_NOTHING,
                f"the reading `{name}` decides nothing: "
                "no line of a conclusion there reads what one above it gives a value",
                primary=label_at(choice.span, "has no effect"),
            )


def _with_rules(
    procedure: ir.Procedure, chosen: Mapping[tuple[str, str], Lines], *, others: Lines | None = None
) -> ir.Procedure:
    """*procedure* with the lines of each rule read as *chosen*, or as *others*."""

    def changed(statement: ir.Statement) -> ir.Statement:
        if not isinstance(statement, ir.Rule):
            return statement
        inner = tuple(map(changed, statement.conclusion))
        lines = chosen.get((procedure.name, statement.label), others or statement.lines)
        return replace(statement, conclusion=inner, lines=lines)

    return replace(procedure, body=tuple(map(changed, procedure.body)))


# What the lines show


@dataclass
class _Stacks:
    """Looks for lines that read each other."""

    system: ir.System
    source: Source
    _early: dict[tuple[str, bool], bool] = field(default_factory=dict)

    @cached_property
    def footprints(self) -> Footprints:
        return Footprints(self.system)

    def found(self) -> tuple[_Stack, ...]:
        return tuple(
            stack
            for procedure in self.system.procedures
            for stack in self._in_body(
                procedure, procedure.body, frozenset(p.name for p in procedure.parameters)
            )
        )

    def _in_body(
        self, procedure: ir.Procedure, body: tuple[ir.Statement, ...], known: frozenset[str]
    ) -> Iterator[_Stack]:
        """*known* are the names that have been given a value in this call, whatever the guards."""
        for statement in body:
            if isinstance(statement, ir.Rule):
                yield from self._in_rule(procedure, statement, known)
            known |= _given(statement)

    def _in_rule(
        self, procedure: ir.Procedure, rule: ir.Rule, known: frozenset[str]
    ) -> Iterator[_Stack]:
        lines = self._lines(rule)
        pairs = [self._judged(pair, known) for pair in _pairs(lines)]
        # What stands on one line is together, unless the name has no value before it.
        pairs = [
            pair
            for pair in pairs
            if self._row(pair.above) != self._row(pair.below) or (pair.is_local and pair.is_fresh)
        ]
        if pairs:
            yield _Stack(procedure.name, rule, _evidence(pairs, lines))
        inside = known.union(*(line.gives for line in lines))
        yield from self._in_body(procedure, rest_of(rule), inside)

    def _lines(self, rule: ir.Rule) -> tuple[_Line, ...]:
        steps = [step for group in groups_of(rule) for step in group]
        # Names that are given a value by one assignment, as in ``(a, b) = e``, share its place.
        found = []
        for span, group in groupby(sorted(steps, key=_place), key=lambda step: step.span):
            whole = tuple(group)
            hidden = {n for s in whole if isinstance(s, ir.Let) and s.is_hidden for n in s.names}
            values = [step.value for step in whole]
            locals_ = frozenset().union(*map(free_locals, values))
            found.append(
                _Line(
                    span,
                    frozenset().union(*map(_given, whole)) - hidden,
                    (self.footprints.reads(values) | locals_) - hidden,
                    all(isinstance(value, ir.Ref | ir.Local) for value in values),
                    " ".join(self.source.slice(span).split()),
                )
            )
        return tuple(found)

    def _judged(self, pair: _Pair, known: frozenset[str]) -> _Pair:
        name = pair.name
        is_local = self.system.variable(name) is None
        # What the end reads is what the move left; but a copy may keep what a name was before.
        by_moves = not pair.below.is_copy
        is_fresh = name not in known and (
            is_local or not self._is_read_early(name, by_moves=by_moves)
        )
        return replace(pair, is_local=is_local, is_fresh=is_fresh)

    def _row(self, line: _Line) -> int:
        return self.source.line_of(line.span.start)

    def _is_read_early(self, name: str, *, by_moves: bool) -> bool:
        """Whether a turn may read the variable *name* before it gives it a value.

        With *by_moves* only what the moves do counts, and not what the end reads after them.
        """
        key = name, by_moves
        if key not in self._early:
            system = self._one_by_one
            if by_moves and system.end is not None:
                without = replace(system.end, body=())
                others = (without if p is system.end else p for p in system.procedures)
                system = replace(system, procedures=tuple(others))
            self._early[key] = is_read_early(system, Footprints(system), name)
        return self._early[key]

    @cached_property
    def _one_by_one(self) -> ir.System:
        """The system in which everything sees what stands before it."""
        last = Lines.ONE_AFTER_THE_OTHER
        procedures = tuple(
            replace(_with_rules(p, {}, others=last), order=ir.Order.IN_ORDER)
            for p in self.system.procedures
        )
        return replace(self.system, procedures=procedures)


def _pairs(lines: tuple[_Line, ...]) -> Iterator[_Pair]:
    """The lines that read what one above them gives, each with the first that does."""
    givers: dict[str, _Line] = {}
    for below in lines:
        for name in sorted(below.reads & givers.keys()):
            yield _Pair(name, givers[name], below)
        for name in below.gives:
            givers.setdefault(name, below)


def _evidence(pairs: Sequence[_Pair], lines: tuple[_Line, ...]) -> _Evidence:
    """What all *pairs* show; a name that has no value before leaves no choice."""
    shown = [_shown_by(pair, lines) for pair in pairs]
    without = [each for each in shown if each.pair.is_local and each.pair.is_fresh]
    certain = without or [each for each in shown if each.choice is not None]
    if len({each.choice for each in certain}) == 1:
        return certain[0]
    return _Evidence(None, pairs[0])


def _shown_by(pair: _Pair, lines: tuple[_Line, ...]) -> _Evidence:
    if pair.name in pair.below.gives:
        reason = f"`{pair.name}` gets two values here, and together the first would be lost"
        return _Evidence(Lines.ONE_AFTER_THE_OTHER, pair, reason)
    is_exchange = pair.above.is_copy and _is_in_circle(pair, lines)
    if pair.is_fresh and (pair.is_local or not is_exchange):
        reason = f"nothing uses a value that `{pair.name}` had before this conclusion"
        return _Evidence(Lines.ONE_AFTER_THE_OTHER, pair, reason)
    # In a longer circle a name that nothing else uses may be there to keep a value for a while.
    if is_exchange and (not pair.is_fresh or pair.above.reads & pair.below.gives):
        reason = (
            f"`{pair.above.text}` and `{pair.below.text}` exchange values: "
            "each needs one that is overwritten"
        )
        return _Evidence(Lines.TOGETHER, pair, reason)
    return _Evidence(None, pair)


def _is_in_circle(pair: _Pair, lines: tuple[_Line, ...]) -> bool:
    """Whether the line above reads, perhaps through others, what the line below gives."""
    reached, waiting = {pair.above}, [pair.above]
    while waiting:
        spend(_STEPS_OF_A_LINE * len(lines), "looking at lines of a conclusion")
        at = waiting.pop()
        nearby = [each for each in lines if each not in reached and at.reads & each.gives]
        reached.update(nearby)
        waiting += nearby
    return pair.below in reached


def _place(step: ir.Assign | ir.Let) -> tuple[int, int]:
    return step.span.start, step.span.end


def _given(statement: ir.Statement) -> frozenset[str]:
    """The names that *statement* gives a value for certain."""
    match statement:
        case ir.Assign(variable=name):
            return frozenset({name})
        case ir.Let(names=names):
            return frozenset(names)
        case _:
            return frozenset()
