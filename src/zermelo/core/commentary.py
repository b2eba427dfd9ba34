"""What a model says of itself and of plays, in the words of its language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from zermelo.core.machine import Ending, Fault, Machine, Turn, value_json
from zermelo.core.picture import Diagram, Picture, Sketch, beside, sketched
from zermelo.core.signature import Reading, Signature
from zermelo.core.space import Space
from zermelo.core.state import Move, State
from zermelo.core.values import Value, in_order
from zermelo.core.values import to_text as value_text
from zermelo.text.diagnostic import Checked, Json
from zermelo.text.prose import TIE, Line, Piece, Tone, count, heading, line, listing, tied
from zermelo.text.source import width

DECIDED: Final = {
    "document": "the document says so",
    "file": "the file beside it says so",
    "caller": "you said so",
    "evidence": "the document shows it",
    "play": "found by playing",
    "default": "the usual choice",
}


@dataclass(frozen=True, slots=True)
class TypedExpression:
    """An expression that somebody typed, in the names of a document."""

    text: str
    value: Callable[[State], Value | Fault]


@dataclass(frozen=True, slots=True)
class Stage:
    """A piece of a turn in words, and the state when it was done; ``None`` if that is not told."""

    lines: tuple[Line, ...]
    state: State | None = None


class Commentary(ABC):
    """The usual words; a language says more where it knows more."""

    @property
    @abstractmethod
    def machine(self) -> Machine: ...

    def unplayed(self) -> tuple[Line, ...]:
        """What ``check`` says of a document that gives nothing to play."""
        return ()

    def explain(self) -> tuple[Line, ...]:
        """The document in plain words."""
        return ()

    def prose(self) -> int:
        """How many lines under headings were taken as prose."""
        return 0

    def preface(self) -> tuple[Line, ...]:
        """What to know before turns are shown step by step."""
        return ()

    def steps(self, turn: Turn) -> Iterable[Line]:  # noqa: ARG002 - for languages that know more
        """What happened in *turn*, one thing after the other."""
        return ()

    def stages(self, turn: Turn) -> Iterable[Stage]:
        """What ``steps`` says, in pieces: one for each rule that was tried."""
        return (Stage(tuple(self.steps(turn))),)

    def no_effect(self, turn: Turn, shown: str) -> Line:
        """That the move of *turn*, *shown* so, had no effect."""
        player = self.machine.player(turn.before)
        still = "" if player is None else f" It is still the turn of {player.name}."
        return line(
            Piece("No effect", Tone.BAD),
            f": no rule changed anything, so {shown} is refused. The state stays as it was.{still}",
        )

    def why(self, turn: Turn) -> Iterable[Line]:  # noqa: ARG002 - as above
        """Which rules fire in *turn*, or came nearest to it."""
        return ()

    def lack(self, turn: Turn) -> tuple[str | Piece, ...]:  # noqa: ARG002 - as above
        """What was missing for *turn* to be made, as the end of a sentence."""
        return ()

    def refused(self, turn: Turn, reason: str) -> tuple[str | Piece, ...]:
        """That *turn* cannot be made for this *reason*, with what was missing, as a sentence."""
        return (Piece(reason, Tone.BAD), *self.lack(turn))

    def verdict(self, turns: Sequence[Turn], state: State) -> Verdict:  # noqa: ARG002 - as above
        """What decided a play of *turns* that is over in *state*."""
        return Verdict()

    def aim(self) -> Aim:
        """How one wins, in the words of the document."""
        return Aim()

    def checked(self, space: Space, *, in_spite: bool) -> tuple[Line, ...] | None:  # noqa: ARG002 - as above
        """What ``check`` saw of the document; ``None`` for the usual words.

        *in_spite* says that errors kept a part of the document from being used.
        """
        return None

    def named_sets(self) -> Iterable[tuple[str, Value]]:
        """The sets to which the document gives a name, as far as they are small."""
        return ()

    def subsets(self) -> Iterable[tuple[str, list[Value]]]:
        """The variables whose values are sets, each with what these may have in them."""
        return ()

    def expression(self, text: str) -> Checked[TypedExpression]:  # noqa: ARG002 - as above
        """The expression that *text* writes; places are in *text*."""
        return Checked(None)

    def evaluate(self, text: str, state: State) -> Checked[Value | Fault]:
        """The value in *state* of the expression that *text* writes."""
        typed = self.expression(text)
        if typed.value is None:
            return Checked(None, typed.diagnostics)
        return Checked(typed.value.value(state), typed.diagnostics)

    def read_move(self, text: str, state: State) -> Move | None:  # noqa: ARG002 - as above
        """The move that *text* means; ``None`` where moves are typed in the usual way."""
        return None

    def diagram(self, state: State) -> Diagram | None:  # noqa: ARG002 - as above
        """The document as a drawing with what *state* has in it; ``None`` where there is none.

        Nodes and arcs are the same, and stand in the same rows, in every state; a box is called
        like the moves that it stands for. ``UsageError`` says that it is too large.
        """
        return None

    def short_move(self, move: Move) -> str | None:  # noqa: ARG002 - as above
        """*move* at the arc of a drawn graph; ``None`` for the usual text."""
        return None

    # At a prompt, where ``None`` stands for the usual words

    marks_terminal_nodes = False
    """Whether a drawn graph says which of its nodes are terminal."""
    runs_by_itself = False
    """Whether moves drawn by lot are worth a look, and nobody plays against anybody."""
    forms: tuple[tuple[str, str], ...] = ()
    """How moves are typed, each way with a summary."""

    def opening(self, legal: Sequence[Move], *, is_film: bool) -> Line | None:  # noqa: ARG002 - as above
        """What is played, and how a move is typed, unless it is a film to be looked at."""
        return None

    def move_text(self, move: Move) -> str | None:  # noqa: ARG002 - as above
        """*move* as it can be typed."""
        return None

    def made(self, turn: Turn, number: int) -> Line | None:  # noqa: ARG002 - as above
        """That the move of *turn* was made, as the one with this *number*."""
        return None

    def can_be_made(self, turn: Turn, shown: str) -> Line:  # noqa: ARG002 - as above
        """That the move of *turn*, *shown* so, can be made."""
        return line(Piece(f"{shown} can be made", Tone.GOOD), ".")

    def state_in_lines(self, state: State, before: State | None = None) -> tuple[Line, ...] | None:  # noqa: ARG002 - as above
        """*state* in full, with what is different from *before* marked."""
        return None

    def moves_in_lines(self, state: State) -> tuple[Line, ...] | None:  # noqa: ARG002 - as above
        """The moves that are possible in *state*."""
        return None

    def picture(self, state: State, *, last: Turn | None = None) -> Picture:  # noqa: ARG002 - as above
        """*state* as a picture, with the cells of the *last* turn marked."""
        signature = self.machine.signature
        return beside(signature, state, signature.variables)

    def sketch(self, state: State) -> Sketch:
        """*state* in very little room, as in a box of a drawn graph."""
        return sketched(self.picture(state), told={self.machine.signature.result})


@dataclass(frozen=True, slots=True)
class Goal:
    """What some rules ask for with which these players win, lose or draw."""

    ending: Ending
    players: tuple[str, ...]
    conditions: tuple[str, ...]
    """Guards as they are written; one of them is enough."""


@dataclass(frozen=True, slots=True)
class Aim:
    """How one wins."""

    goals: tuple[Goal, ...] = ()
    over: str = ""
    """What is asked for play to be over, as it is written."""
    quoted: str = ""
    """A sentence in which the document speaks of a goal."""


def facts_line(facts: Sequence[str]) -> Line | None:
    """What it means that variables are *facts*; ``None`` when there are none."""
    if not facts:
        return None
    verb = "is a fact" if len(facts) == 1 else "are facts"
    return line(
        Piece(listing(facts), Tone.STRONG),
        f" {verb}: computed from the other variables, never assigned.",
    )


def readings_lines(signature: Signature) -> Iterator[Line]:
    """The readings, each with its choice, who decided it, the reason and the other choices."""
    if not signature.readings:
        return
    yield heading("Readings, where the document leaves something open")
    for reading in signature.readings:
        yield from reading_lines(reading)


def reading_lines(reading: Reading) -> Iterator[Line]:
    decided = DECIDED.get(reading.decided_by, reading.decided_by)
    yield line(
        Piece(reading.name, Tone.STRONG),
        ": ",
        Piece(reading.choice, Tone.CHANGED),
        Piece(f" ({decided})", Tone.FAINT),
        indent=2,
        hang=4,
    )
    if reading.reason:
        yield line(f"because {reading.reason}", indent=6, hang=2)
    others = [choice for choice in reading.choices if choice != reading.choice]
    if others:
        yield line(Piece(f"or: {', '.join(others)}", Tone.FAINT), indent=6, hang=2)


LONGEST_SET: Final = 44
"""Sets whose text is longer are named by the number of their members, or shortened."""
_FIRST_MEMBERS: Final = 24
"""About so many characters of a large set are shown before it is said how many members are left."""
CHANGED: Final = "▸"
_WIDEST_PART: Final = 36
"""Evidence stands in one column beside parts of guards up to this width."""
_SIGNS: Final = {
    True: Piece("✓", Tone.GOOD),
    False: Piece("✗", Tone.BAD),
    None: Piece("·", Tone.FAINT),
}
"""Of a part of a guard that holds, that does not, and that was not reached."""


@dataclass(frozen=True, slots=True)
class Change:
    """A variable that got a value."""

    variable: str
    before: Value
    after: Value


def short(value: Value | Fault) -> str:
    """*value* in full when it is small, else its size.

    >>> short(frozenset({2, 1})), short(frozenset(range(20)))
    ('{1, 2}', '20 members')
    """
    if isinstance(value, Fault):
        return f"no value ({value.message})"
    if is_large(value) and isinstance(value, frozenset):
        return count(len(value), "member")
    return value_text(value)


def is_large(value: Value | Fault) -> bool:
    return isinstance(value, frozenset) and len(value_text(value)) > LONGEST_SET


def change_text(change: Change) -> str:
    """What became of a variable.

    >>> change_text(Change("free", frozenset({1, 2, 3}), frozenset({1, 3})))
    'free loses 2: {1, 3}'
    >>> from zermelo.core.values import FALSE, TRUE
    >>> change_text(Change("turn", TRUE, FALSE))
    'turn becomes false'
    """
    difference = difference_text(change)
    if not difference:
        return f"{change.variable} becomes {short(change.after)}"
    return f"{change.variable} {difference}: {short(change.after)}"


def difference_text(change: Change) -> str:
    """What a set lost and gained; nothing if one of the values is no set.

    >>> difference_text(Change("A", frozenset({(1, 1)}), frozenset({(2, 1)})))
    'loses (1, 1) and gains (2, 1)'
    """
    before, after = change.before, change.after
    if not isinstance(before, frozenset) or not isinstance(after, frozenset):
        return ""
    lost, gained = before - after, after - before
    parts = [f"{verb} {_some(part)}" for verb, part in (("loses", lost), ("gains", gained)) if part]
    return " and ".join(parts)


def _some(items: frozenset[Value]) -> str:
    return short(items) if is_large(items) else listing(map(value_text, in_order(items)))


# Why a formula holds or does not: values, witnesses and counterexamples, as data


@dataclass(frozen=True, slots=True)
class TermValue:
    """A name or a term, and its value."""

    text: str
    value: Value
    noun: str = ""
    """What it is of the witness beside it, where it is about that alone: its sum, its size."""


@dataclass(frozen=True, slots=True)
class SetValue:
    """The set that something is a member or a subset of, or is not."""

    text: str
    members: frozenset[Value]
    item: Value | None = None
    """What is a member of it or is not, if one is asked for."""


@dataclass(frozen=True, slots=True)
class Witness:
    """The first member, in canonical order, that decides a quantifier.

    It makes ``∃`` hold, or it is the counterexample to ``∀``.
    """

    formula: str
    is_counterexample: bool
    names: tuple[tuple[str, Value], ...]
    """The names that are bound, with their values."""
    parts: tuple[Evidence, ...] = ()
    """What shows it of this member."""


@dataclass(frozen=True, slots=True)
class AllTried:
    """No member decides a quantifier: none makes ``∃`` hold, or ``∀`` holds for all."""

    formula: str
    holds: bool
    names: str
    domain: str
    size: int | None
    """How many members there are; ``None`` if they were not all listed."""


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A value function with its arguments and its value."""

    text: str
    arguments: tuple[tuple[str, Value], ...]
    value: Value
    parts: tuple[Evidence, ...] = ()
    """What shows it in the body of the function."""


@dataclass(frozen=True, slots=True)
class FactValue:
    """A fact that is true or false, with what its definition looked at."""

    text: str
    holds: bool
    parts: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class NotWorkedOut:
    """Evidence that would have taken too many steps."""

    text: str


Evidence: TypeAlias = (
    TermValue | SetValue | Witness | AllTried | FunctionValue | FactValue | NotWorkedOut
)


@dataclass(frozen=True, slots=True)
class GuardPart:
    """A part of a guard as it is written, and whether it holds; ``None`` if it was not reached."""

    text: str
    holds: bool | None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """The rule that gave the result of a play its last value."""

    procedure: str
    rule: str
    text: str
    after: int
    """The number of moves that had been made then."""
    parts: tuple[GuardPart, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What decided a play that is over."""

    decision: Decision | None = None
    over: tuple[GuardPart, ...] = ()
    """What holds of that which says when play is over."""


# As text


def evidence_text(evidence: Sequence[Evidence], *, of: str = "") -> str:
    """*evidence* in a line, beside the formula *of* which it is; nothing that this says itself.

    >>> low = TermValue("∑_{a∈w} a", 14, noun="sum")
    >>> found = Witness("∃w ∈ W: …", False, (("w", frozenset({3, 5, 6})),), (low,))
    >>> evidence_text([found]).replace(TIE, " ")
    'w = {3, 5, 6}, sum 14'
    """
    said = [text for text in (_text(each, of) for each in evidence) if text]
    is_plain = all(isinstance(each, TermValue | SetValue) for each in evidence)
    return (", " if is_plain else "; ").join(dict.fromkeys(said))


def _text(evidence: Evidence, of: str) -> str:
    match evidence:
        case TermValue(text, value, noun):
            if text == of:
                return ""
            return tied(f"{noun} {shortened(value)}" if noun else f"{text} = {shortened(value)}")
        case SetValue(text, members, item):
            return "" if text == of else tied(f"{text} = {shortened(members, item)}")
        case Witness():
            return _witness(evidence)
        case AllTried():
            return _all_tried(evidence)
        case FunctionValue(text, arguments, value, parts):
            head = "" if text == of else f"{text} = {shortened(value)}"
            given = _named(arguments)
            return _joined((head, f"with {given}" if head and given else given), parts)
        case FactValue(text, holds, parts):
            return _joined(("" if text == of else f"{text} = {str(holds).lower()}",), parts)
        case NotWorkedOut(text):
            return f"why {text} takes too long to work out"
        case _:
            assert_never(evidence)


def _joined(head: Iterable[str], parts: tuple[Evidence, ...]) -> str:
    start, inside = " ".join(filter(None, head)), evidence_text(parts)
    return f"{tied(start)}: {inside}" if start and inside else tied(start) or inside


def _witness(found: Witness) -> str:
    names = f"not for {_named(found.names)}" if found.is_counterexample else _named(found.names)
    inside = evidence_text(found.parts)
    if not inside:
        return tied(names)
    # What is said of a member is parted from those to which the quantifier beside it leads.
    return f"{tied(names)}{': ' if found.is_counterexample else ', '}{inside}"


def _all_tried(tried: AllTried) -> str:
    if tried.size == 0:
        return f"{tried.domain} is empty"
    size = "" if tried.size is None else f" ({count(tried.size, 'member')})"
    return tied(f"{'every' if tried.holds else 'no'} {tried.names} in {tried.domain}{size}")


def _named(names: Iterable[tuple[str, Value]]) -> str:
    return ", ".join(f"{name} = {shortened(value)}" for name, value in names)


def shortened(value: Value, item: Value | None = None) -> str:
    """*value*; of a large set the first members, *item* if it is one, and how many more there are.

    >>> shortened(frozenset({2, 1})), shortened(frozenset(range(60)), 40).replace(TIE, " ")
    ('{1, 2}', '{0, 1, 2, 3, 4, 5, 6, 7, 8, …, 40, … 50 more}')
    """
    text = value_text(value)
    if len(text) <= LONGEST_SET or not isinstance(value, frozenset):
        return text
    shown: list[Value] = []
    length = 0
    for member in in_order(value):
        shown.append(member)
        length += len(value_text(member)) + 2
        if length > _FIRST_MEMBERS:
            break
    if length > 2 * LONGEST_SET:
        return count(len(value), "member")
    texts = [value_text(member) for member in shown]
    if item in value and item not in shown:
        shown.append(item)
        texts.extend(["…", value_text(item)])
    left = len(value) - len(shown)
    return f"{{{', '.join([*texts, f'…{TIE}{left:,}{TIE}more'] if left else texts)}}}"


def part_text(part: GuardPart) -> str:
    """Why *part* of a guard holds or does not, beside it."""
    return "not reached" if part.holds is None else evidence_text(part.evidence, of=part.text)


def part_lines(parts: Iterable[GuardPart], *, indent: int) -> Iterator[Line]:
    """Each part of a guard: whether it holds, and the values it looked at."""
    listed = list(parts)
    widths = [width(part.text) for part in listed]
    column = max((size for size in widths if size <= _WIDEST_PART), default=0)
    for part, size in zip(listed, widths, strict=True):
        gap = " " * max(column - size, 0) + "   "
        yield line(
            _SIGNS[part.holds],
            Piece(f" {part.text}", Tone.FAINT if part.holds is None else Tone.PLAIN),
            Piece(f"{gap}{part_text(part)}".rstrip(), Tone.FAINT),
            indent=indent,
            hang=4,
        )


def ending_lines(verdict: Verdict, moves: int) -> Iterator[Line]:
    """What decided a play of so many *moves*: the rule, its witnesses, and what ended it."""
    made, told = verdict.decision, set[str]()
    if made is not None:
        when = "" if made.after == moves else f", after {count(made.after, 'move')}"
        yield line(f"Decided by rule {made.rule} of {made.procedure}{when}:", indent=2)
        yield line(Piece(made.text, Tone.FORMULA), indent=4, hang=4)
        # Where a fact has the same witness as a part beside it, the part shows it.
        shown = {part_text(part): part for part in made.parts}
        told = set(shown)
        yield from part_lines([part for text, part in shown.items() if text], indent=4)
    for at, part in enumerate(verdict.over):
        start = "Over because " if at == 0 else "and because "
        text = part_text(part)
        seen = "" if not text or text in told else f": {text}"
        yield line(start, Piece(part.text, Tone.FORMULA), f"{seen}.", indent=2, hang=2)


# As JSON


def evidence_json(evidence: Evidence) -> dict[str, Json]:
    """*evidence* as JSON; what it is about is its ``text``."""
    match evidence:
        case TermValue(text, value):
            return {"kind": "value", "text": text, "value": value_json(value)}
        case SetValue(text, members):
            return {"kind": "set", "text": text, "value": value_json(members)}
        case Witness(formula, is_counterexample, names, parts):
            kind = "counterexample" if is_counterexample else "witness"
            return {"kind": kind, "text": formula, **_inside(names, parts)}
        case AllTried(formula, holds, _, domain, size):
            tried: dict[str, Json] = {"kind": "all tried", "text": formula, "holds": holds}
            return {**tried, "domain": domain, "members": size}
        case FunctionValue(text, arguments, value, parts):
            known: dict[str, Json] = {"kind": "function", "text": text}
            return {**known, "value": value_json(value), **_inside(arguments, parts)}
        case FactValue(text, holds, parts):
            return {"kind": "fact", "text": text, "value": holds, **_inside((), parts)}
        case NotWorkedOut(text):
            return {"kind": "not worked out", "text": text}
        case _:
            assert_never(evidence)


def _inside(names: Iterable[tuple[str, Value]], parts: Iterable[Evidence]) -> dict[str, Json]:
    named: dict[str, Json] = {name: value_json(value) for name, value in names}
    return {"names": named, "evidence": [evidence_json(each) for each in parts]}


def part_json(part: GuardPart) -> dict[str, Json]:
    inside: list[Json] = [evidence_json(each) for each in part.evidence]
    return {"text": part.text, "holds": part.holds, "evidence": inside}


def verdict_json(verdict: Verdict) -> dict[str, Json]:
    """*verdict* as JSON: the rule that decided, and what holds of the end."""
    made = verdict.decision
    over: list[Json] = [part_json(each) for each in verdict.over]
    return {"decided_by": None if made is None else _decision_json(made), "over_because": over}


def _decision_json(made: Decision) -> dict[str, Json]:
    return {
        "procedure": made.procedure,
        "rule": made.rule,
        "text": made.text,
        "after": made.after,
        "guard": [part_json(each) for each in made.parts],
    }
