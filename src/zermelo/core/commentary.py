"""What a model says of itself and of plays, in the words of its language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.core.machine import Fault, Machine, Turn
from zermelo.core.picture import Picture, Sketch, beside, sketched
from zermelo.core.signature import Reading, Signature
from zermelo.core.space import Space
from zermelo.core.state import Move, State
from zermelo.core.values import Value, in_order
from zermelo.core.values import to_text as value_text
from zermelo.text.diagnostic import Checked
from zermelo.text.prose import Line, Piece, Tone, count, heading, line, listing

DECIDED: Final = {
    "document": "the document says so",
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

    def ending(self, turns: Sequence[Turn], state: State) -> Iterable[Line]:  # noqa: ARG002 - as above
        """What decided a play of *turns* that is over in *state*."""
        return ()

    def checked(self, space: Space, *, in_spite: bool) -> tuple[Line, ...] | None:  # noqa: ARG002 - as above
        """What ``check`` saw of the document; ``None`` for the usual words.

        *in_spite* says that errors kept a part of the document from being used.
        """
        return None

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
"""Sets whose text is longer are named by the number of their members."""
CHANGED: Final = "▸"


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
