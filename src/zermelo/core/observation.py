"""What was seen while a model was played: evidence, and the diagnostics all languages make of it.

Engines play and make these records; what else they mean, the language of the document tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from zermelo.core.machine import Ending, Fault, FaultKind, Outcome, Turn
from zermelo.core.signature import Asked, RuleName, Signature
from zermelo.core.space import FaultFound, Space, Walked
from zermelo.core.state import Move, State, number_of, play_to_text
from zermelo.core.values import Value
from zermelo.text import codes
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.prose import count
from zermelo.text.source import NOWHERE

MOVES_FOR_RULES: Final = 5_000
"""In a space with more moves not every one is looked into for the rules that fired."""


_ONLY_STATE: Final = "in the only reachable state"


@dataclass(frozen=True, slots=True)
class Step:
    """A turn, and the play that ends with it."""

    turn: Turn
    play: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class PlayEnd:
    """A state in which no move is left."""

    state: State
    outcome: Outcome | None
    """``None`` when it is stuck and no reading says what that means."""
    play: tuple[Move, ...]

    @property
    def is_stuck(self) -> bool:
        return self.outcome is None or self.outcome.ending is Ending.STUCK


@dataclass(frozen=True, slots=True)
class Observation:
    """What was seen while playing."""

    steps: tuple[Step, ...]
    """The turns that were made, near the start first."""
    faults: Mapping[Fault, Step]
    """What went wrong, each with the first turn in which it did."""
    idle: tuple[Step, ...]
    """Inputs that were tried and had no effect."""
    halts: tuple[PlayEnd, ...]
    """Where plays ended or got stuck."""
    states: int
    is_complete: bool
    unfinished: int
    """How many random plays were broken off because they were too long."""
    cut: str | None
    """Why it was stopped, where a limit of this work did."""

    @property
    def fired(self) -> Mapping[RuleName, tuple[Move, ...]]:
        """Each rule that fired, with the first play in which it did."""
        plays: dict[RuleName, tuple[Move, ...]] = {}
        for step in (*self.steps, *self.idle):
            for rule in step.turn.fired:
                plays.setdefault(rule, step.play)
        return plays

    @property
    def turns(self) -> tuple[tuple[State, Move, State], ...]:
        """The turns that had an effect: the state before, the move, the state after."""
        found = (step.turn for step in self.steps)
        return tuple((t.before, t.move, t.after) for t in found if t.after is not None)

    @property
    def ends(self) -> tuple[PlayEnd, ...]:
        """Where plays ended, the shortest first."""
        return tuple(sorted((h for h in self.halts if not h.is_stuck), key=_length))

    @property
    def stuck(self) -> tuple[PlayEnd, ...]:
        """Where plays got stuck, the shortest first."""
        return tuple(sorted((h for h in self.halts if h.is_stuck), key=_length))


NOTHING_SEEN: Final = Observation(
    steps=(), faults={}, idle=(), halts=(), states=0, is_complete=False, unfinished=0, cut=None
)


def _length(halt: PlayEnd) -> int:
    return len(halt.play)


def results_reached(signature: Signature, states: Iterable[State]) -> frozenset[Value]:
    """The values that the result has in *states*, and the members it has."""
    name = signature.result
    reached: set[Value] = set()
    for state in states:
        if name is not None and name in state.names:
            value = state[name]
            reached |= value if isinstance(value, frozenset) else {value}
    return frozenset(reached)


def among_reachable(states: int) -> str:
    """Where something was looked for, if all *states* that can be reached were seen.

    >>> among_reachable(1), among_reachable(2000)
    ('in the only reachable state', 'in any of the 2,000 reachable states')
    """
    return f"in any of the {states:,} reachable states" if states != 1 else _ONLY_STATE


@dataclass(frozen=True, slots=True)
class BrokenInvariant:
    """A claim that is broken in a state: see ``Claim``."""

    invariant: int
    """Its place among the claims of the document; the invariants come first."""
    state: State
    fault: Fault | None
    """The reason why it is undecided, if it is."""
    play: tuple[Move, ...]
    count: int | None = None
    """In how many of the states that were counted; ``None`` if that is not known."""


@dataclass(frozen=True, slots=True)
class FlagStays:
    """An input that changes only a flag, and what becomes possible by it when the flag is kept."""

    flag: str
    value: Value
    """What the flag stays at."""
    play: tuple[Move, ...]
    """The play whose last move changes only flags."""
    then: Move | None
    """A move that is possible only because of it, if there is one."""


@dataclass(frozen=True, slots=True)
class Endless:
    """A state after which no play ends, and how many such states there are."""

    state: State
    play: tuple[Move, ...]
    count: int


@dataclass(frozen=True, slots=True)
class ChangedResult:
    """A play whose last move changes a result that was there before it."""

    before: Value
    after: Value
    play: tuple[Move, ...]
    state: State
    """The one after the play."""


@dataclass(frozen=True, slots=True)
class Checkup:
    """What playing showed."""

    space: Walked
    """The states near the start, themselves."""
    deep: Observation
    """Plays that went deep."""
    faults: tuple[FaultFound, ...]
    broken: tuple[BrokenInvariant, ...]
    stuck: PlayEnd | None
    """A play after which a player is stuck, of itself and not by a fault, without a result."""
    never_fired: tuple[RuleName, ...]
    never_reached: tuple[Value, ...]
    """Results with which no play ended."""
    has_end: bool
    flags: tuple[FlagStays, ...]
    has_seen_all_rules: bool
    """Whether every turn that can be made was looked into for the rules that fired."""
    has_seen_all_claims: bool = False
    """Whether every state that can be reached was looked at for claims that are broken."""
    endless: Endless | None = None
    changed: ChangedResult | None = None
    wide: Space | None = None
    """All states that compiled code reached, where those near the start are not all."""

    @property
    def counted(self) -> Space:
        """The most states that were counted."""
        return self.space if self.wide is None else self.wide

    @property
    def is_complete(self) -> bool:
        return self.counted.is_complete


@dataclass(frozen=True, slots=True)
class Answered:
    """A finding of which the document says that it is intended."""

    code: str
    words: str
    """Words of the line that it is about."""
    reason: str

    def __str__(self) -> str:
        return f"{self.code} at {self.words}" + (f" ({self.reason})" if self.reason else "")


class Answer(Enum):
    """What is known of a property."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class PropertyVerdict:
    """A property, and what was found out of it."""

    text: str
    answer: Answer
    states: int
    """In how many states it was looked for."""
    count: int | None
    """In how many of them the formula holds that is asked for, or does not if it always is to."""
    shown_by: BrokenInvariant | None
    """The play and the state that decide it, where one does."""

    def __str__(self) -> str:
        return f"{self.text}: {self.answer.value}; {self.why}"

    @property
    def why(self) -> str:
        """What shows it, in a sentence without its play."""
        if self.answer is Answer.UNDECIDED:
            return f"nothing decides it in the {self.states:,} states seen, which are not all"
        if self.shown_by is None:
            return f"in {'the only' if self.states == 1 else f'all {self.states:,}'} " + (
                "reachable state" if self.states == 1 else "reachable states"
            )
        if self.shown_by.fault is not None:
            return f"it has no value after {number_of(self.shown_by.play)}"
        often = "" if not self.count else f", and in {count(self.count, 'state')} altogether"
        return f"seen after {number_of(self.shown_by.play)}{often}"


def property_verdicts(signature: Signature, checkup: Checkup) -> tuple[PropertyVerdict, ...]:
    """What *checkup* has found out of the properties among the claims of *signature*."""
    broken = {each.invariant: each for each in checkup.broken}
    wide = checkup.wide
    # Where the time was over before, claims were looked at near the start only.
    looked_at = checkup.space if wide is None or wide.broken is None else wide
    found: list[PropertyVerdict] = []
    for number, claim in enumerate(signature.claims):
        if claim.asked is None:
            continue
        shown = broken.get(number)
        is_shown = Answer.HOLDS if claim.asked is Asked.SOMETIMES else Answer.FAILS
        is_not = Answer.FAILS if claim.asked is Asked.SOMETIMES else Answer.HOLDS
        if shown is not None and shown.fault is not None:
            # Where a formula has no value nobody knows whether it holds.
            is_shown = Answer.FAILS
        unseen = is_not if checkup.has_seen_all_claims else Answer.UNDECIDED
        found.append(
            PropertyVerdict(
                claim.text,
                unseen if shown is None else is_shown,
                looked_at.states,
                None if shown is None else shown.count,
                shown,
            )
        )
    return tuple(found)


def confirmed_facts(signature: Signature, checkup: Checkup) -> tuple[str, ...]:
    """The facts that hold in every state that can be reached."""
    broken = {each.invariant for each in checkup.broken}
    if not checkup.has_seen_all_claims:
        return ()
    facts = [
        at
        for at, claim in enumerate(signature.claims)
        if claim.asked is None and not claim.is_suspicion
    ]
    return tuple(signature.claims[at].text for at in facts if at not in broken)


class Objection(Enum):
    """What can speak against a reading."""

    CONFLICT = "conflict"
    NEVER_MOVES = "a player never moves"
    TURN_TWICE = "the turn passes twice"
    NO_MOVE = "no move"
    NO_END = "no end"
    STUCK = "every play got stuck"
    END_NOT_SEEN = "no end was seen"
    RULES_NEVER_FIRED = "rules never fired"
    RESULTS_NEVER_REACHED = "results never reached"
    ONLY_FLAGS = "inputs that change only flags"
    UNDONE = "rules undo each other"
    LATE = "an input only does what one before it left"
    FAULT = "fault"


_MARKS: Final = frozenset(
    {
        Objection.END_NOT_SEEN,
        Objection.RULES_NEVER_FIRED,
        Objection.RESULTS_NEVER_REACHED,
        Objection.ONLY_FLAGS,
        Objection.UNDONE,
        Objection.LATE,
        Objection.FAULT,
    }
)

UNSEEN: Final = frozenset({Objection.RULES_NEVER_FIRED, Objection.RESULTS_NEVER_REACHED})
"""What was only missed: it may be there where nobody looked."""


@dataclass(frozen=True, slots=True)
class Point:
    """Something that speaks against a reading."""

    kind: Objection
    text: str
    """A sentence, without a full stop."""
    weight: int = 1
    """How many marks it counts for."""
    play: tuple[Move, ...] | None = None
    """The play that shows it, if one does."""

    def __str__(self) -> str:
        return f"{self.text}; play: {play_to_text(self.play)}" if self.play else self.text


@dataclass(frozen=True, slots=True)
class Verdict:
    """What playing says of a machine."""

    reasons: tuple[Point, ...]
    """Why it is not playable."""
    marks: tuple[Point, ...]
    """What counts against it."""
    shortest: tuple[Move, ...] | None
    """The shortest play to an end that was seen."""
    states: int
    """In how many states this was seen."""
    is_played: bool = True
    """Whether anybody plays for something; a lift or a lock only runs."""

    @property
    def is_playable(self) -> bool:
        return not self.reasons

    @property
    def weight(self) -> int:
        return sum(mark.weight for mark in self.marks)

    @property
    def has_moves(self) -> bool:
        return all(reason.kind is not Objection.NO_MOVE for reason in self.reasons)

    @property
    def lacks_only_an_end(self) -> bool:
        """Whether the only thing against it is that no end was seen, and there may be one."""
        kinds = {point.kind for point in (*self.reasons, *self.marks)}
        return (not kinds - _MARKS and Objection.END_NOT_SEEN in kinds) or kinds - _MARKS == {
            Objection.STUCK
        }

    @property
    def misses_something(self) -> bool:
        """Whether it is playable, and some of the document was not seen at work."""
        return self.is_playable and any(mark.kind in UNSEEN for mark in self.marks)

    def rank(self) -> tuple[int, int, int]:
        """Orders verdicts: the playable first, then by what is against them."""
        unseen = sum(mark.kind is Objection.END_NOT_SEEN for mark in self.marks)
        return len(self.reasons), unseen, self.weight


@dataclass(frozen=True, slots=True)
class Difference:
    """The first play at which another reading differs from the one taken."""

    play: tuple[Move, ...]
    taken: str
    other: str
    is_shortest: bool
    """Whether no shorter play tells them apart."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What playing decides."""

    choices: Mapping[str, str]
    """The choice for each reading that was open and tried."""
    reasons: Mapping[str, str]
    """Why, for each of them."""
    verdict: Verdict | None
    """What playing says of the machine that is taken; ``None`` when nothing was tried."""
    against: Mapping[str, Verdict]
    """What it says of each order of the rules that was tried."""
    turns: tuple[tuple[State, Move, State], ...] | None = field(repr=False, compare=False)
    """The turns that the machine which is taken was seen to make; ``None`` when it was not."""
    undecided: Mapping[str, tuple[str, Difference]] = field(default_factory=dict)
    """The readings of which another choice is as good, with that, and where they part."""


FAULTS: Final[Mapping[FaultKind, Code]] = {
    FaultKind.CONFLICT: codes.CONFLICT,
    FaultKind.OUTSIDE: codes.LEFT_ITS_SET,
    FaultKind.UNDEFINED: codes.UNDEFINED,
    FaultKind.ENDLESS: codes.ENDLESS,
    FaultKind.UNLISTED: codes.ENDLESS,
}
HELP: Final[Mapping[FaultKind, str]] = {
    FaultKind.OUTSIDE: "add the condition to the rule's guard, or declare a larger set",
    FaultKind.UNDEFINED: "let the guard say first when the expression has a value",
    FaultKind.ENDLESS: "give the recursion a guard that ends it, or the set a bound",
    FaultKind.UNLISTED: "let the guards say which arguments matter, or take smaller sets",
}
ABSENCES: Final = frozenset({codes.NEVER_FIRED, codes.NEVER_REACHED, codes.NO_END_REACHED})
"""What was not seen, which tells nothing of a run that was cut short before it had seen much."""
CONSEQUENCES: Final = frozenset(
    {
        codes.NO_PLAYABLE_READING,
        codes.READING_BY_PLAYING,
        codes.STUCK,
        *ABSENCES,
        codes.STARTS_OVER,
        codes.OVER_WITHOUT_RESULT,
        codes.NO_WAY_TO_AN_END,
        codes.RESULT_CHANGES,
        codes.TOO_EXACT,
        codes.TWO_RESULTS,
        codes.GROUPING,
        codes.JUMPED_OVER,
        codes.LATE,
    }
)
"""What may be found only because a part of the document could not be used."""
BY_PLAYING: Final = frozenset(
    {*CONSEQUENCES, *FAULTS.values(), codes.INVARIANT_BROKEN, codes.FLAG_STAYS}
)
"""What playing shows, and no reading of the text."""


def in_spite_of(
    said: Sequence[Diagnostic], found: Sequence[Diagnostic], *, is_assumed: bool = False
) -> tuple[Diagnostic, ...]:
    """What playing has *found*, without mere consequences of errors that were *said* before.

    *is_assumed* tells that something else may be the cause: what was assumed to be able to play.
    """
    if not is_assumed and not has_lost_something(said):
        return tuple(found)
    return tuple(each for each in found if each.code not in CONSEQUENCES)


def without_effects_of_faults(
    said: Sequence[Diagnostic], found: Sequence[Diagnostic]
) -> tuple[Diagnostic, ...]:
    """*said* and *found* without what was not seen only because faults stop moves.

    A conflict is another matter: it is about the order of the rules, as are the words on orders.
    """
    stopping = {code for kind, code in FAULTS.items() if kind is not FaultKind.CONFLICT}
    both = (*said, *found)
    if stopping.isdisjoint(each.code for each in found):
        return both
    effects = {codes.NO_PLAYABLE_READING, *ABSENCES}
    return tuple(each for each in both if each.code not in effects)


def has_lost_something(said: Sequence[Diagnostic]) -> bool:
    """Whether a part of the document could not be used."""
    return any(each.is_error and each.code not in BY_PLAYING for each in said)


def faults(
    found: Sequence[FaultFound],
    *,
    otherwise: Callable[[Fault], Label | None] = lambda _: None,
    help: Mapping[FaultKind, str] = HELP,  # noqa: A002 - as in Diagnostic
    assumed: Callable[[Fault], Sequence[str]] = lambda _: (),
) -> Iterator[Diagnostic]:
    """One diagnostic for each place and kind: the values differ, the cause does not.

    A fault without a place is shown where *otherwise* says; *assumed* is what is done about it.
    """
    shown: set[tuple[FaultKind, str, str | None]] = set()
    for each in found:
        fault = each.fault
        key = (fault.kind, fault.procedure, fault.rule)
        if key in shown:
            continue
        shown.add(key)
        has_place = fault.span is not None and fault.span != NOWHERE
        where = f"rule {fault.rule} of {fault.procedure}" if fault.rule else fault.procedure
        yield Diagnostic(
            FAULTS[fault.kind],
            fault.message,
            primary=Label(fault.span, "here") if has_place and fault.span else otherwise(fault),
            notes=(
                f"in {where}",
                *evidence(each.play, each.state, state_words="before the move"),
                *assumed(fault),
            ),
            help=fault.help or help.get(fault.kind),
            # The last move is the one that goes wrong.
            play=moves_of(each.play[:-1]),
        )


def stuck(
    halt: PlayEnd | None,
    *,
    primary: Label | None = None,
    help: str | None = None,  # noqa: A002 - as in Diagnostic
    is_played: bool = True,
) -> Iterator[Diagnostic]:
    """That a player can be stuck, or what nobody plays can stop, if *halt* shows it."""
    if halt is None:
        return
    told = f"a player can be stuck, as after {number_of(halt.play)}"
    if not halt.play:
        told = "no move has an effect in the initial state"
    told += ", and there is no result"
    if not is_played:
        told = f"no move has an effect any more, as after {number_of(halt.play)}"
    yield Diagnostic(
        codes.STUCK,
        told,
        primary=primary,
        notes=tuple(evidence(halt.play, halt.state, state_words="then")),
        help=help,
        play=moves_of(halt.play),
    )


def moves_of(play: Sequence[Move]) -> tuple[str, ...]:
    """*play* as a diagnostic keeps it."""
    return tuple(map(str, play))


def evidence(play: Sequence[Move], state: State, *, state_words: str) -> Iterator[str]:
    """The play that shows something, and the state in which it does."""
    yield f"play: {play_to_text(play)}"
    yield f"{state_words}: {state}"
