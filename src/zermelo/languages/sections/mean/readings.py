"""The readings: what documents leave open, what may be chosen, and why.

Choices come from a document's Reading section, from a caller, or from playing;
``decide`` turns one question with what was chosen into a record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.core.signature import (
    BY_CALLER,
    BY_DEFAULT,
    BY_DOCUMENT,
    BY_PLAY,
    END,
    FRESH,
    KEPT,
    LINES,
    ORDER,
    SIDES,
    STUCK,
    Reading,
    WrongReading,
    no_such_choice,
    no_such_reading,
    not_a_choice,
)
from zermelo.text import codes
from zermelo.text.budget import similar
from zermelo.text.diagnostic import Checked, Diagnostic, label_at
from zermelo.text.lines import Setting
from zermelo.text.prose import listing
from zermelo.text.source import NOWHERE, Span

NO_EFFECT: Final = "input without effect"
QUANTIFIER: Final = "quantifier"
OUTSIDE: Final = "value outside"
PLAYERS: Final = "players"
RESULT: Final = "result NAME"

MOVE: Final = "move"
END_ROLE: Final = "end"
HELPER: Final = "helper"
VARIABLE: Final = "variable"
WHEN_OVER: Final = "when over"
WHEN_RESULT: Final = "when a result is known"
OVER_THE_SET: Final = "over the set"
AS_WRITTEN: Final = "as written"
OWN_VARIABLE: Final = "own variable"
WIDENED: Final = "widened"
STOP: Final = "stop"


@dataclass(frozen=True, slots=True)
class ReadingKind:
    """A question that documents leave open."""

    name: str
    """Its name; ``NAME`` stands for a name of the document."""
    choices: tuple[str, ...]
    """The answers that are the same in every document; the first is the default."""
    form: str = ""
    """The form of answers that differ from document to document."""
    reason: str = ""
    """Why the default is the default."""


KINDS: Final[tuple[ReadingKind, ...]] = (
    ReadingKind(
        ORDER,
        ("in order", "facts frozen", "at once", "by cases"),
        reason="documents are written to be read from top to bottom, "
        "so each rule sees what the rules above it did",
    ),
    ReadingKind(
        "order of NAME",
        ("in order", "facts frozen", "at once", "by cases"),
        reason="the rules of one procedure may need another order than the rest",
    ),
    ReadingKind(
        "lines of NAME",
        ("together", "one after the other"),
        reason="the right sides of one conclusion see the state before it",
    ),
    ReadingKind(
        "role of NAME",
        (MOVE, END_ROLE, HELPER, VARIABLE),
        reason="what the procedure does shows what it is for",
    ),
    ReadingKind(
        NO_EFFECT,
        ("refused", "costs the turn"),
        reason="an input that changes nothing is no move, so the turn does not pass",
    ),
    ReadingKind(
        "flag NAME",
        (KEPT, FRESH),
        reason="it is kept from turn to turn like every variable, "
        "unless playing shows that it only guides the rules of one turn",
    ),
    ReadingKind(
        END,
        (WHEN_OVER, WHEN_RESULT),
        reason="the document says with a variable when play is over",
    ),
    ReadingKind(
        STUCK,
        ("reported", "loses", "wins", "draws", "passes"),
        reason="the document gives no result to a player who has no move",
    ),
    ReadingKind(
        QUANTIFIER,
        (OVER_THE_SET, AS_WRITTEN),
        reason="∀w (w ∈ W ∧ φ) is false of everything outside W, so ∀w ∈ W: φ was probably meant",
    ),
    ReadingKind(
        f"{SIDES}NAME",
        (AS_WRITTEN,),
        form="the formula with braces around one side, or with another sign",
        reason="the formula has a value as it is written",
    ),
    ReadingKind(
        OUTSIDE,
        ("skip", "stop"),
        reason="rules and calls that use a value outside its set, "
        "as a cell beside the board, were probably meant not to apply",
    ),
    ReadingKind(
        "undeclared NAME",
        (OWN_VARIABLE,),
        form="is OTHER, with the name of a declared variable",
        reason="the name is used and not declared",
    ),
    ReadingKind(
        "NAME starts at",
        (),
        form="an expression",
        reason="the document does not say what the variable starts at",
    ),
    ReadingKind(
        "values of NAME",
        (WIDENED, STOP),
        reason="the document itself takes the variable beyond the set it was declared with",
    ),
    ReadingKind(
        PLAYERS,
        (),
        form="the players and when it is their turn, as in `A when turn, B when ¬turn`",
        reason="the document does not say who the players are",
    ),
    ReadingKind(
        RESULT,
        ("draw",),
        form="a player with `wins` or `loses`",
        reason="the document does not say whose result this is",
    ),
)

OTHER_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    END: {"over": WHEN_OVER, "result": WHEN_RESULT, "when a result": WHEN_RESULT},
    STUCK: {"unset": "reported", "draw": "draws", "lose": "loses", "win": "wins", "pass": "passes"},
    NO_EFFECT: {"refuse": "refused"},
    ORDER: {
        "one by one": "in order",
        "frozen": "facts frozen",
        "simultaneous": "at once",
        "cases": "by cases",
    },
    "flag NAME": {"keep": KEPT, "local": FRESH},
    "undeclared NAME": {"own": OWN_VARIABLE},
    "values of NAME": {"wider": WIDENED, AS_WRITTEN: STOP},
}

_OTHER_NAMES: Final[Mapping[str, str]] = {"domain of NAME": "values of NAME"}
"""Readings that may be called by another name."""


_ROLES: Final = (MOVE, END_ROLE, HELPER, VARIABLE)
_RANK: Final[Mapping[str, int]] = {BY_CALLER: 3, BY_DOCUMENT: 2, BY_PLAY: 1, BY_DEFAULT: 0}


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen for a reading, and by whom."""

    text: str
    decided_by: str
    """``BY_CALLER``, ``BY_DOCUMENT`` or ``BY_PLAY``."""
    span: Span | None = None
    reason: str = ""


def order_of(procedure: str) -> str:
    return f"order of {procedure}"


def lines_of(procedure: str) -> str:
    return f"{LINES}{procedure}"


def role_of(procedure: str) -> str:
    return f"role of {procedure}"


def flag(variable: str) -> str:
    return f"flag {variable}"


def undeclared(name: str) -> str:
    return f"undeclared {name}"


def starts_at(variable: str) -> str:
    return f"{variable} starts at"


def values_of(variable: str) -> str:
    return f"values of {variable}"


def kind_of(name: str) -> ReadingKind | None:
    """What *name* is the name of.

    >>> kind_of("order of EndGame").name
    'order of NAME'
    """
    canonical = canonical_name(name)
    return None if canonical is None else next(k for k in KINDS if _subject(k, canonical))


def subject_of(name: str) -> str | None:
    """The name of the document that a reading is about, if it is about one.

    >>> subject_of("flag ok"), subject_of("order")
    ('ok', None)
    """
    kind = kind_of(name)
    match = None if kind is None else _subject(kind, name.strip())
    return match.group("subject") if match and "subject" in match.groupdict() else None


def canonical_name(name: str) -> str | None:
    """*name* as the table spells it, or ``None`` if there is no such reading.

    >>> canonical_name("Input-without-effect"), canonical_name("Flag ok"), canonical_name("speed")
    ('input without effect', 'flag ok', None)
    """
    trimmed = re.sub(r"\s+", " ", name.strip())
    for other, usual in _OTHER_NAMES.items():
        if match := _subject(ReadingKind(other, ()), trimmed):
            return usual.replace("NAME", match.group("subject"))
    for kind in KINDS:
        if match := _subject(kind, trimmed):
            subject = match.groupdict().get("subject")
            return kind.name if subject is None else kind.name.replace("NAME", subject)
    return None


def _subject(kind: ReadingKind, name: str) -> re.Match[str] | None:
    parts = [re.sub(r"\\? ", r"[\\s_-]+", re.escape(p)) for p in kind.name.split("NAME")]
    return re.fullmatch(r"(?P<subject>\S(?:.*\S)?)".join(parts), name, re.IGNORECASE)


def from_settings(settings: Iterable[Setting]) -> Checked[Mapping[str, Choice]]:
    choices: dict[str, Choice] = {}
    found: list[Diagnostic] = []
    for setting in settings:
        key_span = setting.key_span.or_else(setting.span)
        place = setting.value_span.or_else(setting.span)
        span = None if place == NOWHERE else place
        read = _read(setting.key, setting.value, key_span=key_span, span=span)
        if isinstance(read, Diagnostic):
            found.append(read)
            continue
        name, text = read
        if name in choices:
            before = label_at(choices[name].span, "chosen here first")
            found.append(
                Diagnostic(
                    codes.READING_TWICE,
                    f"the reading `{name}` is chosen twice; the last choice, `{text}`, is taken",
                    primary=label_at(span, "chosen again"),
                    secondary=() if before is None else (before,),
                    help="remove one of the two lines",
                )
            )
        choices[name] = Choice(text, BY_DOCUMENT, span, setting.reason)
    return Checked(choices, tuple(found))


class FromCaller:
    """The choices of a caller, who is told at once if a document does not have them."""

    def __init__(self, given: Mapping[str, str], document: str) -> None:
        self.choices: dict[str, Choice] = {}
        self._document = document
        self._typed: dict[str, str] = {}
        """What was typed for a choice that any document may have."""
        self._wrong: list[tuple[str, str]] = []
        for key, value in given.items():
            read = _read(key, value)
            if isinstance(read, Diagnostic):
                self._wrong.append((key.strip(), value.strip()))
            else:
                self.choices[read[0]] = Choice(read[1], BY_CALLER)
                self._typed[read[0]] = value.strip()

    def compare(self, has: Sequence[Reading] | None) -> None:
        """Refuse what a document with these readings does not have.

        Who plays and wins is not known yet; without readings, the document could not be read.
        """
        offers = (
            {kind.name: _offered(kind, kind.choices) for kind in KINDS}
            if has is None
            else {each.name: _offered(kind_of(each.name), each.choices) for each in has}
        )
        for key, value in self._wrong:
            name = canonical_name(key)
            kind = None if name is None else kind_of(name)
            if name is None or kind is None or not self._may_have(name, has):
                raise no_such_reading(key, self._document, offers)
            raise no_such_choice(name, value, offers.get(name) or _offered(kind, kind.choices))
        for name, choice in self.choices.items():
            if not self._may_have(name, has):
                raise no_such_reading(name, self._document, offers)
            reading = next((each for each in has or () if each.name == name), None)
            if reading is not None and reading.choice != choice.text:
                raise no_such_choice(name, self._typed[name], offers[name])

    def compare_players(self, has: Sequence[Reading], said: Sequence[Diagnostic]) -> None:
        """Refuse players and results that *said* tells were not understood."""
        known = {each.name for each in has}
        for name in self.choices:
            if _is_of_players(name) and name not in known:
                why = next((each.message for each in said if each.primary is None), "")
                kind = kind_of(name)
                form = "" if kind is None else f"choose {listing(_offered(kind, kind.choices))}"
                raise WrongReading(
                    f"`{self._typed[name]}` is no choice of the reading `{name}`"
                    f"{f', because {why}' if why else ''}; {form}"
                )

    def _may_have(self, name: str, has: Sequence[Reading] | None) -> bool:
        return has is None or _is_of_players(name) or any(each.name == name for each in has)


def _is_of_players(name: str) -> bool:
    kind = kind_of(name)
    return kind is not None and kind.name in {PLAYERS, RESULT}


def _offered(kind: ReadingKind | None, choices: Sequence[str]) -> tuple[str, ...]:
    """The *choices* of a reading as they are listed, with the form of others that can be."""
    return (*choices, kind.form) if kind is not None and kind.form else tuple(choices)


def merged(*layers: Mapping[str, Choice]) -> Mapping[str, Choice]:
    """All choices together: a caller's before the document's before those found by playing."""
    choices: dict[str, Choice] = {}
    for layer in layers:
        for name, choice in layer.items():
            if name not in choices or _RANK[choice.decided_by] >= _RANK[choices[name].decided_by]:
                choices[name] = choice
    return choices


def decide(
    name: str,
    choices: tuple[str, ...],
    *,
    given: Mapping[str, Choice],
    default: str | None = None,
    reason: str = "",
    span: Span | None = None,
) -> Reading:
    """The reading called *name* in one document, with the choice that was made.

    *choices* are the answers that are possible in this document; an answer beside
    them is taken only where the kind of reading has answers of any form. Without a
    *default* the first choice is the default, without a *reason* the table's is given.
    """
    kind = kind_of(name)
    chosen = given.get(name)
    why = reason or (kind.reason if kind else "")
    usual = default or (choices[0] if choices else "")
    if chosen is not None and (chosen.text in choices or (kind is not None and kind.form)):
        return Reading(
            name,
            chosen.text,
            choices if chosen.text in choices else (*choices, chosen.text),
            # Why something is usual is no reason for anything else.
            chosen.reason or (why if chosen.text == usual else ""),
            chosen.decided_by,
            span if span is not None else chosen.span,
        )
    return Reading(name, usual, choices, why, BY_DEFAULT, span)


def unknown_subjects(
    choices: Mapping[str, Choice], *, variables: Sequence[str], procedures: Sequence[str]
) -> tuple[Diagnostic, ...]:
    """What to say about choices for variables or procedures that the document does not have."""
    known = {
        "order of NAME": ("procedure", procedures),
        "lines of NAME": ("procedure", procedures),
        "flag NAME": ("variable", variables),
        "NAME starts at": ("variable", variables),
        "values of NAME": ("variable", variables),
    }
    found = []
    for name, choice in choices.items():
        kind, subject = kind_of(name), subject_of(name)
        if kind is None or subject is None or kind.name not in (*known, "role of NAME"):
            continue
        what, names = known.get(kind.name) or _with_role(choice.text, variables, procedures)
        if kind.name == "lines of NAME":
            subject = re.sub(r"rule [\d.]+ of ", "", subject)
        if subject in names:
            continue
        near = similar(subject, names)
        found.append(
            Diagnostic(
                codes.READING_OF_NOTHING,
                f"the reading `{name}` is about `{subject}`, and no {what} has that name",
                primary=label_at(choice.span, "has no effect"),
                notes=(f"{what}s of this document: {', '.join(names)}",) if names else (),
                help=f"write `{name.replace(subject, near[0])}: {choice.text}`" if near else None,
            )
        )
    return tuple(found)


def _with_role(
    role: str, variables: Sequence[str], procedures: Sequence[str]
) -> tuple[str, Sequence[str]]:
    """What can have the *role*: a variable may tell of the end, too."""
    if role == VARIABLE:
        return "variable", variables
    return "procedure", (*procedures, *(variables if role == END_ROLE else ()))


def _read(
    key: str, value: str, *, key_span: Span | None = None, span: Span | None = None
) -> tuple[str, str] | Diagnostic:
    """The canonical name and choice, or what to say if one of them is unknown."""
    name = canonical_name(key)
    if name is None and _plain(value) in _ROLES:
        # The name of a procedure alone is enough, as in `Reset: move`.
        name = role_of(key.strip())
    kind = None if name is None else kind_of(name)
    if name is None or kind is None:
        return _unknown_reading(key, key_span)
    text = value.strip().strip('`"“”').strip()
    fixed = _fixed_choice(kind, text)
    if fixed is not None:
        return name, fixed
    if kind.name == "undeclared NAME" and not re.fullmatch(r"is\s+\S.*", text, re.IGNORECASE):
        return not_a_choice(name, text, choices=("is OTHER", OWN_VARIABLE), span=span)
    if kind.form and text:
        return name, value.strip()
    return not_a_choice(name, text, choices=kind.choices, span=span)


def _fixed_choice(kind: ReadingKind, text: str) -> str | None:
    plain = _plain(text)
    others = OTHER_WORDS.get(ORDER if kind.name == "order of NAME" else kind.name, {})
    return plain if plain in kind.choices else others.get(plain)


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", " ", text).strip().strip('`"“”').casefold().rstrip(".")


def _unknown_reading(key: str, span: Span | None) -> Diagnostic:
    near = similar(key.strip().casefold(), [kind.name for kind in KINDS])
    names = ", ".join(f"`{kind.name}`" for kind in KINDS)
    return Diagnostic(
        codes.UNKNOWN_READING,
        f"there is no reading called `{key.strip()}`",
        primary=label_at(span, "not a reading"),
        notes=(f"the readings are {names}",),
        help=f"write `{near[0]}`" if near else None,
    )
