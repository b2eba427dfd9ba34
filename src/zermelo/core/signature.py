"""What every model can tell about itself: its variables, moves, players, readings and nouns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol, TypeAlias

from zermelo.core.state import State
from zermelo.core.values import Atom, Type, Value
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Json, Label
from zermelo.text.errors import UsageError, nearest
from zermelo.text.prose import listing
from zermelo.text.source import Span

RuleName: TypeAlias = tuple[str, str]
"""A procedure and the label of one of its rules."""


# Readings that decide how a document is run are tried by playing, under these names.
ORDER: Final = "order"
BY_CASES: Final = "by cases"
"""The order that is tried last, where the others are in doubt."""
FLAG: Final = "flag "
"""Before the name of the variable."""
FRESH: Final = "fresh"
KEPT: Final = "kept"
END: Final = "end"
STUCK: Final = "stuck player"
LINES: Final = "lines of "
"""Before the name of the procedure, or ``rule 2 of`` it."""
SIDES: Final = "sides of "
"""Before a formula whose sides are of unlike kinds."""

# Who decided a reading.
BY_CALLER: Final = "caller"
BY_DOCUMENT: Final = "document"
BY_FILE: Final = "file"
"""The file beside the document; see ``text/reading_file.py``."""
BY_PLAY: Final = "play"
"""Tried by playing."""
BY_DEFAULT: Final = "default"
BY_EVIDENCE: Final = "evidence"
"""The document shows it by what it writes."""


class Domain(Protocol):
    """The set that a parameter ranges over, for whoever types its value."""

    @property
    def text(self) -> str: ...

    def has(self, value: Value, state: State) -> bool:
        """Whether *value* may be in the set in *state*; what cannot be decided may be."""
        ...

    def type(self, state: State) -> Type: ...

    def words(self, state: State) -> Iterable[Atom]:
        """The words among its members and within them."""
        ...


@dataclass(frozen=True, slots=True)
class MoveParameter:
    """A parameter of a kind of moves."""

    name: str
    domain: Domain = field(compare=False)


@dataclass(frozen=True, slots=True)
class MoveKind:
    """What can be called in a turn, with its parameters: a procedure, a transition, an input."""

    name: str
    parameters: tuple[MoveParameter, ...] = ()
    name_suffices: bool = False
    """Whether in any state there is at most one move of this kind, so that its name is enough."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player, and which values of the result mean that they win or lose."""

    name: str
    wins: tuple[Value, ...] = ()
    loses: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A decision where the document leaves something open."""

    name: str
    choice: str
    choices: tuple[str, ...]
    reason: str
    decided_by: str
    """One of ``BY_CALLER`` … ``BY_EVIDENCE`` above."""
    span: Span | None = field(default=None, compare=False)
    """The place in the document it is about."""

    @property
    def is_chosen(self) -> bool:
        """Whether the document, its file or its caller decided it: nothing is assumed."""
        return self.decided_by in {BY_DOCUMENT, BY_FILE, BY_CALLER}


def not_a_choice(
    name: str, text: str, *, choices: tuple[str, ...], span: Span | None = None
) -> Diagnostic:
    """What to say when *text* is none of the *choices* of the reading *name*."""
    near = nearest(text, choices)
    return Diagnostic(
        codes.UNKNOWN_CHOICE,
        f"`{text}` is no choice of the reading `{name}`",
        primary=None if span is None else Label(span, "not one of the choices"),
        notes=(f"the choices are {', '.join(f'`{choice}`' for choice in choices)}",),
        help=f"write `{name}: {(near or choices)[0]}`" if choices else None,
    )


class WrongReading(UsageError):
    """A caller chose a reading that the document does not have, or none of its choices."""


def no_such_reading(name: str, document: str, offers: Mapping[str, Sequence[str]]) -> WrongReading:
    """That *document* has no reading called *name*; *offers* are those that it has.

    >>> print(no_such_reading("oder", "a.md", {"order": ("in order", "at once")}))
    a.md has no reading `oder`; did you mean `order`? It has `order` (in order or at once)
    """
    near = nearest(name, offers)
    hint = f"; did you mean `{near[0]}`? It has " if near else "; it has "
    listed = listing([f"`{each}` ({listing(offers[each], last='or')})" for each in offers])
    return WrongReading(f"{document} has no reading `{name}`{hint}{listed or 'none at all'}")


def no_such_choice(name: str, text: str, choices: Sequence[str]) -> WrongReading:
    """That *text* is none of the *choices* of the reading *name*."""
    listed = listing([f"`{choice}`" for choice in choices], last="or")
    return WrongReading(f"`{text}` is no choice of the reading `{name}`; choose {listed}")


class Asked(Enum):
    """What a property says of its formula and all states that can be reached."""

    ALWAYS = "always"
    SOMETIMES = "sometimes"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Claim:
    """What is looked at in every state: a fact that is to hold, or a property.

    It is *broken* in a state where its formula does not hold, or where it does if it is asked
    whether that happens sometimes or never.
    """

    text: str
    """The document's or the caller's own words."""
    asked: Asked | None = None
    """Of a property."""
    is_suspicion: bool = False
    """Whether it is neither a fact nor a property: nobody claims it, but it should hold."""


class Stuck(Enum):
    """What becomes of a player who is not over and has no move."""

    REPORTED = "reported"
    LOSES = "loses"
    WINS = "wins"
    DRAWS = "draws"
    PASSES = "passes"


@dataclass(frozen=True, slots=True)
class Nouns:
    """What the states and the moves of a model are called."""

    state: str = "state"
    move: str = "move"
    ply: str | None = "ply"
    """What is numbered on the way; ``None`` if moves are only counted."""
    stuck: str | None = None
    """What is said where there is no move; ``None`` if that depends on who is in turn."""

    def counted_states(self, count: int) -> str:
        """*count* with the word for states.

        >>> Nouns("marking").counted_states(2)
        '2 markings'
        """
        return f"{count:,} {self.state}{'' if count == 1 else 's'}"

    def counted_moves(self, count: int) -> str:
        """*count* with the word for moves."""
        return f"{count:,} {self.move}{'' if count == 1 else 's'}"

    def after(self, depth: int) -> str:
        """How far *depth* is from the start.

        >>> Nouns().after(3), Nouns("marking", "firing", None).after(3)
        ('ply 3', '3 firings')
        """
        return self.counted_moves(depth) if self.ply is None else f"{self.ply} {depth}"

    def renamed(self, text: str) -> str:
        """*text* about states and moves in these words.

        >>> Nouns("marking", "firing").renamed("stopped after 2 moves")
        'stopped after 2 firings'
        """
        return _NOUNS.sub(lambda found: getattr(self, found[1]) + found[2], text)


_NOUNS: Final = re.compile(r"\b(state|move)(s?)\b")
OF_GAMES: Final = Nouns()


def _no_meaning() -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What a model consists of, as far as engines and faces need to know."""

    name: str
    variables: tuple[str, ...]
    """The names of the variables that make up a state."""
    moves: tuple[MoveKind, ...]
    players: tuple[Player, ...] = ()
    draws: tuple[Value, ...] = ()
    result: str | None = None
    """The variable that tells how the play ended."""
    results: tuple[Value, ...] = ()
    """The values of the result, or the members it may have, in canonical order."""
    can_end: bool = False
    """Whether the document says when play is over."""
    stuck: Stuck = Stuck.REPORTED
    readings: tuple[Reading, ...] = ()
    rules: tuple[RuleName, ...] = ()
    """The rules whose firing can be seen, in the document's order."""
    claims: tuple[Claim, ...] = ()
    """The facts that are checked, and the properties that are asked for, by their numbers."""
    nouns: Nouns = OF_GAMES
    interpreter: str = "the interpreter"
    """What runs where nothing is compiled."""
    fingerprint: str = ""
    """A digest of the document's text."""
    meaning: Callable[[], str] = field(default=_no_meaning, compare=False, repr=False)
    """A digest of what the document means, whatever its words."""
    prose: tuple[str, ...] = field(default=(), compare=False)
    """The document's words outside its formulas."""
    unplayable: str | None = None
    """The reason why there is nothing to play, though the document was understood."""
    proviso: str = ""
    """Under what condition all states that are reached are all that can be reached, if any."""
    players_help: str = ""
    """How the players are said, where nobody is known to play."""

    def all_reached(self, *, is_whole: bool) -> str:
        """That nothing was left out; unless it *is whole*, but for what goes wrong."""
        proviso = f" {self.proviso}" if self.proviso else ""
        wrong = "" if is_whole else " without what goes wrong"
        return f"all that can be reached{proviso}{wrong}"

    def kind(self, name: str) -> MoveKind | None:
        return next((kind for kind in self.moves if kind.name == name), None)


def reading_json(reading: Reading) -> dict[str, Json]:
    return {
        "name": reading.name,
        "choice": reading.choice,
        "choices": list(reading.choices),
        "reason": reading.reason,
        "decided_by": reading.decided_by,
    }


def without_players(signature: Signature) -> str | None:
    """That nobody is known to play, and how players are said; ``None`` if somebody is."""
    if signature.players:
        return None
    return f"it is not known who plays {signature.name}; {signature.players_help}"
