"""The readings: what documents leave open, what may be chosen, and why.

Choices come from a document's Reading section, from a caller, or from playing;
``decide`` turns one question with what was chosen into the record that every
face shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.languages.sections.ir import Reading
from zermelo.languages.sections.mean.kinds import (
    AS_WRITTEN,
    END,
    FRESH,
    KEPT,
    KINDS,
    NO_EFFECT,
    ORDER,
    OTHER_WORDS,
    OUTSIDE,
    OVER_THE_SET,
    OWN_VARIABLE,
    PLAYERS,
    QUANTIFIER,
    STUCK,
    WHEN_OVER,
    WHEN_RESULT,
    WIDENED,
    Kind,
)
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.lines import Setting
from zermelo.text.source import NOWHERE, Span
from zermelo.text.suggest import nearest

__all__ = [
    "AS_WRITTEN",
    "CALLER",
    "DEFAULT",
    "DOCUMENT",
    "END",
    "FRESH",
    "KEPT",
    "KINDS",
    "NO_EFFECT",
    "ORDER",
    "OUTSIDE",
    "OVER_THE_SET",
    "OWN_VARIABLE",
    "PLAY",
    "PLAYERS",
    "QUANTIFIER",
    "STUCK",
    "WHEN_OVER",
    "WHEN_RESULT",
    "WIDENED",
    "Choice",
    "Kind",
    "canonical_name",
    "decide",
    "domain_of",
    "flag",
    "from_caller",
    "from_settings",
    "kind_of",
    "merged",
    "not_a_choice",
    "order_of",
    "result_of",
    "starts_at",
    "subject_of",
    "undeclared",
    "unknown_subjects",
]

CALLER: Final = "caller"
DOCUMENT: Final = "document"
PLAY: Final = "play"
DEFAULT: Final = "default"

_RANK: Final[Mapping[str, int]] = {CALLER: 3, DOCUMENT: 2, PLAY: 1, DEFAULT: 0}


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen for a reading, and by whom."""

    text: str
    decided_by: str
    """``caller``, ``document`` or ``play``."""
    span: Span | None = None
    """Where the document says so."""
    reason: str = ""


def order_of(procedure: str) -> str:
    """The name of the reading that gives one procedure its order."""
    return f"order of {procedure}"


def flag(variable: str) -> str:
    """The name of the reading that says whether *variable* lives for one turn."""
    return f"flag {variable}"


def undeclared(name: str) -> str:
    """The name of the reading that says what an undeclared *name* is."""
    return f"undeclared {name}"


def starts_at(variable: str) -> str:
    """The name of the reading that gives *variable* its first value."""
    return f"{variable} starts at"


def domain_of(variable: str) -> str:
    """The name of the reading that says whether the domain of *variable* is widened."""
    return f"domain of {variable}"


def result_of(word: str) -> str:
    """The name of the reading that says whose result *word* is."""
    return f"result {word}"


def kind_of(name: str) -> Kind | None:
    """The kind of reading that *name* is a name of.

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
    for kind in KINDS:
        if match := _subject(kind, trimmed):
            subject = match.groupdict().get("subject")
            return kind.name if subject is None else kind.name.replace("NAME", subject)
    return None


def _subject(kind: Kind, name: str) -> re.Match[str] | None:
    parts = [re.sub(r"\\? ", r"[\\s_-]+", re.escape(p)) for p in kind.name.split("NAME")]
    return re.fullmatch(r"(?P<subject>\S(?:.*\S)?)".join(parts), name, re.IGNORECASE)


def from_settings(settings: Iterable[Setting]) -> Checked[Mapping[str, Choice]]:
    """The choices of a document's Reading section, by the name of the reading."""
    choices: dict[str, Choice] = {}
    found: list[Diagnostic] = []
    for setting in settings:
        name, text, wrong = _checked(setting.key, setting.value)
        span = _place(setting.value_span, setting.span)
        if wrong is not None:
            place = _place(setting.key_span, setting.span) if name is None else span
            found.append(wrong(place))
        elif name is not None:
            if name in choices:
                found.append(_twice(name, before=choices[name].span, span=span, text=text))
            choices[name] = Choice(text, DOCUMENT, span, setting.reason)
    return Checked(choices, tuple(found))


def from_caller(readings: Mapping[str, str]) -> Checked[Mapping[str, Choice]]:
    """The choices a caller gave, by the name of the reading."""
    choices: dict[str, Choice] = {}
    found: list[Diagnostic] = []
    for key, value in readings.items():
        name, text, wrong = _checked(key, value)
        if wrong is not None:
            found.append(wrong(None))
        elif name is not None:
            choices[name] = Choice(text, CALLER)
    return Checked(choices, tuple(found))


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
    if chosen is not None and (chosen.text in choices or (kind is not None and kind.form)):
        return Reading(
            name,
            chosen.text,
            choices if chosen.text in choices else (*choices, chosen.text),
            chosen.reason or why,
            chosen.decided_by,
            span if span is not None else chosen.span,
        )
    first = choices[0] if choices else ""
    return Reading(name, default or first, choices, why, DEFAULT, span)


def not_a_choice(
    name: str, text: str, *, choices: tuple[str, ...], span: Span | None = None
) -> Diagnostic:
    """What to say when *text* is none of the *choices* of the reading *name*."""
    listed = _listed(choices)
    near = nearest(text, choices)
    return Diagnostic(
        codes.UNKNOWN_CHOICE,
        f"`{text}` is no choice of the reading `{name}`",
        primary=None if span is None else Label(span, "not one of the choices"),
        notes=(f"the choices are {listed}",),
        help=f"write `{name}: {(near or choices)[0]}`" if choices else None,
    )


def unknown_subjects(
    choices: Mapping[str, Choice],
    *,
    variables: Iterable[str],
    procedures: Iterable[str],
) -> tuple[Diagnostic, ...]:
    """What to say about choices for variables or procedures that the document does not have."""
    known = {
        "order of NAME": ("procedure", tuple(procedures)),
        "flag NAME": ("variable", tuple(variables)),
        "NAME starts at": ("variable", tuple(variables)),
        "domain of NAME": ("variable", tuple(variables)),
    }
    found = []
    for name, choice in choices.items():
        kind, subject = kind_of(name), subject_of(name)
        if kind is None or subject is None or kind.name not in known:
            continue
        what, names = known[kind.name]
        if subject not in names:
            found.append(_no_subject(name, choice, what=what, subject=subject, names=names))
    return tuple(found)


def _no_subject(
    name: str, choice: Choice, *, what: str, subject: str, names: tuple[str, ...]
) -> Diagnostic:
    near = nearest(subject, names)
    return Diagnostic(
        codes.READING_OF_NOTHING,
        f"the reading `{name}` is about `{subject}`, and no {what} has that name",
        primary=None if choice.span is None else Label(choice.span, "has no effect"),
        notes=(f"{what}s of this document: {', '.join(names)}",) if names else (),
        help=f"write `{name.replace(subject, near[0])}: {choice.text}`" if near else None,
    )


_Wrong: TypeAlias = Callable[[Span | None], Diagnostic]


def _checked(key: str, value: str) -> tuple[str | None, str, _Wrong | None]:
    """The canonical name and choice, and what to say if one of them is unknown."""
    name = canonical_name(key)
    if name is None:
        return None, value, lambda span: _unknown_reading(key, span)
    kind = kind_of(name)
    text = value.strip().strip('`"“”').strip()
    if kind is None:
        return name, text, None
    fixed = _fixed_choice(kind, text)
    if fixed is not None:
        return name, fixed, None
    if kind.name == "undeclared NAME" and not re.fullmatch(r"is\s+\S.*", text, re.IGNORECASE):
        choices = ("is OTHER", OWN_VARIABLE)
        return name, text, lambda span: not_a_choice(name, text, choices=choices, span=span)
    if kind.form and text:
        return name, value.strip(), None
    return name, text, lambda span: not_a_choice(name, text, choices=kind.choices, span=span)


def _fixed_choice(kind: Kind, text: str) -> str | None:
    plain = re.sub(r"[\s_-]+", " ", text).casefold().rstrip(".")
    others = OTHER_WORDS.get(kind.name, {})
    if kind.name == "order of NAME":
        others = OTHER_WORDS[ORDER]
    return next((c for c in kind.choices if c == plain), others.get(plain))


def _unknown_reading(key: str, span: Span | None) -> Diagnostic:
    near = nearest(key.strip().casefold(), [kind.name for kind in KINDS])
    names = ", ".join(f"`{kind.name}`" for kind in KINDS)
    return Diagnostic(
        codes.UNKNOWN_READING,
        f"there is no reading called `{key.strip()}`",
        primary=None if span is None else Label(span, "not a reading"),
        notes=(f"the readings are {names}",),
        help=f"write `{near[0]}`" if near else None,
    )


def _twice(name: str, *, before: Span | None, span: Span | None, text: str) -> Diagnostic:
    return Diagnostic(
        codes.READING_TWICE,
        f"the reading `{name}` is chosen twice; the last choice, `{text}`, is taken",
        primary=None if span is None else Label(span, "chosen again"),
        secondary=() if before is None else (Label(before, "chosen here first"),),
        help="remove one of the two lines",
    )


def _place(span: Span, fallback: Span) -> Span | None:
    best = fallback if span == NOWHERE else span
    return None if best == NOWHERE else best


def _listed(choices: tuple[str, ...]) -> str:
    return ", ".join(f"`{choice}`" for choice in choices)
